//! A question as a call: encoded for the provider, without what the model refuses.

use crate::capabilities::{Capabilities, Learned};
use crate::client::ClientSettings;
use crate::exchange::{ApiCall, HIDDEN};
use crate::wire::{self, Finish, ProviderError, Reply, Request, WireError};
use assize_core::Question;
use assize_core::suite::Api;
use secrecy::{ExposeSecret, SecretString};

/// More refused parameters than there are parameters, in case a server contradicts itself.
const MOST_REFUSALS: u32 = 8;

/// A question on its way.
pub(crate) struct Asking<'a> {
    settings: &'a ClientSettings,
    learned: &'a Learned,
    question: &'a Question,
    /// How many times the usual limit its reply may be long.
    room: u64,
    /// What it was sent with, last.
    pub(crate) sent: Capabilities,
    refusals: u32,
}

impl<'a> Asking<'a> {
    pub(crate) fn new(settings: &'a ClientSettings, learned: &'a Learned, question: &'a Question, room: u64) -> Self {
        Self { settings, learned, question, room, sent: learned.now(), refusals: 0 }
    }
}

impl ApiCall for Asking<'_> {
    type Reply = Reply;

    /// The base of the messages format may stand with or without its version.
    fn address(&self) -> String {
        let base = self.settings.base_url.trim_end_matches('/');
        match self.settings.api {
            Api::OpenAi => format!("{base}/chat/completions"),
            Api::Anthropic => format!("{}/v1/messages", base.strip_suffix("/v1").unwrap_or(base)),
        }
    }

    fn body(&mut self) -> String {
        // Others may have learned something about the model since the last attempt.
        self.sent = self.learned.now();
        let ClientSettings { api, model, parameters, .. } = self.settings;
        let output_limit = self.room * self.sent.longest_reply(*api, parameters, &self.question.schema.schema);
        let request = Request { model, parameters, output_limit, capabilities: self.sent };
        wire::encode(*api, self.question, &request).to_string()
    }

    fn decode(&self, status: u16, body: &[u8]) -> Result<Reply, WireError> {
        wire::decode(self.settings.api, status, body).map(|reply| without_key_in(reply, self.settings.api_key.as_ref()))
    }

    fn adapt(&mut self, error: &ProviderError) -> bool {
        let refused = self.sent.refused(self.settings.api, &self.settings.parameters, error);
        let Some(refused) = refused.filter(|_| self.refusals < MOST_REFUSALS) else { return false };
        self.refusals += 1;
        self.learned.note(self.sent, refused);
        true
    }
}

/// A reply without the key: a server that quotes it in what should be the model's words would have it stored for good.
fn without_key_in(mut reply: Reply, key: Option<&SecretString>) -> Reply {
    // A word so short is no secret, and may well be part of an honest reply.
    const SHORTEST: usize = 8;
    let Some(key) = key.map(|key| key.expose_secret()).filter(|key| key.len() >= SHORTEST) else { return reply };
    let mut texts = vec![&mut reply.text];
    texts.extend(reply.model.as_mut());
    if let Finish::Refusal(words) = &mut reply.finish {
        texts.push(words);
    }
    for text in texts {
        if text.contains(key) {
            *text = text.replace(key, HIDDEN);
        }
    }
    reply
}
