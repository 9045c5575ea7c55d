//! Where sentence embeddings come from: `lexical`, `muse:DIR`, `local:DIR`, or a model behind a server.

use super::{Api, JudgeModel, Placed, ProviderEntry};
use crate::document::{Node, Problems, closest};
use indexmap::IndexMap;
use std::fmt;

/// An embedder as the suite names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmbedderChoice {
    /// Spelling alone: the judges compare it themselves.
    Lexical,
    /// A model's folder, with its kind before it as written.
    Folder(String),
    /// A model behind a server.
    Remote(JudgeModel),
}

/// The kinds whose rest is a folder.
const FOLDERS: [&str; 2] = ["muse", "local"];

const EXPECTED: &str = "`lexical`, `muse:DIR`, `local:DIR`, `openai:NAME` or `PROVIDER:NAME`";

impl fmt::Display for EmbedderChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lexical => f.write_str("lexical"),
            Self::Folder(written) => f.write_str(written),
            Self::Remote(model) => write!(f, "{model}"),
        }
    }
}

/// Reads `embedder`. `declared` is what stands under `providers`, of which `providers` are those that can be used.
pub(super) fn read(
    node: &Node,
    declared: Option<&Node>,
    providers: &IndexMap<String, ProviderEntry>,
    problems: &mut Problems,
) -> Option<Placed<EmbedderChoice>> {
    let written = node.filled_text("embedder", problems)?;
    let placed = |value| Some(Placed { value, span: node.span });
    if written == "lexical" {
        return placed(EmbedderChoice::Lexical);
    }
    let Some((kind, rest)) = written.split_once(':').filter(|(_, rest)| !rest.is_empty()) else {
        node.expected("embedder", EXPECTED, problems);
        return None;
    };
    if FOLDERS.contains(&kind) {
        return placed(EmbedderChoice::Folder(written.to_owned()));
    }
    let entry = providers.get(kind);
    if entry.is_none() && declared.is_some_and(|node| node.get(kind).is_some()) {
        // Declared, though wrongly: reported where it is declared.
        return None;
    }
    if entry.is_some_and(|entry| entry.api == Api::Anthropic) || (entry.is_none() && kind == "anthropic") {
        let help =
            "servers with an OpenAI-compatible `/embeddings` do, and so do the folders `muse:DIR` and `local:DIR`";
        problems.report_with_help(node.span, format!("`{kind}` gives no embeddings"), help);
        return None;
    }
    if entry.is_some() || kind == "openai" {
        let (provider, name) = (kind.to_owned(), rest.to_owned());
        return placed(EmbedderChoice::Remote(JudgeModel::Remote { provider, name }));
    }
    let message = format!("`embedder` must be {EXPECTED}, and `{kind}` is no provider");
    let known = || FOLDERS.into_iter().chain(["openai"]).chain(providers.keys().map(String::as_str));
    let help = match closest(kind, known()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("declare `{kind}` under `providers:` with its `base_url`"),
    };
    problems.report_with_help(node.span, message, help);
    None
}
