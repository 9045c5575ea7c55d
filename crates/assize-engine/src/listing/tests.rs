use super::*;
use crate::records::{Column, ResultLine, RunRequest};
use crate::store::{NewResult, Store};
use crate::trial::document;
use assize_core::{Case, CaseStatus, Method, Metric};
use indexmap::IndexMap;
use serde_json::Map;
use std::sync::Arc;

/// The case at a position, and what became of it. Everything follows from the position, so that it can be worked out by hand.
fn made(position: u32) -> (Case, ResultLine) {
    let case = Case {
        id: format!("case-{position:05}"),
        model: ["alto", "breve"][position as usize % 2].into(),
        tags: if position.is_multiple_of(10) { vec!["night".into(), "long".into()] } else { Vec::new() },
        inputs: Map::new(),
        metadata: Map::new(),
    };
    let failed = position.is_multiple_of(7);
    let score = (!failed).then(|| f64::from(position % 100) / 100.0);
    let mut metrics = IndexMap::new();
    if !failed {
        metrics.insert("score".to_owned(), Metric::score(score.filter(|score| *score != 0.5), Method::Code));
    }
    let line = ResultLine {
        case: case.id.clone(),
        model: case.model.clone(),
        run: None,
        status: if failed { CaseStatus::Failed } else { CaseStatus::Judged },
        metrics,
        labels: Map::new(),
        verdict: score.map(|score| if score >= 0.6 { "pass" } else { "fail" }.to_owned()),
        reason: (position == 3).then(|| "The Caller was Angry".to_owned()),
        flags: if position % 5 == 1 { vec!["low_confidence".into()] } else { Vec::new() },
        claimed: Map::new(),
        error: None,
        answers: Vec::new(),
    };
    (case, line)
}

/// A store with a run of so many cases, the columns of which were put aside up to `gathered`.
async fn store(folder: &std::path::Path, cases: u32, gathered: u32) -> Store {
    let store = Store::open(&folder.join("assize.db")).expect("a store");
    let document = document("r", serde_json::json!({}));
    store.begin_run(&document, &RunRequest::of_suite("s.yaml")).await.expect("a run");
    let (run, mut gathering): (Arc<str>, _) = ("r".into(), Gathering::default());
    for position in 0..cases {
        let (case, line) = made(position);
        let (body, content) = case.content();
        let line_text = serde_json::to_string(&line).expect("JSON");
        let result = NewResult {
            position,
            case_id: case.id.clone(),
            model: case.model.to_string(),
            status: line.status,
            content: content.to_string(),
            case: body,
            line: line_text,
        };
        store.add_result(&run, result).expect("kept");
        if position < gathered
            && let Some(stretch) = gathering.add(&case, &line)
        {
            store.add_stretch(&run, stretch).expect("kept");
        }
    }
    if gathered == cases
        && let Some(stretch) = gathering.take()
    {
        store.add_stretch(&run, stretch).expect("kept");
    }
    store.finish_run(&document).await.expect("finished");
    store
}

fn query(change: impl FnOnce(&mut CaseQuery)) -> CaseQuery {
    let mut query = CaseQuery::default();
    change(&mut query);
    query
}

#[tokio::test]
async fn a_list_is_filtered_sorted_and_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store(folder.path(), 20, 20).await;
    let list = |query: CaseQuery| super::list(&store, "r", &query, &[("score".into(), 0.1)], &[4, 5]).expect("a list");
    assert_eq!(list(CaseQuery::default()).positions, (0..20).collect::<Vec<_>>());
    // Positions 0, 7 and 14 failed.
    assert_eq!(list(query(|query| query.statuses = vec!["failed".into()])).positions, [0, 7, 14]);
    assert_eq!(list(query(|query| query.flags = vec!["low_confidence".into()])).positions, [1, 6, 11, 16]);
    assert_eq!(list(query(|query| query.tags = vec!["night".into()])).positions, [0, 10]);
    assert_eq!(list(query(|query| query.search = "ANGRY".into())).positions, [3]);
    assert_eq!(list(query(|query| query.search = "case-0001".into())).positions, (10..20).collect::<Vec<_>>());
    assert_eq!(list(query(|query| query.marks = vec![Mark::Uncertain])).positions, [1, 6, 11, 16]);
    assert_eq!(list(query(|query| query.marks = vec![Mark::Disputed])).positions, [4, 5]);
    // Within 0.05 of 0.1: 0.05 … 0.15, without 7 and 14, which failed.
    assert_eq!(
        list(query(|query| query.marks = vec![Mark::NearThreshold])).positions,
        [5, 6, 8, 9, 10, 11, 12, 13, 15]
    );
    let sorted = list(query(|query| {
        query.sort = Sort::Metric("score".into());
        query.descending = true;
        query.models = vec!["breve".into()];
    }));
    // The undefined ones come last in either direction.
    assert_eq!(sorted.positions, [19, 17, 15, 13, 11, 9, 5, 3, 1, 7]);
    // Within a group a choice is counted as if its own filter were not there; the other groups are.
    let facet = |value: &str, count| Facet { value: value.into(), count };
    assert_eq!(sorted.facets.models, [facet("alto", 10), facet("breve", 10)]);
    assert_eq!(sorted.facets.statuses, [facet("failed", 1), facet("judged", 9)]);
    assert_eq!(sorted.facets.tags, [facet("long", 0), facet("night", 0)]);
    assert_eq!(sorted.facets.marks[1], (Mark::Uncertain, 2));
    assert_eq!(verdicts(&store, "r").expect("verdicts"), ["fail"]);
    assert_eq!(sorted.neighbours(17), (Some(19), Some(15)));
    assert_eq!((sorted.neighbours(19), sorted.neighbours(4)), ((None, Some(17)), (None, None)));
}

/// Whether columns were put aside for all cases, for some (a run that was killed), or for none (an old run), a list is the same.
#[tokio::test]
async fn a_list_does_not_depend_on_how_much_was_put_aside() {
    const CASES: u32 = 5000;
    let queries = [
        query(|query| query.sort = Sort::Metric("score".into())),
        query(|query| {
            query.sort = Sort::Id;
            query.descending = true;
            query.verdicts = vec!["pass".into()];
        }),
        query(|query| {
            query.search = "9".into();
            query.marks = vec![Mark::Flagged];
            query.sort = Sort::Verdict;
        }),
    ];
    let mut seen = Vec::new();
    for gathered in [CASES, 4500, 0] {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(folder.path(), CASES, gathered).await;
        let lists: Vec<CaseList> =
            queries.iter().map(|query| super::list(&store, "r", query, &[], &[]).expect("a list")).collect();
        let figures = figures(&store, "r", "score").expect("figures");
        assert_eq!(
            figures.values().map(Vec::len).sum::<usize>(),
            (0..CASES).filter(|at| !at.is_multiple_of(7) && at % 100 != 50).count()
        );
        seen.push((lists, figures));
    }
    assert_eq!(seen[0].0[0].total, CASES);
    let passes = |at: &u32| !at.is_multiple_of(7) && at % 100 >= 60;
    assert_eq!(seen[0].0[1].positions, (0..CASES).rev().filter(passes).collect::<Vec<_>>());
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
}

#[test]
fn columns_survive_being_stored_and_broken_bytes_are_no_column() {
    let columns = [
        Column::Figures(vec![0.5, -1.0]),
        Column::Words { words: vec!["a".into(), "é".into()], codes: vec![1, 0, 1] },
        Column::Texts { text: "aéb".into(), ends: vec![1, 3, 4] },
    ];
    for column in columns {
        let bytes = column.to_bytes();
        assert_eq!(Column::from_bytes(&bytes).as_ref(), Some(&column));
        for cut in 0..bytes.len() {
            // Whatever is left of it, nothing panics, and nothing of another length passes for the whole.
            assert_ne!(Column::from_bytes(&bytes[..cut]).as_ref(), Some(&column));
        }
    }
    assert_eq!(Column::from_bytes(&[2, 1, 0, 0, 0, 1, 0, 0, 0, b'a', 7, 0, 0, 0]), None, "a code beyond the words");
}
