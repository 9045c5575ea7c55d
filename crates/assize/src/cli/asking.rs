//! How to ask a judge model: the options that every command has which asks one.

use super::fail;
use super::keys::kept_permits;
use crate::exit::Exit;
use assize_engine::records::{CachePolicy, Parameter, RunRequest};
use assize_engine::run::RunOptions;
use assize_llm::KeyPermits;
use clap::Args;
use std::ops::RangeInclusive;
use std::path::Path;

/// Who is asked, and how.
#[derive(Clone, Debug, Args)]
pub(super) struct Asking {
    /// The judge model in place of the suite's: provider:name, offline or replay:FILE; several make a jury
    #[arg(long, value_name = "MODEL")]
    pub(super) model: Vec<String>,

    /// Concurrent requests
    #[arg(long, default_value_t = RunRequest::CONCURRENCY.default, value_parser = clap::value_parser!(u16).range(within(RunRequest::CONCURRENCY)))]
    concurrency: u16,

    /// Stop before spending more than this, in US dollars
    #[arg(long, value_name = "USD", value_parser = parse_cost)]
    max_cost: Option<f64>,

    /// Say what would be asked and what it would cost; ask nothing
    #[arg(long)]
    pub(super) dry_run: bool,

    /// Ask everything anew and leave the stored answers as they are
    #[arg(long, conflicts_with = "refresh")]
    no_cache: bool,

    /// Ask everything anew and store the new answers in place of the old
    #[arg(long)]
    refresh: bool,

    /// Wait this long for a reply, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = RunRequest::TIMEOUT.default, value_parser = clap::value_parser!(u16).range(within(RunRequest::TIMEOUT)))]
    timeout: u16,

    /// Retries per request
    #[arg(long, value_name = "N", default_value_t = RunRequest::RETRIES.default, value_parser = clap::value_parser!(u8).range(within(RunRequest::RETRIES)))]
    retries: u8,

    /// Let a host be sent the key in a variable, for this run; `assize keys allow` does it for all
    #[arg(long, value_name = "VARIABLE=HOST")]
    allow_key: Vec<String>,

    /// No progress, only what was asked for
    #[arg(long, short)]
    pub(super) quiet: bool,
}

fn within<T: Into<i64>>(parameter: Parameter<T>) -> RangeInclusive<i64> {
    parameter.least.into()..=parameter.most.into()
}

pub(super) fn parse_cost(text: &str) -> Result<f64, String> {
    match text.trim_start_matches('$').parse::<f64>() {
        Ok(cost) if (0.0..=RunRequest::HIGHEST_COST).contains(&cost) => Ok(cost),
        _ => Err("an amount of US dollars, such as 2.50".into()),
    }
}

impl Asking {
    /// These models, asked as one is where nothing else is said.
    pub(super) fn of(model: Vec<String>) -> Self {
        let RunRequest { concurrency, max_cost, timeout, retries, .. } = RunRequest::of_suite("");
        Self {
            model,
            concurrency,
            max_cost,
            dry_run: false,
            no_cache: false,
            refresh: false,
            timeout,
            retries,
            allow_key: Vec::new(),
            quiet: true,
        }
    }

    /// What the user allows: for good, and for this run.
    pub(super) fn permits(&self) -> Result<KeyPermits, Exit> {
        let mut permits = kept_permits()?;
        for pair in &self.allow_key {
            let allowed = match pair.split_once('=') {
                Some((variable, host)) => permits.allow(variable, host).map(|_| ()),
                None => Err("a variable and a host with `=` between them".to_owned()),
            };
            allowed.map_err(|why| fail(format!("--allow-key: {why}"), "--allow-key MY_SERVER_KEY=llm.example.com"))?;
        }
        Ok(permits)
    }

    /// A request for a suite.
    pub(super) fn request(&self, suite: &Path) -> RunRequest {
        RunRequest {
            models: self.model.clone(),
            concurrency: self.concurrency,
            max_cost: self.max_cost,
            cache: match (self.no_cache, self.refresh) {
                (true, _) => CachePolicy::Ignore,
                (_, true) => CachePolicy::Refresh,
                _ => CachePolicy::Use,
            },
            timeout: self.timeout,
            retries: self.retries,
            ..RunRequest::of_suite(suite.to_string_lossy())
        }
    }
}

/// A request that may be run, or what is wrong with it.
pub(super) fn options(request: RunRequest) -> Result<RunOptions, Exit> {
    RunOptions::try_from(request).map_err(|wrong| {
        wrong.into_iter().for_each(|sentence| _ = fail(sentence, ""));
        Exit::BadInput
    })
}
