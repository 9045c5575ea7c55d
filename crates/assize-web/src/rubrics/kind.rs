//! What kind of rubric file a file is, told by its place and its first words.

use assize_judges::systems::behaviour::prompt_file::looks_like_prompt;
use assize_judges::systems::behaviour::spec::{Benchmark, root_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A kind of rubric file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RubricFileKind {
    /// One yes-or-no question: `*_prompt.md`.
    Prompt,
    /// When a question is asked, who decides and what it counts for.
    Benchmark,
    /// How benchmarks add up.
    Rubric,
    /// Criteria with scales, weights and verdicts.
    Criteria,
}

impl RubricFileKind {
    /// The kind of a file among trees with these roots; `None` for a file that is no rubric.
    pub(crate) fn of(path: &str, text: &str, roots: &BTreeSet<String>) -> Option<Self> {
        if path.ends_with(".md") {
            return (path.ends_with("_prompt.md") || looks_like_prompt(text)).then_some(Self::Prompt);
        }
        if !path.ends_with(".yaml") && !path.ends_with(".yml") {
            return None;
        }
        let within = root_of(path, roots).map(|root| path[root.len()..].trim_start_matches('/'));
        match within {
            Some(within) if within.starts_with("rubrics/") => return Some(Self::Rubric),
            Some(within) if within.starts_with("benchmarks/") => return Some(Self::Benchmark),
            _ => {}
        }
        let has = |key: &str| text.lines().any(|line| line.starts_with(key));
        if has("judge:") && has("cases:") {
            // A suite names a judge; it is none.
            None
        } else if has("criteria:") && (has("task:") || has("inputs:")) {
            Some(Self::Criteria)
        } else {
            Benchmark::is_meant_by(text).then_some(Self::Benchmark)
        }
    }

    /// What people call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Prompt => "behaviour prompt",
            Self::Benchmark => "benchmark",
            Self::Rubric => "rubric",
            Self::Criteria => "criteria judge",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_tells_and_then_the_words() {
        let roots = BTreeSet::from(["claims/tree".to_owned()]);
        let kind = |path: &str, text: &str| RubricFileKind::of(path, text, &roots);
        assert_eq!(kind("claims/tree/rubrics/A.yaml", "nonsense"), Some(RubricFileKind::Rubric));
        assert_eq!(kind("claims/tree/benchmarks/x/A.yml", ""), Some(RubricFileKind::Benchmark));
        assert_eq!(kind("rubrics/A.yaml", "code: A\n"), None, "in no tree");
        assert_eq!(kind("tone_prompt.md", ""), Some(RubricFileKind::Prompt));
        assert_eq!(kind("README.md", "# Read me\n"), None);
        assert_eq!(kind("reply.yaml", "name: a\ntask: b\ncriteria:\n"), Some(RubricFileKind::Criteria));
        assert_eq!(kind("suite.yaml", "judge: {use: a}\ncases: [b]\ncriteria: x\ntask: y\n"), None);
        assert_eq!(kind("lone.yaml", "code: A\nevaluator_type: code\n"), Some(RubricFileKind::Benchmark));
        assert_eq!(kind("cases.jsonl", "criteria:\ntask:\n"), None);
    }
}
