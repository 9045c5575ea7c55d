//! A sentence-transformers folder with a BERT model: MiniLM, LaBSE, and their like.
//!
//! `modules.json` says which steps there are: the transformer, pooling, and perhaps a dense layer and scaling to
//! length one. Each is done as the folder's files say. Nothing is downloaded, and what is not supported is an error
//! when the folder is opened, never a silent difference.

mod bert;
mod config;
mod pooling;
mod readme;
mod wordpiece;

use std::path::{Path, PathBuf};

use crate::embedder::{EmbedError, Embedder, finite};
use crate::files;
use crate::language::Languages;
use crate::open::{Fault, OpenError, folder_below};
use crate::vector::normalise;
use crate::workers::{runs, spread};
use bert::Bert;
use config::{Module, SentenceConfig, TransformersConfig};
use pooling::{Dense, Pooling};
use wordpiece::WordPiece;

const MODULES: &str = "modules.json";
const WEIGHTS: &str = "model.safetensors";
/// The largest configuration file that is read.
const LARGEST_CONFIG: u64 = 1 << 20;
/// The largest `tokenizer.json`: half a million pieces take about 20 MB.
const LARGEST_TOKENIZER: u64 = 256 << 20;
/// Tokens worked on together.
const BATCH: usize = 256;
/// A text is cut before it is tokenised where it has more bytes than this per token that the model can take.
const BYTES_PER_TOKEN: usize = 1024;

/// A model of the folder, in memory.
pub struct Local {
    name: String,
    fingerprint: String,
    languages: Languages,
    prompt: String,
    lower_case: bool,
    most_tokens: usize,
    tokenizer: WordPiece,
    bert: Bert,
    steps: Vec<Step>,
}

/// What happens to the tokens' vectors after the transformer.
enum Step {
    Dense(Dense),
    Normalise,
    Pool(Pooling),
}

impl Local {
    /// Reads the model from a folder.
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
        Self::read(folder).map_err(|error| {
            error.hint_if_none(|| {
                Some(match folder_below(folder, MODULES) {
                    Some(below) if !folder.join(MODULES).is_file() => {
                        format!("did you mean local:{}?", below.display())
                    }
                    _ => format!(
                        "the folder must be one that sentence-transformers saves: {MODULES}, config.json, \
                         tokenizer.json, {WEIGHTS} and a folder for each further module"
                    ),
                })
            })
        })
    }

    fn read(folder: &Path) -> Result<Self, OpenError> {
        if !folder.is_dir() {
            return Err(OpenError::new(folder, Fault::Missing));
        }
        let modules_path = folder.join(MODULES);
        let modules: Vec<Module> = files::read_json(&modules_path, LARGEST_CONFIG)?;
        let [transformer, others @ ..] = &*modules else {
            return Err(OpenError::new(&modules_path, Fault::Malformed("it names no modules".to_owned())));
        };
        if transformer.kind() != "Transformer" {
            let what = format!("its first module is {} and not a transformer", transformer.kind());
            return Err(OpenError::new(&modules_path, Fault::Unsupported(what)));
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"local v1\0");
        let root = module_folder(folder, transformer, &modules_path)?;
        let bert = Bert::read(&root, &mut hasher)?;
        let mut width = bert.width();
        let mut steps = Vec::new();
        for module in others {
            let place = module_folder(folder, module, &modules_path)?;
            steps.push(match module.kind() {
                "Pooling" => Step::Pool(Pooling::read(&place, &mut width)?),
                "Dense" => Step::Dense(Dense::read(&place, &mut width, &mut hasher)?),
                "Normalize" => Step::Normalise,
                other => {
                    let what = format!("it names a module of the kind {other}; known are Pooling, Dense, Normalize");
                    return Err(OpenError::new(&modules_path, Fault::Unsupported(what)));
                }
            });
        }
        if !matches!(steps.first(), Some(Step::Pool(_)))
            || steps.iter().filter(|step| matches!(step, Step::Pool(_))).count() != 1
        {
            let what = "it must name one pooling module, right after the transformer".to_owned();
            return Err(OpenError::new(&modules_path, Fault::Unsupported(what)));
        }

        let tokenizer_path = root.join("tokenizer.json");
        let tokenizer_file = files::read(&tokenizer_path, LARGEST_TOKENIZER)?;
        let tokenizer = WordPiece::read(&tokenizer_file).map_err(|fault| OpenError::new(&tokenizer_path, fault))?;
        if tokenizer.highest() as usize >= bert.vocabulary() {
            let what = format!("it has tokens up to {} where the model has {}", tokenizer.highest(), bert.vocabulary());
            return Err(OpenError::new(&tokenizer_path, Fault::Malformed(what)));
        }
        let sentence = SentenceConfig::read(&root)?;
        let most_tokens = sentence.max_seq_length.unwrap_or(bert.positions()).min(bert.positions());
        let prompt = TransformersConfig::read(folder)?;
        for setting in [format!("{most_tokens} {} {prompt:?} ", sentence.do_lower_case), modules_text(&modules, &steps)]
        {
            hasher.update(setting.as_bytes());
        }
        hasher.update(&tokenizer_file);
        Ok(Self {
            name: name(folder),
            fingerprint: hasher.finalize().to_hex().to_string(),
            languages: readme::languages(&folder.join("README.md")),
            prompt,
            lower_case: sentence.do_lower_case,
            most_tokens,
            tokenizer,
            bert,
            steps,
        })
    }

    fn tokens(&self, text: &str) -> Vec<u32> {
        // What lies far beyond the last token the model can take is not looked at.
        let text = &text[..text.floor_char_boundary(self.most_tokens.saturating_mul(BYTES_PER_TOKEN))];
        let prompted = format!("{}{}", self.prompt, text);
        let prompted = prompted.trim();
        if self.lower_case {
            self.tokenizer.encode(&prompted.to_lowercase(), self.most_tokens)
        } else {
            self.tokenizer.encode(prompted, self.most_tokens)
        }
    }

    fn vectors(&self, texts: &[Vec<u32>]) -> Vec<Vec<f32>> {
        let lengths: Vec<usize> = texts.iter().map(Vec::len).collect();
        let rows = self.bert.forward(texts);
        let mut vectors = Vec::new();
        for step in &self.steps {
            match step {
                Step::Pool(pooling) => vectors = pooling.pool(&rows, &lengths),
                Step::Dense(dense) => vectors.iter_mut().for_each(|vector| *vector = dense.apply(vector)),
                Step::Normalise => vectors.iter_mut().for_each(|vector| normalise(vector, 1e-12)),
            }
        }
        vectors
    }
}

impl Embedder for Local {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn languages(&self) -> Languages {
        self.languages.clone()
    }

    fn caveat(&self) -> Option<&str> {
        matches!(self.languages, Languages::Unknown)
            .then_some("the model's folder does not say which languages it knows")
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let tokens = spread(texts, |text| self.tokens(text));
        let batches = runs(tokens.iter().map(Vec::len), BATCH);
        finite(spread(&batches, |batch| self.vectors(&tokens[batch.clone()])).into_iter().flatten().collect())
    }
}

impl std::fmt::Debug for Local {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Local")
            .field("name", &self.name)
            .field("fingerprint", &self.fingerprint)
            .field("languages", &self.languages)
            .finish_non_exhaustive()
    }
}

/// The folder of a module; it lies within the model's folder.
fn module_folder(folder: &Path, module: &Module, modules: &Path) -> Result<PathBuf, OpenError> {
    let path = Path::new(&module.path);
    if path.components().any(|part| !matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir)) {
        let what = format!("the module path {:?} leads out of the folder", module.path);
        return Err(OpenError::new(modules, Fault::Malformed(what)));
    }
    Ok(folder.join(path))
}

fn modules_text(modules: &[Module], steps: &[Step]) -> String {
    let kinds: Vec<&str> = modules.iter().map(Module::kind).collect();
    let pooling: Vec<String> = steps
        .iter()
        .filter_map(|step| if let Step::Pool(pooling) = step { Some(format!("{pooling:?}")) } else { None })
        .collect();
    format!("{kinds:?} {pooling:?}")
}

fn name(folder: &Path) -> String {
    let last = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    last.map_or_else(|| "local".to_owned(), |name| format!("local:{name}"))
}
