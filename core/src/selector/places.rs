//! Tells an element by its place: counted among siblings, from the nearest thing with a name.

use super::names::Name;
use super::near::Context;
use super::pricing::{CHILD, COUNTED, LOOSE_PLACE, PLACE, PLACE_AGAIN, POSITION, Price, TAG_PREFIX};
use super::search::{CONTEXT, FILTERED, Found, Pick, Search};
use super::syntax::{Combinator, Compound, Segment, Simple, Step};
use crate::page::{NodeKind, Page};

/// Enough ways by places.
const MOST: usize = 4;
/// Longest chain of children that is shortened from the front.
const SHORTENED: usize = 16;
/// Most elements of which it is asked whether the same chain leads to them.
const RIVALS: usize = 512;

/// How one element of a chain of children is told from its siblings.
#[derive(Clone, Copy, Debug)]
struct Link {
    price: Price,
    node: u32,
    told: Told,
}

#[derive(Clone, Copy, Debug)]
enum Told {
    /// Nothing beside it has its tag.
    Tag,
    Name(usize),
    Place,
}

impl Search<'_> {
    /// A chain of children from the nearest things with a unique name, or from anywhere if it happens to be unique.
    pub(super) fn by_position(&self, contexts: &[Context], found: &mut Found) {
        let mut chain: Vec<Link> = Vec::new();
        let mut ways = 0;
        let mut element = self.node;
        loop {
            chain.push(self.link(element));
            let Some(parent) = self.page.parent_element(element) else { break };
            for context in contexts.iter().filter(|context| context.node == parent) {
                self.by_chain(context, &chain, found);
                ways += 1;
            }
            if ways >= MOST || chain.len() > SHORTENED && ways > 0 || chain.len() > CONTEXT {
                break;
            }
            element = parent;
        }
        chain.truncate(SHORTENED);
        if ways == 0
            && let Some((kept, true)) = self.enough(std::iter::once(self.root), &chain)
            && let Some(part) = chain.get(..kept)
        {
            found.offer(price_of(part), || Segment(self.links(part).collect()));
        }
    }

    fn link(&self, element: u32) -> Link {
        let is_alone = self.page.nth_of_type(element) == 1 && self.page.is_last_of_type(element);
        if is_alone {
            return Link { price: TAG_PREFIX + CHILD, node: element, told: Told::Tag };
        }
        let place = self.page.nth_of_type(element);
        let again = if self.avoided.names.contains(&nth(true, place)) { COUNTED } else { 0 };
        let price = POSITION + PLACE * place.min(20) + again;
        let parent = self.page.parent(element);
        let is_told = |list: &[u32]| {
            let around = parent.map_or(&[][..], |parent| self.page.in_subtree(list, parent));
            around.len() <= FILTERED
                && around.iter().filter(|&&other| self.page.parent(other) == parent).eq([&element])
        };
        let mut names = self.names_of(element).take_while(|(_, name)| name.price < price);
        match names.find(|(_, name)| !name.is_tag() && is_told(name.list(self.page, element))) {
            Some((at, name)) => Link { price: CHILD + name.price, node: element, told: Told::Name(at) },
            None => Link { price: CHILD + price, node: element, told: Told::Place },
        }
    }

    /// `context > a > b > target`, without the front links that are not needed.
    fn by_chain(&self, context: &Context, chain: &[Link], found: &mut Found) {
        let Some((kept, _)) = self.enough(context.all(), chain) else { return };
        let short = if chain.len() <= SHORTENED { chain.get(..kept) } else { None };
        let part = short.filter(|part| part.len() < chain.len());
        let price = match part {
            Some(part) => LOOSE_PLACE + price_of(part),
            None => price_of(chain),
        };
        let counts = part.unwrap_or(chain).iter().any(|link| matches!(link.told, Told::Place));
        let again = if counts { PLACE_AGAIN * self.avoided.places } else { 0 };
        let price = context.price.saturating_add(price).saturating_add(again);
        found.offer(price, || {
            let mut steps = self.steps(context);
            let known = steps.len();
            steps.extend(self.links(part.unwrap_or(chain)));
            if let (Some(_), Some(step)) = (part, steps.get_mut(known)) {
                step.combinator = Combinator::Inside;
            }
            Segment(steps)
        });
    }

    /// How many links, counted from the target, lead to it alone, and whether they do so from anywhere inside of `around`;
    /// if not, all of them from the children of `around`.
    fn enough(&self, around: impl Iterator<Item = u32> + Clone, chain: &[Link]) -> Option<(usize, bool)> {
        let last = chain.first()?;
        let all = match self.name_of(last) {
            Some(name) => name.list(self.page, self.node),
            None => self.page.with_tag_of(self.node),
        };
        // What each rival's own chain has come to.
        let mut rivals = Vec::new();
        for within in around.clone() {
            let inside = self.page.in_subtree(all, within);
            if rivals.len() + inside.len() > RIVALS {
                // Where everything is told from its siblings, a chain from one element is always alone.
                return around.clone().nth(1).is_none().then_some((chain.len(), false));
            }
            rivals.extend(inside.iter().copied().filter(|&node| node != self.node));
        }
        for (link, kept) in chain.iter().zip(1..) {
            if kept > 1 {
                let above = rivals.iter().filter_map(|&node| self.page.parent_element(node));
                rivals = above.collect();
            }
            let is_inside =
                |node: u32| around.clone().any(|within| node != within && self.page.contains(within, node));
            rivals.retain(|&node| self.is_told_so(link, node) && is_inside(node));
            if rivals.is_empty() {
                return Some((kept, true));
            }
        }
        let is_below = |node: u32| around.clone().any(|within| self.page.parent(node) == Some(within));
        (!rivals.into_iter().any(is_below)).then_some((chain.len(), false))
    }

    fn name_of(&self, link: &Link) -> Option<&Name> {
        match link.told {
            Told::Name(at) => self.name(Pick { node: link.node, at }),
            Told::Tag | Told::Place => None,
        }
    }

    /// Whether what the link says is true of another element as well.
    fn is_told_so(&self, link: &Link, other: u32) -> bool {
        let by_tag = || self.page.tag_id(other) == self.page.tag_id(link.node);
        match link.told {
            Told::Tag => by_tag(),
            Told::Place => by_tag() && self.page.nth_of_type(other) == self.page.nth_of_type(link.node),
            Told::Name(_) => self.name_of(link).is_some_and(|name| {
                (!name.wants_tag() || by_tag())
                    && name.list(self.page, link.node).binary_search(&other).is_ok()
            }),
        }
    }

    /// The links, which stand from the target outwards, as steps from the outside in.
    fn links(&self, chain: &[Link]) -> impl Iterator<Item = Step> {
        chain.iter().rev().map(|link| {
            let compound = match link.told {
                Told::Name(at) => self.compound(Pick { node: link.node, at }),
                Told::Tag | Told::Place => {
                    let place = matches!(link.told, Told::Place);
                    let place = place.then(|| nth(true, self.page.nth_of_type(link.node)));
                    let tag = Simple::Tag(self.page.tag(link.node).to_owned());
                    Compound(std::iter::once(tag).chain(place).collect())
                }
            };
            Step { combinator: Combinator::Child, compound }
        })
    }
}

fn price_of(chain: &[Link]) -> Price {
    chain.iter().fold(0, |sum, link| sum.saturating_add(link.price))
}

fn nth(of_type: bool, place: u32) -> Simple {
    Simple::Nth { of_type, a: 0, b: i32::try_from(place).unwrap_or(i32::MAX) }
}

/// The address of last resort, always unique: places from the top of the tree down, among siblings of the same tag or,
/// where tags are told apart by nothing but their letters' case, among all siblings.
pub(super) fn by_places(page: &Page, node: u32, of_type: bool) -> Segment {
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
