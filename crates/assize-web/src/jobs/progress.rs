//! How a run is getting on: its events, folded into figures that fit on a screen.

use assize_core::{CaseStatus, FailureKind, Outcome};
use assize_engine::event::{Event, FinishedCase};
use assize_engine::records::{RunDocument, RunStatus};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// As many finished cases as are kept to be shown.
pub(super) const RECENT: usize = 20;

/// The rate is that of about this long: long enough to be calm, short enough to notice a change.
const LATELY: Duration = Duration::from_secs(20);

/// How a run is getting on.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Progress {
    /// The run's id.
    pub(crate) run: String,
    /// The suite's name.
    pub(crate) suite: String,
    /// What it does at the moment.
    pub(crate) state: JobState,
    /// How it ended, as in its record.
    pub(crate) status: RunStatus,
    /// How far it is.
    pub(crate) cases: CaseProgress,
    /// Cases per second lately; `null` where that cannot be said yet.
    pub(crate) rate: Option<f64>,
    /// How long the rest takes at that rate, in milliseconds.
    pub(crate) remaining_ms: Option<u64>,
    /// How long it has been going on, in milliseconds.
    pub(crate) elapsed_ms: u64,
    /// What was asked.
    pub(crate) questions: QuestionProgress,
    /// US dollars spent; `null` where a price is not known.
    pub(crate) cost_usd: Option<f64>,
    /// US dollars that may be spent; `null` where there is no limit.
    pub(crate) max_cost_usd: Option<f64>,
    /// Why cases could not be judged, the most frequent reason first.
    pub(crate) failures: Vec<FailureProgress>,
    /// The figure that `recent` gives for each case.
    pub(crate) headline: String,
    /// Cases that were finished, newest first: the last few, or in a `progress` event those since the event before.
    pub(crate) recent: Vec<RecentCase>,
    /// Why the run broke off or was stopped, where there is more to say than its status does.
    pub(crate) note: Option<String>,
    /// How it stands, in a sentence.
    pub(crate) sentence: String,
}

/// What a run does at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JobState {
    /// It asks and judges.
    Running,
    /// It asks nothing until it is told to go on.
    Paused,
    /// It finishes what is under way, and then ends.
    Stopping,
    /// It has ended.
    Ended,
    /// Its record says that it runs, and this server does not run it: another process does, or it was killed.
    Unattended,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct CaseProgress {
    /// All cases.
    pub(crate) total: u64,
    /// Those that are done: judged, failed or skipped.
    pub(crate) done: u64,
    /// Those with a judgment.
    pub(crate) judged: u64,
    /// Those that could not be judged.
    pub(crate) failed: u64,
    /// Those the judge does not apply to.
    pub(crate) skipped: u64,
}

/// What was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct QuestionProgress {
    /// Questions that were answered, now or before.
    pub(crate) answered: u64,
    /// Of these, those whose answer was there already.
    pub(crate) cached: u64,
    /// Requests that had to be repeated.
    pub(crate) retries: u64,
}

/// A reason why cases could not be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct FailureProgress {
    /// The kind of failure.
    pub(crate) kind: FailureKind,
    /// How many cases.
    pub(crate) count: u64,
    /// What the kind means.
    pub(crate) about: &'static str,
    /// What was said of the last of them; empty where it is not known here.
    pub(crate) last: String,
}

/// A case that is done.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RecentCase {
    /// Where it stands in the run.
    pub(crate) position: u32,
    /// Its id.
    pub(crate) case: String,
    /// The model under test.
    pub(crate) model: String,
    /// What became of it.
    pub(crate) status: CaseStatus,
    /// The headline figure of a judged case.
    pub(crate) figure: Option<f64>,
    /// The verdict, or what happened.
    pub(crate) word: String,
}

impl From<&FinishedCase<'_>> for RecentCase {
    fn from(finished: &FinishedCase<'_>) -> Self {
        let FinishedCase { position, line, headline } = *finished;
        let word = match &line.error {
            Some(failure) => failure.to_string(),
            None => line.verdict.clone().unwrap_or_default(),
        };
        Self {
            position,
            case: line.case.clone(),
            model: line.model.to_string(),
            status: line.status,
            figure: headline,
            word,
        }
    }
}

/// The figures of a run, while they come in.
pub(super) struct ProgressCounter {
    cases: CaseProgress,
    questions: QuestionProgress,
    cost_usd: Option<f64>,
    failures: BTreeMap<FailureKind, (u64, String)>,
    /// What holds it up at the moment.
    notice: Option<String>,
    /// The newest first.
    recent: VecDeque<RecentCase>,
    /// How many of `recent` nobody was told of yet.
    fresh: usize,
    began: Instant,
    /// How many cases were done when, oldest first.
    samples: VecDeque<(Instant, u64)>,
}

impl ProgressCounter {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            cases: CaseProgress::default(),
            questions: QuestionProgress::default(),
            cost_usd: Some(0.0),
            failures: BTreeMap::new(),
            notice: None,
            recent: VecDeque::new(),
            fresh: 0,
            began: now,
            samples: VecDeque::from([(now, 0)]),
        }
    }

    /// Takes note of an event.
    pub(super) fn hear(&mut self, event: &Event<'_>) {
        match event {
            Event::Started { total, .. } => self.cases.total = u64::from(*total),
            Event::Answered { cached, cost_usd, retries } => {
                self.questions.answered += 1;
                self.notice = self.notice.take().filter(|_| *cached);
                self.questions.cached += u64::from(*cached);
                self.questions.retries += u64::from(*retries);
                self.cost_usd = self.cost_usd.zip(*cost_usd).map(|(so_far, more)| so_far + more);
            }
            Event::Decided(outcome) => self.decided(outcome),
            Event::Finished(finished) => self.finished(finished),
            // The last word counts, until questions are answered again.
            Event::Notice(message) => self.notice = Some((*message).to_owned()),
            Event::Stopping(_) => {}
        }
    }

    fn decided(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::NotReached => return,
            Outcome::Judged(_) => self.cases.judged += 1,
            Outcome::Skipped { .. } => self.cases.skipped += 1,
            Outcome::Failed(failure) => {
                self.cases.failed += 1;
                let (count, last) = self.failures.entry(failure.kind).or_default();
                *count += 1;
                last.clone_from(&failure.message);
            }
        }
        self.cases.done += 1;
    }

    fn finished(&mut self, finished: &FinishedCase<'_>) {
        self.recent.push_front(finished.into());
        self.recent.truncate(RECENT);
        self.fresh = (self.fresh + 1).min(RECENT);
    }

    /// Forgets how fast it was: after a pause only what follows counts.
    pub(super) fn restart_rate(&mut self, now: Instant) {
        self.samples = VecDeque::from([(now, self.cases.done)]);
    }

    /// Notes how far it is now, for the rate.
    pub(super) fn sample(&mut self, now: Instant) {
        self.samples.push_back((now, self.cases.done));
        // One sample beyond the time that counts stays, so that there is always a whole stretch to look at.
        while self.samples.get(1).is_some_and(|(at, _)| now.duration_since(*at) >= LATELY) {
            self.samples.pop_front();
        }
    }

    fn rate(&self, now: Instant) -> Option<f64> {
        let (since, done) = *self.samples.front()?;
        let seconds = now.duration_since(since).as_secs_f64();
        (seconds > 0.0 && self.cases.done > done).then(|| (self.cases.done - done) as f64 / seconds)
    }

    /// The figures into a progress; `fresh` takes only the cases nobody was told of yet.
    pub(super) fn fill(&mut self, progress: &mut Progress, now: Instant, fresh: bool) {
        progress.cases = self.cases;
        progress.questions = self.questions;
        progress.cost_usd = self.cost_usd;
        progress.failures = failures(self.failures.iter().map(|(kind, (count, last))| (*kind, *count, last.as_str())));
        let shown = if fresh { std::mem::take(&mut self.fresh) } else { RECENT };
        progress.recent = self.recent.iter().take(shown).cloned().collect();
        progress.elapsed_ms = milliseconds(now.duration_since(self.began));
        if progress.state == JobState::Running {
            progress.note.clone_from(&self.notice);
        }
        progress.sentence = progress.in_words();
        if progress.state == JobState::Running {
            progress.rate = self.rate(now);
            let left = self.cases.total.saturating_sub(self.cases.done) as f64;
            progress.remaining_ms = progress
                .rate
                .map(|rate| milliseconds(Duration::try_from_secs_f64(left / rate).unwrap_or(Duration::MAX)));
        }
    }
}

fn failures<'f>(counted: impl Iterator<Item = (FailureKind, u64, &'f str)>) -> Vec<FailureProgress> {
    let mut failures: Vec<FailureProgress> = counted
        .map(|(kind, count, last)| FailureProgress { kind, count, about: kind.about(), last: last.to_owned() })
        .collect();
    failures.sort_by(|a, b| b.count.cmp(&a.count).then(a.kind.cmp(&b.kind)));
    failures
}

pub(super) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

impl Progress {
    /// A run at its beginning.
    pub(super) fn new(suite: &str, headline: &str, max_cost_usd: Option<f64>) -> Self {
        Self {
            run: String::new(),
            suite: suite.to_owned(),
            state: JobState::Running,
            status: RunStatus::Running,
            cases: CaseProgress::default(),
            rate: None,
            remaining_ms: None,
            elapsed_ms: 0,
            questions: QuestionProgress::default(),
            cost_usd: Some(0.0),
            max_cost_usd,
            failures: Vec::new(),
            headline: headline.to_owned(),
            recent: Vec::new(),
            note: None,
            sentence: String::new(),
        }
    }

    /// What there is to say to a person, where the figures do not say it.
    fn in_words(&self) -> String {
        let told = match (self.state, self.status) {
            (JobState::Ended, RunStatus::Complete) if self.cases.failed > 0 => {
                "It is complete, and some cases could not be judged. A new run tries them again, and pays for no answer twice."
            }
            (JobState::Running, _) => "It is running.",
            (JobState::Paused, _) => "It is paused: what is under way is finished, and nothing more is asked.",
            (JobState::Stopping, _) => "It is stopping: what is under way is finished and kept.",
            (JobState::Unattended, _) => "Interrupted, or running on another server.",
            (JobState::Ended, RunStatus::Complete) => "It is complete.",
            (JobState::Ended, RunStatus::OverBudget) => {
                "It ended because the budget is used up. Every answer so far is kept, and nothing is paid for twice."
            }
            (JobState::Ended, RunStatus::Stopped) => {
                "It ended because every further question would fail in the same way. Every answer so far is kept."
            }
            (JobState::Ended, RunStatus::Interrupted | RunStatus::Running) => {
                "It was interrupted. Every answer so far is kept, and nothing is paid for twice."
            }
        };
        match &self.note {
            Some(note) => format!("{told} {note}"),
            None => told.to_owned(),
        }
    }

    /// A run that this server does not run, from its record and the number of its results so far.
    pub(crate) fn of_record(document: &RunDocument, results: u64, max_cost_usd: Option<f64>) -> Self {
        let running = document.status == RunStatus::Running;
        let mut progress = Self::new(&document.suite, &document.judge.headline, max_cost_usd);
        progress.run.clone_from(&document.run_id);
        progress.state = if running { JobState::Unattended } else { JobState::Ended };
        progress.status = document.status;
        let counts = &document.cases;
        let done = if running { results } else { counts.reached() };
        progress.cases = CaseProgress {
            total: counts.total,
            done,
            judged: counts.judged,
            failed: counts.failed,
            skipped: counts.skipped,
        };
        let usage = &document.usage;
        progress.questions =
            QuestionProgress { answered: usage.questions, cached: usage.cached, retries: usage.retries };
        progress.cost_usd = usage.cost_usd;
        progress.elapsed_ms = document.timings.wall_ms;
        progress.sentence = progress.in_words();
        let kind = |name: &String| serde_json::from_value(serde_json::Value::String(name.clone())).ok();
        progress.failures =
            failures(document.failures.iter().filter_map(|(name, count)| Some((kind(name)?, *count, ""))));
        progress
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_core::{Failure, Judgment};
    use assize_engine::records::ResultLine;
    use serde_json::json;

    /// Lets a tally hear what it hears of a case.
    fn hear(tally: &mut ProgressCounter, position: u32, outcome: &Outcome) {
        tally.hear(&Event::Decided(outcome));
        let line = json!({"case": format!("c{position}"), "model": "default", "status": outcome.status(), "metrics": {},
            "labels": {}, "verdict": null, "reason": null, "flags": [], "claimed": {}, "answers": [],
            "error": if let Outcome::Failed(failure) = outcome { json!(failure) } else { json!(null) }});
        let line: ResultLine = serde_json::from_value(line).expect("a line");
        let headline = outcome.judgment().map(|_| 0.5);
        tally.hear(&Event::Finished(FinishedCase { position, line: &line, headline }));
    }

    fn judged() -> Outcome {
        Judgment::default().into()
    }

    fn timeout(message: &str) -> Outcome {
        Failure::new(FailureKind::Timeout, message).into()
    }

    #[test]
    fn events_add_up() {
        let began = Instant::now();
        let mut tally = ProgressCounter::new(began);
        tally.hear(&Event::Started { run: "r", total: 100 });
        tally.hear(&Event::Answered { cached: true, cost_usd: Some(0.0), retries: 0 });
        tally.hear(&Event::Answered { cached: false, cost_usd: Some(0.25), retries: 2 });
        (0..8).for_each(|position| hear(&mut tally, position, &judged()));
        hear(&mut tally, 8, &timeout("first"));
        hear(&mut tally, 9, &timeout("second"));
        hear(&mut tally, 10, &Outcome::Skipped { reason: String::new() });
        let mut progress = Progress::new("trial", "composite", Some(1.0));
        tally.fill(&mut progress, began + Duration::from_secs(22), false);
        assert_eq!(progress.cases, CaseProgress { total: 100, done: 11, judged: 8, failed: 2, skipped: 1 });
        assert_eq!(progress.questions, QuestionProgress { answered: 2, cached: 1, retries: 2 });
        assert_eq!((progress.cost_usd, progress.elapsed_ms), (Some(0.25), 22_000));
        // 11 cases in 22 seconds, 89 to come.
        assert_eq!((progress.rate, progress.remaining_ms), (Some(0.5), Some(178_000)));
        let failures: Vec<_> = progress.failures.iter().map(|failure| (failure.count, failure.last.as_str())).collect();
        assert_eq!(failures, [(2, "second")]);
        assert_eq!(progress.recent[0].status, CaseStatus::Skipped, "the newest first");
        tally.hear(&Event::Answered { cached: false, cost_usd: None, retries: 0 });
        tally.fill(&mut progress, began, false);
        assert_eq!(progress.cost_usd, None, "an unknown price makes the sum unknown");
    }

    #[test]
    fn the_rate_is_that_of_late_and_none_while_nothing_happens() {
        let began = Instant::now();
        let at = |seconds: u64| began + Duration::from_secs(seconds);
        let mut tally = ProgressCounter::new(began);
        let mut progress = Progress::new("trial", "composite", None);
        tally.hear(&Event::Started { run: "r", total: 1000 });
        for second in 0..100 {
            (0..10).filter(|_| second < 50).for_each(|case| hear(&mut tally, second * 10 + case, &judged()));
            hear(&mut tally, second, &judged());
            tally.sample(at(u64::from(second) + 1));
        }
        tally.fill(&mut progress, at(100), false);
        assert_eq!(progress.rate, Some(1.0), "what was long ago does not count");
        tally.restart_rate(at(200));
        tally.fill(&mut progress, at(210), false);
        assert_eq!((progress.rate, progress.remaining_ms), (None, None));
    }

    #[test]
    fn each_case_is_told_once_and_only_the_last_few_are_kept() {
        let now = Instant::now();
        let mut tally = ProgressCounter::new(now);
        let mut progress = Progress::new("trial", "composite", None);
        let mut told = |tally: &mut ProgressCounter, fresh: bool| {
            tally.fill(&mut progress, now, fresh);
            progress.recent.iter().map(|case| case.position).collect::<Vec<_>>()
        };
        (0..3).for_each(|position| hear(&mut tally, position, &judged()));
        assert_eq!(told(&mut tally, true), [2, 1, 0]);
        assert!(told(&mut tally, true).is_empty());
        (3..103).for_each(|position| hear(&mut tally, position, &judged()));
        assert_eq!(told(&mut tally, true).len(), RECENT);
        assert_eq!(told(&mut tally, false).len(), RECENT);
    }
}
