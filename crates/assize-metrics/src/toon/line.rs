//! Lines of a TOON document and the tokens on them.

use serde_json::{Number, Value};

/// A line that is not blank.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// From 1.
    pub(super) number: usize,
    /// Columns of white space before the text; a tab counts two.
    pub(super) indent: usize,
    pub(super) text: &'a str,
}

impl Line<'_> {
    /// Whether it is a list item.
    pub(super) fn is_item(&self) -> bool {
        self.text == "-" || self.text.starts_with("- ")
    }
}

pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            let text = line.trim_start_matches([' ', '\t']);
            let indent = line[..line.len() - text.len()].bytes().map(|byte| if byte == b'\t' { 2 } else { 1 }).sum();
            Line { number: index + 1, indent, text: text.trim_end_matches(' ') }
        })
        .collect()
}

/// The beginning of an array: `key[N]{fields}: inline values`.
#[derive(Debug)]
pub(super) struct Header<'a> {
    pub(super) key: Option<String>,
    pub(super) delimiter: char,
    pub(super) fields: Option<Vec<String>>,
    pub(super) inline: &'a str,
}

/// Reads a header, or `None` where the line is none.
pub(super) fn header(text: &str) -> Option<Header<'_>> {
    let (key, rest) = if text.starts_with('[') {
        (None, text)
    } else if text.starts_with('"') {
        let end = quoted_end(text)?;
        (Some(unquote(&text[..end])?), &text[end..])
    } else {
        let bracket = text.find('[')?;
        let key = &text[..bracket];
        if key.contains([':', '"', '{', '}']) || key.trim() != key {
            return None;
        }
        (Some(key.to_owned()), &text[bracket..])
    };
    let inside = rest.strip_prefix('[')?;
    let (length, rest) = inside.split_once(']')?;
    let rest = rest.trim_start();
    // A dialect names the fields in the length's place: `data[id|score]:`.
    if let Some(fields) = named_fields(length) {
        let inline = rest.strip_prefix(':')?.trim();
        return inline.is_empty().then_some(Header { key, delimiter: fields.0, fields: Some(fields.1), inline });
    }
    // An older draft marks the length with `#`.
    let length = length.strip_prefix('#').unwrap_or(length);
    let (digits, delimiter) = match length.char_indices().last()? {
        (at, last @ ('|' | '\t' | ',')) => (&length[..at], last),
        _ => (length, ','),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (fields, rest) = match rest.strip_prefix('{') {
        None => (None, rest),
        Some(inside) => {
            let end = closing_brace(inside)?;
            let names: Option<Vec<String>> = split(&inside[..end], delimiter)
                .into_iter()
                .map(|name| if name.starts_with('"') { unquote(name) } else { Some(name.to_owned()) })
                .collect();
            (Some(names?), inside[end + 1..].trim_start())
        }
    };
    let inline = rest.strip_prefix(':')?.trim();
    if fields.is_some() && !inline.is_empty() {
        return None;
    }
    Some(Header { key, delimiter, fields, inline })
}

/// At least two names with a delimiter between them.
fn named_fields(inside: &str) -> Option<(char, Vec<String>)> {
    let delimiter = inside.chars().find(|character| matches!(character, '|' | ',' | '\t'))?;
    let names: Vec<String> = inside.split(delimiter).map(|name| name.trim().to_owned()).collect();
    let is_name = |name: &String| {
        name.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && name.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '.'))
    };
    names.iter().all(is_name).then_some((delimiter, names))
}

fn closing_brace(text: &str) -> Option<usize> {
    outside_quotes(text).find(|(_, character)| *character == '}').map(|(at, _)| at)
}

/// A key and what stands behind its colon.
pub(super) fn key_and_rest(text: &str) -> Option<(String, &str)> {
    if text.starts_with('"') {
        let end = quoted_end(text)?;
        let rest = text[end..].trim_start().strip_prefix(':')?;
        return Some((unquote(&text[..end])?, rest.trim()));
    }
    let (key, rest) = text.split_once(':')?;
    // `12:30 is fine` is no field, and neither is a sentence with a colon in it.
    let plain = |character: char| character.is_alphanumeric() || matches!(character, '_' | '.' | '-' | '$' | '/');
    let key = key.trim_end();
    let is_key = !key.is_empty() && key.chars().all(plain) && !key.starts_with(|first: char| first.is_ascii_digit());
    (is_key && (rest.is_empty() || rest.starts_with([' ', '\t']))).then(|| (key.to_owned(), rest.trim()))
}

/// The cells of a row, or `None` where the line is a field that follows the rows.
pub(super) fn row(text: &str, delimiter: char, fields: usize) -> Option<Vec<&str>> {
    let first = |wanted: char| outside_quotes(text).find(|(_, character)| *character == wanted).map(|(at, _)| at);
    let is_row = match (first(delimiter), first(':')) {
        (_, None) => true,
        (Some(cell), Some(colon)) => cell < colon,
        // One column leaves nothing to tell a value with a colon from a field but its shape.
        (None, Some(_)) => fields == 1 && key_and_rest(text).is_none(),
    };
    is_row.then(|| split(text, delimiter))
}

/// The tokens between delimiters that stand outside quotes, without the spaces around them.
pub(super) fn split(text: &str, delimiter: char) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    for (at, character) in outside_quotes(text) {
        if character == delimiter {
            tokens.push(text[start..at].trim());
            start = at + character.len_utf8();
        }
    }
    tokens.push(text[start..].trim());
    tokens
}

/// The characters that stand outside quoted texts.
fn outside_quotes(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut inside, mut escaped, mut token_start) = (false, false, true);
    text.char_indices().filter(move |(_, character)| {
        if inside {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => inside = false,
                _ => {}
            }
            return false;
        }
        // A quotation mark in the middle of a token is a character like others.
        if *character == '"' && token_start {
            inside = true;
            return false;
        }
        token_start = matches!(character, ',' | '|' | '\t') || (token_start && *character == ' ');
        true
    })
}

/// The place behind the closing quotation mark of a text that begins with one.
fn quoted_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// What a quoted token says. The escapes are JSON's.
fn unquote(token: &str) -> Option<String> {
    serde_json::from_str(token).ok()
}

/// The value of a token: quoted texts, numbers, `true`, `false`, `null`; all else is a text as it stands.
pub(super) fn primitive(token: &str) -> Option<Value> {
    let token = token.trim();
    Some(match token {
        "" => Value::String(String::new()),
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" => Value::Null,
        "[]" => Value::Array(Vec::new()),
        "{}" => Value::Object(serde_json::Map::new()),
        _ if token.starts_with('"') => match quoted_end(token)? {
            end if end == token.len() => Value::String(unquote(token)?),
            // `"Hello" she said`: the marks belong to the text.
            _ => Value::String(token.to_owned()),
        },
        _ => number(token).map_or_else(|| Value::String(token.to_owned()), Value::Number),
    })
}

/// A number as JSON writes it; `007` is a text.
fn number(token: &str) -> Option<Number> {
    let first = token.strip_prefix('-').unwrap_or(token).bytes().next()?;
    if !first.is_ascii_digit() {
        return None;
    }
    serde_json::from_str::<Number>(token).ok().filter(|number| number.as_f64().is_some_and(f64::is_finite))
}
