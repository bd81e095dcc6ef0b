//! What stands where something was removed.

/// What stands in place of something that was removed.
pub const REDACTED: &str = "[redacted]";

/// Whether a string holds something that was removed, so that it tells nothing about the element.
#[must_use]
pub fn is_redacted(text: &str) -> bool {
    crate::find::has(text, REDACTED)
}
