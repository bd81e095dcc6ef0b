//! Things near an element that a person would name to point at it: what it is in, what it holds, the heading before it.
//! Each is an element with steps that lead to it alone, from where the search goes on. When such a thing goes, the
//! selector finds nothing, where a place counted from afar would silently find a neighbour.

use super::pricing::{CHILD, HAS, Price, TAG_PREFIX};
use super::search::{CONTEXT, Search, first, unique_name};
use super::syntax::{Combinator, Compound, Simple, Step};
use super::tokens::tokens;

/// Ancestors with a unique name of their own that are tried.
const NAMED: usize = 4;
/// Enough of those that are told by what they hold or by what stands before them, and how far up they are looked for.
const TOLD: usize = 5;
const FAR: usize = 8;
/// Elements inside of one that are looked at, in document order.
const INSIDE: usize = 12;
/// Siblings before one that are looked at.
const BEFORE: usize = 4;

/// A name this cheap is not compared with what the element holds.
const CHEAP: Price = 150;
/// For each element that is passed on the way out.
const FARTHER: Price = 3;

/// The target or something around it, with steps that lead to it alone.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) node: u32,
    pub(super) price: Price,
    pub(super) steps: Vec<Step>,
}

impl Search<'_> {
    /// The nearest things around the target that have a unique name.
    pub(super) fn named_around(&self) -> Vec<Context> {
        let named = self.above().take(CONTEXT).zip(1..).filter_map(|(node, distance)| {
            let (price, compound) = self.unique_name(node)?;
            Some(Context { node, price: price + FARTHER * distance, steps: vec![first(compound)] })
        });
        named.take(NAMED).collect()
    }

    /// The target and what is around it, told by what it holds or by what stands before it.
    pub(super) fn told_around(&self) -> Vec<Context> {
        let mut found = Vec::new();
        let mut inner = None;
        for (node, distance) in std::iter::once(self.node).chain(self.above()).take(FAR).zip(0..) {
            let far = FARTHER * distance;
            if let Some((price, compound)) = self.told_by_inner(node, inner) {
                found.push(Context { node, price: price + far, steps: vec![first(compound)] });
            }
            found.extend(self.after_sibling(node, far));
            if found.len() >= TOLD {
                break;
            }
            inner = Some(node);
        }
        found
    }

    fn unique_name(&self, node: u32) -> Option<(Price, Compound)> {
        let tokens = tokens(self.page, node, 1, self.avoided);
        unique_name(self.page, node, &tokens, self.avoided)
    }

    /// `article:has(h2:text-is("Members"))`: the cheapest unique name of something inside, but outside of `except`.
    fn told_by_inner(&self, holder: u32, except: Option<u32>) -> Option<(Price, Compound)> {
        let end = self.page.subtree(holder).end;
        let mut best: Option<(Price, Compound)> = None;
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
                && best.as_ref().is_none_or(|best| name.0 < best.0)
            {
                best = Some(name);
            }
            at += 1;
        }
        let (price, told) = best?;
        // What holds it must be told from what holds both.
        let tag = self.page.tag(holder);
        let alone = self.page.parent_element(holder).is_none_or(|_| {
            !self.page.element_ancestors(holder).take(CONTEXT).any(|above| self.page.tag(above) == tag)
        });
        let price = price + HAS + if alone { TAG_PREFIX } else { 2 * HAS };
        Some((price, Compound(vec![Simple::Tag(tag.to_owned()), Simple::Has(told)])))
    }

    /// `h2:text-is("Members") + p + table`: from a sibling not far before.
    fn after_sibling(&self, node: u32, far: Price) -> Option<Context> {
        let mut steps = Vec::new();
        let mut price = far;
        let mut at = node;
        for _ in 0..BEFORE {
            let own = Compound(vec![Simple::Tag(self.page.tag(at).to_owned())]);
            steps.push(Step { combinator: Combinator::NextSibling, compound: own });
            price += 2 * CHILD;
            at = self.page.previous_element(at)?;
            let own = self.unique_name(at);
            let held = if own.as_ref().is_some_and(|own| own.0 <= CHEAP) {
                None
            } else {
                self.told_by_inner(at, None)
            };
            if let Some((own, compound)) = own.into_iter().chain(held).min_by_key(|told| told.0) {
                steps.push(first(compound));
                steps.reverse();
                return Some(Context { node, price: price + own, steps });
            }
        }
        None
    }
}
