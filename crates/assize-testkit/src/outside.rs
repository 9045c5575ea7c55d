//! What some tests need from outside the repository: data sets, models, Python packages.
//!
//! Where it is missing, the test cannot say anything, and must not count as passed. Rust's harness has no word for that,
//! so that each function here reports the test as *skipped* and returns nothing, upon which the test returns. Reports go
//! to standard error and, one line each, to the file named by `ASSIZE_SKIPPED`; `./test` counts that file's lines as
//! skipped instead of passed. With `ASSIZE_REQUIRE_ALL=1` a test that would be skipped fails.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file or folder of the shared data, which is in `shared/data` beside the repository or beside a folder above it.
pub fn shared_data(path: &str) -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = above.map(|folder| folder.join("shared/data").join(path)).find(|found| found.exists());
    found.or_else(|| missing(&format!("there is no shared/data/{path} beside the repository")))
}

/// The folder that an environment variable names.
pub fn folder_in(variable: &str) -> Option<PathBuf> {
    match std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from) {
        Some(folder) if folder.is_dir() => Some(folder),
        Some(folder) => missing(&format!("{variable} is {}, which is not a folder", folder.display())),
        None => missing(&format!("{variable} is not set")),
    }
}

/// A Python that has a module: the one that `ASSIZE_PYTHON` names, or else `python3`.
pub fn python_with(module: &str) -> Option<String> {
    let python = std::env::var("ASSIZE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let import = format!("import {module}");
    let probe = Command::new(&python).args(["-c", &import]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if probe.is_ok_and(|status| status.success()) {
        Some(python)
    } else {
        missing(&format!("`{python}` has no module {module}"))
    }
}

/// Reports the running test as skipped.
///
/// # Panics
///
/// If everything is required, or the report cannot be written: a test must not be taken for passed.
fn missing<T>(reason: &str) -> Option<T> {
    let required = std::env::var_os("ASSIZE_REQUIRE_ALL").is_some_and(|value| value == "1");
    assert!(!required, "{reason}, and ASSIZE_REQUIRE_ALL is set");
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let thread = std::thread::current();
    let line = format!("{package} {}: {reason}\n", thread.name().unwrap_or("unnamed"));
    // Through the handle, not the macro: what the macro prints is shown for failed tests only.
    let _ = std::io::stderr().write_all(format!("SKIPPED: {line}").as_bytes());
    if let Some(file) = std::env::var_os("ASSIZE_SKIPPED") {
        let mut file =
            std::fs::OpenOptions::new().create(true).append(true).open(file).expect("the list of skipped tests");
        file.write_all(line.as_bytes()).expect("the list of skipped tests is written");
    }
    None
}
