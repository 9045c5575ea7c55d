//! A run as a JUnit report: a test for each check of the gate, and an error where cases could not be judged.

use assize_engine::run::RunDocument;
use std::fmt::Write as _;

/// The report.
pub(super) fn draw(document: &RunDocument) -> String {
    let checks = &document.gate.checks;
    let failures = checks.iter().filter(|outcome| !outcome.passed).count();
    let errors = usize::from(document.cases.failed > 0);
    let seconds = document.timings.wall_ms as f64 / 1000.0;
    let name = escape(&document.suite);
    let tests = checks.len() + 1;
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "<testsuites tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\">"
    );
    let _ = writeln!(
        text,
        "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\">"
    );
    let cases = &document.cases;
    let _ = write!(text, "    <testcase classname=\"{name}\" name=\"cases judged\"");
    if cases.failed > 0 {
        let kinds: Vec<String> = document.failures.iter().map(|(kind, count)| format!("{kind}: {count}")).collect();
        let _ = writeln!(
            text,
            ">\n      <error message=\"{} of {} cases could not be judged ({})\"/>\n    </testcase>",
            cases.failed,
            cases.total,
            escape(&kinds.join(", "))
        );
    } else {
        text.push_str("/>\n");
    }
    for outcome in checks {
        let class = format!("{name}.{}", escape(&outcome.model));
        let _ = write!(text, "    <testcase classname=\"{class}\" name=\"{}\"", escape(&outcome.check));
        if outcome.passed {
            text.push_str("/>\n");
        } else {
            let _ = writeln!(
                text,
                ">\n      <failure message=\"{} is {}\"/>\n    </testcase>",
                escape(&outcome.check),
                outcome.shown(&document.judge)
            );
        }
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// Text as an attribute; characters XML cannot hold are left out.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
