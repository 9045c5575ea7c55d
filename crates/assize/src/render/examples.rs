//! What became of the examples of rubrics.

use super::junit::{printable, test, unsuccessful};
use crate::screen::{self, Style, styled};
use assize_core::number::plural;
use assize_judges::systems::behaviour::LabelledExample;
use quick_junit::{NonSuccessKind, Report as JUnit, TestCaseStatus, TestSuite};
use serde_json::{Value, json};

/// How the suites are named whose cases are examples.
pub(crate) const SUITE: &str = "examples of";

/// Where the case of an example says which verdict it should get.
pub(crate) const EXPECTED: &str = "expected_pass";

/// What became of the examples.
#[derive(Default)]
pub(crate) struct Report {
    /// The examples, in the order of their files.
    pub(crate) tested: Vec<Tested>,
    /// The behaviours without one, and why.
    pub(crate) untested: Vec<(String, &'static str)>,
    /// The runs they were judged in.
    pub(crate) runs: Vec<String>,
}

/// What became of an example.
pub(crate) struct Tested {
    pub(crate) example: LabelledExample,
    pub(crate) fate: Fate,
}

/// What became of an example.
#[derive(Debug, PartialEq)]
pub(crate) enum Fate {
    /// It got the verdict that it should.
    Right,
    /// It got the other one, or none.
    Wrong { found: Option<bool>, reason: String },
    /// Only a model can say, and none was named.
    NotAsked,
    /// It could not be judged.
    Failed(String),
    /// The run ended before it.
    NotReached,
}

impl Fate {
    fn name(&self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong { .. } => "wrong",
            Self::NotAsked => "not_asked",
            Self::Failed(_) => "failed",
            Self::NotReached => "not_reached",
        }
    }
}

impl Report {
    /// How many examples were judged wrongly.
    pub(crate) fn wrong(&self) -> usize {
        self.count(|fate| matches!(fate, Fate::Wrong { .. }))
    }

    fn count(&self, is: impl Fn(&Fate) -> bool) -> usize {
        self.tested.iter().filter(|tested| is(&tested.fate)).count()
    }
}

fn verdict(pass: bool) -> &'static str {
    if pass { "pass" } else { "fail" }
}

/// The report for a terminal of this width.
pub(crate) fn table(report: &Report, width: usize) -> String {
    let mut lines = Vec::new();
    let columns = report.tested.iter().map(|tested| screen::columns(&tested.example.code)).max().unwrap_or(0).min(30);
    for Tested { example, fate } in &report.tested {
        let code = screen::padded(&screen::shortened(&screen::harmless(&example.code), columns), columns);
        let head = format!("{code}  example {} should {}", example.number, verdict(example.pass));
        let (style, said) = match fate {
            Fate::Right => (Style::Good, "right".to_owned()),
            Fate::Wrong { found: Some(found), .. } => (Style::Bad, format!("WRONG: judged as {}", verdict(*found))),
            Fate::Wrong { found: None, .. } => (Style::Bad, "WRONG: no verdict".to_owned()),
            Fate::NotAsked => (Style::Middling, "to be asked".to_owned()),
            Fate::Failed(_) => (Style::Bad, "could not be judged".to_owned()),
            Fate::NotReached => (Style::Middling, "not reached".to_owned()),
        };
        lines.push(format!("{head}  {}", styled(style, said)));
        let mut more = |what: &str, text: &str| {
            if !text.is_empty() {
                let text =
                    format!("{what}: {}", screen::harmless(text).split_whitespace().collect::<Vec<_>>().join(" "));
                lines.extend(screen::broken(&text, width, "    ", "      "));
            }
        };
        match fate {
            Fate::Wrong { reason, .. } => {
                more("the judge", reason);
                more("the label", &example.reason);
                more("in", &example.file);
            }
            Fate::Failed(why) => more("why", why),
            _ => {}
        }
    }
    if !lines.is_empty() {
        lines.push(String::new());
    }
    for (code, why) in &report.untested {
        lines.push(styled(Style::Faint, format!("{}: not tested, {why}", screen::harmless(code))));
    }
    lines.push(sum(report));
    let open = report.count(|fate| *fate == Fate::NotAsked) as u64;
    if open > 0 {
        let what = format!("{} would be asked of a model, one for each example marked so.", plural(open, "question"));
        lines.extend(screen::broken(&what, width, "", ""));
        lines.push("Add --model, such as --model openai:gpt-4o-mini; --dry-run says what it costs.".to_owned());
    }
    lines.join("\n")
}

fn sum(report: &Report) -> String {
    let parts = [
        (report.count(|fate| *fate == Fate::Right), "right", Style::Good),
        (report.wrong(), "wrong", Style::Bad),
        (report.count(|fate| *fate == Fate::NotAsked), "to be asked", Style::Middling),
        (report.count(|fate| matches!(fate, Fate::Failed(_))), "could not be judged", Style::Bad),
        (report.count(|fate| *fate == Fate::NotReached), "not reached", Style::Middling),
    ];
    let said: Vec<String> = parts
        .iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, what, style)| styled(*style, format!("{count} {what}")))
        .collect();
    let all = plural(report.tested.len() as u64, "example");
    if said.is_empty() { all } else { format!("{all}: {}", said.join(", ")) }
}

/// The report for other programs.
pub(crate) fn json(report: &Report) -> Value {
    let example = |Tested { example, fate }: &Tested| {
        let (found, reason) = match fate {
            Fate::Right => (Some(example.pass), None),
            Fate::Wrong { found, reason } => (*found, Some(reason)),
            Fate::Failed(why) => (None, Some(why)),
            Fate::NotAsked | Fate::NotReached => (None, None),
        };
        json!({
            "behaviour": example.code, "example": example.number, "file": example.file, "expected": example.pass,
            "expected_because": example.reason, "outcome": fate.name(), "found": found, "reason": reason,
        })
    };
    let untested = |(code, why): &(String, &str)| json!({"behaviour": code, "why": why});
    json!({
        "schema": "assize.test/1",
        "runs": report.runs,
        "examples": report.tested.iter().map(example).collect::<Vec<_>>(),
        "untested": report.untested.iter().map(untested).collect::<Vec<_>>(),
    })
}

/// The report as JUnit: a suite for each behaviour, a test for each example.
pub(crate) fn junit(report: &Report) -> String {
    let mut junit = JUnit::new("rubrics");
    let mut suites: Vec<TestSuite> = Vec::new();
    for Tested { example, fate } in &report.tested {
        let status = match fate {
            Fate::Right => TestCaseStatus::success(),
            Fate::Wrong { found, reason } => {
                let found = found.map_or("no verdict", verdict);
                let message = format!("should {}, judged as {found}: {reason}", verdict(example.pass));
                unsuccessful(NonSuccessKind::Failure, &message)
            }
            Fate::Failed(why) => unsuccessful(NonSuccessKind::Error, why),
            Fate::NotAsked | Fate::NotReached => TestCaseStatus::skipped(),
        };
        let name = format!("example {} should {}", example.number, verdict(example.pass));
        let case = test(&example.code, &name, status);
        match suites.last_mut().filter(|suite| suite.name == printable(&example.code)) {
            Some(suite) => _ = suite.add_test_case(case),
            None => {
                let mut suite = TestSuite::new(printable(&example.code));
                suite.add_test_case(case);
                suites.push(suite);
            }
        }
    }
    junit.add_test_suites(suites);
    junit.to_string().expect("writing to memory cannot fail")
}
