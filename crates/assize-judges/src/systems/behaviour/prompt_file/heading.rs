//! Which lines have the words and the shape of a heading. Whether one opens a section where it is, the reader decides.

use super::SectionKind;
use super::line::Line;
use super::parse::mark_of;

/// A line that may be a heading.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Which section it would open.
    pub(super) kind: SectionKind,
    /// Bytes of the written line that belong to the heading.
    pub(super) length: usize,
    /// Whether its shape alone says that it is a heading: Markdown marks around it, or capitals.
    pub(super) clear: bool,
    /// Whether it ends with a colon.
    pub(super) colon: bool,
    /// Whether it starts with a capital letter.
    pub(super) capital: bool,
    /// What follows on the line, without comments.
    pub(super) inline: String,
}

/// Headings that must be spelled in full, without marks, in lower case, `_` and `-` as spaces.
const EXACT: [(&str, SectionKind); 28] = [
    ("system", SectionKind::System),
    ("system prompt", SectionKind::System),
    ("behavior", SectionKind::Behaviour),
    ("behaviour", SectionKind::Behaviour),
    ("behavior id", SectionKind::Behaviour),
    ("behaviour id", SectionKind::Behaviour),
    ("description", SectionKind::Description),
    ("goal", SectionKind::Description),
    ("evaluation scope", SectionKind::Scope),
    ("scope", SectionKind::Scope),
    ("include", SectionKind::Include),
    ("includes", SectionKind::Include),
    ("ignore", SectionKind::Ignore),
    ("ignores", SectionKind::Ignore),
    ("exclude", SectionKind::Ignore),
    ("rubric", SectionKind::Rubric),
    ("uncertainty policy", SectionKind::UncertaintyPolicy),
    ("uncertainty", SectionKind::UncertaintyPolicy),
    ("examples", SectionKind::Examples),
    ("few shot examples", SectionKind::Examples),
    ("inputs", SectionKind::Inputs),
    ("ground truth", SectionKind::GroundTruth),
    ("source narrative", SectionKind::SourceNarrative),
    ("candidate output", SectionKind::CandidateOutput),
    ("output format", SectionKind::AnswerFormat),
    ("answer format", SectionKind::AnswerFormat),
    ("response format", SectionKind::AnswerFormat),
    ("output schema", SectionKind::AnswerFormat),
];

/// Headings that go on after these words: "Automatic fail if any of the following are true".
const FAMILIES: [(&str, SectionKind); 10] = [
    ("automatic fail", SectionKind::AutomaticFail),
    ("automatic failure", SectionKind::AutomaticFail),
    ("auto fail", SectionKind::AutomaticFail),
    ("automatically fail", SectionKind::AutomaticFail),
    ("pass condition", SectionKind::PassConditions),
    ("pass conditions", SectionKind::PassConditions),
    ("pass criteria", SectionKind::PassConditions),
    ("acceptable variation", SectionKind::AcceptableVariations),
    ("acceptable variations", SectionKind::AcceptableVariations),
    ("uncertainty policy", SectionKind::UncertaintyPolicy),
];

const MARKS: [char; 4] = ['#', '*', '_', ' '];

/// The heading that a line has the words of. The text of a list item is never one.
pub(super) fn find(line: &Line) -> Option<Found> {
    let written = &line.rest.as_ref()?.written;
    if line.indent >= 4 || mark_of(written).is_some() {
        return None;
    }
    let colon = colon_outside_comments(line);
    let head = &written[..colon.map_or(written.len(), |(at, _)| at)];
    let clean = super::line::without_comments(head);
    let kind = kind_of(&clean, colon.is_some())?;
    let mut length = colon.map_or(written.len(), |(at, width)| at + width);
    // `**Pass conditions:** …`: the closing mark belongs to the heading.
    for mark in ["**", "__"] {
        if head.trim_start_matches(['#', ' ']).starts_with(mark) && written[length..].starts_with(mark) {
            length += mark.len();
        }
    }
    let mut letters = clean.chars().filter(|character| character.is_alphabetic()).peekable();
    let capital = letters.peek().is_some_and(|letter| letter.is_uppercase());
    let marked = clean.starts_with(['#', '*']) || clean.starts_with("__");
    let clear = marked || letters.all(char::is_uppercase);
    let inline = super::line::without_comments(&written[length..]);
    Some(Found { kind, length, clear, colon: colon.is_some(), capital, inline })
}

fn colon_outside_comments(line: &Line) -> Option<(usize, usize)> {
    let mut at = 0;
    for (comment, text) in &line.segments {
        if !comment && let Some(found) = text.find([':', '：']) {
            let width = if text[found..].starts_with(':') { 1 } else { '：'.len_utf8() };
            return Some((at + found, width));
        }
        at += text.len();
    }
    None
}

fn kind_of(head: &str, has_colon: bool) -> Option<SectionKind> {
    let name = normalise(head)?;
    if let Some((_, kind)) = EXACT.iter().find(|(exact, _)| *exact == name) {
        // `System` alone on a line is a word; with a colon it is a heading.
        let needs_colon = matches!(name.as_str(), "system" | "uncertainty" | "goal" | "scope");
        return (has_colon || !needs_colon || head.starts_with('#')).then_some(*kind);
    }
    if head.trim_end_matches(MARKS).ends_with('.') {
        return None;
    }
    FAMILIES
        .iter()
        .find(|(family, _)| {
            name.strip_prefix(family).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '(', ',']))
        })
        .map(|(_, kind)| *kind)
}

/// Lower case, without marks, one space between words; `None` if too long for a heading.
fn normalise(head: &str) -> Option<String> {
    if head.len() > 120 {
        return None;
    }
    let head = head.trim_matches(MARKS);
    let mut name = String::with_capacity(head.len());
    for character in head.chars() {
        let character = if matches!(character, '_' | '-' | '‑') { ' ' } else { character };
        if character.is_whitespace() {
            if !name.ends_with(' ') {
                name.push(' ');
            }
        } else {
            name.extend(character.to_lowercase());
        }
    }
    let name = name.trim().to_owned();
    (!name.is_empty() && name.split(' ').count() <= 16).then_some(name)
}

/// Whether a line is plainly meant as a heading: a Markdown heading, or capitals with a colon and nothing after it.
pub(super) fn is_shaped_like_one(line: &Line) -> bool {
    let Some(rest) = &line.rest else { return false };
    let text = rest.text.as_str();
    if line.indent > 0 {
        return false;
    }
    if text.starts_with('#') && text.trim_start_matches('#').starts_with(' ') {
        return true;
    }
    let Some(head) = text.trim_end_matches(['*', '_']).strip_suffix(':') else { return false };
    let head = head.trim_matches(MARKS);
    let letters = head.chars().filter(|character| character.is_alphabetic());
    letters.clone().count() >= 3
        && letters.clone().all(char::is_uppercase)
        && head.chars().all(|character| character.is_alphanumeric() || " _-()/".contains(character))
        && head.split_whitespace().count() <= 6
}

/// The known headings, for a suggestion.
pub(super) fn known() -> impl Iterator<Item = &'static str> {
    EXACT.iter().chain(&FAMILIES).map(|(name, _)| *name)
}

/// Whether a Markdown text is a behaviour prompt whatever its name: it has a `BEHAVIOR:` line outside a code fence.
pub fn looks_like_prompt(text: &str) -> bool {
    let mut fenced = false;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced && line.len() < 200 {
            let name = line.split_once([':', '：']).and_then(|(head, _)| normalise(head));
            if name
                .is_some_and(|name| EXACT.iter().any(|(exact, kind)| *exact == name && *kind == SectionKind::Behaviour))
            {
                return true;
            }
        }
    }
    false
}

/// Whether a line is a heading of the canonical structure.
pub(in super::super) fn is_heading(line: &str) -> bool {
    let mut problems = assize_core::document::Problems::default();
    super::line::split(line, &mut problems).first().is_some_and(|line| find(line).is_some())
}
