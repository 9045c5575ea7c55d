//! The bundled examples: part of the binary, so that `demo` and `init` need no file.

use crate::SYSTEMS;
use assize_core::document::{Problems, parse};
use assize_core::{JudgeSystem, Suite};
use serde_json::Value;

/// The files of an example, by their path within it.
pub type ExampleFiles = &'static [(&'static str, &'static str)];

/// An example of one judge system.
pub struct Example {
    /// What it is an example of.
    pub system: &'static str,
    /// Its files; `suite.yaml` is the suite.
    pub files: ExampleFiles,
}

impl Example {
    /// Its suite, within its files.
    pub const SUITE: &str = "suite.yaml";
}

/// All examples, as the build script found them under `examples/`.
const BUNDLED: &[Example] = include!(concat!(env!("OUT_DIR"), "/examples.rs"));

/// All examples, in the order of the systems that they show.
pub fn all() -> Vec<&'static Example> {
    let mut examples: Vec<&Example> = BUNDLED.iter().collect();
    let shows = |example: &Example| SYSTEMS.iter().position(|system| system.card().example == example.system);
    examples.sort_by_key(|example| shows(example).unwrap_or(SYSTEMS.len()));
    examples
}

/// The example that shows a system.
pub fn of(system: &dyn JudgeSystem) -> Option<&'static Example> {
    BUNDLED.iter().find(|example| example.system == system.card().example)
}

/// The names of the examples, in the order in which they are shown.
pub fn names() -> Vec<&'static str> {
    all().into_iter().map(|example| example.system).collect()
}

/// Names that are spelt in two ways: as here, and as elsewhere.
pub const SPELLINGS: [(&str, &str); 1] = [("behaviours", "behaviors")];

/// The name of an example as it is spelt here.
pub fn spelt_here(name: &str) -> &str {
    SPELLINGS.iter().find(|(_, elsewhere)| *elsewhere == name).map_or(name, |(here, _)| here)
}

/// As many cases as a first suite has: few enough to read.
const FEW_CASES: usize = 4;

/// An example to start from: its files with the first few cases only. What its suites do not name as cases stays whole.
pub fn small(files: ExampleFiles) -> Vec<(&'static str, String)> {
    let cases = case_files(files);
    let shortened = |name: &str, text: &str| {
        let kept = match name.rsplit_once('.') {
            Some((_, "jsonl")) if cases.contains(&name) => FEW_CASES,
            Some((_, "csv")) if cases.contains(&name) => FEW_CASES + 1,
            _ => return text.to_owned(),
        };
        // What belongs together stays together: rows that share an id may make a case only together.
        let id = |line: &str| serde_json::from_str::<Value>(line).ok().and_then(|record| record.get("id").cloned());
        let last = text.lines().nth(kept - 1).and_then(id);
        let more = text.lines().skip(kept).take_while(|line| last.is_some() && id(line) == last).count();
        text.lines().take(kept + more).map(|line| format!("{line}\n")).collect()
    };
    files.iter().map(|(name, text)| (*name, shortened(name, text))).collect()
}

/// The files that the suites of an example name as cases, in the order of their paths.
pub fn case_files(files: ExampleFiles) -> Vec<&'static str> {
    let suites = files.iter().filter(|(name, _)| !name.contains('/') && name.ends_with(".yaml"));
    let named: Vec<String> = suites.flat_map(|(_, text)| cases_of(text)).collect();
    let is_named = |path: &str| named.iter().any(|pattern| matches(pattern, path));
    files.iter().map(|(path, _)| *path).filter(|path| is_named(path)).collect()
}

/// What a suite names as cases; nothing if the file is no suite.
fn cases_of(text: &str) -> Vec<String> {
    let mut problems = Problems::default();
    let suite = parse(text, &mut problems).and_then(|node| Suite::read(&node, &mut problems));
    suite.map(|suite| suite.cases.into_iter().map(|cases| cases.value).collect()).unwrap_or_default()
}

/// Whether a path is what a pattern with at most one `*` names.
fn matches(pattern: &str, path: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == path,
        Some((before, after)) => {
            path.len() >= before.len() + after.len() && path.starts_with(before) && path.ends_with(after)
        }
    }
}
