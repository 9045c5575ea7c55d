//! The entries of a ZIP archive held in memory, each of no more than the size its reader expects.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

/// An archive whose directory was read.
#[derive(Debug)]
pub(crate) struct Archive<'a>(ZipArchive<Cursor<&'a [u8]>>);

impl<'a> Archive<'a> {
    /// Reads the directory at the end of `bytes`.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, String> {
        ZipArchive::new(Cursor::new(bytes))
            .map(Self)
            .map_err(|error| format!("it is not a ZIP archive, or it is damaged: {error}"))
    }

    /// The content of the entry `name`, of at most `limit` bytes, checked against its checksum.
    pub(crate) fn read(&self, name: &str, limit: usize) -> Result<Vec<u8>, String> {
        // A copy shares the directory and has a position of its own, so that threads can read at the same time.
        let mut archive = self.0.clone();
        let entry = archive.by_name(name).map_err(|error| match error {
            ZipError::FileNotFound => format!("{name} is not in it"),
            error => format!("{name} cannot be read: {error}"),
        })?;
        let size = entry.size();
        if size > limit as u64 {
            return Err(format!("{name} unpacks to {size} bytes where at most {limit} are expected"));
        }
        // The size is a claim. One byte more than claimed is enough to tell that it is false; memory is taken as the
        // content arrives.
        let mut content = Vec::new();
        entry.take(size + 1).read_to_end(&mut content).map_err(|_| format!("{name} is damaged"))?;
        if content.len() as u64 != size {
            return Err(format!("{name} is damaged"));
        }
        Ok(content)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write;

    use proptest::prelude::*;
    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipWriter};

    use super::*;

    const DIRECTORY: [u8; 4] = *b"PK\x01\x02";
    const END: [u8; 4] = *b"PK\x05\x06";

    /// An archive of the entries given, deflated or stored by turns.
    pub(crate) fn pack(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for ((name, content), method) in
            entries.iter().zip([CompressionMethod::Deflated, CompressionMethod::Stored].into_iter().cycle())
        {
            writer.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn entries_come_back() {
        let long = vec![7u8; 100_000];
        let file = pack(&[("a", b"alpha"), ("b", b"beta"), ("c", &long)]);
        let archive = Archive::open(&file).unwrap();
        assert_eq!(archive.read("a", 10).unwrap(), b"alpha");
        assert_eq!(archive.read("b", 10).unwrap(), b"beta");
        assert_eq!(archive.read("c", 100_000).unwrap(), long);
        assert_eq!(
            archive.read("c", 99_999).unwrap_err(),
            "c unpacks to 100000 bytes where at most 99999 are expected"
        );
        assert_eq!(archive.read("d", 10).unwrap_err(), "d is not in it");
    }

    #[test]
    fn a_size_that_is_not_true_is_noticed() {
        let mut file = pack(&[("a", &[0; 5000])]);
        let directory = file.windows(4).position(|w| w == DIRECTORY).unwrap();
        let mut claim = |size: u32| {
            file[directory + 24..directory + 28].copy_from_slice(&size.to_le_bytes());
            Archive::open(&file).and_then(|archive| archive.read("a", 10_000)).unwrap_err()
        };
        assert_eq!(claim(100), "a is damaged");
        assert_eq!(claim(5001), "a is damaged");
        assert!(claim(u32::MAX - 1).contains("at most 10000"));
    }

    #[test]
    fn a_checksum_that_is_not_true_is_noticed() {
        let whole = pack(&[("x", b"y"), ("a", b"stored as it is")]);
        let content = whole.windows(6).position(|w| w == b"stored").unwrap();
        let directory = whole.windows(4).rposition(|w| w == DIRECTORY).unwrap();
        for place in [content, directory + 16] {
            let mut file = whole.clone();
            file[place] ^= 1;
            assert_eq!(Archive::open(&file).unwrap().read("a", 100).unwrap_err(), "a is damaged");
        }
    }

    proptest! {
        #[test]
        fn damage_gives_an_error_or_the_content(cut in 0usize..400, changes in prop::collection::vec((0usize..400, any::<u8>()), 0..6)) {
            let contents: [&[u8]; 2] = [b"some content that is worth packing, packing", b"more"];
            let whole = pack(&[("a", contents[0]), ("b", contents[1])]);
            let mut file = whole.clone();
            for (at, byte) in changes {
                let length = file.len();
                file[at % length] = byte;
            }
            file.truncate(whole.len() - cut % whole.len());
            if let Ok(archive) = Archive::open(&file) {
                for name in ["a", "b"] {
                    if let Ok(content) = archive.read(name, 1000) {
                        prop_assert!(contents.contains(&content.as_slice()));
                    }
                }
            }
        }

        #[test]
        fn bytes_of_any_kind_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut file = bytes;
            file.extend(END);
            file.extend([1; 18]);
            let _ = Archive::open(&file);
        }
    }
}
