//! A suite that is a value and was never a file, with cases that are records.

use assize_core::document::{Problems, Span};
use assize_core::suite::{ColumnMap, JudgeModel, Placed};
use assize_core::{CaseStatus, Suite};
use assize_engine::files::Files;
use assize_engine::profiles::Profiles;
use assize_engine::records::RunRequest;
use assize_engine::run::{Prepared, RunOptions, SuiteSource, prepare};
use assize_engine::store::Store;
use serde_json::{Map, Value, json};

fn suite() -> Suite {
    Suite::of_judge("given", Placed { value: "transcript-quality".to_owned(), span: Span::at(1, 1) })
}

fn record(value: Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

fn prepared(suite: Suite, cases: Vec<Map<String, Value>>) -> Result<Prepared, Problems> {
    let files = Files::Held([].into());
    let source = SuiteSource::given(suite, cases, &files, "the request");
    prepare(source, RunOptions::of_suite("the request"), &Profiles::default(), &|_| None)
}

#[tokio::test]
async fn it_is_judged_like_one_in_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("assize.db")).expect("a store");
    let case = json!({"id": "a", "reference": "one two", "transcript": "one two", "colour": "blue"});
    let drop_others = ColumnMap { drop_others: true, ..ColumnMap::default() };
    let prepared = prepared(Suite { columns: drop_others, ..suite() }, vec![record(case)]).expect("in order");
    assert_eq!((prepared.total(), prepared.models().collect::<Vec<_>>()), (1, vec!["offline"]));
    let trial = prepared.ready().expect("rules need no key").try_out(&store).await.expect("judged");
    assert_eq!(trial.lines.len(), 1);
    assert_eq!((trial.lines[0].case.as_str(), trial.lines[0].status), ("a", CaseStatus::Judged));
    assert_eq!(trial.lines[0].metrics["wer"].value, Some(0.0));
    assert!(store.runs(1).expect("read").is_empty(), "a trial is no run");
}

#[test]
fn what_is_wrong_with_its_cases_has_its_name() {
    let cases =
        [json!({"id": "a", "reference": "x"}), json!({"id": "b", "reference": "x", "transcript": "x", "colour": 1})];
    let found = prepared(suite(), cases.map(record).to_vec()).err().expect("problems");
    let told: Vec<String> = found.without_places().iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(told[0].starts_with("the request: ") && told[0].contains("transcript"), "{told:#?}");
    assert!(told[1].starts_with("the request: ") && told[1].contains("colour"), "{told:#?}");
    let none = prepared(suite(), Vec::new()).err().expect("nothing to judge");
    assert!(none.iter().any(|problem| problem.message.contains("there is no case")), "{none:?}");
}

#[test]
fn without_a_key_it_is_prepared_and_not_ready() {
    let model = JudgeModel::parse("openai:gpt-4o-mini").expect("a model");
    let suite = Suite { models: vec![Placed { value: model, span: Span::at(1, 1) }], ..suite() };
    let case = record(json!({"id": "a", "reference": "x", "transcript": "y"}));
    let prepared = prepared(suite, vec![case]).expect("in order");
    assert_eq!(prepared.estimate(None).expect("estimated").questions, 1);
    assert_eq!(prepared.missing().count(), 1);
    assert_eq!(prepared.ready().err().expect("a key is missing").count(), 1);
}

#[test]
fn a_model_of_a_provider_that_nobody_declared_is_a_problem() {
    let model = JudgeModel::parse("elsewhere:judge").expect("a model");
    let suite = Suite { models: vec![Placed { value: model, span: Span::at(1, 1) }], ..suite() };
    let found = prepared(suite, vec![record(json!({"id": "a", "reference": "x", "transcript": "y"}))]).err();
    let told: Vec<String> = found.expect("a problem").iter().map(|problem| problem.message.clone()).collect();
    assert_eq!(told, ["unknown provider `elsewhere`"]);
}

#[test]
fn a_request_names_the_cases_it_takes_in_any_order() {
    let files = Files::Held([].into());
    let cases = ["a", "b", "c"].map(|id| record(json!({"id": id, "reference": "x", "transcript": "x"}))).to_vec();
    let source = || SuiteSource::given(suite(), cases.clone(), &files, "the request");
    let with = |only: &[&str], limit| {
        let only = only.iter().map(|id| (*id).to_owned()).collect();
        let request = RunRequest { only, limit, ..RunRequest::of_suite("the request") };
        prepare(source(), RunOptions::try_from(request).expect("good"), &Profiles::default(), &|_| None)
    };
    let ids = |prepared: Prepared| prepared.cases().map(|case| case.id).collect::<Vec<_>>();
    assert_eq!(ids(with(&["c", "a", "c"], None).expect("in order")), ["a", "c"]);
    assert_eq!(ids(with(&["c", "b"], Some(1)).expect("in order")), ["b"]);
    let missing = with(&["z", "a", "y"], None).err().expect("two are missing");
    let told: Vec<&str> = missing.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(told, ["no case has the id `z`", "no case has the id `y`"]);
}
