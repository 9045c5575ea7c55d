//! The entries of a ZIP archive held in memory: stored or deflated, no encryption, no spanning.

use std::collections::HashMap;

/// An archive whose directory was read.
#[derive(Debug)]
pub(crate) struct Archive<'a> {
    bytes: &'a [u8],
    entries: HashMap<String, Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    method: u16,
    checksum: u32,
    packed: usize,
    size: usize,
    header: usize,
}

const END: [u8; 4] = *b"PK\x05\x06";
const DIRECTORY: [u8; 4] = *b"PK\x01\x02";
const LOCAL: [u8; 4] = *b"PK\x03\x04";

impl<'a> Archive<'a> {
    /// Reads the directory at the end of `bytes`.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, String> {
        // The end record is 22 bytes and may be followed by a comment of up to 65,535 bytes.
        let from = bytes.len().saturating_sub(22 + 65_535);
        let end = (from..(bytes.len() + 1).saturating_sub(22))
            .rev()
            .find(|&at| bytes[at..].starts_with(&END))
            .ok_or("it is no ZIP archive, or it was cut off: the directory at its end is missing")?;
        let count = u16_at(bytes, end + 10).ok_or("the archive's end record is cut off")?;
        let mut at = u32_at(bytes, end + 16).ok_or("the archive's end record is cut off")? as usize;
        let mut entries = HashMap::new();
        for _ in 0..count {
            let (name, entry, length) =
                directory_entry(bytes, at).ok_or("the archive's directory is damaged or cut off")?;
            entries.insert(name, entry);
            at += length;
        }
        Ok(Self { bytes, entries })
    }

    /// The content of the entry `name`, of at most `limit` bytes, checked against its checksum.
    pub(crate) fn read(&self, name: &str, limit: usize) -> Result<Vec<u8>, String> {
        let entry = self.entries.get(name).ok_or_else(|| format!("{name} is not in it"))?;
        if entry.size > limit {
            return Err(format!("{name} unpacks to {} bytes where at most {limit} are expected", entry.size));
        }
        let packed = self.packed(entry).ok_or_else(|| format!("{name} lies outside the file"))?;
        let content = match entry.method {
            0 => packed.to_vec(),
            8 => {
                let mut content = vec![0; entry.size];
                let written = miniz_oxide::inflate::decompress_slice_iter_to_slice(
                    &mut content,
                    std::iter::once(packed),
                    false,
                    true,
                )
                .map_err(|_| format!("{name} is damaged"))?;
                content.truncate(written);
                content
            }
            method => return Err(format!("{name} is packed by method {method}, which is not supported")),
        };
        if content.len() != entry.size || checksum(&content) != entry.checksum {
            return Err(format!("{name} is damaged"));
        }
        Ok(content)
    }

    fn packed(&self, entry: &Entry) -> Option<&'a [u8]> {
        let header = self.bytes.get(entry.header..)?;
        if !header.starts_with(&LOCAL) {
            return None;
        }
        let start = 30 + usize::from(u16_at(header, 26)?) + usize::from(u16_at(header, 28)?);
        header.get(start..start.checked_add(entry.packed)?)
    }
}

fn directory_entry(bytes: &[u8], at: usize) -> Option<(String, Entry, usize)> {
    let record = bytes.get(at..)?;
    if !record.starts_with(&DIRECTORY) {
        return None;
    }
    let name_length = usize::from(u16_at(record, 28)?);
    let name = record.get(46..46 + name_length)?;
    let length = 46 + name_length + usize::from(u16_at(record, 30)?) + usize::from(u16_at(record, 32)?);
    let entry = Entry {
        method: u16_at(record, 10)?,
        checksum: u32_at(record, 16)?,
        packed: u32_at(record, 20)? as usize,
        size: u32_at(record, 24)? as usize,
        header: u32_at(record, 42)? as usize,
    };
    Some((String::from_utf8_lossy(name).into_owned(), entry, length))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().copied().map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

/// CRC-32 as ZIP has it, eight bytes at a time.
fn checksum(bytes: &[u8]) -> u32 {
    static TABLES: [[u32; 256]; 8] = tables();
    let mut crc = !0u32;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        let [a, b, c, d, e, f, g, h] = *chunk;
        let low = (crc ^ u32::from_le_bytes([a, b, c, d])).to_le_bytes();
        crc = TABLES[7][usize::from(low[0])]
            ^ TABLES[6][usize::from(low[1])]
            ^ TABLES[5][usize::from(low[2])]
            ^ TABLES[4][usize::from(low[3])]
            ^ TABLES[3][usize::from(e)]
            ^ TABLES[2][usize::from(f)]
            ^ TABLES[1][usize::from(g)]
            ^ TABLES[0][usize::from(h)];
    }
    for byte in rest {
        crc = (crc >> 8) ^ TABLES[0][usize::from(crc.to_le_bytes()[0] ^ byte)];
    }
    !crc
}

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0u32; 256]; 8];
    let mut n = 0;
    while n < 256 {
        let mut value = n as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { (value >> 1) ^ 0xEDB8_8320 } else { value >> 1 };
            bit += 1;
        }
        tables[0][n] = value;
        n += 1;
    }
    let mut k = 1;
    while k < 8 {
        let mut n = 0;
        while n < 256 {
            let before = tables[k - 1][n];
            tables[k][n] = (before >> 8) ^ tables[0][(before & 255) as usize];
            n += 1;
        }
        k += 1;
    }
    tables
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An archive of the entries given, deflated or stored by turns.
    pub(crate) fn pack(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut file, mut directory) = (Vec::new(), Vec::new());
        for (n, (name, content)) in entries.iter().enumerate() {
            let deflated = n % 2 == 0;
            let packed = if deflated { miniz_oxide::deflate::compress_to_vec(content, 6) } else { content.to_vec() };
            let mut shared = Vec::new();
            shared.extend(if deflated { 8u16 } else { 0 }.to_le_bytes());
            shared.extend([0; 4]);
            shared.extend(checksum(content).to_le_bytes());
            shared.extend((packed.len() as u32).to_le_bytes());
            shared.extend((content.len() as u32).to_le_bytes());
            shared.extend((name.len() as u16).to_le_bytes());
            shared.extend([0; 2]);
            directory.extend(DIRECTORY);
            directory.extend([20, 0, 20, 0, 0, 0]);
            directory.extend(&shared);
            directory.extend([0; 10]);
            directory.extend((file.len() as u32).to_le_bytes());
            directory.extend(name.as_bytes());
            file.extend(LOCAL);
            file.extend([20, 0, 0, 0]);
            file.extend(&shared);
            file.extend(name.as_bytes());
            file.extend(&packed);
        }
        let start = file.len() as u32;
        file.extend(&directory);
        file.extend(END);
        file.extend([0; 4]);
        file.extend((entries.len() as u16).to_le_bytes());
        file.extend((entries.len() as u16).to_le_bytes());
        file.extend((directory.len() as u32).to_le_bytes());
        file.extend(start.to_le_bytes());
        file.extend([0; 2]);
        file
    }

    #[test]
    fn the_known_checksum() {
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
        assert_eq!(checksum(b"The quick brown fox jumps over the lazy dog"), 0x414F_A339);
        assert_eq!(checksum(b""), 0);
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
        file[directory + 24..directory + 28].copy_from_slice(&100u32.to_le_bytes());
        assert_eq!(Archive::open(&file).unwrap().read("a", 10_000).unwrap_err(), "a is damaged");
        file[directory + 24..directory + 28].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(Archive::open(&file).unwrap().read("a", 10_000).unwrap_err().contains("at most 10000"));
    }

    proptest! {
        #[test]
        fn damage_gives_an_error_or_the_content(cut in 0usize..400, changes in prop::collection::vec((0usize..400, any::<u8>()), 0..6)) {
            let whole = pack(&[("a", b"some content that is worth packing, packing"), ("b", b"more")]);
            let mut file = whole.clone();
            for (at, byte) in changes {
                let length = file.len();
                file[at % length] = byte;
            }
            file.truncate(whole.len() - cut % whole.len());
            if let Ok(archive) = Archive::open(&file) {
                for name in ["a", "b"] {
                    let _ = archive.read(name, 1000);
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
