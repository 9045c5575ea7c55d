//! Fixes: changes that take a finding away, where there is only one way to do so and it leaves the rubric's meaning as it is.
//!
//! A fix replaces whole lines. [`fixed`] applies all that can be applied to one file and looks again until none is left, so a
//! second time changes nothing.

use super::patterns::patterns;
use super::{Finding, PromptView, lint};
use crate::systems::behaviour::prompt_file::{Block, Item, Part, Section, SectionKind, WrittenLine};
use assize_core::SourceFile;
use std::ops::Range;

/// A change to a file that takes a finding away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in a few words.
    pub title: String,
    edits: Vec<Edit>,
}

/// Lines, counted from 1, and what stands in their place. An empty range inserts before its line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edit {
    lines: Range<u32>,
    with: Vec<String>,
}

/// A file with its fixes applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedFile {
    /// The path, as given.
    pub path: String,
    /// The new text.
    pub text: String,
    /// What was done: the line as it was numbered at the time, and the fix.
    pub done: Vec<(u32, String)>,
}

/// More rounds than any file needs; a fix that brings up another one is rare.
const MOST_ROUNDS: usize = 8;

patterns! {
    /// Numbers of conditions are spoken of, so they must stay what they are.
    SPEAKS_OF_NUMBERS = r"(?i)\b(conditions?|criteri(on|a)|items?|bullets?|rules?|points?|steps?|numbers?|nos?\.?)\s+\(?#?\d|\(\d+ (AND|OR) \d+";
}

/// The files that change when every certain fix is applied; findings that are switched off are left alone.
pub fn fixed(files: &[SourceFile]) -> Vec<FixedFile> {
    let mut current = files.to_vec();
    let mut changed: Vec<FixedFile> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let findings = lint(&current);
        let mut moved = false;
        for file in &mut current {
            let (text, done) = apply(&file.text, findings.iter().filter(|finding| finding.file == file.path));
            if done.is_empty() {
                continue;
            }
            moved = true;
            file.text.clone_from(&text);
            match changed.iter_mut().find(|fixed| fixed.path == file.path) {
                Some(fixed) => {
                    fixed.text = text;
                    fixed.done.extend(done);
                }
                None => changed.push(FixedFile { path: file.path.clone(), text, done }),
            }
        }
        if !moved {
            break;
        }
    }
    changed
}

/// Applies the fixes that do not touch each other's lines; the others have their turn in the next round.
fn apply<'f>(text: &str, findings: impl Iterator<Item = &'f Finding>) -> (String, Vec<(u32, String)>) {
    let mut edits: Vec<&Edit> = Vec::new();
    let mut done = Vec::new();
    for finding in findings {
        let Some(fix) = &finding.fix else { continue };
        let touches = |a: &Edit, b: &Edit| {
            a.lines.start < b.lines.end && b.lines.start < a.lines.end || a.lines.start == b.lines.start
        };
        if fix.edits.iter().any(|edit| edits.iter().any(|other| touches(edit, other))) {
            continue;
        }
        edits.extend(&fix.edits);
        done.push((finding.span.line, fix.title.clone()));
    }
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.lines.start));
    let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if let Some(last) = lines.last_mut().filter(|last| !last.ends_with('\n') && !edits.is_empty()) {
        last.push_str(ending);
    }
    for edit in edits {
        let index = |line: u32| usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1).min(lines.len());
        let range = index(edit.lines.start)..index(edit.lines.end);
        lines.splice(range, edit.with.iter().map(|line| format!("{line}{ending}")));
    }
    (lines.concat(), done)
}

/// A line of a file as written, without its ending.
fn line_of(file: &SourceFile, line: u32) -> Option<&str> {
    file.text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)
}

/// The line with some characters from a column on replaced.
fn replaced(file: &SourceFile, line: &WrittenLine, with: &str) -> Option<Edit> {
    let whole = line_of(file, line.span.line)?;
    let start = whole.find(&line.written)?;
    let new = format!("{}{with}{}", &whole[..start], &whole[start + line.written.len()..]);
    Some(Edit { lines: line.span.line..line.span.line + 1, with: vec![new] })
}

fn numbers_matter(file: &SourceFile) -> bool {
    SPEAKS_OF_NUMBERS.is_match(&file.text)
}

impl Fix {
    /// A heading that says that all pass conditions must hold.
    pub(super) fn strict_heading(file: &SourceFile, heading: &WrittenLine) -> Option<Self> {
        let name = heading.written.trim_end_matches(|c: char| c.is_whitespace() || "*_:：#".contains(c));
        let new = format!("{name} (all must be satisfied){}", &heading.written[name.len()..]);
        // A longer line would not be read as a heading.
        if new.len() > 110 || heading.written != heading.text {
            return None;
        }
        let edit = replaced(file, heading, &new)?;
        Some(Self { title: "say that all conditions must hold".into(), edits: vec![edit] })
    }

    /// The list without one of its items, where others are left and nobody speaks of their numbers.
    pub(super) fn without_item(view: &PromptView<'_>, section: &Section, item: &Item) -> Option<Self> {
        let commented = item.text.lines.iter().any(|line| line.text != line.written);
        let numbered = item.number.is_some() && numbers_matter(view.file);
        if !item.children.is_empty() || commented || numbered || section.items().count() < 2 {
            return None;
        }
        let last = item.text.lines.last().map_or(item.mark_span.line, |line| line.span.line);
        let edit = Edit { lines: item.mark_span.line..last + 1, with: Vec::new() };
        Some(Self { title: "remove the item".into(), edits: vec![edit] })
    }

    /// Items numbered from 1, unless somebody speaks of the numbers they have.
    pub(super) fn renumbered(file: &SourceFile, items: &[&Item]) -> Option<Self> {
        if numbers_matter(file) {
            return None;
        }
        let mut edits = Vec::new();
        for (number, item) in (1..).zip(items) {
            if item.number == Some(number) {
                continue;
            }
            let whole = line_of(file, item.mark_span.line)?;
            let at = whole.find(&item.mark)?;
            let mark = match (item.number, item.mark.starts_with('('), item.mark.ends_with(')')) {
                (Some(_), true, _) => format!("({number})"),
                (Some(_), false, true) => format!("{number})"),
                _ => format!("{number}."),
            };
            let rest = whole[at + item.mark.len()..].trim_start();
            let new = format!("{}{mark} {rest}", &whole[..at]);
            edits.push(Edit { lines: item.mark_span.line..item.mark_span.line + 1, with: vec![new] });
        }
        (!edits.is_empty()).then(|| Self { title: "number the conditions from 1".into(), edits })
    }

    /// The uncertainty policy that Assize follows in any case.
    pub(super) fn uncertainty_policy(view: &PromptView<'_>) -> Option<Self> {
        const POLICY: &str = "If the information is ambiguous or incomplete, set pass = false and say in the reason that the case is uncertain.";
        let (after, lines) = match view.prompt.section(SectionKind::UncertaintyPolicy) {
            Some(section) if section.blocks.is_empty() => (section.span().line, vec![POLICY.to_owned()]),
            Some(_) => return None,
            None => {
                let rubric = SectionKind::Rubric..SectionKind::UncertaintyPolicy;
                let before = view.prompt.sections().filter(|section| rubric.contains(&section.kind)).last()?;
                let heading = before.heading.as_ref()?.written.as_str();
                let wrap = |mark: &str| heading.starts_with(mark).then(|| format!("{mark}Uncertainty policy:{mark}"));
                let level: String = heading.chars().take_while(|c| *c == '#').collect();
                let title = wrap("**").unwrap_or_else(|| match level.as_str() {
                    "" => "Uncertainty policy:".to_owned(),
                    level => format!("{level} Uncertainty policy"),
                });
                (last_line(before), vec![String::new(), title, POLICY.to_owned()])
            }
        };
        let edit = Edit { lines: after + 1..after + 1, with: lines };
        Some(Self { title: "add the standard uncertainty policy".into(), edits: vec![edit] })
    }

    /// The INPUTS block, at the end of the file.
    pub(super) fn inputs(view: &PromptView<'_>) -> Option<Self> {
        const INPUTS: &str = "\nGROUND_TRUTH:\n{ground_truth}\n\nSOURCE_NARRATIVE:\n{source_narrative}\n\nCANDIDATE_OUTPUT:\n{candidate_output}";
        if view.prompt.sections().any(|section| section.kind > SectionKind::Inputs) {
            return None;
        }
        let opening = match view.prompt.parts.last()? {
            Part::Section(section) if section.kind == SectionKind::Inputs => "",
            Part::Separator(_) => "\nINPUTS\n",
            _ => "\n---\n\nINPUTS\n",
        };
        let end = u32::try_from(view.file.text.trim_end().lines().count()).ok()? + 1;
        let with = format!("{opening}{INPUTS}").lines().map(str::to_owned).collect();
        let edit = Edit { lines: end..end, with };
        Some(Self { title: "add the INPUTS block".into(), edits: vec![edit] })
    }
}

/// The last line of a section that says something.
fn last_line(section: &Section) -> u32 {
    fn of_item(item: &Item) -> u32 {
        let own = item.text.lines.last().map_or(item.mark_span.line, |line| line.span.line);
        item.children.iter().map(of_item).fold(own, u32::max)
    }
    let blocks = section.blocks.iter().map(|block| match block {
        Block::Paragraph(passage) => passage.lines.last().map_or(0, |line| line.span.line),
        Block::Item(item) => of_item(item),
        Block::Comment(line) => line.span.line,
    });
    blocks.fold(section.span().line, u32::max)
}
