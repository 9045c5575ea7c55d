//! `assize doctor`: what is set up, what is missing, and the command that mends it. It asks no model.

use super::keys::kept_permits;
use super::run::beside;
use super::{Outcome, Place};
use crate::exit::Exit;
use crate::render::problems;
use crate::screen::{self, Style, styled};
use assize_core::number::plural;
use assize_engine::environment;
use assize_engine::run::{Prepared, RunOptions, SuiteSource, prepare};
use assize_engine::store::Store;
use assize_judges::SYSTEMS;
use assize_llm::environment::{ANTHROPIC_API_KEY, OPENAI_API_KEY};
use clap::Args;
use std::path::PathBuf;

/// Say what is set up, what is missing, and the command that mends it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize doctor                 the machine: store, keys, terminal
  assize doctor suite.yaml      a suite as well: judge, cases, models, gate")]
pub(super) struct Doctor {
    /// A suite to check as well
    suite: Option<PathBuf>,
}

/// How a thing stands.
enum Finding {
    Fine(String),
    Missing { what: String, mend: String },
    Broken { what: String, mend: String },
}

impl Doctor {
    pub(super) fn run(&self, place: &Place) -> Outcome {
        let mut findings = vec![
            Finding::Fine(format!(
                "assize {}, {}",
                env!("CARGO_PKG_VERSION"),
                plural(SYSTEMS.len() as u64, "judge system")
            )),
            store(place),
            key("openai", OPENAI_API_KEY),
            key("anthropic", ANTHROPIC_API_KEY),
        ];
        findings.extend(prices());
        if !screen::is_watched() {
            findings.push(Finding::Fine("standard error is no terminal: progress is printed as plain lines".into()));
        }
        let mut broken = false;
        for finding in &findings {
            broken |= matches!(finding, Finding::Broken { .. });
            finding.print();
        }
        if let Some(suite) = &self.suite {
            let (files, name) = beside(suite);
            let environment = |name: &str| std::env::var(name).ok();
            let (options, profiles) = (RunOptions::of_suite(suite.to_string_lossy()), place.profiles()?);
            let options = options.with_permits(kept_permits()?);
            match SuiteSource::read(&files, &name)
                .and_then(|suite| prepare(suite, options, &profiles, &environment))
                .and_then(Prepared::ready)
            {
                Ok(prepared) => {
                    let cases = plural(prepared.total().into(), "case");
                    Finding::Fine(format!(
                        "{}: {cases}, judge `{}`, ready to run",
                        suite.display(),
                        prepared.suite().judge_use.value
                    ))
                    .print();
                }
                Err(found) => return Err(problems::draw(&found)),
            }
        }
        if broken { Err(Exit::BadInput) } else { Ok(Exit::Done) }
    }
}

impl Finding {
    fn print(&self) {
        match self {
            Self::Fine(what) => screen::line(format!("{} {what}", styled(Style::Good, "ok     "))),
            Self::Missing { what, mend } => {
                screen::line(format!("{} {what}\n        {mend}", styled(Style::Middling, "not set")))
            }
            Self::Broken { what, mend } => {
                screen::line(format!("{} {what}\n        {mend}", styled(Style::Bad, "broken ")))
            }
        }
    }
}

fn store(place: &Place) -> Finding {
    let path = place.path();
    if !path.exists() {
        return Finding::Fine(format!("store {}: not there yet, the first run makes it", path.display()));
    }
    match Store::open(path).and_then(|store| store.runs(100_000)) {
        Ok(runs) => Finding::Fine(format!("store {}: {}", path.display(), plural(runs.len() as u64, "run"))),
        Err(error) => Finding::Broken { what: error.to_string(), mend: error.hint().to_owned() },
    }
}

/// Whether a key is set; never what it is.
fn key(provider: &str, variable: &str) -> Finding {
    match std::env::var(variable) {
        Ok(value) if !value.trim().is_empty() => {
            Finding::Fine(format!("{variable} is set: `{provider}:` models can be asked"))
        }
        _ => Finding::Missing {
            what: format!(
                "{variable}: `{provider}:` models cannot be asked (the offline judge and your own servers can)"
            ),
            mend: format!("export {variable}=…"),
        },
    }
}

fn prices() -> Option<Finding> {
    let path = std::env::var(environment::PRICES).ok()?;
    let read = std::fs::read_to_string(&path).map_err(|error| error.to_string()).and_then(|text| {
        assize_llm::PriceTable::built_in().with_overrides(&text).map(drop).map_err(|problem| problem.to_string())
    });
    Some(match read {
        Ok(()) => Finding::Fine(format!("{}: prices from {path} go before the built-in ones", environment::PRICES)),
        Err(error) => Finding::Broken {
            what: format!("the price table {path}: {error}"),
            mend: format!("unset {}, or mend the file", environment::PRICES),
        },
    })
}
