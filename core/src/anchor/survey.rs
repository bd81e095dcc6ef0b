//! What relocation asks of a page: its features, and the texts of the few elements that are looked at closely.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::brief::Briefs;
use super::called::MAX_WORDS;
use super::features::{Features, Telling};
use super::few::Few;
use super::hash::{self, Kind};
use super::noise::telling_attributes;
use super::purpose::Kinds;
use crate::page::{NodeKind, Page};

/// Characters of an element's text that are compared.
pub(super) const TEXT_LIMIT: usize = 400;
/// Ancestors, and tags of children, that are compared.
const ANCESTORS: usize = 8;
const CHILD_TAGS: usize = 12;
/// Most nodes inside of an element that are compared.
const INSIDE: usize = 40;
/// Class names of a page that tell it from one that was built anew.
const CLASS_NAMES: usize = 48;

/// A page with its features.
pub(super) struct Survey<'a> {
    pub(super) page: &'a Page,
    features: Arc<Features>,
    /// By node; empty until the first is asked for.
    texts: RefCell<Vec<Option<Rc<Texts>>>>,
    pub(super) contents: RefCell<Vec<u32>>,
    plain_contents: RefCell<Vec<u32>>,
    names: RefCell<Vec<u32>>,
    pub(super) briefs: Briefs,
    all_names: OnceCell<Vec<u32>>,
    class_names: OnceCell<Vec<u32>>,
}

/// The texts of one element as they are compared and shown.
pub(super) struct Texts {
    pub(super) own: String,
    pub(super) all: String,
}

/// One ancestor, as anchors keep it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) tag: u32,
    /// Id and class names together.
    pub(super) name: u32,
}

impl<'a> Survey<'a> {
    /// Indexes the page's features unless that was done before.
    pub(super) fn new(page: &'a Page) -> Self {
        Self {
            page,
            features: page.derived(Features::new),
            texts: RefCell::new(Vec::new()),
            contents: RefCell::new(Vec::new()),
            plain_contents: RefCell::new(Vec::new()),
            names: RefCell::new(Vec::new()),
            briefs: Briefs::new(),
            all_names: OnceCell::new(),
            class_names: OnceCell::new(),
        }
    }

    /// The first of the class names that a person chose, each once.
    pub(super) fn class_names(&self) -> &[u32] {
        self.class_names.get_or_init(|| {
            let mut names: Vec<u32> = Vec::new();
            for class in self.page.elements().flat_map(|node| self.classes(node)) {
                let name = (class >> 32) as u32;
                if names.len() == CLASS_NAMES {
                    break;
                }
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names
        })
    }

    /// What kind of thing each element is, as `make` tells when it is asked for the first time.
    pub(super) fn kinds(&self, make: impl FnOnce() -> Kinds) -> &Kinds {
        self.features.kinds.get_or_init(make)
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

    /// Hash of the tag name.
    pub(super) fn tag(&self, node: u32) -> u32 {
        self.features.tag(node)
    }

    /// How many elements are above a node.
    pub(super) fn depth(&self, node: u32) -> u32 {
        self.features.depth(node)
    }

    /// How many elements a node has as children.
    pub(super) fn child_count(&self, node: u32) -> u32 {
        self.features.child_count(node)
    }

    /// The hashes of the first children's tags.
    pub(super) fn child_tags(&self, node: u32) -> Few<u32, CHILD_TAGS> {
        self.page.element_children(node).map(|child| self.tag(child)).collect()
    }

    /// The ancestors from the parent up, as far as anchors keep them.
    pub(super) fn steps(&self, node: u32) -> Few<Step, ANCESTORS> {
        let named = |above: u32| Step { tag: self.tag(above), name: self.name(above) };
        self.page.element_ancestors(node).map(named).collect()
    }

    /// Id and class names together.
    fn name(&self, node: u32) -> u32 {
        self.once(&self.names, node, || {
            let page = self.page;
            hash::of(Kind::Id, &[page.id(node).unwrap_or(""), page.attr(node, "class").unwrap_or("")])
        })
    }

    /// Whether an element of the page has this id and these class names.
    pub(super) fn has_name(&self, name: u32) -> bool {
        let all = self.all_names.get_or_init(|| {
            let mut all: Vec<u32> = self.page.elements().map(|node| self.name(node)).collect();
            crate::sort::plain(&mut all);
            all
        });
        all.binary_search(&name).is_ok()
    }

    /// What is worked out for a node when it is first asked for.
    pub(super) fn once(&self, known: &RefCell<Vec<u32>>, node: u32, make: impl FnOnce() -> u32) -> u32 {
        if let Some(&number) = known.borrow().get(node as usize).filter(|&&number| number != 0) {
            return number;
        }
        let number = make();
        let mut known = known.borrow_mut();
        if known.is_empty() {
            *known = vec![0; self.page.len() as usize];
        }
        if let Some(slot) = known.get_mut(node as usize) {
            *slot = number;
        }
        number
    }

    /// The short hash of a text by its place.
    pub(super) fn text_at(&self, place: usize) -> Option<u32> {
        self.features.texts().get(place).copied()
    }

    /// The tags and telling attributes of what is in an element without text; 0 for one with text or nothing in it.
    pub(super) fn inside(&self, node: u32) -> u32 {
        let (from, to) = self.text_range(node);
        let within = self.page.subtree(node);
        if from < to || within.len() < 2 {
            return 0;
        }
        let each = within.skip(1).take(INSIDE).flat_map(|node| {
            let told = self.telling(node).iter().map(|one| u64::from(one.value));
            std::iter::once(u64::from(self.tag(node))).chain(told)
        });
        (hash::join(Kind::Content, each) >> 32) as u32
    }

    /// The whole page as one number: an equal one says the same at the same places.
    pub(super) fn whole(&self) -> u32 {
        self.features.whole()
    }

    /// The text of an element that has just one.
    pub(super) fn only_text(&self, node: u32) -> Option<&str> {
        let (from, to) = self.text_range(node);
        (to == from + 1).then(|| self.page.data(self.text_node(from)).trim())
    }

    /// Hashes of the class names that a person chose.
    pub(super) fn classes(&self, node: u32) -> &[u64] {
        self.features.classes(node)
    }

    /// The attributes that say what the element is, as hashes.
    pub(super) fn telling(&self, node: u32) -> &[Telling] {
        self.features.telling(node)
    }

    /// Which of all texts are in the subtree: from, and one past the last.
    pub(super) fn text_range(&self, node: u32) -> (usize, usize) {
        self.features.text_range(self.page, node)
    }

    /// The places of a text among all texts, by its short hash.
    pub(super) fn places(&self, text: u32) -> &[(u32, u32)] {
        self.features.places(text)
    }

    /// The place of a text that stands on the page exactly once.
    pub(super) fn only_place(&self, text: u32) -> Option<usize> {
        match self.places(text) {
            [(_, place)] => Some(*place as usize),
            _ => None,
        }
    }

    /// The node of a text, by its place among all texts.
    pub(super) fn text_node(&self, place: usize) -> u32 {
        self.features.text_node(place)
    }

    /// All texts of the subtree in order, as one number; 0 when there is none.
    pub(super) fn text_hash(&self, node: u32) -> u64 {
        self.features.text_hash(self.page, node)
    }

    /// The texts before an element and after it, nearest first.
    pub(super) fn around(&self, node: u32) -> (impl Iterator<Item = u32>, impl Iterator<Item = u32>) {
        let (from, to) = self.text_range(node);
        let texts = self.features.texts();
        (texts[..from].iter().rev().copied(), texts[to..].iter().copied())
    }

    /// Its content as anchors before version 5 know it: without what is seen beside the words.
    pub(super) fn plain_content(&self, node: u32) -> u32 {
        self.once(&self.plain_contents, node, || {
            let attributes = telling_attributes(self.page, node)
                .map(|(name, value)| hash::wide(Kind::Attribute, &[name, value]));
            let parts = [hash::wide(Kind::Tag, &[self.page.tag(node)]), self.text_hash(node)];
            (hash::join(Kind::Content, parts.into_iter().chain(attributes)) >> 32) as u32
        })
    }

    /// The first words of a text, by its place.
    pub(super) fn words_at(&self, place: usize) -> &[u32] {
        self.features.words(place)
    }

    /// The first words of the subtree's texts, sorted, without repetition.
    pub(super) fn words(&self, node: u32) -> Few<u32, MAX_WORDS> {
        let (from, to) = self.text_range(node);
        Few::set((from..to).flat_map(|place| self.features.words(place)).copied())
    }

    /// The first words of the texts directly inside, sorted, without repetition.
    pub(super) fn own_words(&self, node: u32) -> Few<u32, MAX_WORDS> {
        let own = self.page.children(node).filter(|&child| self.page.kind(child) == Some(NodeKind::Text));
        Few::set(own.flat_map(|child| self.features.words(self.features.texts_before(child))).copied())
    }

    /// The first words of the subtree's texts as they stand there.
    pub(super) fn first_words(&self, node: u32) -> impl Iterator<Item = u32> {
        let (from, to) = self.text_range(node);
        (from..to).flat_map(|place| self.features.words(place)).copied()
    }

    pub(super) fn texts(&self, node: u32) -> Rc<Texts> {
        let place = node as usize;
        if let Some(Some(known)) = self.texts.borrow().get(place) {
            return Rc::clone(known);
        }
        let own = self.page.own_text(node, TEXT_LIMIT);
        let all = self.page.text(node, TEXT_LIMIT);
        let texts = Rc::new(Texts { own, all });
        let mut known = self.texts.borrow_mut();
        if known.is_empty() {
            known.resize(self.page.len() as usize, None);
        }
        if let Some(slot) = known.get_mut(place) {
            *slot = Some(Rc::clone(&texts));
        }
        texts
    }
}
