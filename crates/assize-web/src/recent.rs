//! What was made for one request and is likely wanted by the next: the last few are kept.

use std::sync::{Arc, Mutex, PoisonError};

/// The values used last, by what they were made from, the last used first.
pub(super) struct Recent<K, V> {
    most: usize,
    kept: Mutex<Vec<(K, Arc<V>)>>,
}

impl<K: PartialEq, V> Recent<K, V> {
    /// As many are kept.
    pub(super) fn of(most: usize) -> Self {
        Self { most, kept: Mutex::default() }
    }

    /// The value of a key, made where it is not kept. Two who want the same at once may both make it: neither waits.
    pub(super) fn take<E>(&self, key: K, make: impl FnOnce() -> Result<V, E>) -> Result<Arc<V>, E> {
        if let Some(found) = self.find(&key) {
            return Ok(found);
        }
        let made = Arc::new(make()?);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(other, _)| *other != key);
        kept.insert(0, (key, made.clone()));
        kept.truncate(self.most);
        Ok(made)
    }

    fn find(&self, key: &K) -> Option<Arc<V>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(other, _)| other == key)?;
        kept[..=place].rotate_right(1);
        Some(kept[0].1.clone())
    }

    /// Whether the value of a key is kept.
    pub(super) fn holds(&self, key: &K) -> bool {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|(other, _)| other == key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_used_are_kept_and_no_more() {
        let recent = Recent::of(3);
        let mut made = String::new();
        for key in ["a", "b", "a", "c", "a", "d"] {
            let value = recent.take(key, || {
                made.push_str(key);
                Ok::<_, ()>(key.to_uppercase())
            });
            assert_eq!(value.as_deref(), Ok(&key.to_uppercase()));
        }
        assert_eq!(made, "abcd");
        assert_eq!(["a", "b", "c", "d"].map(|key| recent.holds(&key)), [true, false, true, true]);
        assert_eq!(recent.take("e", || Err("why")), Err("why"));
        assert!(!recent.holds(&"e"));
    }
}
