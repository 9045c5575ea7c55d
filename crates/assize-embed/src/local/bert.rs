//! The transformer: attention and feed-forward layers over a text's tokens.
//!
//! Texts of a batch go through the linear layers together, row by row, and through attention one by one. Nothing is
//! padded, so a text's vectors do not depend on its neighbours'.

use std::path::Path;

use super::config::BertConfig;
use crate::files::safetensors::Tensors;
use crate::open::{Fault, OpenError};
use crate::tensor::Packed;
use crate::tensor::functions::{add, add_bias, gelu, gelu_by_tanh, layer_norm, relu, softmax};

/// The transformer's weights.
pub(super) struct Bert {
    width: usize,
    heads: usize,
    vocabulary: usize,
    positions: usize,
    epsilon: f32,
    activation: fn(&mut [f32]),
    words: Vec<f32>,
    places: Vec<f32>,
    /// The vector of the first of two texts; there is only one.
    kind: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    joined: Linear,
    attention_norm: Norm,
    wide: Linear,
    narrow: Linear,
    norm: Norm,
}

struct Linear {
    weight: Packed,
    bias: Vec<f32>,
}

struct Norm {
    gain: Vec<f32>,
    shift: Vec<f32>,
}

impl Bert {
    pub(super) fn read(folder: &Path, hasher: &mut blake3::Hasher) -> Result<Self, OpenError> {
        let config_path = folder.join("config.json");
        let config = BertConfig::read(&config_path)?;
        let activation: fn(&mut [f32]) = match config.hidden_act.as_str() {
            "gelu" => gelu,
            "gelu_new" | "gelu_pytorch_tanh" => gelu_by_tanh,
            "relu" => relu,
            other => {
                let what = format!("its activation is {other}; known are gelu, gelu_new, gelu_pytorch_tanh and relu");
                return Err(OpenError::new(&config_path, Fault::Unsupported(what)));
            }
        };
        let path = folder.join(super::WEIGHTS);
        if !path.exists() && folder.join("pytorch_model.bin").exists() {
            let what = "it is not there; pytorch_model.bin is, which is not read, since such a file can run code. \
                        Load the model with sentence-transformers and save it again";
            return Err(OpenError::new(&path, Fault::Unsupported(what.to_owned())));
        }
        let mut source = Source::new(Tensors::open(&path)?);
        let width = config.hidden_size;
        let words = source.tensor("embeddings.word_embeddings.weight", &[config.vocab_size, width])?;
        let places =
            source.tensor("embeddings.position_embeddings.weight", &[config.max_position_embeddings, width])?;
        let mut kind = source.tensor("embeddings.token_type_embeddings.weight", &[config.type_vocab_size, width])?;
        kind.truncate(width);
        let norm = source.norm("embeddings.LayerNorm", width)?;
        let mut layers = Vec::new();
        for n in 0..config.num_hidden_layers {
            layers.push(Layer::read(&mut source, &format!("encoder.layer.{n}"), width, config.intermediate_size)?);
        }
        let measures = format!("{} {} {}", config.num_attention_heads, config.layer_norm_eps, config.hidden_act);
        hasher.update(measures.as_bytes()).update(source.tensors.hash().as_bytes());
        Ok(Self {
            width,
            heads: config.num_attention_heads,
            vocabulary: config.vocab_size,
            positions: config.max_position_embeddings,
            epsilon: config.layer_norm_eps as f32,
            activation,
            words,
            places,
            kind,
            norm,
            layers,
        })
    }

    /// The length of a token's vector.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// How many different tokens there are.
    pub(super) fn vocabulary(&self) -> usize {
        self.vocabulary
    }

    /// How many tokens a text can have.
    pub(super) fn positions(&self) -> usize {
        self.positions
    }

    /// A vector for each token of each text, one after the other.
    pub(super) fn forward(&self, texts: &[Vec<u32>]) -> Vec<f32> {
        let lengths: Vec<usize> = texts.iter().map(Vec::len).collect();
        let mut rows = Vec::with_capacity(lengths.iter().sum::<usize>() * self.width);
        for text in texts {
            for (place, &token) in text.iter().enumerate() {
                let word = &self.words[token as usize * self.width..][..self.width];
                let place = &self.places[place * self.width..][..self.width];
                rows.extend(word.iter().zip(place).zip(&self.kind).map(|((word, place), kind)| word + kind + place));
            }
        }
        self.norm.apply(&mut rows, self.epsilon);
        for layer in &self.layers {
            let mut attended = self.attend(layer, &rows, &lengths);
            attended = layer.joined.apply(&attended);
            add(&mut attended, &rows);
            layer.attention_norm.apply(&mut attended, self.epsilon);
            let mut inner = layer.wide.apply(&attended);
            (self.activation)(&mut inner);
            rows = layer.narrow.apply(&inner);
            add(&mut rows, &attended);
            layer.norm.apply(&mut rows, self.epsilon);
        }
        rows
    }

    /// For each token a mixture of the values of its text's tokens, by how well their keys fit its query.
    fn attend(&self, layer: &Layer, rows: &[f32], lengths: &[usize]) -> Vec<f32> {
        let (queries, keys, values) = (layer.query.apply(rows), layer.key.apply(rows), layer.value.apply(rows));
        let size = self.width / self.heads;
        let scale = 1.0 / (size as f32).sqrt();
        let mut out = vec![0.0; rows.len()];
        let mut begin = 0;
        for &length in lengths {
            for head in 0..self.heads {
                let place = |token: usize| (begin + token) * self.width + head * size;
                let own: Vec<f32> =
                    (0..length).flat_map(|token| &queries[place(token)..][..size]).map(|x| x * scale).collect();
                let mut shares = Packed::from_fn(size, length, |i, token| keys[place(token) + i]).product(&own);
                for row in shares.chunks_exact_mut(length) {
                    softmax(row);
                }
                let mixed = Packed::from_fn(length, size, |token, i| values[place(token) + i]).product(&shares);
                for (token, row) in mixed.chunks_exact(size).enumerate() {
                    out[place(token)..][..size].copy_from_slice(row);
                }
            }
            begin += length;
        }
        out
    }
}

impl Layer {
    fn read(source: &mut Source, name: &str, width: usize, wide: usize) -> Result<Self, OpenError> {
        let mut linear = |part: &str, inner, columns| source.linear(&format!("{name}.{part}"), inner, columns);
        let query = linear("attention.self.query", width, width)?;
        let key = linear("attention.self.key", width, width)?;
        let value = linear("attention.self.value", width, width)?;
        let joined = linear("attention.output.dense", width, width)?;
        let wide_layer = linear("intermediate.dense", width, wide)?;
        let narrow = linear("output.dense", wide, width)?;
        let attention_norm = source.norm(&format!("{name}.attention.output.LayerNorm"), width)?;
        let norm = source.norm(&format!("{name}.output.LayerNorm"), width)?;
        Ok(Self { query, key, value, joined, attention_norm, wide: wide_layer, narrow, norm })
    }
}

impl Linear {
    fn apply(&self, rows: &[f32]) -> Vec<f32> {
        let mut out = self.weight.product(rows);
        add_bias(&mut out, &self.bias);
        out
    }
}

impl Norm {
    fn apply(&self, rows: &mut [f32], epsilon: f32) {
        layer_norm(rows, &self.gain, &self.shift, epsilon);
    }
}

/// The tensors, whose names have a prefix in some files.
struct Source {
    tensors: Tensors,
    prefix: &'static str,
}

impl Source {
    fn new(tensors: Tensors) -> Self {
        let prefix = if tensors.contains("bert.embeddings.word_embeddings.weight") { "bert." } else { "" };
        Self { tensors, prefix }
    }

    fn tensor(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, OpenError> {
        self.tensors.read(&format!("{}{name}", self.prefix), shape)
    }

    fn linear(&mut self, name: &str, inner: usize, columns: usize) -> Result<Linear, OpenError> {
        let weight = self.tensor(&format!("{name}.weight"), &[columns, inner])?;
        let bias = self.tensor(&format!("{name}.bias"), &[columns])?;
        Ok(Linear { weight: Packed::from_columns(inner, columns, &weight), bias })
    }

    fn norm(&mut self, name: &str, width: usize) -> Result<Norm, OpenError> {
        // Files of the first years call them gamma and beta.
        let old = self.tensors.contains(&format!("{}{name}.gamma", self.prefix));
        let (gain, shift) = if old { ("gamma", "beta") } else { ("weight", "bias") };
        Ok(Norm {
            gain: self.tensor(&format!("{name}.{gain}"), &[width])?,
            shift: self.tensor(&format!("{name}.{shift}"), &[width])?,
        })
    }
}
