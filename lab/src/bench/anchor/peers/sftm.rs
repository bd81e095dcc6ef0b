//! Flexible tree matching by similarity (S. Brisset, R. Rouvoy, L. Seinturier, R. Pawlak: SFTM, Fast Matching of Web
//! Pages using Similarity-based Flexible Tree Matching), with words of the text as tokens besides: both pages are
//! matched whole. Elements share weighted tokens, parents' likeness is added to their children's, and pairs are taken
//! one to one. The paper searches the best matching by Metropolis's method; here the best pair is taken first, which is
//! quicker and the same every time.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use opentoolbar_core::page::Page;

use super::element::visible_text;
use super::guess::Guess;
use super::xpath::{From, written};
use crate::bench::statistics::number;

/// What the likeness of parents, and of their parents, adds.
const ABOVE: [f64; 2] = [0.4, 0.04];
/// Words of an element's text that are tokens.
const WORDS: usize = 24;

/// One page's elements with their tokens.
struct Tree {
    nodes: Vec<u32>,
    parents: Vec<Option<usize>>,
    tokens: Vec<Vec<u64>>,
}

impl Tree {
    fn new(page: &Page) -> Self {
        let nodes: Vec<u32> = page.elements().collect();
        let at = |node: u32| nodes.binary_search(&node).ok();
        let parents = nodes.iter().map(|&node| page.parent_element(node).and_then(at)).collect();
        let tokens = nodes.iter().map(|&node| tokens(page, node)).collect();
        Self { nodes, parents, tokens }
    }
}

fn tokens(page: &Page, node: u32) -> Vec<u64> {
    let token = |kind: &str, text: &str| {
        let mut hasher = DefaultHasher::new();
        (kind, text).hash(&mut hasher);
        hasher.finish()
    };
    let mut tokens = vec![token("tag", page.tag(node)), token("path", &written(page, node, From::Root))];
    for (name, value) in page.attributes(node) {
        tokens.push(token("name", name));
        tokens.push(token(name, value));
        tokens.extend(value.split_ascii_whitespace().map(|part| token("part", part)));
    }
    if let Some(text) = visible_text(page, node) {
        tokens.push(token("text", &text));
        tokens.extend(text.split_whitespace().take(WORDS).map(|word| token("word", word)));
    }
    tokens.sort_unstable();
    tokens.dedup();
    tokens
}

pub(super) fn locate(old: &Page, new: &Page, targets: &[u32]) -> Vec<Guess> {
    let (old, new) = (Tree::new(old), Tree::new(new));
    let mut postings: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, tokens) in new.tokens.iter().enumerate() {
        for &token in tokens {
            postings.entry(token).or_default().push(at);
        }
    }
    let count = number(new.nodes.len());
    // As the paper has it: tokens of more elements than this tell too little for what they cost.
    let most = count.sqrt().max(8.0);
    let weight = |token: &u64| postings.get(token).map_or(count, |found| count / number(found.len())).ln();
    let own: Vec<HashMap<usize, f64>> = old
        .tokens
        .iter()
        .map(|tokens| {
            let mut like: HashMap<usize, f64> = HashMap::new();
            for token in tokens {
                let Some(found) = postings.get(token).filter(|found| number(found.len()) <= most) else {
                    continue;
                };
                for &at in found {
                    *like.entry(at).or_default() += weight(token);
                }
            }
            like
        })
        .collect();
    let mut edges: Vec<(f64, usize, usize)> = Vec::new();
    for (from, like) in own.iter().enumerate() {
        for (&to, &alone) in like {
            let (mut score, mut a, mut b) = (alone, from, to);
            for share in ABOVE {
                let (Some(Some(up_a)), Some(Some(up_b))) = (old.parents.get(a), new.parents.get(b)) else {
                    break;
                };
                (a, b) = (*up_a, *up_b);
                score += share * own.get(a).and_then(|like| like.get(&b)).copied().unwrap_or(0.0);
            }
            edges.push((score, from, to));
        }
    }
    edges.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    let mut matched: Vec<Option<(usize, f64)>> = vec![None; old.nodes.len()];
    let mut taken = vec![false; new.nodes.len()];
    for (score, from, to) in edges {
        let (Some(slot), Some(taken)) = (matched.get_mut(from), taken.get_mut(to)) else { continue };
        if slot.is_none() && !*taken {
            *slot = Some((to, score));
            *taken = true;
        }
    }
    let guess = |target: &u32| -> Option<Guess> {
        let from = old.nodes.binary_search(target).ok()?;
        let (to, score) = (*matched.get(from)?)?;
        let all: f64 = old.tokens.get(from)?.iter().map(weight).sum();
        #[expect(clippy::cast_possible_truncation, reason = "a ratio")]
        Some(Guess { node: new.nodes.get(to).copied(), score: (score / all.max(1.0)) as f32 })
    };
    targets.iter().map(|target| guess(target).unwrap_or_default()).collect()
}
