//! The list of rules.

use super::{Out, PromptView, prompt_rules, tree_rules, unsent_rules};
use crate::systems::behaviour::spec::TreeFiles;
use assize_core::document::Severity::{self, Error, Note, Warning};

/// One rule.
pub struct Rule {
    /// Its code, which never changes.
    pub code: &'static str,
    /// Its name in words.
    pub name: &'static str,
    /// How bad a finding is, unless a folder says otherwise.
    pub severity: Severity,
    /// Why there is such a rule, in a sentence.
    pub why: &'static str,
    /// The longer text for `--explain`.
    pub explanation: &'static str,
    /// What to write instead.
    pub instead: &'static str,
    pub(super) check: Check,
}

/// What a rule looks at.
#[derive(Clone, Copy)]
pub(super) enum Check {
    /// One prompt file.
    Prompt(fn(&PromptView<'_>, &mut Out<'_>)),
    /// A whole tree.
    Tree(fn(&TreeFiles<'_>, &mut Out<'_>)),
    /// Nothing: findings come from reading the files.
    Reading,
}

/// The rule with a code or a name.
pub fn find_rule(code_or_name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code.eq_ignore_ascii_case(code_or_name) || rule.name == code_or_name)
}

/// What `--explain` prints of a rule, as Markdown.
pub fn explain(code_or_name: &str) -> Option<String> {
    let rule = find_rule(code_or_name)?;
    let severity = match rule.severity {
        Error => "error",
        Warning => "warning",
        Note => "note",
    };
    Some(format!(
        "# {} {} ({severity})\n\n{}\n\n{}\n\nWrite instead: {}\n",
        rule.code, rule.name, rule.why, rule.explanation, rule.instead
    ))
}

/// Every rule, in the order of the codes.
pub const RULES: &[Rule] = &[
    Rule {
        code: "AZ100",
        name: "unreadable",
        severity: Error,
        why: "A prompt that cannot be read cannot be run, and guessing what was meant would judge by another rubric.",
        explanation: "Every line of a prompt belongs under one of its headings: SYSTEM, BEHAVIOR, DESCRIPTION, EVALUATION \
SCOPE with Include and Ignore, RUBRIC with its four parts, EXAMPLES, INPUTS. Text before the first heading, a heading nobody \
knows, the same heading twice and a comment that is never closed are errors.",
        instead: "put the line under the heading it belongs to; `assize migrate` rewrites older prompts",
        check: Check::Reading,
    },
    Rule {
        code: "AZ101",
        name: "missing-section",
        severity: Error,
        why: "A part that is not written down is made up by the judge, differently every time.",
        explanation: "The canonical structure is SYSTEM, BEHAVIOR, DESCRIPTION, EVALUATION SCOPE (Include, Ignore), RUBRIC \
(Automatic fail, Pass conditions, Acceptable variations, Uncertainty policy) and INPUTS. A heading with nothing under it counts as \
missing. The uncertainty policy and the inputs have rules of their own.",
        instead: "add the section in its place in the canonical order",
        check: Check::Prompt(prompt_rules::missing_section),
    },
    Rule {
        code: "AZ102",
        name: "section-order",
        severity: Warning,
        why: "People and scripts find the parts of a prompt by their place, and a rubric after its inputs is read too late.",
        explanation: "The parts stand in the canonical order, so that what the judge must know comes before what it judges.",
        instead: "move the section to its place in the canonical order",
        check: Check::Prompt(prompt_rules::section_order),
    },
    Rule {
        code: "AZ103",
        name: "pass-numbering",
        severity: Error,
        why: "A reason that says \"condition 2 does not hold\" needs a condition 2.",
        explanation: "Pass conditions are a numbered list: 1., 2., 3. All must hold. Bullets, a number twice or a number left out \
make it unclear how many conditions there are.",
        instead: "number the pass conditions 1., 2., 3. without gaps",
        check: Check::Prompt(prompt_rules::pass_numbering),
    },
    Rule {
        code: "AZ104",
        name: "two-behaviours",
        severity: Error,
        why: "One verdict on two questions cannot say which of them failed.",
        explanation: "A judge answers exactly one yes-or-no question. This is reported where a file has two BEHAVIOR lines or \
names two ids in one, and where the pass conditions fall into two groups that share no subject, one of which the description does \
not speak of.",
        instead: "write a prompt file for each behaviour and give each its own benchmark",
        check: Check::Prompt(prompt_rules::two_behaviours),
    },
    Rule {
        code: "AZ105",
        name: "compound-logic",
        severity: Error,
        why: "Under \"any of the following\" each bullet fails a case on its own, so one AND condition split over bullets fails cases that are fine.",
        explanation: "Signs of a split condition: a bullet states only what the source says or lacks, which is no fault of the \
output; a bullet points back (\"this\", \"the gap\", \"the clause\" after \"a clause\"); a bullet only adds that nothing was said \
about it. Bullets that each name a fault of their own are independent and are left alone. docs/lint.md gives the measured precision \
and recall; where the rule is wrong, switch it off for the line.",
        instead: "join the parts into one bullet with an explicit AND",
        check: Check::Prompt(prompt_rules::compound_logic),
    },
    Rule {
        code: "AZ106",
        name: "mixed-and-or",
        severity: Warning,
        why: "\"a and b or c\" has two readings, and two judge models will take one each.",
        explanation: "A bullet or condition that joins with both and and or, with nothing to show which binds first. Writing the \
logic in capitals (AND, OR) and the rest in small letters is clear; so are parentheses.",
        instead: "write the logic out with AND and OR in capitals and group with parentheses, or make two bullets",
        check: Check::Prompt(prompt_rules::mixed_and_or),
    },
    Rule {
        code: "AZ107",
        name: "missing-uncertainty-policy",
        severity: Error,
        why: "Without a policy a judge that cannot tell passes one day and fails the next.",
        explanation: "The policy says what to do when the evidence does not decide: set pass = false and say in the reason that the \
case is uncertain. The verdict then goes to a person.",
        instead: "add `Uncertainty policy:` with: If the information is ambiguous or incomplete, set pass = false and say in the reason that the case is uncertain.",
        check: Check::Prompt(prompt_rules::missing_uncertainty_policy),
    },
    Rule {
        code: "AZ108",
        name: "uncertain-passes",
        severity: Warning,
        why: "An uncertain case that passes hides from the people who should look at it.",
        explanation: "The uncertainty policy must lead to pass = false. Assize counts an uncertain answer as a fail whatever the \
policy says, so a policy that says otherwise only confuses the judge.",
        instead: "say in the policy that pass = false is set when the case cannot be decided",
        check: Check::Prompt(prompt_rules::uncertain_passes),
    },
    Rule {
        code: "AZ109",
        name: "outside-knowledge",
        severity: Warning,
        why: "A judge sees the ground truth, the source and the output; what it believes beyond them cannot be checked.",
        explanation: "Judges compare an output with what was expected. Whether a dose is appropriate or a decision legally sound is \
for the people who wrote the ground truth. The phrases looked for can be extended in .assize-lint.yaml under `outside_knowledge`.",
        instead: "ask whether the output matches the ground truth, and let the ground truth carry the expert's judgement",
        check: Check::Prompt(prompt_rules::outside_knowledge),
    },
    Rule {
        code: "AZ110",
        name: "file-name",
        severity: Warning,
        why: "Benchmarks and people find a prompt by its name.",
        explanation: "A prompt file is named {concept}_prompt.md, with the concept in small letters, digits and underscores.",
        instead: "rename the file to `{concept}_prompt.md`, such as `paid_amount_prompt.md`",
        check: Check::Prompt(prompt_rules::file_name),
    },
    Rule {
        code: "AZ111",
        name: "unknown-prompt-file",
        severity: Error,
        why: "A benchmark whose prompt does not exist cannot be run.",
        explanation: "`llm_prompt_file` is a path from the tree's root, the folder that holds `benchmarks/` and `rubrics/`.",
        instead: "write the path from the tree's root, or add the file",
        check: Check::Tree(tree_rules::unknown_prompt_file),
    },
    Rule {
        code: "AZ112",
        name: "unused-prompt-file",
        severity: Warning,
        why: "A prompt that no benchmark names is never run in the tree, though it looks as if it were.",
        explanation: "Every prompt file below the tree's root should be the `llm_prompt_file` of a benchmark.",
        instead: "name it in a benchmark's `llm_prompt_file`, or delete it",
        check: Check::Tree(tree_rules::unused_prompt_file),
    },
    Rule {
        code: "AZ113",
        name: "weights-sum",
        severity: Error,
        why: "Weights that do not sum to 1 are usually a part added or removed without looking at the rest.",
        explanation: "The weights of a rubric's benchmarks and sub-rubrics sum to 1 (within 0.001), or none has one and all count \
the same. Improvement signals may be counted or not. A run divides by the sum, so the score is right either way; the intention is not.",
        instead: "make the weights sum to 1, or leave all of them out",
        check: Check::Tree(tree_rules::weights_sum),
    },
    Rule {
        code: "AZ114",
        name: "inclusion-criteria",
        severity: Warning,
        why: "Two sentences, one on when and one on what, are what prompts are made from.",
        explanation: "`inclusion_criteria` reads \"Apply when …. Flag if ….\" in prose. Numbered lists belong into the prompt's pass \
conditions, where they are checked.",
        instead: "write `Apply when <the case calls for it>. Flag if <what is wrong>.`",
        check: Check::Tree(tree_rules::inclusion_criteria),
    },
    Rule {
        code: "AZ115",
        name: "duplicate-code",
        severity: Error,
        why: "Results are reported by code; with one code for two things they cannot be told apart.",
        explanation: "Codes of benchmarks and rubrics are unique in the whole tree.",
        instead: "give each benchmark and rubric a code of its own",
        check: Check::Tree(tree_rules::duplicate_code),
    },
    Rule {
        code: "AZ116",
        name: "missing-inputs",
        severity: Warning,
        why: "Without the INPUTS block the prompt cannot be pasted into another tool and still know its inputs.",
        explanation: "INPUTS holds GROUND_TRUTH, SOURCE_NARRATIVE and CANDIDATE_OUTPUT with a placeholder each. Assize puts the \
case there itself, as fenced data, and runs a prompt without the block all the same.",
        instead: "add `INPUTS` with GROUND_TRUTH, SOURCE_NARRATIVE and CANDIDATE_OUTPUT after a `---` line",
        check: Check::Prompt(prompt_rules::missing_inputs),
    },
    Rule {
        code: "AZ117",
        name: "answer-key",
        severity: Warning,
        why: "A prompt that asks for another key than `pass` contradicts the schema the answer is checked against.",
        explanation: "The closing line of older prompts asks for a key of its own, such as {\"medications_correct\": true}. The answer \
is always `pass` and `reason`; the old name goes into the benchmark as `result_key`. Assize does not send the closing line.",
        instead: "remove the closing line and write `result_key:` in the benchmark; `assize migrate` does both",
        check: Check::Prompt(prompt_rules::answer_key),
    },
    Rule {
        code: "AZ118",
        name: "invalid-file",
        severity: Error,
        why: "A benchmark, rubric or configuration with unknown keys or bad values does not do what its author thinks.",
        explanation: "The YAML files of a tree and .assize-lint.yaml are read strictly: unknown keys, missing required ones and values \
out of range are errors, all reported at once.",
        instead: "mend the file; docs/behaviours.md lists the keys",
        check: Check::Reading,
    },
    Rule {
        code: "AZ119",
        name: "unknown-rule",
        severity: Warning,
        why: "A comment that switches off a rule that does not exist switches off nothing.",
        explanation: "`<!-- assize-lint: off AZ105 -->` takes codes or names of rules, separated by spaces or commas.",
        instead: "use a code or name from `docs/lint.md`",
        check: Check::Reading,
    },
    Rule {
        code: "AZ190",
        name: "not-sent",
        severity: Note,
        why: "A line that the judge never sees decides nothing, whatever it says.",
        explanation: "Every line of a prompt is sent to the model, or gives the file its structure, or is listed here with the reason: \
a comment, text in the INPUTS block (the case takes its place), the form of the answer (the schema fixes it).",
        instead: "move what the judge should know into the rubric",
        check: Check::Prompt(unsent_rules::not_sent),
    },
    Rule {
        code: "AZ191",
        name: "example-not-sent",
        severity: Note,
        why: "An example that is not shown to the judge teaches it nothing.",
        explanation: "Two judged examples of a benchmark are shown unless `few_shot` says otherwise, and none where the prompt has EXAMPLES \
of its own.",
        instead: "raise `few_shot`, or put the examples into the prompt",
        check: Check::Tree(unsent_rules::examples_not_sent),
    },
    Rule {
        code: "AZ192",
        name: "unused-field",
        severity: Note,
        why: "A field that has no meaning here changes nothing, though it may look as if it did.",
        explanation: "Benchmarks and rubrics may hold fields of other tools, such as `metric`. They are kept, shown with the run and carried \
through exports. A key that looks like a misspelt one is an error instead.",
        instead: "nothing, if another tool reads it",
        check: Check::Tree(unsent_rules::unused_field),
    },
    Rule {
        code: "AZ193",
        name: "hybrid-without-checks",
        severity: Note,
        why: "A check that code can make costs nothing and always answers the same.",
        explanation: "A `hybrid` benchmark runs its checks first and asks the model where they do not decide. Without checks it is the same \
as `llm_judge`.",
        instead: "list checks under `evaluator_config: {deterministic: [...]}`, or write `evaluator_type: llm_judge`",
        check: Check::Tree(unsent_rules::hybrid_without_checks),
    },
];
