//! What a sentence of a rubric does, as far as its own words say.
//!
//! Used where text that has no heading is given one: old prompts, and the criteria of a benchmark. A sentence whose words
//! do not say what it does has no role, and whoever asked must not guess one.

use regex::{Regex, RegexSet};
use std::sync::LazyLock;

/// What a sentence does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    /// Tells the judge who it is and how to work.
    Instruction,
    /// Says what is evaluated.
    Task,
    /// Says what to look at.
    Include,
    /// Says what is not evaluated.
    Ignore,
    /// Says what fails.
    Fail,
    /// Says what must hold.
    Pass,
    /// Says what does not count against an output.
    Variation,
    /// Says what to do in doubt.
    Uncertainty,
    /// Says what the answer looks like.
    AnswerFormat,
}

/// The patterns, in the order in which they are tried; the first that fits decides.
const PATTERNS: &[(Role, &[&str])] = &[
    (
        Role::Uncertainty,
        &[
            r"^(if|when|where|in case|whenever)\b.*\b(unsure|uncertain|not sure|in doubt|cannot (tell|determine|decide|be determined)|can't (tell|determine|decide)|ambiguous|not enough (information|evidence)|insufficient)\b",
            r"^(treat|mark|count) (any )?(uncertain|ambiguous|unclear)\b",
        ],
    ),
    // What must not be counted as a fault. The verb stands right behind the negation: "a note that does not name it is a
    // failure" is the opposite.
    (
        Role::Variation,
        &[
            r"^(please )?(do not|don't|never) (\w+ ){0,4}(penali[sz]e|deduct|fail|flag|punish)\b",
            r"^(please )?(do not|don't|never) (count|treat|mark|consider|regard|score) .*\b(as )?(a |an )?(fail(ure|ed)?|fault|error|mistake|wrong|incorrect|false)\b",
            r"\b(is|are|counts? as|need) (not|no|never) (a |an )?(reason to fail|failures?|faults?|errors?|problems?|mistakes?|issues?|required|needed|necessary|relevant)\b",
            r"\b(does|do|should|must|will) not (fail|cause (a )?fail\w*|count as (a |an )?(fail\w*|error|fault|mistake)|be (penali[sz]ed|flagged|failed|counted as (a |an )?(fail\w*|error|fault)))\b",
        ],
    ),
    (
        Role::Fail,
        &[
            r"^(do not|don't|never) (pass|accept|allow|approve|tolerate)\b",
            r"\b(not|never|no longer|isn't|aren't|cannot be) (considered )?(acceptable|fine|ok|okay|allowed|permitted|tolerated|tolerable|accepted)\b",
            r"\b(unacceptable|forbidden|prohibited|disqualif\w+)\b",
            r"\b(is|are|counts?|means?|constitutes?|makes?)\b[^.;]{0,40}\b(fail|fails|failures?|failing|faults?|violations?|wrong|incorrect|errors?)\b",
            r"^([\w' ]{0,40} )?(fail|fails|failed|failing|reject|rejected)\b.*\b(if|when|whenever|where|unless|for|on)\b",
            r"\b(if|when|whenever|where|unless)\b.*\b(fail|fails|failed|failure|false|incorrect|wrong|reject|not pass)\b",
            r"^(mark|score|rate|count|return|set|answer|output|give|respond)\b.*\b(false|fail|failed|incorrect|wrong|no|zero|0)\b.*\b(if|when|whenever|where|unless)\b",
            r"^(automatic|automatically|immediate|immediately|always) (a )?fail",
            r"\b(always|automatically|immediately|must) (fail|fails|be failed)\b",
        ],
    ),
    (
        Role::Variation,
        &[
            r"\b(is|are|be)\b[^.;]{0,24}\b(fine|acceptable|ok|okay|allowed|permitted|optional|irrelevant|equivalent|harmless|accepted)\b",
            r"\b(is|are) (also )?(exactly )?(the same|just another (word|name)|interchangeable|synonym\w*)\b",
            r"\bmeans? the same\b|\bcounts? as (correct|right|a match|the same|present)\b|\b(does|do)(n't| not) matter\b|\bno penalty\b",
            r"\b(may|can) (also )?(differ|vary|be (written|phrased|abbreviated|spelled|spelt|rounded|given|in|left out|omitted|shortened|named|called|placed|expressed))\b",
            r"^(accept|allow|tolerate)\b|^treat .* as (equal|equivalent|correct|the same|a match)\b",
        ],
    ),
    (
        Role::Ignore,
        &[
            r"^(please )?(ignore|disregard|exclude|excludes|excluded|skip|leave out|leave aside|out of scope|not in scope|not applicable|does not apply|n/a)\b",
            r"^(only (for|applies|use|when|where)|(use|apply|run)( this| it)? only|not (for|meant|intended|used|to be used)|(this|it|the benchmark) (does not|doesn't|is not|isn't) (apply|cover|meant|intended|for))\b",
            r"^(please )?(do not|don't|never) (consider|evaluate|look at|judge|assess|take into account|use (this |it |the benchmark )?(for|when|where|with|on|in|to)|apply)\b",
            r"\b(is|are) (out of scope|not in scope|not evaluated|not judged|not part of)\b",
        ],
    ),
    (
        Role::Instruction,
        &[
            r"^(you are|you're|you will|you must be|you should be|act as|imagine)\b",
            r"^be (very |as )?(strict|careful|literal|neutral|fair|objective|thorough|precise|concise|consistent|impartial|rigorous|conservative)\b",
            r"^read\b|^think\b|^take your time\b|^(use|judge|rely on|consider) only\b|^only (use|judge|consider)\b|^base (your|the)\b|^work step\b",
            r"^(do not|don't|never) (use|rely on|add|invent|assume|bring in|make up)\b[^.]*\b(outside|external|prior|own|knowledge|details|facts|assumptions|gaps)\b",
        ],
    ),
    (
        Role::Pass,
        &[
            r"^(check|verify|ensure|make sure|confirm) that\b",
            r"^([\w' ]{0,40} )?(pass|passes|passing|correct)\b.*\b(if|when|whenever|only|requires)\b",
            r"^(mark|score|rate|count|return|set|answer|output|give|respond)\b.*\b(true|pass|correct|yes|1)\b.*\b(if|when|only)\b",
            r"\b(if|when|only if)\b.*\b(pass|passes|true|correct)\b",
        ],
    ),
    (
        Role::AnswerFormat,
        &[
            r"^(please )?(only )?(return|respond|reply|answer|output|provide|produce|give|format|state|print|write)\b.*(json|[{]|true or false|true/false|yes or no|yes/no|pass or fail|pass/fail|boolean|one word|single word|following format|no other|nothing else|:$)",
            r"^(your|the|use the following) (final )?(response|answer|output|reply|verdict|format)\b.*(json|[{]|true or false|yes or no|pass or fail|format|:$)",
            r"^(do not|don't|no) (include |add |output |return |write )?(any )?(other |extra |additional )(text|words|commentary|explanation|markdown)\b",
            r"^(do not|don't) (include|add|output|return|write) (any )?(text|commentary|explanation|markdown)\b",
        ],
    ),
    (Role::Include, &[r"^(please )?(focus|look (at|for)|pay attention|concentrate|examine|compare|consider)\b"]),
    (
        Role::Pass,
        &[
            r"\b(must|should|shall|has to|have to|had to|needs to|need to|ought to|may not|cannot|is required|are required|is expected|are expected|required to)\b",
        ],
    ),
    (
        Role::Task,
        &[
            r"^((your|the) (task|job|goal|role|objective|question|aim) is (to )?)?(to )?(determine|evaluate|check|checks|assess|decide|judge|verify|rate|grade|review|find out|confirm|test|tests|evaluates|see)\b",
            r"^(task|question|goal|objective|criterion)\s*:",
            r"^(does|do|did|is|are|was|were|has|have|can)\b.*\?$",
            r"^whether\b",
        ],
    ),
];

/// Labels that are not sentences, in lower case and without their colon.
const LABELS: &[(Role, &[&str])] = &[
    (Role::Instruction, &["role", "persona", "context", "background", "instructions"]),
    (Role::Task, &["task", "goal", "objective", "question", "your task", "purpose", "what is evaluated"]),
    (Role::Include, &["focus on", "what to check", "what to look at", "what to look for", "in scope"]),
    (Role::Ignore, &["what to ignore", "out of scope", "not in scope", "exclusions", "exceptions to the scope"]),
    (
        Role::Fail,
        &["fail", "fails", "fail criteria", "failure", "failures", "failure conditions", "failure modes", "red flags"],
    ),
    (
        Role::Pass,
        &["pass", "passes", "criteria", "requirements", "evaluation criteria", "acceptance criteria", "conditions"],
    ),
    (
        Role::Variation,
        &[
            "acceptable",
            "acceptable differences",
            "also acceptable",
            "allowed",
            "tolerances",
            "allowances",
            "may differ",
        ],
    ),
    (Role::Uncertainty, &["if unsure", "if uncertain", "when in doubt", "if in doubt", "edge cases in doubt"]),
    (
        Role::AnswerFormat,
        &["output", "format", "output format", "answer format", "response format", "response", "answer", "return"],
    ),
];

/// What a sentence does; `None` where its words do not say.
pub(super) fn role_of(text: &str) -> Option<Role> {
    let plain = plain(text);
    first_fit(&plain).filter(|role| !says_both(*role, &plain))
}

/// The role of the first pattern that fits.
fn first_fit(plain: &str) -> Option<Role> {
    static SET: LazyLock<(RegexSet, Vec<Role>)> = LazyLock::new(|| {
        let flat =
            || PATTERNS.iter().flat_map(|(role, patterns)| patterns.iter().map(move |pattern| (*role, *pattern)));
        #[expect(clippy::unwrap_used, reason = "constant patterns")]
        let set = RegexSet::new(flat().map(|(_, pattern)| pattern)).unwrap();
        (set, flat().map(|(role, _)| role).collect())
    });
    SET.0.matches(plain).iter().next().map(|first| SET.1[first])
}

/// Whether a sentence that seems to excuse something names a failure as well, or one that seems to name a failure denies it. Such
/// a sentence has no role: half of it would be turned round.
fn says_both(role: Role, plain: &str) -> bool {
    #[expect(clippy::unwrap_used, reason = "constant patterns")]
    static EXCUSED: LazyLock<RegexSet> = LazyLock::new(|| {
        RegexSet::new([
            r"\b(always|automatic|automatically|immediate|immediately|still)\b[^.;]{0,30}\b(fail\w*|wrong|incorrect|errors?|faults?|reject\w*)\b",
            r"\b(but|however|except|unless|though|although|yet|while|whereas)\b.*\b(fail\w*|wrong|incorrect|errors?|faults?|reject\w*|unacceptable|not|never|must)\b",
            r"\bfail(s|ed)? to\b",
        ])
        .unwrap()
    });
    #[expect(clippy::unwrap_used, reason = "constant patterns")]
    static DENIED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(not|isn't|aren't|doesn't|don't|nor)( \w+){0,2} (a |an )?(fail|fails|failures?|faults?|errors?|wrong|incorrect)\b").unwrap()
    });
    #[expect(clippy::unwrap_used, reason = "constant patterns")]
    static CONTRAST: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"[,;]? \b(but|however|except|even if|although|though|whereas|yet|while|unless)\b,?").unwrap()
    });
    let clauses: Vec<Role> = CONTRAST.split(plain).filter_map(|clause| first_fit(clause.trim())).collect();
    let differ = clauses.contains(&Role::Fail) && clauses.contains(&Role::Variation);
    match role {
        Role::Variation => differ || EXCUSED.is_match(plain),
        Role::Fail => differ || DENIED.is_match(plain),
        _ => false,
    }
}

/// Whether a sentence speaks of failing at all.
pub(super) fn names_a_failure(text: &str) -> bool {
    static FAILURE: LazyLock<Regex> = LazyLock::new(|| {
        #[expect(clippy::unwrap_used, reason = "a constant pattern")]
        Regex::new(r"\b(fail\w*|reject\w*|unacceptable|incorrect|wrong)\b").unwrap()
    });
    FAILURE.is_match(&plain(text))
}

/// What stands under a label, the text before a colon; `None` where it does not say.
pub(super) fn role_of_label(label: &str) -> Option<Role> {
    let plain = plain(label);
    let plain = plain.trim_end_matches(':').trim();
    let known = LABELS.iter().find(|(_, labels)| labels.contains(&plain)).map(|(role, _)| *role);
    // "Fail if", "The output passes when", "Do not penalize": a sentence whose end is the list.
    known.or_else(|| role_of(&format!("{plain} this"))).or_else(|| role_of(plain))
}

/// Lower case, one space between words, without the marks around it.
fn plain(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let text = text.replace(['*', '`', '’', '"'], "");
    text.trim_matches(['#', '_', ' ', '-', '•', '(', ')']).trim_end_matches('.').to_owned()
}

/// A text in its sentences. An abbreviation is followed by a small letter or a digit and ends none.
pub(super) fn sentences(text: &str) -> Vec<String> {
    static END: LazyLock<Regex> = LazyLock::new(|| {
        #[expect(clippy::unwrap_used, reason = "a constant pattern")]
        Regex::new(r#"[.!?]["')\]]*\s+(["'(\[{“]?\p{Lu}|[{\[])"#).unwrap()
    });
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    let mut start = 0;
    for captures in END.captures_iter(&text) {
        let Some(next) = captures.get(1) else { continue };
        found.push(text[start..next.start()].trim().to_owned());
        start = next.start();
    }
    found.push(text[start..].trim().to_owned());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// A text as a sentence of its own: a capital at its start, a full stop at its end.
pub(super) fn as_sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ended = if text.ends_with(['.', '!', '?', ':', '…', '"', ')']) { text } else { format!("{text}.") };
    let mut characters = ended.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_says_what_it_does() {
        for (text, role) in [
            ("a missing severity is always a failure", Some(Role::Fail)),
            ("A note that does not name the severity is a failure.", Some(Role::Fail)),
            ("An empty field counts as an error", Some(Role::Fail)),
            ("Abbreviations are never acceptable", Some(Role::Fail)),
            ("abbreviations are not allowed", Some(Role::Fail)),
            ("Fail if the dose is missing.", Some(Role::Fail)),
            ("If the dose is missing, mark the output as incorrect.", Some(Role::Fail)),
            ("Return false when the date is wrong.", Some(Role::Fail)),
            ("Never accept a guess.", Some(Role::Fail)),
            ("A missing title is not a failure", Some(Role::Variation)),
            ("Do not penalize spelling.", Some(Role::Variation)),
            ("Do not mark a late entry as a failure.", Some(Role::Variation)),
            ("rounding to full dollars is fine", Some(Role::Variation)),
            ("\"excess\" is the same thing", Some(Role::Variation)),
            ("\"written off\" means the same", Some(Role::Variation)),
            ("Severity may be written as S1 to S4", Some(Role::Variation)),
            ("The note must name the patient.", Some(Role::Pass)),
            ("The note must not name another patient.", Some(Role::Pass)),
            ("Check that the date is given.", Some(Role::Pass)),
            ("The output passes if both dates agree.", Some(Role::Pass)),
            ("Determine whether the note states the deductible.", Some(Role::Task)),
            ("Does the reply answer the question?", Some(Role::Task)),
            ("You are an expert reviewer.", Some(Role::Instruction)),
            ("Be strict.", Some(Role::Instruction)),
            ("Do not use for pediatric cases.", Some(Role::Ignore)),
            ("Ignore spelling.", Some(Role::Ignore)),
            ("Focus on the dose.", Some(Role::Include)),
            ("If you cannot tell, answer false.", Some(Role::Uncertainty)),
            ("Return JSON: {\"ok\": true or false}", Some(Role::AnswerFormat)),
            ("Answer yes or no.", Some(Role::AnswerFormat)),
            ("Typos are ok but a wrong drug name always fails", None),
            ("Typos are not errors, but a wrong name is always a failure", None),
            ("Missing units are an automatic failure, even if rounding is fine", None),
            ("A wrong drug name always fails", Some(Role::Fail)),
            ("A missing title is not always a failure", None),
            ("Do not fail to mention the dose", None),
            ("Only for adult patients", Some(Role::Ignore)),
            ("Not intended for pediatric cases", Some(Role::Ignore)),
            ("Use only for claims that were paid", Some(Role::Ignore)),
            ("Dates are in UTC.", None),
            ("Be kind.", None),
            ("Thousands separators", None),
        ] {
            assert_eq!(role_of(text), role, "{text}");
        }
    }

    #[test]
    fn a_label_says_what_stands_under_it() {
        for (label, role) in [
            ("Fail if:", Some(Role::Fail)),
            ("**The output fails when:**", Some(Role::Fail)),
            ("Mark as incorrect if", Some(Role::Fail)),
            ("The output is correct if", Some(Role::Pass)),
            ("Focus on", Some(Role::Include)),
            ("Do not consider", Some(Role::Ignore)),
            ("Do not penalise", Some(Role::Variation)),
            ("When in doubt", Some(Role::Uncertainty)),
            ("Rules", None),
        ] {
            assert_eq!(role_of_label(label), role, "{label}");
        }
    }

    #[test]
    fn sentences_end_where_the_next_one_begins() {
        assert_eq!(
            sentences("One. Two e.g. three! (Four) 1.5 mg. {a}"),
            ["One.", "Two e.g. three!", "(Four) 1.5 mg.", "{a}"]
        );
    }
}
