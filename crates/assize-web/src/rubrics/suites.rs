//! What the suites of the served folder know that a trial can use: models that are asked there, and how to reach them.

use super::files::{Address, Origin};
use crate::served::Served;
use assize_core::document::{Problems, parse};
use assize_core::suite::{Draft, JudgeModel, ProviderEntry};
use indexmap::IndexMap;

/// What can be read of the suites, those near a path first.
fn suites(served: &Served, near: &str) -> Vec<Draft> {
    let is_yaml = |name: &str| name.ends_with(".yaml") || name.ends_with(".yml");
    let mut paths = served.folder().files(is_yaml);
    let shared = |path: &String| path.bytes().zip(near.bytes()).take_while(|(a, b)| a == b).count();
    paths.sort_by_key(|path| std::cmp::Reverse(shared(path)));
    let read = |path: String| Address { origin: Origin::Folder, path }.read(served).ok();
    let is_suite =
        |text: &String| ["judge:", "cases:"].iter().all(|key| text.lines().any(|line| line.starts_with(key)));
    let texts = paths.into_iter().filter_map(read).filter(is_suite);
    // What is wrong with a suite is said where it is run.
    let draft = |text: String| {
        let mut problems = Problems::default();
        parse(&text, &mut problems).and_then(|node| Draft::read(&node, &mut problems))
    };
    texts.filter_map(draft).collect()
}

/// The models that suites name, `offline` first.
pub(crate) fn models(served: &Served, near: &str) -> Vec<String> {
    let mut models = vec![JudgeModel::Offline];
    for model in suites(served, near).into_iter().flat_map(|suite| suite.models) {
        if !matches!(model.value, JudgeModel::Replay { .. }) && !models.contains(&model.value) {
            models.push(model.value);
        }
    }
    models.iter().map(ToString::to_string).collect()
}

/// The servers that suites declare; of two with one name the one nearest to the path.
pub(super) fn providers(served: &Served, near: &str) -> IndexMap<String, ProviderEntry> {
    let mut found = IndexMap::new();
    for (name, provider) in suites(served, near).into_iter().flat_map(|suite| suite.providers) {
        found.entry(name).or_insert(provider);
    }
    found
}
