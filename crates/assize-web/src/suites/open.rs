//! From what was asked for to a run that can be executed, with everything that stands in its way.

use crate::failure::Failure;
use crate::problems::{self, in_request};
use crate::served::Served;
use assize_core::document::Problems;
use assize_engine::files::{Confined, Files};
use assize_engine::profiles::Profiles;
use assize_engine::records::RunRequest;
use assize_engine::run::{Prepared, RunOptions, SuiteSource, prepare};
use assize_judges::examples::{self, Example};
use std::path::Path;

/// Why a run cannot be prepared.
pub(crate) enum Unprepared {
    /// There is no such suite, or it may not be read.
    Refused(Failure),
    /// Something is wrong with it, or with what was chosen beside it.
    Wrong(Problems),
}

impl Unprepared {
    /// As bad input.
    pub(crate) fn into_failure(self, served: &Served) -> Failure {
        match self {
            Self::Refused(failure) => failure,
            Self::Wrong(found) => problems::failure(&found, served.folder()),
        }
    }
}

impl From<Failure> for Unprepared {
    fn from(failure: Failure) -> Self {
        Self::Refused(failure)
    }
}

impl From<Problems> for Unprepared {
    fn from(problems: Problems) -> Self {
        Self::Wrong(problems)
    }
}

/// Prepares what was asked for. Nothing outside the served folder is read.
pub(crate) fn prepare_request(served: &Served, request: &RunRequest) -> Result<Prepared, Unprepared> {
    let (files, suite) = find(served, &request.suite)?;
    let refused = |wrong: Vec<String>| problems::failure(&in_request(wrong), served.folder());
    let profiles = Profiles::from(served.store().profiles().map_err(Failure::from)?);
    let options = RunOptions::try_from(request.clone()).map_err(refused)?.with_permits(served.permits()?);
    Ok(prepare(SuiteSource::read(&files, &suite)?, options, &profiles, &|name| std::env::var(name).ok())?)
}

/// The files of the served folder, seen from its root.
pub(crate) fn root_files(served: &Served) -> Result<Files, Failure> {
    confined(served, Path::new(""))
}

fn confined(served: &Served, folder: &Path) -> Result<Files, Failure> {
    let confined = Confined::new(served.folder().root(), folder);
    confined
        .map(Files::Confined)
        .map_err(|error| Failure::broken(format!("The served folder cannot be read any more: {error}")))
}

/// A suite by what starts it.
fn find(served: &Served, suite: &str) -> Result<(Files, String), Failure> {
    if let Some(bundled) = suite.strip_prefix("bundled:") {
        let name = bundled.strip_suffix(Example::SUITE).and_then(|name| name.strip_suffix('/'));
        let example = examples::all().into_iter().find(|example| Some(example.system) == name);
        let missing = || Failure::missing(format!("There is no bundled suite “{suite}”."));
        return example.map(|example| (Files::from(example), Example::SUITE.to_owned())).ok_or_else(missing);
    }
    let found = served.folder().find(suite)?;
    let within = found.strip_prefix(served.folder().root()).unwrap_or(&found);
    let (Some(folder), Some(name), true) = (within.parent(), within.file_name(), found.is_file()) else {
        return Err(Failure::missing(format!("“{suite}” is no file.")));
    };
    Ok((confined(served, folder)?, name.to_string_lossy().into_owned()))
}

/// What a recorded run was asked for with, as it can be asked for here; nothing if its suite is not in the served folder.
pub(crate) fn within_folder(served: &Served, request: RunRequest) -> Option<RunRequest> {
    if request.suite.starts_with("bundled:") {
        return Some(request);
    }
    let suite = Path::new(&request.suite).strip_prefix(served.folder().root()).ok()?.to_str()?.to_owned();
    Some(RunRequest { suite, ..request })
}
