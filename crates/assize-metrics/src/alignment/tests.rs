//! The alignment against a plain dynamic programme, and its own consistency.

use proptest::prelude::*;

use super::*;

/// Levenshtein's distance, one cell at a time.
fn plain_distance(reference: &[u8], hypothesis: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=reference.len()).collect();
    for (above, item) in hypothesis.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for column in 1..row.len() {
            let substituted = diagonal + usize::from(reference[column - 1] != *item);
            diagonal = row[column];
            row[column] = substituted.min(row[column] + 1).min(row[column - 1] + 1);
        }
    }
    row[reference.len()]
}

/// Rebuilds the hypothesis from the reference and the runs, checking that they cover both.
fn apply(alignment: &Alignment, reference: &[u8], hypothesis: &[u8]) -> Vec<u8> {
    let mut built = Vec::new();
    let (mut reference_end, mut hypothesis_end) = (0, 0);
    for run in &alignment.runs {
        assert_eq!(run.reference.start, reference_end);
        assert_eq!(run.hypothesis.start, hypothesis_end);
        (reference_end, hypothesis_end) = (run.reference.end, run.hypothesis.end);
        match run.kind {
            EditKind::Equal => built.extend_from_slice(&reference[run.reference.clone()]),
            EditKind::Substitute => {
                assert_eq!(run.reference.len(), run.hypothesis.len());
                for (a, b) in run.reference.clone().zip(run.hypothesis.clone()) {
                    assert_ne!(reference[a], hypothesis[b]);
                    built.push(hypothesis[b]);
                }
            }
            EditKind::Insert => built.extend_from_slice(&hypothesis[run.hypothesis.clone()]),
            EditKind::Delete => assert!(run.hypothesis.is_empty()),
        }
    }
    assert_eq!(reference_end, reference.len());
    assert_eq!(hypothesis_end, hypothesis.len());
    built
}

fn check(reference: &[u8], hypothesis: &[u8]) {
    let alignment = align(reference, hypothesis).unwrap();
    let counts = alignment.counts;
    assert_eq!(counts.distance(), plain_distance(reference, hypothesis));
    assert_eq!(counts.reference_length(), reference.len());
    assert_eq!(counts.hypothesis_length(), hypothesis.len());
    assert_eq!(apply(&alignment, reference, hypothesis), hypothesis);
    let swapped = align(hypothesis, reference).unwrap().counts;
    assert_eq!(swapped.distance(), counts.distance());
    assert_eq!(
        swapped.insertions as i64 - swapped.deletions as i64,
        counts.deletions as i64 - counts.insertions as i64
    );
}

/// A sequence and a noisy copy of it, as a transcript is of what was said.
fn noisy_copy(length: usize) -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    (proptest::collection::vec(0u8..20, 0..length), proptest::collection::vec((0u8..100, 0u8..20), length)).prop_map(
        |(reference, noise)| {
            let mut hypothesis = Vec::new();
            for (item, (fate, other)) in reference.iter().zip(noise) {
                match fate {
                    0..=4 => {}
                    5..=9 => hypothesis.extend([*item, other]),
                    10..=14 => hypothesis.push(other),
                    _ => hypothesis.push(*item),
                }
            }
            (reference, hypothesis)
        },
    )
}

proptest! {
    #[test]
    fn random_pairs(
        reference in proptest::collection::vec(0u8..4, 0..200),
        hypothesis in proptest::collection::vec(0u8..4, 0..200),
    ) {
        check(&reference, &hypothesis);
    }

    #[test]
    fn noisy_copies((reference, hypothesis) in noisy_copy(300)) {
        check(&reference, &hypothesis);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn long_noisy_copies_are_halved((reference, hypothesis) in noisy_copy(6000)) {
        check(&reference, &hypothesis);
    }
}

#[test]
fn a_short_reference_inside_a_long_hypothesis() {
    // The best cut of the reference is at its very beginning.
    let reference: Vec<u8> = (0..900).map(|i| (i * i % 47) as u8).collect();
    let mut hypothesis = vec![100; 9000];
    hypothesis.extend_from_slice(&reference[..899]);
    hypothesis.push(99);
    hypothesis.extend(vec![101; 3000]);
    check(&reference, &hypothesis);
}

#[test]
fn nothing_against_something() {
    let counts = align(&[], &[1, 2]).unwrap().counts;
    assert_eq!((counts.insertions, counts.deletions), (2, 0));
    let counts = align(&[1, 2], &[]).unwrap().counts;
    assert_eq!((counts.insertions, counts.deletions), (0, 2));
    assert_eq!(align::<u8>(&[], &[]).unwrap(), Alignment::default());
}

#[test]
fn runs_are_joined() {
    let alignment = align(b"kitten", b"sitting").unwrap();
    let kinds: Vec<(EditKind, usize)> =
        alignment.runs.iter().map(|run| (run.kind, run.reference.len().max(run.hypothesis.len()))).collect();
    assert_eq!(
        kinds,
        [
            (EditKind::Substitute, 1),
            (EditKind::Equal, 3),
            (EditKind::Substitute, 1),
            (EditKind::Equal, 1),
            (EditKind::Insert, 1),
        ]
    );
}

#[test]
fn hostile_lengths_are_refused() {
    let reference = vec![1u8; 150_000];
    let hypothesis = vec![2u8; 150_000];
    let error = align(&reference, &hypothesis).unwrap_err();
    assert_eq!(error.reference, 150_000);
    assert!(error.to_string().contains("150000"));
    // Equal texts cost nothing, however long.
    assert_eq!(align(&reference, &reference).unwrap().counts.hits, 150_000);
}
