use super::super::tests::CANONICAL;
use super::super::{BehaviourPrompt, SectionKind};
use super::*;
use crate::systems::behaviour::question::Template;
use assize_core::Case;
use proptest::prelude::*;
use serde_json::Map;

fn read(text: &str) -> BehaviourPrompt {
    let mut problems = Problems::of("x_prompt.md");
    let prompt = BehaviourPrompt::read(text, &mut problems);
    prompt.unwrap_or_else(|| panic!("{:#?}\n{text}", problems.iter().map(ToString::to_string).collect::<Vec<_>>()))
}

/// The question that a model is asked, without the case.
fn asked(prompt: &BehaviourPrompt) -> String {
    let template = Template::new("x", prompt, None);
    let case = Case { id: "c".into(), model: "m".into(), tags: vec![], inputs: Map::new(), metadata: Map::new() };
    template.ask("x", &case).messages.into_iter().map(|message| message.content).collect()
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

/// The use of the line that holds a text.
fn use_of_line(prompt: &BehaviourPrompt, text: &str) -> LineUse {
    prompt.lines.iter().find(|line| line.written.contains(text)).unwrap_or_else(|| panic!("no line {text:?}")).usage
}

/// What must hold of any prompt that can be read.
fn check(text: &str, prompt: &BehaviourPrompt) -> Result<(), TestCaseError> {
    let asked = squeezed(&asked(prompt));
    prop_assert_eq!(prompt.lines.len(), text.lines().count());
    for (line, written) in prompt.lines.iter().zip(text.trim_start_matches('\u{feff}').lines()) {
        prop_assert_eq!(&line.written, written.trim());
        match line.usage {
            LineUse::Sent => {
                let mut shown = super::super::line::without_comments(&line.written);
                // The heading of the system block is not sent, what follows it is.
                if let Some((head, rest)) = shown.split_once(':')
                    && head.trim_matches(['*', '#', '_', ' ']).eq_ignore_ascii_case("system")
                {
                    shown = rest.trim_start_matches('*').to_owned();
                }
                prop_assert!(asked.contains(&squeezed(&shown)), "sent, but not in the question: {:?}\n{}", line, text);
            }
            LineUse::Metadata => {
                let bare = line.written.trim_matches(['*', '#', ':', ' ']).to_uppercase();
                let heading = ["SYSTEM", "INPUTS", "GROUND_TRUTH", "SOURCE_NARRATIVE", "CANDIDATE_OUTPUT"];
                let head = line.written.split(':').next().unwrap_or_default().to_uppercase().replace(' ', "_");
                let structure = bare.is_empty()
                    || heading.contains(&bare.replace(' ', "_").as_str())
                    || heading.contains(&head.as_str()) && is_placeholder(&line.written[head.len() + 1..])
                    || line.written.chars().all(|character| "-*_= ".contains(character))
                    || is_placeholder(&line.written)
                    || line.written.contains("assize-lint:");
                prop_assert!(structure, "metadata that says something: {:?}\n{}", line, text);
            }
            LineUse::NotSent(why) => prop_assert!(why != NotSent::Unread, "unread, and no error: {:?}\n{}", line, text),
        }
    }
    Ok(())
}

#[test]
fn every_line_of_the_canonical_prompt_has_its_use() {
    let prompt = read(CANONICAL);
    check(CANONICAL, &prompt).expect("conserved");
    assert_eq!(prompt.not_sent().count(), 0);
    assert_eq!(use_of_line(&prompt, "SYSTEM: You"), LineUse::Sent);
    assert_eq!(use_of_line(&prompt, "RUBRIC"), LineUse::Sent);
    assert_eq!(use_of_line(&prompt, "{narrative}"), LineUse::Metadata);
}

/// Words that open a section elsewhere are text inside a list, a paragraph or an example.
#[test]
fn a_word_at_the_start_of_a_line_opens_no_section() {
    let labels = [
        "Output",
        "OUTPUT",
        "Ground truth",
        "Candidate output",
        "Source narrative",
        "Output format",
        "Inputs",
        "Answer format",
        "Response format",
        "Description",
        "Scope",
        "Ignore",
        "Include",
        "Uncertainty",
        "Goal",
        "Rubric",
        "Examples",
        "Behavior",
        "System",
    ];
    let places = [
        ("1. The amount equals the ground truth.\n", "", "1. The amount equals the ground truth.\n"),
        (
            "Whether the note gives the amount that was paid.\n",
            "",
            "Whether the note gives the amount that was paid.\n",
        ),
        ("1. The amount equals the ground truth.\n", "   ", "1. The amount equals the ground truth.\n"),
        ("1. The amount equals the ground truth.\n", "\n   ", "1. The amount equals the ground truth.\n"),
        ("- Thousands separators.\n", "- ", "- Thousands separators.\n"),
        ("- Thousands separators.\n", "* ", "- Thousands separators.\n"),
        ("2. The currency is named.\n", "3. ", "2. The currency is named.\n"),
    ];
    for label in labels {
        for (at, lead, before) in &places {
            let text = CANONICAL.replace(at, &format!("{before}{lead}{label}: the zebra is striped.\n"));
            if label == "OUTPUT" && lead.is_empty() {
                continue;
            }
            let prompt = read(&text);
            check(&text, &prompt).expect("conserved");
            assert_eq!(use_of_line(&prompt, "zebra"), LineUse::Sent, "{label}: in\n{text}");
            // An example is part of the condition above it.
            let added = usize::from(*lead == "3. " && label != "Examples");
            assert_eq!(prompt.items(SectionKind::PassConditions).count(), 2 + added, "{text}");
        }
    }
}

#[test]
fn a_paragraph_of_the_rubric_is_sent_whatever_it_starts_with() {
    for paragraph in [
        "Output: the amount and the currency must be there.",
        "Output must name the reason for each pass.",
        "Ground truth: the ledger is right where the two differ.",
        "Candidate output: the note as it was filed.",
        "Output format: the note is a letter, not a table.",
        "Return visits are paid with the first one.",
        "Answer only for what was paid.",
    ] {
        for at in ["\nEVALUATION SCOPE:", "\nAcceptable variations", "\n---\n\nINPUTS"] {
            let text = CANONICAL.replace(at, &format!("\n{paragraph}\n{at}"));
            let prompt = read(&text);
            check(&text, &prompt).expect("conserved");
            assert_eq!(use_of_line(&prompt, paragraph), LineUse::Sent, "{text}");
        }
    }
}

#[test]
fn examples_keep_all_their_lines() {
    let examples = "EXAMPLES:\n\nExample 1 (pass)\nGround truth: {\"paid\": 1200}\nCandidate output: \"We paid 1,200.\"\nOutput: {\"pass\": true, \
\"reason\": \"same amount\"}\n\n---\n\nExample 2 (fail)\n\nGROUND_TRUTH:\n{\"paid\": 1200}\n\nCANDIDATE_OUTPUT:\n\"We paid 2,100.\"\n\nOutput:\n{\"pass\": false, \
\"reason\": \"another amount\"}\nThe last words.\n\n";
    for text in [
        CANONICAL.replace("---\n\nINPUTS", &format!("{examples}---\n\nINPUTS")),
        CANONICAL.replace("---\n\nINPUTS", &format!("{examples}INPUTS")),
        CANONICAL.split("---\n\nINPUTS").next().unwrap().to_owned() + examples,
    ] {
        let prompt = read(&text);
        check(&text, &prompt).expect("conserved");
        assert_eq!(prompt.not_sent().count(), 0, "{:#?}", prompt.not_sent().collect::<Vec<_>>());
        assert!(asked(&prompt).contains("The last words."));
        assert!(squeezed(&asked(&prompt)).contains(&squeezed(examples.trim_start_matches("EXAMPLES:"))));
    }
}

#[test]
fn what_is_not_sent_is_listed_with_the_reason() {
    let text = CANONICAL
        .replace("2. The currency", "<!-- 3. The date is named. -->\n2. The currency")
        .replace("{narrative}", "{narrative}\nThe narrative is in English.")
        .replace("---\n\nINPUTS", "OUTPUT FORMAT:\nReturn JSON {\"amount_ok\": true}.\n\nA note without a date never passes.\n\n---\n\nINPUTS");
    let prompt = read(&text);
    check(&text, &prompt).expect("conserved");
    let listed: Vec<(&str, NotSent)> = prompt.not_sent().map(|(line, why)| (line.written.as_str(), why)).collect();
    assert_eq!(
        listed,
        [
            ("<!-- 3. The date is named. -->", NotSent::Comment),
            ("OUTPUT FORMAT:", NotSent::AnswerFormat),
            ("Return JSON {\"amount_ok\": true}.", NotSent::AnswerFormat),
            ("The narrative is in English.", NotSent::Inputs),
        ]
    );
    assert_eq!(use_of_line(&prompt, "without a date"), LineUse::Sent);
}

/// Every kind of line at every place: what can be read loses nothing, and most of it can be.
#[test]
fn no_line_at_any_place_loses_another() {
    let (mut read, mut tried) = (0, 0);
    for line in [
        "Output: a zebra",
        "Output:",
        "OUTPUT: a zebra",
        "OUTPUT FORMAT: a zebra",
        "OUTPUT FORMAT:",
        "Output format: JSON",
        "- Output: a zebra",
        "Ground truth: a zebra",
        "GROUND_TRUTH: a zebra",
        "GROUND_TRUTH:",
        "Candidate output: a zebra",
        "Inputs: a zebra",
        "Inputs:",
        "INPUTS",
        "Return JSON with `pass` and `reason`.",
        "Return visits: a zebra",
        "Answer: {\"pass\": true}",
        "Ignore: a zebra",
        "Include: a zebra",
        "Description: a zebra",
        "Goal: a zebra",
        "Scope: a zebra",
        "Uncertainty: a zebra",
        "Examples: a zebra",
        "Rubric: a zebra",
        "System: a zebra",
        "Behavior: a zebra",
        "Pass conditions are a zebra",
        "Automatic fail: a zebra",
        "  Output: a zebra",
        "> Output: a zebra",
        "1. Output: a zebra",
        "Note: a zebra",
        "---",
        "<!-- a zebra -->",
        "a zebra",
        "{a zebra}",
        "| Output: | a zebra |",
        "",
        "**Output:** a zebra",
    ] {
        for at in 0..=CANONICAL.lines().count() {
            for padded in [false, true] {
                let mut lines: Vec<&str> = CANONICAL.lines().collect();
                lines.splice(at..at, if padded { vec!["", line, ""] } else { vec![line] });
                let text = lines.join("\n");
                tried += 1;
                if let Some(prompt) = BehaviourPrompt::read(&text, &mut Problems::of("x_prompt.md")) {
                    read += 1;
                    check(&text, &prompt).unwrap_or_else(|error| panic!("{error}"));
                    // Only the form of the answer may be left out of the rubric, and only as a whole.
                    let rubric = CANONICAL.lines().filter(|line| line.starts_with(['-', '1', '2']) && *line != "---");
                    for kept in rubric {
                        assert_eq!(
                            use_of_line(&prompt, kept),
                            LineUse::Sent,
                            "{kept:?} after {line:?} at {at}\n{text}"
                        );
                    }
                }
            }
        }
    }
    assert!(read * 4 > tried * 3, "{read} of {tried} could be read");
}

/// A line that may be put anywhere: half of them have the words of a heading.
fn any_line() -> impl Strategy<Value = String> {
    let label = prop::sample::select(vec![
        "Output",
        "OUTPUT",
        "OUTPUT FORMAT",
        "Output format",
        "Ground truth",
        "GROUND_TRUTH",
        "Candidate output",
        "CANDIDATE_OUTPUT",
        "SOURCE_NARRATIVE",
        "Inputs",
        "INPUTS",
        "Description",
        "Ignore",
        "Include",
        "Uncertainty policy",
        "Pass conditions",
        "Automatic fail",
        "Acceptable variations",
        "EXAMPLES",
        "Example",
        "Goal",
        "Note",
        "System",
        "Answer format",
    ]);
    let lead =
        prop::sample::select(vec!["", "", "- ", "* ", "  ", "   ", "\t", "1. ", "**", "## ", "> ", "<!-- a --> "]);
    let labelled = (lead, label, prop::bool::ANY, "( [a-z]{2,7}){0,4}\\.?")
        .prop_map(|(lead, label, colon, rest)| format!("{lead}{label}{}{rest}", if colon { ":" } else { "" }));
    let fixed = prop::sample::select(vec![
        "",
        "---",
        "```",
        "<!-- note -->",
        "Return JSON with pass and reason.",
        "Respond with {\"pass\": true}",
        "{",
        "}",
        "Never pass without a date.",
        "- Example: one",
        "{placeholder}",
        "Output: {\"pass\": true}",
        "| a | b |",
    ]);
    prop_oneof![3 => labelled, 2 => fixed.prop_map(str::to_owned), 1 => "[A-Za-z ,.:(){}-]{0,40}"]
}

/// A change to a file.
#[derive(Clone, Debug)]
enum Change {
    Insert(String),
    Delete,
    Swap,
    Indent,
    Blank,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => any_line().prop_map(Change::Insert), 1 => Just(Change::Delete), 1 => Just(Change::Swap),
        1 => Just(Change::Indent), 1 => Just(Change::Blank),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_change_to_a_file_loses_a_line(changes in prop::collection::vec((any::<prop::sample::Index>(), change()), 1..6)) {
        let mut lines: Vec<String> = CANONICAL.lines().map(str::to_owned).collect();
        for (index, change) in changes {
            let at = index.index(lines.len());
            match change {
                Change::Insert(line) => lines.insert(at, line),
                Change::Delete => { lines.remove(at); }
                Change::Swap => { let other = (at + 1) % lines.len(); lines.swap(at, other); }
                Change::Indent => lines[at].insert_str(0, "  "),
                Change::Blank => lines.insert(at, String::new()),
            }
        }
        let text = lines.join("\n");
        let mut problems = Problems::of("x_prompt.md");
        if let Some(prompt) = BehaviourPrompt::read(&text, &mut problems) {
            check(&text, &prompt)?;
        }
    }

    #[test]
    fn a_sentence_inside_a_list_or_paragraph_is_sent(line in any_line(), at in 0_usize..6) {
        // Behind a bullet, or on the line after one, nothing but a comment hides a text.
        let anchors = ["- The paid amount and", "- Layout.", "- The note gives", "1. The amount", "2. The currency", "- Thousands"];
        let anchor = CANONICAL.lines().position(|line| line.starts_with(anchors[at])).expect("an anchor");
        let mut lines: Vec<String> = CANONICAL.lines().map(str::to_owned).collect();
        let line = line.replace("<!-- a -->", "").replace("<!-- note -->", "x");
        prop_assume!(!line.trim().is_empty() && !line.trim().starts_with("```"));
        let mark = if lines[anchor].starts_with("- ") { "- " } else { "7. " };
        lines.insert(anchor, format!("{mark}{} zebra", line.trim()));
        let text = lines.join("\n");
        let prompt = read(&text);
        check(&text, &prompt)?;
        prop_assert_eq!(use_of_line(&prompt, "zebra"), LineUse::Sent);
    }
}
