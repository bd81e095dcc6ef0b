//! The anchor of an element: what of it and of what is around it is kept.

use std::sync::Arc;

use super::appearance::Appearance;
use super::bounds;
use super::distinct::nearby;
use super::feature::nested;
use super::fingerprint::{AROUND, Anchor, AnchorError, Base, Context, Fingerprint, Landmark};
use super::model::Model;
use super::noise::telling_attributes;
use super::order::Order;
use super::parts;
use super::purpose::{Purpose, Said};
use super::rivals::rivals;
use super::short::{Short, TAG_BYTES, TEXT_BYTES, cut, is_secret};
use super::surroundings::Surroundings;
use super::survey::Survey;
use crate::page::{Page, Rect};
use crate::sort;

const VALUE_BYTES: usize = 72;
const CLASSES_BYTES: usize = 220;
const ATTRIBUTES_BYTES: usize = 420;

impl Anchor {
    /// The anchor of an element. `selectors` are unique addresses of it on this page, best first; as many are kept as
    /// there is room for.
    ///
    /// # Errors
    /// `NotAnElement` for an index that is none.
    pub fn of<S: AsRef<str>>(page: &Page, node: u32, selectors: &[S]) -> Result<Anchor, AnchorError> {
        let selectors: Vec<&str> = selectors.iter().map(AsRef::as_ref).collect();
        Self::with_model(&Model::learnt(), &Survey::new(page), node, &selectors)
    }

    pub(super) fn with_model(
        model: &Model,
        survey: &Survey<'_>,
        node: u32,
        selectors: &[&str],
    ) -> Result<Anchor, AnchorError> {
        if !survey.page.is_element(node) {
            return Err(AnchorError::NotAnElement { node });
        }
        let mut base = describe(survey, node);
        base.selectors =
            bounds::selectors(selectors).into_iter().map(|&selector| selector.to_owned()).collect();
        let around = Surroundings::of(survey, node).to_bytes();
        let (before, after) = landmarks(survey, node);
        let (item, item_texts) = item(survey, node);
        let (inside, whole) = (survey.inside(node), survey.whole());
        let context =
            Context { around, before, after, item, item_texts, inside, whole, ..Context::default() };
        let order = Some(Order::of(survey.page, node));
        let nearby = nearby(survey, node);
        let appearance = Some(Appearance::of(survey, node));
        let parts = parts::kept(survey, node);
        let purpose = Some(Purpose { said: said(survey, node), ..Purpose::of(survey, node) });
        let kept = Fingerprint { base, context, order, nearby, appearance, parts, purpose };
        let mut anchor = Anchor::from(kept);
        let rivals = rivals(model, survey, &anchor, node);
        // Nobody shares it yet.
        if let Some(kept) = Arc::get_mut(&mut anchor.0) {
            kept.context.ahead = rivals.ahead;
            kept.context.twins = rivals.twins;
            kept.base.look_alikes = rivals.look_alikes;
            kept.context.beside = rivals.beside;
        }
        Ok(anchor)
    }
}

/// The class names and the texts of its page, of those the nearest first.
fn said(survey: &Survey<'_>, node: u32) -> Said {
    let (mut before, mut after) = survey.around(node);
    let mut texts: Vec<u32> = survey.class_names().to_vec();
    for _ in 0..SAID {
        let both = [before.next(), after.next()];
        if both == [None, None] {
            break;
        }
        for text in both.into_iter().flatten() {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
    }
    Said::of(&texts)
}

/// Texts on each side of which is kept that they were there.
const SAID: usize = 150;

fn describe(survey: &Survey<'_>, node: u32) -> Base {
    let page = survey.page;
    let texts = survey.texts(node);
    let (before, after) = survey.around(node);
    let neighbour = |other: Option<u32>| other.map_or(0, |other| survey.content(other));
    let Rect { x, y, width, height } = page.rect(node);
    let parent = page.parent(node);
    let (classes, attributes) = (classes(page, node), attributes(page, node));
    let names_cut = classes.len() < page.classes(node).count()
        || attributes.len() < telling_attributes(page, node).count();
    Base {
        tag: cut(page.tag(node), TAG_BYTES).to_owned(),
        classes,
        attributes,
        names_cut,
        own_text: Short::new(&texts.own, TEXT_BYTES),
        text: Short::new(&texts.all, TEXT_BYTES),
        own_words: survey.own_words(node).to_vec(),
        words: survey.words(node).to_vec(),
        text_hash: survey.text_hash(node),
        content: survey.content(node),
        child_tags: survey.child_tags(node).to_vec(),
        child_count: survey.child_count(node),
        ancestors: survey.steps(node).to_vec(),
        depth: survey.depth(node),
        nested: nested(page, node),
        path: survey.path(node),
        place: page.nth_child(node),
        siblings: parent.map_or(0, |parent| survey.child_count(parent)),
        previous: neighbour(page.previous_element(node)),
        next: neighbour(page.next_element(node)),
        before: before.take(AROUND).collect(),
        after: after.take(AROUND).collect(),
        bounds: [x, y, width, height],
        selectors: Vec::new(),
        look_alikes: Vec::new(),
    }
}

/// How far a landmark may be, in texts.
const SIGHT: usize = 160;
/// Landmarks on each side.
const LANDMARKS: usize = 4;

fn landmarks(survey: &Survey<'_>, node: u32) -> (Vec<Landmark>, Vec<Landmark>) {
    let (before, after) = survey.around(node);
    (nearest_unique(survey, before), nearest_unique(survey, after))
}

fn nearest_unique(survey: &Survey<'_>, texts: impl Iterator<Item = u32>) -> Vec<Landmark> {
    let unique = (0..).zip(texts.take(SIGHT)).filter(|&(_, text)| survey.only_place(text).is_some());
    unique.take(LANDMARKS).map(|(distance, text)| Landmark { text, distance }).collect()
}

/// Most texts of an item, and how many of them are kept.
pub(super) const ITEM_TEXTS: usize = 300;
const ITEM_KEPT: usize = 5;

/// The item that an element belongs to: a card, a row, a fieldset.
fn item(survey: &Survey<'_>, node: u32) -> (u8, Vec<u32>) {
    let (from, to) = survey.text_range(node);
    for (level, above) in (1..).zip(survey.page.element_ancestors(node).take(8)) {
        let (first, last) = survey.text_range(above);
        if last - first > ITEM_TEXTS {
            break;
        }
        // The nearest first, before and after in turn.
        let before = (first..from).rev().map(|place| (from - place, place));
        let after = (to..last).map(|place| (place - to, place));
        let mut texts: Vec<(usize, usize)> = before.chain(after).collect();
        sort::plain(&mut texts);
        let once = |&(_, place): &(usize, usize)| {
            survey.text_at(place).filter(|&text| survey.only_place(text).is_some())
        };
        let unique: Vec<u32> = texts.iter().filter_map(once).take(ITEM_KEPT).collect();
        if !unique.is_empty() {
            return (level, unique);
        }
    }
    (0, Vec::new())
}

fn classes(page: &Page, node: u32) -> Vec<String> {
    let mut room = CLASSES_BYTES;
    let fits = |class: &&str| {
        let fits = class.len() < room;
        room = if fits { room - class.len() - 1 } else { room };
        fits
    };
    page.classes(node).filter(fits).map(str::to_owned).collect()
}

fn attributes(page: &Page, node: u32) -> Vec<(String, Short)> {
    let mut room = ATTRIBUTES_BYTES;
    let mut kept = Vec::new();
    for (name, value) in telling_attributes(page, node) {
        if is_secret(page, node, name, value) {
            continue;
        }
        let value = Short::new(value, VALUE_BYTES);
        let cost = name.len() + value.start.len() + 8;
        if name.len() <= TAG_BYTES && cost <= room {
            room -= cost;
            kept.push((name.to_owned(), value));
        }
    }
    kept
}
