//! Anchors against pages and bytes of strangers: vast, deep, empty, full of look-alikes, forged, damaged.
//!
//! `laws` holds for random pages, `stored` is about bytes, `vast` about size, `forged` about pages that lie.

mod forged;
mod laws;
mod stored;
mod vast;

use opentoolbar_core::anchor::{Anchor, Verdict, outdates, relocate, target_of};
use opentoolbar_core::page::Page;

/// The anchor of a node, written and read.
fn anchor(page: &Page, node: u32) -> Anchor {
    Anchor::from_base64(&target_of(page, node, None).unwrap().anchor).unwrap()
}

/// One look at `new` for one element of `old`.
fn look(old: &Page, node: u32, new: &Page) -> Verdict {
    relocate(new, &[anchor(old, node)]).remove(0)
}

/// Whether the verdict makes its comment outdated.
fn outdated(verdict: &Verdict) -> bool {
    outdates(verdict.kind)
}
