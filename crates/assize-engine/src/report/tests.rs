//! Reports of a run with hostile names, out of a real store.

use super::*;
use crate::records::RunDocument;
use crate::store::Store;
use crate::trial::{document, keep, line, score, spec, store};
use serde_json::{Value, json};

/// A run of four cases: one that is judged and flagged, one of a second model with a repetition, one that failed, one skipped.
async fn run() -> (tempfile::TempDir, Store, RunDocument) {
    let (folder, store) = store();
    let document = document(
        "r1",
        json!({
            "suite": "=cmd()", "judge": {"model": ["a", "b"], "metrics": [spec("score", false), spec("reason", false)]},
            "cases": {"total": 4, "judged": 2, "failed": 1, "skipped": 1}, "failures": {"timeout": 1}, "flags": {"odd": 1},
            "models": {"=m": {"metrics": {"score": {"value": 0.25, "n": 1, "rating": "blocker", "method": "llm", "interval": [0.1, 0.5]}},
                              "blockers": [{"metric": "score", "value": 0.25, "limit": ">= 1", "cases": ["-c1", "c2"]}], "disqualified": true},
                       "n": {"metrics": {"score": {"value": null, "n": 0, "rating": null, "method": "code", "interval": null}},
                             "blockers": [], "disqualified": false}},
            "gate": {"passed": false, "checks": [{"check": "score >= 1", "model": "=m", "value": 0.25, "passed": false}]},
        }),
    );
    let lines = [
        line(
            "-c1",
            "=m",
            json!({"metrics": {"zeta": score(-0.5), "reason": score(0.75), "score": score(0.25)}, "verdict": "+yes",
                   "reason": "a \"quoted\",\r\nlong\treason", "flags": ["odd", "even"]}),
        ),
        line("c2", "n", json!({"metrics": {"score": score(Value::Null)}, "reason": "x".repeat(40_000)})),
        line("c3", "n", json!({"status": "failed", "error": {"kind": "timeout", "message": "@nobody answered"}})),
        line("c4", "n", json!({"status": "skipped", "reason": "not for this judge"})),
    ];
    // A repetition is a number; a judge may have an input of that name that is none.
    let inputs = [json!({"run": "a text"}), json!({"run": 2}), json!({}), json!({})];
    keep(&store, &document, lines.into_iter().zip(inputs)).await;
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
