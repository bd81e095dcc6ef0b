//! One element for each anchor: what one is surely, no other can be.

use super::identity::Identity;
use super::scored::Scored;
use crate::sort;

/// What an anchor's claims are worth.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// It was found untouched there.
    Untouched(u32),
    /// It is as it was at its own place there, whatever others say.
    AtItsPlace(u32),
    /// Nothing but the others tells which element it is.
    Ambiguous,
    /// By how sure it is.
    Other,
}

/// Drops from each list (best first) the elements that another anchor has a better claim to: one that was found
/// untouched there, or that is surer of it. A claim that is ambiguous takes none from the anchor at its own place.
/// `sure`: of each list, how likely its first is the element. Anchors that may be of one element do not exclude one
/// another: `identities`, one for each list. Nodes are below `nodes`.
pub(super) fn share_out(
    lists: &mut [Vec<Scored>],
    sure: &[f32],
    worth: &[Claim],
    identities: &[Identity<'_>],
    nodes: u32,
) {
    let mut claims: Vec<(usize, u32, f32)> = Vec::new();
    for (at, list) in lists.iter().enumerate() {
        let best = list.first().map_or(0.0, |best| best.fit);
        // Fits of different anchors do not compare; how sure each is of its best does.
        let sure = sure.get(at).copied().unwrap_or(0.0);
        claims.extend(list.iter().map(|one| (at, one.node, sure * (one.fit - best).exp())));
    }
    // In an order that does not depend on the anchors' own.
    sort::by(&mut claims, |&(one, node, a), &(other, place, b)| {
        b.total_cmp(&a).then(identities[one].key.cmp(&identities[other].key)).then(node.cmp(&place))
    });
    let mut owners = Owners::new(lists.len(), nodes);
    let mut places = Owners::new(lists.len(), nodes);
    for (at, claim) in worth.iter().enumerate() {
        let (of, node) = match *claim {
            Claim::Untouched(node) => (&mut owners, node),
            Claim::AtItsPlace(node) => (&mut places, node),
            Claim::Ambiguous | Claim::Other => continue,
        };
        of.add(node, at);
    }
    let mut served: Vec<bool> = worth.iter().map(|claim| matches!(claim, Claim::Untouched(_))).collect();
    let mut lost: Vec<(usize, u32)> = Vec::new();
    for (at, node, _) in claims {
        let is_another = |owner: usize| !identities[owner].may_be(&identities[at]);
        let is_at_place = worth[at] == Claim::Ambiguous && places.of(node).any(is_another);
        if is_at_place || owners.of(node).any(is_another) {
            lost.push((at, node));
        } else if !served[at] {
            served[at] = true;
            owners.add(node, at);
        }
    }
    for (at, node) in lost {
        lists[at].retain(|one| one.node != node);
    }
}

/// The anchors that each node belongs to: several when those may be of one element.
struct Owners {
    /// By node: the last of its anchors.
    last: Vec<Option<usize>>,
    /// By anchor: the one of the same node before it.
    before: Vec<Option<usize>>,
}

impl Owners {
    fn new(anchors: usize, nodes: u32) -> Self {
        Self { last: vec![None; nodes as usize], before: vec![None; anchors] }
    }

    /// Each anchor is added once.
    fn add(&mut self, node: u32, anchor: usize) {
        if let (Some(last), Some(before)) = (self.last.get_mut(node as usize), self.before.get_mut(anchor)) {
            *before = last.replace(anchor);
        }
    }

    fn of(&self, node: u32) -> impl Iterator<Item = usize> {
        let last = self.last.get(node as usize).copied().flatten();
        std::iter::successors(last, |&anchor| self.before.get(anchor).copied().flatten())
    }
}
