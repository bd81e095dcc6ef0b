//! The index of a page's features: built once in time linear in the page, kept with the page, and used for every
//! anchor that is made of it or looked for on it.

use super::hash::{self, Kind};
use super::noise::is_noise;
use super::survey::{Side, beside, is_generated_value};
use crate::page::{FoldedText, NodeKind, Page};
use crate::selector::is_generated;

/// How far up the words of a text count for the elements around it.
const WORD_LEVELS: usize = 3;
/// Most words of one text that are indexed.
const INDEXED_WORDS: usize = 12;
/// Most characters of one text that are told apart.
const TEXT_CHARACTERS: usize = 2_000;
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// What is known of every element of one page.
pub(super) struct Features {
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
}

impl Features {
    pub(super) fn new(page: &Page) -> Self {
        let count = page.len() as usize;
        let mut features = Self {
            postings: Vec::with_capacity(count * 8),
            elements: 0,
            paths: vec![0; count],
            texts: Vec::new(),
            texts_before: Vec::with_capacity(count + 1),
            prefix: vec![0],
            powers: vec![1],
        };
        let mut strings = Strings::new(page);
        for node in 0..page.len() {
            features.texts_before.push(short_count(features.texts.len()));
            match page.kind(node) {
                Some(NodeKind::Text) => features.add_text(page, &mut strings, node),
                Some(NodeKind::Element) => features.add_element(page, &mut strings, node),
                _ => {
                    let above = page.parent(node).map_or(0, |parent| features.path(parent));
                    features.paths[node as usize] = hash::join(Kind::Path, [above, 1]);
                }
            }
        }
        features.texts_before.push(short_count(features.texts.len()));
        features.add_whole_texts(page, &mut strings);
        sort_by_feature(&mut features.postings);
        features.postings.dedup();
        features
    }

    fn add_text(&mut self, page: &Page, strings: &mut Strings<'_>, node: u32) {
        let text = strings.text(page.data_id(node));
        self.texts.push(text.hash);
        let last = self.prefix.last().copied().unwrap_or(0);
        self.prefix.push(last.wrapping_mul(BASE).wrapping_add(text.hash));
        let power = self.powers.last().copied().unwrap_or(1);
        self.powers.push(power.wrapping_mul(BASE));
        for element in page.element_ancestors(node).take(WORD_LEVELS) {
            self.postings.extend(strings.words(text).iter().map(|&word| (word, element)));
        }
    }

    fn add_element(&mut self, page: &Page, strings: &mut Strings<'_>, node: u32) {
        self.elements += 1;
        let above = page.parent(node).map_or(0, |parent| self.path(parent));
        let tag = strings.tag(page, node);
        let path = hash::join(Kind::Path, [above, tag, u64::from(page.nth_of_type(node))]);
        self.paths[node as usize] = path;
        let classes = strings.classes(page, node);
        let whole = hash::join(Kind::Class, [tag].into_iter().chain(strings.hashes(classes).iter().copied()));
        self.postings.extend([
            ((path >> 32) as u32, node),
            ((tag >> 32) as u32, node),
            (strings.nested(page, node), node),
            ((whole >> 32) as u32, node),
        ]);
        self.postings.extend(strings.hashes(classes).iter().map(|&class| ((class >> 32) as u32, node)));
        for pair in page.attribute_ids(node) {
            let name = strings.name(pair.name);
            if name != NOISE && !is_generated_value(page.string(pair.name), page.string(pair.value)) {
                let value = strings.value(pair.value);
                let feature = hash::join(Kind::Attribute, [name, value >> 32]);
                self.postings.push(((feature >> 32) as u32, node));
            }
        }
    }

    /// Features by text: that of the whole subtree, and the tag beside the nearest texts around.
    fn add_whole_texts(&mut self, page: &Page, strings: &mut Strings<'_>) {
        for node in page.elements() {
            let (from, to) = self.text_range(page, node);
            if from < to {
                self.postings.push(((self.text_hash(page, node) >> 32) as u32, node));
            }
            let tag = strings.tag(page, node);
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

    /// Hashes of all texts in document order.
    pub(super) fn texts(&self) -> &[u64] {
        &self.texts
    }

    /// Which of all texts are in the subtree: from, and one past the last.
    pub(super) fn text_range(&self, page: &Page, node: u32) -> (usize, usize) {
        let range = page.subtree(node);
        let before = |at: u32| self.texts_before.get(at as usize).map_or(0, |&count| count as usize);
        (before(range.start), before(range.end))
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

fn short_count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Sorts by feature and leaves equal ones as they stand: three rounds over eleven bits each. A comparison sort of half
/// a million entries would take longer than all the rest.
fn sort_by_feature(postings: &mut Vec<(u32, u32)>) {
    const BITS: u32 = 11;
    let mut other = vec![(0, 0); postings.len()];
    for round in 0..3 {
        let digit = |feature: u32| (feature >> (round * BITS)) as usize & ((1 << BITS) - 1);
        let mut starts = [0usize; (1 << BITS) + 1];
        for &(feature, _) in postings.iter() {
            starts[digit(feature) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        for &entry in postings.iter() {
            let start = &mut starts[digit(entry.0)];
            other[*start] = entry;
            *start += 1;
        }
        std::mem::swap(postings, &mut other);
    }
}

/// Name of an attribute that says nothing about an element.
const NOISE: u64 = 0;

/// What is worked out once for each string of a page, however often it is used.
struct Strings<'a> {
    page: &'a Page,
    tags: Vec<u64>,
    /// [`NOISE`] or a hash, of attributes' names.
    names: Vec<Option<u64>>,
    values: Vec<u64>,
    texts: Vec<Option<Text>>,
    words: Vec<u32>,
    /// For each value of `class`: a part of `class_hashes`.
    classes: Vec<Option<Part>>,
    class_hashes: Vec<u64>,
    class_name: Option<u32>,
}

/// From, and one past the last.
type Part = (u32, u32);

#[derive(Clone, Copy)]
struct Text {
    hash: u64,
    words: Part,
}

impl<'a> Strings<'a> {
    fn new(page: &'a Page) -> Self {
        let count = page.string_count();
        Self {
            page,
            tags: vec![0; count],
            names: vec![None; count],
            values: vec![0; count],
            texts: vec![None; count],
            words: Vec::new(),
            classes: vec![None; count],
            class_hashes: Vec::new(),
            class_name: page.string_id("class"),
        }
    }

    fn tag(&mut self, page: &Page, node: u32) -> u64 {
        let Some(id) = page.tag_id(node) else { return 0 };
        once(&mut self.tags, id, || hash::wide(Kind::Tag, &[page.string(id)]))
    }

    fn value(&mut self, id: u32) -> u64 {
        once(&mut self.values, id, || hash::wide(Kind::Text, &[self.page.string(id)]))
    }

    fn name(&mut self, id: u32) -> u64 {
        let name = self.page.string(id);
        let known = &mut self.names[id as usize];
        *known
            .get_or_insert_with(|| if is_noise(name) { NOISE } else { hash::wide(Kind::Attribute, &[name]) })
    }

    fn text(&mut self, id: u32) -> Text {
        if let Some(known) = self.texts[id as usize] {
            return known;
        }
        let mut folded = FoldedText::new(TEXT_CHARACTERS);
        folded.push(self.page.string(id));
        let folded = folded.finish();
        let from = short_count(self.words.len());
        self.words.extend(hash::words(&folded).take(INDEXED_WORDS));
        let words = (from, short_count(self.words.len()));
        let text = Text { hash: hash::wide(Kind::Text, &[&folded]), words };
        self.texts[id as usize] = Some(text);
        text
    }

    fn words(&self, text: Text) -> &[u32] {
        &self.words[text.words.0 as usize..text.words.1 as usize]
    }

    /// The chosen class names of an element.
    fn classes(&mut self, page: &Page, node: u32) -> Part {
        let Some(name) = self.class_name else { return (0, 0) };
        let Some(pair) = page.attribute_ids(node).iter().find(|pair| pair.name == name) else {
            return (0, 0);
        };
        if let Some(known) = self.classes[pair.value as usize] {
            return known;
        }
        let from = short_count(self.class_hashes.len());
        let chosen = page.string(pair.value).split_ascii_whitespace().filter(|class| !is_generated(class));
        self.class_hashes.extend(chosen.map(|class| hash::wide(Kind::Class, &[class])));
        let part = (from, short_count(self.class_hashes.len()));
        self.classes[pair.value as usize] = Some(part);
        part
    }

    fn hashes(&self, (from, to): Part) -> &[u64] {
        &self.class_hashes[from as usize..to as usize]
    }

    /// As [`super::survey::nested`].
    fn nested(&mut self, page: &Page, node: u32) -> u32 {
        let mut state = hash::join(Kind::Path, [self.tag(page, node)]);
        for above in page.element_ancestors(node).take(2) {
            state = hash::also(state, self.tag(page, above));
            let classes = self.classes(page, above);
            state = self.hashes(classes).iter().fold(state, |state, &class| hash::also(state, class));
        }
        (state >> 32) as u32
    }
}

/// What is kept at `id`, made if it is not there yet.
fn once(kept: &mut [u64], id: u32, make: impl FnOnce() -> u64) -> u64 {
    let known = &mut kept[id as usize];
    if *known == 0 {
        *known = make();
    }
    *known
}
