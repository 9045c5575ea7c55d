//! `assize keys`: which key may be sent to which host.

use super::{Outcome, fail};
use crate::exit::Exit;
use crate::screen;
use assize_engine::permits::PermitFile;
use assize_llm::KeyPermits;
use clap::{Args, Subcommand};

/// Say which key may be sent to which host. A suite alone cannot.
#[derive(Debug, Args)]
#[command(after_help = "\
The keys of `openai:` and `anthropic:` models go to their own hosts, or to OPENAI_BASE_URL and
ANTHROPIC_BASE_URL. Any other key that a suite names goes only where you allow it.

Examples:
  assize keys
  assize keys allow MY_SERVER_KEY llm.example.com
  assize keys allow - 169.254.1.5          a link-local server that wants no key
  assize keys forget MY_SERVER_KEY llm.example.com
  assize run suite.yaml --allow-key MY_SERVER_KEY=llm.example.com   for one run")]
pub(super) struct Keys {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Let a host be sent the key in a variable
    Allow(Pair),
    /// Take that back
    Forget(Pair),
}

#[derive(Debug, Args)]
struct Pair {
    /// The environment variable that holds the key; `-` for none
    variable: String,

    /// The host, with or without a port
    host: String,
}

impl Keys {
    pub(super) fn run(&self) -> Outcome {
        let file =
            permit_file().ok_or_else(|| fail("there is no home to keep this in", "set HOME or XDG_CONFIG_HOME"))?;
        let mut permits = kept_permits()?;
        match &self.action {
            None if permits.iter().next().is_none() => {
                screen::line("No key is allowed anywhere but at its own provider. `assize keys allow VARIABLE HOST`");
            }
            None => permits.iter().for_each(|(variable, host)| screen::line(format!("{variable}  {host}"))),
            Some(Action::Allow(Pair { variable, host })) => {
                let new = permits.allow(variable, host).map_err(|why| fail(why, "assize keys allow VARIABLE HOST"))?;
                file.write(&permits).map_err(|error| fail(&error, ""))?;
                let already = if new { "" } else { " already" };
                screen::line(format!("{host} may be sent the key in {variable}{already} ({})", file.path().display()));
            }
            Some(Action::Forget(Pair { variable, host })) => {
                if !permits.forget(variable, host) {
                    return Err(fail(
                        format!("{host} was not allowed the key in {variable}"),
                        "`assize keys` lists them",
                    ));
                }
                file.write(&permits).map_err(|error| fail(&error, ""))?;
                screen::line(format!("{host} is no longer sent the key in {variable}"));
            }
        }
        Ok(Exit::Done)
    }
}

/// The user's file, where there is a home for it.
pub(super) fn permit_file() -> Option<PermitFile> {
    PermitFile::of_user(&|name| std::env::var(name).ok())
}

/// What the user allowed for good.
pub(super) fn kept_permits() -> Result<KeyPermits, Exit> {
    let kept = permit_file().map_or_else(|| Ok(KeyPermits::default()), |file| file.read());
    kept.map_err(|error| fail(&error, MEND))
}

const MEND: &str = "mend the file, or remove it";
