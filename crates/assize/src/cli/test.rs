//! `assize test`: do rubrics judge their own examples as their authors do?
//!
//! Every example that says whether it passes becomes a case, judged by its own behaviour alone, in a run like any other: same
//! store, same cache, same options. What offline rules say is no test of a rubric, so that offline the command says what
//! would be asked.

use super::asking::{Asking, options};
use super::run::{Executed, Following, beside, conclude, estimate, execute};
use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::render::examples::{self, Fate, Report, Tested};
use crate::render::problems;
use crate::screen;
use assize_core::document::{Problems, Span, parse};
use assize_core::suite::Placed;
use assize_core::{CaseStatus, Suite};
use assize_engine::files::{Files, PathKind};
use assize_engine::profiles::Profiles;
use assize_engine::records::ResultLine;
use assize_engine::run::{SuiteSource, judge_source, prepare};
use assize_judges::systems::behaviour::prompt_file::looks_like_prompt;
use assize_judges::systems::behaviour::spec::{Benchmark, roots};
use assize_judges::systems::behaviour::{LabelledExample, LabelledExamples, labelled_examples};
use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Judge the examples of rubrics, and say which they get wrong.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize test rubrics                                offline: what would be asked; code checks are tested
  assize test rubrics --model openai:gpt-4o-mini     ask, and compare with the labels
  assize test rubrics --model openai:gpt-4o-mini --dry-run
  assize test suite.yaml                             the rubrics of a suite, with its judge model and providers
  assize test prompts/tone_prompt.md --format junit > rubrics.xml

An example is tested if it says whether it passes: in a benchmark under `examples`, in a prompt
under EXAMPLES. The judge is not shown the example that it is asked about.

Exit codes: 0 no example is judged wrongly, 1 some are, 2 bad input and nothing asked, 3 some
could not be judged, 4 stopped by the budget, 130 interrupted.")]
pub(super) struct Test {
    /// Trees, benchmarks or prompt files, folders of them, or suites
    #[arg(required = true)]
    rubrics: Vec<PathBuf>,

    #[command(flatten)]
    asking: Asking,

    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: TestFormat,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum TestFormat {
    /// For the terminal
    #[default]
    Table,
    /// One JSON document, for other programs
    Json,
    /// For CI servers that read test reports
    Junit,
}

/// Rubrics to test: a judge, and where its files are.
struct Rubrics {
    files: Files,
    judge_use: String,
    /// What the user typed.
    shown: String,
    /// The suite that names them, as a value.
    suite: Option<Value>,
}

impl Test {
    /// The examples of one rubric file or tree, as its author would test them.
    pub(super) fn of(rubrics: PathBuf, asking: Asking) -> Self {
        Self { rubrics: vec![rubrics], asking, format: TestFormat::Table }
    }

    pub(super) fn run(&self, place: &Place) -> Outcome {
        let mut report = Report::default();
        let mut exit = Exit::Done;
        for path in &self.rubrics {
            for rubrics in find(path)? {
                let found = self.test(&rubrics, place, &mut report)?;
                exit = if exit == Exit::Done { found } else { exit };
            }
        }
        if self.asking.dry_run {
            return Ok(Exit::Done);
        }
        match self.format {
            TestFormat::Table => screen::line(examples::table(&report, screen::width())),
            TestFormat::Json => screen::raw(&format!("{}\n", examples::json(&report))),
            TestFormat::Junit => screen::raw(&examples::junit(&report)),
        }
        if report.tested.is_empty() {
            let hint = "add some: a benchmark's `examples:` with `pass:` and `reason:`; docs/behaviours.md shows one";
            return Err(fail("no example says whether it passes", hint));
        }
        Ok(if exit == Exit::Done && report.wrong() > 0 { Exit::GateFails } else { exit })
    }

    fn test(&self, rubrics: &Rubrics, place: &Place, report: &mut Report) -> Outcome {
        let mut found = Problems::of(rubrics.shown.clone());
        let judge_use = Placed { value: rubrics.judge_use.clone(), span: Span::at(1, 1) };
        let labelled = judge_source(&rubrics.files, &judge_use, &mut found)
            .and_then(|source| labelled_examples(&source, &mut found));
        let Some(LabelledExamples { examples, untested }) = labelled else {
            if found.is_empty() {
                return Err(fail(
                    format!("{} is no rubric", rubrics.shown),
                    "name a tree, a benchmark or a prompt file",
                ));
            }
            return Err(problems::draw(&found));
        };
        report.untested.extend(untested);
        if examples.is_empty() {
            return Ok(Exit::Done);
        }
        let suite = self.suite(rubrics, &examples, &mut found).ok_or_else(|| problems::draw(&found))?;
        let cases = examples.iter().map(case_of).collect();
        let source = SuiteSource::given(suite, cases, &rubrics.files, rubrics.shown.clone());
        let options = options(self.asking.request(Path::new(&rubrics.shown)))?.with_permits(self.asking.permits()?);
        let prepared = prepare(source, options, &Profiles::default(), &|name| std::env::var(name).ok())
            .map_err(|found| problems::draw(&found))?;
        if self.asking.dry_run {
            return estimate(&prepared, place, self.format == TestFormat::Json);
        }
        let ready = prepared.ready().map_err(|found| problems::draw(&found))?;
        let store = place.open()?;
        let following = if self.asking.quiet { Following::Nobody } else { Following::Screen };
        let Executed { document, .. } = execute(ready, &store, None, following)?;
        let lines = store.results(&document.run_id, 0, examples.len()).map_err(|error| fail(&error, error.hint()))?;
        report.runs.push(document.run_id.clone());
        let mut lines = lines.into_iter().map(|result| result.line).collect::<Vec<ResultLine>>();
        for example in examples {
            let at = lines.iter().position(|line| line.case == id_of(&example));
            let fate = at.map_or(Fate::NotReached, |at| fate_of(&example, lines.swap_remove(at)));
            report.tested.push(Tested { example, fate });
        }
        Ok(conclude(&document))
    }

    /// A suite over the examples, in which each is a case of its own behaviour alone.
    fn suite(&self, rubrics: &Rubrics, examples: &[LabelledExample], found: &mut Problems) -> Option<Suite> {
        let mut suite = rubrics.suite.clone().unwrap_or_else(|| json!({"judge": {"model": "offline"}}));
        let mut codes: Vec<&str> = examples.iter().map(|example| example.code.as_str()).collect();
        codes.dedup();
        suite["name"] = format!("{} {}", examples::SUITE, rubrics.shown).into();
        suite["cases"] = json!(["examples"]);
        suite["judge"]["use"] = rubrics.judge_use.clone().into();
        let judge = suite["judge"].as_object_mut()?;
        judge.remove("settings");
        if !rubrics.judge_use.ends_with(".md") {
            let tags: Map<String, Value> =
                codes.iter().map(|code| ((*code).to_owned(), json!({"only": [code]}))).collect();
            judge.insert("settings".into(), json!({"only": codes, "tags": tags}));
        }
        for key in ["gate", "map"] {
            suite.as_object_mut()?.remove(key);
        }
        parse(&suite.to_string(), found).and_then(|node| Suite::read(&node, found))
    }
}

/// The rubrics that a path means.
fn find(path: &Path) -> Result<Vec<Rubrics>, Exit> {
    let files = Files::Folder(PathBuf::new());
    let shown = path.to_string_lossy().trim_end_matches('/').to_owned();
    let one = |judge_use: String| Rubrics { files: files.clone(), shown: judge_use.clone(), judge_use, suite: None };
    let unreadable = |error: &dyn std::fmt::Display| fail(format!("{shown} cannot be read: {error}"), "");
    match files.kind(&shown) {
        PathKind::Missing | PathKind::Outside => Err(fail(format!("{shown} is not there"), "")),
        PathKind::File if shown.ends_with(".md") => Ok(vec![one(shown)]),
        PathKind::File => {
            let text = files.read_text(&shown).map_err(|error| unreadable(&error))?;
            if Benchmark::is_meant_by(&text) {
                Ok(vec![one(shown)])
            } else {
                of_suite(path, &text).map(|suite| vec![suite])
            }
        }
        PathKind::Folder => {
            let paths = files.judge_files(&shown).map_err(|error| unreadable(&error))?;
            let trees = roots(paths.iter().map(String::as_str));
            if !trees.is_empty() {
                return Ok(trees
                    .into_iter()
                    .map(|root| one(if root.is_empty() { ".".into() } else { root }))
                    .collect());
            }
            let is_prompt = |path: &String| {
                path.ends_with("_prompt.md")
                    || path.ends_with(".md") && files.read_text(path).is_ok_and(|text| looks_like_prompt(&text))
            };
            Ok(paths.into_iter().filter(is_prompt).map(one).collect())
        }
    }
}

/// The rubrics that a suite names.
fn of_suite(path: &Path, text: &str) -> Result<Rubrics, Exit> {
    let (files, name) = beside(path);
    let shown = files.shown(&name);
    let mut found = Problems::of(shown.clone());
    let value = parse(text, &mut found).map(|node| node.to_value()).ok_or_else(|| problems::draw(&found))?;
    let judge_use = value["judge"]["use"].as_str().map(str::to_owned);
    let judge_use = judge_use.ok_or_else(|| {
        fail(format!("{shown} is neither a benchmark nor a suite"), "a suite names its judge in `judge.use`")
    })?;
    Ok(Rubrics { files, judge_use, shown, suite: Some(value) })
}

fn id_of(example: &LabelledExample) -> String {
    format!("{} {}", example.code, example.number)
}

fn case_of(example: &LabelledExample) -> Map<String, Value> {
    let mut record = example.inputs.clone();
    // What an example leaves out is empty.
    for input in ["ground_truth", "candidate_output"] {
        let value = record.entry(input).or_insert(Value::Null);
        if value.is_null() {
            *value = "".into();
        }
    }
    record.insert("id".into(), id_of(example).into());
    record.insert("model".into(), "example".into());
    record.insert("tags".into(), json!([example.code]));
    record.insert(
        "metadata".into(),
        json!({examples::EXPECTED: example.pass, "file": example.file, "rubric": example.rubric}),
    );
    record
}

fn fate_of(example: &LabelledExample, line: ResultLine) -> Fate {
    let label = &line.labels.get("behaviours").map_or(&Value::Null, |labels| &labels[&example.code]);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match (line.status, label["pass"].as_bool()) {
        (CaseStatus::Failed, _) => Fate::Failed(line.error.map(|error| error.to_string()).unwrap_or_default()),
        (CaseStatus::Skipped, _) => Fate::Wrong { found: None, reason: line.reason.unwrap_or_default() },
        (CaseStatus::Judged, _) if label["decided_by"] == "rules" => Fate::NotAsked,
        (CaseStatus::Judged, found) if found == Some(example.pass) => Fate::Right,
        (CaseStatus::Judged, found) => Fate::Wrong { found, reason: text(&label["reason"]) },
    }
}
