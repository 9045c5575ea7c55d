//! The linter's own configuration: `.assize-lint.yaml`, for its folder and those below it.

use super::Report;
use super::rules::{RULES, find_rule};
use assize_core::SourceFile;
use assize_core::document::{Fields, Node, NodeValue, Problems, closest, parse};
use std::collections::HashMap;

/// The name of the configuration file.
pub const CONFIG_FILE: &str = ".assize-lint.yaml";

/// What a folder says of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// Do not report it.
    Off,
    /// Report it as a warning.
    Warning,
    /// Report it as an error.
    Error,
}

/// What holds in a folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct FolderConfig {
    switches: HashMap<&'static str, Switch>,
    /// Phrases that ask for outside knowledge, beyond the built-in ones, in lower case.
    pub(crate) outside_knowledge: Vec<String>,
}

impl FolderConfig {
    pub(crate) fn switch(&self, code: &str, _name: &str) -> Option<Switch> {
        self.switches.get(code).copied()
    }

    fn read(document: &Node, problems: &mut Problems) -> Self {
        let mut config = Self::default();
        let Some(mut fields) = Fields::open(document, "the linter's configuration", problems) else { return config };
        if let Some(rules) = fields.take("rules") {
            match &rules.kind {
                NodeValue::Map(entries) => {
                    for (key, value) in entries {
                        let Some(rule) = find_rule(&key.name) else {
                            let message = format!("`{}` is no rule of the linter", key.name);
                            let known = RULES.iter().flat_map(|rule| [rule.code, rule.name]);
                            match closest(&key.name, known) {
                                Some(near) => {
                                    problems.report_with_help(key.span, message, format!("did you mean `{near}`?"));
                                }
                                None => problems.report(key.span, message),
                            }
                            continue;
                        };
                        if let Some(switch) = read_switch(value, &key.name, problems) {
                            config.switches.insert(rule.code, switch);
                        }
                    }
                }
                _ => rules.expected("rules", "a mapping from a rule to `off`, `warning` or `error`", problems),
            }
        }
        if let Some(list) = fields.take("outside_knowledge").and_then(|node| node.list("outside_knowledge", problems)) {
            let phrases = list.iter().filter_map(|item| item.filled_text("outside_knowledge", problems));
            config.outside_knowledge = phrases.map(|phrase| phrase.trim().to_lowercase()).collect();
        }
        fields.finish(problems);
        config
    }
}

/// `off` is a word in YAML 1.2 and `false` in YAML 1.1; people write both.
fn read_switch(node: &Node, what: &str, problems: &mut Problems) -> Option<Switch> {
    if node.kind == NodeValue::Bool(false) {
        return Some(Switch::Off);
    }
    let choices = [("off", Switch::Off), ("warning", Switch::Warning), ("error", Switch::Error)];
    node.one_of(what, &choices, problems)
}

/// The configurations by folder.
#[derive(Default)]
pub(crate) struct Configs {
    folders: HashMap<String, FolderConfig>,
}

impl Configs {
    pub(super) fn read(files: &[SourceFile], report: &mut Report) -> Self {
        let mut folders = HashMap::new();
        for file in files {
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            if name != CONFIG_FILE {
                continue;
            }
            let mut problems = Problems::of(file.path.clone());
            if let Some(document) = parse(&file.text, &mut problems) {
                folders.insert(folder.to_owned(), FolderConfig::read(&document, &mut problems));
            }
            report.problems("AZ118", problems);
        }
        Self { folders }
    }

    /// What holds for a file: its folder's configuration over those of the folders above.
    pub(crate) fn of(&self, path: &str) -> FolderConfig {
        let mut merged = FolderConfig::default();
        if self.folders.is_empty() {
            return merged;
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut chain = vec![folder];
        while let Some((above, _)) = chain.last().and_then(|folder| folder.rsplit_once('/')) {
            chain.push(above);
        }
        if chain.last().is_some_and(|folder| !folder.is_empty()) {
            chain.push("");
        }
        for config in chain.iter().rev().filter_map(|folder| self.folders.get(*folder)) {
            merged.switches.extend(config.switches.iter().map(|(code, switch)| (*code, *switch)));
            merged.outside_knowledge.extend(config.outside_knowledge.iter().cloned());
        }
        merged
    }
}
