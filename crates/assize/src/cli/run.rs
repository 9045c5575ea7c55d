//! `assize run`: the main job.

use super::asking::{Asking, options};
use super::output::{OutputFile, Unnamed};
use super::signals::told_to_end;
use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::render::progress::Progress;
use crate::render::{Format, estimate, problems};
use crate::screen::{self, Style, styled};
use assize_core::flag::QUESTION_FAILED;
use assize_engine::control::Control;
use assize_engine::event::{Listener, StopReason};
use assize_engine::files::Files;
use assize_engine::records::{RunDocument, RunRequest, RunStatus};
use assize_engine::run::{Execution, Prepared, Ready, SuiteSource, prepare};
use assize_engine::store::Store;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::task::Poll;

/// Judge the cases of a suite.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize run suite.yaml                                    as the suite says
  assize run suite.yaml --model openai:gpt-4o-mini         with another judge model
  assize run suite.yaml --model openai:gpt-4o-mini --dry-run   what that would ask and cost
  assize run suite.yaml --max-cost 2.50 --concurrency 8    carefully
  assize run suite.yaml --format json --results out.jsonl  for another program
  assize run suite.yaml --only call-7 --refresh            one case, asked anew

Exit codes: 0 the gate holds, 1 it fails, 2 bad input and nothing asked, 3 some
cases could not be judged, 4 stopped by the budget, 5 done but the results file
could not be written, 130 interrupted. After 3, 4 and 130 the same command goes
on where it stopped and pays for nothing twice.")]
pub(super) struct Run {
    /// The suite
    suite: PathBuf,

    #[command(flatten)]
    asking: Asking,

    /// A profile whose settings take the place of the suite's: NAME or NAME@VERSION
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,

    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Write one JSON line per case, in the order of the cases
    #[arg(long, value_name = "FILE.jsonl")]
    results: Option<PathBuf>,

    /// Only the first N cases
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(i64::from(RunRequest::LEAST_LIMIT)..))]
    limit: Option<u32>,

    /// Only the case with this id; can be given several times
    #[arg(long, value_name = "ID")]
    only: Vec<String>,

    /// Take warnings for errors: an expected outcome that does not score perfectly against itself
    #[arg(long)]
    strict: bool,
}

impl Run {
    pub(super) fn run(&self, place: &Place) -> Outcome {
        let (files, suite) = beside(&self.suite);
        let environment = |name: &str| std::env::var(name).ok();
        let options = options(self.request())?.with_permits(self.asking.permits()?);
        let profiles = place.profiles()?;
        let prepared = SuiteSource::read(&files, &suite)
            .and_then(|suite| prepare(suite, options, &profiles, &environment))
            .map_err(|found| problems::draw(&found))?;
        problems::warn(prepared.warnings());
        if self.asking.dry_run {
            return estimate(&prepared, place, self.format == Format::Json);
        }
        let ready = prepared.ready().map_err(|found| problems::draw(&found))?;
        let store = place.open()?;
        let following = if self.asking.quiet { Following::Nobody } else { Following::Screen };
        let Executed { document, unnamed } = execute(ready, &store, self.results.as_deref(), following)?;
        self.format.print(&document);
        let exit = conclude(&document);
        let Some(unnamed) = unnamed else { return Ok(exit) };
        let way_on = format!(
            "the run is done and kept as {}; its results are in {}",
            document.run_id,
            unnamed.partial.display()
        );
        fail(unnamed, &way_on);
        // Whatever else there is to say about the run goes first.
        Ok(if exit == Exit::Done { Exit::ResultsNotWritten } else { exit })
    }

    fn request(&self) -> RunRequest {
        RunRequest {
            profile: self.profile.clone(),
            limit: self.limit,
            only: self.only.clone(),
            strict: self.strict,
            ..self.asking.request(&self.suite)
        }
    }
}

/// Says what a run would ask and cost.
pub(super) fn estimate(prepared: &Prepared, place: &Place, as_json: bool) -> Outcome {
    // A dry run leaves no trace, so it does not make a store either.
    let store = place.open_existing_quietly()?;
    let found = prepared.estimate(store.as_ref()).map_err(|error| fail(&error, error.hint()))?;
    if as_json {
        screen::raw(&format!("{}\n", serde_json::json!({"schema": "assize.estimate/1", "estimate": found})));
    } else {
        screen::line(estimate::draw(&found, prepared));
    }
    Ok(Exit::Done)
}

/// Says how to go on, where there is something to go on with, and picks the exit code.
pub(super) fn conclude(document: &RunDocument) -> Exit {
    let cases = &document.cases;
    let reached = cases.reached();
    let go_on = |why: &str| {
        screen::say(format!("{} {why} after {reached} of {} cases.", styled(Style::Middling, "stopped:"), cases.total));
        screen::say(
            "Every answer so far is kept. The same command goes on where it stopped and pays for nothing twice.",
        );
    };
    match document.status {
        RunStatus::Interrupted | RunStatus::Running => {
            go_on("interrupted");
            Exit::Interrupted
        }
        RunStatus::OverBudget => {
            go_on("the budget is used up");
            Exit::OverBudget
        }
        RunStatus::Stopped => {
            go_on("every further question would fail in the same way");
            Exit::CasesFailed
        }
        RunStatus::Complete if cases.failed > 0 => {
            screen::say(format!(
                "{} {} of {} cases could not be judged; `assize show last --failed` says why. The same command tries them again.",
                styled(Style::Bad, "failed:"),
                cases.failed,
                cases.total
            ));
            Exit::CasesFailed
        }
        RunStatus::Complete if document.flags.contains_key(QUESTION_FAILED) => {
            let lacking = document.flags.get(QUESTION_FAILED).copied().unwrap_or_default();
            screen::say(format!(
                "{} {lacking} of {} cases lack an answer; `assize show last --flagged` lists them. The same command asks again.",
                styled(Style::Bad, "failed:"),
                cases.total
            ));
            Exit::CasesFailed
        }
        RunStatus::Complete if !document.gate.passed => Exit::GateFails,
        RunStatus::Complete => Exit::Done,
    }
}

/// A suite's folder, and the suite within it.
pub(super) fn beside(suite: &Path) -> (Files, String) {
    let folder = suite.parent().map(Path::to_owned).unwrap_or_default();
    let name = suite.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    (Files::Folder(folder), name)
}

/// Who watches a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Following {
    /// Somebody at the screen, or a log.
    Screen,
    /// Nobody.
    Nobody,
}

/// A run that is done and kept.
pub(super) struct Executed {
    pub(super) document: RunDocument,
    /// The results file, if it could not be given its name.
    unnamed: Option<Unnamed>,
}

/// Executes a run with progress, Ctrl-C and the results file.
pub(super) fn execute(
    ready: Ready,
    store: &Store,
    results: Option<&Path>,
    following: Following,
) -> Result<Executed, Exit> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| fail(format!("the run cannot be started: {error}"), ""))?;
    let control = Control::default();
    let progress = (following == Following::Screen).then(|| Arc::new(Progress::new(ready.total())));
    let listener: Listener = match &progress {
        Some(progress) => {
            let progress = progress.clone();
            Arc::new(move |event| progress.hear(event))
        }
        None => Arc::new(|_| {}),
    };
    let mut output = results.map(OutputFile::for_results).transpose()?;
    let outcome = runtime.block_on(async {
        let mut interrupt = Box::pin(told_to_end());
        // Looked at once before anything begins: from the first look on, the signal no longer ends the process.
        let early = std::future::poll_fn(|context| Poll::Ready(interrupt.as_mut().poll(context).is_ready())).await;
        if early {
            control.stop(StopReason::Interrupted);
        } else {
            tokio::spawn(watch_for_interrupt(interrupt, control.clone(), progress.clone()));
        }
        let results = output.as_mut().map(|output| output.writer() as &mut (dyn Write + Send));
        ready.execute(Execution { store: store.clone(), control, listener, results }).await
    });
    if let Some(progress) = progress {
        progress.finish();
    }
    let document = outcome.map_err(|error| {
        fail(error, "every answer so far is kept; the same command goes on where it stopped");
        Exit::CasesFailed
    })?;
    Ok(Executed { document, unnamed: output.and_then(|output| output.finish().err()) })
}

/// The first Ctrl-C ends the run after what is under way; the second ends it at once.
async fn watch_for_interrupt(
    first: impl Future<Output = std::io::Result<()>>,
    control: Control,
    progress: Option<Arc<Progress>>,
) {
    if first.await.is_err() {
        return;
    }
    control.stop(StopReason::Interrupted);
    let message = "finishing what is under way; Ctrl-C again to quit at once";
    match progress {
        Some(progress) => progress.say(message),
        None => screen::say(message),
    }
    if told_to_end().await.is_ok() {
        std::process::exit(Exit::Interrupted.code().into());
    }
}
