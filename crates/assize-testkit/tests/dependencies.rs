//! What we depend on: licences, sources and banned crates, by the lists in `deny.toml`.
//!
//! It holds everywhere, also where cargo-deny is not installed and the advisory database cannot be reached.

use serde_json::Value;
use std::path::Path;

struct Lists {
    licences: Vec<String>,
    banned: Vec<String>,
}

fn lists() -> Lists {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deny.toml");
    let text = std::fs::read_to_string(path).expect("deny.toml");
    let list = |key: &str| {
        let start = text.find(&format!("\n{key} = [")).unwrap_or_else(|| panic!("no list {key}"));
        let body = &text[start..];
        let body = &body[..body.find(']').expect("the end of the list")];
        body.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
    };
    Lists { licences: list("allow"), banned: list("deny") }
}

fn packages() -> Vec<Value> {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--all-features", "--locked"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .expect("cargo metadata");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    match metadata["packages"].take() {
        Value::Array(packages) => packages,
        other => panic!("{other}"),
    }
}

/// Whether an SPDX expression can be met with the allowed licences: one of each OR, all of each AND.
fn may_be_used(expression: &str, allowed: &[String]) -> bool {
    let flat = expression.replace('/', " OR ");
    let trimmed = flat.trim();
    if let Some(inner) = trimmed.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
        && !inner.contains('(')
    {
        return may_be_used(inner, allowed);
    }
    if let Some(parts) = split_outside(trimmed, " AND ") {
        return parts.iter().all(|part| may_be_used(part, allowed));
    }
    if let Some(parts) = split_outside(trimmed, " OR ") {
        return parts.iter().any(|part| may_be_used(part, allowed));
    }
    allowed.iter().any(|licence| licence == trimmed)
}

/// The parts between words that stand outside of brackets; nothing where there is only one.
fn split_outside<'e>(expression: &'e str, word: &str) -> Option<Vec<&'e str>> {
    let (mut parts, mut depth, mut from) = (Vec::new(), 0, 0);
    for (at, c) in expression.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 && expression[at..].starts_with(word) && at >= from => {
                parts.push(&expression[from..at]);
                from = at + word.len();
            }
            _ => {}
        }
    }
    if parts.is_empty() {
        return None;
    }
    parts.push(&expression[from..]);
    Some(parts)
}

#[test]
fn every_licence_is_one_we_may_use() {
    let Lists { licences, .. } = lists();
    let refused: Vec<String> = packages()
        .iter()
        .filter(|package| !may_be_used(package["license"].as_str().unwrap_or("none"), &licences))
        .map(|package| format!("{} {}: {}", package["name"], package["version"], package["license"]))
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn everything_comes_from_the_registry_and_nothing_is_banned() {
    let Lists { banned, .. } = lists();
    for package in packages() {
        let name = package["name"].as_str().expect("a name");
        assert!(!banned.iter().any(|ban| ban == name), "{name} is banned");
        let source = package["source"].as_str();
        assert!(source.is_none_or(|source| source.starts_with("registry+")), "{name} comes from {source:?}");
    }
}

#[test]
fn expressions_are_read_with_their_brackets() {
    let allowed = ["MIT".to_owned(), "Unicode-3.0".to_owned()];
    for (expression, may) in [
        ("MIT OR Apache-2.0", true),
        ("MIT/Apache-2.0", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("(GPL-3.0 OR Apache-2.0) AND Unicode-3.0", false),
        ("GPL-3.0", false),
    ] {
        assert_eq!(may_be_used(expression, &allowed), may, "{expression}");
    }
}
