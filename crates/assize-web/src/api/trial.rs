//! Trying out a rubric that is not saved, over the API.

use super::operation::{Body, Operation, Query, Reply, reply};
use super::rubrics::kind_of;
use crate::app::App;
use crate::failure::Failure;
use crate::rubrics::{
    self, Address, Attempt, CaseSource, ListedCase, RubricChange, RubricFiles, SourceChoice, Tried, TriedCase, Way,
};
use axum::extract::State;
use axum::http::{Method, StatusCode};
use indexmap::IndexSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// As many cases as are tried at a time: few enough to read.
const MOST_CASES: usize = 20;

/// As many cases as are listed at a time.
const LISTED: usize = 50;

pub(super) fn operations() -> Vec<Operation> {
    const MISSING: &[StatusCode] = &[StatusCode::NOT_FOUND];
    vec![
        Operation::new(
            Method::GET,
            "/rubrics/cases",
            "listRubricCases",
            "The cases that a rubric file can be tried on, and where they can come from.",
            choices,
        )
        .with_refusals(MISSING),
        Operation::new(
            Method::POST,
            "/rubrics/try",
            "tryRubric",
            "Judges cases by a text that is not saved, and by the file on the disk. Answers are kept; no run is recorded.",
            attempt,
        )
        .with_refusals(MISSING),
    ]
}

/// Which cases are wanted.
#[derive(Debug, Deserialize, JsonSchema)]
struct WantedCases {
    /// The rubric file.
    path: String,
    /// `run:ID` or `file:PATH`; the likeliest if left out.
    #[serde(default)]
    source: String,
    /// The position to begin at.
    #[serde(default)]
    from: u32,
}

/// Cases to choose from.
#[derive(Debug, Serialize, JsonSchema)]
struct Choices {
    /// Where cases can come from, the likeliest first.
    sources: Vec<SourceChoice>,
    /// Where these come from; empty where there are none.
    source: String,
    /// Why there are none, if there are none.
    problem: Option<String>,
    /// Some of them.
    cases: Vec<ListedCase>,
    /// The position at which the list goes on; `null` at its end.
    next: Option<u32>,
    /// The ways to judge by the file, the one a run would take first.
    ways: Vec<Way>,
    /// The judge models that suites of the folder name.
    models: Vec<String>,
}

async fn choices(State(app): State<App>, Query(wanted): Query<WantedCases>) -> Reply<Choices> {
    let found = app.blocking(move |app| {
        let address = Address::parse(&wanted.path);
        let text = address.read(app)?;
        let files = RubricFiles::around(app, &address);
        let kind = kind_of(&files, &address, &text, None)?;
        let inputs = rubrics::inputs(kind, &address.path, &text);
        let sources = rubrics::sources(app, &address, &inputs, &rubrics::top_codes(&files, &address.path))?;
        let likeliest = sources.first().map(|choice| choice.source.clone()).unwrap_or_default();
        let source = if wanted.source.is_empty() { likeliest } else { wanted.source };
        let (cases, more) = match source.as_str() {
            "" => (Vec::new(), false),
            source => rubrics::listed(app, &CaseSource::parse(source)?, &inputs, wanted.from, LISTED)?,
        };
        let problem = source.is_empty().then(|| rubrics::no_cases(&inputs));
        Ok(Choices {
            sources,
            source,
            problem,
            next: cases.last().filter(|_| more).map(|case| case.position + 1),
            cases,
            ways: rubrics::ways(&files, &address.path, kind),
            models: rubrics::models(app, &address.path),
        })
    });
    reply(found.await?)
}

/// A text to try out.
#[derive(Debug, Deserialize, JsonSchema)]
struct ToTry {
    /// The file it stands for.
    path: String,
    /// The text.
    text: String,
    /// Where the cases come from: `run:ID` or `file:PATH`.
    source: String,
    /// The positions of the cases there.
    #[schemars(length(min = 1, max = 20))]
    cases: Vec<u32>,
    /// What to judge by, one of the `ways` of `/rubrics/cases`; the first of them if left out.
    #[serde(default, rename = "use")]
    judge_use: String,
    /// `offline`, or a model such as `openai:gpt-4o-mini`.
    #[serde(default = "offline")]
    model: String,
    /// Only say what it would ask and cost.
    #[serde(default)]
    only_estimate: bool,
}

fn offline() -> String {
    "offline".to_owned()
}

/// What came of it.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct Outcome {
    /// Every case, in the order asked for; none where only an estimate was wanted.
    cases: Vec<TriedCase>,
    /// How many verdicts differ from those of the file on the disk.
    flipped: usize,
    /// The rubrics of a whole tree, before and after.
    rubrics: Vec<RubricChange>,
    /// Whether the text is the one on the disk.
    unchanged: bool,
    /// Why the file on the disk could not be judged by, if it could not.
    before_problem: Option<String>,
    /// What was asked, or would be: both versions together.
    cost: Cost,
}

/// What is asked of a model.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct Cost {
    /// Questions.
    questions: u64,
    /// Of these, those that had been answered before and cost nothing.
    cached: u64,
    /// US dollars; `null` where the price is not known.
    cost_usd: Option<f64>,
}

impl Cost {
    fn and(self, questions: u64, cached: u64, cost_usd: Option<f64>) -> Self {
        let cost_usd = self.cost_usd.zip(cost_usd).map(|(so_far, more)| so_far + more);
        Self { questions: self.questions + questions, cached: self.cached + cached, cost_usd }
    }

    fn none() -> Self {
        Self { cost_usd: Some(0.0), ..Self::default() }
    }
}

/// Everything a trial needs, read.
struct Ready {
    attempt: Attempt,
    now: RubricFiles,
    /// The files with the file as it is on the disk; nothing where the text is the same, or the file is not there.
    before: Option<RubricFiles>,
    unchanged: bool,
}

async fn attempt(State(app): State<App>, Body(wanted): Body<ToTry>) -> Reply<Outcome> {
    let only_estimate = wanted.only_estimate;
    let ready = app.blocking(move |app| ready(app, &wanted)).await?;
    if only_estimate {
        return reply(app.blocking(move |app| estimated(app, &ready)).await?);
    }
    // What has been asked is paid for; whoever leaves the page finds it answered when they come back.
    match tokio::spawn(async move { judged(&app, ready).await }).await {
        Ok(outcome) => reply(outcome?),
        Err(panic) => std::panic::resume_unwind(panic.into_panic()),
    }
}

fn ready(app: &App, wanted: &ToTry) -> Result<Ready, Failure> {
    let address = Address::parse(&wanted.path);
    address.is_inside(app)?;
    let positions: IndexSet<u32> = wanted.cases.iter().copied().collect();
    if positions.is_empty() || positions.len() > MOST_CASES {
        return Err(Failure::bad(format!("Choose between one and {MOST_CASES} cases.")));
    }
    let disk = RubricFiles::around(app, &address);
    let kind = kind_of(&disk, &address, &wanted.text, None)?;
    let on_disk = disk.file(&address.path).map(|(file, _)| file.text.clone());
    let unchanged = on_disk.as_deref() == Some(wanted.text.as_str());
    let now = disk.clone().with_text(&address.path, &wanted.text, kind);
    let ways = rubrics::ways(&now, &address.path, kind);
    let way = match wanted.judge_use.as_str() {
        "" => ways.first(),
        chosen => ways.iter().find(|way| way.judge_use == chosen),
    };
    let way = way.ok_or_else(|| {
        let known = ways.iter().map(|way| way.judge_use.as_str()).collect::<Vec<_>>().join(", ");
        Failure::bad(format!("“{}” is no way to judge by this file.", wanted.judge_use))
            .with_way_on(format!("Choose one of: {known}."))
    })?;
    let source = CaseSource::parse(&wanted.source)?;
    let inputs = rubrics::inputs(kind, &address.path, &wanted.text);
    let cases = rubrics::case_at(app, &source, &inputs, positions)?;
    let attempt = Attempt::new(app, &address, way.judge_use.clone(), &wanted.model, cases)?;
    Ok(Ready { attempt, now, before: on_disk.is_some_and(|_| !unchanged).then_some(disk), unchanged })
}

fn estimated(app: &App, ready: &Ready) -> Result<Outcome, Failure> {
    let mut cost = Cost::none();
    let now = ready.attempt.estimate(&ready.now, app.store())?;
    cost = cost.and(now.questions, now.cached, now.cost_usd);
    // A file on the disk that cannot be judged by asks nothing.
    if let Some(Ok(before)) = ready.before.as_ref().map(|before| ready.attempt.estimate(before, app.store())) {
        cost = cost.and(before.questions, before.cached, before.cost_usd);
    }
    Ok(Outcome { cost, unchanged: ready.unchanged, ..Outcome::default() })
}

async fn judged(app: &App, ready: Ready) -> Result<Outcome, Failure> {
    let Ready { attempt, now, before, unchanged } = ready;
    let tried = attempt.judge(&now, app.store()).await?;
    let (before, before_problem) = match before {
        Some(before) => match attempt.judge(&before, app.store()).await {
            Ok(tried) => (Some(tried), None),
            Err(failure) => (None, Some(failure.message)),
        },
        None => (None, None),
    };
    let cases: Vec<TriedCase> = attempt.cases.iter().map(|case| TriedCase::of(case, &tried, before.as_ref())).collect();
    let spent = |cost: Cost, tried: &Tried| {
        let usage = &tried.trial.usage;
        cost.and(usage.questions, usage.cached, usage.cost_usd)
    };
    let cost = [Some(&tried), before.as_ref()].into_iter().flatten().fold(Cost::none(), spent);
    Ok(Outcome {
        flipped: cases.iter().filter(|case| case.flipped).count(),
        cases,
        rubrics: rubrics::rubric_changes(&tried, before.as_ref()),
        unchanged,
        before_problem,
        cost,
    })
}
