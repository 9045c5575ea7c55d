//! An old prompt in blocks: what stands together, and what kind of thing it is.

use super::super::prompt_file::{BehaviourPrompt, SectionKind};
use super::super::sentence::{Role, role_of, role_of_label};
use assize_core::document::Problems;
use regex::Regex;
use std::sync::LazyLock;

/// What stands together in a file, with the number of its first line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) line: u32,
    pub(super) kind: Kind,
    /// Whether an empty line stands before it.
    pub(super) after_blank: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A line such as `---`.
    Separator,
    /// A comment with its marks.
    Comment(Vec<String>),
    /// A fence with what is in it.
    Fence(Vec<String>),
    /// An input of the old template: a placeholder, with a label at most.
    Placeholder(String),
    /// A heading of the canonical structure, and what stands after its colon.
    Heading(SectionKind, String),
    /// The standing instructions under their heading, as they are.
    System(Vec<String>),
    /// Examples, as they are.
    Examples(Vec<String>),
    /// A line that introduces what follows, without its colon or marks, and what stands after the colon.
    Label(String, String),
    /// A title in Markdown.
    Title(String),
    /// A list item: its lines without the mark.
    Item(Vec<String>),
    /// Lines of prose.
    Prose(Vec<String>),
}

/// The blocks of a text.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    let has_behaviour = lines.iter().any(|line| heading(line).is_some_and(|(kind, _)| kind == SectionKind::Behaviour));
    let mut reader = Reader { lines: &lines, at: 0, blocks: Vec::new(), has_behaviour };
    while reader.at < reader.lines.len() {
        reader.next();
    }
    reader.blocks
}

struct Reader<'l> {
    lines: &'l [&'l str],
    at: usize,
    blocks: Vec<Block>,
    has_behaviour: bool,
}

impl Reader<'_> {
    fn next(&mut self) {
        let (start, line) = (self.at, self.lines[self.at]);
        let trimmed = line.trim();
        if trimmed.is_empty() {
            self.at += 1;
            return;
        }
        let kind = if is_separator(trimmed) {
            self.at += 1;
            Kind::Separator
        } else if trimmed.starts_with("<!--") {
            Kind::Comment(self.take_through(|line| line.contains("-->")))
        } else if let Some(fence) = fence(trimmed) {
            let mut lines = self.take_while(1, |_| true, |line| line.trim().starts_with(fence));
            lines.extend(self.lines.get(self.at).map(|line| (*line).to_owned()));
            self.at += 1;
            Kind::Fence(lines)
        } else if is_placeholder(trimmed) {
            self.at += 1;
            Kind::Placeholder(trimmed.to_owned())
        } else if let Some((kind, rest)) = heading(line) {
            self.heading(kind, rest)
        } else if EXAMPLE.is_match(trimmed) {
            Kind::Examples(self.take_while(1, |_| true, ends_examples))
        } else if let Some(first) = item(line) {
            self.item(line, first)
        } else if let Some((label, rest)) = label(trimmed) {
            self.at += 1;
            let titled = trimmed.starts_with("# ") && rest.is_empty() && !trimmed.ends_with(':');
            if titled && self.blocks.is_empty() { Kind::Title(trimmed.to_owned()) } else { Kind::Label(label, rest) }
        } else {
            Kind::Prose(self.take_while(1, |_| true, |line| line.trim().is_empty() || starts_other(line)))
        };
        let after_blank = start == 0 || self.lines[start - 1].trim().is_empty();
        self.blocks.push(Block { line: u32::try_from(start + 1).unwrap_or(u32::MAX), kind, after_blank });
    }

    fn heading(&mut self, kind: SectionKind, rest: String) -> Kind {
        match kind {
            SectionKind::System => {
                let has_behaviour = self.has_behaviour;
                let mut lines = vec![rest];
                // It runs up to the separator or the BEHAVIOR line; without either, up to the next thing with a name.
                lines.extend(self.take_while(
                    1,
                    |_| false,
                    |line| {
                        let next = heading(line).map(|(kind, _)| kind);
                        is_separator(line.trim())
                            || next == Some(SectionKind::Behaviour)
                            || !has_behaviour
                                && (next.is_some() || label(line.trim()).is_some() || is_placeholder(line.trim()))
                    },
                ));
                Kind::System(lines)
            }
            SectionKind::Examples => {
                let mut lines = Vec::from_iter(Some(rest).filter(|rest| !rest.is_empty()));
                lines.extend(self.take_while(1, |_| false, ends_examples));
                Kind::Examples(lines)
            }
            _ => {
                self.at += 1;
                Kind::Heading(kind, rest)
            }
        }
    }

    fn item(&mut self, line: &str, first: &str) -> Kind {
        let indent = indent_of(line);
        let mut lines = vec![first.to_owned()];
        self.at += 1;
        while let Some(next) = self.lines.get(self.at).copied() {
            let inner = indent_of(next) > indent;
            let nested = item(next).is_some() && indent_of(next) >= indent + 2;
            let goes_on =
                !next.trim().is_empty() && (nested || inner && item(next).is_none() || !inner && !starts_other(next));
            if !goes_on || is_placeholder(next.trim()) {
                break;
            }
            lines.push(next.trim().to_owned());
            self.at += 1;
        }
        Kind::Item(lines)
    }

    /// Lines up to one that ends the block. The first `sure` ones belong to it whatever they are; `keep` says whether they
    /// are kept.
    fn take_while(&mut self, sure: usize, keep: impl Fn(usize) -> bool, ends: impl Fn(&str) -> bool) -> Vec<String> {
        let mut taken = Vec::new();
        for index in 0.. {
            let Some(line) = self.lines.get(self.at).copied() else { break };
            if index >= sure && ends(line) {
                break;
            }
            if index >= sure || keep(index) {
                taken.push(line.trim_end().to_owned());
            }
            self.at += 1;
        }
        taken
    }

    fn take_through(&mut self, last: impl Fn(&str) -> bool) -> Vec<String> {
        let rest = &self.lines[self.at..];
        let count = rest.iter().position(|line| last(line)).map_or(rest.len(), |at| at + 1);
        self.at += count;
        rest[..count].iter().map(|line| line.trim_end().to_owned()).collect()
    }
}

/// Whether a line begins a block of its own, so that the prose before it ends.
fn starts_other(line: &str) -> bool {
    let trimmed = line.trim();
    is_separator(trimmed)
        || trimmed.starts_with("<!--")
        || fence(trimmed).is_some()
        || is_placeholder(trimmed)
        || heading(line).is_some()
        || item(line).is_some()
        || label(trimmed).is_some()
}

fn ends_examples(line: &str) -> bool {
    let named_output = line.trim_start_matches(['#', '*', ' ']).to_lowercase().starts_with("output:");
    let ends = |(kind, _): (SectionKind, String)| {
        let inside = [SectionKind::GroundTruth, SectionKind::SourceNarrative, SectionKind::CandidateOutput];
        !inside.contains(&kind) && !named_output
    };
    let labelled = line.split_whitespace().next().is_some_and(|word| word.ends_with(':'));
    let asks = !labelled && role_of(line) == Some(Role::AnswerFormat);
    is_separator(line.trim()) || asks || heading(line).is_some_and(ends)
}

/// The heading of the canonical structure on a line, and what stands after its colon.
fn heading(line: &str) -> Option<(SectionKind, String)> {
    if !super::super::prompt_file::is_heading(line) {
        return None;
    }
    let prompt = BehaviourPrompt::read_leniently(line, &mut Problems::default());
    let section = prompt.sections().next()?;
    let rest = section.written().trim().to_owned();
    (section.kind != SectionKind::AnswerFormat || introduces_form(&rest)).then_some((section.kind, rest))
}

/// Whether what stands after `Output:` and its like can be the form of an answer, and not an output.
fn introduces_form(rest: &str) -> bool {
    static FORM: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)json|[{]|true|false|yes|boolean|format|pass"));
    rest.is_empty() || FORM.is_match(rest)
}

static EXAMPLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)^[#* ]*(few-shot )?examples?( \d+)?( \([^)]*\))?:?[* ]*$"));

fn fence(trimmed: &str) -> Option<&'static str> {
    ["```", "~~~"].into_iter().find(|fence| trimmed.starts_with(fence))
}

fn is_separator(trimmed: &str) -> bool {
    static SEPARATOR: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^(-\s*){3,}$|^(\*\s*){3,}$|^(_\s*){3,}$|^(=\s*){3,}$"));
    // A tag that names nothing, or closes what another opened, divides as a line does.
    let tag = |name: &str| trimmed.starts_with("</") || role_of_label(&name.replace(['_', '-'], " ")).is_none();
    SEPARATOR.is_match(trimmed) || tag_alone(trimmed).is_some_and(tag)
}

/// The text of a list item on a line.
fn item(line: &str) -> Option<&str> {
    static ITEM: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^\s*(?:[-*+•–—·◦‣▪●○]\s+|[-•]\b{start-half}|\(?\d{1,3}[.)]\s+)(\S.*)$"));
    ITEM.captures(line).and_then(|found| found.get(1)).map(|text| text.as_str().trim_end())
}

/// The name of a tag that stands alone on its line.
pub(super) fn tag_alone(trimmed: &str) -> Option<&str> {
    static TAG: LazyLock<Regex> = LazyLock::new(|| pattern(r"^</?\s*([A-Za-z][\w-]*)\s*/?>$"));
    TAG.captures(trimmed).and_then(|found| found.get(1)).map(|name| name.as_str())
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// A label: a Markdown heading, a tag alone, a line that ends in a colon, or words before a colon that older prompts use
/// as headings.
fn label(trimmed: &str) -> Option<(String, String)> {
    if let Some(tag) = tag_alone(trimmed) {
        return Some((tag.replace(['_', '-'], " "), String::new()));
    }
    let bare = trimmed.trim_matches(['#', '*', ' ']);
    if trimmed.starts_with('#') && trimmed.trim_start_matches('#').starts_with(' ') {
        return Some((bare.trim_end_matches([':', '*']).to_owned(), String::new()));
    }
    let (head, rest) = bare.split_once(':')?;
    let (head, rest) = (head.trim_matches(['*', ' ', '_']), rest.trim_matches(['*', ' ']));
    let words = head.split_whitespace().count();
    if rest.is_empty() {
        return (words <= 16 && !head.contains(". ")).then(|| (head.to_owned(), String::new()));
    }
    let answer = role_of_label(head) == Some(Role::AnswerFormat);
    (words <= 7 && is_pure(head) && (!answer || introduces_form(rest))).then(|| (head.to_owned(), rest.to_owned()))
}

/// Whether a label is nothing but a name for what stands under it, so that its words need not be kept.
pub(super) fn is_pure(label: &str) -> bool {
    static PURE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"(?i)^(",
            r"((the|an?) (\w+ )?\w+ )?(should |must |will )?(be )?(automatically |immediately )?",
            r"(fails?|failed|passe?s?|passed|rejected|reject|marked as (in)?correct|mark (it )?as (incorrect|correct|true|false|failed|passed)",
            r"|return (true|false|pass|fail)|answer (yes|no)|is (in)?correct|(in)?correct)( it)?( only)? (if|when|where|for|on)",
            r"( any| all| one)?( of)?( the following| these)?( is| are| hold| holds)?( true)?",
            r"|focus( specifically| only)? on( the following)?|look (at|for)( the following)?|consider( the following)?|pay attention to( the following)?|evaluate the following",
            r"|(please )?(do not|don't) (consider|penali[sz]e|evaluate|look at)( the following)?|disregard( the following)?|what to (check|ignore|look at|look for)",
            r"|(acceptable|also acceptable|allowed|acceptable differences|tolerances|allowances|may differ)|(if|when) (unsure|uncertain|in doubt)",
            r"|notes?|role|persona|context|background|instructions?|task|your task|goal|objective|question|purpose|rules?|user|human|prompt|system",
            r"|criteria|evaluation criteria|acceptance criteria|requirements|conditions|fail(ure)?( criteria| conditions| modes)?|failures|pass( criteria| conditions)?|red flags",
            r"|in scope|out of scope|exclusions|inputs?|data|output|format|response|answer|return|(output|answer|response) format",
            r")$"
        ))
    });
    PURE.is_match(label.trim())
}

/// An input of the old template: placeholders alone, with a label or tags at most.
pub(super) fn is_placeholder(line: &str) -> bool {
    static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r#"^[#*_ -]*(<[\w ]+>\s*)?([\w' -]{1,40}[:=]\s*)?[*_ ]*["'`<]*(\{\{?\s*[\w.]+\s*\}?\}|\$\{?\w+\}?|<<\s*\w+\s*>>)["'`>]*\s*(</[\w ]+>)?$"#,
        )
    });
    PLACEHOLDER.is_match(line)
}

pub(super) fn pattern(pattern: &str) -> Regex {
    #[expect(clippy::unwrap_used, reason = "a constant pattern")]
    Regex::new(pattern).unwrap()
}
