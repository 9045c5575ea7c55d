//! A figure of two models on the cases they share: how many better, how many worse, by how much, and whether that can be told.

use crate::report::CaseRow;
use assize_core::judgment::tidy;
use assize_core::{Interval, Method, Metric, MetricSpec, Unit};
use assize_judges::summary::KEPT;
use assize_metrics::statistics::{ALPHA, Bootstrap, Resampled, holm, mcnemar_exact};
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;

/// Replicates of the bootstrap: at least so many, more where many figures are tested, as the smallest p-value must survive the
/// correction; at most so many.
const FEWEST: usize = 2000;
const PER_TEST: usize = 80;
const MOST: usize = 20_000;

/// Values closer than this are the same.
const SAME: f64 = 1e-9;

/// A figure of two models on the cases they share.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MetricComparison {
    /// The figure's name.
    pub metric: String,
    /// What it is measured in, as the judge declares.
    #[serde(skip)]
    pub unit: Unit,
    /// Whether less is better, as the judge declares.
    pub lower_is_better: bool,
    /// Cases in which both runs have the figure.
    pub n: u64,
    /// The first run's figure over these cases: a mean, or a rate of what was added up.
    pub a: f64,
    /// The second run's.
    pub b: f64,
    /// The second minus the first.
    pub difference: f64,
    /// Its 95 % interval, by a paired bootstrap over the cases.
    pub interval: Option<Interval>,
    /// Cases in which the second run is better.
    pub better: u64,
    /// Cases in which it is worse.
    pub worse: u64,
    /// Cases in which they are the same.
    pub same: u64,
    /// Cases in which only the first run has the figure.
    pub only_a: u64,
    /// Cases in which only the second run has it.
    pub only_b: u64,
    /// How it was tested.
    pub test: Test,
    /// The p-value of there being no difference; `None` where nothing can be tested.
    pub p: Option<f64>,
    /// The same after Holm's correction over everything that was tested.
    pub p_corrected: Option<f64>,
    /// What follows.
    pub finding: Finding,
}

/// How a figure was tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// McNemar's exact test: every case passes or fails.
    Mcnemar,
    /// A paired bootstrap of the difference over the cases.
    Bootstrap,
}

/// What follows for the second run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// It is better.
    Better,
    /// It is worse.
    Worse,
    /// Not distinguishable on these cases.
    NotDistinguishable,
    /// No case differs.
    Same,
}

impl Finding {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::NotDistinguishable => "not distinguishable",
            Self::Same => "the same",
        }
    }
}

/// The figures of two models in the making.
#[derive(Default)]
pub(super) struct Figures {
    metrics: IndexMap<String, FigureDifference>,
}

/// One figure in the making.
#[derive(Default)]
struct FigureDifference {
    unit: Unit,
    lower_is_better: Option<bool>,
    n: u64,
    better: u64,
    worse: u64,
    same: u64,
    only_a: u64,
    only_b: u64,
    /// Numerator and denominator of both runs for each case, its repetitions together; folded beyond [`KEPT`] cases.
    rows: Vec<Vec<f64>>,
    cases: usize,
    /// Cases in which the two runs differ.
    differing: u32,
    /// Whether some case has several repetitions, or a value that is neither 0 nor 1.
    repeated: bool,
    graded: bool,
}

impl Figures {
    /// Takes in the pairs of one case. A verdict's rate is a figure that says yes or no of every case: whether it has that
    /// verdict. One that stayed open is none, as on the scorecard.
    pub(super) fn add(
        &mut self,
        pairs: &[(&CaseRow, &CaseRow)],
        verdict_rates: &[(String, String)],
        declared: impl Fn(&str) -> (Option<bool>, Unit),
    ) {
        let mut touched: IndexMap<&str, ([f64; 4], u64)> = IndexMap::new();
        for (one, other) in pairs {
            let names = one
                .line
                .metrics
                .keys()
                .chain(other.line.metrics.keys().filter(|name| !one.line.metrics.contains_key(*name)));
            let figures = names.map(|name| {
                (name, one.line.metrics.get(name).map(Cow::Borrowed), other.line.metrics.get(name).map(Cow::Borrowed))
            });
            let rates = verdict_rates.iter().map(|(name, verdict)| {
                let of = |row: &CaseRow| {
                    let given = row.line.verdict.as_ref() == Some(verdict);
                    Some(Cow::Owned(Metric::score(Some(f64::from(u8::from(given))), Method::Code)))
                };
                (name, of(one), of(other))
            });
            for (name, one, other) in figures.chain(rates) {
                if !self.metrics.contains_key(name) {
                    let (lower_is_better, unit) = declared(name);
                    let tally = FigureDifference { lower_is_better, unit, ..FigureDifference::default() };
                    self.metrics.insert(name.clone(), tally);
                }
                let Some(tally) = self.metrics.get_mut(name) else { continue };
                if let Some(sums) = tally.add(one.as_deref(), other.as_deref()) {
                    let (row, count) = touched.entry(name).or_default();
                    row.iter_mut().zip(sums).for_each(|(sum, value)| *sum += value);
                    *count += 1;
                }
            }
        }
        for (name, (row, count)) in touched {
            if let Some(tally) = self.metrics.get_mut(name) {
                tally.add_case(&row, count);
            }
        }
    }

    /// The figures in the judge's order, and those that cannot be compared because no judge says which way is better.
    pub(super) fn finish(self, declared: &[MetricSpec]) -> (Vec<MetricComparison>, Vec<String>) {
        let place = |name: &str| declared.iter().position(|spec| spec.name == name).unwrap_or(declared.len());
        let tests = self.metrics.values().filter(|tally| tally.better + tally.worse > 0).count();
        let replicates = (tests * PER_TEST).clamp(FEWEST, MOST);
        let (mut compared, mut undeclared) = (Vec::new(), Vec::new());
        for (name, tally) in self.metrics {
            match tally.lower_is_better {
                Some(lower_is_better) => compared.extend(tally.finish(name, lower_is_better, replicates)),
                None => undeclared.push(name),
            }
        }
        compared.sort_by_cached_key(|metric| place(&metric.metric));
        (compared, undeclared)
    }
}

impl FigureDifference {
    /// Counts a pair; gives what it adds to the sums.
    fn add(&mut self, one: Option<&Metric>, other: Option<&Metric>) -> Option<[f64; 4]> {
        let value = |metric: Option<&Metric>| metric.and_then(|metric| metric.value);
        let (a, b) = match (value(one), value(other)) {
            (Some(a), Some(b)) => (a, b),
            (a, b) => {
                self.only_a += u64::from(a.is_some());
                self.only_b += u64::from(b.is_some());
                return None;
            }
        };
        self.n += 1;
        let lower_is_better = self.lower_is_better.unwrap_or_default();
        if is_same(a, b) {
            self.same += 1;
        } else if (b > a) != lower_is_better {
            self.better += 1;
        } else {
            self.worse += 1;
        }
        let sums = |metric: Option<&Metric>, value: f64| match metric.and_then(|metric| metric.parts) {
            Some(parts) => (parts.numerator, parts.denominator),
            None => (value, 1.0),
        };
        let ((numerator, denominator), (other_numerator, other_denominator)) = (sums(one, a), sums(other, b));
        let binary = |value: f64| value == 0.0 || value == 1.0;
        self.graded |= !(binary(a) && binary(b) && denominator == 1.0 && other_denominator == 1.0);
        Some([numerator, denominator, other_numerator, other_denominator])
    }

    fn add_case(&mut self, row: &[f64; 4], pairs: u64) {
        self.repeated |= pairs > 1;
        self.differing += u32::from(difference(row).is_some_and(|difference| difference.abs() >= SAME));
        if self.cases < KEPT {
            self.rows.push(row.to_vec());
        } else {
            self.rows[self.cases % KEPT].iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
        self.cases += 1;
    }

    /// `None` where no case has the figure in both runs.
    fn finish(self, metric: String, lower_is_better: bool, replicates: usize) -> Option<MetricComparison> {
        let mut total = [0.0; 4];
        self.rows.iter().for_each(|row| total.iter_mut().zip(row).for_each(|(sum, value)| *sum += value));
        let difference = difference(&total)?;
        let passes_or_fails = !self.graded && !self.repeated;
        let test = if passes_or_fails { Test::Mcnemar } else { Test::Bootstrap };
        let (interval, p) = if self.better + self.worse == 0 {
            (None, None)
        } else {
            let drawn = Resampled::draw(&self.rows, &Bootstrap { replicates, ..Bootstrap::default() });
            let interval = drawn.interval(self::difference);
            let p = if passes_or_fails {
                Some(mcnemar_exact(self.better, self.worse))
            } else {
                // Of a few cases that all went one way a bootstrap is sure at once. It is let be no surer than the exact test
                // of which way they went: 2·½ᵏ for k cases that differ.
                let least = 0.5_f64.powf(f64::from(self.differing) - 1.0);
                drawn.p_value(self::difference).map(|p| p.max(least).min(1.0))
            };
            (interval.map(|interval| Interval(tidy(interval.low), tidy(interval.high))), p)
        };
        Some(MetricComparison {
            metric,
            unit: self.unit,
            lower_is_better,
            n: self.n,
            a: tidy(total[0] / total[1]),
            b: tidy(total[2] / total[3]),
            difference: tidy(difference),
            interval,
            better: self.better,
            worse: self.worse,
            same: self.same,
            only_a: self.only_a,
            only_b: self.only_b,
            test,
            p,
            p_corrected: None,
            finding: if self.better + self.worse == 0 { Finding::Same } else { Finding::NotDistinguishable },
        })
    }
}

/// Whether two figures are the same but for the dust of binary fractions.
pub(super) fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() < SAME
}

/// The second figure minus the first.
fn difference(sums: &[f64]) -> Option<f64> {
    (sums[1] > 0.0 && sums[3] > 0.0).then(|| sums[2] / sums[3] - sums[0] / sums[1])
}

/// Corrects the p-values for there being several, and says what follows. A figure in which no case differs is not counted
/// among the tests: it could not have come out otherwise than it did (Tarone 1990).
pub(super) fn correct<'m>(metrics: impl Iterator<Item = &'m mut MetricComparison>) {
    let mut tested: Vec<&mut MetricComparison> = metrics.filter(|metric| metric.p.is_some()).collect();
    let p_values: Vec<f64> = tested.iter().filter_map(|metric| metric.p).collect();
    for (metric, corrected) in tested.iter_mut().zip(holm(&p_values)) {
        metric.p_corrected = Some(tidy(corrected));
        metric.p = metric.p.map(tidy);
        metric.finding = match (metric.difference > 0.0) != metric.lower_is_better {
            _ if corrected >= ALPHA => Finding::NotDistinguishable,
            true => Finding::Better,
            false => Finding::Worse,
        };
    }
}
