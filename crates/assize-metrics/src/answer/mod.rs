//! Final answers: finding the one a response gives, and comparing it with the expected one.
//!
//! `extract` finds the answer, `value` reads it (a number with its unit, a closed form, a choice, yes or
//! no, a list, or text), `compare` decides whether two are the same. A different digit is never the same answer;
//! where reading alone cannot tell, the comparison says so instead of guessing.

mod closed;
mod compare;
mod extract;
mod value;

pub use compare::{AnswerComparison, AnswerMatch, same_answer};
pub use extract::{AnswerSource, FinalAnswer, final_answer};
