//! The index of a page's features: built once in time linear in the page, kept with the page, and used for every
//! anchor that is made of it or looked for on it.

use std::sync::OnceLock;

use super::called;
use super::feature::{Side, beside};
use super::hash::{self, Kind};
use super::noise::is_generated_value;
use super::postings::Postings;
use super::purpose::Kinds;
use super::strings::{NOISE, Part, Strings, short_count};
use crate::page::{NodeKind, Page};

/// How far up the words of a text count for the elements around it.
const WORD_LEVELS: usize = 3;
/// Most words of one text that lead to an element.
const INDEXED_WORDS: usize = 12;
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// An attribute that says what its element is, as hashes.
#[derive(Clone, Copy)]
pub(super) struct Telling {
    pub(super) name: u32,
    pub(super) value: u32,
    /// The value's string, to look closer.
    pub(super) string: u32,
}

/// What is known of every element of one page.
pub(super) struct Features {
    /// `(feature, node)`.
    postings: Postings,
    /// Those of `postings` while they are gathered.
    unsorted: Vec<(u32, u32)>,
    elements: u32,
    /// All places and texts as one number.
    whole: u32,
    /// For each node: the hash of the place, an index of each step from the root.
    paths: Vec<u64>,
    tags: Vec<u32>,
    /// How many elements are above each node.
    depths: Vec<u32>,
    child_counts: Vec<u32>,
    /// For each node a part of `class_hashes`: the class names a person chose.
    classes: Vec<Part>,
    class_hashes: Vec<u64>,
    /// For each node where its part of `telling` begins.
    first_telling: Vec<u32>,
    telling: Vec<Telling>,
    /// Short hashes of the texts in document order, their nodes, and for each node how many texts stand before it.
    texts: Vec<u32>,
    text_nodes: Vec<u32>,
    texts_before: Vec<u32>,
    /// For each text a part of `words`.
    text_words: Vec<Part>,
    words: Vec<u32>,
    /// `(short hash, place)` of the texts.
    places: Postings,
    /// Prefix sums of a polynomial over `texts`, and the powers of its base.
    prefix: Vec<u64>,
    powers: Vec<u64>,
    /// What kind of thing each element is, once somebody asks: each element that is pinned does.
    pub(super) kinds: OnceLock<Kinds>,
}

impl Features {
    pub(super) fn new(page: &Page) -> Self {
        let count = page.len() as usize;
        let mut features = Self {
            postings: Postings::default(),
            unsorted: Vec::with_capacity(count * 8),
            kinds: OnceLock::new(),
            elements: 0,
            whole: 0,
            paths: vec![0; count],
            tags: vec![0; count],
            depths: vec![0; count],
            child_counts: vec![0; count],
            classes: vec![(0, 0); count],
            class_hashes: Vec::new(),
            first_telling: Vec::with_capacity(count + 1),
            telling: Vec::with_capacity(count),
            texts: Vec::new(),
            text_nodes: Vec::new(),
            texts_before: Vec::with_capacity(count + 1),
            text_words: Vec::new(),
            words: Vec::new(),
            places: Postings::default(),
            prefix: vec![0],
            powers: vec![1],
        };
        let mut strings = Strings::new(page);
        let mut texts: Vec<u64> = Vec::new();
        for node in 0..page.len() {
            features.texts_before.push(short_count(features.texts.len()));
            features.first_telling.push(short_count(features.telling.len()));
            if let Some(parent) = page.parent(node) {
                let above = features.depth(parent);
                features.depths[node as usize] = above + u32::from(page.is_element(parent));
            }
            match page.kind(node) {
                Some(NodeKind::Text) => texts.push(features.add_text(page, &mut strings, node)),
                Some(NodeKind::Element) => features.add_element(page, &mut strings, node),
                _ => {
                    let above = page.parent(node).map_or(0, |parent| features.path(parent));
                    features.paths[node as usize] = hash::join(Kind::Path, [above, 1]);
                }
            }
        }
        features.texts_before.push(short_count(features.texts.len()));
        features.first_telling.push(short_count(features.telling.len()));
        features.add_whole_texts(page, &mut strings);
        features.postings = Postings::new(std::mem::take(&mut features.unsorted));
        features.places = Postings::new((0..).zip(&features.texts).map(|(at, &text)| (text, at)).collect());
        let numbers = features.paths.iter().chain(&texts).copied();
        features.whole = (hash::join(Kind::Content, numbers) >> 32) as u32;
        features.words = strings.words;
        features.class_hashes = strings.class_hashes;
        features
    }

    /// The hash of the text.
    fn add_text(&mut self, page: &Page, strings: &mut Strings<'_>, node: u32) -> u64 {
        let text = strings.text(page.data_id(node));
        self.texts.push((text.hash >> 32) as u32);
        self.text_nodes.push(node);
        self.text_words.push(text.words);
        let last = self.prefix.last().copied().unwrap_or(0);
        self.prefix.push(last.wrapping_mul(BASE).wrapping_add(text.hash));
        let power = self.powers.last().copied().unwrap_or(1);
        self.powers.push(power.wrapping_mul(BASE));
        for element in page.element_ancestors(node).take(WORD_LEVELS) {
            let words = strings.words(text).iter().take(INDEXED_WORDS);
            self.unsorted.extend(words.map(|&word| (word, element)));
        }
        text.hash
    }

    fn add_element(&mut self, page: &Page, strings: &mut Strings<'_>, node: u32) {
        self.elements += 1;
        let above = page.parent(node).map_or(0, |parent| self.path(parent));
        let tag = strings.tag(page, node);
        let path = hash::join(Kind::Path, [above, tag, u64::from(page.nth_of_type(node))]);
        self.paths[node as usize] = path;
        self.tags[node as usize] = (tag >> 32) as u32;
        if let Some(parent) = page.parent(node) {
            self.child_counts[parent as usize] += 1;
        }
        let classes = strings.classes(page, node);
        self.classes[node as usize] = classes;
        let whole = hash::join(Kind::Class, [tag].into_iter().chain(strings.hashes(classes).iter().copied()));
        self.unsorted.extend([
            ((path >> 32) as u32, node),
            ((tag >> 32) as u32, node),
            (strings.nested(page, node), node),
            ((whole >> 32) as u32, node),
        ]);
        self.unsorted.extend(strings.hashes(classes).iter().map(|&class| ((class >> 32) as u32, node)));
        for pair in page.attribute_ids(node) {
            let name = strings.name(pair.name);
            if name != NOISE && !is_generated_value(page.string(pair.name), page.string(pair.value)) {
                if called::is_name(page.string(pair.name)) {
                    for word in called::words_in(page.string(pair.value)) {
                        self.unsorted.push((called::feature(word), node));
                    }
                }
                let value = strings.value(pair.value);
                let feature = hash::join(Kind::Attribute, [name, value >> 32]);
                self.unsorted.push(((feature >> 32) as u32, node));
                let (name, value) = ((name >> 32) as u32, (value >> 32) as u32);
                self.telling.push(Telling { name, value, string: pair.value });
            }
        }
    }

    /// Features by text: that of the whole subtree, and the tag beside the nearest texts around.
    fn add_whole_texts(&mut self, page: &Page, strings: &mut Strings<'_>) {
        for node in page.elements() {
            let (from, to) = self.text_range(page, node);
            if from < to {
                self.unsorted.push(((self.text_hash(page, node) >> 32) as u32, node));
            }
            let tag = strings.tag(page, node);
            if let Some(&text) = from.checked_sub(1).and_then(|at| self.texts.get(at)) {
                self.unsorted.push((beside(Side::Before, tag, text), node));
            }
            if let Some(&text) = self.texts.get(to) {
                self.unsorted.push((beside(Side::After, tag, text), node));
            }
        }
    }

    /// How many elements there are.
    pub(super) fn elements(&self) -> u32 {
        self.elements
    }

    /// The whole page as one number: an equal one says the same at the same places.
    pub(super) fn whole(&self) -> u32 {
        self.whole
    }

    /// The elements with a feature.
    pub(super) fn with(&self, feature: u32) -> &[(u32, u32)] {
        self.postings.of(feature)
    }

    /// The places in [`Features::texts`] of a text, by its short hash.
    pub(super) fn places(&self, text: u32) -> &[(u32, u32)] {
        self.places.of(text)
    }

    /// The place in the tree as one number: tags and positions from the root.
    pub(super) fn path(&self, node: u32) -> u64 {
        self.paths.get(node as usize).copied().unwrap_or(0)
    }

    /// Hash of the tag name; 0 for what is no element.
    pub(super) fn tag(&self, node: u32) -> u32 {
        self.tags.get(node as usize).copied().unwrap_or(0)
    }

    /// How many elements are above a node.
    pub(super) fn depth(&self, node: u32) -> u32 {
        self.depths.get(node as usize).copied().unwrap_or(0)
    }

    /// How many elements a node has as children.
    pub(super) fn child_count(&self, node: u32) -> u32 {
        self.child_counts.get(node as usize).copied().unwrap_or(0)
    }

    /// Hashes of the class names that a person chose.
    pub(super) fn classes(&self, node: u32) -> &[u64] {
        let (from, to) = self.classes.get(node as usize).copied().unwrap_or((0, 0));
        self.class_hashes.get(from as usize..to as usize).unwrap_or(&[])
    }

    /// The attributes that say what the element is.
    pub(super) fn telling(&self, node: u32) -> &[Telling] {
        let bound = |at: usize| self.first_telling.get(at).map_or(0, |&first| first as usize);
        self.telling.get(bound(node as usize)..bound(node as usize + 1)).unwrap_or(&[])
    }

    /// Short hashes of all texts in document order.
    pub(super) fn texts(&self) -> &[u32] {
        &self.texts
    }

    /// The first words of a text, by its place in [`Features::texts`].
    pub(super) fn words(&self, place: usize) -> &[u32] {
        let (from, to) = self.text_words.get(place).copied().unwrap_or((0, 0));
        self.words.get(from as usize..to as usize).unwrap_or(&[])
    }

    /// The node of a text, by its place in [`Features::texts`].
    pub(super) fn text_node(&self, place: usize) -> u32 {
        self.text_nodes.get(place).copied().unwrap_or(0)
    }

    /// How many texts stand before a node.
    pub(super) fn texts_before(&self, node: u32) -> usize {
        self.texts_before.get(node as usize).map_or(0, |&count| count as usize)
    }

    /// Which of all texts are in the subtree: from, and one past the last.
    pub(super) fn text_range(&self, page: &Page, node: u32) -> (usize, usize) {
        let range = page.subtree(node);
        (self.texts_before(range.start), self.texts_before(range.end))
    }

    /// All texts of the subtree in order, as one number; 0 when there is none.
    pub(super) fn text_hash(&self, page: &Page, node: u32) -> u64 {
        let (from, to) = self.text_range(page, node);
        if from == to {
            return 0;
        }
        let sum = self.prefix[to].wrapping_sub(self.prefix[from].wrapping_mul(self.powers[to - from]));
        hash::mix(sum ^ 0x5bd1_e995)
    }
}
