//! What opens and closes by itself (a dialog, a menu, a tab panel), and which one of its kind an element is in: it is
//! known by its id and its title, and those that stood beside it by theirs.
//!
//! Knows nothing of verdicts: `cause/view.rs` says what follows from its being closed.

use serde::{Deserialize, Serialize};

use super::brief::{Surroundings, short};
use super::hash::{self, Kind};
use super::purpose::title;
use super::survey::{Survey, is_generated_value};
use crate::page::Page;

/// Roles, tags and kinds of live regions.
pub(super) const KINDS: [&str; 10] = [
    "dialog",
    "alertdialog",
    "menu",
    "listbox",
    "tabpanel",
    "tooltip",
    "status",
    "alert",
    "polite",
    "assertive",
];

/// Most that are kept of what an element is in, from the nearest up, and most others of the kind of each.
const KEPT: usize = 3;
const OTHERS: usize = 8;
/// Of a kind of which the page has more than this it is not told which is there.
const MANY: usize = 64;

/// Something that closes by itself, with an element in it; version 7 of anchors added it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Closing {
    /// A bit for each of [`KINDS`] that it is.
    kinds: u16,
    /// Hash of the id that a person chose; 0 for none.
    id: u16,
    /// Words of its title.
    title: Vec<u16>,
    /// The titles of others of its kind, each as one number.
    others: Vec<u16>,
}

impl Closing {
    /// What an element is in.
    pub(super) fn around(survey: &Survey<'_>, node: u32) -> Vec<Self> {
        let page = survey.page;
        let above = page.element_ancestors(node).map(|above| (above, kinds(page, above)));
        let closing = above.filter(|&(_, kinds)| kinds != 0).take(KEPT);
        closing
            .map(|(above, kinds)| {
                let others = of_kinds(page, kinds).filter(|&other| other != above).take(OTHERS);
                Self {
                    kinds,
                    id: id(page, above),
                    title: title(survey, above),
                    others: others.map(|other| number(&title(survey, other))).collect(),
                }
            })
            .collect()
    }

    /// What an anchor of an earlier version tells of it: of which kinds it may be.
    pub(super) fn of_surroundings(around: &[u8]) -> Vec<Self> {
        let around = Surroundings::from_bytes(around);
        let kinds = bits(|kind| around.is_some_and(|around| around.is_inside_of(kind)));
        if kinds == 0 { Vec::new() } else { vec![Self { kinds, ..Self::default() }] }
    }

    /// Whether the page has it, or one that may be it. `near`: texts that tell it under another title.
    pub(super) fn is_shown(&self, survey: &Survey<'_>, near: &[u32]) -> bool {
        let mut those = of_kinds(survey.page, self.kinds);
        those.by_ref().take(MANY).any(|node| self.may_be(survey, node, near)) || those.next().is_some()
    }

    fn may_be(&self, survey: &Survey<'_>, node: u32, near: &[u32]) -> bool {
        let now = title(survey, node);
        if now == self.title || (self.id != 0 && self.id == id(survey.page, node)) {
            return true;
        }
        let (from, to) = survey.text_range(node);
        let is_in = |&(_, place): &(u32, u32)| (from..to).contains(&(place as usize));
        !self.others.contains(&number(&now))
            && (now.is_empty()
                || self.title.is_empty()
                || now.iter().any(|word| self.title.contains(word))
                || near.iter().any(|&text| survey.places(text).iter().any(is_in)))
    }

    /// Whether an element is in something of its kind.
    pub(super) fn is_like_one_around(&self, page: &Page, node: u32) -> bool {
        page.element_ancestors(node).any(|above| kinds(page, above) & self.kinds != 0)
    }
}

fn bits(is: impl Fn(&str) -> bool) -> u16 {
    (0..).zip(KINDS).fold(0, |bits, (at, kind)| bits | u16::from(is(kind)) << at)
}

fn kinds(page: &Page, node: u32) -> u16 {
    let [role, live] = ["role", "aria-live"].map(|name| page.attr(node, name));
    bits(|kind| page.tag(node) == kind || role == Some(kind) || live == Some(kind))
}

/// The elements of any of some kinds.
fn of_kinds(page: &Page, kinds: u16) -> impl Iterator<Item = u32> {
    let those = (0..).zip(KINDS).filter(move |(at, _)| kinds >> at & 1 == 1);
    those.flat_map(|(_, kind)| {
        let [role, live] = ["role", "aria-live"].map(|name| page.with_attr(name, kind));
        page.with_tag(kind).iter().chain(role).chain(live).copied()
    })
}

fn id(page: &Page, node: u32) -> u16 {
    let chosen = page.id(node).filter(|id| !is_generated_value("id", id));
    short(chosen.map(|id| hash::of(Kind::Id, &[id])))
}

/// A whole title as one number.
fn number(title: &[u16]) -> u16 {
    short(Some((hash::join(Kind::Word, title.iter().map(|&word| u64::from(word))) >> 32) as u32))
}
