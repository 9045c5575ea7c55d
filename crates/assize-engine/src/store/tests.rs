//! The store on a real file, from one process and from two.

use super::*;
use assize_core::{AnswerSchema, CaseStatus, Fingerprint, Message};
use serde_json::json;

fn question(text: &str) -> Question {
    let schema = AnswerSchema { name: "answer".into(), schema: json!({"type": "object"}) };
    Question { name: "q".into(), messages: vec![Message::user(text)], schema, sample: 0 }
}

fn reply(question: &Question, value: serde_json::Value) -> Answer {
    let mut answer = Answer::from_rules(&question.name, value);
    answer.key = Fingerprint::of(&"key");
    answer.id = Answer::id_of(&answer.key, &answer.raw);
    answer
}

#[tokio::test]
async fn an_answer_is_found_again_after_the_store_was_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("deep/er/assize.db");
    let question = question("how good?");
    let answer = reply(&question, json!({"score": 4}));
    let store = Store::open(&path).expect("opened");
    assert_eq!(store.find_answer(&answer.key).expect("read"), None);
    store.keep_answer(&answer, &question, Keep::AsCurrent).await.expect("kept");
    drop(store);
    let store = Store::open(&path).expect("opened again");
    assert_eq!(store.find_answer(&answer.key).expect("read"), Some(answer.clone()));
    let kept = store.answer(answer.id.as_str()).expect("read").expect("there");
    assert_eq!((kept.question, kept.kept.is_some()), (question, true));
}

#[tokio::test]
async fn asking_anew_moves_the_cache_and_keeps_the_old_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("assize.db")).expect("opened");
    let question = question("how good?");
    let (old, aside, new) = (
        reply(&question, json!({"score": 1})),
        reply(&question, json!({"score": 2})),
        reply(&question, json!({"score": 3})),
    );
    store.keep_answer(&old, &question, Keep::AsCurrent).await.expect("kept");
    store.keep_answer(&aside, &question, Keep::ForThisRun).await.expect("kept");
    assert_eq!(store.find_answer(&old.key).expect("read"), Some(old.clone()));
    store.keep_answer(&new, &question, Keep::AsCurrent).await.expect("kept");
    assert_eq!(store.find_answer(&old.key).expect("read"), Some(new));
    for kept in [&old, &aside] {
        assert!(store.answer(kept.id.as_str()).expect("read").is_some());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_handles_on_one_file_write_at_the_same_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("assize.db");
    let (one, two) = (Store::open(&path).expect("opened"), Store::open(&path).expect("opened twice"));
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..200 {
        let store = if number % 2 == 0 { one.clone() } else { two.clone() };
        tasks.spawn(async move {
            let question = question(&number.to_string());
            let mut answer = Answer::from_rules(&question.name, json!({"score": number}));
            answer.key = question.fingerprint();
            answer.id = Answer::id_of(&answer.key, &answer.raw);
            store.keep_answer(&answer, &question, Keep::AsCurrent).await.expect("kept");
            answer.key
        });
    }
    let keys = tasks.join_all().await;
    assert!(keys.iter().all(|key| one.find_answer(key).expect("read").is_some()));
}

#[tokio::test]
async fn vectors_are_found_again_by_embedder_and_text_in_one_look() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("assize.db");
    let store = Store::open(&path).expect("opened");
    let named = |name: &str| Fingerprint::of(&name);
    // More texts than a statement has parameters for.
    let texts: Vec<Fingerprint> = (0..40_000).map(|number| named(&number.to_string())).collect();
    let wanted: Vec<&Fingerprint> = texts.iter().collect();
    let (one, two) = (vec![0.5, -0.25], vec![1.5]);
    store.keep_vectors(&named("a"), [(&texts[7], &one), (&texts[39_999], &two)]).await.expect("kept");
    store.keep_vectors(&named("b"), [(&texts[7], &two)]).await.expect("kept");
    drop(store);
    let store = Store::open(&path).expect("opened again");
    let found = store.find_vectors(&named("a"), &wanted).expect("read");
    assert_eq!(found, [(texts[7].clone(), one), (texts[39_999].clone(), two.clone())].into());
    assert_eq!(store.find_vectors(&named("c"), &wanted).expect("read").len(), 0);
    // Embedded anew, the new vector takes the place of the old, and other embedders keep theirs.
    store.keep_vectors(&named("a"), [(&texts[7], &vec![2.0])]).await.expect("kept");
    assert_eq!(store.find_vectors(&named("a"), &[&texts[7]]).expect("read")[&texts[7]], [2.0]);
    assert_eq!(store.find_vectors(&named("b"), &[&texts[7]]).expect("read")[&texts[7]], two);
}

#[test]
fn a_file_that_is_no_store_is_refused_with_a_way_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "these are notes, not a database ".repeat(200)).expect("written");
    let error = Store::open(&path).map(|_| ()).expect_err("refused");
    assert!(error.to_string().contains("notes.txt"), "{error}");
    assert!(error.hint().contains("--store"));
}

fn result(position: u32) -> NewResult {
    NewResult {
        position,
        case_id: "c".into(),
        model: "m".into(),
        status: CaseStatus::Judged,
        content: "f00d".into(),
        case: json!({"id": "c", "model": "m", "inputs": {}}).to_string(),
        line: crate::trial::line("c", "m", json!({})).to_string(),
    }
}

#[tokio::test]
async fn a_write_that_fails_fails_alone_and_the_writer_goes_on() {
    let (_folder, store) = crate::trial::store();
    let (request, question) = (RunRequest::of_suite("s.yaml"), question("how good?"));
    let run = crate::trial::document("r1", json!({}));
    store.begin_run(&run, &request).await.expect("begun");
    // The id is taken, so this cannot be written; the answer that waits beside it can.
    let answer = reply(&question, json!({"score": 1}));
    let (twice, kept) =
        tokio::join!(store.begin_run(&run, &request), store.keep_answer(&answer, &question, Keep::AsCurrent));
    let refused = twice.expect_err("the id is taken").to_string();
    assert!(refused.contains("UNIQUE constraint failed: runs.id"), "{refused}");
    kept.expect("kept");
    assert_eq!(store.find_answer(&answer.key).expect("read"), Some(answer));
    store.begin_run(&crate::trial::document("r2", json!({})), &request).await.expect("the writer goes on");
    store.finish_run(&run).await.expect("and nothing is said of what was not lost");
}

#[tokio::test]
async fn a_run_that_lost_a_result_is_not_finished_and_others_are() {
    let (_folder, store) = crate::trial::store();
    let request = RunRequest::of_suite("s.yaml");
    let [one, other] = ["r1", "r2"].map(|id| crate::trial::document(id, json!({})));
    for run in [&one, &other] {
        store.begin_run(run, &request).await.expect("begun");
    }
    let (first, second): (Arc<str>, Arc<str>) = ("r1".into(), "r2".into());
    store.add_result(&first, result(0)).expect("handed over");
    // The position is taken: this one is lost, and nobody waits for it.
    store.add_result(&first, result(0)).expect("handed over");
    store.add_result(&second, result(0)).expect("handed over");
    let refused = store.finish_run(&one).await.expect_err("a result is missing").to_string();
    assert!(refused.contains("a result could not be kept: UNIQUE constraint failed"), "{refused}");
    assert!(store.add_result(&first, result(1)).is_err(), "there is no point in going on with that run");
    store.finish_run(&other).await.expect("this one has all of its results");
    assert_eq!(store.results("r2", 0, 10).expect("read").len(), 1);
}

#[tokio::test]
async fn a_run_that_cannot_be_read_is_named_and_hides_no_other() {
    let (_folder, store) = crate::trial::store();
    for id in ["r1", "r2", "s1"] {
        store.begin_run(&crate::trial::document(id, json!({})), &RunRequest::of_suite("s.yaml")).await.expect("begun");
    }
    let connection = Connection::open(store.path()).expect("opened");
    connection
        .execute("UPDATE runs SET document = json_set(document, '$.status', 'suspended') WHERE id = 'r1'", [])
        .expect("changed");
    connection.execute("UPDATE runs SET document = '{' WHERE id = 'r2'", []).expect("changed");
    let list = RunList::read(&store.runs(9).expect("read"));
    assert_eq!(list.runs.iter().map(|run| run.run_id.as_str()).collect::<Vec<_>>(), ["s1"]);
    let told: Vec<String> = list.unreadable.iter().map(ToString::to_string).collect();
    assert!(
        told.iter().any(|told| told.starts_with("the record of run r1 cannot be read: unknown variant `suspended`")),
        "{told:?}"
    );
    assert!(told.iter().any(|told| told.starts_with("the record of run r2 cannot be read: EOF")), "{told:?}");
    let judge = &list.runs[0].judge.judge_use;
    assert_eq!(store.runs_judged_by(judge, 9).expect("broken JSON is passed over").len(), 2);
    assert_eq!(store.find_run("s").expect("read").map(|head| head.id), Ok("s1".to_owned()));
    let several = store.find_run("r").expect("read").expect_err("two");
    assert_eq!(several.to_string(), "several runs begin with `r`: r2, r1");
    assert_eq!(store.find_run("x").expect("read").expect_err("none"), RunNotFound::None("x".to_owned()));
}
