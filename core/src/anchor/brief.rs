//! The elements around an element, each in 20 bytes: enough to know most of them again, also after small changes.

use super::survey::Survey;

/// Numbers of one brief: tag, whole text, names, words.
const LENGTH: usize = 10;
const NAMES: usize = 3;
const WORDS: usize = 5;
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
pub(super) struct Brief([u16; LENGTH]);

impl Brief {
    fn of(survey: &Survey<'_>, node: Option<u32>) -> Self {
        let mut brief = Self::default();
        let Some(node) = node.filter(|&node| survey.page.is_element(node)) else { return brief };
        let short = |wide: u32| short(Some(wide));
        let [tag, text, rest @ ..] = &mut brief.0;
        let (names, words) = rest.split_at_mut(NAMES);
        *tag = short(survey.tag(node));
        let whole = survey.text_hash(node);
        *text = if whole == 0 { 0 } else { short((whole >> 32) as u32) };
        let known = survey.telling(node).iter().map(|one| one.value);
        let chosen = known.chain(survey.classes(node).iter().map(|class| (class >> 32) as u32));
        names.iter_mut().zip(chosen).for_each(|(slot, name)| *slot = short(name));
        words.iter_mut().zip(survey.first_words(node)).for_each(|(slot, word)| *slot = short(word));
        brief
    }

    fn is_none(self) -> bool {
        self.0[0] == 0
    }

    /// 0 to 1. That nothing is at either place says nothing: NaN.
    pub(super) fn likeness(self, other: Self) -> f32 {
        if self.is_none() || other.is_none() {
            return if self == other { f32::NAN } else { 0.0 };
        }
        if self == other {
            return 1.0;
        }
        let part = |brief: &Self, from: usize, to: usize| -> [u16; WORDS] {
            let mut part = [0; WORDS];
            part[..to - from].copy_from_slice(&brief.0[from..to]);
            part
        };
        let (tag, mut all) = (f32::from(u8::from(self.0[0] == other.0[0])), 0.25);
        let mut sum = 0.25 * tag;
        if self.0[1] != 0 || other.0[1] != 0 {
            all += 0.45;
            let words = part(&self, 2 + NAMES, LENGTH);
            let same = self.0[1] == other.0[1];
            sum += 0.45 * if same { 1.0 } else { 0.9 * shared(words, part(&other, 2 + NAMES, LENGTH)) };
        }
        let (ours, theirs) = (part(&self, 2, 2 + NAMES), part(&other, 2, 2 + NAMES));
        if ours[0] != 0 || theirs[0] != 0 {
            all += 0.3;
            sum += 0.3 * shared(ours, theirs);
        }
        sum / all
    }
}

/// How much two short lists share; zeros are no entries.
fn shared(a: [u16; WORDS], b: [u16; WORDS]) -> f32 {
    let count = |list: [u16; WORDS]| list.iter().filter(|&&one| one != 0).count();
    let both = a.iter().filter(|&&one| one != 0 && b.contains(&one)).count();
    let all = count(a) + count(b);
    if all == 0 { 0.0 } else { (2.0 * both as f32 / all as f32).min(1.0) }
}

/// The surroundings of an element, in the order of [`Role`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Surroundings([Brief; ROLES]);

impl Surroundings {
    pub(super) fn of(survey: &Survey<'_>, node: u32) -> Self {
        let page = survey.page;
        let mut around = Self([Brief::default(); ROLES]);
        let mut put = |role: usize, node: Option<u32>| around.0[role] = Brief::of(survey, node);
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

    pub(super) fn get(&self, role: usize) -> Brief {
        self.0.get(role).copied().unwrap_or_default()
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        self.0.iter().flat_map(|brief| brief.0).flat_map(u16::to_le_bytes).collect()
    }

    /// `None` for bytes of another length: of an anchor that has no surroundings.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (pairs, []) = bytes.as_chunks::<2>() else { return None };
        let (briefs, []) = pairs.as_chunks::<LENGTH>() else { return None };
        let briefs: &[[[u8; 2]; LENGTH]; ROLES] = briefs.try_into().ok()?;
        Some(Self(briefs.map(|brief| Brief(brief.map(u16::from_le_bytes)))))
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

/// The greatest share of `now` that stood beside one of the look-alikes.
pub(super) fn known_beside(kept: &[u8], now: [u16; BESIDE]) -> f32 {
    let (pairs, _) = kept.as_chunks::<2>();
    let (others, _) = pairs.as_chunks::<BESIDE>();
    let share = |other: &[[u8; 2]; BESIDE]| {
        let pairs = || other.iter().map(|kept| u16::from_le_bytes(*kept)).zip(now);
        let known = pairs().filter(|&(kept, now)| kept != 0 || now != 0).count();
        let same = pairs().filter(|&(kept, now)| kept != 0 && kept == now).count();
        same as f32 / known.max(1) as f32
    };
    others.iter().map(share).fold(0.0, f32::max)
}
