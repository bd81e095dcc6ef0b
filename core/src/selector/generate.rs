//! Searches the cheapest selector that is unique. Every list and loop is bounded, so a search ends after a bounded
//! number of looks at the index, whatever the page.

use super::resolve::{resolve_path, resolve_segment};
use super::syntax::{Combinator, Compound, Path, Segment, Simple, Step};
use super::tokens::{PLACE, POSITION, Price, STEP, TAG_PREFIX, Token, few_tokens, tag_price, tokens};
use super::{MAX_SELECTOR_BYTES, SelectorError};
use crate::page::{NodeKind, Page};
use crate::sort;

/// A single name this cheap ends the search at once.
const GOOD_NAME: Price = 110;
/// A pair of names this cheap does.
const GOOD_PAIR: Price = 190;
/// Ancestors that are tried as context, nearest first.
const CONTEXT: usize = 24;
/// Ancestors with a unique name that are tried.
const CONTEXTS: usize = 4;
/// Longest list of an ancestor's token that is tried as context although it is not unique.
const LOOSE: usize = 64;
/// Elements around a candidate that are looked at, nearest first.
const NEAREST: usize = 8;
/// Ancestors whose tokens are tried as context although they are not unique by themselves.
const LOOSE_CONTEXT: usize = 6;
/// Longest list that is filtered element by element.
const FILTERED: usize = 64;
/// Compounds of the target that are tried in a context.
const TRIED: usize = 6;
/// What a place costs that is not counted from the nearest thing with a name: a change anywhere between moves it.
const LOOSE_PLACE: Price = 60;
/// Most selectors that one element is given, and the longest that is kept besides the first.
const MAX_DIVERSE: usize = 8;
const MAX_DIVERSE_BYTES: usize = 240;
/// Longest chain of children that is shortened from the front.
const SHORTENED: usize = 16;

/// A unique selector of an element. It resolves to exactly that element on this page; that is checked, not assumed.
///
/// # Errors
/// When `node` is no element, or (beyond any page seen) the selector would be longer than [`MAX_SELECTOR_BYTES`].
pub fn generate(page: &Page, node: u32) -> Result<String, SelectorError> {
    if !page.is_element(node) {
        return Err(SelectorError::NotAnElement { node });
    }
    let path = path_of(page, node, &[]);
    let selector = path.to_string();
    if resolve_path(page, &path) == [node] && selector.len() <= MAX_SELECTOR_BYTES {
        Ok(selector)
    } else {
        Err(SelectorError::NotUnique { node })
    }
}

/// Up to `most` unique selectors of one element, the one that [`generate`] returns first. Each further one rests on
/// other names than those before it, so that one change of the page does not break them all.
///
/// # Errors
/// As [`generate`].
pub fn diverse(page: &Page, node: u32, most: usize) -> Result<Vec<String>, SelectorError> {
    let mut found = vec![generate(page, node)?];
    let mut avoided = Vec::new();
    let mut last = path_of(page, node, &avoided);
    while found.len() < most.min(MAX_DIVERSE) {
        let known = avoided.len();
        for simple in last.0.iter().flat_map(|segment| &segment.0).flat_map(|step| &step.compound.0) {
            if !avoided.contains(simple) {
                avoided.push(simple.clone());
            }
        }
        if avoided.len() == known {
            break;
        }
        last = path_of(page, node, &avoided);
        let selector = last.to_string();
        if selector.len() > MAX_DIVERSE_BYTES || resolve_path(page, &last) != [node] {
            break;
        }
        if !found.contains(&selector) {
            found.push(selector);
        }
    }
    Ok(found)
}

/// A segment with what it costs.
#[derive(Clone, Debug)]
struct Priced {
    price: Price,
    segment: Segment,
}

fn path_of(page: &Page, node: u32, avoided: &[Simple]) -> Path {
    let mut segments = Vec::new();
    let mut target = Some(node);
    while let Some(element) = target {
        segments.push(in_its_tree(page, element, avoided));
        target = page.root(element).and_then(|root| page.host(root));
    }
    segments.reverse();
    Path(segments)
}

fn in_its_tree(page: &Page, node: u32, avoided: &[Simple]) -> Segment {
    let root = page.root(node).unwrap_or(0);
    let is_unique = |segment: &Segment| resolve_segment(page, root, segment) == [node];
    Search::new(page, node, avoided)
        .best()
        .or_else(|| Some(by_places(page, node, true)).filter(is_unique))
        .unwrap_or_else(|| by_places(page, node, false))
}

/// A compound that fits the target, with the elements of its tree that it fits.
#[derive(Clone, Debug)]
struct Named {
    price: Price,
    compound: Compound,
    fits: Vec<u32>,
}

struct Search<'a> {
    page: &'a Page,
    node: u32,
    root: u32,
    tokens: Vec<Token<'a>>,
    avoided: &'a [Simple],
}

impl<'a> Search<'a> {
    fn new(page: &'a Page, node: u32, avoided: &'a [Simple]) -> Self {
        let mut tokens = tokens(page, node);
        tokens.retain(|token| !token.is_among(avoided));
        Self { page, node, root: page.root(node).unwrap_or(0), tokens, avoided }
    }

    fn best(&self) -> Option<Segment> {
        let mut found = Vec::new();
        found.extend(self.unique_name());
        if found.iter().any(|best| best.price <= GOOD_NAME) {
            return self.cheapest(found);
        }
        let named = self.names();
        found.extend(
            named.iter().filter(|name| name.fits.len() == 1).map(|name| single(name.price, &name.compound)),
        );
        if found.iter().any(|best| best.price <= GOOD_PAIR) {
            return self.cheapest(found);
        }
        let contexts = self.contexts();
        found.extend(self.inside_unique(&contexts));
        found.extend(self.inside_loose(&named));
        if !found.iter().any(|best| best.price <= POSITION) {
            found.extend(self.by_position(&contexts));
        }
        self.cheapest(found)
    }

    /// The cheapest that really resolves to the element alone.
    fn cheapest(&self, mut found: Vec<Priced>) -> Option<Segment> {
        sort::by_key(&mut found, |one| one.price);
        found
            .into_iter()
            .map(|one| one.segment)
            .find(|segment| resolve_segment(self.page, self.root, segment) == [self.node])
    }

    /// One token (or the tag) that nothing else in the tree has.
    fn unique_name(&self) -> Option<Priced> {
        unique_name(self.page, self.node, &self.tokens).map(|(price, compound)| single(price, &compound))
    }

    /// Compounds of the target: the tag, single tokens, and pairs.
    fn names(&self) -> Vec<Named> {
        let tag = self.page.tag(self.node);
        let tag_list = self.page.in_subtree(self.page.with_tag(tag), self.root);
        let mut named = Vec::new();
        if tag_list.len() <= FILTERED {
            let compound = Compound(vec![Simple::Tag(tag.to_owned())]);
            named.push(Named { price: tag_price(tag), compound, fits: tag_list.to_vec() });
        }
        for (at, token) in self.tokens.iter().enumerate() {
            if token.list.len() > FILTERED {
                continue;
            }
            let fits: Vec<u32> =
                token.list.iter().copied().filter(|&other| self.page.tag(other) == tag).collect();
            let with_tag = Compound(vec![Simple::Tag(tag.to_owned()), token.simple()]);
            if fits.len() == token.list.len() && !token.wants_tag() {
                named.push(Named {
                    price: token.price,
                    compound: Compound(vec![token.simple()]),
                    fits: token.list.to_vec(),
                });
            } else {
                named.push(Named { price: token.price + TAG_PREFIX, compound: with_tag, fits });
            }
            for other in self.tokens.iter().skip(at + 1).take(TRIED) {
                named.extend(self.pair(token, other));
            }
        }
        sort::by_key(&mut named, |name| name.price);
        named
    }

    fn pair(&self, first: &Token<'_>, second: &Token<'_>) -> Option<Named> {
        let fits: Vec<u32> =
            first.list.iter().copied().filter(|node| second.list.binary_search(node).is_ok()).collect();
        // A pair that says no more than its parts is only longer.
        if fits.len() == first.list.len() || fits.len() == second.list.len() {
            return None;
        }
        let mut simples = vec![first.simple(), second.simple()];
        let mut price = first.price + second.price;
        if first.wants_tag() && second.wants_tag() {
            simples.insert(0, Simple::Tag(self.page.tag(self.node).to_owned()));
            price += TAG_PREFIX;
        }
        Some(Named { price, compound: Compound(simples), fits })
    }

    /// The nearest ancestors in the same tree that have a unique name, with that name.
    fn contexts(&self) -> Vec<Context> {
        let above = std::iter::successors(self.page.parent_element(self.node), |&above| {
            self.page.parent_element(above)
        });
        above
            .take(CONTEXT)
            .zip(1..)
            .filter_map(|(node, distance)| {
                let mut tokens = few_tokens(self.page, node, 1);
                tokens.retain(|token| !token.is_among(self.avoided));
                let (price, compound) = unique_name(self.page, node, &tokens)?;
                Some(Context { node, distance, price, compound })
            })
            .take(CONTEXTS)
            .collect()
    }

    /// `#menu .item`: the target has the name alone inside of something unique.
    fn inside_unique(&self, contexts: &[Context]) -> Vec<Priced> {
        let tag = self.page.tag(self.node);
        let tag_list = self.page.in_subtree(self.page.with_tag(tag), self.root);
        let mut options: Vec<(Price, Compound, Vec<&[u32]>)> = Vec::new();
        options.push((tag_price(tag), Compound(vec![Simple::Tag(tag.to_owned())]), vec![tag_list]));
        for token in self.tokens.iter().take(TRIED) {
            let with_tag = token.wants_tag();
            let mut simples = vec![token.simple()];
            let mut lists = vec![token.list];
            if with_tag {
                simples.insert(0, Simple::Tag(tag.to_owned()));
                lists.push(tag_list);
            }
            let price = token.price + if with_tag { TAG_PREFIX } else { 0 };
            options.push((price, Compound(simples), lists.clone()));
            if !with_tag {
                lists.push(tag_list);
                let both = Compound(vec![Simple::Tag(tag.to_owned()), token.simple()]);
                options.push((price + TAG_PREFIX, both, lists));
            }
        }
        let mut found = Vec::new();
        for context in contexts {
            for (price, compound, lists) in &options {
                if self.is_alone_in(context.node, lists) {
                    let step = Step { combinator: Combinator::Inside, compound: compound.clone() };
                    let price = context.price() + STEP + price;
                    found.push(Priced {
                        price,
                        segment: Segment(vec![first(context.compound.clone()), step]),
                    });
                    break;
                }
            }
        }
        found
    }

    /// Whether nothing else inside of `within` is on all lists.
    fn is_alone_in(&self, within: u32, lists: &[&[u32]]) -> bool {
        let mut parts: Vec<&[u32]> = lists.iter().map(|list| self.page.in_subtree(list, within)).collect();
        sort::by_key(&mut parts, |part| part.len());
        match parts.split_first() {
            Some((shortest, others)) if shortest.len() <= FILTERED => shortest
                .iter()
                .filter(|&node| others.iter().all(|other| other.binary_search(node).is_ok()))
                .eq([&self.node]),
            _ => false,
        }
    }

    /// `.sidebar .title`: neither is unique, both together are.
    fn inside_loose(&self, named: &[Named]) -> Vec<Priced> {
        let mut found = Vec::new();
        let above = std::iter::successors(self.page.parent_element(self.node), |&above| {
            self.page.parent_element(above)
        });
        for (ancestor, distance) in above.take(LOOSE_CONTEXT).zip(1..) {
            for token in few_tokens(self.page, ancestor, LOOSE)
                .iter()
                .filter(|token| !token.is_among(self.avoided))
                .take(3)
            {
                let unique = named.iter().take(TRIED).find(|name| {
                    let mut inside =
                        name.fits.iter().filter(|&&fit| holds_one_around(self.page, token.list, fit));
                    inside.next() == Some(&self.node) && inside.next().is_none()
                });
                if let Some(name) = unique {
                    let step = Step { combinator: Combinator::Inside, compound: name.compound.clone() };
                    let price = token.price + STEP + distance + name.price;
                    let context = Compound(vec![token.simple()]);
                    found.push(Priced { price, segment: Segment(vec![first(context), step]) });
                }
            }
        }
        found
    }

    /// A chain of children from the nearest things with a unique name, or from anywhere if it happens to be unique.
    fn by_position(&self, contexts: &[Context]) -> Vec<Priced> {
        let mut found = Vec::new();
        let mut chain: Vec<Link> = Vec::new();
        let mut element = self.node;
        loop {
            chain.push(self.link(element));
            let Some(parent) = self.page.parent_element(element) else { break };
            if let Some(context) = contexts.iter().find(|context| context.node == parent) {
                found.extend(self.shortened(context, &chain));
                if found.len() >= 3 {
                    break;
                }
            }
            if chain.len() > SHORTENED && !found.is_empty() || chain.len() > CONTEXT {
                break;
            }
            element = parent;
        }
        if found.is_empty() {
            found.extend(self.free(&chain));
        }
        found
    }

    /// How one element of the chain is told from its siblings.
    fn link(&self, element: u32) -> Link {
        let tag = self.page.tag(element);
        let is_alone = self.page.nth_of_type(element) == 1 && self.page.is_last_of_type(element);
        if is_alone {
            return Link { price: TAG_PREFIX + STEP, compound: Compound(vec![Simple::Tag(tag.to_owned())]) };
        }
        let parent = self.page.parent(element);
        let named = tokens(self.page, element)
            .into_iter()
            .filter(|token| !token.is_among(self.avoided))
            .find(|token| {
                let around = parent.map_or(&[][..], |parent| self.page.in_subtree(token.list, parent));
                around.len() <= FILTERED
                    && around.iter().filter(|&&other| self.page.parent(other) == parent).eq([&element])
            });
        let place = self.page.nth_of_type(element);
        match named.filter(|token| token.price < POSITION) {
            Some(token) => {
                let mut simples = vec![token.simple()];
                if token.wants_tag() {
                    simples.insert(0, Simple::Tag(tag.to_owned()));
                }
                Link { price: STEP + token.price, compound: Compound(simples) }
            }
            None => Link {
                price: STEP + POSITION + PLACE * place.min(50),
                compound: Compound(vec![Simple::Tag(tag.to_owned()), nth(true, place)]),
            },
        }
    }

    /// `context > a > b > target`, without the front links that are not needed.
    fn shortened(&self, context: &Context, chain: &[Link]) -> Option<Priced> {
        let whole = Segment(std::iter::once(first(context.compound.clone())).chain(links(chain)).collect());
        if chain.len() > SHORTENED {
            return Some(Priced { price: context.price() + price_of(chain), segment: whole });
        }
        for kept in 1..chain.len() {
            let part = chain.get(..kept)?;
            let mut steps: Vec<Step> = links(part).collect();
            if let Some(step) = steps.first_mut() {
                if !self.is_few_in(context.node, &step.compound) {
                    continue;
                }
                step.combinator = Combinator::Inside;
            }
            let segment = Segment(std::iter::once(first(context.compound.clone())).chain(steps).collect());
            if resolve_segment(self.page, self.root, &segment) == [self.node] {
                return Some(Priced { price: context.price() + LOOSE_PLACE + price_of(part), segment });
            }
        }
        Some(Priced { price: context.price() + price_of(chain), segment: whole })
    }

    /// Whether the compound's tag leaves few elements to look at inside of `within`.
    fn is_few_in(&self, within: u32, compound: &Compound) -> bool {
        compound.0.iter().any(|simple| {
            let list = match simple {
                Simple::Tag(tag) => self.page.with_tag(tag),
                Simple::Class(class) => self.page.with_class(class),
                Simple::Id(id) => self.page.with_attr("id", id),
                _ => return false,
            };
            self.page.in_subtree(list, within).len() <= FILTERED
        })
    }

    /// A chain that is unique without anything before it.
    fn free(&self, chain: &[Link]) -> Option<Priced> {
        (1..=chain.len().min(SHORTENED)).find_map(|kept| {
            let part = chain.get(..kept)?;
            if !part.last().is_some_and(|link| self.is_few_in(self.root, &link.compound)) {
                return None;
            }
            let segment = Segment(links(part).collect());
            let unique = resolve_segment(self.page, self.root, &segment) == [self.node];
            unique.then(|| Priced { price: price_of(part), segment })
        })
    }
}

/// An ancestor with a unique name.
#[derive(Clone, Debug)]
struct Context {
    node: u32,
    distance: Price,
    price: Price,
    compound: Compound,
}

impl Context {
    fn price(&self) -> Price {
        self.price + self.distance * 3
    }
}

/// One element of a chain of children.
#[derive(Clone, Debug)]
struct Link {
    price: Price,
    compound: Compound,
}

/// The links, which stand from the target outwards, as steps from the outside in.
fn links(chain: &[Link]) -> impl Iterator<Item = Step> {
    chain.iter().rev().map(|link| Step { combinator: Combinator::Child, compound: link.compound.clone() })
}

fn price_of(chain: &[Link]) -> Price {
    chain.iter().fold(0, |sum, link| sum.saturating_add(link.price))
}

fn first(compound: Compound) -> Step {
    Step { combinator: Combinator::Inside, compound }
}

fn single(price: Price, compound: &Compound) -> Priced {
    Priced { price, segment: Segment(vec![first(compound.clone())]) }
}

fn nth(of_type: bool, place: u32) -> Simple {
    Simple::Nth { of_type, a: 0, b: i32::try_from(place).unwrap_or(i32::MAX) }
}

/// The cheapest token, or the tag, that only this element has in its tree.
fn unique_name(page: &Page, node: u32, tokens: &[Token<'_>]) -> Option<(Price, Compound)> {
    let tag = page.tag(node);
    let root = page.root(node)?;
    let by_token = tokens.iter().find(|token| token.list == [node]).map(|token| {
        let prefix = token.wants_tag().then(|| Simple::Tag(tag.to_owned()));
        let price = token.price + if prefix.is_some() { TAG_PREFIX } else { 0 };
        (price, Compound(prefix.into_iter().chain([token.simple()]).collect()))
    });
    let by_tag = (page.in_subtree(page.with_tag(tag), root) == [node])
        .then(|| (tag_price(tag), Compound(vec![Simple::Tag(tag.to_owned())])));
    by_token.into_iter().chain(by_tag).min_by_key(|(price, _)| *price)
}

/// Whether an element of `list` is around `node`.
fn holds_one_around(page: &Page, list: &[u32], node: u32) -> bool {
    // The list is in document order: what is around stands before. Only the nearest ones are looked at.
    let before = list.partition_point(|&other| other < node);
    list.get(..before).unwrap_or(&[]).iter().rev().take(NEAREST).any(|&other| page.contains(other, node))
}

/// The address of last resort, always unique: places from the top of the tree down, among siblings of the same tag or,
/// where tags are told apart by nothing but their letters' case, among all siblings.
fn by_places(page: &Page, node: u32, of_type: bool) -> Segment {
    let in_document = page.root(node).and_then(|root| page.kind(root)) == Some(NodeKind::Document);
    let mut steps = Vec::new();
    let mut element = Some(node);
    while let Some(this) = element {
        element = page.parent_element(this);
        let is_alone = of_type && page.nth_of_type(this) == 1 && page.is_last_of_type(this);
        let is_only = element.is_none() && page.nth_child(this) == 1 && page.is_last_child(this);
        let mut simples = Vec::new();
        if !(is_only && in_document) {
            simples.push(if of_type { Simple::Tag(page.tag(this).to_owned()) } else { Simple::Any });
            match (of_type, is_alone) {
                (true, true) => {}
                (true, false) => simples.push(nth(true, page.nth_of_type(this))),
                (false, _) => simples.push(nth(false, page.nth_child(this))),
            }
        }
        if element.is_none() {
            simples.push(if in_document { Simple::Root } else { Simple::Top });
        }
        steps.push(Step { combinator: Combinator::Child, compound: Compound(simples) });
    }
    steps.reverse();
    Segment(steps)
}
