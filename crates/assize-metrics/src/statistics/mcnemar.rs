//! McNemar's exact test: whether two raters of the same cases pass equally many.

/// The two-sided p-value from the discordant pairs alone: `b` cases that only the first passes, `c` that only the second does.
///
/// p = min(1, 2·BinomCDF(min(b,c); b+c, ½)). With no discordant pair it is 1.
pub fn mcnemar_exact(b: u64, c: u64) -> f64 {
    let (n, less) = (b + c, b.min(c));
    // The largest term C(n, less)/2ⁿ by its logarithm, which does not overflow; the smaller ones by their ratio to it.
    let logarithm: f64 = (1..=less).map(|i| (((n - less + i) as f64) / i as f64).ln()).sum();
    let mut term = (logarithm - n as f64 * std::f64::consts::LN_2).exp();
    let mut sum = term;
    for k in (1..=less).rev() {
        term *= k as f64 / (n - k + 1) as f64;
        sum += term;
        if term < sum * 1e-18 {
            break;
        }
    }
    (2.0 * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_exact_arithmetic_has_it() {
        // Python: min(1, 2 * Fraction(sum(comb(n, k) for k in range(min(b, c) + 1)), 2**n)) with n = b + c
        for (b, c, p) in [
            (11, 32, 0.001913961001264397),
            (0, 5, 0.0625),
            (1, 1, 1.0),
            (0, 0, 1.0),
            (3, 10, 0.09228515625),
            (450, 550, 0.0017305360849763176),
        ] {
            let found = mcnemar_exact(b, c);
            assert!((found - p).abs() < 1e-12 * p.max(1e-3), "{b} {c}: {found} {p}");
            assert_eq!(found, mcnemar_exact(c, b));
        }
    }

    #[test]
    fn many_pairs_do_not_overflow() {
        let p = mcnemar_exact(100_000, 101_000);
        // The normal approximation with continuity correction: z = (1000 − 1)/√201000.
        assert!((p - 0.025_863).abs() < 1e-5, "{p}");
    }
}
