//! From lines to parts.

use super::heading::{self, Found};
use super::line::{self, Line};
use super::{BehaviourPrompt, Block, Item, Part, Passage, Section, SectionKind, WrittenLine};
use assize_core::document::{Problems, Span, closest};
use std::collections::HashMap;

pub(super) fn parse(text: &str, problems: &mut Problems) -> BehaviourPrompt {
    let lines = line::split(text, problems);
    let mut reader = Reader::default();
    for (index, line) in lines.iter().enumerate() {
        reader.line(line, &lines[index + 1..], problems);
    }
    reader.close();
    if reader.parts.is_empty() && problems.is_empty() {
        problems.report(Span::at(1, 1), "the file is empty");
    }
    BehaviourPrompt { parts: reader.parts }
}

#[derive(Default)]
struct Reader {
    parts: Vec<Part>,
    /// The section being read, with its blocks not nested yet.
    open: Option<Open>,
    /// Where each kind of section was first seen.
    seen: HashMap<SectionKind, Span>,
    after_blank: bool,
    fenced: bool,
    /// Whether the stray line before this one was reported already.
    stray: bool,
}

struct Open {
    kind: SectionKind,
    heading: Option<WrittenLine>,
    blocks: Vec<Flat>,
}

/// A block before nesting.
enum Flat {
    Paragraph(Passage),
    Item { indent: usize, item: Item },
    Comment(WrittenLine),
}

impl Reader {
    fn line(&mut self, line: &Line, following: &[Line], problems: &mut Problems) {
        for comment in &line.comments {
            self.comment(comment);
        }
        let Some(rest) = &line.rest else {
            if line.is_blank() {
                self.after_blank = true;
                self.stray = false;
            }
            return;
        };
        let fence = rest.text.starts_with("```") || rest.text.starts_with("~~~");
        if fence || self.fenced {
            if fence {
                self.fenced = !self.fenced;
            }
            self.prose(rest, problems);
        } else if is_separator(&rest.text) {
            self.close();
            self.parts.push(Part::Separator(rest.clone()));
        } else if let Some(found) = heading::find(line).filter(|found| self.admits(found.kind)) {
            self.heading(rest, &found, problems);
        } else if self.starts_answer_format(rest, following) {
            self.close();
            self.note(SectionKind::AnswerFormat, rest.span, problems);
            self.open = Some(Open { kind: SectionKind::AnswerFormat, heading: None, blocks: Vec::new() });
            self.prose(rest, problems);
        } else if heading::is_shaped_like_one(line) && self.rejects_unknown_headings() {
            unknown_heading(rest, problems);
        } else if let Some((mark, number)) = mark_of(&rest.written) {
            self.item(line.indent, rest, mark, number, problems);
        } else {
            self.continuation_or_prose(line.indent, rest, problems);
        }
        self.after_blank = false;
    }

    /// Whether a heading of this kind can open a section here. A system block runs up to the separator or the BEHAVIOR
    /// line; what looks like a heading inside it is its text.
    fn admits(&self, kind: SectionKind) -> bool {
        match self.open.as_ref().map(|open| open.kind) {
            Some(SectionKind::System) => kind == SectionKind::Behaviour,
            Some(SectionKind::AnswerFormat) => {
                !matches!(kind, SectionKind::Include | SectionKind::Ignore | SectionKind::AnswerFormat)
            }
            _ => true,
        }
    }

    fn rejects_unknown_headings(&self) -> bool {
        self.open.as_ref().is_none_or(|open| {
            !open.kind.is_input()
                && !matches!(open.kind, SectionKind::System | SectionKind::Examples | SectionKind::AnswerFormat)
        })
    }

    fn note(&mut self, kind: SectionKind, span: Span, problems: &mut Problems) {
        match self.seen.get(&kind) {
            // A second BEHAVIOR is told apart by its own message.
            Some(_) if kind == SectionKind::Behaviour => {}
            Some(first) => problems.report_with_help(
                span,
                format!("a second `{}`; the first is on line {}", kind.title(), first.line),
                "put both under one heading, or write two files if they are two behaviours",
            ),
            None => {
                self.seen.insert(kind, span);
            }
        }
    }

    fn heading(&mut self, rest: &WrittenLine, found: &Found, problems: &mut Problems) {
        self.close();
        let written = rest.written[..found.length].trim_end().to_owned();
        let length = u32::try_from(written.chars().count()).unwrap_or(u32::MAX);
        let text = line::without_comments(&written);
        let heading = WrittenLine { written, text, span: Span { length, ..rest.span } };
        self.note(found.kind, heading.span, problems);
        self.open = Some(Open { kind: found.kind, heading: Some(heading), blocks: Vec::new() });
        self.stray = false;
        if let Some(inline) = line::after(rest, found.length) {
            if inline.text.is_empty() {
                self.comment(&inline);
            } else {
                self.prose(&inline, problems);
            }
        }
    }

    fn comment(&mut self, comment: &WrittenLine) {
        let Some(open) = &mut self.open else {
            self.parts.push(Part::Comment(comment.clone()));
            return;
        };
        match open.blocks.last_mut() {
            Some(Flat::Item { item, .. }) => item.text.lines.push(comment.clone()),
            _ => open.blocks.push(Flat::Comment(comment.clone())),
        }
    }

    fn item(&mut self, indent: usize, rest: &WrittenLine, mark: usize, number: Option<u32>, problems: &mut Problems) {
        let Some(open) = &mut self.open else { return self.stray(rest, problems) };
        let written_mark = rest.written[..mark].to_owned();
        let mark_length = u32::try_from(written_mark.chars().count()).unwrap_or(1);
        let mark_span = Span { length: mark_length, ..rest.span };
        let text = line::after(rest, mark);
        let span = text.as_ref().map_or(mark_span, |text| text.span);
        let example = text.as_ref().is_some_and(|text| is_example(&text.text));
        let text = Passage { lines: text.into_iter().collect() };
        let item = Item { mark: written_mark, number, example, span, mark_span, text, children: Vec::new() };
        open.blocks.push(Flat::Item { indent, item });
    }

    fn continuation_or_prose(&mut self, indent: usize, rest: &WrittenLine, problems: &mut Problems) {
        if let Some(open) = &mut self.open
            && let Some(Flat::Item { indent: item_indent, item }) = open.blocks.last_mut()
            && (!self.after_blank || indent > *item_indent)
        {
            item.text.lines.push(rest.clone());
            return;
        }
        self.prose(rest, problems);
    }

    fn prose(&mut self, rest: &WrittenLine, problems: &mut Problems) {
        let Some(open) = &mut self.open else { return self.stray(rest, problems) };
        match open.blocks.last_mut() {
            Some(Flat::Paragraph(passage)) if !self.after_blank || self.fenced => passage.lines.push(rest.clone()),
            _ => open.blocks.push(Flat::Paragraph(Passage { lines: vec![rest.clone()] })),
        }
    }

    fn stray(&mut self, rest: &WrittenLine, problems: &mut Problems) {
        if !self.stray {
            problems.report_with_help(
                rest.span,
                "text outside any section of a behaviour prompt",
                "start the file with `SYSTEM:` and put every part under its heading; `assize migrate` rewrites old prompts",
            );
        }
        self.stray = true;
    }

    /// A closing paragraph that restates the form of the answer, wherever a section that is filled has ended.
    fn starts_answer_format(&self, rest: &WrittenLine, following: &[Line]) -> bool {
        const OPENINGS: [&str; 14] = [
            "return",
            "respond",
            "output",
            "answer",
            "reply",
            "provide",
            "produce",
            "give your",
            "your response",
            "your answer",
            "your output",
            "format your",
            "final answer",
            "only return",
        ];
        let place = match &self.open {
            None => self.parts.iter().any(|part| matches!(part, Part::Section(_))),
            Some(open) => {
                let filled = !open.blocks.is_empty();
                filled
                    && (open.kind.is_input()
                        || self.after_blank
                            && open.kind >= SectionKind::Rubric
                            && open.kind != SectionKind::AnswerFormat)
            }
        };
        let lower = rest.text.to_lowercase();
        let lower = lower.trim_start_matches(['*', '_', '`', '#', ' ']);
        if !place || !OPENINGS.iter().any(|opening| lower.starts_with(opening)) {
            return false;
        }
        let mut paragraph = lower.to_owned();
        for line in following.iter().take(6).map_while(|line| line.rest.as_ref()) {
            paragraph.push(' ');
            paragraph.push_str(&line.text.to_lowercase());
        }
        paragraph.contains("json")
            || paragraph.contains('{')
            || paragraph.contains("pass") && paragraph.contains("reason")
    }

    fn close(&mut self) {
        self.after_blank = false;
        if let Some(open) = self.open.take() {
            let blocks = nest(open.blocks);
            self.parts.push(Part::Section(Section { kind: open.kind, heading: open.heading, blocks }));
        }
    }
}

fn unknown_heading(rest: &WrittenLine, problems: &mut Problems) {
    let name = rest.text.trim_matches(['#', '*', '_', ':', ' ']);
    let message = format!("`{name}` is no heading of a behaviour prompt");
    let help = match closest(name, heading::known()) {
        Some(known) => format!("did you mean `{known}`?"),
        None => {
            "the headings are BEHAVIOR, DESCRIPTION, EVALUATION SCOPE, RUBRIC with its four parts, EXAMPLES and INPUTS"
                .to_owned()
        }
    };
    problems.report_with_help(rest.span, message, help);
}

fn is_separator(text: &str) -> bool {
    let mut characters = text.chars().filter(|character| !character.is_whitespace());
    let Some(first) = characters.next() else { return false };
    "-*_=".contains(first) && text.chars().filter(|c| !c.is_whitespace()).count() >= 3 && characters.all(|c| c == first)
}

/// The length of the mark that starts a list item, and its number.
fn mark_of(text: &str) -> Option<(usize, Option<u32>)> {
    let first = text.chars().next()?;
    let rest = &text[first.len_utf8()..];
    match first {
        '-' | '+' | '*' if rest.is_empty() || rest.starts_with([' ', '\t', '\u{a0}']) => return Some((1, None)),
        '-' if rest.starts_with(char::is_alphabetic) => return Some((1, None)),
        '•' | '–' | '—' | '·' | '◦' | '‣' | '▪' | '●' | '○' => return Some((first.len_utf8(), None)),
        _ => {}
    }
    let open = usize::from(first == '(');
    let digits = text[open..].bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=3).contains(&digits) {
        return None;
    }
    let end = open + digits;
    let closing = text[end..].chars().next()?;
    let closed = if open == 1 { closing == ')' } else { matches!(closing, '.' | ')') };
    let after = &text[end + closing.len_utf8()..];
    // `1.5 mg` is a number, not an item.
    let spaced = after.is_empty() || after.starts_with(char::is_whitespace);
    (closed && spaced).then(|| (end + 1, text[open..end].parse().ok()))
}

/// `Example: …`, `**Example 2:** …`, `e.g. …`, `For example: …`
fn is_example(text: &str) -> bool {
    let text = text.trim_start_matches(['*', '_', '(', '"']).to_lowercase();
    let Some(rest) = ["for example", "examples", "example", "e.g."].iter().find_map(|word| text.strip_prefix(word))
    else {
        return false;
    };
    let head: String = rest.chars().take(30).take_while(|character| *character != ':').collect();
    text.starts_with("e.g.") || text.starts_with("for example") || rest.len() > head.len() && head.len() < 30
}

/// Puts items under the items they belong to.
fn nest(flat: Vec<Flat>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    // The chain of items that a next one could belong to: indentation and item, outermost first.
    let mut chain: Vec<(usize, Item)> = Vec::new();
    for block in flat {
        match block {
            Flat::Item { indent, item } => {
                while chain.last().is_some_and(|(above, parent)| !belongs(indent, &item, *above, parent)) {
                    fold(&mut chain, &mut blocks);
                }
                chain.push((indent, item));
            }
            Flat::Paragraph(passage) => {
                drain(&mut chain, &mut blocks);
                blocks.push(Block::Paragraph(passage));
            }
            Flat::Comment(line) => {
                drain(&mut chain, &mut blocks);
                blocks.push(Block::Comment(line));
            }
        }
    }
    drain(&mut chain, &mut blocks);
    blocks
}

/// Whether an item belongs to the one above: it is indented, or it is a bullet under a number, or an example.
fn belongs(indent: usize, item: &Item, above: usize, parent: &Item) -> bool {
    indent >= above + 2
        || indent >= above && item.number.is_none() && parent.number.is_some()
        || indent >= above && item.example && !parent.example
}

fn fold(chain: &mut Vec<(usize, Item)>, blocks: &mut Vec<Block>) {
    if let Some((_, item)) = chain.pop() {
        match chain.last_mut() {
            Some((_, parent)) => parent.children.push(item),
            None => blocks.push(Block::Item(item)),
        }
    }
}

fn drain(chain: &mut Vec<(usize, Item)>, blocks: &mut Vec<Block>) {
    while !chain.is_empty() {
        fold(chain, blocks);
    }
}
