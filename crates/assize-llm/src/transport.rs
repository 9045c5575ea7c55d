//! The HTTP client: TLS, redirects, proxies, and bodies of bounded size.
//!
//! Redirects are not followed, so that a key never reaches an address the user did not write. Proxies are taken from
//! the environment as everywhere, except for servers on this machine: those are reached directly, because a local model
//! behind a company's proxy is never what is meant.

use crate::environment::SSL_CERT_FILE;
use reqwest::redirect::Policy;
use std::sync::Once;

/// Responses beyond this are not read.
pub const LARGEST_RESPONSE: usize = 16 * 1024 * 1024;

/// Makes ring the TLS provider of the process. Done once; later calls do nothing.
pub fn install_tls() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // Fails only if the process has a provider already, and then that one serves.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

/// Makes HTTP clients, for any address.
#[derive(Clone, Debug, Default)]
pub struct Transport;

impl Transport {
    /// The client for a server.
    pub fn client_for(&self, base_url: &str) -> Result<reqwest::Client, String> {
        install_tls();
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("assize/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .connect_timeout(std::time::Duration::from_secs(20));
        if is_loopback(base_url) {
            builder = builder.no_proxy();
        }
        if base_url.starts_with("http://") {
            // Nothing to verify, so a machine without certificates can still ask a model of its own.
            builder = builder.tls_certs_only(std::iter::empty());
        }
        builder.build().map_err(|error| {
            let described = describe(&error);
            if described.contains("CA certificates") {
                return format!(
                    "this machine has no certificates to check servers by; install the `ca-certificates` package, \
                     or set {SSL_CERT_FILE}"
                );
            }
            format!("no HTTPS client can be made: {described}")
        })
    }
}

/// Whether the server is on this machine.
pub fn is_loopback(base_url: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(base_url) else { return false };
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Reads a body up to the largest size. `Ok(None)` if it is larger.
pub(crate) async fn read_body(mut response: reqwest::Response) -> Result<Option<Vec<u8>>, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > LARGEST_RESPONSE {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

/// What an error and its causes say, without the address: it may hold a password.
pub(crate) fn describe(error: &(dyn std::error::Error + 'static)) -> String {
    let mut said: Vec<String> = Vec::new();
    let mut cause = Some(error);
    while let Some(error) = cause {
        let sentence = match error.downcast_ref::<reqwest::Error>() {
            // Its own words are the kind of error and the address; only the kind is wanted.
            Some(error) if error.is_connect() => "cannot connect".to_owned(),
            Some(error) if error.is_timeout() => "timed out".to_owned(),
            Some(error) if error.is_body() || error.is_decode() => "the response broke off".to_owned(),
            Some(error) if error.is_builder() => "the request cannot be made".to_owned(),
            Some(_) => "the request failed".to_owned(),
            None => error.to_string(),
        };
        if !said.iter().any(|earlier| earlier.contains(&sentence)) {
            said.push(sentence);
        }
        cause = error.source();
    }
    said.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_on_this_machine_are_known() {
        for local in ["http://127.0.0.1:11434/v1", "http://localhost:8080", "http://[::1]:9/v1", "http://127.9.9.9"] {
            assert!(is_loopback(local), "{local}");
        }
        for remote in ["https://api.openai.com/v1", "http://localhost.example.com", "http://10.0.0.1", "nonsense"] {
            assert!(!is_loopback(remote), "{remote}");
        }
    }
}
