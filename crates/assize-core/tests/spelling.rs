//! A word has one spelling: what serde writes into files is what `name` says, and is read back.

use assize_core::{CaseStatus, FailureKind, Method, Rating};
use serde::Serialize;
use std::fmt::Debug;
use std::str::FromStr;
use strum::IntoEnumIterator;

fn names<T>() -> Vec<&'static str>
where
    T: IntoEnumIterator + Into<&'static str> + FromStr + Serialize + Copy + PartialEq + Debug,
    T::Err: Debug,
{
    let spelt = |value: T| -> &'static str {
        let name = value.into();
        assert_eq!(serde_json::to_value(value).expect("a word"), name);
        assert_eq!(name.parse::<T>().expect("its own name"), value);
        name
    };
    T::iter().map(spelt).collect()
}

#[test]
fn files_and_screens_spell_alike() {
    assert_eq!(names::<Method>(), ["code", "embedding", "llm", "rules"]);
    assert_eq!(names::<Rating>(), ["good", "acceptable", "fail", "blocker"]);
    assert_eq!(names::<CaseStatus>(), ["judged", "failed", "skipped"]);
    assert_eq!(
        names::<FailureKind>(),
        [
            "truncated",
            "refused",
            "content_filtered",
            "invalid_reply",
            "timeout",
            "unreachable",
            "rate_limited",
            "quota_exhausted",
            "server_error",
            "unauthorised",
            "model_not_found",
            "bad_request",
            "not_recorded",
            "no_rule",
            "embedding_failed",
        ]
    );
    assert!("Judged".parse::<CaseStatus>().is_err());
}
