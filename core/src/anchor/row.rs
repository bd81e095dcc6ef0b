//! A number in a row of a list: what stands beside it in its row tells which one it is, however many others say the same.

use super::brief::short;
use super::cause::shape;
use super::evidence::Clue;
use super::fingerprint::Anchor;
use super::outcome::Scored;
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

/// Whether all words beside a candidate in its row are those that stood beside the element, and one of them tells it from its look-alikes.
fn is_row_of(survey: &Survey<'_>, sought: &Sought<'_>, node: u32) -> bool {
    let page = survey.page;
    let (from, to) = survey.text_range(node);
    let says_words = |place: usize| {
        let text = page.data(survey.text_node(place));
        has_letter(text) && !text.chars().any(|letter| letter.is_ascii_digit())
    };
    let is_row = |above: &u32| {
        let (first, last) = survey.text_range(*above);
        is_repeated(survey, *above) && (first..from).chain(to..last).any(says_words)
    };
    let Some(row) = page.element_ancestors(node).take(LEVELS).find(is_row) else { return false };
    let (first, last) = survey.text_range(row);
    let base = &sought.anchor.base;
    let sides =
        [((first..from).rev().collect::<Vec<_>>(), &base.before), ((to..last).collect(), &base.after)];
    let mut tells = false;
    for (side, (places, kept)) in sides.into_iter().enumerate() {
        for (at, place) in places.into_iter().enumerate().filter(|&(_, place)| says_words(place)) {
            let Some(text) = survey.text_at(place).filter(|text| kept.get(at) == Some(text)) else {
                return false;
            };
            tells |= sought.anchor.context.item_texts.contains(&text)
                || (at < KNOWN && !is_beside_look_alikes(sought.anchor, side, at, text));
        }
    }
    tells
}

/// Whether an element stands beside one of its tag, as the rows of a list do.
pub(super) fn is_repeated(survey: &Survey<'_>, node: u32) -> bool {
    let is_like = |other: Option<u32>| other.is_some_and(|other| survey.tag(other) == survey.tag(node));
    is_like(survey.page.previous_element(node)) || is_like(survey.page.next_element(node))
}

pub(super) fn has_letter(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}

/// Whether a text stood at the same place beside one of the look-alikes: `at` texts away, before it (side 0) or after it. False of what is
/// farther away than is known.
pub(super) fn is_beside_look_alikes(anchor: &Anchor, side: usize, at: usize, text: u32) -> bool {
    let (numbers, _) = anchor.context.beside.as_chunks::<2>();
    let place = (at < KNOWN).then_some(side * KNOWN + at);
    let mut of_each = numbers.chunks(OF_EACH).filter_map(|each| each.get(place?));
    of_each.any(|&number| u16::from_le_bytes(number) == short(Some(text)))
}
