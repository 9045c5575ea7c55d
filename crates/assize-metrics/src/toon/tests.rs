use super::*;
use proptest::prelude::*;
use serde_json::json;

#[test]
fn objects_lists_and_rows() {
    let text = r#"
context:
  task: "qa: strict"
  friends[3]: ana,luis,"a,b"
  empty[0]:
  nothing:
hikes[2|]{id|name|sunny}:
  1|Blue, Lake|true
  2|"Ridge | Trail"|false
note: "007"
code: 007
"#;
    let expected = json!({
        "context": {"task": "qa: strict", "friends": ["ana", "luis", "a,b"], "empty": [], "nothing": {}},
        "hikes": [{"id": 1, "name": "Blue, Lake", "sunny": true}, {"id": 2, "name": "Ridge | Trail", "sunny": false}],
        "note": "007", "code": "007",
    });
    assert_eq!(read(text).expect("TOON"), expected);
}

#[test]
fn list_items_and_nested_arrays() {
    let text = "items[4]:\n  - 1\n  - name: a\n    tags[2]: x,y\n  - [2]: p,q\n  - users[2]{id,n}:\n      1,A\n      2,B\n    status: ok\nlast: -1.5e3";
    let expected = json!({
        "items": [1, {"name": "a", "tags": ["x", "y"]}, ["p", "q"], {"users": [{"id": 1, "n": "A"}, {"id": 2, "n": "B"}], "status": "ok"}],
        "last": -1.5e3,
    });
    assert_eq!(read(text).expect("TOON"), expected);
    assert_eq!(read("[2]{id,name}:\n  1,Alice\n  2,Bob").expect("TOON")[1], json!({"id": 2, "name": "Bob"}));
    assert_eq!(read("[3]: x,y,z").expect("TOON"), json!(["x", "y", "z"]));
}

#[test]
fn a_row_may_hold_nested_fields_below_it() {
    let text = "[2]{id,name}:\n  1,Alice\n    tags[2]: a,b\n    address:\n      city: NY\n  2,Bob\n    tags[1]: c";
    let expected = json!([{"id": 1, "name": "Alice", "tags": ["a", "b"], "address": {"city": "NY"}}, {"id": 2, "name": "Bob", "tags": ["c"]}]);
    assert_eq!(read(text).expect("TOON"), expected);
}

#[test]
fn fields_may_be_named_in_the_brackets() {
    let text =
        "data[question_id|score|reason]:\nQ1|5|greeted, at 00:12\nQ2|0|\"no | sign\"\nnote: fine\nmore[a,b]:\n  1,2";
    let expected = json!({
        "data": [
            {"question_id": "Q1", "score": 5, "reason": "greeted, at 00:12"},
            {"question_id": "Q2", "score": 0, "reason": "no | sign"},
        ],
        "note": "fine", "more": [{"a": 1, "b": 2}],
    });
    assert_eq!(read(text).expect("TOON"), expected);
    assert_eq!(read("a[x|y]:\nb[x|y]:\n  1|2").expect("TOON"), json!({"a": [], "b": [{"x": 1, "y": 2}]}));
}

#[test]
fn quotation_marks_inside_a_token_belong_to_it() {
    let text = "questions[1]{question_id,reason}:\n  Q1,Agent said \"hello\" at 00:12";
    assert_eq!(read(text).expect("TOON")["questions"][0]["reason"], "Agent said \"hello\" at 00:12");
}

#[test]
fn prose_is_refused_with_its_line() {
    for text in [
        "The agent was polite.",
        "Sure! Here is the result:\nscore: 5",
        "a: 1\n    b: 2",
        "a[1]{x,y}:\n  1",
        "a: 1\na: 2",
        "",
        "k: \"open",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    assert_eq!(read("a: 1\n  - x").map_err(|error| error.line), Err(2));
}

#[test]
fn depth_is_bounded() {
    let deep: String = (0..5000).map(|level| format!("{}k:\n", " ".repeat(level))).collect();
    assert!(read(&deep).is_err());
    let deep: String = (0..5000).map(|level| format!("{}- [1]:\n", " ".repeat(level))).collect();
    assert!(read(&format!("a[1]:\n{deep}")).is_err());
}

proptest! {
    #[test]
    fn no_text_breaks_it(text in "([a-z]{0,3}(\\[[0-9]\\|?\\])?(\\{a,b\\})?: ?|- |  |\n|,|\"|\\\\|[a-z0-9]{1,3}|\\PC){0,40}") {
        let _ = read(&text);
    }
}
