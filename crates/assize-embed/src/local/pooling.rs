//! From the tokens' vectors to the text's, and a layer on top of that.

use std::path::Path;

use serde::Deserialize;

use super::LARGEST_CONFIG;
use crate::files;
use crate::files::safetensors::Tensors;
use crate::open::{Fault, OpenError};
use crate::tensor::Packed;
use crate::tensor::functions::{add, gelu, relu, tanh};

/// One way to make one vector of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The first token's.
    First,
    /// The largest value in each place.
    Largest,
    Mean,
    /// The sum, divided by the root of the number of tokens.
    MeanByRoot,
}

/// The ways that are taken; with more than one their vectors are put end to end.
#[derive(Debug)]
pub(super) struct Pooling {
    modes: Vec<Mode>,
    width: usize,
}

#[derive(Deserialize)]
struct Config {
    word_embedding_dimension: Option<usize>,
    embedding_dimension: Option<usize>,
    pooling_mode: Option<Named>,
    #[serde(default)]
    pooling_mode_cls_token: bool,
    #[serde(default)]
    pooling_mode_max_tokens: bool,
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
    #[serde(default)]
    pooling_mode_mean_sqrt_len_tokens: bool,
    #[serde(default)]
    pooling_mode_weightedmean_tokens: bool,
    #[serde(default)]
    pooling_mode_lasttoken: bool,
    #[serde(default = "yes")]
    include_prompt: bool,
}

/// Newer folders name the modes, older ones have a switch for each.
#[derive(Deserialize)]
#[serde(untagged)]
enum Named {
    One(String),
    Many(Vec<String>),
}

fn yes() -> bool {
    true
}

impl Pooling {
    /// Reads how to pool vectors of `width` elements, and sets `width` to what comes out.
    pub(super) fn read(folder: &Path, width: &mut usize) -> Result<Self, OpenError> {
        let path = folder.join("config.json");
        let config: Config = files::read_json(&path, LARGEST_CONFIG)?;
        let modes = config.modes(*width).map_err(|fault| OpenError::new(&path, fault))?;
        let pooling = Self { modes, width: *width };
        *width *= pooling.modes.len();
        Ok(pooling)
    }

    /// One vector per text; `lengths` says how many of the rows belong to each.
    pub(super) fn pool(&self, rows: &[f32], lengths: &[usize]) -> Vec<Vec<f32>> {
        let mut rest = rows;
        lengths
            .iter()
            .map(|&length| {
                let (own, others) = rest.split_at(length * self.width);
                rest = others;
                self.modes.iter().flat_map(|mode| mode.pool(own, self.width)).collect()
            })
            .collect()
    }
}

impl Mode {
    fn pool(self, rows: &[f32], width: usize) -> Vec<f32> {
        let count = (rows.len() / width) as f32;
        let mut rows = rows.chunks_exact(width);
        let mut pooled = rows.next().map_or_else(|| vec![0.0; width], <[f32]>::to_vec);
        match self {
            Self::First => {}
            Self::Largest => {
                for row in rows {
                    pooled.iter_mut().zip(row).for_each(|(most, &x)| *most = most.max(x));
                }
            }
            Self::Mean | Self::MeanByRoot => {
                rows.for_each(|row| add(&mut pooled, row));
                let by = if self == Self::Mean { count } else { count.sqrt() };
                pooled.iter_mut().for_each(|x| *x /= by);
            }
        }
        pooled
    }
}

impl Config {
    fn modes(&self, width: usize) -> Result<Vec<Mode>, Fault> {
        if let Some(other) = self.word_embedding_dimension.or(self.embedding_dimension).filter(|&other| other != width)
        {
            return Err(Fault::Malformed(format!(
                "it is for vectors of {other} elements; the transformer's have {width}"
            )));
        }
        if !self.include_prompt {
            return Err(Fault::Unsupported("it leaves the prompt out of the pooling".to_owned()));
        }
        let unsupported = |mode: &str| {
            Err(Fault::Unsupported(format!("it pools by {mode}; known are cls, max, mean and mean_sqrt_len")))
        };
        if self.pooling_mode_weightedmean_tokens {
            return unsupported("weighted mean");
        }
        if self.pooling_mode_lasttoken {
            return unsupported("last token");
        }
        let named: Vec<&str> = match &self.pooling_mode {
            Some(Named::One(name)) => vec![name],
            Some(Named::Many(names)) => names.iter().map(String::as_str).collect(),
            None => Vec::new(),
        };
        if let Some(other) = named.iter().find(|name| !MODES.iter().any(|(known, _)| known == *name)) {
            return unsupported(other);
        }
        let switches = [
            self.pooling_mode_cls_token,
            self.pooling_mode_max_tokens,
            self.pooling_mode_mean_tokens,
            self.pooling_mode_mean_sqrt_len_tokens,
        ];
        let modes: Vec<Mode> = MODES
            .iter()
            .zip(switches)
            .filter(|((name, _), switch)| if named.is_empty() { *switch } else { named.contains(name) })
            .map(|((_, mode), _)| *mode)
            .collect();
        if modes.is_empty() {
            return Err(Fault::Malformed("it names no way of pooling".to_owned()));
        }
        Ok(modes)
    }
}

/// In the order in which their vectors are put end to end.
const MODES: [(&str, Mode); 4] =
    [("cls", Mode::First), ("max", Mode::Largest), ("mean", Mode::Mean), ("mean_sqrt_len_tokens", Mode::MeanByRoot)];

/// A linear layer with a function after it.
pub(super) struct Dense {
    weight: Packed,
    bias: Option<Vec<f32>>,
    activation: Activation,
}

#[derive(Clone, Copy)]
enum Activation {
    Identity,
    Tanh,
    Relu,
    Gelu,
}

#[derive(Deserialize)]
struct DenseConfig {
    in_features: usize,
    out_features: usize,
    #[serde(default = "yes")]
    bias: bool,
    activation_function: Option<String>,
}

impl Dense {
    /// Reads a layer for vectors of `width` elements, and sets `width` to what comes out.
    pub(super) fn read(folder: &Path, width: &mut usize, hasher: &mut blake3::Hasher) -> Result<Self, OpenError> {
        let path = folder.join("config.json");
        let config: DenseConfig = files::read_json(&path, LARGEST_CONFIG)?;
        if config.in_features != *width {
            let what = format!("it takes vectors of {} elements; it is given {width}", config.in_features);
            return Err(OpenError::new(&path, Fault::Malformed(what)));
        }
        let class = config.activation_function.as_deref().unwrap_or("Tanh");
        let activation = match class.rsplit('.').next() {
            Some("Identity") => Activation::Identity,
            Some("Tanh") => Activation::Tanh,
            Some("ReLU") => Activation::Relu,
            Some("GELU") => Activation::Gelu,
            _ => {
                let what = format!("its activation is {class}; known are Tanh, Identity, ReLU and GELU");
                return Err(OpenError::new(&path, Fault::Unsupported(what)));
            }
        };
        let mut tensors = Tensors::open(&folder.join(super::WEIGHTS))?;
        let weight = tensors.read("linear.weight", &[config.out_features, config.in_features])?;
        let bias = config.bias.then(|| tensors.read("linear.bias", &[config.out_features])).transpose()?;
        hasher.update(class.as_bytes()).update(tensors.hash().as_bytes());
        *width = config.out_features;
        let weight = Packed::from_columns(config.in_features, config.out_features, &weight);
        Ok(Self { weight, bias, activation })
    }

    pub(super) fn apply(&self, vector: &[f32]) -> Vec<f32> {
        let mut out = self.weight.product(vector);
        if let Some(bias) = &self.bias {
            add(&mut out, bias);
        }
        match self.activation {
            Activation::Identity => {}
            Activation::Tanh => out.iter_mut().for_each(|x| *x = tanh(*x)),
            Activation::Relu => relu(&mut out),
            Activation::Gelu => gelu(&mut out),
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modes(json: &str) -> Result<Vec<Mode>, Fault> {
        serde_json::from_str::<Config>(json).unwrap().modes(2)
    }

    #[test]
    fn the_modes() {
        let rows = [1.0, -2.0, 3.0, -4.0, 5.0, -6.0, 7.0, -8.0];
        assert_eq!(Mode::First.pool(&rows, 2), [1.0, -2.0]);
        assert_eq!(Mode::Largest.pool(&rows, 2), [7.0, -2.0]);
        assert_eq!(Mode::Mean.pool(&rows, 2), [4.0, -5.0]);
        assert_eq!(Mode::MeanByRoot.pool(&rows, 2), [8.0, -10.0]);
        let both = Pooling { modes: vec![Mode::First, Mode::Mean], width: 2 };
        assert_eq!(both.pool(&rows, &[1, 3]), [vec![1.0, -2.0, 1.0, -2.0], vec![3.0, -4.0, 5.0, -6.0]]);
    }

    #[test]
    fn both_spellings_of_the_modes() {
        assert_eq!(modes(r#"{"pooling_mode_cls_token": true}"#).unwrap(), [Mode::First]);
        assert_eq!(
            modes(
                r#"{"word_embedding_dimension": 2, "pooling_mode_mean_tokens": true, "pooling_mode_max_tokens": true}"#
            )
            .unwrap(),
            [Mode::Largest, Mode::Mean]
        );
        assert_eq!(modes(r#"{"embedding_dimension": 2, "pooling_mode": "mean"}"#).unwrap(), [Mode::Mean]);
        assert_eq!(modes(r#"{"pooling_mode": ["mean", "cls"]}"#).unwrap(), [Mode::First, Mode::Mean]);
    }

    #[test]
    fn what_is_not_supported_is_said() {
        for (json, says) in [
            (r#"{"word_embedding_dimension": 3, "pooling_mode_cls_token": true}"#, "3 elements"),
            (r#"{"pooling_mode_lasttoken": true}"#, "last token"),
            (r#"{"pooling_mode": "lasttoken"}"#, "lasttoken"),
            (r#"{"pooling_mode": "mean", "include_prompt": false}"#, "prompt"),
            (r#"{}"#, "no way of pooling"),
        ] {
            let (Fault::Malformed(what) | Fault::Unsupported(what)) = modes(json).unwrap_err() else {
                panic!("{json}")
            };
            assert!(what.contains(says), "{what}");
        }
    }
}
