//! How one element of a chain of children is told from its siblings: by its tag, a name, a sibling before it, what it
//! holds, or its place.

use super::matching::counted;
use super::names::Name;
use super::near::{BEFORE, INSIDE};
use super::pricing::{
    CHILD, COUNTED, FARTHER_SIBLING, FROM_END, HAS, HAS_AGAIN, PLACE, POSITION, Price, SIBLING,
    SIBLING_AGAIN, TAG_PREFIX,
};
use super::search::{FILTERED, Pick, Search, with_tag};
use super::syntax::{Combinator, Compound, Place, Simple, Step};
use crate::page::Page;

/// From this place on one is as good as the next.
const FAR_PLACE: u32 = 20;

/// One element of a chain, and what tells it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) price: Price,
    pub(super) node: u32,
    told: Told,
}

#[derive(Clone, Copy, Debug)]
enum Told {
    /// Nothing beside it has its tag.
    Tag,
    /// No sibling has this name, by its place among those of the element.
    Name(usize),
    Place(Place),
    /// A sibling so many elements before it has a name that no other sibling has.
    After(Pick, u32),
    /// None of its siblings holds something with this name.
    Holds(Pick),
}

impl Link {
    /// Whether a place is counted.
    pub(super) fn is_place(&self) -> bool {
        matches!(self.told, Told::Place(_))
    }
}

impl Search<'_> {
    /// The cheapest way to tell an element from its siblings.
    pub(super) fn link(&self, node: u32) -> Link {
        if is_alone_of_type(self.page, node) {
            return Link { price: TAG_PREFIX + CHILD, node, told: Told::Tag };
        }
        let [first, last] = [false, true].map(|from_end| self.by_place(node, from_end));
        let mut best = if last.price < first.price { last } else { first };
        if let Some((price, at)) = self.name_among_siblings(node, CHILD, best.price) {
            best = Link { price, node, told: Told::Name(at) };
        }
        best = self.after_told_sibling(node, best.price).unwrap_or(best);
        self.by_held(node, best.price).unwrap_or(best)
    }

    /// `li:nth-of-type(2)` or `li:nth-last-of-type(2)`: the nearer end is the safer, as less can come between.
    fn by_place(&self, node: u32, from_end: bool) -> Link {
        let place = Place { of_type: true, from_end };
        let count = counted(self.page, node, place);
        let again = if self.avoided.names.contains(&nth(place, count)) { COUNTED } else { 0 };
        let end = if from_end { FROM_END } else { 0 };
        let price = CHILD + POSITION + end + PLACE * count.min(FAR_PLACE) + again;
        Link { price, node, told: Told::Place(place) }
    }

    /// The cheapest name besides its tag that an element alone of its siblings has, where that and `more` cost less
    /// than `below`.
    fn name_among_siblings(&self, node: u32, more: Price, below: Price) -> Option<(Price, usize)> {
        let parent = self.page.parent(node)?;
        let is_told = |list: &[u32]| {
            let around = self.page.in_subtree(list, parent);
            around.len() <= FILTERED
                && around.iter().filter(|&&other| self.page.parent(other) == Some(parent)).eq([&node])
        };
        let mut cheaper = self.names_of(node).take_while(|(_, name)| more + name.price < below);
        cheaper
            .find(|(_, name)| !name.is_tag() && is_told(name.list(self.page, node)))
            .map(|(at, name)| (more + name.price, at))
    }

    /// `dt:text-is("Name") + dd`: after a sibling that is told from all others.
    fn after_told_sibling(&self, node: u32, mut below: Price) -> Option<Link> {
        let mut best = None;
        let mut more = CHILD + SIBLING + SIBLING_AGAIN * self.avoided.siblings;
        let mut before = node;
        for distance in 1..=BEFORE {
            let Some(next) = self.page.previous_element(before).filter(|_| more < below) else { break };
            before = next;
            if let Some((price, at)) = self.name_among_siblings(before, more, below) {
                below = price;
                best = Some(Link { price, node, told: Told::After(Pick { node: before, at }, distance) });
            }
            more += FARTHER_SIBLING;
        }
        best
    }

    /// `li:has(a[href="/about"])`: by something inside that none of its siblings holds. What is on the way to the
    /// target, or is the target, would only be said twice.
    fn by_held(&self, node: u32, mut below: Price) -> Option<Link> {
        let parent = self.page.parent(node)?;
        let more = CHILD + HAS + TAG_PREFIX + HAS_AGAIN * self.avoided.holders;
        let mut best = None;
        for held in self.page.subtree(node).skip(1).take(INSIDE) {
            if more >= below {
                break;
            }
            let is_apart = !self.page.subtree(held).contains(&self.node);
            if !is_apart || !self.page.is_element(held) || self.page.root(held) != Some(self.root) {
                continue;
            }
            let is_told = |name: &Name| {
                let list = name.list(self.page, held);
                let inside = self.page.in_subtree(list, node).len();
                inside > 0 && self.page.in_subtree(list, parent).len() == inside
            };
            let price = |name: &Name| more + with_tag(name);
            let mut names = self.names_of(held).filter(|(_, name)| price(name) < below);
            if let Some((at, name)) = names.find(|(_, name)| is_told(name)) {
                below = price(name);
                best = Some(Link { price: below, node, told: Told::Holds(Pick { node: held, at }) });
            }
        }
        best
    }

    /// All elements that a link's own name leads to, if it is told by one.
    pub(super) fn named_by(&self, link: &Link) -> Option<&[u32]> {
        match link.told {
            Told::Name(at) => {
                self.name(Pick { node: link.node, at }).map(|name| name.list(self.page, link.node))
            }
            _ => None,
        }
    }

    /// Whether what the link says is true of another element as well.
    pub(super) fn is_told_so(&self, link: &Link, other: u32) -> bool {
        let by_tag = || self.page.tag_id(other) == self.page.tag_id(link.node);
        match link.told {
            Told::Tag => by_tag(),
            Told::Place(place) => {
                by_tag() && counted(self.page, other, place) == counted(self.page, link.node, place)
            }
            Told::Name(at) => self.has_name(Pick { node: link.node, at }, other),
            Told::After(told, distance) => {
                let (mut here, mut there) = (link.node, other);
                for _ in 0..distance {
                    let before = self.page.previous_element(here).zip(self.page.previous_element(there));
                    match before {
                        Some(before) if self.page.tag_id(here) == self.page.tag_id(there) => {
                            (here, there) = before;
                        }
                        _ => return false,
                    }
                }
                self.has_name(told, there)
            }
            Told::Holds(told) => {
                let is_inside =
                    |name: &Name| !self.page.in_subtree(name.list(self.page, told.node), other).is_empty();
                by_tag() && self.name(told).is_some_and(is_inside)
            }
        }
    }

    /// Whether another element would fit a name, written with its tag where a reader wants it.
    fn has_name(&self, pick: Pick, other: u32) -> bool {
        self.name(pick).is_some_and(|name| {
            (!name.wants_tag() || self.page.tag_id(other) == self.page.tag_id(pick.node))
                && name.list(self.page, pick.node).binary_search(&other).is_ok()
        })
    }

    /// The links, which stand from the target outwards, as steps from the outside in.
    pub(super) fn links(&self, chain: &[Link]) -> impl Iterator<Item = Step> {
        chain.iter().rev().flat_map(|link| self.link_steps(link))
    }

    fn link_steps(&self, link: &Link) -> Vec<Step> {
        let tag = || Simple::Tag(self.page.tag(link.node).to_owned());
        let compound = match link.told {
            Told::Name(at) => self.compound(Pick { node: link.node, at }),
            Told::Tag => Compound(vec![tag()]),
            Told::Place(place) => Compound(vec![tag(), nth(place, counted(self.page, link.node, place))]),
            Told::After(told, _) => self.compound(told),
            Told::Holds(told) => Compound(vec![tag(), Simple::Has(self.compound(told))]),
        };
        let mut steps = vec![Step { combinator: Combinator::Child, compound }];
        if let Told::After(told, _) = link.told {
            steps.extend(self.siblings_from(told.node, link.node));
        }
        steps
    }
}

pub(super) fn nth(place: Place, count: u32) -> Simple {
    Simple::Nth { place, a: 0, b: i32::try_from(count).unwrap_or(i32::MAX) }
}

pub(super) fn is_alone_of_type(page: &Page, node: u32) -> bool {
    page.nth_of_type(node) == 1 && page.nth_last_of_type(node) == 1
}
