//! The examples of a rubric that say whether they pass: cases with a known verdict, to test the rubric with.
//!
//! They stand in a benchmark under `examples`, or in a prompt under EXAMPLES: as JSON objects, or with a label for each
//! input (`Ground truth:`, `Candidate output:`) and for the verdict.

use super::INPUTS;
use super::build::read_prompt;
use super::prompt_file::{BehaviourPrompt, SectionKind};
use super::spec::{Benchmark, EvaluatorType, Example, TreeFiles, root_of_folder};
use assize_core::document::Problems;
use assize_core::{Fingerprint, JudgeSource, SourceFile};
use regex::Regex;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// An example with the verdict it should get.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledExample {
    /// The benchmark's code, or the behaviour's id where there is no benchmark.
    pub code: String,
    /// Its number among the examples of the behaviour, from 1.
    pub number: usize,
    /// The file it stands in.
    pub file: String,
    /// The inputs of the case, by name.
    pub inputs: Map<String, Value>,
    /// Whether it should pass.
    pub pass: bool,
    /// Why, as the file says.
    pub reason: String,
    /// The benchmark and the prompt in one hash, to tell whether they have changed since the example was tested.
    pub rubric: String,
}

/// A benchmark and its prompt in one hash. The examples are left out: another example makes no other rubric.
pub(super) fn rubric_fingerprint(benchmark: Option<&Benchmark>, prompt: Option<&str>) -> String {
    let mut written = benchmark.map_or(Value::Null, |benchmark| benchmark.written.clone());
    if let Some(written) = written.as_object_mut() {
        written.shift_remove("examples");
    }
    Fingerprint::of(&(written, prompt)).to_string()
}

/// The examples of some rubrics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabelledExamples {
    /// Those with a verdict.
    pub examples: Vec<LabelledExample>,
    /// The behaviours that cannot be tested, and why.
    pub untested: Vec<(String, &'static str)>,
}

/// The labelled examples of a prompt file, a benchmark or a tree; `None` where the files cannot be read, which is reported.
pub fn labelled_examples(source: &JudgeSource, problems: &mut Problems) -> Option<LabelledExamples> {
    let before = problems.count();
    let mut found = LabelledExamples::default();
    match source {
        JudgeSource::BuiltIn(_) => return None,
        JudgeSource::File(file) if file.path.ends_with(".md") => {
            let prompt = read_prompt(file, problems)?;
            let code = prompt.behaviour_id().unwrap_or("behaviour").to_owned();
            found.add(&code, None, Some((file, &prompt)), problems);
        }
        JudgeSource::File(file) => {
            let files = std::slice::from_ref(file);
            found.add_tree(&TreeFiles::read(&root_of_folder("", files), files, problems), None, problems);
        }
        JudgeSource::Folder { path, files } => {
            let tree = TreeFiles::read(&root_of_folder(path, files), files, problems);
            let one = Some(path.as_str()).filter(|path| path.ends_with(".yaml") || path.ends_with(".yml"));
            found.add_tree(&tree, one, problems);
        }
    }
    (problems.count() == before).then_some(found)
}

impl LabelledExamples {
    fn add_tree(&mut self, tree: &TreeFiles<'_>, one: Option<&str>, problems: &mut Problems) {
        for benchmark in tree.benchmarks.iter().filter(|benchmark| one.is_none_or(|one| benchmark.file.ends_with(one)))
        {
            let file = tree.prompt_of(benchmark).filter(|_| benchmark.evaluator.may_ask());
            let prompt = file.and_then(|file| Some((file, read_prompt(file, problems)?)));
            let prompt = prompt.as_ref().map(|(file, prompt)| (*file, prompt));
            self.add(&benchmark.code.value, Some(benchmark), prompt, problems);
        }
    }

    /// Adds the examples of a behaviour.
    pub(super) fn add(
        &mut self,
        code: &str,
        benchmark: Option<&Benchmark>,
        prompt: Option<(&SourceFile, &BehaviourPrompt)>,
        problems: &mut Problems,
    ) {
        if benchmark.is_some_and(|benchmark| benchmark.evaluator == EvaluatorType::ManualSme) {
            self.untested.push((code.to_owned(), "a person decides"));
            return;
        }
        let first = self.examples.len();
        let rubric = rubric_fingerprint(benchmark, prompt.map(|(file, _)| file.text.as_str()));
        let mut push = |file: &str, inputs: Map<String, Value>, pass: bool, reason: String| {
            match self.examples[first..].iter().find(|known| known.inputs == inputs) {
                // A prompt repeats the examples of its benchmark.
                Some(known) if known.pass == pass => {}
                Some(known) => {
                    let outer = problems.enter(file);
                    let message = format!("the same example of `{code}` has another verdict in {}", known.file);
                    problems.report_with_help(None, message, "an example has one verdict: mend one of the two");
                    problems.enter(outer);
                }
                None => {
                    let number = self.examples.len() - first + 1;
                    let (code, file, rubric) = (code.to_owned(), file.to_owned(), rubric.clone());
                    self.examples.push(LabelledExample { code, number, file, inputs, pass, reason, rubric });
                }
            }
        };
        if let Some(benchmark) = benchmark {
            for example in &benchmark.examples {
                if let Example::Judged { inputs, pass, reason } = example {
                    push(&benchmark.file, inputs.clone(), *pass, reason.clone());
                }
            }
        }
        if let Some((file, prompt)) = prompt {
            for (inputs, pass, reason) in of_prompt(prompt) {
                push(&file.path, inputs, pass, reason);
            }
        }
        if self.examples.len() == first {
            self.untested.push((code.to_owned(), "no example says whether it passes"));
        }
    }
}

/// The examples of a prompt that have inputs and a verdict.
pub(super) fn of_prompt(prompt: &BehaviourPrompt) -> Vec<(Map<String, Value>, bool, String)> {
    let Some(section) = prompt.section(SectionKind::Examples) else { return Vec::new() };
    let mut drafts: Vec<Draft> = Vec::new();
    for line in section.prose().lines() {
        let line = line.trim().trim_start_matches(['-', '*', '•', '#', ' ']).trim();
        if let Some(named) = INPUT.captures(line) {
            let input = match named[1].to_lowercase() {
                name if name.contains("truth") || name.contains("expected") || name.contains("reference") => INPUTS[0],
                name if name.contains("output") || name.contains("candidate") || name.contains("response") => INPUTS[2],
                _ => INPUTS[1],
            };
            // An input that is there already belongs to the next example.
            if drafts.last().is_none_or(|draft| draft.inputs.contains_key(input)) {
                drafts.push(Draft::default());
            }
            if let Some(draft) = drafts.last_mut() {
                draft.inputs.insert(input.into(), value_of(&named[2]));
                draft.open = Some(input);
            }
            continue;
        }
        if HEAD.is_match(line) {
            drafts.push(Draft { pass: verdict(line.split('{').next().unwrap_or(line)), ..Draft::default() });
        }
        let Some(draft) = drafts.last_mut() else { continue };
        match json_in(line) {
            Some(object) if object.contains_key("pass") && !INPUTS.iter().any(|input| object.contains_key(*input)) => {
                draft.pass = object.get("pass").and_then(Value::as_bool).or(draft.pass);
                draft.reason = object.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned();
                draft.open = None;
            }
            Some(object) if INPUTS.iter().any(|input| object.contains_key(*input)) => {
                draft.inputs.extend(
                    object
                        .iter()
                        .filter(|(key, _)| INPUTS.contains(&key.as_str()))
                        .map(|(key, value)| (key.clone(), value.clone())),
                );
                draft.pass = object.get("pass").and_then(Value::as_bool).or(draft.pass);
            }
            _ => draft.text(line),
        }
    }
    let whole = |draft: Draft| {
        Some((draft.inputs, draft.pass?, draft.reason)).filter(|(inputs, ..)| inputs.contains_key(INPUTS[2]))
    };
    drafts.into_iter().filter_map(whole).collect()
}

static INPUT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\**(ground[_ ]truth|expected(?: output)?|reference|source[_ ]narrative|narrative|source|transcript|candidate[_ ]output|candidate|ai output|output|response)\**\s*:\**\s*(.*)$",
    )
});
static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\**(a )?((few-shot )?example\b|clear (pass|fail)|(pass|fail)(ing)?( example)?( \d+)?\**\s*[:(]|(positive|negative) example)",
    )
});
static VERDICT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)^\**(expected )?(verdict|label|pass|the answer|answer|result|judgment|judgement)\**\s*:\**\s*(.*)$")
});
static REASON: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)^\**(reason|why|because|explanation)\**\s*:\**\s*(.*)$"));

/// An example that is being read.
#[derive(Default)]
struct Draft {
    inputs: Map<String, Value>,
    pass: Option<bool>,
    reason: String,
    /// The input that a line without a label goes on with.
    open: Option<&'static str>,
}

impl Draft {
    fn text(&mut self, line: &str) {
        if let Some(named) = VERDICT.captures(line) {
            self.pass = verdict(&named[3]).or(self.pass);
            self.open = None;
        } else if let Some(named) = REASON.captures(line) {
            self.reason = named[2].to_owned();
            self.open = None;
        } else if let Some(Value::String(text)) = self.open.and_then(|open| self.inputs.get_mut(open))
            && !line.is_empty()
        {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(line);
        }
    }
}

/// What a few words say, where they say one thing.
fn verdict(text: &str) -> Option<bool> {
    static YES: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(pass|passes|passing|passed|true|yes|positive)\b"));
    static NO: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(fail|fails|failing|failed|false|no|negative)\b"));
    match (YES.is_match(text), NO.is_match(text)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

fn json_in(line: &str) -> Option<Map<String, Value>> {
    let object = &line[line.find('{')?..=line.rfind('}')?];
    serde_json::from_str(object).ok()
}

/// An object or a list as such; anything else is text.
fn value_of(text: &str) -> Value {
    let text = text.trim();
    let parsed = || serde_json::from_str::<Value>(text).ok().filter(|value| value.is_object() || value.is_array());
    parsed().unwrap_or_else(|| text.trim_matches('"').into())
}

fn pattern(pattern: &str) -> Regex {
    #[expect(clippy::unwrap_used, reason = "a constant pattern")]
    Regex::new(pattern).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(examples: &str) -> Vec<(Value, bool, String)> {
        let text = format!("SYSTEM: J.\n\n---\n\nBEHAVIOR: b\n\nPass conditions:\n1. So.\n\nEXAMPLES:\n{examples}\n");
        let prompt = BehaviourPrompt::read_leniently(&text, &mut Problems::default());
        of_prompt(&prompt).into_iter().map(|(inputs, pass, reason)| (Value::Object(inputs), pass, reason)).collect()
    }

    #[test]
    fn examples_are_read_as_objects_and_with_labels() {
        use serde_json::json;
        let written = "- A clear pass: {\"ground_truth\":5,\"candidate_output\":\"Paid 5.\"}\n  - The answer: {\"reason\":\"Both say 5.\",\"pass\":true}";
        assert_eq!(
            read(written),
            [(json!({"ground_truth": 5, "candidate_output": "Paid 5."}), true, "Both say 5.".into())]
        );
        let labelled =
            "- Example 1 (fail)\n  - Expected: five\n  - AI output: Paid\n    six.\n  - Reason: Six is not five.";
        assert_eq!(
            read(labelled),
            [(json!({"ground_truth": "five", "candidate_output": "Paid\nsix."}), false, "Six is not five.".into())]
        );
        assert_eq!(read("- The amount is often rounded.\n- Example: {\"candidate_output\": \"x\"}"), []);
    }
}
