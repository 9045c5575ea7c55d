//! When a request is worth repeating, and how long to wait before. The only place that knows.
//!
//! The server's own word goes first (`retry-after-ms`, `Retry-After` in seconds or as a date); without one the wait
//! doubles each time, with jitter so that many callers do not come back at once.

use crate::wire::ProviderError;
use assize_core::FailureKind;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

/// How often and how patiently a request is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// How many times a request is repeated.
    pub retries: u32,
    /// The first wait.
    pub first_wait: Duration,
    /// The longest wait of our own choosing.
    pub longest_wait: Duration,
    /// The longest wait a server may ask for; beyond it the request fails as rate-limited.
    pub patience: Duration,
    /// The longest that one call is tried for, waits for a limit included.
    pub deadline: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            retries: 8,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(30),
            patience: Duration::from_secs(120),
            deadline: Duration::from_secs(30 * 60),
        }
    }
}

/// What a call may do, said by whoever asks: they may lose interest, run out of money, or want to know what holds it up.
/// By default it may do anything, for as long as it takes.
pub trait CallGate: Send + Sync {
    /// Waits so long, or less where nobody is interested any more; says whether to go on.
    fn wait<'a>(&'a self, duration: Duration) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(async move {
            tokio::time::sleep(duration).await;
            true
        })
    }

    /// Sets aside what a request may cost at most, waiting for others to settle; says whether there is money for it.
    fn reserve<'a>(&'a self, _highest: Option<f64>) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(async { true })
    }

    /// What a request really cost; `None` where nobody knows, which counts as what was set aside.
    fn settle(&self, _cost: Option<f64>) {}

    /// Something that whoever watches should know.
    fn notice(&self, _message: &str) {}

    /// Every further question would fail alike.
    fn give_up(&self, _message: &str) {}
}

/// Waits as long as it takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Endless;

impl CallGate for Endless {}

impl RetryPolicy {
    /// How long to wait before repetition `attempt` (from 0), with a jitter between 0 and 1; `None` if the server asks
    /// for more patience than there is.
    pub fn wait(&self, attempt: u32, asked: Option<Duration>, jitter: f64) -> Option<Duration> {
        let jitter = jitter.clamp(0.0, 1.0);
        if let Some(asked) = asked {
            // Never earlier than asked, and not all at the same moment.
            let spread = asked.div_f64(10.0).min(Duration::from_secs(1));
            return (asked <= self.patience).then(|| asked + spread.mul_f64(jitter));
        }
        let doubled = self.first_wait.saturating_mul(1_u32.checked_shl(attempt).unwrap_or(u32::MAX));
        // Half of it is certain and half is chance.
        Some(doubled.min(self.longest_wait).mul_f64(0.5 + jitter / 2.0))
    }
}

/// What an error of the provider's means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What it is called if it is the last word.
    pub kind: FailureKind,
    /// Whether the same request may yet succeed.
    pub worth_repeating: bool,
}

/// Judges an error by its status, and by its code where the status says too little.
pub fn verdict(error: &ProviderError) -> Verdict {
    let (kind, worth_repeating) = match error.status {
        _ if error.is("content_filter") || error.is("content_policy_violation") => {
            (FailureKind::ContentFiltered, false)
        }
        401 | 403 => (FailureKind::Unauthorised, false),
        404 => (FailureKind::ModelNotFound, false),
        408 | 504 => (FailureKind::Timeout, true),
        // Waiting does not fill an empty account.
        429 if error.is("insufficient_quota") || error.is("billing_hard_limit_reached") => {
            (FailureKind::QuotaExhausted, false)
        }
        429 => (FailureKind::RateLimited, true),
        501 | 505 => (FailureKind::BadRequest, false),
        409 | 425 | 500.. => (FailureKind::ServerError, true),
        _ => (FailureKind::BadRequest, false),
    };
    Verdict { kind, worth_repeating }
}

/// The wait a server asks for, from its headers.
pub fn asked_wait<'a>(header: impl Fn(&str) -> Option<&'a str>, now: SystemTime) -> Option<Duration> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    // More than a year is nonsense, and would overflow where it is added to a clock.
    let bounded = |seconds: f64| Duration::from_secs_f64(seconds.min(31_536_000.0));
    if let Some(milliseconds) = header("retry-after-ms").and_then(number) {
        return Some(bounded(milliseconds / 1000.0));
    }
    let value = header("retry-after")?;
    if let Some(seconds) = number(value) {
        return Some(bounded(seconds));
    }
    let date = httpdate::parse_http_date(value.trim()).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(name: &'static str, value: &'static str) -> Option<Duration> {
        let now = httpdate::parse_http_date("Sun, 15 Nov 2026 03:00:00 GMT").unwrap();
        asked_wait(|header| (header == name).then_some(value), now)
    }

    #[test]
    fn every_way_of_asking_to_wait_is_understood() {
        assert_eq!(asked("retry-after", "2"), Some(Duration::from_secs(2)));
        assert_eq!(asked("retry-after", " 0.25 "), Some(Duration::from_millis(250)));
        assert_eq!(asked("retry-after-ms", "1500"), Some(Duration::from_millis(1500)));
        assert_eq!(asked("retry-after", "Sun, 15 Nov 2026 03:00:30 GMT"), Some(Duration::from_secs(30)));
        assert_eq!(asked("retry-after", "Sun, 15 Nov 2026 02:00:00 GMT"), Some(Duration::ZERO));
        for nonsense in ["soon", "-1", "NaN", "inf", ""] {
            assert_eq!(asked("retry-after", nonsense), None, "{nonsense}");
        }
        assert!(asked("retry-after", "1e300").is_some());
    }

    #[test]
    fn waits_double_up_to_the_longest_with_half_of_it_chance() {
        let policy = RetryPolicy::default();
        let waits =
            |jitter| (0..9).map(|attempt| policy.wait(attempt, None, jitter).unwrap().as_millis()).collect::<Vec<_>>();
        assert_eq!(waits(1.0), [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
        assert_eq!(waits(0.0), [250, 500, 1000, 2000, 4000, 8000, 15000, 15000, 15000]);
        assert_eq!(policy.wait(u32::MAX, None, 1.0), Some(policy.longest_wait));
    }

    #[test]
    fn the_servers_word_is_kept_and_patience_ends() {
        let policy = RetryPolicy::default();
        let five = Duration::from_secs(5);
        assert_eq!(policy.wait(7, Some(five), 0.0), Some(five));
        assert_eq!(policy.wait(0, Some(five), 1.0), Some(Duration::from_millis(5500)));
        assert_eq!(policy.wait(0, Some(policy.patience + five), 0.5), None);
    }

    #[test]
    fn what_is_repeated_and_what_is_not() {
        let of = |status, code: Option<&str>| {
            let verdict = verdict(&ProviderError { status, code: code.map(str::to_owned), ..ProviderError::default() });
            (verdict.kind.name(), verdict.worth_repeating)
        };
        for status in [409, 425, 500, 502, 503, 529, 599] {
            assert_eq!(of(status, None), ("server_error", true), "{status}");
        }
        for status in [301, 307, 400, 402, 405, 413, 422] {
            assert_eq!(of(status, None), ("bad_request", false), "{status}");
        }
        assert_eq!(of(408, None), ("timeout", true));
        assert_eq!(of(429, None), ("rate_limited", true));
        assert_eq!(of(429, Some("insufficient_quota")), ("quota_exhausted", false));
        assert_eq!(of(401, None), ("unauthorised", false));
        assert_eq!(of(403, None), ("unauthorised", false));
        assert_eq!(of(404, None), ("model_not_found", false));
        assert_eq!(of(400, Some("content_filter")), ("content_filtered", false));
    }
}
