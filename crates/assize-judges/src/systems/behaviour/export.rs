//! A tree and its cases as a Pydantic Evals dataset.
//!
//! Every behaviour that a model judges becomes one `LLMJudge` whose rubric is the prompt without SYSTEM and INPUTS, with the
//! examples of its benchmark; code checks become evaluators where the package has one like them. A behaviour that a suite
//! asks about some cases alone becomes an evaluator of those cases. What the package cannot hold is named. The recorded output
//! stands among the inputs, so that `lambda inputs: inputs["candidate_output"]` is the task.

use super::build::{self, Settings};
use super::checks::{Check, Decides};
use super::judge::TagFilter;
use super::prompt_file::{BehaviourPrompt, SectionKind};
use super::scaffold::example_lines;
use super::spec::{Benchmark, EvaluatorType, TreeFiles, root_of_folder};
use assize_core::document::{Node, Problems};
use assize_core::suite::Parameters;
use assize_core::{Case, JudgeSource};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::fmt::Write as _;

/// What is written, and what cannot be.
#[derive(Clone, Debug, Default)]
pub struct Export {
    /// The dataset, as YAML.
    pub text: String,
    /// How many evaluators it has.
    pub evaluators: usize,
    /// What is not in it, and why, as sentences.
    pub left_out: Vec<String>,
}

/// An evaluator of the dataset.
struct Evaluator {
    written: Written,
    /// The cases it is for.
    tags: TagFilter,
}

enum Written {
    Judge {
        name: String,
        rubric: String,
    },
    /// A check of the package, with its arguments.
    Check(&'static str, Map<String, Value>),
}

/// Writes a suite of behaviours as a dataset. `None` where the judge is none of behaviours, or cannot be read, which is
/// reported.
pub fn export_pydantic_evals(
    name: &str,
    source: &JudgeSource,
    settings: Option<&Node>,
    (model, parameters): (Option<&str>, &Parameters),
    cases: &[Case],
    problems: &mut Problems,
) -> Option<Export> {
    let before = problems.count();
    let texts = cases.iter().all(|case| case.inputs.get("candidate_output").is_some_and(Value::is_string));
    let mut taken = Taken { texts, ..Taken::default() };
    match source {
        JudgeSource::BuiltIn(_) => return None,
        JudgeSource::File(file) if file.path.ends_with(".md") => {
            let prompt = build::read_prompt(file, problems)?;
            taken.judge(None, &prompt, TagFilter::default());
        }
        JudgeSource::File(file) => {
            let files = std::slice::from_ref(file);
            let tree = TreeFiles::read(&root_of_folder("", files), files, problems);
            taken.tree(&tree, None, settings, problems);
        }
        JudgeSource::Folder { path, files } => {
            let tree = TreeFiles::read(&root_of_folder(path, files), files, problems);
            let one = Some(path.as_str()).filter(|path| path.ends_with(".yaml") || path.ends_with(".yml"));
            taken.tree(&tree, one, settings, problems);
        }
    }
    if problems.count() > before {
        return None;
    }
    if taken.has_system {
        taken.left_out.push("SYSTEM blocks: `LLMJudge` has standing instructions of its own".into());
    }
    let known = model.filter(|model| ["openai:", "anthropic:"].iter().any(|provider| model.starts_with(provider)));
    if known.is_none() {
        taken.left_out.push("the judge model: name one in Python, with `set_default_judge_model`".into());
    }
    let text = dataset(name, &taken.evaluators, (known, parameters), cases);
    Some(Export { text, evaluators: taken.evaluators.len(), left_out: taken.left_out })
}

#[derive(Default)]
struct Taken {
    evaluators: Vec<Evaluator>,
    left_out: Vec<String>,
    has_system: bool,
    /// Whether every output is a text.
    texts: bool,
}

impl Taken {
    fn tree(&mut self, tree: &TreeFiles<'_>, one: Option<&str>, settings: Option<&Node>, problems: &mut Problems) {
        let codes: Vec<&str> = tree.benchmarks.iter().map(|benchmark| benchmark.code.value.as_str()).collect();
        let settings = Settings::read(settings, codes.into_iter(), problems);
        let mut gates = 0;
        for benchmark in tree.benchmarks.iter().filter(|benchmark| one.is_none_or(|one| benchmark.file.ends_with(one)))
        {
            let code = &benchmark.code.value;
            if !settings.asks(code) {
                continue;
            }
            gates += 1;
            let tags = settings.tags_of(code);
            if benchmark.evaluator == EvaluatorType::ManualSme {
                self.left_out.push(format!("{code}: a person decides, and the package has no such evaluator"));
                continue;
            }
            self.checks(benchmark, &tags);
            if !benchmark.evaluator.may_ask() {
                continue;
            }
            let Some(file) = tree.prompt_of(benchmark) else {
                let outer = problems.enter(benchmark.file.clone());
                let span = benchmark.prompt_file.as_ref().map_or(benchmark.span, |named| named.span);
                let help = "name the tree's folder, so that its prompts are read";
                problems.report_with_help(span, "the prompt file is not among the files that were read", help);
                problems.enter(outer);
                continue;
            };
            if let Some(prompt) = build::read_prompt(file, problems) {
                self.judge(Some(benchmark), &prompt, tags);
            }
        }
        let rubrics = tree.rubrics.len();
        if gates > 0 {
            let adding = format!(
                "weights, thresholds and gates of {gates} benchmarks and {rubrics} rubrics: a dataset adds nothing up"
            );
            self.left_out.push(adding);
        }
    }

    fn judge(&mut self, benchmark: Option<&Benchmark>, prompt: &BehaviourPrompt, tags: TagFilter) {
        self.has_system |= prompt.system().is_some();
        let id = prompt.behaviour_id().unwrap_or("behaviour");
        let name = benchmark.and_then(|benchmark| benchmark.result_key.as_deref()).unwrap_or(id).to_owned();
        let mut rubric = prompt.rubric_text().trim_end().to_owned();
        if let Some(benchmark) = benchmark {
            let code = &benchmark.code.value;
            // As the judge is shown them: a prompt's own examples go before those of its benchmark.
            let own = prompt.section(SectionKind::Examples).is_some();
            let lines: Vec<String> = example_lines(&benchmark.examples)
                .into_iter()
                .filter(|line| !own || !rubric.contains(line.as_str()))
                .collect();
            if !lines.is_empty() {
                let heading = if own { "" } else { "\nEXAMPLES:" };
                let _ = write!(rubric, "\n{heading}\n{}", lines.join("\n"));
            }
            if benchmark.scale.is_some() {
                self.left_out.push(format!("{code}: its scoring scale; the dataset asks for pass or fail"));
            }
            if benchmark.asks_applicable {
                self.left_out
                    .push(format!("{code}: the answer that a case is not for it; the dataset asks about every case"));
            }
        }
        self.evaluators.push(Evaluator { written: Written::Judge { name, rubric }, tags });
    }

    fn checks(&mut self, benchmark: &Benchmark, tags: &TagFilter) {
        let code = &benchmark.code.value;
        let hybrid = benchmark.evaluator == EvaluatorType::Hybrid;
        for check in &benchmark.checks {
            if hybrid && check.decides != Decides::Fail {
                let why = "settles cases without a call; the dataset asks the model every time";
                self.left_out.push(format!("{code}: the check {} {why}", check.name));
                continue;
            }
            match self.check(check) {
                Ok((evaluator, mut arguments)) => {
                    if evaluator != "EqualsExpected" {
                        arguments.insert("evaluation_name".into(), format!("{code} {}", check.name).into());
                    }
                    self.evaluators
                        .push(Evaluator { written: Written::Check(evaluator, arguments), tags: tags.clone() });
                }
                Err(why) => self.left_out.push(format!("{code}: the check {}: {why}", check.name)),
            }
        }
    }

    fn check(&self, check: &Check) -> Result<(&'static str, Map<String, Value>), &'static str> {
        if check.on != "candidate_output" {
            return Err("it looks at an input, and the package's evaluators look at the output");
        }
        if check.name == "Contains" && !self.texts {
            return Err("some outputs are JSON, in which the package looks for keys");
        }
        check.in_pydantic_evals().ok_or("the package has no such evaluator")
    }
}

/// The dataset as YAML.
fn dataset(name: &str, evaluators: &[Evaluator], judge: (Option<&str>, &Parameters), cases: &[Case]) -> String {
    let (some, all): (Vec<&Evaluator>, Vec<&Evaluator>) =
        evaluators.iter().partition(|evaluator| !evaluator.tags.is_empty());
    let mut out = format!("name: {}\ncases:\n", quoted(name));
    if cases.is_empty() {
        out.truncate(out.len() - "cases:\n".len());
        out.push_str("cases: []\n");
    }
    let mut seen: HashSet<String> = HashSet::new();
    for case in cases {
        // Names are unique in a dataset; a case's are unique per model only.
        let mut case_name = case.id.clone();
        if !seen.insert(case_name.clone()) {
            case_name = format!("{} ({})", case.id, case.model);
            seen.insert(case_name.clone());
        }
        let input = |name: &str| case.inputs.get(name).cloned().unwrap_or(Value::Null);
        let inputs =
            json!({"source_narrative": input("source_narrative"), "candidate_output": input("candidate_output")});
        let mut metadata: Map<String, Value> = case.metadata.clone();
        metadata.insert("model".into(), case.model.to_string().into());
        metadata.insert("tags".into(), json!(case.tags));
        // Writing to a String cannot fail.
        let _ = writeln!(out, "- name: {}", quoted(&case_name));
        let _ = writeln!(out, "  inputs: {}", flow(&inputs));
        let _ = writeln!(out, "  expected_output: {}", flow(&input("ground_truth")));
        let _ = writeln!(out, "  metadata: {}", flow(&Value::Object(metadata)));
        let own: Vec<&Evaluator> = some.iter().copied().filter(|evaluator| evaluator.tags.admits(case)).collect();
        if !own.is_empty() {
            out.push_str("  evaluators:\n");
            own.iter().for_each(|evaluator| write_evaluator(&mut out, evaluator, judge, 2));
        }
    }
    out.push_str(if all.is_empty() { "evaluators: []\n" } else { "evaluators:\n" });
    all.iter().for_each(|evaluator| write_evaluator(&mut out, evaluator, judge, 0));
    out
}

fn write_evaluator(
    out: &mut String,
    evaluator: &Evaluator,
    (model, parameters): (Option<&str>, &Parameters),
    indent: usize,
) {
    let lead = " ".repeat(indent);
    match &evaluator.written {
        Written::Check(name, arguments) if arguments.is_empty() => _ = writeln!(out, "{lead}- {name}"),
        Written::Check(name, arguments) => {
            let _ = writeln!(out, "{lead}- {name}: {}", flow(&json!(arguments)));
        }
        Written::Judge { name, rubric } => {
            let _ = writeln!(out, "{lead}- LLMJudge:\n{lead}    rubric: {}", block(rubric, indent + 6));
            let _ = writeln!(out, "{lead}    include_input: true\n{lead}    include_expected_output: true");
            if let Some(model) = model {
                let _ = writeln!(out, "{lead}    model: {}", quoted(model));
            }
            let mut sent = Map::new();
            sent.extend(parameters.temperature.map(|temperature| ("temperature".to_owned(), json!(temperature))));
            sent.extend(parameters.seed.map(|seed| ("seed".to_owned(), json!(seed))));
            if !sent.is_empty() {
                let _ = writeln!(out, "{lead}    model_settings: {}", flow(&json!(sent)));
            }
            let _ = writeln!(out, "{lead}    assertion:\n{lead}      evaluation_name: {}", quoted(name));
        }
    }
}

/// A text in double quotes.
fn quoted(text: &str) -> String {
    flow(&Value::String(text.to_owned()))
}

/// JSON, which is YAML too once the characters that YAML does not allow in plain sight are escaped.
fn flow(value: &Value) -> String {
    let json = value.to_string();
    if !json.chars().any(needs_escape) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if needs_escape(character) {
            let _ = match u32::from(character) {
                code @ 0..=0xffff => write!(out, "\\u{code:04x}"),
                code => write!(out, "\\U{code:08x}"),
            };
        } else {
            out.push(character);
        }
    }
    out
}

fn needs_escape(character: char) -> bool {
    matches!(character, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
        || u32::from(character) > 0xffff
}

/// A text as a literal block, or in quotes where a block would not give it back.
fn block(text: &str, indent: usize) -> String {
    let plain = !text.is_empty()
        && !text.starts_with([' ', '\n', '\t'])
        && !text.ends_with('\n')
        && !text.chars().any(|character| needs_escape(character) || character.is_control() && character != '\n');
    if !plain {
        return quoted(text);
    }
    let mut out = "|-".to_owned();
    for line in text.lines() {
        out.push('\n');
        if !line.is_empty() {
            out.push_str(&" ".repeat(indent));
            out.push_str(line);
        }
    }
    out
}
