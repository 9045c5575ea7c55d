//! `assize completions`: completion scripts for shells.

use super::{Arguments, Outcome};
use crate::exit::Exit;
use crate::screen;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print a completion script for a shell.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize completions bash > ~/.local/share/bash-completion/completions/assize
  assize completions zsh > ~/.zfunc/_assize
  assize completions fish > ~/.config/fish/completions/assize.fish")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(super) fn run(&self) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "assize", &mut script);
        screen::raw(&String::from_utf8_lossy(&script));
        Ok(Exit::Done)
    }
}
