//! What could be read of a suite, right or not: the stage at which all of its mistakes are found.

use super::{
    ColumnMap, EmbedderChoice, GateCheck, JudgeModel, Parameters, Placed, ProviderEntry, Suite, embedder, gate,
    judge_model, providers,
};
use crate::document::{Fields, Node, NodeValue, Problems};
use indexmap::IndexMap;

/// What could be read of a suite.
///
/// A part with a mistake is missing or holds what is right of it, so that whatever rests on the other parts can be
/// checked as well and all mistakes are found at once. Only a draft with no mistake becomes a [`Suite`].
#[derive(Clone, Debug)]
pub struct Draft {
    /// Its name; `None` where it is missing or wrong.
    pub name: Option<String>,
    /// What `judge.use` says.
    pub judge_use: Placed<String>,
    /// The judge models that could be read.
    pub models: Vec<Placed<JudgeModel>>,
    /// What is sent along with every question.
    pub parameters: Parameters,
    /// The judge's settings, as written.
    pub settings: Option<Node>,
    /// Where sentence embeddings come from; `None` where it is wrong.
    pub embedder: Option<Placed<EmbedderChoice>>,
    /// The patterns of case files that could be read.
    pub cases: Vec<Placed<String>>,
    /// Columns to rename, or to drop.
    pub columns: ColumnMap,
    /// The lines of the gate that could be read.
    pub gate: Vec<GateCheck>,
    /// The servers that could be read.
    pub providers: IndexMap<String, ProviderEntry>,
    /// A price table that goes before the built-in one.
    pub prices: Option<Placed<String>>,
    /// Whether nothing is wrong with it.
    sound: bool,
}

impl Draft {
    /// Reads a suite from its document and reports everything that is wrong with it. Without a judge there is nothing to
    /// check the rest against, and no draft.
    pub fn read(document: &Node, problems: &mut Problems) -> Option<Self> {
        let before = problems.count();
        let mut fields = Fields::open(document, "the suite", problems)?;
        let name = fields.require("name", problems).and_then(|node| node.filled_text("name", problems));
        let judge = fields.require("judge", problems).and_then(|node| read_judge(node, problems));
        let cases = fields.require("cases", problems).map(|node| read_cases(node, problems));
        let embedder = fields.take("embedder");
        let columns = fields.take("map").map(|node| read_columns(node, problems));
        let gate = fields.take("gate").map(|node| gate::read(node, problems));
        let declared = fields.take("providers");
        let providers = declared.map(|node| providers::read(node, problems)).unwrap_or_default();
        let embedder = match embedder {
            None => Some(Placed { value: EmbedderChoice::Lexical, span: fields.span() }),
            Some(node) => embedder::read(node, declared, &providers, problems),
        };
        let prices = fields.take("prices").and_then(|node| placed_text(node, "prices", problems));
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
            name: name.map(str::to_owned),
            judge_use: judge.judge_use?,
            models: judge.models,
            parameters: judge.parameters,
            settings: judge.settings,
            embedder,
            cases: cases.unwrap_or_default(),
            columns: columns.unwrap_or_default(),
            gate: gate.unwrap_or_default(),
            providers,
            prices,
            sound: problems.count() == before,
        })
    }

    /// The suite, if nothing is wrong with the draft.
    pub fn into_suite(self) -> Option<Suite> {
        if !self.sound {
            return None;
        }
        Some(Suite {
            name: self.name?,
            judge_use: self.judge_use,
            models: self.models,
            parameters: self.parameters,
            settings: self.settings,
            embedder: self.embedder?,
            cases: self.cases,
            columns: self.columns,
            gate: self.gate,
            providers: self.providers,
            prices: self.prices,
        })
    }
}

impl From<Suite> for Draft {
    fn from(suite: Suite) -> Self {
        Self {
            name: Some(suite.name),
            judge_use: suite.judge_use,
            models: suite.models,
            parameters: suite.parameters,
            settings: suite.settings,
            embedder: Some(suite.embedder),
            cases: suite.cases,
            columns: suite.columns,
            gate: suite.gate,
            providers: suite.providers,
            prices: suite.prices,
            sound: true,
        }
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
        NodeValue::Text(_) => std::slice::from_ref(node),
        _ => node.list("cases", problems).unwrap_or_default(),
    };
    if matches!(&node.kind, NodeValue::List(items) if items.is_empty()) {
        problems.report(node.span, "`cases` is empty: name at least one file, such as `cases.jsonl`");
    }
    items.iter().filter_map(|item| placed_text(item, "cases", problems)).collect()
}

fn read_columns(node: &Node, problems: &mut Problems) -> ColumnMap {
    let mut map = ColumnMap::default();
    let NodeValue::Map(entries) = &node.kind else {
        node.expected("map", "a mapping from a column's name to an input's", problems);
        return map;
    };
    for (key, target) in entries {
        match (&target.kind, key.name.as_str()) {
            (NodeValue::Null, "*") => map.drop_others = true,
            (NodeValue::Null, name) => {
                map.columns.insert(name.to_owned(), None);
            }
            (NodeValue::Text(to), name) if name != "*" && !to.is_empty() => {
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
