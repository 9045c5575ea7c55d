//! The cases of a run over the API: the same list as on the page.

use super::operation::{Operation, Path, Query, Reply, reply};
use super::runs::RUN;
use crate::app::App;
use crate::failure::Failure;
use crate::pages::{ListAddress, find_cases};
use assize_engine::listing::{Facet, Facets};
use assize_engine::records::ResultLine;
use axum::extract::State;
use axum::http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(
            Method::GET,
            "/runs/{run}/cases",
            "listCases",
            "The cases of a run: filtered, sorted, a page at a time.",
            list,
        )
        .with_parameters(RUN),
    ]
}

/// As many cases as one reply holds.
const MOST: u16 = 500;

/// Which cases are wanted, and how many.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default)]
struct Wanted {
    /// Part of an id or of a reason.
    q: String,
    /// `judged`, `failed` or `skipped`.
    status: String,
    /// A model under test.
    model: String,
    /// A verdict.
    verdict: String,
    /// A flag.
    flag: String,
    /// A tag.
    tag: String,
    /// `flagged`, `uncertain`, `contradicted`, `near` or `disputed`.
    mark: String,
    /// `id`, `model`, `verdict`, or `=` and the name of a metric; with `-` in front the other way round.
    sort: String,
    /// From which of them on.
    from: u32,
    /// As many as this at most.
    #[schemars(range(min = 1, max = 500))]
    most: u16,
}

impl Default for Wanted {
    fn default() -> Self {
        let none = String::new;
        Self {
            q: none(),
            status: none(),
            model: none(),
            verdict: none(),
            flag: none(),
            tag: none(),
            mark: none(),
            sort: none(),
            from: 0,
            most: 50,
        }
    }
}

/// Some cases of a run.
#[derive(Debug, Serialize, JsonSchema)]
struct CasePage {
    /// How many cases the run has.
    total: u32,
    /// How many of them are like what was asked for.
    found: u32,
    /// What became of them.
    cases: Vec<PlacedLine>,
    /// What the list can be filtered by: kind, value, how many cases that would leave.
    facets: BTreeMap<&'static str, BTreeMap<String, u32>>,
}

/// What became of a case, and where it stands in the run.
#[derive(Debug, Serialize, JsonSchema)]
struct PlacedLine {
    /// Its position in the run, by which it is named.
    position: u32,
    /// What became of it.
    #[serde(flatten)]
    line: ResultLine,
}

async fn list(State(app): State<App>, Path(run): Path<String>, Query(wanted): Query<Wanted>) -> Reply<CasePage> {
    let page = app.blocking(move |app| {
        let run = app.run_document(&run)?;
        let pairs = [
            ("q", wanted.q),
            ("status", wanted.status),
            ("model", wanted.model),
            ("verdict", wanted.verdict),
            ("flag", wanted.flag),
            ("tag", wanted.tag),
            ("mark", wanted.mark),
            ("sort", wanted.sort),
        ];
        let address = ListAddress::read(pairs.map(|(name, value)| (name.to_owned(), value)).to_vec());
        let list = find_cases(app, &run, &address.query)?;
        if !(1..=MOST).contains(&wanted.most) {
            return Err(Failure::bad(format!("`most` must be from 1 to {MOST}.")));
        }
        let most = wanted.most.into();
        let here: Vec<u32> = list.positions.iter().skip(wanted.from as usize).take(most).copied().collect();
        let results = app.store().results_at(&run.run_id, &here)?;
        let cases = results.into_iter().map(|result| PlacedLine { position: result.position, line: result.line });
        Ok(CasePage {
            total: list.total,
            found: list.positions.len() as u32,
            cases: cases.collect(),
            facets: named(list.facets),
        })
    });
    reply(page.await?)
}

fn named(facets: Facets) -> BTreeMap<&'static str, BTreeMap<String, u32>> {
    let values = |facets: Vec<Facet>| facets.into_iter().map(|facet| (facet.value, facet.count)).collect();
    BTreeMap::from([
        ("status", values(facets.statuses)),
        ("model", values(facets.models)),
        ("verdict", values(facets.verdicts)),
        ("flag", values(facets.flags)),
        ("tag", values(facets.tags)),
        ("mark", facets.marks.into_iter().map(|(mark, count)| (mark.name().to_owned(), count)).collect()),
    ])
}
