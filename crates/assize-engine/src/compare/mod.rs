//! Two runs, or two models, on the cases they share: what is better, what is worse, what flipped, and whether it can be told.
//!
//! Both runs are read in the order of their cases' ids and merged, so that the work grows with the cases and the memory does
//! not. The statistics are those of `docs/compare.md`: McNemar's exact test where every case passes or fails, a paired bootstrap
//! over the cases otherwise, Holm's correction over everything that was tested. The terminal and the page show the same value.

mod fairness;
mod figures;
mod flips;
mod pairing;

#[cfg(test)]
mod tests;

pub use fairness::Subject;
pub use figures::{Finding, MetricComparison, Test};
pub use flips::{CasePair, Change, FigureChange, Wanted};
pub use pairing::{ModelPair, PairingError, pair_models};

use crate::records::{Calibration, CaseCounts, RunDocument, RunStatus};
use crate::report::{CaseRow, ReportError};
use crate::store::Store;
use assize_core::{FigureKind, MetricSpec, Unit};
use figures::Figures;
use pairing::{Group, merged};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The name and version of the shape.
pub const COMPARE_SCHEMA: &str = "assize.compare/1";

/// As many cases as are named of those that could not be compared.
const NAMED: usize = 100;

/// Two runs on the cases they share.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    /// The name and version of this shape.
    pub schema: String,
    /// The first run.
    pub a: RunSide,
    /// The second run.
    pub b: RunSide,
    /// What the two runs differ in, and so what the differences are about.
    pub subject: Subject,
    /// What speaks against taking the figures at their word.
    pub warnings: Vec<String>,
    /// Cases that both runs judged.
    pub shared: u64,
    /// Of these, the ones whose texts are the same to the byte.
    pub same_texts: u64,
    /// Cases that only the first run has.
    pub only_a: NamedCases,
    /// Cases that only the second run has.
    pub only_b: NamedCases,
    /// Cases that both have and not both could judge.
    pub not_judged: NamedCases,
    /// The models that were compared.
    pub models: Vec<ModelComparison>,
    /// How many cases have another verdict in the second run, or a yes where there was a no.
    pub flipped: u64,
    /// The first of them.
    pub flips: PairPage,
}

/// One of the two runs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunSide {
    /// The run's id.
    pub run_id: String,
    /// The suite's name.
    pub suite: String,
    /// When it began, in UTC.
    pub started: String,
    /// How it ended.
    pub status: RunStatus,
    /// How many cases it has.
    pub cases: CaseCounts,
    /// Who judged.
    pub judge: JudgeSide,
}

/// Who judged.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct JudgeSide {
    /// `judge.use` as written.
    #[serde(rename = "use")]
    pub judge_use: String,
    /// The judge model; a list for a jury.
    pub model: Value,
    /// Prompt, schema, settings, model and parameters in one hash.
    pub fingerprint: String,
    /// What is known of how the judge compares with people.
    pub calibration: Calibration,
}

impl RunSide {
    fn of(document: &RunDocument) -> Self {
        let judge = &document.judge;
        Self {
            run_id: document.run_id.clone(),
            suite: document.suite.clone(),
            started: document.timings.started.clone(),
            status: document.status,
            cases: document.cases,
            judge: JudgeSide {
                judge_use: judge.judge_use.clone(),
                model: judge.model.clone(),
                fingerprint: judge.fingerprint.clone(),
                calibration: judge.calibration,
            },
        }
    }
}

/// Cases by name: how many, and the first of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct NamedCases {
    /// How many.
    pub count: u64,
    /// The first of them, by id.
    pub cases: Vec<CaseName>,
}

impl NamedCases {
    fn add(&mut self, row: &CaseRow) {
        self.count += 1;
        if self.cases.len() < NAMED {
            self.cases.push(CaseName::of(row));
        }
    }
}

/// What a case is called in a run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CaseName {
    /// Its id.
    pub case: String,
    /// The model under test.
    pub model: String,
    /// Which repetition on the same input it is, where the case says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<f64>,
}

impl CaseName {
    fn of(row: &CaseRow) -> Self {
        Self { case: row.line.case.clone(), model: row.line.model.to_string(), run: row.repetition }
    }
}

/// Two models on the cases they share.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ModelComparison {
    /// The model of the first run.
    pub a: String,
    /// The model of the second run.
    pub b: String,
    /// Cases that both runs judged.
    pub shared: u64,
    /// The figures, in the judge's order.
    pub metrics: Vec<MetricComparison>,
    /// How often each verdict of the first run met each verdict of the second.
    pub verdicts: Vec<VerdictCount>,
    /// Figures of which no judge says whether more or less is better, so that nothing is said of them here either.
    pub undeclared: Vec<String>,
}

/// How often a verdict of the first run met a verdict of the second.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct VerdictCount {
    /// The first run's; `None` where it stayed open.
    pub a: Option<String>,
    /// The second run's.
    pub b: Option<String>,
    /// Cases.
    pub cases: u64,
}

/// Cases side by side, a page of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct PairPage {
    /// By case.
    pub listed: Vec<CasePair>,
    /// Where the next page begins: behind this case. `None` where there is no more.
    pub next: Option<String>,
}

/// Two runs of a store, which may be the same one, and the models to compare.
pub struct Comparing<'s> {
    store: &'s Store,
    a: &'s RunDocument,
    b: &'s RunDocument,
    pairs: &'s [ModelPair],
    /// Figures that say yes or no in both runs: when one of them changes, the case has flipped.
    yes_or_no: BTreeSet<String>,
    /// The rates of verdicts that both judges declare, and that are good or bad, each with its verdict.
    verdict_rates: Vec<(String, String)>,
}

impl<'s> Comparing<'s> {
    /// Prepares to compare two runs.
    pub fn new(
        store: &'s Store,
        a: &'s RunDocument,
        b: &'s RunDocument,
        pairs: &'s [ModelPair],
    ) -> Result<Self, ReportError> {
        let one = store.yes_or_no_metrics(&a.run_id)?;
        let other = store.yes_or_no_metrics(&b.run_id)?;
        let compared = |spec: &&MetricSpec| !spec.neutral && b.judge.metric(&spec.name).is_some();
        let rates = a.judge.metrics.iter().filter(compared);
        let verdict_rates = rates.filter_map(|spec| match &spec.kind {
            FigureKind::Share { verdict } => Some((spec.name.clone(), verdict.clone())),
            _ => None,
        });
        let yes_or_no = one.intersection(&other).cloned().collect();
        Ok(Self { store, a, b, pairs, yes_or_no, verdict_rates: verdict_rates.collect() })
    }

    /// Compares them, and lists the first flips: as many as are asked for, and what more the last case has.
    pub fn compare(&self, most: usize) -> Result<Comparison, ReportError> {
        let mut tally = ComparisonBuilder::new(self);
        for group in merged(self.store, &self.a.run_id, &self.b.run_id, None) {
            tally.add(&group?, most);
        }
        Ok(tally.finish())
    }

    /// A page of the cases that are wanted, from the beginning or behind a case that has been seen.
    pub fn pairs(&self, wanted: &Wanted, behind: Option<&str>, most: usize) -> Result<PairPage, ReportError> {
        let mut page = PairPage::default();
        for group in merged(self.store, &self.a.run_id, &self.b.run_id, behind) {
            let group = group?;
            for pair in self.pairs {
                page.add(group.pairs(pair).filter_map(|(one, other)| self.pair(one?, other?, wanted)), most);
            }
            if page.next.is_some() {
                break;
            }
        }
        Ok(page)
    }

    /// What a figure is measured in, as the first judge that knows it says.
    fn unit(&self, metric: &str) -> Unit {
        let spec = self.a.judge.metric(metric).or_else(|| self.b.judge.metric(metric));
        spec.map_or(Unit::default(), |spec| spec.unit)
    }

    /// Whether less is better, as the judges say; `None` where they do not, or not the same.
    fn direction(&self, metric: &str) -> Option<bool> {
        let said = |document: &RunDocument| {
            document.judge.metric(metric).filter(|spec| !spec.neutral).map(|spec| spec.lower_is_better)
        };
        match (said(self.a), said(self.b)) {
            (Some(one), Some(other)) if one != other => None,
            (one, other) => one.or(other),
        }
    }
}

impl PairPage {
    /// Takes in what there is of the next case. One case is never on two pages.
    fn add(&mut self, pairs: impl Iterator<Item = CasePair>, most: usize) {
        for pair in pairs {
            let last = self.listed.last().map(|last| last.case.as_str());
            if self.next.is_none() && (self.listed.len() < most || last == Some(pair.case.as_str())) {
                self.listed.push(pair);
            } else if self.next.is_none() {
                self.next = last.map(str::to_owned);
            }
        }
    }
}

/// A comparison in the making.
struct ComparisonBuilder<'c> {
    comparing: &'c Comparing<'c>,
    models: Vec<ModelTally>,
    shared: u64,
    same_texts: u64,
    only_a: NamedCases,
    only_b: NamedCases,
    not_judged: NamedCases,
    flipped: u64,
    flips: PairPage,
}

struct ModelTally {
    pair: ModelPair,
    shared: u64,
    figures: Figures,
    verdicts: BTreeMap<(Option<String>, Option<String>), u64>,
}

impl<'c> ComparisonBuilder<'c> {
    fn new(comparing: &'c Comparing<'c>) -> Self {
        let model = |pair: &ModelPair| ModelTally {
            pair: pair.clone(),
            shared: 0,
            figures: Figures::default(),
            verdicts: BTreeMap::new(),
        };
        Self {
            comparing,
            models: comparing.pairs.iter().map(model).collect(),
            shared: 0,
            same_texts: 0,
            only_a: NamedCases::default(),
            only_b: NamedCases::default(),
            not_judged: NamedCases::default(),
            flipped: 0,
            flips: PairPage::default(),
        }
    }

    /// Takes in everything of one case.
    fn add(&mut self, group: &Group, most: usize) {
        let mut found = Vec::new();
        for model in &mut self.models {
            let mut judged = Vec::new();
            for pair in group.pairs(&model.pair) {
                match pair {
                    (Some(one), Some(other)) if one.is_judged() && other.is_judged() => judged.push((one, other)),
                    (Some(one), Some(_)) => self.not_judged.add(one),
                    (Some(one), None) => self.only_a.add(one),
                    (None, Some(other)) => self.only_b.add(other),
                    (None, None) => {}
                }
            }
            for (one, other) in &judged {
                self.shared += 1;
                model.shared += 1;
                self.same_texts += u64::from(one.content == other.content);
                *model.verdicts.entry((one.line.verdict.clone(), other.line.verdict.clone())).or_default() += 1;
                found.extend(self.comparing.pair(one, other, &Wanted::Flipped));
            }
            let declared = |metric: &str| (self.comparing.direction(metric), self.comparing.unit(metric));
            model.figures.add(&judged, &self.comparing.verdict_rates, declared);
        }
        self.flipped += found.len() as u64;
        self.flips.add(found.into_iter(), most);
    }

    fn finish(self) -> Comparison {
        let Self { comparing, models, shared, same_texts, only_a, only_b, not_judged, flipped, flips } = self;
        let (a, b) = (comparing.a, comparing.b);
        let subject = Subject::of(a, b, shared, same_texts);
        let mut compared: Vec<ModelComparison> = models
            .into_iter()
            .map(|model| {
                let (metrics, undeclared) = model.figures.finish(&b.judge.metrics);
                let verdicts = model.verdicts.into_iter().filter(|((a, b), _)| a.is_some() || b.is_some());
                ModelComparison {
                    a: model.pair.a,
                    b: model.pair.b,
                    shared: model.shared,
                    metrics,
                    verdicts: verdicts.map(|((a, b), cases)| VerdictCount { a, b, cases }).collect(),
                    undeclared,
                }
            })
            .collect();
        figures::correct(compared.iter_mut().flat_map(|model| &mut model.metrics));
        let warnings = fairness::warnings(a, b, subject, &compared);
        Comparison {
            schema: COMPARE_SCHEMA.into(),
            a: RunSide::of(a),
            b: RunSide::of(b),
            subject,
            warnings,
            shared,
            same_texts,
            only_a,
            only_b,
            not_judged,
            models: compared,
            flipped,
            flips,
        }
    }
}
