//! Where an element stands among all others.

use serde::{Deserialize, Serialize};

use crate::page::Page;

/// Where an element stands among all nodes of its page, which version 3 of anchors added: the first, and one past the
/// last of its own. Those of pages that are the same by `Context::whole` compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) from: u32,
    pub(super) to: u32,
}

impl Order {
    pub(super) fn of(page: &Page, node: u32) -> Self {
        let range = page.subtree(node);
        Self { from: range.start, to: range.end }
    }

    /// Not the other way round, as no version writes it.
    pub(super) fn is_valid(&self) -> bool {
        self.from < self.to
    }
}
