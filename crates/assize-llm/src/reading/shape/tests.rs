use super::*;
use proptest::prelude::*;
use serde_json::json;

fn shape(schema: &Value) -> Shape {
    Shape::deserialize(schema).expect("a schema of the kind that judges make")
}

fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let found = shape(schema).violations(value, usize::MAX);
    found.into_iter().map(|(place, violation)| format!("{place}: {violation}")).collect()
}

#[test]
fn every_keyword_is_checked() {
    let schema = json!({
        "type": "object",
        "title": "an answer",
        "description": "what is asked",
        "properties": {
            "why": {"type": "string", "minLength": 2},
            "score": {"type": "integer", "minimum": 1, "maximum": 5},
            "label": {"enum": ["a", "b", null]},
            "note": {"type": ["null", "string"]},
            "a/b": {"type": "array", "items": {"type": "boolean"}}
        },
        "required": ["why", "score"],
        "additionalProperties": false
    });
    let good = json!({"why": "éé", "score": 5.0, "label": null, "note": null, "a/b": [true, false]});
    assert_eq!(violations(&schema, &good), [""; 0]);
    let bad = json!({"why": "é", "label": "c", "note": 1, "a/b": [true, 0], "more": 1, "most": 2});
    assert_eq!(
        violations(&schema, &bad),
        [
            ": \"score\" is a required property",
            ": Additional properties are not allowed ('more', 'most' were unexpected)",
            "/why: \"é\" is shorter than 2 characters",
            "/label: \"c\" is not one of \"a\", \"b\" or null",
            "/note: 1 is not of types \"null\", \"string\"",
            "/a~1b/1: 0 is not of type \"boolean\"",
        ]
    );
    for (score, violation) in [
        (json!(0), "/score: 0 is less than the minimum of 1"),
        (json!(5.5), "/score: 5.5 is not of type \"integer\""),
        (json!(6), "/score: 6 is greater than the maximum of 5"),
    ] {
        assert_eq!(violations(&schema, &json!({"why": "ok", "score": score}))[0], violation);
    }
    assert_eq!(shape(&schema).violations(&bad, 3).len(), 3);
}

#[test]
fn what_it_does_not_know_it_refuses() {
    for schema in [
        json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "^x"}}}),
        json!({"anyOf": [{"type": "null"}, {"type": "string"}]}),
        json!({"type": "text"}),
        json!({"additionalProperties": {"type": "string"}}),
        json!({"minimum": "1"}),
        json!({"minLength": -1}),
        json!(true),
    ] {
        assert!(Shape::deserialize(&schema).is_err(), "{schema}");
        assert!(crate::reading::AnswerValidator::new(&schema).is_err(), "{schema}");
    }
}

#[test]
fn large_numbers_are_not_rounded() {
    let limit = json!({"maximum": 9_007_199_254_740_992_u64});
    assert_eq!(violations(&limit, &json!(9_007_199_254_740_993_u64)).len(), 1);
    assert_eq!(violations(&limit, &json!(9_007_199_254_740_992.0)).len(), 0);
    assert_eq!(violations(&json!({"maximum": 1e200}), &json!(1e300)).len(), 1);
    assert_eq!(violations(&json!({"minimum": 1e300}), &json!(u64::MAX)).len(), 1);
    assert_eq!(violations(&json!({"enum": [1]}), &json!(1.0)).len(), 0);
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-3_i64..7).prop_map(Value::from),
        (-6_i32..14).prop_map(|halves| json!(f64::from(halves) / 2.0)),
        prop_oneof![
            Just(json!(u64::MAX)),
            Just(json!(i64::MIN)),
            Just(json!(1e300)),
            Just(json!(9_007_199_254_740_993_i64))
        ],
    ]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), number(), "[aé\"]{0,3}".prop_map(Value::from)]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[ab~/]", inner, 0..4).prop_map(|members| json!(members)),
        ]
    })
}

fn schema() -> impl Strategy<Value = Value> {
    let types = prop_oneof![
        proptest::sample::select(vec!["array", "boolean", "integer", "null", "number", "object", "string"])
            .prop_map(Value::from),
        proptest::sample::subsequence(vec!["array", "boolean", "integer", "null", "number", "object", "string"], 1..4)
            .prop_map(Value::from),
    ];
    let plain = proptest::option::of(types).prop_map(|types| match types {
        Some(types) => json!({"type": types}),
        None => json!({}),
    });
    let with = |name: &'static str, value: BoxedStrategy<Value>| {
        proptest::option::of(value).prop_map(move |value| value.map(|value| (name, value)))
    };
    let limited = (
        plain,
        with("enum", proptest::collection::vec(scalar(), 1..6).prop_map(Value::from).boxed()),
        with("minimum", number().boxed()),
        with("maximum", number().boxed()),
        with("minLength", (0_u64..4).prop_map(Value::from).boxed()),
    )
        .prop_map(|(mut schema, choices, minimum, maximum, length)| {
            for (name, value) in [choices, minimum, maximum, length].into_iter().flatten() {
                schema[name] = value;
            }
            schema
        });
    limited.prop_recursive(2, 12, 3, move |inner| {
        (
            // Always there: of a closed object without it the library says "False schema does not allow null".
            proptest::collection::btree_map("[ab~/]", inner.clone(), 0..3).prop_map(|all| json!(all)),
            with("required", proptest::sample::subsequence(vec!["a", "b", "~"], 0..3).prop_map(Value::from).boxed()),
            with("additionalProperties", any::<bool>().prop_map(Value::from).boxed()),
            with("items", inner.boxed()),
        )
            .prop_map(|(properties, required, additional, items)| {
                let mut schema = json!({"properties": properties});
                for (name, value) in [required, additional, items].into_iter().flatten() {
                    schema[name] = value;
                }
                // A closed object cannot require what it does not list; the library misses such a member although it is there.
                if schema["additionalProperties"] == json!(false) && schema["required"].is_array() {
                    let listed: Vec<String> = schema["properties"].as_object().unwrap().keys().cloned().collect();
                    schema["required"].as_array_mut().unwrap().retain(|name| listed.iter().any(|one| name == one));
                }
                schema
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn it_agrees_with_a_schema_library(schema in schema(), values in proptest::collection::vec(value(), 1..6)) {
        let shape = shape(&schema);
        let library = jsonschema::validator_for(&schema).expect("a valid schema");
        for value in values {
            let mut expected: Vec<(String, String)> =
                library.iter_errors(&value).map(|error| (error.instance_path().as_str().to_owned(), error.to_string())).collect();
            let mut found = shape.violations(&value, usize::MAX);
            expected.sort();
            found.sort();
            prop_assert_eq!(shape.accepts(&value), expected.is_empty());
            // Where an object may have no keys at all, the library speaks of a "false schema" and names no key.
            if !expected.iter().any(|(_, message)| message.starts_with("False schema")) {
                prop_assert_eq!(found, expected, "{} against {}", value, schema);
            }
        }
    }
}
