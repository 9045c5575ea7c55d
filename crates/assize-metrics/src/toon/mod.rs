//! TOON (Token-Oriented Object Notation) to JSON: what a model wrote in it, read.
//!
//! The format is line-oriented: `key: value`, nesting by indentation, arrays with their length (`ids[3]: 1,2,3`), rows
//! under a list of fields (`items[2]{id,name}:`, or `items[id|name]:` in a dialect), list items behind `- `, and lines of nested fields under a row. The
//! reader is lenient where a model is careless and nothing is lost by it (indentation of any width, spaces around
//! tokens, fewer or more rows than announced) and refuses what it cannot understand. See
//! <https://github.com/toon-format/spec>.

mod line;

use line::{Header, Line, header, key_and_rest, lines, primitive, row, split};
use serde_json::{Map, Value};
use std::fmt;

/// As deep as a document may nest.
const DEEPEST: usize = 64;

/// Why a text is not TOON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotToon {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for NotToon {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for NotToon {}

/// Reads a document that is an object or an array. A single value is a valid document too, but so is any word of prose, so
/// it is refused.
///
/// # Errors
///
/// [`NotToon`] with the first line that cannot be read.
///
/// ```
/// use assize_metrics::toon::read;
/// use serde_json::json;
///
/// let text = "questions[2]{id,score}:\n  Q1,5\n  Q2,0\nnote: all good";
/// assert_eq!(read(text)?, json!({"questions": [{"id": "Q1", "score": 5}, {"id": "Q2", "score": 0}], "note": "all good"}));
/// # Ok::<(), assize_metrics::toon::NotToon>(())
/// ```
pub fn read(text: &str) -> Result<Value, NotToon> {
    let lines = lines(text);
    let Some(first) = lines.first() else {
        return Err(NotToon { line: 1, message: "there is nothing to read".into() });
    };
    let mut reader = Reader { lines: &lines, at: 0 };
    let value = match header(first.text) {
        Some(Header { key: None, .. }) => {
            reader.at = 1;
            let header = header(first.text).ok_or_else(|| refused(first, "this is no header"))?;
            reader.array(&header, first.indent, 0)?
        }
        _ => Value::Object(reader.object(first.indent, 0)?),
    };
    match reader.peek() {
        None => Ok(value),
        Some(line) => Err(refused(line, "this line belongs to nothing above it")),
    }
}

fn refused(line: &Line<'_>, message: impl Into<String>) -> NotToon {
    NotToon { line: line.number, message: message.into() }
}

struct Reader<'a> {
    lines: &'a [Line<'a>],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a Line<'a>> {
        self.lines.get(self.at)
    }

    /// The next line, if it is indented deeper.
    fn deeper(&self, than: usize) -> Option<&'a Line<'a>> {
        self.peek().filter(|line| line.indent > than)
    }

    /// Fields at one indentation, up to a line that stands further left.
    fn object(&mut self, indent: usize, depth: usize) -> Result<Map<String, Value>, NotToon> {
        let mut object = Map::new();
        while let Some(line) = self.peek() {
            if line.indent < indent || line.is_item() {
                break;
            }
            if line.indent > indent {
                return Err(refused(line, "this line is indented further than its neighbours"));
            }
            self.at += 1;
            self.field(line, line.text, indent, depth, &mut object)?;
        }
        Ok(object)
    }

    /// One field whose text starts on this line; what is nested in it stands deeper than `indent`.
    fn field(
        &mut self,
        line: &Line<'_>,
        text: &str,
        indent: usize,
        depth: usize,
        object: &mut Map<String, Value>,
    ) -> Result<(), NotToon> {
        if depth > DEEPEST {
            return Err(refused(line, "the document nests too deep"));
        }
        if let Some(header) = header(text)
            && let Some(key) = header.key.clone()
        {
            let array = self.array(&header, indent, depth + 1)?;
            return insert(object, key, array, line);
        }
        let Some((key, rest)) = key_and_rest(text) else {
            return Err(refused(line, "this line has no `key:`"));
        };
        let value = if !rest.is_empty() {
            primitive(rest).ok_or_else(|| refused(line, "the quoted text does not end"))?
        } else if let Some(child) = self.deeper(indent).filter(|child| !child.is_item()) {
            Value::Object(self.object(child.indent, depth + 1)?)
        } else {
            Value::Object(Map::new())
        };
        insert(object, key, value, line)
    }

    /// What follows a header: values on its line, rows, or list items.
    fn array(&mut self, header: &Header<'_>, indent: usize, depth: usize) -> Result<Value, NotToon> {
        if !header.inline.is_empty() {
            let values: Option<Vec<Value>> =
                split(header.inline, header.delimiter).into_iter().map(primitive).collect();
            return values
                .map(Value::Array)
                .ok_or_else(|| NotToon { line: self.at, message: "a quoted text in the list does not end".into() });
        }
        match &header.fields {
            Some(fields) => self.rows(fields, header.delimiter, indent, depth),
            None => self.items(indent, depth),
        }
    }

    fn rows(&mut self, fields: &[String], delimiter: char, indent: usize, depth: usize) -> Result<Value, NotToon> {
        let mut rows = Vec::new();
        // Some models write the rows at the header's own indentation.
        let Some(first) = self.peek().filter(|line| line.indent >= indent) else { return Ok(Value::Array(rows)) };
        while let Some(line) = self
            .peek()
            .filter(|line| line.indent == first.indent && (line.indent > indent || header(line.text).is_none()))
        {
            let Some(cells) = row(line.text, delimiter, fields.len()) else { break };
            if cells.len() != fields.len() {
                let message = format!("the row has {} values for {} fields", cells.len(), fields.len());
                return Err(refused(line, message));
            }
            self.at += 1;
            let mut object = Map::new();
            for (field, cell) in fields.iter().zip(cells) {
                let value = primitive(cell).ok_or_else(|| refused(line, "a quoted text in the row does not end"))?;
                insert(&mut object, field.clone(), value, line)?;
            }
            // Fields that are no single values stand under their row.
            if let Some(nested) = self.deeper(line.indent) {
                for (key, value) in self.object(nested.indent, depth + 1)? {
                    insert(&mut object, key, value, nested)?;
                }
            }
            rows.push(Value::Object(object));
        }
        Ok(Value::Array(rows))
    }

    fn items(&mut self, indent: usize, depth: usize) -> Result<Value, NotToon> {
        let mut items = Vec::new();
        // Some models write the items at the header's own indentation.
        let Some(first) = self.peek().filter(|line| line.indent >= indent && line.is_item()) else {
            return Ok(Value::Array(items));
        };
        if depth > DEEPEST {
            return Err(refused(first, "the document nests too deep"));
        }
        while let Some(line) = self.peek().filter(|line| line.indent == first.indent && line.is_item()) {
            self.at += 1;
            let text = line.text[1..].trim_start();
            let inner = line.indent + (line.text.len() - text.len()).max(1);
            items.push(self.item(line, text, inner, depth)?);
        }
        Ok(Value::Array(items))
    }

    fn item(&mut self, line: &Line<'_>, text: &str, inner: usize, depth: usize) -> Result<Value, NotToon> {
        if text.is_empty() {
            return Ok(Value::Object(Map::new()));
        }
        if let Some(found) = header(text)
            && found.key.is_none()
        {
            return self.array(&found, line.indent, depth + 1);
        }
        if key_and_rest(text).is_none() && header(text).is_none() {
            return primitive(text).ok_or_else(|| refused(line, "the quoted text does not end"));
        }
        let mut object = Map::new();
        self.field(line, text, inner, depth + 1, &mut object)?;
        if let Some(more) = self.deeper(line.indent).filter(|more| !more.is_item()) {
            for (key, value) in self.object(more.indent, depth + 1)? {
                insert(&mut object, key, value, more)?;
            }
        }
        Ok(Value::Object(object))
    }
}

fn insert(object: &mut Map<String, Value>, key: String, value: Value, line: &Line<'_>) -> Result<(), NotToon> {
    if object.contains_key(&key) {
        return Err(refused(line, format!("the key `{key}` stands twice")));
    }
    object.insert(key, value);
    Ok(())
}

#[cfg(test)]
mod tests;
