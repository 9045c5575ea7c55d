//! A case that has no judgment: why, and what to do.

use super::pane::{Whole, plain};
use crate::visible::visible;
use assize_core::{CaseStatus, Failure, FailureKind};
use assize_engine::records::ResultLine;
use maud::{Markup, html};

/// Why a case was not judged; nothing where it was.
pub(super) fn draw(line: &ResultLine, whole: &Whole) -> Markup {
    html! {
        @if let Some(error) = &line.error {
            div.notice data-kind="error" {
                p { b { "This case could not be judged: " } (visible(&error.message)) }
                p { (way_on(error)) }
                @if let Some(raw) = &error.raw { details { summary { "The reply as it came" } (plain(raw, whole)) } }
            }
        } @else if line.status == CaseStatus::Skipped {
            div.notice {
                p { b { "This case was skipped: " } (visible(line.reason.as_deref().unwrap_or("the judge does not apply to it"))) }
                p { "It counts in no figure. Another judge, or another tag on the case, would have it judged." }
            }
        }
    }
}

/// What to do about a failure.
fn way_on(error: &Failure) -> &'static str {
    match error.kind {
        FailureKind::Truncated => {
            "The reply hit the length limit. Give the judge model a larger limit or a shorter case, and run the suite again: what was answered is not asked twice."
        }
        FailureKind::Refused => {
            "The model declined to judge this case. Try another judge model on it: `--model` with `--only` and the case's id."
        }
        FailureKind::ContentFiltered => {
            "The provider withheld the reply. Try another provider on this case, or loosen its filter."
        }
        FailureKind::InvalidReply => {
            "The reply did not have the form that was asked for, even after it was sent back once. A stronger model, or one with strict JSON, usually mends it."
        }
        FailureKind::Timeout | FailureKind::Unreachable | FailureKind::ServerError | FailureKind::RateLimited => {
            "The trouble was on the way or with the provider. Run the suite again: only what failed is asked anew."
        }
        FailureKind::QuotaExhausted => {
            "The account with the provider is used up. Top it up, then run the suite again: only what is missing is asked."
        }
        FailureKind::Unauthorised => {
            "The key is missing or was not accepted. `assize doctor` shows which variable is read."
        }
        FailureKind::ModelNotFound => {
            "The provider does not know the model. Check its name in the suite's `judge.model`."
        }
        FailureKind::BadRequest => {
            "The provider did not accept the request. The message says why; a case that is too long for the model is the usual reason."
        }
        FailureKind::NotRecorded => {
            "The record holds no answer to this question. It was made with another prompt, case or setting; ask a model instead."
        }
        FailureKind::NoRule => {
            "Rules cannot decide this case. Name a model in the suite's `judge.model` or with `--model`."
        }
        FailureKind::EmbeddingFailed => {
            "The embedder could not measure the texts. Check the suite's `embedder`, then run the suite again."
        }
    }
}
