//! The bundled examples: part of the binary, so that `demo` and `init` need no file.

use assize_core::document::Problems;
use assize_engine::files::Files;
use assize_engine::run::{Environment, Prepared, RunOptions, prepare};

/// The files of an example, by their path within it.
pub(crate) type ExampleFiles = &'static [(&'static str, &'static str)];

/// An example of one judge system.
pub(crate) struct Example {
    /// What it is an example of.
    pub(crate) system: &'static str,
    /// Its files; `suite.yaml` is the suite.
    pub(crate) files: ExampleFiles,
}

impl Example {
    /// Its suite, within its files.
    pub(crate) const SUITE: &str = "suite.yaml";

    /// Its files, to be read like those of a folder.
    pub(crate) fn files(&self) -> Files {
        Files::Bundled { name: self.system, files: self.files }
    }

    /// The run that judges it.
    pub(crate) fn prepare(&self, options: RunOptions, environment: Environment<'_>) -> Result<Prepared, Problems> {
        prepare(&self.files(), Self::SUITE, options, environment)
    }
}

/// All examples, as the build script found them under `examples/`.
const BUNDLED: &[Example] = include!(concat!(env!("OUT_DIR"), "/examples.rs"));

/// The order in which they are shown; what is not named here comes last.
const ORDER: [&str; 5] =
    ["transcript-quality", "reasoning-trace", "behaviours", "call-intelligence", "fact-extraction"];

/// All examples, in the order in which they are shown.
pub(crate) fn all() -> Vec<&'static Example> {
    let mut examples: Vec<&Example> = BUNDLED.iter().collect();
    let place = |example: &&Example| ORDER.iter().position(|name| *name == example.system).unwrap_or(ORDER.len());
    examples.sort_by_key(place);
    examples
}

/// The names of the examples, in the order in which they are shown.
pub(crate) fn names() -> Vec<&'static str> {
    all().into_iter().map(|example| example.system).collect()
}

/// As many cases as a first suite has: few enough to read.
const FEW_CASES: usize = 4;

/// An example to start from: its files with the first few cases only.
pub(crate) fn small(files: ExampleFiles) -> Vec<(&'static str, String)> {
    let shortened = |name: &str, text: &str| {
        if name.ends_with(".jsonl") {
            text.lines().take(FEW_CASES).map(|line| format!("{line}\n")).collect()
        } else {
            text.to_owned()
        }
    };
    files.iter().map(|(name, text)| (*name, shortened(name, text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_has_a_suite_and_at_least_a_dozen_cases() {
        for example in all() {
            assert!(example.files.iter().any(|(name, _)| *name == "suite.yaml"), "{}", example.system);
            let cases: usize = example
                .files
                .iter()
                .filter(|(name, _)| name.ends_with(".jsonl"))
                .map(|(_, text)| text.lines().count())
                .sum();
            assert!(cases >= 12, "{}: {cases} cases", example.system);
        }
    }
}
