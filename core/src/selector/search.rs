//! Searches the cheapest segment that fits one element alone. Every list and loop is bounded, so a search ends after a
//! bounded number of looks at the index, whatever the page.
//!
//! Ways to name the element are tried in the order of what they cost, and are written out only when they are cheaper
//! than what was found before.

use super::avoided::Avoided;
use super::names::{Name, Names};
use super::near::Context;
use super::pricing::{Price, STEP, TAG_PREFIX};
use super::syntax::{Combinator, Compound, Segment, Simple, Step};
use crate::page::Page;

/// A single name this cheap ends the search at once.
const GOOD_NAME: Price = 120;
/// A pair of names this cheap does.
const GOOD_PAIR: Price = 160;
/// A name inside of something unique this cheap does.
const GOOD_INSIDE: Price = 200;
/// Ancestors that are tried as context, nearest first.
pub(super) const CONTEXT: usize = 24;
/// Longest list of an ancestor's name that is tried as context although it is not unique.
const LOOSE: usize = 64;
/// Elements around a rival that are looked at.
const DEEP: usize = 64;
/// Ancestors whose names are tried as context although they are not unique by themselves.
const LOOSE_CONTEXT: usize = 6;
/// Names of such an ancestor.
const LOOSE_NAMES: usize = 3;
/// Longest list that is filtered element by element.
pub(super) const FILTERED: usize = 64;
/// Names that are paired with each name of the target.
const PAIRED: usize = 6;
/// Names and pairs of names of the target that are tried in a context.
const TRIED: usize = 12;

/// What was found, each cheaper than the one before.
#[derive(Debug, Default)]
pub(super) struct Found(Vec<(Price, Segment)>);

impl Found {
    /// What something must cost less than.
    pub(super) fn bound(&self) -> Price {
        self.0.last().map_or(Price::MAX, |best| best.0)
    }

    pub(super) fn offer(&mut self, price: Price, segment: impl FnOnce() -> Segment) {
        if price < self.bound() {
            self.0.push((price, segment()));
        }
    }

    /// Cheapest first.
    pub(super) fn into_segments(self) -> impl Iterator<Item = Segment> {
        self.0.into_iter().rev().map(|(_, segment)| segment)
    }
}

/// A name of an element: the element, and the name's place among its names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    pub(super) node: u32,
    pub(super) at: usize,
}

/// A name of the target with all elements of its tree that have it.
#[derive(Debug)]
struct OwnName<'a> {
    name: &'a Name,
    list: &'a [u32],
}

/// One or two names of the target, by their places among them, perhaps after its tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    pub(super) price: Price,
    first: usize,
    second: Option<usize>,
    with_tag: bool,
}

pub(super) struct Search<'a> {
    pub(super) page: &'a Page,
    pub(super) node: u32,
    pub(super) root: u32,
    pub(super) avoided: &'a Avoided,
    names: &'a Names,
    own: Vec<OwnName<'a>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(page: &'a Page, names: &'a Names, node: u32, avoided: &'a Avoided) -> Self {
        let root = page.root(node).unwrap_or(0);
        Self { page, node, root, avoided, names, own: Vec::new() }
    }

    pub(super) fn best(mut self) -> Found {
        let mut found = Found::default();
        if let Some((price, pick)) = self.unique_name(self.node) {
            found.offer(price, || Segment(vec![first(self.compound(pick))]));
        }
        if found.bound() <= GOOD_NAME {
            return found;
        }
        let own = self.names_of(self.node).map(|(_, name)| name);
        self.own = own.map(|name| OwnName { name, list: name.list(self.page, self.node) }).collect();
        let own = self.own();
        let cheaper = own.iter().take_while(|one| one.price < found.bound());
        if let Some(one) = cheaper.copied().find(|one| self.is_alone_in(self.root, one)) {
            found.offer(one.price, || Segment(vec![first(self.own_compound(&one))]));
        }
        if found.bound() <= GOOD_PAIR {
            return found;
        }
        let mut contexts = self.named_around();
        self.inside_unique(&contexts, &own, &mut found);
        if found.bound() <= GOOD_INSIDE {
            return found;
        }
        let told = self.told_around();
        self.inside_unique(&told, &own, &mut found);
        contexts.extend(told);
        self.inside_loose(&own, &mut found);
        self.by_position(&contexts, &mut found);
        found
    }

    /// The names of an element that may be used, with their places, cheapest first.
    pub(super) fn names_of(&self, node: u32) -> impl Iterator<Item = (usize, &'a Name)> + use<'a> {
        let (page, avoided) = (self.page, self.avoided);
        let names = self.names.get(page, node).iter().enumerate();
        names.filter(move |(_, name)| {
            let is_avoided = avoided.texts && name.is_text()
                || avoided.names.iter().any(|simple| name.is_said_by(page, node, simple));
            !is_avoided
        })
    }

    /// The cheapest name, or the tag, that only this element has in its tree.
    pub(super) fn unique_name(&self, node: u32) -> Option<(Price, Pick)> {
        let (at, name) = self.names_of(node).find(|(_, name)| name.is_unique)?;
        Some((with_tag(name), Pick { node, at }))
    }

    pub(super) fn name(&self, pick: Pick) -> Option<&'a Name> {
        self.names.get(self.page, pick.node).get(pick.at)
    }

    pub(super) fn compound(&self, pick: Pick) -> Compound {
        self.name(pick).map(|name| name.compound(self.page, pick.node)).unwrap_or_default()
    }

    /// Single names of the target and pairs, cheapest first.
    fn own(&self) -> Vec<Own> {
        let mut all: Vec<Own> = Vec::new();
        let mut put = |own: Own| all.insert(all.partition_point(|other| other.price <= own.price), own);
        let is_few = |one: &OwnName<'_>| one.list.len() <= FILTERED;
        for (first, one) in self.own.iter().enumerate() {
            let alone = Own { price: one.name.price, first, second: None, with_tag: one.name.wants_tag() };
            if !alone.with_tag {
                put(alone);
            }
            if one.name.is_tag() {
                continue;
            }
            put(Own { price: alone.price + TAG_PREFIX, with_tag: true, ..alone });
            let others =
                self.own.iter().enumerate().skip(first + 1).filter(|(_, other)| !other.name.is_tag());
            for (second, other) in others.take(PAIRED) {
                if is_few(one) || is_few(other) {
                    let with_tag = one.name.wants_tag() || other.name.wants_tag();
                    let price = one.name.price + other.name.price + if with_tag { TAG_PREFIX } else { 0 };
                    put(Own { price, first, second: Some(second), with_tag });
                }
            }
        }
        all
    }

    fn own_compound(&self, own: &Own) -> Compound {
        let mut simples = Vec::new();
        let names = [Some(own.first), own.second].into_iter().flatten();
        for name in names.filter_map(|at| self.own.get(at)) {
            let simple = name.name.simple(self.page, self.node);
            match (&simple, simples.first()) {
                // A class reads before a text.
                (_, Some(Simple::Text { .. })) => simples.insert(0, simple),
                _ => simples.push(simple),
            }
        }
        if own.with_tag {
            simples.insert(0, Simple::Tag(self.page.tag(self.node).to_owned()));
        }
        Compound(simples)
    }

    /// Whether nothing else inside of `within` has these names.
    fn is_alone_in(&self, within: u32, own: &Own) -> bool {
        let (short, long) = self.lists(own);
        let inside = if within == self.root { short } else { self.page.in_subtree(short, within) };
        if inside.len() == 1 {
            return *inside == [self.node];
        }
        if inside.len() > FILTERED {
            return false;
        }
        let tag = self.page.tag_id(self.node);
        let fits = |node: u32| {
            (!own.with_tag || self.page.tag_id(node) == tag)
                && long.is_none_or(|list| list.binary_search(&node).is_ok())
        };
        inside.iter().all(|&node| node == self.node || !fits(node))
    }

    /// The parent and what is around it, in the same tree.
    pub(super) fn above(&self) -> impl Iterator<Item = u32> {
        std::iter::successors(self.page.parent_element(self.node), |&above| self.page.parent_element(above))
    }

    /// `#menu .item`: the target has the name alone inside of something unique.
    fn inside_unique(&self, contexts: &[Context], own: &[Own], found: &mut Found) {
        for context in contexts {
            if context.node == self.node {
                if context.is_alone() {
                    found.offer(context.price, || Segment(self.steps(context)));
                }
                continue;
            }
            let price = |one: &Own| context.price + STEP + one.price;
            let mut cheaper = own.iter().take(TRIED).take_while(|one| price(one) < found.bound());
            if let Some(one) = cheaper.find(|one| context.all().all(|within| self.is_alone_in(within, one))) {
                found.offer(price(one), || self.inside(self.steps(context), one));
            }
        }
    }

    fn inside(&self, mut steps: Vec<Step>, own: &Own) -> Segment {
        steps.push(Step { combinator: Combinator::Inside, compound: self.own_compound(own) });
        Segment(steps)
    }

    /// `.sidebar .title`: neither is unique, both together are.
    fn inside_loose(&self, own: &[Own], found: &mut Found) {
        let Some(cheapest) = own.first() else { return };
        for (around, distance) in self.above().take(LOOSE_CONTEXT).zip(1..) {
            let names = self.names_of(around).filter(|(_, name)| !name.is_tag()).take(LOOSE_NAMES);
            for (at, name) in names {
                let price = |one: &Own| name.price + STEP + distance + one.price;
                if price(cheapest) >= found.bound() {
                    break;
                }
                let list = name.list(self.page, around);
                if list.len() > LOOSE {
                    continue;
                }
                let cheaper = own.iter().filter(|one| self.is_few(one)).take(PAIRED);
                let mut cheaper = cheaper.take_while(|one| price(one) < found.bound());
                if let Some(one) = cheaper.find(|one| self.is_alone_around(list, one)) {
                    let context = self.compound(Pick { node: around, at });
                    found.offer(price(one), || self.inside(vec![first(context)], one));
                }
            }
        }
    }

    fn lists(&self, own: &Own) -> (&'a [u32], Option<&'a [u32]>) {
        let list = |at: usize| self.own.get(at).map(|one| one.list);
        let one = list(own.first).unwrap_or(&[]);
        match own.second.and_then(list) {
            Some(other) if other.len() < one.len() => (other, Some(one)),
            other => (one, other),
        }
    }

    fn is_few(&self, own: &Own) -> bool {
        self.lists(own).0.len() <= FILTERED
    }

    /// Whether of all with these names the target alone is inside of an element of `around`.
    fn is_alone_around(&self, around: &[u32], own: &Own) -> bool {
        let tag = self.page.tag_id(self.node);
        let (short, long) = self.lists(own);
        short.iter().all(|&node| {
            node == self.node
                || (own.with_tag && self.page.tag_id(node) != tag)
                || long.is_some_and(|list| list.binary_search(&node).is_err())
                || !may_be_around(self.page, around, node)
        })
    }
}

/// What a name costs with the tag that a reader wants before it.
pub(super) fn with_tag(name: &Name) -> Price {
    name.price + if name.wants_tag() { TAG_PREFIX } else { 0 }
}

pub(super) fn first(compound: Compound) -> Step {
    Step { combinator: Combinator::Inside, compound }
}

/// Whether an element of `list` is around `node`; taken for granted where that is too deep to tell.
fn may_be_around(page: &Page, list: &[u32], node: u32) -> bool {
    let mut above = std::iter::successors(page.parent_element(node), |&above| page.parent_element(above));
    above.by_ref().take(DEEP).any(|above| list.binary_search(&above).is_ok()) || above.next().is_some()
}
