//! The live node that a page holds as a comment's element. As long as the source stays the same, a list with keys keeps
//! a node with its row, and a list without keys puts another row's words into it: so the words beside it say whether it
//! still is the element.

use super::describe::ITEM_TEXTS;
use super::fingerprint::{Anchor, Context};
use super::identity::Identity;
use super::names::written;
use super::row::{Beside, LEVELS, has_digit, is_plain, is_repeated};
use super::short::Short;
use super::survey::Survey;
use super::{Verdict, VerdictKind, judge};

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

/// Adds to what was found `untouched` the held nodes that are the elements. No node is for two anchors of different
/// elements. What stands untouched at its own place stays, unless its row says other words.
pub(super) fn add(
    survey: &Survey<'_>,
    anchors: &[Anchor],
    held: &[Held],
    untouched: &mut [Option<(u32, f32)>],
) {
    let before: Vec<Option<u32>> = untouched.iter().map(|found| found.map(|(node, _)| node)).collect();
    for (at, anchor) in anchors.iter().enumerate() {
        let of = |at: usize| held.get(at).and_then(|held| held.node());
        let is_open = |found: u32| matches!(row(survey, anchor, found), Row::Others | Row::New);
        let is_other = |node: u32| before[at] != Some(node) && before[at].is_none_or(is_open);
        let Some(node) = of(at).filter(|&node| is_other(node) && is_it(survey, anchor, node)) else {
            continue;
        };
        let own = Identity::new(anchor);
        let is_for = |(other, anchor): (usize, &Anchor)| {
            (before[other] != Some(node) && of(other) != Some(node)) || own.may_be(&Identity::new(anchor))
        };
        if anchors.iter().enumerate().all(is_for) {
            untouched[at] = Some((node, SURE));
        }
    }
}

/// Whether a held node is the element still.
fn is_it(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> bool {
    is_of_kind(survey, anchor, node)
        && match row(survey, anchor, node) {
            Row::Known(above) => !another_is_it(survey, anchor, node, above),
            Row::Untold => is_as_it_was(survey, anchor, node),
            Row::Others | Row::New => false,
        }
}

fn is_as_it_was(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> bool {
    anchor.content_of(survey, node) == anchor.base.content
}

/// Whether another one in a node's row says what the element said, as the node does not, and is more like it by the
/// texts beside it: then the node is the other one of two, a comment on which came back to this one, or that a row
/// without keys put in its place.
fn another_is_it(survey: &Survey<'_>, anchor: &Anchor, node: u32, above: u32) -> bool {
    let (page, base) = (survey.page, &anchor.base);
    let text = (base.text_hash >> 32) as u32;
    if text == 0 || is_as_it_was(survey, anchor, node) {
        return false;
    }
    let beside = |node: u32| {
        let (mut before, mut after) = survey.around(node);
        let is_same = |text: Option<u32>, stood: &[u32]| u32::from(text == stood.first().copied());
        is_same(before.next(), &base.before) + is_same(after.next(), &base.after)
    };
    let (inside, of_node) = (page.subtree(above), beside(node));
    let of_text = survey.with(text);
    let first = of_text.partition_point(|&(_, other)| other < inside.start);
    let in_row = of_text[first..].iter().map(|&(_, other)| other).take_while(|other| inside.contains(other));
    let mut others = in_row.filter(|&other| is_as_it_was(survey, anchor, other));
    others.any(|other| beside(other) > of_node)
}

/// Whether a node is of the element's kind and stands in a row that says another row's words. What is as it was may
/// have been put there, if it is a row itself, or says more than a word or a number.
pub(super) fn is_anothers(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> bool {
    let base = &anchor.base;
    let says_much = base.text.start.contains(' ') && !has_digit(&base.text.start);
    let is_thing = says_much || (is_repeated(survey, node) && base.tag != "td");
    is_of_kind(survey, anchor, node)
        && row(survey, anchor, node) == Row::Others
        && !(is_thing && is_as_it_was(survey, anchor, node))
}

/// What is to be said instead of what was `found`, while the source stays the same: of a node that may be the element
/// it is not said that another one is, nor that it is missing; and what stands in a row of new words is not surely it.
pub(super) fn under_same_source(
    survey: &Survey<'_>,
    anchor: &Anchor,
    held: Held,
    found: &Verdict,
) -> Option<Verdict> {
    let row_of = |node| row(survey, anchor, node);
    let other = found.node.filter(|&other| held.node() != Some(other));
    if held == Held::Unknown
        || found.node != other
        || other.is_some_and(|other| matches!(row_of(other), Row::Known(_)))
    {
        return None;
    }
    let may_be = |node: &u32| is_of_kind(survey, anchor, *node) && row_of(*node) != Row::Others;
    match (held.node().filter(may_be), other) {
        (Some(node), None) if found.kind == VerdictKind::Missing => {
            let there = judge::found(survey, anchor, node, UNSURE);
            (there.kind == VerdictKind::Changed && row_of(node) == Row::Untold).then_some(there)
        }
        (Some(node), _) => judge::either(node, found, found),
        (None, Some(other)) if row_of(other) == Row::New => Some(judge::found(survey, anchor, other, UNSURE)),
        _ => None,
    }
}

/// The same after a hot update, which keeps most nodes: that it stands in its own row, where that says the element's
/// words, and what was found stands in a row that says another's.
pub(super) fn after_update(
    survey: &Survey<'_>,
    anchor: &Anchor,
    held: Held,
    found: &Verdict,
) -> Option<Verdict> {
    let node = held.node()?;
    let is_other = found.node.is_some_and(|other| other != node && is_anothers(survey, anchor, other));
    let is_known = || matches!(row(survey, anchor, node), Row::Known(_)) && is_it(survey, anchor, node);
    (is_other && is_known()).then(|| judge::found(survey, anchor, node, SURE))
}

/// A node that shows something else may have become another thing: by its tag, role, id, or by all of its class names.
fn is_of_kind(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> bool {
    let (page, base) = (survey.page, &anchor.base);
    let is_named = |(name, value): &(String, Short)| {
        !matches!(name.as_str(), "id" | "role") || page.attr(node, name).is_some_and(|own| value.is(own))
    };
    let classes = page.attr(node, "class").unwrap_or_default();
    let is_left = |class: &String| classes.contains(written(class).unwrap_or_default());
    page.tag(node) == base.tag
        && base.attributes.iter().all(is_named)
        && (base.classes.is_empty() || base.classes.iter().any(is_left))
}

/// Whose words a row says.
#[derive(PartialEq, Eq)]
enum Row {
    /// The element's own; with what is the row.
    Known(u32),
    /// Those of another row of the page on which the element was commented on, or the element's own stand elsewhere.
    Others,
    /// Others, which that page did not say.
    New,
    /// Nothing beside it tells.
    Untold,
}

/// What the words say that stand beside a node, in the nearest of its rows in which any tells.
fn row(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> Row {
    let Context { item, item_texts, .. } = &anchor.context;
    for (level, above) in (1..=LEVELS).zip(survey.page.element_ancestors(node)) {
        let of_item = usize::from(*item);
        if level != of_item && !is_repeated(survey, above) {
            continue;
        }
        let (first, last) = survey.text_range(above);
        if last - first > ITEM_TEXTS {
            break;
        }
        let stands_elsewhere = |&said: &u32| {
            let place = survey.only_place(said);
            place.is_some_and(|place| !(first..last).contains(&place) && is_plain(survey, place))
        };
        // What the item says is not in what is smaller than the item.
        let is_elsewhere = level >= of_item && item_texts.iter().any(stands_elsewhere);
        let Beside { known, against, others, new, .. } = Beside::of(survey, anchor, node, above);
        if known > 0 {
            return if known > against && !is_elsewhere { Row::Known(above) } else { Row::Untold };
        }
        if is_elsewhere || others {
            return Row::Others;
        }
        if new {
            return Row::New;
        }
    }
    Row::Untold
}
