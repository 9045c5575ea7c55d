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

/// The floors of the engine, from the ground up.
const ENGINE: &[&[&str]] = &[
    &["records"],
    &["environment", "event", "files", "permits", "profiles", "store"],
    &["cases", "control", "listing", "report"],
    &["answering", "compare"],
    &["run"],
];

#[test]
fn the_engine_is_built_from_the_ground_up() {
    let up = arrows_up("assize-engine", ENGINE);
    assert!(up.is_empty(), "{up:#?}");
    let elsewhere = sources().into_iter().filter(|(path, text)| {
        path.contains("assize-engine/src/") && !path.contains("/src/store/") && text.contains("impl Store {")
    });
    assert_eq!(elsewhere.map(|(path, _)| path).collect::<Vec<_>>(), Vec::<String>::new(), "only the store is `Store`");
}

/// The floors of the page, from the ground up.
const WEB: &[&[&str]] = &[
    &["assets", "links", "recent", "sessions", "visible"],
    &["frame", "shown"],
    &["chart", "failure"],
    &["folder", "jobs"],
    &["problems", "served"],
    &["judged", "questions", "rubrics", "suites"],
    &["whatif"],
    &["app", "layout", "profiles"],
    &["guard"],
    &["pages"],
    &["api"],
];

#[test]
fn the_page_is_built_from_the_ground_up() {
    let up = arrows_up("assize-web", WEB);
    assert!(up.is_empty(), "{up:#?}");
}

/// Where modules of a crate use one that is not below them. `floors` name every module of the crate once, from the ground
/// up; what is on one floor does not know each other either, so that there is no way round in a circle. Tests may use
/// anything.
fn arrows_up(name: &str, floors: &[&[&str]]) -> Vec<String> {
    let source = root().join("crates").join(name).join("src");
    let floor_of = |module: &str| floors.iter().position(|floor| floor.contains(&module));
    let lib = ["lib.rs", "main.rs"].map(|file| std::fs::read_to_string(source.join(file)).unwrap_or_default()).concat();
    let mut up = Vec::new();
    for (path, text) in sources() {
        let Ok(within) = Path::new(&path).strip_prefix(&source) else { continue };
        let module = module_of(within);
        let Some(top) = module.first() else { continue };
        if within.ends_with("tests.rs") || module.iter().any(|part| part == "tests") {
            continue;
        }
        if lib.contains(&format!("#[cfg(test)]\nmod {top};")) {
            continue;
        }
        let floor = floor_of(top).unwrap_or_else(|| panic!("{top} has no floor in {name}"));
        for used in modules_used(&module, &text) {
            // What is no module of the crate's root is an item of it.
            if used != *top && floor_of(&used).is_some_and(|below| below >= floor) {
                up.push(format!("{} uses {used}", within.display()));
            }
        }
    }
    up
}

/// The path of the module that a file is, from the crate's root; nothing for the root itself.
fn module_of(file: &Path) -> Vec<String> {
    let mut parts: Vec<String> =
        file.with_extension("").components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        parts.pop();
    }
    parts
}

/// The modules of the crate's root that a module names, by `crate::` or by as many `super::` as it takes. Comments and the
/// tests at the end of a file do not count.
fn modules_used(module: &[String], text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().expect("a split has a first part");
    let code: String =
        code.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| [line, "\n"]).collect();
    let mut used = BTreeSet::new();
    let to_root = "super::".repeat(module.len());
    for prefix in ["crate::", to_root.as_str()] {
        for (at, _) in code.match_indices(prefix) {
            let before = code[..at].chars().next_back();
            if !before.is_some_and(|before| before.is_alphanumeric() || before == '_' || before == ':') {
                used.extend(names_at(&code[at + prefix.len()..]));
            }
        }
    }
    used
}

/// The first name of a path, or of every path in braces.
fn names_at(text: &str) -> Vec<String> {
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(group) = text.strip_prefix('{') else { return vec![name(text)] };
    let (mut depth, mut names, mut start) = (0, Vec::new(), 0);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                names.push(name(group[start..at].trim_start()));
                start = at + 1;
                if character == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    names
}

#[test]
fn every_way_to_name_a_module_is_seen() {
    let module = |path: &str| module_of(Path::new(path));
    assert_eq!(module("run/mod.rs"), ["run"]);
    assert_eq!(module("run/deep/er.rs"), ["run", "deep", "er"]);
    assert!(module("lib.rs").is_empty());
    let text = "//! [`crate::comment`]\nuse crate::{one, two::{Three, four}, five};\nuse super::super::six::Seven;\n\
        use super::near;\nfn f() -> crate::eight::Nine { not_crate::ten() }\n    /// crate::eleven\n\
        #[cfg(test)]\nmod tests {\n    use crate::twelve;\n}\n";
    let used: Vec<String> = modules_used(&module("run/prepare.rs"), text).into_iter().collect();
    assert_eq!(used, ["eight", "five", "one", "six", "two"]);
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
    ("assize/src/cli/mod.rs", "an example of a command"),
    ("assize/src/cli/profile.rs", "an example of a command"),
    ("assize/src/cli/schema.rs", "an example of a command"),
    ("assize-engine/src/store/schema.rs", "profiles saved before they named their judge were of one judge"),
    ("assize/src/cli/init.rs", "the example that is written where none is named"),
    ("assize/src/cli/new.rs", "the name of an argument"),
    ("assize-judges/src/reason.rs", "a word that says nothing in a reason"),
    ("assize/src/render/inventory.rs", "a key of its JSON"),
    ("assize-web/src/api/judge.rs", "an example of a request"),
    ("assize-web/src/api/start.rs", "an example of a request"),
    ("assize-web/src/pages/rubrics/list.rs", "forms of the workbench, which edits these kinds of files"),
    ("assize-web/src/rubrics/kind.rs", "what people call the kinds of files that the workbench edits"),
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
        assert!(allowed.is_some(), "{path} knows a judge by its name: {found:?} {constant:?}");
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

/// A package of a crate has the files of its folder alone.
#[test]
fn no_crate_is_built_from_files_outside_its_folder() {
    let mut seen = 0;
    for (path, text) in sources() {
        let inside = Path::new(&path).strip_prefix(root().join("crates")).expect("a crate");
        let built = inside.components().nth(1).is_some_and(|part| part.as_os_str() != "tests");
        let is_script = inside.components().count() == 2 && path.ends_with("/build.rs");
        assert!(!is_script || !text.contains(".."), "{path} leaves its crate");
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
