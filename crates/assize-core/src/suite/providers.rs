//! Servers beyond the built-in providers: their address, the variable that holds the key, and what they can do.
//!
//! A key never stands in a suite: only the name of the environment variable does.

use crate::document::{Fields, Node, NodeValue, Problems};
use indexmap::IndexMap;

/// The wire format a server speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// Chat completions.
    OpenAi,
    /// Messages.
    Anthropic,
}

/// How a server is made to keep to a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structured {
    /// The schema goes with the request and the server enforces it.
    Schema,
    /// The server enforces JSON; the schema stands in the prompt.
    Json,
    /// The server enforces nothing; the schema stands in the prompt.
    Prompt,
}

/// One entry under `providers`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderEntry {
    /// Where the server is, up to and including the version (`http://127.0.0.1:11434/v1`).
    pub base_url: String,
    /// The environment variable with the key; `None` for a server that wants none.
    pub api_key_env: Option<String>,
    /// The wire format.
    pub api: Api,
    /// How it is made to keep to a schema.
    pub structured: Structured,
}

/// The names that are taken.
const RESERVED: [&str; 2] = ["offline", "replay"];

/// The entries that can be read; what cannot be is reported.
pub(super) fn read(node: &Node, problems: &mut Problems) -> IndexMap<String, ProviderEntry> {
    let NodeValue::Map(entries) = &node.kind else {
        node.expected("providers", "a mapping from a name to a server", problems);
        return IndexMap::new();
    };
    let mut providers = IndexMap::new();
    for (key, entry) in entries {
        let simple = key.name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) && !key.name.is_empty();
        if !simple || RESERVED.contains(&key.name.as_str()) {
            let message = format!(
                "`{}` cannot be a provider's name: letters, digits, `-` and `_`, and neither `offline` nor `replay`",
                key.name
            );
            problems.report(key.span, message);
            continue;
        }
        if let Some(entry) = read_entry(entry, &key.name, problems) {
            providers.insert(key.name.clone(), entry);
        }
    }
    providers
}

fn read_entry(node: &Node, name: &str, problems: &mut Problems) -> Option<ProviderEntry> {
    let mut fields = Fields::open(node, format!("providers.{name}"), problems)?;
    let base_url = fields.require("base_url", problems).and_then(|node| {
        let url = node.filled_text("base_url", problems)?;
        if url.starts_with("http://") || url.starts_with("https://") {
            return Some(url.trim_end_matches('/').to_owned());
        }
        node.expected("base_url", "an address that starts with http:// or https://", problems);
        None
    });
    let api_key_env = match fields.take("api_key_env") {
        None => Some(None),
        Some(node) => node.filled_text("api_key_env", problems).and_then(|variable| {
            if variable.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                return Some(Some(variable.to_owned()));
            }
            // The value is not shown: it may be the key itself, put in the wrong place.
            problems.report_with_help(
                node.span,
                "`api_key_env` must be the name of an environment variable, not a key",
                "export the key under a name such as MY_SERVER_KEY and write that name here",
            );
            None
        }),
    };
    let api = fields.take("api").map_or(Some(Api::OpenAi), |node| {
        node.one_of("api", &[("openai", Api::OpenAi), ("anthropic", Api::Anthropic)], problems)
    });
    let structured = fields.take("structured").map_or(Some(Structured::Schema), |node| {
        let choices =
            [("json_schema", Structured::Schema), ("json_object", Structured::Json), ("prompt", Structured::Prompt)];
        node.one_of("structured", &choices, problems)
    });
    fields.finish(problems);
    Some(ProviderEntry { base_url: base_url?, api_key_env: api_key_env?, api: api?, structured: structured? })
}
