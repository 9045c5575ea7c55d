//! The pairwise judge on what real judge models said of 100 real pairs, in both orders.
#![expect(clippy::disallowed_methods, reason = "a test of real data opens it")]

use assize_core::document::Problems;
use assize_core::{Case, Judge, JudgeSource, JudgeSystem, Summary};
use assize_judges::summary::summary_of;
use assize_judges::systems::pairwise::Pairwise;
use assize_testkit::drive;
use assize_testkit::outside::shared_data;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

fn lines(path: PathBuf) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("the data");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The summary of what a judge model said with a prompting strategy, and in how many consistent pairs it was right.
fn summary(folder: &Path, judge_model: &str, strategy: &str) -> (Summary, usize) {
    let judge = Pairwise
        .build(&JudgeSource::BuiltIn("pairwise".into()), None, &mut Problems::default())
        .expect("the pairwise judge");
    let said = lines(folder.join("natural_judgements.jsonl"));
    let said: HashMap<(&str, bool), &str> = said
        .iter()
        .filter(|line| line["judge"] == judge_model && line["strategy"] == strategy)
        .map(|line| {
            let swapped = line["swapped"].as_bool().expect("an order");
            ((line["id"].as_str().expect("an id"), swapped), line["winner"].as_str().expect("a winner"))
        })
        .collect();
    let mut summary = summary_of(&*judge);
    let mut right = 0;
    for pair in lines(folder.join("natural.jsonl")) {
        let record = json!({"id": pair["id"], "prompt": pair["input"], "response_a": pair["output_1"],
                            "response_b": pair["output_2"], "model_a": "one", "model_b": "two"});
        let Value::Object(record) = record else { unreachable!("an object literal") };
        let row = Case::read(record, &judge.spec().inputs).expect("a pair");
        let case = judge.assembly().expect("pairs").assemble(vec![row]).expect("a pair").remove(0);
        // The data names the winner by its number; the judge is asked for a place.
        let reply = |swapped: bool| {
            let winner = said[&(case.id.as_str(), swapped)];
            let better = if (winner == "1") == swapped { "answer_2" } else { "answer_1" };
            json!({"reason": "as recorded", "better": better})
        };
        let answers = drive::replies([("as_written", reply(false)), ("swapped", reply(true))]);
        let judgment = drive::judgment(&*judge, &case, &answers);
        let label = if pair["label"] == 1 { "one" } else { "two" };
        right += usize::from(judgment.verdict.as_deref() == Some(label));
        summary.add(&case, &judgment);
    }
    (summary.finish(), right)
}

/// Counted from the same file by another program: consistent pairs, of these those the first output won and those that agree
/// with the people's label, and choices of the first place out of 200.
#[test]
fn real_judges_in_both_orders() {
    let Some(folder) = shared_data("llmbar") else { return };
    for (judge, strategy, consistent, first_wins, right, first_place) in [
        ("GPT-4", "Vanilla", 95.0, 40.0, 93, 101.0),
        ("GPT-4", "CoT", 91.0, 38.0, 90, 103.0),
        ("LLaMA2", "Vanilla", 79.0, 33.0, 70, 103.0),
        ("Falcon", "CoT", 14.0, 7.0, 14, 186.0),
    ] {
        let (summary, found_right) = summary(&folder, judge, strategy);
        let value = |metric: &str| summary.models["one"].metrics[metric].value.expect("a figure");
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-9;
        assert!(close(value("consistency"), consistent / 100.0), "{judge} {strategy}");
        assert!(close(value("win_rate"), first_wins / consistent), "{judge} {strategy}");
        assert!(close(value("first_place_rate"), first_place / 200.0), "{judge} {strategy}");
        assert_eq!((value("wins"), found_right), (first_wins, right), "{judge} {strategy}");
        let noted =
            summary.sections.get("notes").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        let noted = noted.filter(|note| note.contains("changed with the order")).count() == 1;
        assert_eq!(noted, consistent < 90.0, "{judge} {strategy}");
    }
}
