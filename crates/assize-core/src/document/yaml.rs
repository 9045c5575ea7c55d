//! YAML 1.2 text to a [`Node`] tree. JSON is read by the same code, being YAML.
//!
//! The parser's own limits on depth, size and aliases stay on: a file that unfolds into gigabytes is an error.

use super::{Key, Node, NodeValue, Problems, Span};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use serde_saphyr::{Location, Spanned};
use std::fmt;

/// Parses a text, or reports where it stops being YAML.
pub fn parse(text: &str, problems: &mut Problems) -> Option<Node> {
    let options = serde_saphyr::options! { strict_booleans: true };
    match serde_saphyr::from_str_with_options::<Spanned<Raw>>(text, options) {
        Ok(parsed) => Some(place(parsed)),
        Err(error) => {
            let span = error.location().map(to_span);
            problems.report(span, format!("this is not readable as YAML: {}", one_line(&error)));
            None
        }
    }
}

/// The parser's message without its own drawing of the source, which the binary draws itself.
fn one_line(error: &serde_saphyr::Error) -> String {
    let text = error.without_snippet().to_string();
    let line = text.lines().next().unwrap_or_default().trim();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

fn to_span(location: Location) -> Span {
    let length = u32::try_from(location.span().len()).unwrap_or(u32::MAX);
    Span {
        line: u32::try_from(location.line()).unwrap_or(u32::MAX),
        column: u32::try_from(location.column()).unwrap_or(u32::MAX),
        length: length.max(1),
    }
}

fn place(parsed: Spanned<Raw>) -> Node {
    let span = to_span(parsed.referenced);
    let kind = match parsed.value {
        Raw::Null => NodeValue::Null,
        Raw::Bool(value) => NodeValue::Bool(value),
        Raw::Number(value) => NodeValue::Number(value),
        Raw::Text(value) => NodeValue::Text(value),
        Raw::List(items) => NodeValue::List(items.into_iter().map(place).collect()),
        Raw::Map(entries) => NodeValue::Map(
            entries
                .into_iter()
                .map(|(key, value)| (Key { span: to_span(key.referenced), name: key.value.0 }, place(value)))
                .collect(),
        ),
    };
    Node { span, kind }
}

/// A value whose parts know their places.
enum Raw {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<Name>, Spanned<Raw>)>),
}

/// A key; numbers and booleans used as keys are taken as written.
struct Name(String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        // YAML has `.nan` and `.inf`; no figure of ours may be either, so they stay texts and fail where a number is due.
        Ok(Number::from_f64(value).map_or_else(|| Raw::Text(value.to_string()), Raw::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Raw, E> {
        Ok(Raw::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Raw::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Raw, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Raw::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> Node {
        let mut problems = Problems::of("test.yaml");
        parse(text, &mut problems).unwrap_or_else(|| panic!("{:?}", problems.iter().collect::<Vec<_>>()))
    }

    #[test]
    fn every_part_knows_its_place() {
        let node = read("name: a\njudge:\n  use: transcript-quality\n  list: [1, 2.5, yes, y, ~]\n");
        let judge = node.get("judge").expect("judge");
        assert_eq!(judge.get("use").expect("use").span, Span { line: 3, column: 8, length: 18 });
        let NodeValue::Map(entries) = &judge.kind else { panic!("a mapping") };
        assert_eq!((entries[1].0.span.line, entries[1].0.span.column), (4, 3));
        assert_eq!(judge.get("list").expect("list").to_value(), json!([1, 2.5, "yes", "y", null]));
    }

    #[test]
    fn json_is_read_too() {
        let node = read("{\"id\": \"c1\",\n \"n\": -3, \"deep\": [{\"x\": true}]}");
        assert_eq!(node.to_value(), json!({"id": "c1", "n": -3, "deep": [{"x": true}]}));
        assert_eq!(node.deepest(&["deep", "0", "x"]).span.line, 2);
    }

    #[test]
    fn a_syntax_error_and_a_duplicate_key_have_a_place() {
        for (text, line) in [("a: [1, 2\nb: 3\n", 2), ("a: 1\nb: 2\na: 3\n", 3)] {
            let mut problems = Problems::of("test.yaml");
            assert!(parse(text, &mut problems).is_none());
            let problem = problems.iter().next().expect("a problem");
            assert_eq!(problem.span.expect("a place").line, line, "{problem}");
        }
    }

    #[test]
    fn a_file_that_unfolds_without_end_is_refused() {
        let mut bomb = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for level in 1..12 {
            let last = level - 1;
            bomb.push_str(&format!("a{level}: &a{level} [{}]\n", vec![format!("*a{last}"); 10].join(",")));
        }
        let mut problems = Problems::of("bomb.yaml");
        assert!(parse(&bomb, &mut problems).is_none());
        let deep = "[".repeat(100_000);
        assert!(parse(&deep, &mut problems).is_none());
    }
}
