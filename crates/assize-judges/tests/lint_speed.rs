//! A thousand prompt files lint in well under a second.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "a test of speed needs a clock and says what it measured"
)]

use assize_core::SourceFile;
use assize_judges::systems::behaviour::lint::lint;
use std::fmt::Write as _;

fn prompt(number: usize) -> String {
    let mut text = format!(
        "SYSTEM: You are a neutral reader of claim notes.\nUse only what you are given.\n\n---\n\nBEHAVIOR: claim_{number}_correct\n\n\
         DESCRIPTION:\nWhether the note carries the claim's figures.\n\nEVALUATION SCOPE:\nInclude:\n- Amounts and dates.\nIgnore:\n- Layout.\n\n\
         RUBRIC\n\nAutomatic fail if any of the following are true:\n"
    );
    for bullet in 0..8 {
        let _ = writeln!(
            text,
            "- The amount number {bullet} in the note differs from the ground truth or is missing from the note."
        );
        let _ = writeln!(text, "  - Example: {bullet}00 instead of {bullet}50.");
    }
    text.push_str("\nPass conditions (all must be satisfied):\n");
    for condition in 1..=8 {
        let _ = writeln!(text, "{condition}. The amount number {condition} equals the ground truth.");
    }
    text.push_str("\nAcceptable variations (still treated as pass):\n- Thousands separators.\n\nUncertainty policy:\nIf unclear, set pass = false.\n\n");
    text.push_str("---\n\nINPUTS\n\nGROUND_TRUTH:\n{a}\n\nSOURCE_NARRATIVE:\n{b}\n\nCANDIDATE_OUTPUT:\n{c}\n");
    text
}

#[test]
fn a_thousand_prompt_files() {
    let mut files: Vec<SourceFile> = Vec::new();
    for number in 0..1000 {
        files.push(SourceFile { path: format!("tree/prompts/claim_{number}_prompt.md"), text: prompt(number) });
        let text = format!(
            "code: B{number}\nparent_rubric: R\nevaluator_type: llm_judge\nllm_prompt_file: prompts/claim_{number}_prompt.md\n"
        );
        files.push(SourceFile { path: format!("tree/benchmarks/b{number}.yaml"), text });
    }
    files.push(SourceFile { path: "tree/rubrics/r.yaml".into(), text: "code: R\n".into() });
    let prompts: Vec<SourceFile> = files.iter().filter(|file| file.path.ends_with(".md")).cloned().collect();
    let start = std::time::Instant::now();
    assert!(lint(&prompts).is_empty());
    println!("1,000 prompts in {:?}", start.elapsed());
    let start = std::time::Instant::now();
    let findings = lint(&files);
    let took = start.elapsed();
    println!("1,000 prompts and as many benchmarks in {took:?}");
    assert!(findings.is_empty(), "{:?}", &findings[..findings.len().min(3)]);
    // About 0.16 s on a free core; the limit leaves room for a machine that is busy with other tests.
    let limit = if cfg!(debug_assertions) { 60.0 } else { 1.0 };
    assert!(took.as_secs_f64() < limit, "{took:?}");
}
