//! What the writers were told is stored. Every text is unique, so that it says by itself what is lost and what is there
//! twice.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Shared by all writers of a run.
#[derive(Default)]
pub(super) struct Ledger {
    acknowledged: Mutex<Vec<String>>,
    count: AtomicUsize,
    /// What a writer could not go on after.
    problems: Mutex<Vec<String>>,
    stopping: AtomicBool,
}

impl Ledger {
    pub(super) fn acknowledge(&self, text: String) {
        self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).push(text);
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// How many of one writer.
    pub(super) fn count_of(&self, writer: &str) -> usize {
        let prefix = format!("{writer}-");
        let all = self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|text| text.starts_with(&prefix)).count()
    }

    pub(super) fn problem(&self, what: String) {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(what);
    }

    pub(super) fn problems(&self) -> Vec<String> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Writers finish what is under way and end.
    pub(super) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// What was acknowledged and is not among the texts, and what stands there more than once.
    pub(super) fn compare(&self, stored: &[String]) -> (Vec<String>, Vec<String>) {
        let mut times = BTreeMap::new();
        for text in stored {
            *times.entry(text.as_str()).or_insert(0_usize) += 1;
        }
        let all = self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner);
        let lost = all.iter().filter(|text| !times.contains_key(text.as_str())).cloned().collect();
        let doubled = times
            .iter()
            .filter(|(_, times)| **times > 1)
            .map(|(text, times)| format!("{text}, {times} times"));
        (lost, doubled.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_and_what_is_doubled_is_told() {
        let ledger = Ledger::default();
        for text in ["a-1", "a-2", "b-1"] {
            ledger.acknowledge(text.to_owned());
        }
        let stored = ["a-1", "a-1", "b-1", "never acknowledged"].map(str::to_owned);
        let (lost, doubled) = ledger.compare(&stored);
        assert_eq!((lost, doubled), (vec!["a-2".to_owned()], vec!["a-1, 2 times".to_owned()]));
        assert_eq!((ledger.count(), ledger.count_of("a")), (3, 2));
    }
}
