//! Controls for settings, and a form of them drawn from the JSON Schema that a judge declares.
//!
//! Every control says in `data-setting` which setting it is (keys of nested settings behind slashes) and in `data-kind` how
//! the script reads it. What the script gathers from a form is the settings, whole.

use crate::visible::visible;
use maud::{Markup, html};
use serde_json::Value;

/// A form for settings that a schema describes.
pub(super) fn of_schema(schema: &Value, settings: &Value) -> Markup {
    html! { @for (name, field) in properties(schema) { (control(name, name, field, settings.get(name))) } }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&str, &Value)> {
    schema["properties"].as_object().into_iter().flatten().map(|(name, field)| (name.as_str(), field))
}

/// One setting, by its kind.
fn control(path: &str, name: &str, schema: &Value, value: Option<&Value>) -> Markup {
    let label = schema["title"].as_str().map_or_else(|| words(name), str::to_owned);
    let about = schema["description"].as_str().unwrap_or_default();
    let id = identifier(path);
    if let Some(choices) = schema["enum"].as_array() {
        let choices: Vec<(&str, String)> =
            choices.iter().filter_map(Value::as_str).map(|choice| (choice, words(choice))).collect();
        return field(&id, &label, about, choice(path, &choices, value.and_then(Value::as_str)));
    }
    match (schema["type"].as_str(), &schema["properties"]) {
        (Some("boolean"), _) => switch(path, &label, about, value.and_then(Value::as_bool).unwrap_or_default()),
        (Some("number"), _) => {
            let limit = |key: &str| schema[key].as_f64();
            number(path, &label, about, (limit("minimum"), limit("maximum")), value.and_then(Value::as_f64))
        }
        (Some("string"), _) => {
            let optional = schema.get("default").is_none();
            let text = value.and_then(Value::as_str).unwrap_or_default();
            field(
                &id,
                &label,
                about,
                html! { input type="text" id=(id) value=(text) autocomplete="off" data-setting=(path) data-kind=(if optional { "optional-text" } else { "text" }); },
            )
        }
        (Some("array"), _) if schema["items"]["type"] == "string" => {
            let lines: Vec<&str> =
                value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
            let about = format!("{about} One in each line.");
            field(
                &id,
                &label,
                &about,
                html! { textarea.lines id=(id) rows=(lines.len().max(2)) spellcheck="false" data-setting=(path) data-kind="lines" { (lines.join("\n")) } },
            )
        }
        (Some("object"), Value::Object(_)) => html! {
            fieldset {
                legend { (label) }
                @if !about.is_empty() { p.small.faint { (about) } }
                @for (name, field) in properties(schema) { (control(&format!("{path}/{name}"), name, field, value.and_then(|value| value.get(name)))) }
            }
        },
        _ => {
            let text = super::state::pretty(value.unwrap_or(&Value::Null));
            field(
                &id,
                &label,
                &format!("{about} As JSON."),
                html! { textarea.code id=(id) rows=(text.lines().count().max(2)) spellcheck="false" data-setting=(path) data-kind="json" { (text) } },
            )
        }
    }
}

/// `blocker_tolerance` as a person says it.
pub(super) fn words(name: &str) -> String {
    let spaced = name.replace(['_', '-'], " ");
    let mut letters = spaced.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The id of the control of a setting.
pub(super) fn identifier(path: &str) -> String {
    format!("set-{}", path.replace('/', "-"))
}

/// A label, the control, and what it is for.
pub(super) fn field(id: &str, label: &str, about: &str, control: Markup) -> Markup {
    html! {
        div.setting {
            label.name for=(id) { (label) }
            (control)
            @if !about.is_empty() { p.small.faint { (about) } }
        }
    }
}

/// On or off.
pub(super) fn switch(path: &str, label: &str, about: &str, on: bool) -> Markup {
    html! {
        div.setting {
            label.switch { input type="checkbox" role="switch" id=(identifier(path)) checked[on] data-setting=(path) data-kind="switch"; (label) }
            @if !about.is_empty() { p.small.faint { (about) } }
        }
    }
}

/// One of a few.
pub(super) fn choice(path: &str, choices: &[(&str, String)], chosen: Option<&str>) -> Markup {
    html! {
        select id=(identifier(path)) data-setting=(path) data-kind="text" {
            @for (value, words) in choices { option value=(value) selected[chosen == Some(*value)] { (words) } }
        }
    }
}

/// A number; between two limits, with a slider.
fn number(path: &str, label: &str, about: &str, (low, high): (Option<f64>, Option<f64>), value: Option<f64>) -> Markup {
    let id = identifier(path);
    let written = value.map(|value| value.to_string()).unwrap_or_default();
    html! {
        div.setting {
            div.name-row {
                label.name for=(id) { (label) }
                input type="number" id=(id) min=[low] max=[high] step="any" value=(written) data-setting=(path) data-kind="number";
            }
            @if let (Some(low), Some(high)) = (low, high) {
                div.slider { input type="range" min=(low) max=(high) step=((high - low) / 100.0) value=(written) data-twin=(id) aria-label=(label); }
            }
            @if !about.is_empty() { p.small.faint { (about) } }
        }
    }
}

/// Any of several names, and others that are typed.
pub(super) fn checklist(names: &[String], chosen: impl Fn(&str) -> bool, others: &str) -> Markup {
    html! {
        div.checklist {
            @for name in names { label { input type="checkbox" value=(name) checked[chosen(name)]; (visible(name)) } }
            input.others type="text" placeholder="others, separated by commas" aria-label=(others) autocomplete="off" spellcheck="false" data-others;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_judges::SYSTEMS;
    use serde_json::json;

    #[test]
    fn every_setting_of_every_judge_has_a_control() {
        for system in SYSTEMS {
            let schema = system.settings_schema();
            let form = of_schema(&schema, &assize_core::settings::defaults(&schema)).into_string();
            for (name, _) in properties(&schema) {
                let has = form.contains(&format!("data-setting=\"{name}\""))
                    || form.contains(&format!("data-setting=\"{name}/"));
                assert!(has, "{}: {name}", system.name());
            }
        }
    }

    #[test]
    fn controls_are_of_the_kind_of_their_setting() {
        let schema = json!({"properties": {
            "share": {"type": "number", "minimum": 0, "maximum": 1},
            "free": {"type": "number"},
            "tags": {"type": "object", "additionalProperties": {}},
            "texts": {"type": "object", "properties": {"case": {"type": "boolean"}}},
        }});
        let form =
            of_schema(&schema, &json!({"share": 0.5, "tags": {"<b>": 1}, "texts": {"case": true}})).into_string();
        assert!(form.contains("<input type=\"range\" min=\"0\" max=\"1\" step=\"0.01\" value=\"0.5\""), "{form}");
        assert_eq!(form.matches("type=\"range\"").count(), 1);
        assert!(form.contains("data-setting=\"texts/case\" data-kind=\"switch\""), "{form}");
        assert!(form.contains("&lt;b&gt;") && form.contains("data-kind=\"json\""), "{form}");
    }
}
