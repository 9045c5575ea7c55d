//! Reports of a run with hostile names, out of a real store.

use super::*;
use crate::run::RunDocument;
use crate::store::{NewResult, Store};
use assize_core::Case;
use serde_json::{Value, json};
use std::sync::Arc;

/// A run of four cases: one that is judged and flagged, one of a second model with a repetition, one that failed, one skipped.
async fn run() -> (tempfile::TempDir, Store, RunDocument) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("assize.db")).expect("opened");
    let document: RunDocument = serde_json::from_value(json!({
        "schema": "assize.run/1", "run_id": "r1", "suite": "=cmd()", "status": "complete",
        "judge": {"use": "j", "model": ["a", "b"], "fingerprint": "f", "calibration": "rules", "headline": "score",
                  "metrics": [{"name": "score", "about": "", "run_only": false, "lower_is_better": false},
                              {"name": "reason", "about": "", "run_only": false, "lower_is_better": false}]},
        "cases": {"total": 4, "judged": 2, "failed": 1, "skipped": 1}, "failures": {"timeout": 1}, "flags": {"odd": 1},
        "models": {"=m": {"metrics": {"score": {"value": 0.25, "n": 1, "rating": "blocker", "method": "llm", "interval": [0.1, 0.5]}},
                          "blockers": [{"metric": "score", "value": 0.25, "limit": ">= 1", "cases": ["-c1", "c2"]}], "disqualified": true},
                   "n": {"metrics": {"score": {"value": null, "n": 0, "rating": null, "method": "code", "interval": null}},
                         "blockers": [], "disqualified": false}},
        "usage": {"questions": 1, "calls": 1, "cached": 0, "retries": 0, "input_tokens": 1, "cached_input_tokens": 0, "output_tokens": 1, "cost_usd": null},
        "gate": {"passed": false, "checks": [{"check": "score >= 1", "model": "=m", "value": 0.25, "passed": false}]},
        "inputs": "i", "timings": {"started": "2026-01-31T10:20:30.123456789Z", "finished": "2026-01-31T10:20:31Z", "wall_ms": 900},
    }))
    .expect("a document");
    let metric = |value: Value, rating: Value| json!({"value": value, "n": 1, "rating": rating, "method": "llm"});
    let line = |case: &str, model: &str, more: Value| {
        let mut line = json!({"case": case, "model": model, "status": "judged", "metrics": {}, "labels": {}, "verdict": null,
                              "reason": null, "flags": [], "claimed": {}, "error": null, "answers": []});
        for (key, value) in more.as_object().into_iter().flatten() {
            line[key] = value.clone();
        }
        (case.to_owned(), model.to_owned(), line)
    };
    let lines = [
        line(
            "-c1",
            "=m",
            json!({"metrics": {"zeta": metric(json!(-0.5), Value::Null), "reason": metric(json!(0.75), json!("fail")),
                               "score": metric(json!(0.25), json!("blocker"))},
                   "verdict": "+yes", "reason": "a \"quoted\",\r\nlong\treason", "flags": ["odd", "even"]}),
        ),
        line("c2", "n", json!({"metrics": {"score": metric(Value::Null, Value::Null)}, "reason": "x".repeat(40_000)})),
        line("c3", "n", json!({"status": "failed", "error": {"kind": "timeout", "message": "@nobody answered"}})),
        line("c4", "n", json!({"status": "skipped", "reason": "not for this judge"})),
    ];
    store.begin_run("r1", "s", "2026-01-31T10:20:30Z", "{}".into()).await.expect("begun");
    let run: Arc<str> = "r1".into();
    for (position, (id, model, line)) in (0u32..).zip(lines) {
        let inputs = if position == 1 { json!({"run": 2}) } else { json!({"run": "a text"}) };
        let case = Case {
            id: id.clone(),
            model: model.clone(),
            tags: Vec::new(),
            inputs: inputs.as_object().cloned().unwrap_or_default(),
            metadata: serde_json::Map::new(),
        };
        let (json, content) = case.content();
        let status = ["judged", "judged", "failed", "skipped"][position as usize];
        let (case_id, content, line) = (id, content.to_string(), line.to_string());
        let result = NewResult { position, case_id, model, status, content, case: json, line };
        store.add_result(&run, result).expect("added");
    }
    store.finish_run("r1", "complete", "{}".into()).await.expect("finished");
    (folder, store, document)
}

#[tokio::test]
async fn cases_as_csv_have_a_column_for_every_figure_and_no_formula() {
    let (_folder, store, document) = run().await;
    let mut written = Vec::new();
    csv::write_cases(&Cases::of(&store, &document).expect("cases"), &mut written).expect("written");
    let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(written.as_slice());
    let rows: Vec<Vec<String>> =
        reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect();
    // In the judge's order; a figure with the name of another column says that it is one.
    assert_eq!(
        rows[0],
        ["case", "model", "run", "status", "verdict", "score", "metric.reason", "zeta", "flags", "reason", "error"]
    );
    assert_eq!(
        rows[1],
        [
            "'-c1",
            "'=m",
            "",
            "judged",
            "'+yes",
            "0.25",
            "0.75",
            "-0.5",
            "odd, even",
            "a \"quoted\",\r\nlong\treason",
            ""
        ]
    );
    assert_eq!(rows[2][..9], ["c2", "n", "2", "judged", "", "", "", "", ""]);
    assert_eq!(rows[3][8..], ["", "", "timeout: @nobody answered"]);
    assert_eq!((rows[4][3].as_str(), rows[4][9].as_str(), rows.len()), ("skipped", "not for this judge", 5));
}

#[cfg(feature = "xlsx")]
#[tokio::test]
async fn a_workbook_opens_with_its_sheets_and_nothing_in_it_is_a_formula() {
    use calamine::{Data, Reader, Xlsx};
    let (_folder, store, document) = run().await;
    let cases = Cases::of(&store, &document).expect("cases");
    let write = || {
        let mut written = Vec::new();
        xlsx::write(&document, &cases, &mut written).expect("written");
        written
    };
    let written = write();
    assert_eq!(written, write(), "the same run gives the same file");
    let mut book: Xlsx<_> = Xlsx::new(std::io::Cursor::new(written)).expect("a workbook");
    assert_eq!(book.sheet_names(), ["Scorecard", "Cases", "Blockers", "Run"]);
    for sheet in ["Scorecard", "Cases", "Blockers", "Run"] {
        assert!(book.worksheet_formula(sheet).expect("formulas").is_empty(), "{sheet}");
    }
    let mut rows = |sheet: &str| -> Vec<Vec<Data>> {
        book.worksheet_range(sheet).expect("a sheet").rows().map(<[Data]>::to_vec).collect()
    };
    let text = |text: &str| Data::String(text.to_owned());
    let scorecard = rows("Scorecard");
    assert_eq!(scorecard[0][2..5], [text("=m"), text("=m low"), text("=m high")]);
    assert_eq!(
        scorecard[1][..9],
        [
            text("score"),
            Data::Empty,
            Data::Float(0.25),
            Data::Float(0.1),
            Data::Float(0.5),
            Data::Float(1.0),
            text("blocker"),
            text("llm"),
            Data::Empty
        ]
    );
    let cases = rows("Cases");
    assert_eq!(cases[1][..2], [text("-c1"), text("=m")]);
    assert_eq!(cases[1][5..8], [Data::Float(0.25), Data::Float(0.75), Data::Float(-0.5)]);
    assert_eq!(cases[2][2], Data::Float(2.0));
    let long = cases[2][9].to_string();
    assert_eq!((long.chars().count(), long.ends_with("x…")), (32_767, true));
    assert_eq!(rows("Blockers")[2], [text("=m"), text("score"), Data::Float(0.25), text(">= 1"), text("c2")]);
    let run = rows("Run");
    assert!(run.contains(&vec![text("suite"), text("=cmd()")]), "{run:?}");
    assert!(run.contains(&vec![text("gate: score >= 1 (=m)"), text("fails: 0.25")]), "{run:?}");
}

#[cfg(feature = "parquet")]
#[tokio::test]
async fn parquet_comes_back_with_its_types() {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    let (folder, store, document) = run().await;
    let path = folder.path().join("cases.parquet");
    let mut file = std::fs::File::create(&path).expect("made");
    parquet::write(&Cases::of(&store, &document).expect("cases"), &mut file).expect("written");
    let reader = SerializedFileReader::new(std::fs::File::open(&path).expect("there")).expect("Parquet");
    let rows: Vec<Value> =
        reader.get_row_iter(None).expect("rows").map(|row| row.expect("a row").to_json_value()).collect();
    assert_eq!(
        rows[0],
        json!({"case": "-c1", "model": "=m", "run": null, "status": "judged", "verdict": "+yes", "score": 0.25,
               "metric.reason": 0.75, "zeta": -0.5, "flags": ["odd", "even"], "reason": "a \"quoted\",\r\nlong\treason",
               "error": null})
    );
    assert_eq!(
        (&rows[1]["run"], &rows[1]["score"], &rows[1]["flags"], rows[1]["reason"].as_str().map(str::len)),
        (&json!(2.0), &Value::Null, &json!([]), Some(40_000))
    );
    assert_eq!((&rows[2]["error"], rows.len()), (&json!("timeout: @nobody answered"), 4));
}
