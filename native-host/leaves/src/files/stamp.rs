//! Whether a file is the one that it was.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use opentoolbar_core::model::Timestamp;
use serde::{Deserialize, Serialize};

/// Longer than the ticks of the clocks that file systems use.
const TICKS: Duration = Duration::from_millis(100);

/// Tells a file from every other one, and from itself after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    pub(super) device: u64,
    pub(super) number: u64,
    pub(super) bytes: u64,
    /// When anything of it changed; nobody can set this to another time. Seconds and nanoseconds.
    pub(super) changed: (i64, i64),
}

impl Stamp {
    /// Whether it was changed so lately that a clock with coarse ticks may give the next change the same time.
    pub fn is_fresh(self) -> bool {
        let settled = SystemTime::now().checked_sub(TICKS).and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let settled = settled.and_then(|since| u64::try_from(since.as_millis()).ok()).unwrap_or(0);
        !self.is_older_than(Timestamp(settled))
    }

    /// When anything of it changed, for order.
    pub fn changed(self) -> (i64, i64) {
        self.changed
    }

    /// As if it had been changed at that second since the epoch. For tests.
    #[doc(hidden)]
    #[must_use]
    pub fn changed_at(self, seconds: i64) -> Self {
        Self { changed: (seconds, 0), ..self }
    }

    /// Whether nothing of the file was changed since that moment.
    fn is_older_than(self, moment: Timestamp) -> bool {
        let (seconds, nanoseconds) = self.changed;
        let changed = seconds.saturating_mul(1_000).saturating_add(nanoseconds / 1_000_000);
        u64::try_from(changed).is_ok_and(|changed| changed < moment.0)
    }
}
