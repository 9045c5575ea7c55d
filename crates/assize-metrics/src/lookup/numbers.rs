//! The numbers of a text, comparable by value.

/// The numbers of a text in ASCII digits, without thousands separators and without `.0` at the end: those in digits in
/// their order, then those in words.
///
/// ```
/// use assize_metrics::lookup::numbers;
///
/// assert_eq!(numbers("₹1,00,000 in 3–5 days, account ९९८७, 49.50"), ["100000", "3", "5", "9987", "49.5"]);
/// assert_eq!(numbers("three to five days, 2 calls"), ["2", "3", "5"]);
/// ```
pub fn numbers(text: &str) -> Vec<String> {
    let mut found = in_digits(text);
    found.extend(super::number_words::spoken(text));
    found
}

fn in_digits(text: &str) -> Vec<String> {
    let mut characters = text.chars().map(ascii_digit);
    let mut found = Vec::new();
    while let Some(first) = characters.find(char::is_ascii_digit) {
        let mut number = String::from(first);
        loop {
            let mut rest = characters.clone();
            match rest.next() {
                Some(digit @ '0'..='9') => number.push(digit),
                Some(',') if matches!(digits(rest.clone()), 2 | 3) => {}
                Some('.') if digits(rest.clone()) > 0 && !number.contains('.') => number.push('.'),
                _ => break,
            }
            characters = rest;
        }
        if number.contains('.') {
            number.truncate(number.trim_end_matches('0').trim_end_matches('.').len());
        }
        found.push(number);
    }
    found
}

/// How many digits follow, as far as it matters: two or three behind a comma are a group of thousands, four are not.
fn digits(rest: impl Iterator<Item = char>) -> usize {
    rest.take(4).take_while(char::is_ascii_digit).count()
}

/// Decimal digits of the scripts of India, of Arabic and of full-width writing as ASCII.
fn ascii_digit(character: char) -> char {
    let code = character as u32;
    let digit = match code {
        0x660..=0x669 => code - 0x660,
        0x6f0..=0x6f9 => code - 0x6f0,
        0x900..=0xd7f if (0x66..=0x6f).contains(&(code % 0x80)) => code % 0x80 - 0x66,
        0xff10..=0xff19 => code - 0xff10,
        _ => return character,
    };
    char::from_digit(digit, 10).unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same with all characters at hand.
    fn by_position(text: &str) -> Vec<String> {
        let characters: Vec<char> = text.chars().map(ascii_digit).collect();
        let digit_at = |position: usize| characters.get(position).is_some_and(char::is_ascii_digit);
        let mut found = Vec::new();
        let mut position = 0;
        while position < characters.len() {
            let mut number = String::new();
            while position < characters.len() && (digit_at(position) || !number.is_empty()) {
                let group = (1..5).take_while(|ahead| digit_at(position + ahead)).count();
                match characters[position] {
                    digit @ '0'..='9' => number.push(digit),
                    ',' if group == 2 || group == 3 => {}
                    '.' if group > 0 && !number.contains('.') => number.push('.'),
                    _ => break,
                }
                position += 1;
            }
            match number.split_once('.') {
                _ if number.is_empty() => position += 1,
                Some((whole, fraction)) if fraction.trim_end_matches('0').is_empty() => found.push(whole.to_owned()),
                Some((whole, fraction)) => found.push(format!("{whole}.{}", fraction.trim_end_matches('0'))),
                None => found.push(number),
            }
        }
        found
    }

    #[test]
    fn separators_and_trailing_zeros() {
        assert_eq!(numbers("00:12 and 1,5 or 1,000,000.50"), ["00", "12", "1", "5", "1000000.5"]);
    }

    proptest! {
        #[test]
        fn reading_ahead_finds_what_looking_by_position_finds(text in "[0-3.,९a ]{0,24}") {
            prop_assert_eq!(in_digits(&text), by_position(&text));
        }
    }
}
