//! What relocation asks of a page: its features, and the texts of the few elements that are looked at closely.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::features::Features;
use super::fingerprint::Anchor;
use super::hash::{self, Kind};
use super::noise::is_noise;
use crate::page::Page;
use crate::selector::is_generated;
use crate::sort;

/// Characters of an element's text that are compared.
pub(super) const TEXT_LIMIT: usize = 400;
/// Most words that are compared.
pub(super) const MAX_WORDS: usize = 20;
/// Texts before and after an element that are compared.
pub(super) const AROUND: usize = 6;

/// A page with its features.
pub(super) struct Survey<'a> {
    pub(super) page: &'a Page,
    features: Arc<Features>,
    /// By node; empty until the first is asked for.
    words: RefCell<Vec<Option<Rc<Texts>>>>,
}

/// The texts of one element as they are compared.
pub(super) struct Texts {
    pub(super) own: String,
    pub(super) all: String,
    /// Sorted and without repetition.
    pub(super) own_words: Vec<u32>,
    /// Sorted and without repetition.
    pub(super) words: Vec<u32>,
}

impl<'a> Survey<'a> {
    /// Indexes the page's features unless that was done before.
    pub(super) fn new(page: &'a Page) -> Self {
        Self { page, features: page.derived(Features::new), words: RefCell::new(Vec::new()) }
    }

    /// How many elements there are.
    pub(super) fn elements(&self) -> u32 {
        self.features.elements()
    }

    /// The elements with a feature.
    pub(super) fn with(&self, feature: u32) -> &[(u32, u32)] {
        self.features.with(feature)
    }

    /// The place in the tree as one number: tags and positions from the root.
    pub(super) fn path(&self, node: u32) -> u64 {
        self.features.path(node)
    }

    pub(super) fn text_count(&self, node: u32) -> usize {
        let (from, to) = self.features.text_range(self.page, node);
        to - from
    }

    /// All texts of the subtree in order, as one number; 0 when there is none.
    pub(super) fn text_hash(&self, node: u32) -> u64 {
        self.features.text_hash(self.page, node)
    }

    /// The last texts before the element and the first ones after it, nearest first.
    pub(super) fn around(&self, node: u32) -> (Vec<u32>, Vec<u32>) {
        let (from, to) = self.features.text_range(self.page, node);
        let texts = self.features.texts();
        let short = |&text: &u64| (text >> 32) as u32;
        let before = texts[from.saturating_sub(AROUND)..from].iter().rev().map(short).collect();
        let after = texts[to..(to + AROUND).min(texts.len())].iter().map(short).collect();
        (before, after)
    }

    /// Whether the texts that stood on both sides of the anchor's own now stand side by side: a gap that closed.
    pub(super) fn is_closed(&self, anchor: &Anchor) -> bool {
        let (Some(&before), Some(&after)) = (anchor.before.first(), anchor.after.first()) else {
            return false;
        };
        let short = |text: u64| (text >> 32) as u32;
        let mut pairs = self.features.texts().windows(2);
        anchor.text_hash != 0 && pairs.any(|pair| short(pair[0]) == before && short(pair[1]) == after)
    }

    /// Whether the nearest texts before and after the element are those that were next to the anchor's own.
    pub(super) fn beside(&self, anchor: &Anchor, node: u32) -> (bool, bool) {
        let (before, after) = self.around(node);
        (before.first() == anchor.before.first(), after.first() == anchor.after.first())
    }

    /// What an element is by its content: tag, all text, telling attributes. Two look-alikes with other texts differ.
    pub(super) fn content(&self, node: u32) -> u32 {
        let attributes = telling_attributes(self.page, node)
            .map(|(name, value)| hash::wide(Kind::Attribute, &[name, value]));
        let parts = [hash::wide(Kind::Tag, &[self.page.tag(node)]), self.text_hash(node)];
        (hash::join(Kind::Content, parts.into_iter().chain(attributes)) >> 32) as u32
    }

    pub(super) fn texts(&self, node: u32) -> Rc<Texts> {
        let place = node as usize;
        if let Some(Some(known)) = self.words.borrow().get(place) {
            return Rc::clone(known);
        }
        let own = self.page.own_text(node, TEXT_LIMIT);
        let all = self.page.text(node, TEXT_LIMIT);
        let texts = Rc::new(Texts { own_words: word_set(&own), words: word_set(&all), own, all });
        let mut known = self.words.borrow_mut();
        if known.is_empty() {
            known.resize(self.page.len() as usize, None);
        }
        if let Some(slot) = known.get_mut(place) {
            *slot = Some(Rc::clone(&texts));
        }
        texts
    }
}

/// The first words of a text, sorted, without repetition.
pub(super) fn word_set(text: &str) -> Vec<u32> {
    let mut words: Vec<u32> = hash::words(text).take(MAX_WORDS).collect();
    sort::plain(&mut words);
    words.dedup();
    words
}

/// Attributes that say what the element is: not its class, style or generated values.
pub(super) fn telling_attributes(page: &Page, node: u32) -> impl Iterator<Item = (&str, &str)> {
    page.attributes(node).filter(|(name, value)| !is_noise(name) && !is_generated_value(name, value))
}

pub(super) fn is_generated_value(name: &str, value: &str) -> bool {
    matches!(name, "id" | "for" | "name") && is_generated(value)
}

/// On which side of an element a text stands.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Before = 1,
    After,
}

/// A tag (by its hash) beside a text.
pub(super) fn beside(side: Side, tag: u64, text: u32) -> u32 {
    (hash::join(Kind::Text, [side as u64, tag, u64::from(text)]) >> 32) as u32
}

/// A tag inside of its parent, and that one inside of its own, by tag and chosen class names.
pub(super) fn nested(page: &Page, node: u32) -> u32 {
    let mut parts = vec![hash::wide(Kind::Tag, &[page.tag(node)])];
    for above in page.element_ancestors(node).take(2) {
        parts.push(hash::wide(Kind::Tag, &[page.tag(above)]));
        let classes = page.classes(above).filter(|class| !is_generated(class));
        parts.extend(classes.map(|class| hash::wide(Kind::Class, &[class])));
    }
    (hash::join(Kind::Path, parts) >> 32) as u32
}

/// Tag and all chosen class names together.
pub(super) fn whole_class<'t>(tag: &str, classes: impl Iterator<Item = &'t str>) -> u32 {
    let classes = classes.filter(|class| !is_generated(class)).map(|class| hash::wide(Kind::Class, &[class]));
    (hash::join(Kind::Class, [hash::wide(Kind::Tag, &[tag])].into_iter().chain(classes)) >> 32) as u32
}

/// An attribute by its name and the hash of its value.
pub(super) fn attribute(name: &str, value: u32) -> u32 {
    (hash::join(Kind::Attribute, [hash::wide(Kind::Attribute, &[name]), u64::from(value)]) >> 32) as u32
}
