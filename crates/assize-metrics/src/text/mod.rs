//! Text made comparable: spelling differences that carry no meaning are taken away, and what is left
//! is cut into words.

mod mentions;
mod normalise;
mod words;

pub(crate) use mentions::{FUNCTION_WORDS, stem};
pub use mentions::{content_words, mentioned_share, mentions};
pub use normalise::{Normalisation, normalise};
pub use words::words;
