//! Tells an element by its place: counted among siblings, from the nearest thing with a name.

use super::link::{Link, is_alone_of_type, nth};
use super::matching::counted;
use super::near::Context;
use super::pricing::{LOOSE_PLACE, PLACE_AGAIN, Price};
use super::search::{CONTEXT, Found, Search};
use super::syntax::{Combinator, Compound, Place, Segment, Simple, Step};
use crate::page::{NodeKind, Page};

/// Enough ways by places.
const MOST: usize = 4;
/// Longest chain of children that is shortened from the front.
const SHORTENED: usize = 16;
/// Most elements of which it is asked whether the same chain leads to them.
const RIVALS: usize = 512;

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

    /// `context > a > b > target`, without the front links that are not needed.
    fn by_chain(&self, context: &Context, chain: &[Link], found: &mut Found) {
        let Some((kept, _)) = self.enough(context.all(), chain) else { return };
        let short = if chain.len() <= SHORTENED { chain.get(..kept) } else { None };
        let part = short.filter(|part| part.len() < chain.len());
        let price = match part {
            Some(part) => LOOSE_PLACE + price_of(part),
            None => price_of(chain),
        };
        let counts = part.unwrap_or(chain).iter().any(Link::is_place);
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

    /// How many links, counted from the target, lead to it alone, and whether they do so from anywhere inside of
    /// `around`; if not, all of them from the children of `around`.
    fn enough(&self, around: impl Iterator<Item = u32> + Clone, chain: &[Link]) -> Option<(usize, bool)> {
        let last = chain.first()?;
        let all = self.named_by(last).unwrap_or_else(|| self.page.with_tag_of(self.node));
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
}

fn price_of(chain: &[Link]) -> Price {
    chain.iter().fold(0, |sum, link| sum.saturating_add(link.price))
}

/// The address of last resort, always unique: places from the top of the tree down, among siblings of the same tag or,
/// where tags are told apart by nothing but their letters' case, among all siblings.
pub(super) fn by_places(page: &Page, node: u32, of_type: bool) -> Segment {
    let in_document = page.root(node).and_then(|root| page.kind(root)) == Some(NodeKind::Document);
    let mut steps = Vec::new();
    let mut element = Some(node);
    while let Some(this) = element {
        element = page.parent_element(this);
        let is_alone = of_type && is_alone_of_type(page, this);
        let is_only = element.is_none() && page.nth_child(this) == 1 && page.nth_last_child(this) == 1;
        let mut simples = Vec::new();
        if !(is_only && in_document) {
            simples.push(if of_type { Simple::Tag(page.tag(this).to_owned()) } else { Simple::Any });
            match (of_type, is_alone) {
                (true, true) => {}
                _ => {
                    let place = Place { of_type, from_end: false };
                    simples.push(nth(place, counted(page, this, place)));
                }
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
