//! What of a judge's files no model is told: the lines of prompts, and the fields of benchmarks and rubrics.

use super::prompt_file::{BehaviourPrompt, LineUse, NotSent, SectionKind, SourceLine};
use super::spec::{Benchmark, Example, Tree, TreeFiles, Unused, root_of_folder};
use assize_core::document::{Node, NodeValue, Problems, parse};
use assize_core::{JudgeSource, SourceFile, Unsent};
use std::collections::{HashMap, HashSet};

/// The lines of a prompt that are not sent.
pub(super) fn of_prompt(file: &str, prompt: &BehaviourPrompt) -> Vec<Unsent> {
    prompt.not_sent().map(|(line, why)| entry(file, line, why)).collect()
}

/// The lines of a benchmark that are not sent.
pub(super) fn of_benchmark(text: &str, benchmark: &Benchmark, prompt: Option<&BehaviourPrompt>) -> Vec<Unsent> {
    let lines = benchmark_lines(text, benchmark, prompt);
    let unsent = lines.iter().filter_map(|line| match line.usage {
        LineUse::NotSent(why) => Some(entry(&benchmark.file, line, why)),
        LineUse::Sent | LineUse::Metadata => None,
    });
    unsent.collect()
}

/// What is not sent in a tree, file by file.
pub(super) fn of_tree(
    tree: &Tree,
    prompts: &HashMap<String, (String, BehaviourPrompt)>,
    files: &[SourceFile],
) -> Vec<Unsent> {
    let text_of = |path: &str| files.iter().find(|file| file.path == path).map_or("", |file| file.text.as_str());
    let mut unsent = Vec::new();
    for rubric in tree.rubrics.values() {
        let unused = |field: &Unused| Unsent {
            file: rubric.file.clone(),
            line: field.span.line,
            text: field.path.clone(),
            reason: NotSent::Unused.reason().to_owned(),
        };
        unsent.extend(rubric.unused.iter().map(unused));
    }
    let mut seen = HashSet::new();
    for (code, benchmark) in &tree.benchmarks {
        let prompt = prompts.get(code);
        unsent.extend(of_benchmark(text_of(&benchmark.file), benchmark, prompt.map(|(_, prompt)| prompt)));
        if let Some((file, prompt)) = prompt.filter(|(file, _)| seen.insert(file)) {
            unsent.extend(of_prompt(file, prompt));
        }
    }
    unsent
}

fn entry(file: &str, line: &SourceLine, why: NotSent) -> Unsent {
    let (file, text, reason) = (file.to_owned(), line.written.clone(), why.reason().to_owned());
    Unsent { file, line: line.number, text, reason }
}

/// A sentence that names the fields that are kept and not used; none where there are none.
pub(super) fn unused_note(unsent: &[Unsent]) -> Option<String> {
    let unused = unsent.iter().filter(|entry| entry.reason == NotSent::Unused.reason());
    let mut places: Vec<String> =
        unused.map(|entry| format!("{} ({}:{})", entry.text, entry.file, entry.line)).collect();
    places.dedup();
    (!places.is_empty()).then(|| format!("kept, but not used: {}", places.join(", ")))
}

/// The fields of a tree or a benchmark that have no meaning here, as comments for the head of an exported YAML file.
pub fn kept_as_comments(source: &JudgeSource) -> String {
    let (path, files) = match source {
        JudgeSource::BuiltIn(_) => return String::new(),
        JudgeSource::File(file) => ("", std::slice::from_ref(file)),
        JudgeSource::Folder { path, files } => (path.as_str(), files.as_slice()),
    };
    let tree = TreeFiles::read(&root_of_folder(path, files), files, &mut Problems::default());
    let rubrics = tree.rubrics.iter().map(|rubric| (&rubric.file, &rubric.unused));
    let benchmarks = tree.benchmarks.iter().map(|benchmark| (&benchmark.file, &benchmark.unused));
    let kept = rubrics.chain(benchmarks).flat_map(|(file, unused)| unused.iter().map(move |field| (file, field)));
    // JSON has no line break that could end a comment.
    kept.map(|(file, Unused { path, value, .. })| format!("# kept from {file}: {path}: {value}\n")).collect()
}

/// Every line of a benchmark's file with its use. A line belongs to the field that starts on it or was the last to start.
pub fn benchmark_lines(text: &str, benchmark: &Benchmark, prompt: Option<&BehaviourPrompt>) -> Vec<SourceLine> {
    let mut starts: Vec<(u32, String)> = Vec::new();
    if let Some(document) = parse(text, &mut Problems::default()) {
        collect(&document, "", &mut starts);
    }
    let mut at = starts.iter().peekable();
    let mut path = "";
    let lines = (1..).zip(text.lines()).map(|(number, line)| {
        let mut started = false;
        while let Some((_, next)) = at.next_if(|(start, _)| *start <= number) {
            path = next;
            started = true;
        }
        let written = line.trim().to_owned();
        let comment = !started && written.starts_with('#');
        let usage = if written.is_empty() || comment { LineUse::Metadata } else { use_of(path, benchmark, prompt) };
        SourceLine { number, written, usage }
    });
    lines.collect()
}

/// The fields of a document with the lines they start on, in the order of the lines.
fn collect(node: &Node, path: &str, starts: &mut Vec<(u32, String)>) {
    match &node.kind {
        NodeValue::Map(entries) => {
            for (key, value) in entries {
                let path = if path.is_empty() { key.name.clone() } else { format!("{path}.{}", key.name) };
                starts.push((key.span.line, path.clone()));
                collect(value, &path, starts);
            }
        }
        NodeValue::List(items) => {
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}[{index}]");
                starts.push((item.span.line, path.clone()));
                collect(item, &path, starts);
            }
        }
        _ => {}
    }
}

fn use_of(path: &str, benchmark: &Benchmark, prompt: Option<&BehaviourPrompt>) -> LineUse {
    let is_below =
        |field: &str| path.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
    let asked = benchmark.evaluator.may_ask();
    let sent = if asked { LineUse::Sent } else { LineUse::NotSent(NotSent::NoModel) };
    if benchmark.unused.iter().any(|field| is_below(&field.path)) {
        LineUse::NotSent(NotSent::Unused)
    } else if path == "examples" && benchmark.examples.len() == 1 {
        // A single text, written in place of a list.
        example_use(0, benchmark, prompt).unwrap_or(LineUse::Metadata)
    } else if let Some(rest) = path.strip_prefix("examples[") {
        let index = rest.split(']').next().and_then(|index| index.parse().ok());
        index.and_then(|index| example_use(index, benchmark, prompt)).filter(|_| asked).unwrap_or(sent)
    } else if ["min_value", "max_value", "descriptions"].iter().any(|key| is_below(&format!("scoring_scale.{key}")))
        || is_below("exclusion_criteria") && benchmark.asks_applicable
    {
        sent
    } else {
        LineUse::Metadata
    }
}

/// What becomes of an example: texts are all sent, judged cases as far as they are shown.
fn example_use(index: usize, benchmark: &Benchmark, prompt: Option<&BehaviourPrompt>) -> Option<LineUse> {
    let is_judged = |example: &Example| matches!(example, Example::Judged { .. });
    let before = benchmark.examples.iter().take(index).filter(|example| is_judged(example)).count();
    Some(match benchmark.examples.get(index)? {
        Example::Text(_) => LineUse::Sent,
        Example::Judged { .. } if prompt.is_some_and(|prompt| prompt.section(SectionKind::Examples).is_some()) => {
            LineUse::NotSent(NotSent::OtherExamples)
        }
        Example::Judged { .. } if before >= benchmark.few_shot => LineUse::NotSent(NotSent::FurtherExample),
        Example::Judged { .. } => LineUse::Sent,
    })
}
