//! The live node that a page holds as a comment's element. As long as the source stays the same, a list with keys keeps a node with
//! its row, and a list without keys puts another row's words into it: so the words beside it say whether it still is the element.

use super::cause::shape;
use super::fingerprint::Anchor;
use super::hash::{self, Kind};
use super::identity::Identity;
use super::names::written;
use super::row::{LEVELS, has_letter, is_beside_look_alikes, is_repeated};
use super::survey::Survey;
use super::{Verdict, VerdictKind, judge};
use crate::sort;

/// Where the node is that a page holds as an element since it was found for sure, under the source of now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Held {
    /// It holds none.
    #[default]
    Unknown,
    /// It held one, which is no part of the page any more.
    Gone,
    /// The node by its index in the captured page.
    At(u32),
}

impl Held {
    /// From the node's index: none is unknown, and 0, which is the document, says that it is gone.
    #[must_use]
    pub fn from_index(index: Option<u32>) -> Self {
        index.map_or(Self::Unknown, |node| if node == 0 { Self::Gone } else { Self::At(node) })
    }

    pub(super) fn node(self) -> Option<u32> {
        if let Self::At(node) = self { Some(node) } else { None }
    }
}

/// How sure it is that a held node is the element.
const SURE: f32 = 0.96;
/// The same where nothing tells.
const UNSURE: f32 = 0.5;
/// Comments on one node that are compared with one another.
const ON_ONE: usize = 32;
/// Elements of a tag that are asked for the same words.
const OF_TAG: usize = 200;

/// What was found `untouched`, and beside it the held nodes that are the elements. No node is for two anchors of different elements.
pub(super) fn with_held(
    survey: &Survey<'_>,
    anchors: &[Anchor],
    held: &[Held],
    mut untouched: Vec<Option<(u32, f32)>>,
) -> Vec<Option<(u32, f32)>> {
    // By node; twice the place of the anchor, and one more for a held node.
    let mut claims: Vec<(usize, usize)> = Vec::new();
    for (at, (anchor, found)) in anchors.iter().zip(&untouched).enumerate() {
        let found = found.map(|(node, _)| node);
        let is_held = |node: &u32| found != Some(*node) && is_it(survey, anchor, *node);
        let held = held.get(at).and_then(|held| held.node()).filter(is_held);
        claims.extend(found.map(|node| (node as usize, 2 * at)));
        claims.extend(held.map(|node| (node as usize, 2 * at + 1)));
    }
    sort::plain(&mut claims);
    for of_node in claims.chunk_by(|one, other| one.0 == other.0).filter(|claims| claims.len() <= ON_ONE) {
        let identities: Vec<Identity<'_>> =
            of_node.iter().map(|&(_, at)| Identity::new(&anchors[at / 2])).collect();
        for (&(node, at), own) in of_node.iter().zip(&identities).filter(|((_, at), _)| at % 2 == 1) {
            if identities.iter().all(|other| own.may_be(other)) {
                untouched[at / 2] = Some((node as u32, SURE));
            }
        }
    }
    untouched
}

/// Whether a held node is the element still.
fn is_it(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> bool {
    is_of_kind(survey, anchor, node)
        && match row(survey, anchor, node) {
            Row::Known => true,
            Row::Untold => says_own_words(survey, anchor, node),
            Row::Others | Row::New => false,
        }
}

/// Whether a node is of the element's kind and stands in a row that says another row's words. What is a thing of its own may have been put there.
pub(super) fn is_anothers(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> bool {
    let is_thing = || {
        let is_cell = matches!(anchor.base.tag.as_str(), "td" | "th" | "dt" | "dd");
        let words = anchor.base.text.start.split_whitespace().filter(|word| has_letter(word)).count();
        (words > 1 || (is_repeated(survey, node) && !is_cell)) && says_own_words(survey, anchor, node)
    };
    is_of_kind(survey, anchor, node) && matches!(row(survey, anchor, node), Row::Others) && !is_thing()
}

/// What is to be said instead of what was `found`, while the source stays the same: of a node that may be the element it is not said that
/// another one is, nor that it is missing.
pub(super) fn under_same_source(
    survey: &Survey<'_>,
    anchor: &Anchor,
    node: u32,
    found: &Verdict,
) -> Option<Verdict> {
    let is_known = |node: u32| matches!(row(survey, anchor, node), Row::Known);
    let is_settled = found.node == Some(node) || found.node.is_some_and(is_known);
    if is_settled || !is_of_kind(survey, anchor, node) || is_anothers(survey, anchor, node) {
        return None;
    }
    match (found.kind, found.node) {
        (VerdictKind::Missing, _) => {
            let is_untold = matches!(row(survey, anchor, node), Row::Untold);
            let there = is_untold.then(|| judge::found(survey, anchor, node, UNSURE));
            there.filter(|there| there.kind == VerdictKind::Changed)
        }
        (VerdictKind::Ambiguous, _) => Some(judge::one_of(node, &found.candidates, found)),
        (_, other) => Some(judge::one_of(node, other.as_slice(), found)),
    }
}

/// The same after a hot update, which keeps most nodes: that it stands in its own row, where that says the element's words, and what was
/// found stands in a row that says another's.
pub(super) fn after_update(
    survey: &Survey<'_>,
    anchor: &Anchor,
    node: u32,
    found: &Verdict,
) -> Option<Verdict> {
    let other = found.node.filter(|&other| other != node && is_anothers(survey, anchor, other));
    let is_known = is_of_kind(survey, anchor, node) && matches!(row(survey, anchor, node), Row::Known);
    other.filter(|_| is_known).map(|_| judge::found(survey, anchor, node, SURE))
}

/// A node that shows something else may have become another thing: by its tag, role, id, or by all of its class names.
fn is_of_kind(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> bool {
    let (page, base) = (survey.page, &anchor.base);
    let mut names = base.attributes.iter().filter(|(name, _)| matches!(name.as_str(), "id" | "role"));
    let mut classes = base.classes.iter().filter_map(|class| written(class)).peekable();
    let has = |class: &str| page.classes(node).filter_map(written).any(|own| own == class);
    page.is_element(node)
        && page.tag(node) == base.tag
        && names.all(|(name, value)| page.attr(node, name).is_some_and(|own| value.is(own)))
        && (classes.peek().is_none() || classes.any(has))
}

/// Whose words a row says.
enum Row {
    /// The element's own.
    Known,
    /// Those of another row of the page on which the element was commented on, or the element's own stand elsewhere.
    Others,
    /// Others, which that page did not say.
    New,
    /// Nothing beside it tells.
    Untold,
}

/// What the words say that stand beside a node, in the nearest of its rows in which any tells.
fn row(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> Row {
    let (page, base, item) = (survey.page, &anchor.base, &anchor.context.item_texts);
    let (from, to) = survey.text_range(node);
    let text = |place: usize| page.data(survey.text_node(place));
    let has_digit = |place: usize| text(place).chars().any(|letter| letter.is_ascii_digit());
    for (level, above) in (1..=LEVELS).zip(page.element_ancestors(node)) {
        let of_item = usize::from(anchor.context.item);
        if !is_repeated(survey, above) && level != of_item {
            continue;
        }
        let (first, last) = survey.text_range(above);
        let sides: [Vec<usize>; 2] = [(first..from).rev().collect(), (to..last).collect()];
        // Numbers in names tell only where no names without any do.
        let is_plain = sides.iter().flatten().any(|&place| has_letter(text(place)) && !has_digit(place));
        let (mut known, mut others, mut new) = (0, 0, 0);
        for (side, (places, kept)) in sides.iter().zip([&base.before, &base.after]).enumerate() {
            let own = kept.get(..places.len()).unwrap_or(kept);
            for (at, &place) in places.iter().enumerate() {
                let Some(said) = survey.text_at(place) else { continue };
                if !has_letter(text(place)) || (is_plain && has_digit(place)) || survey.places(said).len() > 1
                {
                    continue;
                }
                if item.contains(&said) || own.contains(&said) {
                    known += usize::from(!is_beside_look_alikes(anchor, side, at, said));
                } else if was_said(anchor, said) {
                    others += 1;
                } else {
                    new += 1;
                }
            }
        }
        let stands_elsewhere = |&said: &u32| {
            survey.only_place(said).is_some_and(|place| {
                !(first..last).contains(&place) && has_letter(text(place)) && !has_digit(place)
            })
        };
        // What the item says is not in what is smaller than the item.
        match level >= of_item && item.iter().any(stands_elsewhere) {
            false if known > others => return Row::Known,
            true if known == 0 => return Row::Others,
            _ if known > 0 => return Row::Untold,
            _ if others > 0 => return Row::Others,
            _ if new > 0 => return Row::New,
            _ => {}
        }
    }
    Row::Untold
}

/// Whether the page on which the element was commented on said a text.
fn was_said(anchor: &Anchor, text: u32) -> bool {
    let Anchor { base, purpose, .. } = anchor;
    base.before.contains(&text)
        || base.after.contains(&text)
        || purpose.as_ref().is_some_and(|purpose| purpose.said.has(text))
}

/// Whether it says what the element said, but for numbers, and no other element of its tag does.
fn says_own_words(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> bool {
    let base = &anchor.base;
    let words = shape(&base.text.start);
    let says = |node: u32| shape(survey.texts(node).all.trim()) == words;
    let of_tag = survey.with(hash::of(Kind::Tag, &[&base.tag])).iter().map(|&(_, other)| other);
    has_letter(&words)
        && anchor.context.twins == 0
        && says(node)
        && !of_tag.take(OF_TAG).any(|other| other != node && says(other))
}
