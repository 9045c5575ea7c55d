//! The cases that other settings of the fact judge are tried on: those of a run, or of the bundled example.
//!
//! Their values are read once and kept for the next request, so that figures move with a slider. A run can have a hundred
//! thousand cases; only as many are taken as the rules can go through in a moment, and how many is said.

mod shelf;

pub(super) use shelf::Shelf;

use super::app::App;
use super::failure::Failure;
use assize_core::document::{Node, Problems, Span};
use assize_core::number::{count, plural};
use assize_core::{Case, InputKind, InputSpec};
use assize_engine::records::{RunDocument, RunStatus};
use assize_judges::examples;
use assize_judges::systems::facts::settings::{Settings, ValueReading};
use assize_judges::systems::facts::whatif::{SweepPoint, WhatIfCase, sweep};
use assize_judges::systems::facts::{self, JudgeConfig};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// What the address calls the bundled example.
pub(super) const EXAMPLE: &str = "example";

/// As many cases as are taken at most.
const MOST_CASES: usize = 2000;

/// As many facts as are taken at most: the rules go through these in about 40 ms.
const MOST_FACTS: usize = 12_000;

/// So many cases are read and gone through in no time.
const SMALL: u64 = 300;

/// As many cases as are fetched at once.
const STRETCH: usize = 200;

/// The tolerances a curve goes over, in percent: the steps of the slider.
pub(super) const WIDEST_TOLERANCE: f64 = 20.0;
pub(super) const TOLERANCE_STEP: f64 = 0.5;

/// Cases to try settings on.
pub(super) struct CaseSet {
    /// The run they are of; none for the bundled example or for cases that somebody sent.
    pub(super) run: Option<RunName>,
    /// Those with gold facts, as far as they were taken.
    pub(super) cases: Vec<WhatIfCase>,
    /// Where each of them stands in the run.
    positions: Vec<u32>,
    /// The settings that the run was made with.
    pub(super) settings: Settings,
    /// How many cases there are.
    pub(super) total: u64,
    /// How many were looked at.
    looked_at: u64,
    /// The fact types that occur, each with the names of its fields, in the order of their first occurrence.
    pub(super) types: Vec<(String, Vec<String>)>,
    curve: Mutex<Option<(JudgeConfig, Curve)>>,
}

/// A curve over the tolerance.
pub(super) type Curve = Arc<Vec<SweepPoint>>;

/// A run, as people call it.
#[derive(Clone, Debug)]
pub(super) struct RunName {
    pub(super) id: String,
    pub(super) suite: String,
}

impl CaseSet {
    fn new(run: Option<RunName>, settings: Settings, total: u64) -> Self {
        let (cases, positions, types) = (Vec::new(), Vec::new(), Vec::new());
        Self { run, cases, positions, settings, total, looked_at: 0, types, curve: Mutex::default() }
    }

    /// Takes a case in; `false` when there is room for no more.
    fn take(&mut self, position: u32, case: &Case, facts_so_far: &mut usize) -> bool {
        if self.cases.len() >= MOST_CASES || *facts_so_far >= MOST_FACTS {
            return false;
        }
        self.looked_at += 1;
        if let Some(case) = WhatIfCase::of(case, self.settings.reading) {
            *facts_so_far += case.predicted.len() + case.gold.len();
            for fact in case.gold.iter().chain(&case.predicted) {
                self.note_type(&fact.fact_type, &fact.fields);
            }
            self.cases.push(case);
            self.positions.push(position);
        }
        true
    }

    fn note_type(&mut self, fact_type: &str, fields: &Map<String, Value>) {
        let known = self.types.iter().position(|(name, _)| name == fact_type);
        let place = known.unwrap_or_else(|| {
            self.types.push((fact_type.to_owned(), Vec::new()));
            self.types.len() - 1
        });
        let names = &mut self.types[place].1;
        for name in fields.keys() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }

    /// Whether everything can be computed for it while a page is made.
    pub(super) fn is_small(&self) -> bool {
        self.looked_at <= SMALL
    }

    /// Where a case stands in its run.
    pub(super) fn position(&self, id: &str, model: &str) -> Option<u32> {
        let place = self.cases.iter().position(|case| case.id == id && case.model == model)?;
        self.positions.get(place).copied()
    }

    /// What the figures rest on, in words: how many cases, and which were left out.
    pub(super) fn extent(&self) -> String {
        let used = self.cases.len() as u64;
        let mut words = if self.looked_at < self.total {
            format!("the first {} of {} cases", count(self.looked_at), count(self.total))
        } else {
            plural(used, "case")
        };
        let without = self.looked_at - used;
        if without > 0 {
            words.push_str(&format!("; {} without gold facts left out", count(without)));
        }
        words
    }

    /// The curve over the tolerance under a config. It does not depend on the config's own tolerance, so while a slider
    /// moves it is computed once.
    pub(super) fn curve(&self, config: &JudgeConfig) -> Curve {
        let key = curve_key(config);
        if let Some(known) = self.known_curve(&key) {
            return known;
        }
        let steps = (WIDEST_TOLERANCE / TOLERANCE_STEP) as u32;
        let values: Vec<f64> = (0..=steps).map(|step| f64::from(step) * TOLERANCE_STEP).collect();
        let curve = sweep(&self.cases, &key, "numeric_tolerance_percent", &values);
        let curve = Arc::new(curve.expect("the tolerance is a number from 0 to 100, and so are these"));
        *self.curve.lock().unwrap_or_else(PoisonError::into_inner) = Some((key, curve.clone()));
        curve
    }

    /// The curve where it was computed before.
    pub(super) fn known(&self, config: &JudgeConfig) -> Option<Curve> {
        self.known_curve(&curve_key(config))
    }

    fn known_curve(&self, key: &JudgeConfig) -> Option<Curve> {
        let known = self.curve.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|(known, _)| known == key).map(|(_, curve)| curve.clone())
    }
}

/// What of a config a curve depends on.
fn curve_key(config: &JudgeConfig) -> JudgeConfig {
    let (profile_name, extra_instructions) = ("curve".to_owned(), String::new());
    JudgeConfig { numeric_tolerance_percent: 0.0, profile_name, extra_instructions, ..config.clone() }
}

/// The same, as far as it can be had at once: `None` where many cases would have to be read first.
pub(super) fn find_at_once(app: &App, run: &str) -> Result<Option<Arc<CaseSet>>, Failure> {
    let head = match run {
        EXAMPLE => None,
        "" => app.store().runs_judged_by(facts::NAME, 1)?.into_iter().next(),
        id => Some(app.find_run(id)?),
    };
    let many = head.is_some_and(|head| {
        let total = head.document["cases"]["total"].as_u64().unwrap_or_default();
        total > SMALL && !app.shelf().holds(&head.id)
    });
    if many { Ok(None) } else { find(app, run).map(Some) }
}

/// The cases of a run, named as in the address: an id, `example`, or nothing for the newest run there is.
pub(super) fn find(app: &App, run: &str) -> Result<Arc<CaseSet>, Failure> {
    let document = match run {
        EXAMPLE => return app.shelf().take(EXAMPLE, || example(ValueReading::default())),
        "" => match app.store().runs_judged_by(facts::NAME, 1)?.into_iter().next() {
            Some(head) => app.run_document(&head.id)?,
            None => return app.shelf().take(EXAMPLE, || example(ValueReading::default())),
        },
        id => app.run_document(id)?,
    };
    if document.judge.judge_use != facts::NAME {
        let message = format!(
            "Run {} was judged by {}; this needs one by {}.",
            document.run_id,
            document.judge.judge_use,
            facts::NAME
        );
        return Err(Failure::bad(message).with_way_on("Choose another run, or the bundled example."));
    }
    if document.status == RunStatus::Running {
        // It may have more cases the next time.
        return load(app, &document).map(Arc::new);
    }
    app.shelf().take(&document.run_id, || load(app, &document))
}

fn load(app: &App, document: &RunDocument) -> Result<CaseSet, Failure> {
    let name = RunName { id: document.run_id.clone(), suite: document.suite.clone() };
    let cases = document.cases;
    let settings = facts::settings::read_recorded(&document.judge.settings, &document.run_id).map_err(|problems| {
        let wrong: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Failure::broken(format!("The settings of the run cannot be read: {}", wrong.join("; ")))
    })?;
    let mut set = CaseSet::new(Some(name), settings, cases.judged + cases.failed + cases.skipped);
    let (mut from, mut facts) = (0, 0);
    'taking: loop {
        let page = app.store().results(&document.run_id, from, STRETCH)?;
        let Some(last) = page.last() else { break };
        from = last.position + 1;
        for result in &page {
            if !set.take(result.position, &result.case, &mut facts) {
                break 'taking;
            }
        }
    }
    set.total = set.total.max(set.looked_at);
    Ok(set)
}

fn example(reading: ValueReading) -> Result<CaseSet, Failure> {
    let bundled = examples::all().into_iter().find(|example| example.system == facts::NAME);
    let lines = bundled.and_then(|example| example.files.iter().find(|(name, _)| *name == "cases.jsonl"));
    let records = lines.map_or("", |(_, text)| text).lines().map(serde_json::from_str);
    let records: Vec<Value> = records
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::broken(format!("The bundled example cannot be read: {error}")))?;
    of_records(records, reading)
}

/// The cases that somebody sent.
pub(super) fn of_records(records: Vec<Value>, reading: ValueReading) -> Result<CaseSet, Failure> {
    let inputs = [
        InputSpec::optional("transcript", InputKind::Any, "the conversation"),
        InputSpec::required("predicted_facts", InputKind::List, "what was extracted"),
        InputSpec::required("gold_facts", InputKind::List, "what is true"),
    ];
    let settings = Settings { config: JudgeConfig::strict(), reading };
    let mut set = CaseSet::new(None, settings, records.len() as u64);
    let mut facts = 0;
    for (place, record) in records.into_iter().enumerate() {
        let wrong = |words: String| Failure::bad(format!("Case {}: {words}.", place + 1));
        let Value::Object(record) = record else { return Err(wrong("it is no JSON object".to_owned())) };
        let case = Case::read(record, &inputs).map_err(|problems| {
            wrong(problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("; "))
        })?;
        facts::fact::CaseFacts::of(&case.inputs).map_err(|problems| wrong(problems.join("; ")))?;
        if !set.take(u32::try_from(place).unwrap_or(u32::MAX), &case, &mut facts) {
            break;
        }
    }
    Ok(set)
}

/// A config out of JSON, or everything that is wrong with it.
pub(super) fn read_config(settings: &Value) -> Result<JudgeConfig, Failure> {
    let mut problems = Problems::of("judge_config");
    let read = JudgeConfig::read(&Node::of(settings, Span::at(1, 1)), JudgeConfig::strict(), &mut problems);
    problems.into_result(read).map_err(|problems| {
        let wrong: Vec<String> =
            problems.iter().map(|problem| sentence(&problem.message, problem.help.as_deref())).collect();
        Failure::bad(wrong.join(" "))
    })
}

/// A problem as a sentence.
pub(super) fn sentence(message: &str, help: Option<&str>) -> String {
    help.map_or_else(|| format!("{message}."), |help| format!("{message} ({help})."))
}

/// What differs between two configs.
pub(super) fn differences(one: &JudgeConfig, other: &JudgeConfig) -> Vec<assize_core::settings::Difference> {
    assize_core::settings::differences(&json!(one), &json!(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(amount: u32) -> Value {
        json!([{"id": "x", "fact_type": "assets", "fields": {"value": amount}}])
    }

    #[test]
    fn only_as_many_cases_are_taken_as_can_be_gone_through() {
        let record = |id: usize| json!({"id": id, "predicted_facts": facts(1), "gold_facts": facts(1)});
        let set = of_records((0..MOST_CASES + 5).map(record).collect(), ValueReading::default()).expect("cases");
        assert_eq!(set.cases.len(), MOST_CASES);
        assert_eq!(set.extent(), "the first 2,000 of 2,005 cases");
        let few = of_records(vec![record(1)], ValueReading::default()).expect("a case");
        assert_eq!(
            (few.extent().as_str(), few.types),
            ("1 case", vec![("assets".to_owned(), vec!["value".to_owned()])])
        );
    }

    #[test]
    fn a_curve_is_computed_once_for_all_tolerances() {
        let records = vec![json!({"id": 1, "predicted_facts": facts(102), "gold_facts": facts(100)})];
        let set = of_records(records, ValueReading::default()).expect("a case");
        let (strict, wider) = (JudgeConfig::strict(), JudgeConfig::strict().with("numeric_tolerance_percent", "7"));
        let curve = set.curve(&strict);
        assert!(Arc::ptr_eq(&curve, &set.curve(&wider.expect("valid"))));
        assert!(!Arc::ptr_eq(&curve, &set.curve(&JudgeConfig::lenient())));
        let f1 = |at: usize| curve[at].models["default"].overall.f1;
        // 102 for 100 is 2 % off; the steps are half a percent.
        assert_eq!((curve.len(), f1(3), f1(4)), (41, Some(0.0), Some(1.0)));
    }

    #[test]
    fn what_is_wrong_with_a_case_is_said() {
        let wrong =
            |record: Value| of_records(vec![record], ValueReading::default()).map(|_| ()).expect_err("wrong").message;
        assert!(wrong(json!({"id": 1, "predicted_facts": []})).contains("no `gold_facts`"));
        assert!(wrong(json!({"id": 1, "predicted_facts": [{}], "gold_facts": []})).contains("has no `id`"));
        assert!(wrong(json!(3)).contains("no JSON object"));
    }
}
