//! Vectors through the store, with a model on this machine that counts what it is given.

use super::*;
use crate::control::Control;
use crate::event::StopReason;
use crate::store::Store;
use assize_embed::{EmbedError, Languages};
use std::path::Path;
use std::sync::Mutex;

/// Gives the length of a text as its direction.
#[derive(Default)]
struct Counting(Mutex<Vec<String>>);

impl Embedder for Counting {
    fn name(&self) -> &str {
        "counting"
    }

    fn fingerprint(&self) -> &str {
        "counting-1"
    }

    fn languages(&self) -> Languages {
        Languages::All
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if texts.contains(&"broken") {
            return Err(EmbedError::NotFinite { text: 0 });
        }
        self.0.lock().expect("no panic").extend(texts.iter().map(|text| (*text).to_owned()));
        Ok(texts.iter().map(|text| vec![1.0, text.len() as f32]).collect())
    }
}

fn answering(store: &Path, policy: CachePolicy) -> Arc<Answering> {
    let store = Store::open(store).expect("a store");
    Arc::new(Answering::new(store, policy, 4, None, Control::default(), Arc::new(|_| {})))
}

fn source() -> (Arc<Counting>, VectorSource) {
    let counting = Arc::new(Counting::default());
    (counting.clone(), VectorSource::Local(counting))
}

/// What the model has been given since the last look.
fn given(counting: &Counting) -> Vec<String> {
    std::mem::take(&mut *counting.0.lock().expect("no panic"))
}

#[tokio::test]
async fn what_was_embedded_is_found_in_its_place_also_after_the_store_was_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("assize.db");
    let (counting, source) = source();
    let first = answering(&path, CachePolicy::Use);
    first.vectors(&source, &["a", "ccc"]).await.expect("vectors");
    assert_eq!(given(&counting), ["a", "ccc"]);
    drop(first);
    let second = answering(&path, CachePolicy::Use);
    let vectors = second.vectors(&source, &["bb", "ccc", "dddd", "a"]).await.expect("vectors");
    assert_eq!(vectors, [[1.0, 2.0], [1.0, 3.0], [1.0, 4.0], [1.0, 1.0]]);
    assert_eq!(given(&counting), ["bb", "dddd"]);
    let usage = second.usage();
    assert_eq!((usage.texts_embedded, usage.texts_cached, usage.calls, usage.cost_usd), (2, 2, 0, Some(0.0)));
    assert!(second.vectors(&source, &[]).await.expect("nothing to do").is_empty());
}

#[tokio::test]
async fn what_the_cache_is_told_holds_for_vectors_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("assize.db");
    let (counting, source) = source();
    for policy in [CachePolicy::Ignore, CachePolicy::Use, CachePolicy::Refresh, CachePolicy::Ignore] {
        answering(&path, policy).vectors(&source, &["a"]).await.expect("vectors");
        assert_eq!(given(&counting), ["a"], "{policy:?} has it embedded");
    }
    answering(&path, CachePolicy::Use).vectors(&source, &["a"]).await.expect("vectors");
    assert!(given(&counting).is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn cases_that_share_texts_have_each_embedded_once_and_do_not_wait_for_each_other_forever() {
    let folder = tempfile::tempdir().expect("a folder");
    let (counting, source) = source();
    let answering = answering(&folder.path().join("assize.db"), CachePolicy::Use);
    let texts: Vec<String> = (0..20).map(|number| format!("text {number}")).collect();
    let mut tasks = tokio::task::JoinSet::new();
    for case in 0..60 {
        let (answering, source, texts) = (answering.clone(), source.clone(), texts.clone());
        tasks.spawn(async move {
            // Seven of them, forwards from somewhere or backwards.
            let mut some: Vec<&str> = (0..7).map(|step| texts[(case * 3 + step) % 20].as_str()).collect();
            if case % 2 == 1 {
                some.reverse();
            }
            let vectors = answering.vectors(&source, &some).await.expect("vectors");
            assert!(vectors.iter().zip(&some).all(|(vector, text)| vector[1] == text.len() as f32));
        });
    }
    // Only those that wait for each other ever take so long.
    let watched = tokio::time::timeout(std::time::Duration::from_secs(60), tasks.join_all());
    watched.await.expect("nobody waits forever");
    let mut given = given(&counting);
    given.sort();
    let mut all = texts;
    all.sort();
    assert_eq!(given, all);
}

#[tokio::test]
async fn a_model_that_fails_is_a_failure_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("assize.db");
    let (counting, source) = source();
    let failed = answering(&path, CachePolicy::Use).vectors(&source, &["a", "broken"]).await;
    let Err(Unanswered::Failed(failure)) = failed else { panic!("{failed:?}") };
    assert_eq!(failure.kind, FailureKind::EmbeddingFailed);
    assert!(failure.message.starts_with("the embedder failed: the vector of text 0 is not finite"), "{failure}");
    answering(&path, CachePolicy::Use).vectors(&source, &["a"]).await.expect("vectors");
    assert_eq!(given(&counting), ["a"]);
}

#[tokio::test]
async fn a_run_that_stops_embeds_nothing_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let (counting, source) = source();
    let answering = answering(&folder.path().join("assize.db"), CachePolicy::Use);
    answering.control.stop(StopReason::Interrupted);
    assert!(matches!(answering.vectors(&source, &["a"]).await, Err(Unanswered::NotAsked)));
    assert!(given(&counting).is_empty());
}
