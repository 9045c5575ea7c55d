//! Why a case could not be judged. A failure is a value beside the judgments: it is counted, shown and kept, and never
//! enters a mean.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{EnumIter, EnumString, IntoStaticStr};

/// The kinds of failure, each with a name of its own in results and reports.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    EnumIter,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum FailureKind {
    /// The reply hit the length limit before it was complete.
    Truncated,
    /// The model declined to answer.
    Refused,
    /// The provider withheld the reply.
    ContentFiltered,
    /// The reply was no valid answer, also after one corrective round.
    InvalidReply,
    /// No reply came within the time allowed.
    Timeout,
    /// The server could not be reached, or the connection broke.
    Unreachable,
    /// The provider went on asking to wait until the retries were used up.
    RateLimited,
    /// The account with the provider is used up.
    QuotaExhausted,
    /// The provider failed on its side until the retries were used up.
    ServerError,
    /// The key is missing or was not accepted.
    Unauthorised,
    /// The provider does not have the model.
    ModelNotFound,
    /// The provider did not accept the request.
    BadRequest,
    /// The recorded answers hold none for this question.
    NotRecorded,
    /// No rule stands in for the model here, and no model was given.
    NoRule,
    /// The embedder could not measure the case's texts.
    EmbeddingFailed,
}

impl FailureKind {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// What it means, in a sentence for whoever waits for the result.
    pub fn about(self) -> &'static str {
        match self {
            Self::Truncated => "The reply hit the length limit before it was complete.",
            Self::Refused => "The model declined to answer.",
            Self::ContentFiltered => "The provider withheld the reply.",
            Self::InvalidReply => "The reply was no valid answer, also after one corrective round.",
            Self::Timeout => "No reply came within the time allowed.",
            Self::Unreachable => "The server could not be reached, or the connection broke.",
            Self::RateLimited => "The provider went on asking to wait until the retries were used up.",
            Self::QuotaExhausted => "The account with the provider is used up.",
            Self::ServerError => "The provider failed on its side until the retries were used up.",
            Self::Unauthorised => "The key is missing or was not accepted.",
            Self::ModelNotFound => "The provider does not have the model.",
            Self::BadRequest => "The provider did not accept the request.",
            Self::NotRecorded => "The recorded answers hold none for this question.",
            Self::NoRule => "No rule stands in for the model here, and no model was given.",
            Self::EmbeddingFailed => "The embedder could not measure the case's texts.",
        }
    }

    /// Whether every further question to the same model would fail in the same way, so that going on is pointless.
    pub fn ends_the_run(self) -> bool {
        matches!(self, Self::Unauthorised | Self::ModelNotFound | Self::QuotaExhausted)
    }
}

/// Why one case could not be judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// The kind.
    pub kind: FailureKind,
    /// What happened, in a sentence.
    pub message: String,
    /// The model's reply as it came, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
}

impl Failure {
    /// A failure with no reply to show.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), raw: None }
    }

    /// The same failure with the reply that caused it.
    pub fn with_raw(mut self, raw: impl Into<String>) -> Self {
        self.raw = Some(raw.into());
        self
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.message)
    }
}

impl std::error::Error for Failure {}
