//! Cuts a text into the pieces of a SentencePiece unigram model (`sp.model`).
//!
//! The file is a protocol buffer: the pieces with their scores, how the model was trained, and how texts are
//! normalised before they are cut. Of all ways to cut a text, the one with the highest sum of scores is taken.

mod normalise;
mod trie;

use crate::files::protobuf::{Damaged, Value, fields};
use normalise::Normaliser;
use trie::Trie;

/// How much worse than the worst piece a character is that no piece covers.
const UNKNOWN_PENALTY: f64 = 10.0;

/// A model that was read.
#[derive(Debug)]
pub(crate) struct SentencePiece {
    normaliser: Normaliser,
    trie: Trie,
    scores: Vec<f32>,
    unknown_score: f64,
    unknown: u32,
    begin: u32,
    end: u32,
}

impl SentencePiece {
    /// Reads a model from the file's bytes.
    pub(crate) fn read(file: &[u8]) -> Result<Self, String> {
        Model::read(file).map_err(|Damaged| "it is damaged, cut off, or no SentencePiece model".to_owned())?.build()
    }

    /// How many pieces there are.
    pub(crate) fn len(&self) -> usize {
        self.scores.len()
    }

    /// The pieces of a text, between the marks for its beginning and its end.
    pub(crate) fn encode(&self, text: &str) -> Vec<u32> {
        let mut pieces = vec![self.begin];
        self.cut(&self.normaliser.normalise(text), &mut pieces);
        if pieces.len() == 1 {
            pieces.push(self.unknown);
        }
        pieces.push(self.end);
        pieces
    }

    fn cut(&self, text: &str, pieces: &mut Vec<u32>) {
        /// The best way to cut the text up to some place.
        #[derive(Clone, Copy)]
        struct Best {
            score: f64,
            from: usize,
            piece: u32,
        }
        let nothing = Best { score: f64::NEG_INFINITY, from: 0, piece: self.unknown };
        let mut best = vec![nothing; text.len() + 1];
        best[0].score = 0.0;
        for (at, character) in text.char_indices() {
            let so_far = best[at].score;
            let mut offer = |to: usize, score: f64, piece: u32| {
                // Of equals the one that begins earlier stays.
                if score > best[to].score {
                    best[to] = Best { score, from: at, piece };
                }
            };
            let next = at + character.len_utf8();
            let mut covered = false;
            for (length, piece) in self.trie.prefixes(&text.as_bytes()[at..]) {
                covered |= at + length == next;
                offer(at + length, so_far + f64::from(self.scores[piece as usize]), piece);
            }
            if !covered {
                offer(next, so_far + self.unknown_score, self.unknown);
            }
        }
        let first = pieces.len();
        let mut at = text.len();
        while at > 0 {
            pieces.push(best[at].piece);
            at = best[at].from;
        }
        pieces[first..].reverse();
    }
}

/// The file's fields that matter here.
struct Model<'a> {
    pieces: Vec<(&'a [u8], f32)>,
    kind: u64,
    unknown: u64,
    begin: u64,
    end: u64,
    rules: &'a [u8],
    dummy_prefix: bool,
    remove_extra_spaces: bool,
    escape_spaces: bool,
}

impl<'a> Model<'a> {
    fn read(file: &'a [u8]) -> Result<Self, Damaged> {
        let mut model = Self {
            pieces: Vec::new(),
            kind: 1,
            unknown: 0,
            begin: 1,
            end: 2,
            rules: &[],
            dummy_prefix: true,
            remove_extra_spaces: true,
            escape_spaces: true,
        };
        for field in fields(file) {
            let field = field?;
            match (field.number, field.value) {
                (1, Value::Bytes(piece)) => model.pieces.push(piece_and_score(piece)?),
                (2, Value::Bytes(training)) => model.training(training)?,
                (3, Value::Bytes(normalising)) => model.normalising(normalising)?,
                _ => {}
            }
        }
        Ok(model)
    }

    fn training(&mut self, message: &[u8]) -> Result<(), Damaged> {
        for field in fields(message) {
            let field = field?;
            let slot = match field.number {
                3 => &mut self.kind,
                40 => &mut self.unknown,
                41 => &mut self.begin,
                42 => &mut self.end,
                _ => continue,
            };
            *slot = field.value.integer().ok_or(Damaged)?;
        }
        Ok(())
    }

    fn normalising(&mut self, message: &'a [u8]) -> Result<(), Damaged> {
        for field in fields(message) {
            let field = field?;
            let slot = match field.number {
                2 => {
                    self.rules = field.value.bytes().ok_or(Damaged)?;
                    continue;
                }
                3 => &mut self.dummy_prefix,
                4 => &mut self.remove_extra_spaces,
                5 => &mut self.escape_spaces,
                _ => continue,
            };
            *slot = field.value.integer().ok_or(Damaged)? != 0;
        }
        Ok(())
    }

    fn build(self) -> Result<SentencePiece, String> {
        const UNIGRAM: u64 = 1;
        if self.kind != UNIGRAM {
            return Err("it is a SentencePiece model of another kind than unigram".to_owned());
        }
        if self.pieces.is_empty() {
            return Err("it holds no pieces".to_owned());
        }
        if !(self.dummy_prefix && self.remove_extra_spaces && self.escape_spaces) {
            return Err("it treats spaces in another way than this reader".to_owned());
        }
        let count = self.pieces.len();
        let mark = |id: u64, what| {
            u32::try_from(id).ok().filter(|&id| (id as usize) < count).ok_or(format!("its mark for {what} is no piece"))
        };
        let (unknown, begin, end) =
            (mark(self.unknown, "the unknown")?, mark(self.begin, "the beginning")?, mark(self.end, "the end")?);
        let scores: Vec<f32> = self.pieces.iter().map(|(_, score)| *score).collect();
        if scores.iter().any(|score| !score.is_finite()) {
            return Err("a piece's score is no number".to_owned());
        }
        let lowest = scores.iter().copied().fold(f32::INFINITY, f32::min);
        let trie = Trie::new(self.pieces.iter().map(|(piece, _)| *piece))?;
        Ok(SentencePiece {
            normaliser: Normaliser::new(self.rules)?,
            trie,
            unknown_score: f64::from(lowest) - UNKNOWN_PENALTY,
            scores,
            unknown,
            begin,
            end,
        })
    }
}

fn piece_and_score(message: &[u8]) -> Result<(&[u8], f32), Damaged> {
    let (mut piece, mut score) = (None, 0.0);
    for field in fields(message) {
        let field = field?;
        match field.number {
            1 => piece = field.value.bytes(),
            2 => score = field.value.float().ok_or(Damaged)?,
            _ => {}
        }
    }
    let piece = piece.ok_or(Damaged)?;
    // Pieces that end within a character would let a cut fall there.
    std::str::from_utf8(piece).map_err(|_| Damaged)?;
    Ok((piece, score))
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bytes_field(number: u8, bytes: &[u8]) -> Vec<u8> {
        let mut field = vec![number << 3 | 2];
        let mut length = bytes.len();
        while length >= 0x80 {
            field.push(length as u8 | 0x80);
            length >>= 7;
        }
        field.push(length as u8);
        field.extend(bytes);
        field
    }

    /// A model of these pieces, without rules for normalising.
    pub(crate) fn model(pieces: &[(&str, f32)]) -> Vec<u8> {
        let mut file = Vec::new();
        for (piece, score) in pieces {
            let mut message = bytes_field(1, piece.as_bytes());
            message.push(2 << 3 | 5);
            message.extend(score.to_le_bytes());
            file.extend(bytes_field(1, &message));
        }
        file.extend(bytes_field(2, &[3 << 3, 1]));
        file.extend(bytes_field(3, &bytes_field(1, b"identity")));
        file
    }

    const PIECES: &[(&str, f32)] = &[
        ("<unk>", 0.0),
        ("<s>", 0.0),
        ("</s>", 0.0),
        ("▁", -4.0),
        ("▁ab", -2.0),
        ("a", -3.0),
        ("b", -3.0),
        ("abc", -3.5),
        ("ü", -5.0),
    ];

    #[test]
    fn the_best_cut_is_taken() {
        let model = SentencePiece::read(&model(PIECES)).unwrap();
        assert_eq!(model.len(), 9);
        assert_eq!(model.encode("ab"), [1, 4, 2]);
        assert_eq!(model.encode("abab"), [1, 4, 5, 6, 2]);
        // "▁" + "abc" (-7.5) is better than "▁ab" + an unknown character (-17).
        assert_eq!(model.encode("abc"), [1, 3, 7, 2]);
        assert_eq!(model.encode("  ü  b "), [1, 3, 8, 3, 6, 2]);
        assert_eq!(model.encode("zz"), [1, 3, 0, 0, 2]);
    }

    #[test]
    fn of_equal_cuts_the_one_whose_last_piece_begins_earlier_is_taken() {
        let pieces = [("<unk>", -9.0), ("<s>", -9.0), ("</s>", -9.0), ("▁", -1.0), ("a", -1.0), ("▁a", -2.0)];
        assert_eq!(SentencePiece::read(&model(&pieces)).unwrap().encode("a"), [1, 5, 2]);
    }

    #[test]
    fn nothing_is_one_unknown_piece() {
        let model = SentencePiece::read(&model(PIECES)).unwrap();
        assert_eq!(model.encode(""), [1, 0, 2]);
        assert_eq!(model.encode("   "), [1, 0, 2]);
    }

    #[test]
    fn damaged_models_give_errors() {
        let whole = model(PIECES);
        assert!(SentencePiece::read(&whole[..whole.len() - 3]).unwrap_err().contains("cut off"));
        assert!(SentencePiece::read(b"").unwrap_err().contains("no pieces"));
        assert!(SentencePiece::read(&model(&[("a", 0.0)])).unwrap_err().contains("is no piece"));
        assert!(
            SentencePiece::read(&model(&[("a", f32::NAN), ("b", 0.0), ("c", 0.0)])).unwrap_err().contains("no number")
        );
        let mut other_kind = whole.clone();
        other_kind.extend(bytes_field(2, &[3 << 3, 2]));
        assert!(SentencePiece::read(&other_kind).unwrap_err().contains("another kind"));
    }

    proptest! {
        #[test]
        fn pieces_cover_the_text(text in "[abcüz ]{0,30}") {
            let model = SentencePiece::read(&model(PIECES)).unwrap();
            let normalised = text.split_whitespace().map(|word| format!("▁{word}")).collect::<String>();
            let ids = model.encode(&text);
            let length: usize = ids[1..ids.len() - 1]
                .iter()
                .map(|&id| if id == 0 { 1 } else { PIECES[id as usize].0.chars().count() })
                .sum();
            prop_assert_eq!(length, normalised.chars().count().max(1));
        }

        #[test]
        fn bytes_of_any_kind_do_no_harm(at in 0usize..200, byte: u8, cut in 0usize..200, text in "\\PC{0,20}") {
            let mut file = model(PIECES);
            let length = file.len();
            file[at % length] = byte;
            file.truncate(length - cut % length);
            if let Ok(model) = SentencePiece::read(&file) {
                prop_assert!(model.encode(&text).iter().all(|&id| (id as usize) < model.len()));
            }
        }
    }
}
