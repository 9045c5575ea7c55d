//! Spreads independent pieces of work over the processor's cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does `work` on each item, on as many threads as there are cores, and gives the results in the items' order.
///
/// Results must not depend on which thread does what, so `work` sees nothing but its item.
pub(crate) fn spread<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    if threads <= 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
        }
    };
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
        let mut all = take();
        for helper in helpers {
            match helper.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Cuts a list into runs whose sizes add up to at most `budget`; an item larger than that is a run of its own.
pub(crate) fn runs(sizes: impl Iterator<Item = usize>, budget: usize) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::new();
    let (mut start, mut end, mut held) = (0, 0, 0usize);
    for size in sizes {
        if end > start && held.saturating_add(size) > budget {
            runs.push(start..end);
            (start, held) = (end, 0);
        }
        held = held.saturating_add(size);
        end += 1;
    }
    if end > start {
        runs.push(start..end);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(spread(&items, |n| n * 2), items.iter().map(|n| n * 2).collect::<Vec<_>>());
        assert!(spread(&[] as &[u8], |_| 0).is_empty());
    }

    #[test]
    fn runs_keep_to_the_budget() {
        assert_eq!(runs([3, 3, 3, 9, 1].into_iter(), 6), [0..2, 2..3, 3..4, 4..5]);
        assert_eq!(runs([].into_iter(), 6), []);
        assert_eq!(runs([usize::MAX, usize::MAX].into_iter(), 6), [0..1, 1..2]);
    }
}
