//! A run as a JUnit report: a test for each check of the gate, and an error where cases could not be judged.

use assize_engine::records::RunDocument;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite, XmlString};
use std::time::Duration;

/// The report.
pub(super) fn draw(document: &RunDocument) -> String {
    let time = Duration::from_millis(document.timings.wall_ms);
    let mut suite = TestSuite::new(printable(&document.suite));
    suite.set_time(time);

    let cases = &document.cases;
    let judged = if cases.failed > 0 {
        let kinds: Vec<String> = document.failures.iter().map(|(kind, count)| format!("{kind}: {count}")).collect();
        let message = format!("{} of {} cases could not be judged ({})", cases.failed, cases.total, kinds.join(", "));
        unsuccessful(NonSuccessKind::Error, &message)
    } else {
        TestCaseStatus::success()
    };
    suite.add_test_case(test(&document.suite, "cases judged", judged));

    for outcome in &document.gate.checks {
        let status = if outcome.passed {
            TestCaseStatus::success()
        } else {
            unsuccessful(NonSuccessKind::Failure, &format!("{} is {}", outcome.check, outcome.shown(&document.judge)))
        };
        suite.add_test_case(test(&format!("{}.{}", document.suite, outcome.model), &outcome.check, status));
    }

    let mut report = Report::new(printable(&document.suite));
    report.set_time(time);
    report.add_test_suite(suite);
    report.to_string().expect("writing to memory cannot fail")
}

pub(super) fn test(class: &str, name: &str, status: TestCaseStatus) -> TestCase {
    let mut test = TestCase::new(printable(name), status);
    test.set_classname(printable(class));
    test
}

pub(super) fn unsuccessful(kind: NonSuccessKind, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(printable(message));
    status
}

/// Text with a space for each character that XML cannot hold or a reader cannot see. quick-junit leaves two such
/// characters in, and drops tabs.
pub(super) fn printable(text: &str) -> XmlString {
    XmlString::new(text.replace(|c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}'), " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_stays_text() {
        let mut suite = TestSuite::new(printable("a\u{0}b\tc\nd\u{1b}[31m\u{fffe}\u{ffff}\u{85}é日"));
        suite.add_test_case(test("<\"&'>", "x > 1", unsuccessful(NonSuccessKind::Failure, "]]> <b>")));
        let mut report = Report::new("r");
        report.add_test_suite(suite);
        assert_eq!(
            report.to_string().unwrap(),
            r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="r" tests="1" skipped="0" failures="1" errors="0">
    <testsuite name="a b c d [31m   é日" tests="1" skipped="0" errors="0" failures="1">
        <testcase name="x &gt; 1" classname="&lt;&quot;&amp;&apos;&gt;">
            <failure message="]]&gt; &lt;b&gt;"/>
        </testcase>
    </testsuite>
</testsuites>
"#
        );
    }
}
