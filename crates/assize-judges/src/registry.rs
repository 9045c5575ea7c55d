//! The list of judge systems. Adding one is a folder and a line here.

use crate::systems::{behaviour, calls, criteria, facts, pairwise};
use assize_core::document::{Node, Problems};
use assize_core::{FlagMark, FlagSpec, Judge, JudgeSource, JudgeSystem, flag, settings};

/// Every system, in the order in which they are shown.
pub const SYSTEMS: &[&dyn JudgeSystem] = &[
    &criteria::TRANSCRIPT_QUALITY,
    &criteria::REASONING_TRACE,
    &calls::CallIntelligence,
    &facts::FactExtraction,
    &pairwise::Pairwise,
    &criteria::CriteriaFile,
    &behaviour::PromptFileSystem,
    &behaviour::BenchmarkSystem,
    &behaviour::TreeSystem,
];

/// The system that `judge.use` means.
pub fn system_for(source: &JudgeSource) -> Option<&'static dyn JudgeSystem> {
    SYSTEMS.iter().copied().find(|system| system.takes(source))
}

/// The system with this name.
pub fn system_named(name: &str) -> Option<&'static dyn JudgeSystem> {
    SYSTEMS.iter().copied().find(|system| system.name() == name)
}

/// The system that is meant where settings name no judge: the only one that comes with profiles, if there is only one.
pub fn only_with_profiles() -> Option<&'static dyn JudgeSystem> {
    let mut with_profiles = SYSTEMS.iter().copied().filter(|system| !system.profiles().is_empty());
    with_profiles.next().filter(|_| with_profiles.next().is_none())
}

/// Builds a judge from what `judge.use` named. Settings are checked against what the system declares before it sees them.
pub fn build(
    system: &dyn JudgeSystem,
    source: &JudgeSource,
    settings: Option<&Node>,
    problems: &mut Problems,
) -> Option<Box<dyn Judge>> {
    let before = problems.count();
    if let Some(settings) = settings {
        settings::check(&system.settings_schema(), settings, problems);
    }
    // What is wrong with the settings is said once; what is wrong with the judge's files is said all the same.
    let settings = settings.filter(|_| problems.count() == before);
    let judge = system.build(source, settings, problems);
    judge.filter(|_| problems.count() == before)
}

/// Every flag that a judgment can have, whatever its judge.
pub fn flags() -> impl Iterator<Item = &'static FlagSpec> {
    flag::COMMON.iter().chain(SYSTEMS.iter().flat_map(|system| system.card().flags))
}

/// The names of the flags with a mark.
pub fn flags_marked(mark: FlagMark) -> Vec<&'static str> {
    let mut names: Vec<&str> = flags().filter(|flag| flag.mark == mark).map(|flag| flag.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What a flag means, as a sentence. One that a judge file defines has the words of its name.
pub fn flag_in_words(name: &str) -> String {
    if let Some(flag) = flags().find(|flag| flag.name == name) {
        return flag.meaning.to_owned();
    }
    match name.strip_suffix("_differs") {
        Some(figure) => format!("The model's own {figure} differs from the computed one."),
        None => format!("The judge notes: {}.", name.replace('_', " ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn flags_read_as_sentences() {
        assert_eq!(flag_in_words("wrong_arithmetic"), "An equation in the text does not hold.");
        assert_eq!(
            flag_in_words("overall_score_differs"),
            "The model's own overall_score differs from the computed one."
        );
        assert_eq!(flag_in_words("no_change_named"), "The judge notes: no change named.");
    }

    #[test]
    fn a_flag_means_the_same_wherever_it_is_declared() {
        let mut known: BTreeMap<&str, &FlagSpec> = BTreeMap::new();
        for flag in flags() {
            let first = known.entry(flag.name).or_insert(flag);
            assert_eq!(*first, flag);
            assert!(flag.meaning.ends_with('.'), "{}", flag.name);
        }
    }

    #[test]
    fn names_are_unique() {
        for system in SYSTEMS {
            let same = SYSTEMS.iter().filter(|other| other.name() == system.name()).count();
            assert_eq!(same, 1, "{}", system.name());
        }
    }
}
