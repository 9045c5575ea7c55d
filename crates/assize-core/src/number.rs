//! Figures as people read them.

use crate::table::UNDEFINED;

/// Three decimals; a dash where there is no figure.
pub fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| UNDEFINED.to_owned(), |value| format!("{value:.3}"))
}

/// At most three decimals, and no more than there are.
pub fn short(value: f64) -> String {
    // Adding zero makes the zero of a negative sum a plain one.
    let written = format!("{:.3}", value + 0.0);
    written.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// An amount of US dollars with as many digits as it takes to see something.
pub fn dollars(amount: Option<f64>) -> String {
    match amount {
        None => "price not known".to_owned(),
        Some(0.0) => "$0".to_owned(),
        Some(amount) if amount < 0.01 => format!("${amount:.6}"),
        Some(amount) if amount < 1.0 => format!("${amount:.4}"),
        Some(amount) => format!("${amount:.2}"),
    }
}

/// A count with its thousands apart.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// "1 case", "2 cases".
pub fn plural(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// With its first letter in upper case.
pub fn capitalised(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Words as a sentence of their own: "no such run" is "No such run."
pub fn sentence(words: &str) -> String {
    format!("{}.", capitalised(words.trim_end_matches('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        assert_eq!([count(7), count(1234), count(1_234_567)], ["7", "1,234", "1,234,567"]);
        assert_eq!(
            [dollars(Some(0.0)), dollars(Some(0.000_04)), dollars(Some(12.345)), dollars(None)],
            ["$0", "$0.000040", "$12.35", "price not known"]
        );
        assert_eq!([figure(Some(0.84)), figure(None)], ["0.840", "–"]);
        assert_eq!([short(0.5), short(-0.0), short(2.0 / 3.0)], ["0.5", "0", "0.667"]);
        assert_eq!([plural(1, "case"), plural(0, "case")], ["1 case", "0 cases"]);
    }
}
