//! The model server as a program, for benches and end-to-end tests:
//! `assize-model-server [--port N] [--latency-ms N] [--fail-rate X] [--seed N]`.
//!
//! Prints one line with its address when it is ready, and counts on `GET /stats`. `POST /hold` keeps every reply back from then
//! on, `POST /release/N` lets so many go, `POST /release` all; `GET /requests/N` answers once so many requests have come.

use assize_testkit::{Behaviour, Faults, ModelServer};
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "usage: assize-model-server [--port N] [--latency-ms N] [--fail-rate 0..1] [--seed N]";

#[derive(Default)]
struct Options {
    port: u16,
    latency_ms: u64,
    fail_rate: f64,
    seed: u64,
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options::default();
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} wants a value\n{USAGE}"))?;
        let wrong = || format!("{name} cannot be {value:?}\n{USAGE}");
        match name.as_str() {
            "--port" => options.port = value.parse().map_err(|_| wrong())?,
            "--latency-ms" => options.latency_ms = value.parse().map_err(|_| wrong())?,
            "--fail-rate" => {
                options.fail_rate = value.parse().ok().filter(|rate| (0.0..=1.0).contains(rate)).ok_or_else(wrong)?;
            }
            "--seed" => options.seed = value.parse().map_err(|_| wrong())?,
            _ => return Err(format!("unknown option {name}\n{USAGE}")),
        }
    }
    Ok(options)
}

#[tokio::main]
async fn main() -> ExitCode {
    let mut out = std::io::stdout();
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "{message}");
            return ExitCode::from(2);
        }
    };
    let behaviour = Behaviour {
        latency: Duration::from_millis(options.latency_ms),
        faults: (options.fail_rate > 0.0).then_some(Faults { seed: options.seed, rate: options.fail_rate }),
        forgetful: true,
        ..Behaviour::default()
    };
    let server = match ModelServer::start_on(options.port, behaviour).await {
        Ok(server) => server,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "cannot listen on port {}: {error}", options.port);
            return ExitCode::FAILURE;
        }
    };
    let _ = writeln!(out, "{}", server.url());
    let _ = out.flush();
    let _ = tokio::signal::ctrl_c().await;
    ExitCode::SUCCESS
}
