//! Constant patterns, compiled once.

use regex::Regex;

/// Statics for regular expressions. One that does not compile fails every test.
macro_rules! patterns {
    ($($(#[$doc:meta])* $name:ident = $pattern:literal;)+) => {
        $($(#[$doc])* static $name: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| super::patterns::compiled($pattern));)+
    };
}

pub(super) use patterns;

/// The patterns are of English words, and a word boundary of ASCII letters is all they need. One of Unicode letters would make
/// every search in a text with a single dash or degree sign many times slower.
pub(super) fn compiled(pattern: &str) -> Regex {
    Regex::new(&pattern.replace(r"\b", r"(?-u:\b)")).expect("a constant pattern")
}
