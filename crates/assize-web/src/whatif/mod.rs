//! The cases that other settings of a judge are tried on: those of a run, or of the bundled example.
//!
//! They are read once and kept for the next request, so that figures move with a slider. A run can have a hundred
//! thousand cases; only as many are taken as can be gone through in a moment, and how many is said.

use super::failure::Failure;
use super::questions::{self, EXAMPLE};
use super::recent::Recent;
use super::served::Served;
use assize_core::document::Problems;
use assize_core::judge::by_rules;
use assize_core::number::{count, plural};
use assize_core::what_if::{SweepPoint, Terms};
use assize_core::{Answers, Case, Judge, JudgeSystem, Judgment, OpenWhatIf, Parsed, WhatIf, hints};
use assize_engine::profiles::own_settings;
use assize_engine::records::{ResultLine, RunDocument, RunStatus};
use assize_judges::examples;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// So many sets are kept: somebody compares two runs, and somebody else looks at a third.
const KEPT: usize = 3;

/// As many cases as are taken at most.
const MOST_CASES: usize = 2000;

/// As many things to apply settings to as are taken at most: the rules go through so many facts in about 40 ms.
const LARGEST: usize = 12_000;

/// So many cases are read and gone through in no time.
const SMALL: u64 = 300;

/// As many cases as are fetched at once.
const STRETCH: usize = 200;

/// A judge system, and the what-if that it offers.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    pub(super) system: &'static dyn JudgeSystem,
    what_if: &'static dyn WhatIf,
}

impl Offer {
    /// What a system offers, if it does.
    pub(super) fn of(system: &'static dyn JudgeSystem) -> Option<Self> {
        system.what_if().map(|what_if| Self { system, what_if })
    }

    /// What the judge calls things.
    pub(super) fn terms(self) -> Terms {
        self.what_if.terms()
    }

    fn open(self, recorded: &Value, whose: &str) -> Result<Box<dyn OpenWhatIf>, Failure> {
        let mut problems = Problems::of(whose);
        let opened = self.what_if.open(recorded, &mut problems);
        problems.into_result(opened).map_err(|problems| {
            let wrong: Vec<String> = problems.iter().map(ToString::to_string).collect();
            Failure::broken(format!("The settings of the run cannot be read: {}", wrong.join("; ")))
        })
    }

    /// The judge that stands in where the what-if needs judgments and there are none.
    fn judge(self) -> Result<Option<Box<dyn Judge>>, Failure> {
        let needed = self.what_if.needs_judgments();
        needed.then(|| questions::build(self.system, &own_settings(self.system))).transpose()
    }
}

/// Cases to try settings on.
pub(super) struct CaseSet {
    /// The run they are of; none for the bundled example or for cases that somebody sent.
    pub(super) run: Option<RunName>,
    /// What the judge calls things.
    pub(super) terms: Terms,
    /// The cases that can be recomputed, as far as they were taken.
    pub(super) opened: Box<dyn OpenWhatIf>,
    /// What each of them is called, by id and model, and where it stands in the run.
    taken: Vec<(String, String, u32)>,
    /// How many cases there are.
    pub(super) total: u64,
    /// How many were looked at.
    looked_at: u64,
    schema: Value,
    curve: Mutex<Option<(Value, Curve)>>,
}

/// A curve over a setting.
pub(super) type Curve = Arc<Vec<SweepPoint>>;

/// A run, as people call it.
#[derive(Clone, Debug)]
pub(super) struct RunName {
    pub(super) id: String,
    pub(super) suite: String,
}

impl CaseSet {
    fn new(offer: Offer, run: Option<RunName>, recorded: &Value, total: u64) -> Result<Self, Failure> {
        let whose = run.as_ref().map_or_else(|| "settings".to_owned(), |run| format!("the settings of run {}", run.id));
        Ok(Self {
            run,
            terms: offer.what_if.terms(),
            opened: offer.open(recorded, &whose)?,
            taken: Vec::new(),
            total,
            looked_at: 0,
            schema: offer.system.profile_schema(),
            curve: Mutex::default(),
        })
    }

    fn is_full(&self) -> bool {
        self.taken.len() >= MOST_CASES || self.opened.size() >= LARGEST
    }

    /// Takes a case in, or says what is wrong with it.
    fn take(&mut self, position: u32, case: &Case, judgment: Option<&Judgment>) -> Result<(), Vec<String>> {
        self.looked_at += 1;
        if self.opened.take(case, judgment)? {
            self.taken.push((case.id.clone(), case.model.to_string(), position));
        }
        Ok(())
    }

    /// How many cases can be recomputed.
    pub(super) fn used(&self) -> u64 {
        self.taken.len() as u64
    }

    /// Whether everything can be computed for it while a page is made.
    pub(super) fn is_small(&self) -> bool {
        self.looked_at <= SMALL
    }

    /// Where a case stands in its run.
    pub(super) fn position(&self, id: &str, model: &str) -> Option<u32> {
        self.taken.iter().find(|(case, of, _)| case == id && of == model).map(|(_, _, position)| *position)
    }

    /// What the figures rest on, in words: how many cases, and which were left out.
    pub(super) fn extent(&self) -> String {
        let mut words = if self.looked_at < self.total {
            format!("the first {} of {} cases", count(self.looked_at), count(self.total))
        } else {
            plural(self.used(), "case")
        };
        let without = self.looked_at - self.used();
        if without > 0 {
            words.push_str(&format!("; {} {} left out", count(without), self.terms.left_out));
        }
        words
    }

    /// The curve under settings, where the judge has a setting for one. It does not depend on the value of that setting, so
    /// while its slider moves it is computed once.
    pub(super) fn curve(&self, settings: &Value) -> Result<Option<Curve>, String> {
        let Some((setting, slider)) = hints::curve(&self.schema) else { return Ok(None) };
        if let Some(known) = self.known(settings) {
            return Ok(Some(known));
        }
        let steps = (slider.to / slider.step) as u32;
        let step = |number: u32| {
            let value = f64::from(number) * slider.step;
            let mut settings = settings.clone();
            settings[setting] = json!(value);
            (value, settings)
        };
        let steps: Vec<(f64, Value)> = (0..=steps).map(step).collect();
        let curve = Arc::new(self.opened.sweep(&steps)?);
        *self.curve.lock().unwrap_or_else(PoisonError::into_inner) = Some((self.curve_key(settings), curve.clone()));
        Ok(Some(curve))
    }

    /// The curve where it was computed before.
    pub(super) fn known(&self, settings: &Value) -> Option<Curve> {
        let key = self.curve_key(settings);
        let known = self.curve.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|(known, _)| *known == key).map(|(_, curve)| curve.clone())
    }

    /// What of settings a curve depends on.
    fn curve_key(&self, settings: &Value) -> Value {
        let mut key = hints::that_matter(&self.schema, settings);
        if let (Some(key), Some((setting, _))) = (key.as_object_mut(), hints::curve(&self.schema)) {
            key.remove(setting);
        }
        key
    }
}

/// The sets of cases that settings are tried on, those used last at hand.
pub(super) struct CaseSets {
    served: Served,
    recent: Recent<String, CaseSet>,
}

impl CaseSets {
    /// From what is served.
    pub(super) fn of(served: Served) -> Self {
        Self { served, recent: Recent::of(KEPT) }
    }

    /// The same as [`Self::find`], as far as it can be had at once: `None` where many cases would have to be read first.
    pub(super) fn find_at_once(&self, offer: Offer, run: &str) -> Result<Option<Arc<CaseSet>>, Failure> {
        let head = match run {
            EXAMPLE => None,
            "" => self.served.store().runs_judged_by(offer.system.name(), 1)?.into_iter().next(),
            id => Some(self.served.find_run(id)?),
        };
        let many = match head {
            Some(head) => head.document()?.cases.total > SMALL && !self.recent.holds(&head.id),
            None => false,
        };
        if many { Ok(None) } else { self.find(offer, run).map(Some) }
    }

    /// The cases of a run, named as in the address: an id, `example`, or nothing for the newest run there is.
    pub(super) fn find(&self, offer: Offer, run: &str) -> Result<Arc<CaseSet>, Failure> {
        let name = offer.system.name();
        let document = match run {
            EXAMPLE => return self.example(offer),
            "" => match self.served.store().runs_judged_by(name, 1)?.into_iter().next() {
                Some(head) => self.served.run_document(&head.id)?,
                None => return self.example(offer),
            },
            id => self.served.run_document(id)?,
        };
        let judged_by = &document.judge.judge_use;
        if judged_by != name {
            let message = format!("Run {} was judged by {judged_by}; this needs one by {name}.", document.run_id);
            return Err(Failure::bad(message).with_way_on("Choose another run, or the bundled example."));
        }
        if document.status == RunStatus::Running {
            // It may have more cases the next time.
            return self.load(offer, &document).map(Arc::new);
        }
        self.recent.take(document.run_id.clone(), || self.load(offer, &document))
    }

    fn example(&self, offer: Offer) -> Result<Arc<CaseSet>, Failure> {
        self.recent.take(format!("{EXAMPLE} {}", offer.system.name()), || example(offer))
    }

    fn load(&self, offer: Offer, document: &RunDocument) -> Result<CaseSet, Failure> {
        let name = RunName { id: document.run_id.clone(), suite: document.suite.clone() };
        let cases = document.cases;
        let total = cases.judged + cases.failed + cases.skipped;
        let mut set = CaseSet::new(offer, Some(name), &document.judge.settings, total)?;
        let mut from = 0;
        'taking: loop {
            let page = self.served.store().results(&document.run_id, from, STRETCH)?;
            let Some(last) = page.last() else { break };
            from = last.position + 1;
            for result in &page {
                if set.is_full() {
                    break 'taking;
                }
                let needed = offer.what_if.needs_judgments();
                let line = needed.then(|| result.line.clone());
                let judgment = line.and_then(ResultLine::into_judgment);
                // A stored case was read when it was judged; one that cannot be read any more is left out and counted so.
                _ = set.take(result.position, &result.case, judgment.as_ref());
            }
        }
        set.total = set.total.max(set.looked_at);
        Ok(set)
    }
}

fn example(offer: Offer) -> Result<CaseSet, Failure> {
    let files = examples::of(offer.system).map_or(&[][..], |example| example.files);
    let cases = examples::case_files(files);
    let texts = files.iter().filter(|(name, _)| cases.contains(name) && name.ends_with(".jsonl"));
    let records: Vec<Value> = texts
        .flat_map(|(_, text)| text.lines())
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::broken(format!("The bundled example cannot be read: {error}")))?;
    of_records(offer, records)
}

/// The cases that somebody sent. Where the what-if needs judgments, the judge's rules make them.
pub(super) fn of_records(offer: Offer, records: Vec<Value>) -> Result<CaseSet, Failure> {
    let inputs = offer.what_if.inputs();
    let judge = offer.judge()?;
    let mut set = CaseSet::new(offer, None, &Value::Null, records.len() as u64)?;
    for (place, record) in records.into_iter().enumerate() {
        if set.is_full() {
            break;
        }
        let wrong = |words: String| Failure::bad(format!("Case {}: {words}.", place + 1));
        let Value::Object(record) = record else { return Err(wrong("it is no JSON object".to_owned())) };
        let case = Case::read(record, &inputs).map_err(|problems| {
            wrong(problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("; "))
        })?;
        let judgment = judge.as_deref().and_then(|judge| judged_by_rules(judge, &case));
        let position = u32::try_from(place).unwrap_or(u32::MAX);
        set.take(position, &case, judgment.as_ref()).map_err(|problems| wrong(problems.join("; ")))?;
    }
    Ok(set)
}

fn judged_by_rules(judge: &dyn Judge, case: &Case) -> Option<Judgment> {
    let parsed = Parsed::default();
    let open = judge.open(case, &parsed).ok()?;
    by_rules(&*open, Answers::none()).judgment().cloned()
}

/// A problem as a sentence.
pub(super) fn sentence(message: &str, help: Option<&str>) -> String {
    help.map_or_else(|| format!("{message}."), |help| format!("{message} ({help})."))
}

#[cfg(test)]
mod tests;
