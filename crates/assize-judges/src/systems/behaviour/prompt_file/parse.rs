//! From lines to parts.

use super::conservation::{self, is_placeholder};
use super::heading::{self, Found};
use super::line::{self, Line};
use super::{BehaviourPrompt, Block, Item, Part, Passage, Section, SectionKind, WrittenLine};
use assize_core::document::{Problems, Span, closest};
use regex::Regex;
use std::collections::HashMap;
use std::sync::LazyLock;

pub(super) fn parse(text: &str, problems: &mut Problems) -> BehaviourPrompt {
    let lines = line::split(text, problems);
    let is_inputs = |line: &Line| heading::find(line).is_some_and(|found| is_inputs_heading(&found));
    let mut reader = Reader { has_inputs: lines.iter().any(is_inputs), ..Reader::default() };
    for (index, line) in lines.iter().enumerate() {
        reader.line(line, &lines[index + 1..], problems);
    }
    reader.close();
    if reader.parts.is_empty() && problems.is_empty() {
        problems.report(Span::at(1, 1), "the file is empty");
    }
    let lines = conservation::lines_of(text, &reader.parts, problems);
    BehaviourPrompt { parts: reader.parts, lines }
}

fn is_inputs_heading(found: &Found) -> bool {
    found.kind == SectionKind::Inputs && found.inline.is_empty()
}

#[derive(Default)]
struct Reader {
    parts: Vec<Part>,
    /// The section being read, with its blocks not nested yet.
    open: Option<Open>,
    /// Where each kind of section was first seen.
    seen: HashMap<SectionKind, Span>,
    /// Whether the file has an INPUTS heading, without which no input is looked for before it.
    has_inputs: bool,
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
        } else if is_separator(&rest.text) && !self.separates_examples(following) {
            self.close();
            self.parts.push(Part::Separator(rest.clone()));
        } else if let Some(found) = heading::find(line).filter(|found| self.opens(found, line.indent, following)) {
            self.heading(rest, &found, problems);
        } else if self.starts_answer_format(rest, following) {
            self.close();
            self.note(SectionKind::AnswerFormat, rest.span, problems);
            self.open = Some(Open { kind: SectionKind::AnswerFormat, heading: None, blocks: Vec::new() });
            self.prose(rest, problems);
        } else {
            if self.leaves_answer_format(rest, following) {
                self.resume_rubric();
            }
            let unknown = heading::is_shaped_like_one(line) && heading::find(line).is_none();
            if unknown && self.rejects_unknown_headings() {
                unknown_heading(rest, problems);
            } else if let Some((mark, number)) = mark_of(&rest.written) {
                self.item(line.indent, rest, mark, number, problems);
            } else {
                self.continuation_or_prose(line.indent, rest, problems);
            }
        }
        self.after_blank = false;
    }

    fn kind(&self) -> Option<SectionKind> {
        self.open.as_ref().map(|open| open.kind)
    }

    /// Whether a new block starts here, and no text goes on.
    fn starts_block(&self) -> bool {
        self.after_blank || self.open.as_ref().is_none_or(|open| open.blocks.is_empty())
    }

    /// Whether a line with the words of a heading is one here. Words at the start of a line are not enough: a heading has
    /// a heading's shape, or a place where one is due.
    fn opens(&self, found: &Found, indent: usize, following: &[Line]) -> bool {
        let kind = found.kind;
        let within_item = self.open.as_ref().and_then(|open| match open.blocks.last()? {
            Flat::Item { indent, .. } => Some(*indent),
            _ => None,
        });
        if within_item.is_some_and(|item| indent >= item + 2) {
            return false;
        }
        let alone = found.inline.is_empty();
        let new = !self.seen.contains_key(&kind);
        match (self.kind(), kind) {
            // A system block runs up to the separator or the BEHAVIOR line.
            (Some(SectionKind::System), _) if kind != SectionKind::Behaviour => false,
            (_, SectionKind::Behaviour) => found.clear || found.colon && self.starts_block() && is_id(&found.inline),
            (_, SectionKind::System) => found.clear || self.seen.is_empty(),
            (open, SectionKind::Inputs) => {
                let last = || !following.iter().filter_map(heading::find).any(|later| is_inputs_heading(&later));
                let input_follows = || next(following).and_then(heading::find).is_some_and(|next| next.kind.is_input());
                alone
                    && (open != Some(SectionKind::Examples) || last())
                    && (found.clear || open.is_none() || input_follows())
            }
            (Some(open), _) if kind.is_input() && open.is_input() => found.clear || new,
            // Without INPUTS, an input is only what cannot be a sentence of the rubric.
            (open, _) if kind.is_input() => {
                let after_rubric = [SectionKind::PassConditions, SectionKind::AutomaticFail];
                !self.has_inputs
                    && found.clear
                    && is_placeholder(&found.inline)
                    && open != Some(SectionKind::Examples)
                    && after_rubric.iter().any(|kind| self.seen.contains_key(kind))
            }
            (open, SectionKind::AnswerFormat) => {
                let place = open != Some(SectionKind::AnswerFormat)
                    && (found.clear || open != Some(SectionKind::Examples))
                    && self.seen.keys().any(|kind| kind.is_rubric());
                // In the middle of the rubric only a clear heading is one.
                let ends = found.clear || closes_rubric(following);
                place
                    && ends
                    && self.starts_block()
                    && (speaks_of_answer(&found.inline) || section_speaks_of_answer(following))
            }
            (Some(SectionKind::Examples), _) if !found.clear => new && alone,
            (Some(SectionKind::AnswerFormat), SectionKind::Include | SectionKind::Ignore) => new && alone,
            _ if found.clear => true,
            (Some(open), _) if open.is_input() => alone,
            // Without a colon it may be the start of a sentence, unless a list follows.
            _ if !found.colon => {
                let list = next(following).and_then(|line| line.rest.as_ref()).and_then(|rest| mark_of(&rest.written));
                self.starts_block() && (list.is_some() || matches!(kind, SectionKind::Scope | SectionKind::Rubric))
            }
            _ if alone => found.capital || self.starts_block(),
            (
                Some(SectionKind::Scope | SectionKind::Include | SectionKind::Ignore),
                SectionKind::Include | SectionKind::Ignore,
            ) => new,
            _ => new && self.starts_block(),
        }
    }

    /// Whether a line such as `---` parts two examples, and does not end them.
    fn separates_examples(&self, following: &[Line]) -> bool {
        let Some(next) = next(following).filter(|_| self.kind() == Some(SectionKind::Examples)) else { return false };
        let text = next.rest.as_ref().map_or("", |rest| &rest.text);
        match heading::find(next) {
            Some(found) if found.kind.is_input() && found.kind != SectionKind::Inputs => self.has_inputs,
            Some(found) => !found.clear && self.seen.contains_key(&found.kind),
            None => !asks_for_answer(text, next_lines(following)),
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

    /// A closing paragraph that restates the form of the answer, after which nothing else comes before the inputs.
    fn starts_answer_format(&self, rest: &WrittenLine, following: &[Line]) -> bool {
        let place = match &self.open {
            None => self.parts.iter().any(|part| matches!(part, Part::Section(_))),
            Some(open) => {
                let part = SectionKind::Rubric..SectionKind::Examples;
                !open.blocks.is_empty() && (open.kind.is_input() || self.after_blank && part.contains(&open.kind))
            }
        };
        place && asks_for_answer(&rest.text, following) && closes_rubric(following)
    }

    /// Whether a new block in the answer format says something else.
    fn leaves_answer_format(&self, rest: &WrittenLine, following: &[Line]) -> bool {
        self.kind() == Some(SectionKind::AnswerFormat) && self.after_blank && !is_of_answer(&block(rest, following))
    }

    /// Goes on with the section before the answer format.
    fn resume_rubric(&mut self) {
        self.close();
        let before = self.parts.iter().rev().find_map(|part| match part {
            Part::Section(section) if section.kind.is_rubric() => Some(section.kind),
            _ => None,
        });
        self.open = before.map(|kind| Open { kind, heading: None, blocks: Vec::new() });
    }

    fn close(&mut self) {
        self.after_blank = false;
        if let Some(open) = self.open.take() {
            let blocks = nest(open.blocks);
            self.parts.push(Part::Section(Section { kind: open.kind, heading: open.heading, blocks }));
        }
    }
}

/// The next line that is not blank.
fn next(following: &[Line]) -> Option<&Line> {
    following.iter().find(|line| line.rest.is_some())
}

/// What follows the next line that is not blank.
fn next_lines(following: &[Line]) -> &[Line] {
    let at = following.iter().position(|line| line.rest.is_some()).map_or(following.len(), |at| at + 1);
    &following[at..]
}

/// A line and those after it up to a blank one.
fn block(rest: &WrittenLine, following: &[Line]) -> String {
    let mut text = rest.text.clone();
    for line in following.iter().map_while(|line| line.rest.as_ref()) {
        text.push('\n');
        text.push_str(&line.text);
    }
    text
}

/// Whether a block starts by asking for an answer, and speaks of its form.
fn asks_for_answer(text: &str, following: &[Line]) -> bool {
    static OPENING: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"(?i)^[*_`# ]*(only )?(return|respond|reply|answer|provide|produce|give your|format your|final answer|your (response|answer|output)|output(:| only| a | an | the | your | json))",
        )
    });
    let rest = WrittenLine { written: String::new(), text: text.to_owned(), span: Span::at(1, 1) };
    OPENING.is_match(text) && speaks_of_answer(&block(&rest, following).lines().take(7).collect::<Vec<_>>().join("\n"))
}

/// Whether a text says what form the answer has.
fn speaks_of_answer(text: &str) -> bool {
    static FORM: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?is)\bjson\b|\{|[`"']pass[`"'].*[`"']reason[`"']"#));
    FORM.is_match(text)
}

/// Whether the text up to the next heading says what form the answer has.
fn section_speaks_of_answer(following: &[Line]) -> bool {
    let lines = following.iter().take_while(|line| {
        heading::find(line).is_none() && !line.rest.as_ref().is_some_and(|rest| is_separator(&rest.text))
    });
    lines.filter_map(|line| line.rest.as_ref()).any(|rest| speaks_of_answer(&rest.text))
}

/// Whether a block belongs to a description of the answer.
fn is_of_answer(text: &str) -> bool {
    static PART: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r#"(?i)^[-*•+ ]*[`"'*]*(pass|reason|score|confidence|uncertain|applicable)\b[`"'*]*\s*[:(=–-]|^[\[{}"`~]|\b(no|any|other|extra|additional) (text|words|prose|commentary|markdown|keys?|fields?)\b|\bnothing else\b|\bbefore or after\b"#,
        )
    });
    speaks_of_answer(text) || PART.is_match(text)
}

/// Whether all that comes before the inputs, or the end, belongs to a description of the answer.
fn closes_rubric(following: &[Line]) -> bool {
    let (mut after_blank, mut fenced) = (false, false);
    for (index, line) in following.iter().enumerate() {
        let Some(rest) = &line.rest else {
            after_blank = true;
            continue;
        };
        if rest.text.starts_with("```") || rest.text.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced {
            if let Some(found) = heading::find(line) {
                // What comes after INPUTS is not the rubric's.
                return found.kind.is_input();
            }
            let says_more =
                after_blank && !is_separator(&rest.text) && !is_of_answer(&block(rest, &following[index + 1..]));
            if says_more {
                return false;
            }
        }
        after_blank = false;
    }
    true
}

fn pattern(text: &str) -> Regex {
    #[expect(clippy::unwrap_used, reason = "constant patterns")]
    Regex::new(text).unwrap()
}

/// Whether a text is one word, as ids are, or nothing: the id may stand on the next line.
fn is_id(text: &str) -> bool {
    !text.trim().contains(char::is_whitespace)
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
pub(super) fn mark_of(text: &str) -> Option<(usize, Option<u32>)> {
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
