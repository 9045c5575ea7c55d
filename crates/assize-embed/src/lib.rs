//! Sentence embeddings: how close two texts are in meaning, or why that cannot be said.
//!
//! Embedders stand behind one small interface, [`Embedder`], and [`open`] finds them by what a user wrote:
//! `muse:DIR` (sixteen languages), `local:DIR` (a sentence-transformers folder with a BERT model) and `lexical`
//! (characters only). All are plain Rust on the processor; nothing is downloaded, at build time or later. The first two need
//! the cargo feature `models`.
//!
//! A model is only asked about languages it knows. Outside of them the answer is [`Unmeasured`] with a reason, and no
//! low figure. See `docs/embeddings.md` for how close the vectors are to those of the Python packages, and how fast.

mod comparison;
mod embedder;
#[cfg(feature = "models")]
mod files;
mod language;
mod lexical;
#[cfg(feature = "models")]
mod local;
#[cfg(feature = "models")]
mod muse;
mod open;
#[cfg(feature = "models")]
mod sentencepiece;
#[cfg(feature = "models")]
mod tensor;
mod vector;
#[cfg(feature = "models")]
mod workers;

pub use comparison::{Similarity, SimilarityBatch, Unmeasured, similarities, similarity};
pub use embedder::{EmbedError, Embedder, Method, Passage};
pub use language::{Language, Languages};
pub use lexical::Lexical;
#[cfg(feature = "models")]
pub use local::Local;
#[cfg(feature = "models")]
pub use muse::Muse;
pub use open::{EMBEDDERS, Fault, OpenError, open};
pub use vector::cosine;
