//! Puts the bundled examples into the binary: every file of every folder under `examples/`, as a list that
//! `src/examples.rs` includes. A new example is a new folder, and nothing else.
//!
//! `examples` and `guides` are links to the repository's folders; a package of this crate has their files.

#![expect(clippy::disallowed_methods, reason = "a build script reads files; the crate it builds does not")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"))
        .join("examples")
        .canonicalize()
        .expect("the examples are there");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut list = String::from("&[\n");
    for example in entries(&root).into_iter().filter(|path| path.is_dir()) {
        let name = example.file_name().expect("a name").to_string_lossy().into_owned();
        let mut files = Vec::new();
        collect(&example, &mut files);
        write!(list, "    Example {{ system: {name:?}, files: &[").expect("written");
        for file in files {
            let path = file.strip_prefix(&example).expect("inside").to_string_lossy().replace('\\', "/");
            write!(list, "({path:?}, include_str!({:?})), ", file).expect("written");
        }
        list.push_str("] },\n");
    }
    list.push_str("]\n");
    let output = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo"));
    std::fs::write(output.join("examples.rs"), list).expect("written");
}

/// What a folder holds, by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    entries
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
