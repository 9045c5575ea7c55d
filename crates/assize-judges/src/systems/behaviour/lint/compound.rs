//! One AND condition split over several Automatic-fail bullets.
//!
//! "Any of the following" makes every bullet fail a case on its own. A split condition gives itself away because some of
//! its bullets are no fault of the output when read alone: one states what the *source* says or lacks, one points back
//! ("this", "the gap", "the clause" after "a clause"), one only adds that nothing was said about it. Independent failure
//! modes name a fault each: wrong, missing from the output, invented.
//!
//! Every two neighbouring bullets get a score from such signs; runs of linked bullets are what is reported. How well this
//! works is measured on two labelled sets, see `docs/lint.md`.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Bullets that read as one condition: the index of the first, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitCondition {
    /// The first bullet.
    pub first: usize,
    /// How many bullets belong together.
    pub count: usize,
}

/// How strong the signs must be before two bullets count as one condition.
const LINKED: f64 = 2.5;

/// Finds the split conditions in an Automatic-fail list.
pub fn split_conditions<S: AsRef<str>>(bullets: &[S]) -> Vec<SplitCondition> {
    let mut bullets: Vec<Bullet> = bullets.iter().map(|text| Bullet::read(text.as_ref())).collect();
    what_most_bullets_speak_of_is_judged(&mut bullets);
    let mut found = Vec::new();
    let mut first = 0;
    while first < bullets.len() {
        let mut end = first + 1;
        while end < bullets.len() && link(&bullets[end - 1], &bullets[end]) >= LINKED {
            end += 1;
        }
        if end - first >= 2 {
            // What stands before it and need be no fault by itself belongs to it: the condition begins there.
            let free = found.last().map_or(0, |split: &SplitCondition| split.first + split.count);
            let begins = (free..first).rev().take_while(|at| bullets[*at].may_be_a_part()).last().unwrap_or(first);
            found.push(SplitCondition { first: begins, count: end - begins });
        }
        first = end;
    }
    found
}

/// "The letter …" in bullet after bullet: then the letter is what is judged, though elsewhere a letter may be a source.
fn what_most_bullets_speak_of_is_judged(bullets: &mut [Bullet]) {
    let Some(head) = bullets.first().map(|bullet| bullet.head.clone()).filter(|head| !head.is_empty()) else { return };
    let same = bullets.iter().filter(|bullet| bullet.head == head).count();
    if same >= 2 && same * 3 >= bullets.len() * 2 {
        for bullet in bullets.iter_mut().filter(|bullet| bullet.head == head) {
            bullet.subject = Side::Output;
        }
    }
}

/// How much two neighbouring bullets read as parts of one condition.
fn link(above: &Bullet, below: &Bullet) -> f64 {
    let mut score = 0.0;
    if above.goes_on || below.continues {
        score += 3.0;
    }
    if below.points_back {
        score += 3.5;
    }
    if below.takes_up(above) {
        score += if above.is_state() { 2.5 } else { 2.0 };
    }
    if below.speaks_of(above) {
        score += 1.5;
    }
    // What a source says or lacks is no fault of the output: it must be half of something.
    if above.is_condition() || below.is_condition() {
        score += 3.0;
    }
    // A plain state, then "nothing was said about it": the last link of the chain.
    if below.silent && !above.silent {
        score += 1.0;
        if above.is_state() {
            score += if above.head == below.head { 1.0 } else { 2.0 };
        }
    }
    if above.states_a_fact() || below.states_a_fact() {
        score += 1.0;
    }
    if above.blank && below.is_condition() {
        score += 1.0;
    }
    // Two faults are two failure modes, unless something else ties them together.
    if above.fault && below.fault {
        score -= 2.0;
    } else if below.fault && !below.points_back {
        score -= 1.5;
    } else if above.fault {
        score -= 1.0;
    }
    if above.excludes(below) {
        score -= 3.0;
    }
    if above.is_parallel_to(below) {
        score -= 2.5;
    }
    for bullet in [above, below] {
        if bullet.complete {
            score -= 2.0;
        }
    }
    if below.any {
        score -= 2.0;
    }
    score
}

/// Whose state a bullet's subject is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// What the output was made from or is compared with.
    Source,
    /// What is judged.
    Output,
    /// Neither, or both.
    Unclear,
}

#[derive(Debug)]
struct Bullet {
    words: Vec<String>,
    /// Index of the first verb.
    verb: usize,
    /// The noun the bullet is about.
    head: String,
    subject: Side,
    /// Speaks of something a source has: "the passenger's nationality".
    of_source: bool,
    /// Names what is judged anywhere.
    names_output: bool,
    /// Names a fault that stands on its own.
    fault: bool,
    negated: bool,
    /// Says that something was not said, flagged or explained.
    silent: bool,
    /// Its verb is one of saying or holding.
    stating: bool,
    /// "The request is not answered", "the caller is described as …": by whom but the output?
    left_undone: bool,
    /// Says that something is empty or not there.
    blank: bool,
    /// Points to something in an earlier bullet.
    points_back: bool,
    /// Holds both halves of a condition itself: an explicit AND, "although", "while", a relative clause with a fault.
    complete: bool,
    /// Begins with "any": a fault that may occur anywhere.
    any: bool,
    /// Begins with a conjunction, or in the middle of a sentence.
    continues: bool,
    /// Ends with a conjunction, a comma or a semicolon.
    goes_on: bool,
    /// Nouns brought in with "a" or "an", with the words before them.
    introduced: Vec<String>,
    /// Nouns spoken of as known: "the clause", "that weight".
    definite: Vec<String>,
}

impl Bullet {
    fn read(text: &str) -> Self {
        let text = text.trim();
        let words: Vec<String> = words_of(text);
        let lower: Vec<&str> = words.iter().map(String::as_str).collect();
        let verb = first_verb(&lower);
        let phrase = subject_phrase(&lower[..verb]);
        let subject = side_of(phrase);
        let head = phrase.last().map(|word| stem(word).to_owned()).unwrap_or_default();
        let negation = lower.iter().position(|word| NEGATION.contains(word) || word.ends_with("n't"));
        let silent = negation.is_some_and(|at| {
            let after = &lower[at..lower.len().min(at + 7)];
            after.iter().any(|word| SAYING.contains(stem(word)))
                || after.windows(2).any(|pair| pair == ["marked", "as"])
        }) || lower.first().is_some_and(|word| *word == "nothing")
            && lower.iter().any(|word| SAYING.contains(stem(word)));
        let complete = text.contains(" AND ")
            || lower.iter().skip(1).any(|word| HOLDING_BOTH.contains(word))
            || has_relative_fault(&lower)
            || joins_the_output(&lower);
        let mismatch = lower.windows(2).any(|pair| pair[0] == "not" && pair[1].starts_with("match"));
        Self {
            verb,
            head,
            subject,
            of_source: subject == Side::Unclear
                && phrase.iter().any(|word| word.strip_suffix("'s").is_some_and(|owner| SOURCE.contains(owner))),
            names_output: lower.iter().any(|word| OUTPUT.contains(stem(word))),
            // What a source reports may be wrong with anything.
            fault: !(subject == Side::Source && lower.get(verb).is_some_and(|word| STATING.contains(word)))
                && (mismatch
                    || lower.iter().any(|word| is_fault(word))
                    || lower.windows(2).any(|pair| pair == ["left", "out"] || pair == ["off", "by"])
                    || is_depicted_wrongly(&lower, verb)
                    || is_missing_from(&lower)),
            negated: negation.is_some(),
            silent,
            stating: lower.get(verb).is_some_and(|word| STATING.contains(word)),
            left_undone: is_passive(&lower, verb),
            blank: lower.iter().any(|word| BLANK.contains(word)),
            points_back: !complete && points_back(&lower),
            complete,
            any: matches!(lower.first(), Some(&("any" | "one" | "some" | "multiple")))
                || lower.starts_with(&["at", "least"]),
            continues: text.starts_with(|first: char| first.is_lowercase() && first.is_alphabetic())
                && matches!(lower.first(), Some(&("and" | "but" | "yet" | "while" | "also" | "with")))
                || text.starts_with("AND ")
                || text.starts_with("And "),
            goes_on: text.ends_with([',', ';']) || matches!(lower.last(), Some(&("and" | "but"))),
            introduced: nouns_after(&lower, &["a", "an", "another", "second"]),
            definite: nouns_after(&lower, &["the", "that", "this", "its", "these", "those"]),
            words,
        }
    }

    /// What a source says, lacks or asks: true or false of the world, no fault of what is judged.
    fn is_condition(&self) -> bool {
        let source = self.subject == Side::Source || self.of_source && !self.negated && !self.blank;
        source && !self.names_output && !self.fault && !self.complete && !self.left_undone
    }

    /// Something other than the output plainly says or holds something: "The fire report names a cause."
    fn states_a_fact(&self) -> bool {
        self.subject == Side::Unclear && self.stating && self.is_state() && !self.negated && !self.names_output
    }

    /// A plain state, as the first half of a condition often is.
    fn is_state(&self) -> bool {
        !self.fault && !self.complete && !self.silent
    }

    /// Something that need not fail a case on its own: no fault, nothing that may occur anywhere, no relative clause.
    fn may_be_a_part(&self) -> bool {
        let relative = |word: &String| matches!(word.as_str(), "that" | "which" | "who" | "whose");
        !self.fault && !self.complete && !self.any && !self.words.iter().skip(2).any(relative)
    }

    /// Whether it speaks as known of what the other one brought in.
    fn takes_up(&self, above: &Self) -> bool {
        !self.complete
            && self.definite.iter().any(|noun| above.introduced.contains(noun))
            && !self.introduced.iter().any(|noun| above.introduced.contains(noun))
    }

    /// Whether it says something about the other's subject without being about it: "does not mark the income".
    fn speaks_of(&self, above: &Self) -> bool {
        above.is_state()
            && !self.complete
            && !above.head.is_empty()
            && self.head != above.head
            && self.definite.contains(&above.head)
    }

    /// Missing here and wrong there: both cannot be true at once.
    fn excludes(&self, other: &Self) -> bool {
        (self.blank && other.fault && !other.blank || other.blank && self.fault && !self.blank)
            && self.words.iter().any(|word| word.len() > 3 && other.words[..other.verb].contains(word))
    }

    /// The same sentence about something else: a checklist.
    fn is_parallel_to(&self, other: &Self) -> bool {
        let frame = |bullet: &Self| -> Vec<String> {
            bullet.words[bullet.verb.min(bullet.words.len())..].iter().take(4).cloned().collect()
        };
        let (mine, theirs) = (frame(self), frame(other));
        let same_predicate = !mine.is_empty() && mine == theirs;
        let same_start = self.verb > 0
            && self.words[..self.verb] == other.words[..other.verb]
            && self.negated == other.negated
            && mine.first() == theirs.first()
            && mine.get(1) == theirs.get(1);
        let same_no = self.words.first() == other.words.first()
            && self.words.first().is_some_and(|word| word == "no")
            && self.words.last() == other.words.last();
        same_predicate || same_start || same_no
    }
}

pub(super) fn words_of(text: &str) -> Vec<String> {
    text.split(|character: char| !(character.is_alphanumeric() || character == '\'' || character == '’'))
        .map(|word| word.trim_matches(['\'', '’']))
        .filter(|word| !word.is_empty())
        .map(|word| word.to_lowercase().replace('’', "'"))
        .collect()
}

/// A word without its possessive or plural ending, as far as the word lists need it.
pub(super) fn stem(word: &str) -> &str {
    let word = word.strip_suffix("'s").unwrap_or(word);
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 3 && !stem.ends_with(['s', 'u', 'i']) => stem,
        _ => word,
    }
}

fn is_verb(word: &str) -> bool {
    VERBS.contains(word) || word.ends_with("n't")
}

/// The first verb: a known one, or a word in `-s` where a noun cannot stand ("the patch touches files").
pub(super) fn first_verb(words: &[&str]) -> usize {
    let article = |word: &str| matches!(word, "the" | "a" | "an" | "any" | "no" | "this" | "that" | "each" | "every");
    let looks_like_one = |at: usize| {
        let word = words[at];
        let noun_before = at >= 2 || at == 1 && !article(words[0]);
        let known_noun_before =
            at >= 1 && (SOURCE.contains(stem(words[at - 1])) || OUTPUT.contains(stem(words[at - 1])));
        let past = known_noun_before && word.len() > 4 && word.ends_with("ed") && at + 1 < words.len();
        past || noun_before
            && word.len() > 3
            && word.ends_with('s')
            && !word.ends_with("ss")
            && !word.ends_with("'s")
            && !SOURCE.contains(stem(word))
            && !words.get(at + 1).is_some_and(|next| is_verb(next) || BETWEEN.contains(next) && !known_noun_before)
    };
    (0..words.len()).find(|at| is_verb(words[*at]) && *at > 0 || looks_like_one(*at)).unwrap_or(words.len())
}

/// The subject up to its first preposition: "the date" of "the date in the catalogue".
fn subject_phrase<'a, 'w>(subject: &'a [&'w str]) -> &'a [&'w str] {
    // A second article begins a clause of its own: "a wish the client expressed".
    let ends = |at: usize| BETWEEN.contains(subject[at]) || at > 1 && matches!(subject[at], "the" | "a" | "an");
    let end = (0..subject.len()).find(|at| ends(*at)).unwrap_or(subject.len());
    &subject[..end]
}

/// Which side a subject belongs to, by its noun; "text" and the like belong to the word before them.
fn side_of(phrase: &[&str]) -> Side {
    for word in phrase.iter().rev().map(|word| stem(word)) {
        if OUTPUT.contains(word) || OFTEN_OUTPUT.contains(word) && !phrase.iter().any(|w| SOURCE.contains(stem(w))) {
            return Side::Output;
        }
        if SOURCE.contains(word) {
            return Side::Source;
        }
        if !CARRIERS.contains(word) && !OFTEN_OUTPUT.contains(word) {
            break;
        }
    }
    Side::Unclear
}

/// A word that names a fault by itself: one of the list, or one in `mis-`.
pub(super) fn is_fault(word: &str) -> bool {
    FAULT.contains(word) || word.len() > 6 && word.starts_with("mis") && !matches!(word, "missing" | "mission")
}

/// "The caller corrected it and the summary shows the first one": the second half, about the output, is there.
fn joins_the_output(words: &[&str]) -> bool {
    words.iter().enumerate().skip(2).any(|(at, word)| {
        let subject = words[at + 1..].iter().find(|word| **word != "the");
        *word == "and" && subject.is_some_and(|subject| OUTPUT.contains(stem(subject)))
    })
}

/// "a figure that is not in the filing", "who appears in neither": the bullet says itself what is wrong with its noun.
fn has_relative_fault(words: &[&str]) -> bool {
    words.iter().enumerate().skip(1).any(|(at, word)| {
        let relative = match *word {
            "who" | "which" | "whose" => true,
            "that" => {
                words.get(at + 1).is_some_and(|next| {
                    is_verb(next) || SOURCE.contains(stem(next)) || matches!(*next, "the" | "a" | "an" | "no")
                }) && !words.get(at - 1).is_some_and(|before| SAYING.contains(stem(before)) || is_verb(before))
            }
            _ => false,
        };
        relative && words[at..].iter().any(|word| NEGATION.contains(word) || is_fault(word))
    })
}

/// "A malicious event is closed as benign": one thing passed off as another, wherever it occurs.
fn is_depicted_wrongly(words: &[&str], verb: usize) -> bool {
    matches!(words.first(), Some(&("a" | "an" | "any")))
        && words.get(verb).is_some_and(|word| matches!(*word, "is" | "are" | "was" | "were"))
        && words.get(verb + 1).is_some_and(|word| word.ends_with("ed") || word.ends_with("en"))
        && words.get(verb + 2).is_some_and(|word| matches!(*word, "as" | "in"))
}

/// "is missing from", "are absent from": something should be there and is not.
fn is_missing_from(words: &[&str]) -> bool {
    words.windows(2).any(|pair| matches!(pair[0], "missing" | "absent" | "omitted") && pair[1] == "from")
}

/// "is not answered", "is described as": what was done, or left undone, by what is judged.
fn is_passive(words: &[&str], verb: usize) -> bool {
    if !words.get(verb).is_some_and(|word| matches!(*word, "is" | "are" | "was" | "were")) {
        return false;
    }
    let mut rest = words[verb + 1..].iter().peekable();
    let negated = rest.next_if(|word| matches!(**word, "not" | "never")).is_some();
    rest.next().is_some_and(|word| {
        let participle =
            word.ends_with("ed") || matches!(*word, "told" | "given" | "shown" | "asked" | "sent" | "read" | "put");
        negated && participle || DEPICTED.contains(word)
    })
}

/// "this", "it", "the gap": something an earlier bullet must have named.
fn points_back(words: &[&str]) -> bool {
    // "The note does not." says it of what another bullet said.
    let elliptical = words.len() <= 5
        && (words.last().is_some_and(|word| word.ends_with("n't")) || words.last() == Some(&"not") && words.len() > 2);
    elliptical
        || words.iter().enumerate().any(|(at, word)| {
            let next = words.get(at + 1).copied().unwrap_or_default();
            match *word {
                "this" | "these" => true,
                "such" => next != "as",
                "that" | "those" => {
                    at == 0 || next.is_empty() || !is_verb(next) && next.len() > 3 && at + 2 == words.len()
                }
                "it" => {
                    let local = at > 0
                        && matches!(words[at - 1], "in" | "above" | "below" | "under" | "within" | "inside" | "beside");
                    !local && !words[..at].iter().any(|before| matches!(*before, "a" | "an"))
                }
                "one" => at > 0 && at + 1 == words.len(),
                "why" => at + 1 == words.len(),
                "either" => at + 1 == words.len(),
                "the" => at > 1 && GAPS.contains(stem(next)),
                _ => false,
            }
        })
}

/// The nouns after certain words, as far as they can be told: the last word before a verb, a preposition or the end.
fn nouns_after(words: &[&str], openers: &[&str]) -> Vec<String> {
    let mut nouns = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if !openers.contains(word) {
            continue;
        }
        let phrase = words[at + 1..]
            .iter()
            .take(4)
            .take_while(|word| !is_verb(word) && !BETWEEN.contains(*word) && !openers.contains(word));
        if let Some(noun) = phrase.last() {
            nouns.push(stem(noun).to_owned());
        }
    }
    nouns
}

pub(super) type Words = LazyLock<HashSet<&'static str>>;

macro_rules! words {
    ($($list:literal),+ $(,)?) => {
        LazyLock::new(|| [$($list),+].into_iter().flat_map(str::split_ascii_whitespace).collect())
    };
}

static VERBS: Words = words![
    "is are was were be been has have had does do did can cannot could should must may might will would",
    "contains contain lists list states state includes include says say shows show asks ask asked reports reported",
    "gives give provides provide mentions mention mentioned supports support confirms confirm confirmed names",
    "lacks lack fails fail returns return allows allow marks mark marked requires require requested requests wants",
    "wanted told tells describes describe described indicates indicate belongs belong appears appear holds hold",
    "cites cite claims claimed refused refuses agreed agrees denied denies declined declines offers offered invents",
    "omits adds uses used makes made refers attributes assigns swaps leaves labels labelled presents explains explained",
    "complains complained expresses expressed needs needed sets set reads differs contradicts specifies records recorded",
    "left passed expired exists existed received sent paid called booked ordered cancelled tests tested remains",
    "falls exceeds covers covered applies applied identifies recommends recommended assumes treats quotes",
];
static NEGATION: Words =
    words!["no not never without nothing none neither nor fails fail failed lacks lack nowhere cannot"];
static SAYING: Words = words![
    "acknowledge acknowledges acknowledging acknowledgement acknowledgment flag flagged flagging note noted noting mention",
    "mentioned mentioning explain explained explaining explanation reason rationale say said state stated stating indicate",
    "indicated indication disclose disclosed disclaimer document documented label labelled labeled hedge hedged warn warned",
    "warning caveat justification justify justified clarify clarification clarified admit admitted address addressed",
    "comment apologise apology apologize alert notice highlight highlighted qualify qualifier mark marked query queried raise tell told inform informed",
];
static STATING: Words = words![
    "contains contain lists list states includes include says say shows show reports gives names mentions describes",
    "indicates holds requires specifies records sets calls confirms allows bears carries documents notes"
];
static DEPICTED: Words =
    words!["described named listed called labelled labeled identified addressed referred presented portrayed"];
static BLANK: Words = words!["blank null empty missing absent omitted unknown unset unfilled omits none"];
static FAULT: Words = words![
    "wrong wrongly incorrect incorrectly misspelled misspelt misstated misstates overstated overstates understated",
    "understates contradicts contradict contradicted differs differ invents invented fabricates fabricated adds added",
    "omits omitted swaps swapped altered alters malformed misattributed misattributes insults discloses outdated",
    "misquotes misquoted duplicated duplicates hallucinated hallucinates inaccurate inaccurately mistaken mislabels",
    "misrepresents reverses inverts confuses invalid misleading error errors contradictory breaks unsupported another another's unrelated distorts distorted",
    "untranslated unfinished unanswered lost drops dropped removes removed skips reversed replaced twice",
    "different compile changes changed mixes merges merged attributes assigns promises mistranslated",
    "mistranslates truncated",
];
static HOLDING_BOTH: Words =
    words!["although though while where whereas despite but instead rather than when if unless even because yet"];
pub(super) static SOURCE: Words = words![
    "narrative source transcript truth reference record file log document contract filing letter specification spec article",
    "sheet policy booking order invoice chart history database customer caller claimant patient student user policyholder",
    "client buyer applicant employee tenant passenger guest speaker witness carrier supplier vendor conversation call",
    "dialogue ticket request question context evidence manual guideline schema regulation statute lease agreement brief",
    "recording interview receipt catalogue register registry dataset ledger memo handbook form interviewee shopper member",
    "traveller traveler subscriber insured photo photograph image table paper study appendix original bill deed survey",
    "thread observation measurement sensor tenancy quote changelog prescription certificate diary minutes affidavit warrant permit licence license quotation purchase manifest",
    "data feed reading dictation pupil parent owner timesheet calendar itemisation protocol inspection audit donor resident borrower lender landlord driver complainant",
];
static OUTPUT: Words = words![
    "output note summary reply response answer feedback message itinerary candidate ai model agent assistant bot system",
    "draft description translation docstring field extraction headline recommendation verdict caption subtitle abstract",
    "chatbot generated",
];
/// Words that name what is judged where they are the subject, and anything at all elsewhere ("a police report number").
static OFTEN_OUTPUT: Words = words!["email report entry value code function text action label"];
static GAPS: Words = words![
    "gap discrepancy omission delay difference change refusal absence conflict mismatch contradiction inconsistency",
    "uncertainty ambiguity deviation substitution attribution shortfall error mistake problem issue failure limitation",
    "exception assumption restriction concern missing",
];
static BETWEEN: Words = words![
    "of in on at to for from with by as or and who which that into about not no than outside between under over after before",
    "during within without since until despite via per"
];
static CARRIERS: Words = words![
    "text file page section line sentence passage itself copy entry content data provided given supplied attached"
];
