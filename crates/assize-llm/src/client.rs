//! One judge model, ready to be asked.
//!
//! [`ModelClient::ask`] sends a question, reads the reply, sends an invalid one back once with what is wrong with it,
//! and returns the answer or the failure together with what was spent, in either case.

use crate::asking::Asking;
use crate::capabilities::{Capabilities, Learned};
use crate::exchange::exchange;
use crate::pace::Pace;
use crate::prices::PriceTable;
use crate::reading::{self, AnswerValidator, Read, Validators};
use crate::retry::{CallGate, Endless, RetryPolicy};
use crate::tokens;
use crate::wire::{Finish, Reply, schema_in_words};
use assize_core::answer::Source;
use assize_core::suite::{Api, Parameters, Structured};
use assize_core::{Answer, Failure, FailureKind, Fingerprint, Message, Provenance, Question, Usage};
use secrecy::SecretString;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an answer is taken to be in an estimate, where the suite does not limit it.
const ASSUMED_OUTPUT_TOKENS: u64 = 1000;

/// Whom to ask, and how.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// The provider's name, as in `provider:model`.
    pub provider: String,
    /// The wire format it speaks.
    pub api: Api,
    /// Where it is.
    pub base_url: String,
    /// The key, if it wants one.
    pub api_key: Option<SecretString>,
    /// The variable of the environment that the key is in.
    pub key_variable: Option<String>,
    /// Whether the suite names the address, and not a built-in provider or the user's environment.
    pub from_suite: bool,
    /// The provider's name for the model.
    pub model: String,
    /// What is sent along with every question.
    pub parameters: Parameters,
    /// How the model is made to keep to a schema.
    pub structured: Structured,
    /// How long one request may take.
    pub timeout: Duration,
    /// How often and how patiently a request is repeated.
    pub retry: RetryPolicy,
    /// What models cost.
    pub prices: Arc<PriceTable>,
}

impl ClientSettings {
    /// Who is asked, as `provider:model`.
    pub fn asked(&self) -> String {
        format!("{}:{}", self.provider, self.model)
    }

    /// Whether the model's price is known.
    pub fn has_price(&self) -> bool {
        self.price(Usage::default(), None).is_some()
    }

    /// What a call costs; the model the server reports has a say where this one's price is not known.
    pub(crate) fn price(&self, usage: Usage, reported: Option<&str>) -> Option<f64> {
        let Self { prices, provider, model, .. } = self;
        let price = prices.get(provider, model).or_else(|| prices.get(provider, reported?))?;
        Some(price.of(usage))
    }
}

/// What asking took, whether there is an answer or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spent {
    /// Tokens.
    pub usage: Usage,
    /// US dollars; `None` where the price or the usage is not known.
    pub cost_usd: Option<f64>,
    /// Calls that came back with a reply.
    pub calls: u32,
    /// Requests repeated because of an error on the way.
    pub retries: u32,
}

impl Default for Spent {
    fn default() -> Self {
        Self { usage: Usage::default(), cost_usd: Some(0.0), calls: 0, retries: 0 }
    }
}

impl Spent {
    /// Adds a call that came back with a reply, and what the server says it used.
    /// Adds a call; gives what it cost.
    pub(crate) fn add_call(
        &mut self,
        settings: &ClientSettings,
        usage: Option<Usage>,
        reported: Option<&str>,
    ) -> Option<f64> {
        self.calls += 1;
        self.usage += usage.unwrap_or_default();
        let cost = usage.and_then(|usage| settings.price(usage, reported));
        self.cost_usd = self.cost_usd.zip(cost).map(|(before, now)| before + now);
        cost
    }
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The answer, or why there is none.
    pub outcome: Result<Answer, Failure>,
    /// What it took.
    pub spent: Spent,
}

/// What a question will take, about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallEstimate {
    /// Tokens to be sent.
    pub input_tokens: u64,
    /// Tokens to be received at most, or about a thousand where the suite sets no limit.
    pub output_tokens: u64,
    /// US dollars; `None` where the price is not known.
    pub cost_usd: Option<f64>,
}

/// What a judge finds wrong with an answer beyond its schema.
pub type Violations<'a> = &'a (dyn Fn(&Value) -> Vec<String> + Send + Sync);

/// One judge model.
#[derive(Debug)]
pub struct ModelClient {
    settings: ClientSettings,
    http: reqwest::Client,
    learned: Learned,
    validators: Validators,
    pace: Pace,
}

impl ModelClient {
    /// A client for a model, over an HTTP client from [`Transport`](crate::Transport).
    pub fn new(settings: ClientSettings, http: reqwest::Client) -> Self {
        let assumed = Capabilities::assumed(settings.api, &settings.provider, settings.structured);
        Self { settings, http, learned: Learned::new(assumed), validators: Validators::default(), pace: Pace::new() }
    }

    /// Whom it asks, and how.
    pub fn settings(&self) -> &ClientSettings {
        &self.settings
    }

    /// Names what is asked of whom: provider, model, parameters, messages, schema and sample index, nothing else.
    pub fn key(&self, question: &Question) -> Fingerprint {
        // The schema goes in as text: its order is the order in which the model writes, and so part of what is asked.
        Fingerprint::of(&json!({
            "provider": self.settings.provider,
            "model": self.settings.model,
            "parameters": self.settings.parameters,
            "messages": question.messages,
            "schema": question.schema.schema.to_string(),
            "sample": question.sample,
        }))
    }

    /// What a question will take, about.
    pub fn estimate(&self, question: &Question) -> CallEstimate {
        let input_tokens = tokens::of_question(question);
        let output_tokens = self.settings.parameters.max_output_tokens.unwrap_or(ASSUMED_OUTPUT_TOKENS);
        let usage = Usage { input_tokens, output_tokens, cached_input_tokens: 0 };
        CallEstimate { input_tokens, output_tokens, cost_usd: self.settings.price(usage, None) }
    }

    /// What one request may cost at most, with so many times the usual room for its reply.
    fn highest_cost(&self, question: &Question, room: u64) -> Option<f64> {
        let ClientSettings { api, parameters, .. } = &self.settings;
        let limit = self.learned.now().longest_reply(*api, parameters, &question.schema.schema);
        // The estimate of what is sent is within a tenth; a fifth more is enough.
        let input_tokens = tokens::of_question(question) * 6 / 5;
        self.settings.price(Usage { input_tokens, output_tokens: room * limit, cached_input_tokens: 0 }, None)
    }

    /// Asks.
    pub async fn ask(&self, question: &Question, violations: Violations<'_>) -> Asked {
        self.ask_through(question, violations, &Endless).await
    }

    /// Asks, doing no more than a gate lets through.
    pub async fn ask_through(&self, question: &Question, violations: Violations<'_>, gate: &dyn CallGate) -> Asked {
        let mut spent = Spent::default();
        let outcome = self.answer(question, violations, gate, &mut spent).await;
        Asked { outcome, spent }
    }

    async fn answer(
        &self,
        question: &Question,
        violations: Violations<'_>,
        gate: &dyn CallGate,
        spent: &mut Spent,
    ) -> Result<Answer, Failure> {
        let validator = self
            .validators
            .get(&question.schema.schema)
            .map_err(|message| Failure::new(FailureKind::BadRequest, message))?;
        let started = Instant::now();
        let first = self.call_for_all(question, gate, spent).await?;
        let ((reply, sent), found, corrected) = match judge_reply(&first.0, &validator, violations)? {
            Ok(found) => (first, found, false),
            Err(wrong) => {
                let corrective = corrective_round(question, &first.0.text, &wrong);
                let second = self.call_for_all(&corrective, gate, spent).await?;
                match judge_reply(&second.0, &validator, violations)? {
                    Ok(found) => (second, found, true),
                    Err(wrong) => {
                        let message =
                            format!("the reply is invalid, also after one corrective round: {}", wrong.join("; "));
                        return Err(Failure::new(FailureKind::InvalidReply, message).with_raw(second.0.text));
                    }
                }
            }
        };
        let settings = &self.settings;
        let key = self.key(question);
        let raw = reply.text;
        Ok(Answer {
            id: Answer::id_of(&key, &raw),
            key,
            source: Source::Model,
            value: found.value,
            raw,
            provenance: Provenance {
                asked: settings.asked(),
                model: reply.model,
                usage: spent.usage,
                cost_usd: spent.cost_usd,
                latency_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
                calls: spent.calls,
                retries: spent.retries,
                dropped_parameters: sent.dropped(settings.api, &settings.parameters, settings.structured),
                reading: found.reading,
                corrected,
            },
        })
    }

    /// A call, made again where the reply is not whole: with twice the room where the limit cut it off, and again where it
    /// breaks off though it claims to be complete, or to have met a limit that is further away: it was lost on the way.
    async fn call_for_all(
        &self,
        question: &Question,
        gate: &dyn CallGate,
        spent: &mut Spent,
    ) -> Result<(Reply, Capabilities), Failure> {
        let mut room = 1;
        let mut reply = self.call(question, room, gate, spent).await?;
        for _ in 0..LOST_ON_THE_WAY {
            let ClientSettings { api, parameters, .. } = &self.settings;
            let limit = room * reply.1.longest_reply(*api, parameters, &question.schema.schema);
            match &reply.0.finish {
                // One that used all the room it had twice needs more than anybody foresaw.
                Finish::Length if room > 1 && reply.0.usage.is_none_or(|usage| usage.output_tokens >= limit) => break,
                Finish::Length => room = 2,
                Finish::Complete if reading::breaks_off(&reply.0.text) => {}
                _ => break,
            }
            reply = self.call(question, room, gate, spent).await?;
        }
        Ok(reply)
    }

    /// One call, added to what was spent: the reply, and what it was asked with.
    async fn call(
        &self,
        question: &Question,
        room: u64,
        gate: &dyn CallGate,
        spent: &mut Spent,
    ) -> Result<(Reply, Capabilities), Failure> {
        let mut asking = Asking::new(&self.settings, &self.learned, question, room);
        let highest = self.highest_cost(question, room);
        let through = (&self.settings, &self.http, &self.pace);
        let reply = exchange(through, &mut asking, highest, gate, &mut spent.retries).await?;
        gate.settle(spent.add_call(&self.settings, reply.usage, reply.model.as_deref()));
        Ok((reply, asking.sent))
    }
}

/// An answer's value, or what is wrong with the reply; a failure where another round is of no use.
fn judge_reply(
    reply: &Reply,
    validator: &AnswerValidator,
    violations: Violations<'_>,
) -> Result<Result<Read, Vec<String>>, Failure> {
    let failure = |kind, message: String| Err(Failure::new(kind, message).with_raw(reply.text.clone()));
    match &reply.finish {
        Finish::Complete => {}
        Finish::Length => {
            let message =
                "the reply was cut off, also with twice the room; raise `max_output_tokens` under `parameters`";
            return failure(FailureKind::Truncated, message.to_owned());
        }
        Finish::ContentFilter => {
            return failure(FailureKind::ContentFiltered, "the provider's filter withheld the reply".to_owned());
        }
        Finish::Refusal(words) => {
            let message = format!("the model declined: {}", words.chars().take(300).collect::<String>());
            let failure = Failure::new(FailureKind::Refused, message.trim_end_matches([':', ' ']));
            return Err(failure.with_raw(if reply.text.is_empty() { words } else { &reply.text }));
        }
    }
    Ok(match reading::read(&reply.text, validator) {
        Err(unreadable) => Err(unreadable.violations),
        Ok(found) => {
            let wrong = violations(&found.value);
            if wrong.is_empty() { Ok(found) } else { Err(wrong) }
        }
    })
}

/// As often a reply that is not whole is asked for again.
const LOST_ON_THE_WAY: u32 = 3;

/// As many bytes of a reply that cannot be used are sent back.
const MOST_SENT_BACK: usize = 16 * 1024;

/// The conversation, gone on with: the model's own reply, and what is wrong with it.
fn corrective_round(question: &Question, reply: &str, wrong: &[String]) -> Question {
    let mut corrective = question.clone();
    // No format takes an empty message.
    if !reply.trim().is_empty() {
        corrective.messages.push(Message::assistant(&reply[..reply.floor_char_boundary(MOST_SENT_BACK)]));
    }
    let wrong: Vec<String> = wrong.iter().map(|sentence| format!("- {sentence}")).collect();
    let schema = schema_in_words(&question.schema.schema);
    corrective.messages.push(Message::user(format!("Your reply cannot be used:\n{}\n\n{schema}", wrong.join("\n"))));
    corrective
}
