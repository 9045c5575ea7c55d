//! Wilson's interval for a share.

use super::{Interval, critical_value};

/// The interval around `successes / trials` at the level 1 − α; `None` without trials.
///
/// Centre (p + z²/2n)/(1 + z²/n), half-width z·√(p(1−p)/n + z²/4n²)/(1 + z²/n). More successes than
/// trials count as all of them.
pub fn wilson_interval(successes: u64, trials: u64, alpha: f64) -> Option<Interval> {
    if trials == 0 {
        return None;
    }
    let successes = successes.min(trials);
    let n = trials as f64;
    let p = successes as f64 / n;
    let z = critical_value(alpha);
    let scale = 1.0 + z * z / n;
    let centre = (p + z * z / (2.0 * n)) / scale;
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / scale;
    // At the ends the formula gives 0 and 1 exactly; floating point nearly does.
    Some(Interval {
        low: if successes == 0 { 0.0 } else { (centre - half).max(0.0) },
        high: if successes == trials { 1.0 } else { (centre + half).min(1.0) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_intervals() {
        // statsmodels 0.15.0: proportion_confint(93, 100, method="wilson")
        let interval = wilson_interval(93, 100, 0.05).unwrap();
        assert!((interval.low - 0.862504852609265).abs() < 1e-14);
        assert!((interval.high - 0.9656807389327274).abs() < 1e-14);
        let interval = wilson_interval(0, 30, 0.05).unwrap();
        assert_eq!(interval.low, 0.0);
        assert!((interval.high - 0.1135133931739688).abs() < 1e-14);
        let mirrored = wilson_interval(30, 30, 0.05).unwrap();
        assert_eq!(mirrored.high, 1.0);
        assert!((mirrored.low - (1.0 - interval.high)).abs() < 1e-14);
        assert_eq!(wilson_interval(0, 0, 0.05), None);
    }
}
