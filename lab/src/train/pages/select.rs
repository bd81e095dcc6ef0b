//! Which of the known elements are looked for on a pair.

use std::collections::HashMap;

use super::document::{Document, Region};
use super::gone::Gone;
use super::keys::Kind;
use super::matched::{Match, Matched, is_same};
use super::texts;
use super::withhold::Mode;
use crate::train::random::Random;

/// Most elements of a pair that are there, and that are gone.
const PRESENT: usize = 46;
const GONE: usize = 14;
/// Most of those that are there as they were, in the same surroundings: they teach nothing.
const SAME: usize = 6;
/// Most gone elements of one part.
const GONE_TOGETHER: usize = 3;

/// One element that is looked for.
pub(super) struct Target {
    pub(super) old: usize,
    pub(super) new: Option<usize>,
    /// How it is known, as the corpus says it.
    pub(super) kind: &'static str,
}

/// A seeded choice: some of each way of knowing, and few that every page of the project has.
pub(super) fn choose(
    (old, new): (&Document, &Document),
    matched: &Matched,
    gone: &[Gone],
    mode: Mode,
    name: &str,
    seen: &mut HashMap<u64, usize>,
) -> Vec<Target> {
    let mut random = Random::of_text(0x7061_6765, name);
    let versions = name.rsplit_once('_').map_or(name, |(versions, _)| versions);
    let who = |at: usize| {
        let element = &old.elements[at];
        let class = element.attribute("class").unwrap_or("");
        let says: String = element.text.chars().take(60).collect();
        texts::hash(&format!("{versions} {} {class} {says}", element.tag))
    };
    let is_new = |at: usize| {
        let most = if old.elements[at].text.is_empty() { 3 } else { 1 };
        old.elements[at].visible && seen.get(&who(at)).copied().unwrap_or(0) < most
    };
    let mut ways: HashMap<&'static str, Vec<Target>> = HashMap::new();
    for (&at, one) in &matched.pairs {
        if is_new(at) && mode.allows(one) {
            let kind = way(old, at, one);
            ways.entry(kind).or_default().push(Target { old: at, new: Some(one.new), kind });
        }
    }
    let mut ways: Vec<_> = ways.into_iter().collect();
    ways.sort_by_key(|(kind, _)| *kind);
    let mut chosen: Vec<Target> = Vec::new();
    for (kind, mut targets) in ways {
        random.shuffle(&mut targets);
        targets.truncate(most(kind));
        chosen.extend(targets);
    }
    random.shuffle(&mut chosen);
    let mut same = 0;
    chosen.retain(|target| {
        same += usize::from(target.new.is_some_and(|there| is_same(old, target.old, new, there)));
        same <= SAME || !target.new.is_some_and(|there| is_same(old, target.old, new, there))
    });
    chosen.truncate(PRESENT);
    let mut lost: Vec<&Gone> = gone.iter().filter(|gone| is_new(gone.at)).collect();
    random.shuffle(&mut lost);
    let mut together: HashMap<usize, usize> = HashMap::new();
    lost.retain(|gone| {
        let count = together.entry(gone.with).or_default();
        *count += 1;
        *count <= GONE_TOGETHER
    });
    chosen.extend(lost.iter().take(GONE).map(|gone| Target { old: gone.at, new: None, kind: "gone" }));
    chosen.sort_by_key(|target| target.old);
    for target in &chosen {
        *seen.entry(who(target.old)).or_default() += 1;
    }
    chosen
}

fn way(old: &Document, at: usize, one: &Match) -> &'static str {
    match one.kinds.first() {
        Some(Kind::Id) => "id",
        Some(Kind::Name) => "name",
        Some(Kind::LabelOf) => "for",
        Some(Kind::Controls) => "control",
        Some(Kind::Address) if old.elements[at].region == Region::Main => "href",
        Some(Kind::Address) => "href-menu",
        Some(Kind::Source) => "src",
        Some(Kind::Text) => "text",
        None => "derived",
    }
}

/// Most of one way of knowing: equal texts are many, and easy.
fn most(kind: &str) -> usize {
    match kind {
        "id" => 18,
        "derived" => 14,
        "href" | "href-menu" | "name" | "src" => 10,
        _ => 6,
    }
}
