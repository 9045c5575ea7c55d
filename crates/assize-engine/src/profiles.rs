//! Profiles: named, versioned settings that a suite names instead of writing them out.
//!
//! `profile: NAME` in a suite's settings means the newest version, `profile: NAME@3` a certain one. What it holds is put under
//! the keys that the suite itself sets, and the run's record names the version, so that an old run can be made again.

use crate::run::ChosenSettings;
use crate::store::SavedProfile;
use assize_core::document::{Key, Kind, Node, Problems, Span, parse};
use serde_json::Value;

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

    /// All versions of a profile, oldest first.
    pub fn versions<'p>(&'p self, name: &'p str) -> impl Iterator<Item = &'p SavedProfile> {
        self.0.iter().filter(move |profile| profile.name == name)
    }

    /// Puts a saved profile under the settings that name it. Gives the settings, and the profile's name with its version.
    pub(crate) fn resolve(&self, settings: Option<&Node>, problems: &mut Problems) -> (Option<Node>, Option<String>) {
        let unchanged = || (settings.cloned(), None);
        let Some(node) = settings else { return unchanged() };
        let Some(Kind::Text(written)) = node.get("profile").map(|node| &node.kind) else { return unchanged() };
        // One that is not saved may be built into the judge, which knows best what to say of it.
        let Some(profile) = self.find(written) else { return unchanged() };
        let name = format!("{}@{}", profile.name, profile.version);
        let saved = entries_at(&profile.settings, node.span, problems);
        (Some(Node { span: node.span, kind: Kind::Map(laid_over(own(node), saved)) }), Some(name))
    }
}

/// Puts chosen settings before those of a suite; a profile that the suite names is left out.
pub(crate) fn put_before(
    chosen: &ChosenSettings,
    settings: Option<&Node>,
    span: Span,
    problems: &mut Problems,
) -> Node {
    let chosen = entries_at(&chosen.values, span, problems);
    Node { span, kind: Kind::Map(laid_over(chosen, settings.map(own).unwrap_or_default())) }
}

type Entries = Vec<(Key, Node)>;

/// What a suite sets beside the name of a profile.
fn own(settings: &Node) -> Entries {
    let Kind::Map(entries) = &settings.kind else { return Vec::new() };
    entries.iter().filter(|(key, _)| key.name != "profile").cloned().collect()
}

/// The entries of settings from elsewhere. Should this Assize not know one, that is reported where they are named.
fn entries_at(settings: &Value, span: Span, problems: &mut Problems) -> Entries {
    let Some(Node { kind: Kind::Map(entries), .. }) = parse(&settings.to_string(), problems) else { return Vec::new() };
    let placed = entries.into_iter().map(|(mut key, mut value)| {
        (key.span, value.span) = (span, span);
        (key, value)
    });
    placed.collect()
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
    use serde_json::json;

    fn profiles() -> Profiles {
        let version = |name: &str, version, settings, hidden| SavedProfile {
            name: name.to_owned(),
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
    fn chosen_settings_go_before_what_a_suite_sets() {
        let mut problems = Problems::of("suite.yaml");
        let suite = parse("{profile: client@1, numeric_tolerance_percent: 5, rules: {a: 1}}", &mut problems);
        let values = json!({"numeric_tolerance_percent": 9, "date_granularity": "day"});
        let chosen = ChosenSettings { name: "mine@1".into(), values };
        let put = |settings: Option<&Node>| {
            put_before(&chosen, settings, Span::at(1, 1), &mut Problems::of("suite.yaml")).to_value()
        };
        let both = json!({"numeric_tolerance_percent": 9, "date_granularity": "day", "rules": {"a": 1}});
        assert_eq!((put(suite.as_ref()), put(None)), (both, chosen.values.clone()));
        assert!(problems.is_empty());
    }

    #[test]
    fn what_a_suite_sets_goes_before_what_its_profile_holds() {
        let mut problems = Problems::of("suite.yaml");
        let settings = parse("{profile: client, numeric_tolerance_percent: 5}", &mut problems);
        let (resolved, used) = profiles().resolve(settings.as_ref(), &mut problems);
        let value = resolved.expect("settings").to_value();
        assert_eq!(value, json!({"numeric_tolerance_percent": 5, "date_granularity": "month"}));
        assert_eq!(used.as_deref(), Some("client@2"));
        let built_in = parse("{profile: strict}", &mut problems);
        assert_eq!(profiles().resolve(built_in.as_ref(), &mut problems).1, None);
    }
}
