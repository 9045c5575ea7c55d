//! `assize lint`: what is wrong with rubric files before they judge anything.

use super::rubric_files::{self, WithTrees};
use super::{Outcome, Place, fail, migrate, review};
use crate::exit::Exit;
use crate::render::problems;
use crate::screen::{self, Style, styled};
use assize_core::SourceFile;
use assize_core::document::{Problem, Severity};
use assize_core::number::plural;
use assize_judges::systems::behaviour::lint::{self, Finding, RULES};
use assize_judges::systems::behaviour::unified_diff;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Check rubric files: prompts, benchmarks, whole trees.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize lint rubrics/                        a tree, or any folder with prompts
  assize lint prompts/tone_prompt.md          one file; the tree it is in is read beside it
  assize lint rubrics/ --fix --dry-run        what would be fixed, as a diff
  assize lint rubrics/ --model openai:gpt-4o-mini
                                              a model reads the rubrics as well
  assize lint rubrics/ --format sarif > lint.sarif
  assize lint --explain AZ105                 why a rule is there and what to write instead
  assize lint --rules                         all rules

Switch a rule for a folder in a .assize-lint.yaml (rules: {AZ105: off}), or for a line with a comment
on it or above it: <!-- assize-lint: off AZ105 -->

Exit codes: 0 no errors, 1 errors were found, 2 a file cannot be read, 3 the
model could not review every file, 4 stopped by the budget.")]
pub(super) struct Lint {
    /// Files and folders
    #[arg(required_unless_present_any = ["explain", "rules"])]
    paths: Vec<PathBuf>,

    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: LintFormat,

    /// Fix what has one certain fix that leaves the meaning as it is
    #[arg(long, conflicts_with = "model")]
    fix: bool,

    /// With --fix, show the difference and write nothing; with --model, say what would be asked and what it costs
    #[arg(long)]
    dry_run: bool,

    /// Also have a judge model look for mistakes of meaning: provider:name
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,

    /// With --model, stop before spending more than this, in US dollars
    #[arg(long, value_name = "USD", value_parser = super::asking::parse_cost, requires = "model")]
    max_cost: Option<f64>,

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
    pub(super) fn run(&self, place: &Place) -> Outcome {
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
        if self.dry_run && !self.fix && self.model.is_none() {
            return Err(fail("--dry-run goes with --fix or --model", "lint alone writes and asks nothing"));
        }
        let mut read = rubric_files::read_with_trees(&self.paths)?;
        if self.fix {
            self.fix(&mut read)?;
        }
        let mut findings = lint::lint(&read.files);
        let mut exit = Exit::Done;
        if let Some(model) = &self.model {
            let named: Vec<SourceFile> =
                read.files.iter().filter(|file| read.named.contains(&file.path)).cloned().collect();
            let asked = review::Asked { model, max_cost: self.max_cost, dry_run: self.dry_run };
            let Some(reviewed) = asked.about(&named, place)? else { return Ok(Exit::Done) };
            exit = reviewed.exit();
            findings = reviewed.beside(&read.files, findings);
        }
        findings.retain(|finding| read.named.contains(&finding.file));
        self.print(&findings, read.named.len());
        let errors = findings.iter().any(|finding| finding.severity == Severity::Error);
        Ok(if errors && exit == Exit::Done { Exit::GateFails } else { exit })
    }

    /// Applies the certain fixes to the named files, or shows them.
    fn fix(&self, read: &mut WithTrees) -> Result<(), Exit> {
        let mut fixed = lint::fixed(&read.files);
        fixed.retain(|file| read.named.contains(&file.path));
        for fixed in &fixed {
            let Some(file) = read.files.iter_mut().find(|file| file.path == fixed.path) else { continue };
            if self.dry_run {
                let diff = migrate::coloured(&unified_diff(&fixed.path, &file.text, &fixed.text));
                // What other programs read stays what they expect.
                if self.format == LintFormat::Text {
                    screen::line(diff)
                } else {
                    screen::say(diff)
                }
                continue;
            }
            std::fs::write(&fixed.path, &fixed.text)
                .map_err(|error| fail(format!("{} cannot be written: {error}", fixed.path), ""))?;
            for (line, title) in &fixed.done {
                screen::say(format!("{} {}:{line}: {title}", styled(Style::Good, "fixed"), fixed.path));
            }
            file.text.clone_from(&fixed.text);
        }
        let count: usize = fixed.iter().map(|file| file.done.len()).sum();
        let (count, files) = (plural(count as u64, "finding"), plural(fixed.len() as u64, "file"));
        screen::say(match (fixed.is_empty(), self.dry_run) {
            (true, _) => "Nothing to fix.\n".to_owned(),
            (false, true) => format!("--fix alone would fix {count} in {files}; nothing was written.\n"),
            (false, false) => format!("Fixed {count} in {files}.\n"),
        });
        Ok(())
    }

    fn print(&self, findings: &[Finding], files: usize) {
        match self.format {
            LintFormat::Json => screen::raw(&format!("{}\n", lint::to_json(findings).trim_end())),
            LintFormat::Github => screen::raw(&lint::to_github(findings)),
            LintFormat::Sarif => screen::raw(&format!("{}\n", lint::to_sarif(findings).trim_end())),
            LintFormat::Text => {
                for finding in findings {
                    let problem = Problem {
                        file: finding.file.clone(),
                        span: Some(finding.span),
                        severity: finding.severity,
                        message: finding.message.clone(),
                        help: Some(finding.help.clone()),
                    };
                    let rule = format!("{} {}", finding.code, finding.rule);
                    screen::line(format!("{}\n", problems::drawn(&problem, Some(&rule))));
                }
                let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
                let notes = findings.iter().filter(|finding| finding.severity == Severity::Note).count();
                let warnings = findings.len() - errors - notes;
                let mut counts = vec![plural(errors as u64, "error"), plural(warnings as u64, "warning")];
                counts.extend((notes > 0).then(|| plural(notes as u64, "note")));
                let fixable = findings.iter().filter(|finding| finding.fix.is_some()).count();
                let fixable = match fixable {
                    0 => String::new(),
                    count => format!("; --fix fixes {count}"),
                };
                screen::line(format!(
                    "{} in {}: {}{fixable}",
                    plural(findings.len() as u64, "finding"),
                    plural(files as u64, "file"),
                    counts.join(", ")
                ));
            }
        }
    }
}
