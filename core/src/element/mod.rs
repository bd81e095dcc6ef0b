//! What a person would say about one element.
//!
//! Reads a page and what the probe found; hands out snapshots that are already redacted. Knows nothing of comments,
//! selectors or of how an element is found again.

mod describe;
mod name;
mod redaction;
mod role;
mod snapshot;

pub use describe::{DescribeError, TOLD_ATTRIBUTES, describe};
pub(crate) use name::{accessible_name, label};
#[cfg(test)]
pub(crate) use redaction::looked_during;
pub(crate) use redaction::{AttributeName, AttributeValue, Said, folded};
pub use redaction::{REDACTED, is_redacted, is_secret_field, redact_attribute, redact_text};
pub(crate) use role::role;
pub use snapshot::{ElementBrief, ElementSnapshot, Siblings};
