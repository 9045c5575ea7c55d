//! What is undecided: bounds, gates, the parts that are waiting, and questions that fail.

use super::*;
use assize_core::{Bounds, CaseStatus, Failure, FailureKind};
use proptest::prelude::*;

const MANUAL: &str = "evaluator_type: manual_sme\n";

fn manual(code: &str, more: &str) -> SourceFile {
    file(&format!("tree/benchmarks/{code}.yaml"), format!("code: {code}\n{MANUAL}{more}"))
}

/// One case judged by a tree, with a verdict for every question.
fn one_case(files: Vec<SourceFile>, pass: impl Fn(&str) -> bool) -> Summary {
    let judge = build(&TreeSystem, &tree(files), "{}").expect("a judge");
    let case = case("c", "x", &[]);
    let reply = |question: &Question| json!({"reason": REASON, "pass": pass(&question.name)});
    let judgment = drive::judged(answer_all(judge.as_ref(), &case, reply));
    summarise(judge.as_ref(), &[(case, judgment)])
}

#[test]
fn undecided_weight_leaves_a_hard_gate_undecided_and_names_what_waits() {
    for aggregation in ["MINIMUM", "WEIGHTED_AVERAGE"] {
        let rubric = format!("code: R\nhard_gate: true\naggregation_method: {aggregation}\npassing_threshold: 0.8\n");
        let files = vec![
            file("tree/rubrics/top.yaml", "code: TOP\nsub_rubrics: [R]\n"),
            file("tree/rubrics/r.yaml", rubric),
            benchmark("A", "parent_rubric: R\nweight: 0.4\n"),
            manual("S", "parent_rubric: R\nweight: 0.6\n"),
        ];
        let summary = one_case(files, |_| true);
        let card = &summary.models["m"];
        // The person may still say no: 0 under MINIMUM, 0.4 · 1 + 0.6 · 0 under the average.
        let worst = if aggregation == "MINIMUM" { 0.0 } else { 0.4 };
        for metric in ["rubric.R", "rubric.TOP"] {
            let figure = &card.metrics[metric];
            assert_eq!(
                (figure.value, figure.bounds, figure.rating),
                (None, Some(Bounds(worst, 1.0)), None),
                "{metric}"
            );
        }
        assert_eq!(card.metrics["rubrics.passed"].bounds, Some(Bounds(0.0, 1.0)));
        assert!(card.blockers.is_empty());
        let top = &summary.sections["rubrics"][0];
        assert_eq!((&top["passed"], &top["score"], &top["bounds"]), (&json!(null), &json!(null), &json!([worst, 1.0])));
        assert_eq!((&top["waiting"], &top["waiting_hard_gates"]), (&json!(["S"]), &json!(["R"])));
        let notes = summary.sections["notes"].to_string();
        assert!(notes.contains("m: TOP is undecided") && notes.contains("waiting for S"), "{notes}");
    }
}

#[test]
fn undecided_parts_that_cannot_change_the_outcome_leave_it_decided() {
    let files = |weight: &str, threshold: &str| {
        vec![
            file("tree/rubrics/r.yaml", format!("code: R\npassing_threshold: {threshold}\n")),
            benchmark("A", "parent_rubric: R\nweight: 0.9\n"),
            manual("S", &format!("parent_rubric: R\nweight: {weight}\n")),
        ]
    };
    let passed = |files, pass: bool| one_case(files, |_| pass).sections["rubrics"][0]["passed"].clone();
    assert_eq!(passed(files("0.1", "0.8"), true), true, "0.9 … 1 is over 0.8");
    assert_eq!(passed(files("0.1", "0.8"), false), false, "0 … 0.1 is under 0.8");
    assert_eq!(passed(files("0.1", "0.95"), true), Value::Null, "0.9 … 1 is on both sides of 0.95");
    let signal = vec![
        file("tree/rubrics/r.yaml", "code: R\n"),
        benchmark("A", "parent_rubric: R\n"),
        manual("S", "parent_rubric: R\ncriticality: improvement_signal\n"),
    ];
    let rubric = &one_case(signal, |_| true).sections["rubrics"][0];
    assert_eq!((&rubric["score"], &rubric["passed"], &rubric["waiting"]), (&json!(1.0), &json!(true), &json!([])));
}

#[test]
fn a_question_that_fails_leaves_its_own_behaviour_undecided() {
    let files = vec![
        file("tree/rubrics/r.yaml", "code: R\npassing_threshold: 0.9\n"),
        benchmark("A", "parent_rubric: R\nweight: 0.5\n"),
        benchmark("B", "parent_rubric: R\nweight: 0.5\ncriticality: hard_gate\n"),
    ];
    let judge = build(&TreeSystem, &tree(files), "{}").expect("a judge");
    let case = case("c", "x", &[]);
    let mut answers = Answers::none();
    answers.insert("A".into(), drive::reply("A", json!({"reason": REASON, "pass": true})));
    answers.fail("B".into(), Failure::new(FailureKind::InvalidReply, "no JSON"));
    let judgment = drive::judged(drive::outcome(judge.as_ref(), &case, &answers));
    let label = &judgment.labels["behaviours"]["B"];
    assert_eq!((&label["pass"], &label["decided_by"]), (&json!(null), &json!("failed")));
    assert!(label["reason"].as_str().unwrap().contains("no JSON"));
    assert_eq!(judgment.labels["behaviours"]["A"]["pass"], true);
    assert_eq!(judgment.verdict.as_deref(), Some("review"));
    assert!(judgment.flags.iter().any(|flag| flag == "question_failed"));
    let summary = summarise(judge.as_ref(), &[(case.clone(), judgment)]);
    let rubric = &summary.sections["rubrics"][0];
    assert_eq!((&rubric["bounds"], &rubric["waiting_hard_gates"]), (&json!([0.5, 1.0]), &json!(["B"])));
    // With nothing else known of it, the case itself failed.
    answers = Answers::none();
    for code in ["A", "B"] {
        answers.fail(code.into(), Failure::new(FailureKind::InvalidReply, "no JSON"));
    }
    assert!(matches!(drive::outcome(judge.as_ref(), &case, &answers), Outcome::Failed(_)));
}

#[test]
fn cases_that_were_not_judged_are_counted() {
    let settings = "tags: {A: {skip: [void]}}";
    let files = vec![file("tree/rubrics/r.yaml", "code: R\n"), benchmark("A", "parent_rubric: R\n")];
    let judge = build(&TreeSystem, &tree(files), settings).expect("a judge");
    let mut summary = crate::summary::summary_of(judge.as_ref());
    let good = judged(judge.as_ref(), &case("good", "x", &[]), json!({"reason": REASON, "pass": true}));
    summary.add(&case("good", "x", &[]), &good);
    summary.add_unjudged(&case("void", "x", &["void"]), CaseStatus::Skipped);
    summary.add_unjudged(&case("down", "x", &[]), CaseStatus::Failed);
    let summary = summary.finish();
    let figure = &summary.models["m"].metrics["behaviour.A"];
    assert_eq!((figure.counts["skipped"], figure.counts["undecided"], figure.n), (1, 1, 1));
    assert_eq!((figure.value, figure.bounds), (None, Some(Bounds(0.5, 1.0))));
    assert_eq!(summary.sections["rubrics"][0]["passed"], Value::Null);
    assert_eq!(summary.sections["saved_calls"], 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the people who are waited for say, the score comes out within the bounds, and reaches both.
    #[test]
    fn every_way_of_deciding_lies_within_the_bounds(
        parts in prop::collection::vec((0.1..1.0_f64, prop::option::of(any::<bool>())), 1..5),
        said in prop::collection::vec(any::<bool>(), 5),
        aggregation in prop::sample::select(vec!["MINIMUM", "MAXIMUM", "WEIGHTED_AVERAGE"]),
    ) {
        let summary_of = |decide: &dyn Fn(usize) -> Option<bool>| {
            let mut files = vec![file("tree/rubrics/r.yaml", format!("code: R\naggregation_method: {aggregation}\n"))];
            for (index, (weight, _)) in parts.iter().enumerate() {
                let more = format!("parent_rubric: R\nweight: {weight:.3}\n");
                files.push(match decide(index) {
                    Some(_) => benchmark(&format!("B{index}"), &more),
                    None => manual(&format!("B{index}"), &more),
                });
            }
            one_case(files, |code| decide(code[1..].parse().expect("an index")).expect("decided")).sections["rubrics"][0].clone()
        };
        let open = summary_of(&|index| parts[index].1);
        let decided = |other: &dyn Fn(usize) -> bool| {
            summary_of(&|index| Some(parts[index].1.unwrap_or_else(|| other(index))))["score"].as_f64().expect("decided")
        };
        let (worst, best) = (decided(&|_| false), decided(&|_| true));
        let any = decided(&|index| said[index]);
        prop_assert!(worst <= any && any <= best);
        match open["score"].as_f64() {
            Some(score) => prop_assert!(score == worst && score == best),
            None => prop_assert_eq!(open["bounds"].clone(), json!([worst, best])),
        }
    }
}
