//! Opens an embedder by what the user wrote, and says what is wrong where that fails.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::embedder::Embedder;
use crate::lexical::Lexical;
#[cfg(feature = "models")]
use crate::local::Local;
#[cfg(feature = "models")]
use crate::muse::Muse;

/// The embedders that [`open`] knows: how each is written, and what it is.
pub const EMBEDDERS: &[(&str, &str)] = &[
    ("muse:DIR", "multilingual Universal Sentence Encoder, 16 languages; DIR holds weights.npz and sp.model"),
    ("local:DIR", "a sentence-transformers folder of a BERT model, such as MiniLM or LaBSE"),
    ("lexical", "shared runs of characters; compares spelling, not meaning, and is no multilingual model"),
];

/// Opens the embedder that `spec` names; a folder in it is looked for from `base` on.
///
/// ```
/// let embedder = assize_embed::open("lexical", std::path::Path::new(".")).unwrap();
/// assert_eq!(embedder.name(), "lexical");
/// ```
pub fn open(spec: &str, base: &Path) -> Result<Box<dyn Embedder>, OpenError> {
    match spec.split_once(':') {
        None if spec == "lexical" => Ok(Box::new(Lexical::new())),
        Some((kind @ ("muse" | "local"), folder)) if !folder.is_empty() => open_model(kind, &base.join(folder)),
        _ => {
            let known: Vec<&str> = EMBEDDERS.iter().map(|(name, _)| *name).collect();
            Err(OpenError {
                path: None,
                fault: Fault::NoSuchEmbedder(spec.to_owned()),
                hint: Some(format!("write one of: {}", known.join(", "))),
            })
        }
    }
}

#[cfg(feature = "models")]
fn open_model(kind: &str, folder: &Path) -> Result<Box<dyn Embedder>, OpenError> {
    Ok(if kind == "muse" { Box::new(Muse::open(folder)?) } else { Box::new(Local::open(folder)?) })
}

#[cfg(not(feature = "models"))]
fn open_model(_: &str, folder: &Path) -> Result<Box<dyn Embedder>, OpenError> {
    let fault = Fault::Unsupported("this Assize was built without embedding models that run in the process".to_owned());
    let hint = "build it with `cargo build --release --features embeddings`, or use `openai:NAME` or `lexical`";
    Err(OpenError::new(folder, fault).hint_if_none(|| Some(hint.to_owned())))
}

/// Why an embedder could not be opened.
#[derive(Debug)]
pub struct OpenError {
    path: Option<PathBuf>,
    fault: Fault,
    hint: Option<String>,
}

/// What was wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum Fault {
    /// No embedder is written like this.
    NoSuchEmbedder(String),
    /// The file or folder is not there.
    Missing,
    /// The file is there and cannot be read.
    Unreadable(io::Error),
    /// The file is not what it should be: damaged, cut off, or of another kind.
    Malformed(String),
    /// A tensor has another shape than the model's configuration needs.
    Shape {
        /// The tensor's name in the file.
        tensor: String,
        /// The shape it must have.
        expected: Vec<usize>,
        /// The shape it has.
        found: Vec<u64>,
    },
    /// The file is sound, and asks for something that is not supported.
    Unsupported(String),
}

impl OpenError {
    pub(crate) fn new(path: &Path, fault: Fault) -> Self {
        Self { path: Some(path.to_owned()), fault, hint: None }
    }

    #[cfg(feature = "models")]
    pub(crate) fn file(path: &Path, error: io::Error) -> Self {
        let fault = if error.kind() == io::ErrorKind::NotFound { Fault::Missing } else { Fault::Unreadable(error) };
        Self::new(path, fault)
    }

    pub(crate) fn hint_if_none(mut self, hint: impl FnOnce() -> Option<String>) -> Self {
        self.hint = self.hint.or_else(hint);
        self
    }

    /// What was wrong.
    #[must_use]
    pub fn fault(&self) -> &Fault {
        &self.fault
    }

    /// The file or folder it was wrong with.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", path.display())?;
        }
        match &self.fault {
            Fault::NoSuchEmbedder(spec) => write!(f, "there is no embedder {spec:?}"),
            Fault::Missing => f.write_str("it is not there"),
            Fault::Unreadable(error) => write!(f, "it cannot be read: {error}"),
            Fault::Malformed(what) | Fault::Unsupported(what) => f.write_str(what),
            Fault::Shape { tensor, expected, found } => {
                write!(f, "the tensor {tensor} has the shape {found:?} where the model needs {expected:?}")
            }
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let Fault::Unreadable(error) = &self.fault { Some(error) } else { None }
    }
}

#[cfg(feature = "models")]
/// The folder below `folder` that holds `file`, where a package was unpacked and its root was named.
pub(crate) fn folder_below(folder: &Path, file: &str) -> Option<PathBuf> {
    let mut level = vec![folder.to_owned()];
    for _ in 0..3 {
        let mut below: Vec<PathBuf> = level
            .iter()
            .filter_map(|folder| std::fs::read_dir(folder).ok())
            .flat_map(|entries| entries.filter_map(Result::ok).take(100))
            .map(|entry| entry.path())
            .filter(|path| path.is_dir())
            .collect();
        below.sort();
        if let Some(found) = below.iter().find(|path| path.join(file).is_file()) {
            return Some(found.clone());
        }
        level = below;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(spec: &str, base: &Path) -> OpenError {
        open(spec, base).err().unwrap()
    }

    #[test]
    fn what_is_not_known_lists_what_is() {
        for spec in ["", "muse", "muse:", "local:", "lexical:x", "glove:dir", "Lexical"] {
            let error = error(spec, Path::new("."));
            assert!(matches!(error.fault(), Fault::NoSuchEmbedder(named) if named == spec), "{spec}");
            assert_eq!(error.hint(), Some("write one of: muse:DIR, local:DIR, lexical"));
        }
    }

    #[cfg(not(feature = "models"))]
    #[test]
    fn without_the_feature_a_model_is_refused_with_the_way_to_have_it() {
        for spec in ["muse:m", "local:m"] {
            let error = error(spec, Path::new("."));
            assert!(error.to_string().contains("built without embedding models"), "{error}");
            assert!(error.hint().is_some_and(|hint| hint.contains("--features embeddings")));
        }
    }

    #[cfg(feature = "models")]
    #[test]
    fn a_missing_folder_and_a_missing_file_are_named() {
        let base = tempfile::tempdir().unwrap();
        for (spec, file) in [("muse:models", "sp.model"), ("local:models", "modules.json")] {
            let error = error(spec, base.path());
            assert!(matches!(error.fault(), Fault::Missing));
            assert_eq!(error.path(), Some(&*base.path().join("models")));
            assert!(error.hint().unwrap().contains(file), "{:?}", error.hint());
        }
        let models = base.path().join("models");
        std::fs::create_dir(&models).unwrap();
        for (spec, file) in [("muse:models", "weights.npz"), ("local:models", "modules.json")] {
            let error = error(spec, base.path());
            assert!(matches!(error.fault(), Fault::Missing));
            assert_eq!(error.path(), Some(&*models.join(file)));
        }
    }

    #[cfg(feature = "models")]
    #[test]
    fn the_folder_that_was_meant_is_named() {
        let base = tempfile::tempdir().unwrap();
        let inner = base.path().join("package/resources");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(inner.join("weights.npz"), "").unwrap();
        std::fs::write(inner.join("modules.json"), "").unwrap();
        for spec in ["muse:.", "local:."] {
            let hint = error(spec, base.path()).hint().unwrap().to_owned();
            assert!(hint.contains("resources") && hint.starts_with("did you mean"), "{hint}");
        }
    }
}
