use super::*;
use proptest::prelude::*;

pub(super) const CANONICAL: &str = "\
SYSTEM: You are a neutral reader of claim notes.
Be strict about the rubric.

Respond only with a single JSON object.

---

BEHAVIOR: paid_amount_correct

DESCRIPTION:
Whether the note gives the amount that was paid.

EVALUATION SCOPE:
Include:
- The paid amount and its currency.
Ignore:
- Layout.

RUBRIC

Automatic fail if any of the following are true:
- The paid amount in the ground truth is missing from the note.
- The note gives another amount.
  - Example: 1,200 instead of 2,100.
  - including an amount in another
    currency

Pass conditions (all must be satisfied):
1. The amount equals the ground truth.
2. The currency is named.

Acceptable variations (still treated as pass):
- Thousands separators.

Uncertainty policy:
If the evidence does not decide, set pass = false and say so in the reason.

---

INPUTS

GROUND_TRUTH:
{ground truth}

SOURCE_NARRATIVE:
{narrative}

CANDIDATE_OUTPUT:
{output}
";

fn read(text: &str) -> BehaviourPrompt {
    let mut problems = Problems::of("x_prompt.md");
    let prompt = BehaviourPrompt::read(text, &mut problems);
    prompt.unwrap_or_else(|| panic!("{:#?}\n{text}", problems.iter().map(ToString::to_string).collect::<Vec<_>>()))
}

fn complaints(text: &str) -> Vec<String> {
    let mut problems = Problems::of("p.md");
    assert!(BehaviourPrompt::read(text, &mut problems).is_none(), "this should not be readable:\n{text}");
    problems.iter().map(|problem| format!("{}", problem)).collect()
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace() && *character != '\u{feff}').collect()
}

fn texts(prompt: &BehaviourPrompt, kind: SectionKind) -> Vec<String> {
    prompt.items(kind).map(|item| item.text.joined()).collect()
}

#[test]
fn the_canonical_file_has_all_its_parts_and_comes_back_to_the_letter() {
    let prompt = read(CANONICAL);
    assert_eq!(prompt.behaviour_id(), Some("paid_amount_correct"));
    assert_eq!(prompt.behaviour_id_span(), Some(Span { line: 8, column: 11, length: 19 }));
    assert_eq!(prompt.description().as_deref(), Some("Whether the note gives the amount that was paid."));
    assert!(prompt.system().unwrap().starts_with("You are a neutral reader"));
    assert_eq!(texts(&prompt, SectionKind::Include), ["The paid amount and its currency."]);
    assert_eq!(texts(&prompt, SectionKind::Ignore), ["Layout."]);
    let fails: Vec<&Item> = prompt.items(SectionKind::AutomaticFail).collect();
    assert_eq!(fails.len(), 2);
    assert_eq!(fails[1].children.len(), 2);
    assert!(fails[1].children[0].example);
    assert_eq!(fails[1].children[1].text.joined(), "including an amount in another currency");
    let numbers: Vec<_> = prompt.items(SectionKind::PassConditions).map(|item| item.number).collect();
    assert_eq!(numbers, [Some(1), Some(2)]);
    assert!(prompt.uncertainty_policy().unwrap().contains("pass = false"));
    assert_eq!(prompt.render(), CANONICAL);
}

#[test]
fn the_rubric_holds_everything_but_system_and_inputs() {
    let rubric = read(CANONICAL).rubric_text();
    assert!(rubric.starts_with("BEHAVIOR: paid_amount_correct\n"));
    assert!(rubric.ends_with("say so in the reason.\n"));
    assert!(!rubric.contains("INPUTS") && !rubric.contains("neutral reader") && !rubric.contains("---"));
}

#[test]
fn variants_found_in_the_wild_are_read() {
    let cut = CANONICAL.split("---\n\nINPUTS").next().unwrap().to_owned();
    let with_line = format!("{cut}Respond with a JSON object: {{\"pass\": true, \"reason\": \"...\"}}\n");
    let fenced = format!("{cut}---\n\nReturn only this:\n```json\n{{\"pass\": true,\n \"reason\": \"x\"}}\n```\n");
    let variants = [
        CANONICAL.replace('\n', "\r\n"),
        format!("\u{feff}{CANONICAL}"),
        cut.clone(),
        with_line.clone(),
        fenced.clone(),
        CANONICAL.replace("- ", "* "),
        CANONICAL.replace("- ", "• "),
        CANONICAL.replace("- ", "– "),
        CANONICAL.replace("1. ", "1) ").replace("2. ", "2) "),
        CANONICAL.to_owned().replace("RUBRIC", "## Rubric").replace("DESCRIPTION:", "### Description"),
        CANONICAL.replace("Automatic fail if any of the following are true:", "**AUTOMATIC FAIL**"),
        CANONICAL.replace("Pass conditions (all must be satisfied):", "**Pass Conditions:**"),
        CANONICAL.replace("Uncertainty policy:\n", "uncertainty policy: "),
        CANONICAL.replace("EVALUATION SCOPE:", "Evaluation scope"),
        CANONICAL.replace("  - Example", "- Example"),
        CANONICAL.replace("BEHAVIOR: ", "Behaviour:\n"),
    ];
    for text in &variants {
        let prompt = read(text);
        assert_eq!(prompt.behaviour_id(), Some("paid_amount_correct"), "{text}");
        assert_eq!(prompt.items(SectionKind::AutomaticFail).count(), 2, "{text}");
        assert_eq!(prompt.items(SectionKind::PassConditions).count(), 2, "{text}");
        assert_eq!(prompt.items(SectionKind::AcceptableVariations).count(), 1, "{text}");
        assert!(prompt.uncertainty_policy().unwrap().ends_with("say so in the reason."), "{text}");
        assert_eq!(squeezed(&prompt.render()), squeezed(text));
    }
    for text in [with_line, fenced] {
        assert!(read(&text).section(SectionKind::AnswerFormat).is_some());
        assert!(!read(&text).rubric_text().contains("JSON"));
    }
}

#[test]
fn an_example_belongs_to_the_bullet_above_it() {
    let prompt = read(&CANONICAL.replace("  - Example", "- Example"));
    let fails: Vec<&Item> = prompt.items(SectionKind::AutomaticFail).collect();
    assert!(fails[1].children[0].example && fails[0].children.is_empty());
}

#[test]
fn comments_stay_in_the_file_and_out_of_the_prompt() {
    let text = CANONICAL
        .replace("- The note gives", "<!-- assize-lint: off AZ105 -->\n- The note <!-- which? --> gives")
        .replace("DESCRIPTION:\n", "DESCRIPTION: <!-- one\nsentence --> \n");
    let prompt = read(&text);
    assert_eq!(texts(&prompt, SectionKind::AutomaticFail)[1], "The note  gives another amount.");
    assert!(!prompt.rubric_text().contains("assize-lint") && !prompt.rubric_text().contains("which?"));
    assert_eq!(squeezed(&prompt.render()), squeezed(&text));
    let switches = LineSwitch::find(&text);
    assert_eq!(switches[0].off, ["AZ105"]);
    assert!(switches[0].covers(switches[0].span.line + 1, "AZ105", "compound-logic"));
    assert!(!switches[0].covers(switches[0].span.line + 2, "AZ105", "compound-logic"));
}

#[test]
fn what_cannot_be_read_is_an_error_with_a_place() {
    let expect = |text: &str, start: &str| {
        let found = complaints(text);
        assert!(found.iter().any(|message| message.starts_with(start)), "expected {start:?} in {found:#?}");
    };
    expect("", "p.md:1:1: the file is empty");
    expect("You are a judge.\nDecide.\n", "p.md:1:1: text outside any section");
    expect(&CANONICAL.replace("RUBRIC", "SCORING RULES:"), "p.md:19:1: `SCORING RULES` is no heading");
    expect(
        &CANONICAL.replace("RUBRIC", "DESCRIPTION: again"),
        "p.md:19:1: a second `DESCRIPTION`; the first is on line 10",
    );
    expect(&CANONICAL.replace("RUBRIC", "<!-- RUBRIC"), "p.md:19:1: this comment is never closed");
    expect(&CANONICAL.replace("RUBRIC", "BEHAVIOR: other"), "p.md:19:1: a second behaviour");
    expect(&CANONICAL.replace("BEHAVIOR: paid_amount_correct", "BEHAVIOR:"), "p.md:8:1: the behaviour has no id");
    expect("SYSTEM: x\n---\nBEHAVIOR: a\n", "p.md:3:1: the prompt has neither");
    expect(&CANONICAL.replace("---\n\nBEHAVIOR", "---\nloose words\nBEHAVIOR"), "p.md:7:1: text outside any section");
}

#[test]
fn a_closing_remark_under_the_pass_conditions_is_kept_apart_from_them() {
    let text = CANONICAL.replace(
        "2. The currency is named.\n",
        "2. The currency is named.\n\nSet `pass = true` only if all conditions hold.\nOtherwise set `pass = false`.\n",
    );
    let prompt = read(&text);
    assert_eq!(prompt.items(SectionKind::PassConditions).count(), 2);
    assert_eq!(squeezed(&prompt.render()), squeezed(&text));
}

fn words() -> impl Strategy<Value = String> {
    "[A-Za-z][a-z]{0,8}( [a-z0-9,]{1,8}){0,6}[.]?"
}

fn list(numbered: bool) -> impl Strategy<Value = String> {
    let mark = prop_oneof![Just("-"), Just("*"), Just("•"), Just("–"), Just("+")];
    let nested = prop::option::of((words(), any::<bool>()));
    prop::collection::vec((words(), nested, any::<bool>()), 1..5).prop_flat_map(move |items| {
        let items = items.clone();
        mark.clone().prop_map(move |mark| {
            let mut text = String::new();
            for (index, (words, nested, comment)) in items.iter().enumerate() {
                let mark = if numbered { format!("{}.", index + 1) } else { mark.to_owned() };
                text.push_str(&format!("{mark} {words}{}\n", if *comment { " <!-- note -->" } else { "" }));
                if let Some((words, example)) = nested {
                    text.push_str(&format!("   - {}{words}\n     and more\n", if *example { "Example: " } else { "" }));
                }
            }
            text
        })
    })
}

proptest! {
    #[test]
    fn any_prompt_comes_back_the_same_apart_from_whitespace(
        system in words(), id in "[a-z]{3,9}_[a-z]{2,9}", description in words(),
        include in list(false), ignore in list(false), fails in list(false), passes in list(true), variations in list(false),
        policy in words(), bold in any::<bool>(), crlf in any::<bool>(), inputs in any::<bool>(), closing in any::<bool>(),
        swap in any::<bool>(),
    ) {
        let heading = |name: &str| if bold { format!("**{}**", name.to_uppercase()) } else { format!("{name}:") };
        let scope = format!("{}\n{}\n{include}{}\n{ignore}", heading("Evaluation scope"), heading("Include"), heading("Ignore"));
        let describe = format!("{}\n{description}\n", heading("Description"));
        let (first, second) = if swap { (&scope, &describe) } else { (&describe, &scope) };
        let mut text = format!(
            "SYSTEM: {system}\n\n---\n\nBEHAVIOR: {id}\n\n{first}\n{second}\nRUBRIC\n\n{}\n{fails}\n{}\n{passes}\n{}\n{variations}\n{}\n{policy}\n",
            heading("Automatic fail if any of the following are true"), heading("Pass conditions"),
            heading("Acceptable variations"), heading("Uncertainty policy"),
        );
        if inputs {
            text.push_str("\n---\n\nINPUTS\n\nGROUND_TRUTH:\n{a}\n\nSOURCE_NARRATIVE:\n{b}\n\nCANDIDATE_OUTPUT:\n{c}\n");
        }
        if closing {
            text.push_str("\nRespond with JSON holding pass and reason.\n");
        }
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        let mut problems = Problems::of("x_prompt.md");
        let prompt = BehaviourPrompt::read(&text, &mut problems);
        prop_assert!(prompt.is_some(), "{:?}\n{}", problems, text);
        let prompt = prompt.unwrap();
        prop_assert_eq!(squeezed(&prompt.render()), squeezed(&text));
        prop_assert_eq!(prompt.behaviour_id(), Some(id.as_str()));
        prop_assert_eq!(prompt.section(SectionKind::AnswerFormat).is_some(), closing);
        // What was rendered reads as the same prompt again.
        let again = read(&prompt.render());
        prop_assert_eq!(again.rubric_text(), prompt.rubric_text());
        prop_assert_eq!(again.render(), prompt.render());
    }

    #[test]
    fn no_text_whatever_makes_the_reader_panic(text in "(\\PC|\n|\t|<!--|-->|- |BEHAVIOR:|---){0,200}") {
        let mut problems = Problems::of("x_prompt.md");
        if let Some(prompt) = BehaviourPrompt::read(&text, &mut problems) {
            prop_assert_eq!(squeezed(&prompt.render()), squeezed(&text));
        }
    }
}
