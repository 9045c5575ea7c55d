//! What becomes of every line of a prompt file: nothing in it is lost without a word.
//!
//! The uses follow from the parts that were read, not from the text, so that a line the reader passed over has none. Such a
//! line is an error.

use super::{Block, Item, Part, Section, SectionKind, WrittenLine};
use assize_core::document::{Problems, Span};

/// A line of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// Its number, from 1.
    pub number: u32,
    /// As written, trimmed.
    pub written: String,
    /// What becomes of it.
    pub usage: LineUse,
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineUse {
    /// It gives the file its structure and says nothing: blank lines, `---`, the headings of SYSTEM and INPUTS,
    /// placeholders, switches of the linter.
    Metadata,
    /// It does not reach the model.
    NotSent(NotSent),
    /// It is part of the question.
    Sent,
}

/// Why a line does not reach the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotSent {
    /// A comment.
    Comment,
    /// Text in the INPUTS block.
    Inputs,
    /// The form of the answer.
    AnswerFormat,
    /// An example beyond those that are shown.
    FurtherExample,
    /// An example of a benchmark whose prompt has its own.
    OtherExamples,
    /// No model is asked.
    NoModel,
    /// A field that has no meaning here.
    Unused,
    /// It could not be read, which is an error.
    Unread,
}

impl NotSent {
    /// The reason, as it goes on after "not sent:".
    pub fn reason(self) -> &'static str {
        match self {
            Self::Comment => "a comment",
            Self::Inputs => "the case takes the place of the INPUTS block",
            Self::AnswerFormat => "the form of the answer is fixed by its schema",
            Self::FurtherExample => "only the first examples are shown (`few_shot`)",
            Self::OtherExamples => "the prompt has EXAMPLES of its own",
            Self::NoModel => "no model is asked",
            Self::Unused => "kept, but not used",
            Self::Unread => "it cannot be read",
        }
    }
}

/// Every line of a text with its use. A line that no part holds is reported, unless something else was already.
pub(super) fn lines_of(text: &str, parts: &[Part], problems: &mut Problems) -> Vec<SourceLine> {
    let mut lines: Vec<(SourceLine, bool)> = (1..)
        .zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines())
        .map(|(number, line)| {
            let written = line.trim().to_owned();
            let read = written.is_empty();
            (SourceLine { number, written, usage: LineUse::Metadata }, read)
        })
        .collect();
    let mut mark = |span: Span, usage: LineUse| {
        if let Some((line, read)) = (span.line as usize).checked_sub(1).and_then(|index| lines.get_mut(index)) {
            line.usage = line.usage.max(usage);
            *read = true;
        }
    };
    for part in parts {
        match part {
            Part::Separator(line) => mark(line.span, LineUse::Metadata),
            Part::Comment(line) => mark(line.span, comment_use(line)),
            Part::Section(section) => mark_section(section, &mut mark),
        }
    }
    let sound = problems.is_empty();
    lines
        .into_iter()
        .map(|(mut line, read)| {
            if !read {
                line.usage = LineUse::NotSent(NotSent::Unread);
                if sound {
                    problems.report(Span::at(line.number, 1), "this line cannot be placed in the prompt");
                }
            }
            line
        })
        .collect()
}

fn mark_section(section: &Section, mark: &mut impl FnMut(Span, LineUse)) {
    if let Some(heading) = &section.heading {
        let usage = match section.kind {
            SectionKind::AnswerFormat => LineUse::NotSent(NotSent::AnswerFormat),
            kind if kind.is_rubric() => LineUse::Sent,
            _ => LineUse::Metadata,
        };
        mark(heading.span, usage);
    }
    for block in &section.blocks {
        match block {
            Block::Comment(line) => mark(line.span, comment_use(line)),
            Block::Paragraph(passage) => {
                passage.lines.iter().for_each(|line| mark(line.span, use_of(section.kind, line)))
            }
            Block::Item(item) => mark_item(section.kind, item, mark),
        }
    }
}

fn mark_item(kind: SectionKind, item: &Item, mark: &mut impl FnMut(Span, LineUse)) {
    let usage = match kind {
        SectionKind::AnswerFormat => LineUse::NotSent(NotSent::AnswerFormat),
        kind if kind.is_input() => LineUse::NotSent(NotSent::Inputs),
        _ => LineUse::Sent,
    };
    mark(item.mark_span, usage);
    item.text.lines.iter().for_each(|line| mark(line.span, use_of(kind, line)));
    item.children.iter().for_each(|child| mark_item(kind, child, mark));
}

fn use_of(kind: SectionKind, line: &WrittenLine) -> LineUse {
    match kind {
        _ if line.text.is_empty() => comment_use(line),
        SectionKind::AnswerFormat => LineUse::NotSent(NotSent::AnswerFormat),
        kind if kind.is_input() && is_placeholder(&line.text) => LineUse::Metadata,
        kind if kind.is_input() => LineUse::NotSent(NotSent::Inputs),
        _ => LineUse::Sent,
    }
}

fn comment_use(line: &WrittenLine) -> LineUse {
    if line.written.contains("assize-lint:") { LineUse::Metadata } else { LineUse::NotSent(NotSent::Comment) }
}

/// `{ground_truth}`, `{{ note }}`, `<the output>`, `[output]`, and the fences people put around them.
pub(super) fn is_placeholder(text: &str) -> bool {
    let inner = text.trim_matches(['`', '"', '~', '$', ' ']);
    inner.is_empty()
        || [('{', '}'), ('<', '>'), ('[', ']')].iter().any(|(open, close)| {
            let inside = inner.strip_prefix(*open).and_then(|rest| rest.strip_suffix(*close));
            inside.is_some_and(|inside| {
                let inside = inside.trim_matches([*open, *close]);
                !inside.contains([*open, *close, ':'])
            })
        })
}

#[cfg(test)]
mod tests;
