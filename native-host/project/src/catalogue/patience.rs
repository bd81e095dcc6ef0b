//! How long it is waited for programs that are to say whether a project's database is an earlier version's, as git is.
//! One that is never done must not keep the person out of the project.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often they must have been asked in vain, and for how long, before the project goes on without.
const TRIES: u32 = 3;
const TRIED_FOR: Duration = Duration::from_secs(60);
/// How long after that they are asked again: whoever asks waits.
const ASKED_AGAIN_AFTER: Duration = Duration::from_secs(10 * 60);

/// Of each project for which they were not done in time.
#[derive(Debug, Default)]
pub struct Patience(Mutex<BTreeMap<PathBuf, Vain>>);

#[derive(Clone, Copy, Debug)]
struct Vain {
    tries: u32,
    first: Instant,
    last: Instant,
}

impl Vain {
    fn new(now: Instant) -> Self {
        Self { tries: 0, first: now, last: now }
    }

    fn again(&mut self, now: Instant) {
        self.tries = self.tries.saturating_add(1);
        self.last = now;
    }

    fn is_enough(&self) -> bool {
        self.tries >= TRIES && self.last.saturating_duration_since(self.first) >= TRIED_FOR
    }

    fn is_worth_a_try(&self, now: Instant) -> bool {
        !self.is_enough() || now.saturating_duration_since(self.last) >= ASKED_AGAIN_AFTER
    }
}

impl Patience {
    /// Whether the project goes on without what they say.
    pub fn is_at_its_end(&self, root: &Path) -> bool {
        self.all().get(root).is_some_and(Vain::is_enough)
    }

    /// Whether they are asked now.
    pub fn is_worth_a_try(&self, root: &Path) -> bool {
        self.all().get(root).is_none_or(|vain| vain.is_worth_a_try(Instant::now()))
    }

    /// They were asked. Returns whether that was in vain, as they were late.
    pub fn were_asked(&self, root: &Path, are_late: bool) -> bool {
        if are_late {
            let now = Instant::now();
            self.all().entry(root.to_owned()).or_insert_with(|| Vain::new(now)).again(now);
        }
        are_late
    }

    /// All of them were done in time.
    pub fn is_anew(&self, root: &Path) {
        self.all().remove(root);
    }

    /// As if they had been asked in vain so often before, the first time so long ago and the last time so long. For
    /// tests.
    #[doc(hidden)]
    pub fn had_tried(&self, root: &Path, tries: u32, first: Duration, last: Duration) {
        let before = |age| Instant::now().checked_sub(age).unwrap_or_else(Instant::now);
        let vain = Vain { tries, first: before(first), last: before(last) };
        self.all().insert(root.to_owned(), vain);
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Vain>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_after_some_tries_over_a_minute_and_they_are_asked_again_later() {
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        let tried = |times: &[u64]| {
            let mut vain = Vain::new(began);
            times.iter().for_each(|seconds| vain.again(at(*seconds)));
            vain
        };
        assert!(!tried(&[0, 600]).is_enough(), "few tries");
        assert!(!tried(&[0, 1, 2, 3, 4, 59]).is_enough(), "a short time");
        let vain = tried(&[0, 5, 60]);
        assert!(vain.is_enough());
        assert!(!vain.is_worth_a_try(at(600)) && vain.is_worth_a_try(at(660)));
        assert!(tried(&[0, 5]).is_worth_a_try(at(5)));
    }
}
