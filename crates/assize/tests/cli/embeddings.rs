//! Embeddings over HTTP through whole runs. The server counts words (`bag_of_words`), so the figures here are worked out by
//! hand from the words two sentences share.

use crate::bench::{Bench, Ended, KEY};
use crate::meaning::case;
use assize_testkit::{Reply, Script, Slip, bag_of_words};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const SOURCE: &str = "इसे अनुवाद करें";

/// What was given, what was expected, and their cosine.
///
/// Five of six words shared: 5 / (√6·√6). Two of three: 2/3. The same text: 1. `no` twice and once, `refund` once and
/// once: (2·1 + 1·1) / (√5·√2).
const SENTENCES: [(&str, &str, f64); 4] = [
    ("refund reaches card within seven days", "refund reaches card within five days", 5.0 / 6.0),
    ("caller hold line", "caller hold on", 2.0 / 3.0),
    ("caller hold on", "caller hold on", 1.0),
    ("no no refund", "no refund", 0.948_683_298_050_513_8),
];

/// As many different texts as there are in them.
const TEXTS: usize = 6;

/// A suite with an embedder over one case for each of the sentences, each of a model of its own.
async fn bench(script: Script) -> Bench {
    let bench = Bench::new(0, script).await;
    let cases: String = SENTENCES
        .iter()
        .enumerate()
        .map(|(number, (given, expected, _))| case(&format!("m{number}"), &[(SOURCE, given, expected)]))
        .collect();
    bench.write("cases.jsonl", &cases);
    bench.write("suite.yaml", &suite("openai:words", ""));
    bench
}

fn suite(embedder: &str, more: &str) -> String {
    format!("name: meaning\njudge: {{use: call-intelligence}}\nembedder: '{embedder}'\ncases: cases.jsonl\n{more}")
}

impl Bench {
    /// Runs the suite with the key and the address of `openai:` models in the environment.
    async fn embed(&self, more: &[&str]) -> Ended {
        let mut command =
            self.command(&[&["run", "suite.yaml", "--format", "json", "--results", "r.jsonl"], more].concat());
        command.env("OPENAI_API_KEY", KEY).env("OPENAI_BASE_URL", self.server.openai_url());
        Ended::of(tokio::task::spawn_blocking(move || command.output().expect("started")).await.expect("ended"))
    }

    fn results(&self) -> Vec<Value> {
        self.read("r.jsonl").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// The texts that were sent, over all requests.
    fn texts(&self) -> Vec<String> {
        self.server.requests().iter().flat_map(|request| request.texts()).collect()
    }
}

fn figure(document: &Value, number: usize) -> Option<f64> {
    document["models"][format!("m{number}")]["metrics"]["translation.meaning_accuracy"]["value"].as_f64()
}

fn usage(ended: &Ended, names: [&str; 4]) -> [u64; 4] {
    names.map(|name| ended.json()["usage"][name].as_u64().expect("a count"))
}

const COUNTS: [&str; 4] = ["calls", "texts_embedded", "texts_cached", "input_tokens"];

#[test]
fn no_two_words_of_these_sentences_meet_in_one_place() {
    let words: BTreeSet<&str> = SENTENCES.iter().flat_map(|(a, b, _)| a.split(' ').chain(b.split(' '))).collect();
    let all: Vec<&str> = words.iter().copied().collect();
    assert_eq!(bag_of_words(&all.join(" ")).iter().filter(|count| **count > 0.0).count(), words.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_are_those_worked_out_by_hand_and_a_second_run_asks_nothing() {
    let bench = bench(Script::always(Reply::Vectors(Slip::Shuffled))).await;
    let first = bench.embed(&[]).await;
    assert_eq!(first.code, Some(0), "{first:?}");
    let document = first.json();
    for (number, (given, expected, cosine)) in SENTENCES.iter().enumerate() {
        let found = figure(&document, number).expect("a figure");
        assert!((found - cosine).abs() < 1e-7, "{given} / {expected}: {found} for {cosine}");
        let metric = &document["models"][format!("m{number}")]["metrics"]["translation.meaning_accuracy"];
        assert_eq!((&metric["method"], &metric["n"]), (&json!("embedding"), &json!(1)));
    }
    assert_eq!(document["judge"]["embedder"], "openai:words");
    // No text was sent twice, though two of the cases share one. Tokens are the words that were sent.
    assert_eq!((bench.texts().len(), bench.texts().iter().collect::<BTreeSet<_>>().len()), (TEXTS, TEXTS));
    let words: usize = bench.texts().iter().map(|text| text.split(' ').count()).sum();
    let [calls, embedded, cached, tokens] = usage(&first, COUNTS);
    assert_eq!((embedded + cached, embedded, tokens), (7, TEXTS as u64, words as u64));
    assert_eq!(calls, bench.server.stats().requests as u64);
    let lines = bench.read("r.jsonl");

    let second = bench.embed(&[]).await;
    assert_eq!((second.code, bench.server.stats().requests as u64), (Some(0), calls));
    assert_eq!(bench.read("r.jsonl"), lines, "the same answers give the same bytes");
    assert_eq!(second.json()["models"], document["models"]);
    assert_eq!(usage(&second, COUNTS), [0, 0, 7, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sentence_that_many_cases_share_is_embedded_once() {
    let bench = bench(Script::default()).await;
    let cases: String = (0..40)
        .map(|number| {
            let own = format!("case {number} alone");
            // Each names the shared sentences in another order.
            let shared = if number % 2 == 0 { ("one shared", "two shared") } else { ("two shared", "one shared") };
            case(&format!("m{number}"), &[(SOURCE, shared.0, shared.1), (SOURCE, &own, shared.0)])
        })
        .collect();
    bench.write("cases.jsonl", &cases);
    let ended = bench.embed(&["--concurrency", "16"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!((bench.texts().len(), bench.texts().iter().collect::<BTreeSet<_>>().len()), (42, 42));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_has_its_kind_and_sentence_and_invents_nothing() {
    for (reply, kind, said) in [
        (Reply::Vectors(Slip::OneMissing), "embedding_failed", "openai:words: the server gave 1 vector for 2 texts"),
        (
            Reply::Vectors(Slip::OneShorter),
            "embedding_failed",
            "openai:words: the vector of text 0 has 64 numbers and that of text 1 has 63",
        ),
        (
            Reply::Vectors(Slip::NotANumber),
            "embedding_failed",
            "openai:words: the vector of text 1 holds something that is no number",
        ),
        (
            Reply::status(400, "text 1 is too long"),
            "bad_request",
            "openai:words: the server answered 400: text 1 is too long",
        ),
        (Reply::status(500, "oops"), "server_error", "openai:words: the server answered 500: oops"),
        (
            Reply::error(429, "come back tomorrow", "rate_limit_exceeded", &[("Retry-After", "86400")]),
            "rate_limited",
            "openai:words: the server answered 429: come back tomorrow; the server asks to wait 86400 s, which is too long",
        ),
    ] {
        let broken = reply.clone();
        let first = SENTENCES[0].0;
        let script =
            Script::new(
                move |received| {
                    if received.texts().iter().any(|text| text == first) { broken.clone() } else { Reply::Filled }
                },
            );
        let bench = bench(script).await;
        let ended = bench.embed(&["--retries", "0"]).await;
        assert_eq!(ended.code, Some(3), "{reply:?} {ended:?}");
        let document = ended.json();
        assert_eq!(document["failures"], json!({kind: 1}));
        assert_eq!(document["cases"], json!({"total": 4, "judged": 3, "failed": 1, "skipped": 0}));
        let score = &document["models"]["m0"]["metrics"]["translation.score"];
        assert!(score["value"].is_null() && score["bounds"].is_array(), "undecided, as its only case failed: {score}");
        let line = &bench.results()[0];
        assert_eq!((&line["error"]["kind"], &line["error"]["message"]), (&json!(kind), &json!(said)));
        assert_eq!((&line["metrics"], &line["labels"]), (&json!({}), &json!({})));
        // The same command tries that case again, and nothing else.
        let before = bench.texts().len();
        bench.embed(&["--retries", "0"]).await;
        assert_eq!(bench.texts()[before..], [SENTENCES[0].0, SENTENCES[0].1]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_not_there_ends_the_run() {
    let bench = bench(Script::always(Reply::status(404, "no model `words`"))).await;
    let ended = bench.embed(&["--concurrency", "1"]).await;
    assert_eq!((ended.code, &ended.json()["status"]), (Some(3), &json!("stopped")), "{ended:?}");
    assert_eq!(bench.server.stats().requests, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_texts_go_in_batches_and_a_batch_that_was_had_is_not_asked_again() {
    let failing = Script::new(|received| match received.repetition {
        0 if received.texts().iter().any(|text| text == "sentence 39 expected") => Reply::status(400, "not today"),
        _ => Reply::Filled,
    });
    let bench = bench(failing).await;
    let sentences: Vec<(String, String)> =
        (0..40).map(|number| (format!("sentence {number} given"), format!("sentence {number} expected"))).collect();
    let sentences: Vec<_> =
        sentences.iter().map(|(given, expected)| (SOURCE, given.as_str(), expected.as_str())).collect();
    bench.write("cases.jsonl", &case("m0", &sentences));
    let first = bench.embed(&[]).await;
    assert_eq!((first.code, bench.server.stats().requests), (Some(3), 3), "80 texts in batches of 32: {first:?}");
    assert_eq!(usage(&first, COUNTS)[..2], [2, 64]);
    let second = bench.embed(&[]).await;
    assert_eq!((second.code, bench.server.stats().requests), (Some(0), 4), "{second:?}");
    assert_eq!(usage(&second, COUNTS)[..3], [1, 16, 64]);
    // Of the three words of each sentence two are shared, unless two of them meet in one place.
    let expected: f64 = sentences
        .iter()
        .map(|(_, given, expected)| {
            let (given, expected) = (bag_of_words(given), bag_of_words(expected));
            let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
            product(&given, &expected) / (product(&given, &given) * product(&expected, &expected)).sqrt()
        })
        .sum();
    assert!((figure(&second.json(), 0).expect("a figure") - expected / 40.0).abs() < 1e-9);
}

#[tokio::test(flavor = "multi_thread")]
async fn asked_anew_the_new_vectors_are_kept_or_not_as_with_answers() {
    // The first four requests are answered as they should be; from the fifth on the vectors are those of another model.
    let bench = bench(Script::new(|received| match received.number {
        0..4 => Reply::Filled,
        _ => Reply::Vectors(Slip::Halved),
    }))
    .await;
    let figures = |ended: &Ended| -> Vec<Option<f64>> { (0..4).map(|number| figure(&ended.json(), number)).collect() };
    let requests = || bench.server.stats().requests;
    let old = figures(&bench.embed(&["--concurrency", "1"]).await);
    assert!(requests() <= 4, "{}", requests());
    while requests() < 4 {
        bench.embed(&["--no-cache", "--only", "m0"]).await;
    }
    let ignored = bench.embed(&["--no-cache"]).await;
    assert_ne!(figures(&ignored), old);
    assert_eq!(usage(&ignored, COUNTS)[1..3], [7, 0]);
    let after = requests();
    assert_eq!((figures(&bench.embed(&[]).await), requests()), (old.clone(), after), "what was there stays");
    let refreshed = figures(&bench.embed(&["--refresh"]).await);
    assert_eq!(refreshed, figures(&ignored));
    let after = requests();
    assert_eq!((figures(&bench.embed(&[]).await), requests()), (refreshed, after), "what is new is there");
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_of_two_models_under_one_name_are_not_compared() {
    let bench = bench(Script::new(|received| match received.texts().contains(&"brand new".to_owned()) {
        true => Reply::Vectors(Slip::Halved),
        false => Reply::Filled,
    }))
    .await;
    bench.embed(&[]).await;
    bench.write("cases.jsonl", &case("m0", &[(SOURCE, "brand new", "no refund")]));
    let ended = bench.embed(&[]).await;
    assert_eq!((ended.code, &ended.json()["failures"]), (Some(3), &json!({"embedding_failed": 1})), "{ended:?}");
    let message = bench.results()[0]["error"]["message"].as_str().expect("a message").to_owned();
    assert!(message.contains("32 and of 64") && message.contains("--refresh"), "{message}");
    assert_eq!(bench.embed(&["--refresh"]).await.code, Some(0), "both from the same model now");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_embeddings_cost_counts_and_the_budget_holds() {
    let bench = bench(Script::default()).await;
    bench.write("prices.toml", "[\"openai:words\"]\ninput = 100000.0\noutput = 0.0\n");
    let refused = bench.embed(&["--max-cost", "1"]).await;
    assert_eq!((refused.code, bench.server.stats().requests), (Some(2), 0));
    assert!(refused.said.contains("the price of `openai:words` is not known"), "{refused:?}");
    bench.write("suite.yaml", &suite("openai:words", "prices: prices.toml\n"));
    // A word is ten cents. The first case has twelve, the second six.
    let stopped = bench.embed(&["--max-cost", "1.5", "--concurrency", "1"]).await;
    assert_eq!((stopped.code, &stopped.json()["status"]), (Some(4), &json!("over_budget")), "{stopped:?}");
    let cost = stopped.json()["usage"]["cost_usd"].as_f64().expect("a cost");
    assert!(cost > 0.0 && cost <= 1.5, "{cost}");
    let rest = bench.embed(&["--max-cost", "10"]).await;
    let more = rest.json()["usage"]["cost_usd"].as_f64().expect("a cost");
    assert_eq!(rest.code, Some(0), "{rest:?}");
    let words: usize = bench.texts().iter().map(|text| text.split(' ').count()).sum();
    assert!((cost + more - words as f64 * 0.1).abs() < 1e-9, "{cost} and {more} for {words} words");
    assert_eq!(bench.texts().len(), TEXTS, "nothing was paid twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_counts_texts_and_cost_and_needs_no_key() {
    let bench = bench(Script::default()).await;
    bench.write("suite.yaml", &suite("openai:text-embedding-3-small", ""));
    let dry = bench.assize(&["run", "suite.yaml", "--dry-run", "--format", "json"]).await;
    assert_eq!((dry.code, bench.server.stats().requests), (Some(0), 0), "{dry:?}");
    let estimate = dry.json()["estimate"].clone();
    assert_eq!((&estimate["texts"], &estimate["cached_texts"]), (&json!(TEXTS), &json!(0)));
    // Every word of the six texts is one token, at 2 cents a million.
    assert_eq!(estimate["input_tokens"], 6 + 6 + 3 + 3 + 3 + 2);
    assert!((estimate["cost_usd"].as_f64().expect("a price") - 23.0 * 0.02 / 1e6).abs() < 1e-15, "{estimate}");
    let shown = bench.assize(&["run", "suite.yaml", "--dry-run"]).await.output;
    let lines = "6 texts for likeness in meaning, with openai:text-embedding-3-small\n0 embedded already, 6 to embed\nabout 23 tokens";
    assert!(shown.contains(lines), "{shown}");
    // To run it, the key is needed.
    let keyless = bench.assize(&["run", "suite.yaml"]).await;
    assert_eq!((keyless.code, bench.server.stats().requests), (Some(2), 0));
    assert!(keyless.said.contains("OPENAI_API_KEY is not set"), "{keyless:?}");
    bench.embed(&["--only", "m1"]).await;
    let dry = bench.assize(&["run", "suite.yaml", "--dry-run", "--format", "json"]).await;
    assert_eq!(dry.json()["estimate"]["cached_texts"], 2);
    let anew = bench.assize(&["run", "suite.yaml", "--dry-run", "--refresh", "--format", "json"]).await;
    let estimate = &anew.json()["estimate"];
    assert_eq!((&estimate["texts"], &estimate["cached_texts"]), (&json!(7), &json!(0)), "one of them for two cases");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_of_the_suite_gives_embeddings_with_its_own_key() {
    let bench = bench(Script::default()).await;
    let ours = format!("providers:\n  ours: {{base_url: '{}', api_key_env: TRIAL_KEY}}\n", bench.server.openai_url());
    bench.write("suite.yaml", &suite("ours:words:v1.5", &ours));
    let ended = bench.assize(&["run", "suite.yaml", "--format", "json"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let request = &bench.server.requests()[0];
    assert_eq!((request.path.as_str(), request.model()), ("/v1/embeddings", "words:v1.5"));
    assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert!((figure(&ended.json(), 1).expect("a figure") - 2.0 / 3.0).abs() < 1e-7);
    let notes = ended.json()["models"]["m1"]["notes"].clone();
    assert_eq!(
        notes[0],
        "Likeness in meaning was measured by ours:words:v1.5: the server does not say which languages the model knows."
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_key_is_nowhere_but_in_the_request() {
    let telling = Script::new(|received| match received.number {
        0 => Reply::WrongModelName(KEY.to_owned()),
        1 => Reply::status(400, &format!("no more for {KEY}")),
        _ => Reply::Filled,
    });
    let bench = bench(telling).await;
    let ended = bench.embed(&["--concurrency", "1"]).await;
    assert_eq!(ended.json()["failures"], json!({"bad_request": 1}), "{ended:?}");
    assert_eq!(bench.server.requests()[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    let shown = bench.assize(&["show", "last", "--failed"]).await;
    assert!(shown.output.contains("[key]"), "{shown:?}");
    bench.assert_no_key(&[&ended.output, &ended.said, &shown.output, &bench.read("r.jsonl")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn letters_say_on_every_scorecard_that_they_are_no_multilingual_model() {
    let bench = bench(Script::default()).await;
    bench.write("suite.yaml", &suite("lexical", ""));
    bench.write(
        "cases.jsonl",
        &[
            case("latin", &[(SOURCE, "caller hold line", "caller hold on")]),
            case("mixed", &[(SOURCE, "caller hold line", "कृपया लाइन पर बने रहें")]),
        ]
        .concat(),
    );
    let document = bench.embed(&[]).await.json();
    let metric = |model: &str| document["models"][model]["metrics"]["translation.meaning_accuracy"].clone();
    assert_eq!((&metric("latin")["method"], metric("mixed")["value"].is_null()), (&json!("rules"), true));
    let no_model = "Likeness in meaning was measured by letters: character trigrams are no multilingual model";
    let no_script = "One pair of texts has no likeness: their scripts differ";
    let note =
        |model: &str, number: usize| document["models"][model]["notes"][number].as_str().expect("a note").to_owned();
    assert!(note("latin", 0).starts_with(no_model) && note("mixed", 0).starts_with(no_model), "{document}");
    assert!(note("mixed", 1).starts_with(no_script), "{document}");
    assert!(bench.results()[1]["labels"]["meaning_undecided"][0]["reason"].as_str().is_some());
    for (format, mixed_only) in [("table", "note: mixed: "), ("markdown", "Note: mixed: ")] {
        let shown = bench.assize(&["run", "suite.yaml", "--format", format]).await.output;
        let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains(no_model) && shown.contains(&format!("{mixed_only}{no_script}")), "{shown}");
    }
    assert_eq!(bench.server.stats().requests, 0);
}
