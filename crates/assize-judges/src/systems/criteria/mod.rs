//! Criteria judges: named criteria with scales and anchors, a composite, verdicts by rules.
//!
//! A criteria judge is a YAML file. Transcript quality and reasoning traces are two such files that come with the
//! binary; a user writes a third with no Rust. One question per case asks for all criteria; normalising, weighing and
//! the verdict are code. `measures` name what code finds out beside the model (error rates, arithmetic, the final
//! answer), and `offline` names the rule that stands in for the model where there is none.

mod condition;
mod judge;
mod layout;
mod measure;
mod question;
mod rules;
mod score;
mod settings;
mod spec;
mod spec_answer;
mod summary;
mod whatif;

#[cfg(test)]
mod tests;

use assize_core::document::{Node, Problems, parse};
use assize_core::flag::{contradicted, note, uncertain};
use assize_core::{Card, FlagSpec, Judge, JudgeSource, JudgeSystem, Layout, ShownCase, SourceFile, WhatIf};
use judge::CriteriaJudge;
use serde_json::Value;
use spec::CriteriaSpec;

/// A commented example of a criteria file, as `assize new criteria` writes it.
pub const EXAMPLE: &str = include_str!("example.yaml");

/// What every criteria judge may flag. A file of the user's may name further flags of its own.
const FLAGS: &[FlagSpec] = &[
    contradicted(
        "alignment_contradicts",
        "A score of the model is refuted by the comparison of the texts word by word.",
    ),
    contradicted("answer_contradicted", "The model and the comparison in code disagree about the final answer."),
    note("answer_differs", "The final answer is not the expected one."),
    contradicted(
        "arithmetic_contradicted",
        "The model finds every fact right, and an equation in the text does not hold.",
    ),
    uncertain("criteria_undecided", "Some criteria have no score, so the composite is not known exactly."),
    note("critical_difference", "A negation, number, unit, side, date or name is not as in the reference."),
    note("empty_reason", "The reason is missing, or says nothing about the case."),
    note("long_reason", "The reason has more lines than were asked for."),
    note("no_suggestion", "The answer can be mended, and the judge does not say how."),
    note("too_long_to_align", "The texts are too long to be compared word by word."),
    contradicted("verdict_differs", "The model's own verdict differs from the one that follows from the scores."),
    uncertain("verdict_undecided", "What is not known could change the verdict, so there is none."),
    note("wrong_arithmetic", "An equation in the text does not hold."),
];

/// Transcript quality.
pub const TRANSCRIPT_QUALITY: BuiltIn = BuiltIn {
    card: Card {
        name: "transcript-quality",
        summary: "a speech transcript against its golden reference: four scores, a composite, WER and CER",
        guide: include_str!("../../../guides/transcript-quality.md"),
        example: "transcript-quality",
        flags: FLAGS,
    },
    file: include_str!("built_in/transcript-quality.yaml"),
    traced: false,
};

/// Reasoning traces.
pub const REASONING_TRACE: BuiltIn = BuiltIn {
    card: Card {
        name: "reasoning-trace",
        summary: "a worked answer to a problem: five criteria, a verdict by thresholds, arithmetic checked in code",
        guide: include_str!("../../../guides/reasoning-trace.md"),
        example: "reasoning-trace",
        flags: FLAGS,
    },
    file: include_str!("built_in/reasoning-trace.yaml"),
    traced: true,
};

/// A criteria judge that comes with the binary.
pub struct BuiltIn {
    card: Card,
    file: &'static str,
    /// Whether it judges worked answers, which are read step by step.
    traced: bool,
}

impl BuiltIn {
    fn spec(&self) -> CriteriaSpec {
        let mut problems = Problems::default();
        let spec = parse(self.file, &mut problems).and_then(|node| CriteriaSpec::read(&node, &mut problems));
        spec.expect("the file comes with the binary, and tests read it")
    }
}

impl JudgeSystem for BuiltIn {
    fn card(&self) -> &Card {
        &self.card
    }

    fn settings_schema(&self) -> Value {
        settings::settings_schema(self.name(), Some(&self.spec()))
    }

    fn what_if(&self) -> Option<&dyn WhatIf> {
        Some(self)
    }

    fn build(&self, _: &JudgeSource, settings: Option<&Node>, problems: &mut Problems) -> Option<Box<dyn Judge>> {
        let path = format!("{}.yaml", self.name());
        build_from(&SourceFile { path, text: self.file.to_owned() }, settings, problems)
    }

    fn layout(&self, shown: &ShownCase<'_>) -> Option<Layout> {
        layout::layout(shown, self.traced)
    }
}

/// A criteria file of the user's.
pub struct CriteriaFile;

impl JudgeSystem for CriteriaFile {
    fn card(&self) -> &Card {
        &Card {
            name: "criteria",
            summary: "your own criteria, scales, weights and verdict rules, from a YAML file",
            guide: include_str!("../../../guides/criteria.md"),
            example: "reasoning-trace",
            flags: FLAGS,
        }
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

    fn layout(&self, shown: &ShownCase<'_>) -> Option<Layout> {
        layout::layout(shown, false)
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
