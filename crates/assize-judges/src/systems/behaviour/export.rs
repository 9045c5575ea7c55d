//! A tree and its cases as a Pydantic Evals dataset.
//!
//! Every behaviour that a model judges becomes one `LLMJudge` whose rubric is the prompt without SYSTEM and INPUTS. The
//! recorded output stands among the inputs, so that `lambda inputs: inputs["candidate_output"]` is the task.

use super::build;
use super::prompt_file::BehaviourPrompt;
use super::spec::{Benchmark, TreeFiles, root_of_folder};
use assize_core::document::{Problems, parse};
use assize_core::{Case, JudgeSource};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::fmt::Write as _;

/// A behaviour as another tool is given it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedBehaviour {
    /// The name of the assertion.
    pub name: String,
    /// Everything of the prompt but SYSTEM and INPUTS.
    pub rubric: String,
}

/// The behaviours of a prompt file, a benchmark or a tree that a model judges.
pub fn exported_behaviours(source: &JudgeSource, problems: &mut Problems) -> Option<Vec<ExportedBehaviour>> {
    let before = problems.count();
    let prompts: Vec<BehaviourPrompt> = match source {
        JudgeSource::BuiltIn(_) => return None,
        JudgeSource::File(file) if file.path.ends_with(".md") => {
            build::read_prompt(file, problems).into_iter().collect()
        }
        JudgeSource::File(file) => {
            let outer = problems.enter(file.path.clone());
            let benchmark = parse(&file.text, problems).and_then(|document| Benchmark::read(&document, problems));
            if let Some(named) = benchmark.and_then(|benchmark| benchmark.prompt_file) {
                let help = "name the tree's folder instead of the benchmark";
                problems.report_with_help(named.span, "the prompt file is not among the files that were read", help);
            }
            problems.enter(outer);
            Vec::new()
        }
        JudgeSource::Folder { path, files } => {
            let tree = TreeFiles::read(&root_of_folder(path, files), files, problems);
            let asked = tree.benchmarks.iter().filter(|benchmark| benchmark.evaluator.may_ask());
            let mut read = HashSet::new();
            let files: Vec<_> = asked
                .filter_map(|benchmark| tree.prompt_of(benchmark))
                .filter(|file| read.insert(file.path.as_str()))
                .collect();
            files.into_iter().filter_map(|file| build::read_prompt(file, problems)).collect()
        }
    };
    let exported = prompts
        .iter()
        .map(|prompt| ExportedBehaviour {
            name: prompt.behaviour_id().unwrap_or("behaviour").to_owned(),
            rubric: prompt.rubric_text().trim_end().to_owned(),
        })
        .collect();
    (problems.count() == before).then_some(exported)
}

/// The dataset as YAML.
pub fn export_pydantic_evals(name: &str, behaviours: &[ExportedBehaviour], cases: &[Case]) -> String {
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
    }
    out.push_str(if behaviours.is_empty() { "evaluators: []\n" } else { "evaluators:\n" });
    for behaviour in behaviours {
        let _ = writeln!(out, "- LLMJudge:\n    rubric: {}", block(&behaviour.rubric, 6));
        let _ = writeln!(out, "    include_input: true\n    include_expected_output: true");
        let _ = writeln!(out, "    assertion:\n      evaluation_name: {}", quoted(&behaviour.name));
    }
    out
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
