//! The judge systems: a question out, a judgment in. Nothing here performs a call, opens a file or reads a clock.

pub mod systems;
