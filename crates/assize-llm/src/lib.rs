//! Asking a model: wire formats, structured output, reading the reply, embeddings, retries, prices.
//!
//! The pure parts (encoding and decoding in [`wire`], [`reading`], [`prices`], [`tokens`], [`replay`]) know no network;
//! [`client`] puts them together into one call: ask, decode, read, send an invalid reply back once, and say what it
//! cost; [`embeddings`] does so for texts that become vectors. Limits on how many calls run at once, the cache and the budget are the engine's.

mod asking;
pub mod capabilities;
pub mod client;
pub mod connect;
pub mod embeddings;
pub mod environment;
mod exchange;
mod pace;
pub mod permits;
pub mod prices;
pub mod reading;
pub mod replay;
pub mod retry;
pub mod tokens;
pub mod transport;
pub mod wire;

pub use client::{Asked, CallEstimate, ClientSettings, ModelClient, Spent};
pub use connect::{CallOptions, ConnectProblem, Connected, connect, connect_embeddings};
pub use embeddings::{Embedded, EmbeddingClient};
pub use permits::KeyPermits;
pub use prices::PriceTable;
pub use replay::{Recorded, ReplayClient};
pub use retry::{CallGate, Endless, RetryPolicy};
pub use transport::{Transport, install_tls};
