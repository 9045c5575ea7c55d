//! A run as GitHub Actions workflow commands: an annotation for each check that fails, and one line that sums up.

use assize_engine::records::RunDocument;
use std::fmt::Write as _;

/// The annotations.
pub(super) fn draw(document: &RunDocument) -> String {
    let mut text = String::new();
    let title = property(&document.suite);
    // Writing to a String cannot fail.
    for outcome in document.gate.checks.iter().filter(|outcome| !outcome.passed) {
        let _ = writeln!(
            text,
            "::error title={title}::{} is {} for {}",
            message(&outcome.check),
            outcome.shown(&document.judge),
            message(&outcome.model)
        );
    }
    for (model, card) in &document.models {
        for blocker in &card.blockers {
            let _ = writeln!(
                text,
                "::error title={title}::blocker for {}: {} is {}, must be {}",
                message(model),
                message(&blocker.metric),
                document.judge.shown(&blocker.metric, blocker.value),
                message(&blocker.limit)
            );
        }
    }
    let cases = &document.cases;
    if cases.failed > 0 {
        let _ = writeln!(text, "::error title={title}::{} of {} cases could not be judged", cases.failed, cases.total);
    }
    let headlines: Vec<String> = document
        .models
        .iter()
        .filter_map(|(model, card)| {
            card.metrics.get(&document.judge.headline).map(|metric| {
                format!("{} {}", message(model), document.judge.shown_metric(&document.judge.headline, metric))
            })
        })
        .collect();
    let gate = if document.gate.passed { "gate holds" } else { "gate fails" };
    let _ = writeln!(
        text,
        "::notice title={title}::{gate}; {}: {}; {} of {} cases judged",
        document.judge.headline,
        headlines.join(", "),
        cases.judged,
        cases.total
    );
    text
}

/// Text as the message of a command.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text as a property of a command.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
