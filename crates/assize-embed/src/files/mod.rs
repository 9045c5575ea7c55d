//! Readers of the files models come in.
//!
//! A model's files are data from elsewhere. Nothing is believed before it was checked: every offset against the
//! file's size, every shape against what the model must have, and memory is only taken for what was checked.

pub(crate) mod npz;
pub(crate) mod protobuf;
pub(crate) mod safetensors;
mod zip;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::open::{Fault, OpenError};

/// The whole file, where it holds at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, OpenError> {
    let file = File::open(path).map_err(|error| OpenError::file(path, error))?;
    let mut bytes = Vec::new();
    // The limit holds for what is read, not for what the size is said to be: the path may be no ordinary file.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| OpenError::file(path, error))?;
    if bytes.len() as u64 > limit {
        return Err(OpenError::new(path, Fault::Malformed(format!("it is larger than {} MB", limit >> 20))));
    }
    Ok(bytes)
}

/// The file as JSON.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path, limit: u64) -> Result<T, OpenError> {
    let bytes = read(path, limit)?;
    serde_json::from_slice(&bytes).map_err(|error| OpenError::new(path, Fault::Malformed(error.to_string())))
}
