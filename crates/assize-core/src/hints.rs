//! How settings are drawn in a form: hints that a judge puts into the JSON Schema of its settings, under `x-assize`.
//!
//! Without a hint a setting is drawn by its type, with its `title` or its key for a label and its `description` below. A
//! hint says what a type cannot: that a list of names can be chosen from those in the cases, that a number has a unit, that
//! a curve belongs above a slider.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Where hints stand in the schema of a setting.
const KEY: &str = "x-assize";

/// How one setting is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hints {
    /// What it is drawn as, where its type does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<Control>,
    /// The heading it stands under, together with the settings next to it that name the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// What is said below it, in place of the description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// What a number is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<DrawnUnit>,
    /// A slider for a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slider: Option<Slider>,
    /// Whether it only changes what a model is asked, so that no figure of a what-if depends on it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub asked_only: bool,
}

/// What a setting is drawn as.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Control {
    /// Nothing: it holds the name that a profile is saved under.
    ProfileName,
    /// A text of several lines.
    Notes,
    /// Any of the names in the cases, or others.
    Names(NameWords),
    /// Any of the names within those in the cases: the same for all of them, or for each its own.
    NamesWithin {
        /// What is said around them.
        #[serde(flatten)]
        words: NameWords,
        /// The choice that is the same for all.
        all: String,
        /// The choice that is one for each.
        each: String,
    },
}

/// What is said around names to choose from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NameWords {
    /// What the field for names that do not occur is called.
    pub others: String,
    /// What it means that none is chosen.
    pub none: String,
    /// What it means that some are.
    pub some: String,
}

/// What a number is in, as it stands around it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawnUnit {
    /// Before the number.
    pub before: String,
    /// Behind it.
    pub after: String,
    /// In words, behind the label: “in percent”.
    pub words: String,
}

/// A slider.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slider {
    /// How far it goes; the setting itself may go further.
    pub to: f64,
    /// The width of a step.
    pub step: f64,
    /// Whether the what-if's curve over this setting is drawn above it.
    pub curve: bool,
}

impl Hints {
    /// The hints of a setting.
    pub fn of(schema: &Value) -> Self {
        let written = schema.get(KEY).cloned();
        written.map(|hints| serde_json::from_value(hints).expect("hints are written by `hinted`")).unwrap_or_default()
    }

    /// A section to stand in.
    pub fn under(section: &str) -> Self {
        Self { section: Some(section.to_owned()), ..Self::default() }
    }

    /// The same with what is said below the control.
    pub fn about(mut self, about: &str) -> Self {
        self.about = Some(about.to_owned());
        self
    }

    /// The same, drawn as something else than its type.
    pub fn drawn_as(mut self, control: Control) -> Self {
        self.control = Some(control);
        self
    }
}

/// The schema of a setting with its label and how to draw it.
pub fn hinted(mut schema: Value, title: &str, hints: Hints) -> Value {
    schema["title"] = json!(title);
    schema[KEY] = json!(hints);
    schema
}

fn top_level(schema: &Value) -> impl Iterator<Item = (&str, Hints)> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties.map(|(name, field)| (name.as_str(), Hints::of(field)))
}

/// The setting that holds a profile's own name, where there is one.
pub fn profile_name(schema: &Value) -> Option<&str> {
    top_level(schema).find(|(_, hints)| hints.control == Some(Control::ProfileName)).map(|(name, _)| name)
}

/// The setting that a curve is drawn over, where there is one, and its slider.
pub fn curve(schema: &Value) -> Option<(&str, Slider)> {
    top_level(schema).find_map(|(name, hints)| Some((name, hints.slider.filter(|slider| slider.curve)?)))
}

/// Settings without those that no figure of a what-if depends on.
pub fn that_matter(schema: &Value, settings: &Value) -> Value {
    let mut rest = settings.clone();
    if let Some(rest) = rest.as_object_mut() {
        for (name, hints) in top_level(schema) {
            if hints.asked_only || hints.control == Some(Control::ProfileName) {
                rest.remove(name);
            }
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_read_as_they_were_written() {
        let unit = DrawnUnit { before: "± ".into(), after: " %".into(), words: "in percent".into() };
        let slider = Slider { to: 20.0, step: 0.5, curve: true };
        let share = Hints { unit: Some(unit), slider: Some(slider), ..Hints::under("values") };
        let within = Control::NamesWithin {
            words: NameWords { others: "others".into(), none: "none".into(), some: "some".into() },
            all: "for all".into(),
            each: "for each".into(),
        };
        for hints in [Hints::default(), share, Hints::default().drawn_as(within), Hints::under("x").about("")] {
            let schema = hinted(json!({"type": "number"}), "Share", hints.clone());
            assert_eq!((Hints::of(&schema), &schema["title"]), (hints, &json!("Share")));
        }
        assert_eq!(Hints::of(&json!({"type": "number"})), Hints::default());
    }

    #[test]
    fn a_schema_says_which_setting_is_the_name_the_curve_and_no_matter() {
        let slider = Hints { slider: Some(Slider { to: 1.0, step: 0.1, curve: true }), ..Hints::default() };
        let schema = json!({"properties": {
            "called": hinted(json!({}), "", Hints::default().drawn_as(Control::ProfileName)),
            "share": hinted(json!({}), "", slider),
            "notes": hinted(json!({}), "", Hints { asked_only: true, ..Hints::default() }),
            "plain": {},
        }});
        assert_eq!((profile_name(&schema), curve(&schema).map(|(name, _)| name)), (Some("called"), Some("share")));
        let settings = json!({"called": "x", "share": 1, "notes": "y", "plain": true});
        assert_eq!(that_matter(&schema, &settings), json!({"share": 1, "plain": true}));
        assert_eq!((profile_name(&json!({})), curve(&json!({}))), (None, None));
    }
}
