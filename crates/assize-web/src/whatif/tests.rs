//! Cases of the fact judge, whose what-if has every part.

use super::*;
use assize_core::settings::with_defaults;
use assize_judges::registry::only_with_profiles;

/// The offer of the judge whose rules match facts.
pub(super) fn facts_offer() -> Offer {
    Offer::of(only_with_profiles().expect("the fact judge")).expect("a what-if")
}

fn facts(amount: u32) -> Value {
    json!([{"id": "x", "fact_type": "assets", "fields": {"value": amount}}])
}

fn of_records(records: Vec<Value>) -> Result<CaseSet, Failure> {
    super::of_records(facts_offer(), records)
}

fn with(settings: Value) -> Value {
    with_defaults(&facts_offer().system.profile_schema(), &settings)
}

#[test]
fn only_as_many_cases_are_taken_as_can_be_gone_through() {
    let record = |id: usize| json!({"id": id, "predicted_facts": facts(1), "gold_facts": facts(1)});
    let set = of_records((0..MOST_CASES + 5).map(record).collect()).expect("cases");
    assert_eq!(set.used(), MOST_CASES as u64);
    assert_eq!(set.extent(), "the first 2,000 of 2,005 cases");
    let few = of_records(vec![record(1)]).expect("a case");
    assert_eq!((few.extent().as_str(), few.position("1", "default")), ("1 case", Some(0)));
    assert_eq!(few.opened.names(), [("assets".to_owned(), vec!["value".to_owned()])]);
}

#[test]
fn a_curve_is_computed_once_for_all_values_of_its_setting() {
    let records = vec![json!({"id": 1, "predicted_facts": facts(102), "gold_facts": facts(100)})];
    let set = of_records(records).expect("a case");
    let curve = |settings: Value| set.curve(&with(settings)).expect("a curve").expect("a setting for it");
    let first = curve(json!({}));
    let same =
        json!({"numeric_tolerance_percent": 7, "profile_name": "mine", "extra_instructions": "Mind the commas."});
    assert!(Arc::ptr_eq(&first, &curve(same)));
    assert!(!Arc::ptr_eq(&first, &curve(json!({"case_insensitive_strings": true}))));
    let f1 = |at: usize| first[at].models["default"].value("f1");
    // 102 for 100 is 2 % off; the steps are half a percent.
    assert_eq!((first.len(), f1(3), f1(4)), (41, Some(0.0), Some(1.0)));
}

#[test]
fn what_is_wrong_with_a_case_is_said() {
    let wrong = |record: Value| of_records(vec![record]).map(|_| ()).expect_err("wrong").message;
    assert!(wrong(json!({"id": 1, "predicted_facts": []})).contains("no `gold_facts`"));
    assert!(wrong(json!({"id": 1, "predicted_facts": [{}], "gold_facts": []})).contains("has no `id`"));
    assert!(wrong(json!(3)).contains("no JSON object"));
}
