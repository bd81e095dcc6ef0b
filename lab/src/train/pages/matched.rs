//! Which element of the older page is which of the newer one, by the keys of both.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::document::{Document, Element, Group};
use super::keys::{self, KINDS, Kind};

/// Largest part of a page that one key names: what holds half of the page says little.
const LARGEST: usize = 400;

/// One element on both pages.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pub(super) new: usize,
    /// The keys that say so; none for what only follows from others.
    pub(super) kinds: Vec<Kind>,
}

/// What is known of two versions. No element of either page is in it twice.
#[derive(Debug, Default)]
pub(super) struct Matched {
    /// By the element of the older page.
    pub(super) pairs: BTreeMap<usize, Match>,
    back: HashMap<usize, usize>,
    /// Elements of which two keys say different things: nothing is known of them.
    pub(super) disputed: HashSet<usize>,
}

impl Matched {
    pub(super) fn new_of(&self, old: usize) -> Option<usize> {
        self.pairs.get(&old).map(|one| one.new)
    }

    pub(super) fn is_taken(&self, new: usize) -> bool {
        self.back.contains_key(&new)
    }

    /// Adds what follows from others, unless either is taken.
    pub(super) fn add(&mut self, old: usize, new: usize) -> bool {
        let free = !self.pairs.contains_key(&old) && !self.is_taken(new) && !self.disputed.contains(&old);
        if free {
            self.pairs.insert(old, Match { new, kinds: Vec::new() });
            self.back.insert(new, old);
        }
        free
    }

    /// Of the elements that are known, how many are not as they were: 0 to 1.
    pub(super) fn changed(&self, old: &Document, new: &Document) -> f32 {
        let changed = self.pairs.iter().filter(|(at, one)| !is_same(old, **at, new, one.new)).count();
        changed as f32 / self.pairs.len().max(1) as f32
    }

    fn offer(&mut self, old: usize, new: usize, kind: Kind) {
        let before = self.back.get(&new).copied();
        match self.pairs.get_mut(&old) {
            Some(have) if have.new == new => have.kinds.push(kind),
            // Of a whole text it is not said that it cannot move to another element; of an id it is.
            Some(_) if kind == Kind::Text => {}
            Some(_) => drop(self.disputed.insert(old)),
            None if before.is_some() && kind == Kind::Text => {}
            None => {
                if let Some(before) = before {
                    self.disputed.extend([before, old]);
                }
                self.pairs.insert(old, Match { new, kinds: vec![kind] });
                self.back.insert(new, old);
            }
        }
    }

    fn settle(&mut self) {
        for old in &self.disputed {
            if let Some(gone) = self.pairs.remove(old) {
                self.back.remove(&gone.new);
            }
        }
    }
}

/// What the keys say that stand once on both pages, where nothing speaks against them.
pub(super) fn by_keys(old: &Document, new: &Document) -> Matched {
    let mut matched = Matched::default();
    for kind in KINDS {
        let after = keys::unique(new, kind);
        let mut before: Vec<(String, usize)> = keys::unique(old, kind).into_iter().collect();
        before.sort_by_key(|(_, at)| *at);
        for (key, at) in before {
            let Some(&there) = after.get(&key) else { continue };
            if is_credible(&old.elements[at], &new.elements[there], kind) {
                matched.offer(at, there, kind);
            }
        }
    }
    matched.settle();
    matched
}

/// Nothing of the element and of what is next to it changed.
pub(super) fn is_same(old: &Document, at: usize, new: &Document, there: usize) -> bool {
    let (one, other) = (&old.elements[at], &new.elements[there]);
    let kin = |page: &Document, at: usize| {
        let about = |kid: Option<usize>| kid.map(|kid| page.elements[kid].text.clone());
        page.place(at).map(|(parent, place)| {
            let (above, kids) = (&page.elements[parent], &page.elements[parent].kids);
            let before = about(place.checked_sub(1).and_then(|before| kids.get(before).copied()));
            let after = about(kids.get(place + 1).copied());
            (above.tag.clone(), above.attribute("class").map(str::to_owned), place, before, after)
        })
    };
    one.tag == other.tag
        && one.attributes == other.attributes
        && one.text == other.text
        && one.kids.len() == other.kids.len()
        && kin(old, at) == kin(new, there)
}

/// Whether two elements with the same key are one: a key can be given to something else.
fn is_credible(old: &Element, new: &Element, kind: Kind) -> bool {
    let same_region = old.region == new.region;
    let both_say = !old.text.is_empty() && !new.text.is_empty();
    old.is_akin(new)
        && match kind {
            Kind::Id => {
                let is_control = old.group() == Group::Control;
                let is_blank = old.group() == Group::Text && old.text.is_empty();
                old.says_alike(new, 0.25) && (same_region || is_control) && old.size <= LARGEST && !is_blank
            }
            Kind::Name => {
                let what = |element: &Element| element.attribute("type").unwrap_or("text").to_owned();
                old.tag == new.tag && (what(old) == what(new))
            }
            Kind::LabelOf => old.tag == new.tag && old.says_alike(new, 0.2),
            Kind::Controls => old.tag == new.tag && (old.text == new.text || old.says_alike(new, 0.01)),
            Kind::Address => same_region && (old.text == new.text || both_say && old.says_alike(new, 0.3)),
            Kind::Source => same_region,
            Kind::Text => old.tag == new.tag && same_region,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(old: &str, new: &str, text: &str) -> Option<String> {
        let (old, new) = (Document::of_body(old), Document::of_body(new));
        let matched = by_keys(&old, &new);
        let there = matched.new_of(old.by_text(text)?)?;
        Some(new.elements[there].text.clone())
    }

    #[test]
    fn what_has_the_same_id_is_the_same() {
        let new = "<p>Another</p><p id=note>Read the whole note</p>";
        assert_eq!(
            found("<p id=note>Read the note</p>", new, "Read the note").as_deref(),
            Some("Read the whole note")
        );
    }

    #[test]
    fn an_id_that_was_given_to_something_else_says_nothing() {
        assert_eq!(
            found("<p id=note>Read the note</p>", "<p id=note>Opening hours</p>", "Read the note"),
            None
        );
    }

    #[test]
    fn ids_that_count_say_nothing() {
        let old = "<p id=card1>The first card</p><p id=card2>The second card</p>";
        let new = "<p id=card1>The new card</p><p id=card2>The first of the cards</p>";
        assert_eq!(found(old, new, "The first card"), None);
    }

    #[test]
    fn of_two_keys_that_contradict_each_other_neither_counts() {
        let old = "<a id=one href=a.html>Download it</a>";
        let new = "<a id=one href=b.html>Download it here</a><a id=two href=a.html>Download it now</a>";
        assert_eq!(found(old, new, "Download it"), None);
    }
}
