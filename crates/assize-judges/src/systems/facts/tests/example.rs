//! The bundled example: three profiles that rank two extractors differently.

use super::*;

/// F1 of both extractors, and how many predictions are right and wrong, under a bundled suite.
fn ranked(suite: &str) -> Vec<(String, f64, [f64; 3])> {
    let mut problems = Problems::of("suite.yaml");
    let suite = parse(suite, &mut problems).expect("a suite");
    let settings = suite.get("judge").and_then(|judge| judge.get("settings"));
    let judge = FactExtraction
        .build(&JudgeSource::BuiltIn("fact-extraction".into()), settings, &mut problems)
        .expect("a judge");
    let mut summary = crate::summary::summary_of(&*judge);
    for line in include_str!("../../../../examples/fact-extraction/cases.jsonl").lines() {
        let case = case_of(serde_json::from_str(line).expect("JSON"));
        summary.add(&case, &judge_offline(&*judge, &case));
    }
    let value = |card: &assize_core::Scorecard, name: &str| card.metrics[name].value.expect("defined");
    let models = summary.finish().models;
    let mut ranked: Vec<_> = models
        .iter()
        .map(|(model, card)| (model.clone(), value(card, "f1"), ["tp", "fp", "fn"].map(|name| value(card, name))))
        .collect();
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
    ranked
}

#[test]
fn three_profiles_rank_two_extractors_differently() {
    let strict = ranked(include_str!("../../../../examples/fact-extraction/suite.yaml"));
    let lenient = ranked(include_str!("../../../../examples/fact-extraction/suite-lenient.yaml"));
    let client = ranked(include_str!("../../../../examples/fact-extraction/suite-client.yaml"));
    // The figures of the README.
    let rounded = |ranked: &[(String, f64, [f64; 3])]| -> Vec<f64> {
        ranked.iter().map(|(_, f1, _)| (f1 * 100.0).round() / 100.0).collect()
    };
    assert_eq!([rounded(&strict), rounded(&lenient), rounded(&client)], [[0.82, 0.06], [0.96, 0.84], [0.87, 0.79]]);
    assert_eq!([&strict[0].0, &lenient[0].0, &client[0].0], ["extractor-a", "extractor-b", "extractor-a"]);
}
