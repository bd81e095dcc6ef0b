//! Searches the cheapest segment that fits one element alone. Every list and loop is bounded, so a search ends after a
//! bounded number of looks at the index, whatever the page.

use std::borrow::Cow;

use super::generate::Avoided;
use super::near::Context;
use super::pricing::{Price, STEP, TAG_PREFIX, tag_price};
use super::resolve::resolve_segment;
use super::syntax::{Combinator, Compound, Segment, Simple, Step};
use super::tokens::{Token, tokens};
use crate::page::Page;
use crate::sort;

/// A single name this cheap ends the search at once.
const GOOD_NAME: Price = 120;
/// A pair of names this cheap does.
const GOOD_PAIR: Price = 160;
/// A name inside of something unique this cheap does.
const GOOD_INSIDE: Price = 200;
/// Ancestors that are tried as context, nearest first.
pub(super) const CONTEXT: usize = 24;
/// Longest list of an ancestor's token that is tried as context although it is not unique.
const LOOSE: usize = 64;
/// Elements around a candidate that are looked at, nearest first.
const NEAREST: usize = 8;
/// Ancestors whose tokens are tried as context although they are not unique by themselves.
const LOOSE_CONTEXT: usize = 6;
/// Longest list that is filtered element by element.
pub(super) const FILTERED: usize = 64;
/// Compounds of the target that are tried in a context.
pub(super) const TRIED: usize = 6;

/// A segment with what it costs.
#[derive(Clone, Debug)]
pub(super) struct Priced {
    pub(super) price: Price,
    pub(super) segment: Segment,
}

/// A compound that fits the target, with the elements of its tree that it fits.
#[derive(Clone, Debug)]
pub(super) struct Named<'a> {
    pub(super) price: Price,
    pub(super) compound: Compound,
    pub(super) fits: Cow<'a, [u32]>,
}

pub(super) struct Search<'a> {
    pub(super) page: &'a Page,
    pub(super) node: u32,
    pub(super) root: u32,
    pub(super) avoided: &'a Avoided,
    tokens: Vec<Token<'a>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(page: &'a Page, node: u32, avoided: &'a Avoided) -> Self {
        let tokens = tokens(page, node, usize::MAX, avoided);
        Self { page, node, root: page.root(node).unwrap_or(0), avoided, tokens }
    }

    pub(super) fn best(&self) -> Option<Segment> {
        let mut found = Vec::new();
        if let Some((price, compound)) = unique_name(self.page, self.node, &self.tokens, self.avoided) {
            found.push(single(price, compound));
        }
        if found.iter().any(|best| best.price <= GOOD_NAME) {
            return self.cheapest(found);
        }
        let named = self.names();
        let alone = named.iter().filter(|name| name.fits.len() == 1);
        found.extend(alone.map(|name| single(name.price, name.compound.clone())));
        if found.iter().any(|best| best.price <= GOOD_PAIR) {
            return self.cheapest(found);
        }
        let mut contexts = self.named_around();
        self.inside_unique(&contexts, &named, &mut found);
        if found.iter().any(|best| best.price <= GOOD_INSIDE) {
            return self.cheapest(found);
        }
        let told = self.told_around();
        self.inside_unique(&told, &named, &mut found);
        contexts.extend(told);
        self.inside_loose(&named, &mut found);
        if !found.iter().any(|best| best.price <= GOOD_PAIR) {
            self.by_position(&contexts, &mut found);
        }
        self.cheapest(found)
    }

    /// The cheapest that really resolves to the element alone.
    fn cheapest(&self, mut found: Vec<Priced>) -> Option<Segment> {
        sort::by_key(&mut found, |one| one.price);
        found.into_iter().map(|one| one.segment).find(|segment| self.is_alone(segment))
    }

    pub(super) fn is_alone(&self, segment: &Segment) -> bool {
        resolve_segment(self.page, self.root, segment) == [self.node]
    }

    /// Compounds of the target: the tag, single tokens, and pairs.
    fn names(&self) -> Vec<Named<'_>> {
        let tag = self.page.tag(self.node);
        let tag_list = self.page.in_subtree(self.page.with_tag_of(self.node), self.root);
        let with_tag = |token: &Token<'_>| Compound(vec![Simple::Tag(tag.to_owned()), token.simple()]);
        let mut named = vec![Named {
            price: tag_price(tag),
            compound: Compound(vec![Simple::Tag(tag.to_owned())]),
            fits: Cow::Borrowed(tag_list),
        }];
        for (at, token) in self.tokens.iter().enumerate() {
            if token.wants_tag() || token.list.len() <= FILTERED {
                let same = |&other: &u32| self.page.tag(other) == tag;
                let fits: Cow<'_, [u32]> = if token.list.iter().all(same) {
                    Cow::Borrowed(&token.list)
                } else {
                    token.list.iter().copied().filter(same).collect()
                };
                if !token.wants_tag() {
                    named.push(Named {
                        price: token.price,
                        compound: Compound(vec![token.simple()]),
                        fits: Cow::Borrowed(&token.list),
                    });
                }
                if token.wants_tag() || fits.len() < token.list.len() {
                    named.push(Named { price: token.price + TAG_PREFIX, compound: with_tag(token), fits });
                }
            } else {
                let fits = Cow::Borrowed(&*token.list);
                named.push(Named { price: token.price, compound: Compound(vec![token.simple()]), fits });
            }
            for other in self.tokens.iter().skip(at + 1).take(TRIED) {
                named.extend(self.pair(token, other));
            }
        }
        sort::by_key(&mut named, |name| name.price);
        named
    }

    fn pair(&self, first: &Token<'_>, second: &Token<'_>) -> Option<Named<'static>> {
        let (short, long) =
            if first.list.len() <= second.list.len() { (first, second) } else { (second, first) };
        if short.list.len() > FILTERED {
            return None;
        }
        let fits: Vec<u32> =
            short.list.iter().copied().filter(|node| long.list.binary_search(node).is_ok()).collect();
        // A pair that says no more than its parts is only longer.
        if fits.len() == short.list.len() {
            return None;
        }
        let mut simples = vec![first.simple(), second.simple()];
        // A class reads before a text.
        if matches!(simples.first(), Some(Simple::Text { .. })) {
            simples.reverse();
        }
        let mut price = first.price + second.price;
        if first.wants_tag() || second.wants_tag() {
            simples.insert(0, Simple::Tag(self.page.tag(self.node).to_owned()));
            price += TAG_PREFIX;
        }
        Some(Named { price, compound: Compound(simples), fits: Cow::Owned(fits) })
    }

    /// The parent and what is around it, in the same tree.
    pub(super) fn above(&self) -> impl Iterator<Item = u32> {
        std::iter::successors(self.page.parent_element(self.node), |&above| self.page.parent_element(above))
    }

    /// `#menu .item`: the target has the name alone inside of something unique.
    fn inside_unique(&self, contexts: &[Context], named: &[Named<'_>], found: &mut Vec<Priced>) {
        for context in contexts {
            let name = self.alone_in(context.node, named);
            if context.node == self.node {
                found.push(Priced { price: context.price, segment: Segment(context.steps.clone()) });
            } else if let Some(name) = name {
                let step = Step { combinator: Combinator::Inside, compound: name.compound.clone() };
                let mut steps = context.steps.clone();
                steps.push(step);
                found.push(Priced { price: context.price + STEP + name.price, segment: Segment(steps) });
            }
        }
    }

    /// The cheapest name that nothing else has inside of `within`.
    pub(super) fn alone_in<'n>(&self, within: u32, named: &'n [Named<'n>]) -> Option<&'n Named<'n>> {
        named.iter().take(2 * TRIED).find(|name| self.page.in_subtree(&name.fits, within) == [self.node])
    }

    /// `.sidebar .title`: neither is unique, both together are.
    fn inside_loose(&self, named: &[Named<'_>], found: &mut Vec<Priced>) {
        for (ancestor, distance) in self.above().take(LOOSE_CONTEXT).zip(1..) {
            for token in tokens(self.page, ancestor, LOOSE, self.avoided).iter().take(3) {
                let unique =
                    named.iter().filter(|name| name.fits.len() <= FILTERED).take(TRIED).find(|name| {
                        let mut inside =
                            name.fits.iter().filter(|&&fit| holds_one_around(self.page, &token.list, fit));
                        inside.next() == Some(&self.node) && inside.next().is_none()
                    });
                if let Some(name) = unique {
                    let step = Step { combinator: Combinator::Inside, compound: name.compound.clone() };
                    let price = token.price + STEP + distance + name.price;
                    let context = named_by(self.page, ancestor, token);
                    found.push(Priced { price, segment: Segment(vec![first(context), step]) });
                }
            }
        }
    }
}

pub(super) fn first(compound: Compound) -> Step {
    Step { combinator: Combinator::Inside, compound }
}

pub(super) fn single(price: Price, compound: Compound) -> Priced {
    Priced { price, segment: Segment(vec![first(compound)]) }
}

/// The token, after the tag name where a reader wants it.
pub(super) fn named_by(page: &Page, node: u32, token: &Token<'_>) -> Compound {
    let prefix = token.wants_tag().then(|| Simple::Tag(page.tag(node).to_owned()));
    Compound(prefix.into_iter().chain([token.simple()]).collect())
}

/// The cheapest token, or the tag, that only this element has in its tree.
pub(super) fn unique_name(
    page: &Page,
    node: u32,
    tokens: &[Token<'_>],
    avoided: &Avoided,
) -> Option<(Price, Compound)> {
    let tag = page.tag(node);
    let root = page.root(node)?;
    let by_token = tokens.iter().find(|token| *token.list == [node]).map(|token| {
        (token.price + if token.wants_tag() { TAG_PREFIX } else { 0 }, named_by(page, node, token))
    });
    let by_tag = (page.in_subtree(page.with_tag_of(node), root) == [node])
        .then(|| Simple::Tag(tag.to_owned()))
        .filter(|simple| !avoided.names.contains(simple))
        .map(|simple| (tag_price(tag), Compound(vec![simple])));
    by_token.into_iter().chain(by_tag).min_by_key(|(price, _)| *price)
}

/// Whether an element of `list` is around `node`.
fn holds_one_around(page: &Page, list: &[u32], node: u32) -> bool {
    // The list is in document order: what is around stands before. Only the nearest ones are looked at.
    let before = list.partition_point(|&other| other < node);
    list.get(..before).unwrap_or(&[]).iter().rev().take(NEAREST).any(|&other| page.contains(other, node))
}
