//! Tells an element by its place: counted among siblings, from the nearest thing with a name.

use super::near::Context;
use super::pricing::{CHILD, COUNTED, LOOSE_PLACE, PLACE, POSITION, Price, TAG_PREFIX};
use super::search::{CONTEXT, FILTERED, Priced, Search, named_by};
use super::syntax::{Combinator, Compound, Segment, Simple, Step};
use super::tokens::tokens;
use crate::page::{NodeKind, Page};

/// Enough ways by places.
const MOST: usize = 4;
/// Longest chain of children that is shortened from the front.
const SHORTENED: usize = 16;

impl Search<'_> {
    /// A chain of children from the nearest things with a unique name, or from anywhere if it happens to be unique.
    pub(super) fn by_position(&self, contexts: &[Context], found: &mut Vec<Priced>) {
        let before = found.len();
        let mut chain: Vec<Link> = Vec::new();
        let mut element = self.node;
        loop {
            chain.push(self.link(element));
            let Some(parent) = self.page.parent_element(element) else { break };
            for context in contexts.iter().filter(|context| context.node == parent) {
                found.extend(self.shortened(context, &chain));
            }
            if found.len() >= before + MOST {
                break;
            }
            if chain.len() > SHORTENED && found.len() > before || chain.len() > CONTEXT {
                break;
            }
            element = parent;
        }
        if found.len() == before {
            found.extend(self.free(&chain));
        }
    }

    /// How one element of the chain is told from its siblings.
    fn link(&self, element: u32) -> Link {
        let tag = self.page.tag(element);
        let is_alone = self.page.nth_of_type(element) == 1 && self.page.is_last_of_type(element);
        if is_alone {
            return Link { price: TAG_PREFIX + CHILD, compound: Compound(vec![Simple::Tag(tag.to_owned())]) };
        }
        let parent = self.page.parent(element);
        let named = tokens(self.page, element, usize::MAX, self.avoided).into_iter().find(|token| {
            let around = parent.map_or(&[][..], |parent| self.page.in_subtree(&token.list, parent));
            around.len() <= FILTERED
                && around.iter().filter(|&&other| self.page.parent(other) == parent).eq([&element])
        });
        let place = self.page.nth_of_type(element);
        let counted = nth(true, place);
        let again = if self.avoided.names.contains(&counted) { COUNTED } else { 0 };
        let price = POSITION + PLACE * place.min(20) + again;
        match named.filter(|token| token.price < price) {
            Some(token) => {
                Link { price: CHILD + token.price, compound: named_by(self.page, element, &token) }
            }
            None => {
                Link { price: CHILD + price, compound: Compound(vec![Simple::Tag(tag.to_owned()), counted]) }
            }
        }
    }

    /// `context > a > b > target`, without the front links that are not needed.
    fn shortened(&self, context: &Context, chain: &[Link]) -> Option<Priced> {
        let whole = Segment(context.steps.iter().cloned().chain(links(chain)).collect());
        if chain.len() > SHORTENED {
            return Some(Priced { price: context.price + price_of(chain), segment: whole });
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
            let segment = Segment(context.steps.iter().cloned().chain(steps).collect());
            if self.is_alone(&segment) {
                return Some(Priced { price: context.price + LOOSE_PLACE + price_of(part), segment });
            }
        }
        Some(Priced { price: context.price + price_of(chain), segment: whole })
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
            let unique = self.is_alone(&segment);
            unique.then(|| Priced { price: price_of(part), segment })
        })
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
