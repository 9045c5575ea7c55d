//! A run, looked back at: its scorecard as one table, its cases as rows, and the files they are written to.
//!
//! [`scorecard`] gives the one [`Table`](assize_core::Table) that everything renders; [`cases`] streams what became of the
//! cases out of the store. Nothing here draws for a screen.

pub mod csv;
mod scorecard;

pub use scorecard::scorecard;
