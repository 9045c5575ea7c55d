//! Holm's correction for several tests at once (Holm 1979).

/// The p-values such that rejecting those below α keeps the chance of any false rejection below α.
///
/// In ascending order, p₍ᵢ₎ becomes the largest of (m − j + 1)·p₍ⱼ₎ over j ≤ i, at most 1. The result is in the order of the
/// argument.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|one, other| p_values[*one].total_cmp(&p_values[*other]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (rank, at) in order.into_iter().enumerate() {
        largest = largest.max((p_values.len() - rank) as f64 * p_values[at]).min(1.0);
        corrected[at] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_worked_out_by_hand() {
        // In order: 4·0.005, 3·0.01, 2·0.03, and 1·0.04, which is no less than the one before it.
        let p = [0.01, 0.04, 0.03, 0.005];
        for (found, known) in holm(&p).into_iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - known).abs() < 1e-15, "{found} {known}");
        }
        assert_eq!(holm(&[0.9, 0.6]), [1.0, 1.0]);
        assert_eq!(holm(&[]), Vec::<f64>::new());
    }
}
