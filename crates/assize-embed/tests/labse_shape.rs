//! The steps of LaBSE (first token, dense layer with tanh, length one) and the other ways of pooling, with tiny models
//! that the test writes itself, against what sentence-transformers gives for them (`reference/record.py`).

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may fail, and says what it skipped")]

use std::path::Path;

use assize_embed::{Embedder, Fault, Languages, Local};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Reference {
    sizes: Sizes,
    pieces: Vec<String>,
    shapes: Vec<Shape>,
}

#[derive(Deserialize)]
struct Sizes {
    hidden: usize,
    layers: usize,
    heads: usize,
    wide: usize,
    positions: usize,
    out: usize,
}

#[derive(Deserialize)]
struct Shape {
    pooling: Vec<String>,
    dense: Option<String>,
    normalize: bool,
    hidden_act: String,
    lowercase: bool,
    vectors: Vec<Recorded>,
}

#[derive(Deserialize)]
struct Recorded {
    text: String,
    vector: Vec<f32>,
}

fn reference() -> Reference {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference/labse_shape.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The sequence of numbers that `record.py` makes too.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
    }
}

fn write_json(path: &Path, value: &Value) {
    std::fs::write(path, value.to_string()).unwrap();
}

fn write_tensors(path: &Path, tensors: &[(String, Vec<usize>)], numbers: &mut Numbers) {
    let mut header = serde_json::Map::new();
    let mut data: Vec<u8> = Vec::new();
    for (name, shape) in tensors {
        let from = data.len();
        for _ in 0..shape.iter().product() {
            let mut value = numbers.next() * 0.5;
            if name.ends_with("LayerNorm.weight") {
                value += 1.0;
            }
            data.extend(value.to_le_bytes());
        }
        header.insert(name.clone(), json!({"dtype": "F32", "shape": shape, "data_offsets": [from, data.len()]}));
    }
    let header = Value::Object(header).to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend(data);
    std::fs::write(path, file).unwrap();
}

fn transformer_tensors(reference: &Reference) -> Vec<(String, Vec<usize>)> {
    let Sizes { hidden, layers, wide, positions, .. } = reference.sizes;
    let mut tensors = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![reference.pieces.len(), hidden]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![positions, hidden]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, hidden]),
        ("embeddings.LayerNorm.weight".to_owned(), vec![hidden]),
        ("embeddings.LayerNorm.bias".to_owned(), vec![hidden]),
    ];
    for n in 0..layers {
        for (part, inner, outer) in [
            ("attention.self.query", hidden, hidden),
            ("attention.self.key", hidden, hidden),
            ("attention.self.value", hidden, hidden),
            ("attention.output.dense", hidden, hidden),
            ("intermediate.dense", hidden, wide),
            ("output.dense", wide, hidden),
        ] {
            tensors.push((format!("encoder.layer.{n}.{part}.weight"), vec![outer, inner]));
            tensors.push((format!("encoder.layer.{n}.{part}.bias"), vec![outer]));
        }
        for part in ["attention.output.LayerNorm", "output.LayerNorm"] {
            tensors.push((format!("encoder.layer.{n}.{part}.weight"), vec![hidden]));
            tensors.push((format!("encoder.layer.{n}.{part}.bias"), vec![hidden]));
        }
    }
    tensors
}

/// Writes the folder of a tiny model, as `record.py` does.
fn write_model(folder: &Path, reference: &Reference, shape: &Shape) {
    let mut numbers = Numbers(12345);
    let sizes = &reference.sizes;
    let special = |name: &str| json!({"SpecialToken": {"id": name, "type_id": 0}});
    let vocabulary: serde_json::Map<String, Value> =
        reference.pieces.iter().enumerate().map(|(n, piece)| (piece.clone(), json!(n))).collect();
    let added: Vec<Value> = (0..5).map(|n| json!({"id": n, "content": reference.pieces[n], "special": true})).collect();
    write_json(
        &folder.join("tokenizer.json"),
        &json!({
            "added_tokens": added,
            "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                "strip_accents": null, "lowercase": shape.lowercase},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {"type": "TemplateProcessing",
                "single": [special("[CLS]"), {"Sequence": {"id": "A", "type_id": 0}}, special("[SEP]")],
                "special_tokens": {"[CLS]": {"ids": [2]}, "[SEP]": {"ids": [3]}}},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                "max_input_chars_per_word": 100, "vocab": vocabulary},
        }),
    );
    write_json(
        &folder.join("config.json"),
        &json!({"model_type": "bert", "hidden_size": sizes.hidden, "num_hidden_layers": sizes.layers,
            "num_attention_heads": sizes.heads, "intermediate_size": sizes.wide,
            "max_position_embeddings": sizes.positions, "vocab_size": reference.pieces.len(), "type_vocab_size": 2,
            "layer_norm_eps": 1e-12, "hidden_act": shape.hidden_act}),
    );
    write_tensors(&folder.join("model.safetensors"), &transformer_tensors(reference), &mut numbers);
    std::fs::create_dir_all(folder.join("1_Pooling")).unwrap();
    let has = |mode: &str| shape.pooling.iter().any(|name| name == mode);
    write_json(
        &folder.join("1_Pooling/config.json"),
        &json!({"word_embedding_dimension": sizes.hidden, "pooling_mode_cls_token": has("cls"),
            "pooling_mode_max_tokens": has("max"), "pooling_mode_mean_tokens": has("mean"),
            "pooling_mode_mean_sqrt_len_tokens": has("mean_sqrt_len_tokens")}),
    );
    let module = |path: &str, kind: &str| json!({"path": path, "type": format!("sentence_transformers.models.{kind}")});
    let mut modules = vec![module("", "Transformer"), module("1_Pooling", "Pooling")];
    if let Some(activation) = &shape.dense {
        modules.push(module("2_Dense", "Dense"));
        std::fs::create_dir_all(folder.join("2_Dense")).unwrap();
        let width = sizes.hidden * shape.pooling.len();
        write_json(
            &folder.join("2_Dense/config.json"),
            &json!({"in_features": width, "out_features": sizes.out, "bias": true,
                "activation_function": format!("torch.nn.modules.activation.{activation}")}),
        );
        let tensors =
            [("linear.weight".to_owned(), vec![sizes.out, width]), ("linear.bias".to_owned(), vec![sizes.out])];
        write_tensors(&folder.join("2_Dense/model.safetensors"), &tensors, &mut numbers);
    }
    if shape.normalize {
        modules.push(module("3_Normalize", "Normalize"));
    }
    write_json(&folder.join("modules.json"), &Value::Array(modules));
    write_json(&folder.join("sentence_bert_config.json"), &json!({"max_seq_length": 40, "do_lower_case": false}));
}

/// A folder with LaBSE's steps, to be damaged.
fn labse() -> (tempfile::TempDir, Reference) {
    let reference = reference();
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path(), &reference, &reference.shapes[0]);
    (folder, reference)
}

#[test]
fn agrees_with_sentence_transformers() {
    let reference = reference();
    assert_eq!(reference.shapes[0].pooling, ["cls"]);
    assert_eq!(reference.shapes[0].dense.as_deref(), Some("Tanh"));
    for shape in &reference.shapes {
        let folder = tempfile::tempdir().unwrap();
        write_model(folder.path(), &reference, shape);
        let model = Local::open(folder.path()).unwrap();
        let texts: Vec<&str> = shape.vectors.iter().map(|recorded| recorded.text.as_str()).collect();
        let mut largest = 0.0f32;
        for (recorded, vector) in shape.vectors.iter().zip(model.embed(&texts).unwrap()) {
            assert_eq!(vector.len(), recorded.vector.len());
            for (x, y) in vector.iter().zip(&recorded.vector) {
                largest = largest.max((x - y).abs());
                assert!((x - y).abs() < 1e-5, "{:?} {:.40}: {x} for {y}", shape.pooling, recorded.text);
            }
        }
        eprintln!("{:?} {:?}: vectors agree to {largest:.1e}", shape.pooling, shape.dense);
    }
}

#[test]
fn languages_come_from_the_readme() {
    let (folder, _) = labse();
    let model = Local::open(folder.path()).unwrap();
    assert_eq!(model.languages(), Languages::Unknown);
    assert!(model.caveat().unwrap().contains("does not say which languages"));
    std::fs::write(folder.path().join("README.md"), "---\nlanguage:\n- multilingual\n- hi\n- en\n---\n# LaBSE\n")
        .unwrap();
    let model = Local::open(folder.path()).unwrap();
    assert_eq!(model.languages(), Languages::from_codes(&["hi", "en"]).unwrap());
    assert_eq!(model.caveat(), None);
}

#[test]
fn the_fingerprint_follows_what_the_vectors_depend_on() {
    let fingerprint = |change: &dyn Fn(&Path)| {
        let (folder, _) = labse();
        change(folder.path());
        Local::open(folder.path()).unwrap().fingerprint().to_owned()
    };
    let edit = |file: &'static str, from: &'static str, to: &'static str| {
        move |folder: &Path| {
            let path = folder.join(file);
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains(from), "{text}");
            std::fs::write(path, text.replace(from, to)).unwrap();
        }
    };
    let whole = fingerprint(&|_| ());
    assert_eq!(fingerprint(&|_| ()), whole);
    assert_eq!(fingerprint(&|folder| std::fs::write(folder.join("notes.txt"), "x").unwrap()), whole);
    let flip = |file: &'static str| {
        move |folder: &Path| {
            let mut bytes = std::fs::read(folder.join(file)).unwrap();
            let last = bytes.len() - 3;
            bytes[last] ^= 1;
            std::fs::write(folder.join(file), bytes).unwrap();
        }
    };
    let changed = [
        fingerprint(&flip("model.safetensors")),
        fingerprint(&flip("2_Dense/model.safetensors")),
        fingerprint(&edit("config.json", "\"gelu\"", "\"relu\"")),
        fingerprint(&edit("config.json", "\"num_attention_heads\":4", "\"num_attention_heads\":2")),
        fingerprint(&edit("2_Dense/config.json", "Tanh", "ReLU")),
        fingerprint(&edit(
            "1_Pooling/config.json",
            "\"pooling_mode_mean_tokens\":false",
            "\"pooling_mode_mean_tokens\":false,\"x\":1",
        )),
        fingerprint(&edit("sentence_bert_config.json", "40", "30")),
        fingerprint(&edit("sentence_bert_config.json", "false", "true")),
        fingerprint(&edit("tokenizer.json", "\"lowercase\":false", "\"lowercase\":true")),
    ];
    for (n, other) in changed.iter().enumerate() {
        // An unknown setting changes nothing.
        assert_eq!(*other == whole, n == 5, "change {n}");
        assert!(!changed[..n].contains(other), "change {n}");
    }
}

#[test]
fn what_is_wrong_with_a_folder_is_said() {
    let error = |change: &dyn Fn(&Path)| {
        let (folder, _) = labse();
        change(folder.path());
        let error = Local::open(folder.path()).unwrap_err();
        assert!(error.hint().is_some());
        error
    };
    let set = |file: &'static str, key: &'static str, value: Value| {
        move |folder: &Path| {
            let path = folder.join(file);
            let mut json: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            *json.pointer_mut(key).unwrap_or_else(|| panic!("{key}")) = value.clone();
            write_json(&path, &json);
        }
    };
    for file in [
        "modules.json",
        "config.json",
        "tokenizer.json",
        "model.safetensors",
        "1_Pooling/config.json",
        "2_Dense/config.json",
        "2_Dense/model.safetensors",
    ] {
        let error = error(&|folder| std::fs::remove_file(folder.join(file)).unwrap());
        assert!(matches!(error.fault(), Fault::Missing), "{error}");
        assert!(error.path().unwrap().ends_with(file), "{error}");
    }
    type Change = Box<dyn Fn(&Path)>;
    let changes: Vec<(Change, &str)> = vec![
        (Box::new(set("config.json", "/model_type", json!("mpnet"))), "a model of the type mpnet"),
        (Box::new(set("config.json", "/hidden_size", json!(64))), "has the shape"),
        (Box::new(set("config.json", "/hidden_size", json!(1u64 << 60))), "has the shape"),
        (Box::new(set("config.json", "/vocab_size", json!(1u64 << 62))), "has the shape"),
        (
            Box::new(set("config.json", "/num_hidden_layers", json!(3))),
            "encoder.layer.2.attention.self.query.weight is not in it",
        ),
        (Box::new(set("config.json", "/num_attention_heads", json!(5))), "no multiple"),
        (Box::new(set("config.json", "/num_attention_heads", json!(0))), "num_attention_heads is 0"),
        (Box::new(set("config.json", "/max_position_embeddings", json!(0))), "below 2"),
        (Box::new(set("config.json", "/layer_norm_eps", json!(-1))), "layer_norm_eps"),
        (Box::new(set("config.json", "/hidden_act", json!("swish"))), "its activation is swish"),
        (Box::new(set("tokenizer.json", "/model/type", json!("Unigram"))), "its model is Unigram"),
        (
            Box::new(set("tokenizer.json", "/model/vocab", json!({"[UNK]": 4_000_000_000u32}))),
            "tokens up to 4000000000",
        ),
        (Box::new(set("tokenizer.json", "/model/unk_token", json!("?unk"))), "unknown token"),
        (Box::new(set("tokenizer.json", "/normalizer/type", json!("NFC"))), "its normalizer is NFC"),
        (
            Box::new(set("tokenizer.json", "/pre_tokenizer/type", json!("Whitespace"))),
            "its pre-tokenizer is Whitespace",
        ),
        (
            Box::new(set("tokenizer.json", "/post_processor/type", json!("ByteLevel"))),
            "its post-processor is ByteLevel",
        ),
        (Box::new(set("modules.json", "/1/path", json!("../../etc"))), "leads out of the folder"),
        (Box::new(set("modules.json", "/1/type", json!("a.WeightedLayerPooling"))), "WeightedLayerPooling"),
        (Box::new(set("modules.json", "/0/type", json!("a.CLIPModel"))), "CLIPModel"),
        (Box::new(set("2_Dense/config.json", "/in_features", json!(7))), "vectors of 7 elements"),
        (Box::new(set("2_Dense/config.json", "/out_features", json!(1u64 << 60))), "has the shape"),
        (Box::new(set("2_Dense/config.json", "/activation_function", json!("torch.nn.SiLU"))), "torch.nn.SiLU"),
        (Box::new(set("sentence_bert_config.json", "/max_seq_length", json!(1))), "below 2"),
        (
            Box::new(|folder| {
                std::fs::rename(folder.join("model.safetensors"), folder.join("pytorch_model.bin")).unwrap()
            }),
            "save it again",
        ),
    ];
    for (change, says) in changes {
        let error = error(&change).to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn weights_that_are_no_numbers_are_an_error_and_no_vector() {
    let (folder, reference) = labse();
    let path = folder.path().join("2_Dense/model.safetensors");
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 4;
    bytes[last..].copy_from_slice(&f32::NAN.to_le_bytes());
    std::fs::write(&path, bytes).unwrap();
    let model = Local::open(folder.path()).unwrap();
    let error = model.embed(&[&reference.shapes[0].vectors[0].text]).unwrap_err();
    assert_eq!(error.to_string(), "the vector of text 0 is not finite: the model's weights are damaged");
}

#[test]
fn texts_of_any_kind() {
    let (folder, _) = labse();
    let model = Local::open(folder.path()).unwrap();
    let long = "the refund ".repeat(500_000);
    let one_word = "x".repeat(5_000_000);
    let marks = "[SEP]".repeat(100_000);
    let texts = ["", " ", "\0", "\u{FFFD}", "[CLS]", &long, &one_word, &marks, "\u{1F468}\u{200D}\u{1F469}"];
    let vectors = model.embed(&texts).unwrap();
    assert!(vectors.iter().all(|vector| vector.len() == 24));
    assert_eq!(vectors[0], vectors[1]);
    assert_eq!(vectors[0], vectors[2]);
    assert_eq!(vectors[5], model.embed(&["the refund ".repeat(60).as_str()]).unwrap()[0]);
}
