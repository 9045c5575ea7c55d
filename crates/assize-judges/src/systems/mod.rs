//! One folder for each mechanism of judging.

pub mod calls;
pub mod criteria;
