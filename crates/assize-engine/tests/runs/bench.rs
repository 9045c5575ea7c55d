//! A folder with a suite, a store and a model server.

use assize_core::document::Problems;
use assize_engine::control::Control;
use assize_engine::event::{Event, Listener};
use assize_engine::files::{Confined, Files};
use assize_engine::profiles::Profiles;
use assize_engine::records::RunRequest;
use assize_engine::run::{Execution, Ready, RunOptions, SuiteSource, prepare};
use assize_engine::store::Store;
use assize_testkit::{ModelServer, Script};
use std::path::Path;
use std::sync::Arc;
use tokio::sync::watch;

pub(crate) struct Bench {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) server: ModelServer,
    pub(crate) store: Store,
}

impl Bench {
    /// A served folder with a suite of so many transcripts.
    pub(crate) async fn new(cases: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("served")).expect("made");
        let store = Store::open(&folder.path().join("assize.db")).expect("a store");
        let bench = Self { folder, server: ModelServer::start(Script::default()).await, store };
        let address = bench.server.openai_url();
        bench.write("suite.yaml", &format!("name: trial\njudge: {{use: transcript-quality, model: 'local:judge'}}\ncases: [cases.jsonl]\nproviders:\n  local: {{base_url: '{address}'}}\n"));
        let case =
            |number| format!("{{\"id\": \"c{number}\", \"reference\": \"case {number}\", \"transcript\": \"case\"}}\n");
        bench.write("cases.jsonl", &(0..cases).map(case).collect::<String>());
        bench
    }

    /// Writes a file of the served folder.
    pub(crate) fn write(&self, name: &str, content: &str) {
        std::fs::write(self.folder.path().join("served").join(name), content).expect("written");
    }

    pub(crate) fn files(&self) -> Files {
        Files::Confined(Confined::new(&self.folder.path().join("served"), Path::new("")).expect("there"))
    }

    /// The suite, ready to be executed with what is chosen in a request.
    pub(crate) fn ready(&self, request: RunRequest) -> Result<Ready, Problems> {
        let files = self.files();
        let options = RunOptions::try_from(request).expect("within bounds");
        prepare(SuiteSource::read(&files, "suite.yaml")?, options, &Profiles::default(), &|_| None)?.ready()
    }

    /// What a run is executed with, and how many questions it has had answered so far.
    pub(crate) fn execution(&self) -> (Execution<'static>, Control, watch::Receiver<usize>) {
        let (answered, so_far) = watch::channel(0);
        let listener: Listener = Arc::new(move |event| {
            if matches!(event, Event::Answered { .. }) {
                answered.send_modify(|count| *count += 1);
            }
        });
        let control = Control::default();
        let execution = Execution { store: self.store.clone(), control: control.clone(), listener, results: None };
        (execution, control, so_far)
    }
}
