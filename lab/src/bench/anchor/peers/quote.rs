//! The text quote of annotation tools (W3C Web Annotation's TextQuoteSelector, scored as Hypothes.is describes it): the
//! text of the element with 32 characters before and after. Exact places first, else those with the fewest errors; of
//! several the one whose surroundings fit best. The element is the one whose text is the stretch found.

use opentoolbar_core::page::{NodeKind, Page};

use super::approximate::{Match, search};
use super::guess::Guess;
use crate::bench::statistics::number;

/// Characters kept before and after.
const AROUND: usize = 32;
/// Longer quotes are searched by their beginning when they are nowhere exactly.
const FUZZY: usize = 512;
/// Places that are compared.
const PLACES: usize = 200;
/// Most errors, whatever the length.
const ERRORS: usize = 256;

/// A page's text, and where in it each element's is.
struct Document {
    text: Vec<u32>,
    elements: Vec<(u32, usize, usize)>,
}

impl Document {
    fn new(page: &Page) -> Self {
        let mut text: Vec<u32> = Vec::new();
        let mut starts = Vec::with_capacity(page.len() as usize + 1);
        for node in 0..page.len() {
            starts.push(text.len());
            if page.kind(node) == Some(NodeKind::Text) {
                for word in page.data(node).split_whitespace() {
                    text.extend(word.chars().map(u32::from));
                    text.push(u32::from(' '));
                }
            }
        }
        starts.push(text.len());
        let at = |node: u32| starts.get(node as usize).copied().unwrap_or(0);
        let elements = page
            .elements()
            .map(|node| {
                let (start, end) = (at(node), at(page.subtree(node).end));
                // Without the space after the last word.
                (node, start, if end > start { end - 1 } else { end })
            })
            .collect();
        Self { text, elements }
    }

    fn slice(&self, start: usize, end: usize) -> &[u32] {
        self.text.get(start..end.min(self.text.len())).unwrap_or(&[])
    }
}

pub(super) fn locate(old: &Page, new: &Page, targets: &[u32]) -> Vec<Guess> {
    let (from, to) = (Document::new(old), Document::new(new));
    targets.iter().map(|&target| guess(old, &from, new, &to, target).unwrap_or_default()).collect()
}

fn guess(old: &Page, from: &Document, new: &Page, to: &Document, target: u32) -> Option<Guess> {
    let at = from.elements.binary_search_by_key(&target, |element| element.0).ok()?;
    let &(_, start, end) = from.elements.get(at)?;
    let exact = from.slice(start, end);
    let before = from.slice(start.saturating_sub(AROUND), start);
    let after = from.slice(end, end + AROUND);
    let found = places(exact, to);
    let score = |place: &Match| {
        let quote = 1.0 - number(place.errors) / number(exact.len().clamp(1, FUZZY));
        let prefix = fits(before, to.slice(place.start.saturating_sub(AROUND), place.start));
        let suffix = fits(after, to.slice(place.end, place.end + AROUND));
        let away = number(place.start.abs_diff(start)) / number(to.text.len().max(1));
        (50.0 * quote + 20.0 * prefix + 20.0 * suffix + 2.0 * (1.0 - away)) / 92.0
    };
    let (place, score) =
        found.iter().map(|place| (place, score(place))).max_by(|a, b| a.1.total_cmp(&b.1))?;
    let same_tag = |node: u32| new.tag(node) == old.tag(target);
    let off = |&(node, s, e): &(u32, usize, usize)| {
        // Of elements with the same text, such as a link alone in its item, the one of the same tag.
        (s.abs_diff(place.start) + e.abs_diff(place.end), !same_tag(node))
    };
    let &(node, ..) = to.elements.iter().min_by_key(|element| off(element))?;
    #[expect(clippy::cast_possible_truncation, reason = "a score from 0 to 1")]
    Some(Guess { node: Some(node), score: score as f32 })
}

fn places(exact: &[u32], to: &Document) -> Vec<Match> {
    let Some(&first) = exact.first() else { return Vec::new() };
    let whole: Vec<Match> = to
        .text
        .windows(exact.len())
        .enumerate()
        .filter(|(_, window)| window.first() == Some(&first) && *window == exact)
        .map(|(start, _)| Match { start, end: start + exact.len(), errors: 0 })
        .take(PLACES)
        .collect();
    if !whole.is_empty() {
        return whole;
    }
    let head = exact.get(..exact.len().min(FUZZY)).unwrap_or(exact);
    let mut found = search(head, &to.text, (head.len() / 2).min(ERRORS), PLACES);
    for place in &mut found {
        place.end += exact.len() - head.len();
    }
    found
}

/// How well what is there fits what was.
fn fits(wanted: &[u32], there: &[u32]) -> f64 {
    if wanted.is_empty() {
        return 1.0;
    }
    let errors = search(wanted, there, wanted.len(), 1).first().map_or(wanted.len(), |found| found.errors);
    1.0 - number(errors) / number(wanted.len())
}
