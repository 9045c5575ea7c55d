//! Everything people look at. Functions from values to text; none of them prints.

pub(crate) mod case;
pub(crate) mod estimate;
mod github;
mod junit;
mod markdown;
pub(crate) mod number;
pub(crate) mod problems;
pub(crate) mod progress;
pub(crate) mod runs;
pub(crate) mod scorecard;
mod table;

use assize_engine::run::RunDocument;
use clap::ValueEnum;

/// How a run is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For the terminal
    #[default]
    Table,
    /// One JSON document, for other programs
    Json,
    /// For a page or a comment
    Markdown,
    /// For CI servers that read test reports
    Junit,
    /// Annotations for GitHub Actions
    Github,
}

impl Format {
    /// A run in this format, ready to be printed.
    pub(crate) fn draw(self, document: &RunDocument, width: usize) -> String {
        match self {
            Self::Table => format!("{}\n", scorecard::drawn(document, width)),
            Self::Json => serde_json::to_string(document).map_or_else(|_| String::new(), |text| format!("{text}\n")),
            Self::Markdown => markdown::draw(document),
            Self::Junit => junit::draw(document),
            Self::Github => github::draw(document),
        }
    }
}
