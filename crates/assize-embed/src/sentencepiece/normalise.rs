//! The normalisation that a SentencePiece model brings with it.
//!
//! Its rules replace runs of bytes by others (full-width letters, ligatures, odd spaces). They come as a double-array
//! tree: each unit is a 32-bit word that holds the byte leading to it, a flag for a replacement, and the distance to
//! its children. At each place the longest rule that fits is applied; where none fits, the character stays.
//! Then spaces at the ends and double spaces go, and each remaining one becomes `▁`, with one more in front.

/// What a space becomes.
const SPACE: &[u8] = "▁".as_bytes();

/// The rules of a model.
#[derive(Debug)]
pub(crate) struct Normaliser {
    units: Vec<u32>,
    /// The replacements, each ended by a zero byte.
    replacements: Vec<u8>,
}

impl Normaliser {
    /// Reads the rules: the tree's size in bytes, the tree, the replacements.
    pub(crate) fn new(rules: &[u8]) -> Result<Self, String> {
        if rules.is_empty() {
            return Ok(Self { units: Vec::new(), replacements: Vec::new() });
        }
        let cut_off = || "its rules for normalising are cut off".to_owned();
        let (size, rest) = rules.split_first_chunk().ok_or_else(cut_off)?;
        let (tree, replacements) = rest.split_at_checked(u32::from_le_bytes(*size) as usize).ok_or_else(cut_off)?;
        if replacements.last().is_some_and(|&byte| byte != 0) || std::str::from_utf8(replacements).is_err() {
            return Err(cut_off());
        }
        let units = tree.as_chunks().0.iter().map(|&unit| u32::from_le_bytes(unit)).collect();
        Ok(Self { units, replacements: replacements.to_vec() })
    }

    /// The text as the model's pieces have it.
    pub(crate) fn normalise(&self, text: &str) -> String {
        let mut rest = text.as_bytes();
        let mut out = Vec::with_capacity(rest.len() + rest.len() / 4 + SPACE.len());
        out.extend(SPACE);
        // As if a space had come before: leading spaces go.
        let mut after_space = true;
        while !rest.is_empty() {
            let (mut part, length) = self.first(rest);
            rest = &rest[length..];
            while after_space && let [b' ', more @ ..] = part {
                part = more;
            }
            for &byte in part {
                if byte == b' ' {
                    out.extend(SPACE);
                } else {
                    out.push(byte);
                }
            }
            if let Some(&last) = part.last() {
                after_space = last == b' ';
            }
        }
        while out.ends_with(SPACE) {
            out.truncate(out.len() - SPACE.len());
        }
        // A rule can begin within a character only where the rules are damaged.
        String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    /// What the beginning of a text becomes, and how many bytes that covers; the text is not empty.
    fn first<'a>(&'a self, text: &'a [u8]) -> (&'a [u8], usize) {
        if let Some((length, replacement)) = self.longest_rule(text) {
            return (replacement, length);
        }
        let length = text[1..].iter().take_while(|&&byte| byte & 0xC0 == 0x80).count() + 1;
        (&text[..length], length)
    }

    fn longest_rule<'a>(&'a self, text: &[u8]) -> Option<(usize, &'a [u8])> {
        let mut found = None;
        let mut node = distance(*self.units.first()?);
        for (index, &byte) in text.iter().enumerate() {
            node ^= usize::from(byte);
            let Some(&unit) = self.units.get(node) else { break };
            if unit & 0x8000_00FF != u32::from(byte) {
                break;
            }
            node ^= distance(unit);
            if unit & 0x100 != 0 {
                let Some(&leaf) = self.units.get(node) else { break };
                found = Some((index + 1, (leaf & 0x7FFF_FFFF) as usize));
            }
        }
        let (length, start) = found?;
        let replacement = self.replacements.get(start..).filter(|rest| !rest.is_empty())?;
        let end = replacement.iter().position(|&byte| byte == 0)?;
        Some((length, &replacement[..end]))
    }
}

/// How far a unit's children are, for an exclusive or with its place.
fn distance(unit: u32) -> usize {
    ((unit >> 10) << ((unit & 0x200) >> 6)) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A tree with the rules "A" → "a" and "B" → "" and tab → " ", laid out by hand: the root's children at 256 ^ byte,
    /// each child's leaf at its own place ^ 1024.
    fn rules() -> Vec<u8> {
        let mut units = vec![0u32; 2048];
        units[0] = 256 << 10;
        for (byte, replacement) in [(b'A', 0u32), (b'B', 2), (b'\t', 3)] {
            let place = 256 ^ usize::from(byte);
            units[place] = 1024 << 10 | 0x100 | u32::from(byte);
            units[place ^ 1024] = replacement | 0x8000_0000;
        }
        let mut rules = ((units.len() * 4) as u32).to_le_bytes().to_vec();
        rules.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
        rules.extend(b"a\0\0 \0");
        rules
    }

    #[test]
    fn rules_apply() {
        let normaliser = Normaliser::new(&rules()).unwrap();
        assert_eq!(normaliser.normalise("AxÄ"), "▁axÄ");
        assert_eq!(normaliser.normalise("xBy"), "▁xy");
        assert_eq!(normaliser.normalise("\t x\t\ty \t"), "▁x▁y");
        assert_eq!(normaliser.normalise("B"), "");
        assert_eq!(normaliser.normalise(""), "");
        // What is replaced by nothing does not end a run of spaces.
        assert_eq!(normaliser.normalise("x B y"), "▁x▁y");
    }

    #[test]
    fn damaged_rules_give_errors() {
        let whole = rules();
        for cut in [1, 3, 4, 4000, whole.len() - 1] {
            assert!(Normaliser::new(&whole[..cut]).is_err(), "{cut}");
        }
        let mut unended = whole;
        unended.push(b'x');
        assert!(Normaliser::new(&unended).is_err());
    }

    proptest! {
        #[test]
        fn units_of_any_kind_do_no_harm(units in prop::collection::vec(any::<u32>(), 0..300), text in "\\PC{0,20}") {
            let mut rules = ((units.len() * 4) as u32).to_le_bytes().to_vec();
            rules.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
            rules.extend(b"a\0\0 \0");
            if let Ok(normaliser) = Normaliser::new(&rules) {
                let _ = normaliser.normalise(&text);
            }
        }
    }
}
