//! Everything people look at: functions from values to text.

pub(crate) mod case;
pub(crate) mod compare;
pub(crate) mod estimate;
pub(crate) mod examples;
mod github;
pub(crate) mod inventory;
mod junit;
mod layout;
mod markdown;
pub(crate) mod problems;
pub(crate) mod progress;
mod rubrics;
pub(crate) mod runs;
pub(crate) mod scorecard;
pub(crate) mod table;

use crate::screen;
use assize_engine::records::RunDocument;
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
    /// A run in this format. For the terminal, as wide as it is.
    pub(crate) fn text(self, document: &RunDocument) -> String {
        match self {
            Self::Table => scorecard::drawn(document, screen::width(), scorecard::Detail::Full) + "\n",
            Self::Json => {
                serde_json::to_string(document).expect("a document has text keys only, so it has a JSON form") + "\n"
            }
            Self::Markdown => markdown::draw(document),
            Self::Junit => junit::draw(document),
            Self::Github => github::draw(document),
        }
    }

    /// Prints a run in this format to standard output.
    pub(crate) fn print(self, document: &RunDocument) {
        let text = self.text(document);
        match self {
            Self::Table => screen::line(text.trim_end()),
            _ => screen::raw(&text),
        }
    }
}
