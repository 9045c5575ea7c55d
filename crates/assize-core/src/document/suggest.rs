//! "Did you mean": the closest of the names that would have been right.

/// The candidate that a person probably meant, if one is close enough to be worth saying.
pub fn closest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::normalized_damerau_levenshtein(&given, &candidate.to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness >= 0.6)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_slip_of_the_finger_and_stays_quiet_on_the_rest() {
        assert_eq!(closest("refrence", ["transcript", "reference"]), Some("reference"));
        assert_eq!(closest("Transcript", ["transcript", "reference"]), Some("transcript"));
        assert_eq!(closest("colour", ["transcript", "reference"]), None);
    }
}
