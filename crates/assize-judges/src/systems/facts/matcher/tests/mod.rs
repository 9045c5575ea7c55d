//! The rule matcher on small cases.

mod large;

use super::*;
use crate::systems::facts::config::KeyFields;
use crate::systems::facts::measure::measure;
use serde_json::{Value, json};

fn facts(list: Value) -> Vec<Fact> {
    let Value::Array(items) = list else { unreachable!("a list literal") };
    items
        .into_iter()
        .map(|item| Fact {
            id: item["id"].as_str().unwrap().to_owned(),
            fact_type: item["type"].as_str().unwrap_or("assets").to_owned(),
            fields: item["fields"].as_object().unwrap().clone(),
        })
        .collect()
}

fn links(predicted: Value, gold: Value, config: &JudgeConfig) -> Vec<(String, String, Grade)> {
    let matching = match_facts(&facts(predicted), &facts(gold), config);
    matching.links.into_iter().map(|link| (link.predicted_id, link.gold_id, link.grade)).collect()
}

fn link(predicted: &str, gold: &str, grade: Grade) -> (String, String, Grade) {
    (predicted.to_owned(), gold.to_owned(), grade)
}

#[test]
fn two_predictions_of_one_gold_fact() {
    let house = |id: &str, value: &str| json!({"id": id, "fields": {"what": "house", "value": value}});
    let (predicted, gold) = (json!([house("p1", "$500,000"), house("p2", "500k")]), json!([house("g1", "500000")]));
    let matching = match_facts(&facts(predicted), &facts(gold), &JudgeConfig::strict());
    let counts = measure(&matching.result).overall;
    assert_eq!((counts.tp_predicted, counts.fp, counts.tp_gold, counts.fn_), (2, 0, 1, 0));
    assert_eq!((counts.precision(), counts.recall(), counts.f1()), (Some(1.0), Some(1.0), Some(1.0)));
    assert_eq!(matching.result.gold_facts[0].matched_prediction_ids, ["p1", "p2"]);
}

#[test]
fn one_prediction_of_two_gold_facts_counts_both_only_in_full() {
    let fact = |id: &str, value: Value| json!({"id": id, "fields": {"what": "savings", "value": value}});
    let gold = json!([fact("g1", json!(500)), fact("g2", json!("500.00"))]);
    let full = links(json!([fact("p1", json!(500))]), gold.clone(), &JudgeConfig::strict());
    assert_eq!(full, [link("p1", "g1", Grade::Full), link("p1", "g2", Grade::Full)]);
    // "Savings", with no amount, is compatible with both, and covers one.
    let vague = links(json!([fact("p1", Value::Null)]), gold, &JudgeConfig::lenient());
    assert_eq!(vague, [link("p1", "g1", Grade::Compatible)]);
}

#[test]
fn the_most_pairs_and_not_the_first_that_fits() {
    let fact = |id: &str, value: u32| json!({"id": id, "fields": {"value": value}});
    let config = JudgeConfig { numeric_tolerance_percent: 5.0, ..JudgeConfig::strict() };
    // 103 fits both gold facts and is nearer to 100, but 99 fits only 100.
    let found = links(json!([fact("p1", 103), fact("p2", 99)]), json!([fact("g1", 100), fact("g2", 107)]), &config);
    assert_eq!(found, [link("p1", "g2", Grade::Full), link("p2", "g1", Grade::Full)]);
}

#[test]
fn key_fields_all_fields_and_partial_matches() {
    let predicted = || json!([{"id": "p1", "fields": {"owner": "Ann", "kind": "flat", "value": 200_000}}]);
    let gold = || json!([{"id": "g1", "fields": {"owner": "Ann", "kind": "flat", "value": 300_000, "city": "Leeds"}}]);
    let grade = |config: &JudgeConfig| links(predicted(), gold(), config).first().map(|link| link.2);
    let keys = |names: &[&str]| KeyFields::All(names.iter().map(|name| (*name).to_owned()).collect());
    let lenient = JudgeConfig::lenient();
    assert_eq!(grade(&JudgeConfig::strict()), None);
    assert_eq!(grade(&lenient), Some(Grade::Partial), "two of four");
    assert_eq!(grade(&JudgeConfig { allow_partial_matches: false, ..lenient.clone() }), None);
    let by_owner = JudgeConfig { required_key_fields: keys(&["owner"]), ..lenient.clone() };
    assert_eq!(grade(&by_owner), Some(Grade::Partial));
    assert_eq!(grade(&JudgeConfig { required_key_fields: keys(&["owner", "value"]), ..lenient.clone() }), None);
    assert_eq!(
        grade(&JudgeConfig { required_key_fields: keys(&["city"]), ..lenient.clone() }),
        None,
        "one side has it"
    );
    assert_eq!(grade(&JudgeConfig { required_key_fields: keys(&["iban"]), ..lenient.clone() }), Some(Grade::Partial));
    let by_type = |name: &str| KeyFields::ByType([(name.to_owned(), vec!["value".to_owned()])].into());
    assert_eq!(grade(&JudgeConfig { required_key_fields: by_type("Assets"), ..lenient.clone() }), None);
    assert_eq!(grade(&JudgeConfig { required_key_fields: by_type("debts"), ..lenient.clone() }), Some(Grade::Partial));
    assert_eq!(grade(&JudgeConfig { numeric_tolerance_percent: 34.0, ..lenient }), Some(Grade::Compatible));
}

#[test]
fn a_partial_match_is_not_shared() {
    let fact = |id: &str, value: u32| json!({"id": id, "fields": {"what": "house", "value": value}});
    let config = JudgeConfig::lenient();
    let exact_and_wrong =
        links(json!([fact("p1", 300_000), fact("p2", 500_000)]), json!([fact("g1", 500_000)]), &config);
    assert_eq!(exact_and_wrong, [link("p2", "g1", Grade::Full)]);
    let both_wrong = links(json!([fact("p1", 300_000), fact("p2", 400_000)]), json!([fact("g1", 500_000)]), &config);
    assert_eq!(both_wrong, [link("p1", "g1", Grade::Partial)]);
}

#[test]
fn types_and_scope_keep_facts_apart() {
    let fact = |id: &str, name: &str| json!({"id": id, "type": name, "fields": {"value": 5}});
    let config = JudgeConfig { fact_types_in_scope: vec!["Money amount".into()], ..JudgeConfig::strict() };
    let predicted = json!([fact("p1", "money_amount"), fact("p2", "debts")]);
    let gold = json!([fact("g1", "Money Amount"), fact("g2", "debts"), fact("g3", "assets")]);
    let matching = match_facts(&facts(predicted.clone()), &facts(gold.clone()), &config);
    assert_eq!(matching.links.len(), 1);
    let debts = &matching.result.predicted_facts[1];
    assert_eq!((debts.in_scope, debts.status), (false, None));
    assert!(matching.misses.is_empty(), "what is out of scope is not missed");
    assert_eq!(links(predicted, gold, &JudgeConfig::strict()).len(), 2);
}

#[test]
fn it_says_why() {
    let predicted = json!([{"id": "p1", "fields": {"Account Number": 12345678, "value": "£105"}}, {"id": "p2", "type": "cars", "fields": {}}]);
    let gold = json!([{"id": "g0", "fields": {"value": 7}}, {"id": "g1", "fields": {"account_number": "12345687", "value": 100, "bank": "Hill"}}]);
    let config = JudgeConfig { numeric_tolerance_percent: 5.0, ..JudgeConfig::strict() };
    let matching = match_facts(&facts(predicted), &facts(gold), &config);
    let miss = json!(matching.misses[0]);
    assert_eq!((&miss["side"], &miss["id"], &miss["nearest"]), (&json!("predicted"), &json!("p1"), &json!("g1")));
    let rules: Vec<(&str, &str)> = miss["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| (field["field"].as_str().unwrap(), field["rule"].as_str().unwrap()))
        .collect();
    // An account number within 5 % is another account.
    assert_eq!(rules, [("Account Number", "other_digits"), ("bank", "missing"), ("value", "number_within_tolerance")]);
    assert_eq!(miss["fields"][2]["difference_percent"], 5.0);
    assert_eq!((&matching.misses[1].id, &matching.misses[1].nearest), (&"p2".to_owned(), &None), "no gold car");
    assert_eq!(matching.misses.len(), 4);
}

#[test]
fn a_contradiction_is_never_part_of_a_partial_match_and_nothing_matches_nothing() {
    let config = JudgeConfig { required_key_fields: KeyFields::All(vec!["drug".into()]), ..JudgeConfig::lenient() };
    let linked = |one: Value, other: Value| {
        let fact = |id: &str, fields: Value| json!([{"id": id, "fields": fields}]);
        !links(fact("p1", one), fact("g1", other), &config).is_empty()
    };
    // The key field and two more are the same, and one other field differs.
    let fields = |name: &str, value: &str| json!({"drug": "aspirin", "route": "oral", "since": "2020", name: value});
    assert!(linked(fields("prescriber", "Dr Hill"), fields("prescriber", "Dr Brook")));
    for (name, one, other) in [
        ("dose", "10 mg", "10 mcg"),
        ("dose", "100 mg", "900 mg"),
        ("strength", "5", "50"),
        ("site", "left arm", "right arm"),
        ("reaction", "no rash", "rash"),
        ("allergic", "yes", "no"),
        ("volume", "5 ml", "5 mg"),
    ] {
        assert!(!linked(fields(name, one), fields(name, other)), "{name}: {one} / {other}");
        assert!(linked(fields(name, one), fields(name, one)), "{name}: {one}");
    }
    assert!(!linked(json!({}), json!({})), "two facts without fields");
    assert!(!linked(json!({"drug": null}), json!({"drug": ""})), "with nothing in them");
}

#[test]
fn two_facts_are_compared_field_by_field_whether_they_match_or_not() {
    let one = facts(json!([{"id": "p1", "fields": {"what": "House", "value": "105"}}]));
    let other = facts(json!([{"id": "g1", "fields": {"what": "house", "value": 100, "since": "2019"}}]));
    let fields = compare_facts(&one[0], &other[0], &JudgeConfig::strict());
    let said: Vec<String> =
        fields.iter().map(|field| format!("{}: {} ({})", field.field, field.reason, field.equal)).collect();
    assert_eq!(
        said,
        ["since: missing (false)", "value: 5.00 % off, more than 0 % (false)", "what: the case differs (false)"]
    );
}
