//! Reasons that say nothing: "The output is correct."

/// Words that name no part of a case: what is judged, and that it is good or bad.
const EMPTY: &[&str] = &[
    "a",
    "acceptable",
    "accurate",
    "all",
    "an",
    "and",
    "answer",
    "appropriate",
    "are",
    "as",
    "bad",
    "because",
    "case",
    "candidate",
    "clear",
    "complete",
    "correct",
    "correctly",
    "criteria",
    "excellent",
    "expected",
    "fail",
    "failed",
    "fails",
    "fine",
    "generated",
    "given",
    "good",
    "great",
    "high",
    "in",
    "incorrect",
    "is",
    "it",
    "its",
    "looks",
    "meets",
    "model",
    "of",
    "ok",
    "okay",
    "output",
    "overall",
    "pass",
    "passed",
    "passes",
    "poor",
    "provided",
    "quality",
    "reason",
    "reasoning",
    "reasonable",
    "requirements",
    "response",
    "result",
    "right",
    "satisfies",
    "score",
    "seems",
    "so",
    "summary",
    "text",
    "that",
    "the",
    "this",
    "to",
    "transcript",
    "valid",
    "very",
    "was",
    "well",
    "with",
    "wrong",
    "yes",
];

/// Whether a reason is empty, or made of words that would fit any case.
pub(crate) fn says_nothing(reason: &str) -> bool {
    let lower = reason.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).all(|word| EMPTY.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::says_nothing;

    #[test]
    fn what_would_fit_any_case() {
        for reason in [
            "",
            " \n",
            "…",
            "The output is correct.",
            "Good.",
            "Yes, it is right and complete",
            "The response is very good overall.",
        ] {
            assert!(says_nothing(reason), "{reason}");
        }
        for reason in
            ["Drops \"not\".", "No omissions.", "Identical to the reference.", "Step 3 divides by zero.", "正しい"]
        {
            assert!(!says_nothing(reason), "{reason}");
        }
    }
}
