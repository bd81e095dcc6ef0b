//! What several steps look for: runs of bytes, and addresses. All looking is counted here, for the tests of what it
//! costs.

use std::ops::Range;

use crate::find;

#[cfg(test)]
thread_local! {
    pub(super) static LOOKED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

pub(super) fn is_token_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

/// The end of the run that begins at `from`.
///
/// By `dyn`: each of its many callers would have a copy.
pub(super) fn run_end(bytes: &[u8], from: usize, belongs: &dyn Fn(u8) -> bool) -> usize {
    let mut end = from;
    while bytes.get(end).is_some_and(|b| belongs(*b)) {
        end += 1;
    }
    looked(end - from);
    end
}

/// Counts the characters that the steps look at, for the tests alone.
#[cfg_attr(not(test), expect(clippy::missing_const_for_fn, reason = "it counts in tests"))]
pub(super) fn looked(characters: usize) {
    #[cfg(test)]
    LOOKED.with(|looked| looked.set(looked.get() + characters));
    #[cfg(not(test))]
    let _ = characters;
}

/// Where a run goes on that begins with the digits of a percent-encoded character, encoded once or twice.
pub(super) fn after_escape(bytes: &[u8], from: usize) -> usize {
    let is_hex = |at: usize| bytes.get(at..at + 2).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit));
    if from == 0 || bytes[from - 1] != b'%' || !is_hex(from) {
        return from;
    }
    if bytes[from..].starts_with(b"25") && is_hex(from + 2) { from + 4 } else { from + 2 }
}

/// What stands between `://` and the path of every address in the text: user info and host.
pub(super) fn authorities(text: &str) -> Vec<Range<usize>> {
    authorities_after(text, |colon| {
        // `]` ends a scheme that was redacted itself.
        colon.is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-' | b']'))
    })
}

/// The same of every `://` whose scheme is said to be one by its last byte.
pub(super) fn authorities_after(text: &str, is_scheme: fn(Option<&u8>) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| find::first(rest, "://")) {
        let colon = from + at;
        let start = colon + 3;
        from = start;
        let rest = &text[start..];
        let length = rest
            .find(|c: char| matches!(c, '/' | '?' | '#' | '"' | '\'' | '<' | '>') || c.is_whitespace())
            .unwrap_or(rest.len());
        if is_scheme(text.as_bytes()[..colon].last()) {
            found.push(start..start + length);
        }
    }
    found
}
