//! The rules on what no model is told, and what is not used: notes, since nothing need be wrong.

use super::{Out, PromptView};
use crate::systems::behaviour::prompt_file::{BehaviourPrompt, LineUse, NotSent, SourceLine};
use crate::systems::behaviour::spec::{EvaluatorType, TreeFiles, Unused};
use crate::systems::behaviour::unsent::benchmark_lines;
use assize_core::document::{Problems, Span};

pub(super) fn not_sent(view: &PromptView<'_>, out: &mut Out<'_>) {
    report(&view.file.path, &view.prompt.lines, out);
}

pub(super) fn examples_not_sent(tree: &TreeFiles<'_>, out: &mut Out<'_>) {
    for benchmark in tree.benchmarks.iter().filter(|benchmark| benchmark.evaluator.may_ask()) {
        let Some(file) = tree.files.get(&benchmark.file) else { continue };
        let prompt = tree.prompt_of(benchmark);
        let prompt = prompt.map(|file| BehaviourPrompt::read_leniently(&file.text, &mut Problems::default()));
        let mut lines = benchmark_lines(&file.text, benchmark, prompt.as_ref());
        // Fields that are not used have a rule of their own.
        lines.retain(|line| line.usage != LineUse::NotSent(NotSent::Unused));
        report(&benchmark.file, &lines, out);
    }
}

/// One finding for each run of lines that are not sent for the same reason.
fn report(file: &str, lines: &[SourceLine], out: &mut Out<'_>) {
    let unsent: Vec<(&SourceLine, NotSent)> = lines
        .iter()
        .filter_map(|line| match line.usage {
            LineUse::NotSent(why) if why != NotSent::Unread => Some((line, why)),
            _ => None,
        })
        .collect();
    for run in unsent.chunk_by(|(a, why), (b, other)| a.number + 1 == b.number && why == other) {
        let [(first, why), ..] = run else { continue };
        let (last, reason) = (run[run.len() - 1].0.number, why.reason());
        let message = if first.number == last {
            format!("this line is not sent: {reason}")
        } else {
            format!("lines {} to {last} are not sent: {reason}", first.number)
        };
        let length = u32::try_from(first.written.chars().count()).unwrap_or(u32::MAX);
        out.push(file, Span { line: first.number, column: 1, length }, message, help(*why));
    }
}

fn help(why: NotSent) -> &'static str {
    match why {
        NotSent::Comment => "take it out of the comment if the judge should know it",
        NotSent::Inputs => "move it above INPUTS, into a section of the rubric, if the judge should know it",
        NotSent::AnswerFormat => "if it says more than the form of the answer, move that into the rubric",
        NotSent::FurtherExample => "raise `few_shot` under `evaluator_config: {llm_judge: ...}` to show more",
        NotSent::OtherExamples => "move it into the prompt's EXAMPLES, or take those out",
        NotSent::NoModel | NotSent::Unused | NotSent::Unread => "take it out if nobody else reads it",
    }
}

pub(super) fn unused_field(tree: &TreeFiles<'_>, out: &mut Out<'_>) {
    let rubrics = tree.rubrics.iter().map(|rubric| (&rubric.file, &rubric.unused));
    let benchmarks = tree.benchmarks.iter().map(|benchmark| (&benchmark.file, &benchmark.unused));
    for (file, unused) in rubrics.chain(benchmarks) {
        for Unused { path, span, .. } in unused {
            let message = format!("`{path}` is kept, but not used");
            out.push(file, *span, message, "nothing to do: other tools may read it, and exports carry it along");
        }
    }
}

pub(super) fn hybrid_without_checks(tree: &TreeFiles<'_>, out: &mut Out<'_>) {
    for benchmark in &tree.benchmarks {
        if benchmark.evaluator == EvaluatorType::Hybrid && benchmark.checks.is_empty() {
            let message = "a hybrid without checks: the model alone decides";
            let help =
                "list checks under `evaluator_config: {deterministic: [...]}`, or write `evaluator_type: llm_judge`";
            out.push(&benchmark.file, benchmark.code.span, message, help);
        }
    }
}
