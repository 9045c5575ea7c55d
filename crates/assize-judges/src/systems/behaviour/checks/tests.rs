use super::*;
use assize_core::document::parse;
use serde_json::json;

fn check(text: &str) -> Check {
    let mut problems = Problems::of("b.yaml");
    let node = parse(text, &mut problems).expect("YAML");
    Check::read(&node, &mut problems).unwrap_or_else(|| panic!("{text}: {problems:?}"))
}

fn complaint(text: &str) -> String {
    let mut problems = Problems::of("b.yaml");
    let node = parse(text, &mut problems).expect("YAML");
    assert!(Check::read(&node, &mut problems).is_none());
    problems.iter().next().expect("a problem").to_string()
}

fn case(candidate: Value) -> Case {
    let Value::Object(inputs) =
        json!({"ground_truth": {"amount": 1200, "items": [{"code": "A"}]}, "candidate_output": candidate})
    else {
        unreachable!("an object literal")
    };
    Case { id: "c".into(), model: "m".into(), tags: Vec::new(), inputs, metadata: serde_json::Map::new() }
}

#[test]
fn each_check_holds_and_fails_where_it_should() {
    let good = json!({"amount": 1200.0, "items": [{"code": "A"}]});
    let bad = json!({"amount": 12, "items": [], "ssn": "x"});
    for text in [
        "EqualsExpected",
        "Contains: '\"code\":\"A\"'",
        "NotContains: ssn",
        "Regex: 'amount\":1200'",
        "Regex: {pattern: ssn, absent: true}",
        "JsonPath: $.items[0].code",
        "JsonPath: {path: $.ssn, absent: true}",
        "JsonPath: {path: $.amount, equals: 1200}",
        "JsonPath: {path: $.amount, equals_expected: true}",
        "JsonPath: {path: '$.items[*].code', equals_expected: true}",
    ] {
        assert!(check(text).run(&case(good.clone())).holds, "{text}");
        assert!(check(text).run(&case(json!(good.to_string()))).holds || text == "EqualsExpected", "{text} as text");
        assert!(!check(text).run(&case(bad.clone())).holds, "{text}");
    }
    assert!(check("Equals: {value: yes please}").run(&case(json!(" yes please"))).holds);
    assert!(check("IsInstance: dict").run(&case(good)).holds);
    assert!(!check("IsInstance: list").run(&case(bad)).holds);
}

#[test]
fn what_is_wrong_with_a_check_is_said() {
    assert!(complaint("Matches: x").contains("there is no check `Matches`"));
    assert!(complaint("Regex: '('").contains("no regular expression"));
    assert!(complaint("JsonPath: {path: '$.a[?(@.b)]'}").contains("must be a JSON path"));
    assert!(complaint("JsonPath: {path: $.a, present: true, absent: true}").contains("only one of"));
    assert!(complaint("Contains: {value: x, inn: y}").contains("unknown key `inn`"));
}
