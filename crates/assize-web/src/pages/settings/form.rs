//! Controls for settings, drawn from the JSON Schema that a judge declares and the hints in it.
//!
//! Every control says in `data-setting` which setting it is (keys of nested settings behind slashes) and in `data-kind` how
//! the script reads it. What the script gathers from a form is the settings, whole.

use super::names;
use crate::visible::visible;
use assize_core::hints::{Control, DrawnUnit, Hints, Slider};
use maud::{Markup, html};
use serde_json::Value;

/// What a form shows beside the settings themselves.
pub(super) struct Beside<'f> {
    /// Names in the cases to choose from, each with the names within it.
    pub(super) found: &'f [(String, Vec<String>)],
    /// The curve, above the slider of its setting.
    pub(super) curve: Markup,
}

/// A form for settings that a schema describes.
pub(super) fn of_schema(schema: &Value, settings: &Value, beside: &Beside<'_>) -> Markup {
    let fields: Vec<Field<'_>> = fields(schema, settings, "").collect();
    let sections = fields.chunk_by(|one, next| one.hints.section.is_some() && one.hints.section == next.hints.section);
    html! {
        @for section in sections {
            @match section.first().and_then(|field| field.hints.section.as_ref()) {
                Some(title) => { fieldset { legend { (title) } @for field in section { (control(field, beside)) } } }
                None => { @for field in section { (control(field, beside)) } }
            }
        }
    }
}

/// One setting.
pub(super) struct Field<'f> {
    /// Its keys, with slashes between them.
    pub(super) path: String,
    pub(super) label: String,
    /// What it is for, in a sentence or two; empty for nothing.
    about: String,
    schema: &'f Value,
    hints: Hints,
    pub(super) value: Option<&'f Value>,
}

impl Field<'_> {
    /// The id of the control.
    pub(super) fn id(&self) -> String {
        format!("set-{}", self.path.replace('/', "-"))
    }

    fn text(&self) -> &str {
        self.value.and_then(Value::as_str).unwrap_or_default()
    }
}

fn fields<'f>(schema: &'f Value, settings: &'f Value, within: &str) -> impl Iterator<Item = Field<'f>> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties.map(move |(name, schema)| {
        let hints = Hints::of(schema);
        Field {
            path: format!("{within}{name}"),
            label: schema["title"].as_str().map_or_else(|| words(name), str::to_owned),
            about: hints.about.as_deref().or(schema["description"].as_str()).unwrap_or_default().to_owned(),
            schema,
            hints,
            value: settings.get(name),
        }
    })
}

/// A control as its hint says, or by the type of the setting.
fn control(field: &Field<'_>, beside: &Beside<'_>) -> Markup {
    match &field.hints.control {
        Some(Control::ProfileName) => {
            html! { input type="hidden" value=(field.text()) data-setting=(field.path) data-kind="text"; }
        }
        Some(Control::Notes) => labelled(
            field,
            &field.about,
            html! { textarea id=(field.id()) data-setting=(field.path) data-kind="text" rows="3" { (field.text()) } },
        ),
        Some(Control::Names(said)) => names::names(field, said, beside.found),
        Some(Control::NamesWithin { words, all, each }) => names::names_within(field, words, (all, each), beside.found),
        None => by_type(field, beside),
    }
}

fn by_type(field: &Field<'_>, beside: &Beside<'_>) -> Markup {
    let Field { path, schema, value, about, .. } = field;
    if let Some(choices) = schema["enum"].as_array() {
        return labelled(field, about, choice(field, choices.iter().filter_map(Value::as_str)));
    }
    match (schema["type"].as_str(), &schema["properties"]) {
        (Some("boolean"), _) => switch(field, value.and_then(Value::as_bool).unwrap_or_default()),
        (Some("number"), _) => number(field, beside),
        (Some("string"), _) => {
            let kind = if schema.get("default").is_none() { "optional-text" } else { "text" };
            labelled(
                field,
                about,
                html! { input type="text" id=(field.id()) value=(field.text()) autocomplete="off" data-setting=(path) data-kind=(kind); },
            )
        }
        (Some("array"), _) if schema["items"]["type"] == "string" => {
            let lines: Vec<&str> =
                value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
            labelled(
                field,
                &format!("{about} One in each line."),
                html! { textarea.lines id=(field.id()) rows=(lines.len().max(2)) spellcheck="false" data-setting=(path) data-kind="lines" { (lines.join("\n")) } },
            )
        }
        (Some("object"), Value::Object(_)) => html! {
            fieldset {
                legend { (field.label) }
                @if !about.is_empty() { p.small.faint { (about) } }
                @for field in fields(schema, value.unwrap_or(&Value::Null), &format!("{path}/")) { (control(&field, beside)) }
            }
        },
        _ => {
            let text = super::state::pretty(value.unwrap_or(&Value::Null));
            labelled(
                field,
                &format!("{about} As JSON."),
                html! { textarea.code id=(field.id()) rows=(text.lines().count().max(2)) spellcheck="false" data-setting=(path) data-kind="json" { (text) } },
            )
        }
    }
}

/// `blocker_tolerance` as a person says it.
fn words(name: &str) -> String {
    let spaced = name.replace(['_', '-'], " ");
    let mut letters = spaced.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A label, the control, and what it is for.
fn labelled(field: &Field<'_>, about: &str, control: Markup) -> Markup {
    html! {
        div.setting {
            label.name for=(field.id()) { (field.label) }
            (control)
            @if !about.is_empty() { p.small.faint { (about) } }
        }
    }
}

/// On or off.
fn switch(field: &Field<'_>, on: bool) -> Markup {
    html! {
        div.setting {
            label.switch { input type="checkbox" role="switch" id=(field.id()) checked[on] data-setting=(field.path) data-kind="switch"; (field.label) }
            @if !field.about.is_empty() { p.small.faint { (field.about) } }
        }
    }
}

/// One of a few.
fn choice<'c>(field: &Field<'_>, choices: impl Iterator<Item = &'c str>) -> Markup {
    html! {
        select id=(field.id()) data-setting=(field.path) data-kind="text" {
            @for value in choices { option value=(value) selected[field.text() == value] { (words(value)) } }
        }
    }
}

/// A number, with its unit; between two limits, or where a hint says so, with a slider.
fn number(field: &Field<'_>, beside: &Beside<'_>) -> Markup {
    let limit = |key: &str| field.schema[key].as_f64();
    let (low, high) = (limit("minimum"), limit("maximum"));
    let written = field.value.and_then(Value::as_f64).map(|value| value.to_string()).unwrap_or_default();
    let input = html! { input type="number" id=(field.id()) min=[low] max=[high] step="any" value=(written) data-setting=(field.path) data-kind="number"; };
    let whole = low.zip(high).map(|(low, high)| Slider { to: high, step: (high - low) / 100.0, curve: false });
    let slider = field.hints.slider.or(whole);
    let spoken = match &field.hints.unit {
        Some(DrawnUnit { words, .. }) => format!("{} {words}", field.label),
        None => field.label.clone(),
    };
    html! {
        div.setting {
            div.name-row {
                label.name for=(field.id()) { (field.label) }
                @match &field.hints.unit {
                    Some(unit) => { span.nowrap { (unit.before) (input) (unit.after) } }
                    None => { (input) }
                }
            }
            @if let Some(slider) = slider {
                @if slider.curve { (beside.curve) }
                div.slider { input type="range" min=(low.unwrap_or_default()) max=(slider.to) step=(slider.step) value=(written) data-twin=(field.id()) aria-label=(spoken); }
            }
            @if !field.about.is_empty() { p.small.faint { (field.about) } }
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
    use assize_core::hints::hinted;
    use assize_judges::SYSTEMS;
    use serde_json::json;

    fn drawn(schema: &Value, settings: &Value) -> String {
        let curve = html! { p { "the curve" } };
        of_schema(schema, settings, &Beside { found: &[], curve }).into_string()
    }

    #[test]
    fn every_setting_of_every_judge_has_a_control() {
        for system in SYSTEMS {
            let schema = system.profile_schema();
            let form = drawn(&schema, &assize_core::settings::defaults(&schema));
            for field in fields(&schema, &Value::Null, "") {
                let has = form.contains(&format!("data-setting=\"{}\"", field.path))
                    || form.contains(&format!("data-setting=\"{}/", field.path));
                assert!(has, "{}: {}", system.name(), field.path);
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
        let form = drawn(&schema, &json!({"share": 0.5, "tags": {"<b>": 1}, "texts": {"case": true}}));
        assert!(form.contains("<input type=\"range\" min=\"0\" max=\"1\" step=\"0.01\" value=\"0.5\""), "{form}");
        assert_eq!(form.matches("type=\"range\"").count(), 1);
        assert!(form.contains("data-setting=\"texts/case\" data-kind=\"switch\""), "{form}");
        assert!(form.contains("&lt;b&gt;") && form.contains("data-kind=\"json\""), "{form}");
    }

    #[test]
    fn hints_say_what_a_type_cannot() {
        let number = json!({"type": "number", "minimum": 0, "maximum": 100, "description": "how far off"});
        let unit = DrawnUnit { before: "± ".into(), after: " %".into(), words: "in percent".into() };
        let slider = Slider { to: 20.0, step: 0.5, curve: true };
        let hints = Hints { unit: Some(unit), slider: Some(slider), ..Hints::under("Values") };
        let schema = json!({"properties": {
            "called": hinted(json!({"type": "string"}), "Name", Hints::default().drawn_as(Control::ProfileName)),
            "off": hinted(number, "Tolerance", hints),
            "free": hinted(json!({"type": "boolean", "description": "unsaid"}), "Free", Hints::under("Values").about("")),
            "notes": hinted(json!({"type": "string"}), "Notes", Hints::default().drawn_as(Control::Notes)),
        }});
        let form = drawn(&schema, &json!({"called": "mine", "off": 3.0, "notes": "<i>"}));
        assert!(form.starts_with("<input type=\"hidden\" value=\"mine\" data-setting=\"called\""), "{form}");
        assert_eq!(form.matches("<legend>Values</legend>").count(), 1, "{form}");
        assert!(form.contains("<p>the curve</p><div class=\"slider\"><input type=\"range\" min=\"0\" max=\"20\" step=\"0.5\" value=\"3\""), "{form}");
        assert!(form.contains("aria-label=\"Tolerance in percent\"") && form.contains("± <input"), "{form}");
        assert!(form.contains("how far off") && !form.contains("unsaid"), "{form}");
        assert!(form.contains("data-kind=\"text\" rows=\"3\">&lt;i&gt;</textarea>"), "{form}");
    }
}
