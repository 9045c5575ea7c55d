//! NumPy arrays in a ZIP archive (`.npz`), read by name with the type and shape they must have.

use super::zip::Archive;

/// Longest array header that is read; NumPy writes 128 bytes for arrays like these.
const LONGEST_HEADER: usize = 4096;

/// An archive of arrays.
#[derive(Debug)]
pub(crate) struct Arrays<'a>(Archive<'a>);

impl<'a> Arrays<'a> {
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, String> {
        Archive::open(bytes).map(Self)
    }

    /// An array of single-precision numbers.
    pub(crate) fn floats(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
        let bytes = self.elements(name, "<f4", 4, shape)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|&chunk| f32::from_le_bytes(chunk)).collect())
    }

    /// A single number, in double precision.
    pub(crate) fn double(&self, name: &str) -> Result<f64, String> {
        let bytes = self.elements(name, "<f8", 8, &[])?;
        bytes.first_chunk().copied().map(f64::from_le_bytes).ok_or_else(|| format!("{name} is cut off"))
    }

    /// An array of bytes.
    pub(crate) fn bytes(&self, name: &str, shape: &[usize]) -> Result<Vec<u8>, String> {
        self.elements(name, "|u1", 1, shape)
    }

    fn elements(&self, name: &str, kind: &str, width: usize, shape: &[usize]) -> Result<Vec<u8>, String> {
        let expected = shape.iter().product::<usize>() * width;
        let mut file = self.0.read(&format!("{name}.npy"), expected + LONGEST_HEADER)?;
        let (header, start) = header(&file).ok_or_else(|| format!("{name} is no NumPy array"))?;
        if value(header, "descr").map(|text| text.trim_matches(['\'', '"'])) != Some(kind) {
            return Err(format!("{name} does not hold elements of type {kind}"));
        }
        if value(header, "fortran_order") != Some("False") {
            return Err(format!("{name} is stored by columns"));
        }
        let found = value(header, "shape").and_then(dimensions).ok_or_else(|| format!("{name} has no shape"))?;
        if found != shape {
            return Err(format!("{name} has the shape {found:?} where the model has {shape:?}"));
        }
        file.drain(..start);
        if file.len() != expected {
            return Err(format!("{name} holds {} bytes where its shape needs {expected}", file.len()));
        }
        Ok(file)
    }
}

/// The header's text, and where the elements begin.
fn header(file: &[u8]) -> Option<(&str, usize)> {
    let rest = file.strip_prefix(b"\x93NUMPY")?;
    let (length, start) = match rest.first()? {
        1 => (usize::from(u16::from_le_bytes(*rest.get(2..)?.first_chunk()?)), 10),
        2 | 3 => (u32::from_le_bytes(*rest.get(2..)?.first_chunk()?) as usize, 12),
        _ => return None,
    };
    let end = start + length;
    Some((std::str::from_utf8(file.get(start..end)?).ok()?, end))
}

/// What stands for `key` in the header, which is written like a Python dictionary.
fn value<'h>(header: &'h str, key: &str) -> Option<&'h str> {
    let after = header.split_once(&format!("'{key}'"))?.1.trim_start().strip_prefix(':')?.trim_start();
    let end = if after.starts_with('(') { after.find(')')? + 1 } else { after.find([',', '}'])? };
    Some(after[..end].trim())
}

fn dimensions(text: &str) -> Option<Vec<usize>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    inner.split(',').map(str::trim).filter(|part| !part.is_empty()).map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::zip::tests::pack;
    use super::*;

    fn array(descr: &str, shape: &str, elements: &[u8]) -> Vec<u8> {
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.as_bytes());
        file.extend(elements);
        file
    }

    #[test]
    fn arrays_come_back() {
        let floats: Vec<u8> = [1.5f32, -2.0, 0.0, 4.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let file = pack(&[
            ("w.npy", &array("<f4", "(2, 2)", &floats)),
            ("q.npy", &array("|u1", "(3,)", &[1, 2, 3])),
            ("eps.npy", &array("<f8", "()", &1e-6f64.to_le_bytes())),
        ]);
        let arrays = Arrays::open(&file).unwrap();
        assert_eq!(arrays.floats("w", &[2, 2]).unwrap(), [1.5, -2.0, 0.0, 4.0]);
        assert_eq!(arrays.bytes("q", &[3]).unwrap(), [1, 2, 3]);
        assert_eq!(arrays.double("eps").unwrap(), 1e-6);
        assert_eq!(arrays.floats("w", &[4]).unwrap_err(), "w has the shape [2, 2] where the model has [4]");
        assert_eq!(arrays.bytes("w", &[16]).unwrap_err(), "w does not hold elements of type |u1");
        assert_eq!(arrays.floats("v", &[1]).unwrap_err(), "v.npy is not in it");
    }

    #[test]
    fn false_headers_give_errors() {
        for (file, says) in [
            (array("<f4", "(2,)", &[0; 7]), "w holds 7 bytes where its shape needs 8"),
            (array("<f4", "(2", &[0; 8]), "w has no shape"),
            (array("<f4", "(2, x)", &[0; 8]), "w has no shape"),
            (array("<f4", "(18446744073709551615,)", &[0; 8]), "where the model has [2]"),
            (b"\x93NUMPY\x01\x00\xff\xff".to_vec(), "w is no NumPy array"),
            (b"\x93NUMPY\x02\x00\xff\xff\xff\xff".to_vec(), "w is no NumPy array"),
            (b"\x93NUMPY".to_vec(), "w is no NumPy array"),
            (Vec::new(), "w is no NumPy array"),
        ] {
            let file = pack(&[("w.npy", &file)]);
            let error = Arrays::open(&file).unwrap().floats("w", &[2]).unwrap_err();
            assert!(error.ends_with(says), "{error}");
        }
    }
}
