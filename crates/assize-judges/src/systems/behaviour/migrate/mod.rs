//! Old prompts into the canonical structure.
//!
//! A prompt that is canonical already is left as it is, byte for byte. Any other is cut into `blocks`, every block is
//! placed under its heading (`place`), and the file is written anew with what is missing added. Nothing is guessed: text whose
//! words do not say where it belongs is named, with its line. `audit` then looks for every piece of the old text in the new
//! one, so that what was overlooked is named as well.

mod audit;
mod blocks;
mod place;
#[cfg(test)]
mod tests;

use super::draft::unchosen;
use super::prompt_file::{BehaviourPrompt, SectionKind, looks_like_prompt};
use super::sentence::{Role, role_of, role_of_label, sentences};
use super::{answer_key, diff};
use assize_core::document::{Problem, Problems, Severity, Span};
use blocks::{Kind, blocks};

/// A prompt rewritten.
#[derive(Clone, Debug, PartialEq)]
pub struct Migration {
    /// The new file.
    pub text: String,
    /// The key the old prompt asked its verdict under, to go into the benchmark.
    pub result_key: Option<String>,
    /// What changed, as a unified diff; empty where nothing did.
    pub diff: String,
    /// What was added or moved, for the author to look over.
    pub notes: Vec<String>,
    /// What could not be placed, each piece with its line. The new file does not have it.
    pub unplaced: Vec<Problem>,
}

/// Whether a Markdown text is recognisably a behaviour prompt: it asks for a verdict on an output, or says what passes and
/// fails. A file that is named `*_prompt.md` needs one sign, any other two; and one with several headings that no prompt has
/// is a document about something.
pub fn is_behaviour_prompt(path: &str, text: &str) -> bool {
    let blocks = blocks(text);
    let (mut rubric, mut verdict, mut question, mut foreign) = (false, answer_key::find(text).is_some(), false, 0);
    for block in &blocks {
        match &block.kind {
            Kind::Heading(kind, _) => {
                rubric |= matches!(kind, SectionKind::AutomaticFail | SectionKind::PassConditions);
            }
            Kind::Label(label, rest) => {
                let role = role_of_label(label);
                rubric |= matches!(role, Some(Role::Fail | Role::Pass));
                verdict |= role == Some(Role::AnswerFormat) && asks_for_a_verdict(rest);
                foreign += usize::from(role.is_none() && !blocks::is_pure(label));
            }
            Kind::Item(lines) | Kind::Prose(lines) => {
                for sentence in sentences(&lines.join(" ")) {
                    let role = role_of(&sentence);
                    question |= role == Some(Role::Task) && is_yes_or_no(&sentence);
                    rubric |= role == Some(Role::Fail) && sentence.to_lowercase().contains("fail");
                    verdict |= asks_for_a_verdict(&sentence);
                }
            }
            _ => {}
        }
    }
    let behaviour = looks_like_prompt(text);
    let signs = [rubric, verdict, question, behaviour].into_iter().filter(|sign| *sign).count();
    let needed = if path.ends_with("_prompt.md") { 1 } else { 2 };
    signs >= needed && (foreign < 2 || behaviour && rubric)
}

fn is_yes_or_no(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    lower.ends_with('?') || [" whether ", " if ", " that "].iter().any(|word| lower.contains(word))
}

fn asks_for_a_verdict(text: &str) -> bool {
    let lower = text.to_lowercase();
    let pairs =
        ["true or false", "true/false", "yes or no", "yes/no", "pass or fail", "pass/fail", "\"pass\"", "`pass`"];
    pairs.iter().any(|pair| lower.contains(pair))
}

/// Rewrites a prompt into the canonical structure.
pub fn migrate(path: &str, text: &str) -> Result<Migration, Problems> {
    let result_key = answer_key::find(text);
    if is_canonical(text) {
        let nothing = Migration {
            text: text.to_owned(),
            result_key,
            diff: String::new(),
            notes: Vec::new(),
            unplaced: Vec::new(),
        };
        return Ok(nothing);
    }
    let unix = text.replace("\r\n", "\n");
    let unix = unix.strip_prefix('\u{feff}').unwrap_or(&unix);
    let mut placed = place::place(unix);
    let draft = &mut placed.draft;
    if draft.id.is_empty() {
        draft.id = behaviour_id(path, result_key.as_deref());
    }
    if draft.fails.is_empty() && draft.passes.is_empty() {
        let about: Vec<String> = draft.description.iter().map(|line| condition(line)).collect();
        if about.is_empty() {
            let mut problems = Problems::of(path);
            let help = "write what fails under `Fail if:` or what must hold under `Pass if:`, and migrate again";
            problems.report_with_help(Span::at(1, 1), "nothing in this prompt says what passes or what fails", help);
            return Err(problems);
        }
        draft.undecided = Some(about.join(" "));
        placed.notes.push("choose a reading of the pass condition: nothing says which way round it counts".into());
    }
    let (new, added) = placed.draft.write();
    placed.notes.extend(added.iter().map(|what| format!("{what} was missing and has been added")));
    if let Some(key) = &result_key {
        placed.notes.push(format!("the old answer key `{key}` goes into the benchmark as `result_key: {key}`"));
    }
    for name in audit::placeholders(unix).filter(|name| !super::INPUTS.contains(name)) {
        let note = format!("nothing fills in the placeholder `{name}` in the rubric");
        if placed.draft.inputs.iter().flatten().all(|line| !line.contains(name)) && !placed.notes.contains(&note) {
            placed.notes.push(note);
        }
    }
    let mut unplaced = placed.unplaced;
    unplaced.extend(audit::lost(unix, &new, &unplaced));
    if !is_canonical(&new) {
        return Err(unreadable(path, &new));
    }
    let unplaced = unplaced.into_iter().map(|(line, text)| Problem {
        file: path.to_owned(),
        span: Some(Span { line, column: 1, length: 1 }),
        severity: Severity::Error,
        message: text,
        help: None,
    });
    let diff = diff::unified(path, text, &new);
    Ok(Migration { diff, text: new, result_key, notes: placed.notes, unplaced: unplaced.collect() })
}

/// Whether a prompt has the canonical structure: every part, filled, once and in order, and nothing of the old one.
fn is_canonical(text: &str) -> bool {
    let mut problems = Problems::default();
    let prompt = BehaviourPrompt::read_leniently(text, &mut problems);
    let kinds: Vec<SectionKind> = prompt.sections().map(|section| section.kind).collect();
    let filled = |kind: SectionKind| prompt.section(kind).is_some_and(|section| !section.is_empty());
    let chosen = filled(SectionKind::PassConditions) || unchosen(text).is_some();
    let answer = prompt.section(SectionKind::AnswerFormat).map(super::prompt_file::Section::prose);
    problems.is_empty()
        && kinds.is_sorted()
        && prompt.behaviour_id().is_some()
        && CANONICAL.into_iter().all(filled)
        && chosen
        && answer.is_none_or(|answer| answer_key::find(&answer).is_none())
        && !place::has_movable_note(text)
}

/// The parts that a canonical prompt has beside its pass conditions.
const CANONICAL: [SectionKind; 10] = [
    SectionKind::System,
    SectionKind::Description,
    SectionKind::Include,
    SectionKind::Ignore,
    SectionKind::AutomaticFail,
    SectionKind::AcceptableVariations,
    SectionKind::UncertaintyPolicy,
    SectionKind::GroundTruth,
    SectionKind::SourceNarrative,
    SectionKind::CandidateOutput,
];

/// What stands in the way of reading the new file, where something in the old one does.
fn unreadable(path: &str, new: &str) -> Problems {
    let mut found = Problems::default();
    BehaviourPrompt::read_leniently(new, &mut found);
    let why =
        found.iter().next().map_or("its parts do not come out in order".to_owned(), |problem| problem.message.clone());
    let mut problems = Problems::of(path);
    let help = "put the prompt under the canonical headings by hand; `assize init behaviours` has prompts to look at";
    problems.report_with_help(Span::at(1, 1), format!("this prompt cannot be rewritten: {why}"), help);
    problems
}

/// A task as what it asks about: "Determine whether the note names it" asks whether "the note names it".
fn condition(task: &str) -> String {
    let lower = task.to_ascii_lowercase();
    match lower.find("whether ").filter(|at| *at < 60) {
        Some(at) => task[at + "whether ".len()..].to_owned(),
        None => task.to_owned(),
    }
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
