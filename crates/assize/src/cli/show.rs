//! `assize show`: a run again, its cases, or one case in full.

use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::render::{self, Format};
use crate::screen::{self, Style, styled};
use assize_core::CaseStatus;
use assize_engine::records::{ResultLine, RunDocument};
use assize_engine::store::{RunHead, Store, StoreError, StoredAnswer, StoredResult};
use clap::Args;
use serde_json::json;

/// Look at a run: its scorecards, its cases, one case in full.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize show last                          scorecards and the first cases
  assize show last --failed                 the cases that could not be judged, and why
  assize show last --flagged --all
  assize show last --case call-7            one case in full: texts, figures, question, reply
  assize show last --format json            the run's document
  assize show last --results                one JSON line per case
  assize show last --answers > rec.jsonl    recorded answers, for --model replay:rec.jsonl")]
pub(super) struct Show {
    /// The run: its id, the beginning of it, or `last`
    #[arg(default_value = "last")]
    run: String,

    /// One case in full
    #[arg(long, value_name = "ID")]
    case: Option<String>,

    /// Only cases that could not be judged
    #[arg(long)]
    failed: bool,

    /// Only cases with a flag
    #[arg(long)]
    flagged: bool,

    /// All cases, not only the first
    #[arg(long)]
    all: bool,

    /// What to print of the run as a whole
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Print the result lines as they were written
    #[arg(long)]
    results: bool,

    /// Print the answers as a record that `replay:` takes
    #[arg(long)]
    answers: bool,
}

impl Show {
    pub(super) fn run(&self, place: &Place) -> Outcome {
        let store = place.open_existing()?;
        let say = |error: StoreError| fail(&error, error.hint());
        let head = find(&store, &self.run)?;
        let document = document(&head)?;
        if let Some(format) = self.format {
            format.print(&document);
        } else if self.results {
            for outcome in store.outcomes(&head.id) {
                screen::raw(&format!("{}\n", outcome.map_err(say)?.line));
            }
        } else if self.answers {
            for result in store.all_results(&head.id) {
                let result = result.map_err(say)?;
                for StoredAnswer { answer, question, .. } in answers_of(&store, &result)? {
                    let mut line = json!({
                        "question": question.fingerprint(), "raw": answer.raw, "case": result.case.id,
                        "model": result.case.model, "name": question.name,
                    });
                    if let Some(run) = result.case.repetition() {
                        line["run"] = json!(run);
                    }
                    screen::raw(&format!("{line}\n"));
                }
            }
        } else if let Some(id) = &self.case {
            self.show_case(&store, &head, &document, id)?;
        } else {
            self.show_run(&store, &head, &document)?;
        }
        Ok(Exit::Done)
    }

    fn show_run(&self, store: &Store, head: &RunHead, document: &RunDocument) -> Result<(), Exit> {
        let most = if self.all { usize::MAX } else { 30 };
        let (mut lines, mut more) = (Vec::new(), 0usize);
        for outcome in store.outcomes(&head.id) {
            let outcome = outcome.map_err(|error| fail(&error, error.hint()))?;
            let line: ResultLine = serde_json::from_str(&outcome.line)
                .map_err(|error| fail(format!("the result of case {} cannot be read: {error}", outcome.case), ""))?;
            let wanted =
                (!self.failed || line.status == CaseStatus::Failed) && (!self.flagged || !line.flags.is_empty());
            if wanted && lines.len() < most {
                lines.push(line);
            } else {
                more += usize::from(wanted);
            }
        }
        let width = screen::width();
        screen::line(render::scorecard::drawn(document, width, render::scorecard::Detail::Full));
        screen::line("");
        if lines.is_empty() {
            screen::line("no such case");
        } else {
            screen::line(styled(Style::Faint, format!("cases, with their {}", document.judge.headline)));
            screen::line(render::case::list(document, &lines, width));
        }
        if more > 0 {
            screen::line(styled(Style::Faint, format!("… and {more} more; --all shows them")));
        }
        screen::line(styled(Style::Faint, format!("one case in full: assize show {} --case ID", head.id)));
        Ok(())
    }

    fn show_case(&self, store: &Store, head: &RunHead, document: &RunDocument, id: &str) -> Result<(), Exit> {
        let mut shown = 0;
        for result in store.all_results(&head.id) {
            let result = result.map_err(|error| fail(&error, error.hint()))?;
            if result.case.id == id {
                if shown > 0 {
                    screen::line("\n");
                }
                shown += 1;
                let answers = answers_of(store, &result)?;
                screen::line(render::case::full(document, &result.line, &result.case, &answers, screen::width()));
            }
        }
        if shown == 0 {
            return Err(fail(format!("the run {} has no case `{id}`", head.id), "`assize show RUN --all` lists them"));
        }
        Ok(())
    }
}

/// The run that was meant: by its id, the beginning of it, or `last`.
pub(super) fn find(store: &Store, run: &str) -> Result<RunHead, Exit> {
    let found = store.find_run(run).map_err(|error| fail(&error, error.hint()))?;
    found.map_err(|why| fail(&why, why.hint()))
}

/// The document of a run.
pub(super) fn document(head: &RunHead) -> Result<RunDocument, Exit> {
    head.document().map_err(|error| fail(&error, error.hint()))
}

/// The answers a result rests on.
fn answers_of(store: &Store, result: &StoredResult) -> Result<Vec<StoredAnswer>, Exit> {
    let found = result.line.answers.iter().filter_map(|id| store.answer(id).transpose());
    found.collect::<Result<_, _>>().map_err(|error| fail(&error, error.hint()))
}
