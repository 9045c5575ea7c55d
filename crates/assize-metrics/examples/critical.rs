//! Lists the critical differences of pairs: JSON lines `{"reference", "hypothesis"}` in, JSON lines with kind and words out.

use assize_metrics::critical::critical_differences;
use assize_metrics::error_rate::compare_words;
use assize_metrics::text::Normalisation;
use serde_json::{Value, json};
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let (mut pairs, mut found) = (0, 0);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let record: Value = serde_json::from_str(&line?)?;
        let text = |key: &str| record[key].as_str().unwrap_or_default();
        let words = compare_words(text("reference"), text("hypothesis"), &Normalisation::default());
        pairs += 1;
        for difference in words.map(|words| critical_differences(text("reference"), &words)).unwrap_or_default() {
            found += 1;
            writeln!(out, "{}", json!(difference))?;
        }
    }
    writeln!(std::io::stderr(), "{pairs} pairs, {found} critical differences")
}
