//! Are two answers the same?
//!
//! Numbers are compared exactly: `1,234`, `1234.0` and `$1,234` are one, and so are `1/2`, `0.5`,
//! `\frac{1}{2}` and `50%`. A percent sign may be left out (`20%` and `20`), except where the number is so small that it
//! could be a share itself. Roots and π are compared by their value. A unit in the
//! given answer is ignored where none is expected; two different units differ. Letters decide a
//! multiple choice. Tuples have an order, sets and bare lists have none.

use serde::{Deserialize, Serialize};

use super::value::{Number, Value, comparable, read, tidy};
use crate::arithmetic::Rational;

/// Whether two answers are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerMatch {
    /// They are the same answer.
    Same,
    /// They are different answers.
    Different,
    /// Reading alone cannot tell.
    Unclear,
}

/// The outcome of a comparison, with its reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct AnswerComparison {
    /// Same, different, or unclear.
    pub verdict: AnswerMatch,
    /// Why, in a few words.
    pub why: &'static str,
}

fn same(why: &'static str) -> AnswerComparison {
    AnswerComparison { verdict: AnswerMatch::Same, why }
}

fn different(why: &'static str) -> AnswerComparison {
    AnswerComparison { verdict: AnswerMatch::Different, why }
}

fn unclear(why: &'static str) -> AnswerComparison {
    AnswerComparison { verdict: AnswerMatch::Unclear, why }
}

/// Compares a given answer with the expected one.
///
/// ```
/// use assize_metrics::answer::{AnswerMatch, same_answer};
///
/// assert_eq!(same_answer("$1,234.00", "1234").verdict, AnswerMatch::Same);
/// assert_eq!(same_answer("5 km", "5 m").verdict, AnswerMatch::Different);
/// ```
pub fn same_answer(given: &str, expected: &str) -> AnswerComparison {
    let (given, expected) = (tidy(given), tidy(expected));
    if expected.is_empty() {
        return unclear("no answer is expected");
    }
    if given.is_empty() {
        return different("no answer is given");
    }
    compare(&read(&given), &read(&expected))
}

fn compare(given: &Value, expected: &Value) -> AnswerComparison {
    match (given, expected) {
        (Value::Number(given), Value::Number(expected)) => numbers(given, expected),
        (Value::Closed(given), Value::Closed(expected)) => closed_forms(*given, *expected, None),
        (Value::Closed(closed), Value::Number(number)) | (Value::Number(number), Value::Closed(closed)) => {
            closed_forms(*closed, number.value.to_f64(), number.decimals)
        }
        (Value::Truth(given), Value::Truth(expected)) => {
            if given == expected {
                same("both yes or both no")
            } else {
                different("yes against no")
            }
        }
        (Value::Choice(given, given_text), Value::Choice(expected, expected_text)) => {
            if given != expected {
                different("another choice")
            } else if given_text.is_empty()
                || expected_text.is_empty()
                || comparable(given_text) == comparable(expected_text)
            {
                same("the same choice")
            } else {
                unclear("the same letter with another text")
            }
        }
        (Value::Choice(_, text), other) if !text.is_empty() => compare(&read(text), other),
        (other, Value::Choice(_, text)) if !text.is_empty() => compare(other, &read(text)),
        (Value::Choice(..), _) | (_, Value::Choice(..)) => unclear("a letter against a text"),
        (Value::List { items, ordered }, Value::List { items: expected, ordered: also }) => {
            lists(items, expected, *ordered && *also)
        }
        (Value::Text(given), Value::Text(expected)) => texts(given, expected),
        (Value::List { .. }, _) | (_, Value::List { .. }) => unclear("a list against a single answer"),
        (Value::Text(text), _) | (_, Value::Text(text)) => {
            if text.contains(|c: char| c.is_ascii_digit() || "^=\\".contains(c)) || text.split(' ').count() > 1 {
                unclear("a text against a value")
            } else {
                different("a text against a value")
            }
        }
        (Value::Number(_) | Value::Closed(_), Value::Truth(_))
        | (Value::Truth(_), Value::Number(_) | Value::Closed(_)) => different("a number against yes or no"),
    }
}

fn numbers(given: &Number, expected: &Number) -> AnswerComparison {
    if given.value != expected.value {
        return if is_rounded(given, expected) || is_rounded(expected, given) {
            unclear("equal after rounding")
        } else if given.percent != expected.percent {
            without_percent(given, expected)
        } else {
            different("another number")
        };
    }
    match (&given.currency, &expected.currency) {
        (Some(given), Some(expected)) if given != expected => {
            return different("another currency");
        }
        (None, Some(_)) if given.unit.is_some() => return different("a unit for a currency"),
        _ => {}
    }
    match (&given.unit, &expected.unit) {
        (Some(given), Some(expected)) if given != expected => different("another unit"),
        (None, Some(_)) if given.currency.is_some() => different("a currency for a unit"),
        (None, Some(_)) => unclear("the unit is missing"),
        _ => same("the same number"),
    }
}

/// "20%" for "20": the sign is often left out of an answer in percent. "0.5" for "0.5%" may be a share.
fn without_percent(given: &Number, expected: &Number) -> AnswerComparison {
    let one = Rational::new(1, 1);
    let bare = |number: &Number| match number.percent {
        true => number.value.times(Rational::new(100, 1)?),
        false => Some(number.value),
    };
    let numeral = bare(given).filter(|numeral| Some(*numeral) == bare(expected));
    match numeral.and_then(Rational::magnitude).zip(one).and_then(|(numeral, one)| numeral.compare(one)) {
        Some(std::cmp::Ordering::Greater) => same("the same number, the percent sign apart"),
        Some(_) => unclear("the percent sign may make it another number"),
        None => different("another number"),
    }
}

/// Closed forms, or one of them and a number with its decimals.
fn closed_forms(closed: f64, other: f64, decimals: Option<u32>) -> AnswerComparison {
    let distance = (closed - other).abs();
    let rounded = decimals
        .filter(|decimals| *decimals >= 2)
        .is_some_and(|decimals| distance <= 0.5 * 0.1_f64.powf(f64::from(decimals)) + 1e-12);
    if distance <= 1e-9 * closed.abs().max(other.abs()) {
        same("the same value")
    } else if rounded {
        unclear("equal after rounding")
    } else {
        different("another value")
    }
}

/// Whether a written decimal is the rounded form of a value that has no end.
fn is_rounded(written: &Number, exact: &Number) -> bool {
    let (Some(decimals), None) = (written.decimals, exact.decimals) else {
        return false;
    };
    let half_step = || {
        let scale = 10i128.checked_pow(decimals)?.checked_mul(2)?;
        Rational::new(1, scale)
    };
    let close = || {
        let distance = written.value.minus(exact.value)?.magnitude()?;
        Some(distance.compare(half_step()?)? != std::cmp::Ordering::Greater)
    };
    decimals >= 2 && close().unwrap_or(false)
}

fn lists(given: &[Value], expected: &[Value], ordered: bool) -> AnswerComparison {
    if given.len() != expected.len() {
        return different("another number of items");
    }
    let is_same = |a: &Value, b: &Value| compare(a, b).verdict == AnswerMatch::Same;
    let all = if ordered {
        given.iter().zip(expected).all(|(a, b)| is_same(a, b))
    } else {
        let mut left: Vec<&Value> = expected.iter().collect();
        given.iter().all(|item| {
            let place = left.iter().position(|other| is_same(item, other));
            place.map(|place| left.swap_remove(place)).is_some()
        })
    };
    if all {
        same("the same items")
    } else if given.iter().chain(expected).any(|item| matches!(item, Value::Text(_))) {
        unclear("not all items are the same words")
    } else {
        different("another item")
    }
}

fn texts(given: &str, expected: &str) -> AnswerComparison {
    let (given, expected) = (comparable(given), comparable(expected));
    if given == expected {
        return same("the same words");
    }
    let given_words: Vec<&str> = given.split(' ').collect();
    let expected_words: Vec<&str> = expected.split(' ').collect();
    let initials = |words: &[&str]| -> String { words.iter().filter_map(|word| word.chars().next()).collect() };
    let abbreviated = initials(&given_words) == expected || initials(&expected_words) == given;
    let shared = given_words.iter().any(|word| expected_words.contains(word));
    let formula = given.contains(|c: char| c.is_ascii_digit() || "^=\\".contains(c));
    if shared || abbreviated || formula { unclear("not the same words") } else { different("no word in common") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use AnswerMatch::{Different, Same, Unclear};
    use proptest::prelude::*;

    #[test]
    fn table() {
        for (given, expected, verdict) in [
            ("1,234", "1234", Same),
            ("1234.0", "1234", Same),
            ("$1,234", "1234", Same),
            ("1234", "$1,234", Same),
            ("1234", "1235", Different),
            ("-5", "5", Different),
            ("\u{2212}5", "-5", Same),
            ("1/2", "0.5", Same),
            (r"\frac{1}{2}", "0.5", Same),
            (r"$\frac{1}{2}$", "1/2", Same),
            ("50%", "0.5", Same),
            ("50%", "1/2", Same),
            ("50 percent", "50%", Same),
            (r"50\%", "50%", Same),
            ("50%", "50", Same),
            ("50", "50%", Same),
            ("20%", "20", Same),
            ("17.5", "17.5%", Same),
            ("21%", "20", Different),
            ("17.5%", "175", Different),
            ("0.5%", "0.5", Unclear),
            ("1", "1%", Unclear),
            ("±1, ±7", "1,-1,7,-7", Same),
            (r"\pm 1, \pm 7", "-7, -1, 1, 7", Same),
            ("±3", "3 or -3", Same),
            ("±3", "3", Unclear),
            ("±3", "±4", Different),
            (r"1 \pm \sqrt{2}", r"1 + \sqrt{2}, 1 - \sqrt{2}", Same),
            ("x = 1 or x = 7", "7, 1", Same),
            (r"\sqrt{17}", r"\sqrt{15}", Different),
            (r"\sqrt{17}", "√17", Same),
            (r"\sqrt{12}", r"2\sqrt{3}", Same),
            (r"\frac{\sqrt{2}}{2}", r"\frac{1}{\sqrt{2}}", Same),
            (r"\sqrt[3]{8}", "2", Same),
            (r"\frac{\pi}{4}", "π/4", Same),
            (r"2\pi", r"3\pi", Different),
            ("4.12", r"\sqrt{17}", Unclear),
            ("4.13", r"\sqrt{17}", Different),
            (r"\sqrt{x}", r"\sqrt{17}", Unclear),
            ("0.33", "1/3", Unclear),
            ("0.34", "1/3", Different),
            ("3.14", "3.15", Different),
            ("5 km", "5", Same),
            ("5 km", "5 m", Different),
            ("5 km", "5 kilometres", Same),
            ("5", "5 km", Unclear),
            ("5 square meters", "5 m^2", Same),
            ("12 apples", "12", Same),
            ("12 apples", "12 apple", Same),
            ("12 apples", "12 pears", Different),
            ("$5", "€5", Different),
            ("5 dollars", "$5", Same),
            ("5 km", "$5", Different),
            ("x = 5", "5", Same),
            ("seven", "7", Same),
            ("3 million", "3", Unclear),
            ("(B)", "B", Same),
            ("b.", "B", Same),
            ("B) Paris", "B", Same),
            ("option B", "(B)", Same),
            ("(B)", "C", Different),
            ("B) Paris", "Paris", Same),
            ("Paris", "B. Paris", Same),
            ("B) Paris", "B) London", Unclear),
            ("B", "Paris", Unclear),
            ("The Eiffel Tower.", "eiffel tower", Same),
            ("\"Paris\"", "paris", Same),
            (r"\text{Paris}", "Paris", Same),
            ("London", "Paris", Different),
            ("Paris, France", "Paris", Unclear),
            ("NYC", "New York City", Unclear),
            ("Yes", "true", Same),
            ("yes, it does", "Yes", Same),
            ("No", "yes", Different),
            ("(1, 2)", "(1,2)", Same),
            ("(2, 1)", "(1, 2)", Different),
            ("{2, 1}", "{1, 2}", Same),
            ("1, 2 and 3", "3, 2, 1", Same),
            ("1, 2", "1, 2, 3", Different),
            ("1, 2", "1, 3", Different),
            ("red, blue", "blue and red", Same),
            ("x^2", "x-2", Unclear),
            ("x^2 + 1", "x^2+1", Same),
            ("2^10", "1024", Same),
            ("", "5", Different),
            ("5", "", Unclear),
            ("Paris", "7", Different),
            ("yes", "7", Different),
            ("**42**", "42", Same),
            ("1/0", "0", Unclear),
        ] {
            let found = same_answer(given, expected);
            assert_eq!(found.verdict, verdict, "{given} / {expected}: {}", found.why);
        }
    }

    proptest! {
        #[test]
        fn another_digit_is_never_the_same(number in 0u64..1_000_000, other in 0u64..1_000_000) {
            for unit in ["", "%", " km", ".5"] {
                let (given, expected) = (format!("{number}{unit}"), format!("{other}{unit}"));
                let found = same_answer(&given, &expected).verdict;
                prop_assert_eq!(found == Same, number == other);
            }
        }

        #[test]
        fn no_text_breaks_it(given in any::<String>(), expected in any::<String>()) {
            same_answer(&given, &expected);
            if !tidy(&given).is_empty() {
                prop_assert_ne!(same_answer(&given, &given).verdict, Different);
            }
            crate::answer::final_answer(&given);
        }
    }
}
