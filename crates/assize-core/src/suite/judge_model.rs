//! Who is asked: `provider:name`, `offline`, `replay:FILE`.

use super::{Placed, ProviderEntry};
use crate::document::{Node, NodeValue, Problems, Span, closest};
use indexmap::IndexMap;
use std::fmt;

/// A judge model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgeModel {
    /// No model: the judge's own rules.
    Offline,
    /// Answers recorded from an earlier run.
    Replay {
        /// The file, relative to the suite.
        file: String,
    },
    /// A model of a provider.
    Remote {
        /// `openai`, `anthropic` or a name under `providers`.
        provider: String,
        /// The provider's name for the model.
        name: String,
    },
}

impl JudgeModel {
    /// The providers that need no entry.
    pub const BUILT_IN: [&'static str; 2] = ["openai", "anthropic"];

    /// Reads `provider:name`.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text == "offline" {
            return Ok(Self::Offline);
        }
        match text.split_once(':') {
            Some(("replay", file)) if !file.is_empty() => Ok(Self::Replay { file: file.to_owned() }),
            Some((provider, name)) if !provider.is_empty() && !name.is_empty() => {
                Ok(Self::Remote { provider: provider.to_owned(), name: name.to_owned() })
            }
            _ => Err(format!(
                "a judge model is `provider:name` (such as `openai:gpt-4o-mini`), `offline` or `replay:FILE`, found {text:?}"
            )),
        }
    }

    /// Reports a provider nobody knows.
    pub fn check_provider(
        &self,
        span: impl Into<Option<Span>>,
        providers: &IndexMap<String, ProviderEntry>,
        problems: &mut Problems,
    ) {
        let Self::Remote { provider, .. } = self else { return };
        if Self::BUILT_IN.contains(&provider.as_str()) || providers.contains_key(provider) {
            return;
        }
        let known = || Self::BUILT_IN.into_iter().chain(providers.keys().map(String::as_str));
        let help = match closest(provider, known()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!(
                "known providers: {}; add another under `providers:` with its `base_url`",
                known().collect::<Vec<_>>().join(", ")
            ),
        };
        problems.report_with_help(span, format!("unknown provider `{provider}`"), help);
    }
}

impl fmt::Display for JudgeModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offline => f.write_str("offline"),
            Self::Replay { file } => write!(f, "replay:{file}"),
            Self::Remote { provider, name } => write!(f, "{provider}:{name}"),
        }
    }
}

/// One model or a list of them: those that can be read; what cannot be is reported.
pub(super) fn read(node: &Node, problems: &mut Problems) -> Vec<Placed<JudgeModel>> {
    let items = match &node.kind {
        NodeValue::List(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    };
    if items.is_empty() {
        node.expected("model", "a judge model or a list of them", problems);
    }
    let mut models: Vec<Placed<JudgeModel>> = Vec::with_capacity(items.len());
    for item in items {
        let Some(text) = item.filled_text("model", problems) else { continue };
        match JudgeModel::parse(text) {
            Ok(model) if models.iter().any(|earlier| earlier.value == model) => {
                problems.report(item.span, format!("`{model}` stands twice in the jury"));
            }
            Ok(model) => models.push(Placed { value: model, span: item.span }),
            Err(message) => problems.report(item.span, message),
        }
    }
    models
}
