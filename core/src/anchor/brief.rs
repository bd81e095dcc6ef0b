//! One of the elements around an element, in 20 bytes: enough to know most of them again, also after small changes.

use std::cell::RefCell;

use super::strings::short_count;

const NAMES: usize = 3;
const WORDS: usize = 5;
/// Numbers of one brief: tag, whole text, names, words.
pub(super) const LENGTH: usize = 2 + NAMES + WORDS;

/// One element of the surroundings. All zero: there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Brief {
    pub(super) tag: u16,
    pub(super) text: u16,
    pub(super) names: Told<NAMES>,
    pub(super) words: Told<WORDS>,
}

impl Brief {
    pub(super) fn from_numbers([tag, text, told @ ..]: [u16; LENGTH]) -> Self {
        let [a, b, c, words @ ..] = told;
        Self { tag, text, names: Told::new([a, b, c]), words: Told::new(words) }
    }

    pub(super) fn numbers(self) -> impl Iterator<Item = u16> {
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
pub(super) struct Told<const N: usize> {
    pub(super) list: [u16; N],
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

    pub(super) fn first(wide: impl Iterator<Item = u32>) -> Self {
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
    pub(super) made: RefCell<Vec<Brief>>,
}

impl Briefs {
    pub(super) fn new() -> Self {
        Self { places: RefCell::default(), made: RefCell::new(vec![Brief::default()]) }
    }

    /// Where in `made` the brief of a node is, of `nodes`, which `make` makes.
    pub(super) fn place(&self, nodes: u32, node: u32, make: impl FnOnce() -> Brief) -> usize {
        let mut places = self.places.borrow_mut();
        if places.is_empty() {
            *places = vec![0; nodes as usize];
        }
        let Some(place) = places.get_mut(node as usize) else { return 0 };
        if *place == 0 {
            let mut made = self.made.borrow_mut();
            *place = short_count(made.len());
            made.push(make());
        }
        *place as usize
    }
}

/// Half of a hash; zero for nothing.
pub(super) fn short(wide: Option<u32>) -> u16 {
    wide.map_or(0, |wide| ((wide >> 16) as u16).max(1))
}
