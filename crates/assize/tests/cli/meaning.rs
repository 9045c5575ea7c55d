//! Likeness in meaning through whole runs, by real models. Where a model's folder is not named, its test is skipped.

use crate::bench::assize_in;
use assize_testkit::outside::folder_in;
use serde_json::{Value, json};

/// A translation: of each sentence the source, what was given and what was expected.
pub(crate) fn case(id: &str, sentences: &[(&str, &str, &str)]) -> String {
    let outcome = |pick: &dyn Fn(&(&str, &str, &str)) -> String| {
        let translations: Vec<Value> = sentences
            .iter()
            .enumerate()
            .map(|(number, sentence)| {
                json!({"source_id": number + 1, "source_text": sentence.0, "translated_text": pick(sentence)})
            })
            .collect();
        json!({
            "full_translation": sentences.iter().map(pick).collect::<Vec<_>>().join(" "),
            "sentence_translations": translations, "domain_terms_handled": [], "named_entities_handled": [],
        })
    };
    let transcript: Vec<Value> = sentences
        .iter()
        .enumerate()
        .map(|(number, sentence)| json!({"id": number + 1, "speaker": "agent", "text": sentence.0}))
        .collect();
    let case = json!({
        "id": id, "model": id, "task": "translation", "transcript": transcript, "config": {},
        "model_output": outcome(&|sentence| sentence.1.to_owned()),
        "expected_outcome": outcome(&|sentence| sentence.2.to_owned()),
    });
    format!("{case}\n")
}

/// Cases judged with an embedder: the run's document and its result lines. They are judged twice, and the second time no
/// text is embedded and the same comes of it. The first time each different one of the `uses` of texts is.
fn measured(embedder: &str, cases: &[String], texts: u64, uses: u64) -> (Value, Vec<Value>) {
    let folder = tempfile::tempdir().expect("a folder");
    let suite =
        format!("name: meaning\njudge: {{use: call-intelligence}}\nembedder: '{embedder}'\ncases: cases.jsonl\n");
    std::fs::write(folder.path().join("suite.yaml"), suite).expect("written");
    std::fs::write(folder.path().join("cases.jsonl"), cases.concat()).expect("written");
    let run = || {
        let ended = assize_in(folder.path(), &["run", "suite.yaml", "--format", "json", "--results", "r.jsonl"]);
        assert_eq!(ended.code, Some(0), "{}", ended.said);
        (ended.json(), std::fs::read_to_string(folder.path().join("r.jsonl")).expect("results"))
    };
    let (first, second) = (run(), run());
    let used = |document: &Value| {
        let usage = &document["usage"];
        (
            usage["texts_embedded"].clone(),
            usage["texts_cached"].clone(),
            usage["calls"].clone(),
            usage["cost_usd"].clone(),
        )
    };
    let none = json!(0);
    let free = json!(0.0);
    assert_eq!(used(&first.0), (json!(texts), json!(uses - texts), none.clone(), free.clone()));
    assert_eq!(used(&second.0), (none.clone(), json!(uses), none, free));
    assert_eq!((&first.1, &first.0["models"]), (&second.1, &second.0["models"]));
    (first.0, first.1.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

/// The meaning accuracy of a model.
fn accuracy(document: &Value, model: &str) -> Value {
    document["models"][model]["metrics"]["translation.meaning_accuracy"].clone()
}

#[test]
fn german_spanish_and_japanese_by_the_multilingual_model_and_no_figure_for_hindi() {
    let Some(folder) = folder_in("ASSIZE_MUSE_DIR") else { return };
    let english = "The refund will reach your card in five days.";
    let german = "Das Geld kommt in fünf Tagen auf Ihre Karte zurück.";
    let pairs = [
        ("de", "Die Rückerstattung ist in fünf Tagen auf Ihrer Karte.", german),
        (
            "es",
            "El reembolso llegará a su tarjeta en cinco días.",
            "Recibirá el reembolso en su tarjeta dentro de cinco días.",
        ),
        ("ja", "返金は五日以内にカードに届きます。", "五日以内にカードへ返金されます。"),
        ("hi", "रिफंड पाँच दिनों में आपके कार्ड पर आ जाएगा।", "पाँच दिनों में पैसा आपके कार्ड पर वापस आएगा।"),
        ("wrong", "Das Wetter in den Bergen ist heute schön.", german),
    ];
    let cases = pairs.map(|(id, given, expected)| case(id, &[(english, given, expected)]));
    // One German sentence stands twice, and the two in Hindi are not embedded at all.
    let (document, results) = measured(&format!("muse:{}", folder.display()), &cases, 7, 8);
    for language in ["de", "es", "ja"] {
        let metric = accuracy(&document, language);
        assert_eq!(metric["method"], "embedding", "{metric}");
        assert!(metric["value"].as_f64().expect("a figure") > 0.6, "{language}: {metric}");
    }
    let wrong = accuracy(&document, "wrong");
    assert!(wrong["value"].as_f64().expect("a figure") < 0.4, "{wrong}");
    assert_eq!(accuracy(&document, "hi")["value"], Value::Null, "a language the model does not know has no figure");
    let reason = "the model does not know Hindi or another language in Devanagari script";
    assert_eq!(results[3]["labels"]["meaning_undecided"], json!([{"source_id": "1", "reason": reason}]));
    let notes = &document["models"]["hi"]["notes"];
    assert_eq!(notes[0], "Likeness in meaning was measured by muse.");
    assert_eq!(notes[1], format!("One pair of texts has no likeness: {reason}."));
}

#[test]
fn english_by_a_folder_of_sentence_transformers() {
    let Some(folder) = folder_in("ASSIZE_MINILM_DIR") else { return };
    let german = "Die Rückerstattung ist in fünf Tagen auf Ihrer Karte.";
    let expected = "You will get the money back on your card within five days.";
    let cases = [
        case("near", &[(german, "The refund reaches your card in five days.", expected)]),
        case("far", &[(german, "The weather in the mountains is nice.", expected)]),
    ];
    let (document, _) = measured(&format!("local:{}", folder.display()), &cases, 3, 4);
    let value = |name: &str| accuracy(&document, name)["value"].as_f64().expect("a figure");
    assert!(value("near") > 0.6 && value("far") < 0.3, "{document}");
}
