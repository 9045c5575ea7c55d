//! A worked answer: its steps, the equations that do not hold where they stand, the scores, and what should change.

use super::text;
use assize_core::ShownCase;
use assize_core::layout::{Block, Field, Inputs, Layout, Line, ListStyle, Mark, MarkKind, Notes, Pane, Piece, Section};
use assize_core::number::{figure, plural};
use assize_metrics::arithmetic::{self, Equation};
use serde_json::Value;

const LABELS: [&str; 3] = ["arithmetic", "answer", "components_not_mentioned"];

/// Adds the worked answer, where the judge is one of worked answers or measured something in one.
pub(super) fn add(shown: &ShownCase<'_>, inputs: &Inputs, traced: bool, layout: &mut Layout) {
    if !traced && !LABELS.iter().any(|label| shown.labels.contains_key(*label)) {
        return;
    }
    let wrong = wrong_equations(shown);
    let input = self::traced(inputs, &wrong);
    let equations = if wrong.is_empty() { Vec::new() } else { arithmetic::check(inputs.text(input)) };
    // Wrong equations are among the issues too; here they have a list of their own.
    let listed_above =
        |issue: &&str| wrong.iter().any(|wrong| issue.strip_prefix("wrong arithmetic: ") == Some(wrong.text));
    let issues: Vec<&str> = shown.texts("issues").into_iter().filter(|issue| !listed_above(issue)).collect();
    let notes = [
        answer(shown),
        components(shown),
        listed(shown, &wrong, &equations),
        sentences("Issues", &issues),
        sentences("Suggestions", &shown.texts("suggestions")),
    ];
    let notes = notes.into_iter().filter(|notes| !notes.is_empty()).map(Block::Notes);
    let findings = criteria(shown).into_iter().chain(notes).collect();
    let mut texts = Vec::new();
    if shown.case.inputs.contains_key("problem") {
        texts.push(Pane::of_input("problem", inputs.text("problem")));
    }
    let marks = wrong.iter().enumerate().map(|(number, wrong)| {
        Mark::new(wrong.start..wrong.end, MarkKind::Wrong, link(number), why(wrong, &equations))
    });
    texts.push(Pane { marks: marks.collect(), steps: true, ..Pane::of_input(input, inputs.text(input)) });
    layout.sections.push(Section { findings, texts, beside: true });
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    layout.inputs.extend(named(&["problem", "response", "expected_answer", "expected_components"]));
    layout.labels.extend(named(&LABELS));
    layout.labels.extend(named(&["issues", "suggestions"]));
}

/// An equation that does not hold, as the judgment lists it.
struct WrongEquation<'v> {
    text: &'v str,
    start: usize,
    end: usize,
}

fn wrong_equations<'v>(shown: &ShownCase<'v>) -> Vec<WrongEquation<'v>> {
    let listed = shown.labels.get("arithmetic").and_then(|label| label.get("wrong")).and_then(Value::as_array);
    let place =
        |entry: &Value, key: &str| entry.get(key).and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok());
    let read = |entry: &'v Value| {
        Some(WrongEquation { text: text(entry, "text")?, start: place(entry, "start")?, end: place(entry, "end")? })
    };
    listed.into_iter().flatten().filter_map(read).collect()
}

/// The input that was traced: the one in which the equations stand where the judgment says.
fn traced<'i>(inputs: &'i Inputs, wrong: &[WrongEquation<'_>]) -> &'i str {
    let has_all = |text: &str| wrong.iter().all(|wrong| text.get(wrong.start..wrong.end) == Some(wrong.text));
    let mut candidates = inputs.iter().filter(|input| !input.is_json && has_all(&input.text));
    let first = candidates.find(|input| !wrong.is_empty() || input.name == "response");
    first.map_or("response", |input| &input.name)
}

fn link(number: usize) -> String {
    format!("a{number}")
}

/// What each side comes to.
fn why(wrong: &WrongEquation<'_>, equations: &[Equation]) -> String {
    let same = |equation: &&Equation| equation.span == (wrong.start..wrong.end) && !equation.holds;
    match equations.iter().find(same) {
        Some(equation) => format!("does not hold: {} is not {}", equation.left, equation.right),
        None => "does not hold".to_owned(),
    }
}

fn listed(shown: &ShownCase<'_>, wrong: &[WrongEquation<'_>], equations: &[Equation]) -> Notes {
    let checked = shown.labels.get("arithmetic").and_then(|label| label.get("checked")).and_then(Value::as_u64);
    let Some(checked) = checked else { return Notes::default() };
    let found = if wrong.is_empty() { "all of them hold.".to_owned() } else { format!("{} wrong:", wrong.len()) };
    let line = Line::plain(format!("{} checked, {found}", plural(checked, "equation")));
    let items = wrong.iter().enumerate().map(|(number, wrong)| {
        let equation = Piece::marked(wrong.text, MarkKind::Wrong, link(number), "");
        vec![Line::of([equation]).then(Piece::faint(why(wrong, equations)))]
    });
    Notes { items: items.collect(), ..Notes::lines("Arithmetic", [line]) }
}

/// The scores that were given on a scale.
fn criteria(shown: &ShownCase<'_>) -> Option<Block> {
    let scored = shown.metrics.iter().filter(|(_, metric)| metric.raw.is_some());
    let fields: Vec<Field> = scored
        .map(|(name, metric)| {
            let meter = metric.value.map(|value| Piece::Meter { name: name.clone(), value });
            let mut pieces: Vec<Piece> = meter.into_iter().collect();
            pieces.push(Piece::strong(figure(metric.value)));
            if metric.raw != metric.value {
                pieces.extend([Piece::plain(" "), Piece::faint(format!("given as {}", figure(metric.raw)))]);
            }
            Field { name: name.replace('_', " "), note: String::new(), value: Line::of(pieces) }
        })
        .collect();
    (!fields.is_empty()).then(|| Block::Fields { title: "Criteria".to_owned(), fields })
}

fn answer(shown: &ShownCase<'_>) -> Notes {
    let Some(answer) = shown.labels.get("answer") else { return Notes::default() };
    let same = answer.get("same").and_then(Value::as_bool);
    let line = Line::of([
        Piece::plain("Given: "),
        Piece::strong(text(answer, "given").unwrap_or("none found")),
        Piece::plain(". Expected: "),
        Piece::strong(text(answer, "expected").unwrap_or("–")),
        Piece::plain(". "),
        Piece::verdict(same, "the same", "another one", "cannot be told"),
    ]);
    Notes::lines("Final answer", [line])
}

fn components(shown: &ShownCase<'_>) -> Notes {
    let missing = shown.texts("components_not_mentioned");
    let items = shown.case.texts("expected_components").into_iter().map(|component| {
        let mentioned = Piece::verdict(Some(!missing.contains(&component)), "mentioned", "not mentioned", "");
        vec![Line::of([mentioned]).then(Piece::plain(component))]
    });
    Notes::list("Expected components", ListStyle::Plain, items.collect())
}

/// Sentences with their quotations.
fn sentences(title: &str, said: &[&str]) -> Notes {
    let items = said.iter().map(|sentence| vec![Line::of([Piece::quoting(*sentence)])]);
    Notes::list(title, ListStyle::Bullets, items.collect())
}
