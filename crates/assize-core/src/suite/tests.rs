//! Suites as people write them, right and wrong.

use super::*;
use crate::document::parse;

fn read(text: &str) -> Result<Suite, Vec<String>> {
    let mut problems = Problems::of("suite.yaml");
    let suite = parse(text, &mut problems).and_then(|node| Suite::read(&node, &mut problems));
    problems.into_result(suite).map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

#[test]
fn a_full_suite() {
    let suite = read(
        r#"
name: refund-calls
judge:
  use: transcript-quality
  model: [openai:gpt-4o-mini, local:qwen]
  parameters: {seed: 3, max_output_tokens: 500}
  settings: {weights: {fidelity: 1}}
embedder: muse:models/muse
cases: cases/*.jsonl
map: {gold: reference, speaker: ~, "*": ~}
providers:
  local: {base_url: "http://127.0.0.1:8080/v1/", structured: prompt}
gate:
  composite: ">=0.90"
  blockers: 0
"#,
    )
    .expect("valid");
    assert_eq!(
        suite.models.iter().map(|model| model.value.to_string()).collect::<Vec<_>>(),
        ["openai:gpt-4o-mini", "local:qwen"]
    );
    assert_eq!(suite.parameters, Parameters { temperature: Some(0.0), seed: Some(3), max_output_tokens: Some(500) });
    assert_eq!(suite.providers["local"].base_url, "http://127.0.0.1:8080/v1");
    assert_eq!(suite.providers["local"].structured, Structured::Prompt);
    assert_eq!(suite.gate.iter().map(ToString::to_string).collect::<Vec<_>>(), ["composite >= 0.90", "blockers <= 0"]);
    assert!(suite.columns.drop_others && suite.columns.columns["speaker"].is_none());
}

#[test]
fn five_mistakes_are_five_problems_with_places() {
    let problems = read(
        r#"name: ""
judge:
  use: transcript-quality
  modell: offline
  parameters: {temperature: 7}
cases: []
gate:
  composite: 0.9
embedder: labse
"#,
    )
    .expect_err("invalid");
    assert_eq!(
        problems,
        [
            "suite.yaml:1:7: `name` is empty",
            "suite.yaml:5:29: `temperature` must be a number from 0 to 2, found the number 7",
            "suite.yaml:4:3: unknown key `modell` in judge (did you mean `model`?)",
            "suite.yaml:6:8: `cases` is empty: name at least one file, such as `cases.jsonl`",
            "suite.yaml:8:14: `gate.composite` must be a comparison in quotes, such as \">= 0.8\", \"< 3\" or \"= 1\", found the number 0.9",
            "suite.yaml:9:11: `embedder` must be `lexical`, `muse:DIR`, `local:DIR`, `openai:NAME` or `PROVIDER:NAME`, found the text \"labse\"",
        ]
    );
}

#[test]
fn a_draft_with_a_mistake_holds_the_rest_and_becomes_no_suite() {
    let mut problems = Problems::of("suite.yaml");
    let text = "name: a\njudge: {use: x, model: [offline, nonsense]}\ncases: c.jsonl\ngate: {m: 1, k: '< 3'}\n";
    let draft = parse(text, &mut problems).and_then(|node| Draft::read(&node, &mut problems)).expect("a draft");
    assert_eq!(problems.count(), 2);
    assert_eq!((draft.models.len(), draft.gate.len(), draft.cases.len()), (1, 1, 1));
    assert!(draft.into_suite().is_none());
    let suite = Suite::of_judge("one", Placed { value: "x".to_owned(), span: Span::at(1, 1) });
    assert_eq!(Draft::from(suite).into_suite().expect("nothing is wrong").name, "one");
}

#[test]
fn a_key_in_the_place_of_its_variable_is_not_repeated() {
    let problems = read(
        "name: a\njudge: {use: x, model: local:m}\ncases: c.jsonl\nproviders:\n  local:\n    base_url: http://127.0.0.1:1/v1\n    api_key_env: sk-live-secret\n",
    )
    .expect_err("invalid");
    assert!(problems.iter().all(|problem| !problem.contains("sk-live-secret")), "{problems:?}");
    assert!(problems[0].starts_with("suite.yaml:7:18"), "{problems:?}");
}

#[test]
fn an_unknown_provider_is_named_where_it_stands() {
    let problems = read("name: a\njudge: {use: x, model: \"opnai:gpt\"}\ncases: c.jsonl\n").expect_err("invalid");
    assert_eq!(problems, ["suite.yaml:2:24: unknown provider `opnai` (did you mean `openai`?)"]);
}

#[test]
fn the_gate_compares() {
    let suite =
        read("name: a\njudge: {use: x}\ncases: c.jsonl\ngate: {m: '>= 0.85', k: '< 3', e: '= 1'}\n").expect("valid");
    let holds: Vec<bool> =
        suite.gate.iter().zip([0.85, 3.0, 1.0]).map(|(check, value)| check.holds(Some(value))).collect();
    assert_eq!(holds, [true, false, true]);
    assert!(!suite.gate[0].holds(None));
}

#[test]
fn embedders_are_read_and_wrong_ones_named() {
    let with = |embedder: &str| {
        read(&format!(
            "name: a\njudge: {{use: x}}\ncases: c.jsonl\nembedder: '{embedder}'\nproviders:\n  ours: {{base_url: 'http://127.0.0.1:1/v1'}}\n  theirs: {{base_url: 'http://127.0.0.1:1', api: anthropic}}\n  local: {{base_url: 'http://127.0.0.1:1/v1'}}\n"
        ))
    };
    let read = |embedder: &str| with(embedder).map(|suite| suite.embedder.value);
    let remote = |provider: &str, name: &str| {
        Ok(EmbedderChoice::Remote(JudgeModel::Remote { provider: provider.to_owned(), name: name.to_owned() }))
    };
    assert_eq!(read("lexical"), Ok(EmbedderChoice::Lexical));
    assert_eq!(read("openai:text-embedding-3-small"), remote("openai", "text-embedding-3-small"));
    assert_eq!(read("ours:nomic:v1.5"), remote("ours", "nomic:v1.5"));
    // A provider of that name takes nothing away from the folders.
    assert_eq!(read("local:models/minilm"), Ok(EmbedderChoice::Folder("local:models/minilm".to_owned())));
    let wrong = |embedder: &str| with(embedder).expect_err("wrong").join("\n");
    let must =
        "suite.yaml:4:11: `embedder` must be `lexical`, `muse:DIR`, `local:DIR`, `openai:NAME` or `PROVIDER:NAME`";
    assert_eq!(wrong("openai:"), format!("{must}, found the text \"openai:\""));
    assert_eq!(wrong("opnai:x"), format!("{must}, and `opnai` is no provider (did you mean `openai`?)"));
    assert!(
        wrong("glove:x").ends_with("(declare `glove` under `providers:` with its `base_url`)"),
        "{}",
        wrong("glove:x")
    );
    for embedder in ["anthropic:x", "theirs:x"] {
        let said = wrong(embedder);
        assert!(said.contains("gives no embeddings (servers with"), "{said}");
    }
}
