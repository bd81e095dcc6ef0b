//! Looking along a text from where something stands. Tests count the bytes: each may be looked at a constant number of
//! times.

use crate::find;

/// Signs that are looked for ahead, each with the place where it was found.
#[derive(Default)]
pub(super) struct Next {
    asked: usize,
    found: usize,
}

impl Next {
    /// Where `sign` is next, or the end. Remembered, for places further on ask for the same.
    pub(super) fn at(&mut self, text: &str, sign: &str, from: usize) -> usize {
        if from < self.asked || from >= self.found {
            let rest = text.get(from..).unwrap_or_default();
            let length = find::first(rest, sign).unwrap_or(rest.len());
            count(length);
            (self.asked, self.found) = (from, from + length);
        }
        self.found
    }
}

pub(super) fn trim_start(text: &str, is: fn(char) -> bool) -> &str {
    let left = text.trim_start_matches(is);
    count(text.len() - left.len());
    left
}

pub(super) fn trim_end(text: &str, is: fn(char) -> bool) -> &str {
    let left = text.trim_end_matches(is);
    count(text.len() - left.len());
    left
}

#[cfg(not(test))]
pub(super) fn count(_bytes: usize) {}

#[cfg(test)]
pub(super) fn count(bytes: usize) {
    LOOKED.set(LOOKED.get() + bytes + 1);
}

#[cfg(test)]
std::thread_local! {
    pub(super) static LOOKED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}
