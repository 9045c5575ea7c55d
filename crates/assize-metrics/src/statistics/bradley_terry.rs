//! Strengths of systems from which of them won against which.

/// The most iterations; what has not settled by then differs by less than is shown.
const MOST_ITERATIONS: usize = 10_000;

/// Changes below this are none.
const SETTLED: f64 = 1e-12;

/// Log-strengths by Bradley and Terry, centred at 0, so that `1 / (1 + exp(θⱼ − θᵢ))` is the share of wins of i over j.
///
/// `wins[i * systems + j]` is how often i won against j, with a tie as half a win each way. Half a win is added each way for
/// every pair that met, so that a system that always wins has a finite strength. The maximum of the likelihood is found by the
/// MM iteration pᵢ ← Wᵢ / Σⱼ nᵢⱼ / (pᵢ + pⱼ).
///
/// `None` where some systems never met, directly or through others: their strengths cannot be compared.
pub fn bradley_terry(wins: &[f64], systems: usize) -> Option<Vec<f64>> {
    if systems == 0 || wins.len() != systems * systems || !is_connected(wins, systems) {
        return None;
    }
    let met = |one: usize, other: usize| wins[one * systems + other] + wins[other * systems + one] > 0.0;
    let won = |one: usize, other: usize| if met(one, other) { wins[one * systems + other] + 0.5 } else { 0.0 };
    let total: Vec<f64> = (0..systems).map(|one| (0..systems).map(|other| won(one, other)).sum()).collect();
    let mut strengths = vec![1.0_f64; systems];
    for _ in 0..MOST_ITERATIONS {
        let mut changed = 0.0_f64;
        for one in 0..systems {
            let games: f64 = (0..systems)
                .filter(|other| *other != one)
                .map(|other| (won(one, other) + won(other, one)) / (strengths[one] + strengths[other]))
                .sum();
            if games > 0.0 {
                let next = total[one] / games;
                changed = changed.max((next.ln() - strengths[one].ln()).abs());
                strengths[one] = next;
            }
        }
        let mean = strengths.iter().map(|strength| strength.ln()).sum::<f64>() / systems as f64;
        strengths.iter_mut().for_each(|strength| *strength /= mean.exp());
        if changed < SETTLED {
            break;
        }
    }
    Some(strengths.iter().map(|strength| strength.ln()).collect())
}

/// Whether every system met every other, directly or through others.
fn is_connected(wins: &[f64], systems: usize) -> bool {
    let (mut reached, mut open) = (vec![false; systems], vec![0]);
    reached[0] = true;
    while let Some(one) = open.pop() {
        for other in 0..systems {
            let met = wins[one * systems + other] + wins[other * systems + one] > 0.0;
            if met && !reached[other] {
                reached[other] = true;
                open.push(other);
            }
        }
    }
    reached.iter().all(|reached| *reached)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: &[f64], expected: &[f64]) -> bool {
        found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    #[test]
    fn two_systems_are_the_log_odds_of_their_wins() {
        // 3 wins against 1, each with half a win more: ln(3.5 / 1.5) between them.
        let half = (3.5_f64 / 1.5).ln() / 2.0;
        assert!(close(&bradley_terry(&[0.0, 3.0, 1.0, 0.0], 2).expect("strengths"), &[half, -half]));
        let half = 21.0_f64.ln() / 2.0;
        assert!(close(&bradley_terry(&[0.0, 10.0, 0.0, 0.0], 2).expect("finite"), &[half, -half]));
    }

    #[test]
    fn strengths_meet_the_equations_of_the_likelihood() {
        // At the maximum, the expected wins of each system are its wins.
        let wins = [0.0, 7.0, 9.5, 3.0, 0.0, 6.0, 1.5, 4.0, 0.0];
        let found = bradley_terry(&wins, 3).expect("strengths");
        assert!(found.iter().sum::<f64>().abs() < 1e-9, "{found:?}");
        for one in 0..3 {
            let (mut won, mut expected) = (0.0, 0.0);
            for other in (0..3).filter(|other| *other != one) {
                let (here, there) = (wins[one * 3 + other] + 0.5, wins[other * 3 + one] + 0.5);
                won += here;
                expected += (here + there) / (1.0 + (found[other] - found[one]).exp());
            }
            assert!((won - expected).abs() < 1e-9, "{one}: {won} {expected}");
        }
        assert!(found[0] > found[1] && found[1] > found[2]);
    }

    #[test]
    fn systems_that_never_met_have_no_strengths() {
        let mut wins = vec![0.0; 16];
        (wins[1], wins[11]) = (2.0, 1.0);
        assert_eq!(bradley_terry(&wins, 4), None);
        wins[6] = 1.0;
        assert!(bradley_terry(&wins, 4).is_some());
        assert_eq!(bradley_terry(&[], 0), None);
    }
}
