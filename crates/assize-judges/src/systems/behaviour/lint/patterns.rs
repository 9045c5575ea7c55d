//! Constant patterns, compiled once.

/// Statics for regular expressions. One that does not compile fails every test.
macro_rules! patterns {
    ($($(#[$doc:meta])* $name:ident = $pattern:literal;)+) => {
        $($(#[$doc])* static $name: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| regex::Regex::new($pattern).expect("a constant pattern"));)+
    };
}

pub(super) use patterns;
