//! Exit codes, as documented in `docs/exit-codes.md`.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done, and the gate holds.
    Done,
    /// The gate fails.
    GateFails,
    /// Bad usage or bad input; nothing was asked.
    BadInput,
    /// Some cases could not be judged.
    CasesFailed,
    /// Stopped by the budget.
    OverBudget,
    /// The run is done and kept, and its results file could not be written.
    ResultsNotWritten,
    /// Interrupted.
    Interrupted,
}

impl Exit {
    /// The number.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::GateFails => 1,
            Self::BadInput => 2,
            Self::CasesFailed => 3,
            Self::OverBudget => 4,
            Self::ResultsNotWritten => 5,
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
