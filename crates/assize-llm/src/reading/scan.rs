//! Finding stretches of text that were meant to be objects, in one pass.

use std::collections::VecDeque;

/// A stretch of text from a `{` to the `}` that closes it.
pub(super) struct Region<'a> {
    pub(super) text: &'a str,
    /// Whether nothing in it says that something was left out.
    pub(super) whole: bool,
}

/// The last `most` stretches that are bracketed like objects, broken inside or not. One that never closes is none: it
/// was cut off, or it is prose.
pub(super) fn regions(text: &str, most: usize) -> Vec<Region<'_>> {
    let mut found = VecDeque::new();
    let mut scanner = Scanner::default();
    for (at, c) in text.char_indices() {
        if let Some(region) = scanner.step(text, at, c) {
            if found.len() == most {
                found.pop_front();
            }
            found.push_back(region);
        }
    }
    found.into()
}

#[derive(Default)]
struct Scanner {
    depth: usize,
    start: usize,
    /// The quote that opened the string we are in.
    quote: Option<char>,
    escaped: bool,
    /// The last character outside strings that is no space.
    previous: char,
    dots: usize,
    elided: bool,
}

impl Scanner {
    fn step<'a>(&mut self, text: &'a str, at: usize, c: char) -> Option<Region<'a>> {
        if self.depth == 0 {
            if c == '{' {
                *self = Self { depth: 1, start: at, previous: '{', ..Self::default() };
            }
            return None;
        }
        if let Some(quote) = self.quote {
            match c {
                _ if self.escaped => self.escaped = false,
                '\\' => self.escaped = true,
                // An apostrophe inside a single-quoted text does not end it; one before punctuation of JSON does.
                '\'' if quote == '\'' && !ends_string(&text[at + 1..]) => {}
                _ if c == quote => {
                    self.quote = None;
                    self.previous = c;
                }
                _ => {}
            }
            return None;
        }
        self.dots = if c == '.' { self.dots + 1 } else { 0 };
        self.elided |= c == '…' || self.dots == 3;
        match c {
            '"' => self.quote = Some('"'),
            '\'' if "{[,:".contains(self.previous) => self.quote = Some('\''),
            '{' => self.depth += 1,
            '}' => {
                self.depth -= 1;
                if self.depth == 0 {
                    return Some(Region { text: &text[self.start..=at], whole: !self.elided });
                }
            }
            _ => {}
        }
        if !c.is_whitespace() {
            self.previous = c;
        }
        None
    }
}

/// Whether what follows a quote is what follows a string in JSON. Looks at a few characters only.
fn ends_string(rest: &str) -> bool {
    rest.chars().take(16).find(|c| !c.is_whitespace()).is_some_and(|c| ",:}]".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_know_strings_of_both_kinds() {
        let text = r#"so {'a': 'it's } here', "b": "} \" }"} and {cut: "#;
        let found: Vec<&str> = regions(text, 8).iter().map(|region| region.text).collect();
        assert_eq!(found, [r#"{'a': 'it's } here', "b": "} \" }"}"#]);
    }

    #[test]
    fn an_ellipsis_outside_strings_says_that_something_is_missing() {
        assert!(!regions(r#"{"a": [1, 2, ...]}"#, 8)[0].whole);
        assert!(regions(r#"{"a": "and so on ..."}"#, 8)[0].whole);
    }
}
