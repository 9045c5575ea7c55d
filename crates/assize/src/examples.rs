//! The bundled examples: part of the binary, so that `demo` and `init` need no file.

/// The files of an example, by their path within it.
pub(crate) type ExampleFiles = &'static [(&'static str, &'static str)];

/// An example of one judge system.
pub(crate) struct Example {
    /// The system, as in `judge.use`.
    pub(crate) system: &'static str,
    /// Its files; `suite.yaml` is the suite.
    pub(crate) files: ExampleFiles,
}

macro_rules! example {
    ($system:literal, $($file:literal),+) => {
        Example {
            system: $system,
            files: &[$(($file, include_str!(concat!("../../../examples/", $system, "/", $file)))),+],
        }
    };
}

/// All examples, in the order in which they are shown.
pub(crate) const EXAMPLES: &[Example] = &[
    example!("transcript-quality", "suite.yaml", "cases.jsonl"),
    example!("reasoning-trace", "suite.yaml", "cases.jsonl"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_has_a_suite_and_at_least_a_dozen_cases() {
        for example in EXAMPLES {
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
