//! One element for each anchor: what one is surely, no other can be.

use super::outcome::Scored;
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
/// untouched there, or that is surer of it. A claim that is ambiguous takes none from the anchor at its own place. `sure`: of
/// each list, how likely its first is the element. Anchors of the same `group` (two comments on one element) do not exclude one
/// another. Nodes are below `nodes`.
pub(super) fn share_out(
    lists: &mut [Vec<Scored>],
    sure: &[f32],
    worth: &[Claim],
    groups: &[u64],
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
        b.total_cmp(&a).then(groups[one].cmp(&groups[other])).then(node.cmp(&place))
    });
    let mut owners: Vec<Option<usize>> = vec![None; nodes as usize];
    let mut places: Vec<Option<usize>> = vec![None; nodes as usize];
    for (at, claim) in worth.iter().enumerate() {
        let (of, node) = match *claim {
            Claim::Untouched(node) => (&mut owners, node),
            Claim::AtItsPlace(node) => (&mut places, node),
            Claim::Ambiguous | Claim::Other => continue,
        };
        if let Some(slot) = of.get_mut(node as usize) {
            *slot = Some(at);
        }
    }
    let mut served = vec![false; lists.len()];
    let mut lost: Vec<(usize, u32)> = Vec::new();
    for (at, node, _) in claims {
        let owner = &mut owners[node as usize];
        let place = places[node as usize].filter(|_| worth[at] == Claim::Ambiguous);
        if owner.or(place).is_some_and(|owner| groups[owner] != groups[at]) {
            lost.push((at, node));
        } else if !served[at] {
            served[at] = true;
            *owner = Some(at);
        }
    }
    for (at, node) in lost {
        lists[at].retain(|one| one.node != node);
    }
}
