//! Scores on a scale, and what a verdict does to them.

use super::*;

fn scaled(scale: &str, more: &str) -> Result<Box<dyn Judge>, Vec<String>> {
    let more = format!("{more}scoring_scale: {scale}\n");
    let files = vec![file("tree/rubrics/r.yaml", "code: R\nbenchmarks: [A]\n"), benchmark("A", &more)];
    build(&TreeSystem, &tree(files), "{}")
}

fn score(judge: &dyn Judge, pass: bool, stated: f64) -> Judgment {
    judged(judge, &case("c", "x", &[]), json!({"reason": REASON, "pass": pass, "score": stated}))
}

#[test]
fn an_expression_is_evaluated_as_written() {
    for (scale, stated, expected) in [
        ("{min_value: 1, max_value: 5, normalization_formula: score/max}", 3.0, 0.6),
        ("{min_value: 1, max_value: 5, normalization_formula: 1-score/max}", 3.0, 0.4),
        ("{min_value: 0, max_value: 100, normalization_formula: x/100}", 37.0, 0.37),
        ("{min_value: 1, max_value: 5, normalization_formula: (x-min)/(max-min)}", 4.0, 0.75),
        ("{min_value: 0.0, max_value: 1.0, normalization_formula: \"x\"}", 0.9, 0.9),
        ("{min_value: 0, max_value: 10, normalization_formula: inverted}", 2.0, 0.8),
    ] {
        let judge = scaled(scale, "").expect(scale);
        assert_eq!(score(judge.as_ref(), true, stated).value("behaviour.A"), Some(expected), "{scale}");
    }
}

#[test]
fn an_expression_that_leaves_the_range_is_refused_with_the_score_that_shows_it() {
    for (scale, message) in [
        ("{max_value: 10, normalization_formula: x}", "`x` does not stay from 0 to 1: a score of 10 becomes 10"),
        (
            "{min_value: -5, max_value: 5, normalization_formula: x/max}",
            "`x/max` does not stay from 0 to 1: a score of -5 becomes -1",
        ),
        (
            "{min_value: 1, max_value: 5, normalization_formula: 1/(x-3)}",
            "`1/(x-3)` does not stay from 0 to 1: a score of 1 becomes -0.5",
        ),
        ("{max_value: 5, normalization_formula: x/top}", "there is no `top` in `x/top`"),
    ] {
        let errors = scaled(scale, "").map(|_| ()).expect_err(scale);
        assert!(errors[0].contains(message) && errors[0].starts_with("tree/benchmarks/A.yaml:4:"), "{errors:?}");
    }
}

#[test]
fn a_failed_verdict_is_never_a_score_that_passes() {
    let five = "{min_value: 1, max_value: 5, normalization_formula: score/max}";
    let one = "{min_value: 0, max_value: 1}";
    for (scale, stated, counted) in
        [(one, 1.0, 0.0), (one, 0.8, 0.0), (one, 0.5, 0.5), (five, 5.0, 0.0), (five, 2.0, 0.4)]
    {
        let judge = scaled(scale, "threshold: 0.8\n").expect("a judge");
        let judgment = score(judge.as_ref(), false, stated);
        assert_eq!(judgment.value("behaviour.A"), Some(counted), "{scale} {stated}");
        let differs = judgment.flags.iter().any(|flag| flag == "score_differs");
        assert_eq!(differs, counted == 0.0, "{scale} {stated}");
        assert_eq!(judgment.claimed.contains_key("A"), differs, "what is not counted is kept as a claim");
        assert_eq!(judgment.labels["behaviours"]["A"]["pass"], false);
    }
    // A verdict without a scale is the score, whatever number stands beside it.
    let judge = prompt_judge();
    let judgment = score(judge.as_ref(), false, 1.0);
    assert_eq!(judgment.value("behaviour.paid_amount_correct"), Some(0.0));
    assert!(judgment.flags.iter().any(|flag| flag == "score_differs"));
}

#[test]
fn a_score_that_is_not_on_the_scale_decides_nothing() {
    let judge = scaled("{min_value: 1, max_value: 5}", "").expect("a judge");
    let judgment = score(judge.as_ref(), true, 7.0);
    assert_eq!(judgment.value("behaviour.A"), None);
    assert_eq!(judgment.verdict.as_deref(), Some("review"));
    assert_eq!(judgment.claimed["A"]["score"], 7.0);
}
