//! Writing rubric files: whole or not at all, never over what somebody else wrote meanwhile.

use super::files::{Address, Origin, is_rubric_name};
use super::{RubricFileKind, RubricFiles};
use crate::failure::Failure;
use crate::served::Served;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// One at a time: between looking whether a file is still the one somebody started from and writing it nobody else writes.
static WRITING: Mutex<()> = Mutex::new(());

/// The version of a text.
pub(crate) fn fingerprint(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

/// Writes a file in the place of the version with a fingerprint. Gives the text that stood there.
pub(crate) fn write(served: &Served, address: &Address, text: &str, base: &str) -> Result<String, Failure> {
    let path = &address.path;
    may_be_written(address)?;
    let _turn = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let previous = address.read(served)?;
    if kind_of(served, address, &previous)? != kind_of(served, address, text)? {
        return Err(Failure::bad(format!("This text would make “{path}” a file of another kind."))
            .with_way_on("Write it as a new file."));
    }
    if fingerprint(&previous) != base {
        let message = format!("“{path}” was changed on the disk after you opened it, so it was not written.");
        let way_on = "Copy your text, reload the page to see the file as it is now, and put in what you changed.";
        return Err(Failure::conflict(message).with_way_on(way_on));
    }
    let place = served.folder().place_for(path)?;
    replace(&place, text).map_err(|error| cannot(path, &error))?;
    Ok(previous)
}

/// Writes a file that is not there yet, with the folders it needs.
pub(crate) fn write_new(served: &Served, path: &str, text: &str) -> Result<(), Failure> {
    let address = Address { origin: Origin::Folder, path: path.to_owned() };
    may_be_written(&address)?;
    kind_of(served, &address, text)?;
    create(served, path, text)
}

/// Writes a file that is not there yet, whatever its kind.
pub(super) fn create(served: &Served, path: &str, text: &str) -> Result<(), Failure> {
    let _turn = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let place = served.folder().make_place_for(path)?;
    let written = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&place)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => Failure::conflict(format!("There is a file “{path}” already."))
            .with_way_on("Choose another name, or open that file."),
        _ => Failure::bad(format!("“{path}” cannot be written: {error}.")).with_way_on("Choose another name."),
    })
}

fn may_be_written(address: &Address) -> Result<(), Failure> {
    let path = &address.path;
    if address.origin == Origin::Example {
        return Err(Failure::refused("The example is part of the program and cannot be changed.")
            .with_way_on("Write a copy of it into the folder, and change that."));
    }
    if is_rubric_name(path) {
        return Ok(());
    }
    Err(Failure::bad(format!("“{path}” is no name of a rubric file."))
        .with_way_on("Prompts end in _prompt.md, benchmarks, rubrics and criteria in .yaml."))
}

/// What kind of rubric file a text makes: the page is no way to write other files.
fn kind_of(served: &Served, address: &Address, text: &str) -> Result<RubricFileKind, Failure> {
    let roots = RubricFiles::around(served, address).roots;
    RubricFileKind::of(&address.path, text, &roots).ok_or_else(|| {
        Failure::bad(format!("With this text “{}” is not a rubric file.", address.path)).with_way_on(
            "Prompts end in _prompt.md; a criteria file has `task:` and `criteria:`; benchmarks and rubrics stand in \
             the folders of that name.",
        )
    })
}

/// A new file beside the old takes its name once it is complete, so that half a file is never read.
fn replace(place: &Path, text: &str) -> std::io::Result<()> {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let partial = place.with_file_name(format!(".{name}.{}.partial", std::process::id()));
    let written = std::fs::File::create(&partial).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.set_permissions(place.metadata()?.permissions())?;
        file.sync_all()?;
        std::fs::rename(&partial, place)
    });
    if written.is_err() {
        // Whatever went wrong is told; what is left behind only takes up room.
        let _ = std::fs::remove_file(&partial);
    }
    written
}

fn cannot(path: &str, error: &std::io::Error) -> Failure {
    Failure::broken(format!("“{path}” cannot be written: {error}."))
        .with_way_on("Check that the folder can be written and the disk is not full.")
}
