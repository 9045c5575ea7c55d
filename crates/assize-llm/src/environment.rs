//! Every environment variable this crate looks at. Nothing else in it reads one by another name, except the variables
//! that a suite's `providers:` entries name themselves.

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
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_documented_once() {
        for name in [OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL] {
            assert_eq!(VARIABLES.iter().filter(|variable| variable.name == name).count(), 1, "{name}");
        }
    }
}
