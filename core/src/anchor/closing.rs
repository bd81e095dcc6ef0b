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
const KEPT: usize = 3;
/// Words of its title, and how many others of its kind.
const TITLE: usize = 5;
const OTHERS: usize = 8;
/// Numbers of each.
const LENGTH: usize = 2 + TITLE + OTHERS;
/// Of a kind of which the page has more than this it is not told which is there.
const MANY: usize = 64;

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
pub(super) fn add(survey: &Survey<'_>, node: u32, bytes: &mut Vec<u8>) {
    let (page, place) = (survey.page, bytes.len());
    bytes.push(0);
    for above in page.element_ancestors(node) {
        let kinds = kinds(page, above);
        if kinds == 0 || bytes[place] as usize == KEPT {
            continue;
        }
        bytes[place] += 1;
        let mut numbers = [0; LENGTH];
        let [of, id, told @ ..] = &mut numbers;
        (*of, *id) = (kinds, id_of(page, above));
        let (words, others) = told.split_at_mut(TITLE);
        words.copy_from_slice(&title_of(survey, above));
        let beside = of_kinds(page, kinds).into_iter().filter(|&other| other != above);
        for (other, node) in others.iter_mut().zip(beside) {
            *other = number(title_of(survey, node));
        }
        bytes.extend(numbers.into_iter().flat_map(u16::to_le_bytes));
    }
}

impl Closing {
    /// What an anchor's element is in. One of an earlier version tells of which kinds that may be.
    pub(super) fn around(anchor: &Anchor) -> Vec<Self> {
        let bytes = &anchor.context.around;
        let Some(around) = Surroundings::from_bytes(bytes) else { return Vec::new() };
        let Some((_, [_, each @ ..])) = bytes.split_at_checked(BYTES) else {
            let kinds = bits(&|kind| around.is_inside_of(kind));
            return if kinds == 0 { Vec::new() } else { vec![Self { kinds, ..Self::default() }] };
        };
        let (pairs, _) = each.as_chunks::<2>();
        let (each, _) = pairs.as_chunks::<LENGTH>();
        each.iter().map(|one| Self::from_numbers(one.map(u16::from_le_bytes))).collect()
    }

    fn from_numbers([kinds, id, told @ ..]: [u16; LENGTH]) -> Self {
        let [a, b, c, d, e, others @ ..] = told;
        Self { kinds, id, title: [a, b, c, d, e], others }
    }

    /// Whether the page has it, or one that may be it. `near`: texts that tell it under another title.
    pub(super) fn is_shown(&self, survey: &Survey<'_>, near: &[u32]) -> bool {
        let those = of_kinds(survey.page, self.kinds);
        those.len() > MANY || those.into_iter().any(|node| self.may_be(survey, node, near))
    }

    fn may_be(&self, survey: &Survey<'_>, node: u32, near: &[u32]) -> bool {
        let now = title_of(survey, node);
        if now == self.title || (self.id != 0 && self.id == id_of(survey.page, node)) {
            return true;
        }
        let (from, to) = survey.text_range(node);
        let is_in = |&(_, place): &(u32, u32)| (from..to).contains(&(place as usize));
        !self.others.contains(&number(now))
            && (now[0] == 0
                || self.title[0] == 0
                || now.iter().any(|word| *word != 0 && self.title.contains(word))
                || near.iter().any(|&text| survey.places(text).iter().any(is_in)))
    }

    /// Whether an element is in something of its kind.
    pub(super) fn is_like_one_around(&self, page: &Page, node: u32) -> bool {
        page.element_ancestors(node).any(|above| kinds(page, above) & self.kinds != 0)
    }
}

fn bits(is: &dyn Fn(&str) -> bool) -> u16 {
    KINDS.iter().rev().fold(0, |bits, kind| bits << 1 | u16::from(is(kind)))
}

fn kinds(page: &Page, node: u32) -> u16 {
    let (tag, role, live) = (page.tag(node), page.attr(node, "role"), page.attr(node, "aria-live"));
    bits(&|kind| tag == kind || role == Some(kind) || live == Some(kind))
}

/// The elements of any of some kinds.
fn of_kinds(page: &Page, kinds: u16) -> Vec<u32> {
    let mut those = Vec::new();
    for (at, kind) in KINDS.iter().enumerate() {
        if kinds >> at & 1 == 1 {
            for list in [page.with_tag(kind), page.with_attr("role", kind), page.with_attr("aria-live", kind)]
            {
                those.extend_from_slice(list);
            }
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
    let mut words = [0; TITLE];
    words.iter_mut().zip(title(survey, node)).for_each(|(slot, word)| *slot = word);
    words
}

/// A whole title as one number.
fn number(title: [u16; TITLE]) -> u16 {
    short(Some((hash::join(Kind::Word, title.map(u64::from)) >> 32) as u32))
}
