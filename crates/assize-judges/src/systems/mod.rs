//! One folder for each mechanism of judging.

pub mod criteria;
pub mod facts;
