//! Likeness in meaning through whole runs, by real models. Where a model's folder is not named, that is said and passed over.

use crate::bench::assize_in;
use serde_json::{Value, json};

/// A model's folder, from the variable that names it.
#[expect(clippy::print_stderr, reason = "what was not tested must be said")]
fn folder_of(variable: &str) -> Option<String> {
    let folder = std::env::var(variable).ok().filter(|folder| !folder.is_empty());
    if folder.is_none() {
        eprintln!("skipped: {variable} names no folder");
    }
    folder
}

/// A translation of one sentence, with what was expected.
fn case(id: &str, source: &str, translated: &str, expected: &str) -> String {
    let outcome = |text: &str| {
        json!({
            "full_translation": text,
            "sentence_translations": [{"source_id": 1, "source_text": source, "translated_text": text}],
            "domain_terms_handled": [], "named_entities_handled": [],
        })
    };
    let case = json!({
        "id": id, "model": id, "task": "translation", "transcript": [{"id": 1, "speaker": "agent", "text": source}],
        "model_output": outcome(translated), "expected_outcome": outcome(expected), "config": {},
    });
    format!("{case}\n")
}

/// The meaning accuracy of each case under an embedder.
fn measured(embedder: &str, cases: &[String]) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let suite =
        format!("name: meaning\njudge: {{use: call-intelligence}}\nembedder: '{embedder}'\ncases: cases.jsonl\n");
    std::fs::write(folder.path().join("suite.yaml"), suite).expect("written");
    std::fs::write(folder.path().join("cases.jsonl"), cases.concat()).expect("written");
    let ended = assize_in(folder.path(), &["run", "suite.yaml", "--format", "json"]);
    assert_eq!(ended.code, Some(0), "{}", ended.said);
    let models = ended.json()["models"].clone();
    let metrics = models.as_object().expect("models").iter();
    metrics
        .map(|(model, card)| (model.clone(), card["metrics"]["translation.meaning_accuracy"].clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

#[test]
fn german_spanish_and_japanese_by_the_multilingual_model_and_no_figure_for_hindi() {
    let Some(folder) = folder_of("ASSIZE_MUSE_DIR") else { return };
    let english = "The refund will reach your card in five days.";
    let found = measured(
        &format!("muse:{folder}"),
        &[
            case(
                "de",
                english,
                "Die Rückerstattung ist in fünf Tagen auf Ihrer Karte.",
                "Das Geld kommt in fünf Tagen auf Ihre Karte zurück.",
            ),
            case(
                "es",
                english,
                "El reembolso llegará a su tarjeta en cinco días.",
                "Recibirá el reembolso en su tarjeta dentro de cinco días.",
            ),
            case("ja", english, "返金は五日以内にカードに届きます。", "五日以内にカードへ返金されます。"),
            case("hi", english, "रिफंड पाँच दिनों में आपके कार्ड पर आ जाएगा।", "पाँच दिनों में पैसा आपके कार्ड पर वापस आएगा।"),
            case(
                "wrong",
                english,
                "Das Wetter in den Bergen ist heute schön.",
                "Das Geld kommt in fünf Tagen auf Ihre Karte zurück.",
            ),
        ],
    );
    for language in ["de", "es", "ja"] {
        let metric = &found[language];
        assert_eq!(metric["method"], "embedding", "{metric}");
        assert!(metric["value"].as_f64().expect("a figure") > 0.6, "{language}: {metric}");
    }
    assert!(found["wrong"]["value"].as_f64().expect("a figure") < 0.4, "{}", found["wrong"]);
    assert_eq!(found["hi"]["value"], Value::Null, "a language the model does not know has no figure");
}

#[test]
fn english_by_a_folder_of_sentence_transformers() {
    let Some(folder) = folder_of("ASSIZE_MINILM_DIR") else { return };
    let german = "Die Rückerstattung ist in fünf Tagen auf Ihrer Karte.";
    let found = measured(
        &format!("local:{folder}"),
        &[
            case(
                "near",
                german,
                "The refund reaches your card in five days.",
                "You will get the money back on your card within five days.",
            ),
            case(
                "far",
                german,
                "The weather in the mountains is nice.",
                "You will get the money back on your card within five days.",
            ),
        ],
    );
    let value = |name: &str| found[name]["value"].as_f64().expect("a figure");
    assert!(value("near") > 0.6 && value("far") < 0.3, "{found}");
}
