//! Rooms that use each other, straight or by way of others.

use std::collections::{BTreeMap, BTreeSet};

/// The circles of these arrows, each with its rooms in order of the alphabet.
pub(super) fn circles(arrows: &BTreeSet<(String, String)>) -> Vec<Vec<String>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        arrows.iter().map(|(from, _)| (from.as_str(), reach(from, arrows))).collect();
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|reached| reached.contains(to));
    let mut circles = BTreeSet::new();
    for room in reached.keys().filter(|room| reaches(room, room)) {
        let circle = reached.keys().filter(|other| reaches(room, other) && reaches(other, room));
        circles.insert(circle.map(|room| (*room).to_owned()).collect::<Vec<_>>());
    }
    circles.into_iter().collect()
}

/// What is reached from a room by one arrow or more.
fn reach<'a>(from: &str, arrows: &'a BTreeSet<(String, String)>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from.to_owned()];
    while let Some(from) = waiting.pop() {
        let next = arrows.iter().filter(|(one, _)| *one == from).map(|(_, to)| to.as_str());
        waiting.extend(next.filter(|to| reached.insert(*to)).map(str::to_owned));
    }
    reached
}
