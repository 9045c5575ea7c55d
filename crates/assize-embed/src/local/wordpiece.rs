//! The WordPiece tokenizer of BERT models, as `tokenizer.json` describes it.
//!
//! A text is cleaned, split at spaces and punctuation, and each word is cut into the longest pieces the vocabulary
//! has, from left to right.

use std::collections::HashMap;

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::open::Fault;

/// A tokenizer that was read.
#[derive(Debug)]
pub(super) struct WordPiece {
    pieces: HashMap<String, u32>,
    unknown: u32,
    /// What pieces within a word begin with.
    inner_prefix: String,
    longest_word: usize,
    clean: bool,
    space_chinese: bool,
    strip_accents: bool,
    lower_case: bool,
    /// Tokens that stand for themselves wherever they are written.
    special: Vec<(String, u32)>,
    before: Vec<u32>,
    after: Vec<u32>,
    highest: u32,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    added_tokens: Vec<Added>,
    normalizer: Option<Normalizer>,
    pre_tokenizer: Option<TypeTag>,
    post_processor: Option<PostProcessor>,
    model: Model,
}

#[derive(Deserialize)]
struct TypeTag {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Added {
    id: u32,
    content: String,
    #[serde(default)]
    single_word: bool,
    #[serde(default)]
    normalized: bool,
}

#[derive(Deserialize)]
struct Normalizer {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default = "yes")]
    clean_text: bool,
    #[serde(default = "yes")]
    handle_chinese_chars: bool,
    strip_accents: Option<bool>,
    #[serde(default = "yes")]
    lowercase: bool,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
struct PostProcessor {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    single: Vec<HashMap<String, TemplatePart>>,
    #[serde(default)]
    special_tokens: HashMap<String, SpecialToken>,
    cls: Option<(String, u32)>,
    sep: Option<(String, u32)>,
}

#[derive(Deserialize)]
struct TemplatePart {
    id: String,
    #[serde(default)]
    type_id: u32,
}

#[derive(Deserialize)]
struct SpecialToken {
    ids: Vec<u32>,
}

#[derive(Deserialize)]
struct Model {
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    unk_token: String,
    #[serde(default = "hashes")]
    continuing_subword_prefix: String,
    #[serde(default = "hundred")]
    max_input_chars_per_word: usize,
    #[serde(default)]
    vocab: serde_json::Value,
}

fn hashes() -> String {
    "##".to_owned()
}

fn hundred() -> usize {
    100
}

impl WordPiece {
    /// Reads a tokenizer from the file's bytes.
    pub(super) fn read(file: &[u8]) -> Result<Self, Fault> {
        let malformed = |error: serde_json::Error| Fault::Malformed(error.to_string());
        let file: File = serde_json::from_slice(file).map_err(malformed)?;
        let kind = file.model.kind.as_deref().unwrap_or("WordPiece");
        if kind != "WordPiece" {
            return Err(Fault::Unsupported(format!("its model is {kind}; WordPiece is supported")));
        }
        let pieces: HashMap<String, u32> = serde_json::from_value(file.model.vocab).map_err(malformed)?;
        let unknown = *pieces
            .get(&file.model.unk_token)
            .ok_or_else(|| Fault::Malformed(format!("its unknown token {:?} is no piece", file.model.unk_token)))?;
        let normalizer = file.normalizer.ok_or_else(|| Fault::Unsupported("it has no normalizer".to_owned()))?;
        if normalizer.kind != "BertNormalizer" {
            return Err(Fault::Unsupported(format!(
                "its normalizer is {}; BertNormalizer is supported",
                normalizer.kind
            )));
        }
        match file.pre_tokenizer {
            Some(TypeTag { kind }) if kind == "BertPreTokenizer" => {}
            Some(TypeTag { kind }) => {
                return Err(Fault::Unsupported(format!("its pre-tokenizer is {kind}; BertPreTokenizer is supported")));
            }
            None => return Err(Fault::Unsupported("it has no pre-tokenizer".to_owned())),
        }
        let (before, after) = file.post_processor.map_or_else(|| Ok(<_>::default()), PostProcessor::marks)?;
        let mut special = Vec::new();
        for added in file.added_tokens.into_iter().filter(|added| !added.content.is_empty()) {
            if added.single_word || added.normalized {
                let what = format!("its added token {:?} is matched in a way that is not supported", added.content);
                return Err(Fault::Unsupported(what));
            }
            special.push((added.content, added.id));
        }
        // Of those that fit at one place the longest is taken.
        special.sort_by_key(|(content, _)| std::cmp::Reverse(content.len()));
        let marks = before.iter().chain(&after).chain(special.iter().map(|(_, id)| id));
        let highest = pieces.values().chain(marks).copied().max().unwrap_or(0);
        Ok(Self {
            pieces,
            unknown,
            inner_prefix: file.model.continuing_subword_prefix,
            longest_word: file.model.max_input_chars_per_word,
            clean: normalizer.clean_text,
            space_chinese: normalizer.handle_chinese_chars,
            strip_accents: normalizer.strip_accents.unwrap_or(normalizer.lowercase),
            lower_case: normalizer.lowercase,
            special,
            before,
            after,
            highest,
        })
    }

    /// The highest number a token has.
    pub(super) fn highest(&self) -> u32 {
        self.highest
    }

    /// The tokens of a text with the marks around them, `most` of them at most.
    pub(super) fn encode(&self, text: &str, most: usize) -> Vec<u32> {
        let room = most.saturating_sub(self.before.len() + self.after.len());
        let mut tokens = self.before.clone();
        let end = tokens.len() + room;
        let mut rest = text;
        while !rest.is_empty() && tokens.len() < end {
            let (plain, special) = self.next_special(rest);
            self.words(&rest[..plain], end, &mut tokens);
            rest = &rest[plain..];
            if let Some((content, id)) = special {
                tokens.push(*id);
                rest = &rest[content.len()..];
            }
        }
        tokens.truncate(end);
        tokens.extend(&self.after);
        tokens
    }

    /// Where the next special token begins, and which it is; else where the text ends.
    fn next_special(&self, text: &str) -> (usize, Option<&(String, u32)>) {
        let found = self.special.iter().filter_map(|special| Some((text.find(&special.0)?, special)));
        // `min_by_key` takes the first of equals, and the longer ones come first.
        found.min_by_key(|(place, _)| *place).map_or((text.len(), None), |(place, special)| (place, Some(special)))
    }

    /// The tokens of a text without special ones, until there are `end` of them or more.
    fn words(&self, text: &str, end: usize, tokens: &mut Vec<u32>) {
        let normalised = self.normalise(text);
        for word in normalised.split(char::is_whitespace) {
            let mut rest = word;
            while let Some(first) = rest.chars().next() {
                if tokens.len() >= end {
                    return;
                }
                let length = if is_punctuation(first) {
                    first.len_utf8()
                } else {
                    rest.find(is_punctuation).unwrap_or(rest.len())
                };
                self.word(&rest[..length], tokens);
                rest = &rest[length..];
            }
        }
    }

    fn word(&self, word: &str, tokens: &mut Vec<u32>) {
        let before = tokens.len();
        if word.chars().count() > self.longest_word {
            tokens.push(self.unknown);
            return;
        }
        let mut start = 0;
        let mut piece = String::new();
        while start < word.len() {
            let ends = word[start..].char_indices().map(|(at, c)| start + at + c.len_utf8()).rev();
            let found = ends.into_iter().find_map(|end| {
                piece.clear();
                if start > 0 {
                    piece.push_str(&self.inner_prefix);
                }
                piece.push_str(&word[start..end]);
                self.pieces.get(&piece).map(|&id| (id, end))
            });
            let Some((id, end)) = found else {
                // A word that cannot be covered whole is one unknown token.
                tokens.truncate(before);
                tokens.push(self.unknown);
                return;
            };
            tokens.push(id);
            start = end;
        }
    }

    fn normalise(&self, text: &str) -> String {
        let mut cleaned = String::with_capacity(text.len());
        for c in text.chars() {
            if self.clean && (c == '\0' || c == '\u{FFFD}' || is_control(c)) {
                continue;
            }
            if self.clean && c.is_whitespace() {
                cleaned.push(' ');
            } else if self.space_chinese && is_chinese(c) {
                cleaned.extend([' ', c, ' ']);
            } else {
                cleaned.push(c);
            }
        }
        if self.strip_accents {
            let is_accent = |c: &char| c.general_category() == GeneralCategory::NonspacingMark;
            cleaned = cleaned.nfd().filter(|c| !is_accent(c)).collect();
        }
        if self.lower_case {
            cleaned = cleaned.chars().flat_map(char::to_lowercase).collect();
        }
        cleaned
    }
}

impl PostProcessor {
    /// The tokens that come before and after those of a text.
    fn marks(self) -> Result<(Vec<u32>, Vec<u32>), Fault> {
        match self.kind.as_str() {
            "TemplateProcessing" => {
                let (mut before, mut after, mut seen) = (Vec::new(), Vec::new(), false);
                for (kind, part) in self.single.iter().flatten() {
                    if part.type_id != 0 {
                        return Err(Fault::Unsupported("its template puts a text in the second place".to_owned()));
                    }
                    match kind.as_str() {
                        "Sequence" if !seen => seen = true,
                        "SpecialToken" => {
                            let token = self.special_tokens.get(&part.id).ok_or_else(|| {
                                Fault::Malformed(format!("the token {:?} of its template is not in it", part.id))
                            })?;
                            if seen { &mut after } else { &mut before }.extend(&token.ids);
                        }
                        _ => return Err(Fault::Unsupported("its template is not of one text".to_owned())),
                    }
                }
                if !seen {
                    return Err(Fault::Unsupported("its template is not of one text".to_owned()));
                }
                Ok((before, after))
            }
            "BertProcessing" => match (self.cls, self.sep) {
                (Some((_, cls)), Some((_, sep))) => Ok((vec![cls], vec![sep])),
                _ => Err(Fault::Malformed("its post-processor names no cls and sep".to_owned())),
            },
            other => Err(Fault::Unsupported(format!(
                "its post-processor is {other}; TemplateProcessing and BertProcessing are supported"
            ))),
        }
    }
}

fn is_control(c: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse, Surrogate};
    !matches!(c, '\t' | '\n' | '\r') && matches!(c.general_category(), Control | Format | PrivateUse | Surrogate)
}

fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || c.general_category_group() == GeneralCategoryGroup::Punctuation
}

/// Whether the character is of a block of Chinese characters; each is a word of its own.
fn is_chinese(c: char) -> bool {
    matches!(u32::from(c),
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x2_0000..=0x2_A6DF | 0x2_A700..=0x2_B73F | 0x2_B740..=0x2_B81F
        | 0x2_B920..=0x2_CEAF | 0xF900..=0xFAFF | 0x2_F800..=0x2_FA1F)
}
