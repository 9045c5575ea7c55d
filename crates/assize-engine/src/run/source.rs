//! What a run is prepared from: a suite and where its files are. A suite is read from its own file or given as a value.

use crate::cases::CaseFiles;
use crate::files::{Files, OUTSIDE, PathKind};
use assize_core::document::{Problems, closest, parse};
use assize_core::suite::{Draft, Placed};
use assize_core::{InputSpec, JudgeSource, JudgeSystem, SourceFile, Suite};
use assize_judges::SYSTEMS;
use serde_json::{Map, Value};

/// A suite and where the files are that it names.
pub struct SuiteSource<'s> {
    pub(super) files: &'s Files,
    pub(super) draft: Draft,
    /// The cases, where they are not in the files that the suite names.
    given: Option<Vec<Map<String, Value>>>,
    /// The judge system, where it is not one that suites name.
    pub(super) system: Option<&'static dyn JudgeSystem>,
    /// What starts the suite again, from wherever: the absolute path of its file.
    pub(super) path: Option<String>,
    /// What was wrong with the suite itself; later problems are added.
    pub(super) problems: Problems,
}

impl<'s> SuiteSource<'s> {
    /// Reads a suite from its file. What is wrong with it is reported when it is prepared, with everything else.
    pub fn read(files: &'s Files, path: &str) -> Result<Self, Problems> {
        let mut problems = Problems::of(files.shown(path));
        let text = match files.read_text(path) {
            Ok(text) => text,
            Err(error) => {
                problems.report(None, format!("the suite cannot be read: {error}"));
                return Err(problems);
            }
        };
        match parse(&text, &mut problems).and_then(|node| Draft::read(&node, &mut problems)) {
            Some(draft) => {
                Ok(Self { files, draft, given: None, system: None, path: Some(files.absolute(path)), problems })
            }
            None => Err(problems),
        }
    }

    /// A suite that is in no file, with its cases as records. Messages call both by `name`.
    pub fn given(suite: Suite, cases: Vec<Map<String, Value>>, files: &'s Files, name: impl Into<String>) -> Self {
        let mut problems = Problems::of(name);
        for model in &suite.models {
            model.value.check_provider(model.span, &suite.providers, &mut problems);
        }
        Self { files, draft: suite.into(), given: Some(cases), system: None, path: None, problems }
    }

    /// The same with a judge system that is not one of those a suite can name.
    pub fn judged_by(self, system: &'static dyn JudgeSystem) -> Self {
        Self { system: Some(system), ..self }
    }

    /// The cases for a judge that takes these inputs; nothing if they cannot be found, which is reported.
    pub(super) fn cases(&mut self, inputs: &[InputSpec]) -> Option<CaseFiles> {
        let columns = &self.draft.columns;
        match self.given.take() {
            Some(records) => Some(CaseFiles::given(records, self.problems.file(), columns, inputs)),
            None => CaseFiles::find(self.files, &self.draft.cases, columns, inputs, &mut self.problems),
        }
    }
}

/// What `judge.use` names, with its files read.
pub fn judge_source(files: &Files, judge_use: &Placed<String>, problems: &mut Problems) -> Option<JudgeSource> {
    let (name, span) = (&judge_use.value, judge_use.span);
    if SYSTEMS.iter().any(|system| system.name() == name) {
        return Some(JudgeSource::BuiltIn(name.clone()));
    }
    let read = |path: &str| files.read_text(path).map(|text| SourceFile { path: files.shown(path), text });
    let folder = |folder: &str, path: &str| {
        let paths = files.judge_files(folder).map_err(|error| std::io::Error::other(error.to_string()))?;
        let files = paths.iter().map(|path| read(path)).collect::<std::io::Result<Vec<_>>>()?;
        Ok(JudgeSource::Folder { path: path.to_owned(), files })
    };
    let source = match files.kind(name) {
        PathKind::Missing => {
            let names = || SYSTEMS.iter().map(|system| system.name());
            let message = format!("`{name}` is neither a judge system nor a file or folder beside the suite");
            let help = match closest(name, names()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("judge systems: {}", names().collect::<Vec<_>>().join(", ")),
            };
            problems.report_with_help(span, message, help);
            return None;
        }
        PathKind::Outside => {
            problems.report(span, format!("`{name}` {OUTSIDE}"));
            return None;
        }
        PathKind::Folder => folder(name, name),
        PathKind::File => match SYSTEMS.iter().find_map(|system| system.folder_of(name)) {
            Some(whole) => folder(whole, name),
            None => read(name).map(JudgeSource::File),
        },
    };
    source.map_err(|error| problems.report(span, format!("`{name}` cannot be read: {error}"))).ok()
}
