//! Runs for tests: documents and lines as a run leaves them, in a real store.

use crate::records::{RunDocument, RunRequest};
use crate::store::{NewResult, Store};
use assize_core::{Case, CaseStatus};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A store of its own, and the folder it lives in.
pub(crate) fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("assize.db")).expect("opened");
    (folder, store)
}

/// A complete run of the judge `j`, with these changes at the top of its document.
pub(crate) fn document(id: &str, changes: Value) -> RunDocument {
    let mut document = json!({
        "schema": "assize.run/1", "run_id": id, "suite": "trial", "status": "complete",
        "judge": {"use": "j", "model": "m", "fingerprint": "f", "calibration": "rules", "headline": "score"},
        "cases": {"total": 0, "judged": 0, "failed": 0, "skipped": 0}, "failures": {}, "flags": {}, "models": {},
        "usage": {"questions": 1, "calls": 1, "cached": 0, "retries": 0, "input_tokens": 1, "cached_input_tokens": 0,
                  "output_tokens": 1, "cost_usd": null},
        "gate": {"passed": true, "checks": []}, "inputs": "i",
        "timings": {"started": "2026-01-31T10:20:30.123456789Z", "finished": "2026-01-31T10:20:31Z", "wall_ms": 900},
    });
    merge(&mut document, changes);
    serde_json::from_value(document).expect("a document")
}

/// A figure of a judge.
pub(crate) fn spec(name: &str, lower_is_better: bool) -> Value {
    json!({"name": name, "about": "", "run_only": false, "lower_is_better": lower_is_better})
}

/// A score of a case.
pub(crate) fn score(value: impl Into<Value>) -> Value {
    json!({"value": value.into(), "n": 1, "rating": null, "method": "llm"})
}

/// A judged line, with these changes.
pub(crate) fn line(case: &str, model: &str, changes: Value) -> Value {
    let mut line = json!({"case": case, "model": model, "status": "judged", "metrics": {}, "labels": {}, "verdict": null,
                          "reason": null, "flags": [], "claimed": {}, "error": null, "answers": []});
    merge(&mut line, changes);
    line
}

/// Keeps a run with its lines, each with the inputs of its case.
pub(crate) async fn keep(store: &Store, document: &RunDocument, lines: impl IntoIterator<Item = (Value, Value)>) {
    let run: Arc<str> = document.run_id.as_str().into();
    store.begin_run(document, &RunRequest::of_suite("suite.yaml")).await.expect("begun");
    for (position, (line, inputs)) in (0u32..).zip(lines) {
        let of = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        let case = Case {
            id: of("case"),
            model: of("model").into(),
            tags: Vec::new(),
            inputs: inputs.as_object().cloned().unwrap_or_default(),
            metadata: Map::new(),
        };
        let (json, content) = case.content();
        let (case_id, model, content, line) = (case.id, case.model.to_string(), content.to_string(), line.to_string());
        let result = NewResult { position, case_id, model, status: CaseStatus::Judged, content, case: json, line };
        store.add_result(&run, result).expect("added");
    }
    store.finish_run(document).await.expect("finished");
}

fn merge(into: &mut Value, changes: Value) {
    match (into, changes) {
        (Value::Object(into), Value::Object(changes)) => {
            for (key, change) in changes {
                merge(into.entry(key).or_insert(Value::Null), change);
            }
        }
        (into, change) => *into = change,
    }
}
