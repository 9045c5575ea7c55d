//! A benchmark and its prompt from what a person says when asked: what a correct output does, what makes it fail at once,
//! what may differ, what is out of scope.

use super::draft::{Draft, Entry};
use super::scaffold::snake;
use super::sentence::as_sentence;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// What a person said about a behaviour.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interview {
    /// A short name: "paid amount".
    pub name: String,
    /// What is evaluated, in a sentence.
    pub about: String,
    /// What a correct output does.
    pub correct: Vec<String>,
    /// What makes an output fail at once.
    pub fails: Vec<String>,
    /// What may differ.
    pub may_differ: Vec<String>,
    /// What is out of scope.
    pub out_of_scope: Vec<String>,
    /// Cases with the verdict that a person gave.
    pub examples: Vec<JudgedExample>,
}

/// A case with the verdict that a person gave.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedExample {
    /// The inputs of the case, by name.
    pub inputs: Map<String, Value>,
    /// Whether it should pass.
    pub pass: bool,
    /// Why.
    pub reason: String,
}

impl Interview {
    /// The code of the benchmark.
    pub fn code(&self) -> String {
        snake(&self.name).to_uppercase().replace('_', "-")
    }

    /// The benchmark's path from the tree's root.
    pub fn benchmark_path(&self) -> String {
        format!("benchmarks/{}.yaml", self.code())
    }

    /// The prompt's path from the tree's root.
    pub fn prompt_path(&self) -> String {
        format!("prompts/{}_prompt.md", snake(&self.name))
    }

    /// The benchmark, as YAML.
    pub fn benchmark(&self) -> String {
        let quoted = |text: &str| Value::from(text).to_string();
        let mut out = format!("code: {}\nlabel: {}\n", quoted(&self.code()), quoted(self.name.trim()));
        // Writing to a String cannot fail.
        let _ = writeln!(out, "concept: {}", quoted(&as_sentence(&self.about)));
        out.push_str("evaluator_type: llm_judge\n");
        let _ = writeln!(out, "llm_prompt_file: {}", quoted(&self.prompt_path()));
        if !self.fails.is_empty() {
            let faults: Vec<&str> = self.fails.iter().map(|fault| fault.trim().trim_end_matches('.')).collect();
            let criteria = format!(
                "Apply when the case is about {}. Flag if {}.",
                self.name.trim().to_lowercase(),
                faults.join("; or if ")
            );
            let _ = writeln!(out, "inclusion_criteria: {}", quoted(&criteria));
        }
        let scope = self.out_of_scope.iter().map(|text| format!("Out of scope: {}", text.trim()));
        let excluded: Vec<String> = self.may_differ.iter().map(|text| text.trim().to_owned()).chain(scope).collect();
        if !excluded.is_empty() {
            out.push_str("exclusion_criteria:\n");
            excluded.iter().for_each(|text| _ = writeln!(out, "  - {}", quoted(text)));
        }
        if !self.examples.is_empty() {
            out.push_str("examples:\n");
        }
        for example in &self.examples {
            let mut written = example.inputs.clone();
            written.insert("pass".into(), example.pass.into());
            written.insert("reason".into(), example.reason.clone().into());
            let _ = writeln!(out, "  - {}", json!(written));
        }
        out
    }

    /// The prompt.
    pub fn prompt(&self) -> String {
        let items = |texts: &[String]| texts.iter().map(|text| Entry::item(as_sentence(text))).collect();
        let draft = Draft {
            id: snake(&self.name),
            description: vec![as_sentence(&self.about)],
            ignore: items(&self.out_of_scope),
            fails: items(&self.fails),
            passes: items(&self.correct),
            variations: items(&self.may_differ),
            ..Draft::default()
        };
        draft.write().0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::behaviour::lint::lint;
    use assize_core::SourceFile;

    #[test]
    fn what_was_said_is_in_both_files_and_they_lint_clean() {
        let said = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let interview = Interview {
            name: "Paid amount".into(),
            about: "whether the note gives the amount that was paid".into(),
            correct: said(&["the amount in the note is the amount in the ground truth"]),
            fails: said(&[
                "the note gives another amount than the ground truth",
                "the note has \"TBD\": for the amount",
            ]),
            may_differ: said(&["thousands separators"]),
            out_of_scope: said(&["who was paid"]),
            examples: vec![JudgedExample {
                inputs: Map::from_iter([
                    ("ground_truth".into(), json!(5)),
                    ("candidate_output".into(), json!("Paid 5.")),
                ]),
                pass: true,
                reason: "Both say 5.".into(),
            }],
        };
        let (benchmark, prompt) = (interview.benchmark(), interview.prompt());
        insta::assert_snapshot!(format!("{benchmark}===\n{prompt}"));
        let files = [
            SourceFile { path: format!("t/{}", interview.benchmark_path()), text: benchmark },
            SourceFile { path: format!("t/{}", interview.prompt_path()), text: prompt },
        ];
        let findings = lint(&files);
        assert!(findings.is_empty(), "{findings:#?}");
    }
}
