//! How many bytes may wait in a queue, or be worked on: whoever adds some takes a share, which comes back when it is
//! dropped.

pub mod under_way;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

/// Counts the bytes that wait. Clones count together.
#[derive(Clone, Debug, Default)]
pub struct Budget(Arc<Count>);

#[derive(Debug, Default)]
struct Count {
    used: AtomicUsize,
    freed: Notify,
}

/// A part of a budget; given back when dropped.
#[derive(Debug)]
pub struct Share {
    count: Arc<Count>,
    bytes: usize,
}

impl Budget {
    /// Whether no share of it is held.
    pub fn is_unused(&self) -> bool {
        self.0.used.load(Ordering::Acquire) == 0
    }

    /// A share, unless more than `most` bytes would be used. The first one always gets it, however large it is: else it
    /// could never go.
    pub fn take(&self, bytes: usize, most: usize) -> Option<Share> {
        let fits = |used: usize| {
            let sum = used.saturating_add(bytes);
            (used == 0 || sum <= most).then_some(sum)
        };
        self.0.used.try_update(Ordering::AcqRel, Ordering::Acquire, fits).ok()?;
        Some(Share { count: Arc::clone(&self.0), bytes })
    }

    /// The same, as soon as there is room.
    pub async fn wait_for(&self, bytes: usize, most: usize) -> Share {
        loop {
            let freed = self.0.freed.notified();
            tokio::pin!(freed);
            // From here on nothing that is given back is missed.
            freed.as_mut().enable();
            if let Some(share) = self.take(bytes, most) {
                return share;
            }
            freed.await;
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.count.used.fetch_sub(self.bytes, Ordering::AcqRel);
        self.count.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_dropped_is_there_again_and_the_first_one_always_fits() {
        let budget = Budget::default();
        let large = budget.take(1_000, 10).unwrap();
        assert!(budget.take(1, 10).is_none());
        drop(large);
        let (one, two) = (budget.take(6, 10).unwrap(), budget.take(4, 10).unwrap());
        assert!(budget.take(1, 10).is_none());
        drop(one);
        assert!(budget.take(7, 10).is_none() && budget.take(6, 10).is_some());
        drop(two);
    }

    #[tokio::test]
    async fn who_waits_goes_on_when_there_is_room() {
        let budget = Budget::default();
        let first = budget.take(10, 10).unwrap();
        let waits = tokio::spawn({
            let budget = budget.clone();
            async move { budget.wait_for(10, 10).await }
        });
        tokio::task::yield_now().await;
        assert!(!waits.is_finished());
        drop(first);
        drop(waits.await.unwrap());
        assert!(budget.take(10, 10).is_some());
    }
}
