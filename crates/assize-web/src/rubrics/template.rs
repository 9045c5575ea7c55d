//! Files to start from.

use super::files::{Address, example_files};
use super::write::{create, write_new};
use super::{Origin, RubricFiles};
use crate::failure::Failure;
use crate::served::Served;
use assize_core::document::Problems;
use assize_judges::examples;
use assize_judges::systems::behaviour::spec::TreeFiles;
use assize_judges::systems::{behaviour, criteria};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// What a new file starts as.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "template", rename_all = "snake_case")]
pub(crate) enum Template {
    /// A behaviour prompt made from a sentence.
    Behaviour {
        /// The file to write; its name ends in `_prompt.md`.
        path: String,
        /// What is asked, in a sentence: "Whether the note names the patient".
        about: String,
        /// What makes an output fail, in a sentence; may be left out.
        #[serde(default)]
        wrong_if: String,
    },
    /// The behaviour prompt that a benchmark of the folder names, made from its fields.
    FromBenchmark {
        /// The benchmark's path.
        benchmark: String,
    },
    /// A criteria judge with comments.
    Criteria {
        /// The file to write; its name ends in `.yaml`.
        path: String,
    },
    /// A copy of the bundled example: rubrics, benchmarks, prompts, a suite and a few cases.
    Example {
        /// The folder to write it into.
        path: String,
    },
}

/// The benchmarks that name a prompt which is not there.
pub(crate) fn without_prompt(files: &RubricFiles) -> Vec<String> {
    let sources = files.sources();
    let mut found = Vec::new();
    for root in &files.roots {
        let own = sources.iter().filter(|file| files.root_of(&file.path) == Some(root));
        let tree = TreeFiles::read(root, own, &mut Problems::default());
        let waiting = tree.benchmarks.iter().filter(|benchmark| {
            benchmark.evaluator.may_ask() && benchmark.concept.is_some() && tree.prompt_of(benchmark).is_none()
        });
        found.extend(waiting.map(|benchmark| benchmark.file.clone()));
    }
    found
}

/// Writes a new file. Gives its path.
pub(crate) fn start_from(served: &Served, template: &Template) -> Result<String, Failure> {
    match template {
        Template::Behaviour { path, about, wrong_if } => {
            let about = about.trim();
            if about.is_empty() {
                return Err(Failure::bad("Say in a sentence what is asked.")
                    .with_way_on("Such as: Whether the note names the patient."));
            }
            let wrong_if = wrong_if.trim().trim_start_matches("if ").trim_start_matches("If ");
            let mut benchmark = json!({
                "code": "new", "concept": about, "evaluator_type": "llm_judge", "llm_prompt_file": path,
            });
            if !wrong_if.is_empty() {
                benchmark["inclusion_criteria"] = format!("Flag if {wrong_if}").into();
            }
            if !path.ends_with("_prompt.md") {
                return Err(Failure::bad(format!("“{path}” is no name of a behaviour prompt."))
                    .with_way_on("Let the name end in _prompt.md, such as patient_name_prompt.md."));
            }
            let (_, text) = prompt(path, &benchmark.to_string())?;
            write_new(served, path, &text)?;
            Ok(path.clone())
        }
        Template::FromBenchmark { benchmark } => {
            let address = Address::parse(benchmark);
            let yaml = address.read(served)?;
            let (name, text) = prompt(&address.path, &yaml)?;
            let files = RubricFiles::around(served, &address);
            let path = match files.root_of(&address.path) {
                None | Some("") => name,
                Some(root) => format!("{root}/{name}"),
            };
            if address.origin == Origin::Example {
                return Err(Failure::refused("The example is part of the program and cannot be changed.")
                    .with_way_on("Write a copy of it into the folder first."));
            }
            write_new(served, &path, &text)?;
            Ok(path)
        }
        Template::Criteria { path } => {
            write_new(served, path, criteria::EXAMPLE)?;
            Ok(path.clone())
        }
        Template::Example { path } => copy_example(served, path),
    }
}

fn prompt(path: &str, yaml: &str) -> Result<(String, String), Failure> {
    let mut problems = Problems::of(path);
    let made = behaviour::new_behaviour(path, yaml, None, &mut problems);
    match (made, problems.iter().next()) {
        (Some(made), None) => Ok((made.path, made.text)),
        (_, problem) => {
            let message = problem.map(ToString::to_string).unwrap_or_default();
            Err(Failure::bad(format!("No prompt can be made from {message}.")))
        }
    }
}

/// Writes a copy of the example. Gives the path of its tree.
fn copy_example(served: &Served, folder: &str) -> Result<String, Failure> {
    let folder = folder.trim_end_matches('/');
    let files = examples::small(example_files());
    if let Some((name, _)) = files.iter().find(|(name, _)| served.folder().find(&format!("{folder}/{name}")).is_ok()) {
        return Err(Failure::conflict(format!("There is a file “{folder}/{name}” already."))
            .with_way_on("Name another folder."));
    }
    for (name, text) in files {
        create(served, &format!("{folder}/{name}"), &text)?;
    }
    Ok(format!("{folder}/tree"))
}
