//! The environment variables of the engine and the command line. The keys of providers are in the providers' own list.

/// The store's file, where `--store` does not name it.
pub const STORE: &str = "ASSIZE_STORE";

/// A price table that goes before the built-in one, where the suite names none.
pub const PRICES: &str = "ASSIZE_PRICES";

/// The secret of `assize serve`, where `--token-file` does not give it.
pub const TOKEN: &str = "ASSIZE_TOKEN";
