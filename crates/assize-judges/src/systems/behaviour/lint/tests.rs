use super::*;

const GOOD: &str = "\
SYSTEM: You are a neutral reader of claim notes.

---

BEHAVIOR: paid_amount_correct

DESCRIPTION:
Whether the note gives the amount that was paid.

EVALUATION SCOPE:
Include:
- The paid amount.
Ignore:
- Layout.

RUBRIC

Automatic fail if any of the following are true:
- The note gives another amount than the ground truth.

Pass conditions (all must be satisfied):
1. The amount equals the ground truth.
2. The currency of the amount is named.

Acceptable variations (still treated as pass):
- Thousands separators.

Uncertainty policy:
If the evidence does not decide, set pass = false and say so in the reason.

---

INPUTS

GROUND_TRUTH:
{a}

SOURCE_NARRATIVE:
{b}

CANDIDATE_OUTPUT:
{c}
";

fn file(path: &str, text: impl Into<String>) -> SourceFile {
    SourceFile { path: path.into(), text: text.into() }
}

fn lint_one(text: &str) -> Vec<Finding> {
    lint(&[file("prompts/paid_amount_prompt.md", text)])
}

/// The codes and lines of what is found.
fn found(findings: &[Finding]) -> Vec<(&'static str, u32)> {
    findings.iter().map(|finding| (finding.code, finding.span.line)).collect()
}

fn with_fails(bullets: &[&str]) -> String {
    let list: String = bullets.iter().map(|bullet| format!("- {bullet}\n")).collect();
    GOOD.replace("- The note gives another amount than the ground truth.\n", &list)
}

#[test]
fn a_good_file_is_left_alone() {
    assert_eq!(found(&lint_one(GOOD)), []);
}

#[test]
fn the_rules_have_codes_and_names_of_their_own_and_say_what_to_write() {
    let mut seen = HashSet::new();
    for rule in RULES {
        assert!(seen.insert(rule.code) && seen.insert(rule.name), "{}", rule.code);
        assert!(rule.code.starts_with("AZ1") && rule.code.len() == 5);
        assert!(!rule.why.is_empty() && !rule.explanation.is_empty() && !rule.instead.is_empty());
        assert_eq!(find_rule(rule.name).map(|found| found.code), Some(rule.code));
    }
    assert!(explain("AZ105").unwrap().contains("compound-logic"));
    assert!(explain("AZ999").is_none());
}

#[test]
fn a_condition_split_over_bullets_is_found_and_the_joined_one_and_independent_ones_are_not() {
    let wrong = with_fails(&[
        "Field is blank/null in the output.",
        "Narrative does not contain this information.",
        "Output provides no acknowledgment of the gap.",
    ]);
    let findings = lint_one(&wrong);
    assert_eq!(found(&findings), [("AZ105", 19)]);
    assert_eq!(findings[0].rule, "compound-logic");
    assert!(findings[0].message.starts_with("bullets 1 to 3"));
    assert!(
        findings[0]
            .help
            .contains("Field is blank/null in the output AND narrative does not contain this information AND")
    );
    let correct =
        with_fails(&["Field is blank/null AND narrative lacks information AND output provides no acknowledgment."]);
    assert_eq!(found(&lint_one(&correct)), []);
    let medication = with_fails(&[
        "Any administered medication in the ground truth is missing from the AI output.",
        "A medication in the AI output has a clearly incorrect dose (wrong magnitude or units).",
        "The AI output adds a medication that does not appear in either the ground truth or narrative.",
    ]);
    assert_eq!(found(&lint_one(&medication)), []);
}

#[test]
fn each_rule_on_a_prompt_finds_its_fault_at_its_place() {
    let cases: [(&str, String, &str, u32); 19] = [
        ("no system block", GOOD.replace("SYSTEM: You are a neutral reader of claim notes.\n\n---\n", ""), "AZ101", 1),
        ("empty description", GOOD.replace("Whether the note gives the amount that was paid.\n", ""), "AZ101", 7),
        ("no ignore list", GOOD.replace("Ignore:\n- Layout.\n", ""), "AZ101", 11),
        (
            "no scope",
            GOOD.replace("EVALUATION SCOPE:\nInclude:\n- The paid amount.\nIgnore:\n- Layout.\n", ""),
            "AZ101",
            7,
        ),
        (
            "order",
            GOOD.replace("DESCRIPTION:\nWhether the note gives the amount that was paid.\n\n", "")
                .replace("RUBRIC\n", "DESCRIPTION:\nWhether the amount is given.\n\nRUBRIC\n"),
            "AZ102",
            13,
        ),
        ("bullets for conditions", GOOD.replace("1. ", "- ").replace("2. ", "- "), "AZ103", 21),
        ("a gap in the numbers", GOOD.replace("2. ", "3. "), "AZ103", 23),
        ("two behaviours", GOOD.replace("RUBRIC\n", "BEHAVIOR: other_thing\n\nRUBRIC\n"), "AZ104", 16),
        ("two ids", GOOD.replace("paid_amount_correct", "paid_amount, tone_of_voice"), "AZ104", 5),
        (
            "two questions",
            GOOD.replace(
                "2. The currency of the amount is named.\n",
                "2. The amount has its currency.\n3. The greeting is friendly.\n4. The greeting is short.\n",
            ),
            "AZ104",
            24,
        ),
        (
            "mixed logic",
            with_fails(&["The amount is missing and the date is wrong or the payee is wrong."]),
            "AZ106",
            19,
        ),
        (
            "mixed logic in capitals",
            with_fails(&["The amount is missing AND the date is wrong OR the payee is wrong."]),
            "AZ106",
            19,
        ),
        (
            "no policy",
            GOOD.replace(
                "Uncertainty policy:\nIf the evidence does not decide, set pass = false and say so in the reason.\n",
                "",
            ),
            "AZ107",
            25,
        ),
        (
            "a lenient policy",
            GOOD.replace("set pass = false and say so in the reason", "give the benefit of the doubt"),
            "AZ108",
            28,
        ),
        (
            "outside knowledge",
            GOOD.replace("The amount equals the ground truth.", "The amount is clinically appropriate."),
            "AZ109",
            22,
        ),
        ("no inputs", GOOD.split("---\n\nINPUTS").next().unwrap().to_owned(), "AZ116", 28),
        ("part of the inputs", GOOD.replace("SOURCE_NARRATIVE:\n{b}\n", ""), "AZ116", 28),
        (
            "an old key",
            format!("{GOOD}\nReturn JSON: {{\"paid_amount_ok\": true, \"reason\": \"...\"}}\n"),
            "AZ117",
            44,
        ),
        ("unreadable", GOOD.replace("RUBRIC\n", "GRADING NOTES:\n"), "AZ100", 16),
    ];
    for (what, text, code, line) in cases {
        let findings = lint_one(&text);
        assert!(found(&findings).contains(&(code, line)), "{what}: {:#?}\n{text}", findings);
        let other = |finding: &Finding| finding.code != code && finding.severity != Severity::Note;
        assert!(!findings.iter().any(other), "{what}: {findings:#?}");
    }
}

#[test]
fn names_of_files() {
    for (path, good) in [
        ("paid_amount_prompt.md", true),
        ("a/b/x1_prompt.md", true),
        ("PaidAmount_prompt.md", false),
        ("paid-amount_prompt.md", false),
        ("judge.md", false),
    ] {
        let findings = lint(&[file(path, GOOD)]);
        assert_eq!(findings.iter().any(|finding| finding.code == "AZ110"), !good, "{path}");
    }
    assert!(
        lint(&[file("README.md", "# Notes\n\n```\nBEHAVIOR: x\n```\n")]).is_empty(),
        "a page about prompts is no prompt"
    );
}

const BENCHMARK: &str = "\
code: CN-1
parent_rubric: CN
weight: 0.5
inclusion_criteria: Apply when the claim was paid. Flag if the note gives another amount.
evaluator_type: llm_judge
llm_prompt_file: prompts/paid_amount_prompt.md
";

fn tree() -> Vec<SourceFile> {
    vec![
        file("t/rubrics/cn.yaml", "code: CN\nbenchmarks: [CN-1, CN-2]\n"),
        file("t/benchmarks/a/1.yaml", BENCHMARK),
        file("t/benchmarks/a/2.yaml", BENCHMARK.replace("CN-1", "CN-2")),
        file("t/prompts/paid_amount_prompt.md", GOOD),
    ]
}

#[test]
fn each_rule_on_a_tree_finds_its_fault() {
    assert_eq!(found(&lint(&tree())), []);
    let change = |index: usize, from: &str, to: &str| {
        let mut files = tree();
        assert!(files[index].text.contains(from));
        files[index].text = files[index].text.replace(from, to);
        lint(&files).into_iter().map(|finding| (finding.code, finding.file, finding.span.line)).collect::<Vec<_>>()
    };
    let at = |code, file: &str, line| vec![(code, file.to_owned(), line)];
    assert_eq!(change(1, "paid_amount", "payed_amount"), at("AZ111", "t/benchmarks/a/1.yaml", 6));
    assert_eq!(change(1, "weight: 0.5", "weight: 0.4"), at("AZ113", "t/rubrics/cn.yaml", 1));
    assert_eq!(change(1, "weight: 0.5\n", ""), at("AZ113", "t/rubrics/cn.yaml", 1));
    assert_eq!(change(1, "Apply when the claim was paid. ", ""), at("AZ114", "t/benchmarks/a/1.yaml", 4));
    assert_eq!(change(1, "Flag if the", "Flag if 1) the"), at("AZ114", "t/benchmarks/a/1.yaml", 4));
    assert_eq!(change(2, "CN-2", "CN-1"), at("AZ115", "t/benchmarks/a/2.yaml", 1));
    assert_eq!(change(1, "evaluator_type: llm_judge", "evaluator_type: llm"), at("AZ118", "t/benchmarks/a/1.yaml", 5));
    assert_eq!(change(0, "[CN-1, CN-2]", "[CN-1, CN-2, CN-3]"), at("AZ118", "t/rubrics/cn.yaml", 2));
    assert_eq!(
        change(0, "code: CN\n", "code: CN\nweight: 0\nsub_rubrics: [CN]\n"),
        at("AZ118", "t/rubrics/cn.yaml", 1)
    );
    let mut files = tree();
    files.push(file("t/prompts/forgotten_prompt.md", GOOD));
    assert_eq!(found(&lint(&files)), [("AZ112", 1)]);
    assert_eq!(change(0, "code: CN\n", "code: CN\naggregation_method: MINIMUM\n"), []);
}

#[test]
fn rules_are_switched_by_folder_and_by_line() {
    let wrong = with_fails(&["The source lists a second claim.", "The note does not mention it."]);
    assert_eq!(found(&lint_one(&wrong)), [("AZ105", 19)]);
    let same_line = wrong.replace("second claim.", "second claim. <!-- assize-lint: off compound-logic -->");
    assert_eq!(found(&lint_one(&same_line)), []);
    let line_before = wrong.replace("- The source", "<!-- assize-lint: off AZ105, AZ106 -->\n- The source");
    assert_eq!(found(&lint_one(&line_before)), []);
    let other = wrong.replace("- The source", "<!-- assize-lint: off AZ106 -->\n- The source");
    assert_eq!(found(&lint_one(&other)), [("AZ105", 20)]);
    let unknown = wrong.replace("- The source", "<!-- assize-lint: off AZ905 -->\n- The source");
    assert_eq!(found(&lint_one(&unknown)), [("AZ119", 19), ("AZ105", 20)]);

    let with_config = |config: &str| {
        let files = [file("p/.assize-lint.yaml", config), file("p/q/paid_amount_prompt.md", wrong.clone())];
        lint(&files)
    };
    assert_eq!(found(&with_config("rules: {AZ105: off}\n")), []);
    let warned = with_config("rules: {compound-logic: warning}\n");
    assert_eq!(warned[0].severity, Severity::Warning);
    assert_eq!(found(&with_config("rules: {AZ1O5: off}\n")), [("AZ118", 1), ("AZ105", 19)]);
    let phrase = with_config("outside_knowledge: [second claim]\n");
    assert_eq!(found(&phrase), [("AZ105", 19), ("AZ109", 19)]);
    let nearer = lint(&[
        file("p/.assize-lint.yaml", "rules: {AZ105: off}\n"),
        file("p/q/.assize-lint.yaml", "rules: {AZ105: error}\n"),
        file("p/q/paid_amount_prompt.md", wrong),
    ]);
    assert_eq!(found(&nearer), [("AZ105", 19)]);
}

#[test]
fn a_switch_in_yaml() {
    let mut files = tree();
    files[1].text = BENCHMARK.replace(
        "inclusion_criteria: Apply when the claim was paid. ",
        "# assize-lint: off AZ114\ninclusion_criteria: ",
    );
    assert_eq!(found(&lint(&files)), []);
}

#[test]
fn the_outputs_hold_the_findings() {
    let findings =
        lint_one(&with_fails(&["The source lists a second claim: 100%, paid.", "The note does not mention it."]));
    let json: serde_json::Value = serde_json::from_str(&to_json(&findings)).unwrap();
    let first = &json["findings"][0];
    let keys: Vec<&String> = first.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["code", "rule", "severity", "file", "line", "column", "message", "help"]);
    assert_eq!(
        (first["line"].as_u64(), first["column"].as_u64(), first["severity"].as_str()),
        (Some(19), Some(3), Some("error"))
    );
    let github = to_github(&findings);
    assert!(github.starts_with("::error file=prompts/paid_amount_prompt.md,line=19,col=3,endColumn="), "{github}");
    assert!(github.contains("title=AZ105 compound-logic::") && github.contains("100%25"), "{github}");
    let sarif: serde_json::Value = serde_json::from_str(&to_sarif(&findings)).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let result = &sarif["runs"][0]["results"][0];
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(sarif["runs"][0]["tool"]["driver"]["rules"][index]["id"], "AZ105");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 19);
}

proptest::proptest! {
    #[test]
    fn no_text_whatever_makes_the_linter_or_the_migration_panic(
        text in "(\\PC|\n|- |1\\. |SYSTEM:|BEHAVIOR:|RUBRIC|Automatic fail:|Pass conditions:|Focus on:|\\(Note: |the|it|that|such|not|is|missing from|a|as|---|<!--|:|\\{\\}| ){0,80}",
    ) {
        let files = [
            file("t/x_prompt.md", text.clone()),
            file("t/benchmarks/a.yaml", text.clone()),
            file("t/rubrics/r.yaml", text.clone()),
            file("t/.assize-lint.yaml", text.clone()),
        ];
        let findings = lint(&files);
        to_sarif(&findings);
        to_github(&findings);
        let _ = crate::systems::behaviour::migrate("t/x_prompt.md", &text);
    }

    #[test]
    fn no_list_whatever_makes_the_compound_rule_panic(
        bullets in proptest::collection::vec("((the|a|it|that|this|source|note|is|does|not|no|missing|from|says|left|out|as|'s|who|mention|one) ?){0,12}", 0..6),
    ) {
        let found = compound::split_conditions(&bullets);
        for split in found {
            proptest::prop_assert!(split.count >= 2 && split.first + split.count <= bullets.len());
        }
    }
}
