//! What the suites of the served folder know that a trial can use: models that are asked there, and how to reach them.

use super::shelf::{Address, Origin};
use crate::app::App;
use assize_core::document::{Kind, Node, Problems, parse};
use serde_json::{Map, Value};

/// The suites, those near a path first.
fn suites(app: &App, near: &str) -> Vec<Node> {
    let is_yaml = |name: &str| name.ends_with(".yaml") || name.ends_with(".yml");
    let mut paths = app.folder().files(is_yaml);
    let shared = |path: &String| path.bytes().zip(near.bytes()).take_while(|(a, b)| a == b).count();
    paths.sort_by_key(|path| std::cmp::Reverse(shared(path)));
    let read = |path: String| Address { origin: Origin::Folder, path }.read(app).ok();
    let is_suite =
        |text: &String| ["judge:", "cases:"].iter().all(|key| text.lines().any(|line| line.starts_with(key)));
    let texts = paths.into_iter().filter_map(read).filter(is_suite);
    texts.filter_map(|text| parse(&text, &mut Problems::default())).collect()
}

/// The models that suites name, `offline` first.
pub(crate) fn models(app: &App, near: &str) -> Vec<String> {
    let mut models = vec!["offline".to_owned()];
    for suite in suites(app, near) {
        let Some(model) = suite.get("judge").and_then(|judge| judge.get("model")) else { continue };
        let named = match &model.kind {
            Kind::List(items) => items.as_slice(),
            _ => std::slice::from_ref(model),
        };
        for node in named {
            if let Kind::Text(name) = &node.kind
                && !name.starts_with("replay:")
                && !models.contains(name)
            {
                models.push(name.clone());
            }
        }
    }
    models
}

/// The servers that suites declare; of two with one name the one nearest to the path.
pub(super) fn providers(app: &App, near: &str) -> Value {
    let mut found = Map::new();
    for suite in suites(app, near) {
        if let Some(Value::Object(declared)) = suite.get("providers").map(Node::to_value) {
            for (name, provider) in declared {
                found.entry(name).or_insert(provider);
            }
        }
    }
    Value::Object(found)
}
