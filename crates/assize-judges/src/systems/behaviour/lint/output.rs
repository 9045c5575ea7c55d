//! Findings as other programs want them.

use super::{Finding, RULES};
use assize_core::document::Severity;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// `{"findings": [{"code", "rule", "severity", "file", "line", "column", "message", "help"}]}`
pub fn to_json(findings: &[Finding]) -> String {
    let findings: Vec<Value> = findings
        .iter()
        .map(|finding| {
            json!({
                "code": finding.code,
                "rule": finding.rule,
                "severity": level(finding.severity),
                "file": finding.file,
                "line": finding.span.line,
                "column": finding.span.column,
                "message": finding.message,
                "help": finding.help,
            })
        })
        .collect();
    pretty(&json!({ "findings": findings }))
}

/// Workflow commands that GitHub turns into annotations on the lines.
pub fn to_github(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        out.push_str(&format!(
            "::{} file={},line={},col={},endColumn={},title={}::{}%0A{}\n",
            // GitHub's own word for a note.
            if finding.severity == Severity::Note { "notice" } else { level(finding.severity) },
            property(&finding.file),
            finding.span.line,
            finding.span.column,
            finding.span.column.saturating_add(finding.span.length),
            property(&format!("{} {}", finding.code, finding.rule)),
            data(&finding.message),
            data(&format!("help: {}", finding.help)),
        ));
    }
    out
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A SARIF 2.1.0 log with one run.
pub fn to_sarif(findings: &[Finding]) -> String {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|rule| {
            json!({
                "id": rule.code,
                "name": rule.name,
                "shortDescription": {"text": rule.why},
                "fullDescription": {"text": rule.explanation},
                "help": {"text": rule.instead},
                "defaultConfiguration": {"level": level(rule.severity)},
            })
        })
        .collect();
    let results: Vec<Value> = findings
        .iter()
        .map(|finding| {
            let index = RULES.iter().position(|rule| rule.code == finding.code);
            json!({
                "ruleId": finding.code,
                "ruleIndex": index,
                "level": level(finding.severity),
                "message": {"text": format!("{}. {}", finding.message, finding.help)},
                "locations": [{"physicalLocation": {
                    "artifactLocation": {"uri": uri(&finding.file)},
                    "region": {
                        "startLine": finding.span.line,
                        "startColumn": finding.span.column,
                        "endColumn": finding.span.column.saturating_add(finding.span.length),
                    },
                }}],
            })
        })
        .collect();
    pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "assize-lint", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

/// What a path in a URI cannot hold: all but the unreserved characters and the slash.
const NOT_IN_A_PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A path as a relative URI reference.
fn uri(path: &str) -> String {
    utf8_percent_encode(&path.replace('\\', "/"), NOT_IN_A_PATH).to_string()
}

fn pretty(value: &Value) -> String {
    let mut text =
        serde_json::to_string_pretty(value).unwrap_or_else(|error| json!({"error": error.to_string()}).to_string());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_uri() {
        assert_eq!(uri("suites\\été 100%/a-b_c.~.md"), "suites/%C3%A9t%C3%A9%20100%25/a-b_c.~.md");
    }
}
