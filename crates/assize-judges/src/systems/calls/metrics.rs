//! The one list of figures: names, titles, weights, thresholds, ratings, blockers and how a figure is pooled over cases.
//!
//! Scoring, summaries, the scorecard and the docs loop over [`METRICS`]. A score is the weighted sum of the figures that are
//! part of it; `compose` is the only place where that is done.

pub use super::compose::{Composed, compose};
use assize_core::{Bounds, MetricSpec, Rating, Unit};

/// The groups of the scorecard, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// Quality assurance: a scorecard of questions about the call.
    Qa,
    /// Keywords and topics.
    Entity,
    /// Sentiment, summary, emotion.
    Text,
    /// Translation.
    Translation,
    /// The eleven optional benchmarks.
    Benchmark,
    /// The final score, cost and rank.
    Final,
}

/// What a case asks a model to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    /// Mark a scorecard of questions about the call.
    Qa,
    /// Find keywords and topics.
    Entity,
    /// Label sentiment, summarise, name emotions.
    Text,
    /// Translate.
    Translation,
}

impl Task {
    /// All of them, in the order of the scorecard.
    pub const ALL: [Self; 4] = [Self::Qa, Self::Entity, Self::Text, Self::Translation];

    /// The group of the scorecard with its figures.
    pub fn section(self) -> Section {
        match self {
            Self::Qa => Section::Qa,
            Self::Entity => Section::Entity,
            Self::Text => Section::Text,
            Self::Translation => Section::Translation,
        }
    }

    /// The name used in cases.
    pub fn key(self) -> &'static str {
        self.section().key()
    }

    /// The name of its score.
    pub fn score(self) -> &'static str {
        self.section().score()
    }

    /// The task that a case names.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        Self::ALL.into_iter().find(|task| task.key() == name)
    }

    /// The name of its structure check.
    pub fn structure(self) -> &'static str {
        match self {
            Self::Qa => "qa.structure_compliance",
            Self::Entity => "entity.structure_compliance",
            Self::Text => "text.structure_compliance",
            Self::Translation => "translation.structure_compliance",
        }
    }
}

impl Section {
    /// The name used in cases, metric names and settings.
    pub fn key(self) -> &'static str {
        match self {
            Self::Qa => "qa",
            Self::Entity => "entity",
            Self::Text => "text",
            Self::Translation => "translation",
            Self::Benchmark => "benchmark",
            Self::Final => "final",
        }
    }

    /// The heading on the scorecard.
    pub fn title(self) -> &'static str {
        match self {
            Self::Qa => "QA TASK METRICS",
            Self::Entity => "ENTITY TASK METRICS",
            Self::Text => "TEXT TASK METRICS",
            Self::Translation => "TRANSLATION TASK METRICS",
            Self::Benchmark => "STANDARD BENCHMARKS — OPTIONAL (0 or 1)",
            Self::Final => "FINAL",
        }
    }

    /// The name of the section's score.
    pub fn score(self) -> &'static str {
        match self {
            Self::Qa => "qa.score",
            Self::Entity => "entity.score",
            Self::Text => "text.score",
            Self::Translation => "translation.score",
            Self::Benchmark => "benchmark.score",
            Self::Final => "final.score",
        }
    }
}

/// A bound on a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// At least this.
    AtLeast(f64),
    /// At most this.
    AtMost(f64),
    /// Less than this.
    LessThan(f64),
    /// More than this.
    MoreThan(f64),
}

impl Limit {
    /// Whether a figure is within the bound. Binary dust at the bound does not decide.
    pub fn holds(self, value: f64) -> bool {
        const DUST: f64 = 1e-9;
        match self {
            Self::AtLeast(limit) => value >= limit - DUST,
            Self::AtMost(limit) => value <= limit + DUST,
            Self::LessThan(limit) => value < limit - DUST,
            Self::MoreThan(limit) => value > limit + DUST,
        }
    }
}

/// When a figure disqualifies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockerRule {
    /// The breach.
    pub breach: Limit,
    /// What must hold instead, as shown.
    pub limit: &'static str,
    /// Whether a single case breaches it; otherwise it is the pooled figure that does.
    pub per_case: bool,
    /// Whether the formula of the score says *invalid* on a breach.
    pub invalidates: bool,
}

/// How a figure over cases follows from theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooling {
    /// Numerators and denominators are added up before dividing.
    Rate,
    /// The mean over cases.
    Mean,
    /// The worst case.
    Worst,
    /// The counts per class are added up, then the figure is computed from them.
    Classes,
    /// The mean of two pooled figures.
    MeanOfTwo(&'static str, &'static str),
    /// The weighted sum of its parts.
    Composed,
    /// From repeated runs on the same input.
    Repeats,
    /// From the other figures of the run.
    Run,
}

/// One figure.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its name in results and gates.
    pub name: &'static str,
    /// Its title on the scorecard.
    pub title: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Where it belongs.
    pub section: Section,
    /// The score it is part of, and its weight there.
    pub part_of: Option<(&'static str, f64)>,
    /// The threshold as the scorecard prints it.
    pub threshold: &'static str,
    /// From where it is good.
    pub good: Option<Limit>,
    /// From where it is acceptable.
    pub acceptable: Option<Limit>,
    /// When it disqualifies.
    pub blocker: Option<BlockerRule>,
    /// How it is pooled.
    pub pooling: Pooling,
    /// Whether the scorecard has a row for it.
    pub on_scorecard: bool,
    /// What it is measured in.
    pub unit: Unit,
}

impl Row {
    const fn new(section: Section, name: &'static str, title: &'static str, about: &'static str) -> Self {
        Self {
            name,
            title,
            about,
            section,
            part_of: None,
            threshold: "",
            good: None,
            acceptable: None,
            blocker: None,
            pooling: Pooling::Rate,
            on_scorecard: true,
            unit: Unit::Score,
        }
    }

    const fn part(mut self, of: &'static str, weight: f64) -> Self {
        self.part_of = Some((of, weight));
        self
    }

    const fn from(mut self, threshold: &'static str, good: f64, acceptable: f64) -> Self {
        self.threshold = threshold;
        self.good = Some(Limit::AtLeast(good));
        self.acceptable = Some(Limit::AtLeast(acceptable));
        self
    }

    const fn up_to(mut self, threshold: &'static str, good: f64, acceptable: f64) -> Self {
        self.threshold = threshold;
        self.good = Some(Limit::AtMost(good));
        self.acceptable = Some(Limit::AtMost(acceptable));
        self
    }

    /// Good or not, as the benchmarks are.
    const fn passes(mut self, threshold: &'static str, limit: Limit) -> Self {
        self.threshold = threshold;
        self.good = Some(limit);
        self
    }

    const fn shown_as(mut self, threshold: &'static str) -> Self {
        self.threshold = threshold;
        self
    }

    const fn blocks(mut self, breach: Limit, limit: &'static str, per_case: bool, invalidates: bool) -> Self {
        self.blocker = Some(BlockerRule { breach, limit, per_case, invalidates });
        self
    }

    const fn pooled(mut self, pooling: Pooling) -> Self {
        self.pooling = pooling;
        self
    }

    const fn in_unit(mut self, unit: Unit) -> Self {
        self.unit = unit;
        self
    }

    const fn off_scorecard(mut self) -> Self {
        self.on_scorecard = false;
        self
    }

    const fn structure(section: Section, name: &'static str) -> Self {
        Self::new(
            section,
            name,
            "Response Structure Compliance",
            "whether the output has exactly the keys and types of the expected outcome; over cases the share that has",
        )
        .passes("must = 1", Limit::AtLeast(1.0))
        .blocks(Limit::LessThan(1.0), "= 1", true, true)
    }

    const fn score(section: Section, name: &'static str, title: &'static str, about: &'static str) -> Self {
        Self::new(section, name, title, about).pooled(Pooling::Composed).shown_as("0.0 – 1.0")
    }

    /// How good a figure is; `None` where the list has no ratings for it.
    pub fn rating(&self, value: f64) -> Option<Rating> {
        if self.blocker.is_some_and(|blocker| blocker.breach.holds(value)) {
            return Some(Rating::Blocker);
        }
        let good = self.good?;
        if good.holds(value) {
            return Some(Rating::Good);
        }
        if self.acceptable.is_some_and(|acceptable| acceptable.holds(value)) {
            return Some(Rating::Acceptable);
        }
        Some(Rating::Fail)
    }

    /// How good a figure between bounds is; `None` also where the bounds do not agree.
    pub fn rating_within(&self, range: Bounds) -> Option<Rating> {
        range.both(|value| self.rating(value)).flatten()
    }

    /// Whether a figure between bounds breaches its limit; `None` where the bounds do not agree.
    pub fn breach_within(&self, range: Option<Bounds>) -> Option<bool> {
        let Some((rule, range)) = self.blocker.zip(range) else { return Some(false) };
        range.both(|value| rule.breach.holds(value))
    }

    /// Whether it is a `[!]` row of the scorecard. A figure that only says another one differently is rated and does not
    /// block a second time.
    pub fn is_blocker(&self) -> bool {
        self.on_scorecard && self.blocker.is_some()
    }

    /// Whether less is better.
    pub fn lower_is_better(&self) -> bool {
        self.unit != Unit::Score
    }
}

use Limit::{AtLeast, AtMost, LessThan, MoreThan};
use Section::{Benchmark, Entity, Final, Qa, Text, Translation};

/// Every figure, in the order of the scorecard.
pub const METRICS: &[Row] = &[
    Row::new(Qa, "qa.question_score_accuracy", "Question Score Accuracy", "share of the questions scored as expected")
        .part("qa.score", 0.70)
        .from(">= 0.95", 0.95, 0.90),
    Row::new(
        Qa,
        "qa.score_gap_accuracy",
        "Score Gap Accuracy",
        "1 minus the mean gap, each as a share of its question's maximum",
    )
    .part("qa.score", 0.20)
    .from(">= 0.90", 0.90, 0.80),
    Row::new(
        Qa,
        "qa.evidence_backed_reasoning",
        "Evidence-Backed Reasoning",
        "share of the reasons with evidence and of those that are factual, halved",
    )
    .part("qa.score", 0.10)
    .from(">= 0.90", 0.90, 0.80),
    Row::new(
        Qa,
        "qa.false_pass_rate",
        "Compliance False Pass Rate",
        "percent of the PASS_FAIL questions that were passed and must not be",
    )
    .in_unit(Unit::Percent)
    .up_to("<= 1% | > 3% blocker", 1.0, 3.0)
    .blocks(MoreThan(3.0), "<= 3", false, false),
    Row::structure(Qa, "qa.structure_compliance"),
    Row::score(Qa, "qa.score", "QA Score", "0.70 accuracy + 0.20 gap accuracy + 0.10 evidence"),
    Row::new(
        Entity,
        "entity.keyword_precision",
        "Keyword Precision",
        "share of the detected keywords that are expected",
    )
    .from(">= 0.90", 0.90, 0.85)
    .off_scorecard(),
    Row::new(Entity, "entity.keyword_recall", "Keyword Recall", "share of the expected keywords that were detected")
        .from(">= 0.90", 0.90, 0.85)
        .off_scorecard(),
    Row::new(Entity, "entity.keyword_f1", "Keyword F1", "keyword precision and recall together")
        .part("entity.score", 0.47)
        .from(">= 0.90", 0.90, 0.85),
    Row::new(Entity, "entity.topic_precision", "Topic Precision", "share of the detected topics that are expected")
        .from(">= 0.88", 0.88, 0.80)
        .off_scorecard(),
    Row::new(Entity, "entity.topic_recall", "Topic Recall", "share of the expected topics that were detected")
        .from(">= 0.88", 0.88, 0.80)
        .off_scorecard(),
    Row::new(Entity, "entity.topic_f1", "Topic F1", "topic precision and recall together")
        .part("entity.score", 0.29)
        .from(">= 0.88", 0.88, 0.80),
    Row::new(
        Entity,
        "entity.config_adherence",
        "Configured Entity Compliance",
        "share of the detected entities that are configured",
    )
    .part("entity.score", 0.24)
    .from(">= 0.95 | < 0.95 blocker", 1.0, 0.95)
    .blocks(LessThan(0.95), ">= 0.95", false, false),
    Row::new(
        Entity,
        "entity.cross_language_match_rate",
        "Cross-Language Match Rate",
        "share detected of the expected entities spoken in another script or language than configured",
    )
    .passes(">= 0.90", AtLeast(0.90)),
    Row::new(
        Entity,
        "entity.fabricated_entity_count",
        "Fabricated Entity Count",
        "entities in neither the transcript nor the expected outcome; over cases the most in one",
    )
    .up_to("0 | > 2 blocker", 0.0, 2.0)
    .pooled(Pooling::Worst)
    .in_unit(Unit::Count)
    .blocks(MoreThan(2.0), "<= 2", true, true),
    Row::structure(Entity, "entity.structure_compliance"),
    Row::score(Entity, "entity.score", "Entity Score", "0.47 keyword F1 + 0.29 topic F1 + 0.24 config adherence"),
    Row::new(
        Text,
        "text.sentiment_accuracy",
        "Per-Sentence Sentiment Accuracy",
        "share of the sentences labelled as expected",
    )
    .part("text.sentiment_score", 0.60)
    .from(">= 0.88", 0.88, 0.80),
    Row::new(Text, "text.sentiment_macro_f1", "Sentiment Macro F1", "mean F1 of positive, neutral and negative")
        .part("text.sentiment_score", 0.40)
        .from(">= 0.85", 0.85, 0.75)
        .pooled(Pooling::Classes),
    Row::new(
        Text,
        "text.missing_label_count",
        "Missing Sentiment Labels",
        "expected sentences without a label; over cases the most in one",
    )
    .up_to("0 | > 2 blocker", 0.0, 2.0)
    .pooled(Pooling::Worst)
    .in_unit(Unit::Count)
    .blocks(MoreThan(2.0), "<= 2", true, true),
    Row::new(Text, "text.call_intent_match", "Call Intent Match", "equivalent 1, partial 0.5, wrong 0")
        .part("text.summary_score", 0.30)
        .from("1.0 | 0.0 = blocker", 1.0, 0.5)
        .pooled(Pooling::Mean)
        .blocks(AtMost(0.0), "> 0", true, true),
    Row::new(
        Text,
        "text.highlight_recall",
        "Highlight Recall Rate",
        "share of the expected highlights that the output has",
    )
    .part("text.summary_score", 0.10)
    .from(">= 0.85", 0.85, 0.75),
    Row::new(
        Text,
        "text.highlight_correctness",
        "Highlight Correctness Rate",
        "share of the output's highlights that are accurate",
    )
    .part("text.summary_score", 0.10)
    .from(">= 0.90", 0.90, 0.80),
    Row::new(
        Text,
        "text.required_field_presence",
        "Required Field Presence Rate",
        "share of the required fields that are filled",
    )
    .part("text.summary_score", 0.20)
    .from(">= 0.90", 0.90, 0.75),
    Row::new(
        Text,
        "text.fabrication_free_rate",
        "Fabrication-Free Rate",
        "share of the summary's facts found in the transcript or the expected outcome",
    )
    .part("text.summary_score", 0.30)
    .from("> 3% hallucination = blocker", 1.0, 0.98)
    .blocks(LessThan(0.97), ">= 0.97", false, true),
    Row::new(Text, "text.hallucination_rate", "Hallucination Rate", "percent of the summary's facts found in neither")
        .in_unit(Unit::Percent)
        .up_to("0% | > 3% blocker", 0.0, 2.0)
        .blocks(MoreThan(3.0), "<= 3", false, true)
        .off_scorecard(),
    Row::new(
        Text,
        "text.dominant_emotion_correctness",
        "Dominant Emotion Correctness",
        "whether the strongest emotion is the expected one; over cases the share",
    )
    .part("text.emotion_score", 1.0)
    .passes("= 1", AtLeast(1.0))
    .pooled(Pooling::Mean),
    Row::structure(Text, "text.structure_compliance"),
    Row::score(Text, "text.sentiment_score", "Sentiment Score", "0.60 accuracy + 0.40 macro F1")
        .part("text.score", 0.30)
        .off_scorecard(),
    Row::score(
        Text,
        "text.summary_score",
        "Summary Score",
        "0.30 intent + 0.10 recall + 0.10 correctness + 0.20 fields + 0.30 fabrication-free",
    )
    .part("text.score", 0.50)
    .off_scorecard(),
    Row::score(Text, "text.emotion_score", "Emotion Score", "dominant emotion correctness")
        .part("text.score", 0.20)
        .off_scorecard(),
    Row::score(Text, "text.score", "Text Score", "0.30 sentiment + 0.50 summary + 0.20 emotion"),
    Row::new(
        Translation,
        "translation.completeness_rate",
        "Translation Completeness Rate",
        "share of the source sentences that were translated",
    )
    .part("translation.score", 0.10)
    .from("1.00", 1.0, 0.95),
    Row::new(
        Translation,
        "translation.meaning_accuracy",
        "Sentence-Level Meaning Accuracy",
        "mean likeness of each sentence to its expected translation",
    )
    .part("translation.score", 0.35)
    .from(">= 0.85", 0.85, 0.75),
    Row::new(
        Translation,
        "translation.fluency",
        "Target Language Fluency Score",
        "from native 1 to incomprehensible 0",
    )
    .part("translation.score", 0.10)
    .from(">= 0.85", 0.85, 0.70)
    .pooled(Pooling::Mean),
    Row::new(
        Translation,
        "translation.domain_term_preservation",
        "Domain Term Preservation Rate",
        "share of the domain terms handled as expected",
    )
    .part("translation.score", 0.20)
    .from(">= 0.95 | < 0.90 blocker", 0.95, 0.90)
    .blocks(LessThan(0.90), ">= 0.90", false, true),
    Row::new(
        Translation,
        "translation.proper_noun_preservation",
        "Proper Noun Preservation Rate",
        "share of the names handled as expected",
    )
    .part("translation.score", 0.10)
    .from(">= 0.95", 0.95, 0.90),
    Row::new(
        Translation,
        "translation.critical_fact_preservation",
        "Critical Fact Preservation Rate",
        "1 minus the share of critical facts changed, dropped or added",
    )
    .part("translation.score", 0.15)
    .from(">= 0.97 | < 0.97 blocker", 1.0, 0.97)
    .blocks(LessThan(0.97), ">= 0.97", false, true),
    Row::structure(Translation, "translation.structure_compliance"),
    Row::score(
        Translation,
        "translation.score",
        "Translation Score",
        "0.10 completeness + 0.35 meaning + 0.10 fluency + 0.20 terms + 0.10 names + 0.15 facts",
    ),
    Row::new(
        Benchmark,
        "benchmark.faithfulness",
        "Faithfulness",
        "share of the claims that transcript or expected outcome support",
    )
    .passes("1 if >= 0.90", AtLeast(0.90)),
    Row::new(Benchmark, "benchmark.hallucination_rate", "Hallucination Rate", "percent of the facts found in neither")
        .in_unit(Unit::Percent)
        .passes("1 if <= 2%", AtMost(2.0)),
    Row::new(
        Benchmark,
        "benchmark.answer_relevancy",
        "Answer Relevancy",
        "likeness of the output to the question asked",
    )
    .passes("1 if >= 0.85", AtLeast(0.85))
    .pooled(Pooling::Mean),
    Row::new(
        Benchmark,
        "benchmark.answer_correctness",
        "Answer Correctness",
        "half F1 of the facts, half likeness to the expected outcome",
    )
    .passes("1 if >= 0.85", AtLeast(0.85))
    .pooled(Pooling::Mean),
    Row::new(
        Benchmark,
        "benchmark.contextual_precision",
        "Contextual Precision",
        "share of the pieces of the call used that were needed",
    )
    .passes("1 if >= 0.85", AtLeast(0.85)),
    Row::new(
        Benchmark,
        "benchmark.contextual_recall",
        "Contextual Recall",
        "share of the pieces needed that were used",
    )
    .passes("1 if >= 0.85", AtLeast(0.85)),
    Row::new(
        Benchmark,
        "benchmark.contextual_relevancy",
        "Contextual Relevancy",
        "mean of contextual precision and recall",
    )
    .passes("1 if >= 0.85", AtLeast(0.85))
    .pooled(Pooling::MeanOfTwo("benchmark.contextual_precision", "benchmark.contextual_recall")),
    Row::new(
        Benchmark,
        "benchmark.argument_correctness",
        "Argument Correctness",
        "mean over the steps of the reasoning: sound 1, partial 0.5, wrong 0",
    )
    .passes("1 if >= 0.85", AtLeast(0.85)),
    Row::new(
        Benchmark,
        "benchmark.instruction_following",
        "Instruction Following",
        "share of the instructions followed",
    )
    .passes("1 if >= 0.95", AtLeast(0.95)),
    Row::new(
        Benchmark,
        "benchmark.exact_match",
        "Exact Match",
        "share of the closed fields that are exactly as expected",
    )
    .passes("1 if >= 0.90", AtLeast(0.90)),
    Row::new(
        Benchmark,
        "benchmark.consistency",
        "Consistency Score",
        "1 minus the spread of the scores of repeated runs over their mean",
    )
    .passes("1 if >= 0.90", AtLeast(0.90))
    .pooled(Pooling::Repeats),
    Row::new(Benchmark, "benchmark.score", "Benchmark Score", "share of the applicable benchmarks that are passed")
        .passes(">= 0.80 recommended", AtLeast(0.80))
        .pooled(Pooling::Run),
    Row::new(
        Final,
        "final.score",
        "Final Score",
        "weighted sum of the task scores, with the benchmarks where they ran",
    )
    .pooled(Pooling::Run)
    .off_scorecard(),
    Row::new(
        Final,
        "final.cost_per_1000",
        "Cost per 1000 calls",
        "US dollars the model under test costs per 1000 calls",
    )
    .shown_as("$")
    .pooled(Pooling::Run)
    .in_unit(Unit::Dollars),
    Row::new(
        Final,
        "final.cost_efficiency",
        "Cost Efficiency",
        "final score over the cost, where the cheapest model costs 1",
    )
    .pooled(Pooling::Run)
    .off_scorecard(),
    Row::new(Final, "final.rank", "Cost-Adjusted Rank", "place by cost efficiency")
        .shown_as("—")
        .pooled(Pooling::Run)
        .in_unit(Unit::Rank),
];

/// The figure with this name.
pub fn row(name: &str) -> Option<&'static Row> {
    METRICS.iter().find(|row| row.name == name)
}

/// The figures of a section.
pub fn of(section: Section) -> impl Iterator<Item = &'static Row> {
    METRICS.iter().filter(move |row| row.section == section)
}

/// The eleven benchmarks.
pub fn benchmarks() -> impl Iterator<Item = &'static Row> {
    of(Benchmark).filter(|row| row.name != Benchmark.score())
}

/// The name of a benchmark's binary.
pub fn binary_name(benchmark: &str) -> String {
    format!("{benchmark}_pass")
}

/// What the judge says it gives.
pub(super) fn specs(with_benchmarks: bool) -> Vec<MetricSpec> {
    let mut specs = Vec::new();
    for row in METRICS.iter().filter(|row| with_benchmarks || row.section != Benchmark) {
        let run_only = matches!(row.pooling, Pooling::Repeats) || row.section == Final;
        let lower_is_better = row.lower_is_better();
        let spec = MetricSpec::derived(row.name, row.about).in_unit(row.unit);
        specs.push(MetricSpec { run_only, lower_is_better, ..spec });
        if row.section == Benchmark && row.name != Benchmark.score() {
            let about = format!("1 where {} passes its threshold, else 0", row.name);
            specs.push(MetricSpec { run_only, ..MetricSpec::derived(binary_name(row.name), about) });
        }
    }
    specs
}
