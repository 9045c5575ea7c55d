//! From the answers in both orders to the judgment of a pair.

use super::question::Order;
use assize_core::{Answer, Case, Failure, FailureKind, Judgment, Method, Metric, Outcome};
use regex::{Captures, Regex};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The figures of a pair.
pub(super) const WIN_RATE: &str = "win_rate";
/// Raised where nobody need be asked.
pub(super) const SAME_TEXT: &str = "same_text";
pub(super) const CONSISTENCY: &str = "consistency";
pub(super) const FIRST_PLACE: &str = "first_place_rate";

/// Which of the two systems is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Better {
    First,
    Second,
    Tie,
}

impl Better {
    /// What the first system gets out of 1.
    fn points(self) -> f64 {
        match self {
            Self::First => 1.0,
            Self::Second => 0.0,
            Self::Tie => 0.5,
        }
    }
}

/// What the judge said in one order.
struct Said {
    better: Better,
    /// Whether the answer shown first was chosen; `None` for a tie.
    first_place: Option<bool>,
    reason: String,
}

/// The names of the two systems.
fn names(case: &Case) -> (String, String) {
    let mut names = case.model.names().map(str::to_owned);
    (names.next().unwrap_or_default(), names.next().unwrap_or_default())
}

/// The judgment of a pair whose outputs are the same text: a tie that nobody need be asked about.
pub(super) fn same_text(case: &Case) -> Outcome {
    let mut judgment = Judgment::default();
    judgment.metrics.insert(WIN_RATE.into(), Metric::score(Some(Better::Tie.points()), Method::Code));
    judgment.metrics.insert(CONSISTENCY.into(), Metric::rate(1.0, 1.0, Method::Code));
    let (first, second) = names(case);
    judgment.labels.insert("pair".into(), json!({"first": first, "second": second, "winner": Value::Null}));
    judgment.verdict = Some("tie".into());
    judgment.reason = Some(format!("{first} and {second} wrote the same text."));
    judgment.flag(SAME_TEXT);
    judgment.into()
}

/// What becomes of a pair once both orders are answered.
pub(super) fn outcome(case: &Case, answers: [(Order, &Answer); 2]) -> Outcome {
    let (first, second) = names(case);
    let mut said = Vec::new();
    for (order, answer) in answers {
        match read(order, answer, &first, &second) {
            Ok(one) => said.push((order, one)),
            Err(failure) => return failure.into(),
        }
    }
    let [(_, one), (_, other)] = &said[..] else { unreachable!("there are two orders") };
    let method = answers.iter().map(|(_, answer)| answer.method()).max().unwrap_or(Method::Llm);
    let agreed = (one.better == other.better).then_some(one.better);
    let places: Vec<bool> = [one, other].into_iter().filter_map(|said| said.first_place).collect();
    let chosen_first = places.iter().filter(|first| **first).count();
    let mut judgment = Judgment::default();
    let mut put = |name: &str, metric: Metric| judgment.metrics.insert(name.to_owned(), metric);
    put(WIN_RATE, Metric::score(agreed.map(Better::points), method));
    put(CONSISTENCY, Metric::rate(f64::from(u8::from(agreed.is_some())), 1.0, method));
    put(FIRST_PLACE, Metric::rate(chosen_first as f64, places.len() as f64, method));
    let name = |better: Better| match better {
        Better::First => Some(&first),
        Better::Second => Some(&second),
        Better::Tie => None,
    };
    let orders: serde_json::Map<String, Value> = said
        .iter()
        .map(|(order, said)| (order.name().to_owned(), json!({"winner": name(said.better), "reason": said.reason})))
        .collect();
    let winner = agreed.and_then(name);
    judgment.labels.insert("pair".into(), json!({"first": first, "second": second, "winner": winner}));
    judgment.labels.insert("orders".into(), Value::Object(orders));
    judgment.verdict = Some(match agreed {
        Some(better) => name(better).map_or_else(|| "tie".to_owned(), Clone::clone),
        None => "inconsistent".to_owned(),
    });
    judgment.reason = Some(match agreed {
        Some(_) => one.reason.clone(),
        None => {
            let of = |said: &Said| name(said.better).map_or("a tie", String::as_str).to_owned();
            format!("With {first} first the judge chose {}, with {second} first {}.", of(one), of(other))
        }
    });
    if agreed.is_none() {
        judgment.flag("order_decides");
    }
    judgment.into()
}

fn read(order: Order, answer: &Answer, first: &str, second: &str) -> Result<Said, Failure> {
    let choice = answer.value.get("better").and_then(Value::as_str);
    let (better, first_place) = match (choice, order) {
        (Some("answer_1"), Order::AsWritten) => (Better::First, Some(true)),
        (Some("answer_2"), Order::AsWritten) => (Better::Second, Some(false)),
        (Some("answer_1"), Order::Swapped) => (Better::Second, Some(true)),
        (Some("answer_2"), Order::Swapped) => (Better::First, Some(false)),
        (Some("tie"), _) => (Better::Tie, None),
        _ => {
            let failure = Failure::new(FailureKind::InvalidReply, "the reply does not say which answer is better");
            return Err(failure.with_raw(answer.raw.clone()));
        }
    };
    let reason = answer.value.get("reason").and_then(Value::as_str).unwrap_or_default();
    Ok(Said { better, first_place, reason: with_names(reason, order, first, second) })
}

/// How a reason calls the two answers: `answer 1`, `Response #2`, `answers 1 and 2`, `the second answer`.
static PLACES: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?ix)
        \b(?:the\ )?(?:answer|response|output)s\ (?P<one>[12])\ (?P<and>and|or)\ (?P<other>[12])\b
        | \b(?:the\ )?(?:answer|response|output)[\ _\-]?\#?(?P<number>1|2|one|two)\b
        | \bthe\ (?P<ordinal>first|second)\ (?:answer|response|output)\b";
    Regex::new(pattern).expect("a pattern that is tested")
});

/// A reason with the names of the systems where it has the places of their answers.
fn with_names(reason: &str, order: Order, first: &str, second: &str) -> String {
    let name = |place: &str| {
        let shown_first = matches!(&place.to_lowercase()[..], "1" | "one" | "first");
        if shown_first == (order == Order::AsWritten) { first } else { second }
    };
    let named = |found: &Captures<'_>| {
        if let (Some(one), Some(other)) = (found.name("one"), found.name("other")) {
            return format!("{} {} {}", name(one.as_str()), &found["and"], name(other.as_str()));
        }
        let place = found.name("number").or_else(|| found.name("ordinal")).expect("one of the alternatives");
        let whole = found.get(0).expect("what was found");
        // "Answer 1.5" is a number and not a place.
        let behind = &reason.as_bytes()[whole.end()..];
        if matches!(behind, [b'.', digit, ..] if digit.is_ascii_digit()) {
            return whole.as_str().to_owned();
        }
        name(place.as_str()).to_owned()
    };
    PLACES.replace_all(reason, named).into_owned()
}
