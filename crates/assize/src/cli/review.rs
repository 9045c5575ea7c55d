//! A meaning review of rubrics by a judge model, for `assize lint --model`.

use super::{Place, fail};
use crate::exit::Exit;
use crate::render::{estimate, problems};
use crate::screen::{self, Style, styled};
use assize_core::document::Span;
use assize_core::number::{dollars, plural};
use assize_core::suite::{JudgeModel, Placed};
use assize_core::{CaseStatus, SourceFile, Suite};
use assize_engine::event::StopReason;
use assize_engine::files::Files;
use assize_engine::profiles::Profiles;
use assize_engine::records::RunRequest;
use assize_engine::run::{RunOptions, SuiteSource, Trial, prepare};
use assize_judges::systems::behaviour::lint::{self, Finding, REVIEW};

/// What is asked for.
pub(super) struct Asked<'a> {
    pub(super) model: &'a str,
    pub(super) max_cost: Option<f64>,
    pub(super) dry_run: bool,
}

/// What the model said.
pub(super) struct Reviewed<'a> {
    model: &'a str,
    trial: Trial,
}

impl<'a> Asked<'a> {
    /// Has the prompts among some files reviewed; nothing where it was only to be estimated, or there is no prompt.
    pub(super) fn about(&self, files: &[SourceFile], place: &Place) -> Result<Option<Reviewed<'a>>, Exit> {
        let cases = lint::review_cases(lint::prompts(files));
        if cases.is_empty() {
            return Err(fail(
                "there is no prompt for the model to review",
                "name a prompt file or a folder with prompts",
            ));
        }
        let model = JudgeModel::parse(self.model.trim()).map_err(|wrong| fail(wrong, ""))?;
        if model == JudgeModel::Offline {
            return Err(fail("no rule can review meaning offline", "name a model, such as openai:gpt-4o-mini"));
        }
        let span = Span::at(1, 1);
        let judge = Placed { value: REVIEW.name().to_owned(), span };
        let suite = Suite { models: vec![Placed { value: model, span }], ..Suite::of_judge("meaning review", judge) };
        let nothing = Files::Held([].into());
        let source = SuiteSource::given(suite, cases, &nothing, "--model").judged_by(REVIEW);
        let request = RunRequest { max_cost: self.max_cost, ..RunRequest::of_suite("--model") };
        let options = RunOptions::try_from(request).map_err(|wrong| fail(wrong.join("; "), ""))?;
        let options = options.with_permits(super::keys::kept_permits()?);
        let environment = |name: &str| std::env::var(name).ok();
        let prepared =
            prepare(source, options, &Profiles::default(), &environment).map_err(|found| problems::draw(&found))?;
        if self.dry_run {
            let store = place.open_existing_quietly()?;
            let found = prepared.estimate(store.as_ref()).map_err(|error| fail(&error, error.hint()))?;
            screen::line(estimate::draw(&found, &prepared));
            return Ok(None);
        }
        let ready = prepared.ready().map_err(|found| problems::draw(&found))?;
        let store = place.open()?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(|error| fail(format!("the review cannot be started: {error}"), ""))?;
        let trial = runtime.block_on(ready.try_out(&store)).map_err(|error| {
            fail(error, "every answer so far is kept; the same command goes on where it stopped");
            Exit::CasesFailed
        })?;
        let reviewed = Reviewed { model: self.model.trim(), trial };
        reviewed.say();
        Ok(Some(reviewed))
    }
}

impl Reviewed<'_> {
    /// Says what it took, what was dropped, and what could not be reviewed.
    fn say(&self) {
        let usage = &self.trial.usage;
        let mut sentences = vec![format!(
            "{} reviewed {}: {}, {} from the store, {}.",
            screen::harmless(self.model),
            plural(self.judged().count() as u64, "prompt"),
            plural(usage.calls, "call"),
            usage.cached,
            dollars(usage.cost_usd)
        )];
        let dropped: f64 = self.judged().filter_map(|line| line.metrics.get("dropped")?.value).sum();
        if dropped > 0.0 {
            let findings = plural(dropped as u64, "finding");
            sentences.push(format!("{findings} dropped: what they quote is not in the file."));
        }
        screen::say(format!("{}\n", sentences.join("\n")));
        for line in self.trial.lines.iter().filter(|line| line.status == CaseStatus::Failed) {
            let why = line.error.as_ref().map(|error| error.message.as_str()).unwrap_or_default();
            let (label, path) = (styled(Style::Bad, "error:"), screen::harmless(&line.case));
            screen::say(format!("{label} {path} could not be reviewed: {}\n", screen::harmless(why)));
        }
    }

    fn judged(&self) -> impl Iterator<Item = &assize_engine::records::ResultLine> {
        self.trial.lines.iter().filter(|line| line.status == CaseStatus::Judged)
    }

    /// The exit code, apart from what was found.
    pub(super) fn exit(&self) -> Exit {
        match &self.trial.stopped {
            Some(StopReason::OverBudget) => Exit::OverBudget,
            Some(_) => Exit::CasesFailed,
            None if self.trial.lines.iter().any(|line| line.status == CaseStatus::Failed) => Exit::CasesFailed,
            None => Exit::Done,
        }
    }

    /// The findings of the rules and of the model.
    pub(super) fn beside(&self, files: &[SourceFile], findings: Vec<Finding>) -> Vec<Finding> {
        let reviews = self.judged().map(|line| (line.case.as_str(), &line.labels));
        lint::with_review(files, findings, self.model, reviews)
    }
}
