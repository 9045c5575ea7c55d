//! The linter: what is wrong with rubric files before they judge anything.
//!
//! [`RULES`] is the one list of rules; the command line, `--explain`, the SARIF output and `docs/lint.md` read it.
//! [`lint`] takes the files as texts and gives findings in the order of files and lines. Rules are switched per folder by
//! a `.assize-lint.yaml` in it, and per line by a comment: `<!-- assize-lint: off AZ105 -->` in a prompt,
//! `# assize-lint: off AZ113` in YAML, on the same line or the one before.

pub mod compound;
mod config;
mod output;
mod prompt_rules;
mod rules;
#[cfg(test)]
mod tests;
mod tree_rules;
mod unsent_rules;

pub use config::{CONFIG_FILE, Switch};
pub use output::{to_github, to_json, to_sarif};
pub use rules::{RULES, Rule, explain, find_rule};

use super::prompt_file::{BehaviourPrompt, LineSwitch, looks_like_prompt};
use super::spec::{TreeFiles, root_of, roots};
use assize_core::SourceFile;
use assize_core::document::{Problem, Problems, Severity, Span};
use config::{Configs, FolderConfig};
use rules::Check;
use std::collections::{HashMap, HashSet};

/// One thing a rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule's code, such as `AZ105`.
    pub code: &'static str,
    /// The rule's name, such as `compound-logic`.
    pub rule: &'static str,
    /// How bad it is, after the folder's switches.
    pub severity: Severity,
    /// The file, as given.
    pub file: String,
    /// Where in it.
    pub span: Span,
    /// What was found.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

/// Lints a set of files: prompts, the YAML files of trees, and the linter's own configuration among them. Paths are as
/// the user would write them; other files are passed over.
pub fn lint(files: &[SourceFile]) -> Vec<Finding> {
    let mut report = Report::default();
    let configs = Configs::read(files, &mut report);
    let roots = roots(files.iter().map(|file| file.path.as_str()));
    let mut named_by_trees: Vec<&SourceFile> = Vec::new();
    for root in &roots {
        let mut problems = Problems::default();
        let own = files.iter().filter(|file| root_of(&file.path, &roots) == Some(root.as_str()));
        let tree = TreeFiles::read(root, own, &mut problems);
        report.problems("AZ118", problems);
        named_by_trees.extend(tree.benchmarks.iter().filter_map(|benchmark| tree.prompt_of(benchmark)));
        for rule in RULES {
            if let Check::Tree(check) = rule.check {
                check(&tree, &mut Out { rule, report: &mut report });
            }
        }
        // Codes that lead nowhere and cycles; with codes twice, or files missing, they would be noise.
        if tree.sound && !tree.benchmarks.is_empty() && tree.duplicates().is_empty() {
            let mut problems = Problems::of(root.clone());
            tree.check(&mut problems);
            report.problems("AZ118", problems);
        }
    }
    let named: HashSet<*const SourceFile> = named_by_trees.iter().map(|file| std::ptr::from_ref(*file)).collect();
    for file in files {
        let is_prompt = file.path.ends_with("_prompt.md")
            || named.contains(&std::ptr::from_ref(file))
            || file.path.ends_with(".md") && looks_like_prompt(&file.text);
        if is_prompt {
            lint_prompt(file, &configs.of(&file.path), &mut report);
        }
    }
    report.finish(files, &configs)
}

/// A prompt file with what the rules look at.
pub(crate) struct PromptView<'a> {
    pub(crate) file: &'a SourceFile,
    pub(crate) prompt: &'a BehaviourPrompt,
    pub(crate) config: &'a FolderConfig,
}

fn lint_prompt(file: &SourceFile, config: &FolderConfig, report: &mut Report) {
    let mut problems = Problems::of(file.path.clone());
    let prompt = BehaviourPrompt::read_leniently(&file.text, &mut problems);
    report.problems("AZ100", problems);
    let view = PromptView { file, prompt: &prompt, config };
    for rule in RULES {
        if let Check::Prompt(check) = rule.check {
            check(&view, &mut Out { rule, report });
        }
    }
    for switch in LineSwitch::find(&file.text) {
        for name in switch.off.iter().filter(|name| find_rule(name).is_none()) {
            if let Some(rule) = find_rule("unknown-rule") {
                let message = format!("`{name}` is no rule of the linter");
                Out { rule, report }.push(&file.path, switch.span, message, rule.instead);
            }
        }
    }
}

/// Where a rule puts what it finds.
pub(crate) struct Out<'r> {
    rule: &'static Rule,
    report: &'r mut Report,
}

impl Out<'_> {
    pub(crate) fn push(&mut self, file: &str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report.findings.push(Finding {
            code: self.rule.code,
            rule: self.rule.name,
            severity: self.rule.severity,
            file: file.to_owned(),
            span,
            message: message.into(),
            help: help.into(),
        });
    }
}

#[derive(Default)]
pub(crate) struct Report {
    findings: Vec<Finding>,
}

impl Report {
    /// Takes over what a reader could not read.
    fn problems(&mut self, code: &str, problems: Problems) {
        let Some(rule) = find_rule(code) else { return };
        for Problem { file, span, message, help, .. } in problems.iter() {
            let help = help.clone().unwrap_or_else(|| rule.instead.to_owned());
            let span = span.unwrap_or(Span::at(1, 1));
            Out { rule, report: self }.push(file, span, message, help);
        }
    }

    /// Applies the switches and puts the findings in order.
    fn finish(mut self, files: &[SourceFile], configs: &Configs) -> Vec<Finding> {
        let texts: HashMap<&str, &str> = files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
        let mut switches: HashMap<String, Vec<LineSwitch>> = HashMap::new();
        let mut folders: HashMap<String, FolderConfig> = HashMap::new();
        self.findings.retain_mut(|finding| {
            let folder = finding.file.rsplit_once('/').map_or("", |(folder, _)| folder);
            if !folders.contains_key(folder) {
                folders.insert(folder.to_owned(), configs.of(&finding.file));
            }
            match folders.get(folder).and_then(|config| config.switch(finding.code, finding.rule)) {
                Some(Switch::Off) => return false,
                Some(Switch::Warning) => finding.severity = Severity::Warning,
                Some(Switch::Error) => finding.severity = Severity::Error,
                None => {}
            }
            if !switches.contains_key(&finding.file) {
                let found = texts.get(finding.file.as_str()).map(|text| LineSwitch::find(text)).unwrap_or_default();
                switches.insert(finding.file.clone(), found);
            }
            let lines = switches.get(&finding.file).map(Vec::as_slice).unwrap_or_default();
            !lines.iter().any(|line| line.covers(finding.span.line, finding.code, finding.rule))
        });
        self.findings.sort_by(|a, b| (&a.file, a.span, a.code, &a.message).cmp(&(&b.file, b.span, b.code, &b.message)));
        self.findings.dedup();
        self.findings
    }
}
