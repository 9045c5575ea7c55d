//! Cases laid out for a reader.

use super::super::compared::{Parts, compared};
use super::*;

fn laid_out(record: Value) -> super::super::compared::Compared {
    compared(&case(&*build("{}"), record), &super::settings::Settings::default()).expect("a case of this system")
}

#[test]
fn questions_stand_side_by_side_whatever_the_output_is_wrapped_in() {
    let output = json!({"questions": [{"question_id": "Q1", "score": 5, "reason": "polite"}]}).to_string();
    let laid_out = laid_out(json!({
        "task": "qa", "transcript": [{"speaker": "agent", "text": "Good morning", "start": 12, "end": 15}],
        "expected_outcome": {"questions": [
            {"question_id": "Q1", "score": 0, "max_score": 10, "type": "PASS_FAIL", "reason": "no greeting"},
            {"question_id": "Q2", "score": 3, "max_score": 5, "type": "SCORE", "reason": "r"},
        ]},
        "model_output": format!("Here:\n```json\n{output}\n```"),
        "config": {"questions": [{"id": "Q1", "text": "Greeting"}]},
    }));
    let Parts::Questions(questions) = &laid_out.parts else { panic!("{laid_out:?}") };
    let [first, second] = questions.as_slice() else { panic!("{questions:?}") };
    assert_eq!((first.asked.as_deref(), first.reason.as_deref()), (Some("Greeting"), Some("polite")));
    assert_eq!((first.expected, first.given, first.gap, first.correct), (Some(0.0), Some(5.0), Some(0.5), false));
    assert!(first.false_pass && first.pass_fail);
    assert_eq!((second.given, second.gap, second.correct), (None, Some(1.0), false));
    assert_eq!(laid_out.place_of(14.0).map(|place| &laid_out.transcript()[place]), Some("agent: Good morning"));
    assert_eq!(laid_out.place_of(90.0), None);
}

#[test]
fn entities_and_sentences_stand_side_by_side() {
    let entities = laid_out(json!({
        "task": "entity", "expected_outcome": {"keywords": ["refund", "KYC"]}, "model_output": {"keywords": ["Refund", "plan"]},
        "config": {"keywords": ["refund", "KYC"]},
    }));
    let Parts::Entities(entities) = entities.parts else { panic!("{entities:?}") };
    let seen: Vec<_> =
        entities.iter().map(|found| (found.name.as_str(), found.expected, found.detected, found.configured)).collect();
    assert_eq!(
        seen,
        [("refund", true, true, Some(true)), ("KYC", true, false, Some(true)), ("plan", false, true, Some(false))]
    );
    let sentence = |id: u32, text: &str| json!({"source_id": id, "source_text": "s", "translated_text": text});
    let translated = laid_out(json!({
        "task": "translation",
        "expected_outcome": {"sentence_translations": [sentence(1, "eins"), sentence(2, "zwei")]},
        "model_output": {"sentence_translations": [sentence(2, "drei")]},
    }));
    let Parts::Translations(sentences) = translated.parts else { panic!("{translated:?}") };
    let seen: Vec<_> =
        sentences.iter().map(|one| (one.id.as_str(), one.expected.as_deref(), one.given.as_deref())).collect();
    assert_eq!(seen, [("1", Some("eins"), None), ("2", Some("zwei"), Some("drei"))]);
    let sentiment = laid_out(json!({
        "task": "text", "expected_outcome": {"sentiment": [{"sentence_id": 7, "text": "Oh no", "label": "negative"}]},
        "model_output": "no JSON at all",
    }));
    let Parts::Sentiments(sentences) = sentiment.parts else { panic!("{sentiment:?}") };
    assert_eq!((sentences[0].source.as_deref(), sentences[0].given.as_deref()), (Some("Oh no"), None));
}
