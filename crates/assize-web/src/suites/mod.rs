//! Suites that can be run from here: those of the served folder, and the bundled examples.

mod open;

pub(super) use open::{Unprepared, prepare_request, root_files, within_folder};

use super::served::Served;
use assize_core::document::{Problems, parse};
use assize_core::suite::{Draft, JudgeModel};
use assize_engine::files::{Confined, Files};
use assize_engine::profiles::Profiles;
use assize_judges::SYSTEMS;
use assize_judges::examples::{self, Example};
use assize_llm::PriceTable;
use assize_llm::environment::{ANTHROPIC_API_KEY, OPENAI_API_KEY};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// Larger files are no suites.
const LARGEST: u64 = 1024 * 1024;

/// A suite as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct SuiteHead {
    /// What starts it: its path in the served folder, or `bundled:NAME/suite.yaml`.
    pub(super) suite: String,
    /// Its name; empty where the file cannot be read.
    pub(super) name: String,
    /// Whether it is an example that comes with Assize.
    pub(super) bundled: bool,
    /// What `judge.use` says.
    pub(super) judge: String,
    /// The judge models it names.
    pub(super) models: Vec<String>,
    /// How many case files it names that are there.
    pub(super) case_files: usize,
    /// The profiles that its judge can be given; none for a judge that takes none.
    pub(super) profiles: Vec<String>,
    /// The servers it declares.
    pub(super) providers: Vec<KeyHead>,
    /// Whether the file reads as a suite. What is wrong with one that does not is told by an estimate.
    pub(super) readable: bool,
}

/// A provider, and whether its key is there. The key itself is never told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct KeyHead {
    /// The provider, as in `provider:name`.
    pub(super) provider: String,
    /// The environment variable that holds its key; `null` where none is needed.
    pub(super) variable: Option<String>,
    /// Whether models of this provider can be asked: the key is set, or none is needed.
    pub(super) usable: bool,
}

impl KeyHead {
    fn new(provider: &str, variable: Option<&str>) -> Self {
        let is_set = |name| std::env::var(name).is_ok_and(|value| !value.trim().is_empty());
        let usable = variable.is_none_or(is_set);
        Self { provider: provider.to_owned(), variable: variable.map(str::to_owned), usable }
    }
}

/// The providers that need no entry in a suite.
pub(super) fn built_in_providers() -> Vec<KeyHead> {
    vec![KeyHead::new("openai", Some(OPENAI_API_KEY)), KeyHead::new("anthropic", Some(ANTHROPIC_API_KEY))]
}

/// Models to choose from: rules, what suites name, what the price table knows.
pub(super) fn suggested_models(suites: &[SuiteHead]) -> Vec<String> {
    let offline = JudgeModel::Offline.to_string();
    let mut named: BTreeSet<&str> = suites.iter().flat_map(|suite| &suite.models).map(String::as_str).collect();
    named.remove(offline.as_str());
    let table = PriceTable::built_in();
    let known = table.names().filter(|name| !named.contains(name));
    let models = [offline.as_str()].into_iter().chain(named.iter().copied()).chain(known);
    models.map(str::to_owned).collect()
}

/// The suites of the served folder, in the order of their paths, then the bundled examples.
pub(super) fn list(served: &Served, profiles: &Profiles) -> Vec<SuiteHead> {
    let paths = served.folder().files(|name| name.ends_with(".yaml") || name.ends_with(".yml"));
    let own = paths.into_iter().filter_map(|path| own_suite(served, path, profiles));
    let bundled = examples::all().into_iter().filter_map(|example| bundled_suite(example, profiles));
    own.chain(bundled).collect()
}

fn own_suite(served: &Served, path: String, profiles: &Profiles) -> Option<SuiteHead> {
    let on_disk = served.folder().find(&path).ok()?;
    if std::fs::metadata(&on_disk).ok()?.len() > LARGEST {
        return None;
    }
    let text = std::fs::read_to_string(&on_disk).ok()?;
    let folder = Path::new(&path).parent().unwrap_or(Path::new(""));
    let files = Files::Confined(Confined::new(served.folder().root(), folder).ok()?);
    head(path, &text, &files, profiles)
}

fn bundled_suite(example: &Example, profiles: &Profiles) -> Option<SuiteHead> {
    let files = Files::from(example);
    let text = files.read_text(Example::SUITE).ok()?;
    let head = head(files.shown(Example::SUITE), &text, &files, profiles)?;
    Some(SuiteHead { bundled: true, ..head })
}

/// What a list shows of a file; nothing if it is no suite.
fn head(suite: String, text: &str, files: &Files, profiles: &Profiles) -> Option<SuiteHead> {
    // Whoever writes a suite writes both; one with a slip elsewhere is still a suite, and its slips are told.
    let has = |key: &str| text.lines().any(|line| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')));
    if !(has("judge") && has("cases")) {
        return None;
    }
    let mut problems = Problems::of(suite.as_str());
    let read = parse(text, &mut problems).and_then(|node| Draft::read(&node, &mut problems));
    let mut head = SuiteHead {
        suite,
        name: String::new(),
        bundled: false,
        judge: String::new(),
        models: Vec::new(),
        case_files: 0,
        profiles: Vec::new(),
        providers: Vec::new(),
        readable: problems.is_empty(),
    };
    if let Some(read) = read {
        head.case_files =
            read.cases.iter().map(|cases| files.matching(&cases.value).map_or(0, |found| found.len())).sum();
        head.models = read.models.iter().map(|model| model.value.to_string()).collect();
        head.providers =
            read.providers.iter().map(|(name, entry)| KeyHead::new(name, entry.api_key_env.as_deref())).collect();
        head.profiles = profiles_for(&read.judge_use.value, profiles);
        head.judge = read.judge_use.value;
        head.name = read.name.unwrap_or_default();
    }
    Some(head)
}

/// The profiles that a judge can be given: those that come with it, and those that were saved.
fn profiles_for(judge: &str, profiles: &Profiles) -> Vec<String> {
    let system = SYSTEMS.iter().find(|system| system.name() == judge);
    let built_in = system.into_iter().flat_map(|system| system.profiles()).map(|(name, _)| name.to_owned());
    let saved = profiles.newest().filter(|profile| profile.judge == judge).map(|profile| profile.name.clone());
    built_in.chain(saved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<SuiteHead> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.jsonl"), "x").expect("written");
        let files = Files::Confined(Confined::new(folder.path(), Path::new("")).expect("there"));
        head("suite.yaml".into(), text, &files, &Profiles::default())
    }

    #[test]
    fn a_suite_is_told_from_other_files_also_with_a_slip_in_it() {
        let good = read("name: trial\njudge: {use: fact-extraction, model: [offline, 'mine:x']}\ncases: ['*.jsonl', b.jsonl]\nproviders: {mine: {base_url: 'http://127.0.0.1:1'}}\n").expect("a suite");
        assert_eq!((good.name.as_str(), good.judge.as_str(), good.readable), ("trial", "fact-extraction", true));
        assert_eq!((good.models.join(" ").as_str(), good.case_files), ("offline mine:x", 1));
        assert_eq!(good.profiles, ["strict", "lenient"]);
        assert_eq!(good.providers, [KeyHead { provider: "mine".into(), variable: None, usable: true }]);
        let slip = read("name: trial\njudge: {use: x, modle: offline}\ncases: ['*.jsonl'\n").expect("a suite");
        assert!(!slip.readable);
        assert_eq!(read("name: criteria\ncriteria: {a: {about: x}}\n"), None);
        assert_eq!(read("judge: {use: x}\n"), None);
    }

    #[test]
    fn models_to_choose_from_begin_with_the_rules_and_name_none_twice() {
        let suite = read("judge: {use: x, model: 'openai:gpt-4o-mini'}\ncases: a\nname: n\n").expect("a suite");
        let models = suggested_models(&[suite]);
        assert_eq!(models[..2], ["offline", "openai:gpt-4o-mini"]);
        let distinct: BTreeSet<_> = models.iter().collect();
        assert_eq!((distinct.len(), models.len() > 20), (models.len(), true));
    }
}
