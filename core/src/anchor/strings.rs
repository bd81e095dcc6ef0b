//! What is worked out once for each string of a page, however often it is used: hashes, words, chosen names.

use super::hash::{self, Kind};
use super::names::written;
use super::noise::{is_noise, without_clock};
use crate::page::{FoldedText, Page};

/// Most words of one text that are kept.
const KEPT_WORDS: usize = 20;
/// Most characters of one text that are told apart.
const TEXT_CHARACTERS: usize = 2_000;

/// Name of an attribute that says nothing about an element.
pub(super) const NOISE: u64 = 0;

/// What is worked out once for each string of a page, however often it is used.
pub(super) struct Strings<'a> {
    page: &'a Page,
    tags: Vec<u64>,
    /// [`NOISE`] or a hash, of attributes' names.
    names: Vec<Option<u64>>,
    values: Vec<u64>,
    texts: Vec<Option<Text>>,
    pub(super) words: Vec<u32>,
    /// For each value of `class`: a part of `class_hashes`.
    classes: Vec<Option<Part>>,
    pub(super) class_hashes: Vec<u64>,
    class_name: Option<u32>,
}

/// From, and one past the last.
pub(super) type Part = (u32, u32);

#[derive(Clone, Copy)]
pub(super) struct Text {
    pub(super) hash: u64,
    pub(super) words: Part,
}

/// A text without its blanks and clocks, as it is compared.
fn folded(text: &str) -> String {
    let mut folded = FoldedText::new(TEXT_CHARACTERS);
    folded.push(text);
    without_clock(folded.finish())
}

/// The short hash of a text, as [`Strings::text`] makes it.
pub(super) fn short_text(text: &str) -> u32 {
    hash::of(Kind::Text, &[&folded(text)])
}

impl<'a> Strings<'a> {
    pub(super) fn new(page: &'a Page) -> Self {
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

    pub(super) fn tag(&mut self, page: &Page, node: u32) -> u64 {
        let Some(id) = page.tag_id(node) else { return 0 };
        once(&mut self.tags, id, || hash::wide(Kind::Tag, &[page.string(id)]))
    }

    pub(super) fn value(&mut self, id: u32) -> u64 {
        once(&mut self.values, id, || hash::wide(Kind::Text, &[self.page.string(id)]))
    }

    pub(super) fn name(&mut self, id: u32) -> u64 {
        let name = self.page.string(id);
        let known = &mut self.names[id as usize];
        *known
            .get_or_insert_with(|| if is_noise(name) { NOISE } else { hash::wide(Kind::Attribute, &[name]) })
    }

    pub(super) fn text(&mut self, id: u32) -> Text {
        if let Some(known) = self.texts[id as usize] {
            return known;
        }
        let folded = folded(self.page.string(id));
        let from = short_count(self.words.len());
        self.words.extend(hash::words(&folded).take(KEPT_WORDS));
        let words = (from, short_count(self.words.len()));
        let text = Text { hash: hash::wide(Kind::Text, &[&folded]), words };
        self.texts[id as usize] = Some(text);
        text
    }

    pub(super) fn words(&self, text: Text) -> &[u32] {
        &self.words[text.words.0 as usize..text.words.1 as usize]
    }

    /// The chosen class names of an element.
    pub(super) fn classes(&mut self, page: &Page, node: u32) -> Part {
        let Some(name) = self.class_name else { return (0, 0) };
        let Some(pair) = page.attribute_ids(node).iter().find(|pair| pair.name == name) else {
            return (0, 0);
        };
        if let Some(known) = self.classes[pair.value as usize] {
            return known;
        }
        let from = short_count(self.class_hashes.len());
        let chosen = page.string(pair.value).split_ascii_whitespace().filter_map(written);
        self.class_hashes.extend(chosen.map(|class| hash::wide(Kind::Class, &[class])));
        let part = (from, short_count(self.class_hashes.len()));
        self.classes[pair.value as usize] = Some(part);
        part
    }

    pub(super) fn hashes(&self, (from, to): Part) -> &[u64] {
        &self.class_hashes[from as usize..to as usize]
    }

    /// As [`super::feature::nested`].
    pub(super) fn nested(&mut self, page: &Page, node: u32) -> u32 {
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

/// A count as it is kept of a page, whose nodes and texts are far fewer.
pub(super) fn short_count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
