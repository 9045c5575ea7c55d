//! Pairs through the path that every judge goes through, with values worked out by hand.

use super::*;
use crate::summary::summary_of;
use assize_core::document::parse;
use assize_core::{Answers, Case, Judgment, Outcome, Role, Summary, UnderTest};
use assize_testkit::drive;
use serde_json::json;

fn build(settings: &str) -> Box<dyn Judge> {
    let mut problems = Problems::of("suite.yaml");
    let settings = parse(settings, &mut problems);
    let source = JudgeSource::BuiltIn("pairwise".into());
    crate::build(&Pairwise, &source, settings.as_ref(), &mut problems)
        .unwrap_or_else(|| panic!("{:?}", problems.iter().map(ToString::to_string).collect::<Vec<_>>()))
}

fn row(judge: &dyn Judge, record: Value) -> Case {
    let Value::Object(record) = record else { unreachable!("an object literal") };
    Case::read(record, &judge.spec().inputs).expect("a valid row")
}

fn pair(id: &str, first: &str, second: &str) -> Case {
    let judge = build("{}");
    let (a, b) = (format!("by {first}"), format!("by {second}"));
    let record =
        json!({"id": id, "prompt": "Why?", "response_a": a, "response_b": b, "model_a": first, "model_b": second});
    judge.assembly().expect("pairs").assemble(vec![row(&*judge, record)]).expect("a pair").remove(0)
}

/// Answers in both orders: which place was chosen in each.
fn choices(as_written: &str, swapped: &str) -> Answers {
    let reply = |better: &str| json!({"reason": "Answer 1 is short; answer 2 is not.", "better": better});
    drive::replies([("as_written", reply(as_written)), ("swapped", reply(swapped))])
}

fn judgment(as_written: &str, swapped: &str) -> Judgment {
    drive::judgment(&*build("{}"), &pair("p", "alto", "breve"), &choices(as_written, swapped))
}

#[test]
fn a_verdict_counts_only_if_both_orders_agree() {
    for (as_written, swapped, verdict, points, consistent, first_place) in [
        ("answer_1", "answer_2", "alto", Some(1.0), 1.0, Some(0.5)),
        ("answer_2", "answer_1", "breve", Some(0.0), 1.0, Some(0.5)),
        ("tie", "tie", "tie", Some(0.5), 1.0, None),
        ("answer_1", "answer_1", "inconsistent", None, 0.0, Some(1.0)),
        ("answer_2", "answer_2", "inconsistent", None, 0.0, Some(0.0)),
        ("answer_1", "tie", "inconsistent", None, 0.0, Some(1.0)),
    ] {
        let judgment = judgment(as_written, swapped);
        let found = (judgment.verdict.as_deref(), judgment.value("win_rate"), judgment.value("consistency"));
        assert_eq!(found, (Some(verdict), points, Some(consistent)), "{as_written} {swapped}");
        assert_eq!(judgment.value("first_place_rate"), first_place, "{as_written} {swapped}");
        assert_eq!(judgment.flags.contains(&"order_decides".to_owned()), verdict == "inconsistent");
    }
}

#[test]
fn reasons_name_the_candidates_and_not_their_places() {
    let judgment = judgment("answer_2", "answer_1");
    assert_eq!(judgment.labels["orders"]["as_written"]["reason"], "alto is short; breve is not.");
    assert_eq!(judgment.labels["orders"]["swapped"]["reason"], "breve is short; alto is not.");
    assert_eq!(judgment.reason.as_deref(), Some("alto is short; breve is not."));
}

#[test]
fn places_are_found_however_they_are_written() {
    let told = |reason: &str| {
        let reply = |better: &str| json!({"reason": reason, "better": better});
        let answers = drive::replies([("as_written", reply("answer_1")), ("swapped", reply("answer_2"))]);
        drive::judgment(&*build("{}"), &pair("p", "alto", "breve"), &answers).reason.expect("a reason")
    };
    assert_eq!(told("Answers 1 and 2 agree; Response #2 is longer."), "alto and breve agree; breve is longer.");
    assert_eq!(told("The first answer errs, the second answer does not."), "alto errs, breve does not.");
    assert_eq!(told("It should be answer 1.5, as answer_2 says."), "It should be answer 1.5, as breve says.");
}

#[test]
fn a_jury_counts_by_its_verdict() {
    let judge = build("{}");
    let case = pair("p", "alto", "breve");
    let one = drive::judgment(&*judge, &case, &choices("answer_1", "answer_2"));
    let other = drive::judgment(&*judge, &case, &choices("tie", "tie"));
    let mut summary = summary_of(&*judge);
    summary.add(&case, &assize_core::jury::join(vec![("x".into(), one), ("y".into(), other)]));
    let summary = summary.finish();
    let value = |metric: &str| summary.models["alto"].metrics[metric].value;
    // One juror says alto, the other a tie: the jury is split, and the pair counts for nobody.
    assert_eq!((value("wins"), value("ties"), value("inconsistent")), (Some(0.0), Some(0.0), Some(1.0)));
    assert_eq!((value("win_rate"), summary.models["alto"].metrics["win_rate"].n), (None, 0));
}

#[test]
fn two_systems_are_one_pair_whichever_is_named_first() {
    let summary = summary(&[("p", "alto", "breve", FIRST.0, FIRST.1), ("q", "breve", "alto", SECOND.0, SECOND.1)]);
    let pairs = summary.sections["pairs"].as_array().expect("pairs");
    assert_eq!(pairs.len(), 1);
    assert_eq!((&pairs[0]["first"], &pairs[0]["won"], &pairs[0]["lost"]), (&json!("alto"), &json!(2), &json!(0)));
}

#[test]
fn a_handful_of_prompts_ranks_nobody() {
    let ids: Vec<String> = (0..9).map(|number| format!("p{number}")).collect();
    let few: Vec<_> = ids.iter().map(|id| (id.as_str(), "alto", "breve", FIRST.0, FIRST.1)).collect();
    let of = |pairs: &[(&str, &str, &str, &str, &str)]| {
        let summary = summary(pairs);
        let card = &summary.models["breve"];
        (card.metrics["rank"].value, card.metrics["strength"].interval.is_some())
    };
    assert_eq!(of(&few), (Some(1.0), false), "nine prompts, however clear");
    let mut more = few;
    more.push(("p9", "alto", "breve", FIRST.0, FIRST.1));
    assert_eq!(of(&more), (Some(2.0), true));
}

#[test]
fn what_both_wrote_alike_is_a_tie_and_asks_nobody() {
    let mut case = pair("p", "alto", "breve");
    case.inputs.insert("response_b".into(), json!(" by alto\n"));
    let outcome = drive::outcome(&*build("{}"), &case, &Answers::none());
    let Outcome::Judged(judgment) = outcome else { panic!("{outcome:?}") };
    assert_eq!((judgment.verdict.as_deref(), judgment.value("win_rate")), (Some("tie"), Some(0.5)));
    assert_eq!(judgment.flags, ["same_text"]);
    let mut summary = summary_of(&*build("{}"));
    summary.add(&case, &judgment);
    assert_eq!(summary.finish().saved_calls, 2);
}

#[test]
fn without_a_model_it_fails_and_says_so() {
    let outcome = drive::by_rules(&*build("{}"), &pair("p", "alto", "breve"));
    assert!(matches!(outcome, Outcome::Failed(ref failure) if failure.kind.name() == "no_rule"), "{outcome:?}");
}

#[test]
fn the_two_questions_differ_only_in_the_order_of_the_answers() {
    let judge = build("criterion: Prefer the one a child understands.");
    let questions = drive::questions(&*judge, &pair("p", "alto", "breve"), &Answers::none());
    assert_eq!(questions.iter().map(|question| question.name.as_str()).collect::<Vec<_>>(), ["as_written", "swapped"]);
    assert_eq!(questions[0].messages[0], questions[1].messages[0]);
    assert_eq!(questions[0].messages[0].role, Role::System);
    assert!(questions[0].messages[0].content.contains("Prefer the one a child understands."));
    let place = |question: usize, text: &str| questions[question].messages[1].content.find(text).expect(text);
    assert!(place(0, "by alto") < place(0, "by breve") && place(1, "by breve") < place(1, "by alto"));
    assert!(!questions[0].messages[1].content.contains("model"), "the systems' names are not shown");
    let strict = drive::questions(&*build("ties: false"), &pair("p", "a", "b"), &Answers::none());
    assert_eq!(strict[0].schema.schema["properties"]["better"]["enum"], json!(["answer_1", "answer_2"]));
}

fn assembled(settings: &str, rows: &[Value]) -> Result<Vec<(String, String)>, Vec<String>> {
    let judge = build(settings);
    let rows: Vec<Case> = rows.iter().map(|record| row(&*judge, record.clone())).collect();
    let cases = judge.assembly().expect("pairs").assemble(rows)?;
    Ok(cases.into_iter().map(|case| (case.id, case.model.to_string())).collect())
}

#[test]
fn rows_with_one_output_each_become_pairs() {
    let output =
        |id: &str, model: &str| json!({"id": id, "model": model, "prompt": format!("{id}?"), "response": model});
    let rows =
        [output("p", "coda"), output("q", "alto"), output("p", "alto"), output("p", "breve"), output("q", "coda")];
    let named = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(id, systems)| ((*id).to_owned(), (*systems).to_owned())).collect()
    };
    let all = [("p", "alto vs breve"), ("p", "alto vs coda"), ("p", "breve vs coda"), ("q", "alto vs coda")];
    assert_eq!(assembled("{}", &rows), Ok(named(&all)));
    let against = [("p", "alto vs coda"), ("p", "breve vs coda"), ("q", "alto vs coda")];
    assert_eq!(assembled("baseline: coda", &rows), Ok(named(&against)));
    let wrong = assembled("baseline: dolce", &rows).expect_err("no such system");
    assert_eq!(wrong, ["the baseline `dolce` is not among the systems of the cases"]);
    let mut other = rows.to_vec();
    other[4]["prompt"] = json!("another?");
    other.push(output("r", "alto"));
    let wrong = assembled("{}", &other).expect_err("two mistakes");
    assert!(wrong[0].contains("one `prompt` for alto and another for coda"), "{wrong:?}");
    assert_eq!(wrong[1], "`r` has an output of alto only; a pair takes two");
}

#[test]
fn what_would_be_counted_twice_or_cost_a_fortune_is_refused() {
    let pair = json!({"id": "p", "prompt": "p?", "response_a": "x", "response_b": "y", "model": ["alto", "breve"]});
    let output = |model: &str| json!({"id": "p", "model": model, "prompt": "p?", "response": model});
    let wrong = assembled("{}", &[pair, output("alto"), output("breve")]).expect_err("twice");
    assert_eq!(wrong, ["`p` has the pair alto vs breve more than once"]);
    let many: Vec<Value> = (0..1100).map(|number| output(&format!("m{number}"))).collect();
    let wrong = assembled("{}", &many).expect_err("too many");
    assert!(wrong[0].contains("604450 pairs") && wrong[0].contains("baseline"), "{wrong:?}");
    assert_eq!(assembled("baseline: m7", &many).expect("against one").len(), 1099);
}

#[test]
fn a_row_is_one_output_or_a_pair() {
    let judge = build("{}");
    let problems = |record: Value| judge.case_problems(&row(&*judge, record));
    assert!(problems(json!({"id": 1, "prompt": "?", "response": "x"})).is_empty());
    assert!(problems(json!({"id": 1, "prompt": "?", "response_a": "x", "response_b": "y"})).is_empty());
    assert!(problems(json!({"id": 1, "prompt": "?"}))[0].contains("needs `response`"));
    assert!(problems(json!({"id": 1, "prompt": "?", "response_a": "x"}))[0].contains("both"));
    assert!(problems(json!({"id": 1, "prompt": "?", "response": "x", "response_b": "y"}))[0].contains("not all"));
    let twice = json!({"id": 1, "prompt": "?", "response_a": "x", "response_b": "y", "model_a": "m", "model_b": "m"});
    assert!(problems(twice)[0].contains("different names"));
    assert!(problems(json!({"id": 1, "prompt": "?", "response": "x", "model": "tie"}))[0].contains("verdicts"));
    let pair = |model: Value| json!({"id": 1, "prompt": "?", "response_a": "x", "response_b": "y", "model": model});
    assert!(problems(pair(json!("m")))[0].contains("name both"));
    assert!(problems(pair(json!(["m", "n", "o"])))[0].contains("names more"));
    let mut both = pair(json!(["m", "n"]));
    both["model_a"] = json!("m");
    assert!(problems(both)[0].contains("or by `model_a`"));
}

/// A summary of pairs: the prompt, the systems, and what was chosen in each order.
fn summary(pairs: &[(&str, &str, &str, &str, &str)]) -> Summary {
    let judge = build("{}");
    let mut summary = summary_of(&*judge);
    for (id, first, second, as_written, swapped) in pairs {
        let case = pair(id, first, second);
        summary.add(&case, &drive::judgment(&*judge, &case, &choices(as_written, swapped)));
    }
    summary.finish()
}

const FIRST: (&str, &str) = ("answer_1", "answer_2");
const SECOND: (&str, &str) = ("answer_2", "answer_1");
const TIE: (&str, &str) = ("tie", "tie");
const BIASED: (&str, &str) = ("answer_1", "answer_1");

#[test]
fn wins_ties_and_strengths_by_hand() {
    let ids: Vec<String> = (0..8).map(|number| format!("p{number}")).collect();
    let chosen = [FIRST, FIRST, FIRST, SECOND, TIE, TIE, BIASED, BIASED];
    let pairs: Vec<_> =
        ids.iter().zip(chosen).map(|(id, (one, other))| (id.as_str(), "alto", "breve", one, other)).collect();
    let summary = summary(&pairs);
    let value = |system: &str, metric: &str| summary.models[system].metrics[metric].value;
    // Three wins, one loss and two ties make 4 of 6 points; the two that followed the order count for nobody.
    assert_eq!((value("alto", "win_rate"), value("breve", "win_rate")), (Some(0.666666666667), Some(0.333333333333)));
    assert_eq!(summary.models["alto"].metrics["win_rate"].n, 6);
    for (metric, alto, breve) in
        [("wins", 3.0, 1.0), ("losses", 1.0, 3.0), ("ties", 2.0, 2.0), ("inconsistent", 2.0, 2.0)]
    {
        assert_eq!((value("alto", metric), value("breve", metric)), (Some(alto), Some(breve)), "{metric}");
    }
    assert_eq!(value("alto", "consistency"), Some(0.75));
    // 12 choices: 4 consistent pairs chose each place once, 2 biased ones the first place twice: 8 of 12.
    assert_eq!(value("alto", "first_place_rate"), Some(0.666666666667));
    // 4 points against 2, half a win more each way: half of ln(4.5 / 2.5).
    assert_eq!(value("alto", "strength"), Some(0.293893332451));
    assert_eq!(value("breve", "strength"), Some(-0.293893332451));
    // Six prompts cannot tell 4 from 2.
    assert_eq!((value("alto", "rank"), value("breve", "rank")), (Some(1.0), Some(1.0)));
    assert_eq!(
        summary.sections["pairs"][0],
        json!({"first": "alto", "second": "breve", "won": 3, "lost": 1, "ties": 2, "inconsistent": 2})
    );
}

#[test]
fn the_ranking_says_who_is_clearly_ahead() {
    let ids: Vec<String> = (0..40).map(|number| format!("p{number}")).collect();
    let mut pairs = Vec::new();
    for (number, id) in ids.iter().enumerate() {
        // alto and breve split their pairs; both beat coda nine times out of ten.
        let even = if number % 2 == 0 { FIRST } else { SECOND };
        let mostly = if number % 10 == 3 { SECOND } else { FIRST };
        pairs.push((id.as_str(), "alto", "breve", even.0, even.1));
        pairs.push((id.as_str(), "alto", "coda", mostly.0, mostly.1));
        pairs.push((id.as_str(), "breve", "coda", mostly.0, mostly.1));
    }
    let summary = summary(&pairs);
    let rank = |system: &str| summary.models[system].metrics["rank"].value;
    assert_eq!((rank("alto"), rank("breve"), rank("coda")), (Some(1.0), Some(1.0), Some(3.0)));
    let ranking = summary.sections["ranking"].as_array().expect("a ranking");
    let ahead: Vec<&Value> = ranking.iter().map(|place| &place["clearly_ahead_of_next"]).collect();
    assert_eq!(ahead, [&json!(false), &json!(true), &Value::Null]);
    assert_eq!(ranking[2]["model"], "coda");
}

#[test]
fn systems_that_never_met_are_not_ranked() {
    let summary = summary(&[("p", "alto", "breve", FIRST.0, FIRST.1), ("q", "coda", "dolce", FIRST.0, FIRST.1)]);
    assert!(summary.models.values().all(|card| card.metrics["rank"].value.is_none()));
    assert!(summary.sections["notes"][0].as_str().is_some_and(|note| note.contains("no decided pair")));
}

#[test]
fn a_case_may_name_its_systems_as_a_list() {
    let judge = build("{}");
    let record = json!({"id": "p", "model": ["alto", "breve"], "prompt": "?", "response_a": "x", "response_b": "y"});
    let cases = judge.assembly().expect("pairs").assemble(vec![row(&*judge, record)]).expect("a pair");
    assert_eq!(cases[0].model, UnderTest::several(vec!["alto".into(), "breve".into()]));
}
