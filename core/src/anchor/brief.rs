//! The elements around an element, each in 20 bytes: enough to know most of them again, also after small changes.

use std::cell::RefCell;

use super::features::short_count;
use super::hash::{self, Kind};
use super::survey::Survey;
use crate::page::Page;

const NAMES: usize = 3;
const WORDS: usize = 5;
/// Numbers of one brief: tag, whole text, names, words.
const LENGTH: usize = 2 + NAMES + WORDS;
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

/// One element of the surroundings. All zero: there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Brief {
    tag: u16,
    text: u16,
    names: Told<NAMES>,
    words: Told<WORDS>,
}

impl Brief {
    fn of(survey: &Survey<'_>, node: u32) -> Self {
        if !survey.page.is_element(node) {
            return Self::default();
        }
        let known = survey.telling(node).iter().map(|one| one.value);
        let chosen = known.chain(survey.classes(node).iter().map(|class| (class >> 32) as u32));
        let whole = survey.text_hash(node);
        Self {
            tag: short(Some(survey.tag(node))),
            text: short(Some((whole >> 32) as u32).filter(|_| whole != 0)),
            names: Told::first(chosen),
            words: Told::first(survey.first_words(node)),
        }
    }

    fn from_numbers([tag, text, told @ ..]: [u16; LENGTH]) -> Self {
        let [a, b, c, words @ ..] = told;
        Self { tag, text, names: Told::new([a, b, c]), words: Told::new(words) }
    }

    fn numbers(self) -> impl Iterator<Item = u16> {
        [self.tag, self.text].into_iter().chain(self.names.list).chain(self.words.list)
    }

    fn is_none(self) -> bool {
        self.tag == 0
    }

    /// 0 to 1. That nothing is at either place says nothing: NaN.
    pub(super) fn likeness(&self, other: &Self) -> f32 {
        if self.is_none() || other.is_none() {
            return if self == other { f32::NAN } else { 0.0 };
        }
        let mut all = 0.25;
        let mut sum = if self.tag == other.tag { 0.25 } else { 0.0 };
        if self.text != 0 || other.text != 0 {
            let same = self.text == other.text;
            all += 0.45;
            sum += 0.45 * if same { 1.0 } else { 0.9 * self.words.shared(&other.words) };
        }
        if self.names.list[0] != 0 || other.names.list[0] != 0 {
            all += 0.3;
            sum += 0.3 * self.names.shared(&other.names);
        }
        sum / all
    }
}

/// A short list of numbers; zeros are no entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told<const N: usize> {
    list: [u16; N],
    count: u16,
    /// A bit for each entry, by its lowest bits: lists without a bit in common share nothing.
    bits: u64,
}

impl<const N: usize> Default for Told<N> {
    fn default() -> Self {
        Self { list: [0; N], count: 0, bits: 0 }
    }
}

impl<const N: usize> Told<N> {
    fn new(list: [u16; N]) -> Self {
        let bit = |one: u16| if one == 0 { 0 } else { 1u64 << (one % 64) };
        let count = list.iter().map(|&one| u16::from(one != 0)).sum();
        Self { list, count, bits: list.iter().fold(0, |bits, &one| bits | bit(one)) }
    }

    fn first(wide: impl Iterator<Item = u32>) -> Self {
        let mut list = [0; N];
        list.iter_mut().zip(wide).for_each(|(slot, one)| *slot = short(Some(one)));
        Self::new(list)
    }

    /// How much of two lists is the same, 0 to 1; nothing when there is nothing.
    fn shared(&self, other: &Self) -> f32 {
        if self.bits & other.bits == 0 {
            return 0.0;
        }
        let both = if self.list == other.list {
            self.count
        } else {
            self.list.iter().map(|one| u16::from(*one != 0 && other.list.contains(one))).sum()
        };
        (2.0 * f32::from(both) / f32::from(self.count + other.count)).min(1.0)
    }
}

/// The briefs of a page's elements, each made when it is first asked for: candidates share their neighbours.
pub(super) struct Briefs {
    /// For each node its place in `made`, 0 for none yet; empty before the first.
    places: RefCell<Vec<u32>>,
    /// The first is that of no element.
    made: RefCell<Vec<Brief>>,
}

impl Briefs {
    pub(super) fn new() -> Self {
        Self { places: RefCell::default(), made: RefCell::new(vec![Brief::default()]) }
    }

    /// Where in `made` the brief of a node is.
    fn place(&self, survey: &Survey<'_>, node: Option<u32>) -> usize {
        let Some(node) = node else { return 0 };
        let mut places = self.places.borrow_mut();
        if places.is_empty() {
            *places = vec![0; survey.page.len() as usize];
        }
        let Some(place) = places.get_mut(node as usize) else { return 0 };
        if *place == 0 {
            let mut made = self.made.borrow_mut();
            *place = short_count(made.len());
            made.push(Brief::of(survey, node));
        }
        *place as usize
    }
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
        let places = neighbours(survey.page, node).map(|other| survey.briefs.place(survey, other));
        let made = survey.briefs.made.borrow();
        Self(places.map(|place| made.get(place).copied().unwrap_or_default()))
    }

    /// How much the element of a role is like the one that has the same or another role around `node`.
    pub(super) fn compared_with(&self, survey: &Survey<'_>, node: u32) -> impl Fn(usize, usize) -> f32 {
        let places = neighbours(survey.page, node).map(|other| survey.briefs.place(survey, other));
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

/// Half of a hash; zero for nothing.
pub(super) fn short(wide: Option<u32>) -> u16 {
    wide.map_or(0, |wide| ((wide >> 16) as u16).max(1))
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
