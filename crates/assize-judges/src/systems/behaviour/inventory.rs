//! Every behaviour of some rubric files: what it belongs to, how it is decided, and what is missing.

use super::labelled::{LabelledExample, LabelledExamples, rubric_fingerprint};
use super::lint::lint;
use super::prompt_file::{BehaviourPrompt, looks_like_prompt};
use super::spec::{Benchmark, EvaluatorType, Rubric, TreeFiles, root_of, roots};
use assize_core::SourceFile;
use assize_core::document::{Problems, Severity};
use assize_core::number::plural;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A behaviour among rubric files.
#[derive(Clone, Debug, PartialEq)]
pub struct InventoryEntry {
    /// The benchmark's code; where there is no benchmark, the behaviour's id.
    pub code: String,
    /// The behaviour's id, as in its prompt.
    pub behaviour: Option<String>,
    /// The rubric it belongs to, by its code.
    pub rubric: Option<String>,
    /// The benchmark's file.
    pub benchmark: Option<String>,
    /// The prompt's file.
    pub prompt: Option<String>,
    /// Who decides, as files say it.
    pub evaluator: &'static str,
    /// What it counts for.
    pub weight: Option<f64>,
    /// What follows when it fails, as files say it.
    pub gate: &'static str,
    /// Whether anything uses it: a prompt that no benchmark names, and a benchmark in no rubric where there are rubrics, are
    /// not used.
    pub used: bool,
    /// Whether it could be run as it stands.
    pub sound: bool,
    /// As many examples as say whether they pass.
    pub examples: usize,
    /// Its benchmark and prompt in one hash, to tell whether it has changed since it was tested.
    pub fingerprint: String,
    /// What is missing, in words.
    pub missing: Vec<String>,
}

/// The behaviours of a set of files, in the order of the files.
pub fn inventory(files: &[SourceFile]) -> Vec<InventoryEntry> {
    let mut errors: HashMap<String, BTreeMap<&'static str, usize>> = HashMap::new();
    for finding in lint(files).into_iter().filter(|finding| finding.severity == Severity::Error) {
        *errors.entry(finding.file).or_default().entry(finding.rule).or_default() += 1;
    }
    let roots = roots(files.iter().map(|file| file.path.as_str()));
    let mut entries = Vec::new();
    let mut named: HashSet<&str> = HashSet::new();
    for root in &roots {
        let own = files.iter().filter(|file| root_of(&file.path, &roots) == Some(root.as_str()));
        let tree = TreeFiles::read(root, own, &mut Problems::default());
        let rubric_of = rubrics(&tree.rubrics, &tree.benchmarks);
        for benchmark in &tree.benchmarks {
            let prompt = tree.prompt_of(benchmark);
            named.extend(prompt.map(|file| file.path.as_str()));
            let rubric = rubric_of.get(benchmark.code.value.as_str()).map(|code| (*code).to_owned());
            let mut entry = of_benchmark(benchmark, prompt, rubric, &errors);
            entry.used = entry.rubric.is_some() || tree.rubrics.is_empty();
            if !entry.used {
                entry.missing.push("a rubric that it belongs to".into());
            }
            entries.push(entry);
        }
    }
    let is_prompt = |file: &&SourceFile| {
        let named_so = file.path.ends_with("_prompt.md") || file.path.ends_with(".md") && looks_like_prompt(&file.text);
        named_so && !named.contains(file.path.as_str())
    };
    for file in files.iter().filter(is_prompt) {
        let in_tree = root_of(&file.path, &roots).is_some();
        let mut entry = of_prompt(file, &errors);
        entry.used = !in_tree;
        if in_tree {
            entry.missing.push("a benchmark that names it".into());
        }
        entries.push(entry);
    }
    entries
}

/// The rubric of each benchmark: the one that lists it, else the one it names.
fn rubrics<'t>(rubrics: &'t [Rubric], benchmarks: &'t [Benchmark]) -> HashMap<&'t str, &'t str> {
    let mut found: HashMap<&str, &str> = HashMap::new();
    for benchmark in benchmarks {
        if let Some(parent) = &benchmark.parent_rubric {
            found.insert(&benchmark.code.value, &parent.value);
        }
    }
    for rubric in rubrics {
        for listed in rubric.benchmarks.iter().flatten() {
            found.insert(&listed.value, &rubric.code.value);
        }
    }
    found
}

type Errors = HashMap<String, BTreeMap<&'static str, usize>>;

fn of_benchmark(
    benchmark: &Benchmark,
    prompt: Option<&SourceFile>,
    rubric: Option<String>,
    errors: &Errors,
) -> InventoryEntry {
    let read = prompt.map(|file| BehaviourPrompt::read_leniently(&file.text, &mut Problems::default()));
    let mut missing = Vec::new();
    let asks = benchmark.evaluator.may_ask();
    match &benchmark.prompt_file {
        Some(named) if asks && prompt.is_none() => missing.push(format!("the prompt file {}", named.value)),
        _ => {}
    }
    let mut labelled = LabelledExamples::default();
    let with = prompt.zip(read.as_ref()).filter(|_| asks);
    labelled.add(&benchmark.code.value, Some(benchmark), with, &mut Problems::default());
    if benchmark.evaluator != EvaluatorType::ManualSme {
        missing.extend(missing_examples(&labelled.examples));
    }
    missing.extend(
        [&Some(&benchmark.file), &prompt.map(|file| &file.path)]
            .into_iter()
            .flatten()
            .filter_map(|file| faults(file, errors)),
    );
    InventoryEntry {
        code: benchmark.code.value.clone(),
        behaviour: read.as_ref().and_then(BehaviourPrompt::behaviour_id).map(str::to_owned),
        rubric,
        benchmark: Some(benchmark.file.clone()),
        prompt: prompt.map(|file| file.path.clone()),
        evaluator: benchmark.evaluator.name(),
        weight: benchmark.weight.as_ref().map(|weight| weight.value),
        gate: benchmark.criticality.name(),
        used: true,
        sound: (!asks || prompt.is_some()) && sound(Some(&benchmark.file), prompt, errors),
        examples: labelled.examples.len(),
        fingerprint: rubric_fingerprint(Some(benchmark), prompt.map(|file| file.text.as_str())),
        missing,
    }
}

fn of_prompt(file: &SourceFile, errors: &Errors) -> InventoryEntry {
    let prompt = BehaviourPrompt::read_leniently(&file.text, &mut Problems::default());
    let id = prompt.behaviour_id().map(str::to_owned);
    let code = id.clone().unwrap_or_else(|| file.path.clone());
    let mut labelled = LabelledExamples::default();
    labelled.add(&code, None, Some((file, &prompt)), &mut Problems::default());
    let mut missing = missing_examples(&labelled.examples);
    missing.extend(faults(&file.path, errors));
    InventoryEntry {
        code,
        behaviour: id,
        rubric: None,
        benchmark: None,
        prompt: Some(file.path.clone()),
        evaluator: EvaluatorType::LlmJudge.name(),
        weight: None,
        gate: super::spec::Criticality::ThresholdGate.name(),
        used: true,
        sound: sound(None, Some(file), errors),
        examples: labelled.examples.len(),
        fingerprint: rubric_fingerprint(None, Some(&file.text)),
        missing,
    }
}

fn missing_examples(examples: &[LabelledExample]) -> Vec<String> {
    let lacks = |wanted: bool| !examples.iter().any(|example| example.pass == wanted);
    match (lacks(true), lacks(false)) {
        (true, true) => vec!["examples that say whether they pass".into()],
        (true, false) => vec!["an example that passes".into()],
        (false, true) => vec!["an example that fails".into()],
        (false, false) => Vec::new(),
    }
}

fn faults(file: &str, errors: &Errors) -> Option<String> {
    let found = errors.get(file)?;
    let rules: Vec<&str> = found.keys().copied().collect();
    let count = plural(found.values().sum::<usize>() as u64, "lint error");
    Some(format!("{count} in {file}: {}", rules.join(", ")))
}

fn sound(benchmark: Option<&String>, prompt: Option<&SourceFile>, errors: &Errors) -> bool {
    let files = benchmark.into_iter().chain(prompt.map(|file| &file.path));
    files.into_iter().all(|file| !errors.contains_key(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let file = |path: &str, text: &str| SourceFile { path: path.into(), text: text.into() };
        let files = [
            file("t/rubrics/R.yaml", "code: R\nbenchmarks: [A]\n"),
            file(
                "t/benchmarks/A.yaml",
                "code: A\nevaluator_type: code\nweight: 1\ncriticality: hard_gate\nevaluator_config: {deterministic: [{Contains: x}]}\nexamples:\n  - {candidate_output: x, pass: true, reason: It is there.}\n",
            ),
            file("t/benchmarks/B.yaml", "code: B\nevaluator_type: llm_judge\nllm_prompt_file: prompts/b_prompt.md\n"),
            file("t/prompts/c_prompt.md", "BEHAVIOR: c\n"),
        ];
        let entries = inventory(&files);
        let codes: Vec<&str> = entries.iter().map(|entry| entry.code.as_str()).collect();
        assert_eq!(codes, ["A", "B", "c"]);
        let [a, b, c] = &entries[..] else { unreachable!("three") };
        assert_eq!(
            (a.rubric.as_deref(), a.evaluator, a.gate, a.weight, a.used, a.sound),
            (Some("R"), "code", "hard_gate", Some(1.0), true, true)
        );
        assert_eq!((a.examples, &a.missing[..]), (1, &["an example that fails".to_owned()][..]));
        assert!(!b.used && !b.sound && b.missing.contains(&"the prompt file prompts/b_prompt.md".to_owned()), "{b:?}");
        assert!(!c.used && c.missing.contains(&"a benchmark that names it".to_owned()), "{c:?}");
    }
}
