//! Call intelligence from the suite to the document: the worked examples of its definition, a real scorecard, and outputs
//! that are not what they should be.

use crate::bench::assize_in;
use serde_json::{Map, Value, json};
use std::path::Path;
use tempfile::tempdir;

/// Judges cases with a suite of their own; gives the document and the result lines.
fn judged(folder: &Path, cases: &[Value], model: &str) -> (Value, Vec<Value>) {
    let lines: Vec<String> = cases.iter().map(Value::to_string).collect();
    std::fs::write(folder.join("cases.jsonl"), lines.join("\n")).expect("written");
    let suite = format!("name: calls\njudge: {{use: call-intelligence, model: '{model}'}}\ncases: cases.jsonl\n");
    std::fs::write(folder.join("suite.yaml"), suite).expect("written");
    let ended = assize_in(folder, &["run", "suite.yaml", "--format", "json", "--results", "r.jsonl"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let results = std::fs::read_to_string(folder.join("r.jsonl")).expect("results");
    (ended.json(), results.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

/// A case of a model of the same name, so that each has a scorecard of its own.
fn case(name: &str, task: &str, output: Value, expected: Value) -> Value {
    json!({"id": name, "model": name, "task": task, "transcript": "Agent: Good morning. Customer: I want a refund on my account.",
           "model_output": output, "expected_outcome": expected})
}

/// Marks given, marks expected and maxima.
type Marks = (f64, f64, f64);

fn qa(name: &str, kind: &str, marks: &[Marks]) -> Value {
    let questions = |pick: fn(&Marks) -> f64| {
        let listed = marks.iter().enumerate().map(|(index, mark)| {
            json!({"question_id": index + 1, "score": pick(mark), "max_score": mark.2, "type": kind, "reason": "as agreed"})
        });
        json!({"questions": listed.collect::<Vec<_>>()})
    };
    case(name, "qa", questions(|mark| mark.0), questions(|mark| mark.1))
}

/// Keywords and topics, each as given and as expected.
fn entity(name: &str, keywords: [&[&str]; 2], topics: [&[&str]; 2], config: Value) -> Value {
    let found = |index: usize| json!({"detected_keywords": keywords[index], "detected_topics": topics[index]});
    let mut case = case(name, "entity", found(0), found(1));
    case["config"] = config;
    case
}

fn sentences(count: usize, text: impl Fn(usize) -> String) -> Value {
    let sentence = |id| json!({"source_id": id, "source_text": format!("Sentence {id}"), "translated_text": text(id)});
    json!({"sentence_translations": (1..=count).map(sentence).collect::<Vec<_>>()})
}

/// A figure of a model, to four places.
fn figure(document: &Value, model: &str, metric: &str) -> Value {
    let value = &document["models"][model]["metrics"][metric]["value"];
    value.as_f64().map_or_else(|| value.clone(), |value| json!((value * 1e4).round() / 1e4))
}

#[test]
fn the_worked_examples_with_raw_counts() {
    let folder = tempdir().expect("a folder");
    let eighteen: Vec<Marks> = (0..20).map(|index| (if index < 18 { 5.0 } else { 0.0 }, 5.0, 5.0)).collect();
    let labelled = |labels: &[(&str, usize)]| {
        let labels = labels.iter().flat_map(|(label, count)| std::iter::repeat_n(*label, *count));
        let listed = labels.enumerate().map(|(index, label)| json!({"sentence_id": index + 1, "label": label}));
        json!({"sentiment": listed.collect::<Vec<_>>()})
    };
    let translated =
        |missing: usize| sentences(60, |id| if id > missing { format!("Satz {id}") } else { String::new() });
    let cases = [
        qa("eighteen-of-twenty", "PASS_FAIL", &eighteen),
        qa("gaps", "SCORE", &[(4.0, 5.0, 5.0), (1.0, 2.0, 2.0), (8.0, 9.0, 10.0)]),
        entity(
            "keywords",
            [&["hello", "refund", "cancel"], &["hello", "refund", "account"]],
            [&["billing", "refund_policy"], &["billing", "account_management"]],
            json!({"keywords": ["hello", "refund", "cancel", "account"], "topics": ["billing", "refund_policy", "account_management"]}),
        ),
        entity(
            "adherence",
            [&["refund", "loan"], &["refund"]],
            [&[], &[]],
            json!({"entities": ["refund", "account", "billing"]}),
        ),
        case(
            "neutral",
            "text",
            labelled(&[("neutral", 40)]),
            labelled(&[("positive", 5), ("neutral", 30), ("negative", 5)]),
        ),
        case("sentences", "translation", translated(5), translated(0)),
    ];
    let (document, _) = judged(folder.path(), &cases, "offline");
    for (model, metric, expected) in [
        ("eighteen-of-twenty", "qa.question_score_accuracy", 0.9),
        ("gaps", "qa.score_gap_accuracy", 0.7333),
        ("keywords", "entity.keyword_precision", 0.6667),
        ("keywords", "entity.keyword_recall", 0.6667),
        ("keywords", "entity.keyword_f1", 0.6667),
        ("keywords", "entity.topic_f1", 0.5),
        ("adherence", "entity.config_adherence", 0.5),
        ("neutral", "text.sentiment_accuracy", 0.75),
        ("neutral", "text.sentiment_macro_f1", 0.2857),
        ("sentences", "translation.completeness_rate", 0.9167),
    ] {
        assert_eq!(figure(&document, model, metric), json!(expected), "{model}: {metric}");
        assert_eq!(document["models"][model]["metrics"][metric]["method"], "code");
    }
    let blocker = &document["models"]["adherence"]["blockers"][0];
    assert_eq!((&blocker["metric"], &blocker["cases"]), (&json!("entity.config_adherence"), &json!(["adherence"])));
    assert_eq!(document["models"]["adherence"]["disqualified"], true);
    assert_eq!(document["models"]["keywords"]["disqualified"], false);
}

#[test]
fn two_of_four_facts_drifted_by_recorded_labels() {
    let folder = tempdir().expect("a folder");
    let facts = [
        ("refund of ₹49", "kept"),
        ("3–5 business days", "changed"),
        ("escalated to supervisor", "dropped"),
        ("account 9987", "kept"),
    ];
    let facts = facts.map(|(fact, status)| json!({"fact": fact, "observed": "", "status": status}));
    let answer = json!({"fluency_note": "", "fluency": "native", "facts": facts, "added": [], "claimed": []});
    let recorded = json!({"case": "drift", "answer": answer}).to_string();
    std::fs::write(folder.path().join("recorded.jsonl"), recorded).expect("written");
    let said = sentences(1, |_| "Erstattung von ₹49".to_owned());
    let cases = [case("drift", "translation", said.clone(), said)];
    let (document, _) = judged(folder.path(), &cases, "replay:recorded.jsonl");
    assert_eq!(figure(&document, "drift", "translation.critical_fact_preservation"), json!(0.5));
    let blocker = &document["models"]["drift"]["blockers"][0];
    let (metric, limit) = (json!("translation.critical_fact_preservation"), json!(">= 0.97"));
    assert_eq!((&blocker["metric"], &blocker["limit"]), (&metric, &limit));
    assert_eq!(figure(&document, "drift", "translation.score"), Value::Null);
}

#[test]
fn a_real_scorecard_of_twenty_four_questions() {
    let folder = tempdir().expect("a folder");
    let maxima = [3, 5, 3, 5, 5, 8, 3, 5, 4, 3, 5, 3, 4, 3, 5, 10, 10, 5, 3, 2, 3, 3, 1, 1];
    let mark = |(index, maximum): (usize, &u32)| match (index + 1, f64::from(*maximum)) {
        (8 | 14 | 15, maximum) => (0.0, maximum, maximum),
        (17, maximum) => (8.0, 0.0, maximum),
        (_, maximum) => (maximum, maximum, maximum),
    };
    let marks: Vec<Marks> = maxima.iter().enumerate().map(mark).collect();
    let (document, lines) = judged(folder.path(), &[qa("call", "PASS_FAIL", &marks)], "offline");
    let names = ["qa.question_score_accuracy", "qa.score_gap_accuracy", "qa.false_pass_rate"];
    let figures = names.map(|metric| figure(&document, "call", metric));
    assert_eq!(figures, [json!(0.8333), json!(0.8417), json!(4.1667)]);
    let card = &document["models"]["call"];
    assert_eq!((&card["disqualified"], &card["blockers"][0]["cases"]), (&json!(true), &json!(["call"])));
    assert_eq!(card["blocker_details"][0]["cases"][0]["because"][0]["question_id"], "17");
    assert!(card["metrics"]["qa.score"]["value"].is_number(), "the score is still shown");
    assert_eq!(lines[0]["labels"]["false_passes"][0]["question_id"], "17");
}

#[test]
fn outputs_that_are_not_what_they_should_be_are_named_and_none_is_scored() {
    fn first(output: &mut Value) -> &mut Map<String, Value> {
        output["questions"][0].as_object_mut().expect("a question")
    }
    let folder = tempdir().expect("a folder");
    let changed = |name: &str, change: fn(&mut Value)| {
        let mut case = qa(name, "PASS_FAIL", &[(5.0, 5.0, 5.0), (5.0, 5.0, 5.0), (0.0, 5.0, 5.0)]);
        change(&mut case["model_output"]);
        case
    };
    let rename = |output: &mut Value| {
        let reason = first(output).shift_remove("reason").expect("a reason");
        first(output).insert("reasoning".into(), reason);
    };
    let remove = |output: &mut Value| {
        first(output).shift_remove("max_score");
    };
    let broken = [
        (changed("renamed", rename), "`questions[0].reason` is probably renamed to `questions[0].reasoning`"),
        (changed("missing", remove), "`questions[0].max_score` is missing"),
        (changed("extra", |output| output["questions"][0]["sure"] = json!(1)), "`questions[0].sure` is extra"),
        (
            changed("text", |output| output["questions"][0]["score"] = json!("5")),
            "`questions[0].score` is text, not number",
        ),
        (
            changed("empty-list", |output| output["questions"] = json!([])),
            "`questions` is empty: expected objects with question_id",
        ),
        (changed("nothing", |output| *output = json!("")), "output_empty"),
        (changed("prose", |output| *output = json!("The agent did well.")), "output_unreadable"),
    ];
    let unmatched = changed("unmatched", |output| {
        output["questions"][1]["question_id"] = json!(99);
        output["questions"][2]["question_id"] = json!(1);
    });
    let cases: Vec<Value> = broken.iter().map(|(case, _)| case.clone()).chain([unmatched]).collect();
    let (document, lines) = judged(folder.path(), &cases, "offline");
    for ((_, said), line) in broken.iter().zip(&lines) {
        let name = line["model"].as_str().expect("a model");
        let words = format!("{} {}", line["reason"], line["flags"]);
        assert!(words.contains(said), "{name}: {words}");
        assert_eq!(figure(&document, name, "qa.structure_compliance"), json!(0.0));
        assert_eq!(figure(&document, name, "qa.question_score_accuracy"), Value::Null, "{name}");
        assert_eq!(document["models"][name]["blockers"][0]["metric"], "qa.structure_compliance");
    }
    let labels = &lines[7]["labels"];
    assert_eq!(labels["questions_missing"], json!(["2", "3"]));
    assert_eq!((&labels["unknown_question_ids"], &labels["duplicate_question_ids"]), (&json!(["99"]), &json!(["1"])));
    assert_eq!(figure(&document, "unmatched", "qa.question_score_accuracy"), json!(0.3333));
}

#[test]
fn nothing_out_of_nothing_is_null_and_never_zero() {
    let folder = tempdir().expect("a folder");
    let summary = json!({"call_purpose": "", "highlights": [], "call_extracted_info": {}});
    let nothing = [
        ("entity", json!({"detected_keywords": [], "detected_topics": []})),
        ("text", json!({"sentiment": [], "summary": summary, "emotion": {}})),
    ];
    let cases = nothing.map(|(task, value)| case(task, task, value.clone(), value));
    let (document, lines) = judged(folder.path(), &cases, "offline");
    let cards = document["models"].as_object().expect("models").values();
    let mut defined = Vec::new();
    for metrics in cards.chain(&lines).map(|holder| holder["metrics"].as_object().expect("figures")) {
        let known = metrics.iter().filter(|(_, metric)| !metric["value"].is_null());
        defined.extend(known.map(|(name, metric)| format!("{name} {}", metric["value"])));
    }
    defined.sort();
    defined.dedup();
    // What is left is that the structure is right, and that of no entity none is fabricated.
    let expected =
        ["entity.fabricated_entity_count 0.0", "entity.structure_compliance 1.0", "text.structure_compliance 1.0"];
    assert_eq!(defined, expected);
}

#[test]
fn what_is_expected_is_judged_against_itself_before_anything_is_asked() {
    let folder = tempdir().expect("a folder");
    // 1 of 2 on a question that knows only pass and fail: nothing can score it.
    let cases = [qa("alto", "PASS_FAIL", &[(1.0, 1.0, 2.0)]), qa("breve", "PASS_FAIL", &[(2.0, 2.0, 2.0)])];
    judged(folder.path(), &cases, "offline");
    let warned = assize_in(folder.path(), &["run", "suite.yaml"]);
    let message = "what is expected of `alto` does not score perfectly against itself: `qa.question_score_accuracy` is 0.000 (partial_mark_on_pass_fail)";
    assert!(
        warned.code == Some(0) && warned.said.contains(message) && warned.said.contains("cases.jsonl:1"),
        "{warned:?}"
    );
    assert!(!warned.said.contains("`breve` does not"), "{warned:?}");
    let strict = assize_in(folder.path(), &["run", "suite.yaml", "--strict"]);
    assert!(strict.code == Some(2) && strict.said.contains("nothing was asked"), "{strict:?}");
}

#[test]
fn a_cost_for_a_model_that_no_case_has_is_an_error() {
    let folder = tempdir().expect("a folder");
    judged(folder.path(), &[qa("breve", "PASS_FAIL", &[(2.0, 2.0, 2.0)])], "offline");
    let suite = "name: calls\njudge: {use: call-intelligence, model: offline, settings: {cost_per_1000: {brave: 1}}}\ncases: cases.jsonl\n";
    std::fs::write(folder.path().join("suite.yaml"), suite).expect("written");
    let ended = assize_in(folder.path(), &["run", "suite.yaml"]);
    assert!(ended.code == Some(2) && ended.said.contains("no case has the model `brave`"), "{ended:?}");
    assert!(ended.said.contains("did you mean `breve`?"), "{ended:?}");
}
