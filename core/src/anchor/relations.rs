//! What the comments of one page tell about one another: what was found for sure is a landmark for the others, which
//! stood before it, after it or inside of it, and as far from it.

use super::evidence::Clue;
use super::fingerprint::Anchor;
use super::order::Order;
use super::scored::Scored;
use crate::page::Page;

/// So sure an element has to be found to be a landmark.
pub(super) const SURE: f32 = 0.9;
/// Most landmarks that are looked at for the nearest ones, on each side.
const LOOKED_AT: usize = 48;

/// An element that was found: where it stood on the page its anchor was made on, and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// Of which page the order is.
    page: u32,
    old: Order,
    new: Order,
}

impl Known {
    pub(super) fn new(page: &Page, anchor: &Anchor, node: u32) -> Option<Self> {
        let new = Order::of(page, node);
        anchor.order.map(|old| Self { page: anchor.context.whole, old, new })
    }

    fn key(&self) -> (u32, u32, u32) {
        (self.page, self.old.from, self.old.to)
    }
}

/// The landmarks in the order of the pages they are of.
pub(super) fn sorted(mut known: Vec<Known>) -> Vec<Known> {
    crate::sort::by_key(&mut known, |one| (one.key(), one.new.from));
    known
}

/// The landmarks next to one anchor: those that end before it, begin after it, or contain it.
#[derive(Default)]
pub(super) struct Near {
    old: Option<Order>,
    before: Option<Known>,
    after: Option<Known>,
    around: Option<Known>,
}

impl Near {
    /// `known`: as [`sorted`] made them.
    pub(super) fn of(anchor: &Anchor, known: &[Known]) -> Self {
        let Some(old) = anchor.order else { return Self::default() };
        let page = anchor.context.whole;
        let from = known.partition_point(|one| (one.page, one.old.from) < (page, old.from));
        let of_page = |one: &&Known| one.page == page;
        let earlier = || known[..from].iter().rev().take_while(of_page).take(LOOKED_AT);
        let later = known[from..].iter().take_while(of_page).take(LOOKED_AT);
        Self {
            old: Some(old),
            before: earlier().find(|one| one.old.to <= old.from).copied(),
            after: later.copied().find(|one| one.old.from >= old.to),
            around: earlier().find(|one| one.old.to >= old.to).copied(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.before.is_none() && self.after.is_none() && self.around.is_none()
    }

    /// Sets what the landmarks say about a candidate.
    pub(super) fn add_to(&self, page: &Page, candidate: &mut Scored) {
        let Some(old) = self.old else { return };
        let now = page.subtree(candidate.node);
        let (mut held, mut all, mut nearest) = (0.0f32, 0.0f32, f32::NAN);
        let mut order = |holds: bool| {
            all += 1.0;
            held += f32::from(u8::from(holds));
        };
        // The farther away, the more may have come or gone between.
        let mut distance = |then: u32, now: Option<u32>| {
            let near =
                now.map_or(0.0, |now| 1.0 / (1.0 + then.abs_diff(now) as f32 / (4.0 + then as f32 / 8.0)));
            nearest = nearest.max(near);
        };
        if let Some(known) = self.before {
            order(known.new.to <= now.start);
            distance(old.from - known.old.to, now.start.checked_sub(known.new.to));
        }
        if let Some(known) = self.after {
            order(now.end <= known.new.from);
            distance(known.old.from - old.to, known.new.from.checked_sub(now.end));
        }
        if let Some(known) = self.around {
            order(known.new.from <= now.start && now.end <= known.new.to);
            distance(old.from - known.old.from, now.start.checked_sub(known.new.from));
        }
        candidate.evidence[Clue::InOrder as usize] = if all > 0.0 { held / all } else { f32::NAN };
        candidate.evidence[Clue::FromKnown as usize] = nearest;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::anchor::evidence::{CLUES, Evidence};
    use crate::page::arbitrary::{el, page};

    /// Equal icons but for one, the only one of its tag.
    fn icons(before: usize, after: usize) -> (Page, u32) {
        let icon = || el("i", &[("class", "icon")], vec![]);
        let mut all: Vec<_> = (0..before).map(|_| icon()).collect();
        all.push(el("b", &[], vec![]));
        all.extend((0..after).map(|_| icon()));
        let page = page(vec![el("p", &[], all)]);
        let only = page.elements().find(|&node| page.tag(node) == "b").unwrap();
        (page, only)
    }

    fn clues(near: &Near, page: &Page, node: u32) -> (f32, f32) {
        let evidence: Evidence = [f32::NAN; CLUES];
        let mut candidate =
            Scored { is_only_equal: false, is_in_row: false, node, fit: 0.0, evidence, by_purpose: None };
        near.add_to(page, &mut candidate);
        (candidate.clue(Clue::InOrder), candidate.clue(Clue::FromKnown))
    }

    #[test]
    fn what_was_found_beside_it_tells_which_of_equal_ones_it_is() {
        let ((old, old_only), (new, only)) = (icons(4, 6), icons(7, 6));
        let anchor = |node: u32| Anchor::of(&old, node, &[""]).unwrap();
        let known = sorted(vec![Known::new(&new, &anchor(old_only), only).unwrap()]);
        let (before, after) = (anchor(old_only - 2), anchor(old_only + 1));
        let near = Near::of(&after, &known);
        assert_eq!(clues(&near, &new, only + 1), (1.0, 1.0));
        assert!(clues(&near, &new, only + 2).1 < 1.0);
        assert_eq!(clues(&near, &new, only - 1), (0.0, 0.0));
        let near = Near::of(&before, &known);
        assert_eq!(clues(&near, &new, only - 2), (1.0, 1.0));
        assert_eq!(clues(&near, &new, only + 1), (0.0, 0.0));
    }

    #[test]
    fn what_was_found_of_another_page_or_of_an_older_anchor_tells_nothing() {
        let ((old, old_only), (other, _), (new, only)) = (icons(4, 6), icons(4, 7), icons(7, 6));
        let anchor = Anchor::of(&old, old_only, &[""]).unwrap();
        let known = sorted(vec![Known::new(&new, &anchor, only).unwrap()]);
        assert!(!Near::of(&Anchor::of(&old, old_only + 1, &[""]).unwrap(), &known).is_empty());
        assert!(Near::of(&Anchor::of(&other, old_only + 1, &[""]).unwrap(), &known).is_empty());
        let mut older = anchor;
        older.order = None;
        assert!(Near::of(&older, &known).is_empty());
        assert!(Known::new(&new, &older, only).is_none());
    }
}
