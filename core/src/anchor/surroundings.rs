//! The elements around an element, each as a brief, and what is just beside it.

use super::brief::{Brief, LENGTH, Told, short};
use super::hash::{self, Kind};
use super::survey::Survey;
use crate::page::Page;

/// How many briefs describe the surroundings of an element.
pub(super) const ROLES: usize = 15;

/// Who an element of the surroundings is.
#[derive(Clone, Copy)]
#[repr(usize)]
pub(super) enum Role {
    /// The parent, and three more above it.
    Above,
    Before = 4,
    BeforeThat,
    After,
    AfterThat,
    /// The first three children.
    Child,
    AboveBefore = 11,
    AboveAfter,
    HighBefore,
    HighAfter,
}

fn brief(survey: &Survey<'_>, node: u32) -> Brief {
    if !survey.page.is_element(node) {
        return Brief::default();
    }
    let known = survey.telling(node).iter().map(|one| one.value);
    let chosen = known.chain(survey.classes(node).iter().map(|class| (class >> 32) as u32));
    let whole = survey.text_hash(node);
    Brief {
        tag: short(Some(survey.tag(node))),
        text: short(Some((whole >> 32) as u32).filter(|_| whole != 0)),
        names: Told::first(chosen),
        words: Told::first(survey.first_words(node)),
    }
}

/// Where among the survey's briefs that of a node is; the first is that of no element.
fn place(survey: &Survey<'_>, node: Option<u32>) -> usize {
    let make = |node: u32| survey.briefs.place(survey.page.len(), node, || brief(survey, node));
    node.map_or(0, make)
}

/// The elements around one, in the order of [`Role`].
fn neighbours(page: &Page, node: u32) -> [Option<u32>; ROLES] {
    let before = |node: Option<u32>| node.and_then(|node| page.previous_element(node));
    let after = |node: Option<u32>| node.and_then(|node| page.next_element(node));
    let mut above = page.element_ancestors(node);
    let [parent, second, third, fourth] = std::array::from_fn(|_| above.next());
    let mut children = page.element_children(node);
    let [first_child, second_child, third_child] = std::array::from_fn(|_| children.next());
    let (previous, next) = (before(Some(node)), after(Some(node)));
    [
        parent,
        second,
        third,
        fourth,
        previous,
        before(previous),
        next,
        after(next),
        first_child,
        second_child,
        third_child,
        before(parent),
        after(parent),
        before(second),
        after(second),
    ]
}

/// The surroundings of an element, in the order of [`Role`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Surroundings([Brief; ROLES]);

impl Surroundings {
    pub(super) fn of(survey: &Survey<'_>, node: u32) -> Self {
        let places = neighbours(survey.page, node).map(|other| place(survey, other));
        let made = survey.briefs.made.borrow();
        Self(places.map(|place| made.get(place).copied().unwrap_or_default()))
    }

    /// How much the element of a role is like the one that has the same or another role around `node`.
    pub(super) fn compared_with(&self, survey: &Survey<'_>, node: u32) -> impl Fn(usize, usize) -> f32 {
        let places = neighbours(survey.page, node).map(|other| place(survey, other));
        let made = survey.briefs.made.borrow();
        move |role: usize, other: usize| self.0[role].likeness(&made[places[other]])
    }

    /// Whether one of the four elements above is of one of these tags, or has an attribute of one of these values.
    pub(super) fn is_inside_of(&self, words: &[&str]) -> bool {
        let above = || self.0.iter().take(Role::Before as usize);
        words.iter().any(|word| {
            let tag = short(Some(hash::of(Kind::Tag, &[word])));
            let value = short(Some(hash::of(Kind::Text, &[word])));
            above().any(|brief| brief.tag == tag || brief.names.list.contains(&value))
        })
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        self.0.iter().flat_map(|brief| brief.numbers()).flat_map(u16::to_le_bytes).collect()
    }

    /// `None` for bytes of another length: of an anchor that has no surroundings.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (pairs, []) = bytes.as_chunks::<2>() else { return None };
        let (briefs, []) = pairs.as_chunks::<LENGTH>() else { return None };
        let briefs: &[[[u8; 2]; LENGTH]; ROLES] = briefs.try_into().ok()?;
        Some(Self(briefs.map(|brief| Brief::from_numbers(brief.map(u16::from_le_bytes)))))
    }
}

/// How many numbers say what is beside an element.
const BESIDE: usize = 6;

/// What is beside an element, to tell it from its look-alikes: the two texts before and after it, the elements before
/// and after it, by their `content`. Zero: nothing.
pub(super) fn beside(survey: &Survey<'_>, node: u32, content: impl Fn(u32) -> u32) -> [u16; BESIDE] {
    let (mut before, mut after) = survey.around(node);
    let neighbour = |other: Option<u32>| other.map(&content);
    let page = survey.page;
    let all = [
        before.next(),
        before.next(),
        after.next(),
        after.next(),
        neighbour(page.previous_element(node)),
        neighbour(page.next_element(node)),
    ];
    all.map(short)
}

/// What was beside an element, or beside each of several.
pub(super) struct KnownBeside(Vec<[u16; BESIDE]>);

impl KnownBeside {
    pub(super) fn one(beside: [u16; BESIDE]) -> Self {
        Self(vec![beside])
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        let (pairs, _) = bytes.as_chunks::<2>();
        let (each, _) = pairs.as_chunks::<BESIDE>();
        Self(each.iter().map(|one| one.map(u16::from_le_bytes)).collect())
    }

    /// The greatest share of `now` that stood beside one of them.
    pub(super) fn known(&self, now: [u16; BESIDE]) -> f32 {
        let share = |kept: &[u16; BESIDE]| {
            let (mut told, mut same) = (0u16, 0u16);
            for (&kept, now) in kept.iter().zip(now) {
                told += u16::from(kept | now != 0);
                same += u16::from(kept != 0) & u16::from(kept == now);
            }
            f32::from(same) / f32::from(told.max(1))
        };
        self.0.iter().map(share).fold(0.0, f32::max)
    }
}
