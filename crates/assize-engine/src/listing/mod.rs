//! The cases of a run as a list: filtered, sorted, counted, a page at a time, without reading the cases.
//!
//! While a run goes on, what lists ask about (status, model, verdict, flags, tags, figures, words to search) is put aside
//! in columns, a stretch of cases at a time; see `gather`. A list reads the few columns it needs and touches the lines
//! of one page. That keeps a run of 100,000 cases as quick to look through as one of a hundred. See `docs/design/listing.md`.

mod gather;
mod query;
mod view;

#[cfg(test)]
mod tests;

pub(crate) use gather::Gathering;
pub use query::{CaseQuery, Mark, Sort};
pub use view::{CaseList, Facet, Facets, Figures, figures, list, verdicts};
