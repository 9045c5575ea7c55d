//! Vectors and cosines against those of the Python packages, recorded in `reference/`.
//!
//! The models are found through `ASSIZE_MUSE_DIR` and `ASSIZE_MINILM_DIR`; `tests/fetch-models` gets them. Where one is
//! absent its tests are skipped.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may fail, and says how far it agrees")]

use std::collections::HashMap;
use std::path::Path;

use assize_embed::{Embedder, Language, Languages, Passage, Unmeasured, cosine, open, similarities, similarity};
use assize_testkit::outside::folder_in;
use serde::Deserialize;

const TOLERANCE: f64 = 1e-4;

#[derive(Deserialize)]
struct Texts {
    long: Long,
    pairs: HashMap<String, Vec<(String, String, String)>>,
}

#[derive(Deserialize)]
struct Long {
    sentence: String,
}

#[derive(Deserialize)]
struct Recorded {
    vectors: Vec<RecordedVector>,
    cosines: HashMap<String, Vec<f64>>,
}

#[derive(Deserialize)]
struct RecordedVector {
    text: String,
    #[serde(default)]
    times: usize,
    vector: Vec<f32>,
}

fn reference<T: for<'de> Deserialize<'de>>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn muse() -> Option<Box<dyn Embedder>> {
    let folder = folder_in("ASSIZE_MUSE_DIR")?;
    Some(open(&format!("muse:{}", folder.display()), Path::new(".")).unwrap())
}

fn minilm() -> Option<Box<dyn Embedder>> {
    let folder = folder_in("ASSIZE_MINILM_DIR")?;
    Some(open(&format!("local:{}", folder.display()), Path::new(".")).unwrap())
}

fn passages(pairs: &[(String, String, String)]) -> Vec<(Passage<'_>, Passage<'_>)> {
    pairs.iter().map(|(_, a, b)| (a.as_str().into(), b.as_str().into())).collect()
}

/// Compares all recorded vectors and cosines, and prints the largest differences.
fn agrees(embedder: &dyn Embedder, file: &str) {
    let texts: Texts = reference("texts.json");
    let recorded: Recorded = reference(file);
    let inputs: Vec<String> = recorded
        .vectors
        .iter()
        .map(
            |recorded| {
                if recorded.times > 0 { texts.long.sentence.repeat(recorded.times) } else { recorded.text.clone() }
            },
        )
        .collect();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let vectors = embedder.embed(&inputs).unwrap();
    let mut largest = 0.0f64;
    for ((vector, recorded), text) in vectors.iter().zip(&recorded.vectors).zip(&inputs) {
        assert_eq!(vector.len(), recorded.vector.len());
        for (x, y) in vector.iter().zip(&recorded.vector) {
            let difference = f64::from((x - y).abs());
            assert!(difference < TOLERANCE, "{text:.60}: {x} for {y}");
            largest = largest.max(difference);
        }
    }
    let mut largest_of_cosines = 0.0f64;
    for (kind, cosines) in &recorded.cosines {
        let found = similarities(embedder, &passages(&texts.pairs[kind])).unwrap();
        assert_eq!(found.len(), cosines.len());
        for ((found, expected), pair) in found.iter().zip(cosines).zip(&texts.pairs[kind]) {
            let found = found.cosine().unwrap_or_else(|| panic!("{pair:?}: {:?}", found.reason()));
            assert!((found - expected).abs() < TOLERANCE, "{pair:?}: {found} for {expected}");
            largest_of_cosines = largest_of_cosines.max((found - expected).abs());
        }
    }
    eprintln!("{}: vectors agree to {largest:.1e}, cosines to {largest_of_cosines:.1e}", embedder.name());
}

/// A text's vector is the same to the last bit alone, in any company, and on another run.
fn does_not_depend_on_company(embedder: &dyn Embedder) {
    let texts: Texts = reference("texts.json");
    let all: Vec<&str> =
        texts.pairs.values().flatten().flat_map(|(_, a, b)| [a.as_str(), b.as_str()]).cycle().take(150).collect();
    let together = embedder.embed(&all).unwrap();
    for (text, vector) in all.iter().zip(&together).take(40) {
        assert_eq!(embedder.embed(&[text]).unwrap()[0], *vector, "{text}");
    }
    assert!(embedder.embed(&[]).unwrap().is_empty());
}

#[test]
fn muse_agrees_with_python() {
    let Some(muse) = muse() else { return };
    agrees(&*muse, "muse.json");
    does_not_depend_on_company(&*muse);
}

#[test]
fn minilm_agrees_with_python() {
    let Some(minilm) = minilm() else { return };
    agrees(&*minilm, "minilm.json");
    does_not_depend_on_company(&*minilm);
    assert_eq!(minilm.languages(), Languages::from_codes(&["en"]).unwrap());
}

#[test]
fn muse_tells_translations_from_other_texts() {
    let Some(muse) = muse() else { return };
    let texts: Texts = reference("texts.json");
    for (kind, range) in [("translations", 0.65..=0.95), ("unrelated", -0.27..=0.27)] {
        let pairs = &texts.pairs[kind];
        for ((language, a, b), found) in pairs.iter().zip(similarities(&*muse, &passages(pairs)).unwrap()) {
            assert!(range.contains(&found.cosine().unwrap()), "{language}: {a} / {b}: {found:?}");
        }
    }
}

#[test]
fn muse_says_that_it_does_not_know_hindi() {
    let Some(muse) = muse() else { return };
    let reason = |a: Passage<'_>, b: Passage<'_>| similarity(&*muse, a, b).unwrap().reason();
    let hindi = Language::from_code("hi").unwrap();
    let text = "मेरा भुगतान विफल हो गया है और मुझे समझ नहीं आ रहा कि ऐसा क्यों हुआ।";
    let english = "My payment failed and I do not understand why that happened.";
    let found = reason(english.into(), text.into()).unwrap();
    assert_eq!(found, Unmeasured::LanguageNotKnown(hindi));
    assert_eq!(found.to_string(), "the model does not know Hindi");
    // Short ones are refused for their script, romanised ones where the language was stated.
    assert!(reason("पेमेंट".into(), "payment".into()).unwrap().to_string().starts_with("the model does not know Hindi"));
    assert_eq!(
        reason(Passage::new("mera payment nahi hua", hindi), english.into()),
        Some(Unmeasured::LanguageNotKnown(hindi))
    );
    // Swedish and Czech are written like languages it knows, and are none of them.
    for (text, name) in [
        ("Jag skulle vilja veta varför min faktura är högre den här månaden än förra månaden.", "Swedish"),
        ("Chtěl bych vědět, proč je můj účet tento měsíc vyšší než minulý měsíc.", "Czech"),
    ] {
        assert_eq!(reason(english.into(), text.into()).unwrap().to_string(), format!("the model does not know {name}"));
    }
}

#[test]
fn muse_takes_a_very_long_text() {
    let Some(muse) = muse() else { return };
    let long = "Wer zuletzt lacht, lacht am besten. ".repeat(3_000);
    let short = "Wer zuletzt lacht, lacht am besten. ".repeat(200);
    let vectors = muse.embed(&[&long, &short]).unwrap();
    // The sum is divided by the root of the length, so the direction need not stay the same, but must be sound.
    assert!(cosine(&vectors[0], &vectors[1]).unwrap() > 0.5);
}

/// A truncated or changed file of the real model gives an error and nothing worse.
#[test]
fn damaged_files_of_real_models_give_errors() {
    let damage = |from: &Path, name: &str, spec: &str| {
        let folder = tempfile::tempdir().unwrap();
        copy(from, folder.path());
        let whole = std::fs::read(from.join(name)).unwrap();
        // A line's end at the end of a file is no loss.
        for keep in [0, 7, 100, whole.len() / 2, whole.trim_ascii_end().len() - 1] {
            std::fs::write(folder.path().join(name), &whole[..keep]).unwrap();
            let error =
                open(&format!("{spec}:."), folder.path()).err().unwrap_or_else(|| panic!("{name} cut to {keep}"));
            assert!(error.path().unwrap().ends_with(name), "{error}");
            assert!(error.hint().is_some());
        }
    };
    if let Some(folder) = folder_in("ASSIZE_MUSE_DIR") {
        damage(&folder, "weights.npz", "muse");
        damage(&folder, "sp.model", "muse");
        let mut whole = std::fs::read(folder.join("weights.npz")).unwrap();
        whole[5_000_000] ^= 1;
        let copy_of = tempfile::tempdir().unwrap();
        copy(&folder, copy_of.path());
        std::fs::write(copy_of.path().join("weights.npz"), whole).unwrap();
        let error = open("muse:.", copy_of.path()).err().unwrap().to_string();
        assert!(error.ends_with("is damaged"), "{error}");
    }
    if let Some(folder) = folder_in("ASSIZE_MINILM_DIR") {
        for name in ["model.safetensors", "tokenizer.json", "config.json", "modules.json"] {
            damage(&folder, name, "local");
        }
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
