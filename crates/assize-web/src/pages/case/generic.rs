//! What the layout has no place for, shown as it is: inputs in panes, labels by name.

use super::blocks;
use super::marks::marked;
use super::pane::{Whole, plain, said};
use crate::visible::visible;
use assize_core::layout::{Inputs, Pane, Piece};
use assize_judges::evidence::Evidence;
use maud::{Markup, html};
use serde_json::{Map, Value};

/// As many rows of a list as are shown without being asked for all.
const MOST_ROWS: usize = 100;

/// As deep as fields are laid out.
const DEEPEST: usize = 3;

/// A label with more characters than this is folded.
const LONG: usize = 1500;

/// A sentence with more bytes than this is a text.
const LONGEST_SENTENCE: usize = 3000;

/// The panes of the inputs that the layout has not shown.
pub(super) fn panes(inputs: &Inputs, shown: &[&str]) -> Vec<Pane> {
    let left = inputs.iter().filter(|input| !shown.contains(&input.name.as_str()));
    left.map(|input| input.pane()).collect()
}

/// Labels by name, but for those that the layout has shown.
pub(super) fn labels(
    labels: &Map<String, Value>,
    shown: &[&str],
    evidence: &mut Evidence<'_>,
    whole: &Whole,
) -> Option<Markup> {
    let left: Vec<(&String, bool, Markup)> = labels
        .iter()
        .filter(|(name, label)| !shown.contains(&name.as_str()) && !is_empty(label))
        .map(|(name, label)| (name, label.to_string().len() > LONG, value(label, DEEPEST, evidence, whole)))
        .collect();
    let drawn = html! {
        dl.labels {
            @for (name, long, label) in &left {
                dt { (visible(&said(name))) }
                dd { @if *long { details { summary { "show" } (label) } } @else { (label) } }
            }
        }
    };
    (!left.is_empty()).then_some(drawn)
}

/// A value in a line.
pub(super) fn short(value: &Value) -> Markup {
    blocks::piece(&Piece::value(value))
}

/// A sentence with its quotations.
pub(super) fn cited(text: &str, evidence: &mut Evidence<'_>) -> Markup {
    marked(text, &evidence.cite(text))
}

/// A value as it reads best: a sentence, a list, a table, fields, or, where it goes too deep, JSON.
fn value(value: &Value, depth: usize, evidence: &mut Evidence<'_>, whole: &Whole) -> Markup {
    match value {
        Value::String(text) if text.len() <= LONGEST_SENTENCE => cited(text, evidence),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            let items: Vec<Markup> =
                items.iter().take(MOST_ROWS).filter_map(Value::as_str).map(|item| cited(item, evidence)).collect();
            html! { ul { @for item in items { li { (item) } } } }
        }
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => short(value),
        Value::Array(items) => match columns(items) {
            Some(columns) => table(items, &columns, whole),
            None => plain(&Inputs::written(value).0, whole),
        },
        Value::Object(fields) if depth > 0 => {
            let rows: Vec<(&String, Markup)> = fields
                .iter()
                .filter(|(_, field)| !is_empty(field))
                .map(|(name, field)| (name, self::value(field, depth - 1, evidence, whole)))
                .collect();
            html! { dl.fields { @for (name, field) in rows { dt { (visible(&said(name))) } dd { (field) } } } }
        }
        Value::Object(_) | Value::String(_) => plain(&Inputs::written(value).0, whole),
        simple => short(simple),
    }
}

/// The keys of objects that fit into a table.
fn columns(items: &[Value]) -> Option<Vec<&String>> {
    let mut columns: Vec<&String> = Vec::new();
    for item in items {
        for (name, field) in item.as_object()? {
            if field.is_object() {
                return None;
            }
            if !columns.contains(&name) {
                columns.push(name);
            }
        }
    }
    (columns.len() <= 8).then_some(columns)
}

fn table(items: &[Value], columns: &[&String], whole: &Whole) -> Markup {
    let most = if whole.wanted { items.len() } else { MOST_ROWS };
    html! {
        div.scroll tabindex="0" role="region" aria-label="Label" { table {
            thead { tr { @for column in columns { th { (visible(&said(column))) } } } }
            tbody { @for item in items.iter().take(most) { tr { @for column in columns { td { (short(&item[column.as_str()])) } } } } }
        } }
        @if items.len() > most { p.small { "The first " (most) " of " (items.len()) ". " a href=(whole.address) { "Show all" } } }
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn drawn(label: Value) -> String {
        let case = json!({"id": "c", "model": "m", "inputs": {"text": "the dose was 5 mg"}});
        let inputs = Inputs::of(&serde_json::from_value(case).expect("a case"));
        let whole = Whole { wanted: false, address: "?whole=1".into() };
        let labels = json!({"a_label": label, "shown": "elsewhere", "nothing": []});
        let labels = labels.as_object().expect("an object");
        super::labels(labels, &["shown"], &mut Evidence::over(&inputs, None::<&[&str]>), &whole)
            .map_or_else(String::new, Markup::into_string)
    }

    #[test]
    fn labels_read_as_what_they_are() {
        assert!(
            drawn(json!("says “5 mg”")).contains(r#"<dt>a label</dt><dd>says “<mark class="cited" data-link="q0""#)
        );
        assert!(drawn(json!(["one", "two"])).contains("<ul><li>one</li><li>two</li></ul>"));
        assert!(drawn(json!([{"id": 1, "why": "<b>"}])).contains("<td>1</td><td>&lt;b&gt;</td>"));
        assert!(
            drawn(json!({"x": null, "y": {"z": 0.5}}))
                .contains("<dd><dl class=\"fields\"><dt>y</dt><dd><dl class=\"fields\"><dt>z</dt><dd>0.5</dd>")
        );
        assert!(drawn(json!([{"deep": {"er": 1}}])).contains("<pre"));
        assert_eq!(drawn(json!(null)), "");
    }
}
