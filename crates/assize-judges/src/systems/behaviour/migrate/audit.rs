//! The proof that a rewritten prompt has lost nothing: every piece of the old text is in the new one, or is named.

use super::super::INPUTS;
use super::super::prompt_file::is_heading;
use super::blocks::{is_placeholder, is_pure, pattern, tag_alone};
use regex::Regex;
use std::sync::LazyLock;

/// The mark of a list item at the start of a line.
static MARK: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^\s*([-*+•–—·◦‣▪●○]|\(?\d{1,3}[.)])\s+"));

/// The pieces of a text that are neither in the new text nor among the known ones, with their lines.
pub(super) fn lost(old: &str, new: &str, known: &[(u32, String)]) -> Vec<(u32, String)> {
    let mut kept = words(new);
    for (_, text) in known {
        kept.push_str(&words(text));
    }
    let mut lost = Vec::new();
    for (index, line) in old.lines().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        for piece in pieces(line) {
            let wanted = words(piece);
            if !wanted.trim().is_empty() && !kept.contains(&wanted) {
                lost.push((number, piece.trim().to_owned()));
            }
        }
    }
    lost
}

/// The pieces of a line that must be found again as they are: what stands between the ends of sentences and parentheses,
/// without headings and labels that only name what follows.
fn pieces(line: &str) -> Vec<&str> {
    static BREAK: LazyLock<Regex> = LazyLock::new(|| pattern(r"[.!?;]\s+|[()]"));
    let own_input = is_placeholder(line.trim()) && placeholders(line).all(|name| INPUTS.contains(&name));
    if tag_alone(line.trim()).is_some() || own_input {
        return Vec::new();
    }
    let bare = &line[MARK.find(line).map_or(0, |mark| mark.end())..];
    let bare = bare.trim().trim_matches(['#', '*', ' ', '_']);
    let (head, rest) = bare.split_once(':').map_or((bare, ""), |(head, rest)| (head, rest));
    let structure = is_heading(line) || is_pure(head.trim_matches(['*', ' ']));
    let text = if structure { rest } else { bare };
    fn without_label(piece: &str) -> &str {
        match piece.split_once(':') {
            Some((label, rest)) if is_pure(label) => rest,
            _ => piece,
        }
    }
    BREAK.split(text).map(without_label).filter(|piece| !is_pure(piece)).collect()
}

/// The words of a text, each between spaces: no marks, no case, a placeholder by its name.
fn words(text: &str) -> String {
    let text = MARK.replace_all(text, "");
    let mut out = " ".to_owned();
    for word in text.split_whitespace() {
        let word = word.to_lowercase().replace(['*', '`', '{', '}', '<', '>', '(', ')'], "");
        let word = word.trim_matches(|c: char| ".,;:!?\"'“”-#".contains(c));
        if !word.is_empty() {
            out.push_str(word);
            out.push(' ');
        }
    }
    out
}

/// The names of the placeholders in a text.
pub(super) fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"\{\{?\s*([\w.]+)\s*\}?\}|\$\{?(\w+)\}?|<<\s*(\w+)\s*>>"));
    NAME.captures_iter(text).filter_map(|found| found.iter().skip(1).flatten().next()).map(|name| name.as_str())
}
