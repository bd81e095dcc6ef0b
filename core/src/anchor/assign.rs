//! One element for each anchor: what one is surely, no other can be.

use crate::sort;
use std::collections::HashSet;

/// A scored candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scored {
    pub(super) node: u32,
    pub(super) score: f32,
}

/// Drops from each list (best first) the elements that another anchor has a better claim to. Anchors of the same
/// `group` (two comments on one element) do not exclude one another.
pub(super) fn share_out(lists: &mut [Vec<Scored>], groups: &[u64]) {
    let mut claims: Vec<(f32, usize, u32)> = Vec::new();
    for (at, list) in lists.iter().enumerate() {
        claims.extend(list.iter().map(|one| (one.score, at, one.node)));
    }
    sort::by(&mut claims, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut owner: std::collections::HashMap<u32, u64> = std::collections::HashMap::new();
    let mut served: HashSet<usize> = HashSet::new();
    let mut lost: HashSet<(usize, u32)> = HashSet::new();
    for (_, at, node) in claims {
        match owner.get(&node) {
            Some(&group) if group != groups[at] => {
                lost.insert((at, node));
            }
            _ if served.insert(at) => {
                owner.insert(node, groups[at]);
            }
            _ => {}
        }
    }
    for (at, list) in lists.iter_mut().enumerate() {
        list.retain(|one| !lost.contains(&(at, one.node)));
    }
}
