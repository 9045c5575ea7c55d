//! The rules on single lines and items: placeholders, empty and repeated items, vague words, outside knowledge, scales, mixed
//! logic.

use super::compound::{SOURCE, first_verb, stem, words_of};
use super::meaning::lists;
use super::patterns::patterns;
use super::{Fix, Out, PromptView};
use crate::systems::behaviour::prompt_file::{Block, Item, SectionKind, WrittenLine};
use assize_core::document::Span;
use std::collections::HashMap;

patterns! {
    /// What is in quotation marks or backticks is spoken of, not said.
    QUOTED = "\"[^\"]*\"|“[^”]*”|`[^`]*`|(?:^|[ (])'[^']*'";
    MARKER = r"(?:^|[.:;(]\s*)(TODO|FIXME|XXX|TBD|TBC)\b|\b(TODO|FIXME)\s*[:(]|\b(TBD|TBC|XX+)\b|(?i:lorem ipsum|\b(your|insert) (text|condition) here\b)";
    TEMPLATE_FIELD = r"\{\{?\s*[A-Za-z_][\w ./'-]*\}\}?|\[(?i:insert|add|your|describe|enter|fill|write|put|todo|tbd|placeholder|x{2,})\b[^\]]*\]|<[A-Za-z][A-Za-z']*( [A-Za-z']+)+>|\.{3}\s*\{|_{4,}";
    /// An item that is nothing but a place for one.
    ONLY_A_PLACE = r"(?i)^\W*(tbd|todo|tbc|fixme|xxx+|n/?a\?)\W*$|^[.…?_*\s]+$|^\[[a-z][^\]]*\]\.?$|^<[a-z][^>]*>\.?$|^\((add|insert|describe|write|fill)\b[^)]*\)\.?$";
    EXAMPLE_OF = r"(?i)\b(such as|like|e\.g\.|for example|placeholders?|template fields?|marker|called)\W*$";

    /// Words without a measure: wherever they stand, as a predicate, and as the manner of doing something.
    VAGUE = r"(?i)\b(in)?(appropriate|adequate|sufficient)(ly)?\b|\b(un)?(reasonabl[ey]|acceptabl[ey]|suitabl[ey]|sensibl[ey]|satisfactor(y|ily)|proportionate(ly)?|timely|satisfying)\b|\b(im)?proper(ly)?\b|\b(good|poor|decent|high|low|sufficient)[ -]quality\b|\b(significant|substantial|effective|efficient)(ly)?\b|\b(considerabl|noticeabl)[ey]\b|\btoo \w+\b|\benough\b|\bclose (to|enough)\b|\bwell[ -](written|phrased|structured|formed|worded|handled|done|organi[sz]ed|explained|formatted|argued)\b|\b(very |quite |reasonably )?(well|badly|poorly|nicely)\W*$|\b(all|the|every|most|any) (important|key|essential|main|major|relevant|necessary|crucial)( \w+)? (details?|points?|facts?|information|aspects?|elements?|parts?|items?)\b|\beasy to (read|understand|follow)\b|\bas (needed|necessary|expected|usual)\W*$";
    VAGUE_PREDICATE = r"(?i)\b(is|are|was|were|be|reads?|sounds?|seems?|looks?|feels?|remains?|stays?)( (very|quite|rather|fairly|reasonably|always|also|generally|not|both|overall|essentially|largely|mostly|roughly|broadly|nearly|more or less))*,? (balanced|fair|respectful|polite|courteous|friendly|professional|clear|concise|readable|understandable|coherent|engaging|comprehensive|detailed|thorough|helpful|useful|meaningful|natural|fluent|elegant|clean|simple|short|long|brief|good|bad|fine|poor|nice|decent|high|low|large|small|fast|slow|quick|prompt|similar|comparable|logical|convincing|persuasive|compelling|fitting|empathetic|warm|kind|pleasant|robust|solid|plausible|realistic|excellent|optimal|ideal|relevant|important|interesting|informative|intuitive|consistent|the same|right for|tactful|sensitive|careful|reliable|usable|tidy|neat|boring|dull|confusing|awkward|clumsy|rude|harsh|cold|weak|strong|smooth|vague|messy|sloppy|sound|adequate|nuanced|insightful|creative|accessible|digestible|complete enough|safe)( \w+)?( and \w+)?( \w+)?(\W*$|\W+(for|to|in|with|by|at|of|about|and)\b)";
    VAGUE_MANNER = r"(?i)\b(makes?|making) sense\b|\b(shows?|demonstrates?|displays?|expresses?|with|has|conveys?) (\w+ )?(empathy|professionalism|clarity|tact|courtesy|care|respect|warmth|insight|creativity|depth|nuance|common sense|good taste)\b|\b(naturally|fluently|politely|professionally|respectfully|courteously|thoroughly|carefully|smoothly|promptly|quickly|helpfully|nicely|concisely|coherently|convincingly|tactfully|markedly|elegantly|meaningfully|usefully|gracefully|intelligently|neatly)\b|\b(is|are) (essentially|largely|mostly|roughly|broadly|more or less|approximately|nearly) (the same|equal|identical|correct|right|complete)\b";
    /// "consistent with the record", "the same in both", "the same as in the source": compared with something.
    COMPARED = r"(?i)\b(consistent|the same|comparable|similar|relevant|right)\b( \w+)? (with|in|as|to|for) (the |both|each|every)";
    /// Names and set phrases with a vague word in them.
    NOT_VAGUE = r"(?i)\bas well\b|\bsignificant (figures?|digits?)\b|\bstatistically significant\b|\b(equals?|labell?ed|marked|called|says?|rated|flagged)( as)? (in)?(appropriate|acceptable|reasonable|significant|sufficient)\b|\bacceptable variations?\b|\b(is|are) (un)?acceptable (in|if|when|for|as)\b|\benough\b.*\bthan\b|\bproper (names?|nouns?)\b|\bnatural (gas|language|person|persons|causes?|disasters?|hazards?)\b|\btoo\W*$";
    /// A measure after the word makes it precise.
    MEASURED = r"\d|(?i)\bthat is\b|\bi\.e\.|\bas (defined|listed|named|given|set out) (in|by)\b|:\s*\w|\b(the|its) ground truth (marks|lists|names|calls|asks|requires)|\bin the ground truth\b";

    NORM = r"\b([A-Z][A-Za-z]*[A-Z][A-Za-z0-9]*|[A-Z][a-z]{3,})('s)? (protocols?|guidelines?|guidance|criteria|recommendations?|standards?|principles|regulations?|rules|conventions?|algorithm|Act|Directive)\b";
    BY_A_NORM = r"\b(?i:compl(y|ies|iant|iance) with|conforms? to|conformity with|follows?|following|obeys?|violat(es?|ing)|breach(es)?|satisf(y|ies)|meets?|according to|in accordance with|in line with|under|per|pursuant to|(described|defined|required|set|recommended|published|prescribed|demanded|laid down) (by|in)) (?i:the |current |applicable )*([A-Z]{2,}[A-Za-z]*( ?[0-9]+)?|(US|EU|UK) [A-Z][A-Za-z]+|[A-Z][a-z]+ [A-Z][a-z]+)\b";
    KNOWN = r"(?i)\b(usually|typically|normally|commonly|customarily|traditionally)\b|\b(compl(y|ies|iant) with|conforms? to|in accordance with|under|meets?|satisf(y|ies)|violates?|breach(es)?|required by|follows?|according to)\b[^.]*\b(laws?|legislation|regulations?|statutes?|legal requirements?|(medical|clinical|industry|professional|accounting|safety|ethical|accessibility|coding) (\w+ )?(standards?|guidelines?|protocols?|practices?|rules|norms))\b|\b(is|are) (legally )?(un)?(enforceable|legal|lawful|binding|void|admissible|patentable|compliant|taxable)\b|\b(in force|currently valid|as of today|at present)\b|\bcurrent (rate|price|version|year|guideline|standard|legislation)s?\b|\b(usual|normal|typical|therapeutic|recommended|standard|safe|customary) (\w+ )?(range|dose|dosage|limit|rate|level|interval|threshold|price|practice)s?\b|\b(prior|state of the) art\b|\b(clinically|medically|legally|scientifically|historically|biologically|chemically|ethically) \w+|\bfactually (correct|accurate|true|right)\b|\b(is|are) (known|believed|understood) to\b|\b(is|are|was|were) (commonly |generally |well )?known (to|for|that)\b|\b(as|is|are|what is) (usual|customary|normal|typical|standard) (in|for|with|practice)\b|\busual (for|in)\b|\b(statutory|lawful(ly)?|unlawful(ly)?|legally required|illegal(ly)?)\b|\b(current|applicable|local|federal|state|tax|labou?r|existing) (\w+ )?(law|laws|legislation|regulations?)\b|\bby law\b|\b(experienced|expert|trained|competent|reasonable|skilled|qualified|prudent) \w+( \w+)? would\b|\bfor the market\b|\bmarket (rates?|prices?|standards?|value)\b|\b(in|of|for) (the|this) industry\b|\b(industry|professional|medical|clinical|accounting|legal|scientific) (standards?|guidelines?|norms?|consensus|conventions?)\b|\bstandard (practice|procedure)s?\b|\bevidence[- ]based\b|\bscientifically\b|\bfactually (true|correct) in reality\b|\bmedical(ly)? (necessity|indication)\b";
    /// A limit on something of the world, in a unit of the world.
    LIMIT = r"(?i)\b(between|at least|at most|above|below|over|under|exceeds?|exceeding|more than|less than|greater than|lower than|higher than|no more than|up to|maximum of|minimum of|within|from|>|<|≥|≤)( of)?\s*(\d+([.,]\d+)?\s*(and|to|-|–)\s*)?\d+([.,]\d+)?\s*(mg/kg|mcg/kg|ml/kg|mg/dl|mmol/l|mmol|mmhg|mcg|µg|mg|ml|kg|bpm|ppm|ppb|°\s?[cf]|degrees|mm|cm|iu|units|kcal|joules?|volts?|%|percent|l/min|breaths|km/h|mph|kpa|psi|db|hz|ml/min|weeks of gestation)(\W|$)|(?-i:\b[A-Z]{2,}[a-z0-9]*)( score| level| value)?( of)? (\d+ or (lower|higher|less|more|above|below)|[<>≥≤]=? ?\d+)";
    COMPARES = r"(?i)\b(differ(s|ences?|ing)?|deviat\w+|off by|apart from|tolerance|rounding|rounded|by more than|by less than|by at most|of the ground truth|from the ground truth)\b|(%|percent) of\b";
    GROUND_TRUTH = r"(?i)\bground[ _-]truth\b";

    SCALE = r"(?i)\b\w+-point (rating )?scale\b|\b(rating|grading|likert|numeric|numerical|scoring) scale\b|\buse a( \S+)? scale\b|(^|[.!?;:]\s+)(give|award|assign)\b[^.]*\b\d(\.\d+)? (for|if|when)\b|\b(rate|score|grade|judge|evaluate|assess|mark|rank)\b[^.]*\bfrom \d+\b[^.]*\bto \d+|(^|[.!?;:]\s+)(please |also |then )*(rate|score|grade|assign|award|give|deduct|subtract|return|provide|output|produce|allow)\b[^.]*?\b(scales?|scores?|points?|half a point|partial credit|half credit|stars?|from \d+ to \d+|between \d+ and \d+|\d+ ?(-|–|to) ?\d+|[A-F] to [A-F])\b|\bon a (\d+-point )?(scale|score)\b|\b(is|are|be|also) (also )?(scored|rated|graded|ranked) (by|on|from|for|according|between|in|out)\b|\b(out of|/) ?(5|10|100) points\b";
    NO_SCALE = r"(?i)\b(never|not|no|don't|without)\b";

    BOUND_PAIR = r"(?i)\bbetween\b[^,.;]{1,40}?\band\b|\b(one|two|three|\d+) or (more|less|fewer)\b|\bor (more|less|fewer|better|worse|later|earlier|above|below|higher|lower|equal|not)\b|\bboth\b[^,.;]{1,40}?\band\b|\bor the (reverse|other way round)\b";
    NAMED_PAIR = r"\b[A-Z][a-z]+ and [A-Z][a-z]+\b";
    SALT_AND_PEPPER = r"(?i)\b(salt and pepper|terms and conditions|profit and loss|health and safety|research and development|plus and minus|pros and cons|trial and error)\b";
}

/// The text with what is only quoted blanked out, byte for byte, so that places stay where they are.
fn unquoted(text: &str) -> String {
    QUOTED.replace_all(text, |found: &regex::Captures<'_>| " ".repeat(found[0].len())).into_owned()
}

/// The span of a match in a line.
fn place(line: &WrittenLine, start: usize, end: usize) -> Span {
    // Comments are cut out of `text`; where there are some, columns are those of the whole line.
    if line.written != line.text {
        return line.span;
    }
    let count = |text: &str| u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    let (before, found) = (count(&line.text[..start]), count(&line.text[start..end]));
    Span { column: line.span.column.saturating_add(before), length: found.max(1), ..line.span }
}

/// Every line of the parts of a prompt that tell the judge what to do, with the part it is in.
fn instructions<'v>(view: &'v PromptView<'_>) -> Vec<(SectionKind, &'v WrittenLine)> {
    fn of_item<'v>(item: &'v Item, lines: &mut Vec<&'v WrittenLine>) {
        lines.extend(&item.text.lines);
        item.children.iter().filter(|child| !child.example).for_each(|child| of_item(child, lines));
    }
    let mut found = Vec::new();
    for section in view.prompt.sections() {
        if section.kind.is_input() || matches!(section.kind, SectionKind::Examples) {
            continue;
        }
        let mut lines = Vec::new();
        for block in &section.blocks {
            match block {
                Block::Paragraph(passage) => lines.extend(&passage.lines),
                Block::Item(item) => of_item(item, &mut lines),
                Block::Comment(_) => {}
            }
        }
        found.extend(lines.into_iter().map(|line| (section.kind, line)));
    }
    found
}

fn is_condition(kind: SectionKind) -> bool {
    matches!(kind, SectionKind::AutomaticFail | SectionKind::PassConditions)
}

pub(super) fn placeholder(view: &PromptView<'_>, out: &mut Out<'_>) {
    for (kind, line) in instructions(view) {
        if kind == SectionKind::AnswerFormat {
            continue;
        }
        let text = unquoted(&line.text);
        let whole =
            ONLY_A_PLACE.find(text.trim()).filter(|_| !line.text.trim().is_empty() && text.trim() == line.text.trim());
        let found = whole
            .map(|_| (0, line.text.len()))
            .or_else(|| MARKER.find(&text).map(|found| (found.start(), found.end())))
            .or_else(|| {
                let found = TEMPLATE_FIELD.find(&text)?;
                (!EXAMPLE_OF.is_match(&text[..found.start()])).then(|| (found.start(), found.end()))
            });
        if let Some((start, end)) = found {
            if EXAMPLE_OF.is_match(&text[..start]) {
                continue;
            }
            let shown = line.text[start..end].trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | ';' | '.'));
            let shown = if shown.is_empty() { line.text.trim() } else { shown };
            let message =
                format!("`{shown}` is still to be filled in, and a judge would take it for part of the rubric");
            out.push(&view.file.path, place(line, start, end), message, "write what belongs here, or remove the line");
        }
    }
}

pub(super) fn empty_item(view: &PromptView<'_>, out: &mut Out<'_>) {
    for section in lists(view) {
        for item in section.items().filter(|item| item.text.joined().is_empty() && item.children.is_empty()) {
            let fix = Fix::without_item(view, section, item);
            out.push_with_fix(
                &view.file.path,
                item.mark_span,
                "this item is empty",
                "write what belongs here, or remove the line",
                fix,
            );
        }
    }
}

pub(super) fn duplicate_item(view: &PromptView<'_>, out: &mut Out<'_>) {
    for section in lists(view) {
        let mut seen: HashMap<Vec<String>, &Item> = HashMap::new();
        for item in section.items() {
            let text = item.text.joined().to_lowercase().replace('’', "'").replace("n't", " not");
            let words = words_of(&text);
            if words.is_empty() {
                continue;
            }
            match seen.get(&words) {
                None => {
                    seen.insert(words, item);
                }
                Some(first) if first.children.len() == item.children.len() => {
                    let message = format!("this repeats line {}", first.span.line);
                    let fix = Fix::without_item(view, section, item).filter(|_| item.children.is_empty());
                    out.push_with_fix(&view.file.path, item.span, message, "remove one of the two", fix);
                }
                Some(_) => {}
            }
        }
    }
}

pub(super) fn vague_condition(view: &PromptView<'_>, out: &mut Out<'_>) {
    for (kind, line) in instructions(view) {
        if !is_condition(kind) {
            continue;
        }
        let text = NOT_VAGUE
            .replace_all(&unquoted(&line.text), |found: &regex::Captures<'_>| " ".repeat(found[0].len()))
            .into_owned();
        let predicate = || VAGUE_PREDICATE.find(&text).filter(|found| !is_compared(&text, found));
        let Some(found) = VAGUE.find(&text).or_else(predicate).or_else(|| VAGUE_MANNER.find(&text)) else { continue };
        let named = found.start() > 0 && found.as_str().starts_with(char::is_uppercase);
        let word = found.as_str().trim();
        if named || MEASURED.is_match(&text[found.end()..]) || outside(&line.text, &[]).is_some() {
            continue;
        }
        let message = format!("\"{word}\" has no measure, so every judge draws the line elsewhere");
        let help = "say what must be there, or give a number, a list or the value in the ground truth";
        out.push(&view.file.path, place(line, found.start(), found.end()), message, help);
    }
}

/// Whether a vague predicate is made precise by what it is compared with; "essentially the same" is not.
fn is_compared(text: &str, found: &regex::Match<'_>) -> bool {
    let same = found.as_str().to_lowercase();
    // What the output says about something is not measured here.
    if text[..found.start()].contains(" whether ") || text[..found.start()].contains(" how ") {
        return true;
    }
    let exactly = same.contains("the same") && !VAGUE_MANNER.is_match(text);
    exactly || COMPARED.is_match(&text[found.start()..]) && !VAGUE_MANNER.is_match(text)
}

/// Phrases that ask a judge for what it was not given.
const OUTSIDE: [&str; 40] = [
    "clinically appropriate",
    "clinically correct",
    "clinically significant",
    "clinically relevant",
    "clinically indicated",
    "clinically sound",
    "medically correct",
    "medically appropriate",
    "medically necessary",
    "medically accurate",
    "appropriate dose",
    "dose is appropriate",
    "dose appropriate",
    "dose appropriateness",
    "dosage is appropriate",
    "appropriate dosage",
    "safe dose",
    "therapeutic range",
    "normal range",
    "contraindicated",
    "contraindication",
    "standard of care",
    "protocol compliance",
    "complies with protocol",
    "best practice",
    "industry standard",
    "legally correct",
    "legally sound",
    "legally valid",
    "your knowledge",
    "general knowledge",
    "common knowledge",
    "domain knowledge",
    "expert knowledge",
    "outside knowledge",
    "external knowledge",
    "real-world facts",
    "in the real world",
    "generally accepted",
    "good judgment",
];

/// Where a line asks for more than the inputs carry: the start and end of the words that do.
fn outside(text: &str, extra: &[String]) -> Option<(usize, usize)> {
    let lower = text.to_lowercase();
    if lower.len() != text.len() {
        return None;
    }
    let warned_off = ["do not", "don't", "never", "no outside", "not judge", "not evaluate", "not use", "without"];
    if warned_off.iter().any(|words| lower.contains(words)) {
        return None;
    }
    let phrases = OUTSIDE.iter().copied().chain(extra.iter().map(String::as_str));
    let phrase = phrases.filter_map(|phrase| lower.find(phrase).map(|at| (at, at + phrase.len()))).min();
    let spoken_of = |end: usize| {
        let after = words_of(&text[end..]);
        after.iter().take(4).any(|word| SOURCE.contains(stem(word)))
            && after.first().is_some_and(|word| matches!(word.as_str(), "in" | "of" | "from" | "that" | "as"))
    };
    if let Some((start, end)) = phrase.filter(|(_, end)| !spoken_of(*end)) {
        return Some((start, end));
    }
    let text = &unquoted(text);
    if GROUND_TRUTH.is_match(text) || measured_by_an_input(text) {
        return None;
    }
    [&*NORM, &*BY_A_NORM, &*KNOWN]
        .iter()
        .filter_map(|pattern| pattern.find(text))
        .map(|found| (found.start(), found.end()))
        .min()
}

/// "… as in the booking", "… of the prescription": what is right stands in an input.
fn measured_by_an_input(text: &str) -> bool {
    let words = words_of(text);
    let names_input = |word: &str| {
        SOURCE.contains(stem(word))
            || matches!(
                word,
                "data"
                    | "feed"
                    | "input"
                    | "inputs"
                    | "list"
                    | "sheet"
                    | "extract"
                    | "terms"
                    | "dictation"
                    | "findings"
            )
    };
    let shown = words.windows(2).any(|pair| {
        names_input(&pair[0])
            && matches!(
                pair[1].as_str(),
                "show" | "shows" | "say" | "says" | "list" | "lists" | "give" | "gives" | "state" | "states"
            )
    });
    shown
        || words.windows(3).any(|words| {
            matches!(
                words[0].as_str(),
                "in" | "of"
                    | "from"
                    | "with"
                    | "by"
                    | "to"
                    | "equals"
                    | "equal"
                    | "as"
                    | "than"
                    | "that"
                    | "which"
                    | "matches"
            ) && words[1] == "the"
                && names_input(&words[2])
        })
}

pub(super) fn outside_knowledge(view: &PromptView<'_>, out: &mut Out<'_>) {
    for (kind, line) in instructions(view) {
        let asked = is_condition(kind)
            || matches!(kind, SectionKind::Description | SectionKind::Include | SectionKind::AcceptableVariations);
        if !asked {
            continue;
        }
        let limit = || {
            let text = unquoted(&line.text);
            let known = COMPARES.is_match(&text) || GROUND_TRUTH.is_match(&text) || measured_by_an_input(&text);
            LIMIT.find(&text).filter(|_| is_condition(kind) && !known).map(|found| (found.start(), found.end()))
        };
        if let Some((start, end)) = outside(&line.text, &view.config.outside_knowledge).or_else(limit) {
            let shown = line.text[start..end].trim();
            let message = format!("\"{shown}\" asks for knowledge the judge was not given");
            let help =
                "ask whether the output matches the ground truth; expert judgement belongs into the ground truth";
            out.push(&view.file.path, place(line, start, end), message, help);
        }
    }
}

pub(super) fn scale_in_verdict(view: &PromptView<'_>, out: &mut Out<'_>) {
    for (_, line) in instructions(view) {
        let text = unquoted(&line.text);
        let Some(found) = SCALE.find(&text) else { continue };
        let sentence = text[..found.start()].rfind(['.', '!', '?', ';']).map_or(0, |at| at + 1);
        let rest = text[found.start()..].find(['.', '!', '?']).map_or(text.len(), |at| found.start() + at.max(1));
        let of_an_input = GROUND_TRUTH.is_match(&text) || text.contains(" equals ") || measured_by_an_input(&text);
        let imperative = found.as_str().trim_start_matches(['.', ' ']).starts_with(char::is_uppercase);
        if NO_SCALE.is_match(&text[sentence..rest.max(sentence)]) || of_an_input && !imperative {
            continue;
        }
        let message = "this asks for a grade, and the verdict is pass or fail";
        let help = "say what an output must have to pass; for graded judgements write a criteria file";
        out.push(&view.file.path, place(line, found.start(), found.end()), message, help);
    }
}

pub(super) fn mixed_and_or(view: &PromptView<'_>, out: &mut Out<'_>) {
    for kind in [SectionKind::AutomaticFail, SectionKind::PassConditions] {
        for item in view.prompt.items(kind) {
            if mixes(&item.text.joined()) {
                let message = "and and or are mixed, and nothing says which binds first";
                let help = "group with parentheses and write the logic in capitals, as in `a AND (b OR c)`, or make two bullets";
                out.push(&view.file.path, item.span, message, help);
            }
        }
    }
}

/// Whether a sentence joins with both and and or at the same level.
fn mixes(text: &str) -> bool {
    let mut text = without_parentheses(&unquoted(text));
    if text.contains("and/or") {
        return true;
    }
    for pattern in [&*BOUND_PAIR, &*NAMED_PAIR, &*SALT_AND_PEPPER] {
        text = pattern.replace_all(&text, "pair").into_owned();
    }
    let words = || text.split(|character: char| !character.is_alphanumeric());
    let has = |wanted: &str| words().any(|word| word == wanted);
    if has("AND") || has("OR") {
        return has("AND") && has("OR");
    }
    // ", or" sets the two apart.
    if !has("and") || !has("or") || text.contains(", or ") {
        return false;
    }
    let lower = words_of(&text);
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    let verb = first_verb(&lower);
    let sides = |wanted: &str| {
        let (before, after): (Vec<usize>, Vec<usize>) =
            (0..lower.len()).filter(|at| lower[*at] == wanted).partition(|at| *at < verb);
        (!before.is_empty(), !after.is_empty())
    };
    // "Name and dose match the ground truth or the narrative": the one joins subjects, the other objects.
    let (and, or) = (sides("and"), sides("or"));
    and.0 && or.0 || and.1 && or.1
}

fn without_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(character),
            _ => {}
        }
    }
    out
}
