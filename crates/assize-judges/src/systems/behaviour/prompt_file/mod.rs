//! A behaviour prompt (`*_prompt.md`) as a value, with the position of every part.
//!
//! The file is kept as the list of its parts in the order written, so that rendering gives the same file back apart
//! from whitespace, and a section out of order can be pointed at. The accessors give the typed view: the behaviour's
//! id, its scope, the automatic-fail bullets, the numbered pass conditions. Comments (`<!-- … -->`) stay in the file and
//! never reach a model.
//!
//! No line is lost: each is sent to the model, or metadata, or not sent for a reason ([`BehaviourPrompt::lines`]).

mod conservation;
mod heading;
mod line;
mod parse;
mod render;
#[cfg(test)]
mod tests;

pub use conservation::{LineUse, NotSent, SourceLine};
pub(super) use heading::is_heading;
pub use heading::looks_like_prompt;
pub use line::LineSwitch;

use assize_core::document::{Problems, Span};

/// A part of the canonical structure. The order of the variants is the canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SectionKind {
    /// `SYSTEM:`, the judge's standing instructions.
    System,
    /// `BEHAVIOR:`, the id.
    Behaviour,
    /// `DESCRIPTION:`, one sentence on what is evaluated.
    Description,
    /// `EVALUATION SCOPE:`, the heading over the two lists.
    Scope,
    /// `Include:`, what to examine.
    Include,
    /// `Ignore:`, what to leave out.
    Ignore,
    /// `RUBRIC`, the heading over the four parts that follow.
    Rubric,
    /// `Automatic fail …`, any one of which fails.
    AutomaticFail,
    /// `Pass conditions …`, all of which must hold.
    PassConditions,
    /// `Acceptable variations …`, which do not fail.
    AcceptableVariations,
    /// `Uncertainty policy:`, what to do when the evidence does not decide.
    UncertaintyPolicy,
    /// `EXAMPLES:`, one clear pass and one clear fail; optional.
    Examples,
    /// `INPUTS`, the heading over the three inputs.
    Inputs,
    /// `GROUND_TRUTH:`
    GroundTruth,
    /// `SOURCE_NARRATIVE:`
    SourceNarrative,
    /// `CANDIDATE_OUTPUT:`
    CandidateOutput,
    /// A closing line that restates the form of the answer; optional.
    AnswerFormat,
}

impl SectionKind {
    /// The heading in its canonical spelling, without a colon.
    pub fn title(self) -> &'static str {
        match self {
            Self::System => "SYSTEM",
            Self::Behaviour => "BEHAVIOR",
            Self::Description => "DESCRIPTION",
            Self::Scope => "EVALUATION SCOPE",
            Self::Include => "Include",
            Self::Ignore => "Ignore",
            Self::Rubric => "RUBRIC",
            Self::AutomaticFail => "Automatic fail if any of the following are true",
            Self::PassConditions => "Pass conditions (all must be satisfied)",
            Self::AcceptableVariations => "Acceptable variations (still treated as pass)",
            Self::UncertaintyPolicy => "Uncertainty policy",
            Self::Examples => "EXAMPLES",
            Self::Inputs => "INPUTS",
            Self::GroundTruth => "GROUND_TRUTH",
            Self::SourceNarrative => "SOURCE_NARRATIVE",
            Self::CandidateOutput => "CANDIDATE_OUTPUT",
            Self::AnswerFormat => "OUTPUT FORMAT",
        }
    }

    /// Whether it belongs to the inputs block, which is replaced by the case when the prompt is run.
    pub fn is_input(self) -> bool {
        matches!(self, Self::Inputs | Self::GroundTruth | Self::SourceNarrative | Self::CandidateOutput)
    }

    /// Whether it belongs to the rubric: everything but the system block, the inputs and the closing answer format.
    pub fn is_rubric(self) -> bool {
        self != Self::System && self != Self::AnswerFormat && !self.is_input()
    }
}

/// A behaviour prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviourPrompt {
    /// Everything in the file, in the order written.
    pub parts: Vec<Part>,
    /// Every line of the file with its use.
    pub lines: Vec<SourceLine>,
}

/// A part of the file at its top level.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A line such as `---`.
    Separator(WrittenLine),
    /// A comment outside any section.
    Comment(WrittenLine),
    /// A heading and what stands under it.
    Section(Section),
}

/// A heading and what stands under it.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Which one.
    pub kind: SectionKind,
    /// The heading's line up to and including its colon; `None` for a closing answer format that has no heading, and for
    /// what goes on after one.
    pub heading: Option<WrittenLine>,
    /// What stands under it, or after the colon.
    pub blocks: Vec<Block>,
}

/// What stands under a heading.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Lines of prose that belong together.
    Paragraph(Passage),
    /// A bullet or a numbered line, with what is nested under it.
    Item(Item),
    /// A line that is nothing but a comment.
    Comment(WrittenLine),
}

/// A bullet or a numbered line.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The mark as written: `-`, `•`, `2.`
    pub mark: String,
    /// The number, where the mark is one.
    pub number: Option<u32>,
    /// Whether it is an example that illustrates the item it is nested under.
    pub example: bool,
    /// Where the item's text starts, and how long its first line is.
    pub span: Span,
    /// Where the mark stands.
    pub mark_span: Span,
    /// The text, without the mark.
    pub text: Passage,
    /// Items that belong to this one.
    pub children: Vec<Item>,
}

/// One or more lines of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passage {
    /// The lines.
    pub lines: Vec<WrittenLine>,
}

/// A line, or the rest of one, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenLine {
    /// As written, trimmed.
    pub written: String,
    /// The same without comments: what a model is shown.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl Passage {
    /// The text in one line, without comments.
    pub fn joined(&self) -> String {
        let mut joined = String::new();
        for line in self.lines.iter().filter(|line| !line.text.is_empty()) {
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(&line.text);
        }
        joined
    }

    /// The place of the first line that says something.
    pub fn span(&self) -> Option<Span> {
        self.lines.iter().find(|line| !line.text.is_empty()).map(|line| line.span)
    }
}

impl Section {
    /// The items directly under the heading.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Item(item) => Some(item),
            _ => None,
        })
    }

    /// The paragraphs under the heading.
    pub fn paragraphs(&self) -> impl Iterator<Item = &Passage> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Paragraph(passage) => Some(passage),
            _ => None,
        })
    }

    /// The prose under the heading: paragraphs and items as lines, without comments.
    pub fn prose(&self) -> String {
        render::blocks_as_text(&self.blocks)
    }

    /// What stands under the heading as written, comments included, each block on its lines.
    pub fn written(&self) -> String {
        render::blocks_as_written(&self.blocks)
    }

    /// Whether nothing is written under the heading.
    pub fn is_empty(&self) -> bool {
        !self.blocks.iter().any(|block| match block {
            Block::Paragraph(passage) => passage.span().is_some(),
            Block::Item(_) => true,
            Block::Comment(_) => false,
        })
    }

    /// Where it starts: its heading, or its first line.
    pub fn span(&self) -> Span {
        let first = || {
            self.blocks.iter().find_map(|block| match block {
                Block::Paragraph(passage) => passage.lines.first().map(|line| line.span),
                Block::Item(item) => Some(item.mark_span),
                Block::Comment(line) => Some(line.span),
            })
        };
        self.heading.as_ref().map(|heading| heading.span).or_else(first).unwrap_or(Span::at(1, 1))
    }
}

impl BehaviourPrompt {
    /// Reads a prompt file. What cannot be read is reported with its place; `None` is returned only if something was.
    pub fn read(text: &str, problems: &mut Problems) -> Option<Self> {
        let before = problems.count();
        let prompt = Self::read_leniently(text, problems);
        prompt.check_runnable(problems);
        (problems.count() == before).then_some(prompt)
    }

    /// Reads as much of a prompt file as can be read. A linter goes on where a judge must not.
    pub fn read_leniently(text: &str, problems: &mut Problems) -> Self {
        parse::parse(text, problems)
    }

    /// Reports what a judge cannot do without: one behaviour, and a condition to hold it against.
    fn check_runnable(&self, problems: &mut Problems) {
        let mut behaviours = self.sections().filter(|section| section.kind == SectionKind::Behaviour);
        let Some(first) = behaviours.next() else {
            let help = "write `BEHAVIOR: the_id` under the system block; `assize migrate` rewrites old prompts";
            problems.report_with_help(Span::at(1, 1), "this prompt names no behaviour", help);
            return;
        };
        if self.behaviour_id().is_none() {
            problems.report_with_help(first.span(), "the behaviour has no id", "write `BEHAVIOR: the_id`");
        }
        if let Some(second) = behaviours.next() {
            let message = format!("a second behaviour in one file; the first is on line {}", first.span().line);
            problems.report_with_help(second.span(), message, "one judge answers one question: write a file for each");
        }
        let conditions = [SectionKind::PassConditions, SectionKind::AutomaticFail];
        if !conditions.iter().any(|kind| self.items(*kind).next().is_some()) {
            let message = "the prompt has neither pass conditions nor automatic fails";
            let help = "write `Pass conditions (all must be satisfied):` and a numbered list under it";
            problems.report_with_help(first.span(), message, help);
        }
    }

    /// The file again, in canonical whitespace.
    pub fn render(&self) -> String {
        render::render(self)
    }

    /// The sections, in the order written.
    pub fn sections(&self) -> impl Iterator<Item = &Section> {
        self.parts.iter().filter_map(|part| match part {
            Part::Section(section) => Some(section),
            _ => None,
        })
    }

    /// The first section of a kind.
    pub fn section(&self, kind: SectionKind) -> Option<&Section> {
        self.sections().find(|section| section.kind == kind)
    }

    /// The items under a heading; none where the section is missing.
    pub fn items(&self, kind: SectionKind) -> impl Iterator<Item = &Item> {
        self.sections().filter(move |section| section.kind == kind).flat_map(Section::items)
    }

    /// The standing instructions, where there are any.
    pub fn system(&self) -> Option<String> {
        self.section(SectionKind::System).map(Section::prose).filter(|text| !text.is_empty())
    }

    /// The behaviour's id.
    pub fn behaviour_id(&self) -> Option<&str> {
        self.id_line().map(|line| trim_id(&line.text))
    }

    /// Where the behaviour's id stands.
    pub fn behaviour_id_span(&self) -> Option<Span> {
        self.id_line().map(|line| line.span)
    }

    fn id_line(&self) -> Option<&WrittenLine> {
        let section = self.section(SectionKind::Behaviour)?;
        section.paragraphs().flat_map(|passage| &passage.lines).find(|line| !trim_id(&line.text).is_empty())
    }

    /// The description, in one line.
    pub fn description(&self) -> Option<String> {
        let section = self.section(SectionKind::Description)?;
        let text = section.prose().split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then_some(text)
    }

    /// The uncertainty policy, in one line.
    pub fn uncertainty_policy(&self) -> Option<String> {
        let section = self.section(SectionKind::UncertaintyPolicy)?;
        let text = section.prose().split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then_some(text)
    }

    /// The lines of the file that do not reach the model, with the reason.
    pub fn not_sent(&self) -> impl Iterator<Item = (&SourceLine, NotSent)> {
        self.lines.iter().filter_map(|line| match line.usage {
            LineUse::NotSent(why) => Some((line, why)),
            LineUse::Sent | LineUse::Metadata => None,
        })
    }

    /// The rubric as a model is shown it: everything but the system block, the inputs and the answer format, without
    /// comments.
    pub fn rubric_text(&self) -> String {
        render::rubric_text(self)
    }
}

/// An id without the marks people put around it.
fn trim_id(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '`' | '*' | '"' | '\''))
}
