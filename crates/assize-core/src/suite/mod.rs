//! A suite: which judge, which judge model, which cases, which gate.
//!
//! [`Suite::read`] goes from a parsed document to a value that is right by construction, and reports everything that is
//! wrong with the file on the way. Paths stay as written; opening them is the engine's job.

mod embedder;
mod gate;
mod judge_model;
mod providers;

pub use embedder::EmbedderChoice;
pub use gate::{Comparison, GateCheck};
pub use judge_model::JudgeModel;
pub use providers::{Api, ProviderEntry, Structured};

use crate::document::{Fields, Kind, Node, Problems, Span};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// A suite as it will be run.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// What `judge.use` says: a built-in system, a file or a folder.
    pub judge_use: Placed<String>,
    /// Who is asked; more than one is a jury.
    pub models: Vec<Placed<JudgeModel>>,
    /// What is sent along with every question.
    pub parameters: Parameters,
    /// The judge's settings, as written.
    pub settings: Option<Node>,
    /// Where sentence embeddings come from.
    pub embedder: Placed<EmbedderChoice>,
    /// Patterns of case files, relative to the suite.
    pub cases: Vec<Placed<String>>,
    /// Columns to rename, or to drop.
    pub columns: ColumnMap,
    /// What must hold for the exit code to be 0.
    pub gate: Vec<GateCheck>,
    /// Servers beyond the built-in providers.
    pub providers: IndexMap<String, ProviderEntry>,
    /// A price table that goes before the built-in one.
    pub prices: Option<Placed<String>>,
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where it stands in the suite.
    pub span: Span,
}

/// What is sent along with every question. `None` leaves a parameter to the provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// Sampling temperature; 0 by default.
    pub temperature: Option<f64>,
    /// Seed; 7 by default, because it must be *some* fixed number.
    pub seed: Option<u64>,
    /// Longest reply, in tokens.
    pub max_output_tokens: Option<u64>,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { temperature: Some(0.0), seed: Some(7), max_output_tokens: None }
    }
}

/// What happens to the columns of case files before they are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnMap {
    /// From the column's name to the input's; `None` drops the column.
    pub columns: IndexMap<String, Option<String>>,
    /// Whether columns that are neither renamed nor known are dropped (`"*": ~`).
    pub drop_others: bool,
}

impl Suite {
    /// Reads a suite from its document.
    ///
    /// A part that cannot be read is reported and left at its default, so that the parts that rest on the others can be
    /// checked as well and all mistakes are found at once. The suite may be run only if there are no problems.
    pub fn read(document: &Node, problems: &mut Problems) -> Option<Self> {
        let mut fields = Fields::open(document, "the suite", problems)?;
        let name = fields.require("name", problems).and_then(|node| node.filled_text("name", problems));
        let judge = fields.require("judge", problems).and_then(|node| read_judge(node, problems));
        let cases = fields.require("cases", problems).map(|node| read_cases(node, problems));
        let embedder = fields.take("embedder");
        let columns = fields.take("map").map(|node| read_columns(node, problems));
        let gate = fields.take("gate").map(|node| gate::read(node, problems));
        let declared = fields.take("providers");
        let providers = declared.map(|node| providers::read(node, problems)).unwrap_or_default();
        let embedder = embedder.and_then(|node| embedder::read(node, declared, &providers, problems));
        let prices = fields.take("prices").and_then(|node| placed_text(node, "prices", problems));
        let span = fields.span();
        fields.finish(problems);
        let judge = judge?;
        for model in &judge.models {
            let broken = matches!(&model.value, JudgeModel::Remote { provider, .. }
                if declared.is_some_and(|node| node.get(provider).is_some()));
            // One that is declared, though wrongly, has been reported where it is declared.
            if !broken {
                model.value.check_provider(model.span, &providers, problems);
            }
        }
        Some(Self {
            name: name.unwrap_or_default().to_owned(),
            judge_use: judge.judge_use?,
            models: judge.models,
            parameters: judge.parameters,
            settings: judge.settings,
            embedder: embedder.unwrap_or(Placed { value: EmbedderChoice::Lexical, span }),
            cases: cases.unwrap_or_default(),
            columns: columns.unwrap_or_default(),
            gate: gate.unwrap_or_default(),
            providers,
            prices,
        })
    }
}

struct JudgePart {
    judge_use: Option<Placed<String>>,
    models: Vec<Placed<JudgeModel>>,
    parameters: Parameters,
    settings: Option<Node>,
}

fn read_judge(node: &Node, problems: &mut Problems) -> Option<JudgePart> {
    let mut fields = Fields::open(node, "judge", problems)?;
    let judge_use = fields.require("use", problems).and_then(|node| placed_text(node, "use", problems));
    let models = match fields.take("model") {
        None => vec![Placed { value: JudgeModel::Offline, span: fields.span() }],
        Some(node) => judge_model::read(node, problems),
    };
    let parameters = fields.take("parameters").map(|node| read_parameters(node, problems)).unwrap_or_default();
    let settings = fields.take("settings").cloned();
    fields.finish(problems);
    Some(JudgePart { judge_use, models, parameters, settings })
}

fn read_parameters(node: &Node, problems: &mut Problems) -> Parameters {
    let mut parameters = Parameters::default();
    let Some(mut fields) = Fields::open(node, "parameters", problems) else { return parameters };
    if let Some(node) = fields.take("temperature") {
        parameters.temperature = node.number("temperature", 0.0..=2.0, problems);
    }
    if let Some(node) = fields.take("seed") {
        parameters.seed = node.integer("seed", 0..=i64::MAX as u64, problems);
    }
    if let Some(node) = fields.take("max_output_tokens") {
        parameters.max_output_tokens = node.integer("max_output_tokens", 1..=1_000_000, problems);
    }
    fields.finish(problems);
    parameters
}

fn placed_text(node: &Node, what: &str, problems: &mut Problems) -> Option<Placed<String>> {
    let value = node.filled_text(what, problems)?.to_owned();
    Some(Placed { value, span: node.span })
}

fn read_cases(node: &Node, problems: &mut Problems) -> Vec<Placed<String>> {
    let items = match &node.kind {
        Kind::Text(_) => std::slice::from_ref(node),
        _ => node.list("cases", problems).unwrap_or_default(),
    };
    if matches!(&node.kind, Kind::List(items) if items.is_empty()) {
        problems.report(node.span, "`cases` is empty: name at least one file, such as `cases.jsonl`");
    }
    items.iter().filter_map(|item| placed_text(item, "cases", problems)).collect()
}

fn read_columns(node: &Node, problems: &mut Problems) -> ColumnMap {
    let mut map = ColumnMap::default();
    let Kind::Map(entries) = &node.kind else {
        node.expected("map", "a mapping from a column's name to an input's", problems);
        return map;
    };
    for (key, target) in entries {
        match (&target.kind, key.name.as_str()) {
            (Kind::Null, "*") => map.drop_others = true,
            (Kind::Null, name) => {
                map.columns.insert(name.to_owned(), None);
            }
            (Kind::Text(to), name) if name != "*" && !to.is_empty() => {
                map.columns.insert(name.to_owned(), Some(to.clone()));
            }
            _ => {
                let expected = if key.name == "*" { "`~` (drop all other columns)" } else { "an input's name, or `~`" };
                target.expected(&format!("map.{}", key.name), expected, problems);
            }
        }
    }
    map
}

#[cfg(test)]
mod tests;
