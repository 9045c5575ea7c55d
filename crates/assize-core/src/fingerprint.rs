//! Fingerprints: what a thing is, as sixteen hexadecimal digits or more, independent of key order and of spelling.
//!
//! Everything that must be found again (answers, questions, cases, judges) is named by a BLAKE3 hash over canonical
//! JSON (RFC 8785), so that two programs that write the same object in another order get the same name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A content hash, shown as 32 hexadecimal digits (128 bits).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The fingerprint of any serialisable value, over its canonical JSON.
    ///
    /// A value that cannot be written as JSON (a map with keys that are no strings) has no canonical form; the types
    /// of this crate cannot hold one, so such a value is named by its error instead of failing its caller.
    pub fn of<T: Serialize>(value: &T) -> Self {
        match serde_json_canonicalizer::to_vec(value) {
            Ok(bytes) => Self::of_bytes(&bytes),
            Err(error) => Self::of_bytes(error.to_string().as_bytes()),
        }
    }

    /// The fingerprint of raw bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut hex = blake3::hash(bytes).to_hex().to_string();
        hex.truncate(32);
        Self(hex)
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first sixteen digits: enough for people and for names.
    pub fn short(&self) -> &str {
        self.0.get(..16).unwrap_or(&self.0)
    }

    /// Takes a fingerprint back from where it was stored.
    pub fn from_stored(digits: String) -> Self {
        Self(digits)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn key_order_does_not_change_it() {
        let one = json!({"a": 1, "b": [true, null]});
        let two = json!({"b": [true, null], "a": 1});
        assert_eq!(Fingerprint::of(&one), Fingerprint::of(&two));
        assert_ne!(Fingerprint::of(&one), Fingerprint::of(&json!({"a": 1, "b": [null, true]})));
        assert_eq!(Fingerprint::of(&one).as_str().len(), 32);
    }
}
