//! Layouts: what of a judged case is read where, by hand-made labels.

use assize_core::layout::{Block, Cards, Grid, Layout, Line, MarkKind, ShownCase};
use assize_core::{Case, Metric, Rating};
use assize_judges::evidence::Evidence;
use assize_judges::{SYSTEMS, system_named};
use indexmap::IndexMap;
use serde_json::{Map, Value, json};

/// What a layout is made of, beside its judge.
struct Judged {
    case: Case,
    labels: Map<String, Value>,
    metrics: IndexMap<String, Metric>,
    claimed: Map<String, Value>,
    settings: Value,
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

fn judged(inputs: Value, labels: Value) -> Judged {
    let case = serde_json::from_value(json!({"id": "c", "model": "m", "inputs": inputs})).expect("a case");
    let (labels, claimed) = (object(labels), Map::new());
    Judged { case, labels, metrics: IndexMap::new(), claimed, settings: Value::Null }
}

impl Judged {
    fn layout(&self, system: &str) -> Option<Layout> {
        system_named(system).expect("a system").layout(&ShownCase {
            case: &self.case,
            labels: &self.labels,
            metrics: &self.metrics,
            verdict: None,
            reason: None,
            flags: &[],
            claimed: &self.claimed,
            settings: &self.settings,
        })
    }
}

fn table(layout: &Layout) -> &Grid {
    let tables = layout.sections.iter().flat_map(|section| &section.findings);
    tables
        .into_iter()
        .find_map(|block| if let Block::Table(grid) = block { Some(grid) } else { None })
        .expect("a table")
}

fn words(grid: &Grid) -> Vec<Vec<String>> {
    let cell = |lines: &Vec<Line>| lines.iter().map(Line::text).collect::<Vec<_>>().join(" / ");
    grid.rows.iter().map(|row| row.cells.iter().map(cell).collect()).collect()
}

#[test]
fn behaviours_are_a_table_with_what_failed_first() {
    let mut judged = judged(
        json!({"ground_truth": {"paid": 5}, "candidate_output": "It says 12 May.", "source_narrative": "On 12 May."}),
        json!({"behaviours": {
            "A": {"pass": true, "decided_by": "checks", "reason": "“12 May” is right"},
            "B": {"pass": false, "decided_by": "model", "confidence": "high", "reason": "no", "behaviour": "date_of_loss"},
            "C": {"pass": null, "decided_by": "skipped", "reason": ""},
            "D": {"pass": null, "decided_by": "person", "reason": "", "review": "hard_gate"},
        }}),
    );
    judged.claimed = object(json!({"B": {"pass": true}, "other": 1}));
    let mut layout = judged.layout("rubric-tree").expect("a layout");
    let claims = &layout.claims["B"];
    assert_eq!((claims.len(), claims[0].name.as_str(), &claims[0].computed), (1, "B: pass", &Some(Value::Bool(false))));
    assert!(!layout.claims.contains_key("other"), "what is no behaviour is a figure or the verdict");
    let expected = [
        ["B / date of loss", "fail / by the model, high confidence", "no"],
        ["D", "waits for a person / ", " / for review: hard gate"],
        ["A", "pass / by checks in code", "“12 May” is right"],
        ["C", "skipped / ", ""],
    ];
    assert_eq!(words(table(&layout)), expected);
    let panes: Vec<&str> = layout.sections[0].texts.iter().map(|pane| pane.title.as_str()).collect();
    assert_eq!(panes, ["candidate output", "source narrative", "ground truth"]);
    // What is quoted is looked up by whoever shows it, and marked in both texts that have it.
    let inputs = assize_core::layout::Inputs::of(&judged.case);
    let mut evidence = Evidence::over(&inputs, layout.evidence.as_deref());
    evidence.settle(&mut layout);
    layout.panes_mut().for_each(|pane| evidence.mark(pane));
    let marks: Vec<usize> = layout.sections[0].texts.iter().map(|pane| pane.marks.len()).collect();
    assert_eq!(marks, [1, 1, 0]);
}

#[test]
fn facts_are_cards_on_two_sides() {
    let fact = |id: &str, status: &str, matched: Value, side: &str| {
        let fields = json!({"what": "the flat", "amount": "£100"});
        json!({"id": id, "fact_type": "assets", "fields": fields, "in_scope": true, "status": status, side: matched})
    };
    let mut judged = judged(
        json!({"transcript": "I own the flat; it is worth £100.", "predicted_facts": [], "gold_facts": []}),
        json!({
            "gold_facts": [fact("g1", "TP", json!(["p1"]), "matched_prediction_ids"), fact("g2", "FN", json!([]), "matched_prediction_ids")],
            "predicted_facts": [fact("p1", "TP", json!(["g1"]), "matched_gold_ids")],
        }),
    );
    judged.settings = json!({"profile": "strict"});
    let layout = judged.layout("fact-extraction").expect("a layout");
    let Block::Cards(Cards { titles, rows, .. }) = &layout.sections[0].findings[0] else { panic!("{layout:?}") };
    assert_eq!(titles.each_ref().map(Line::text), ["Gold facts 2", "Predicted facts 1"]);
    let seen: Vec<Vec<(&str, &str, Option<Rating>)>> = rows
        .iter()
        .map(|row| row.iter().flatten().map(|card| (card.name.as_str(), card.outcome.as_str(), card.rating)).collect())
        .collect();
    let good = Some(Rating::Good);
    assert_eq!(
        seen,
        [vec![("g1", "found", good), ("p1", "TP right", good)], vec![("g2", "FN missed", Some(Rating::Fail))]]
    );
    assert_eq!(layout.evidence.as_deref(), Some(&["transcript".to_owned()][..]), "a fact is no proof of itself");
    assert!(judged.layout("call-intelligence").is_none(), "not a case of that judge");
}

#[test]
fn a_call_is_read_question_by_question() {
    let judged = judged(
        json!({
            "task": "qa", "transcript": [{"speaker": "agent", "text": "Good morning", "start": 12, "end": 15}],
            "expected_outcome": {"questions": [{"question_id": "Q1", "score": 0, "max_score": 10, "type": "PASS_FAIL", "reason": "no greeting"}]},
            "model_output": {"questions": [{"question_id": "Q1", "score": 5, "reason": "said “good evening”"}]},
        }),
        json!({"reasons": [{"question_id": "Q1", "has_evidence": false, "factual": null, "note": "", "cited": {"moments": [{"seconds": 13}]}}]}),
    );
    let layout = judged.layout("call-intelligence").expect("a layout");
    assert_eq!(layout.rewritten["transcript"].trim_end(), "agent: Good morning");
    let row = &words(table(&layout))[0];
    assert_eq!(
        row,
        &[
            "Q1 / pass or fail",
            "0 of 10",
            "5 / wrong / false pass",
            "0.500",
            "said “good evening” / no evidence facts open / no greeting"
        ]
    );
    let mark = &layout.sections[0].texts[0].marks[0];
    assert_eq!((mark.kind, &mark.link), (MarkKind::Pointed, &table(&layout).rows[0].link));
    assert_eq!(mark.place, 0.."agent: Good morning".len());
}

#[test]
fn a_transcript_and_its_reference_are_marked_against_each_other() {
    let judged = judged(
        json!({"reference": "Do not take it", "transcript": "do take that"}),
        json!({"alignment": [
            {"op": "equal", "text": "do"}, {"op": "delete", "reference": "not"}, {"op": "equal", "text": "take"},
            {"op": "substitute", "reference": "it", "hypothesis": "that"},
        ]}),
    );
    let layout = judged.layout("transcript-quality").expect("a layout");
    let [reference, transcript] = layout.sections[0].texts.as_slice() else { panic!("{layout:?}") };
    let seen = |pane: &assize_core::layout::Pane| -> Vec<(String, MarkKind, String)> {
        let words = |mark: &assize_core::layout::Mark| pane.text[mark.place.clone()].to_owned();
        pane.marks.iter().map(|mark| (words(mark), mark.kind, mark.link.clone())).collect()
    };
    let expected =
        [("not".to_owned(), MarkKind::Removed, "w1".to_owned()), ("it".into(), MarkKind::Changed, "w2".into())];
    assert_eq!(seen(reference), expected);
    let expected = [(String::new(), MarkKind::Gap, "w1".to_owned()), ("that".into(), MarkKind::Changed, "w2".into())];
    assert_eq!(seen(transcript), expected);
    let Block::Notes(legend) = &layout.sections[0].findings[0] else { panic!("{layout:?}") };
    assert_eq!(legend.lines[0].text(), "1 replaced 1 left out 0 added of 4 words in the reference");
}

#[test]
fn a_worked_answer_is_read_step_by_step_and_only_where_there_is_one() {
    let judged = judged(
        json!({"problem": "2 + 2?", "response": "So 2 + 2 = 5."}),
        json!({
            "arithmetic": {"checked": 1, "wrong": [{"text": "2 + 2 = 5", "start": 3, "end": 12}]},
            "issues": ["wrong arithmetic: 2 + 2 = 5", "too short"],
        }),
    );
    let layout = judged.layout("criteria").expect("a layout");
    let response = &layout.sections[0].texts[1];
    assert_eq!((response.steps, response.marks[0].title.as_str()), (true, "does not hold: 4 is not 5"));
    let titles: Vec<&str> = layout.sections[0]
        .findings
        .iter()
        .filter_map(|block| if let Block::Notes(notes) = block { Some(notes.title.as_str()) } else { None })
        .collect();
    assert_eq!(titles, ["Arithmetic", "Issues"]);
    let plain = self::judged(json!({"text": "x"}), json!({"a_label": 1}));
    assert!(plain.layout("criteria").is_none(), "labels and inputs say it all");
}

#[test]
fn two_answers_are_read_side_by_side_under_their_names() {
    let judged = judged(
        json!({"prompt": "Why?", "response_a": "Because.", "response_b": "Therefore."}),
        json!({
            "pair": {"first": "alto", "second": "breve", "winner": "alto"},
            "orders": {"as_written": {"winner": "alto", "reason": "alto says “Because”"}, "swapped": {"winner": "alto", "reason": "again"}},
        }),
    );
    let layout = judged.layout("pairwise").expect("a layout");
    let [given, answers] = layout.sections.as_slice() else { panic!("{layout:?}") };
    assert_eq!(given.texts[0].title, "prompt");
    let panes: Vec<(&str, &str)> = answers.texts.iter().map(|pane| (pane.title.as_str(), pane.text.as_str())).collect();
    assert_eq!(panes, [("alto", "Because."), ("breve", "Therefore.")]);
    assert_eq!(words(table(&layout)), [["alto", "alto", "alto says “Because”"], ["breve", "alto", "again"]]);
}

#[test]
fn no_label_whatever_makes_a_layout_panic() {
    let odd = [
        json!(null),
        json!(-1),
        json!("“x”"),
        json!([]),
        json!([1, {"op": "delete"}, "y"]),
        json!({"facts": [3], "a": {"pass": 1}}),
    ];
    let names = [
        "pair",
        "orders",
        "behaviours",
        "gold_facts",
        "predicted_facts",
        "audit",
        "alignment",
        "arithmetic",
        "answer",
        "issues",
        "structure",
        "reasons",
        "highlights",
        "facts",
        "emotion",
        "call_intent",
        "least_alike",
        "critical_facts",
        "domain_terms",
        "fluency",
    ];
    for odd in &odd {
        let labels: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), odd.clone())).collect();
        for task in ["qa", "entity", "text", "translation"] {
            let inputs =
                json!({"task": task, "transcript": odd, "expected_outcome": {}, "model_output": "{", "response": odd});
            let judged = judged(inputs, Value::Object(labels.clone()));
            for system in SYSTEMS {
                let _ = judged.layout(system.name());
            }
        }
    }
}
