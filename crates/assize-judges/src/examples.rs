//! The bundled examples: part of the binary, so that `demo` and `init` need no file.

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

/// The order in which they are shown; what is not named here comes last.
const ORDER: [&str; 5] =
    ["transcript-quality", "reasoning-trace", "behaviours", "call-intelligence", "fact-extraction"];

/// All examples, in the order in which they are shown.
pub fn all() -> Vec<&'static Example> {
    let mut examples: Vec<&Example> = BUNDLED.iter().collect();
    let place = |example: &&Example| ORDER.iter().position(|name| *name == example.system).unwrap_or(ORDER.len());
    examples.sort_by_key(place);
    examples
}

/// The names of the examples, in the order in which they are shown.
pub fn names() -> Vec<&'static str> {
    all().into_iter().map(|example| example.system).collect()
}

/// As many cases as a first suite has: few enough to read.
const FEW_CASES: usize = 4;

/// An example to start from: its files with the first few cases only.
pub fn small(files: ExampleFiles) -> Vec<(&'static str, String)> {
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
