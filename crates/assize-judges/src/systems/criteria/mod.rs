//! Criteria judges: named criteria with scales and anchors, a composite, verdicts by rules.
//!
//! A criteria judge is a YAML file. Transcript quality and reasoning traces are two such files that come with the
//! binary; a user writes a third with no Rust. One question per case asks for all criteria; normalising, weighing and
//! the verdict are code. `measures` name what code finds out beside the model (error rates, arithmetic, the final
//! answer), and `offline` names the rule that stands in for the model where there is none.

mod condition;
mod judge;
mod measure;
mod question;
mod rules;
mod score;
mod settings;
mod spec;
mod spec_answer;
mod summary;

#[cfg(test)]
mod tests;

use assize_core::document::{Node, Problems, parse};
use assize_core::{Judge, JudgeSource, JudgeSystem, SourceFile};
use judge::CriteriaJudge;
use serde_json::Value;
use spec::CriteriaSpec;

/// A commented example of a criteria file, as `assize new criteria` writes it.
pub const EXAMPLE: &str = include_str!("example.yaml");

/// Transcript quality.
pub const TRANSCRIPT_QUALITY: BuiltIn = BuiltIn {
    name: "transcript-quality",
    summary: "a speech transcript against its golden reference: four scores, a composite, WER and CER",
    guide: include_str!("../../../guides/transcript-quality.md"),
    file: include_str!("built_in/transcript-quality.yaml"),
};

/// Reasoning traces.
pub const REASONING_TRACE: BuiltIn = BuiltIn {
    name: "reasoning-trace",
    summary: "a worked answer to a problem: five criteria, a verdict by thresholds, arithmetic checked in code",
    guide: include_str!("../../../guides/reasoning-trace.md"),
    file: include_str!("built_in/reasoning-trace.yaml"),
};

/// A criteria judge that comes with the binary.
pub struct BuiltIn {
    name: &'static str,
    summary: &'static str,
    guide: &'static str,
    file: &'static str,
}

impl JudgeSystem for BuiltIn {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn guide(&self) -> &'static str {
        self.guide
    }

    fn takes(&self, source: &JudgeSource) -> bool {
        matches!(source, JudgeSource::BuiltIn(name) if name == self.name)
    }

    fn settings_schema(&self) -> Value {
        // The file comes with the binary, and tests read it.
        let mut problems = Problems::default();
        let spec = parse(self.file, &mut problems).and_then(|node| CriteriaSpec::read(&node, &mut problems));
        settings::settings_schema(self.name, spec.as_ref())
    }

    fn build(&self, _: &JudgeSource, settings: Option<&Node>, problems: &mut Problems) -> Option<Box<dyn Judge>> {
        let path = format!("{}.yaml", self.name);
        build_from(&SourceFile { path, text: self.file.to_owned() }, settings, problems)
    }
}

/// A criteria file of the user's.
pub struct CriteriaFile;

impl JudgeSystem for CriteriaFile {
    fn name(&self) -> &'static str {
        "criteria"
    }

    fn summary(&self) -> &'static str {
        "your own criteria, scales, weights and verdict rules, from a YAML file"
    }

    fn guide(&self) -> &'static str {
        include_str!("../../../guides/criteria.md")
    }

    fn takes(&self, source: &JudgeSource) -> bool {
        let JudgeSource::File(file) = source else { return false };
        let yaml = file.path.ends_with(".yaml") || file.path.ends_with(".yml");
        yaml && parse(&file.text, &mut Problems::default()).is_none_or(|node| node.get("code").is_none())
    }

    fn settings_schema(&self) -> Value {
        settings::settings_schema(self.name(), None)
    }

    fn build(&self, source: &JudgeSource, settings: Option<&Node>, problems: &mut Problems) -> Option<Box<dyn Judge>> {
        let JudgeSource::File(file) = source else { return None };
        build_from(file, settings, problems)
    }
}

fn build_from(file: &SourceFile, settings: Option<&Node>, problems: &mut Problems) -> Option<Box<dyn Judge>> {
    let suite = problems.enter(file.path.clone());
    let spec = parse(&file.text, problems).and_then(|node| CriteriaSpec::read(&node, problems));
    problems.enter(suite);
    let spec = spec?;
    let settings = settings::read(settings, &spec, problems)?;
    Some(Box::new(CriteriaJudge::new(spec, settings)))
}
