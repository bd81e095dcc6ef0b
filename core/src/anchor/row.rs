//! A number in a row of a list: what stands beside it in its row tells which one it is, however many others say the
//! same.

use super::brief::short;
use super::cause::shape;
use super::evidence::Clue;
use super::fingerprint::{AROUND, Anchor};
use super::scored::Scored;
use super::sought::Sought;
use super::survey::Survey;

/// How far up the row is.
pub(super) const LEVELS: usize = 5;
/// Texts on each side whose look-alikes' are known, and how many numbers are kept of each look-alike.
const KNOWN: usize = 2;
const OF_EACH: usize = 6;

/// The only candidate that stands in the element's own row with another number in the same words.
pub(super) fn in_its_row(survey: &Survey<'_>, sought: &Sought<'_>, list: &[Scored]) -> Option<usize> {
    let base = &sought.anchor.base;
    let words = shape(&base.text.start);
    if !words.contains('#') {
        return None;
    }
    let fits = |one: &Scored| {
        one.clue(Clue::Tag) >= 1.0
            && (one.clue(Clue::Classes).is_nan() || one.clue(Clue::Classes) >= 1.0)
            && shape(survey.texts(one.node).all.trim()) == words
            && is_row_of(survey, sought, one.node)
    };
    let mut found = list.iter().enumerate().filter(|(_, one)| fits(one));
    let (at, one) = found.next()?;
    (found.next().is_none() && one.clue(Clue::Content) < 0.5).then_some(at)
}

/// Whether all words beside a candidate in its row are those that stood beside the element, and one of them tells it
/// from its look-alikes.
fn is_row_of(survey: &Survey<'_>, sought: &Sought<'_>, node: u32) -> bool {
    for above in survey.page.element_ancestors(node).take(LEVELS) {
        if is_repeated(survey, above) {
            let beside = Beside::of(survey, sought.anchor, node, above);
            if beside.has_plain {
                return beside.is_same && beside.tells;
            }
        }
    }
    false
}

/// What stands beside a node in one of the elements that it is in, compared with what stood beside an element.
#[derive(Default)]
pub(super) struct Beside {
    /// Whether there are words without any number, and whether all of those are what stood there, and one of them tells
    /// the element from its look-alikes.
    has_plain: bool,
    is_same: bool,
    tells: bool,
    /// Of the words that stand on the page once: those of the element's row that tell it from its look-alikes, and
    /// others that stand where one of those stood. Words with numbers count where there are none without.
    pub(super) known: u32,
    pub(super) against: u32,
    /// Whether one of the others was said on the page of the element, and whether one was not.
    pub(super) others: bool,
    pub(super) new: bool,
}

impl Beside {
    pub(super) fn of(survey: &Survey<'_>, anchor: &Anchor, node: u32, above: u32) -> Self {
        let (base, item) = (&anchor.base, &anchor.context.item_texts);
        let (from, to) = survey.text_range(node);
        let (row_from, row_to) = survey.text_range(above);
        // Of texts farther away it is not known what stood there, and a row may be a large part of the page.
        let (first, last) = (row_from.max(from.saturating_sub(AROUND)), row_to.min(to + AROUND));
        let places = || (first..from).chain(to..last);
        let has_plain = places().any(|place| is_plain(survey, place));
        let mut beside = Self { has_plain, is_same: (first, last) == (row_from, row_to), ..Self::default() };
        for place in places() {
            let is_telling = if has_plain { is_plain(survey, place) } else { is_word(survey, place) };
            let Some(said) = survey.text_at(place).filter(|_| is_telling) else { continue };
            let (side, at, kept) =
                if place < from { (0, from - place - 1, &base.before) } else { (1, place - to, &base.after) };
            let (stood, is_of_item) = (kept.get(at), item.contains(&said));
            let is_of_look_alikes = is_beside_look_alikes(anchor, side, at, said);
            beside.is_same &= stood == Some(&said);
            beside.tells |= is_of_item || (at < KNOWN && !is_of_look_alikes);
            if survey.places(said).len() > 1 {
                continue;
            }
            if is_of_item || stood == Some(&said) {
                beside.known += u32::from(!is_of_look_alikes);
                continue;
            }
            // In place of a word that told nothing another one says nothing against it.
            beside.against += u32::from(stood.is_none_or(|stood| item.contains(stood)));
            let was_said = anchor.purpose.as_ref().is_some_and(|purpose| purpose.said.has(said));
            beside.others |= was_said;
            beside.new |= !was_said;
        }
        beside
    }
}

fn is_word(survey: &Survey<'_>, place: usize) -> bool {
    survey.page.data(survey.text_node(place)).chars().any(char::is_alphabetic)
}

/// Whether a text has letters and no number.
pub(super) fn is_plain(survey: &Survey<'_>, place: usize) -> bool {
    is_word(survey, place) && !has_digit(survey.page.data(survey.text_node(place)))
}

pub(super) fn has_digit(text: &str) -> bool {
    text.bytes().any(|letter| letter.is_ascii_digit())
}

/// Whether an element stands beside one of its tag, as the rows of a list do.
pub(super) fn is_repeated(survey: &Survey<'_>, node: u32) -> bool {
    let is_like = |other: Option<u32>| other.is_some_and(|other| survey.tag(other) == survey.tag(node));
    is_like(survey.page.previous_element(node)) || is_like(survey.page.next_element(node))
}

/// Whether a text stood at the same place beside one of the look-alikes: `at` texts away, before it (side 0) or after
/// it. False of what is farther away than is known.
fn is_beside_look_alikes(anchor: &Anchor, side: usize, at: usize, text: u32) -> bool {
    let (numbers, _) = anchor.context.beside.as_chunks::<2>();
    let place = (at < KNOWN).then_some(side * KNOWN + at);
    let mut of_each = numbers.chunks(OF_EACH).filter_map(|each| each.get(place?));
    of_each.any(|&number| u16::from_le_bytes(number) == short(Some(text)))
}
