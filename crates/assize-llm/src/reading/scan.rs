//! Finding objects in text. Every function here is linear in the text's length: a reply of a hundred thousand `{` costs what any
//! other reply of its size costs.

use super::unambiguous::Unambiguous;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::VecDeque;

/// The tags between which models think aloud.
const THINKING: [(&str, &str); 3] =
    [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>")];

/// The text without what stands between thinking tags. A closing tag without an opening one ends a thought that began
/// in the prompt; an opening one without a closing one begins a thought that never ended.
pub(super) fn without_thinking(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for (open, close) in THINKING {
        if !text.contains(open) && !text.contains(close) {
            continue;
        }
        let mut spoken = String::with_capacity(text.len());
        let mut rest: &str = &text;
        loop {
            // The opening tag is looked for only up to the closing one, so that the whole is read once.
            let end = rest.find(close);
            let start = rest[..end.unwrap_or(rest.len())].find(open);
            match (start, end) {
                (Some(start), Some(end)) => {
                    spoken.push_str(&rest[..start]);
                    rest = &rest[end + close.len()..];
                }
                (None, Some(end)) => {
                    spoken.clear();
                    rest = &rest[end + close.len()..];
                }
                (start, None) => {
                    spoken.push_str(&rest[..start.unwrap_or(rest.len())]);
                    break;
                }
            }
        }
        text = Cow::Owned(spoken);
    }
    text
}

/// What a text holds.
pub(super) struct Found {
    /// The last well-formed objects that stand in no other one, in their order.
    pub(super) objects: VecDeque<Value>,
    /// Whether the text ends in the middle of a further one.
    pub(super) cut_off: bool,
}

/// The last `most` objects of a text. What stands wholly *inside* a broken or unfinished object is a part of it and no
/// object of its own.
pub(super) fn objects(text: &str, most: usize) -> Found {
    let mut found = Found { objects: VecDeque::new(), cut_off: false };
    let mut at = 0;
    // Up to where an object that turned out to be broken had been read.
    let mut broken_to = 0;
    // Every `{` of a broken object is tried in turn, because it may have been a stray one; not without end, though.
    let mut patience = 4 * text.len() + 4096;
    while let Some(offset) = text.get(at..).and_then(|rest| rest.find('{')) {
        let start = at + offset;
        let mut parser = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Unambiguous>();
        match parser.next() {
            Some(Ok(Unambiguous(value))) => {
                at = start + parser.byte_offset();
                if at <= broken_to {
                    continue;
                }
                if found.objects.len() == most {
                    found.objects.pop_front();
                }
                found.objects.push_back(value);
            }
            Some(Err(error)) if !error.is_eof() => {
                let mut reached = start + place(&text[start..], error.line(), error.column()).saturating_sub(1);
                while !text.is_char_boundary(reached) {
                    reached -= 1;
                }
                broken_to = broken_to.max(reached);
                patience = patience.saturating_sub(reached.saturating_sub(start));
                at = if patience > 0 { start + 1 } else { reached.max(start + 1) };
            }
            _ => {
                found.cut_off = true;
                break;
            }
        }
    }
    found
}

/// The offset of a parser's line and column, both from 1.
fn place(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column).min(text.len())
}

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

    fn spoken(text: &str) -> String {
        without_thinking(text).into_owned()
    }

    #[test]
    fn thoughts_are_left_aside() {
        assert_eq!(spoken("<think>a {draft}</think>b"), "b");
        assert_eq!(spoken("a<think>x</think>b<think>y</think>c"), "abc");
        assert_eq!(spoken("began in the prompt</think>b"), "b");
        assert_eq!(spoken("a<thinking>never ends"), "a");
        assert_eq!(spoken("plain"), "plain");
    }

    #[test]
    fn objects_are_found_among_prose() {
        let found = objects(r#"if {x} then {"a": "}{"} and "{" or {"b": {"c": 1}} end"#, 8);
        let values: Vec<String> = found.objects.iter().map(|object| object.to_string()).collect();
        assert_eq!(values, [r#"{"a":"}{"}"#, r#"{"b":{"c":1}}"#]);
    }

    #[test]
    fn what_stands_in_a_broken_object_is_no_object_of_its_own() {
        let of = |text: &str| {
            let found = objects(text, 8);
            (found.objects.iter().map(|object| object.to_string()).collect::<Vec<_>>(), found.cut_off)
        };
        assert_eq!(of(r#"{"a": {"b": 1}, oops} {"c": 2}"#), (vec![r#"{"c":2}"#.to_owned()], false));
        assert_eq!(of(r#"{"c": 2} and {"a": {"b": 1}, "#), (vec![r#"{"c":2}"#.to_owned()], true));
        assert_eq!(of("{{\"c\": 2}"), (vec![r#"{"c":2}"#.to_owned()], false));
        assert_eq!(of("{é{\n  {x\n{\"c\": 2}"), (vec![r#"{"c":2}"#.to_owned()], false));
    }

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
