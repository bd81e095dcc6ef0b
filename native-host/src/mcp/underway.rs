//! Requests of the agent's program that are not answered yet: bounded, so that a program that asks and does not read is
//! waited for, not remembered.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// Requests that may stand at once, and their bytes: beyond them no further line is read.
const MOST: usize = 1_024;
const MOST_BYTES: usize = 32 * 1024 * 1024;
/// Answers of tools that exist at once, being made or waiting to be read.
const ANSWERS: usize = 16;

/// Clones count together.
#[derive(Clone)]
pub(super) struct Underway(Arc<State>);

struct State {
    list: Mutex<List>,
    changed: Notify,
    answers: Arc<Semaphore>,
}

#[derive(Default)]
struct List {
    last: u64,
    entries: BTreeMap<u64, Entry>,
}

struct Entry {
    /// None for a line that is no request and is answered all the same.
    id: Option<RequestId>,
    bytes: usize,
    answer: Option<OwnedSemaphorePermit>,
}

impl Default for Underway {
    fn default() -> Self {
        let state = State {
            list: Mutex::default(),
            changed: Notify::new(),
            answers: Arc::new(Semaphore::new(ANSWERS)),
        };
        Self(Arc::new(state))
    }
}

impl Underway {
    fn list(&self) -> MutexGuard<'_, List> {
        // A panic in between leaves the list whole: every change is one insert or remove.
        self.0.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something came that is to be answered. One of the same id is forgotten, as nobody could tell their answers
    /// apart.
    pub(super) fn begin(&self, id: Option<RequestId>, bytes: usize) -> u64 {
        let mut list = self.list();
        if id.is_some() {
            list.entries.retain(|_, entry| entry.id != id);
        }
        list.last += 1;
        let number = list.last;
        list.entries.insert(number, Entry { id, bytes, answer: None });
        number
    }

    /// Its answer was written, or could not be.
    pub(super) fn end(&self, number: u64) {
        self.list().entries.remove(&number);
        self.0.changed.notify_waiters();
    }

    /// The same by its id; also when nobody wants its answer any more.
    pub(super) fn answered(&self, id: &RequestId) {
        self.list().entries.retain(|_, entry| entry.id.as_ref() != Some(id));
        self.0.changed.notify_waiters();
    }

    /// Returns when the request may have an answer; it counts until that is written.
    pub(super) async fn may_answer(&self, id: &RequestId) {
        // Nobody closes it.
        let Ok(permit) = Arc::clone(&self.0.answers).acquire_owned().await else { return };
        let mut list = self.list();
        if let Some(entry) = list.entries.values_mut().find(|entry| entry.id.as_ref() == Some(id)) {
            entry.answer = Some(permit);
        }
    }

    /// Returns when one more may come.
    pub(super) async fn room(&self) {
        self.until(|list| {
            let bytes: usize = list.entries.values().map(|entry| entry.bytes).sum();
            list.entries.len() < MOST && bytes < MOST_BYTES
        })
        .await;
    }

    /// Returns when everything is answered.
    pub(super) async fn none(&self) {
        self.until(|list| list.entries.is_empty()).await;
    }

    async fn until(&self, is_so: impl Fn(&List) -> bool) {
        loop {
            let changed = self.0.changed.notified();
            tokio::pin!(changed);
            // From here on no change is missed.
            changed.as_mut().enable();
            if is_so(&self.list()) {
                return;
            }
            changed.await;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn id(number: i64) -> Option<RequestId> {
        Some(RequestId::Number(number))
    }

    #[tokio::test]
    async fn no_more_than_a_bound_stand_at_once_and_ids_that_come_twice_or_are_cancelled_leave_nothing() {
        let underway = Underway::default();
        let has_room =
            async || tokio::time::timeout(std::time::Duration::ZERO, underway.room()).await.is_ok();
        for number in 0..1_023 {
            underway.begin(id(number), 100);
        }
        underway.begin(id(0), 100);
        assert!(has_room().await, "the same id is one");
        let malformed = underway.begin(None, 100);
        assert!(!has_room().await);
        underway.end(malformed);
        assert!(has_room().await);
        underway.begin(id(5_000), MOST_BYTES);
        assert!(!has_room().await, "bytes count as well");
        underway.answered(&RequestId::Number(5_000));
        assert!(has_room().await);
        for number in 0..1_023 {
            underway.answered(&RequestId::Number(number));
        }
        underway.none().await;
    }

    #[tokio::test]
    async fn answers_that_nobody_reads_hold_up_the_next_ones() {
        let underway = Underway::default();
        for number in 0..17 {
            underway.begin(id(number), 1);
        }
        for number in 0..16 {
            underway.may_answer(&RequestId::Number(number)).await;
        }
        let next = tokio::spawn({
            let underway = underway.clone();
            async move { underway.may_answer(&RequestId::Number(16)).await }
        });
        tokio::task::yield_now().await;
        assert!(!next.is_finished());
        underway.answered(&RequestId::Number(3));
        next.await.unwrap();
    }
}
