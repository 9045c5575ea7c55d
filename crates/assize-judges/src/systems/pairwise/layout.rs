//! A pair as it is read: the two answers side by side, and what was said of them in each order.

use super::question::Order;
use super::spec::{MODEL_A, MODEL_B, RESPONSE_A, RESPONSE_B};
use assize_core::layout::{Block, Column, Grid, GridRow, Inputs, Layout, Line, Pane, Piece, Section};
use assize_core::{Rating, ShownCase};
use serde_json::Value;

/// The inputs that make the pair; what else there is was given to both.
const OWN: [&str; 4] = [RESPONSE_A, RESPONSE_B, MODEL_A, MODEL_B];

pub(super) fn layout(shown: &ShownCase<'_>) -> Option<Layout> {
    let pair = shown.labels.get("pair")?;
    let named = |key: &str| pair.get(key).and_then(Value::as_str).unwrap_or_default();
    let (first, second) = (named("first"), named("second"));
    let winner = pair.get("winner").and_then(Value::as_str);
    let orders = [(Order::AsWritten, first), (Order::Swapped, second)];
    let rows: Vec<GridRow> = orders
        .into_iter()
        .filter_map(|(order, shown_first)| {
            let said = shown.labels.get("orders")?.get(order.name())?;
            let chosen = said.get("winner").and_then(Value::as_str);
            // A choice that the other order takes back counts for nobody.
            let rating = if chosen == winner { Rating::Good } else { Rating::Fail };
            let reason = said.get("reason").and_then(Value::as_str).unwrap_or_default();
            let cells = [
                Line::plain(shown_first),
                Line::of([Piece::chip(chosen.unwrap_or("tie"), rating)]),
                Line::of([Piece::quoting(reason)]),
            ];
            Some(GridRow { link: String::new(), cells: cells.map(|line| vec![line]).to_vec() })
        })
        .collect();
    let table = Grid {
        title: "Both orders".to_owned(),
        headed: true,
        columns: ["Shown first", "Chosen", "Why"].map(Column::words).to_vec(),
        rows,
    };
    let inputs = Inputs::of(shown.case);
    let answer = |input: &str, name: &str| Pane { title: name.to_owned(), ..Pane::of_input(input, inputs.text(input)) };
    let others = inputs.iter().filter(|input| !OWN.contains(&input.name.as_str()));
    let given = Section { texts: others.map(|input| input.pane()).collect(), ..Section::default() };
    let findings = if table.rows.is_empty() { Vec::new() } else { vec![Block::Table(table)] };
    let texts = vec![answer(RESPONSE_A, first), answer(RESPONSE_B, second)];
    Some(Layout {
        sections: vec![given, Section { findings, texts, beside: false }],
        inputs: OWN.map(str::to_owned).to_vec(),
        labels: ["pair", "orders"].map(str::to_owned).to_vec(),
        ..Layout::default()
    })
}
