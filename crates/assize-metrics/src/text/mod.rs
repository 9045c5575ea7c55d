//! Text made comparable: spelling differences that carry no meaning are taken away, and what is left
//! is cut into words.

mod located;
mod mentions;
mod normalise;
mod quotations;
mod words;

pub use located::{LocatedWord, located_words};
pub use mentions::{content_words, mentioned_share, mentions};
pub(crate) use mentions::{is_function_word, stem};
pub use normalise::{Normalisation, normalise};
pub use quotations::quotations;
pub use words::words;
