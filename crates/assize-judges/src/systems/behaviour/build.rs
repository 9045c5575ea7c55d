//! The three systems: a prompt file, a benchmark, a tree.

use super::judge::{Behaviour, BehaviourJudge, TagFilter};
use super::layout::layout;
use super::prompt_file::{BehaviourPrompt, looks_like_prompt};
use super::spec::{Benchmark, Tree, TreeFiles, root_of_folder, roots};
use super::unsent;
use assize_core::document::{Fields, Node, NodeValue, Problems, parse};
use assize_core::flag::{contradicted, note, uncertain};
use assize_core::settings::{names, object, schema, setting};
use assize_core::{Card, FlagSpec, Judge, JudgeSource, JudgeSystem, Layout, ShownCase, SourceFile};
use indexmap::IndexMap;
use serde_json::{Value, json};
use std::collections::HashMap;

/// A single `*_prompt.md`.
pub struct PromptFileSystem;

/// A single benchmark: its YAML file, or the folder of its tree with the benchmark's own path.
pub struct BenchmarkSystem;

/// A folder with `rubrics/`, `benchmarks/` and prompts.
pub struct TreeSystem;

/// The folder of the example that shows all three.
const EXAMPLE: &str = "behaviours";

/// What judgments of behaviours may flag.
const FLAGS: &[FlagSpec] = &[
    uncertain("low_confidence", "The judge says that it is not confident, so the behaviour fails."),
    uncertain("needs_review", "A person should look at this case."),
    uncertain("no_verdict", "The reply of the judge has no verdict."),
    note("reason_length", "The reason is shorter or longer than was asked for."),
    contradicted("score_differs", "The score that the model states does not go with its verdict."),
    uncertain("score_off_scale", "The score that the model states is not on the benchmark's scale."),
    uncertain("uncertain", "The judge says that it is uncertain, so the behaviour fails."),
];

fn is_yaml(path: &str) -> bool {
    path.ends_with(".yaml") || path.ends_with(".yml")
}

impl JudgeSystem for PromptFileSystem {
    fn card(&self) -> &Card {
        &Card {
            name: "behaviour-prompt",
            summary: "one yes-or-no question about an output, written as a `*_prompt.md` file",
            guide: include_str!("guide_prompt.md"),
            example: EXAMPLE,
            flags: FLAGS,
        }
    }

    fn takes(&self, source: &JudgeSource) -> bool {
        matches!(source, JudgeSource::File(file)
            if file.path.ends_with("_prompt.md") || file.path.ends_with(".md") && looks_like_prompt(&file.text))
    }

    fn layout(&self, shown: &ShownCase<'_>) -> Option<Layout> {
        layout(shown)
    }

    fn settings_schema(&self) -> Value {
        let key = json!({"type": "string", "minLength": 1, "description": "An older name under which the verdict is also reported."});
        schema(self.name(), "The settings of a behaviour prompt.", &[("result_key", key)])
    }

    fn build(&self, source: &JudgeSource, settings: Option<&Node>, problems: &mut Problems) -> Option<Box<dyn Judge>> {
        let JudgeSource::File(file) = source else { return None };
        let before = problems.count();
        let mut result_key = None;
        if let Some(mut fields) = settings.and_then(|node| Fields::open(node, "settings", problems)) {
            result_key =
                fields.take("result_key").and_then(|node| node.filled_text("result_key", problems)).map(str::to_owned);
            fields.finish(problems);
        }
        let prompt = read_prompt(file, problems)?;
        let behaviour = Behaviour::of_prompt(&prompt, result_key);
        let unsent = unsent::of_prompt(&file.path, &prompt);
        (problems.count() == before)
            .then(|| Box::new(BehaviourJudge::new(vec![behaviour], None, unsent)) as Box<dyn Judge>)
    }
}

impl JudgeSystem for BenchmarkSystem {
    fn card(&self) -> &Card {
        &Card {
            name: "benchmark",
            summary: "one behaviour with its checks, threshold and criticality, written as a benchmark YAML file",
            guide: include_str!("guide_tree.md"),
            example: EXAMPLE,
            flags: FLAGS,
        }
    }

    fn takes(&self, source: &JudgeSource) -> bool {
        match source {
            JudgeSource::File(file) => is_yaml(&file.path) && Benchmark::is_meant_by(&file.text),
            JudgeSource::Folder { path, .. } => is_yaml(path),
            JudgeSource::BuiltIn(_) => false,
        }
    }

    /// A benchmark names its prompt from the root of its tree, the folder that holds `benchmarks/`.
    fn folder_of<'p>(&self, file: &'p str) -> Option<&'p str> {
        let at = if file.starts_with("benchmarks/") { Some(0) } else { file.find("/benchmarks/") };
        at.filter(|_| is_yaml(file)).map(|at| if at == 0 { "." } else { &file[..at] })
    }

    fn layout(&self, shown: &ShownCase<'_>) -> Option<Layout> {
        layout(shown)
    }

    fn settings_schema(&self) -> Value {
        Settings::schema(self.name())
    }

    fn build(&self, source: &JudgeSource, settings: Option<&Node>, problems: &mut Problems) -> Option<Box<dyn Judge>> {
        let (file, files) = match source {
            JudgeSource::File(file) => (file, std::slice::from_ref(file)),
            JudgeSource::Folder { path, files } => {
                (files.iter().find(|file| is_at(&file.path, path))?, files.as_slice())
            }
            JudgeSource::BuiltIn(_) => return None,
        };
        let before = problems.count();
        let outer = problems.enter(file.path.clone());
        let benchmark = parse(&file.text, problems).and_then(|document| Benchmark::read(&document, problems));
        problems.enter(outer);
        let benchmark = benchmark?;
        let settings = Settings::read(settings, [benchmark.code.value.as_str()].into_iter(), problems);
        let mut unsent = Vec::new();
        let prompt = match &benchmark.prompt_file {
            Some(named) if benchmark.evaluator.may_ask() => match find_prompt(&named.value, &file.path, files) {
                Some(found) => {
                    let prompt = read_prompt(found, problems)?;
                    unsent = unsent::of_prompt(&found.path, &prompt);
                    Some(prompt)
                }
                None => {
                    let outer = problems.enter(file.path.clone());
                    let message = format!("the prompt file `{}` is not among the files that were read", named.value);
                    let help =
                        "name the tree's folder in `judge.use` and this benchmark under `settings: {only: [...]}`";
                    problems.report_with_help(named.span, message, help);
                    problems.enter(outer);
                    return None;
                }
            },
            _ => None,
        };
        let tags = settings.tags_of(&benchmark.code.value);
        let behaviour = Behaviour::of_benchmark(&benchmark, prompt.as_ref(), tags);
        unsent.extend(unsent::of_benchmark(&file.text, &benchmark, prompt.as_ref()));
        (problems.count() == before)
            .then(|| Box::new(BehaviourJudge::new(vec![behaviour], None, unsent)) as Box<dyn Judge>)
    }
}

/// Whether a file's path, wherever it is shown from, is the one the user wrote.
fn is_at(path: &str, written: &str) -> bool {
    let written = written.strip_prefix("./").unwrap_or(written);
    path.strip_suffix(written).is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', ':']))
}

/// The prompt a benchmark names: from the root of its tree, which is a folder above the benchmark.
fn find_prompt<'f>(named: &str, benchmark: &str, files: &'f [SourceFile]) -> Option<&'f SourceFile> {
    let named = named.strip_prefix("./").unwrap_or(named);
    let mut folder = benchmark;
    while let Some((above, _)) = folder.rsplit_once('/') {
        let path = format!("{above}/{named}");
        if let Some(file) = files.iter().find(|file| file.path == path) {
            return Some(file);
        }
        folder = above;
    }
    files.iter().find(|file| file.path == named)
}

impl JudgeSystem for TreeSystem {
    fn card(&self) -> &Card {
        &Card {
            name: "rubric-tree",
            summary: "a folder of rubrics, benchmarks and behaviour prompts that adds up to a release decision",
            guide: include_str!("guide_tree.md"),
            example: EXAMPLE,
            flags: FLAGS,
        }
    }

    fn takes(&self, source: &JudgeSource) -> bool {
        let JudgeSource::Folder { path, files } = source else { return false };
        !is_yaml(path) && !roots(files.iter().map(|file| file.path.as_str())).is_empty()
    }

    fn layout(&self, shown: &ShownCase<'_>) -> Option<Layout> {
        layout(shown)
    }

    fn settings_schema(&self) -> Value {
        Settings::schema(self.name())
    }

    fn build(&self, source: &JudgeSource, settings: Option<&Node>, problems: &mut Problems) -> Option<Box<dyn Judge>> {
        let JudgeSource::Folder { path, files } = source else { return None };
        let before = problems.count();
        let written = TreeFiles::read(&root_of_folder(path, files), files, problems);
        let codes: Vec<String> = written.benchmarks.iter().map(|benchmark| benchmark.code.value.clone()).collect();
        let settings = Settings::read(settings, codes.iter().map(String::as_str), problems);
        let prompts = read_prompts(&written, problems);
        let outer = problems.enter(path.clone());
        let tree = written.check(problems);
        problems.enter(outer);
        let tree = tree.filter(|_| problems.count() == before)?;
        let unsent = unsent::of_tree(&tree, &prompts, files);
        let behaviours: Vec<Behaviour> = in_order(&tree)
            .into_iter()
            .filter(|code| settings.only.is_empty() || settings.only.contains(code))
            .filter_map(|code| tree.benchmarks.get(&code))
            .map(|benchmark| {
                let code = &benchmark.code.value;
                let prompt = prompts.get(code).map(|(_, prompt)| prompt);
                Behaviour::of_benchmark(benchmark, prompt, settings.tags_of(code))
            })
            .collect();
        Some(Box::new(BehaviourJudge::new(behaviours, Some(tree), unsent)))
    }
}

/// The benchmarks in the order of the rubrics, those without a rubric last.
fn in_order(tree: &Tree) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    let mut stack: Vec<&str> = tree.roots.iter().rev().map(String::as_str).collect();
    while let Some(code) = stack.pop() {
        codes.extend(tree.members.get(code).into_iter().flatten().cloned());
        if let Some(rubric) = tree.rubrics.get(code) {
            stack.extend(rubric.sub_rubrics.iter().rev().map(|below| below.code().value.as_str()));
        }
    }
    let rest: Vec<String> = tree.benchmarks.keys().filter(|code| !codes.contains(code)).cloned().collect();
    codes.extend(rest);
    codes
}

/// The prompts of the benchmarks with their files, by the benchmark's code.
fn read_prompts(tree: &TreeFiles<'_>, problems: &mut Problems) -> HashMap<String, (String, BehaviourPrompt)> {
    let mut prompts = HashMap::new();
    for benchmark in tree.benchmarks.iter().filter(|benchmark| benchmark.evaluator.may_ask()) {
        let Some(named) = &benchmark.prompt_file else { continue };
        match tree.prompt_of(benchmark) {
            Some(file) => {
                if let Some(prompt) = read_prompt(file, problems) {
                    prompts.insert(benchmark.code.value.clone(), (file.path.clone(), prompt));
                }
            }
            None => {
                let outer = problems.enter(benchmark.file.clone());
                let help = "the path starts at the tree's root, the folder that holds `benchmarks/`";
                problems.report_with_help(named.span, format!("there is no prompt file `{}`", named.value), help);
                problems.enter(outer);
            }
        }
    }
    prompts
}

pub(super) fn read_prompt(file: &SourceFile, problems: &mut Problems) -> Option<BehaviourPrompt> {
    let outer = problems.enter(file.path.clone());
    let prompt = BehaviourPrompt::read(&file.text, problems);
    problems.enter(outer);
    prompt
}

/// What a suite may set.
#[derive(Default)]
struct Settings {
    /// The benchmarks to run; none means all.
    only: Vec<String>,
    /// The cases each benchmark admits; `*` stands for those not named.
    tags: IndexMap<String, TagFilter>,
}

impl Settings {
    fn schema(name: &str) -> Value {
        let filter = object(
            "Which cases a benchmark admits.",
            &[
                ("only", setting(names(), "Cases with one of these tags.", json!([]))),
                ("skip", setting(names(), "No case with one of these tags.", json!([]))),
            ],
        );
        let tags = json!({"type": "object", "additionalProperties": filter});
        schema(
            name,
            "The settings of rubrics and benchmarks.",
            &[
                ("only", setting(names(), "The benchmarks to run, by their codes; empty for all.", json!([]))),
                (
                    "tags",
                    setting(
                        tags,
                        "The cases each benchmark admits: from its code, or * for those not named, to the tags of cases.",
                        json!({}),
                    ),
                ),
            ],
        )
    }

    fn read<'c>(settings: Option<&Node>, codes: impl Iterator<Item = &'c str>, problems: &mut Problems) -> Self {
        let mut read = Self::default();
        let Some(mut fields) = settings.and_then(|node| Fields::open(node, "settings", problems)) else { return read };
        let codes: Vec<&str> = codes.collect();
        let known = |code: &str, span, problems: &mut Problems| {
            if !codes.contains(&code) && code != "*" {
                let message = format!("there is no benchmark `{code}`");
                match assize_core::document::closest(code, codes.iter().copied()) {
                    Some(near) => problems.report_with_help(span, message, format!("did you mean `{near}`?")),
                    None => problems.report(span, message),
                }
            }
        };
        if let Some(items) = fields.take("only").and_then(|node| node.list("only", problems)) {
            for item in items {
                if let Some(code) = item.filled_text("only", problems) {
                    known(code, item.span, problems);
                    read.only.push(code.to_owned());
                }
            }
        }
        if let Some(node) = fields.take("tags") {
            match &node.kind {
                NodeValue::Map(entries) => {
                    for (key, value) in entries {
                        known(&key.name, key.span, problems);
                        if let Some(filter) = read_filter(value, problems) {
                            read.tags.insert(key.name.clone(), filter);
                        }
                    }
                }
                _ => {
                    node.expected("tags", "a mapping from a benchmark's code to `{only: [...], skip: [...]}`", problems)
                }
            }
        }
        fields.finish(problems);
        read
    }

    fn tags_of(&self, code: &str) -> TagFilter {
        self.tags.get(code).or_else(|| self.tags.get("*")).cloned().unwrap_or_default()
    }
}

fn read_filter(node: &Node, problems: &mut Problems) -> Option<TagFilter> {
    let mut fields = Fields::open(node, "the tag filter", problems)?;
    let mut list = |name: &'static str, problems: &mut Problems| -> Vec<String> {
        let items = fields.take(name).and_then(|node| node.list(name, problems)).unwrap_or_default();
        items.iter().filter_map(|item| item.filled_text(name, problems)).map(str::to_owned).collect()
    };
    let (only, skip) = (list("only", problems), list("skip", problems));
    fields.finish(problems);
    Some(TagFilter { only, skip })
}
