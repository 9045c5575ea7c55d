//! What a run is called.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// As many runs of one second as can be told apart.
const MOST: u32 = 36 * 36 * 36 * 36;

/// Where this process starts to count: somewhere else than the others.
static NEXT: LazyLock<AtomicU32> = LazyLock::new(|| {
    let now = jiff::Timestamp::now().as_nanosecond();
    let somewhere = blake3::hash(format!("{now} {}", std::process::id()).as_bytes());
    AtomicU32::new(somewhere.as_bytes().iter().take(4).fold(0, |number, byte| (number << 8) | u32::from(*byte)))
});

/// A name that sorts by time and that people can read out. No two runs of a process have the same.
pub(super) fn run_id(started: jiff::Timestamp) -> String {
    let mut number = NEXT.fetch_add(1, Ordering::Relaxed) % MOST;
    let mut unique = [b'0'; 4];
    for digit in unique.iter_mut().rev() {
        *digit = DIGITS[(number % 36) as usize];
        number /= 36;
    }
    format!("{}-{}", started.strftime("%Y%m%d-%H%M%S"), String::from_utf8_lossy(&unique))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_the_same_moment_have_different_names() {
        let now = jiff::Timestamp::UNIX_EPOCH;
        let names: std::collections::BTreeSet<String> = (0..5000).map(|_| run_id(now)).collect();
        assert_eq!(names.len(), 5000);
        assert!(names.iter().all(|name| name.starts_with("19700101-000000-") && name.len() == 20), "{names:?}");
    }
}
