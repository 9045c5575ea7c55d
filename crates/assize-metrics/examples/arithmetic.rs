//! Lists what the arithmetic check finds wrong: JSON lines `{"id", "text"}` in, JSON lines with the statement and its line out.

use assize_metrics::arithmetic;
use serde_json::{Value, json};
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let (mut texts, mut checked, mut wrong) = (0, 0, 0);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let record: Value = serde_json::from_str(&line?)?;
        let text = record["text"].as_str().unwrap_or_default();
        let equations = arithmetic::check(text);
        texts += 1;
        checked += equations.len();
        for equation in equations.iter().filter(|equation| !equation.holds) {
            wrong += 1;
            let start = text[..equation.span.start].rfind('\n').map_or(0, |at| at + 1);
            let end = text[equation.span.end..].find('\n').map_or(text.len(), |at| at + equation.span.end);
            writeln!(out, "{}", json!({"id": record["id"], "statement": equation.text, "line": text[start..end]}))?;
        }
    }
    writeln!(std::io::stderr(), "{texts} texts, {checked} statements checked, {wrong} wrong")
}
