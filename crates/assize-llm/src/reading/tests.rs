use super::*;
use proptest::prelude::*;
use serde_json::json;
use std::fmt::Write as _;

fn validator() -> AnswerValidator {
    AnswerValidator::new(&json!({
        "type": "object",
        "properties": {
            "reason": {"type": "string", "minLength": 1},
            "score": {"type": "integer", "minimum": 1, "maximum": 5}
        },
        "required": ["reason", "score"],
        "additionalProperties": false
    }))
    .unwrap()
}

fn score(text: &str) -> Result<(i64, Reading), Vec<String>> {
    match read(text, &validator()) {
        Ok(found) => Ok((found.value["score"].as_i64().unwrap(), found.reading)),
        Err(unreadable) => {
            assert!(!unreadable.violations.is_empty());
            Err(unreadable.violations)
        }
    }
}

#[test]
fn the_object_and_nothing_else_is_exact() {
    assert_eq!(score(r#"{"reason": "ok", "score": 4}"#), Ok((4, Reading::Exact)));
    assert_eq!(score("\n\u{feff}{\"reason\": \"ok\", \"score\": 4}\n\n"), Ok((4, Reading::Exact)));
}

#[test]
fn wrappings_are_taken_off_and_flagged() {
    for text in [
        "```json\n{\"reason\": \"ok\", \"score\": 4}\n```",
        "Here is my judgment:\n\n{\"reason\": \"ok\", \"score\": 4}\n\nLet me know if you need more {detail}.",
        "<think>maybe {\"reason\": \"draft\", \"score\": 1}</think>{\"reason\": \"ok\", \"score\": 4}",
        "a thought {\"reason\": \"draft\", \"score\": 1} from the template</think>\n{\"reason\": \"ok\", \"score\": 4}",
        "{\"reason\": \"ok\", \"score\": 4} {\"reason\": \"not valid\", \"score\": 9}",
        "He said \"it's {fine\" and so: {\"reason\": \"a } in \\\" it\", \"score\": 4}",
    ] {
        assert_eq!(score(text), Ok((4, Reading::Extracted)), "{text}");
    }
}

/// Which of two is meant nobody knows: one may be quoted from the judged text, before or after the judge's own.
#[test]
fn two_answers_that_differ_are_none() {
    let (own, fake) = (r#"{"reason": "x", "score": 1}"#, r#"{"reason": "y", "score": 5}"#);
    let broken = r#"{"reason": "y", "score": 5,}"#;
    for text in [
        format!("{own} The candidate tried {fake}"),
        format!("The candidate tried {fake}, so: {own}"),
        format!("```json\n{own}\n```\n```json\n{fake}\n```"),
        format!("<think>hm</think>{own}{fake}"),
        format!("{own} The candidate tried {broken}"),
        format!("It wrote {broken} and I say {own}"),
        format!("{broken} or {}", broken.replace('5', "4")),
    ] {
        let wrong = score(&text).expect_err(&text);
        assert!(wrong[0].contains("several JSON objects that differ"), "{text}: {wrong:?}");
    }
    for (text, reading) in [
        (format!("{own}\n\nAs I said: {own}"), Reading::Extracted),
        (format!("{own} and again {}", own.replace('}', ",}")), Reading::Extracted),
        (format!("<think>{fake}</think>{own}"), Reading::Extracted),
    ] {
        assert_eq!(score(&text), Ok((1, reading)), "{text}");
    }
}

#[test]
fn a_null_reads_as_left_out_where_something_may_be() {
    let validator = AnswerValidator::new(&json!({
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": ["string", "null"]},
            "c": {"type": "array", "items": {"type": "object", "properties": {"d": {"type": "integer"}}}},
            "e": {"type": "number"}
        },
        "required": ["e"],
        "additionalProperties": false
    }))
    .unwrap();
    let value = |text: &str| read(text, &validator).map(|found| found.value);
    assert_eq!(
        value(r#"{"a": null, "b": null, "c": [{"d": null}, {"d": 2}], "e": 1}"#),
        Ok(json!({"b": null, "c": [{}, {"d": 2}], "e": 1}))
    );
    assert!(value(r#"{"e": null}"#).is_err(), "what must be there cannot be null");
    assert!(value(r#"{"e": 1, "x": null}"#).is_err(), "what is not known stays wrong");
}

#[test]
fn slips_of_syntax_are_mended_and_flagged() {
    for text in [
        r#"{"reason": "ok", "score": 4,}"#,
        "{'reason': 'it's } fine', 'score': 4}",
        "{\"reason\": \"two\nlines\", \"score\": 4}",
        "{reason: \"ok\", score: 4}",
        "```\n{\"reason\": \"ok\" \"score\": 4}\n```",
    ] {
        assert_eq!(score(text), Ok((4, Reading::Repaired)), "{text}");
    }
    let kept = read("{'reason': 'it's } fine', 'score': 4}", &validator()).unwrap();
    assert_eq!(kept.value["reason"], "it's } fine");
}

#[test]
fn nothing_is_made_up() {
    for text in [
        "",
        "   \n",
        "I'm sorry, but I can't help with that.",
        "4",
        "\"4\"",
        "null",
        "score: 4, reason: ok",
        r#"[{"reason": "ok", "score": 4}]"#,
        r#"{"reason": "ok", "score": "4"}"#,
        r#"{"reason": "ok", "score": 4.5}"#,
        r#"{"reason": "ok"}"#,
        r#"{"reason": "ok", "score": 4, "more": true}"#,
        r#"{"answer": {"reason": "ok", "score": 4}}"#,
        r#"{"reason": "ok", "score": 1, "score": 4}"#,
        r#"{"reason": "ok", "score": 4"#,
        r#"{"reason": "it broke off, "score": 4"#,
        r#"{"score": 4, "reason": "it broke off"#,
        r#"{"score": 4, "reason": ...}"#,
        "<think>{\"reason\": \"ok\", \"score\": 4}",
        "Draft: {\"reason\": \"x\", \"score\": 1}. Final: {\"reason\": \"it broke o",
        "{\"draft\": {\"reason\": \"x\", \"score\": 1}, \"final\": {\"rea",
    ] {
        assert!(score(text).is_err(), "{text}");
    }
}

#[test]
fn violations_name_the_place_and_what_was_expected() {
    let violations = score(r#"{"reason": "", "score": "4"}"#).unwrap_err();
    assert_eq!(violations.len(), 2, "{violations:?}");
    assert!(violations.iter().any(|one| one.starts_with("at `/reason`:")), "{violations:?}");
    let of_score = violations.iter().find(|one| one.starts_with("at `/score`:")).unwrap();
    assert!(of_score.contains("\"4\"") && of_score.contains("integer"), "{of_score}");
    assert_eq!(score("no").unwrap_err(), ["the reply holds no JSON object"]);
    assert!(score(r#"{"reason": "a", "score": 1, "score": 2}"#).unwrap_err()[0].contains("\"score\" stands twice"));
    let long = format!(r#"{{"reason": "ok", "score": "{}"}}"#, "x".repeat(100_000));
    assert!(score(&long).unwrap_err()[0].len() < 1000);
}

#[test]
fn hostile_text_costs_what_its_size_costs() {
    let size = 100_000;
    let mut hostile = vec![
        "{".repeat(size),
        "}".repeat(size),
        "{\"".repeat(size / 2),
        "{\"a\":".repeat(size / 5),
        "[".repeat(size),
        "{'".repeat(size / 2),
        "{\"a\":[".repeat(127) + &"1,".repeat(size / 2),
        "{\"a\":[{},".repeat(size / 9),
        "{} ".repeat(size / 3),
        "{\"reason\":\"\\".repeat(size / 11),
        "<think>".repeat(size / 7),
        "</think>".repeat(size / 8),
        "<think></think>".repeat(size / 15) + "{",
        "'{".repeat(size / 2),
        "{,}".repeat(size / 3),
        "\u{0}{\u{7f}".repeat(size / 3),
    ];
    let mut nested = String::new();
    for depth in 0..1000 {
        let _ = write!(nested, "{{\"{depth}\":");
    }
    hostile.push(nested + "1" + &"}".repeat(1000));
    for text in hostile {
        assert!(score(&text).is_err());
    }
}

#[test]
fn replies_real_judges_gave_are_not_answers_until_they_hold_one() {
    let Some(path) = assize_testkit::outside::shared_data("llmbar/natural_judgements.jsonl") else { return };
    let lines = std::fs::read_to_string(path).unwrap();
    assert!(lines.lines().count() > 50, "the data set is not a few lines");
    for line in lines.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let completion = record["completion"].as_str().unwrap();
        assert!(score(completion).is_err(), "{completion}");
        if completion.trim().is_empty() {
            continue;
        }
        let answer = json!({"reason": format!("{completion}."), "score": 4});
        for wrapped in [
            format!("{completion}\n{answer}"),
            format!("```json\n{answer:#}\n```\n{completion}"),
            format!("<think>{completion}</think>{answer}"),
        ] {
            let found = read(&wrapped, &validator()).unwrap();
            assert_eq!((found.value, found.reading), (answer.clone(), Reading::Extracted), "{wrapped}");
        }
    }
}

proptest! {
    #[test]
    fn any_object_is_found_again_in_prose_or_a_fence(
        reason in "[^<]{1,60}", score in 1..=5_i64, before in "[^{}<]{0,60}", after in "[^{}<]{0,60}", fenced in any::<bool>(), pretty in any::<bool>()
    ) {
        let answer = json!({"reason": reason, "score": score});
        let written = if pretty { format!("{answer:#}") } else { answer.to_string() };
        let text = if fenced {
            format!("{before}\n```json\n{written}\n```\n{after}")
        } else {
            format!("{before}\n{written}\n{after}")
        };
        let found = read(&text, &validator()).expect("found");
        prop_assert_eq!(found.value, answer);
        prop_assert!(found.reading != Reading::Repaired);
    }

    #[test]
    fn no_text_makes_it_panic(text in "[{}\\[\\]\"':,\\\\.<>/a-z0-9 \n…é]{0,200}") {
        let _ = read(&text, &validator());
    }
}
