//! Where the cases of a trial come from: a run of the store, or a file of cases.

use super::{Address, Origin, RubricFileKind};
use crate::failure::Failure;
use crate::served::Served;
use assize_core::document::{Problems, Span};
use assize_core::suite::{ColumnMap, Placed};
use assize_core::{Case, InputSpec, JudgeSource, JudgeSystem, SourceFile, tree};
use assize_engine::cases::CaseFiles;
use assize_engine::files::Files;
use assize_engine::store::RunList;
use assize_judges::systems::behaviour;
use assize_judges::systems::criteria::CriteriaFile;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Map;
use std::fmt;

/// As many runs as can be chosen from.
const MOST_RUNS: usize = 20;

/// Where cases come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CaseSource {
    /// A run, by its id.
    Run(String),
    /// A file of cases.
    File(Address),
}

impl CaseSource {
    /// Reads `run:ID` or `file:PATH`.
    pub(crate) fn parse(written: &str) -> Result<Self, Failure> {
        match written.split_once(':') {
            Some(("run", id)) if !id.is_empty() => Ok(Self::Run(id.to_owned())),
            Some(("file", path)) if !path.is_empty() => Ok(Self::File(Address::parse(path))),
            _ => Err(Failure::bad(format!("“{written}” names no cases."))
                .with_way_on("Write run: and the id of a run, or file: and the path of a file of cases.")),
        }
    }
}

impl fmt::Display for CaseSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(id) => write!(f, "run:{id}"),
            Self::File(address) => write!(f, "file:{address}"),
        }
    }
}

/// A source that can be chosen.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct SourceChoice {
    /// `run:ID` or `file:PATH`.
    pub(crate) source: String,
    /// What to call it.
    pub(crate) label: String,
}

/// A case that can be chosen.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ListedCase {
    /// Where it stands in its source, from 0.
    pub(crate) position: u32,
    /// Its id.
    pub(crate) id: String,
    /// The model under test.
    pub(crate) model: String,
    /// The verdict of the run it comes from, where there is one.
    pub(crate) verdict: Option<String>,
    /// Why it cannot be judged by this file, if it cannot.
    pub(crate) problem: Option<String>,
}

/// Where cases for a file may come from, the likeliest first: runs that judged by it, files near it, then the rest. A source
/// whose first case lacks what the judge needs is left out.
pub(crate) fn sources(
    served: &Served,
    address: &Address,
    inputs: &[InputSpec],
    top_codes: &[String],
) -> Result<Vec<SourceChoice>, Failure> {
    let mut choices: Vec<(u32, CaseSource, String)> = Vec::new();
    let name = address.path.rsplit('/').next().unwrap_or_default();
    // What cannot be read is told of in the list of runs.
    for run in RunList::read(&served.store().runs(MOST_RUNS)?).runs {
        let rubrics = tree::of_sections(&run.sections);
        let fits = run.judge.judge_use.ends_with(name) || rubrics.iter().any(|top| top_codes.contains(&top.code));
        let started = run.timings.started.get(..16).unwrap_or_default().replace('T', " ");
        let label = format!("{} run {} ({} cases)", run.suite, started, run.cases.judged);
        choices.push((if fits { 0 } else { 3 }, CaseSource::Run(run.run_id), label));
    }
    let is_cases = |name: &str| [".jsonl", ".ndjson", ".csv"].iter().any(|ending| name.ends_with(ending));
    // A path that is also a pattern would name other files.
    for path in served.folder().files(is_cases).into_iter().filter(|path| !path.contains(['*', '?', '['])) {
        let near = address.origin == Origin::Folder && same_top_folder(&path, &address.path);
        let source = CaseSource::File(Address { origin: Origin::Folder, path: path.clone() });
        choices.push((if near { 1 } else { 4 }, source, path));
    }
    let example = Address { origin: Origin::Example, path: "cases.jsonl".to_owned() };
    let rank = if address.origin == Origin::Example { 2 } else { 5 };
    choices.push((rank, CaseSource::File(example), "the cases of the bundled example".to_owned()));
    choices.sort_by_key(|(rank, ..)| *rank);
    let fits = |source: &CaseSource| {
        read(served, source, inputs, 0, 1)
            .is_ok_and(|first| first.first().is_some_and(|(case, _)| case.problem.is_none()))
    };
    let fitting = choices.into_iter().filter(|(_, source, _)| fits(source));
    Ok(fitting.map(|(_, source, label)| SourceChoice { source: source.to_string(), label }).collect())
}

/// What to say where no source fits.
pub(crate) fn no_cases(inputs: &[InputSpec]) -> String {
    let needed: Vec<&str> = inputs.iter().filter(|input| input.required).map(|input| input.name.as_str()).collect();
    format!(
        "No run and no file of cases has what this needs: {}. Put a file of such cases (.jsonl or .csv) into the folder.",
        needed.join(", ")
    )
}

fn same_top_folder(one: &str, other: &str) -> bool {
    let top = |path: &str| path.split_once('/').map_or(String::new(), |(top, _)| top.to_owned());
    top(one) == top(other)
}

/// What a judge made of a file needs of a case. Of a file that is still broken nothing is known.
pub(crate) fn inputs(kind: RubricFileKind, path: &str, text: &str) -> Vec<InputSpec> {
    match kind {
        RubricFileKind::Prompt | RubricFileKind::Benchmark | RubricFileKind::Rubric => behaviour::inputs(),
        RubricFileKind::Criteria => {
            let file = SourceFile { path: path.to_owned(), text: text.to_owned() };
            let judge = CriteriaFile.build(&JudgeSource::File(file), None, &mut Problems::default());
            judge.map(|judge| judge.spec().inputs.clone()).unwrap_or_default()
        }
    }
}

/// Some cases of a source from a position on, and whether there are more.
pub(crate) fn listed(
    served: &Served,
    source: &CaseSource,
    inputs: &[InputSpec],
    from: u32,
    most: usize,
) -> Result<(Vec<ListedCase>, bool), Failure> {
    let mut cases = read(served, source, inputs, from, most + 1)?;
    let more = cases.len() > most;
    cases.truncate(most);
    Ok((cases.into_iter().map(|(listed, _)| listed).collect(), more))
}

/// The cases at some positions of a source. One that cannot be judged is refused with the reason.
pub(crate) fn case_at(
    served: &Served,
    source: &CaseSource,
    inputs: &[InputSpec],
    positions: impl IntoIterator<Item = u32>,
) -> Result<Vec<Case>, Failure> {
    let mut found = Vec::new();
    for position in positions {
        let (listed, case) = read(served, source, inputs, position, 1)?.pop().ok_or_else(|| {
            Failure::missing(format!("“{source}” has no case at position {position}.")).with_way_on("Reload the cases.")
        })?;
        match listed.problem {
            Some(problem) => {
                return Err(Failure::bad(format!("The case “{}” cannot be judged by this: {problem}.", listed.id)));
            }
            None => found.push(case),
        }
    }
    Ok(found)
}

fn read(
    served: &Served,
    source: &CaseSource,
    inputs: &[InputSpec],
    from: u32,
    most: usize,
) -> Result<Vec<(ListedCase, Case)>, Failure> {
    match source {
        CaseSource::Run(id) => {
            let run = served.find_run(id)?;
            let results = served.store().results(&run.id, from, most)?;
            Ok(results
                .into_iter()
                .map(|result| of_run(result.position, result.line.verdict, result.case, inputs))
                .collect())
        }
        CaseSource::File(address) => of_file(served, address, inputs, from, most),
    }
}

fn of_run(position: u32, verdict: Option<String>, case: Case, inputs: &[InputSpec]) -> (ListedCase, Case) {
    let missing: Vec<&str> = inputs
        .iter()
        .filter(|input| input.required && !case.inputs.contains_key(&input.name))
        .map(|input| input.name.as_str())
        .collect();
    let problem = (!missing.is_empty()).then(|| format!("it has no {}", missing.join(" and no ")));
    (ListedCase { position, id: case.id.clone(), model: case.model.to_string(), verdict, problem }, case)
}

fn of_file(
    served: &Served,
    address: &Address,
    inputs: &[InputSpec],
    from: u32,
    most: usize,
) -> Result<Vec<(ListedCase, Case)>, Failure> {
    let files = match address.origin {
        Origin::Folder => {
            served.folder().find(&address.path)?;
            Files::Folder(served.folder().root().to_owned())
        }
        Origin::Example => super::files::example(),
    };
    let mut problems = Problems::of(address.to_string());
    let pattern = Placed { value: address.path.clone(), span: Span::at(1, 1) };
    let columns = ColumnMap { drop_others: true, ..ColumnMap::default() };
    let Some(found) = CaseFiles::find(&files, &[pattern], &columns, inputs, &mut problems) else {
        let message = problems.iter().next().map(|problem| problem.message.clone()).unwrap_or_default();
        return Err(Failure::bad(format!("The cases cannot be read: {message}.")));
    };
    let empty = || Case {
        id: String::new(),
        model: Case::DEFAULT_MODEL.into(),
        tags: Vec::new(),
        inputs: Map::new(),
        metadata: Map::new(),
    };
    let cases = found.iter().enumerate().skip(from as usize).take(most);
    Ok(cases
        .map(|(position, case)| {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            let problem = case.as_ref().err().and_then(|found| found.first()).map(|problem| problem.message.clone());
            let case = case.unwrap_or_else(|_| empty());
            let id = if case.id.is_empty() { format!("case {}", position + 1) } else { case.id.clone() };
            (ListedCase { position, id, model: case.model.to_string(), verdict: None, problem }, case)
        })
        .collect())
}
