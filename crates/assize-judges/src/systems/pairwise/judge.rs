//! The pairwise judge, ready to judge.

use super::assembly::row_problems;
use super::question::{Asked, Order};
use super::score::{self, CONSISTENCY, FIRST_PLACE, WIN_RATE};
use super::spec::{RESPONSE_A, RESPONSE_B, Settings, inputs};
use super::summary::{INCONSISTENT, LOSSES, PairwiseSummary, RANK, STRENGTH, TIES, WINS};
use assize_core::{
    Answers, Assembly, Case, ExtraSummary, Judge, JudgeSpec, MetricSpec, OpenCase, Outcome, Parsed, Question, Step,
    Unit,
};

/// The judge with its settings, and what follows from them for every pair.
pub(super) struct PairwiseJudge {
    pub(super) settings: Settings,
    asked: Asked,
    spec: JudgeSpec,
}

impl PairwiseJudge {
    pub(super) fn new(settings: Settings) -> Self {
        let asked = Asked::new(&settings);
        let spec = JudgeSpec::new("pairwise", (inputs(), metrics(), WIN_RATE), &asked, &settings);
        let spec = JudgeSpec { side_by_side: true, ..spec };
        Self { settings, asked, spec }
    }
}

fn metrics() -> Vec<MetricSpec> {
    let count = |name, about| MetricSpec::derived(name, about).in_unit(Unit::Count).run_only();
    vec![
        MetricSpec::derived(
            WIN_RATE,
            "share of the decided pairs that the system won, a tie as half; of a pair, the first system's",
        ),
        MetricSpec::derived(RANK, "place by strength; neighbours that cannot be told apart share one")
            .in_unit(Unit::Rank)
            .run_only()
            .lower_is_better(),
        MetricSpec::derived(STRENGTH, "Bradley–Terry log-strength; the mean over the systems is 0").run_only(),
        count(WINS, "pairs that the system won in both orders"),
        count(LOSSES, "pairs that the system lost in both orders").lower_is_better(),
        count(TIES, "pairs that are a tie in both orders"),
        count(INCONSISTENT, "pairs whose winner changed with the order, or on which a jury is split").lower_is_better(),
        MetricSpec::rate(CONSISTENCY, "share of the pairs with the same verdict in both orders"),
        MetricSpec::rate(FIRST_PLACE, "share of the choices that fell on the answer shown first; 0.5 is no bias"),
    ]
}

impl Judge for PairwiseJudge {
    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn open<'c>(&'c self, case: &'c Case, _: &'c Parsed) -> Result<Box<dyn OpenCase + 'c>, Outcome> {
        if case.text(RESPONSE_A).trim() == case.text(RESPONSE_B).trim() {
            return Err(score::same_text(case));
        }
        Ok(Box::new(OpenPair { judge: self, case }))
    }

    fn case_problems(&self, case: &Case) -> Vec<String> {
        row_problems(case)
    }

    fn assembly(&self) -> Option<&dyn Assembly> {
        Some(self)
    }

    fn extra_summary(&self) -> Option<Box<dyn ExtraSummary>> {
        Some(Box::new(PairwiseSummary::default()))
    }
}

/// A pair.
struct OpenPair<'c> {
    judge: &'c PairwiseJudge,
    case: &'c Case,
}

impl OpenCase for OpenPair<'_> {
    fn step(&self, answers: &Answers) -> Step {
        match Order::BOTH.map(|order| answers.get(order.name()).map(|answer| (order, answer))) {
            [Some(one), Some(other)] => Step::Done(score::outcome(self.case, [one, other])),
            orders => {
                let open = Order::BOTH.iter().zip(&orders).filter(|(_, answered)| answered.is_none());
                Step::Ask(open.map(|(order, _)| order.name().to_owned()).collect())
            }
        }
    }

    fn question(&self, name: &str) -> Question {
        self.judge.asked.question(Order::named(name), self.case)
    }
}
