//! A text as an anchor keeps it.

use serde::{Deserialize, Serialize};

use super::hash::{self, Kind};
use crate::element::{redact_attribute, redact_text};
use crate::page::Page;

/// Bytes that are kept of a tag's or an attribute's name, and of a text.
pub(super) const TAG_BYTES: usize = 40;
pub(super) const TEXT_BYTES: usize = 200;

/// A string as it is compared and shown: its beginning without secrets, and a hash of the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Short {
    pub(super) start: String,
    pub(super) hash: u32,
}

impl Short {
    pub(super) fn new(text: &str, bytes: usize) -> Self {
        Self { start: cut(&redact_text(text), bytes).to_owned(), hash: hash::of(Kind::Text, &[text]) }
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.hash == hash::of(Kind::Text, &[text])
    }
}

/// As much of the text as fits, cut between characters.
pub(super) fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Whether an attribute holds a secret: not even the hash of one is kept.
pub(super) fn is_secret(page: &Page, node: u32, name: &str, value: &str) -> bool {
    redact_attribute(page.tag(node), |other| page.attr(node, other), name, value) != value
}
