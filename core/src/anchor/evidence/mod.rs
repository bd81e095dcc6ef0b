//! What speaks for and against one candidate: a list of numbers, 0 to 1 each, NaN where there is nothing to compare.

mod clue;
mod compare;
mod identity;
mod position;
mod surroundings;
mod text;

use self::compare::same;
use super::appearance::Appearance;
use super::sought::Sought;
use super::surroundings::beside;
use super::survey::Survey;

pub(super) use self::clue::{CLUES, Clue, Evidence};
pub(super) use self::compare::{mean, rarity};

/// Compares `node` with the anchor. `points`: what the search gave it, of what it gave the best.
pub(super) fn evidence(survey: &Survey<'_>, sought: &Sought<'_>, node: u32, points: f32) -> Evidence {
    let mut clues = sought.common;
    let mut set = |clue: Clue, value: f32| clues[clue as usize] = value;
    set(Clue::Points, points);
    identity::clues(survey, sought, node, &mut set);
    text::clues(survey, sought, node, &mut set);
    surroundings::clues(survey, sought, node, &mut set);
    position::clues(survey, sought, node, &mut set);
    let content = sought.anchor.content_of(survey, node);
    let base = &sought.anchor.base;
    let is_seen = sought.anchor.appearance.as_ref().is_some_and(Appearance::is_something);
    if base.text_hash != 0 || !base.attributes.is_empty() || is_seen {
        set(Clue::Content, same(content == base.content));
    }
    let another = content != base.content && base.look_alikes.iter().any(|other| other.content == content);
    set(Clue::Another, same(another));
    let now = beside(survey, node, |other| sought.anchor.content_of(survey, other));
    if !sought.anchor.context.beside.is_empty() {
        set(Clue::BesideAnother, sought.beside_look_alikes.known(now));
    }
    set(Clue::Item, item(survey, sought, node));
    set(Clue::Nearby, sought.wanted.nearby(survey, node));
    if sought.anchor.context.inside != 0 {
        set(Clue::Inside, same(survey.inside(node) == sought.anchor.context.inside));
    }
    set(Clue::Beside, sought.beside.known(now));
    if let Some(vote) = &sought.vote {
        let share = vote.candidates.iter().find(|(voted, _)| *voted == node).map_or(0.0, |&(_, share)| share);
        set(Clue::Votes, share);
        set(Clue::FirstVote, same(vote.first == Some(node)));
    }
    clues
}

/// How much of what is left of the item's texts is in the candidate's ancestor at the item's level, or next to it.
fn item(survey: &Survey<'_>, sought: &Sought<'_>, node: u32) -> f32 {
    if sought.item.is_empty() {
        return f32::NAN;
    }
    let level = usize::from(sought.anchor.context.item);
    let above = survey.page.element_ancestors(node).enumerate().skip(level.saturating_sub(2)).take(3);
    let share = |(at, above): (usize, u32)| {
        let (from, to) = survey.text_range(above);
        let within = sought.item.iter().filter(|&&place| (from..to).contains(&place)).count();
        let share = within as f32 / sought.item.len() as f32;
        if at < level { share } else { 0.5 * share }
    };
    above.map(share).fold(0.0, f32::max)
}
