//! Comparisons whose figures were worked out by hand, out of a real store.

use super::*;
use crate::trial::{document, keep, line, score, spec, store};
use serde_json::json;

/// A run of the model `m` (and others, where named) with the judge that declares `score`, `wer`, `ok`.
fn run(id: &str, changes: Value, models: &[&str]) -> RunDocument {
    let card = json!({"metrics": {}, "blockers": [], "disqualified": false});
    let models: serde_json::Map<String, Value> =
        models.iter().map(|model| ((*model).to_owned(), card.clone())).collect();
    let metrics = json!({"metrics": [spec("score", false), spec("wer", true), spec("ok", false)]});
    let mut run = document(id, json!({"models": models, "judge": metrics}));
    if let Some(fingerprint) = changes.get("fingerprint").and_then(Value::as_str) {
        run.judge.fingerprint = fingerprint.to_owned();
    }
    if let Some(model) = changes.get("model") {
        run.judge.model = model.clone();
    }
    run
}

fn rate(numerator: f64, denominator: f64) -> Value {
    json!({"value": numerator / denominator, "n": denominator as u64, "rating": null, "method": "code",
           "parts": {"numerator": numerator, "denominator": denominator}})
}

fn judged(case: &str, metrics: Value) -> Value {
    line(case, "m", json!({"metrics": metrics}))
}

/// Lines with inputs that say which run they are of, so that the texts differ.
fn of(run: &str, lines: Vec<Value>) -> Vec<(Value, Value)> {
    lines.into_iter().map(|line| (line, json!({"output": run}))).collect()
}

#[tokio::test]
async fn figures_by_hand() {
    let (_folder, store) = store();
    let (a, b) = (run("a", json!({}), &["m"]), run("b", json!({}), &["m"]));
    let lines = [
        judged("c3", json!({"score": score(0.6), "mystery": score(1.0)})),
        judged("c1", json!({"score": score(0.5), "wer": rate(1.0, 10.0), "ok": score(0.0)})),
        judged("c2", json!({"score": score(0.8), "wer": rate(2.0, 10.0), "ok": score(1.0)})),
        judged("gone", json!({"score": score(0.0)})),
        judged("broken", json!({"score": score(0.0)})),
    ];
    keep(&store, &a, of("a", lines.to_vec())).await;
    let lines = [
        judged("c2", json!({"score": score(0.8), "wer": rate(4.0, 30.0), "ok": score(1.0)})),
        judged("new", json!({"score": score(1.0)})),
        line("broken", "m", json!({"status": "failed", "error": {"kind": "timeout", "message": "no reply"}})),
        judged("c1", json!({"score": score(0.7), "wer": rate(0.0, 10.0), "ok": score(1.0)})),
        judged("c3", json!({"score": score(0.5), "wer": rate(0.0, 9.0), "mystery": score(0.5)})),
    ];
    keep(&store, &b, of("b", lines.to_vec())).await;
    let pairs = pair_models(&a, &b, (None, None)).expect("the same model");
    let comparing = Comparing::new(&store, &a, &b, &pairs).expect("ready");
    let found = comparing.compare(10).expect("compared");
    assert_eq!((found.shared, found.same_texts, found.subject), (3, 0, Subject::Systems));
    let named =
        |cases: &NamedCases| (cases.count, cases.cases.iter().map(|name| name.case.clone()).collect::<Vec<_>>());
    assert_eq!(named(&found.only_a), (1, vec!["gone".to_owned()]));
    assert_eq!(named(&found.only_b), (1, vec!["new".to_owned()]));
    assert_eq!(named(&found.not_judged), (1, vec!["broken".to_owned()]));
    let model = &found.models[0];
    assert_eq!(model.metrics.iter().map(|metric| metric.metric.as_str()).collect::<Vec<_>>(), ["score", "wer", "ok"]);
    let [score, wer, ok] = model.metrics.as_slice() else { panic!("{model:?}") };
    // 0.5 0.8 0.6 against 0.7 0.8 0.5.
    assert!((score.a - 1.9 / 3.0).abs() < 1e-9 && (score.b - 2.0 / 3.0).abs() < 1e-9);
    assert!((score.difference - 0.1 / 3.0).abs() < 1e-9, "{score:?}");
    assert_eq!((score.better, score.worse, score.same, score.n), (1, 1, 1, 3));
    // Pooled: 3 of 20 against 4 of 40; the third case has it only in B. Less is better.
    assert_eq!((wer.a, wer.b, wer.difference), (0.15, 0.1, -0.05));
    assert_eq!((wer.better, wer.worse, wer.only_a, wer.only_b), (2, 0, 0, 1));
    assert_eq!(wer.test, Test::Bootstrap);
    assert_eq!((ok.test, ok.p, ok.finding), (Test::Mcnemar, Some(1.0), Finding::NotDistinguishable));
    assert_eq!(model.undeclared, ["mystery"]);
    assert!(found.warnings.iter().any(|warning| warning.contains("mystery")), "{:?}", found.warnings);
    // `ok` says yes or no everywhere; `mystery` is 1 here and 0.5 there, and `wer` is out of many.
    assert_eq!((found.flipped, found.flips.listed[0].case.as_str()), (1, "c1"));
    let flip = &found.flips.listed[0].figures[0];
    assert_eq!((flip.metric.as_str(), flip.better), ("ok", Some(true)));
}

#[tokio::test]
async fn a_difference_is_found_where_it_can_be_told() {
    let (_folder, store) = store();
    let (a, b) = (run("a", json!({}), &["m"]), run("b", json!({}), &["m"]));
    // 32 cases begin to pass, 11 cease to, 7 stay: McNemar gives 0.0019. The score falls by 0.1 or by 0.3.
    let (mut one, mut other) = (Vec::new(), Vec::new());
    for case in 0..50 {
        let (before, after) = match case {
            0..32 => (0.0, 1.0),
            32..43 => (1.0, 0.0),
            _ => (1.0, 1.0),
        };
        let fall = if case % 2 == 0 { 0.1 } else { 0.3 };
        let name = format!("c{case:02}");
        one.push(judged(&name, json!({"ok": score(before), "score": score(0.9), "wer": rate(1.0, 4.0)})));
        other.push(judged(&name, json!({"ok": score(after), "score": score(0.9 - fall), "wer": rate(1.0, 4.0)})));
    }
    keep(&store, &a, of("a", one)).await;
    keep(&store, &b, of("b", other)).await;
    let pairs = pair_models(&a, &b, (None, None)).expect("the same model");
    let comparing = Comparing::new(&store, &a, &b, &pairs).expect("ready");
    let found = comparing.compare(5).expect("compared");
    let [score, wer, ok] = found.models[0].metrics.as_slice() else { panic!("{found:?}") };
    assert!((ok.p.expect("tested") - 0.001913961001264397).abs() < 1e-12);
    // Two were tested. The smaller p-value, 2/2001 of the bootstrap, is doubled; this one is no less than that.
    assert_eq!((ok.p_corrected, ok.finding), (score.p_corrected, Finding::Better));
    assert_eq!((ok.better, ok.worse, ok.same), (32, 11, 7));
    assert!((score.difference + 0.2).abs() < 1e-9);
    let interval = score.interval.expect("an interval");
    // The standard error is 0.1/√50; the bootstrap's ends are near ±1.96 of it.
    assert!((interval.0 + 0.2277).abs() < 0.005 && (interval.1 + 0.1723).abs() < 0.005, "{interval:?}");
    assert_eq!((score.p, score.finding), (Some(0.00099950025), Finding::Worse));
    assert_eq!(score.p_corrected, Some(0.0019990005));
    assert_eq!((wer.finding, wer.p, wer.interval), (Finding::Same, None, None));
    // Flips by page: never a case on two of them, and all of them in the end.
    assert_eq!((found.flipped, found.flips.listed.len(), found.flips.next.as_deref()), (43, 5, Some("c04")));
    let mut seen: Vec<String> = found.flips.listed.iter().map(|flip| flip.case.clone()).collect();
    let mut next = found.flips.next;
    while let Some(behind) = next {
        let page = comparing.pairs(&Wanted::Flipped, Some(&behind), 10).expect("a page");
        seen.extend(page.listed.iter().map(|flip| flip.case.clone()));
        next = page.next;
    }
    assert_eq!(seen, (0..43).map(|case| format!("c{case:02}")).collect::<Vec<_>>());
    // By one figure: `ok` is better in the first 32 and worse in the next 11, `score` is worse in all 50.
    let listed = |wanted: Wanted| comparing.pairs(&wanted, None, 100).expect("a page").listed;
    assert_eq!(listed(Wanted::Better("ok".into())).len(), 32);
    let worse = listed(Wanted::Worse("ok".into()));
    assert_eq!((worse.len(), worse[0].case.as_str(), worse[0].position.b), (11, "c32", 32));
    assert_eq!(listed(Wanted::Worse("score".into())).len(), 50);
    assert_eq!((listed(Wanted::Better("score".into())).len(), listed(Wanted::Worse("none".into())).len()), (0, 0));
}

#[tokio::test]
async fn a_few_cases_that_all_went_one_way_prove_nothing() {
    let (_folder, store) = store();
    let (a, b) = (run("a", json!({}), &["m"]), run("b", json!({}), &["m"]));
    let lines =
        |better: f64| (0..5).map(|case| judged(&format!("c{case}"), json!({"score": score(0.5 + better)}))).collect();
    keep(&store, &a, of("a", lines(0.0))).await;
    keep(&store, &b, of("b", lines(0.25))).await;
    let pairs = pair_models(&a, &b, (None, None)).expect("the same model");
    let comparing = Comparing::new(&store, &a, &b, &pairs).expect("ready");
    let score = &comparing.compare(5).expect("compared").models[0].metrics[0];
    // Five heads or five tails in five throws: 2/32.
    assert_eq!((score.p, score.finding, score.better), (Some(0.0625), Finding::NotDistinguishable, 5));
}

#[tokio::test]
async fn verdicts_flip_with_both_reasons_and_the_judges_are_named() {
    let (_folder, store) = store();
    let a = run("a", json!({"model": "kind"}), &["m"]);
    let b = run("b", json!({"model": ["strict", "kind"], "fingerprint": "other"}), &["m"]);
    let verdict = |case: &str, verdict: Option<&str>, reason: &str, pass: u8| {
        let labels = json!({"behaviours": {"X-1": {"reason": format!("{reason}, x")}}});
        let metrics = json!({"behaviour.X-1": score(pass)});
        let line = line(case, "m", json!({"verdict": verdict, "reason": reason, "labels": labels, "metrics": metrics}));
        (line, json!({}))
    };
    keep(&store, &a, [verdict("c1", Some("approve"), "fine", 1), verdict("c2", None, "open", 1)]).await;
    keep(&store, &b, [verdict("c1", Some("reject"), "wrong", 0), verdict("c2", None, "open", 1)]).await;
    let pairs = pair_models(&a, &b, (None, None)).expect("the same model");
    let comparing = Comparing::new(&store, &a, &b, &pairs).expect("ready");
    let found = comparing.compare(5).expect("compared");
    assert_eq!((found.subject, found.same_texts), (Subject::Judges, 2));
    assert!(
        found.warnings[0].contains("the judges differ: asked of kind against [\"strict\",\"kind\"]"),
        "{:?}",
        found.warnings
    );
    let [flip] = found.flips.listed.as_slice() else { panic!("{found:?}") };
    assert_eq!(flip.verdict, Some(Change { a: Some("approve".to_owned()), b: Some("reject".to_owned()) }));
    assert_eq!(flip.reason, Change { a: Some("fine".to_owned()), b: Some("wrong".to_owned()) });
    let figure = &flip.figures[0];
    assert_eq!(figure.reason, Change { a: Some("fine, x".to_owned()), b: Some("wrong, x".to_owned()) });
    assert_eq!(figure.better, None, "no judge declares it");
    let count = VerdictCount { a: Some("approve".to_owned()), b: Some("reject".to_owned()), cases: 1 };
    assert_eq!(found.models[0].verdicts, [count]);
}

#[tokio::test]
async fn repetitions_are_compared_with_their_like_and_count_as_one_case() {
    let (_folder, store) = store();
    let (a, b) = (run("a", json!({}), &["m"]), run("b", json!({}), &["m"]));
    let repeated = |values: [f64; 3]| {
        (1..)
            .zip(values)
            .map(|(run, value)| (judged("c", json!({"ok": score(value)})), json!({"run": run})))
            .collect::<Vec<_>>()
    };
    keep(&store, &a, repeated([0.0, 1.0, 1.0])).await;
    let mut lines = repeated([1.0, 1.0, 1.0]);
    lines.pop();
    lines.reverse();
    keep(&store, &b, lines).await;
    let pairs = pair_models(&a, &b, (None, None)).expect("the same model");
    let comparing = Comparing::new(&store, &a, &b, &pairs).expect("ready");
    let found = comparing.compare(5).expect("compared");
    assert_eq!((found.shared, found.same_texts, found.subject), (2, 2, Subject::Nothing));
    assert_eq!(found.only_a.cases[0].run, Some(3.0));
    let ok = &found.models[0].metrics[0];
    // One case is one cluster, and of one cluster nothing can be said.
    assert_eq!((ok.better, ok.same, ok.test, ok.p, ok.interval), (1, 1, Test::Bootstrap, None, None));
    assert_eq!(ok.finding, Finding::NotDistinguishable);
}

#[test]
fn models_are_paired_by_name_by_choice_or_by_being_the_only_ones() {
    let (one, two) = (run("a", json!({}), &["m"]), run("b", json!({}), &["n"]));
    let many = run("c", json!({}), &["m", "n", "o"]);
    let pair = |a: &str, b: &str| ModelPair { a: a.into(), b: b.into() };
    assert_eq!(pair_models(&one, &two, (None, None)), Ok(vec![pair("m", "n")]));
    assert_eq!(pair_models(&many, &many, (Some("n"), Some("o"))), Ok(vec![pair("n", "o")]));
    assert_eq!(pair_models(&many, &many, (None, None)).map(|pairs| pairs.len()), Ok(3));
    assert_eq!(pair_models(&one, &many, (None, None)), Ok(vec![pair("m", "m")]));
    assert_eq!(pair_models(&many, &two, (Some("o"), None)), Ok(vec![pair("o", "n")]));
    assert_eq!(pair_models(&two, &many, (None, Some("n"))), Ok(vec![pair("n", "n")]));
    let wrong = pair_models(&many, &two, (Some("x"), None)).expect_err("no such model");
    assert_eq!(wrong.to_string(), "the run c has no model `x`; it has: m, n, o");
    let other = run("d", json!({}), &["p", "q"]);
    let none = pair_models(&other, &many, (None, None)).expect_err("nothing shared");
    assert_eq!(none.to_string(), "the runs have no model in common: p, q against m, n, o");
}

#[tokio::test]
async fn two_tests_need_more_than_one() {
    let (_folder, store) = store();
    let (a, b) = (run("a", json!({}), &["m"]), run("b", json!({}), &["m"]));
    let lines = |value: f64| {
        (0..6).map(|case| judged(&format!("c{case}"), json!({"ok": score(value), "score": score(value)}))).collect()
    };
    keep(&store, &a, of("a", lines(0.0))).await;
    keep(&store, &b, of("b", lines(1.0))).await;
    let pairs = pair_models(&a, &b, (None, None)).expect("the same model");
    let found = Comparing::new(&store, &a, &b, &pairs).expect("ready").compare(5).expect("compared");
    for metric in &found.models[0].metrics {
        // 2·½⁶ alone would do; of two, the first is doubled and the second is no less.
        assert_eq!((metric.p, metric.p_corrected), (Some(0.03125), Some(0.0625)));
        assert_eq!(metric.finding, Finding::NotDistinguishable);
    }
}

#[tokio::test]
async fn many_cases_come_in_pages_and_are_folded() {
    let (_folder, store) = store();
    let (a, b) = (run("a", json!({}), &["m"]), run("b", json!({}), &["m"]));
    let lines = |fall: f64| -> Vec<Value> {
        (0..1300_u32)
            .rev()
            .map(|case| {
                let value = 0.9 - fall * f64::from(case % 4);
                judged(&format!("c{case}"), json!({"score": score(value)}))
            })
            .collect()
    };
    keep(&store, &a, of("a", lines(0.0))).await;
    keep(&store, &b, of("b", lines(0.1))).await;
    let pairs = pair_models(&a, &b, (None, None)).expect("the same model");
    let found = Comparing::new(&store, &a, &b, &pairs).expect("ready").compare(5).expect("compared");
    assert_eq!((found.shared, found.only_a.count, found.only_b.count), (1300, 0, 0));
    let score = &found.models[0].metrics[0];
    assert_eq!((score.n, score.worse, score.same, score.difference), (1300, 975, 325, -0.15));
    // The standard deviation of 0, 0.1, 0.2, 0.3 is 0.1118; over √1300 that is 0.0031, and 1.96 of it 0.0061.
    let interval = score.interval.expect("an interval");
    assert!((interval.0 + 0.1561).abs() < 0.0015 && (interval.1 + 0.1439).abs() < 0.0015, "{interval:?}");
    assert_eq!(score.finding, Finding::Worse);
}

#[tokio::test]
async fn rates_of_verdicts_are_tested_case_by_case() {
    let (_folder, store) = store();
    let rates = || {
        vec![
            MetricSpec::share("approve"),
            MetricSpec::share("revise").neutral(),
            MetricSpec::share("reject").lower_is_better(),
        ]
    };
    let (mut a, mut b) = (run("a", json!({}), &["m"]), run("b", json!({}), &["m"]));
    (a.judge.metrics, b.judge.metrics) = (rates(), rates());
    let verdict = |case: usize, verdict: Value| line(&format!("c{case}"), "m", json!({"verdict": verdict}));
    // Seven of ten rejections became approvals, one stayed open in both, one was and is revised, one approval stayed.
    let first = |case: usize| match case {
        0..=6 => json!("reject"),
        7 => Value::Null,
        8 => json!("revise"),
        _ => json!("approve"),
    };
    let second = |case: usize| if case < 7 { json!("approve") } else { first(case) };
    keep(&store, &a, of("a", (0..10).map(|case| verdict(case, first(case))).collect())).await;
    keep(&store, &b, of("b", (0..10).map(|case| verdict(case, second(case))).collect())).await;
    let pairs = pair_models(&a, &b, (None, None)).expect("the same model");
    let comparing = Comparing::new(&store, &a, &b, &pairs).expect("ready");
    let found = comparing.compare(10).expect("compared");
    let model = &found.models[0];
    let shown: Vec<(&str, f64, f64, u64, u64, Test, Finding)> =
        model.metrics.iter().map(|m| (m.metric.as_str(), m.a, m.b, m.better, m.worse, m.test, m.finding)).collect();
    assert_eq!(
        shown,
        [
            ("approve_rate", 0.1, 0.8, 7, 0, Test::Mcnemar, Finding::Better),
            ("reject_rate", 0.7, 0.0, 7, 0, Test::Mcnemar, Finding::Better),
        ]
    );
    // 2·½⁷, and twice that for two tests.
    assert_eq!((model.metrics[0].p, model.metrics[0].p_corrected), (Some(0.015_625), Some(0.031_25)));
    assert!(model.undeclared.is_empty(), "a verdict between the two is named nowhere as missing");
}

mod on_random_facts {
    use super::*;
    use assize_judges::systems::facts::measure::Counts;
    use proptest::prelude::*;

    /// One case of an extractor: hits, wrong predictions, missed gold facts.
    fn case() -> impl Strategy<Value = Counts> {
        (0u64..4, 0u64..3, 0u64..5).prop_map(|(hits, fp, fn_)| Counts { tp_predicted: hits, fp, tp_gold: hits, fn_ })
    }

    fn lines(cases: &[Counts]) -> Vec<Value> {
        let metrics = |counts: &Counts| json!({"f1": score(counts.f1())});
        cases.iter().enumerate().map(|(at, counts)| judged(&format!("c{at}"), metrics(counts))).collect()
    }

    fn run_of(id: &str, cases: &[Counts]) -> RunDocument {
        let mut pooled = Counts::default();
        cases.iter().for_each(|counts| pooled += *counts);
        let f1 = json!({"value": pooled.f1(), "n": 1, "rating": null, "method": "llm", "interval": null, "counts": {}});
        let card = json!({"metrics": {"f1": f1}, "blockers": [], "disqualified": false});
        let judged = cases.len();
        document(
            id,
            json!({"models": {"m": card}, "judge": {"metrics": [spec("f1", false)]}, "cases": {"total": judged, "judged": judged}}),
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Whichever way the comparison points, the scorecards point there too, or a warning says why not.
        #[test]
        fn the_comparison_and_the_scorecards_agree_or_say_why_not(
            cases in proptest::collection::vec((case(), case()), 2..12)
        ) {
            let (one, other): (Vec<Counts>, Vec<Counts>) = cases.into_iter().unzip();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let (_folder, store) = store();
                let (a, b) = (run_of("a", &one), run_of("b", &other));
                keep(&store, &a, of("a", lines(&one))).await;
                keep(&store, &b, of("b", lines(&other))).await;
                let pairs = pair_models(&a, &b, (None, None)).expect("the same model");
                let found = Comparing::new(&store, &a, &b, &pairs).expect("ready").compare(1).expect("compared");
                let value = |run: &RunDocument| run.models["m"].metrics["f1"].value;
                let (Some(before), Some(after), Some(f1)) = (value(&a), value(&b), found.models[0].metrics.first())
                else { return };
                let opposed = (after - before) * f1.difference < 0.0;
                let said = found.warnings.iter().any(|warning| warning.starts_with("f1: the scorecards go from"));
                assert_eq!(opposed, said, "{before} {after} {f1:?}");
            });
        }
    }
}
