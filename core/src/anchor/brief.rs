//! The elements around an element, each in 20 bytes: enough to know most of them again, also after small changes.

use std::cell::RefCell;

use super::features::short_count;
use super::survey::Survey;

const NAMES: usize = 3;
const WORDS: usize = 5;
/// Numbers of one brief: tag, whole text, names, words.
const LENGTH: usize = 2 + TOLD;
const TOLD: usize = NAMES + WORDS;
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
    /// The names, then the words; zeros are no entries.
    told: [u16; TOLD],
}

impl Brief {
    fn of(survey: &Survey<'_>, node: u32) -> Self {
        let mut brief = Self::default();
        if !survey.page.is_element(node) {
            return brief;
        }
        let short = |wide: u32| short(Some(wide));
        let (names, words) = brief.told.split_at_mut(NAMES);
        let known = survey.telling(node).iter().map(|one| one.value);
        let chosen = known.chain(survey.classes(node).iter().map(|class| (class >> 32) as u32));
        names.iter_mut().zip(chosen).for_each(|(slot, name)| *slot = short(name));
        words.iter_mut().zip(survey.first_words(node)).for_each(|(slot, word)| *slot = short(word));
        brief.tag = short(survey.tag(node));
        let whole = survey.text_hash(node);
        brief.text = if whole == 0 { 0 } else { short((whole >> 32) as u32) };
        brief
    }

    fn from_numbers([tag, text, told @ ..]: [u16; LENGTH]) -> Self {
        Self { tag, text, told }
    }

    fn numbers(self) -> impl Iterator<Item = u16> {
        [self.tag, self.text].into_iter().chain(self.told)
    }

    fn is_none(self) -> bool {
        self.tag == 0
    }

    /// 0 to 1. That nothing is at either place says nothing: NaN.
    pub(super) fn likeness(&self, other: &Self) -> f32 {
        if self.is_none() || other.is_none() {
            return if self == other { f32::NAN } else { 0.0 };
        }
        if self == other {
            return 1.0;
        }
        let mut all = 0.25;
        let mut sum = if self.tag == other.tag { 0.25 } else { 0.0 };
        let has_text = self.text != 0 || other.text != 0;
        let has_names = self.told[0] != 0 || other.told[0] != 0;
        let (names, words) = if has_text || has_names { shared(&self.told, &other.told) } else { (0.0, 0.0) };
        if has_text {
            all += 0.45;
            sum += 0.45 * if self.text == other.text { 1.0 } else { 0.9 * words };
        }
        if has_names {
            all += 0.3;
            sum += 0.3 * names;
        }
        sum / all
    }
}

/// What a name and what a word count for in [`shared`]: both kinds are counted in one number.
const COUNTS: [u16; TOLD] = [A_NAME, A_NAME, A_NAME, 1, 1, 1, 1, 1];
const A_NAME: u16 = 256;

/// How much the names of two briefs share, and how much the words. Most of the comparing of candidates is this, so it
/// goes without a branch for each pair, and by eight at once where the machine can.
fn shared(a: &[u16; TOLD], b: &[u16; TOLD]) -> (f32, f32) {
    let (mut names, mut words) = ([0u16; TOLD], [0u16; TOLD]);
    for other in &b[..NAMES] {
        for (known, one) in names.iter_mut().zip(a) {
            *known |= u16::from(one == other);
        }
    }
    for other in &b[NAMES..] {
        for (known, one) in words.iter_mut().zip(a) {
            *known |= u16::from(one == other);
        }
    }
    let (mut both, mut all) = (0u16, 0u16);
    for at in 0..TOLD {
        let known = if at < NAMES { names[at] } else { words[at] };
        both += COUNTS[at] * (known & u16::from(a[at] != 0));
        all += COUNTS[at] * (u16::from(a[at] != 0) + u16::from(b[at] != 0));
    }
    let share = |both: u16, all: u16| (2.0 * f32::from(both) / f32::from(all.max(1))).min(1.0);
    (share(both / A_NAME, all / A_NAME), share(both % A_NAME, all % A_NAME))
}

/// The briefs of a page's elements, each made when it is first asked for: candidates share their neighbours.
#[derive(Default)]
pub(super) struct Briefs {
    /// For each node one more than its place in `made`, 0 for none yet.
    places: RefCell<Vec<u32>>,
    made: RefCell<Vec<Brief>>,
}

impl Briefs {
    fn of(&self, survey: &Survey<'_>, node: u32) -> Brief {
        let mut places = self.places.borrow_mut();
        if places.is_empty() {
            *places = vec![0; survey.page.len() as usize];
        }
        let Some(place) = places.get_mut(node as usize) else { return Brief::default() };
        let mut made = self.made.borrow_mut();
        if let Some(known) = made.get((*place).wrapping_sub(1) as usize) {
            return *known;
        }
        made.push(Brief::of(survey, node));
        *place = short_count(made.len());
        made.last().copied().unwrap_or_default()
    }
}

/// The surroundings of an element, in the order of [`Role`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Surroundings([Brief; ROLES]);

impl Surroundings {
    pub(super) fn of(survey: &Survey<'_>, node: u32) -> Self {
        let page = survey.page;
        let mut around = Self([Brief::default(); ROLES]);
        let mut put = |role: usize, node: Option<u32>| {
            if let Some(node) = node {
                around.0[role] = survey.briefs.of(survey, node);
            }
        };
        let mut above = page.element_ancestors(node);
        let high: [Option<u32>; 4] = std::array::from_fn(|_| above.next());
        high.iter().enumerate().for_each(|(level, &node)| put(Role::Above as usize + level, node));
        let before = page.previous_element(node);
        put(Role::Before as usize, before);
        put(Role::BeforeThat as usize, before.and_then(|node| page.previous_element(node)));
        let after = page.next_element(node);
        put(Role::After as usize, after);
        put(Role::AfterThat as usize, after.and_then(|node| page.next_element(node)));
        for (at, child) in page.element_children(node).take(3).enumerate() {
            put(Role::Child as usize + at, Some(child));
        }
        put(Role::AboveBefore as usize, high[0].and_then(|node| page.previous_element(node)));
        put(Role::AboveAfter as usize, high[0].and_then(|node| page.next_element(node)));
        put(Role::HighBefore as usize, high[1].and_then(|node| page.previous_element(node)));
        put(Role::HighAfter as usize, high[1].and_then(|node| page.next_element(node)));
        around
    }

    /// How much the element of a role is like the one of a role of others.
    pub(super) fn likeness(&self, role: usize, others: &Self, other: usize) -> f32 {
        match (self.0.get(role), others.0.get(other)) {
            (Some(one), Some(other)) => one.likeness(other),
            _ => f32::NAN,
        }
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
/// and after it. Zero: nothing.
pub(super) fn beside(survey: &Survey<'_>, node: u32) -> [u16; BESIDE] {
    let (mut before, mut after) = survey.around(node);
    let neighbour = |other: Option<u32>| other.map(|other| survey.content(other));
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
