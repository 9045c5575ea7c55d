//! How a case of a stored run is best read, by the system that judged it.

use crate::records::{ResultLine, RunDocument};
use assize_core::{Case, JudgeSystem, Layout, ShownCase};
use assize_judges::system_named;
use serde_json::{Map, Value};

/// The labels to look at: those of the judgment, or of one juror where a jury judged. A juror nobody knows is the first.
pub fn labels_of<'l>(line: &'l ResultLine, juror: &str) -> &'l Map<String, Value> {
    let jury = line.labels.get("jury").and_then(Value::as_object);
    let chosen = jury.and_then(|jury| jury.get(juror).or_else(|| jury.values().next()));
    chosen.and_then(|juror| juror.get("labels")).and_then(Value::as_object).unwrap_or(&line.labels)
}

/// The layout of a case; `None` where its judge has none, or is not known here.
pub fn layout(run: &RunDocument, case: &Case, line: &ResultLine, juror: &str) -> Option<Layout> {
    system_of(run)?.layout(&ShownCase {
        case,
        labels: labels_of(line, juror),
        metrics: &line.metrics,
        verdict: line.verdict.as_deref(),
        reason: line.reason.as_deref(),
        flags: &line.flags,
        claimed: &line.claimed,
        settings: &run.judge.settings,
    })
}

/// The system that judged a run. Documents from before it was recorded name it only where it is built in.
pub fn system_of(run: &RunDocument) -> Option<&'static dyn JudgeSystem> {
    system_named(&run.judge.system).or_else(|| system_named(&run.judge.judge_use))
}
