//! A rubric file by its parts, in the words of those who write it.
//!
//! Reading is lenient: what can be read of a file that is still being written is shown, and what cannot be is among the
//! findings.

use super::RubricFileKind;
use assize_core::document::{Node, NodeValue as Value, Problems, parse};
use assize_core::number::capitalised;
use assize_judges::systems::behaviour::prompt_file::{self, BehaviourPrompt, Item, Section, SectionKind};
use schemars::JsonSchema;
use serde::Serialize;

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Part {
    /// What it is, in words.
    pub(crate) title: String,
    /// The heading or key as it is written in the file.
    pub(crate) key: String,
    /// The line it begins on.
    pub(crate) line: u32,
    /// What it holds.
    pub(crate) blocks: Vec<Block>,
}

/// A paragraph, a bullet, a field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Block {
    /// A number, a bullet or a field's name; empty for a paragraph.
    pub(crate) label: String,
    /// The words.
    pub(crate) text: String,
    /// The line it begins on.
    pub(crate) line: u32,
    /// What belongs to it.
    pub(crate) below: Vec<Block>,
}

impl Block {
    /// Whether its label is a field's name, and no bullet.
    pub(crate) fn is_field(&self) -> bool {
        let bullet = matches!(self.label.as_str(), "" | "•" | "Example");
        !bullet && !self.label.starts_with(|first: char| first.is_ascii_digit())
    }
}

/// The parts of a file.
pub(crate) fn parts(kind: RubricFileKind, text: &str) -> Vec<Part> {
    match kind {
        RubricFileKind::Prompt => {
            let prompt = BehaviourPrompt::read_leniently(text, &mut Problems::default());
            prompt.sections().filter(|section| !section.is_empty()).map(of_section).collect()
        }
        RubricFileKind::Benchmark | RubricFileKind::Rubric | RubricFileKind::Criteria => {
            match parse(text, &mut Problems::default()) {
                Some(Node { kind: Value::Map(entries), .. }) => {
                    entries.iter().map(|(key, node)| of_field(&key.name, key.span.line, node)).collect()
                }
                _ => Vec::new(),
            }
        }
    }
}

/// What a file is about, in a line: the behaviour's id, a label, a name.
pub(crate) fn title(kind: RubricFileKind, text: &str) -> String {
    let found = match kind {
        RubricFileKind::Prompt => {
            let prompt = BehaviourPrompt::read_leniently(text, &mut Problems::default());
            prompt.behaviour_id().map(str::to_owned)
        }
        RubricFileKind::Benchmark | RubricFileKind::Rubric | RubricFileKind::Criteria => {
            parse(text, &mut Problems::default()).and_then(|node| {
                let text = |key: &str| match &node.get(key)?.kind {
                    Value::Text(text) => Some(text.clone()),
                    _ => None,
                };
                match (text("code"), text("label")) {
                    (Some(code), Some(label)) => Some(format!("{code} {label}")),
                    (Some(code), None) => Some(code),
                    _ => text("name"),
                }
            })
        }
    };
    found.unwrap_or_default()
}

fn of_section(section: &Section) -> Part {
    let blocks = section.blocks.iter().filter_map(|block| match block {
        prompt_file::Block::Paragraph(passage) => {
            let lines: Vec<&str> =
                passage.lines.iter().map(|line| line.text.as_str()).filter(|line| !line.is_empty()).collect();
            let line = passage.span().map_or(0, |span| span.line);
            (!lines.is_empty()).then(|| Block { text: lines.join("\n"), line, ..Block::default() })
        }
        prompt_file::Block::Item(item) => Some(of_item(item)),
        // A comment is for those who write the file; the source beside shows it.
        prompt_file::Block::Comment(_) => None,
    });
    Part {
        title: words_for_section(section.kind).to_owned(),
        key: section.kind.title().to_owned(),
        line: section.span().line,
        blocks: blocks.collect(),
    }
}

fn of_item(item: &Item) -> Block {
    let label = match (item.number, item.example) {
        (Some(number), _) => format!("{number}."),
        (None, true) => "Example".to_owned(),
        (None, false) => "•".to_owned(),
    };
    let below = item.children.iter().map(of_item).collect();
    let text = item.text.joined();
    let text = if item.example { text.trim_start_matches("Example:").trim_start().to_owned() } else { text };
    Block { label, text, line: item.span.line, below }
}

fn words_for_section(kind: SectionKind) -> &'static str {
    match kind {
        SectionKind::System => "Standing instructions",
        SectionKind::Behaviour => "Behaviour",
        SectionKind::Description => "What is asked",
        SectionKind::Scope => "What to look at",
        SectionKind::Include => "Look at",
        SectionKind::Ignore => "Leave out of account",
        SectionKind::Rubric => "Rubric",
        SectionKind::AutomaticFail => "Fails if any one of these is true",
        SectionKind::PassConditions => "Passes if all of these hold",
        SectionKind::AcceptableVariations => "Still passes",
        SectionKind::UncertaintyPolicy => "When the evidence does not decide",
        SectionKind::Examples => "Examples",
        SectionKind::Inputs => "Inputs",
        SectionKind::GroundTruth => "Input: what was expected",
        SectionKind::SourceNarrative => "Input: what it was made from",
        SectionKind::CandidateOutput => "Input: what is judged",
        SectionKind::AnswerFormat => "Form of the answer (not sent)",
    }
}

fn of_field(key: &str, line: u32, node: &Node) -> Part {
    let blocks = match &node.kind {
        Value::List(_) | Value::Map(_) => below(node),
        _ => vec![Block { text: in_words(key, &plain(node)), line: node.span.line, ..Block::default() }],
    };
    Part { title: words_for_key(key), key: key.to_owned(), line, blocks }
}

/// What a list or a mapping holds.
fn below(node: &Node) -> Vec<Block> {
    let block = |label: String, line: u32, node: &Node| match &node.kind {
        Value::List(items) if items.iter().all(is_plain) => {
            let text = items.iter().map(plain).collect::<Vec<_>>().join(", ");
            Block { label, text, line, ..Block::default() }
        }
        Value::List(_) | Value::Map(_) => Block { label, text: String::new(), line, below: below(node) },
        _ => Block { label, text: plain(node), line, ..Block::default() },
    };
    match &node.kind {
        Value::List(items) => items.iter().map(|item| block("•".to_owned(), item.span.line, item)).collect(),
        Value::Map(entries) => {
            entries.iter().map(|(key, value)| block(key.name.clone(), key.span.line, value)).collect()
        }
        _ => Vec::new(),
    }
}

fn is_plain(node: &Node) -> bool {
    !matches!(node.kind, Value::List(_) | Value::Map(_))
}

fn plain(node: &Node) -> String {
    match &node.kind {
        Value::Null => "nothing".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => text.trim_end().to_owned(),
        Value::List(_) | Value::Map(_) => node.to_value().to_string(),
    }
}

/// A key in words; one that has none keeps its own with spaces.
fn words_for_key(key: &str) -> String {
    let words = match key {
        "code" => "Code",
        "parent_rubric" => "Belongs to the rubric",
        "label" => "Name",
        "concept" => "What it is about",
        "threshold" | "passing_threshold" => "Passes from a score of",
        "criticality" => "If it fails",
        "inclusion_criteria" => "When it applies, and what is wrong",
        "exclusion_criteria" => "What is no fault",
        "evaluator_type" => "Who decides",
        "llm_prompt_file" => "The prompt",
        "evaluator_config" => "Checks and details",
        "scoring_scale" => "Scale",
        "result_key" => "Also reported as",
        "aggregation_method" => "How its parts make its score",
        "evaluation_guidelines" => "Guidelines",
        "sub_rubrics" => "Rubrics below it",
        "about" => "What it judges",
        "task" => "What the judge is told",
        "inputs" => "What a case has",
        "composite" => "The figure that joins the criteria",
        "verdicts" => "Verdicts, the first that fits",
        "answer" => "What the judge writes beside the scores",
        "measures" => "What code finds out beside it",
        other => return capitalised(&other.replace('_', " ")),
    };
    words.to_owned()
}

/// A value that is a term of the file, said in words beside it.
fn in_words(key: &str, value: &str) -> String {
    let said = match (key, value) {
        ("criticality", "hard_gate") => "hard gate: its rubric fails, and every rubric above it",
        ("criticality", "threshold_gate") => "threshold gate: it counts in its rubric's score by its weight",
        ("criticality", "improvement_signal") => "improvement signal: it is reported and decides nothing",
        ("evaluator_type", "code") => "code: its checks alone",
        ("evaluator_type", "llm_judge") => "llm_judge: a judge model that reads the prompt",
        ("evaluator_type", "hybrid") => "hybrid: its checks first, a judge model where they do not decide",
        ("evaluator_type", "manual_sme") => "manual_sme: a person",
        ("aggregation_method", "WEIGHTED_AVERAGE") => "WEIGHTED_AVERAGE: their mean, by weight",
        ("aggregation_method", "MINIMUM") => "MINIMUM: the worst of them",
        ("aggregation_method", "MAXIMUM") => "MAXIMUM: the best of them",
        _ => return value.to_owned(),
    };
    said.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_shown_by_its_headings_with_their_lines() {
        let text = "BEHAVIOR: tone\n\nDESCRIPTION:\nIs it kind?\n\nRUBRIC\n\nPass conditions (all must be satisfied):\n1. It is kind.\n   - Example: thank you\n2. It is short. <!-- why -->\n";
        let parts = parts(RubricFileKind::Prompt, text);
        let shown: Vec<_> = parts.iter().map(|part| (part.title.as_str(), part.line)).collect();
        assert_eq!(shown, [("Behaviour", 1), ("What is asked", 3), ("Passes if all of these hold", 8)]);
        let conditions = &parts[2].blocks;
        assert_eq!((conditions[0].label.as_str(), conditions[0].text.as_str()), ("1.", "It is kind."));
        let example = &conditions[0].below[0];
        assert_eq!((example.label.as_str(), example.text.as_str(), example.line), ("Example", "thank you", 10));
        assert_eq!(conditions[1].text, "It is short.", "a comment is not shown");
        assert_eq!(title(RubricFileKind::Prompt, text), "tone");
    }

    #[test]
    fn a_yaml_file_is_shown_by_its_fields_in_words() {
        let text = "code: A-1\nlabel: Dates\ncriticality: hard_gate\nevaluator_config:\n  deterministic:\n    - JsonPath: {path: $.a}\n";
        let parts = parts(RubricFileKind::Benchmark, text);
        assert_eq!(parts[2].title, "If it fails");
        assert_eq!(parts[2].blocks[0].text, "hard gate: its rubric fails, and every rubric above it");
        let check = &parts[3].blocks[0].below[0].below[0];
        assert_eq!((check.label.as_str(), check.below[0].text.as_str(), check.line), ("JsonPath", "$.a", 6));
        assert_eq!(title(RubricFileKind::Benchmark, text), "A-1 Dates");
        assert!(
            super::parts(RubricFileKind::Benchmark, "a: [").is_empty(),
            "what cannot be read is among the findings"
        );
    }
}
