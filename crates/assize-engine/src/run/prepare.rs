//! Preparing a run: the suite, the judge, the models and every case are read and checked; nothing is asked.

use super::models::Models;
use super::select::Selecting;
use super::{Ready, RunOptions, SuiteSource, judge_source};
use crate::answering::{Juror, RunEmbedder};
use crate::cases::{CaseFiles, CasePlace};
use crate::files::Files;
use crate::profiles::Profiles;
use crate::records::RunRequest;
use assize_core::document::{Node, Problem, Problems, Severity, Span, closest};
use assize_core::judge::{by_rules, self_test};
use assize_core::suite::{Draft, GateCheck, Placed};
use assize_core::{
    Answers, Case, Failure, FailureKind, Fingerprint, InputSpec, Judge, JudgeSource, JudgeSystem, Outcome, Parsed,
    Suite, Survey, Surveyed,
};
use assize_judges::systems::behaviour;
use assize_judges::{SYSTEMS, system_for};
use serde_json::{Number, json};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Looks up an environment variable.
pub type Environment<'e> = &'e dyn Fn(&str) -> Option<String>;

/// A run in which everything has been read once and found in order. A key may still be missing; see [`Prepared::ready`].
pub struct Prepared {
    pub(crate) suite: Suite,
    pub(crate) judge: Arc<dyn Judge>,
    /// The system that the judge is of.
    pub(crate) system: &'static dyn JudgeSystem,
    pub(crate) jurors: Vec<(String, Juror)>,
    /// The profile its settings rest on, with the version.
    pub(crate) profile: Option<String>,
    pub(crate) embedder: Option<RunEmbedder>,
    pub(crate) cases: RunCases,
    pub(crate) total: u32,
    /// A fingerprint of all cases that are taken.
    pub(crate) inputs: Fingerprint,
    pub(crate) options: RunOptions,
    /// What was asked for, to be asked for again.
    pub(crate) request: RunRequest,
    /// What stands in the way of asking, though not of estimating: a missing key.
    missing: Problems,
    /// What is probably not meant, and keeps nothing from running.
    warnings: Problems,
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
        self.options.max_cost()
    }

    /// What stands in the way of asking, though not of estimating: a missing key.
    pub fn missing(&self) -> &Problems {
        &self.missing
    }

    /// What is probably not meant, and keeps nothing from running: expected outcomes that do not score perfectly against
    /// themselves.
    pub fn warnings(&self) -> &Problems {
        &self.warnings
    }

    /// The run, if nothing stands in the way of asking.
    pub fn ready(self) -> Result<Ready, Problems> {
        if self.missing.is_empty() { Ok(Ready::new(self)) } else { Err(self.missing) }
    }

    /// Why no case at all can be judged, where rules are to judge and have none for any of them.
    fn nothing_but_a_model(&self) -> Option<Failure> {
        if !self.jurors.iter().all(|(_, juror)| matches!(juror, Juror::Rules)) {
            return None;
        }
        let mut lacking = None;
        // Mostly the first case can be judged, and no other is looked at. One that cannot be read fails on its own.
        for case in self.cases() {
            match self.judge.open(&case, &Parsed::default()).map(|open| by_rules(&*open, Answers::none())) {
                Ok(Outcome::Failed(failure)) if failure.kind == FailureKind::NoRule => lacking = Some(failure),
                _ => return None,
            }
        }
        lacking
    }

    /// The cases that are taken, in order.
    pub(crate) fn selected(&self) -> impl Iterator<Item = Result<Case, Vec<Problem>>> + Send + use<> {
        let mut selecting = self.options.selection.begin();
        self.cases.iter().filter(move |case| case.as_ref().map_or(true, |case| selecting.takes(case)))
    }
}

/// Reads everything that a suite names, and reports everything that is wrong with it.
pub fn prepare(
    mut source: SuiteSource<'_>,
    options: RunOptions,
    profiles: &Profiles,
    environment: Environment<'_>,
) -> Result<Prepared, Problems> {
    let prepared = try_prepare(&mut source, options, profiles, environment);
    source.problems.into_result(prepared)
}

fn try_prepare(
    source: &mut SuiteSource<'_>,
    options: RunOptions,
    profiles: &Profiles,
    environment: Environment<'_>,
) -> Option<Prepared> {
    let (files, problems) = (source.files, &mut source.problems);
    let draft = &mut source.draft;
    let system = match source.system {
        Some(system) => Some((JudgeSource::BuiltIn(draft.judge_use.value.clone()), system)),
        None => find_system(files, &draft.judge_use, problems),
    };
    let before = problems.count();
    let profile = settle_settings(draft, system.as_ref().map(|(_, system)| *system), &options, profiles, problems);
    // Settings without their profile say nothing more about themselves.
    let settings = draft.settings.as_ref().filter(|_| problems.count() == before);
    let judge = system.as_ref().and_then(|(source, system)| assize_judges::build(*system, source, settings, problems));
    let mut missing = Problems::of(problems.file());
    let models = Models { files, draft, options: &options, environment, problems, missing: &mut missing };
    let (jurors, embedder) = models.find();
    let cases = source.cases(judge.as_ref().map_or(&[][..], |judge| &judge.spec().inputs));
    let mut judge: Arc<dyn Judge> = judge?.into();
    let (judge_source, system) = system?;
    check_gate(&source.draft.gate, &*judge, &mut source.problems);
    let cases = cases?;
    if let Some(keys) = cases.foreign_keys() {
        // Said once: what is wrong is the judge, and not each of the cases.
        wrong_judge(&source.draft.judge_use, &*judge, &keys, &mut source.problems);
        return None;
    }
    let mut survey = judge.survey();
    let mut warnings = Problems::of(source.problems.file());
    let (cases, total, inputs) =
        read_through(&*judge, cases, &options, survey.as_deref_mut(), &mut source.problems, &mut warnings)?;
    let Surveyed { settings, warnings: found } = survey.map(|survey| survey.finish()).unwrap_or_default();
    found.into_iter().for_each(|sentence| warnings.warn(source.draft.judge_use.span, sentence));
    if !settings.is_empty() {
        let span = source.draft.settings.as_ref().map_or(source.draft.judge_use.span, |own| own.span);
        let mut whole = source.draft.settings.as_ref().map_or_else(|| json!({}), Node::to_value);
        settings.into_iter().for_each(|(name, value)| whole[name] = value);
        let whole = Node::of(&whole, span);
        judge = assize_judges::build(system, &judge_source, Some(&whole), &mut source.problems)?.into();
        source.draft.settings = Some(whole);
    }
    let mut request = options.request.clone();
    if let Some(path) = &source.path {
        request.suite.clone_from(path);
    }
    // Asked for again it means the same version, also after it got a newer one.
    request.profile = request.profile.and(profile.clone());
    let suite = source.draft.clone().into_suite()?;
    let jurors = jurors?;
    let mut prepared = Prepared {
        suite,
        judge,
        system,
        jurors,
        profile,
        embedder,
        cases,
        total,
        inputs,
        options,
        request,
        missing,
        warnings,
    };
    if let Some(failure) = prepared.nothing_but_a_model() {
        let span = source.draft.judge_use.span;
        let message = format!("the judge {} cannot judge any of these cases by rules", prepared.system.name());
        prepared.missing.report_with_help(span, message, failure.message);
    }
    Some(prepared)
}

/// Brings profiles and chosen settings into the suite's own. Gives the profile that they rest on.
fn settle_settings(
    draft: &mut Draft,
    system: Option<&dyn JudgeSystem>,
    options: &RunOptions,
    profiles: &Profiles,
    problems: &mut Problems,
) -> Option<String> {
    let own = draft.settings.as_ref();
    let (settings, profile) = match (options.profile(), system) {
        (Some(chosen), Some(system)) => {
            let span = own.map_or(draft.judge_use.span, |settings| settings.span);
            profiles.put_before(system, chosen, own, span, problems)
        }
        _ => profiles.resolve(system, own, problems),
    };
    draft.settings = settings;
    profile
}

/// The system that the suite names, and what the judge is made of.
fn find_system(
    files: &Files,
    judge_use: &Placed<String>,
    problems: &mut Problems,
) -> Option<(JudgeSource, &'static dyn JudgeSystem)> {
    let (name, span) = (&judge_use.value, judge_use.span);
    let source = judge_source(files, judge_use, problems)?;
    let Some(system) = system_for(&source) else {
        let names: Vec<&str> = SYSTEMS.iter().map(|system| system.name()).collect();
        let message = format!("`{name}` is not a judge");
        problems.report_with_help(
            span,
            message,
            format!("name one of {}, or a criteria file (.yaml)", names.join(", ")),
        );
        return None;
    };
    Some((source, system))
}

/// Reports cases that are for another judge, and which judge that may be.
fn wrong_judge(judge_use: &Placed<String>, judge: &dyn Judge, keys: &[String], problems: &mut Problems) {
    let listed =
        |names: &mut dyn Iterator<Item = &str>| names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let required = |inputs: &[InputSpec]| -> Vec<String> {
        inputs.iter().filter(|input| input.required).map(|input| input.name.clone()).collect()
    };
    let needs = listed(&mut required(&judge.spec().inputs).iter().map(String::as_str));
    let message = format!("the judge `{}` needs {needs}, and no case has any of them", judge_use.value);
    let takes = |inputs: &[InputSpec]| required(inputs).iter().all(|input| keys.contains(input));
    let built_in = |system: &&dyn JudgeSystem| {
        let judge = system.build(&JudgeSource::BuiltIn(system.name().to_owned()), None, &mut Problems::default());
        judge.is_some_and(|judge| takes(&judge.spec().inputs))
    };
    let mut meant: Vec<&str> = SYSTEMS.iter().copied().filter(built_in).map(|system| system.name()).collect();
    if takes(&behaviour::inputs()) {
        meant.push("a rubric tree or a behaviour prompt");
    }
    let has = listed(&mut keys.iter().map(String::as_str));
    let help = if meant.is_empty() {
        format!("the cases have {has}; name another judge, or rename their keys with `map:`")
    } else {
        format!("the cases have {has}, which is what {} takes: name that in `judge.use`", meant.join(" or "))
    };
    problems.report_with_help(judge_use.span, message, help);
}

fn check_gate(gate: &[GateCheck], judge: &dyn Judge, problems: &mut Problems) {
    let names = || judge.spec().metrics.iter().map(|metric| metric.name.as_str()).chain([GateCheck::BLOCKERS]);
    for check in gate {
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

/// The cases of a run: those of the files one after the other, or what the judge made of all their rows.
#[derive(Clone)]
pub(crate) enum RunCases {
    OneByOne(CaseFiles),
    Assembled(Arc<[Case]>),
}

impl RunCases {
    fn iter(&self) -> Box<dyn Iterator<Item = Result<Case, Vec<Problem>>> + Send> {
        match self {
            Self::OneByOne(files) => Box::new(files.iter()),
            Self::Assembled(cases) => {
                let cases = cases.clone();
                Box::new((0..cases.len()).map(move |at| Ok(cases[at].clone())))
            }
        }
    }
}

/// Reads every case once: counts those that are taken, and reports what is wrong with any.
///
/// What is kept of a case is 24 bytes: a hash of its name and its place, to find an id that comes twice. Only a judge that
/// assembles cases from rows has all of them in memory.
fn read_through(
    judge: &dyn Judge,
    files: CaseFiles,
    options: &RunOptions,
    mut survey: Option<&mut (dyn Survey + 'static)>,
    problems: &mut Problems,
    warnings: &mut Problems,
) -> Option<(RunCases, u32, Fingerprint)> {
    let before = problems.count();
    let selection = &options.selection;
    let mut golds: HashSet<Fingerprint> = HashSet::new();
    let mut models: BTreeSet<String> = BTreeSet::new();
    let mut names: HashMap<[u8; 16], CasePlace> = HashMap::new();
    let mut taking = Taking { selecting: selection.begin(), content: blake3::Hasher::new() };
    let mut rows = judge.assembly().map(|assembly| (assembly, Vec::new()));
    for case in files.iter_placed() {
        match case {
            Err(found) => found.into_iter().for_each(|problem| problems.add(problem)),
            Ok((case, place)) => {
                if let Some(first) = names.insert(name_hash(&case), place) {
                    problems.add(duplicate(&case, &files, place, first));
                }
                if let Some(survey) = &mut survey {
                    survey.see(&case);
                }
                let wrong = judge.case_problems(&case);
                // What is wrong with it is said already, and a gold that comes again for another model is tested once.
                let gold = judge.gold(&case).filter(|_| wrong.is_empty());
                if let Some(gold) = gold.filter(|gold| golds.insert(Fingerprint::of(&gold.inputs))) {
                    for figure in self_test(judge, &gold) {
                        let warned = imperfect_gold(&files, place, &gold, &figure, options.strict());
                        if options.strict() { problems.add(warned) } else { warnings.add(warned) }
                    }
                }
                for message in wrong {
                    problems.add(case_problem(&files, place, message, None));
                }
                models.extend(case.model.names().map(str::to_owned));
                match &mut rows {
                    Some((_, rows)) => rows.push(case),
                    None => taking.see(&case),
                }
            }
        }
    }
    for named in judge.models_named().iter().filter(|named| !models.is_empty() && !models.contains(&named.value)) {
        let help = match closest(&named.value, models.iter().map(String::as_str)) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("models of the cases: {}", models.iter().cloned().collect::<Vec<_>>().join(", ")),
        };
        problems.report_with_help(named.span, format!("no case has the model `{}`", named.value), help);
    }
    let cases = match rows {
        None => RunCases::OneByOne(files),
        // What is wrong with the rows themselves comes first.
        Some(_) if problems.count() > before => return None,
        Some((assembly, rows)) => match assembly.assemble(rows) {
            Ok(cases) => {
                cases.iter().for_each(|case| taking.see(case));
                RunCases::Assembled(cases.into())
            }
            Err(wrong) => {
                wrong.into_iter().for_each(|message| problems.report(None, message));
                return None;
            }
        },
    };
    for id in taking.selecting.missing() {
        problems.report_with_help(
            None,
            format!("no case has the id `{id}`"),
            "--only takes ids as they stand in the case files",
        );
    }
    Some((cases, taking.selecting.taken(), Fingerprint::of_bytes(taking.content.finalize().as_bytes())))
}

/// Which cases are taken, and what they hold.
struct Taking {
    selecting: Selecting,
    content: blake3::Hasher,
}

impl Taking {
    fn see(&mut self, case: &Case) {
        if self.selecting.takes(case) {
            self.content.update(case.content().1.as_str().as_bytes());
        }
    }
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

fn imperfect_gold(cases: &CaseFiles, place: CasePlace, gold: &Case, figure: &str, strict: bool) -> Problem {
    let message = format!("what is expected of `{}` does not score perfectly against itself: {figure}", gold.id);
    let help = "mend the expected outcome; no model can score better than it".to_owned();
    let severity = if strict { Severity::Error } else { Severity::Warning };
    Problem { severity, ..case_problem(cases, place, message, Some(help)) }
}

fn case_problem(cases: &CaseFiles, place: CasePlace, message: String, help: Option<String>) -> Problem {
    let (file, span) = (cases.shown(place), Some(Span::at(place.line, 1)));
    Problem { file, span, severity: Severity::Error, message, help }
}
