//! `assize lint`: what is wrong with rubric files before they judge anything.

use super::{Outcome, fail, rubric_files};
use crate::exit::Exit;
use crate::render::problems;
use crate::screen::{self, Style, styled};
use assize_core::document::{Problem, Severity};
use assize_core::number::plural;
use assize_judges::systems::behaviour::lint::{self, RULES};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Check rubric files: prompts, benchmarks, whole trees.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize lint rubrics/                        a tree, or any folder with prompts
  assize lint prompts/tone_prompt.md
  assize lint rubrics/ --format sarif > lint.sarif
  assize lint --explain AZ105                 why a rule is there and what to write instead
  assize lint --rules                         all rules

Switch a rule for a folder in a .assize-lint.yaml (rules: {AZ105: off}), or for a line with a comment
on it or above it: <!-- assize-lint: off AZ105 -->

Exit codes: 0 no errors, 1 errors were found, 2 a file cannot be read.")]
pub(super) struct Lint {
    /// Files and folders
    #[arg(required_unless_present_any = ["explain", "rules"])]
    paths: Vec<PathBuf>,

    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: LintFormat,

    /// Explain a rule, by code or name
    #[arg(long, value_name = "RULE")]
    explain: Option<String>,

    /// List all rules
    #[arg(long)]
    rules: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum LintFormat {
    /// Drawn like a compiler's messages
    #[default]
    Text,
    /// One JSON document
    Json,
    /// Annotations for GitHub Actions
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

impl Lint {
    pub(super) fn run(&self) -> Outcome {
        if let Some(rule) = &self.explain {
            let text = lint::explain(rule)
                .ok_or_else(|| fail(format!("there is no rule `{rule}`"), "`assize lint --rules` lists them"))?;
            screen::line(text);
            return Ok(Exit::Done);
        }
        if self.rules {
            for rule in RULES {
                screen::line(format!("{}  {:<28} {}", styled(Style::Bold, rule.code), rule.name, rule.why));
            }
            return Ok(Exit::Done);
        }
        let read = rubric_files::read_with_trees(&self.paths)?;
        let mut findings = lint::lint(&read.files);
        findings.retain(|finding| read.named.contains(&finding.file));
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        match self.format {
            LintFormat::Json => screen::raw(&format!("{}\n", lint::to_json(&findings).trim_end())),
            LintFormat::Github => screen::raw(&lint::to_github(&findings)),
            LintFormat::Sarif => screen::raw(&format!("{}\n", lint::to_sarif(&findings).trim_end())),
            LintFormat::Text => {
                for finding in &findings {
                    let problem = Problem {
                        file: finding.file.clone(),
                        span: Some(finding.span),
                        severity: finding.severity,
                        message: finding.message.clone(),
                        help: Some(finding.help.clone()),
                    };
                    screen::line(format!(
                        "{}\n",
                        problems::drawn(&problem, Some(&format!("{} {}", finding.code, finding.rule)))
                    ));
                }
                let notes = findings.iter().filter(|finding| finding.severity == Severity::Note).count();
                let warnings = findings.len() - errors - notes;
                let mut counts = vec![plural(errors as u64, "error"), plural(warnings as u64, "warning")];
                counts.extend((notes > 0).then(|| plural(notes as u64, "note")));
                screen::line(format!(
                    "{} in {}: {}",
                    plural(findings.len() as u64, "finding"),
                    plural(read.named.len() as u64, "file"),
                    counts.join(", ")
                ));
            }
        }
        Ok(if errors > 0 { Exit::GateFails } else { Exit::Done })
    }
}
