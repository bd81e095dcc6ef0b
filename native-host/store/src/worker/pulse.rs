//! Whether a project's thread gets on with its work.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When the thread began the step that it is at; `None` while it waits for work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pulse(Arc<Mutex<Option<Instant>>>);

impl Pulse {
    /// A step begins.
    pub(crate) fn beat(&self) {
        self.set(Some(Instant::now()));
    }

    pub(super) fn rest(&self) {
        self.set(None);
    }

    /// How long the step has taken so far.
    pub(super) fn stands_for(&self) -> Duration {
        let began = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        began.map_or(Duration::ZERO, |began| began.elapsed())
    }

    fn set(&self, at: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = at;
    }
}
