//! A run, looked back at: its scorecard as one table, its cases as rows, and the files they are written to.
//!
//! [`scorecard`] gives the one [`Table`](assize_core::Table) that everything renders; [`Cases`] streams what became of the
//! cases out of the store; [`layout`] says how one of them is best read. Nothing here draws for a screen.

mod cases;
pub mod csv;
mod error;
mod layout;
#[cfg(feature = "parquet")]
pub mod parquet;
mod scorecard;
#[cfg(feature = "xlsx")]
pub mod xlsx;

pub use cases::{CaseRow, Cases};
pub use error::ReportError;
pub use layout::{labels_of, layout, system_of};
pub use scorecard::scorecard;

#[cfg(test)]
mod tests;
