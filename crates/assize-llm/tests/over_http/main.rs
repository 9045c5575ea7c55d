//! The real HTTP path, against a model server on loopback that misbehaves on request.

mod embeddings;
mod errors;
mod parameters;
mod replies;
mod server;
mod setting;
