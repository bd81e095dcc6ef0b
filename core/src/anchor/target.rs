//! Everything that a comment keeps of one element, in one call.

use super::{Anchor, AnchorError};
use crate::element::{self, DescribeError};
use crate::model::Target;
use crate::page::Page;
use crate::selector::{self, SelectorError};
use crate::source::ProbeFacts;

/// Why an element cannot be pinned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// No snapshot.
    #[error(transparent)]
    Describe(#[from] DescribeError),
    /// No selector.
    #[error(transparent)]
    Selector(#[from] SelectorError),
    /// No anchor.
    #[error(transparent)]
    Anchor(#[from] AnchorError),
}

/// Snapshot, selector and anchor of an element. `probe` is what the page's framework tells about it.
///
/// # Errors
/// When `node` is not an element of the page, or has no selector within the bounds of the notation.
pub fn target_of(page: &Page, node: u32, probe: Option<&ProbeFacts>) -> Result<Target, TargetError> {
    let snapshot = element::describe(page, node, probe)?;
    let selector = selector::generate(page, node)?;
    let anchor = Anchor::of(page, node, &selector)?.to_base64();
    Ok(Target { snapshot, selector, anchor, state: None })
}
