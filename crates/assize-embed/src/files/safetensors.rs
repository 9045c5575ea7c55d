//! Tensors of a `.safetensors` file, read one at a time, so that a model is in memory once and not twice.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::open::{Fault, OpenError};

/// The longest header that is read; a large model's has a few hundred kilobytes.
const LONGEST_HEADER: u64 = 64 << 20;
/// How much is read at a time.
const CHUNK: usize = 1 << 20;

/// An open file whose header was read.
#[derive(Debug)]
pub(crate) struct Tensors {
    path: PathBuf,
    file: File,
    /// Where the tensors' bytes begin.
    start: u64,
    /// How many bytes of tensors there are.
    length: u64,
    tensors: BTreeMap<String, Tensor>,
    hasher: blake3::Hasher,
}

#[derive(Debug, Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

impl Tensors {
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let failed = |error| OpenError::file(path, error);
        let malformed = |what: String| OpenError::new(path, Fault::Malformed(what));
        let mut file = File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        let mut length = [0; 8];
        if size < 8 {
            return Err(malformed("it is cut off".to_owned()));
        }
        file.read_exact(&mut length).map_err(failed)?;
        let header_length = u64::from_le_bytes(length);
        if header_length > LONGEST_HEADER || header_length > size - 8 {
            return Err(malformed("its header does not fit into it: it is cut off, or no safetensors file".to_owned()));
        }
        let mut header = Vec::new();
        (&mut file).take(header_length).read_to_end(&mut header).map_err(failed)?;
        let mut header: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&header)
            .map_err(|error| malformed(format!("its header cannot be read: {error}")))?;
        header.remove("__metadata__");
        let tensors: BTreeMap<String, Tensor> = serde_json::from_value(serde_json::Value::Object(header))
            .map_err(|error| malformed(format!("its header cannot be read: {error}")))?;
        let start = 8 + header_length;
        // Also where only a tensor that is not used is incomplete: what is cut off should not be trusted.
        if tensors.values().any(|tensor| tensor.data_offsets[1] > size - start) {
            return Err(malformed("it is cut off: its header speaks of more than there is".to_owned()));
        }
        let hasher = blake3::Hasher::new();
        Ok(Self { path: path.to_owned(), file, start, length: size - start, tensors, hasher })
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// The tensor's elements as single-precision numbers; it must have the given shape.
    pub(crate) fn read(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, OpenError> {
        let Some(tensor) = self.tensors.get(name) else {
            return Err(self.malformed(format!("the tensor {name} is not in it")));
        };
        let wanted = shape.iter().map(|&n| n as u64);
        if !wanted.clone().eq(tensor.shape.iter().copied()) {
            let fault = Fault::Shape { tensor: name.to_owned(), expected: shape.to_vec(), found: tensor.shape.clone() };
            return Err(OpenError::new(&self.path, fault));
        }
        let (kind, width) = match tensor.dtype.as_str() {
            "F32" => (FloatType::Single, 4),
            "F16" => (FloatType::Half, 2),
            "BF16" => (FloatType::Brain, 2),
            other => {
                let what = format!("the tensor {name} has elements of type {other}");
                return Err(OpenError::new(&self.path, Fault::Unsupported(what)));
            }
        };
        let [from, to] = tensor.data_offsets;
        let bytes = wanted.into_iter().try_fold(width, u64::checked_mul);
        if to > self.length || from > to || Some(to - from) != bytes {
            return Err(self.malformed(format!("the tensor {name} lies outside it: it is damaged or cut off")));
        }
        self.elements(from, to, kind).map_err(|error| OpenError::file(&self.path, error))
    }

    fn elements(&mut self, from: u64, to: u64, kind: FloatType) -> std::io::Result<Vec<f32>> {
        self.file.seek(SeekFrom::Start(self.start + from))?;
        // All of it lies within the file, so this is no more than the file has.
        let mut left = usize::try_from(to - from).map_err(std::io::Error::other)?;
        let mut values = Vec::with_capacity(left / kind.width());
        let mut buffer = vec![0; CHUNK.min(left)];
        while left > 0 {
            let chunk = &mut buffer[..CHUNK.min(left)];
            self.file.read_exact(chunk)?;
            self.hasher.update(chunk);
            match kind {
                FloatType::Single => values.extend(chunk.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes))),
                FloatType::Half => {
                    values.extend(chunk.as_chunks().0.iter().map(|&bytes| half(u16::from_le_bytes(bytes))))
                }
                FloatType::Brain => values.extend(
                    chunk.as_chunks().0.iter().map(|&bytes| f32::from_bits(u32::from(u16::from_le_bytes(bytes)) << 16)),
                ),
            }
            left -= chunk.len();
        }
        Ok(values)
    }

    fn malformed(&self, what: String) -> OpenError {
        OpenError::new(&self.path, Fault::Malformed(what))
    }

    /// A hash of all elements read, in the order in which they were.
    pub(crate) fn hash(&self) -> blake3::Hash {
        self.hasher.finalize()
    }
}

#[derive(Debug, Clone, Copy)]
enum FloatType {
    Single,
    Half,
    Brain,
}

impl FloatType {
    fn width(self) -> usize {
        if matches!(self, Self::Single) { 4 } else { 2 }
    }
}

/// A half-precision number in single precision.
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let exponent = u32::from(bits >> 10 & 0x1F);
    let fraction = u32::from(bits & 0x3FF);
    match exponent {
        0 => {
            // Below the normal numbers: a multiple of 2^-24.
            let size = fraction as f32 / 16_777_216.0;
            f32::from_bits(size.to_bits() | sign)
        }
        31 => f32::from_bits(sign | 0x7F80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A file of single-precision tensors.
    pub(crate) fn pack(tensors: &[(&str, &[usize], &[f32])]) -> Vec<u8> {
        let mut header = serde_json::Map::new();
        let mut data: Vec<u8> = Vec::new();
        for (name, shape, values) in tensors {
            let from = data.len();
            data.extend(values.iter().flat_map(|x| x.to_le_bytes()));
            let entry = serde_json::json!({"dtype": "F32", "shape": shape, "data_offsets": [from, data.len()]});
            header.insert((*name).to_owned(), entry);
        }
        with_header(&serde_json::Value::Object(header).to_string(), &data)
    }

    fn with_header(header: &str, data: &[u8]) -> Vec<u8> {
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.as_bytes());
        file.extend(data);
        file
    }

    fn open(bytes: &[u8]) -> Result<Tensors, OpenError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        std::fs::write(&path, bytes).unwrap();
        Tensors::open(&path)
    }

    #[test]
    fn tensors_come_back() {
        let mut tensors = open(&pack(&[("a", &[2, 2], &[1.0, 2.0, 3.0, 4.0]), ("b", &[1], &[5.0])])).unwrap();
        assert_eq!(tensors.read("b", &[1]).unwrap(), [5.0]);
        assert_eq!(tensors.read("a", &[2, 2]).unwrap(), [1.0, 2.0, 3.0, 4.0]);
        let error = tensors.read("a", &[4]).unwrap_err().to_string();
        assert!(error.ends_with("the tensor a has the shape [2, 2] where the model needs [4]"), "{error}");
        let error = tensors.read("c", &[4]).unwrap_err().to_string();
        assert!(error.ends_with("the tensor c is not in it"), "{error}");
    }

    #[test]
    fn short_kinds_of_numbers() {
        let header = r#"{"__metadata__":{"format":"pt"},"h":{"dtype":"F16","shape":[4],"data_offsets":[0,8]},
            "b":{"dtype":"BF16","shape":[2],"data_offsets":[8,12]},"i":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}"#;
        let data: Vec<u8> =
            [0x3C00u16, 0xC000, 0x0001, 0x7C00, 0x3F80, 0xBFC0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let mut tensors = open(&with_header(header, &data)).unwrap();
        assert_eq!(tensors.read("h", &[4]).unwrap(), [1.0, -2.0, 5.960_464_5e-8, f32::INFINITY]);
        assert_eq!(tensors.read("b", &[2]).unwrap(), [1.0, -1.5]);
        assert!(tensors.read("i", &[1]).unwrap_err().to_string().contains("elements of type I64"));
    }

    #[test]
    fn false_headers_give_errors() {
        let huge = u64::MAX.to_string();
        for header in [
            r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,9]}}"#.to_owned(),
            r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}"#.to_owned(),
            r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}"#.to_owned(),
            format!(r#"{{"a":{{"dtype":"F32","shape":[{huge},{huge}],"data_offsets":[0,8]}}}}"#),
            format!(r#"{{"a":{{"dtype":"F32","shape":[2],"data_offsets":[0,{huge}]}}}}"#),
        ] {
            open(&with_header(&header, &[0; 8])).and_then(|mut tensors| tensors.read("a", &[2])).unwrap_err();
        }
        for file in [&b""[..], b"1234567", &[0xFF; 64], &with_header("{", &[]), &with_header(r#"{"a":1}"#, &[])] {
            open(file).unwrap_err();
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn damage_gives_an_error_or_numbers(cut in 0usize..200, at in 0usize..200, byte: u8) {
            let mut file = pack(&[("a", &[2, 2], &[1.0, 2.0, 3.0, 4.0])]);
            let length = file.len();
            file[at % length] = byte;
            file.truncate(length - cut % length);
            if let Ok(mut tensors) = open(&file) {
                let _ = tensors.read("a", &[2, 2]);
            }
        }
    }
}
