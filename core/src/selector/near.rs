//! Things near an element that a person would name to point at it: what it is in, what it holds, the heading before it.
//! Each is an element with steps that lead to it alone, from where the search goes on. When such a thing goes, the
//! selector finds nothing, where a place counted from afar would silently find a neighbour.

use super::pricing::{
    FARTHER_SIBLING, HAS, HAS_AGAIN, HAS_SEVERAL, Price, SIBLING, SIBLING_AGAIN, TAG_PREFIX,
};
use super::search::{CONTEXT, Pick, Search, first};
use super::syntax::{Combinator, Compound, Simple, Step};

/// Ancestors with a unique name of their own that are tried.
const NAMED: usize = 4;
/// Enough of those that are told by what they hold or by what stands before them, and how far up they are looked for.
const TOLD: usize = 5;
const FAR: usize = 8;
/// Elements inside of one that are looked at, in document order.
pub(super) const INSIDE: usize = 12;
/// Siblings before one that are looked at.
pub(super) const BEFORE: u32 = 4;

/// Levels above a holder that are looked at.
const DEEP: usize = 64;

/// A name this cheap is not compared with what the element holds.
const CHEAP: Price = 150;
/// For each element that is passed on the way out.
const FARTHER: Price = 3;

/// The target or something around it, with a way that leads to it.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) node: u32,
    pub(super) price: Price,
    /// Itself or a sibling before it, of which `told` is a name, or the name of something inside.
    from: u32,
    told: Pick,
    /// What else the way leads to: whatever holds the holder holds what it holds.
    others: Vec<u32>,
}

impl Context {
    /// Everything that the way leads to.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> + Clone {
        std::iter::once(self.node).chain(self.others.iter().copied())
    }

    pub(super) fn is_alone(&self) -> bool {
        self.others.is_empty()
    }
}

impl Search<'_> {
    /// The way to a context.
    pub(super) fn steps(&self, context: &Context) -> Vec<Step> {
        let tag = |node: u32| Simple::Tag(self.page.tag(node).to_owned());
        let told = self.compound(context.told);
        let mut steps = vec![first(if context.told.node == context.from {
            told
        } else {
            Compound(vec![tag(context.from), Simple::Has(told)])
        })];
        steps.extend(self.siblings_from(context.from, context.node));
        steps
    }

    /// The steps from a sibling before an element to it.
    pub(super) fn siblings_from(&self, from: u32, to: u32) -> impl Iterator<Item = Step> {
        let mut at = from;
        std::iter::from_fn(move || {
            at = self.page.next_element(at).filter(|_| at != to)?;
            let tag = Simple::Tag(self.page.tag(at).to_owned());
            Some(Step { combinator: Combinator::NextSibling, compound: Compound(vec![tag]) })
        })
    }

    /// The nearest things around the target that have a unique name.
    pub(super) fn named_around(&self) -> Vec<Context> {
        let named = self.above().take(CONTEXT).zip(1..).filter_map(|(node, distance)| {
            let (price, told) = self.unique_name(node)?;
            Some(Context { node, price: price + FARTHER * distance, from: node, told, others: Vec::new() })
        });
        named.take(NAMED).collect()
    }

    /// The target and what is around it, told by what it holds or by what stands before it.
    pub(super) fn told_around(&self) -> Vec<Context> {
        let mut found = Vec::new();
        let mut inner = None;
        for (node, distance) in std::iter::once(self.node).chain(self.above()).take(FAR).zip(0..) {
            let far = FARTHER * distance;
            if let Some((price, told)) = self.told_by_inner(node, inner) {
                found.extend(self.context(node, price + far, node, told));
            }
            found.extend(self.after_sibling(node, far));
            if found.len() >= TOLD {
                break;
            }
            inner = Some(node);
        }
        found
    }

    /// `article:has(h2:text-is("Members"))`: the cheapest unique name of something inside, but outside of `except`.
    fn told_by_inner(&self, holder: u32, except: Option<u32>) -> Option<(Price, Pick)> {
        let end = self.page.subtree(holder).end;
        let mut best: Option<(Price, Pick)> = None;
        let mut at = holder + 1;
        for _ in 0..INSIDE {
            if at >= end {
                break;
            }
            if Some(at) == except {
                at = self.page.subtree(at).end;
                continue;
            }
            if self.page.is_element(at)
                && self.page.root(at) == Some(self.root)
                && let Some(name) = self.unique_name(at)
                && best.is_none_or(|best| name.0 < best.0)
            {
                best = Some(name);
            }
            at += 1;
        }
        let (price, told) = best?;
        Some((price + HAS + HAS_AGAIN * self.avoided.holders + TAG_PREFIX, told))
    }

    /// The context with what else its way leads to; none where that is beyond counting.
    fn context(&self, node: u32, price: Price, from: u32, told: Pick) -> Option<Context> {
        let mut context = Context { node, price, from, told, others: Vec::new() };
        if told.node == from {
            return Some(context);
        }
        let tag = self.page.tag_id(from);
        let parent = self.page.parent_element(told.node);
        let mut above = std::iter::successors(parent, |&one| self.page.parent_element(one));
        let is_other = |&one: &u32| one != from && self.page.tag_id(one) == tag;
        for one in above.by_ref().take(DEEP).filter(is_other) {
            context.price = price + HAS_SEVERAL;
            let (mut here, mut there) = (from, Some(one));
            while let Some(at) = there
                && here != node
            {
                let (Some(next), other) = (self.page.next_element(here), self.page.next_element(at)) else {
                    break;
                };
                here = next;
                there = other.filter(|&other| self.page.tag_id(other) == self.page.tag_id(here));
            }
            context.others.extend(there);
        }
        above.next().is_none().then_some(context)
    }

    /// `h2:text-is("Members") + p + table`: from a sibling not far before.
    fn after_sibling(&self, node: u32, far: Price) -> Option<Context> {
        let mut price = far + SIBLING_AGAIN * self.avoided.siblings;
        let mut from = node;
        for passed in 0..BEFORE {
            price += if passed == 0 { SIBLING } else { FARTHER_SIBLING };
            from = self.page.previous_element(from)?;
            let own = self.unique_name(from);
            let held = match own {
                Some(own) if own.0 <= CHEAP => None,
                _ => self.told_by_inner(from, None),
            };
            if let Some((own, told)) = own.into_iter().chain(held).min_by_key(|told| told.0) {
                return self.context(node, price + own, from, told);
            }
        }
        None
    }
}
