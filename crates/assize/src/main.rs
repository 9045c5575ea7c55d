//! `assize`: the command line.
//!
//! One file per command under `cli/`, everything people look at under `render/`. What a command does is the engine's work;
//! here it is only started, drawn and turned into an exit code.

mod cli;
mod exit;
mod render;
mod screen;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match cli::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no mistakes; everything else about the arguments is bad usage.
            let code = if error.use_stderr() { exit::Exit::BadInput } else { exit::Exit::Done };
            let _ = error.print();
            return code.into();
        }
    };
    cli::run(arguments).into()
}
