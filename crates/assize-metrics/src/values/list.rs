//! Lists as multisets: the same items, each as often, in any order.

use super::compare::{Convention, compare_under};
use super::{Prepared, Reason, Rules, ValueMatch};

/// Longer lists are compared in their order only; trying all pairs would cost too much.
const LONGEST: usize = 200;

fn compare_in_order(given: &[Prepared], expected: &[Prepared], rules: &Rules, held: Convention) -> usize {
    let same = given.iter().zip(expected).filter(|(one, other)| compare_under(one, other, rules, held).equal).count();
    given.len().max(expected.len()) - same
}

pub(super) fn compare(given: &[Prepared], expected: &[Prepared], rules: &Rules, held: Convention) -> ValueMatch {
    let differing = if given.len().max(expected.len()) > LONGEST {
        compare_in_order(given, expected, rules, held)
    } else {
        given.len().max(expected.len()) - most_pairs(given, expected, rules, held)
    };
    if differing == 0 {
        ValueMatch::same(Reason::SameItems)
    } else {
        ValueMatch::different(Reason::OtherItems { differing })
    }
}

/// The most pairs of equal items (a tolerance is not transitive, so taking the first that fits is not enough).
fn most_pairs(given: &[Prepared], expected: &[Prepared], rules: &Rules, held: Convention) -> usize {
    let fits: Vec<Vec<usize>> = given
        .iter()
        .map(|one| {
            (0..expected.len()).filter(|place| compare_under(one, &expected[*place], rules, held).equal).collect()
        })
        .collect();
    let mut partner = vec![None; expected.len()];
    (0..given.len()).filter(|one| find(*one, &fits, &mut vec![false; expected.len()], &mut partner)).count()
}

fn find(one: usize, fits: &[Vec<usize>], seen: &mut [bool], partner: &mut [Option<usize>]) -> bool {
    for &other in &fits[one] {
        if std::mem::replace(&mut seen[other], true) {
            continue;
        }
        if partner[other].is_none_or(|holder| find(holder, fits, seen, partner)) {
            partner[other] = Some(one);
            return true;
        }
    }
    false
}
