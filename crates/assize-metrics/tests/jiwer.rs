//! The counts of the error rates against those of jiwer, on real transcripts and on made-up pairs.
//!
//! `jiwer_counts.json` holds what jiwer said of the real pairs (normalised by this crate); its first
//! field names the versions. Where there is a Python with jiwer (`ASSIZE_PYTHON` names it,
//! `python3` otherwise) jiwer is asked again, and about made-up pairs too; otherwise those tests are skipped. To write the file anew:
//! `ASSIZE_PYTHON=… ASSIZE_RECORD=1 cargo test -p assize-metrics --test jiwer`.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    reason = "tests read data and start Python"
)]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use assize_metrics::alignment::{EditCounts, align};
use assize_metrics::error_rate::{character_error_rate, word_error_rate};
use assize_metrics::text::{Normalisation, normalise, words};
use assize_testkit::outside::{python_with, shared_data};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

/// Hits, substitutions, insertions, deletions.
type Counts = [usize; 4];

struct Pair {
    name: String,
    reference: String,
    hypothesis: String,
}

fn in_order(counts: EditCounts) -> Counts {
    [counts.hits, counts.substitutions, counts.insertions, counts.deletions]
}

fn json_file(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or("")
}

fn harper_valley(folder: &Path) -> Vec<Pair> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder.join("harper_valley/transcript")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let call = json_file(path);
            let join = |key: &str| {
                let segments = call.as_array().unwrap();
                let texts: Vec<&str> = segments.iter().map(|segment| text(segment, key)).collect();
                texts.join(" ")
            };
            Pair {
                name: format!("harper_valley/{}", path.file_stem().unwrap().display()),
                reference: join("human_transcript"),
                hypothesis: join("transcript"),
            }
        })
        .collect()
}

fn aci_bench(folder: &Path) -> Vec<Pair> {
    let dialogues = |file: &str| -> BTreeMap<String, String> {
        let mut reader = csv::Reader::from_path(folder.join("aci_bench").join(file)).unwrap();
        let rows: Vec<BTreeMap<String, String>> = reader.deserialize().collect::<Result<_, _>>().unwrap();
        rows.into_iter().map(|mut row| (row.remove("id").unwrap(), row.remove("dialogue").unwrap())).collect()
    };
    let mut heard = dialogues("valid_virtscribe_asr.csv");
    dialogues("valid_virtscribe_humantrans.csv")
        .into_iter()
        .map(|(id, reference)| Pair {
            hypothesis: heard.remove(&id).unwrap(),
            name: format!("aci_bench/{id}"),
            reference,
        })
        .collect()
}

fn spoken_sentences(folder: &Path) -> Vec<Pair> {
    let lines = fs::read_to_string(folder.join("asr_pairs.jsonl")).unwrap();
    lines
        .lines()
        .map(|line| {
            let pair: Value = serde_json::from_str(line).unwrap();
            Pair {
                name: format!("asr_pairs/{}/{}/{}", pair["id"], text(&pair, "tts"), text(&pair, "asr")),
                reference: text(&pair, "reference").to_owned(),
                hypothesis: text(&pair, "hypothesis").to_owned(),
            }
        })
        .collect()
}

fn real_pairs(folder: &Path) -> Vec<Pair> {
    let mut pairs = harper_valley(folder);
    pairs.extend(aci_bench(folder));
    pairs.extend(spoken_sentences(folder));
    pairs
}

fn our_counts(pair: &Pair) -> (Counts, Counts) {
    let normal = Normalisation::default();
    let words = word_error_rate(&pair.reference, &pair.hypothesis, &normal).unwrap();
    let characters = character_error_rate(&pair.reference, &pair.hypothesis, &normal).unwrap();
    (in_order(words.counts), in_order(characters.counts))
}

/// What jiwer is asked about a pair: our words, joined so that it cuts them at the same places.
fn question(pair: &Pair) -> Value {
    let normal = Normalisation::default();
    let [reference, hypothesis] = [&pair.reference, &pair.hypothesis].map(|text| normalise(text, &normal));
    json!({
        "words": [words(&reference).join(" "), words(&hypothesis).join(" ")],
        "characters": [reference, hypothesis],
    })
}

/// jiwer's answers, the versions first; `None` where no Python has it.
fn ask_jiwer(questions: &[Value]) -> Option<Vec<Value>> {
    let python = python_with("jiwer")?;
    let mut asked = Command::new(&python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jiwer_counts.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = asked.stdin.take().unwrap();
    let lines: String = questions.iter().map(|question| format!("{question}\n")).collect();
    let writer = std::thread::Builder::new().spawn(move || input.write_all(lines.as_bytes()).unwrap()).unwrap();
    let output = asked.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).unwrap();
    Some(answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn recorded_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jiwer_counts.json")
}

#[test]
fn real_pairs_have_the_recorded_counts() {
    let Some(folder) = shared_data("") else { return };
    if std::env::var("ASSIZE_RECORD").is_ok() {
        return;
    }
    let recorded = json_file(&recorded_path());
    let recorded = recorded["pairs"].as_object().unwrap();
    let pairs = real_pairs(&folder);
    assert_eq!(recorded.len(), pairs.len());
    for pair in pairs {
        let (words, characters) = our_counts(&pair);
        let expected = &recorded[&pair.name];
        assert_eq!(json!(words), expected["words"], "{}", pair.name);
        assert_eq!(json!(characters), expected["characters"], "{}", pair.name);
    }
}

#[test]
fn real_pairs_have_the_counts_that_jiwer_gives_now() {
    let Some(folder) = shared_data("") else { return };
    let pairs = real_pairs(&folder);
    let questions: Vec<Value> = pairs.iter().map(question).collect();
    let Some(answers) = ask_jiwer(&questions) else {
        return;
    };
    let (versions, answers) = answers.split_first().unwrap();
    assert_eq!(answers.len(), pairs.len());
    for (pair, answer) in pairs.iter().zip(answers) {
        let (words, characters) = our_counts(pair);
        assert_eq!(json!(words), answer["words"], "{}", pair.name);
        assert_eq!(json!(characters), answer["characters"], "{}", pair.name);
    }
    if std::env::var("ASSIZE_RECORD").is_ok() {
        let lines: Vec<String> =
            pairs.iter().zip(answers).map(|(pair, answer)| format!("    {}: {answer}", json!(pair.name))).collect();
        let file = format!("{{\n  \"versions\": {versions},\n  \"pairs\": {{\n{}\n  }}\n}}\n", lines.join(",\n"));
        fs::write(recorded_path(), file).unwrap();
    }
}

/// A reference over `alphabet` words and a copy with about `noise` percent of errors.
fn made_up_pair(random: &mut ChaCha8Rng, length: u32, alphabet: u32, noise: u32) -> [Vec<u32>; 2] {
    let reference: Vec<u32> = (0..length).map(|_| random.next_u32() % alphabet).collect();
    let mut hypothesis = Vec::new();
    for &word in &reference {
        let other = random.next_u32() % alphabet;
        match random.next_u32() % 300 {
            fate if fate < noise => {}
            fate if fate < 2 * noise => hypothesis.push(other),
            fate if fate < 3 * noise => hypothesis.extend([word, other]),
            _ => hypothesis.push(word),
        }
    }
    [reference, hypothesis]
}

#[test]
fn made_up_pairs_have_the_counts_that_jiwer_gives() {
    let mut random = ChaCha8Rng::seed_from_u64(20_240_607);
    let mut pairs = Vec::new();
    for length in [1, 2, 5, 20, 63, 64, 65, 128, 200] {
        for alphabet in [2, 5, 50] {
            for noise in [5, 30, 70, 100] {
                for _ in 0..10 {
                    pairs.push(made_up_pair(&mut random, length, alphabet, noise));
                }
            }
        }
    }
    // From about 2,048 x 2,048 the pair is halved, once or many times.
    for length in [2_000, 2_100, 3_000, 5_000, 9_000] {
        for (alphabet, noise) in [(2, 50), (4, 100), (20, 3), (20, 60), (3_000, 40)] {
            pairs.push(made_up_pair(&mut random, length, alphabet, noise));
        }
    }
    // Lengths far apart, and nothing in common.
    let [long, _] = made_up_pair(&mut random, 20_000, 30, 0);
    let [short, _] = made_up_pair(&mut random, 900, 30, 0);
    pairs.push([short.clone(), long.clone()]);
    pairs.push([long.clone(), short]);
    pairs.push([vec![7; 3_000], long.iter().map(|word| word + 100).collect()]);

    let joined = |words: &[u32]| {
        let words: Vec<String> = words.iter().map(u32::to_string).collect();
        words.join(" ")
    };
    let questions: Vec<Value> =
        pairs.iter().map(|[reference, hypothesis]| json!({"words": [joined(reference), joined(hypothesis)]})).collect();
    let Some(answers) = ask_jiwer(&questions) else {
        return;
    };
    for ([reference, hypothesis], answer) in pairs.iter().zip(&answers[1..]) {
        let counts = in_order(align(reference, hypothesis).unwrap().counts);
        let sizes = (reference.len(), hypothesis.len());
        assert_eq!(json!(counts), answer["words"], "{sizes:?}");
    }
}
