//! One element for each anchor: what one is surely, no other can be.

use crate::sort;

/// A scored candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scored {
    pub(super) node: u32,
    pub(super) score: f32,
}

/// Drops from each list (best first) the elements that another anchor has a better claim to. Anchors of the same
/// `group` (two comments on one element) do not exclude one another. Nodes are below `nodes`.
pub(super) fn share_out(lists: &mut [Vec<Scored>], groups: &[u64], nodes: u32) {
    let mut claims: Vec<(usize, Scored)> = Vec::new();
    for (at, list) in lists.iter().enumerate() {
        claims.extend(list.iter().map(|&one| (at, one)));
    }
    // Stable: of equal claims the earlier anchor's goes first.
    sort::by(&mut claims, |(_, a), (_, b)| b.score.total_cmp(&a.score));
    let mut owners: Vec<Option<usize>> = vec![None; nodes as usize];
    let mut served = vec![false; lists.len()];
    let mut lost: Vec<(usize, u32)> = Vec::new();
    for (at, Scored { node, .. }) in claims {
        let owner = &mut owners[node as usize];
        if owner.is_some_and(|owner| groups[owner] != groups[at]) {
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
