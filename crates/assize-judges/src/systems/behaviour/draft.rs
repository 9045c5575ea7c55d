//! A behaviour prompt that is being written: its parts, and the canonical file that they make.
//!
//! What is missing is filled with words that change nothing: a list of automatic fails that says no more than the pass
//! conditions, an uncertainty policy that is the standard one. Where nobody has said whether a description is of a correct
//! output or of a wrong one, both readings are written as comments, and [`unchosen`] finds them until a person has chosen.

use super::sentence::as_sentence;
use assize_core::document::Span;

/// The standing instructions of a prompt that has none.
const SYSTEM: &str = "You are a neutral evaluator of documentation.
You evaluate one behavior at a time.
Decide whether the behavior is satisfied, using the rubric provided. Be strict and literal about it.
If the evidence does not show that all conditions are met, the behavior is NOT satisfied.

Use only the information in the provided inputs. Do not use outside knowledge to fill gaps.

Respond only with a single JSON object.";

/// The standard policy.
const UNCERTAINTY: &str = "If the information is ambiguous or incomplete, set pass = false and say in the reason \
that the case is uncertain.";

/// The sign of a choice that is still open.
const OPEN_CHOICE: &str = "assize: choose a reading";

/// What to do about it.
pub(super) const CHOOSE: &str =
    "take the reading that is meant out of its comment, and delete the other and the line that asks";

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// A bullet or a number of a list: its lines without the mark.
    Item(Vec<String>),
    /// Lines as they are.
    Prose(Vec<String>),
}

impl Entry {
    /// An item of one line.
    pub(super) fn item(text: impl Into<String>) -> Self {
        Self::Item(vec![text.into()])
    }
}

/// A prompt that is being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// Comments before everything else, with their marks.
    pub(super) comments: Vec<String>,
    pub(super) system: Vec<String>,
    pub(super) id: String,
    pub(super) description: Vec<String>,
    pub(super) include: Vec<Entry>,
    pub(super) ignore: Vec<Entry>,
    pub(super) fails: Vec<Entry>,
    pub(super) passes: Vec<Entry>,
    /// What is to be evaluated where nobody has said which way round it counts.
    pub(super) undecided: Option<String>,
    pub(super) variations: Vec<Entry>,
    pub(super) policy: Vec<String>,
    pub(super) examples: Vec<String>,
    /// Lines under GROUND_TRUTH, SOURCE_NARRATIVE and CANDIDATE_OUTPUT beside the placeholder.
    pub(super) inputs: [Vec<String>; 3],
    /// Lines after everything else.
    pub(super) closing: Vec<String>,
}

impl Draft {
    /// The file, and the names of the parts that were missing and have been added.
    pub(super) fn write(&self) -> (String, Vec<&'static str>) {
        let mut added = Vec::new();
        let mut out = String::new();
        for comment in &self.comments {
            out.push_str(&format!("{comment}\n"));
        }
        let system = or_standard(&self.system, SYSTEM, "the SYSTEM block", &mut added);
        out.push_str(&format!("SYSTEM: {system}\n\n---\n\nBEHAVIOR: {}\n\nDESCRIPTION:\n", self.id));
        let words = self.id.replace(['_', '-'], " ");
        let about = format!("Whether the candidate output satisfies the rubric on {words}.");
        out.push_str(&format!("{}\n", or_standard(&self.description, &about, "the DESCRIPTION", &mut added)));
        out.push_str("\nEVALUATION SCOPE:\nInclude:\n");
        list(&mut out, &self.include, "What the rubric below names.", "the list of what to include", &mut added);
        out.push_str("Ignore:\n");
        list(&mut out, &self.ignore, "Everything else.", "the list of what to ignore", &mut added);
        out.push_str("\nRUBRIC\n\nAutomatic fail if any of the following are true:\n");
        let fail = "One of the pass conditions below does not hold.";
        list(&mut out, &self.fails, fail, "the list of automatic fails", &mut added);
        out.push_str("\nPass conditions (all must be satisfied):\n");
        self.conditions(&mut out, &mut added);
        out.push_str("\nAcceptable variations (still treated as pass):\n");
        let variation = "None beyond what the conditions above leave open.";
        list(&mut out, &self.variations, variation, "the list of acceptable variations", &mut added);
        let policy = or_standard(&self.policy, UNCERTAINTY, "the uncertainty policy", &mut added);
        out.push_str(&format!("\nUncertainty policy:\n{policy}\n"));
        if !self.examples.is_empty() {
            out.push_str(&format!("\nEXAMPLES:\n{}\n", self.examples.join("\n")));
        }
        out.push_str("\n---\n\nINPUTS\n");
        for (name, more) in super::INPUTS.iter().zip(&self.inputs) {
            out.push_str(&format!("\n{}:\n{{{name}}}\n", name.to_uppercase()));
            more.iter().for_each(|line| out.push_str(&format!("{line}\n")));
        }
        if !self.closing.is_empty() {
            out.push_str(&format!("\n{}\n", self.closing.join("\n")));
        }
        (out, added)
    }

    fn conditions(&self, out: &mut String, added: &mut Vec<&'static str>) {
        if let Some(undecided) = &self.undecided {
            let what = undecided.split_whitespace().collect::<Vec<_>>().join(" ").replace("-->", "->");
            let (what, sentence) = (what.trim_end_matches('.'), as_sentence(&what));
            out.push_str(&format!(
                "<!-- {OPEN_CHOICE}. Is this what a correct output does, or what is wrong with a wrong one? Take one of the two \
                 lines below out of its comment, and delete the other and this one. -->\n\
                 <!-- 1. {sentence} -->\n<!-- 1. It is not so that {what}. -->\n"
            ));
        } else if self.passes.is_empty() {
            added.push("the list of pass conditions");
            out.push_str("1. None of the automatic fails above applies.\n");
        }
        let mut number = u32::from(self.undecided.is_some());
        entries(out, &self.passes, &mut || {
            number += 1;
            format!("{number}.")
        });
    }
}

fn or_standard(lines: &[String], standard: &str, what: &'static str, added: &mut Vec<&'static str>) -> String {
    if lines.iter().any(|line| !line.trim().is_empty()) {
        return lines.join("\n").trim().to_owned();
    }
    added.push(what);
    standard.to_owned()
}

fn list(out: &mut String, list: &[Entry], neutral: &str, what: &'static str, added: &mut Vec<&'static str>) {
    if list.is_empty() {
        added.push(what);
        out.push_str(&format!("- {neutral}\n"));
    } else {
        entries(out, list, &mut || "-".to_owned());
    }
}

/// The entries of a list. Prose is an item where there is no other.
fn entries(out: &mut String, entries: &[Entry], mark: &mut dyn FnMut() -> String) {
    let has_items = entries.iter().any(|entry| matches!(entry, Entry::Item(_)));
    for entry in entries {
        match entry {
            Entry::Prose(lines) if has_items => lines.iter().for_each(|line| out.push_str(&format!("{line}\n"))),
            Entry::Item(lines) | Entry::Prose(lines) => {
                let mut lines = lines.iter();
                let first = lines.next().map(String::as_str).unwrap_or_default();
                out.push_str(&format!("{} {first}\n", mark()));
                // Set in by four, so that no line is taken for a heading.
                lines.for_each(|line| out.push_str(&format!("    {}\n", line.trim())));
            }
        }
    }
}

/// Where a prompt says that a reading is still to be chosen.
pub(super) fn unchosen(text: &str) -> Option<Span> {
    let at = |(index, line): (usize, &str)| {
        let column = line.find(OPEN_CHOICE)?;
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let length = number(OPEN_CHOICE.chars().count());
        Some(Span { line: number(index + 1), column: number(line[..column].chars().count() + 1), length })
    };
    text.lines().enumerate().find_map(at)
}
