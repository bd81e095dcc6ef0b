//! Everything that a comment keeps of one element, in one call.

use super::{Anchor, AnchorError};
use crate::element::{self, DescribeError};
use crate::model::limits::MAX_SELECTOR;
use crate::model::{Addresses, Target};
use crate::page::Page;
use crate::selector::{self, Forms, SelectorError};
use crate::source::ProbeFacts;

/// Selectors that are kept: their disagreement on a later page is evidence.
const SELECTORS: usize = 4;

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

/// The other forms of an address; none where one is longer than a comment keeps.
fn addresses(page: &Page, node: u32, others: Vec<String>) -> Option<Addresses> {
    let forms = selector::forms(page, node).ok()?;
    let fits = |form: &String| form.len() <= MAX_SELECTOR;
    let Forms { css, xpath, playwright } = forms;
    (fits(&css) && fits(&xpath)).then(|| Addresses {
        css,
        xpath,
        playwright: playwright.filter(fits),
        others,
    })
}

/// Snapshot, selector and anchor of an element. `probe` is what the page's framework tells about it.
///
/// # Errors
/// When `node` is not an element of the page, or has no selector within the bounds of the notation.
pub fn target_of(page: &Page, node: u32, probe: Option<&ProbeFacts>) -> Result<Target, TargetError> {
    let snapshot = element::describe(page, node, probe)?;
    let selectors = selector::diverse(page, node, SELECTORS)?;
    let anchor = Anchor::of(page, node, &selectors)?.to_base64();
    let mut others = selectors.into_iter();
    let selector = others.next().ok_or(SelectorError::NotUnique { node })?;
    let addresses = addresses(page, node, others.collect());
    Ok(Target { snapshot, selector, addresses, anchor, state: None, varied: Vec::new() })
}
