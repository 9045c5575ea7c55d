//! What is being looked at: a judge, the profile its settings started from, and the settings as they stand.

use crate::app::App;
use crate::failure::Failure;
use crate::profiles::not_saved;
use assize_core::document::{Problem, Severity, Span};
use assize_core::settings::{self, Difference};
use assize_core::{JudgeSystem, hints};
use assize_engine::profiles::{self, Profiles};
use assize_engine::records::SavedProfile;
use serde_json::Value;

/// What the address calls the settings of a judge before anybody changes them, where no profile comes with it.
pub(super) const OWN: &str = "@own";

/// What settings started from.
#[derive(Clone, Debug)]
pub(super) struct Base {
    /// The profile's name.
    pub(super) name: String,
    /// Which version of it, and which is the newest; none for what comes with the judge.
    pub(super) version: Option<(u32, u32)>,
    /// When that version was saved.
    pub(super) saved: Option<String>,
    /// Whether the profile was deleted.
    pub(super) deleted: bool,
}

impl Base {
    fn built_in(name: &str) -> Self {
        Self { name: name.to_owned(), version: None, saved: None, deleted: false }
    }

    /// What people call a profile that comes with a judge.
    pub(super) fn named(name: &str) -> &str {
        if name == OWN { "the judge's own settings" } else { name }
    }

    fn of(profile: &SavedProfile, newest: u32) -> Self {
        Self {
            name: profile.name.clone(),
            version: Some((profile.version, newest)),
            saved: Some(profile.saved.clone()),
            deleted: profile.hidden,
        }
    }

    /// As suites and people write it.
    pub(super) fn title(&self) -> String {
        match self.version {
            Some((version, _)) => format!("{}@{version}", self.name),
            None => Self::named(&self.name).to_owned(),
        }
    }

    /// As the address names it: a version only where it is not the newest.
    pub(super) fn address(&self) -> String {
        match self.version {
            Some((version, newest)) if version != newest || self.deleted => format!("{}@{version}", self.name),
            _ => self.name.clone(),
        }
    }

    /// Whether it is what a run of this profile would use today.
    pub(super) fn is_newest(&self) -> bool {
        self.version.is_none_or(|(version, newest)| version == newest && !self.deleted)
    }
}

/// What is being looked at.
pub(super) struct State {
    pub(super) system: &'static dyn JudgeSystem,
    pub(super) schema: Value,
    pub(super) profiles: Profiles,
    pub(super) base: Base,
    /// The settings of the profile, whole.
    pub(super) saved: Value,
    /// The settings as they stand, whole.
    pub(super) settings: Value,
}

impl State {
    /// A judge's settings as a profile has them; without a name, as the profile that was saved last has them.
    pub(super) fn open(app: &App, system: &'static dyn JudgeSystem, profile: &str) -> Result<Self, Failure> {
        let profiles = Profiles::from(app.store().profiles()?);
        let schema = system.profile_schema();
        let (base, saved) = match profile {
            "" => newest(&profiles, system, &schema),
            named => find(&profiles, system, &schema, named).ok_or_else(|| not_saved(named))?,
        };
        Ok(Self { system, schema, profiles, base, settings: saved.clone(), saved })
    }

    /// Another profile of the same judge: what it is called, and its settings.
    pub(super) fn other(&self, name: &str) -> Option<(Base, Value)> {
        find(&self.profiles, self.system, &self.schema, name)
    }

    /// The profiles there are: those that come with the judge, then the saved ones.
    pub(super) fn choices(&self) -> (Vec<&'static str>, Vec<&SavedProfile>) {
        let mut built_in: Vec<&'static str> = self.system.profiles().into_iter().map(|(name, _)| name).collect();
        if built_in.is_empty() {
            built_in.push(OWN);
        }
        (built_in, self.profiles.newest().filter(|profile| profile.judge == self.system.name()).collect())
    }

    /// The profiles of this judge that were deleted.
    pub(super) fn deleted(&self) -> Vec<&str> {
        let newest_hidden = |name: &str| self.profiles.versions(name).last().is_some_and(|last| last.hidden);
        let mut names: Vec<&str> = self
            .profiles
            .all()
            .filter(|profile| profile.judge == self.system.name())
            .map(|profile| profile.name.as_str())
            .collect();
        names.dedup();
        names.retain(|name| newest_hidden(name));
        names
    }

    /// Takes settings as somebody writes them, or says what is wrong with them.
    pub(super) fn read(&mut self, text: &str) -> Vec<Problem> {
        if let Err(error) = serde_json::from_str::<Value>(text) {
            return vec![no_json(&error)];
        }
        match profiles::read_settings(self.system, text, "settings") {
            Ok(settings) => {
                self.settings = settings::with_defaults(&self.schema, &settings);
                Vec::new()
            }
            Err(problems) => problems.iter().cloned().collect(),
        }
    }

    /// Puts what the address says over the profile. What cannot be is given back as sentences.
    pub(super) fn edit(&mut self, edit: &str) -> Vec<Problem> {
        if edit.is_empty() {
            return Vec::new();
        }
        let mut edited = self.saved.clone();
        match serde_json::from_str::<Value>(edit) {
            Ok(Value::Object(changed)) => {
                for (key, value) in changed {
                    edited[key] = value;
                }
                self.read(&edited.to_string())
            }
            Ok(_) => vec![problem(None, "it is no JSON object")],
            Err(error) => vec![no_json(&error)],
        }
    }

    /// What differs from the profile.
    pub(super) fn changes(&self) -> Vec<Difference> {
        self.changes_since(&self.saved)
    }

    /// The setting that only holds the profile's name, where there is one.
    pub(super) fn name_key(&self) -> Option<&str> {
        hints::profile_name(&self.schema)
    }

    /// What differs between other settings and these; that they are called differently is no difference.
    pub(super) fn changes_since(&self, other: &Value) -> Vec<Difference> {
        let mut changes = settings::differences(other, &self.settings);
        changes.retain(|change| Some(change.key.as_str()) != self.name_key());
        changes
    }
}

fn newest(profiles: &Profiles, system: &dyn JudgeSystem, schema: &Value) -> (Base, Value) {
    let mut saved: Vec<&SavedProfile> = profiles.newest().filter(|profile| profile.judge == system.name()).collect();
    saved.sort_by(|one, other| one.saved.cmp(&other.saved));
    let last = saved.last().and_then(|profile| find(profiles, system, schema, &profile.name));
    last.unwrap_or_else(|| match system.profiles().into_iter().next() {
        Some((name, settings)) => (Base::built_in(name), settings),
        None => (Base::built_in(OWN), settings::defaults(schema)),
    })
}

fn find(profiles: &Profiles, system: &dyn JudgeSystem, schema: &Value, name: &str) -> Option<(Base, Value)> {
    if name == OWN && system.profiles().is_empty() {
        return Some((Base::built_in(OWN), settings::defaults(schema)));
    }
    if let Some((name, settings)) = system.profiles().into_iter().find(|(built_in, _)| *built_in == name) {
        return Some((Base::built_in(name), settings));
    }
    let found = profiles.find(name).filter(|profile| profile.judge == system.name())?;
    let newest = profiles.versions(&found.name).last().map_or(found.version, |last| last.version);
    Some((Base::of(found, newest), settings::with_defaults(schema, &found.settings)))
}

fn no_json(error: &serde_json::Error) -> Problem {
    let words = error.to_string();
    // The place is said beside the words.
    let message = words.split(" at line ").next().unwrap_or(&words).to_owned();
    let (line, column) =
        (u32::try_from(error.line()).unwrap_or(1).max(1), u32::try_from(error.column()).unwrap_or(1).max(1));
    problem(Some(Span::at(line, column)), &format!("this is no JSON: {message}"))
}

fn problem(span: Option<Span>, message: &str) -> Problem {
    Problem { file: "settings".to_owned(), span, severity: Severity::Error, message: message.to_owned(), help: None }
}

/// Settings as JSON that people read: whole numbers without a point.
pub(super) fn pretty(settings: &Value) -> String {
    format!("{:#}", tidied(settings))
}

/// A single value in one line.
pub(super) fn brief(value: &Value) -> String {
    match tidied(value) {
        Value::String(text) if text.is_empty() => "nothing".to_owned(),
        Value::String(text) => text,
        Value::Null => "not set".to_owned(),
        Value::Bool(truth) => (if truth { "yes" } else { "no" }).to_owned(),
        Value::Array(items) if items.is_empty() => "none".to_owned(),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
        }
        Value::Object(members) if members.is_empty() => "none".to_owned(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| format!("{name}: {}", brief(value))).collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    }
}

fn tidied(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(whole) if whole.fract() == 0.0 && whole.abs() < 1e15 => Value::from(whole as i64),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(tidied).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), tidied(value))).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_shown_as_people_say_them() {
        let shown = |value: Value| brief(&value);
        assert_eq!(
            [shown(json!(5.0)), shown(json!(0.25)), shown(json!(true)), shown(json!([]))],
            ["5", "0.25", "yes", "none"]
        );
        assert_eq!(
            shown(json!({"debts": ["lender", "balance"], "income": []})),
            "debts: lender, balance; income: none"
        );
        assert_eq!(pretty(&json!({"a": 0.0, "b": [1.5]})), "{\n  \"a\": 0,\n  \"b\": [\n    1.5\n  ]\n}");
    }

    #[test]
    fn an_address_names_a_version_only_where_it_is_not_the_newest() {
        let base = |version, deleted| Base { name: "acme".into(), version, saved: None, deleted };
        assert_eq!(base(Some((2, 2)), false).address(), "acme");
        assert_eq!(base(Some((1, 2)), false).address(), "acme@1");
        assert_eq!(base(Some((2, 2)), true).address(), "acme@2", "a deleted one is found by its version alone");
        assert_eq!(
            (base(Some((2, 2)), false).title(), Base::built_in(OWN).title()),
            ("acme@2".into(), "the judge's own settings".into())
        );
    }
}
