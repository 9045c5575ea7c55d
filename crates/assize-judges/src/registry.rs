//! The list of judge systems. Adding one is a folder and a line here.

use crate::systems::{behaviour, calls, criteria, facts};
use assize_core::{JudgeSource, JudgeSystem};

/// Every system, in the order in which they are shown.
pub const SYSTEMS: &[&dyn JudgeSystem] = &[
    &criteria::TRANSCRIPT_QUALITY,
    &criteria::REASONING_TRACE,
    &calls::CallIntelligence,
    &facts::FactExtraction,
    &criteria::CriteriaFile,
    &behaviour::PromptFileSystem,
    &behaviour::BenchmarkSystem,
    &behaviour::TreeSystem,
];

/// The system that `judge.use` means.
pub fn system_for(source: &JudgeSource) -> Option<&'static dyn JudgeSystem> {
    SYSTEMS.iter().copied().find(|system| system.takes(source))
}
