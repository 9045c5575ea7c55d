//! Whom a run asks: the judge models and the embedder, with their keys and prices.

use super::{Environment, RunOptions};
use crate::answering::{Juror, Reader, RunEmbedder};
use crate::files::Files;
use assize_core::document::{Problems, Span};
use assize_core::suite::{Draft, EmbedderChoice, JudgeModel};
use assize_llm::{
    CallOptions, ClientSettings, ConnectProblem, Connected, PriceTable, Recorded, ReplayClient, RetryPolicy, connect,
    connect_embeddings,
};
use std::path::Path;
use std::sync::Arc;

/// Finds them, and reports what is wrong with them.
pub(super) struct Models<'m> {
    pub(super) files: &'m Files,
    pub(super) draft: &'m Draft,
    pub(super) options: &'m RunOptions,
    pub(super) environment: Environment<'m>,
    pub(super) problems: &'m mut Problems,
    /// What stands in the way of asking, though not of estimating: a missing key.
    pub(super) missing: &'m mut Problems,
}

impl Models<'_> {
    /// The jurors and the embedder; no embedder for `lexical`.
    pub(super) fn find(mut self) -> (Option<Vec<(String, Juror)>>, Option<RunEmbedder>) {
        let prices = self.read_prices();
        let has_prices = prices.is_some();
        let calls = CallOptions {
            timeout: self.options.timeout(),
            retry: RetryPolicy { retries: self.options.retries(), ..RetryPolicy::default() },
            // Without the right table the models are still checked, so that all mistakes are found at once.
            prices: Arc::new(prices.unwrap_or_else(PriceTable::built_in)),
            permits: self.options.permits.clone(),
        };
        let limit = self.options.max_cost().filter(|_| has_prices);
        (self.jurors(&calls, limit), self.embedder(&calls, limit))
    }

    fn jurors(&mut self, calls: &CallOptions, limit: Option<f64>) -> Option<Vec<(String, Juror)>> {
        let (draft, options) = (self.draft, self.options);
        // A model that was chosen for the run stands nowhere in the suite.
        let models: Vec<(&JudgeModel, Option<Span>)> = if options.models.is_empty() {
            draft.models.iter().map(|model| (&model.value, Some(model.span))).collect()
        } else {
            options.models.iter().map(|model| (model, None)).collect()
        };
        let mut jurors = Vec::new();
        for (model, span) in &models {
            let juror = match model {
                JudgeModel::Offline => Some(Juror::Rules),
                JudgeModel::Replay { file } => self.recorded(file, *span),
                JudgeModel::Remote { provider, .. } => self.juror(model, provider, *span, calls, limit),
            };
            jurors.extend(juror.map(|juror| (model.to_string(), juror)));
        }
        (jurors.len() == models.len()).then_some(jurors)
    }

    fn juror(
        &mut self,
        model: &JudgeModel,
        provider: &String,
        span: Option<Span>,
        calls: &CallOptions,
        limit: Option<f64>,
    ) -> Option<Juror> {
        let Draft { providers, parameters, .. } = self.draft;
        if span.is_none() {
            model.check_provider(None, providers, self.problems);
        }
        if !JudgeModel::BUILT_IN.contains(&provider.as_str()) && !providers.contains_key(provider) {
            // Reported where it stands.
            return None;
        }
        let connected = connect(model, providers, parameters, calls, self.environment);
        let client = self.take(connected, span)?;
        self.check_price(client.settings(), span, limit);
        Some(Juror::Reader(Reader::Model(Arc::new(client))))
    }

    fn embedder(&mut self, calls: &CallOptions, limit: Option<f64>) -> Option<RunEmbedder> {
        // A wrong one has been reported.
        let embedder = self.draft.embedder.as_ref()?;
        let span = embedder.span;
        match &embedder.value {
            EmbedderChoice::Lexical => None,
            EmbedderChoice::Folder(written) => match assize_embed::open(&self.placed(written, span)?, Path::new("")) {
                Ok(embedder) => Some(embedder.into()),
                Err(error) => {
                    let mut help = error.hint().unwrap_or_default().to_owned();
                    if written.starts_with("local:") && self.draft.providers.contains_key("local") {
                        help =
                            "`local:` is a folder here: give the provider another name to have its embeddings".into();
                    }
                    self.problems.report_with_help(span, format!("the embedder cannot be opened: {error}"), help);
                    None
                }
            },
            EmbedderChoice::Remote(model) => {
                let connected = connect_embeddings(model, &self.draft.providers, calls, self.environment);
                let client = self.take(connected, Some(span))?;
                self.check_price(client.settings(), Some(span), limit);
                Some(client.into())
            }
        }
    }

    /// An embedder's folder, where it really is: it may have to stay within another.
    fn placed(&mut self, written: &str, span: Span) -> Option<String> {
        let (kind, folder) = written.split_once(':').unwrap_or((written, ""));
        match self.files.model_folder(folder) {
            Ok(place) => Some(format!("{kind}:{}", place.display())),
            Err(error) => {
                let message = format!("the embedder `{written}` cannot be opened: {error}");
                self.problems.report(span, message);
                None
            }
        }
    }

    /// A client, with what it lacks put where it belongs.
    fn take<C>(&mut self, connected: Result<Connected<C>, ConnectProblem>, span: Option<Span>) -> Option<C> {
        let report = |problem: ConnectProblem, problems: &mut Problems| {
            problems.report_with_help(span, problem.message, problem.help.unwrap_or_default());
        };
        match connected {
            Ok(Connected { client, missing }) => {
                missing.into_iter().for_each(|problem| report(problem, self.missing));
                Some(client)
            }
            Err(problem) => {
                report(problem, self.problems);
                None
            }
        }
    }

    fn check_price(&mut self, settings: &ClientSettings, span: Option<Span>, limit: Option<f64>) {
        let Some(limit) = limit.filter(|_| !settings.has_price()) else { return };
        let message = format!("a budget of ${limit} cannot be kept: the price of `{}` is not known", settings.asked());
        let help = "add it to a price table and name that under `prices:` in the suite, or leave out --max-cost";
        self.problems.report_with_help(span, message, help);
    }

    /// The built-in prices, with those of the suite's table, or of the user's, before them.
    fn read_prices(&mut self) -> Option<PriceTable> {
        let (span, path, text) = match (&self.draft.prices, (self.environment)(crate::environment::PRICES)) {
            (Some(placed), _) => (Some(placed.span), placed.value.clone(), self.files.read_text(&placed.value)),
            (None, Some(path)) => (None, path.clone(), std::fs::read_to_string(&path)),
            (None, None) => return Some(PriceTable::built_in()),
        };
        let read = text
            .map_err(|error| error.to_string())
            .and_then(|text| PriceTable::built_in().with_overrides(&text).map_err(|problem| problem.to_string()));
        read.map_err(|error| self.problems.report(span, format!("the price table `{path}`: {error}"))).ok()
    }

    fn recorded(&mut self, path: &str, span: Option<Span>) -> Option<Juror> {
        let read = self.files.read_text(path).map_err(|error| error.to_string()).and_then(|text| {
            Recorded::read(&text).map_err(|wrong| wrong.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
        });
        match read {
            Ok(recorded) => {
                let client = ReplayClient::new(format!("replay:{path}"), recorded);
                Some(Juror::Reader(Reader::Replay(Arc::new(client))))
            }
            Err(error) => {
                self.problems.report(span, format!("the recorded answers `{}`: {error}", self.files.shown(path)));
                None
            }
        }
    }
}
