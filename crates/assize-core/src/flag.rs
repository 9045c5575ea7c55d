//! Flags: what a reader should know about a judgment, each with its meaning and its mark.
//!
//! A judge declares the flags it raises on its card. Those that any judgment can have, because of how its answers came
//! about, are in [`COMMON`].

/// What a flag says about the judgment it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlagMark {
    /// Something worth knowing.
    Note,
    /// The judge was not sure, or could not decide everything.
    Uncertain,
    /// Code and model, or two statements of the model, contradict each other.
    Contradicted,
}

/// A flag that a judge may raise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagSpec {
    /// Its name in results.
    pub name: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// What it says about the judgment.
    pub mark: FlagMark,
}

/// A flag that is worth knowing.
pub const fn note(name: &'static str, meaning: &'static str) -> FlagSpec {
    FlagSpec { name, meaning, mark: FlagMark::Note }
}

/// A flag that says the judge was not sure.
pub const fn uncertain(name: &'static str, meaning: &'static str) -> FlagSpec {
    FlagSpec { name, meaning, mark: FlagMark::Uncertain }
}

/// A flag that says something was contradicted.
pub const fn contradicted(name: &'static str, meaning: &'static str) -> FlagSpec {
    FlagSpec { name, meaning, mark: FlagMark::Contradicted }
}

/// The flag of a case that was judged without the answer to one of its questions.
pub const QUESTION_FAILED: &str = "question_failed";

/// The flags that any judgment can have.
pub const COMMON: &[FlagSpec] = &[
    uncertain("jury_disagrees", "The jurors disagree; the majority decided."),
    uncertain("jury_split", "The jurors disagree, and there is no majority."),
    uncertain(QUESTION_FAILED, "A question about this case got no answer; what rests on it is undecided."),
    note("reply_corrected", "The model's first reply was invalid and was sent back once."),
    note("reply_extracted", "The model's reply had other text around the answer."),
    note("reply_repaired", "The syntax of the model's reply was repaired."),
];
