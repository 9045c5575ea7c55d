//! What code finds out about a case beside the model: error rates, arithmetic, the final answer, expected components.

use super::spec::Criterion;
use super::spec_answer::{AnswerSpec, TextKind};
use assize_core::document::{Fields, Node, NodeValue, Problems, closest};
use assize_core::{Case, InputKind, InputSpec, Judgment, Method, Metric, MetricSpec};
use assize_metrics::alignment::{EditCounts, EditKind};
use assize_metrics::answer::{AnswerMatch, final_answer, same_answer};
use assize_metrics::arithmetic::{self, Equation};
use assize_metrics::critical::{CriticalDifference, critical_differences};
use assize_metrics::error_rate::{ErrorRate, WordComparison, character_error_rate, compare_words};
use assize_metrics::text::{Normalisation, mentions};
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// Something to find out, and in which inputs.
#[derive(Debug)]
pub(super) enum Measure {
    /// Word and character error rate of one text against another.
    ErrorRates { reference: String, hypothesis: String },
    /// The equations in a text, and the list of the answer that wrong ones join.
    Arithmetic { text: String, issues: Option<String> },
    /// The final answer of a response against the expected one, and the criterion that says the same.
    FinalAnswer { response: String, expected: String, criterion: Option<usize> },
    /// Which of the expected components a response mentions.
    Components { response: String, expected: String },
}

/// An expected component and whether the response mentions it.
#[derive(Debug)]
pub(super) struct Component<'c> {
    pub(super) name: &'c str,
    pub(super) mentioned: bool,
}

/// What code found out about one case; each finding is made once, when it is first asked for.
pub(super) struct Findings<'c> {
    case: &'c Case,
    measures: &'c [Measure],
    normalisation: &'c Normalisation,
    words: OnceLock<Option<WordComparison>>,
    critical: OnceLock<Vec<CriticalDifference>>,
    equations: OnceLock<Vec<Equation>>,
}

/// The name of the figure and the label of the critical differences.
pub(super) const CRITICAL: &str = "critical_differences";

impl<'c> Findings<'c> {
    pub(super) fn of(measures: &'c [Measure], case: &'c Case, normalisation: &'c Normalisation) -> Self {
        let (words, critical, equations) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { case, measures, normalisation, words, critical, equations }
    }

    fn find<T>(&self, pick: impl Fn(&'c Measure) -> Option<T>) -> Option<T> {
        self.measures.iter().find_map(pick)
    }

    fn texts_to_align(&self) -> Option<(&'c str, &'c str)> {
        self.find(|measure| match measure {
            Measure::ErrorRates { reference, hypothesis } => {
                Some((self.case.text(reference), self.case.text(hypothesis)))
            }
            _ => None,
        })
    }

    /// The two texts word by word; nothing where there are none, or where they are too long.
    pub(super) fn words(&self) -> Option<&WordComparison> {
        let (reference, hypothesis) = self.texts_to_align()?;
        self.words.get_or_init(|| compare_words(reference, hypothesis, self.normalisation).ok()).as_ref()
    }

    /// Changes of a few words that change what is said; none where there are no two texts, or where they are too long.
    pub(super) fn critical_differences(&self) -> &[CriticalDifference] {
        let Some(((reference, _), words)) = self.texts_to_align().zip(self.words()) else { return &[] };
        self.critical.get_or_init(|| critical_differences(reference, words))
    }

    /// The equations in the text, where the judge looks for them.
    pub(super) fn equations(&self) -> Option<&[Equation]> {
        let text = self.find(|measure| match measure {
            Measure::Arithmetic { text, .. } => Some(self.case.text(text)),
            _ => None,
        })?;
        Some(self.equations.get_or_init(|| arithmetic::check(text)))
    }

    /// The expected components, where the judge looks for them.
    pub(super) fn components(&self) -> Option<Vec<Component<'c>>> {
        self.find(|measure| match measure {
            Measure::Components { response, expected } => {
                let response = self.case.text(response);
                let components = self.case.texts(expected).into_iter();
                Some(components.map(|name| Component { name, mentioned: mentions(name, response) }).collect())
            }
            _ => None,
        })
    }

    /// The response, where the judge has one.
    pub(super) fn response(&self) -> Option<&'c str> {
        self.find(|measure| match measure {
            Measure::FinalAnswer { response, .. } | Measure::Components { response, .. } => {
                Some(self.case.text(response))
            }
            _ => None,
        })
    }

    pub(super) fn response_is_empty(&self) -> bool {
        self.response().is_none_or(|response| response.trim().is_empty())
    }

    pub(super) fn states_an_answer(&self) -> bool {
        self.response().is_some_and(|response| final_answer(response).is_some())
    }

    /// Whether the final answer is the expected one; nothing where that cannot be told.
    pub(super) fn answer_is_expected(&self) -> Option<bool> {
        self.find(|measure| self.compare_answer(measure)).and_then(|compared| compared.same)
    }

    /// What the comparison of the final answer leaves to say on a criterion that speaks of it too: a right answer is not
    /// half right; one that differs may be right in part.
    pub(super) fn answer_leaves(&self, position: usize) -> Option<RangeInclusive<f64>> {
        let speaks =
            |measure: &&Measure| matches!(measure, Measure::FinalAnswer { criterion: Some(at), .. } if *at == position);
        let compared = self.measures.iter().find(speaks).and_then(|measure| self.compare_answer(measure))?;
        compared.same.map(|same| if same { 0.8..=1.0 } else { 0.0..=0.5 })
    }

    fn compare_answer(&self, measure: &'c Measure) -> Option<ComparedAnswer<'c>> {
        let Measure::FinalAnswer { response, expected, .. } = measure else { return None };
        let expected = self.case.optional_text(expected).filter(|expected| !expected.trim().is_empty())?;
        let given = final_answer(self.case.text(response)).map(|answer| answer.text);
        let same = match given.as_deref().map(|given| same_answer(given, expected).verdict) {
            Some(AnswerMatch::Same) => Some(true),
            Some(AnswerMatch::Different) => Some(false),
            // A response that is not there cannot have the right answer in it.
            None if self.case.text(response).trim().is_empty() => Some(false),
            Some(AnswerMatch::Unclear) | None => None,
        };
        Some(ComparedAnswer { given, expected, same })
    }

    /// Adds everything the measures found to a judgment.
    pub(super) fn add_to(&self, measures: &'c [Measure], judgment: &mut Judgment) {
        for measure in measures {
            match measure {
                Measure::ErrorRates { .. } => self.add_error_rates(judgment),
                Measure::Arithmetic { issues, .. } => self.add_arithmetic(issues.as_deref(), judgment),
                Measure::FinalAnswer { .. } => {
                    if let Some(compared) = self.compare_answer(measure) {
                        let ComparedAnswer { given, expected, same } = compared;
                        judgment
                            .labels
                            .insert("answer".into(), json!({"given": given, "expected": expected, "same": same}));
                        if same == Some(false) {
                            judgment.flag("answer_differs");
                        }
                    }
                }
                Measure::Components { .. } => {
                    let missing: Vec<&str> =
                        self.components().into_iter().flatten().filter(|c| !c.mentioned).map(|c| c.name).collect();
                    if !missing.is_empty() {
                        judgment.labels.insert("components_not_mentioned".into(), json!(missing));
                    }
                }
            }
        }
    }

    fn add_error_rates(&self, judgment: &mut Judgment) {
        let Some((reference, hypothesis)) = self.texts_to_align() else { return };
        let characters = character_error_rate(reference, hypothesis, self.normalisation).ok();
        let words = self.words();
        judgment.metrics.insert("wer".into(), error_rate_metric(words.map(|words| words.error_rate)));
        judgment.metrics.insert("cer".into(), error_rate_metric(characters));
        if words.is_none() || characters.is_none() {
            judgment.flag("too_long_to_align");
        }
        let Some(words) = words else { return };
        judgment.labels.insert("alignment".into(), show_alignment(words));
        let critical = self.critical_differences();
        judgment.metrics.insert(CRITICAL.into(), Metric::score(Some(critical.len() as f64), Method::Code));
        if !critical.is_empty() {
            judgment.flag("critical_difference");
            judgment.labels.insert(CRITICAL.into(), json!(critical));
        }
    }

    fn add_arithmetic(&self, issues: Option<&str>, judgment: &mut Judgment) {
        let equations = self.equations().unwrap_or_default();
        if equations.is_empty() {
            return;
        }
        let wrong: Vec<&Equation> = equations.iter().filter(|equation| !equation.holds).collect();
        let listed: Vec<Value> = wrong
            .iter()
            .map(|equation| json!({"text": equation.text, "start": equation.span.start, "end": equation.span.end}))
            .collect();
        judgment.labels.insert("arithmetic".into(), json!({"checked": equations.len(), "wrong": listed}));
        if wrong.is_empty() {
            return;
        }
        judgment.flag("wrong_arithmetic");
        let Some(issues) = issues else { return };
        let list = judgment.labels.entry(issues.to_owned()).or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            list.extend(wrong.iter().map(|equation| json!(format!("wrong arithmetic: {}", equation.text))));
        }
    }
}

struct ComparedAnswer<'c> {
    given: Option<String>,
    expected: &'c str,
    same: Option<bool>,
}

/// An error rate as a metric; it can be pooled over cases.
fn error_rate_metric(rate: Option<ErrorRate>) -> Metric {
    let Some(ErrorRate { counts, .. }) = rate else { return Metric::score(None, Method::Code) };
    let EditCounts { hits, substitutions, insertions, deletions } = counts;
    Metric::rate(counts.distance() as f64, counts.reference_length() as f64, Method::Code).with_counts([
        ("hits", hits as u64),
        ("substitutions", substitutions as u64),
        ("insertions", insertions as u64),
        ("deletions", deletions as u64),
    ])
}

/// The alignment for display: runs of words with what happened to them.
fn show_alignment(words: &WordComparison) -> Value {
    let runs = words.alignment.runs.iter().map(|run| {
        let reference = words.reference[run.reference.clone()].join(" ");
        let hypothesis = words.hypothesis[run.hypothesis.clone()].join(" ");
        match run.kind {
            EditKind::Equal => json!({"op": "equal", "text": reference}),
            EditKind::Substitute => json!({"op": "substitute", "reference": reference, "hypothesis": hypothesis}),
            EditKind::Insert => json!({"op": "insert", "hypothesis": hypothesis}),
            EditKind::Delete => json!({"op": "delete", "reference": reference}),
        }
    });
    Value::Array(runs.collect())
}

impl Measure {
    /// The figures it adds.
    pub(super) fn metrics(&self) -> Vec<MetricSpec> {
        let rate = |name: &str, about: &str| MetricSpec::rate(name, about).lower_is_better();
        match self {
            Self::ErrorRates { .. } => vec![
                rate("wer", "word error rate"),
                rate("cer", "character error rate"),
                MetricSpec::count(CRITICAL, "negations, numbers, units, sides, dates and names that were changed")
                    .lower_is_better(),
            ],
            _ => Vec::new(),
        }
    }
}

/// What the reading of a measure needs to know of the rest of the file.
struct Known<'k> {
    inputs: &'k [InputSpec],
    criteria: &'k [Criterion],
    answer: &'k AnswerSpec,
}

type Read = fn(&mut Fields<'_>, &Known<'_>, &mut Problems) -> Option<Measure>;

/// The measures by name.
const MEASURES: [(&str, Read); 4] = [
    ("error_rates", read_error_rates),
    ("arithmetic", read_arithmetic),
    ("final_answer", read_final_answer),
    ("components", read_components),
];

pub(super) fn read_all(
    node: &Node,
    inputs: &[InputSpec],
    criteria: &[Criterion],
    answer: &AnswerSpec,
    problems: &mut Problems,
) -> Option<Vec<Measure>> {
    let known = Known { inputs, criteria, answer };
    let items = node.list("measures", problems)?;
    let measures: Vec<_> = items.iter().filter_map(|item| read(item, &known, problems)).collect();
    (measures.len() == items.len()).then_some(measures)
}

fn read(node: &Node, known: &Known<'_>, problems: &mut Problems) -> Option<Measure> {
    if let NodeValue::Map(entries) = &node.kind
        && let [(key, arguments)] = entries.as_slice()
    {
        let Some((_, read)) = MEASURES.iter().find(|(name, _)| *name == key.name) else {
            let names = || MEASURES.iter().map(|(name, _)| *name);
            let help = match closest(&key.name, names()) {
                Some(name) => format!("did you mean `{name}`?"),
                None => format!("measures: {}", names().collect::<Vec<_>>().join(", ")),
            };
            problems.report_with_help(key.span, format!("unknown measure `{}`", key.name), help);
            return None;
        };
        let mut fields = Fields::open(arguments, key.name.clone(), problems)?;
        let measure = read(&mut fields, known, problems);
        fields.finish(problems);
        return measure;
    }
    node.expected("measures", "a list of `name: {inputs}`", problems);
    None
}

impl Known<'_> {
    /// An argument that names an input of a kind.
    fn input(
        &self,
        fields: &mut Fields<'_>,
        name: &'static str,
        kind: InputKind,
        problems: &mut Problems,
    ) -> Option<String> {
        let node = fields.require(name, problems)?;
        let text = node.filled_text(name, problems)?;
        if self.inputs.iter().any(|input| input.name == text && input.kind == kind) {
            return Some(text.to_owned());
        }
        node.expected(name, &format!("the name of an input that is {}", kind.describe()), problems);
        None
    }
}

fn read_error_rates(fields: &mut Fields<'_>, known: &Known<'_>, problems: &mut Problems) -> Option<Measure> {
    let reference = known.input(fields, "reference", InputKind::Text, problems);
    let hypothesis = known.input(fields, "hypothesis", InputKind::Text, problems);
    Some(Measure::ErrorRates { reference: reference?, hypothesis: hypothesis? })
}

fn read_arithmetic(fields: &mut Fields<'_>, known: &Known<'_>, problems: &mut Problems) -> Option<Measure> {
    let text = known.input(fields, "text", InputKind::Text, problems);
    let issues = match fields.take("issues") {
        None => Some(None),
        Some(node) => node.filled_text("issues", problems).and_then(|name| {
            if known.answer.texts.iter().any(|text| text.name == name && text.kind == TextKind::Texts) {
                return Some(Some(name.to_owned()));
            }
            node.expected("issues", "the name of one of the answer's texts of kind `texts`", problems);
            None
        }),
    };
    Some(Measure::Arithmetic { text: text?, issues: issues? })
}

fn read_final_answer(fields: &mut Fields<'_>, known: &Known<'_>, problems: &mut Problems) -> Option<Measure> {
    let response = known.input(fields, "response", InputKind::Text, problems);
    let expected = known.input(fields, "expected", InputKind::Text, problems);
    let criterion = match fields.take("criterion") {
        None => Some(None),
        Some(node) => node.filled_text("criterion", problems).and_then(|name| {
            let position = known.criteria.iter().position(|criterion| criterion.name == name);
            if position.is_none() {
                node.expected("criterion", "the name of a criterion", problems);
            }
            position.map(Some)
        }),
    };
    Some(Measure::FinalAnswer { response: response?, expected: expected?, criterion: criterion? })
}

fn read_components(fields: &mut Fields<'_>, known: &Known<'_>, problems: &mut Problems) -> Option<Measure> {
    let response = known.input(fields, "response", InputKind::Text, problems);
    let expected = known.input(fields, "expected", InputKind::Texts, problems);
    Some(Measure::Components { response: response?, expected: expected? })
}
