//! What several selectors of one element mean together on another page.

use super::parse::parse;
use super::resolve::resolve_path;
use super::syntax::{Path, Simple};
use crate::page::Page;
use crate::sort;

/// Weights of a selector's vote, by the shakiest thing it rests on.
const BY_NAME: u32 = 4;
const BY_CLASS: u32 = 3;
const BY_PLACE: u32 = 1;

/// What a set of selectors means on a page.
///
/// The rule: each selector that fits exactly one element votes for it, with more weight when it rests on names alone
/// than when it counts places; one that fits none or several votes for nothing. The element with the greatest weight
/// is the set's, unless another has as much.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vote {
    /// The element that the set agrees on; none when nothing was found or two have equal weight.
    pub node: Option<u32>,
    /// Share of the whole set's weight that votes for `node`, 0 to 1; 0 without a node.
    pub support: f32,
    /// The only element that fits the first selector.
    pub first: Option<u32>,
    /// Every element that was voted for with its share, the greatest first.
    pub candidates: Vec<(u32, f32)>,
}

/// What selectors that were made for one element mean on `page`. One that cannot be read has no vote.
#[must_use]
pub fn vote(page: &Page, selectors: &[String]) -> Vote {
    let mut total = 0;
    let mut votes: Vec<(u32, u32)> = Vec::new();
    let mut first = None;
    for (at, selector) in selectors.iter().enumerate() {
        let Ok(path) = parse(selector) else { continue };
        let weight = weight(&path);
        total += weight;
        if let [node] = *resolve_path(page, &path) {
            first = first.or((at == 0).then_some(node));
            match votes.iter_mut().find(|vote| vote.0 == node) {
                Some(vote) => vote.1 += weight,
                None => votes.push((node, weight)),
            }
        }
    }
    sort::by_key(&mut votes, |vote| std::cmp::Reverse(vote.1));
    let share = |weight: u32| weight as f32 / total.max(1) as f32;
    let agreed = match *votes {
        [first] => Some(first),
        [first, second, ..] if first.1 > second.1 => Some(first),
        _ => None,
    };
    Vote {
        node: agreed.map(|(node, _)| node),
        support: agreed.map_or(0.0, |(_, weight)| share(weight)),
        first,
        candidates: votes.iter().map(|&(node, weight)| (node, share(weight))).collect(),
    }
}

fn weight(path: &Path) -> u32 {
    let simples = path.0.iter().flat_map(|segment| &segment.0).flat_map(|step| &step.compound.0);
    simples
        .map(|simple| match simple {
            Simple::Nth { .. } | Simple::Last { .. } => BY_PLACE,
            Simple::Class(_) | Simple::Tag(_) | Simple::Any => BY_CLASS,
            _ => BY_NAME,
        })
        .min()
        .unwrap_or(BY_PLACE)
}
