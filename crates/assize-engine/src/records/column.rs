//! A column over a stretch of cases, and its bytes.

/// Values of one kind for consecutive cases.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Column {
    /// Figures; NaN where one is undefined or missing.
    Figures(Vec<f64>),
    /// Words that return often: each once, and for every case which of them.
    Words { words: Vec<String>, codes: Vec<u32> },
    /// Texts to search: all in one, and where each ends.
    Texts { text: String, ends: Vec<u32> },
}

const FIGURES: u8 = 1;
const WORDS: u8 = 2;
const TEXTS: u8 = 3;

impl Column {
    /// As it is stored: the kind, then numbers in little-endian order.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Self::Figures(figures) => {
                bytes.push(FIGURES);
                figures.iter().for_each(|figure| bytes.extend(figure.to_le_bytes()));
            }
            Self::Words { words, codes } => {
                bytes.push(WORDS);
                bytes.extend((words.len() as u32).to_le_bytes());
                for word in words {
                    bytes.extend((word.len() as u32).to_le_bytes());
                    bytes.extend(word.as_bytes());
                }
                codes.iter().for_each(|code| bytes.extend(code.to_le_bytes()));
            }
            Self::Texts { text, ends } => {
                bytes.push(TEXTS);
                bytes.extend((ends.len() as u32).to_le_bytes());
                ends.iter().for_each(|end| bytes.extend(end.to_le_bytes()));
                bytes.extend(text.as_bytes());
            }
        }
        bytes
    }

    /// What was stored; `None` for bytes that no column has.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (kind, mut rest) = bytes.split_first()?;
        match *kind {
            FIGURES => {
                let (figures, []) = rest.as_chunks::<8>() else { return None };
                Some(Self::Figures(figures.iter().map(|figure| f64::from_le_bytes(*figure)).collect()))
            }
            WORDS => {
                let count = take_number(&mut rest)?;
                let mut words = Vec::new();
                for _ in 0..count {
                    let length = take_number(&mut rest)? as usize;
                    let (word, after) = rest.split_at_checked(length)?;
                    words.push(std::str::from_utf8(word).ok()?.to_owned());
                    rest = after;
                }
                let codes = numbers(rest)?;
                codes.iter().all(|code| (*code as usize) < words.len()).then_some(Self::Words { words, codes })
            }
            TEXTS => {
                let count = take_number(&mut rest)? as usize;
                let (ends, text) = rest.split_at_checked(count.checked_mul(4)?)?;
                let (ends, text) = (numbers(ends)?, std::str::from_utf8(text).ok()?.to_owned());
                let fits = ends.is_sorted() && ends.iter().all(|end| text.is_char_boundary(*end as usize));
                fits.then_some(Self::Texts { text, ends })
            }
            _ => None,
        }
    }

    /// How many cases it covers.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Figures(figures) => figures.len(),
            Self::Words { codes, .. } => codes.len(),
            Self::Texts { ends, .. } => ends.len(),
        }
    }
}

fn take_number(bytes: &mut &[u8]) -> Option<u32> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*number))
}

fn numbers(bytes: &[u8]) -> Option<Vec<u32>> {
    let (numbers, []) = bytes.as_chunks::<4>() else { return None };
    Some(numbers.iter().map(|number| u32::from_le_bytes(*number)).collect())
}

/// The columns of consecutive cases, as they are stored.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    /// The position of its first case.
    pub(crate) first: u32,
    /// Its columns, by name.
    pub(crate) columns: Vec<(String, Column)>,
}

impl Stretch {
    /// How many cases it covers.
    pub(crate) fn length(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }
}
