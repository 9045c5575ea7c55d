//! Who may know whom. The pure side knows nothing of the world, and each kind of contact with it has one home.

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

/// A package of a crate has the files of its folder alone.
#[test]
fn no_crate_is_built_from_files_outside_its_folder() {
    let mut seen = 0;
    for (path, text) in sources() {
        let inside = Path::new(&path).strip_prefix(root().join("crates")).expect("a crate");
        let built = inside.components().nth(1).is_some_and(|part| part.as_os_str() != "tests");
        assert!(!built || !path.ends_with("/build.rs") || !text.contains(".."), "{path} leaves its crate");
        // From the folder of the file, as many steps up as lead to the folder of the crate.
        let depth = inside.components().count() - 2;
        for written in ["include_str!(\"", "include_bytes!(\""].iter().flat_map(|call| text.split(call).skip(1)) {
            let up = written.split('/').take_while(|step| *step == "..").count();
            assert!(!built || up <= depth, "{path} includes {}", written.split('"').next().unwrap_or_default());
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} included files");
}

/// Every Rust source of the crates.
fn sources() -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push((path.display().to_string(), std::fs::read_to_string(&path).expect("text")));
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join("crates"), &mut found);
    assert!(found.len() > 50, "{} sources", found.len());
    found
}
