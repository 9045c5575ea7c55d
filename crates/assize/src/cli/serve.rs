//! `assize serve`: the page and the HTTP API.

use super::keys::permit_file;
use super::signals::told_to_end;
use super::{Outcome, Place, fail};
use crate::exit::Exit;
use crate::screen::{self, Style, styled};
use assize_engine::environment;
use assize_engine::store::Store;
use assize_web::{App, Folder, Served};
use clap::Args;
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use tokio::net::TcpListener;

/// Serve the page and the HTTP API.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize serve                                   the page for this folder, at http://127.0.0.1:7878
  assize serve ~/suites --addr 127.0.0.1:9000    for another folder, at another port
  assize serve --addr 0.0.0.0:7878 --token-file secret.txt   for others too; they sign in with the token

Only files in the folder can be read or written from the page. Keys of judge models come from the environment of this
command and are never shown.")]
pub(super) struct Serve {
    /// The folder whose suites and rubrics can be used from the page
    #[arg(default_value = ".")]
    folder: PathBuf,

    #[command(flatten)]
    listening: Listening,
}

/// Where to listen, and to whom.
#[derive(Clone, Debug, Args)]
pub(super) struct Listening {
    /// Where to listen; anything beyond loopback needs a token
    #[arg(long, default_value = "127.0.0.1:7878", value_name = "ADDRESS:PORT")]
    addr: SocketAddr,

    /// A file with the token that programs send to change things, and that everybody needs beyond loopback; or set
    /// ASSIZE_TOKEN. On the command line others could read it
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
}

/// Shorter secrets can be guessed.
const SHORTEST_SECRET: usize = 16;

impl Serve {
    pub(super) fn run(&self, place: &Place) -> Outcome {
        let folder = Folder::open(&self.folder).map_err(|error| {
            fail(
                format!("the folder {} cannot be served: {error}", self.folder.display()),
                "name a folder that is there",
            )
        })?;
        serve(place.open()?, folder, &self.listening)
    }
}

/// Serves until Ctrl-C.
pub(super) fn serve(store: Store, folder: Folder, listening: &Listening) -> Outcome {
    let secret = secret(listening)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| fail(format!("the server cannot be started: {error}"), ""))?;
    runtime.block_on(async {
        let cannot = |error: std::io::Error| {
            let hint = "another program may be listening there; --addr 127.0.0.1:0 takes any free port";
            fail(format!("cannot listen at {}: {error}", listening.addr), hint)
        };
        let listener = TcpListener::bind(listening.addr).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let page = format!("http://{address}");
        screen::line(format!("serving {}", styled(Style::Bold, &page)));
        let next = |link: &str| screen::say(format!("signed in; for another browser: {link}"));
        let app = App::new(Served::new(store, folder, permit_file()), address, secret, next);
        screen::line(format!("sign in {}", app.sign_in_link()));
        if !listening.no_open && address.ip().is_loopback() && std::io::stdout().is_terminal() {
            // Where there is no browser, the link on the screen is enough.
            let _ = open::that_detached(app.sign_in_link());
        }
        screen::say("Ctrl-C ends it.");
        let ended = wait_for_interrupt(app.clone());
        assize_web::serve(listener, app, ended)
            .await
            .map_err(|error| fail(format!("the server failed: {error}"), ""))?;
        Ok(Exit::Done)
    })
}

/// The first Ctrl-C interrupts the runs under way and ends the server after what they have asked; the second ends it at once.
async fn wait_for_interrupt(app: App) {
    if told_to_end().await.is_err() {
        // Without signals it serves until it is killed, which loses nothing either.
        std::future::pending::<()>().await;
    }
    if app.close() {
        screen::say("finishing what is under way; Ctrl-C again to quit at once");
    }
    tokio::spawn(async {
        if told_to_end().await.is_ok() {
            std::process::exit(Exit::Interrupted.code().into());
        }
    });
}

fn secret(listening: &Listening) -> Result<String, Exit> {
    let given = match &listening.token_file {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| fail(format!("the token cannot be read from {}: {error}", path.display()), ""))?;
            Some(text.trim().to_owned())
        }
        None => std::env::var(environment::TOKEN).ok().filter(|secret| !secret.is_empty()),
    };
    match given {
        Some(secret) if secret.len() < SHORTEST_SECRET => Err(fail(
            format!("the token has fewer than {SHORTEST_SECRET} characters"),
            "openssl rand -hex 16 makes a good one",
        )),
        Some(secret) => Ok(secret),
        None if listening.addr.ip().is_loopback() => fresh_secret(),
        None => Err(fail(
            format!("{} is open to a network, so it needs a token", listening.addr),
            "give one with --token-file or ASSIZE_TOKEN; openssl rand -hex 16 makes one",
        )),
    }
}

/// A secret nobody was told: only pages of ours can change anything.
fn fresh_secret() -> Result<String, Exit> {
    let mut random = [0; 32];
    getrandom::fill(&mut random)
        .map_err(|error| fail(format!("the system gives no randomness: {error}"), "give a token with --token-file"))?;
    Ok(blake3::hash(&random).to_hex()[..32].to_owned())
}
