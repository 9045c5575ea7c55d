//! A meaning review by a judge model, for what no rule sees: polarity, contradictions, two questions in one rubric.
//!
//! It is a judge like any other, so that its answers are stored, found again and paid once; only it is not among the systems a
//! suite can name. The model labels, and code checks the labels: a finding whose quote is not in the file is dropped and
//! counted.

use super::{Configs, Finding, Out, Report, find_rule};
use assize_core::document::{Node, Problems, Span};
use assize_core::prompt::{DATA_NOTICE, fence};
use assize_core::{
    AnswerSchema, Answers, Card, Case, InputKind, InputSpec, Judge, JudgeSource, JudgeSpec, JudgeSystem, Judgment,
    Message, Metric, MetricSpec, OpenCase, Outcome, Parsed, Question, SourceFile, Step,
};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The system of the review.
pub static REVIEW: &dyn JudgeSystem = &Review;

/// The name of the review's one input: the text of a prompt file.
const RUBRIC: &str = "rubric";
const QUESTION: &str = "review";
const FINDINGS: &str = "findings";
const DROPPED: &str = "dropped";

struct Review;

impl JudgeSystem for Review {
    fn card(&self) -> &Card {
        static CARD: Card = Card {
            name: "meaning-review",
            summary: "whether a rubric says what it means",
            guide: "",
            example: "",
            flags: &[],
        };
        &CARD
    }

    fn settings_schema(&self) -> Value {
        json!({"type": "object", "properties": {}, "additionalProperties": false})
    }

    fn build(&self, _: &JudgeSource, _: Option<&Node>, _: &mut Problems) -> Option<Box<dyn Judge>> {
        Some(Box::new(ReviewJudge::new()))
    }
}

/// The cases of a review, one for each prompt file, named by its path.
pub fn review_cases<'f>(prompts: impl Iterator<Item = &'f SourceFile>) -> Vec<Map<String, Value>> {
    let case = |file: &SourceFile| Map::from_iter([("id".into(), json!(file.path)), (RUBRIC.into(), json!(file.text))]);
    prompts.map(case).collect()
}

/// Something the model reported.
#[derive(Debug, Deserialize)]
struct Reported {
    kind: Kind,
    quote: String,
    other_quote: Option<String>,
    why: String,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    OppositePolarity,
    Contradiction,
    TwoQuestions,
}

impl Kind {
    fn in_words(self) -> &'static str {
        match self {
            Self::OppositePolarity => "opposite polarity",
            Self::Contradiction => "contradiction",
            Self::TwoQuestions => "two questions",
        }
    }
}

struct ReviewJudge {
    asked: Asked,
    spec: JudgeSpec,
}

#[derive(Serialize)]
struct Asked {
    instructions: String,
    schema: AnswerSchema,
}

impl ReviewJudge {
    fn new() -> Self {
        let schema = json!({
            "type": "object",
            "required": ["findings"],
            "additionalProperties": false,
            "properties": {"findings": {"type": "array", "items": {
                "type": "object",
                "required": ["quote", "other_quote", "why", "kind"],
                "additionalProperties": false,
                "properties": {
                    "quote": {"type": "string", "description": "The words of the line, exactly as they stand in the rubric."},
                    "other_quote": {"type": ["string", "null"], "description": "The line it contradicts, or null."},
                    "why": {"type": "string", "description": "What is wrong, in one or two sentences."},
                    "kind": {"type": "string", "enum": ["opposite_polarity", "contradiction", "two_questions"]},
                },
            }}},
        });
        let instructions = format!("{}\n\n{DATA_NOTICE}", include_str!("review.md").trim_end());
        let asked = Asked { instructions, schema: AnswerSchema { name: "review".into(), schema } };
        let inputs = vec![InputSpec::required(RUBRIC, InputKind::Text, "the prompt file")];
        let metrics = vec![
            MetricSpec::count(FINDINGS, "mistakes of meaning, with a quote that is in the file"),
            MetricSpec::count(DROPPED, "reported mistakes whose quote is not in the file"),
        ];
        let spec = JudgeSpec::new("meaning-review", (inputs, metrics, FINDINGS), &asked, &());
        Self { asked, spec }
    }
}

impl Judge for ReviewJudge {
    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn open<'c>(&'c self, case: &'c Case, _: &'c Parsed) -> Result<Box<dyn OpenCase + 'c>, Outcome> {
        Ok(Box::new(OpenReview { judge: self, case }))
    }
}

struct OpenReview<'c> {
    judge: &'c ReviewJudge,
    case: &'c Case,
}

impl OpenCase for OpenReview<'_> {
    fn step(&self, answers: &Answers) -> Step {
        let Some(answer) = answers.get(QUESTION) else { return Step::Ask(vec![QUESTION.into()]) };
        let text = self.case.text(RUBRIC);
        let reported = answer.value[FINDINGS].as_array().map(Vec::as_slice).unwrap_or_default();
        let (kept, dropped): (Vec<&Value>, Vec<&Value>) = reported.iter().partition(|value| is_quoted(text, value));
        let count = |list: &[&Value]| Metric::score(Some(list.len() as f64), answer.method());
        let metrics = IndexMap::from_iter([(FINDINGS.to_owned(), count(&kept)), (DROPPED.to_owned(), count(&dropped))]);
        let labels = Map::from_iter([(FINDINGS.to_owned(), json!(kept)), (DROPPED.to_owned(), json!(dropped))]);
        Step::Done(Outcome::Judged(Box::new(Judgment { metrics, labels, ..Judgment::default() })))
    }

    fn question(&self, _: &str) -> Question {
        let data = Map::from_iter([(RUBRIC.to_owned(), json!(self.case.text(RUBRIC)))]);
        let fenced = fence(&self.judge.asked.instructions, &data);
        Question {
            name: QUESTION.into(),
            messages: vec![Message::system(&self.judge.asked.instructions), Message::user(fenced)],
            schema: self.judge.asked.schema.clone(),
            sample: 0,
        }
    }
}

fn is_quoted(text: &str, value: &Value) -> bool {
    let Ok(reported) = Reported::deserialize(value) else { return false };
    place_of(text, &reported.quote).is_some()
        && reported.other_quote.as_deref().is_none_or(|quote| place_of(text, quote).is_some())
}

/// Where a quote stands in a text, whatever the white space in either.
fn place_of(text: &str, quote: &str) -> Option<Span> {
    let wanted: Vec<char> = quote.chars().filter(|c| !c.is_whitespace()).collect();
    // A word or two stand everywhere.
    if wanted.len() < 6 {
        return None;
    }
    let mut written: Vec<(char, u32, u32)> = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let columns = (1..).zip(content.chars()).filter(|(_, c)| !c.is_whitespace());
        written.extend(columns.map(|(column, character)| (character, line, column)));
    }
    let at = written.windows(wanted.len()).position(|window| window.iter().map(|(c, ..)| c).eq(wanted.iter()))?;
    let (_, line, column) = written[at];
    let last = written[at..at + wanted.len()].iter().rev().find(|(_, on, _)| *on == line).map_or(column, |(.., c)| *c);
    Some(Span { line, column, length: last - column + 1 })
}

/// What a review says, as findings beside those of the rules: `labels` are those of the judgment on a file. Switches hold for
/// them as for any rule.
pub fn with_review<'l>(
    files: &[SourceFile],
    findings: Vec<Finding>,
    model: &str,
    reviews: impl Iterator<Item = (&'l str, &'l Map<String, Value>)>,
) -> Vec<Finding> {
    let mut report = Report { findings };
    let Some(rule) = find_rule("meaning-review") else { return report.findings };
    for (path, labels) in reviews {
        let Some(file) = files.iter().find(|file| file.path == path) else { continue };
        for value in labels.get(FINDINGS).and_then(Value::as_array).into_iter().flatten() {
            let Ok(reported) = Reported::deserialize(value) else { continue };
            let Some(span) = place_of(&file.text, &reported.quote) else { continue };
            let other = reported.other_quote.as_deref().and_then(|quote| place_of(&file.text, quote));
            let other = other.map(|other| format!(" with line {}", other.line)).unwrap_or_default();
            let message =
                format!("{model} sees a mistake here, {}{other}: {}", reported.kind.in_words(), reported.why.trim());
            Out { rule, report: &mut report }.push(path, span, message, rule.instead);
        }
    }
    let configs = Configs::read(files, &mut Report::default());
    report.finish(files, &configs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_core::Answer;

    const TEXT: &str = "DESCRIPTION:\nWhether the note omits the dose.\n\n1. The dose\n   is given.\n";

    fn judged(findings: Value) -> Judgment {
        let judge = ReviewJudge::new();
        let inputs = Map::from_iter([(RUBRIC.to_owned(), json!(TEXT))]);
        let record = Map::from_iter([("id".to_owned(), json!("a"))].into_iter().chain(inputs));
        let case = Case::read(record, &judge.spec.inputs).unwrap();
        let parsed = Parsed::default();
        let open = judge.open(&case, &parsed).ok().unwrap();
        let mut answers = Answers::none();
        answers.insert(QUESTION.into(), Answer::from_rules(QUESTION, json!({ "findings": findings })));
        match open.step(&answers) {
            Step::Done(Outcome::Judged(judgment)) => *judgment,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_quote_is_found_whatever_the_white_space_and_a_word_is_no_quote() {
        assert_eq!(place_of(TEXT, "The dose is given."), Some(Span { line: 4, column: 4, length: 8 }));
        assert_eq!(place_of(TEXT, " note omits\nthe dose"), Some(Span { line: 2, column: 13, length: 19 }));
        assert_eq!(place_of(TEXT, "The dose is missing."), None);
        assert_eq!(place_of(TEXT, "dose"), None);
    }

    #[test]
    fn a_finding_without_its_quote_is_dropped_and_counted() {
        let finding = |quote: &str, other: Value| json!({"kind": "contradiction", "quote": quote, "other_quote": other, "why": "w"});
        let judgment = judged(json!([
            finding("The dose is given.", Value::Null),
            finding("The route is given.", Value::Null),
            finding("The dose is given.", json!("nowhere in the file")),
        ]));
        assert_eq!((judgment.value(FINDINGS), judgment.value(DROPPED)), (Some(1.0), Some(2.0)));
    }

    #[test]
    fn findings_are_the_models_and_switches_hold_for_them() {
        let labels = judged(json!([
            {"kind": "opposite_polarity", "quote": "note omits the dose", "other_quote": null, "why": "It asks for the fault."},
        ]))
        .labels;
        let file = |text: &str| SourceFile { path: "a_prompt.md".into(), text: text.into() };
        let files = [file(TEXT)];
        let found = with_review(&files, Vec::new(), "openai:m", [("a_prompt.md", &labels)].into_iter());
        assert_eq!((found[0].rule, found[0].span.line), ("meaning-review", 2));
        assert!(found[0].message.starts_with("openai:m sees a mistake here, opposite polarity: It asks"));
        let off = [file(&TEXT.replace("DESCRIPTION:", "DESCRIPTION: <!-- assize-lint: off AZ129 -->"))];
        assert_eq!(with_review(&off, Vec::new(), "m", [("a_prompt.md", &labels)].into_iter()), []);
    }
}
