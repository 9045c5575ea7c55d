//! Who may know whom. The pure side knows nothing of the world, and each kind of contact with it has one home.

use assize_judges::SYSTEMS;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// For each crate of ours, the names of what it depends on outside of tests.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo metadata");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .map(|package| {
            let name = package["name"].as_str().expect("a name").to_owned();
            let dependencies = package["dependencies"].as_array().expect("dependencies").iter();
            let used = dependencies.filter(|dependency| dependency["kind"].is_null());
            (name, used.map(|dependency| dependency["name"].as_str().expect("a name").to_owned()).collect())
        })
        .collect()
}

#[test]
fn arrows_point_inwards() {
    let allowed: &[(&str, &[&str])] = &[
        ("assize-core", &[]),
        ("assize-metrics", &[]),
        ("assize-embed", &[]),
        ("assize-judges", &["assize-core", "assize-metrics"]),
        ("assize-llm", &["assize-core"]),
        ("assize-engine", &["assize-core", "assize-judges", "assize-llm", "assize-metrics", "assize-embed"]),
        ("assize-web", &["assize-core", "assize-engine", "assize-judges", "assize-llm", "assize-metrics"]),
        ("assize", &["assize-core", "assize-engine", "assize-judges", "assize-llm", "assize-metrics", "assize-web"]),
        ("assize-testkit", &["assize-core"]),
        (
            "assize-bench",
            &[
                "assize",
                "assize-core",
                "assize-engine",
                "assize-judges",
                "assize-llm",
                "assize-metrics",
                "assize-testkit",
            ],
        ),
    ];
    for (name, dependencies) in dependencies() {
        let ours: BTreeSet<&str> =
            dependencies.iter().map(String::as_str).filter(|name| name.starts_with("assize")).collect();
        let (_, may) = allowed
            .iter()
            .find(|(known, _)| *known == name)
            .unwrap_or_else(|| panic!("{name} has no place in the layout"));
        let too_many: Vec<_> = ours.iter().filter(|name| !may.contains(name)).collect();
        assert!(too_many.is_empty(), "{name} must not depend on {too_many:?}");
    }
}

#[test]
fn each_kind_of_contact_with_the_world_has_one_home() {
    let homes: &[(&str, &[&str])] = &[
        ("axum", &["assize-web", "assize-testkit"]),
        ("rusqlite", &["assize-engine"]),
        ("reqwest", &["assize-llm"]),
        ("pyo3", &["assize-python"]),
        ("clap", &["assize"]),
        ("tokio", &["assize", "assize-web", "assize-engine", "assize-llm", "assize-testkit"]),
    ];
    for (name, dependencies) in dependencies() {
        for (dependency, may) in homes {
            assert!(
                !dependencies.contains(*dependency) || may.contains(&name.as_str()),
                "{name} must not use {dependency}"
            );
        }
    }
}

#[test]
fn the_pure_crates_are_held_to_the_same_lints() {
    let lints =
        |name: &str| std::fs::read_to_string(root().join("crates").join(name).join("clippy.toml")).expect("lints");
    for name in ["assize-judges", "assize-metrics"] {
        assert_eq!(lints("assize-core"), lints(name), "{name}/clippy.toml");
    }
    assert!(lints("assize-core").contains("std::time::Instant::now"));
}

#[test]
fn sql_stands_in_the_store_alone() {
    for (path, text) in sources() {
        let at_home = path.contains("assize-engine/src/store/") || path.contains("/tests/");
        let sql = ["SELECT ", "INSERT INTO", "CREATE TABLE", "PRAGMA "].iter().any(|word| text.contains(word));
        assert!(at_home || !sql, "{path} holds SQL");
    }
}

/// Where the name of a judge may stand outside its folder, and why.
const NAMES_ALLOWED: &[(&str, &str)] = &[
    ("assize/src/cli/demo.rs", "an example of a command"),
    ("assize/src/cli/init.rs", "the example that is written where none is named"),
    ("assize-web/src/api/judge.rs", "an example of a request"),
    ("assize-web/src/api/start.rs", "an example of a request"),
    ("assize-web/src/pages/rubrics/list.rs", "forms of the workbench, which edits these kinds of files"),
    ("assize-web/src/rubrics/kind.rs", "what people call the kinds of files that the workbench edits"),
];

/// Places that still know a judge by its name, each to be removed from here together with its branch.
const NAMES_TO_REMOVE: &[&str] = &[
    "assize/src/cli/profile.rs",
    "assize/src/cli/schema.rs",
    "assize/src/cli/whatif.rs",
    "assize-engine/src/profiles.rs",
    "assize-engine/src/store/schema.rs",
    "assize-judges/src/examples.rs",
    "assize-web/src/api/profiles.rs",
    "assize-web/src/api/whatif.rs",
    "assize-web/src/assets/settings.js",
    "assize-web/src/pages/new_run/form.rs",
    "assize-web/src/pages/settings/",
    "assize-web/src/whatif/",
];

#[test]
fn a_judge_is_known_by_its_name_in_its_own_folder_alone() {
    let mut needed = BTreeSet::new();
    for (path, text) in production() {
        let found: Vec<&str> = SYSTEMS.iter().map(|system| system.name()).filter(|name| names(&text, name)).collect();
        let constant =
            ["facts", "calls", "criteria", "behaviour"].iter().find(|module| text.contains(&format!("{module}::NAME")));
        if found.is_empty() && constant.is_none() {
            continue;
        }
        let allowed = NAMES_ALLOWED.iter().find(|(place, _)| path.contains(place));
        needed.extend(allowed.map(|(place, _)| *place));
        let known = allowed.is_some() || NAMES_TO_REMOVE.iter().any(|place| path.contains(place));
        assert!(known, "{path} knows a judge by its name: {found:?} {constant:?}");
    }
    let stale: Vec<_> = NAMES_ALLOWED.iter().filter(|(place, _)| !needed.contains(place)).collect();
    assert!(stale.is_empty(), "these know no judge by its name any more: {stale:?}");
}

#[test]
fn the_names_of_judges_are_found_where_they_stand() {
    assert!(names(r#"if judge_use == "criteria" {"#, "criteria"));
    assert!(names("code { \"assize init fact-extraction\" }", "fact-extraction"));
    // A word that is also a judge's name counts only where it stands alone.
    assert!(!names(r#"let title = "the criteria of a judge";"#, "criteria"));
    assert!(!names("/// As `fact-extraction` does.", "fact-extraction"));
}

/// Whether code names a judge: in a text of its own, or anywhere in a text if no other word is spelt so.
fn names(code: &str, judge: &str) -> bool {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let is_named = |line: &str| {
        let whole = ['"', '\'', '`'].iter().any(|quote| line.contains(&format!("{quote}{judge}{quote}")));
        whole || (judge.contains('-') && line.contains(judge))
    };
    lines.into_iter().any(is_named)
}

/// What is built into the program, without its tests and without the folders of the judges: sources and page modules.
fn production() -> Vec<(String, String)> {
    let is_production = |path: &str| {
        let elsewhere =
            ["/tests/", "/benches/", "tests.rs", "assize-judges/src/systems/", "assize-testkit/", "/build.rs"];
        !elsewhere.iter().any(|part| path.contains(part))
    };
    let all = sources_ending(&["rs", "js"]).into_iter().filter(|(path, _)| is_production(path));
    let own = |text: &str| text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
    all.map(|(path, text)| (path, own(&text))).collect()
}

/// Every Rust source of the crates.
fn sources() -> Vec<(String, String)> {
    sources_ending(&["rs"])
}

fn sources_ending(endings: &[&str]) -> Vec<(String, String)> {
    fn walk(folder: &Path, endings: &[&str], found: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, endings, found);
            } else if path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known)) {
                found.push((path.display().to_string(), std::fs::read_to_string(&path).expect("text")));
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join("crates"), endings, &mut found);
    assert!(found.len() > 50, "{} sources", found.len());
    found
}
