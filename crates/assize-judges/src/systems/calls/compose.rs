//! The one function that composes a score from the figures that are part of it, and its worked examples.

use super::metrics::{METRICS, Pooling, Row, row};
use assize_core::Bounds;
use assize_core::judgment::tidy;

/// A composed score, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub enum Composed {
    /// The weighted sum.
    Score(f64),
    /// Parts are undecided, or a blocker that its formula names is: how far it can go, and what is undecided.
    Undecided(Bounds, Vec<&'static str>),
    /// There is nothing that any part counts.
    NotApplicable,
    /// A blocker that the formula names was breached.
    Invalid(Vec<&'static str>),
}

impl Composed {
    /// The worst and the best that it can come to, where there is a score at all.
    pub fn range(&self) -> Option<Bounds> {
        match self {
            Self::Score(value) => Some(Bounds(*value, *value)),
            Self::Undecided(bounds, _) => Some(*bounds),
            Self::NotApplicable | Self::Invalid(_) => None,
        }
    }

    /// Why there is no figure, in a few words.
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Score(_) => None,
            Self::Undecided(_, parts) => Some(format!("undecided: {}", parts.join(", "))),
            Self::NotApplicable => Some("not applicable: there is nothing that it counts".to_owned()),
            Self::Invalid(breached) => Some(format!("invalid: {} is breached", breached.join(", "))),
        }
    }
}

/// Composes a score from the figures that are part of it: Σ weight × value, after the checks that its formula names.
///
/// `range` gives a figure by name, between its bounds; a part without one is not applicable and leaves its weight to
/// the others. `breached` says whether a blocker is breached, which over many cases is more than the figure tells; `None`
/// where that is undecided, and then the score may come to nothing.
pub fn compose(
    score: &'static str,
    range: &dyn Fn(&str) -> Option<Bounds>,
    breached: &dyn Fn(&Row) -> Option<bool>,
) -> Composed {
    let section = row(score).map(|row| row.section);
    let whole = section.is_some_and(|section| section.score() == score);
    let named = || {
        METRICS
            .iter()
            .filter(|row| whole && Some(row.section) == section)
            .filter(|row| row.is_blocker() && row.blocker.is_some_and(|blocker| blocker.invalidates))
    };
    let invalid: Vec<&'static str> = named().filter(|row| breached(row) == Some(true)).map(|row| row.name).collect();
    if !invalid.is_empty() {
        return Composed::Invalid(invalid);
    }
    let doubtful: Vec<&'static str> = named().filter(|row| breached(row).is_none()).map(|row| row.name).collect();
    let (mut worst, mut best, mut weights) = (0.0, 0.0, 0.0);
    let mut undecided = doubtful.clone();
    for row in METRICS {
        let Some((_, weight)) = row.part_of.filter(|(of, _)| *of == score) else { continue };
        let (part, names) = match row.pooling {
            Pooling::Composed => {
                let part = compose(row.name, range, breached);
                (part.range(), if let Composed::Undecided(_, names) = part { names } else { Vec::new() })
            }
            _ => (range(row.name), vec![row.name]),
        };
        let Some(part) = part else { continue };
        if part.settled().is_none() {
            undecided.extend(names.into_iter().filter(|name| !doubtful.contains(name)));
        }
        worst += weight * part.0;
        best += weight * part.1;
        weights += weight;
    }
    if weights == 0.0 {
        return Composed::NotApplicable;
    }
    let bounds = Bounds(if doubtful.is_empty() { tidy(worst / weights) } else { 0.0 }, tidy(best / weights));
    match bounds.settled() {
        Some(value) => Composed::Score(value),
        None => Composed::Undecided(bounds, undecided),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_core::Rating;

    fn composed(score: &'static str, values: &[(&str, f64)]) -> Composed {
        let ranges: Vec<(&str, Bounds)> = values.iter().map(|(name, value)| (*name, Bounds(*value, *value))).collect();
        composed_between(score, &ranges)
    }

    fn composed_between(score: &'static str, ranges: &[(&str, Bounds)]) -> Composed {
        let range = |name: &str| ranges.iter().find(|(known, _)| *known == name).map(|(_, range)| *range);
        compose(score, &range, &|row| row.breach_within(range(row.name)))
    }

    fn rounded(score: &'static str, values: &[(&str, f64)]) -> f64 {
        let value = composed(score, values).range().and_then(Bounds::settled).expect("a score");
        (value * 1000.0).round() / 1000.0
    }

    const TEXT: [(&str, f64); 9] = [
        ("text.sentiment_accuracy", 0.85),
        ("text.sentiment_macro_f1", 0.80),
        ("text.missing_label_count", 1.0),
        ("text.call_intent_match", 0.5),
        ("text.highlight_recall", 0.80),
        ("text.highlight_correctness", 0.90),
        ("text.required_field_presence", 0.85),
        ("text.fabrication_free_rate", 0.985),
        ("text.dominant_emotion_correctness", 1.0),
    ];

    #[test]
    fn the_worked_examples_given_as_rates() {
        let qa = [
            ("qa.question_score_accuracy", 0.93),
            ("qa.score_gap_accuracy", 0.73),
            ("qa.evidence_backed_reasoning", 0.85),
            ("qa.structure_compliance", 1.0),
        ];
        assert_eq!(rounded("qa.score", &qa), 0.882);
        let entity = [
            ("entity.keyword_f1", 0.91),
            ("entity.topic_f1", 0.85),
            ("entity.config_adherence", 1.0),
            ("entity.fabricated_entity_count", 0.0),
        ];
        // 0.4277 + 0.2465 + 0.24 = 0.9142; the worked example adds the rounded terms, 0.428 + 0.247 + 0.240 = 0.915.
        assert_eq!(rounded("entity.score", &entity), 0.914);
        let terms: f64 = [(0.91, 0.47), (0.85, 0.29), (1.0, 0.24)]
            .iter()
            .map(|(value, weight)| (value * weight * 1000.0_f64 + 1e-9).round() / 1000.0)
            .sum();
        assert!((terms - 0.915).abs() < 1e-9, "{terms}");
        assert_eq!(rounded("text.sentiment_score", &TEXT), 0.830);
        // 0.150 + 0.080 + 0.090 + 0.170 + 0.2955.
        assert_eq!(composed("text.summary_score", &TEXT), Composed::Score(0.7855));
        assert_eq!(composed("text.score", &TEXT), Composed::Score(0.84175));
        assert_eq!((rounded("text.summary_score", &TEXT), rounded("text.score", &TEXT)), (0.786, 0.842));
        let translation = [
            ("translation.completeness_rate", 0.97),
            ("translation.meaning_accuracy", 0.84),
            ("translation.fluency", 0.80),
            ("translation.domain_term_preservation", 0.92),
            ("translation.proper_noun_preservation", 0.95),
            ("translation.critical_fact_preservation", 0.98),
        ];
        assert_eq!(rounded("translation.score", &translation), 0.897);
    }

    #[test]
    fn a_breach_that_the_formula_names_is_invalid() {
        let mut text = TEXT;
        text[2].1 = 3.0;
        assert_eq!(composed("text.score", &text), Composed::Invalid(vec!["text.missing_label_count"]));
        assert_eq!(composed("text.sentiment_score", &text), Composed::Score(0.83));
    }

    #[test]
    fn a_part_that_is_not_applicable_leaves_its_weight_to_the_others() {
        let without: Vec<(&str, f64)> = TEXT.into_iter().filter(|(name, _)| *name != "text.highlight_recall").collect();
        // (0.150 + 0.090 + 0.170 + 0.2955) / 0.9
        assert_eq!(composed("text.summary_score", &without), Composed::Score(0.783888888889));
        // Without any emotion: (0.30 × 0.83 + 0.50 × 0.7855) / 0.8
        assert_eq!(composed("text.score", &TEXT[..8]), Composed::Score(0.8021875));
        assert_eq!(composed("text.emotion_score", &TEXT[..8]), Composed::NotApplicable);
    }

    #[test]
    fn an_undecided_part_leaves_the_score_between_bounds() {
        let mut ranges: Vec<(&str, Bounds)> =
            TEXT.iter().map(|(name, value)| (*name, Bounds(*value, *value))).collect();
        ranges[4].1 = Bounds(0.0, 1.0);
        // 0.84175 with a recall of 0.8 that weighs 0.10 × 0.50: 0.04 less or 0.01 more.
        let undecided = Composed::Undecided(Bounds(0.80175, 0.85175), vec!["text.highlight_recall"]);
        assert_eq!(composed_between("text.score", &ranges), undecided);
        // An intent that may be wrong may leave no score at all.
        ranges[4].1 = Bounds(0.8, 0.8);
        ranges[3].1 = Bounds(0.0, 1.0);
        let doubtful = Composed::Undecided(Bounds(0.0, 0.91675), vec!["text.call_intent_match"]);
        assert_eq!(composed_between("text.score", &ranges), doubtful);
    }

    #[test]
    fn weights_add_up_to_one() {
        for score in METRICS.iter().filter(|row| row.pooling == Pooling::Composed) {
            let sum: f64 = METRICS
                .iter()
                .filter_map(|row| row.part_of)
                .filter(|(of, _)| *of == score.name)
                .map(|(_, weight)| weight)
                .sum();
            assert!((sum - 1.0).abs() < 1e-9, "{} {sum}", score.name);
        }
    }

    #[test]
    fn ratings_are_those_of_the_bands() {
        use Rating::{Acceptable, Blocker, Fail, Good};
        for (name, ratings) in [
            ("qa.question_score_accuracy", vec![(0.95, Good), (0.90, Acceptable), (0.8999, Fail)]),
            ("qa.false_pass_rate", vec![(1.0, Good), (3.0, Acceptable), (3.01, Blocker)]),
            ("entity.config_adherence", vec![(1.0, Good), (0.95, Acceptable), (0.94, Blocker)]),
            ("entity.fabricated_entity_count", vec![(0.0, Good), (2.0, Acceptable), (3.0, Blocker)]),
            ("text.call_intent_match", vec![(1.0, Good), (0.5, Acceptable), (0.0, Blocker)]),
            ("text.fabrication_free_rate", vec![(1.0, Good), (0.98, Acceptable), (0.975, Fail), (0.969, Blocker)]),
            ("translation.critical_fact_preservation", vec![(1.0, Good), (0.97, Acceptable), (0.969, Blocker)]),
            ("translation.domain_term_preservation", vec![(0.95, Good), (0.90, Acceptable), (0.89, Blocker)]),
            ("benchmark.hallucination_rate", vec![(2.0, Good), (2.1, Fail)]),
        ] {
            let row = row(name).expect("a row");
            for (value, rating) in ratings {
                assert_eq!(row.rating(value), Some(rating), "{name} {value}");
            }
        }
        assert_eq!(row("qa.score").expect("a row").rating(0.9), None);
    }
}
