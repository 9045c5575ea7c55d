//! What a judge would ask about a case: made by the same pure function as in a run, and shown instead of sent.

use super::failure::Failure;
use super::served::Served;
use assize_core::document::{Node, Problems, Span};
use assize_core::judge::first_questions;
use assize_core::{Case, Judge, JudgeSource, JudgeSystem, Question};
use assize_judges::examples;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// What the address calls the bundled example.
pub(super) const EXAMPLE: &str = "example";

/// Which case to ask about.
pub(super) enum CaseChoice {
    /// One that somebody sent.
    Given(Value),
    /// One of a run, by its place among the run's cases.
    Of { run: String, position: u32 },
}

/// What would be asked first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Asked {
    /// The case's id.
    pub(super) case: String,
    /// The model under test.
    pub(super) model: String,
    /// The run it is of; none for the bundled example and for a case that was sent.
    pub(super) run: Option<String>,
    /// How many cases there are to choose from.
    pub(super) cases: u64,
    /// The questions; none where the judge asks nothing about this case.
    pub(super) questions: Vec<Question>,
}

/// What a judge would ask first about a case under these settings.
pub(super) fn asked(
    served: &Served,
    system: &dyn JudgeSystem,
    settings: &Value,
    choice: CaseChoice,
) -> Result<Asked, Failure> {
    let judge = build(system, settings)?;
    let (case, run, cases) = match choice {
        CaseChoice::Given(record) => (read_case(&*judge, record)?, None, 1),
        CaseChoice::Of { run, position } => chosen(served, system, &*judge, &run, position)?,
    };
    let wrong = judge.case_problems(&case);
    if !wrong.is_empty() {
        return Err(Failure::bad(format!("{}.", wrong.join("; "))));
    }
    // A case that needs no question asks none.
    let questions = first_questions(&*judge, &case).unwrap_or_default();
    Ok(Asked { case: case.id, model: case.model.to_string(), run, cases, questions })
}

/// Builds a judge from settings alone; one that is made of a file cannot be.
pub(super) fn build(system: &dyn JudgeSystem, settings: &Value) -> Result<Box<dyn Judge>, Failure> {
    let source = JudgeSource::BuiltIn(system.name().to_owned());
    if !system.takes(&source) {
        let message = format!("The question of the judge {} depends on the file it is made of.", system.name());
        return Err(Failure::bad(message).with_way_on("The page of rubrics and the page of a case show it."));
    }
    let mut problems = Problems::of("settings");
    let judge = system.build(&source, Some(&Node::of(settings, Span::at(1, 1))), &mut problems);
    problems.into_result(judge).map_err(|problems| {
        let wrong: Vec<String> = problems.without_places().iter().map(ToString::to_string).collect();
        Failure::bad(format!("{}.", wrong.join("; ")))
    })
}

fn read_case(judge: &dyn Judge, record: Value) -> Result<Case, Failure> {
    let Value::Object(record) = record else { return Err(Failure::bad("The case is no JSON object.")) };
    Case::read(record, &judge.spec().inputs).map_err(|problems| {
        let wrong: Vec<String> = problems.into_iter().map(|problem| problem.message).collect();
        Failure::bad(format!("{}.", wrong.join("; ")))
    })
}

/// A case of a run, the run's id, and how many cases it has.
type Chosen = (Case, Option<String>, u64);

fn chosen(
    served: &Served,
    system: &dyn JudgeSystem,
    judge: &dyn Judge,
    run: &str,
    position: u32,
) -> Result<Chosen, Failure> {
    let document = match run {
        EXAMPLE => return of_example(system, judge, position),
        "" => match served.store().runs_judged_by(system.name(), 1)?.into_iter().next() {
            Some(head) => served.run_document(&head.id)?,
            None => return of_example(system, judge, position),
        },
        id => served.run_document(id)?,
    };
    if document.judge.judge_use != system.name() {
        let message =
            format!("Run {} was judged by {}, not by {}.", document.run_id, document.judge.judge_use, system.name());
        return Err(Failure::bad(message).with_way_on("Choose another run."));
    }
    let total = document.cases.judged + document.cases.failed + document.cases.skipped;
    let found = served.store().results(&document.run_id, position, 1)?.into_iter().next();
    let found = found.ok_or_else(|| no_such_case(position, total))?;
    Ok((found.case, Some(document.run_id), total))
}

fn of_example(system: &dyn JudgeSystem, judge: &dyn Judge, position: u32) -> Result<Chosen, Failure> {
    let files = examples::of(system).map_or(&[][..], |example| example.files);
    let cases = examples::case_files(files);
    let texts = files.iter().filter(|(name, _)| cases.contains(name) && name.ends_with(".jsonl"));
    let lines: Vec<&str> = texts.flat_map(|(_, text)| text.lines()).collect();
    let read = |line: &&str| {
        let record = serde_json::from_str(line)
            .map_err(|error| Failure::broken(format!("The bundled example cannot be read: {error}")))?;
        read_case(judge, record)
    };
    let mut cases: Vec<Case> = lines.iter().map(read).collect::<Result<_, Failure>>()?;
    if let Some(assembly) = judge.assembly() {
        cases = assembly.assemble(cases).map_err(|wrong| Failure::bad(format!("{}.", wrong.join("; "))))?;
    }
    let total = cases.len() as u64;
    let case = cases.into_iter().nth(position as usize).ok_or_else(|| no_such_case(position, total))?;
    Ok((case, None, total))
}

fn no_such_case(position: u32, total: u64) -> Failure {
    Failure::missing(format!("There is no case {}: there are {total}.", u64::from(position) + 1))
}
