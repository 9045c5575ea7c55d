//! Lines with their place, and the comments in them.

use super::WrittenLine;
use assize_core::document::{Problems, Span};

/// A line of the file, with comments told apart from text.
#[derive(Debug)]
pub(super) struct Line {
    /// Comments that stand before any text on the line.
    pub(super) comments: Vec<WrittenLine>,
    /// The rest of the line; `None` where there is none.
    pub(super) rest: Option<WrittenLine>,
    /// The rest's parts, comments marked.
    pub(super) segments: Vec<(bool, String)>,
    /// White space before the rest, a tab counting up to the next multiple of four.
    pub(super) indent: usize,
}

impl Line {
    /// Whether the line is empty.
    pub(super) fn is_blank(&self) -> bool {
        self.rest.is_none() && self.comments.is_empty()
    }
}

/// Splits a text into lines. A comment that is never closed would hide the rest of the file, and is a problem.
pub(super) fn split(text: &str, problems: &mut Problems) -> Vec<Line> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut open: Option<Span> = None;
    let mut lines = Vec::new();
    for (index, raw) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        lines.push(split_line(raw.trim_end_matches('\r'), number, &mut open));
    }
    if let Some(span) = open {
        problems.report_with_help(
            span,
            "this comment is never closed",
            "write `-->` where it ends; as it is, it hides the rest of the file",
        );
    }
    lines
}

fn split_line(raw: &str, number: u32, open: &mut Option<Span>) -> Line {
    let mut segments: Vec<(bool, usize, &str)> = Vec::new();
    let mut at = 0;
    while at < raw.len() {
        let rest = &raw[at..];
        if open.is_some() {
            let end = rest.find("-->").map(|found| found + 3);
            if end.is_some() {
                *open = None;
            }
            let end = end.unwrap_or(rest.len());
            segments.push((true, at, &rest[..end]));
            at += end;
        } else {
            let start = rest.find("<!--");
            if start != Some(0) {
                segments.push((false, at, &rest[..start.unwrap_or(rest.len())]));
            }
            at += start.unwrap_or(rest.len());
            if start.is_some() {
                *open = Some(Span { line: number, column: column_of(raw, at), length: 4 });
            }
        }
    }
    let is_text = |segment: &(bool, usize, &str)| !segment.0 && !segment.2.trim().is_empty();
    let first = segments.iter().position(is_text).unwrap_or(segments.len());
    let comments = segments[..first]
        .iter()
        .filter(|(comment, _, text)| *comment && !text.trim().is_empty())
        .map(|(_, start, text)| WrittenLine {
            written: text.trim().to_owned(),
            text: String::new(),
            span: span_of(raw, number, *start, text),
        })
        .collect();
    let Some((_, start, text)) = segments.get(first) else {
        return Line { comments, rest: None, segments: Vec::new(), indent: 0 };
    };
    let start = start + (text.len() - text.trim_start().len());
    let written = raw[start..].trim_end();
    let mut clean = String::new();
    for (comment, _, text) in &segments[first..] {
        if *comment {
            if !clean.ends_with(' ') {
                clean.push(' ');
            }
        } else {
            clean.push_str(text);
        }
    }
    let rest = WrittenLine {
        written: written.to_owned(),
        text: clean.trim().to_owned(),
        span: span_of(raw, number, start, written),
    };
    let mut kept: Vec<(bool, String)> =
        segments[first..].iter().map(|(comment, _, text)| (*comment, (*text).to_owned())).collect();
    if let Some((_, text)) = kept.first_mut() {
        *text = text.trim_start().to_owned();
    }
    Line { comments, rest: Some(rest), segments: kept, indent: indent_of(&raw[..start]) }
}

fn indent_of(space: &str) -> usize {
    space.chars().fold(0, |width, character| if character == '\t' { (width / 4 + 1) * 4 } else { width + 1 })
}

fn column_of(raw: &str, at: usize) -> u32 {
    u32::try_from(raw[..at].chars().count() + 1).unwrap_or(u32::MAX)
}

fn span_of(raw: &str, line: u32, start: usize, text: &str) -> Span {
    let lead = text.len() - text.trim_start().len();
    let length = u32::try_from(text.trim().chars().count()).unwrap_or(u32::MAX).max(1);
    Span { line, column: column_of(raw, start + lead), length }
}

/// The rest of a line after its first `bytes` bytes, or `None` if nothing but white space is left.
pub(super) fn after(line: &WrittenLine, bytes: usize) -> Option<WrittenLine> {
    let rest = &line.written[bytes..];
    let lead = rest.len() - rest.trim_start().len();
    let written = rest.trim();
    if written.is_empty() {
        return None;
    }
    let skipped = u32::try_from(line.written[..bytes + lead].chars().count()).unwrap_or(u32::MAX);
    let length = u32::try_from(written.chars().count()).unwrap_or(u32::MAX);
    let span = Span { line: line.span.line, column: line.span.column.saturating_add(skipped), length };
    Some(WrittenLine { written: written.to_owned(), text: without_comments(written), span })
}

/// A text without the comments that begin and end in it.
pub(super) fn without_comments(text: &str) -> String {
    let Some(start) = text.find("<!--") else { return text.trim().to_owned() };
    let mut clean = text[..start].to_owned();
    let mut rest = &text[start..];
    while let Some(start) = rest.find("<!--") {
        clean.push_str(&rest[..start]);
        match rest[start..].find("-->") {
            Some(end) => rest = &rest[start + end + 3..],
            None => rest = "",
        }
    }
    clean.push_str(rest);
    clean.trim().to_owned()
}

/// A line on which rules are switched off by a comment, for that line and the one after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSwitch {
    /// The line the comment stands on.
    pub span: Span,
    /// The rules by code or name; none named means all.
    pub off: Vec<String>,
}

impl LineSwitch {
    /// All switches in a prompt file (`<!-- assize-lint: off AZ105 -->`) or a YAML file (`# assize-lint: off AZ105`).
    pub fn find(text: &str) -> Vec<Self> {
        const SIGN: &str = "assize-lint:";
        if !text.contains(SIGN) {
            return Vec::new();
        }
        let mut switches = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let Some(at) = line.find(SIGN) else { continue };
            let before = line[..at].trim_end();
            if !(before.ends_with("<!--") || before.ends_with('#')) {
                continue;
            }
            let rest = &line[at + SIGN.len()..];
            let rest = rest.split("-->").next().unwrap_or(rest).trim();
            let Some(names) = rest.strip_prefix("off") else { continue };
            let off = names.split([',', ' ']).map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
            let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
            switches.push(Self { span: span_of(line, number, at, &line[at..]), off: off.collect() });
        }
        switches
    }

    /// Whether a finding on `line` is switched off.
    pub fn covers(&self, line: u32, code: &str, name: &str) -> bool {
        (line == self.span.line || line == self.span.line + 1)
            && (self.off.is_empty() || self.off.iter().any(|off| off.eq_ignore_ascii_case(code) || off == name))
    }
}
