//! The small JSON files of a sentence-transformers folder.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use super::LARGEST_CONFIG;
use crate::files;
use crate::open::{Fault, OpenError};

/// An entry of `modules.json`.
#[derive(Debug, Deserialize)]
pub(super) struct Module {
    #[serde(default)]
    pub(super) path: String,
    #[serde(rename = "type")]
    class: String,
}

impl Module {
    /// The last part of the class's name; what comes before it has changed between versions.
    pub(super) fn kind(&self) -> &str {
        self.class.rsplit('.').next().unwrap_or(&self.class)
    }
}

/// `config.json`: the transformer's measures.
#[derive(Debug, Deserialize)]
pub(super) struct BertConfig {
    pub(super) model_type: String,
    pub(super) hidden_size: usize,
    pub(super) num_hidden_layers: usize,
    pub(super) num_attention_heads: usize,
    pub(super) intermediate_size: usize,
    pub(super) max_position_embeddings: usize,
    pub(super) vocab_size: usize,
    #[serde(default = "two")]
    pub(super) type_vocab_size: usize,
    #[serde(default = "epsilon")]
    pub(super) layer_norm_eps: f64,
    #[serde(default = "gelu")]
    pub(super) hidden_act: String,
    position_embedding_type: Option<String>,
    #[serde(default)]
    is_decoder: bool,
}

fn two() -> usize {
    2
}

fn epsilon() -> f64 {
    1e-12
}

fn gelu() -> String {
    "gelu".to_owned()
}

impl BertConfig {
    pub(super) fn read(path: &Path) -> Result<Self, OpenError> {
        let any: serde_json::Value = files::read_json(path, LARGEST_CONFIG)?;
        // The kind first: another kind of model has other names for the rest.
        let kind = any.get("model_type").and_then(serde_json::Value::as_str).unwrap_or("unnamed");
        if kind != "bert" {
            let what = format!("it describes a model of the type {kind}; the type bert is supported");
            return Err(OpenError::new(path, Fault::Unsupported(what)));
        }
        let config: Self =
            serde_json::from_value(any).map_err(|error| OpenError::new(path, Fault::Malformed(error.to_string())))?;
        config.check().map_err(|fault| OpenError::new(path, fault))?;
        Ok(config)
    }

    fn check(&self) -> Result<(), Fault> {
        let unsupported = |what: &str| Err(Fault::Unsupported(what.to_owned()));
        debug_assert_eq!(self.model_type, "bert");
        if self.position_embedding_type.as_deref().is_some_and(|kind| kind != "absolute") {
            return unsupported("its positions are not absolute ones");
        }
        if self.is_decoder {
            return unsupported("it describes a decoder");
        }
        let measures = [
            ("hidden_size", self.hidden_size),
            ("num_hidden_layers", self.num_hidden_layers),
            ("num_attention_heads", self.num_attention_heads),
            ("intermediate_size", self.intermediate_size),
            ("vocab_size", self.vocab_size),
            ("type_vocab_size", self.type_vocab_size),
        ];
        if let Some((name, _)) = measures.iter().find(|(_, measure)| *measure == 0) {
            return Err(Fault::Malformed(format!("{name} is 0")));
        }
        if self.max_position_embeddings < 2 {
            return Err(Fault::Malformed("max_position_embeddings is below 2".to_owned()));
        }
        if !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            return Err(Fault::Malformed("hidden_size is no multiple of num_attention_heads".to_owned()));
        }
        if !(self.layer_norm_eps > 0.0 && self.layer_norm_eps < 1.0) {
            return Err(Fault::Malformed("layer_norm_eps is not between 0 and 1".to_owned()));
        }
        Ok(())
    }
}

/// `sentence_bert_config.json`: how texts go into the transformer. It may be absent.
#[derive(Debug, Default, Deserialize)]
pub(super) struct SentenceConfig {
    pub(super) max_seq_length: Option<usize>,
    #[serde(default)]
    pub(super) do_lower_case: bool,
}

impl SentenceConfig {
    pub(super) fn read(folder: &Path) -> Result<Self, OpenError> {
        let path = folder.join("sentence_bert_config.json");
        if !path.exists() {
            return Ok(Self::default());
        }
        let config: Self = files::read_json(&path, LARGEST_CONFIG)?;
        if config.max_seq_length.is_some_and(|most| most < 2) {
            return Err(OpenError::new(&path, Fault::Malformed("max_seq_length is below 2".to_owned())));
        }
        Ok(config)
    }
}

/// `config_sentence_transformers.json`: what is put before each text by default. It may be absent.
#[derive(Debug, Default, Deserialize)]
pub(super) struct TransformersConfig {
    #[serde(default)]
    prompts: HashMap<String, String>,
    default_prompt_name: Option<String>,
}

impl TransformersConfig {
    /// The text that is put before each text, mostly none.
    pub(super) fn read(folder: &Path) -> Result<String, OpenError> {
        let path = folder.join("config_sentence_transformers.json");
        if !path.exists() {
            return Ok(String::new());
        }
        let mut config: Self = files::read_json(&path, LARGEST_CONFIG)?;
        let Some(name) = config.default_prompt_name else { return Ok(String::new()) };
        config.prompts.remove(&name).ok_or_else(|| {
            OpenError::new(&path, Fault::Malformed(format!("the prompt {name:?} that it names is not in it")))
        })
    }
}
