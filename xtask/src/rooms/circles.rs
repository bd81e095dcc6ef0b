//! Rooms, or files, that use each other, straight or by way of others.

use std::collections::{BTreeMap, BTreeSet};

type Arrows<'a> = BTreeMap<&'a str, Vec<&'a str>>;

/// The circles of these arrows, each with its members in order of the alphabet.
pub(super) fn circles(arrows: &BTreeSet<(String, String)>) -> Vec<Vec<String>> {
    let mut from: Arrows = BTreeMap::new();
    for (one, to) in arrows {
        from.entry(one).or_default().push(to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> = from.keys().map(|one| (*one, reach(one, &from))).collect();
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|reached| reached.contains(to));
    let mut circles = BTreeSet::new();
    for room in reached.keys().filter(|room| reaches(room, room)) {
        let circle = reached.keys().filter(|other| reaches(room, other) && reaches(other, room));
        circles.insert(circle.map(|room| (*room).to_owned()).collect::<Vec<_>>());
    }
    circles.into_iter().collect()
}

/// What is reached from one by one arrow or more.
fn reach<'a>(from: &'a str, arrows: &Arrows<'a>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(from) = waiting.pop() {
        let next = arrows.get(from).into_iter().flatten();
        waiting.extend(next.filter(|to| reached.insert(**to)));
    }
    reached
}
