//! x
pub mod compound;
