//! Where the blocks of an old prompt belong.
//!
//! What stands under a heading or a label goes where that says. What stands alone goes where its own words say, sentence by
//! sentence. What neither says is left over, with its line, for the author.

use super::super::draft::{Draft, Entry};
use super::super::prompt_file::SectionKind;
use super::super::sentence::{Role, role_of, role_of_label, sentences};
use super::blocks::{Block, Kind, blocks, is_pure, pattern};
use regex::Regex;
use std::sync::LazyLock;

/// A prompt with everything in its place, and what has none.
#[derive(Default)]
pub(super) struct Placed {
    pub(super) draft: Draft,
    /// What could not be placed, with the lines it stands on.
    pub(super) unplaced: Vec<(u32, String)>,
    /// What the author should look over.
    pub(super) notes: Vec<String>,
    /// What the old prompt said about the form of the answer.
    answer: Vec<String>,
}

/// Where what comes next belongs.
#[derive(Clone, PartialEq, Eq)]
enum Under {
    /// Nowhere in particular: its own words decide.
    Nothing,
    /// A part of the prompt. A heading of the canonical structure holds until the next one; a label of an old prompt holds
    /// for the list or the paragraph under it.
    Part { part: Part, firm: bool, filled: bool },
}

/// A part of the prompt that text can be put into.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Role(Role),
    Input(usize),
    /// The id of the behaviour.
    Id,
    /// A heading that only holds other headings.
    Frame,
}

/// Places every block of a text.
pub(super) fn place(text: &str) -> Placed {
    let (text, notes) = take_notes(text);
    let mut placed = Placed::default();
    let mut under = Under::Nothing;
    for block in blocks(&text) {
        under = placed.block(block, under);
    }
    for (role, note) in notes {
        placed.notes.push(format!("the note “{note}” is {} now", name_of(role)));
        placed.put(role, Entry::item(capital(&note)));
    }
    if !placed.answer.is_empty() {
        let text = placed.answer.join("\n");
        placed.notes.push("what the prompt said about the form of the answer is a comment now: the answer is always `pass` and `reason`".into());
        placed
            .draft
            .closing
            .push(format!("<!-- The form of the answer that was asked for before; it is not sent.\n{text}\n-->"));
    }
    placed
}

fn name_of(role: Role) -> &'static str {
    match role {
        Role::Fail => "an automatic fail",
        Role::Uncertainty => "part of the uncertainty policy",
        _ => "an acceptable variation",
    }
}

impl Placed {
    fn block(&mut self, block: Block, under: Under) -> Under {
        let Block { line, kind, after_blank } = block;
        let under = match (&under, &kind) {
            // A paragraph after the list under a label is no longer under it.
            (Under::Part { firm: false, filled: true, .. }, Kind::Prose(_)) if after_blank => Under::Nothing,
            _ => under,
        };
        match kind {
            Kind::Separator => Under::Nothing,
            Kind::Comment(lines) => {
                match &under {
                    Under::Part { part: Part::Role(role), firm: true, .. } if *role != Role::AnswerFormat => {
                        self.put(*role, Entry::Prose(lines));
                    }
                    _ => self.draft.comments.extend(lines),
                }
                under
            }
            Kind::Title(text) => {
                self.draft.comments.push(format!("<!-- {text} -->"));
                under
            }
            Kind::System(lines) => {
                self.draft.system.extend(lines);
                Under::Nothing
            }
            Kind::Examples(lines) => {
                // A line inside an example that reads like a heading is set in, so that it is none.
                let inner = |line: String| {
                    let heading = super::super::prompt_file::is_heading(&line);
                    if heading { format!("    {}", line.trim_start()) } else { line }
                };
                let lines: Vec<String> = lines.into_iter().map(inner).collect();
                let end = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
                self.draft.examples.extend(lines[..end].iter().skip_while(|line| line.trim().is_empty()).cloned());
                Under::Nothing
            }
            Kind::Placeholder(text) => {
                self.input(&under, text);
                under
            }
            Kind::Heading(kind, rest) => self.heading(kind, rest, line),
            Kind::Label(label, rest) => self.label(label, rest, line),
            Kind::Fence(lines) => match &under {
                Under::Part { part: Part::Role(role), .. } => {
                    self.put(*role, Entry::Prose(lines));
                    filled(under)
                }
                _ if lines.iter().any(|line| line.contains('{')) && !self.answer.is_empty() => {
                    self.answer.extend(lines);
                    under
                }
                _ => {
                    self.unplaced.push((line, lines.join("\n")));
                    under
                }
            },
            Kind::Item(lines) => {
                self.item(&under, lines, line);
                filled(under)
            }
            Kind::Prose(lines) => self.prose(under, lines, line),
        }
    }

    fn heading(&mut self, kind: SectionKind, rest: String, line: u32) -> Under {
        let part = match kind {
            SectionKind::Behaviour => Part::Id,
            SectionKind::Scope | SectionKind::Rubric | SectionKind::Inputs => Part::Frame,
            SectionKind::Description => Part::Role(Role::Task),
            SectionKind::Include => Part::Role(Role::Include),
            SectionKind::Ignore => Part::Role(Role::Ignore),
            SectionKind::AutomaticFail => Part::Role(Role::Fail),
            SectionKind::PassConditions => Part::Role(Role::Pass),
            SectionKind::AcceptableVariations => Part::Role(Role::Variation),
            SectionKind::UncertaintyPolicy => Part::Role(Role::Uncertainty),
            SectionKind::AnswerFormat => Part::Role(Role::AnswerFormat),
            SectionKind::GroundTruth => Part::Input(0),
            SectionKind::SourceNarrative => Part::Input(1),
            SectionKind::CandidateOutput => Part::Input(2),
            // These two are blocks of their own.
            SectionKind::System | SectionKind::Examples => Part::Role(Role::Instruction),
        };
        let under = Under::Part { part, firm: true, filled: false };
        if rest.is_empty() { under } else { self.prose(under, vec![rest], line) }
    }

    fn label(&mut self, label: String, rest: String, line: u32) -> Under {
        let pure = is_pure(&label);
        let Some(role) = role_of_label(&label) else {
            if !rest.is_empty() {
                self.sentences(&rest, line, None);
            } else if !pure {
                self.unplaced.push((line, label));
            }
            return Under::Nothing;
        };
        let under = Under::Part { part: Part::Role(role), firm: false, filled: false };
        if !pure {
            // The label says something itself: it introduces its list.
            self.put(role, Entry::Prose(vec![format!("{label}:")]));
        }
        if rest.is_empty() { under } else { self.prose(under, vec![rest], line) }
    }

    fn item(&mut self, under: &Under, lines: Vec<String>, line: u32) {
        let text = lines.join(" ");
        match under {
            Under::Part { part: Part::Role(Role::AnswerFormat), .. } => self.answer_line(format!("- {text}"), line),
            Under::Part { part: Part::Role(role), firm, .. } => {
                let own = role_of(&text).filter(|_| !firm && matches!(role, Role::Instruction | Role::Task));
                self.put(own.unwrap_or(*role), Entry::Item(lines));
            }
            Under::Part { part: Part::Input(at), .. } => self.draft.inputs[*at].push(format!("- {text}")),
            _ => match role_of(&text) {
                Some(Role::AnswerFormat) => self.answer.push(format!("- {text}")),
                Some(role) => self.put(role, Entry::Item(lines)),
                None => self.unplaced.push((line, text)),
            },
        }
    }

    fn prose(&mut self, under: Under, lines: Vec<String>, line: u32) -> Under {
        match &under {
            Under::Part { part: Part::Id, .. } => {
                let mut words = lines.into_iter();
                if self.draft.id.is_empty() {
                    let id = words.next().unwrap_or_default();
                    self.draft.id = id.trim_matches(|c: char| c.is_whitespace() || "`*\"'".contains(c)).to_owned();
                }
                words.for_each(|text| self.unplaced.push((line, text)));
                under
            }
            Under::Part { part: Part::Input(at), .. } => {
                self.draft.inputs[*at].extend(lines.iter().map(|line| line.trim().to_owned()));
                filled(under)
            }
            Under::Part { part: Part::Role(Role::AnswerFormat), .. } => {
                lines.into_iter().for_each(|text| self.answer_line(text, line));
                filled(under)
            }
            // Under "Instructions:" or "Task:" rules may stand as well.
            Under::Part { part: Part::Role(role @ (Role::Instruction | Role::Task)), firm: false, .. } => {
                self.sentences(&lines.join(" "), line, Some(*role));
                filled(under)
            }
            Under::Part { part: Part::Role(role), .. } => {
                let lines: Vec<String> = lines.iter().map(|line| line.trim().to_owned()).collect();
                self.put(*role, Entry::Prose(lines));
                filled(under)
            }
            Under::Part { part: Part::Frame, .. } | Under::Nothing => {
                let opens_answer = self.sentences(&lines.join(" "), line, None);
                let part = Part::Role(Role::AnswerFormat);
                if opens_answer { Under::Part { part, firm: false, filled: true } } else { Under::Nothing }
            }
        }
    }

    /// Places a paragraph by what its sentences say. One that says nothing of the kind goes with the instruction or the task
    /// that opened the paragraph. Gives whether the paragraph ends with the form of the answer.
    fn sentences(&mut self, text: &str, line: u32, mut opened: Option<Role>) -> bool {
        let mut last = None;
        for sentence in sentences(text) {
            let role = role_of(&sentence);
            let goes_on = opened.filter(|role| matches!(role, Role::Instruction | Role::Task));
            match role.or(goes_on) {
                Some(Role::AnswerFormat) => self.answer.push(sentence),
                Some(role) => self.put(role, Entry::item(sentence)),
                None if !self.answer.is_empty() && is_about_form(&sentence) => self.answer.push(sentence),
                None => self.unplaced.push((line, sentence)),
            }
            opened = opened.or(role);
            last = role.or(last);
        }
        last == Some(Role::AnswerFormat)
    }

    /// A line about the form of the answer; a sentence in it that says what passes or fails goes where it belongs.
    fn answer_line(&mut self, text: String, line: u32) {
        let (rules, form): (Vec<String>, Vec<String>) = sentences(&text).into_iter().partition(|sentence| {
            matches!(
                role_of(sentence),
                Some(Role::Fail | Role::Pass | Role::Variation | Role::Uncertainty | Role::Ignore | Role::Include)
            ) && !sentence.contains('{')
        });
        for rule in rules {
            self.sentences(rule.trim_start_matches("- "), line, None);
        }
        let (form, other): (Vec<String>, Vec<String>) = form.into_iter().partition(|sentence| is_about_form(sentence));
        self.answer.extend((!form.is_empty()).then(|| form.join(" ")));
        self.unplaced.extend(other.into_iter().map(|sentence| (line, sentence)));
    }

    fn put(&mut self, role: Role, entry: Entry) {
        let draft = &mut self.draft;
        let list = match role {
            Role::Include => &mut draft.include,
            Role::Ignore => &mut draft.ignore,
            Role::Fail => &mut draft.fails,
            Role::Pass => &mut draft.passes,
            Role::Variation => &mut draft.variations,
            Role::Instruction | Role::Task | Role::Uncertainty | Role::AnswerFormat => {
                let text = match role {
                    Role::Instruction => &mut draft.system,
                    Role::Task => &mut draft.description,
                    Role::Uncertainty => &mut draft.policy,
                    _ => &mut self.answer,
                };
                match entry {
                    Entry::Prose(lines) => text.extend(lines),
                    Entry::Item(lines) => text.push(lines.join(" ")),
                }
                return;
            }
        };
        list.push(entry);
    }

    /// An input of the old template goes to the input that its name says; one that is an input's own placeholder is there
    /// already.
    fn input(&mut self, under: &Under, text: String) {
        let names: Vec<&str> = super::audit::placeholders(&text).collect();
        if names.iter().all(|name| super::super::INPUTS.contains(name)) {
            return;
        }
        let at = match under {
            Under::Part { part: Part::Input(at), .. } => *at,
            _ => input_of(&text),
        };
        if self.draft.inputs[at].contains(&text) {
            return;
        }
        let input = super::super::INPUTS[at];
        self.notes
            .push(format!("`{text}` stands under {}: put its value into `{input}` of the cases", input.to_uppercase()));
        self.draft.inputs[at].push(text);
    }
}

fn filled(under: Under) -> Under {
    match under {
        Under::Part { part, firm, .. } => Under::Part { part, firm, filled: true },
        Under::Nothing => Under::Nothing,
    }
}

/// Which of the inputs a label or a placeholder speaks of; what nobody knows is a source.
fn input_of(text: &str) -> usize {
    static TRUTH: LazyLock<Regex> = LazyLock::new(|| pattern("(?i)truth|gold|expected|reference|correct|label"));
    static OUTPUT: LazyLock<Regex> =
        LazyLock::new(|| pattern("(?i)candidate|output|response|reply|answer|prediction|generated|summary|completion"));
    if TRUTH.is_match(text) {
        0
    } else if OUTPUT.is_match(text) {
        2
    } else {
        1
    }
}

fn is_about_form(sentence: &str) -> bool {
    static FORM: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r#"(?i)[{}\[\]"`]|json|true|false|boolean|string|\btext\b|format|field|key\b|explanation|explain|reason|sentence|words?\b|yes or no|pass or fail|markdown|response|answer|reply"#,
        )
    });
    FORM.is_match(sentence)
}

/// Takes the `(Note: …)` clauses out of a text whose words say what they do; the others stay where they are.
fn take_notes(text: &str) -> (String, Vec<(Role, String)>) {
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    let mut notes = Vec::new();
    while let Some(at) = rest.find('(') {
        let inner = &rest[at + 1..];
        match note(inner) {
            Some((role, note, end)) => {
                kept.push_str(rest[..at].trim_end_matches(' '));
                notes.push((role, note));
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

/// Whether a text has a note that has a place of its own.
pub(super) fn has_movable_note(text: &str) -> bool {
    !take_notes(text).1.is_empty()
}

/// The note that a parenthesis holds, with its role and where it closes.
fn note(inner: &str) -> Option<(Role, String, usize)> {
    let end = closing(inner)?;
    let clause = inner[..end].trim_start();
    clause.get(..5).filter(|word| word.eq_ignore_ascii_case("note:"))?;
    let note = clause[5..].split_whitespace().collect::<Vec<_>>().join(" ");
    let role = role_of(&note).filter(|role| matches!(role, Role::Fail | Role::Variation | Role::Uncertainty))?;
    Some((role, note, end))
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

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
