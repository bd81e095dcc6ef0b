//! The words that tell an element from everything else on its page: its own, and those around it that say which of the
//! items of a list it belongs to. A person finds an element again by them, also when the rest of a text was edited.

use super::fingerprint::Landmark;
use super::survey::Survey;
use crate::sort;

/// Words around an element that are kept.
const KEPT: usize = 10;
/// With as many words of the nearest levels, those farther away are left out.
const ENOUGH: usize = 6;
/// How far up words are looked for.
const LEVELS: u16 = 6;
/// Texts of one level that are looked at on each side.
const TEXTS: usize = 30;
/// A word with more entries in the index does not tell which item it is of: each text has up to three.
const RARE: usize = 9;
/// What a word counts that is said at its level, and at those above: there it may well be said by the next item.
const SHARES: [f32; 3] = [1.0, 0.4, 0.15];
/// What the words of a level say, of what those of the one below say.
const FARTHER: f32 = 0.1;

/// The rare words around an element, the nearest first, each with how far up the nearest ancestor is that says it.
pub(super) fn nearby(survey: &Survey<'_>, node: u32) -> Vec<Landmark> {
    let mut kept: Vec<Landmark> = Vec::new();
    let mut seen = survey.words(node).to_vec();
    let (mut from, mut to) = survey.text_range(node);
    for (level, above) in (1..=LEVELS).zip(survey.page.element_ancestors(node)) {
        let (first, last) = survey.text_range(above);
        let mut words: Vec<(usize, usize)> = Vec::new();
        for place in first.max(from.saturating_sub(TEXTS))..last.min(to + TEXTS) {
            if (from..to).contains(&place) {
                continue;
            }
            for &word in survey.words_at(place) {
                let said = survey.with(word);
                // What is said elsewhere as well does not tell this part of the page from others.
                let only_here = |&(_, other): &(u32, u32)| {
                    survey.page.contains(above, other) || survey.page.contains(other, above)
                };
                if (1..=RARE).contains(&said.len()) && !seen.contains(&word) && said.iter().all(only_here) {
                    words.push((said.len(), seen.len()));
                    seen.push(word);
                }
            }
        }
        // The rarest first.
        sort::plain(&mut words);
        for (_, at) in words.into_iter().take(KEPT - kept.len()) {
            kept.push(Landmark { text: seen[at], distance: level });
        }
        if kept.len() >= ENOUGH {
            break;
        }
        (from, to) = (first, last);
    }
    kept
}

/// An anchor's words made ready to be looked for on one page.
#[derive(Default)]
pub(super) struct Wanted {
    /// The element's own that are on the page, with how much each says.
    own: Vec<(u32, f32)>,
    own_weight: f32,
    /// The elements that say a word nearby, with how much each says.
    nearby: Vec<(u32, f32)>,
    nearby_weight: f32,
    /// How far up each of those words was.
    levels: Vec<u32>,
    /// How much of its own words, and of those nearby, is anywhere on the page.
    pub(super) own_left: f32,
    pub(super) nearby_left: f32,
}

impl Wanted {
    pub(super) fn new(survey: &Survey<'_>, words: &[u32], nearby: &[Landmark]) -> Self {
        let mut wanted = Self::default();
        let mut all = 0.0;
        for &word in words {
            let said = survey.with(word).len();
            let weight = 1.0 / (1.0 + (said as f32 / 3.0).ln_1p());
            all += weight;
            if said > 0 {
                wanted.own.push((word, weight));
                wanted.own_weight += weight;
            }
        }
        let mut left = 0.0;
        let mut weight = 1.0;
        for one in nearby {
            let level = u32::from(one.distance);
            let said = survey.with(one.text);
            if said.is_empty() {
                continue;
            }
            left += 1.0;
            if said.len() > 2 * RARE {
                continue;
            }
            weight *= if wanted.levels.last().is_some_and(|&last| last < level) { FARTHER } else { 1.0 };
            wanted.nearby_weight += weight;
            let from = wanted.nearby.len();
            for &(_, node) in said {
                // Of each text the element it stands in; the ones around, which follow it, say nothing more.
                let last = wanted.nearby[from..].last();
                if last.is_none_or(|&(last, _)| !survey.page.contains(node, last)) {
                    wanted.nearby.push((node, weight));
                    wanted.levels.push(level);
                }
            }
            let places = (wanted.nearby.len() - from) as f32;
            wanted.nearby[from..].iter_mut().for_each(|(_, weight)| *weight /= places);
        }
        wanted.own_left = wanted.own_weight / all;
        wanted.nearby_left = left / nearby.len() as f32;
        wanted
    }

    /// How much of its own words that are left a candidate has; NaN where none is. `words`: sorted.
    pub(super) fn own(&self, words: &[u32]) -> f32 {
        let mut sum = 0.0;
        for (word, weight) in &self.own {
            sum += if words.binary_search(word).is_ok() { *weight } else { 0.0 };
        }
        sum / self.own_weight
    }

    /// How much of the words nearby that are left is as near to a candidate; NaN where none is.
    pub(super) fn nearby(&self, survey: &Survey<'_>, node: u32) -> f32 {
        let page = survey.page;
        let (mut sum, mut within) = (0.0, None);
        for (level, above) in (1..=u32::from(LEVELS) + 2).zip(page.element_ancestors(node)) {
            for (&(place, weight), &kept) in self.nearby.iter().zip(&self.levels) {
                let farther = level.saturating_sub(kept) as usize;
                let is_new = within.is_none_or(|within| !page.contains(within, place));
                if let Some(share) = SHARES.get(farther).filter(|_| is_new && page.contains(above, place)) {
                    sum += weight * share;
                }
            }
            within = Some(above);
        }
        sum / self.nearby_weight
    }

    /// Where the nearest words around it are said on the page.
    pub(super) fn said_at(&self) -> impl Iterator<Item = u32> {
        self.nearby.iter().map(|&(place, _)| place)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::anchor::Anchor;
    use crate::page::Page;
    use crate::page::arbitrary::{Piece, el, page, text};

    /// Cards with a title, a text and a button that says the same in each.
    fn cards(titles: &[&str]) -> Page {
        let card = |title: &&str| -> Piece {
            let button = el("p", &[], vec![el("button", &[], vec![text("Add to cart")])]);
            el("li", &[], vec![el("h3", &[], vec![text(title)]), button])
        };
        page(vec![el("ul", &[], titles.iter().map(card).collect())])
    }

    /// The element of a tag in the card that says `word`.
    fn of(page: &Page, word: &str, tag: &str) -> u32 {
        let mut cards = page.elements().filter(|&node| page.tag(node) == "li");
        let card = cards.find(|&node| page.text(node, 99).contains(word)).unwrap();
        page.subtree(card).find(|&node| page.tag(node) == tag).unwrap()
    }

    fn wanted(old: &Page, node: u32, new: &Page) -> Wanted {
        let anchor = Anchor::of(old, node, &[""]).unwrap();
        Wanted::new(&Survey::new(new), &anchor.base.words, &anchor.nearby)
    }

    #[test]
    fn words_of_its_item_tell_which_of_equal_elements_it_is() {
        let old = cards(&["Red lamp", "Blue lamp", "Green lamp"]);
        let new = cards(&["Green lamp", "A small red one", "Blue lamp"]);
        let survey = Survey::new(&new);
        let wanted = wanted(&old, of(&old, "Red", "button"), &new);
        assert!(wanted.nearby(&survey, of(&new, "red", "button")) > 0.99);
        let other = wanted.nearby(&survey, of(&new, "Green", "button"));
        assert!(other < 0.6, "{other}");
    }

    #[test]
    fn a_word_that_nothing_else_says_counts_more_than_one_that_all_say() {
        let lamps = ["Red lamp", "Blue lamp", "Green lamp", "White lamp", "Black lamp"];
        let (old, new) = (cards(&lamps), cards(&["Red chair", "Old lamp", "Blue lamp", "Green lamp"]));
        let survey = Survey::new(&new);
        let wanted = wanted(&old, of(&old, "Red", "h3"), &new);
        let said = |word: &str| wanted.own(&survey.words(of(&new, word, "h3")));
        assert!(said("chair") > 1.3 * said("Old"), "{} {}", said("chair"), said("Old"));
        assert_eq!(wanted.own_left, 1.0);
    }

    #[test]
    fn what_is_nowhere_on_the_page_is_not_left() {
        let (old, new) = (cards(&["Red lamp", "Blue lamp"]), cards(&["Chairs", "Tables"]));
        let wanted = wanted(&old, of(&old, "Red", "button"), &new);
        assert_eq!((wanted.own_left, wanted.nearby_left), (1.0, 0.0));
        assert!(wanted.nearby(&Survey::new(&new), of(&new, "Chairs", "button")).is_nan());
    }

    #[test]
    fn an_older_anchor_knows_no_words_nearby() {
        let page = cards(&["Red lamp", "Blue lamp"]);
        let survey = Survey::new(&page);
        let node = of(&page, "Red", "h3");
        let wanted = Wanted::new(&survey, &survey.words(node), &[]);
        assert!(wanted.nearby(&survey, node).is_nan() && wanted.nearby_left.is_nan());
        assert_eq!(wanted.own(&survey.words(node)), 1.0);
    }
}
