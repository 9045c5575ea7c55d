//! The one function that composes a score from the figures that are part of it, and its worked examples.

use super::metrics::{METRICS, Pooling, Row, row};
use assize_core::judgment::tidy;

/// A composed score, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub enum Composed {
    /// The weighted sum.
    Score(f64),
    /// A blocker that the formula names was breached.
    Invalid(Vec<&'static str>),
    /// A part is undefined.
    Undefined(Vec<&'static str>),
}

impl Composed {
    /// The score, where there is one.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Score(value) => Some(*value),
            _ => None,
        }
    }

    /// Why there is none, in a sentence.
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Score(_) => None,
            Self::Invalid(breached) => Some(format!("invalid: {} is breached", breached.join(", "))),
            Self::Undefined(parts) => Some(format!("undefined: {} is undefined", parts.join(", "))),
        }
    }
}

/// Composes a score from the figures that are part of it: Σ weight × value, after the checks that its formula names.
///
/// `value` gives a figure by name; `breached` says whether a blocker is breached, which over many cases is more than the
/// figure tells.
pub fn compose(score: &'static str, value: &dyn Fn(&str) -> Option<f64>, breached: &dyn Fn(&Row) -> bool) -> Composed {
    let section = row(score).map(|row| row.section);
    let whole = section.is_some_and(|section| section.score() == score);
    let invalid: Vec<&'static str> = METRICS
        .iter()
        .filter(|row| whole && Some(row.section) == section)
        .filter(|row| row.is_blocker() && row.blocker.is_some_and(|blocker| blocker.invalidates) && breached(row))
        .map(|row| row.name)
        .collect();
    if !invalid.is_empty() {
        return Composed::Invalid(invalid);
    }
    let (mut sum, mut undefined) = (0.0, Vec::new());
    for row in METRICS {
        let Some((_, weight)) = row.part_of.filter(|(of, _)| *of == score) else { continue };
        let part = match row.pooling {
            Pooling::Composed => match compose(row.name, value, breached) {
                Composed::Score(part) => Some(part),
                Composed::Undefined(names) | Composed::Invalid(names) => {
                    undefined.extend(names);
                    continue;
                }
            },
            _ => value(row.name),
        };
        match part {
            Some(part) => sum += weight * part,
            None => undefined.push(row.name),
        }
    }
    if undefined.is_empty() { Composed::Score(tidy(sum)) } else { Composed::Undefined(undefined) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_core::Rating;

    fn composed(score: &'static str, values: &[(&str, f64)]) -> Composed {
        let value = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        compose(score, &value, &|row| {
            value(row.name).is_some_and(|value| row.blocker.is_some_and(|blocker| blocker.breach.holds(value)))
        })
    }

    fn rounded(score: &'static str, values: &[(&str, f64)]) -> f64 {
        let value = composed(score, values).value().expect("a score");
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
    fn a_breach_that_the_formula_names_is_invalid_and_an_unknown_part_undefined() {
        let mut text = TEXT;
        text[2].1 = 3.0;
        assert_eq!(composed("text.score", &text), Composed::Invalid(vec!["text.missing_label_count"]));
        assert_eq!(composed("text.sentiment_score", &text), Composed::Score(0.83));
        let partial: Vec<(&str, f64)> = TEXT.into_iter().filter(|(name, _)| *name != "text.highlight_recall").collect();
        assert_eq!(composed("text.score", &partial), Composed::Undefined(vec!["text.highlight_recall"]));
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
