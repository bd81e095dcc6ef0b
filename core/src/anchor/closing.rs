//! What opens and closes by itself (a dialog, a menu, a tab panel), and which one of its kind an element is in: it is
//! known by its id and its title, and those that stood beside it by theirs.
//!
//! Knows nothing of verdicts: `cause/view.rs` says what follows from its being closed.

use super::Anchor;
use super::brief::{BYTES, Surroundings, short};
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

/// Most that are kept of what an element is in, from the nearest up.
const KEPT: u8 = 3;
/// Words of its title, and how many others of its kind.
const TITLE: usize = 5;
const OTHERS: usize = 8;
/// Numbers of each.
const LENGTH: usize = 2 + TITLE + OTHERS;
/// Of a kind of which the page has more than this it is not told which is there.
const MANY: usize = 64;
/// Texts on each side of an element that tell what it is in under another title.
const NEAR: usize = 2;

/// Something that closes by itself, with an element in it. Zeros are no words and no others.
#[derive(Default)]
pub(super) struct Closing {
    /// A bit for each of [`KINDS`] that it is.
    kinds: u16,
    /// Hash of the id that a person chose; 0 for none.
    id: u16,
    title: [u16; TITLE],
    /// Their titles, each as one number.
    others: [u16; OTHERS],
}

/// Adds to the bytes of an element's surroundings what it is in: how many, and each.
///
/// Here and below loops stand for chains of iterators, each of which would be one more copy of generic code.
pub(super) fn add(survey: &Survey<'_>, node: u32, bytes: &mut Vec<u8>) {
    let (page, mut count, mut all) = (survey.page, 0, Vec::new());
    for above in page.element_ancestors(node) {
        let kinds = kinds(page, above);
        if kinds == 0 || count == KEPT {
            continue;
        }
        count += 1;
        all.extend_from_slice(&[kinds, id_of(page, above)]);
        all.extend_from_slice(&title_of(survey, above));
        let mut others = [0; OTHERS];
        let mut slots = others.iter_mut();
        for other in of_kinds(page, kinds) {
            if other != above
                && let Some(slot) = slots.next()
            {
                *slot = number(&title_of(survey, other));
            }
        }
        all.extend_from_slice(&others);
    }
    bytes.push(count);
    for number in all {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
}

impl Closing {
    /// What an anchor's element is in. One of an earlier version tells of which kinds that may be.
    pub(super) fn around(anchor: &Anchor) -> Vec<Self> {
        let (bytes, mut all) = (&anchor.context.around, Vec::new());
        if let Some((_, [_, each @ ..])) = bytes.split_at_checked(BYTES) {
            let (pairs, _) = each.as_chunks::<2>();
            for [kinds, id, told @ ..] in pairs.as_chunks::<LENGTH>().0 {
                let mut one = Self::default();
                (one.kinds, one.id) = (u16::from_le_bytes(*kinds), u16::from_le_bytes(*id));
                for (slot, pair) in one.title.iter_mut().chain(&mut one.others).zip(told) {
                    *slot = u16::from_le_bytes(*pair);
                }
                all.push(one);
            }
        } else if let Some(around) = Surroundings::from_bytes(bytes) {
            let kinds = bits(&|kind| around.is_inside_of(kind));
            if kinds != 0 {
                all.push(Self { kinds, ..Self::default() });
            }
        }
        all
    }

    /// Whether the page has it, or one that may be it.
    pub(super) fn is_shown(&self, survey: &Survey<'_>, anchor: &Anchor, is_same: bool) -> bool {
        let those = of_kinds(survey.page, self.kinds);
        let mut is_shown = those.len() > MANY;
        for node in those {
            is_shown = is_shown || self.may_be(survey, node, anchor, is_same);
        }
        is_shown
    }

    fn may_be(&self, survey: &Survey<'_>, node: u32, anchor: &Anchor, is_same: bool) -> bool {
        let now = title_of(survey, node);
        if now == self.title || (self.id != 0 && self.id == id_of(survey.page, node)) {
            return true;
        }
        if self.others.contains(&number(&now)) {
            return false;
        }
        let mut may_be = now[0] == 0 || self.title[0] == 0;
        for word in now {
            may_be |= word != 0 && self.title.contains(&word);
        }
        let (from, to) = survey.text_range(node);
        for texts in [&anchor.base.before, &anchor.base.after] {
            for &text in texts.iter().take(NEAR) {
                for &(_, place) in survey.places(text) {
                    may_be |= !is_same && (from..to).contains(&(place as usize));
                }
            }
        }
        may_be
    }

    /// Whether an element is in something of its kind.
    pub(super) fn is_like_one_around(&self, page: &Page, node: u32) -> bool {
        page.element_ancestors(node).any(|above| kinds(page, above) & self.kinds != 0)
    }
}

fn bits(is: &dyn Fn(&str) -> bool) -> u16 {
    let mut bits = 0;
    for kind in KINDS {
        bits = bits << 1 | u16::from(is(kind));
    }
    bits
}

fn kinds(page: &Page, node: u32) -> u16 {
    let (tag, role, live) = (page.tag(node), page.attr(node, "role"), page.attr(node, "aria-live"));
    bits(&|kind| tag == kind || role == Some(kind) || live == Some(kind))
}

/// The elements of any of some kinds.
fn of_kinds(page: &Page, kinds: u16) -> Vec<u32> {
    let mut those = Vec::new();
    for (at, kind) in KINDS.iter().rev().enumerate() {
        if kinds >> at & 1 == 1 {
            those.extend_from_slice(page.with_tag(kind));
            those.extend_from_slice(page.with_attr("role", kind));
            those.extend_from_slice(page.with_attr("aria-live", kind));
        }
    }
    those
}

fn id_of(page: &Page, node: u32) -> u16 {
    let chosen = page.id(node).filter(|id| !is_generated_value("id", id));
    short(chosen.map(|id| hash::of(Kind::Id, &[id])))
}

/// Its words, and zeros.
fn title_of(survey: &Survey<'_>, node: u32) -> [u16; TITLE] {
    let (mut words, mut title) = ([0; TITLE], title(survey, node).into_iter());
    for slot in &mut words {
        *slot = title.next().unwrap_or(0);
    }
    words
}

/// A whole title as one number.
fn number(title: &[u16; TITLE]) -> u16 {
    let mut state = 0;
    for &word in title {
        state = hash::also(state, u64::from(word));
    }
    short(Some((state >> 32) as u32))
}
