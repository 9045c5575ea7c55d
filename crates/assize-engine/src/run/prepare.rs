//! Preparing a run: the suite, the judge, the models and every case are read and checked; nothing is asked.

use super::models::Models;
use super::{RunOptions, RunRequest, Selection};
use crate::answering::{Juror, Meaning};
use crate::cases::{CaseFiles, CasePlace};
use crate::files::{Files, OUTSIDE, PathKind};
use assize_core::document::{Problem, Problems, Severity, Span, closest, parse};
use assize_core::suite::GateCheck;
use assize_core::{Case, Fingerprint, Judge, JudgeSource, JudgeSystem, SourceFile, Suite};
use assize_judges::{SYSTEMS, system_for};
use serde_json::Number;
use std::collections::HashMap;
use std::sync::Arc;

/// Looks up an environment variable.
pub type Environment<'e> = &'e dyn Fn(&str) -> Option<String>;

/// A run that can be executed: everything has been read once and found in order.
pub struct Prepared {
    pub(crate) suite: Suite,
    pub(crate) judge: Arc<dyn Judge>,
    /// The system that the judge is of.
    pub(crate) system: &'static dyn JudgeSystem,
    pub(crate) jurors: Vec<(String, Juror)>,
    /// The profile its settings rest on, with the version.
    pub(crate) profile: Option<String>,
    pub(crate) meaning: Option<Meaning>,
    pub(crate) cases: CaseFiles,
    pub(crate) total: u32,
    /// A fingerprint of all cases that are taken.
    pub(crate) inputs: Fingerprint,
    pub(crate) options: RunOptions,
    /// What was asked for, to be asked for again.
    pub(crate) request: RunRequest,
    /// What stands in the way of asking, though not of estimating: a missing key.
    missing: Problems,
}

impl Prepared {
    /// The suite.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// The judge.
    pub fn judge(&self) -> &dyn Judge {
        &*self.judge
    }

    /// The cases that are taken, in order. They have been read through without a mistake.
    pub fn cases(&self) -> impl Iterator<Item = Case> + Send + use<> {
        self.selected().flatten()
    }

    /// How many cases there are.
    pub fn total(&self) -> u32 {
        self.total
    }

    /// Who is asked, as `provider:name`; more than one is a jury.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        self.jurors.iter().map(|(name, _)| name.as_str())
    }

    /// The profile its settings rest on, with the version.
    pub fn profile(&self) -> Option<&str> {
        self.profile.as_deref()
    }

    /// US dollars that may be spent.
    pub fn max_cost(&self) -> Option<f64> {
        self.options.max_cost
    }

    /// What stands in the way of asking, though not of estimating: a missing key.
    pub fn missing(&self) -> &Problems {
        &self.missing
    }

    /// The run, if nothing stands in the way of asking.
    pub fn ready(self) -> Result<Self, Problems> {
        if self.missing.is_empty() { Ok(self) } else { Err(self.missing) }
    }

    /// The cases that are taken, in order.
    pub(crate) fn selected(&self) -> impl Iterator<Item = Result<Case, Vec<Problem>>> + Send + use<> {
        let mut selecting = self.options.selection.begin();
        self.cases.iter().filter(move |case| case.as_ref().map_or(true, |case| selecting.takes(case)))
    }
}

/// Reads a suite and everything it names, and reports everything that is wrong with it.
pub fn prepare(
    files: &Files,
    suite_path: &str,
    options: RunOptions,
    environment: Environment<'_>,
) -> Result<Prepared, Problems> {
    let mut problems = Problems::of(files.shown(suite_path));
    let prepared = try_prepare(files, suite_path, options, environment, &mut problems);
    problems.into_result(prepared)
}

fn try_prepare(
    files: &Files,
    suite_path: &str,
    options: RunOptions,
    environment: Environment<'_>,
    problems: &mut Problems,
) -> Option<Prepared> {
    let text = match files.read_text(suite_path) {
        Ok(text) => text,
        Err(error) => {
            problems.report(None, format!("the suite cannot be read: {error}"));
            return None;
        }
    };
    let mut suite = parse(&text, problems).and_then(|node| Suite::read(&node, problems))?;
    let system = find_system(files, &suite, problems);
    let before = problems.count();
    let profile = settle_settings(&mut suite, system.as_ref().map(|(_, system)| *system), &options, problems);
    // Settings without their profile say nothing more about themselves.
    let settings = suite.settings.as_ref().filter(|_| problems.count() == before);
    let judge = system.as_ref().and_then(|(source, system)| assize_judges::build(*system, source, settings, problems));
    let mut missing = Problems::of(problems.file());
    let models = Models { files, suite: &suite, options: &options, environment, problems, missing: &mut missing };
    let (jurors, meaning) = models.find();
    let inputs = judge.as_ref().map_or(&[][..], |judge| &judge.spec().inputs);
    let cases = CaseFiles::find(files, &suite.cases, &suite.columns, inputs, problems);
    let judge: Arc<dyn Judge> = judge?.into();
    let (_, system) = system?;
    check_gate(&suite, &*judge, problems);
    let cases = cases?;
    let (total, inputs) = read_through(&*judge, &cases, &options.selection, problems);
    let mut request = RunRequest::of(files.absolute(suite_path), &options);
    // Asked for again it means the same version, also after it got a newer one.
    request.profile = request.profile.and(profile.clone());
    Some(Prepared {
        suite,
        judge,
        system,
        jurors: jurors?,
        profile,
        meaning,
        cases,
        total,
        inputs,
        options,
        request,
        missing,
    })
}

/// Brings profiles and chosen settings into the suite's own. Gives the profile that they rest on.
fn settle_settings(
    suite: &mut Suite,
    system: Option<&dyn JudgeSystem>,
    options: &RunOptions,
    problems: &mut Problems,
) -> Option<String> {
    let (own, profiles) = (suite.settings.as_ref(), &options.profiles);
    let (settings, profile) = match (&options.profile, system) {
        (Some(chosen), Some(system)) => {
            let span = own.map_or(suite.judge_use.span, |settings| settings.span);
            profiles.put_before(system, chosen, own, span, problems)
        }
        _ => profiles.resolve(system, own, problems),
    };
    suite.settings = settings;
    profile
}

/// What `judge.use` names, with its files read.
pub fn judge_source(files: &Files, suite: &Suite, problems: &mut Problems) -> Option<JudgeSource> {
    let (name, span) = (&suite.judge_use.value, suite.judge_use.span);
    if SYSTEMS.iter().any(|system| system.name() == name) {
        return Some(JudgeSource::BuiltIn(name.clone()));
    }
    let read = |path: &str| files.read_text(path).map(|text| SourceFile { path: files.shown(path), text });
    let folder = |folder: &str, path: &str| {
        let paths = files.judge_files(folder).map_err(|error| std::io::Error::other(error.to_string()))?;
        let files = paths.iter().map(|path| read(path)).collect::<std::io::Result<Vec<_>>>()?;
        Ok(JudgeSource::Folder { path: path.to_owned(), files })
    };
    let source = match files.kind(name) {
        PathKind::Missing => {
            let names = || SYSTEMS.iter().map(|system| system.name());
            let message = format!("`{name}` is neither a judge system nor a file or folder beside the suite");
            let help = match closest(name, names()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("judge systems: {}", names().collect::<Vec<_>>().join(", ")),
            };
            problems.report_with_help(span, message, help);
            return None;
        }
        PathKind::Outside => {
            problems.report(span, format!("`{name}` {OUTSIDE}"));
            return None;
        }
        PathKind::Folder => folder(name, name),
        PathKind::File => match SYSTEMS.iter().find_map(|system| system.folder_of(name)) {
            Some(whole) => folder(whole, name),
            None => read(name).map(JudgeSource::File),
        },
    };
    source.map_err(|error| problems.report(span, format!("`{name}` cannot be read: {error}"))).ok()
}

/// The system that the suite names, and what the judge is made of.
fn find_system(
    files: &Files,
    suite: &Suite,
    problems: &mut Problems,
) -> Option<(JudgeSource, &'static dyn JudgeSystem)> {
    let (name, span) = (&suite.judge_use.value, suite.judge_use.span);
    let source = judge_source(files, suite, problems)?;
    let Some(system) = system_for(&source) else {
        let names: Vec<&str> = SYSTEMS.iter().map(|system| system.name()).collect();
        let message = format!("`{name}` is nothing a judge can be made of");
        problems.report_with_help(
            span,
            message,
            format!("name one of {}, or a criteria file (.yaml)", names.join(", ")),
        );
        return None;
    };
    Some((source, system))
}

fn check_gate(suite: &Suite, judge: &dyn Judge, problems: &mut Problems) {
    let names = || judge.spec().metrics.iter().map(|metric| metric.name.as_str()).chain([GateCheck::BLOCKERS]);
    for check in &suite.gate {
        if names().any(|name| name == check.metric) {
            continue;
        }
        let help = match closest(&check.metric, names()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("metrics: {}", names().collect::<Vec<_>>().join(", ")),
        };
        problems.report_with_help(
            check.span,
            format!("the gate names `{}`, which this judge does not give", check.metric),
            help,
        );
    }
}

/// Reads every case once: counts those that are taken, and reports what is wrong with any.
///
/// What is kept of a case is 24 bytes: a hash of its name and its place, to find an id that comes twice.
fn read_through(
    judge: &dyn Judge,
    cases: &CaseFiles,
    selection: &Selection,
    problems: &mut Problems,
) -> (u32, Fingerprint) {
    let mut selecting = selection.begin();
    let mut names: HashMap<[u8; 16], CasePlace> = HashMap::new();
    let mut content = blake3::Hasher::new();
    for case in cases.iter_placed() {
        match case {
            Err(found) => found.into_iter().for_each(|problem| problems.add(problem)),
            Ok((case, place)) => {
                if let Some(first) = names.insert(name_hash(&case), place) {
                    problems.add(duplicate(&case, cases, place, first));
                }
                for message in judge.case_problems(&case) {
                    problems.add(case_problem(cases, place, message, None));
                }
                if selecting.takes(&case) {
                    content.update(case.content().1.as_str().as_bytes());
                }
            }
        }
    }
    for id in selecting.missing() {
        problems.report_with_help(
            None,
            format!("no case has the id `{id}`"),
            "--only takes ids as they stand in the case files",
        );
    }
    (selecting.taken(), Fingerprint::of_bytes(content.finalize().as_bytes()))
}

/// A hash of the id, the model and the repetition, which together name a case.
fn name_hash(case: &Case) -> [u8; 16] {
    // 2 and 2.0 are the same repetition.
    let repetition = case.repetition().and_then(Number::as_f64).map(|run| run.to_string()).unwrap_or_default();
    let hash = blake3::hash(format!("{}\u{0}{}\u{0}{repetition}", case.model, case.id).as_bytes());
    let mut short = [0; 16];
    short.copy_from_slice(&hash.as_bytes()[..16]);
    short
}

fn duplicate(case: &Case, cases: &CaseFiles, place: CasePlace, first: CasePlace) -> Problem {
    let run = case.repetition().map(|run| format!(" in its run {run}")).unwrap_or_default();
    let message = format!("the id `{}` stands twice for the model `{}`{run}", case.id, case.model);
    let first = format!("it stands in {} at line {} already", cases.shown(first), first.line);
    case_problem(cases, place, message, Some(format!("{first}; an id must be unique for each model and `run`")))
}

fn case_problem(cases: &CaseFiles, place: CasePlace, message: String, help: Option<String>) -> Problem {
    let (file, span) = (cases.shown(place), Some(Span::at(place.line, 1)));
    Problem { file, span, severity: Severity::Error, message, help }
}
