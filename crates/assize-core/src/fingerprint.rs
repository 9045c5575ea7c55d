//! Fingerprints: what a thing is, as sixteen hexadecimal digits or more, independent of key order and of spelling.
//!
//! Everything that must be found again (answers, questions, cases, judges) is named by a BLAKE3 hash over canonical
//! JSON (RFC 8785), so that two programs that write the same object in another order get the same name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
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
        match serde_json::to_value(value) {
            Ok(value) => Self::of_value(&value),
            Err(error) => Self::of_bytes(error.to_string().as_bytes()),
        }
    }

    /// The fingerprint of a JSON value, over its canonical form.
    pub fn of_value(value: &Value) -> Self {
        let mut bytes = Vec::new();
        write_canonical(value, &mut bytes);
        Self::of_bytes(&bytes)
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

/// The largest whole number up to which all are doubles, so that the canonical form has the same digits.
const LARGEST_WHOLE: u64 = 1 << 53;

/// The canonical form of RFC 8785: keys in the order of their UTF-16 units, no spaces, texts with the fewest escapes,
/// numbers as JavaScript writes them.
///
/// A fingerprint is made of every question, and the crate that knows how numbers are written takes ten times as long over
/// texts and objects, so it is asked for the numbers alone.
fn write_canonical(value: &Value, bytes: &mut Vec<u8>) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_unstable_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
            write_all([b'{', b'}'], fields, bytes, |(key, value), bytes| {
                write_text(key, bytes);
                bytes.push(b':');
                write_canonical(value, bytes);
            });
        }
        Value::Array(items) => write_all([b'[', b']'], items, bytes, write_canonical),
        Value::String(text) => write_text(text, bytes),
        Value::Number(number) => {
            let whole = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
            match whole.filter(|whole| *whole <= LARGEST_WHOLE) {
                Some(_) => bytes.extend_from_slice(number.to_string().as_bytes()),
                None => {
                    bytes.extend(serde_json_canonicalizer::to_vec(number).expect("a JSON number has a canonical form"))
                }
            }
        }
        Value::Bool(true) => bytes.extend_from_slice(b"true"),
        Value::Bool(false) => bytes.extend_from_slice(b"false"),
        Value::Null => bytes.extend_from_slice(b"null"),
    }
}

fn write_all<T>(
    [open, close]: [u8; 2],
    items: impl IntoIterator<Item = T>,
    bytes: &mut Vec<u8>,
    write: impl Fn(T, &mut Vec<u8>),
) {
    bytes.push(open);
    for (position, item) in items.into_iter().enumerate() {
        if position > 0 {
            bytes.push(b',');
        }
        write(item, bytes);
    }
    bytes.push(close);
}

fn write_text(text: &str, bytes: &mut Vec<u8>) {
    // Writing a text to memory cannot fail.
    let _ = serde_json::to_writer(bytes, text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-100i64..100).prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            "[\\x00-\\x9f\"\\\\\u{2028}\u{fffd}\u{1f600}]{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 6, |inner| {
            // Above U+FFFF the order of UTF-16 units is not that of the characters.
            let key = "[a-c\\x00\"\u{e9}\u{e000}\u{fb33}\u{1f600}]{0,3}";
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((key, inner), 0..6)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_canonical_form_is_that_of_rfc_8785(value in any_value()) {
            let mut bytes = Vec::new();
            write_canonical(&value, &mut bytes);
            let expected = serde_json_canonicalizer::to_vec(&value).expect("a JSON value");
            prop_assert_eq!(String::from_utf8(bytes), String::from_utf8(expected));
        }
    }

    #[test]
    fn key_order_does_not_change_it() {
        let one = json!({"a": 1, "b": [true, null]});
        let two = json!({"b": [true, null], "a": 1});
        assert_eq!(Fingerprint::of(&one), Fingerprint::of(&two));
        assert_ne!(Fingerprint::of(&one), Fingerprint::of(&json!({"a": 1, "b": [null, true]})));
        assert_eq!(Fingerprint::of(&one).as_str().len(), 32);
    }
}
