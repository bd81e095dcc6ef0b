//! What the best candidate is: the element, another while the element is elsewhere on the page, or another because the
//! element is gone. Numbers about the whole of the candidates, and the shares that the model makes of them.

use super::evidence::{Clue, mean};
use super::model::{Model, softmax};
use super::redone::{ABOUT, Redone};
use super::scored::Scored;
use super::sought::Sought;
use super::survey::Survey;

/// How many numbers there are.
pub(super) const SIGNS: usize = 56 + ABOUT;
/// What speaks for one outcome or another.
pub(super) type Signs = [f32; SIGNS];

/// How sure each outcome is; together 1.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    /// The best candidate is the element.
    pub(super) it: f32,
    /// The element is there, but it is not the best candidate.
    pub(super) elsewhere: f32,
    /// The element is gone.
    pub(super) gone: f32,
}

impl Outcome {
    /// With other odds that it is gone: `by` times what they were.
    pub(super) fn less_gone(self, by: f32) -> Self {
        let all = self.it + self.elsewhere + self.gone * by;
        Self { it: self.it / all, elsewhere: self.elsewhere / all, gone: self.gone * by / all }
    }
}

pub(super) fn signs(survey: &Survey<'_>, sought: &Sought<'_>, list: &[Scored], redone: &Redone) -> Signs {
    let Some(best) = list.first() else { return [f32::NAN; SIGNS] };
    let apart = |other: &&Scored| {
        !survey.page.contains(other.node, best.node) && !survey.page.contains(best.node, other.node)
    };
    let behind = |other: Option<&Scored>| other.map_or(8.0, |other| (best.fit - other.fit).min(8.0));
    let clue = |clue: Clue| best.clue(clue);
    let context = &sought.anchor.context;
    let ahead = context.ahead.map_or(f32::NAN, |ahead| (f32::from(ahead) / 64.0).min(16.0));
    let rare = clue(Clue::RareText);
    let most = |clue: Clue| {
        let values = list.iter().map(|one| one.clue(clue)).filter(|value| !value.is_nan());
        values.fold(f32::NAN, f32::max)
    };
    let gap = sought.gap().map_or(f32::NAN, |gap| gap.clamp(-6.0, 6.0));
    let page = survey.page;
    let parent = page.parent(best.node);
    let siblings = parent.map_or(0, |parent| survey.child_count(parent));
    let came = siblings as f32 - sought.anchor.base.siblings as f32;
    let own = [
        best.fit,
        behind(list.get(1)),
        behind(list.iter().skip(1).find(apart)),
        ahead,
        list.iter().filter(|other| best.fit - other.fit < 1.0).count().min(8) as f32,
        clue(Clue::Text),
        clue(Clue::OwnText),
        rare,
        clue(Clue::Attributes),
        clue(Clue::RareAttribute),
        clue(Clue::OtherAttributes),
        clue(Clue::Classes),
        clue(Clue::Tag),
        clue(Clue::Parent),
        clue(Clue::GrandParent),
        mean([clue(Clue::Before), clue(Clue::After)]),
        mean([clue(Clue::JustBefore), clue(Clue::JustAfter)]),
        clue(Clue::InGap),
        gap,
        clue(Clue::Content),
        clue(Clue::Votes),
        most(Clue::Votes),
        clue(Clue::Another),
        sought.survived,
        clue(Clue::HasText),
        clue(Clue::HasNames),
        clue(Clue::Twins),
        mean([clue(Clue::Previous), clue(Clue::Next)]),
        most(Clue::Text),
        clue(Clue::ChildBriefs),
        clue(Clue::BesideAnother),
        clue(Clue::Beside),
        clue(Clue::Path),
        mean([clue(Clue::FromLandmarkBefore), clue(Clue::FromLandmarkAfter)]),
        mean([clue(Clue::ParentPrevious), clue(Clue::ParentNext)]),
        clue(Clue::HigherUp),
        clue(Clue::Item),
        clue(Clue::ItemLeft),
        most(Clue::Item),
        clue(Clue::Inside),
        clue(Clue::Size),
        clue(Clue::InOrder),
        clue(Clue::FromKnown),
        clue(Clue::RareWords),
        clue(Clue::RareWordsLeft),
        clue(Clue::Nearby),
        clue(Clue::NearbyLeft),
        came.clamp(-4.0, 4.0),
        clue(Clue::Place),
        clue(Clue::AncestorNames),
        clue(Clue::AncestorTags),
        clue(Clue::Children),
        clue(Clue::TextLength),
        names_left(survey, sought),
        of_its_tag(survey, best.node, parent),
        1.0 / survey.with(survey.tag(best.node)).len().max(1) as f32,
    ];
    let mut signs = [f32::NAN; SIGNS];
    signs.iter_mut().zip(own.into_iter().chain(redone.0)).for_each(|(slot, sign)| *slot = sign);
    signs
}

/// How many of its class names are anywhere on the page: none where another framework was put under it.
fn names_left(survey: &Survey<'_>, sought: &Sought<'_>) -> f32 {
    let is_left = |class: &&u64| !survey.with((**class >> 32) as u32).is_empty();
    match sought.classes.len() {
        0 => f32::NAN,
        all => sought.classes.iter().filter(is_left).count() as f32 / all as f32,
    }
}

/// Most children of an element that are counted.
const MOST_CHILDREN: usize = 60;

/// 1 for the only child of its tag, less the more there are.
fn of_its_tag(survey: &Survey<'_>, node: u32, parent: Option<u32>) -> f32 {
    let Some(parent) = parent else { return 1.0 };
    let children = survey.page.element_children(parent).take(MOST_CHILDREN);
    1.0 / children.filter(|&child| survey.tag(child) == survey.tag(node)).count().max(1) as f32
}

pub(super) fn outcome(model: &Model, signs: &Signs) -> Outcome {
    let [it, elsewhere, gone] = softmax(model.outcome.run(signs));
    Outcome { it, elsewhere, gone }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaller_odds_that_it_is_gone_leave_the_others_as_they_are_to_one_another() {
        let outcome = Outcome { it: 0.2, elsewhere: 0.1, gone: 0.7 }.less_gone(0.1);
        assert!((outcome.it + outcome.elsewhere + outcome.gone - 1.0).abs() < 1e-6);
        assert!((outcome.it / outcome.elsewhere - 2.0).abs() < 1e-5);
        assert!((outcome.gone / outcome.it - 0.35).abs() < 1e-5);
    }
}
