//! From answers and checks to rulings, and from rulings to the judgment of a case.

use super::checks::{Check, CheckResult};
use super::judge::{Behaviour, PASS_RATE, metric_of};
use super::spec::Criticality;
use assize_core::flag::QUESTION_FAILED;
use assize_core::{Answer, Failure, Judgment, Method, Metric, Outcome};
use serde_json::{Map, Value, json};
use strum::IntoStaticStr;

/// The shortest and longest reason asked for, in characters.
const REASON_LENGTH: std::ops::RangeInclusive<usize> = 50..=200;

/// Who decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(super) enum DecidedBy {
    Checks,
    Model,
    Rules,
    /// Nobody yet: it waits for a person.
    Person,
    /// Nobody: the question got no answer.
    Failed,
    /// Nobody: the case is not one for this behaviour.
    Skipped,
}

impl DecidedBy {
    fn name(self) -> &'static str {
        self.into()
    }
}

/// What was found about one behaviour of one case.
#[derive(Clone, Debug)]
pub(super) struct Ruling {
    /// The verdict; `None` where there is none.
    pub(super) pass: Option<bool>,
    /// The score from 0 to 1; `None` where there is none.
    pub(super) score: Option<f64>,
    /// The score on the benchmark's own scale.
    raw: Option<f64>,
    pub(super) reason: String,
    pub(super) decided_by: DecidedBy,
    method: Method,
    flags: Vec<&'static str>,
    /// Why a person should look at it.
    review: Option<&'static str>,
    saved_call: bool,
    /// What the model said itself, where the rules of the answer changed it or code computes it.
    claimed: Map<String, Value>,
    confidence: Option<String>,
    uncertain: Option<bool>,
}

impl Ruling {
    fn new(pass: Option<bool>, reason: impl Into<String>, decided_by: DecidedBy, method: Method) -> Self {
        Self {
            pass,
            score: pass.map(|pass| if pass { 1.0 } else { 0.0 }),
            raw: None,
            reason: reason.into(),
            decided_by,
            method,
            flags: Vec::new(),
            review: None,
            saved_call: false,
            claimed: Map::new(),
            confidence: None,
            uncertain: None,
        }
    }

    /// The case is not one for this behaviour.
    pub(super) fn skipped(why: &str) -> Self {
        Self::new(None, format!("ruled out by {why}"), DecidedBy::Skipped, Method::Code)
    }

    /// No model is asked; a person decides.
    pub(super) fn for_a_person() -> Self {
        let mut ruling = Self::new(None, "waits for a person's decision", DecidedBy::Person, Method::Code);
        ruling.review = Some("manual_sme");
        ruling
    }

    /// The question got no answer; it can be asked again.
    pub(super) fn failed(failure: &Failure) -> Self {
        let mut ruling = Self::new(None, failure.to_string(), DecidedBy::Failed, Method::Llm);
        ruling.flags.push(QUESTION_FAILED);
        ruling
    }

    /// All checks must hold.
    pub(super) fn by_checks(outcomes: &[(&Check, CheckResult)]) -> Self {
        let failed: Vec<String> = outcomes
            .iter()
            .filter(|(_, outcome)| !outcome.holds)
            .map(|(check, outcome)| format!("{}: {}", check.name, outcome.detail))
            .collect();
        let reason = if failed.is_empty() { format!("all {} checks hold", outcomes.len()) } else { failed.join("; ") };
        Self::new(Some(failed.is_empty()), reason, DecidedBy::Checks, Method::Code)
    }

    /// One check that settles a hybrid, so that no model need be asked.
    pub(super) fn settled(check: &Check, outcome: &CheckResult) -> Self {
        let reason = format!("{}: {}", check.name, outcome.detail);
        let mut ruling = Self::new(Some(outcome.holds), reason, DecidedBy::Checks, Method::Code);
        ruling.saved_call = true;
        ruling
    }

    /// What follows from an answer. An answer that says it is uncertain, or of low confidence, fails, whatever else it
    /// says; one of the stand-in rules that is uncertain decides nothing.
    pub(super) fn by_answer(behaviour: &Behaviour, answer: &Answer) -> Self {
        let value = &answer.value;
        let method = answer.method();
        let by_rules = method == Method::Rules;
        let decided_by = if by_rules { DecidedBy::Rules } else { DecidedBy::Model };
        let reason = value.get("reason").and_then(Value::as_str).unwrap_or_default();
        let uncertain = value.get("uncertain").and_then(Value::as_bool);
        let confidence = value.get("confidence").and_then(Value::as_str);
        if behaviour.asks_applicable && value.get("applicable").and_then(Value::as_bool) == Some(false) {
            return Self { reason: reason.to_owned(), method, ..Self::skipped("the judge") };
        }
        let Some(stated) = value.get("pass").and_then(Value::as_bool) else {
            let mut ruling = Self::new(None, "the answer has no verdict", decided_by, method);
            ruling.flags.push("no_verdict");
            ruling.review = Some("no_verdict");
            return ruling;
        };
        if by_rules && uncertain == Some(true) {
            let mut ruling = Self::new(None, reason, decided_by, method);
            ruling.flags.push("no_rule");
            ruling.review = Some("no_rule");
            return ruling;
        }
        let (unsure, low) = (uncertain == Some(true), confidence == Some("low"));
        let pass = stated && !unsure && !low;
        let mut ruling = Self::new(Some(pass), reason, decided_by, method);
        ruling.flags.extend(answer.flags());
        ruling.confidence = confidence.map(str::to_owned);
        ruling.uncertain = uncertain;
        if unsure {
            ruling.flags.push("uncertain");
            ruling.review = Some("uncertain");
        }
        if low {
            ruling.flags.push("low_confidence");
            ruling.review = ruling.review.or(Some("low_confidence"));
        }
        if !REASON_LENGTH.contains(&reason.trim().chars().count()) {
            ruling.flags.push("reason_length");
        }
        if stated != pass {
            ruling.claimed.insert("pass".into(), stated.into());
        }
        ruling.take_score(behaviour, value.get("score").and_then(Value::as_f64), unsure || low);
        ruling
    }

    /// With a scale the score is a label on it, unless it contradicts the verdict: an output that fails cannot have a score
    /// that passes. Without a scale the verdict is the score, and a number the model states beside it is only a claim.
    fn take_score(&mut self, behaviour: &Behaviour, stated: Option<f64>, unsure: bool) {
        let Some(stated) = stated else { return };
        let Some(scale) = &behaviour.scale else {
            self.claimed.insert("score".into(), json!(stated));
            if self.score.is_some_and(|score| (score - stated).abs() > 1e-9) && !unsure {
                self.flags.push("score_differs");
            }
            return;
        };
        let Some(score) = scale.normalise(stated) else {
            self.claimed.insert("score".into(), json!(stated));
            (self.pass, self.score) = (None, None);
            self.flags.push("score_off_scale");
            self.review = Some("score_off_scale");
            return;
        };
        let contradicts = match self.pass {
            Some(true) => score <= 0.0,
            _ => score + 1e-9 >= behaviour.threshold && !unsure,
        };
        if contradicts {
            self.flags.push("score_differs");
        }
        if unsure || contradicts && self.pass == Some(false) {
            self.claimed.insert("score".into(), json!(stated));
        } else {
            self.raw = Some(stated);
            self.score = Some(score);
        }
    }

    /// Whether nothing came of it: its question failed, or there was none to ask.
    pub(super) fn is_nothing(&self) -> bool {
        matches!(self.decided_by, DecidedBy::Failed | DecidedBy::Skipped)
    }

    fn label(&self, behaviour: &Behaviour) -> Value {
        let mut label = Map::new();
        label.insert("behaviour".into(), behaviour.id.clone().into());
        label.insert("pass".into(), json!(self.pass));
        label.insert("score".into(), json!(self.score));
        label.insert("reason".into(), self.reason.clone().into());
        label.insert("decided_by".into(), self.decided_by.name().into());
        if let Some(confidence) = &self.confidence {
            label.insert("confidence".into(), confidence.clone().into());
        }
        if let Some(uncertain) = self.uncertain {
            label.insert("uncertain".into(), uncertain.into());
        }
        if let Some(review) = self.review {
            label.insert("review".into(), review.into());
        }
        if !self.flags.is_empty() {
            label.insert("flags".into(), json!(self.flags));
        }
        if let Some(key) = &behaviour.result_key {
            label.insert("result_key".into(), key.clone().into());
        }
        Value::Object(label)
    }
}

/// What becomes of a case: its judgment, or that it is not one for this judge.
pub(super) fn outcome(rulings: &[(&Behaviour, Ruling)]) -> Outcome {
    if rulings.iter().all(|(_, ruling)| ruling.decided_by == DecidedBy::Skipped) {
        let reason = match rulings {
            [(behaviour, ruling)] => format!("`{}`: {}", behaviour.code, ruling.reason),
            _ => "no behaviour admits this case".to_owned(),
        };
        return Outcome::Skipped { reason };
    }
    let mut judgment = Judgment::default();
    let mut labels = Map::new();
    let mut results = Map::new();
    let mut review: Vec<Value> = Vec::new();
    let mut skipped: Vec<&str> = Vec::new();
    let (mut passed, mut judged, mut saved) = (0_u32, 0_u32, 0_u64);
    for (behaviour, ruling) in rulings {
        labels.insert(behaviour.code.clone(), ruling.label(behaviour));
        if ruling.decided_by == DecidedBy::Skipped {
            skipped.push(&behaviour.code);
            continue;
        }
        let mut metric = Metric::score(ruling.score, ruling.method);
        metric.raw = ruling.raw;
        judgment.metrics.insert(metric_of(&behaviour.code), metric);
        if let Some(pass) = ruling.pass {
            judged += 1;
            passed += u32::from(pass);
        }
        if let Some(key) = &behaviour.result_key {
            results.insert(key.clone(), json!(ruling.pass));
        }
        saved += u64::from(ruling.saved_call);
        ruling.flags.iter().for_each(|flag| judgment.flag(*flag));
        if let Some(why) = ruling.review {
            judgment.flag("needs_review");
            review.push(json!({"behaviour": behaviour.code, "why": why}));
        }
        if !ruling.claimed.is_empty() {
            judgment.claimed.insert(behaviour.code.clone(), Value::Object(ruling.claimed.clone()));
        }
    }
    let methods = || rulings.iter().filter(|(_, ruling)| ruling.pass.is_some()).map(|(_, ruling)| ruling.method);
    let method = methods().max().unwrap_or(Method::Code);
    judgment.metrics.insert(PASS_RATE.into(), Metric::rate(f64::from(passed), f64::from(judged), method));
    judgment.labels.insert("behaviours".into(), Value::Object(labels));
    judgment.labels.insert("review".into(), Value::Array(review));
    judgment.labels.insert("skipped".into(), json!(skipped));
    judgment.labels.insert("saved_calls".into(), saved.into());
    if !results.is_empty() {
        judgment.labels.insert("results".into(), Value::Object(results));
    }
    judgment.verdict = Some(verdict(rulings).to_owned());
    judgment.reason = Some(reason(rulings));
    judgment.into()
}

/// What the case comes to: `fail` if a behaviour that gates fails, `review` if one is undecided, else `pass`.
fn verdict(rulings: &[(&Behaviour, Ruling)]) -> &'static str {
    let gating = || {
        rulings.iter().filter(|(behaviour, ruling)| {
            behaviour.criticality != Criticality::ImprovementSignal && ruling.decided_by != DecidedBy::Skipped
        })
    };
    if gating().any(|(_, ruling)| ruling.pass == Some(false)) {
        "fail"
    } else if gating().any(|(_, ruling)| ruling.pass.is_none()) {
        "review"
    } else {
        "pass"
    }
}

fn reason(rulings: &[(&Behaviour, Ruling)]) -> String {
    if let [(_, ruling)] = rulings {
        return ruling.reason.clone();
    }
    let failed: Vec<&str> = rulings
        .iter()
        .filter(|(_, ruling)| ruling.pass == Some(false))
        .map(|(behaviour, _)| behaviour.code.as_str())
        .collect();
    let judged = rulings.iter().filter(|(_, ruling)| ruling.pass.is_some()).count();
    if failed.is_empty() {
        format!("all {judged} behaviours that were decided pass")
    } else {
        format!("{} of {judged} behaviours fail: {}", failed.len(), failed.join(", "))
    }
}
