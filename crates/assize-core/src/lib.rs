//! The words of Assize and the files people write.
//!
//! Everything here is a value or a pure function: a case, the question a judge asks about it, the answer that came
//! back, the judgment that follows, the scorecard over many of them; and the reading of suites and cases with the
//! position of every mistake. No disk, network, clock, threads or randomness: those live in the engine and in the
//! providers. See `docs/design/path.md` for how the words fit together.

pub mod answer;
pub mod case;
pub mod document;
pub mod failure;
pub mod figure;
pub mod fingerprint;
pub mod flag;
pub mod hints;
pub mod judge;
pub mod judgment;
pub mod jury;
pub mod layout;
pub mod number;
pub mod outcome;
pub mod prompt;
pub mod question;
pub mod reply;
pub mod scorecard;
pub mod settings;
pub mod suite;
pub mod table;
pub mod tree;
pub mod under_test;
pub mod what_if;

pub use answer::{Answer, Answers, Provenance, Reading, Usage};
pub use case::{Case, InputKind, InputSpec};
pub use failure::{Failure, FailureKind};
pub use figure::{FigureKind, MetricSpec, Unit};
pub use fingerprint::Fingerprint;
pub use flag::{FlagMark, FlagSpec};
pub use judge::{
    Assembly, Card, ExtraSummary, Judge, JudgeSource, JudgeSpec, JudgeSystem, NamedSchema, OpenCase, Parsed,
    SourceFile, Step, Summarise, Summary, Survey, Surveyed, Unsent,
};
pub use judgment::{Judgment, Method, Metric, Rating};
pub use layout::{Layout, ShownCase};
pub use outcome::{CaseStatus, Outcome};
pub use question::{AnswerSchema, Message, Question, Role};
pub use scorecard::{Blocker, Bounds, Interval, ScoreMetric, Scorecard};
pub use suite::Suite;
pub use table::Table;
pub use under_test::UnderTest;
pub use what_if::{OpenWhatIf, WhatIf};
