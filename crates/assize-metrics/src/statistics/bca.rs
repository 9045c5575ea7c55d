//! The bias-corrected and accelerated interval from bootstrap replicates (Efron 1987).

use super::{Interval, normal};

/// The interval at the level 1 − α from replicates θ*, the estimate θ, and the estimates with one
/// observation (or cluster) left out.
///
/// a = Σ(j̄−jᵢ)³ / (6(Σ(j̄−jᵢ)²)^1.5); z₀ = Φ⁻¹(share of θ* below θ, ties half); the ends are the
/// quantiles of θ* at Φ(z₀ + (z₀+z)/(1−a(z₀+z))) for z = ±Φ⁻¹(1−α/2), interpolated linearly, as
/// `scipy.stats.bootstrap` does it.
///
/// `theta_star` must be sorted. `None` where it is empty, where the leave-one-out estimates do not
/// vary, or where all replicates lie on one side of θ.
pub fn bca_interval(theta_star: &[f64], theta: f64, leave_one_out: &[f64], alpha: f64) -> Option<Interval> {
    let (low, high) = levels(theta_star, theta, leave_one_out, alpha)?;
    let (low, high) = (quantile(theta_star, low), quantile(theta_star, high));
    // A strong acceleration can fold the map over.
    (low <= high).then_some(Interval { low, high })
}

/// Which quantiles of the replicates are the ends.
fn levels(theta_star: &[f64], theta: f64, leave_one_out: &[f64], alpha: f64) -> Option<(f64, f64)> {
    if theta_star.is_empty() {
        return None;
    }
    let acceleration = acceleration(leave_one_out)?;
    let below = theta_star.partition_point(|&value| value < theta) as f64;
    let not_above = theta_star.partition_point(|&value| value <= theta) as f64;
    let z0 = normal::quantile((below + not_above) / (2.0 * theta_star.len() as f64));
    if !z0.is_finite() {
        return None;
    }
    let level = |probability: f64| {
        let sum = z0 + normal::quantile(probability);
        normal::cdf(z0 + sum / (1.0 - acceleration * sum))
    };
    Some((level(alpha / 2.0), level(1.0 - alpha / 2.0)))
}

fn acceleration(leave_one_out: &[f64]) -> Option<f64> {
    let mean = leave_one_out.iter().sum::<f64>() / leave_one_out.len() as f64;
    let (mut squares, mut cubes) = (0.0, 0.0);
    for value in leave_one_out {
        let deviation = mean - value;
        squares += deviation * deviation;
        cubes += deviation * deviation * deviation;
    }
    let acceleration = cubes / (6.0 * f64::powf(squares, 1.5));
    acceleration.is_finite().then_some(acceleration)
}

/// The quantile of sorted values, interpolated linearly between neighbours.
fn quantile(sorted: &[f64], probability: f64) -> f64 {
    let place = probability.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_scipy_has_it() {
        // scipy 1.17.1, on this sample and these replicates (θ*ₖ = 0.2 + ((7k² + 31k) mod 9973)/25000, k < 400):
        //   from scipy.stats._resampling import _bca_interval
        //   lo, hi, a = _bca_interval((x,), np.mean, axis=-1, alpha=0.025,
        //                             theta_hat_b=t, batch=None, xp=np)
        //   np.percentile(t, [lo * 100, hi * 100])
        let (theta, leave_one_out) = mean_and_leave_one_out();
        let mut theta_star: Vec<f64> =
            (0u32..400).map(|k| 0.2 + f64::from((7 * k * k + 31 * k) % 9973) / 25_000.0).collect();
        theta_star.sort_by(f64::total_cmp);
        let a = acceleration(&leave_one_out).unwrap();
        assert!((a - 0.050078062142967734).abs() < 1e-13, "{a}");
        let interval = bca_interval(&theta_star, theta, &leave_one_out, 0.05).unwrap();
        assert!((interval.low - 0.2182959307500088).abs() < 1e-12, "{interval:?}");
        assert!((interval.high - 0.596296147287909).abs() < 1e-12, "{interval:?}");
    }

    const SAMPLE: [f64; 8] = [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.75, 0.9];

    fn mean_and_leave_one_out() -> (f64, Vec<f64>) {
        let sum = SAMPLE.iter().sum::<f64>();
        let leave_one_out = SAMPLE.iter().map(|score| (sum - score) / 7.0).collect();
        (sum / 8.0, leave_one_out)
    }

    #[test]
    fn ties_count_half_as_in_scipy() {
        // As above with θ*ₖ = 0.40625 + (((7k² + 31k) mod 41) − 20)/128: 19 of 400 equal θ.
        let (_, leave_one_out) = mean_and_leave_one_out();
        let mut theta_star: Vec<f64> =
            (0i32..400).map(|k| 0.40625 + f64::from((7 * k * k + 31 * k) % 41 - 20) / 128.0).collect();
        theta_star.sort_by(f64::total_cmp);
        let (low, high) = levels(&theta_star, 0.40625, &leave_one_out, 0.05).unwrap();
        assert!((low - 0.018883236725484295).abs() < 1e-12, "{low}");
        assert!((high - 0.9654079619148146).abs() < 1e-12, "{high}");
    }

    #[test]
    fn undefined() {
        assert_eq!(bca_interval(&[], 0.5, &[0.1, 0.2], 0.05), None);
        assert_eq!(bca_interval(&[0.5, 0.5], 0.5, &[0.5, 0.5], 0.05), None);
        assert_eq!(bca_interval(&[0.6, 0.7], 0.5, &[0.1, 0.2], 0.05), None);
    }

    #[test]
    fn quantiles_interpolate() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
        assert_eq!(quantile(&[1.0], 0.3), 1.0);
        assert_eq!(quantile(&[1.0, 2.0], 1.0), 2.0);
    }
}
