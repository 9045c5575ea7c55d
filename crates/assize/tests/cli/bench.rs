//! A folder with a suite, a model server, and the binary.

use assize_testkit::{ModelServer, Script};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The key the tests use; it must turn up nowhere but in the request.
pub(crate) const KEY: &str = "sk-test-0123456789-secret";

pub(crate) struct Bench {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) server: ModelServer,
}

impl Bench {
    /// A suite over `cases` transcripts with a model on the given script.
    pub(crate) async fn new(cases: usize, script: Script) -> Self {
        let bench = Self { folder: tempfile::tempdir().expect("a folder"), server: ModelServer::start(script).await };
        bench.write("suite.yaml", &bench.suite("cases.jsonl", ""));
        bench.write("cases.jsonl", &transcripts(cases));
        bench.write(".user/assize/keys.toml", "TRIAL_KEY = [\"127.0.0.1\"]\n");
        bench
    }

    pub(crate) fn suite(&self, cases: &str, more: &str) -> String {
        format!(
            "name: trial\njudge: {{use: transcript-quality, model: 'local:judge'}}\ncases: [{cases}]\nproviders:\n  local: {{base_url: '{}', api_key_env: TRIAL_KEY}}\n{more}",
            self.server.openai_url()
        )
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, content).expect("written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command_in(self.folder.path(), arguments);
        command.env("TRIAL_KEY", KEY);
        command
    }

    /// Holds that the key is in none of these texts, nor in the store.
    pub(crate) fn assert_no_key(&self, texts: &[&str]) {
        for text in texts {
            assert!(!text.contains(KEY), "{text}");
        }
        let store: Vec<_> = std::fs::read_dir(self.path(".assize")).expect("a store").collect();
        assert!(!store.is_empty());
        for entry in store {
            let path = entry.expect("an entry").path();
            let bytes = std::fs::read(&path).expect("read");
            let found = bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes());
            assert!(!found, "the key is in {}", path.display());
        }
    }

    /// Runs the binary to its end while the server goes on serving.
    pub(crate) async fn assize(&self, arguments: &[&str]) -> Ended {
        let mut command = self.command(arguments);
        Ended::of(tokio::task::spawn_blocking(move || command.output().expect("started")).await.expect("ended"))
    }
}

/// The binary, with an environment of its own.
pub(crate) fn command_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assize"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in [
        "ASSIZE_STORE",
        "ASSIZE_PRICES",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
    ] {
        command.env_remove(name);
    }
    command.env("COLUMNS", "80").env("NO_COLOR", "1").env("XDG_CONFIG_HOME", folder.join(".user"));
    command
}

/// Runs the binary in a folder where nothing needs a server.
pub(crate) fn assize_in(folder: &Path, arguments: &[&str]) -> Ended {
    Ended::of(command_in(folder, arguments).output().expect("started"))
}

/// How the binary ended and what it said.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
    pub(crate) said: String,
}

impl Ended {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            output: String::from_utf8(output.stdout).expect("text"),
            said: String::from_utf8(output.stderr).expect("text"),
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.output).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A text without what differs from run to run: ids of runs, such as 20260131-235959-0z1b.
pub(crate) fn steady(text: &str) -> String {
    const SHAPE: &str = "dddddddd-dddddd-xxxx";
    let is_run = |part: &str| {
        SHAPE.chars().zip(part.chars()).all(|(shape, found)| match shape {
            'd' => found.is_ascii_digit(),
            'x' => found.is_ascii_alphanumeric(),
            other => found == other,
        })
    };
    let (mut steady, mut rest) = (String::new(), text);
    while let Some(next) = rest.chars().next() {
        match rest.get(..SHAPE.len()).filter(|part| is_run(part)) {
            Some(_) => {
                steady.push_str("RUN");
                rest = &rest[SHAPE.len()..];
            }
            None => {
                steady.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    steady
}

/// Transcripts that all differ.
pub(crate) fn transcripts(count: usize) -> String {
    (0..count)
        .map(|number| format!("{{\"id\": \"c{number}\", \"reference\": \"case {number} is here\", \"transcript\": \"case {number} is\"}}\n"))
        .collect()
}
