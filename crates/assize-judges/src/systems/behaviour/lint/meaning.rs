//! The rules on what a rubric says as a whole: headings and pass logic, polarity, variations that contradict a condition, two
//! questions in one description.
//!
//! They work on words, in English. What they cannot tell they leave alone.

use super::compound::{SOURCE, is_fault, split_conditions, stem, words_of};
use super::patterns::patterns;
use super::prompt_rules::content_words;
use super::{Fix, Out, PromptView};
use crate::systems::behaviour::prompt_file::{Block, Item, Section, SectionKind, WrittenLine};
use std::collections::{BTreeSet, HashSet};

patterns! {
    /// More than one of the automatic fails is asked for.
    MORE_THAN_ONE = r"(?i)\b(all|every|each|both|two|three|four|[2-9]|most|majority|several|half|more than one|jointly|together|in combination|simultaneously|at (once|the same time))\b";
    /// Fewer than all of the pass conditions are asked for.
    FEWER_THAN_ALL = r"(?i)\b(any|either|most|majority|some|several|half|not (all|every)|one of|one is|one suffices|one will do|only one|a single|at least (one|two|three|four|\d+)|(one|two|three|four|\d+) (suffices?|(is|are) (enough|sufficient)|or more|(out )?of))\b";
    ALL_OF_THEM = r"(?i)\b(all|every|each)\b";
    NOT_ALL = r"(?i)\bnot (all|every|each)\b|\b(any|some|most|either) or all\b";
    ANY = r"(?i)\bany\b";
    /// A sentence of the rubric that says the opposite of its lists.
    LOOSE_PASS = r"(?i)\bpass(es)?\s*(=|:|is|to)?\s*(true)?\s*(only )?(if|when) (any|either|one|at least|most|some|two)\b";
    STRICT_FAIL = r"(?i)\bfail(s|ed)?\s*(only )?(if|when) (all|both|every|most|at least two)\b|\bpass\s*(=|:|is|to)?\s*false\s*(only )?(if|when) (all|both|every)\b";
    /// A heading that says how the conditions are joined, whatever it says.
    JOINED = r"\b(AND|OR)\b|(?i:\b(all|every|each|both|any|either|one|most|majority|several|some|half|none|two|three|\d+ (out )?of|at least)\b)";
    /// A sentence that says it.
    PASS_LOGIC = r"(?i)\b(all|every|each)( one)?( of)?( the| these)?( pass)? (conditions?|criteria)\b|\bpass\s*(=|:|is|to)?\s*true\s+(only )?(if|when)\b|\bpass(es)? only (if|when)\b";

    /// What opens a description and says nothing about the output.
    JUDGES_PART = r"(?i)^\W*(this (judge|prompt|check) )?(please )?(checks?|evaluates?|determines?|assess(es)?|judges?|decides?|verify|verifies|tests?|detects?|identify|identifies|flags?|finds?|looks?|catch(es)?|measures?)\b((\s+)(whether|that|if|for|out))*|^\W*(whether|does|do|did|is|are|has|have)\b";
    /// The start of a clause that only limits what was said.
    LIMIT = r"(?i),?\s(although|where|when|if|unless|while|though|but|because)\s";
    /// The output speaks of something: what is wrong there is not its own fault.
    REPORTS = r"(?i)\b(points?|pointed|says?|reports?|reported|flags?|flagged|finds?|found|detects?|notices?|noticed|identif(y|ies|ied)|explains?|describes?|recognis\w+|recogniz\w+|corrects?|marks?|warns?|lists? what|names? the \w+ that)\b";
    NEGATOR = r"(?i)\b(no|not|never|nothing|none|neither|nor|without|free of|free from|avoids?|avoiding|instead of|nobody)\b|n't\b";
    /// Faults as predicates, adverbs, verbs, relative clauses and objects.
    IS_WRONG = r"(?i)\b(is|are|was|were|be|been|gets?|got|remains?|stays?)\s+(\w+ly\s+)?(wrong|incorrect|inaccurate|missing|incomplete|misleading|false|misstated|misattributed|misquoted|swapped|lost|unsupported|mixed up|made up|untrue)\b";
    IS_LEFT_OUT = r"(?i)\b(is|are|was|were|be|been|gets?|got)\s+(\w+ly\s+)?(absent|omitted|left out|left open|invented|fabricated|hallucinated|dropped|outdated|ignored|misspelled|leaked)\b";
    WRONGLY = r"(?i)\b(incorrectly|wrongly|inaccurately|falsely|mistakenly|erroneously)\b";
    DOES_WRONG = r"(?i)\b(mis[a-rt-z][a-z]{2,}s|forgets?|neglects?|skips?|hides?|conceals?|garbles?|violates?|withholds?|suppresses|omits?|misses|invents?|fabricates?|hallucinates?|misstates?|misattributes?|misquotes?|misrepresents?|misleads?|distorts?|contradicts?|leaks?|leaves? (out|open)|leaves? \w+( \w+)? (out|open)|fails? to|lacks?|overlooks?|confuses?|mixes up|swaps?|exaggerates?|overstates?|understates?|overlooks|drops?|loses?|ignores?|makes up|differs? from|deviates? from)\b";
    HAS_WRONGLY = r"(?i)\b((contains?|adds?|lists?|includes?|has|have|makes?|cites?|uses?|gives?|names?) |(mentions?|shows?|states?|reports?) (a|an|any) )(?P<what>\w+ .*)\b(not|never|neither|nowhere|cannot|can't|isn't|aren't|wasn't|doesn't|didn't)\b";
    CONTAINS_FAULTS = r"(?i)\b(contains?|has|have|includes?|introduces?|makes?|shows?) (\w+ ){0,3}?(contradictions?|inconsistenc(y|ies)|hallucinations?|hallucinated|errors?|mistakes?|fabricat(ed|ions?)|invented|false|misleading|omissions?|wrong|incorrect|inaccura(te|cies)|unsupported|made-up|slurs?|insults?)\b";
    GETS_WRONG = r"(?i)\b(gets?|got|puts?|has|states?|reports?) (the|a|an|its|any) [^.]*\b(wrong|incorrect)\W*$";
    /// "makes no promise that …", "gives what was not …": something else than a fault.
    NOTHING_WRONG = r"(?i)^(no|not|only|nothing|what|all|every|each|whether|that|how|why)\b";
    GIVES_WRONG = r"(?i)\b(names?|gives?|states?|has|contains?|shows?|lists?|uses?|cites?|quotes?|carries)\s+(a |an )?(wrong|incorrect|false|invented|made-up)\b";
    DOES_NOT = r"(?i)\b(does|do|did)(n't| not) (match|equal|agree|name|state|list|contain|mention|include|cite|give|record|answer)\b";

    /// What is right with an output.
    AGREES = r"(?i)\b(equals?|match(es)?|agrees? with|corresponds? to|(is|are) (the same as|identical to|consistent with)|as in|as stated in)\b(?P<yardstick>.*)";
    IS_RIGHT = r"(?i)\b(is|are) (entirely |completely |fully )?(right|correct|accurate)\W*$";
    ALL_ARE_THERE = r"(?i)^\W*(each|every|all)\b.*\b(is|are|appears?|has been|have been) (in|on|present|listed|stated|named|covered|included|supported|documented|given|right|correct|mentioned|explained|described|declared|answered|addressed|confirmed|cited|recorded|dated|signed|reported|captured|kept|preserved|met|satisfied|fulfilled)\b";
    GIVES_TRUTH = r"(?i)\b(describes?|names?|states?|gives?|lists?|records?|contains?|includes?|reports?|mentions?|shows?)\b.*\b(of|in|from) the ground truth\W*$";
    CONTRAST = r"(?i)\b(although|but|when|where|if|unless|only|another|other|different|twice|instead|while|despite|though|neither|and|or|without|too|more|less|still|already|yet|than)\b";

    /// Words that make a variation narrower than what a condition rules out.
    ONLY_IF = r"(?i)\b(if|where|when|whenever|as long as|provided|unless|only|except|once|with or without)\b";
    LEFT_OUT = r"(?i)\b(missing|omit(s|ted|ting)?|omission|absent|without|left out|leav(es?|ing) out|blank|empty|drop(s|ped|ping)?|lost|los(es?|ing)|optional|undeclared)\b|\b(need|needs|have|has) not\b|\bnot (have to|need to|needed|required|necessary|mandatory|be (given|stated|present|named))\b|n't (need|have) to\b|^\W*no \w|\bneed not\b|\bmay be (skipped|removed|ignored)\b";
    DEVIATES = r"(?i)\b(wrong|incorrect|inexact|imprecise|approximate|inaccurate|off|another|other than|different|differs?|differing|deviates?|deviat(ing|ion)|misspelled|someone else|somebody else|else)\b";
    NOT_DONE = r"(?i)\b(not|never)( been)? \w+(ed|en|wn|ld|nt)\b";
    EQUALITY = r"(?i)\b(equals?|same|match(es)?|identical|is the one|are those|is that|word for word|exact(ly)?|is in)\b|=";

    TWO_WHETHERS = r"(?i)\bwhether\b.*?(\band\b|\bplus\b|\balso\b|\bas well as\b|[,;.&])\W*(also\W+)?whether\b";
    WHETHER_OR_NOT = r"(?i)\bwhether or not\b";
    TWO_CLAUSES = r"(?i)^\W*(does|do|did|is|are|was|were|has|have|can)\b.*[,;] (and|also|plus) (also )?(does|do|did|is|are|was|were|has|have|can|could|will)\b|[,;] (and |also |plus |then )+(check|evaluate|assess|verify|determine|judge|rate|look)s?\b|(\band|\bplus|\balso|[;.&])\W+(also )?(does|do|did|is|are|has|have|can|evaluate|check|assess|verify|determine|judge|rate)s?\s+(if|whether|that|the|it|its|there|all|they|any|for)\b";
    TWO_THINGS = r"(?i)\b(two|three|several|multiple) (things|questions|aspects|behaviou?rs|criteria|dimensions)\b|\band (also|additionally) (checks?|evaluates?|tests?|verif(y|ies)|judges?|rates?|assess(es)?|whether|that|if|measures?)\b";
    AND_THAT = r"(?i)\b(checks?|evaluates?|verif(y|ies)|tests?|ensures?)\b.*\bthat\b.*?\band (that|whether|if)\b(?P<second>.*)";
}

/// The sentences of the rubric outside its lists, with the rest of the prompt that a judge reads as instructions.
fn prose<'v>(view: &'v PromptView<'_>) -> impl Iterator<Item = &'v WrittenLine> {
    view.prompt.sections().filter(|section| !section.kind.is_input() && section.kind != SectionKind::Examples).flat_map(
        |section| {
            section.blocks.iter().flat_map(|block| match block {
                Block::Paragraph(passage) => passage.lines.as_slice(),
                // A line that was meant as a paragraph or heading of its own can end up behind an item.
                Block::Item(item) => item.text.lines.get(1..).unwrap_or_default(),
                Block::Comment(_) => &[],
            })
        },
    )
}

/// Whether the heading of the automatic fails says that several must be true.
pub(super) fn asks_for_several(section: Option<&Section>) -> bool {
    let heading = section.and_then(|section| section.heading.as_ref());
    heading.is_some_and(|heading| MORE_THAN_ONE.is_match(&heading.text) && !ANY.is_match(&heading.text))
}

pub(super) fn header_logic(view: &PromptView<'_>, out: &mut Out<'_>) {
    for section in view.prompt.sections() {
        let Some(heading) = &section.heading else { continue };
        let (wrong, message, help) = match section.kind {
            SectionKind::AutomaticFail => (
                asks_for_several(Some(section)),
                "each automatic fail fails a case on its own, and this heading says that several must be true",
                "write `Automatic fail if any of the following are true:`; join what belongs together into one bullet with AND",
            ),
            SectionKind::PassConditions => (
                FEWER_THAN_ALL.is_match(&heading.text)
                    && (!ALL_OF_THEM.is_match(&heading.text) || NOT_ALL.is_match(&heading.text)),
                "all pass conditions must hold, and this heading says that some are enough",
                "write `Pass conditions (all must be satisfied):`; join alternatives into one condition with OR",
            ),
            _ => continue,
        };
        if wrong {
            out.push(&view.file.path, heading.span, message, help);
        }
    }
    for line in prose(view) {
        if LOOSE_PASS.is_match(&line.text) || STRICT_FAIL.is_match(&line.text) {
            let message = "this sentence contradicts the lists: any automatic fail fails a case, and all pass conditions must hold";
            let help = "write `Set pass = true only if no automatic fail applies and all conditions hold.`";
            out.push(&view.file.path, line.span, message, help);
        }
    }
}

pub(super) fn missing_pass_logic(view: &PromptView<'_>, out: &mut Out<'_>) {
    let Some(section) = view.prompt.section(SectionKind::PassConditions).filter(|section| !section.is_empty()) else {
        return;
    };
    let Some(heading) = &section.heading else { return };
    if JOINED.is_match(&heading.text) || prose(view).any(|line| PASS_LOGIC.is_match(&line.text)) {
        return;
    }
    let message = "nothing says that all pass conditions must hold";
    let help = "write `Pass conditions (all must be satisfied):`";
    out.push_with_fix(&view.file.path, heading.span, message, help, Fix::strict_heading(view.file, heading));
}

/// Whether a sentence states a fault of the output. `broadly` also counts what may be wanted, such as leaving a name out.
fn states_a_fault(text: &str, broadly: bool) -> bool {
    let opening = JUDGES_PART.find(text);
    let seeks_faults = opening.is_some_and(|opening| {
        let opening = opening.as_str().to_lowercase();
        ["detect", "identif", "flag", "find", "look", "catch"].iter().any(|verb| opening.contains(verb))
    });
    let body = opening.map_or(text, |opening| &text[opening.end()..]);
    let body = LIMIT.find(body).map_or(body, |limit| &body[..limit.start()]);
    // "The report" is no verb.
    let is_verb = |at: usize| {
        let before = body[..at].trim_end().rsplit(' ').next().unwrap_or_default().to_lowercase();
        !matches!(before.as_str(), "the" | "a" | "an" | "this" | "each" | "every" | "any")
    };
    let reported = REPORTS.find_iter(body).map(|found| found.start()).find(|at| is_verb(*at));
    let is_stated = |found: regex::Match<'_>| {
        let before = &body[..found.start()];
        !NEGATOR.is_match(before)
            && reported.is_none_or(|at| at >= found.start())
            && (seeks_faults || !before.trim_end().ends_with(" that") && !before.trim_end().ends_with(" which"))
    };
    let narrow = [&*IS_WRONG, &*WRONGLY, &*GIVES_WRONG];
    let broad = [&*IS_LEFT_OUT, &*DOES_WRONG, &*GETS_WRONG, &*DOES_NOT, &*CONTAINS_FAULTS];
    let has_wrongly = || {
        let found = HAS_WRONGLY.captures(body)?;
        let what = found.name("what")?.as_str();
        found.get(0).filter(|_| !NOTHING_WRONG.is_match(what))
    };
    // "Fields missing in the source are missing in the output": the one is right because of the other.
    if body.matches("missing").count() > 1 {
        return false;
    }
    narrow.iter().any(|pattern| pattern.find(body).is_some_and(is_stated))
        || broadly
            && (broad.iter().any(|pattern| pattern.find(body).is_some_and(is_stated))
                || has_wrongly().is_some_and(is_stated))
}

/// Whether a sentence says that the output is as it should be.
fn states_what_is_right(text: &str) -> bool {
    if NEGATOR.is_match(text) || CONTRAST.is_match(text) {
        return false;
    }
    if ALL_ARE_THERE.is_match(text) {
        return true;
    }
    if words_of(text).iter().any(|word| is_fault(word)) {
        return false;
    }
    let by_source = AGREES.captures(text).and_then(|found| found.name("yardstick")).is_some_and(|yardstick| {
        words_of(yardstick.as_str()).iter().any(|word| SOURCE.contains(stem(word)) || word == "list")
    });
    by_source || IS_RIGHT.is_match(text) || GIVES_TRUTH.is_match(text)
}

pub(super) fn opposite_polarity(view: &PromptView<'_>, out: &mut Out<'_>) {
    let conditions: Vec<&Item> = own_items(view, SectionKind::PassConditions).collect();
    let faults = |broadly: bool| conditions.iter().filter(move |item| states_a_fault(&item.text.joined(), broadly));
    let description = view.prompt.description().unwrap_or_default();
    let of_a_fault = states_a_fault(&description, true);
    let mostly_faults = faults(true).count() * 2 > conditions.len();
    if of_a_fault && !conditions.is_empty() && !mostly_faults {
        let message = "the description names a fault, while the pass conditions ask for the opposite: `pass` then has two meanings";
        let help = "describe what a correct output does, as the pass conditions do";
        if let Some(span) = description_span(view) {
            out.push(&view.file.path, span, message, help);
        }
    }
    if !of_a_fault && !mostly_faults {
        for item in faults(false) {
            let message = "this pass condition states a fault, so an output with the fault passes";
            out.push(
                &view.file.path,
                item.span,
                message,
                "say what must be true of a correct output, or move it to the automatic fails",
            );
        }
    }
    let fails: Vec<&Item> = own_items(view, SectionKind::AutomaticFail).collect();
    let texts: Vec<String> = fails.iter().map(|item| item.text.joined()).collect();
    let split = split_conditions(&texts);
    for (index, item) in fails.iter().enumerate() {
        let part_of_another = split.iter().any(|split| (split.first..split.first + split.count).contains(&index));
        if !part_of_another && states_what_is_right(&texts[index]) {
            let message = "this automatic fail states no fault, so a correct output fails";
            out.push(
                &view.file.path,
                item.span,
                message,
                "say what makes an output fail, or move it to the pass conditions",
            );
        }
    }
}

fn own_items<'v>(view: &'v PromptView<'_>, kind: SectionKind) -> impl Iterator<Item = &'v Item> {
    view.prompt.items(kind).filter(|item| !item.example)
}

fn description_span(view: &PromptView<'_>) -> Option<assize_core::document::Span> {
    let section = view.prompt.section(SectionKind::Description)?;
    section.paragraphs().find_map(|passage| passage.span()).or_else(|| section.items().next().map(|item| item.span))
}

/// A sentence as the set of what it is about, with what it says of it: left out, other than it should be, or not so.
struct Claim {
    about: BTreeSet<String>,
    left_out: bool,
    deviates: bool,
    /// "… that are not mentioned".
    not_done: bool,
    negated: bool,
}

impl Claim {
    fn read(text: &str) -> Self {
        const GRAMMAR: &str = " the a an of in on at to for from with by as or and who which that into about than off another other different inexact imprecise approximate inaccurate some few slightly is are was were be been \
             has have had does do did can may might must should will would each every any all no not never neither nor none its their \
             it this these those one still treated pass fail acceptable tolerated allowed permitted fine ok okay give given gives state stated \
             states name named names present mention mentioned mentions include included includes list lists listed shown shows report \
             reports need needs needed contain contains carry carries appear appears also both either little bit by extra \
             missing omit omits omitted omitting omission absent without left leave leaving out blank empty drop drops dropped dropping lost \
             lose losing optional wrong incorrect differ differs differing deviate deviates else someone somebody equal equals same match \
             matches required necessary there such as least ground truth ";
        let mut about = BTreeSet::new();
        for word in words_of(text) {
            if word.len() > 1 && !GRAMMAR.contains(&format!(" {word} ")) {
                // "attribution" and "attributed", "figures" and "figure".
                about.insert(stem(&word).chars().take(6).collect());
            }
        }
        let negated = NEGATOR.is_match(text);
        Self {
            about,
            left_out: LEFT_OUT.is_match(text),
            deviates: DEVIATES.is_match(text),
            not_done: NOT_DONE.is_match(text),
            negated,
        }
    }

    /// Whether this allows what a fail rules out.
    fn allows(&self, fail: &Self) -> bool {
        let same_fault =
            self.left_out && fail.left_out || self.deviates && fail.deviates || self.negated && fail.negated;
        let shared = self.about.intersection(&fail.about).count();
        let nearly_the_same = shared >= 2 && shared * 4 >= self.about.union(&fail.about).count() * 3;
        same_fault && shared > 0 && shared * 4 >= self.about.len() * 3 || nearly_the_same
    }

    /// Whether this allows what a pass condition asks to be otherwise.
    fn undoes(&self, condition: &Self, text: &str) -> bool {
        let against = self.left_out || self.not_done || self.deviates && EQUALITY.is_match(text);
        against && !condition.negated && !self.about.is_empty() && self.about.is_subset(&condition.about)
    }
}

pub(super) fn contradicting_variation(view: &PromptView<'_>, out: &mut Out<'_>) {
    let read = |kind: SectionKind| -> Vec<(&Item, Claim, String)> {
        own_items(view, kind)
            .map(|item| (item, item.text.joined()))
            .map(|(item, text)| (item, Claim::read(&text), text))
            .collect()
    };
    let (fails, conditions) = (read(SectionKind::AutomaticFail), read(SectionKind::PassConditions));
    for (item, claim, text) in read(SectionKind::AcceptableVariations) {
        if ONLY_IF.is_match(&text) {
            continue;
        }
        let fail = fails.iter().find(|(_, fail, _)| claim.allows(fail));
        let ruled_out = fail.or_else(|| conditions.iter().find(|(_, other, text)| claim.undoes(other, text)));
        if let Some((other, ..)) = ruled_out {
            let message = format!("this variation allows what line {} rules out", other.span.line);
            let help = "remove one of the two, or say in the variation when it applies (`… if …`)";
            out.push(&view.file.path, item.span, message, help);
        }
    }
}

/// Whether the description asks more than one question.
pub(super) fn asks_twice(view: &PromptView<'_>) -> Option<assize_core::document::Span> {
    let description = view.prompt.description()?;
    let plain = WHETHER_OR_NOT.replace_all(&description, "even if");
    let twice = TWO_WHETHERS.is_match(&plain)
        || TWO_CLAUSES.is_match(&plain)
        || TWO_THINGS.is_match(&plain)
        || plain.matches('?').count() > 1
        || AND_THAT.captures(&plain).and_then(|found| found.name("second")).is_some_and(|second| {
            let kinds = [SectionKind::AutomaticFail, SectionKind::PassConditions];
            let rubric: HashSet<String> = kinds
                .into_iter()
                .flat_map(|kind| view.prompt.items(kind))
                .flat_map(|item| content_words(&item.text.joined()).collect::<Vec<_>>())
                .collect();
            let words: Vec<String> = content_words(second.as_str()).collect();
            // No condition speaks of it: a question of its own.
            words.len() >= 2 && !words.iter().any(|word| rubric.contains(word))
        });
    twice.then(|| description_span(view)).flatten()
}

/// The sections that are lists of conditions or of things to look at.
pub(super) fn lists<'v>(view: &'v PromptView<'_>) -> impl Iterator<Item = &'v Section> {
    view.prompt.sections().filter(|section| {
        matches!(
            section.kind,
            SectionKind::Include
                | SectionKind::Ignore
                | SectionKind::AutomaticFail
                | SectionKind::PassConditions
                | SectionKind::AcceptableVariations
        )
    })
}
