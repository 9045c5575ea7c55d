//! The little linear algebra that the models share.

pub(crate) mod functions;
mod matrix;

pub(crate) use matrix::Packed;
