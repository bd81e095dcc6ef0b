//! What is around a candidate: the elements and the texts next to it, and the landmarks.

use super::Clue;
use super::compare::{mean, same};
use crate::anchor::few::Few;
use crate::anchor::fingerprint::AROUND;
use crate::anchor::sought::Sought;
use crate::anchor::surroundings::Role;
use crate::anchor::survey::Survey;

pub(super) fn clues(survey: &Survey<'_>, sought: &Sought<'_>, node: u32, set: &mut impl FnMut(Clue, f32)) {
    let base = &sought.anchor.base;
    if let Some(kept) = &sought.around {
        let like = kept.compared_with(survey, node);
        // A wrapper more or less shifts the ancestors by one.
        let above = |level: usize| {
            let at = Role::Above as usize + level;
            let same = like(at, at);
            if same.is_nan() || same == 1.0 {
                return same;
            }
            let lower = if level > 0 { 0.9 * like(at, at - 1) } else { 0.0 };
            let higher = if level < 3 { 0.9 * like(at, at + 1) } else { 0.0 };
            lower.max(higher).max(same)
        };
        let beside = |one: Role, other: Role| {
            let same = like(one as usize, one as usize);
            if same.is_nan() || same == 1.0 {
                return same;
            }
            same.max(0.8 * like(one as usize, other as usize))
        };
        set(Clue::Parent, above(0));
        set(Clue::GrandParent, above(1));
        set(Clue::HigherUp, mean([above(2), above(3)]));
        set(Clue::Previous, beside(Role::Before, Role::BeforeThat));
        set(Clue::PreviousButOne, beside(Role::BeforeThat, Role::Before));
        set(Clue::Next, beside(Role::After, Role::AfterThat));
        set(Clue::NextButOne, beside(Role::AfterThat, Role::After));
        let child = Role::Child as usize;
        set(Clue::ChildBriefs, mean([0, 1, 2].map(|at| like(child + at, child + at))));
        set(Clue::ParentPrevious, like(Role::AboveBefore as usize, Role::AboveBefore as usize));
        set(Clue::ParentNext, like(Role::AboveAfter as usize, Role::AboveAfter as usize));
        let high = [Role::HighBefore, Role::HighAfter].map(|role| like(role as usize, role as usize));
        set(Clue::GrandParentBeside, mean(high));
    }
    let (before, after) = survey.around(node);
    let (before, after): (Few<u32, AROUND>, Few<u32, AROUND>) = (before.collect(), after.collect());
    set(Clue::Before, run(&base.before, &before));
    set(Clue::After, run(&base.after, &after));
    let beside = |now: Option<&u32>, kept: Option<&u32>| {
        if now.is_none() && kept.is_none() { f32::NAN } else { same(now == kept) }
    };
    set(Clue::JustBefore, beside(before.first(), base.before.first()));
    set(Clue::JustAfter, beside(after.first(), base.after.first()));
    let (from, to) = survey.text_range(node);
    let off = |place: usize, expected: usize| 1.0 / (1.0 + place.abs_diff(expected) as f32 / 2.0);
    let (mut above, mut below) = (true, true);
    if let Some(mark) = sought.before {
        set(Clue::FromLandmarkBefore, off(from, mark.place + 1 + mark.distance));
        above = from > mark.place;
    }
    if let Some(mark) = sought.after {
        set(Clue::FromLandmarkAfter, off(to + mark.distance, mark.place));
        below = to <= mark.place;
    }
    if sought.before.is_some() || sought.after.is_some() {
        set(Clue::InGap, same(above && below));
    }
}

/// How much of the texts nearby is the same; the nearest counts most. Two page edges say nothing.
fn run(kept: &[u32], theirs: &[u32]) -> f32 {
    let (mut sum, mut weight) = (0.0, 0.0);
    // A bit for each of theirs, by its lowest bits: most candidates have none of the kept texts around.
    let bit = |text: u32| 1u64 << (text % 64);
    let bits = theirs.iter().fold(0, |bits, &text| bits | bit(text));
    for (place, text) in kept.iter().enumerate() {
        let share = 1.0 / (place + 2) as f32;
        weight += share;
        let found = if bits & bit(*text) == 0 { None } else { theirs.iter().position(|other| other == text) };
        sum += match found {
            Some(at) => share / (1.0 + at.abs_diff(place) as f32 / 4.0),
            None => 0.0,
        };
    }
    match (weight > 0.0, theirs.is_empty()) {
        (true, _) => sum / weight,
        (false, true) => f32::NAN,
        (false, false) => 0.0,
    }
}
