//! A tree of rubrics, drawn with its weights, thresholds and gates, and with the scores of the newest run that judged by it.

use super::{counted, file_address};
use crate::links;
use crate::rubrics::{Findings, Found, RubricFiles, RubricRun, TreeScores};
use crate::shown::{self, figure, moment};
use assize_core::SourceFile;
use assize_core::document::Problems;
use assize_core::tree::{BenchmarkScore, RubricScore};
use assize_core::{Bounds, Unit};
use assize_engine::records::Calibration;
use assize_judges::systems::behaviour::spec::{Aggregation, Benchmark, Criticality, EvaluatorType, Rubric, TreeFiles};
use maud::{Markup, html};
use std::collections::{BTreeSet, HashSet};

/// Deeper than this no rubric is indented further.
const DEEPEST: usize = 5;

/// A tree as written: as much of it as can be read, from the top rubrics down.
pub(super) struct DrawnTree<'s> {
    files: &'s RubricFiles,
    findings: &'s Findings,
    root: &'s str,
    tree: TreeFiles<'s>,
    /// The newest run with the same top rubrics.
    run: Option<&'s RubricRun>,
}

enum Row<'t> {
    Rubric(usize, &'t Rubric),
    Benchmark(usize, &'t Benchmark),
}

impl<'s> DrawnTree<'s> {
    pub(super) fn new(
        files: &'s RubricFiles,
        root: &'s str,
        sources: &'s [SourceFile],
        findings: &'s Findings,
        runs: &'s [RubricRun],
    ) -> Self {
        let own = sources.iter().filter(|file| files.root_of(&file.path) == Some(root));
        let tree = TreeFiles::read(root, own, &mut Problems::default());
        let mut tree = Self { files, findings, root, tree, run: None };
        let top: BTreeSet<String> = tree.top().map(|rubric| rubric.code.value.clone()).collect();
        tree.run = runs.iter().find(|run| run.top == top);
        tree
    }

    fn top(&self) -> impl Iterator<Item = &Rubric> {
        let below: HashSet<&str> = self
            .tree
            .rubrics
            .iter()
            .flat_map(|rubric| &rubric.sub_rubrics)
            .map(|below| below.code().value.as_str())
            .collect();
        self.tree.rubrics.iter().filter(move |rubric| !below.contains(rubric.code.value.as_str()))
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let mut rows = Vec::new();
        let mut seen: HashSet<&str> = HashSet::new();
        let top: Vec<&Rubric> = self.top().collect();
        for rubric in top {
            self.descend(rubric, 0, &mut rows, &mut seen);
        }
        rows
    }

    fn descend<'t>(&'t self, rubric: &'t Rubric, depth: usize, rows: &mut Vec<Row<'t>>, seen: &mut HashSet<&'t str>) {
        // A rubric below itself is among the findings, and no reason to go on for ever.
        if !seen.insert(&rubric.code.value) {
            return;
        }
        rows.push(Row::Rubric(depth, rubric));
        for benchmark in self.tree.benchmarks.iter().filter(|benchmark| is_member(benchmark, rubric)) {
            if seen.insert(&benchmark.code.value) {
                rows.push(Row::Benchmark(depth + 1, benchmark));
            }
        }
        for below in &rubric.sub_rubrics {
            let code = &below.code().value;
            if let Some(rubric) = self.tree.rubrics.iter().find(|rubric| rubric.code.value == *code) {
                self.descend(rubric, depth + 1, rows, seen);
            }
        }
    }

    /// The files of the tree that its drawing does not show.
    fn left_over(&self, rows: &[Row<'_>]) -> Vec<&str> {
        let mut shown: HashSet<&str> = HashSet::new();
        for row in rows {
            match row {
                Row::Rubric(_, rubric) => _ = shown.insert(&rubric.file),
                Row::Benchmark(_, benchmark) => {
                    shown.insert(&benchmark.file);
                    shown.extend(self.tree.prompt_of(benchmark).map(|prompt| prompt.path.as_str()));
                }
            }
        }
        let files = self.files.in_tree(self.root).map(|(file, _)| file.path.as_str());
        files.filter(|path| !shown.contains(path)).collect()
    }

    pub(super) fn drawn(&self) -> Markup {
        let rows = self.rows();
        let models: Vec<(&String, &TreeScores)> = self.run.iter().flat_map(|run| &run.models).collect();
        let left_over = self.left_over(&rows);
        html! {
            @if let Some(run) = self.run {
                p.small {
                    "Scores of " a href=(links::run(&run.run_id)) { (run.suite) } ", " (moment(&run.started))
                    @if run.calibration == Calibration::Rules { ", judged by rules alone: what only a reader can tell is undecided" }
                    ". It is the newest run with the same top rubrics."
                }
            } @else {
                p.small.faint { "No run has judged by these rubrics yet. Name this folder as " code { "judge.use" } " in a suite to run them." }
            }
            @if !rows.is_empty() {
                div.scroll {
                    table.list.tree-table {
                        thead { tr {
                            th { "Rubric or benchmark" }
                            @for (model, _) in &models { th { (model) } }
                            th.number { "Weight" } th.number { "Passes from" } th { "If it fails" } th { "Decided by" } th { "Findings" }
                        } }
                        tbody { @for row in &rows { (self.row(row, &models)) } }
                    }
                }
            }
            @if !left_over.is_empty() {
                p.small { "In no rubric: "
                    @for (at, path) in left_over.iter().enumerate() {
                        @if at > 0 { ", " }
                        a href=(file_address(&self.files.address(path))) { (self.inner(path)) }
                        @let found = self.findings_of(path);
                        @if !found.is_empty() { " " (counted(found)) }
                    }
                }
            }
        }
    }

    /// A path from the tree's root.
    fn inner<'p>(&self, path: &'p str) -> &'p str {
        path.strip_prefix(self.root).unwrap_or(path).trim_start_matches('/')
    }

    fn findings_of(&self, path: &str) -> &[Found] {
        self.findings.get(path).map(Vec::as_slice).unwrap_or_default()
    }

    fn row(&self, row: &Row<'_>, models: &[(&String, &TreeScores)]) -> Markup {
        match row {
            Row::Rubric(depth, rubric) => html! {
                tr.rubric-row data-row {
                    td { div.tree-part data-depth=(depth.min(&DEEPEST)) {
                        a.main href=(file_address(&self.files.address(&rubric.file))) { (rubric.code.value) }
                        @if let Some(label) = &rubric.label { " " (label) }
                        div.faint.small { (parts_make(rubric.aggregation)) }
                    } }
                    @for (_, scores) in models { td { (rubric_score(scores.rubrics.get(&rubric.code.value))) } }
                    td.number { (weight(rubric.weight.as_ref().map(|weight| weight.value))) }
                    td.number { (rubric.passing_threshold) }
                    td { @if *depth == 0 { "this is the decision" } @else if rubric.hard_gate { (gate(Criticality::HardGate)) } @else { span.faint { "lowers the score above" } } }
                    td { span.faint { "its parts" } }
                    td { (counted(self.findings_of(&rubric.file))) }
                }
            },
            Row::Benchmark(depth, benchmark) => {
                let prompt = self.tree.prompt_of(benchmark).filter(|_| benchmark.evaluator.may_ask());
                html! {
                    tr data-row {
                        td { div.tree-part data-depth=(depth.min(&DEEPEST)) {
                            a.main href=(file_address(&self.files.address(&benchmark.file))) { (benchmark.code.value) }
                            @if let Some(label) = &benchmark.label { " " (label) }
                            @if let Some(prompt) = prompt {
                                div.small { a href=(file_address(&self.files.address(&prompt.path))) { (self.inner(&prompt.path)) }
                                    @let found = self.findings_of(&prompt.path);
                                    @if !found.is_empty() { " " (counted(found)) }
                                }
                            }
                        } }
                        @for (_, scores) in models { td { (benchmark_score(scores.benchmarks.get(&benchmark.code.value))) } }
                        td.number { (weight(benchmark.weight.as_ref().map(|weight| weight.value))) }
                        td.number { (benchmark.threshold) }
                        td { (gate(benchmark.criticality)) }
                        td { (decided_by(benchmark.evaluator)) }
                        td { (counted(self.findings_of(&benchmark.file))) }
                    }
                }
            }
        }
    }
}

fn is_member(benchmark: &Benchmark, rubric: &Rubric) -> bool {
    match &rubric.benchmarks {
        Some(codes) => codes.iter().any(|code| code.value == benchmark.code.value),
        None => benchmark.parent_rubric.as_ref().is_some_and(|parent| parent.value == rubric.code.value),
    }
}

fn parts_make(aggregation: Aggregation) -> &'static str {
    match aggregation {
        Aggregation::WeightedAverage => "the mean of its parts, by weight",
        Aggregation::Minimum => "the worst of its parts",
        Aggregation::Maximum => "the best of its parts",
    }
}

fn weight(weight: Option<f64>) -> Markup {
    html! { @if let Some(weight) = weight { (weight) } @else { span.faint title="Parts without a weight count the same" { "–" } } }
}

fn gate(criticality: Criticality) -> Markup {
    html! { @match criticality {
        Criticality::HardGate => { span.rating data-rating="blocker" { "hard gate" } span.faint { " everything above fails" } },
        Criticality::ThresholdGate => { span.faint { "lowers the score above" } },
        Criticality::ImprovementSignal => { span.faint { "reported only" } },
    } }
}

fn decided_by(evaluator: EvaluatorType) -> &'static str {
    match evaluator {
        EvaluatorType::Code => "checks",
        EvaluatorType::LlmJudge => "a model",
        EvaluatorType::Hybrid => "checks, then a model",
        EvaluatorType::ManualSme => "a person",
    }
}

/// A score, or the bounds of one that is undecided.
fn shown_score(score: Option<f64>, bounds: Option<Bounds>) -> String {
    bounds.map_or_else(|| figure(score), |bounds| Unit::Score.show_bounds(bounds))
}

fn rubric_score(score: Option<&RubricScore>) -> Markup {
    html! { @if let Some(score) = score {
        b { (shown_score(score.score, score.bounds)) } " "
        @match score.passed {
            Some(passed) => { (shown::passed(passed, "passed", "not passed")) },
            None => { span.rating data-rating="acceptable" { "undecided" } },
        }
        @if !score.failed_hard_gates.is_empty() {
            div.small { span.rating data-rating="blocker" { "hard gate failed" } " " (score.failed_hard_gates.join(", ")) }
        }
        @if score.passed.is_none() && !score.waiting.is_empty() { div.small.faint { "waiting for " (score.waiting.join(", ")) } }
    } @else { span.faint { "–" } } }
}

pub(super) fn benchmark_score(score: Option<&BenchmarkScore>) -> Markup {
    let Some(score) = score else { return html! { span.faint { "–" } } };
    let passed = score.n.saturating_sub(score.cases.len() as u64);
    html! {
        @if score.n > 0 || score.bounds.is_some() { b { (shown_score(score.score, score.bounds)) } " " }
        @match (score.passed, score.criticality.as_str()) {
            (Some(true), _) => { span.rating data-rating="good" { "passed" } },
            (Some(false), "hard_gate") => { span.rating data-rating="blocker" { "hard gate failed" } },
            (Some(false), "improvement_signal") => { span.rating data-rating="acceptable" { "below its mark" } },
            (Some(false), _) => { span.rating data-rating="fail" { "failed" } },
            (None, _) if score.undecided.is_empty() => { span.faint { "no case" } },
            (None, _) => { span.rating data-rating="acceptable" { "undecided" } },
        }
        div.small.faint {
            @if score.n > 0 { (passed) " of " (score.n) " pass" }
            @if score.n > 0 && !score.undecided.is_empty() { ", " }
            @if !score.undecided.is_empty() { (score.undecided.len()) " undecided" }
        }
    }
}
