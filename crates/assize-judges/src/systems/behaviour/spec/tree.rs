//! The folder, as written and as it holds together.

use super::{Benchmark, Rubric, RubricRef};
use assize_core::SourceFile;
use assize_core::document::{Problems, closest, parse};
use assize_core::suite::Placed;
use indexmap::IndexMap;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A folder as written: what could be read, and which prompt files there are.
#[derive(Debug, Default)]
pub struct TreeFiles<'a> {
    /// The benchmarks that could be read, in the order of their files.
    pub benchmarks: Vec<Benchmark>,
    /// The rubrics that could be read, inline ones after the one they stand in.
    pub rubrics: Vec<Rubric>,
    /// Everything else in the folder that may be a prompt, by its path from the root.
    pub prompts: IndexMap<String, &'a SourceFile>,
    /// The YAML files, by their paths as given.
    pub files: HashMap<String, &'a SourceFile>,
    /// Whether all YAML files could be read.
    pub sound: bool,
}

/// A tree that holds together.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The rubrics, by code.
    pub rubrics: IndexMap<String, Rubric>,
    /// The benchmarks, by code.
    pub benchmarks: IndexMap<String, Benchmark>,
    /// The rubrics that are below no other.
    pub roots: Vec<String>,
    /// The benchmarks of each rubric, in order.
    pub members: HashMap<String, Vec<String>>,
}

/// The roots of the trees among some paths: the folders that hold `benchmarks/` or `rubrics/`. `""` is the folder in
/// which the paths themselves start.
pub fn roots<'p>(paths: impl Iterator<Item = &'p str>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for path in paths.filter(|path| is_yaml(path)) {
        let parts: Vec<&str> = path.split('/').collect();
        let folders = &parts[..parts.len().saturating_sub(1)];
        if let Some(at) = folders.iter().position(|part| matches!(*part, "benchmarks" | "rubrics")) {
            found.insert(folders[..at].join("/"));
        }
    }
    found
}

/// The innermost of the roots that a path is below.
pub fn root_of<'r>(path: &str, roots: &'r BTreeSet<String>) -> Option<&'r str> {
    let mut folder = path;
    while let Some((above, _)) = folder.rsplit_once('/') {
        if let Some(root) = roots.get(above) {
            return Some(root);
        }
        folder = above;
    }
    roots.get("").map(String::as_str)
}

/// The root of the tree that a folder means: the folder itself, else the root whose path ends like it. What the user
/// wrote is relative to a suite, and the paths of files may be shown from elsewhere.
pub fn root_of_folder(folder: &str, files: &[SourceFile]) -> String {
    let holds = |root: &str| {
        let inner = |file: &SourceFile| {
            below(&file.path, root).is_some_and(|path| path.starts_with("benchmarks/") || path.starts_with("rubrics/"))
        };
        files.iter().any(inner)
    };
    if holds(folder) {
        return folder.to_owned();
    }
    let all = roots(files.iter().map(|file| file.path.as_str()));
    let name = tidy(folder);
    let alike = all.iter().find(|root| root.strip_suffix(name.as_str()).is_some_and(|rest| rest.ends_with(['/', ':'])));
    alike.or_else(|| all.iter().min_by_key(|root| root.len())).cloned().unwrap_or_else(|| folder.to_owned())
}

/// A path from a root, or `None` if it is not below it.
fn below<'p>(path: &'p str, root: &str) -> Option<&'p str> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let root = root.trim_end_matches('/');
    let root = root.strip_prefix("./").unwrap_or(root);
    if root.is_empty() || root == "." {
        return Some(path);
    }
    path.strip_prefix(root)?.strip_prefix('/')
}

fn is_yaml(path: &str) -> bool {
    path.ends_with(".yaml") || path.ends_with(".yml")
}

/// A path as files name it: no `./`, forward slashes.
fn tidy(path: &str) -> String {
    let path = path.replace('\\', "/");
    path.split('/').filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>().join("/")
}

impl<'a> TreeFiles<'a> {
    /// Reads the YAML files of a folder. `root` is the folder's own path, with which the files' paths start.
    pub fn read(root: &str, files: impl IntoIterator<Item = &'a SourceFile>, problems: &mut Problems) -> Self {
        let mut tree = Self { sound: true, ..Self::default() };
        for file in files {
            let Some(path) = below(&file.path, root) else { continue };
            let (rubric, benchmark) = (path.starts_with("rubrics/"), path.starts_with("benchmarks/"));
            if path.ends_with(".md") {
                tree.prompts.insert(tidy(path), file);
            } else if is_yaml(path) && (rubric || benchmark) {
                tree.files.insert(file.path.clone(), file);
                let outer = problems.enter(file.path.clone());
                tree.read_file(rubric, file, problems);
                problems.enter(outer);
            }
        }
        tree
    }

    fn read_file(&mut self, rubric: bool, file: &SourceFile, problems: &mut Problems) {
        let Some(document) = parse(&file.text, problems) else {
            self.sound = false;
            return;
        };
        if rubric {
            match Rubric::read(&document, problems) {
                Some(rubric) => self.add_rubric(rubric),
                None => self.sound = false,
            }
        } else {
            match Benchmark::read(&document, problems) {
                Some(benchmark) => self.benchmarks.push(benchmark),
                None => self.sound = false,
            }
        }
    }

    fn add_rubric(&mut self, rubric: Rubric) {
        let inline: Vec<Rubric> = rubric
            .sub_rubrics
            .iter()
            .filter_map(|below| match below {
                RubricRef::Inline(rubric) => Some((**rubric).clone()),
                RubricRef::Code(_) => None,
            })
            .collect();
        self.rubrics.push(rubric);
        for rubric in inline {
            self.add_rubric(rubric);
        }
    }

    /// The prompt file a benchmark names, if the folder has it.
    pub fn prompt_of(&self, benchmark: &Benchmark) -> Option<&'a SourceFile> {
        self.prompts.get(&tidy(&benchmark.prompt_file.as_ref()?.value)).copied()
    }

    /// The paths from the root of the prompt files that benchmarks name.
    pub fn named_prompts(&self) -> HashSet<String> {
        self.benchmarks.iter().filter_map(|benchmark| Some(tidy(&benchmark.prompt_file.as_ref()?.value))).collect()
    }

    /// Codes that occur twice: the file and place of each further one, and the file of the first.
    pub fn duplicates(&self) -> Vec<(String, Placed<String>, String)> {
        let mut seen: HashMap<&str, &str> = HashMap::new();
        let codes = self.rubrics.iter().map(|rubric| (&rubric.file, &rubric.code));
        let codes = codes.chain(self.benchmarks.iter().map(|benchmark| (&benchmark.file, &benchmark.code)));
        let mut found = Vec::new();
        for (file, code) in codes {
            match seen.get(code.value.as_str()) {
                Some(first) => found.push((file.clone(), code.clone(), (*first).to_owned())),
                None => {
                    seen.insert(&code.value, file);
                }
            }
        }
        found
    }

    /// The tree, if it holds together; what does not is reported.
    pub fn check(self, problems: &mut Problems) -> Option<Tree> {
        let before = problems.count();
        for (file, code, first) in self.duplicates() {
            let outer = problems.enter(file);
            problems.report(code.span, format!("the code `{}` is taken: it stands in {first} too", code.value));
            problems.enter(outer);
        }
        // Of a code that occurs twice the first stands, as the message says.
        let mut rubrics: IndexMap<String, Rubric> = IndexMap::new();
        for rubric in self.rubrics {
            rubrics.entry(rubric.code.value.clone()).or_insert(rubric);
        }
        let mut benchmarks: IndexMap<String, Benchmark> = IndexMap::new();
        for benchmark in self.benchmarks {
            benchmarks.entry(benchmark.code.value.clone()).or_insert(benchmark);
        }
        let members = members(&rubrics, &benchmarks, problems);
        let parents = parents(&rubrics, problems);
        check_cycles(&rubrics, problems);
        if benchmarks.is_empty() && self.sound {
            problems.report(None, "the tree has no benchmark: put one into `benchmarks/`");
        }
        let roots = rubrics.keys().filter(|code| !parents.contains_key(*code)).cloned().collect();
        (self.sound && problems.count() == before).then_some(Tree { rubrics, benchmarks, roots, members })
    }
}

/// The benchmarks of each rubric: as it lists them, else those that name it.
fn members(
    rubrics: &IndexMap<String, Rubric>,
    benchmarks: &IndexMap<String, Benchmark>,
    problems: &mut Problems,
) -> HashMap<String, Vec<String>> {
    let mut members: HashMap<String, Vec<String>> = HashMap::new();
    let mut listed_in: HashMap<&str, &str> = HashMap::new();
    for (code, rubric) in rubrics {
        let outer = problems.enter(rubric.file.clone());
        for entry in rubric.benchmarks.iter().flatten() {
            let Some(benchmark) = benchmarks.get(&entry.value) else {
                unknown("benchmark", entry, benchmarks.keys(), problems);
                continue;
            };
            if let Some(other) = listed_in.insert(&benchmark.code.value, code) {
                let message = format!("the benchmark `{}` is already listed in the rubric `{other}`", entry.value);
                problems.report(entry.span, message);
                continue;
            }
            members.entry(code.clone()).or_default().push(entry.value.clone());
        }
        problems.enter(outer);
    }
    for (code, benchmark) in benchmarks {
        let Some(parent) = &benchmark.parent_rubric else { continue };
        let outer = problems.enter(benchmark.file.clone());
        match (rubrics.get(&parent.value), listed_in.get(code.as_str())) {
            (None, _) => unknown("rubric", parent, rubrics.keys(), problems),
            (Some(_), Some(lister)) if *lister == parent.value => {}
            (Some(_), Some(lister)) => {
                let message = format!("`{code}` names `{}` as its rubric, but `{lister}` lists it", parent.value);
                problems.report(parent.span, message);
            }
            (Some(rubric), None) if rubric.benchmarks.is_some() => {
                let message = format!("`{code}` names `{}` as its rubric, which does not list it", parent.value);
                let help = format!("add `{code}` to `benchmarks` in {}", rubric.file);
                problems.report_with_help(parent.span, message, help);
            }
            (Some(_), None) => members.entry(parent.value.clone()).or_default().push(code.clone()),
        }
        problems.enter(outer);
    }
    members
}

fn unknown<'k>(what: &str, code: &Placed<String>, known: impl Iterator<Item = &'k String>, problems: &mut Problems) {
    let message = format!("there is no {what} `{}` in the tree", code.value);
    match closest(&code.value, known.map(String::as_str)) {
        Some(near) => problems.report_with_help(code.span, message, format!("did you mean `{near}`?")),
        None => problems.report(code.span, message),
    }
}

/// The rubric above each rubric that has one.
fn parents(rubrics: &IndexMap<String, Rubric>, problems: &mut Problems) -> HashMap<String, String> {
    let mut parents: HashMap<String, String> = HashMap::new();
    for (code, rubric) in rubrics {
        let outer = problems.enter(rubric.file.clone());
        for entry in rubric.sub_rubrics.iter().map(RubricRef::code) {
            if !rubrics.contains_key(&entry.value) {
                unknown("rubric", entry, rubrics.keys(), problems);
            } else if let Some(other) = parents.insert(entry.value.clone(), code.clone()) {
                problems.report(entry.span, format!("the rubric `{}` is below `{other}` already", entry.value));
            }
        }
        problems.enter(outer);
    }
    parents
}

/// Reports every rubric that is below itself, once per cycle.
fn check_cycles(rubrics: &IndexMap<String, Rubric>, problems: &mut Problems) {
    let mut settled: HashSet<&str> = HashSet::new();
    for start in rubrics.keys() {
        let mut path: Vec<&str> = Vec::new();
        walk(start, rubrics, &mut path, &mut settled, problems);
    }
}

fn walk<'r>(
    code: &'r str,
    rubrics: &'r IndexMap<String, Rubric>,
    path: &mut Vec<&'r str>,
    settled: &mut HashSet<&'r str>,
    problems: &mut Problems,
) {
    if settled.contains(code) {
        return;
    }
    let Some(rubric) = rubrics.get(code) else { return };
    if path.contains(&code) {
        let outer = problems.enter(rubric.file.clone());
        let message = format!("the rubric `{code}` is below itself: {} → {code}", path.join(" → "));
        problems.report(rubric.code.span, message);
        problems.enter(outer);
        return;
    }
    path.push(code);
    for below in &rubric.sub_rubrics {
        walk(&below.code().value, rubrics, path, settled, problems);
    }
    path.pop();
    settled.insert(code);
}
