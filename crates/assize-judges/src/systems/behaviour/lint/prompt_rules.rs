//! The rules on one prompt file.

use super::compound::split_conditions;
use super::meaning::{asks_for_several, asks_twice};
use super::{Fix, Out, PromptView};
use crate::systems::behaviour::prompt_file::{Item, Section, SectionKind};
use assize_core::document::Span;
use regex::Regex;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The parts without which a prompt is incomplete, apart from those with a rule of their own.
const REQUIRED: [SectionKind; 9] = [
    SectionKind::System,
    SectionKind::Behaviour,
    SectionKind::Description,
    SectionKind::Scope,
    SectionKind::Include,
    SectionKind::Ignore,
    SectionKind::AutomaticFail,
    SectionKind::PassConditions,
    SectionKind::AcceptableVariations,
];

pub(super) fn missing_section(view: &PromptView<'_>, out: &mut Out<'_>) {
    let prompt = view.prompt;
    let scope_is_missing = prompt.section(SectionKind::Scope).is_none()
        && prompt.section(SectionKind::Include).is_none()
        && prompt.section(SectionKind::Ignore).is_none();
    for kind in REQUIRED {
        if scope_is_missing && matches!(kind, SectionKind::Include | SectionKind::Ignore) {
            continue;
        }
        let help = format!("add `{}` {}", heading_of(kind), place_of(kind));
        match prompt.section(kind) {
            None if kind == SectionKind::Scope && !scope_is_missing => {}
            None => out.push(&view.file.path, next_to(view, kind), format!("there is no {}", name_of(kind)), help),
            Some(section) if section.is_empty() && kind != SectionKind::Scope => {
                let message = format!("nothing stands under `{}`", section_title(section));
                out.push(
                    &view.file.path,
                    section.span(),
                    message,
                    format!("write what belongs under `{}`", heading_of(kind)),
                );
            }
            Some(_) => {}
        }
    }
}

fn heading_of(kind: SectionKind) -> String {
    match kind {
        SectionKind::System => "SYSTEM: …".to_owned(),
        SectionKind::Behaviour => "BEHAVIOR: the_id".to_owned(),
        other => format!("{}:", other.title()),
    }
}

fn name_of(kind: SectionKind) -> &'static str {
    match kind {
        SectionKind::System => "SYSTEM block",
        SectionKind::Behaviour => "BEHAVIOR line",
        SectionKind::Description => "DESCRIPTION",
        SectionKind::Scope => "EVALUATION SCOPE",
        SectionKind::Include => "`Include:` list in the evaluation scope",
        SectionKind::Ignore => "`Ignore:` list in the evaluation scope",
        SectionKind::AutomaticFail => "`Automatic fail` section",
        SectionKind::PassConditions => "`Pass conditions` section",
        SectionKind::AcceptableVariations => "`Acceptable variations` section",
        _ => "section",
    }
}

fn place_of(kind: SectionKind) -> &'static str {
    match kind {
        SectionKind::System => "at the top of the file",
        SectionKind::Behaviour => "after the system block and a `---` line",
        SectionKind::Description => "after the BEHAVIOR line",
        SectionKind::Scope => "after the description, with `Include:` and `Ignore:` lists",
        SectionKind::Include => "under `EVALUATION SCOPE:`",
        SectionKind::Ignore => "after the `Include:` list",
        SectionKind::AutomaticFail => "under `RUBRIC`",
        SectionKind::PassConditions => "after the automatic fails",
        _ => "after the pass conditions",
    }
}

/// Where something that is not there would be: at the last part that comes before it, else at the top.
fn next_to(view: &PromptView<'_>, kind: SectionKind) -> Span {
    let before = view.prompt.sections().filter(|section| section.kind < kind).max_by_key(|section| section.kind);
    before.map_or(Span::at(1, 1), Section::span)
}

fn section_title(section: &Section) -> &str {
    section.heading.as_ref().map_or(section.kind.title(), |heading| heading.text.trim_end_matches(':'))
}

pub(super) fn section_order(view: &PromptView<'_>, out: &mut Out<'_>) {
    let behaviours = view.prompt.sections().filter(|section| section.kind == SectionKind::Behaviour).count();
    let mut latest: Option<&Section> = None;
    for section in view.prompt.sections().filter(|section| section.kind != SectionKind::AnswerFormat) {
        match latest {
            // What follows a second BEHAVIOR is another prompt; that has a rule of its own.
            Some(_) if section.kind == SectionKind::Behaviour && behaviours > 1 => return,
            Some(before) if section.kind < before.kind => {
                let message = format!("`{}` stands after `{}`", section_title(section), section_title(before));
                let help = format!("move it before `{}` (line {})", section_title(before), before.span().line);
                out.push(&view.file.path, section.span(), message, help);
            }
            _ => latest = Some(section),
        }
    }
}

pub(super) fn pass_numbering(view: &PromptView<'_>, out: &mut Out<'_>) {
    let Some(section) = view.prompt.section(SectionKind::PassConditions).filter(|section| !section.is_empty()) else {
        return;
    };
    let items: Vec<&Item> = section.items().collect();
    if !items.iter().any(|item| item.number.is_some()) {
        let fix = Fix::renumbered(view.file, &items);
        let message = "the pass conditions are not numbered";
        out.push_with_fix(&view.file.path, section.span(), message, "write them as 1., 2., 3.", fix);
        return;
    }
    for (expected, item) in (1..).zip(&items) {
        let message = match item.number {
            Some(number) if number == expected => continue,
            Some(number) => format!("this condition is numbered {number}, expected {expected}"),
            None => format!("this condition has no number, expected {expected}"),
        };
        let help = format!("number it `{expected}.`, and those after it in turn");
        out.push_with_fix(&view.file.path, item.mark_span, message, help, Fix::renumbered(view.file, &items));
        return;
    }
}

pub(super) fn two_behaviours(view: &PromptView<'_>, out: &mut Out<'_>) {
    let prompt = view.prompt;
    let mut lines = prompt.sections().filter(|section| section.kind == SectionKind::Behaviour);
    let first = lines.next();
    if let (Some(first), Some(second)) = (first, lines.next()) {
        let message = format!("a second BEHAVIOR in one file; the first is on line {}", first.span().line);
        out.push(&view.file.path, second.span(), message, "move it, with its rubric, to a file of its own");
        return;
    }
    if let Some(span) = asks_twice(view) {
        let message = "the description asks more than one question, and one verdict cannot answer both";
        out.push(&view.file.path, span, message, "keep one question; write a prompt file for the other");
        return;
    }
    // A list longer than this is no list a person wrote, and grouping it would take long.
    let conditions: Vec<&Item> = prompt.items(SectionKind::PassConditions).take(100).collect();
    let groups = unrelated_groups(&conditions);
    if let (Some(id), Some(span)) = (prompt.behaviour_id(), prompt.behaviour_id_span()) {
        let joined = id.contains([',', ';', '&', '+', '/'])
            || id.split_whitespace().any(|word| word.eq_ignore_ascii_case("and"))
            || id.contains("_and_") && groups.len() > 1;
        if joined {
            let message = format!("the BEHAVIOR line names more than one behaviour: `{id}`");
            out.push(&view.file.path, span, message, "name one behaviour; write a second file for the other");
            return;
        }
    }
    let large: Vec<&Vec<usize>> = groups.iter().filter(|group| group.len() >= 2).collect();
    if large.len() < 2 {
        return;
    }
    let subject = format!("{} {}", prompt.behaviour_id().unwrap_or_default(), prompt.description().unwrap_or_default());
    let subject: HashSet<String> = content_words(&subject).collect();
    let stranger = large.iter().find(|group| {
        !group.iter().any(|index| content_words(&conditions[*index].text.joined()).any(|word| subject.contains(&word)))
    });
    if let Some(group) = stranger {
        let numbers: Vec<String> = group.iter().map(|index| (index + 1).to_string()).collect();
        let message = format!(
            "pass conditions {} share no subject with the others, nor with the description: they read as a second question",
            numbers.join(" and ")
        );
        out.push(&view.file.path, conditions[group[0]].span, message, "move them to a prompt file of their own");
    }
}

/// The conditions in groups that share no content word with each other.
fn unrelated_groups(conditions: &[&Item]) -> Vec<Vec<usize>> {
    let mut group_of: Vec<usize> = (0..conditions.len()).collect();
    let mut first_with: HashMap<String, usize> = HashMap::new();
    for (index, condition) in conditions.iter().enumerate() {
        for word in content_words(&condition.text.joined()) {
            match first_with.get(&word) {
                Some(other) => {
                    let (from, to) = (group_of[index], group_of[*other]);
                    if from != to {
                        group_of.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
                    }
                }
                None => {
                    first_with.insert(word, index);
                }
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut place: HashMap<usize, usize> = HashMap::new();
    for (index, group) in group_of.into_iter().enumerate() {
        let at = *place.entry(group).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[at].push(index);
    }
    groups
}

/// The words that say what a sentence is about: not the grammar, not the parties of every judgement.
pub(super) fn content_words(text: &str) -> impl Iterator<Item = String> + '_ {
    static COMMON: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
        "the and for are was were with from that this those these every each any all not does has have its their there \
         which when where into than then only must should appear appears match matches equal equals present correct \
         correctly same ground truth output narrative source candidate note case given state stated contain contains \
         include included includes minor difference differences allowing beyond supported least one more between other \
         whether check checks evaluate evaluates value values information"
            .split_ascii_whitespace()
            .collect()
    });
    text.split(|character: char| !character.is_alphanumeric())
        .map(|word| word.to_lowercase())
        .map(|word| word.strip_suffix('s').filter(|stem| stem.len() > 3).map(str::to_owned).unwrap_or(word))
        .filter(|word| word.len() > 2 && !COMMON.contains(word.as_str()))
}

pub(super) fn compound_logic(view: &PromptView<'_>, out: &mut Out<'_>) {
    // A heading that joins the bullets says what they are; that has a rule of its own.
    if asks_for_several(view.prompt.section(SectionKind::AutomaticFail)) {
        return;
    }
    let items: Vec<&Item> = view.prompt.items(SectionKind::AutomaticFail).filter(|item| !item.example).collect();
    let texts: Vec<String> = items.iter().map(|item| item.text.joined()).collect();
    for found in split_conditions(&texts) {
        let parts = &texts[found.first..found.first + found.count];
        let message = format!(
            "bullets {} to {} read as one condition split over lines, and each would fail a case on its own",
            found.first + 1,
            found.first + found.count
        );
        let help = format!("write one bullet with an explicit AND: \"- {}\"", joined_with_and(parts));
        out.push(&view.file.path, items[found.first].span, message, help);
    }
}

fn joined_with_and(parts: &[String]) -> String {
    let parts = parts.iter().enumerate().map(|(index, part)| {
        let part = part.trim().trim_end_matches(['.', ';', ',']);
        let part = ["and ", "And ", "AND "].iter().find_map(|word| part.strip_prefix(word)).unwrap_or(part);
        let mut characters = part.chars();
        match characters.next() {
            Some(first)
                if index > 0
                    && !part.starts_with(|c: char| {
                        c.is_uppercase() && part[c.len_utf8()..].starts_with(char::is_uppercase)
                    }) =>
            {
                first.to_lowercase().chain(characters).collect()
            }
            _ => part.to_owned(),
        }
    });
    let mut joined = parts.collect::<Vec<String>>().join(" AND ");
    joined.push('.');
    joined
}

pub(super) fn missing_uncertainty_policy(view: &PromptView<'_>, out: &mut Out<'_>) {
    let section = view.prompt.section(SectionKind::UncertaintyPolicy);
    if section.is_none_or(Section::is_empty) {
        let span = section.map_or_else(|| next_to(view, SectionKind::UncertaintyPolicy), Section::span);
        let help = "add `Uncertainty policy:` saying: If the information is ambiguous or incomplete, set pass = false and \
say in the reason that the case is uncertain.";
        let fix = Fix::uncertainty_policy(view);
        out.push_with_fix(&view.file.path, span, "there is no uncertainty policy", help, fix);
    }
}

pub(super) fn uncertain_passes(view: &PromptView<'_>, out: &mut Out<'_>) {
    static FAILS: LazyLock<Regex> = LazyLock::new(|| {
        // The patterns of this file are constants; one that does not compile fails every test.
        #[expect(clippy::unwrap_used, reason = "a constant pattern")]
        Regex::new(
            r"(?i)pass\W{0,4}(=|:|is|to|as)?\W{0,4}false|\bfail|not satisfied|not (be )?met|not pass|do(es)? not pass",
        )
        .unwrap()
    });
    let Some(section) = view.prompt.section(SectionKind::UncertaintyPolicy) else { return };
    let Some(policy) = view.prompt.uncertainty_policy() else { return };
    if !FAILS.is_match(&policy) {
        let help = "say that pass = false is set, and that the reason names the case as uncertain";
        out.push(&view.file.path, section.span(), "the uncertainty policy does not say that the case fails", help);
    }
}

pub(super) fn file_name(view: &PromptView<'_>, out: &mut Out<'_>) {
    let name = view.file.path.rsplit(['/', '\\']).next().unwrap_or(&view.file.path);
    let concept = name.strip_suffix("_prompt.md");
    let good = concept.is_some_and(|concept| {
        !concept.is_empty()
            && !concept.starts_with('_')
            && concept.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    });
    if !good {
        let stem = name.strip_suffix(".md").unwrap_or(name).to_lowercase();
        let stem = stem.trim_end_matches("prompt").trim_end_matches(['_', '-', '.', ' ']);
        let mut concept: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if concept.is_empty() {
            concept = view.prompt.behaviour_id().unwrap_or("concept").to_owned();
        }
        let message = format!("the file is named `{name}`, not `{{concept}}_prompt.md`");
        out.push(&view.file.path, Span::at(1, 1), message, format!("rename it to `{concept}_prompt.md`"));
    }
}

pub(super) fn missing_inputs(view: &PromptView<'_>, out: &mut Out<'_>) {
    let inputs = [SectionKind::GroundTruth, SectionKind::SourceNarrative, SectionKind::CandidateOutput];
    let missing: Vec<&str> =
        inputs.into_iter().filter(|kind| view.prompt.section(*kind).is_none()).map(SectionKind::title).collect();
    if missing.is_empty() {
        return;
    }
    let message = if missing.len() == inputs.len() {
        "there is no INPUTS block".to_owned()
    } else {
        format!("the INPUTS block has no {}", missing.join(" and no "))
    };
    let span =
        view.prompt.section(SectionKind::Inputs).map_or_else(|| next_to(view, SectionKind::Inputs), Section::span);
    let help = format!("add `{}:` with a placeholder, after a `---` line", missing.join(":`, `"));
    let fix = Fix::inputs(view).filter(|_| missing.len() == inputs.len());
    out.push_with_fix(&view.file.path, span, message, help, fix);
}

pub(super) fn answer_key(view: &PromptView<'_>, out: &mut Out<'_>) {
    let Some(section) = view.prompt.section(SectionKind::AnswerFormat) else { return };
    if let Some(key) = crate::systems::behaviour::answer_key::find(&section.prose()) {
        let message = format!("the closing line asks for the key `{key}`, while the answer is `pass` and `reason`");
        let help = format!("remove the line and write `result_key: {key}` in the benchmark");
        out.push(&view.file.path, section.span(), message, help);
    }
}
