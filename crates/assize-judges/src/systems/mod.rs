//! One folder for each mechanism of judging.

pub mod behaviour;
pub mod calls;
pub mod criteria;
pub mod facts;
pub mod pairwise;
