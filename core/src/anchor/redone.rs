//! How much of a page is another than it was, as all comments that are looked for in one pass tell together. Where
//! everything was done anew, little is left of any element, and that says little about whether one is gone.

use super::evidence::Clue;
use super::scored::Scored;
use super::sought::Sought;

/// How many numbers there are.
pub(super) const ABOUT: usize = 6;
/// Fewer comments say nothing about the page.
const FEWEST: usize = 5;

/// What the comments of a page tell about it; nothing (NaN) where they are too few.
#[derive(Clone, Copy, Debug)]
pub(super) struct Redone(pub(super) [f32; ABOUT]);

impl Redone {
    /// Too few comments to tell.
    pub(super) const UNKNOWN: Self = Self([f32::NAN; ABOUT]);

    /// `found`: what is looked for, with its best candidate; `untouched`: how many more were found untouched.
    pub(super) fn of<'s>(
        found: impl Iterator<Item = (&'s Sought<'s>, Option<&'s Scored>)>,
        untouched: usize,
    ) -> Self {
        let mut sums = [Share::default(); ABOUT];
        let mut count = untouched;
        for (sought, best) in found {
            count += 1;
            let clue = |clue: Clue| best.map_or(f32::NAN, |best| best.clue(clue));
            let told = [
                0.0,
                sought.survived,
                clue(Clue::Text),
                clue(Clue::Classes),
                clue(Clue::AncestorNames),
                clue(Clue::Path),
            ];
            sums.iter_mut().zip(told).for_each(|(sum, told)| sum.add(told));
        }
        if count < FEWEST {
            return Self::UNKNOWN;
        }
        Self(sums.map(|sum| (sum.all + untouched as f32) / (sum.count + untouched as f32)))
    }
}

/// A mean that is being worked out.
#[derive(Clone, Copy, Default)]
struct Share {
    all: f32,
    count: f32,
}

impl Share {
    fn add(&mut self, told: f32) {
        if !told.is_nan() {
            self.all += told;
            self.count += 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::anchor::Anchor;
    use crate::anchor::survey::Survey;
    use crate::page::arbitrary::{el, page, text};

    /// Of which the first `kept` words are those of every other page.
    fn words(kept: usize, other: &str) -> crate::page::Page {
        let say = |at: usize| if at < kept { format!("word {at}") } else { format!("{other} {at}") };
        page(vec![el("ul", &[], (0..8).map(|at| el("li", &[], vec![text(&say(at))])).collect())])
    }

    fn survived(kept: usize, asked: usize, untouched: usize) -> f32 {
        let (old, new) = (words(8, ""), words(kept, "other"));
        let items = old.elements().filter(|&node| old.tag(node) == "li").take(asked);
        let anchors: Vec<Anchor> = items.map(|node| Anchor::of(&old, node, &[""]).unwrap()).collect();
        let survey = Survey::new(&new);
        let sought: Vec<Sought<'_>> =
            anchors.iter().map(|anchor| Sought::new(&survey, anchor, false)).collect();
        let [_, survived, ..] = Redone::of(sought.iter().map(|sought| (sought, None)), untouched).0;
        survived
    }

    #[test]
    fn the_less_is_left_the_more_a_page_was_redone() {
        assert_eq!(survived(8, 8, 0), 1.0);
        let half = survived(4, 8, 0);
        assert!(half > 0.4 && half < 0.6, "{half}");
        assert!(survived(4, 8, 8) > half);
        assert_eq!(survived(0, 8, 0), 0.0);
    }

    #[test]
    fn few_comments_say_nothing_about_the_page() {
        assert!(survived(4, 4, 0).is_nan());
        assert!(!survived(4, 4, 1).is_nan());
    }
}
