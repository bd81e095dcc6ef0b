//! How often something may happen: a flood gets a clear error instead of everybody's time.

use std::time::{Duration, Instant};

/// Messages at once.
const BURST: u32 = 2_000;
/// Messages a second in the long run.
const PER_SECOND: u32 = 1_000;

/// A bucket of tokens: each message takes one, time puts them back.
#[derive(Debug)]
pub(crate) struct Rate {
    left: f64,
    burst: u32,
    per_second: f64,
    since: Instant,
}

impl Rate {
    /// Of a connection's messages.
    pub(super) fn new(now: Instant) -> Self {
        Self::of(BURST, PER_SECOND.into(), now)
    }

    /// So many at once, so many a second in the long run.
    pub(crate) fn of(burst: u32, per_second: f64, now: Instant) -> Self {
        Self { left: burst.into(), burst, per_second, since: now }
    }

    /// Takes one message, or says how long the sender must wait.
    pub(crate) fn take(&mut self, now: Instant) -> Result<(), Duration> {
        let passed = now.saturating_duration_since(self.since).as_secs_f64();
        self.since = now.max(self.since);
        self.left = (self.left + passed * self.per_second).min(self.burst.into());
        if self.left < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - self.left) / self.per_second));
        }
        self.left -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_burst_passes_a_flood_does_not_and_time_heals() {
        let start = Instant::now();
        let mut rate = Rate::new(start);
        assert!((0..BURST).all(|_| rate.take(start).is_ok()));
        let wait = rate.take(start).unwrap_err();
        assert!(wait <= Duration::from_millis(1), "{wait:?}");
        assert!(rate.take(start + Duration::from_millis(2)).is_ok());
    }

    #[test]
    fn a_clock_that_stands_still_or_jumps_back_neither_helps_nor_panics() {
        let start = Instant::now() + Duration::from_secs(60);
        let mut rate = Rate::new(start);
        for _ in 0..BURST {
            rate.take(start - Duration::from_secs(30)).unwrap();
        }
        assert!(rate.take(start - Duration::from_secs(30)).is_err());
    }
}
