//! What the best candidate is: the element, another while the element is elsewhere on the page, or another because the
//! element is gone. Numbers about the whole of the candidates, and the shares that the model makes of them.

use super::evidence::{Clue, Evidence, mean};
use super::model::{Model, softmax};
use super::sought::Sought;
use super::survey::Survey;

/// How many numbers there are.
pub(super) const SIGNS: usize = 43;
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
    /// For the only element that says what the element said: made-up examples are full of copies, pages are not.
    pub(super) fn hardly_gone(self) -> Self {
        let gone = self.gone * 0.3;
        let rest = (1.0 - gone) / (1.0 - self.gone).max(f32::EPSILON);
        Self { it: self.it * rest, elsewhere: self.elsewhere * rest, gone }
    }
}

/// A candidate that was compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    /// It alone says exactly what the anchor's element said, which was the only one on its page.
    pub(super) is_only_equal: bool,
    pub(super) node: u32,
    pub(super) fit: f32,
    pub(super) evidence: Evidence,
}

impl Scored {
    /// One of the clues.
    pub(super) fn clue(&self, clue: Clue) -> f32 {
        self.evidence[clue as usize]
    }
}

pub(super) fn signs(survey: &Survey<'_>, sought: &Sought<'_>, list: &[Scored]) -> Signs {
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
    [
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
    ]
}

pub(super) fn outcome(model: &Model, signs: &Signs) -> Outcome {
    let [it, elsewhere, gone] = softmax(model.outcome.run(signs));
    Outcome { it, elsewhere, gone }
}
