//! Profiles: named, versioned settings that a suite names instead of writing them out.
//!
//! `profile: NAME` in a suite's settings means the newest version, `profile: NAME@3` a certain one. What it holds is put under
//! the keys that the suite itself sets, and the run's record names the version, so that an old run can be made again.

use crate::records::SavedProfile;
use assize_core::document::{Key, Node, NodeValue, Problems, Span, closest, parse};
use assize_core::{JudgeSystem, hints, settings};
use assize_judges::SYSTEMS;
use serde_json::Value;

/// Longer names do not fit on a screen.
const LONGEST_NAME: usize = 60;

/// The profiles a run can name.
#[derive(Clone, Debug, Default)]
pub struct Profiles(Vec<SavedProfile>);

impl From<Vec<SavedProfile>> for Profiles {
    fn from(saved: Vec<SavedProfile>) -> Self {
        Self(saved)
    }
}

impl Profiles {
    /// The version that `NAME` or `NAME@VERSION` means. A deleted profile is found only by its version.
    pub fn find(&self, written: &str) -> Option<&SavedProfile> {
        let (name, version) = match written.split_once('@') {
            Some((name, version)) => (name, Some(version.parse::<u32>().ok()?)),
            None => (written, None),
        };
        let mut named = self.0.iter().filter(|profile| profile.name == name);
        match version {
            Some(version) => named.find(|profile| profile.version == version),
            None => named.rfind(|profile| !profile.hidden),
        }
    }

    /// The newest version of each profile that was not deleted.
    pub fn newest(&self) -> impl Iterator<Item = &SavedProfile> {
        self.0.iter().filter(|profile| self.find(&profile.name).is_some_and(|found| found.version == profile.version))
    }

    /// Every version of every profile, by name and version.
    pub fn all(&self) -> impl Iterator<Item = &SavedProfile> {
        self.0.iter()
    }

    /// All versions of a profile, oldest first.
    pub fn versions<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p SavedProfile> {
        self.0.iter().filter(move |profile| profile.name == name)
    }

    /// Whether settings can be saved under a name, and whether that makes a new version. What is wrong is a sentence.
    pub fn saving(&self, judge: &str, name: &str, settings: &Value) -> Result<Saving, String> {
        let plain = name.chars().all(|c| c.is_alphanumeric() || "-_. ".contains(c)) && name.trim() == name;
        if name.is_empty() || name.chars().count() > LONGEST_NAME || !plain {
            return Err(format!(
                "`{name}` cannot be a profile's name: up to {LONGEST_NAME} letters, digits, spaces, `-`, `_` and `.`"
            ));
        }
        if SYSTEMS.iter().any(|system| system.profiles().iter().any(|(built_in, _)| *built_in == name)) {
            return Err(format!("`{name}` is built in and stays as it is: save under another name"));
        }
        match self.versions(name).last() {
            None => Ok(Saving::Version(1)),
            Some(last) if last.judge != judge => Err(format!(
                "`{name}` is a profile of the judge {}, not of {judge}: save under another name",
                last.judge
            )),
            Some(last) if !last.hidden && settings::same(&last.settings, settings) => Ok(Saving::Nothing(last.version)),
            Some(last) => Ok(Saving::Version(last.version + 1)),
        }
    }

    /// Puts a saved profile under the settings that name it. Gives the settings, and the profile's name with its version.
    pub(crate) fn resolve(
        &self,
        judge: Option<&dyn JudgeSystem>,
        settings: Option<&Node>,
        problems: &mut Problems,
    ) -> (Option<Node>, Option<String>) {
        let unchanged = || (settings.cloned(), None);
        let (Some(node), Some(judge)) = (settings, judge) else { return unchanged() };
        let Some(named) = node.get("profile") else { return unchanged() };
        let NodeValue::Text(written) = &named.kind else { return unchanged() };
        if judge.profiles().iter().any(|(name, _)| name == written) {
            return unchanged();
        }
        let Some((name, saved)) = self.saved_for(judge, written, named.span, problems) else { return unchanged() };
        let saved = entries_at(saved, node.span);
        (Some(Node { span: node.span, kind: NodeValue::Map(laid_over(own(node), saved)) }), Some(name))
    }

    /// Reads settings as a request writes them: as [`read_settings`] does, and they may name a profile as a suite's may. Keys
    /// beside it override it.
    pub fn read(&self, judge: &dyn JudgeSystem, text: &str, file: &str) -> Result<Value, Problems> {
        let mut problems = Problems::of(file);
        let read = parse(text, &mut problems).and_then(|node| {
            let node = match node.get("profile").map(|named| (named.kind.clone(), named.span)) {
                Some((NodeValue::Text(name), span)) => {
                    let built_in = judge.profiles().into_iter().find(|(built_in, _)| *built_in == name);
                    let values = match built_in {
                        Some((_, values)) => values,
                        None => self.saved_for(judge, &name, span, &mut problems)?.1.clone(),
                    };
                    let entries = laid_over(own(&node), entries_at(&values, node.span));
                    Node { span: node.span, kind: NodeValue::Map(entries) }
                }
                _ => node,
            };
            judge.read_profile(&node, &mut problems)
        });
        problems.into_result(read)
    }

    /// Puts a profile that was chosen for a run before the settings of a suite, and in place of the one they name. Gives the
    /// settings, and the profile's name with its version.
    pub(crate) fn put_before(
        &self,
        judge: &dyn JudgeSystem,
        chosen: &str,
        settings: Option<&Node>,
        span: Span,
        problems: &mut Problems,
    ) -> (Option<Node>, Option<String>) {
        let built_in = judge.profiles().into_iter().find(|(name, _)| *name == chosen);
        let (name, values) = match built_in {
            Some((name, values)) => (name.to_owned(), entries_at(&values, span)),
            None => match self.saved_for(judge, chosen, span, problems) {
                Some((name, values)) => (name, entries_at(values, span)),
                None => return (settings.cloned(), None),
            },
        };
        let entries = laid_over(values, settings.map(own).unwrap_or_default());
        (Some(Node { span, kind: NodeValue::Map(entries) }), Some(name))
    }

    /// A saved profile of a judge: its name with the version, and its settings. That there is none is reported.
    fn saved_for(
        &self,
        judge: &dyn JudgeSystem,
        written: &str,
        span: Span,
        problems: &mut Problems,
    ) -> Option<(String, &Value)> {
        let Some(profile) = self.find(written) else {
            self.report_missing(judge, written, span, problems);
            return None;
        };
        if profile.judge != judge.name() {
            let message =
                format!("the profile `{written}` is for the judge {}, not for {}", profile.judge, judge.name());
            problems.report_with_help(span, message, "`assize profile list` lists them with their judges");
            return None;
        }
        Some((format!("{}@{}", profile.name, profile.version), &profile.settings))
    }

    fn report_missing(&self, judge: &dyn JudgeSystem, written: &str, span: Span, problems: &mut Problems) {
        let saved = self.newest().filter(|profile| profile.judge == judge.name());
        let mut known: Vec<String> = judge.profiles().iter().map(|(name, _)| (*name).to_owned()).collect();
        known.extend(saved.map(|profile| profile.name.clone()));
        let help = match closest(written, known.iter().map(String::as_str)) {
            _ if self.versions(written).next().is_some() => {
                "it was deleted: name one of its versions, such as NAME@1, or save it again".to_owned()
            }
            Some(meant) => format!("did you mean `{meant}`?"),
            None if known.is_empty() => {
                format!("none is saved for {}: write the settings themselves here", judge.name())
            }
            None => format!("known profiles: {}; or write the settings themselves here", known.join(", ")),
        };
        problems.report_with_help(span, format!("there is no profile `{written}`"), help);
    }
}

/// What saving does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saving {
    /// Nothing: this version, the newest, holds just that.
    Nothing(u32),
    /// It makes this version.
    Version(u32),
}

/// Reads settings that are to be saved for a judge, as JSON or YAML. Everything that is wrong with them is reported.
pub fn read_settings(judge: &dyn JudgeSystem, text: &str, file: &str) -> Result<Value, Problems> {
    let mut problems = Problems::of(file);
    let read = parse(text, &mut problems).and_then(|node| judge.read_profile(&node, &mut problems));
    problems.into_result(read)
}

/// Settings under the name they are saved by: those that hold a name themselves hold this one.
pub fn named(judge: &dyn JudgeSystem, mut settings: Value, name: &str) -> Value {
    if let Some(own) = hints::profile_name(&judge.profile_schema()).and_then(|key| settings.get_mut(key)) {
        *own = Value::String(name.to_owned());
    }
    settings
}

/// Settings of a judge with everything that a profile of it holds.
pub fn whole(judge: &dyn JudgeSystem, settings: &Value) -> Value {
    settings::with_defaults(&judge.profile_schema(), settings)
}

/// A judge's settings before anybody changes them: those of its first profile, or what its schema names as defaults.
pub fn own_settings(judge: &dyn JudgeSystem) -> Value {
    let first = judge.profiles().into_iter().next().map(|(_, settings)| settings);
    first.unwrap_or_else(|| settings::defaults(&judge.profile_schema()))
}

type Entries = Vec<(Key, Node)>;

/// What a suite sets beside the name of a profile.
fn own(settings: &Node) -> Entries {
    let NodeValue::Map(entries) = &settings.kind else { return Vec::new() };
    entries.iter().filter(|(key, _)| key.name != "profile").cloned().collect()
}

/// The entries of settings from elsewhere. Should this Assize not know one, that is reported where they are named.
fn entries_at(settings: &Value, span: Span) -> Entries {
    settings.as_object().map(|entries| Node::entries_of(entries, span)).unwrap_or_default()
}

/// The upper entries, and of the lower ones those that the upper do not have.
fn laid_over(mut upper: Entries, lower: Entries) -> Entries {
    let missing: Entries =
        lower.into_iter().filter(|(key, _)| upper.iter().all(|(other, _)| other.name != key.name)).collect();
    upper.extend(missing);
    upper
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_judges::systems::{calls, facts};
    use serde_json::json;

    fn profiles() -> Profiles {
        let version = |name: &str, version, settings, hidden| SavedProfile {
            name: name.to_owned(),
            judge: facts::NAME.to_owned(),
            version,
            settings,
            saved: String::new(),
            hidden,
        };
        Profiles(vec![
            version("client", 1, json!({"numeric_tolerance_percent": 1}), false),
            version("client", 2, json!({"numeric_tolerance_percent": 2, "date_granularity": "month"}), false),
            version("old", 1, json!({"numeric_tolerance_percent": 9}), true),
        ])
    }

    #[test]
    fn the_newest_version_is_meant_unless_another_is_named() {
        let profiles = profiles();
        let found = |written: &str| profiles.find(written).map(|profile| profile.version);
        assert_eq!(
            [found("client"), found("client@1"), found("client@7"), found("old"), found("old@1")],
            [Some(2), Some(1), None, None, Some(1)]
        );
        assert_eq!(profiles.newest().map(|profile| profile.name.as_str()).collect::<Vec<_>>(), ["client"]);
    }

    #[test]
    fn a_chosen_profile_goes_before_what_a_suite_sets() {
        let mut problems = Problems::of("suite.yaml");
        let suite = parse("{profile: gone, numeric_tolerance_percent: 5, rules: {a: 1}}", &mut problems);
        let mut put = |chosen: &str, settings: Option<&Node>| {
            let (settings, name) =
                profiles().put_before(&facts::FactExtraction, chosen, settings, Span::at(1, 1), &mut problems);
            (settings.map(|settings| settings.to_value()), name)
        };
        let both = json!({"numeric_tolerance_percent": 2, "date_granularity": "month", "rules": {"a": 1}});
        assert_eq!(put("client", suite.as_ref()), (Some(both), Some("client@2".to_owned())));
        let (lenient, name) = put("lenient", None);
        assert_eq!(
            (lenient.map(|settings| settings["profile_name"].clone()), name),
            (Some(json!("lenient")), Some("lenient".to_owned()))
        );
        assert!(problems.is_empty(), "{problems:?}");
        let mut missing = Problems::of("suite.yaml");
        profiles().put_before(&facts::FactExtraction, "clint", None, Span::at(3, 4), &mut missing);
        let told: Vec<String> = missing.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["suite.yaml:3:4: there is no profile `clint` (did you mean `client`?)"]);
    }

    #[test]
    fn what_a_suite_sets_goes_before_what_its_profile_holds() {
        let mut problems = Problems::of("suite.yaml");
        let settings = parse("{profile: client, numeric_tolerance_percent: 5}", &mut problems);
        let (resolved, used) = profiles().resolve(Some(&facts::FactExtraction), settings.as_ref(), &mut problems);
        let value = resolved.expect("settings").to_value();
        assert_eq!(value, json!({"numeric_tolerance_percent": 5, "date_granularity": "month"}));
        assert_eq!(used.as_deref(), Some("client@2"));
        let built_in = parse("{profile: strict}", &mut problems);
        assert_eq!(profiles().resolve(Some(&facts::FactExtraction), built_in.as_ref(), &mut problems).1, None);
        assert!(problems.is_empty());
    }

    #[test]
    fn a_profile_that_is_not_there_or_of_another_judge_is_said_to_be() {
        let said = |judge: &dyn JudgeSystem, written: &str| {
            let mut problems = Problems::of("suite.yaml");
            let settings = parse(&format!("{{profile: {written}}}"), &mut problems);
            profiles().resolve(Some(judge), settings.as_ref(), &mut problems);
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(
            said(&facts::FactExtraction, "clint"),
            "suite.yaml:1:11: there is no profile `clint` (did you mean `client`?)"
        );
        assert!(said(&facts::FactExtraction, "old").contains("it was deleted"));
        assert!(said(&calls::CallIntelligence, "client").contains("is for the judge fact-extraction"));
        assert!(said(&calls::CallIntelligence, "nobody").contains("none is saved for call-intelligence"));
    }

    #[test]
    fn what_can_be_saved() {
        let profiles = profiles();
        let saving = |name: &str, settings: Value| profiles.saving(facts::NAME, name, &settings);
        let newest = json!({"numeric_tolerance_percent": 2.0, "date_granularity": "month"});
        assert_eq!(saving("client", newest.clone()), Ok(Saving::Nothing(2)));
        assert_eq!(saving("client", json!({})), Ok(Saving::Version(3)));
        assert_eq!(saving("new one", newest.clone()), Ok(Saving::Version(1)));
        // Saving what was deleted brings it back.
        assert_eq!(saving("old", json!({"numeric_tolerance_percent": 9})), Ok(Saving::Version(2)));
        for name in ["", " x", "a@1", "a/b", "<b>", "lenient", &"x".repeat(61)] {
            assert!(saving(name, newest.clone()).is_err(), "{name}");
        }
        let other = profiles.saving(calls::NAME, "client", &newest).expect_err("of another judge");
        assert!(other.contains("a profile of the judge fact-extraction"), "{other}");
    }
}
