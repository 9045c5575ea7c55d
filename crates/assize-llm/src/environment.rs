//! Every environment variable this crate looks at, itself or through its HTTP client, except those that a suite's
//! `providers:` entries name themselves.

/// A variable and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
}

/// The key for `openai:` models.
pub const OPENAI_API_KEY: &str = "OPENAI_API_KEY";

/// Where `openai:` models are, up to and including the version.
pub const OPENAI_BASE_URL: &str = "OPENAI_BASE_URL";

/// The key for `anthropic:` models.
pub const ANTHROPIC_API_KEY: &str = "ANTHROPIC_API_KEY";

/// Where `anthropic:` models are, with or without the version.
pub const ANTHROPIC_BASE_URL: &str = "ANTHROPIC_BASE_URL";

/// The proxy for `https://` addresses; read by the HTTP client.
pub const HTTPS_PROXY: &str = "HTTPS_PROXY";

/// The proxy for `http://` addresses; read by the HTTP client.
pub const HTTP_PROXY: &str = "HTTP_PROXY";

/// Hosts that are reached without a proxy; read by the HTTP client.
pub const NO_PROXY: &str = "NO_PROXY";

/// A file of certificates to trust in place of the system's; read by the HTTP client.
pub const SSL_CERT_FILE: &str = "SSL_CERT_FILE";

/// All of them, for the page that documents them.
pub const VARIABLES: &[Variable] = &[
    Variable { name: OPENAI_API_KEY, about: "The key for `openai:` models." },
    Variable {
        name: OPENAI_BASE_URL,
        about: "Where `openai:` models are, up to and including the version; `https://api.openai.com/v1` if unset.",
    },
    Variable { name: ANTHROPIC_API_KEY, about: "The key for `anthropic:` models." },
    Variable {
        name: ANTHROPIC_BASE_URL,
        about: "Where `anthropic:` models are, with or without `/v1`; `https://api.anthropic.com` if unset.",
    },
    Variable {
        name: HTTPS_PROXY,
        about: "The proxy for `https://` addresses. Servers on this machine are always reached directly.",
    },
    Variable { name: HTTP_PROXY, about: "The proxy for `http://` addresses, with the same exception." },
    Variable { name: NO_PROXY, about: "Hosts that are reached without a proxy, separated by commas." },
    Variable { name: SSL_CERT_FILE, about: "A file of certificates to trust in place of the system's." },
];
