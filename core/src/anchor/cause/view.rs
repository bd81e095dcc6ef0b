//! Whether the part of a page is shown that an element belongs to.

use super::super::Anchor;
use super::super::feature::no_name;
use super::super::hash::{self, Kind};
use super::super::names::written;
use super::super::redesign;
use super::super::surroundings::Surroundings;
use super::super::survey::Survey;

/// Texts on each side of the element that are asked for.
const BESIDE: usize = 2;
/// An element that was one of as many is one of a list.
const OF_A_LIST: usize = 2;

/// Roles and tags of what closes and goes by itself.
const CLOSING: [&str; 10] = [
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

/// Whether an element that is not there could be seen if it were: most of what was around it is on the page, and it is
/// nothing that opens, closes or is listed by the app's data.
pub(super) fn shows_place(survey: &Survey<'_>, anchor: &Anchor) -> bool {
    let (base, context) = (&anchor.base, &anchor.context);
    if closes_itself(anchor) || is_closed(survey, anchor) || is_listed(anchor) || is_folded(survey, anchor) {
        return false;
    }
    let is_shown = |text: &&u32| !survey.places(**text).is_empty();
    let of_item = context.item_texts.iter().filter(is_shown).count();
    if of_item == 0 && !context.item_texts.is_empty() {
        return false;
    }
    let around = || base.before.iter().take(BESIDE).chain(base.after.iter().take(BESIDE));
    let (all, left) = (around().count(), around().filter(is_shown).count());
    2 * (of_item + left) >= context.item_texts.len() + all
}

/// Whether an element that cannot be told from others on the page is none of those, as what it was in is not shown:
/// what it was in closes by itself, and nothing of that kind is there; it is folded away; or nothing is left of the
/// words of its item, and the node that the page held `is_gone`, or most of what stood beside it. What is merely not
/// told from the others is in view.
pub(super) fn is_hidden(survey: &Survey<'_>, anchor: &Anchor, is_gone: bool) -> bool {
    let (base, item_texts) = (&anchor.base, &anchor.context.item_texts);
    if is_closed(survey, anchor) || is_folded(survey, anchor) {
        return true;
    }
    let is_left = |text: &&u32| !survey.places(**text).is_empty();
    let beside = || base.before.iter().take(BESIDE).chain(base.after.iter().take(BESIDE));
    let is_item_gone = !item_texts.is_empty() && !item_texts.iter().any(|text| is_left(&text));
    is_item_gone && (is_gone || 2 * beside().filter(is_left).count() <= beside().count())
}

/// Elements above a text among which one may say that what follows it is folded away.
const SAYS_FOLDED: usize = 3;

/// Whether what stood just before the element says now that what follows it is folded away: the question of an
/// accordion, the summary of closed details, the head of a folder.
fn is_folded(survey: &Survey<'_>, anchor: &Anchor) -> bool {
    let Some(place) = anchor.base.before.first().and_then(|text| survey.only_place(*text)) else {
        return false;
    };
    let page = survey.page;
    let is_closed = |node: u32| {
        page.attr(node, "aria-expanded") == Some("false")
            || (page.tag(node) == "details" && page.attr(node, "open").is_none())
    };
    page.ancestors(survey.text_node(place)).take(SAYS_FOLDED).any(is_closed)
}

/// Whether it is something that closes by itself, or is in something of the kind.
pub(super) fn can_close(anchor: &Anchor) -> bool {
    closes_itself(anchor)
        || Surroundings::from_bytes(&anchor.context.around)
            .is_some_and(|around| around.is_inside_of(&CLOSING))
}

/// Whether it is in something that closes by itself, and nothing of that kind is on the page now.
pub(super) fn is_closed(survey: &Survey<'_>, anchor: &Anchor) -> bool {
    let Some(around) = Surroundings::from_bytes(&anchor.context.around) else { return false };
    let page = survey.page;
    let is_of = |node: u32, kind: &str| {
        page.tag(node) == kind || ["role", "aria-live"].iter().any(|name| page.attr(node, name) == Some(kind))
    };
    let is_there = |kind: &str| page.elements().any(|node| is_of(node, kind));
    let mut inside = CLOSING.iter().filter(|kind| around.is_inside_of(&[kind])).peekable();
    inside.peek().is_some() && !inside.any(|kind| is_there(kind))
}

/// Names above an element that are asked for, beside its own.
const ABOVE: usize = 2;

/// Whether the page shows something else where the element was, so that what is most like it now is another element:
/// nothing of the texts beside it is left, nor of its names and those just above it. `is_same`: the source is the one
/// under which it was seen.
pub(super) fn shows_another(survey: &Survey<'_>, anchor: &Anchor, is_same: bool) -> bool {
    let said = anchor.purpose.as_ref().map(|purpose| &purpose.said);
    let Some(said) = said.filter(|said| !said.is_empty()) else { return false };
    is_place_gone(survey, anchor)
        && are_names_gone(survey, anchor)
        && (redesign::shows_something_else(survey, said) || (is_same && shows_others(survey, anchor)))
}

fn is_place_gone(survey: &Survey<'_>, anchor: &Anchor) -> bool {
    let (base, context) = (&anchor.base, &anchor.context);
    let beside = base.before.first().into_iter().chain(base.after.first());
    let mut texts = beside.chain(&context.item_texts).peekable();
    texts.peek().is_some() && texts.all(|text| survey.places(*text).is_empty())
}

/// False of an element without names: then nothing tells.
fn are_names_gone(survey: &Survey<'_>, anchor: &Anchor) -> bool {
    let (base, no_name) = (&anchor.base, no_name());
    let above = base.ancestors.iter().map(|step| step.name).filter(|name| *name != no_name).take(ABOVE);
    let mut above = above.map(|name| survey.has_name(name)).peekable();
    let classes = base.classes.iter().filter_map(|class| written(class));
    let mut own = classes.map(|class| !survey.with(hash::of(Kind::Class, &[class])).is_empty()).peekable();
    (above.peek().is_some() || own.peek().is_some())
        && !above.any(|is_left| is_left)
        && !own.any(|is_left| is_left)
}

/// Of a page that shows another view more of the texts are new than this.
const OTHERS: f32 = 0.3;

/// Whether much of what the page says was not on it when the element was seen: a hot update that begins a component
/// anew shows the view with which it begins. One that takes something out of the source adds nothing.
pub(super) fn shows_others(survey: &Survey<'_>, anchor: &Anchor) -> bool {
    let Some(said) = anchor.purpose.as_ref().map(|purpose| &purpose.said) else { return false };
    // Of a page that said more than is kept nothing is new for sure.
    if said.is_empty() || said.is_full() {
        return false;
    }
    let texts = (0..).map_while(|place| survey.text_at(place));
    let (all, new) = texts.fold((0, 0), |(all, new), text| (all + 1, new + u32::from(!said.has(text))));
    new as f32 > OTHERS * all as f32
}

fn closes_itself(anchor: &Anchor) -> bool {
    let base = &anchor.base;
    base.tag == "dialog"
        || base.attributes.iter().any(|(name, value)| match name.as_str() {
            "role" | "aria-live" => CLOSING.contains(&value.start.as_str()),
            name => name == "popover",
        })
}

/// How far above its text a row is looked for.
const ROW_LEVELS: usize = 5;

/// Whether a row of a list is all that its list lacks: what stood before it and after it stands together now, and there
/// is one row less. A list that is searched, filtered or turned to another page shows others or fewer; one whose page
/// has a query in its address may be any of these.
pub(super) fn lacks_only(survey: &Survey<'_>, anchor: &Anchor) -> bool {
    let (page, base) = (survey.page, &anchor.base);
    let place = |texts: &[u32]| texts.first().and_then(|&text| survey.only_place(text));
    let (Some(before), Some(after)) = (place(&base.before), place(&base.after)) else { return false };
    let row = |place: usize| {
        let mut above = page.element_ancestors(survey.text_node(place)).take(ROW_LEVELS);
        above.find(|&node| page.tag(node) == base.tag)
    };
    let is_one_less =
        |row: u32| page.parent(row).is_some_and(|list| survey.child_count(list) + 1 == base.siblings);
    is_listed(anchor)
        && after == before + 1
        && [before, after].into_iter().filter_map(row).any(is_one_less)
        && !page.url().contains('?')
}

/// Whether it was a row of a list.
fn is_listed(anchor: &Anchor) -> bool {
    let base = &anchor.base;
    let is_row = matches!(base.tag.as_str(), "li" | "tr" | "option" | "article")
        || base.attributes.iter().any(|(name, value)| {
            name == "role" && matches!(value.start.as_str(), "row" | "listitem" | "option" | "article")
        });
    is_row && base.look_alikes.len() >= OF_A_LIST
}
