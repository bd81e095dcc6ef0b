//! Similo's way, common to its versions: every element of the new page is compared property by property, the weighted
//! sum is its score, the highest is taken. Each distinct value is compared once a target, which the papers leave open.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;

use opentoolbar_core::page::Page;

use super::element::visible_text;
use super::guess::Guess;
use crate::bench::statistics::number;

/// What a version of Similo compares.
pub(super) trait Compare {
    /// From all that is needed of both pages.
    fn new(new: &Elements<'_>, words: &mut Words) -> Self;

    /// The score of every element of the new page for an element of the old one.
    fn scores(&self, old: &Elements<'_>, target: usize, new: &Elements<'_>, words: &mut Words) -> Vec<f64>;
}

/// All elements of a page, with what is read of them.
pub(super) struct Elements<'p> {
    pub(super) page: &'p Page,
    pub(super) nodes: Vec<u32>,
    pub(super) texts: Vec<Option<String>>,
    pub(super) neighbours: Vec<Option<Vec<u32>>>,
}

/// Words by number; the same for both pages.
#[derive(Default)]
pub(super) struct Words {
    ids: HashMap<String, u32>,
    pub(super) list: Vec<String>,
}

impl Words {
    pub(super) fn id(&mut self, word: &str) -> u32 {
        if let Some(&id) = self.ids.get(word) {
            return id;
        }
        let id = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(word.to_owned());
        self.ids.insert(word.to_owned(), id);
        id
    }
}

impl<'p> Elements<'p> {
    fn new(page: &'p Page, words: &mut Words) -> Self {
        let nodes: Vec<u32> = page.elements().collect();
        let texts: Vec<_> = nodes.iter().map(|&node| visible_text(page, node)).collect();
        let neighbours = super::element::neighbour_words(page, &nodes, &texts, |word| words.id(word));
        Self { page, nodes, texts, neighbours }
    }
}

/// One property of all elements: its distinct values, and which of them each element has.
pub(super) struct Property<V> {
    values: Vec<V>,
    of: Vec<Option<u32>>,
}

impl<V> Property<V> {
    pub(super) fn new<'a>(
        elements: &'a Elements<'_>,
        read: impl Fn(usize, u32) -> Option<std::borrow::Cow<'a, str>>,
        mut value: impl FnMut(&str) -> V,
    ) -> Self {
        let mut ids: HashMap<std::borrow::Cow<'a, str>, u32> = HashMap::new();
        let mut values = Vec::new();
        let of = elements
            .nodes
            .iter()
            .enumerate()
            .map(|(at, &node)| {
                let text = read(at, node)?;
                if let Some(&id) = ids.get(&text) {
                    return Some(id);
                }
                let id = u32::try_from(values.len()).unwrap_or(u32::MAX);
                values.push(value(&text));
                ids.insert(text, id);
                Some(id)
            })
            .collect();
        Self { values, of }
    }

    /// Adds to each element's score what its value is worth.
    pub(super) fn add(&self, scores: &mut [f64], weight: f64, like: impl Fn(&V) -> f64) {
        let worth: Vec<f64> = self.values.iter().map(|value| weight * like(value)).collect();
        for (score, id) in scores.iter_mut().zip(&self.of) {
            *score += id.and_then(|id| worth.get(id as usize)).copied().unwrap_or(0.0);
        }
    }
}

/// Both pages, made ready for any number of targets.
pub(super) struct Similo<'p, C> {
    old: Elements<'p>,
    new: Elements<'p>,
    compare: C,
    words: Words,
}

impl<'p, C: Compare> Similo<'p, C> {
    pub(super) fn new(old: &'p Page, new: &'p Page) -> Self {
        let mut words = Words::default();
        let old = Elements::new(old, &mut words);
        let new = Elements::new(new, &mut words);
        let compare = C::new(&new, &mut words);
        Self { old, new, compare, words }
    }

    /// The target's best element of the new page.
    pub(super) fn locate(&mut self, target: u32) -> Guess {
        let Ok(at) = self.old.nodes.binary_search(&target) else { return Guess::default() };
        let scores = self.compare.scores(&self.old, at, &self.new, &mut self.words);
        let best = scores.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
        #[expect(clippy::cast_possible_truncation, reason = "a score of at most a few dozen")]
        best.map_or(Guess::default(), |(at, &score)| Guess {
            node: self.new.nodes.get(at).copied(),
            score: score as f32,
        })
    }
}

/// Each target's best element of the new page.
pub(super) fn locate<C: Compare>(old: &Page, new: &Page, targets: &[u32]) -> Vec<Guess> {
    let mut similo = Similo::<C>::new(old, new);
    targets.iter().map(|&target| similo.locate(target)).collect()
}

/// Milliseconds to make both pages ready, and for one target, the mean of those given.
pub(super) fn speed<C: Compare>(old: &Page, new: &Page, targets: &[u32]) -> (f64, f64) {
    let began = Instant::now();
    let mut similo = Similo::<C>::new(old, new);
    let ready = began.elapsed().as_secs_f64() * 1_000.0;
    let began = Instant::now();
    for &target in targets {
        black_box(similo.locate(target));
    }
    (ready, began.elapsed().as_secs_f64() * 1_000.0 / number(targets.len().max(1)))
}
