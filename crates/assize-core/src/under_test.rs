//! The systems under test of a case: one as a rule, several where their outputs are judged side by side.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;

/// Who wrote what a case is about. It reads as a text: the name, or the names with “vs” between them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Written", into = "Written")]
#[schemars(with = "Written")]
pub struct UnderTest {
    label: String,
    /// The names, where there are several.
    several: Vec<String>,
}

/// As it stands in files: a name, or a list of names.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Written {
    One(String),
    Several(Vec<String>),
}

impl UnderTest {
    /// Several systems, in this order; one name alone is that one system.
    pub fn several(names: Vec<String>) -> Self {
        if names.len() == 1 {
            names.into_iter().collect::<String>().into()
        } else {
            Self { label: names.join(" vs "), several: names }
        }
    }

    /// The name of each system.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let one = self.several.is_empty().then_some(self.label.as_str());
        one.into_iter().chain(self.several.iter().map(String::as_str))
    }
}

impl From<String> for UnderTest {
    fn from(name: String) -> Self {
        Self { label: name, several: Vec::new() }
    }
}

impl From<&str> for UnderTest {
    fn from(name: &str) -> Self {
        name.to_owned().into()
    }
}

impl From<Written> for UnderTest {
    fn from(written: Written) -> Self {
        match written {
            Written::One(name) => name.into(),
            Written::Several(names) => Self::several(names),
        }
    }
}

impl From<UnderTest> for Written {
    fn from(systems: UnderTest) -> Self {
        if systems.several.is_empty() { Self::One(systems.label) } else { Self::Several(systems.several) }
    }
}

impl Deref for UnderTest {
    type Target = str;

    fn deref(&self) -> &str {
        &self.label
    }
}

impl fmt::Display for UnderTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label)
    }
}

impl PartialEq<str> for UnderTest {
    fn eq(&self, other: &str) -> bool {
        self.label == other
    }
}

impl PartialEq<&str> for UnderTest {
    fn eq(&self, other: &&str) -> bool {
        self.label == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_is_a_name_and_several_are_a_list() {
        let read = |value| serde_json::from_value::<UnderTest>(value).expect("read");
        let (one, two) = (read(json!("alto")), read(json!(["alto", "breve"])));
        assert_eq!((&*one, &*two), ("alto", "alto vs breve"));
        assert_eq!(two.names().collect::<Vec<_>>(), ["alto", "breve"]);
        assert_eq!([json!(one), json!(two)], [json!("alto"), json!(["alto", "breve"])]);
        assert_eq!(read(json!(["alto"])), UnderTest::from("alto"));
    }
}
