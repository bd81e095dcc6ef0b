//! What relocation needs to know about every element of a page, gathered once in time near linear in the page.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::hash::{self, Kind};
use super::noise::is_noise;
use crate::page::{NodeKind, Page};
use crate::selector::is_generated;
use crate::sort;

/// How far up the words of a text count for the elements around it.
const WORD_LEVELS: usize = 3;
/// Most words of one text that are indexed.
const INDEXED_WORDS: usize = 12;
/// Characters of an element's text that are compared.
pub(super) const TEXT_LIMIT: usize = 400;
/// Most words that are compared.
pub(super) const MAX_WORDS: usize = 20;
/// Texts before and after an element that are compared.
pub(super) const AROUND: usize = 6;

/// A page with its features indexed.
pub(super) struct Survey<'a> {
    pub(super) page: &'a Page,
    /// `(feature, node)`, sorted: the nodes of a feature stand together.
    postings: Vec<(u32, u32)>,
    elements: u32,
    /// For each node: the hash of the place, an index of each step from the root.
    paths: Vec<u64>,
    /// Hashes of the texts in document order, and for each node how many texts stand before it.
    texts: Vec<u64>,
    texts_before: Vec<u32>,
    /// Prefix sums of a polynomial over `texts`, and the powers of its base.
    prefix: Vec<u64>,
    powers: Vec<u64>,
    words: RefCell<HashMap<u32, Rc<Texts>>>,
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

const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl<'a> Survey<'a> {
    pub(super) fn new(page: &'a Page) -> Self {
        let count = page.len() as usize;
        let mut survey = Self {
            page,
            postings: Vec::with_capacity(count * 8),
            elements: 0,
            paths: vec![0; count],
            texts: Vec::new(),
            texts_before: Vec::with_capacity(count + 1),
            prefix: vec![0],
            powers: vec![1],
            words: RefCell::new(HashMap::new()),
        };
        for node in 0..page.len() {
            survey.texts_before.push(u32::try_from(survey.texts.len()).unwrap_or(u32::MAX));
            match page.kind(node) {
                Some(NodeKind::Text) => survey.add_text(node),
                Some(NodeKind::Element) => survey.add_element(node),
                _ => {
                    let above = page.parent(node).map_or(0, |parent| survey.paths[parent as usize]);
                    survey.paths[node as usize] = hash::join(Kind::Path, [above, 1]);
                }
            }
        }
        survey.texts_before.push(u32::try_from(survey.texts.len()).unwrap_or(u32::MAX));
        survey.add_whole_texts();
        sort::plain(&mut survey.postings);
        survey.postings.dedup();
        survey
    }

    fn add_text(&mut self, node: u32) {
        let page = self.page;
        let folded = page.own_text(node, 2_000);
        let number = hash::wide(Kind::Text, &[&folded]);
        self.texts.push(number);
        let last = self.prefix.last().copied().unwrap_or(0);
        self.prefix.push(last.wrapping_mul(BASE).wrapping_add(number));
        let power = self.powers.last().copied().unwrap_or(1);
        self.powers.push(power.wrapping_mul(BASE));
        let around: Vec<u32> = page.element_ancestors(node).take(WORD_LEVELS).collect();
        for word in hash::words(&folded).take(INDEXED_WORDS) {
            self.postings.extend(around.iter().map(|&element| (word, element)));
        }
    }

    fn add_element(&mut self, node: u32) {
        let page = self.page;
        self.elements += 1;
        let above = page.parent(node).map_or(0, |parent| self.paths[parent as usize]);
        let tag = page.tag(node);
        let place = u64::from(page.nth_of_type(node));
        let path = hash::join(Kind::Path, [above, hash::wide(Kind::Tag, &[tag]), place]);
        self.paths[node as usize] = path;
        self.postings.push(((path >> 32) as u32, node));
        self.postings.push((hash::of(Kind::Tag, &[tag]), node));
        self.postings.push((nested(page, node), node));
        self.postings.push((whole_class(tag, page.classes(node)), node));
        for feature in name_features(page, node) {
            self.postings.push((feature, node));
        }
    }

    /// Features by text: that of the whole subtree, and the tag beside the nearest texts around.
    fn add_whole_texts(&mut self) {
        for node in self.page.elements() {
            if self.text_count(node) > 0 {
                self.postings.push(((self.text_hash(node) >> 32) as u32, node));
            }
            let (from, to) = self.text_range(node);
            let tag = self.page.tag(node);
            if let Some(text) = from.checked_sub(1).and_then(|at| self.texts.get(at)) {
                self.postings.push((beside(Side::Before, tag, (text >> 32) as u32), node));
            }
            if let Some(text) = self.texts.get(to) {
                self.postings.push((beside(Side::After, tag, (text >> 32) as u32), node));
            }
        }
    }

    /// How many elements there are.
    pub(super) fn elements(&self) -> u32 {
        self.elements
    }

    /// The elements with a feature.
    pub(super) fn with(&self, feature: u32) -> &[(u32, u32)] {
        let from = self.postings.partition_point(|&(one, _)| one < feature);
        let to = self.postings.partition_point(|&(one, _)| one <= feature);
        &self.postings[from..to]
    }

    /// The place in the tree as one number: tags and positions from the root.
    pub(super) fn path(&self, node: u32) -> u64 {
        self.paths.get(node as usize).copied().unwrap_or(0)
    }

    fn text_range(&self, node: u32) -> (usize, usize) {
        let range = self.page.subtree(node);
        let before = |at: u32| self.texts_before.get(at as usize).map_or(0, |&count| count as usize);
        (before(range.start), before(range.end))
    }

    pub(super) fn text_count(&self, node: u32) -> usize {
        let (from, to) = self.text_range(node);
        to - from
    }

    /// All texts of the subtree in order, as one number; 0 when there is none.
    pub(super) fn text_hash(&self, node: u32) -> u64 {
        let (from, to) = self.text_range(node);
        if from == to {
            return 0;
        }
        let sum = self.prefix[to].wrapping_sub(self.prefix[from].wrapping_mul(self.powers[to - from]));
        hash::mix(sum ^ 0x5bd1_e995)
    }

    /// The last texts before the element and the first ones after it, nearest first.
    pub(super) fn around(&self, node: u32) -> (Vec<u32>, Vec<u32>) {
        let (from, to) = self.text_range(node);
        let short = |&text: &u64| (text >> 32) as u32;
        let before = self.texts[from.saturating_sub(AROUND)..from].iter().rev().map(short).collect();
        let after = self.texts[to..(to + AROUND).min(self.texts.len())].iter().map(short).collect();
        (before, after)
    }

    /// What an element is by its content: tag, all text, telling attributes. Two look-alikes with other texts differ.
    pub(super) fn content(&self, node: u32) -> u32 {
        let attributes = telling_attributes(self.page, node)
            .map(|(name, value)| hash::wide(Kind::Attribute, &[name, value]));
        let parts = [hash::wide(Kind::Tag, &[self.page.tag(node)]), self.text_hash(node)];
        (hash::join(Kind::Content, parts.into_iter().chain(attributes)) >> 32) as u32
    }

    pub(super) fn texts(&self, node: u32) -> Rc<Texts> {
        if let Some(known) = self.words.borrow().get(&node) {
            return Rc::clone(known);
        }
        let own = self.page.own_text(node, TEXT_LIMIT);
        let all = self.page.text(node, TEXT_LIMIT);
        let texts = Rc::new(Texts { own_words: word_set(&own), words: word_set(&all), own, all });
        self.words.borrow_mut().insert(node, Rc::clone(&texts));
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

fn is_generated_value(name: &str, value: &str) -> bool {
    matches!(name, "id" | "for" | "name") && is_generated(value)
}

/// On which side of an element a text stands.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Before,
    After,
}

/// A tag beside a text.
pub(super) fn beside(side: Side, tag: &str, text: u32) -> u32 {
    let side = match side {
        Side::Before => "before",
        Side::After => "after",
    };
    (hash::join(Kind::Text, [hash::wide(Kind::Tag, &[side, tag]), u64::from(text)]) >> 32) as u32
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

/// Features by id, classes and attributes.
fn name_features(page: &Page, node: u32) -> Vec<u32> {
    let mut features: Vec<u32> = telling_attributes(page, node)
        .map(|(name, value)| attribute(name, hash::of(Kind::Text, &[value])))
        .collect();
    features.extend(
        page.classes(node).filter(|class| !is_generated(class)).map(|class| hash::of(Kind::Class, &[class])),
    );
    features
}
