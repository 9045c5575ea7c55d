//! Old prompts into the canonical structure.
//!
//! Two steps. Lines that older prompts use in place of headings ("Focus on:", "Fail if:", "You are …") are turned into
//! headings; `(Note: …)` clauses are taken out and become acceptable variations. Then the file is read as any other, and
//! written anew with what is missing added. Text that cannot be placed is an error, not a loss. Everything that was added
//! or moved is listed for the author to look over.

use super::prompt_file::{BehaviourPrompt, Block, SectionKind, is_heading};
use super::{answer_key, diff};
use assize_core::document::{Problem, Problems, Span};

/// A prompt rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migration {
    /// The new file.
    pub text: String,
    /// The key the old prompt asked its verdict under, to go into the benchmark.
    pub result_key: Option<String>,
    /// What changed, as a unified diff; empty where nothing did.
    pub diff: String,
    /// What was added or moved, for the author to look over.
    pub notes: Vec<String>,
}

/// The standing instructions of a prompt that had none.
pub(super) const SYSTEM: &str = "You are a neutral evaluator of documentation.
You evaluate one behavior at a time.
Decide whether the behavior is satisfied, using the rubric provided. Be strict and literal about it.
If the evidence does not show that all conditions are met, the behavior is NOT satisfied.

Use only the information in the provided inputs. Do not use outside knowledge to fill gaps.

Respond only with a single JSON object.";

/// The standard policy.
pub(super) const UNCERTAINTY: &str = "If the information is ambiguous or incomplete, set pass = false and say in the reason \
that the case is uncertain.";

/// The inputs block.
pub(super) const INPUTS: &str = "---

INPUTS

GROUND_TRUTH:
{ground_truth}

SOURCE_NARRATIVE:
{source_narrative}

CANDIDATE_OUTPUT:
{candidate_output}
";

/// Rewrites a prompt into the canonical structure.
pub fn migrate(path: &str, text: &str) -> Result<Migration, Problems> {
    let unix = text.replace("\r\n", "\n");
    let (without_notes, variations) = take_notes(&unix);
    let result_key = answer_key::find(&unix);
    let id = behaviour_id(path, result_key.as_deref());
    let mut problems = Problems::of(path);
    let mut notes = Vec::new();
    let lines = with_headings(&without_notes, &id, &mut notes, &mut problems);
    let rewritten: String = lines.iter().map(|(_, line)| format!("{line}\n")).collect();
    let mut found = Problems::of(path);
    let prompt = BehaviourPrompt::read_leniently(&rewritten, &mut found);
    for problem in found.iter().filter(|problem| !problem.message.starts_with("a second")) {
        // Lines were put in; the place is that of the line they came from.
        let span = problem.span.map(|mut span| {
            let index = (span.line as usize).saturating_sub(1);
            span.line = lines.get(index).map_or(span.line, |(number, _)| *number);
            span
        });
        problems.add(Problem { span, ..problem.clone() });
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let new = write(&prompt, &id, &variations, &mut notes);
    if let Some(key) = &result_key {
        notes.push(format!("the old answer key `{key}` goes into the benchmark as `result_key: {key}`"));
    }
    let new = if notes.is_empty() && same_apart_from_space(&new, &unix) { text.to_owned() } else { new };
    let diff = diff::unified(path, text, &new);
    Ok(Migration { text: new, result_key, diff, notes })
}

fn same_apart_from_space(a: &str, b: &str) -> bool {
    a.split_whitespace().eq(b.split_whitespace())
}

/// The id from the old key, else from the file's name.
fn behaviour_id(path: &str, result_key: Option<&str>) -> String {
    if let Some(key) = result_key {
        return key.to_owned();
    }
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).to_lowercase();
    let stem = stem.trim_end_matches("prompt").trim_end_matches(['_', '-', ' ']);
    let id: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if id.is_empty() { "behavior".to_owned() } else { id }
}

/// Takes the `(Note: …)` clauses out of a text.
fn take_notes(text: &str) -> (String, Vec<String>) {
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    let mut notes = Vec::new();
    while let Some(at) = rest.find('(') {
        let inner = &rest[at + 1..];
        let is_note = inner.trim_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case("note:"));
        match closing(inner).filter(|_| is_note) {
            Some(end) => {
                kept.push_str(rest[..at].trim_end_matches(' '));
                let note = inner[..end].trim_start()[5..].split_whitespace().collect::<Vec<_>>().join(" ");
                let mut characters = note.chars();
                let first = characters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
                notes.push(format!("{first}{}", characters.as_str()));
                // Line breaks inside the clause stay, so that lines keep their numbers.
                kept.extend(inner[..end].chars().filter(|character| *character == '\n'));
                rest = &inner[end + 1..];
            }
            None => {
                kept.push_str(&rest[..=at]);
                rest = inner;
            }
        }
    }
    kept.push_str(rest);
    (kept, notes)
}

/// Where the parenthesis that is open closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// What older prompts write in place of headings.
const OLD_HEADINGS: [(&[&str], &str); 6] = [
    (
        &[
            "focus on",
            "focus specifically on",
            "look at",
            "look for",
            "consider",
            "pay attention to",
            "evaluate the following",
        ],
        "Include:",
    ),
    (&["do not consider", "don't consider", "do not penalize", "do not penalise", "disregard"], "Ignore:"),
    (
        &[
            "fail if",
            "fails if",
            "mark as false if",
            "return false if",
            "incorrect if",
            "mark as incorrect if",
            "the output fails if",
        ],
        "Automatic fail if any of the following are true:",
    ),
    (
        &[
            "pass if",
            "passes if",
            "mark as true if",
            "return true if",
            "correct if",
            "mark as correct if",
            "criteria",
            "requirements",
            "the output passes if",
            "the output is correct if",
            "evaluation criteria",
        ],
        "Pass conditions (all must be satisfied):",
    ),
    (
        &["acceptable", "acceptable differences", "also acceptable", "allowed"],
        "Acceptable variations (still treated as pass):",
    ),
    (&["if unsure", "if uncertain", "when in doubt"], "Uncertainty policy:"),
];

const TASK_WORDS: [&str; 14] = [
    "evaluate",
    "determine",
    "check",
    "assess",
    "decide",
    "judge",
    "verify",
    "your task",
    "your job",
    "your goal",
    "task:",
    "question:",
    "does ",
    "is ",
];

/// The lines with canonical headings put in, each with the number of the line it came from.
fn with_headings(text: &str, id: &str, notes: &mut Vec<String>, problems: &mut Problems) -> Vec<(u32, String)> {
    let has_behaviour = super::prompt_file::looks_like_prompt(text);
    let mut lines: Vec<(u32, String)> = Vec::new();
    let mut started = false;
    let mut described = has_behaviour;
    let mut answer = false;
    let mut blank_before = true;
    for (index, line) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let mut put = |line: String| lines.push((number, line));
        let trimmed = line.trim();
        let lower = trimmed.trim_start_matches(['#', '*', ' ']).to_lowercase();
        if trimmed.is_empty() {
            put(String::new());
            blank_before = true;
            continue;
        }
        let is_system = lower.starts_with("system:");
        let old = old_heading(trimmed).filter(|_| !has_system_text(&lower));
        if !started && !has_behaviour && trimmed.starts_with("# ") && !is_heading(line) {
            notes.push(format!("the title `{trimmed}` was removed: a prompt starts with SYSTEM"));
            continue;
        }
        if !has_behaviour && started && !answer && blank_before && old.is_none() && is_unknown_label(line) {
            let span = Span { line: number, column: 1, length: u32::try_from(trimmed.chars().count()).unwrap_or(1) };
            let help = "name the section it is: `Include:`, `Ignore:`, `Automatic fail:`, `Pass conditions:` or `Acceptable variations:`";
            problems.report_with_help(span, format!("nothing says where `{trimmed}` belongs"), help);
        }
        if is_placeholder(trimmed) {
            blank_before = true;
            continue;
        }
        if !started && !is_system && !has_behaviour && old.is_none() && !starts_task(&lower) && !is_heading(line) {
            put(format!("SYSTEM: {trimmed}"));
        } else if !described && (old.is_some() || starts_task(&lower) && blank_before || is_heading(line) && !is_system)
        {
            put("---".to_owned());
            put(format!("BEHAVIOR: {id}"));
            described = true;
            match old {
                Some((heading, rest)) => put_heading(heading, rest, &mut put),
                None if is_heading(line) => put(line.to_owned()),
                None => {
                    put("DESCRIPTION:".to_owned());
                    put(trimmed.to_owned());
                }
            }
        } else if let Some((heading, rest)) = old {
            put_heading(heading, rest, &mut put);
            answer = false;
        } else if !answer && starts_answer(&lower) && blank_before {
            put("OUTPUT FORMAT:".to_owned());
            put(line.to_owned());
            answer = true;
        } else {
            put(line.to_owned());
        }
        started = true;
        blank_before = false;
    }
    lines
}

fn put_heading(heading: &str, rest: &str, put: &mut impl FnMut(String)) {
    put(heading.to_owned());
    if !rest.is_empty() {
        put(rest.to_owned());
    }
}

/// A short line with a colon at its end that is no heading anyone knows: placing what follows would be a guess.
fn is_unknown_label(line: &str) -> bool {
    let text = line.trim().trim_matches(['#', '*', ' ']);
    text.ends_with(':')
        && text.split_whitespace().count() <= 4
        && !is_heading(line)
        && !starts_answer(&text.to_lowercase())
}

/// An old heading with its colon, and what stands after the colon.
fn old_heading(line: &str) -> Option<(&'static str, &str)> {
    let (head, rest) = line.split_once(':')?;
    let head = head.trim_matches(['#', '*', ' ']).to_lowercase();
    let rest = rest.trim_matches(['*', ' ']);
    OLD_HEADINGS.iter().find(|(names, _)| names.contains(&head.as_str())).map(|(_, heading)| (*heading, rest))
}

fn has_system_text(lower: &str) -> bool {
    lower.starts_with("you are")
}

fn starts_task(lower: &str) -> bool {
    TASK_WORDS.iter().any(|word| lower.starts_with(word))
}

fn starts_answer(lower: &str) -> bool {
    ["return", "respond", "output", "answer", "reply", "provide"].iter().any(|word| lower.starts_with(word))
        && (lower.contains("json") || lower.contains('{') || lower.ends_with(':'))
}

/// `Transcript: {{transcript}}`: an input of the old template.
fn is_placeholder(line: &str) -> bool {
    let Some((head, rest)) = line.split_once(':') else {
        return line.starts_with('{') && line.ends_with('}') && !line.contains(':') && !line.contains(' ');
    };
    let rest = rest.trim().trim_matches(['"', '`', '<', '>']);
    head.split_whitespace().count() <= 4
        && rest.starts_with('{')
        && rest.ends_with('}')
        && rest.chars().all(|character| character.is_alphanumeric() || "{}_. ".contains(character))
}

fn write(prompt: &BehaviourPrompt, id: &str, variations: &[String], notes: &mut Vec<String>) -> String {
    let mut out = String::new();
    let mut added = |what: &str| notes.push(format!("{what} was missing and has been added"));
    let id = prompt.behaviour_id().unwrap_or(id);
    let words = id.replace(['_', '-'], " ");
    match prompt.system() {
        Some(system) => out.push_str(&format!("SYSTEM: {system}\n")),
        None => {
            added("the SYSTEM block");
            out.push_str(&format!("SYSTEM: {SYSTEM}\n"));
        }
    }
    out.push_str(&format!("\n---\n\nBEHAVIOR: {id}\n\nDESCRIPTION:\n"));
    let described = text_of(prompt, SectionKind::Description);
    if described.is_empty() {
        added("the DESCRIPTION");
        out.push_str(&format!("Whether the candidate output satisfies: {words}.\n"));
    } else {
        out.push_str(&described);
    }
    out.push_str("\nEVALUATION SCOPE:\n");
    let mut section = |out: &mut String, heading: &str, kind: SectionKind, default: &str, what: &str| {
        out.push_str(heading);
        out.push('\n');
        let text = text_of(prompt, kind);
        if text.is_empty() {
            added(what);
            out.push_str(default);
        } else {
            out.push_str(&text);
        }
    };
    let include = format!("- The parts of the candidate output that concern {words}.\n");
    section(&mut out, "Include:", SectionKind::Include, &include, "the list of what to include");
    section(&mut out, "Ignore:", SectionKind::Ignore, "- Formatting-only differences.\n", "the list of what to ignore");
    let fail = "- The candidate output contradicts the ground truth on what is evaluated.\n";
    section(
        &mut out,
        "\nRUBRIC\n\nAutomatic fail if any of the following are true:",
        SectionKind::AutomaticFail,
        fail,
        "the list of automatic fails",
    );
    out.push_str("\nPass conditions (all must be satisfied):\n");
    let conditions = numbered(prompt);
    if conditions.is_empty() {
        notes.push("the list of pass conditions was missing and has been added".into());
        out.push_str("1. The candidate output agrees with the ground truth on everything in scope.\n");
    } else {
        out.push_str(&conditions);
    }
    out.push_str("\nAcceptable variations (still treated as pass):\n");
    let kept = text_of(prompt, SectionKind::AcceptableVariations);
    out.push_str(&kept);
    for variation in variations {
        out.push_str(&format!("- {variation}\n"));
    }
    if !variations.is_empty() {
        notes.push(format!("{} (Note: …) moved to the acceptable variations", count(variations.len(), "clause")));
    } else if kept.is_empty() {
        notes.push("the list of acceptable variations was missing and has been added".into());
        out.push_str("- Differences in wording, order or formatting that keep the meaning.\n");
    }
    out.push_str("\nUncertainty policy:\n");
    let policy = text_of(prompt, SectionKind::UncertaintyPolicy);
    if policy.is_empty() {
        notes.push("the uncertainty policy was missing and has been added".into());
        out.push_str(UNCERTAINTY);
        out.push('\n');
    } else {
        out.push_str(&policy);
    }
    let examples = text_of(prompt, SectionKind::Examples);
    if !examples.is_empty() {
        out.push_str("\nEXAMPLES:\n");
        out.push_str(&examples);
    }
    let input = |kind| text_of(prompt, kind);
    out.push('\n');
    if [SectionKind::GroundTruth, SectionKind::SourceNarrative, SectionKind::CandidateOutput]
        .into_iter()
        .all(|kind| !input(kind).is_empty())
    {
        out.push_str(&format!(
            "---\n\nINPUTS\n\nGROUND_TRUTH:\n{}\nSOURCE_NARRATIVE:\n{}\nCANDIDATE_OUTPUT:\n{}",
            input(SectionKind::GroundTruth),
            input(SectionKind::SourceNarrative),
            input(SectionKind::CandidateOutput)
        ));
    } else {
        notes.push("the INPUTS block was missing or incomplete and has been added".into());
        out.push_str(INPUTS);
    }
    if prompt.section(SectionKind::AnswerFormat).is_some() {
        notes.push(
            "the closing line on the form of the answer was removed: the answer is always `pass` and `reason`".into(),
        );
    }
    out
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// What stands under all headings of a kind, as written, with a line break at its end. Lists that need no numbers lose them.
fn text_of(prompt: &BehaviourPrompt, kind: SectionKind) -> String {
    let unnumbered = matches!(
        kind,
        SectionKind::Include | SectionKind::Ignore | SectionKind::AutomaticFail | SectionKind::AcceptableVariations
    );
    let mut text = String::new();
    for section in prompt.sections().filter(|section| section.kind == kind) {
        let mut section = section.clone();
        for block in &mut section.blocks {
            if let Block::Item(item) = block
                && item.number.is_some()
                && unnumbered
            {
                item.mark = "-".to_owned();
                item.number = None;
            }
        }
        text.push_str(&section.written());
    }
    text
}

/// The pass conditions, numbered anew.
fn numbered(prompt: &BehaviourPrompt) -> String {
    let mut number = 0;
    let mut text = String::new();
    for section in prompt.sections().filter(|section| section.kind == SectionKind::PassConditions) {
        let mut section = section.clone();
        for block in &mut section.blocks {
            if let Block::Item(item) = block {
                number += 1;
                item.mark = format!("{number}.");
                item.number = Some(number);
            }
        }
        text.push_str(&section.written());
    }
    if number == 0 && !text.trim().is_empty() {
        return format!("1. {}\n", text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::behaviour::lint::lint;
    use assize_core::SourceFile;

    const OLD: &str = "\
You are an expert reviewer of claim notes.
Be careful.

Determine whether the note states the deductible that was applied (Note: rounding to full dollars is fine).

Focus on:
- The deductible amount
- Who pays it

Fail if:
* The note gives another deductible than the ground truth
* The note says no deductible applies when one does

Pass if:
- The deductible equals the ground truth (note: \"excess\" is the same
  thing)

Ground truth: {{ground_truth}}
Note: {{note}}

Return JSON: {\"deductible_correct\": true or false, \"explanation\": \"...\"}
";

    #[test]
    fn an_old_prompt_becomes_canonical_and_its_key_is_kept() {
        let migration = migrate("p/deductible_prompt.md", OLD).expect("migrated");
        assert_eq!(migration.result_key.as_deref(), Some("deductible_correct"));
        let mut problems = Problems::of("p/deductible_prompt.md");
        let prompt = BehaviourPrompt::read(&migration.text, &mut problems).expect("readable");
        let items = |kind| prompt.items(kind).map(|item| item.text.joined()).collect::<Vec<_>>();
        assert_eq!(prompt.behaviour_id(), Some("deductible_correct"));
        assert_eq!(prompt.system().unwrap(), "You are an expert reviewer of claim notes.\nBe careful.");
        assert_eq!(prompt.description().unwrap(), "Determine whether the note states the deductible that was applied.");
        assert_eq!(items(SectionKind::Include), ["The deductible amount", "Who pays it"]);
        assert_eq!(items(SectionKind::AutomaticFail).len(), 2);
        assert_eq!(items(SectionKind::PassConditions), ["The deductible equals the ground truth"]);
        assert_eq!(
            items(SectionKind::AcceptableVariations),
            ["Rounding to full dollars is fine", "\"excess\" is the same thing"]
        );
        assert!(prompt.uncertainty_policy().unwrap().contains("pass = false"));
        assert!(migration.diff.contains("+BEHAVIOR: deductible_correct") && migration.diff.contains("-Focus on:"));
        assert!(
            migration.notes.iter().any(|note| note.contains("result_key: deductible_correct")),
            "{:?}",
            migration.notes
        );
        let findings = lint(&[SourceFile { path: "p/deductible_prompt.md".into(), text: migration.text.clone() }]);
        assert!(findings.is_empty(), "{findings:#?}\n{}", migration.text);
        let again = migrate("p/deductible_prompt.md", &migration.text).expect("migrated");
        assert_eq!((again.text, again.diff.as_str()), (migration.text, ""), "a second time changes nothing");
    }

    #[test]
    fn a_canonical_prompt_with_parts_missing_gets_them() {
        let text = "SYSTEM: Judge.\n\n---\n\nBEHAVIOR: a_b\n\nDESCRIPTION:\nWhether a is b.\n\nRUBRIC\n\nPass conditions:\n- A is b.\n- B is a.\n";
        let migration = migrate("a_b_prompt.md", text).expect("migrated");
        assert!(migration.text.contains("1. A is b.\n2. B is a.\n"), "{}", migration.text);
        assert_eq!(migration.result_key, None);
        let findings = lint(&[SourceFile { path: "a_b_prompt.md".into(), text: migration.text }]);
        assert!(findings.is_empty(), "{findings:#?}");
    }

    #[test]
    fn a_title_goes_and_a_label_nobody_knows_is_asked_about() {
        let text = "# Judge\n\nYou are a judge.\n\nCheck the amount.\n\nFocus on:\n1. Amounts\n2. Dates\n";
        let migration = migrate("amount_prompt.md", text).expect("migrated");
        assert!(migration.text.starts_with("SYSTEM: You are a judge.\n"), "{}", migration.text);
        assert!(migration.text.contains("Include:\n- Amounts\n- Dates\n"), "{}", migration.text);
        let problems = migrate("amount_prompt.md", &format!("{text}\nRules:\n- Be kind.\n")).expect_err("where to?");
        assert_eq!(problems.iter().map(|problem| problem.span.unwrap().line).collect::<Vec<_>>(), [11]);
    }

    #[test]
    fn text_that_cannot_be_placed_is_an_error_with_its_line() {
        let text = "SYSTEM: Judge.\n\n---\n\nloose words\n\nBEHAVIOR: a\n\nSCORING TABLE:\nx\n";
        let problems = migrate("a_prompt.md", text).expect_err("not placed");
        let lines: Vec<_> = problems.iter().map(|problem| problem.span.expect("a place").line).collect();
        assert_eq!(lines, [5, 9]);
    }
}
