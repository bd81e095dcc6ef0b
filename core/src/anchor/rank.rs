//! Which of the candidates comes first.

use super::appearance::Appearance;
use super::evidence::Clue;
use super::row;
use super::scored::Scored;
use super::sought::Sought;
use super::survey::Survey;
use crate::sort;

/// Best first.
pub(super) fn rank(survey: &Survey<'_>, sought: &Sought<'_>, list: &mut [Scored]) {
    list.iter_mut().for_each(|one| one.is_in_row = false);
    let best = list.iter().map(|one| one.fit).fold(f32::MIN, f32::max);
    if list.first().is_some_and(|one| one.by_purpose.is_some()) {
        // Found by what it is for: that it says the same is in the score.
    } else if let Some(one) = row::in_its_row(survey, sought, list).and_then(|at| list.get_mut(at)) {
        one.fit = best + ONLY_EQUAL;
        one.is_in_row = true;
    } else if let Some(only) = only_equal(sought, list) {
        only.fit += ONLY_EQUAL;
        only.is_only_equal = true;
    } else if let Some(only) = only_called(sought, list) {
        only.fit += ONLY_EQUAL;
    }
    sort::by(list, |a, b| b.fit.total_cmp(&a.fit).then(a.node.cmp(&b.node)));
}

/// What is added to the fit of the only element on the page that says exactly what the anchor's said, when that was the
/// only one on its page as well. Wherever it stands, people take it for the same, and examples of lists in which
/// another takes the very place are too few to learn that from.
const ONLY_EQUAL: f32 = 4.0;

fn only_equal<'l>(sought: &Sought<'_>, list: &'l mut [Scored]) -> Option<&'l mut Scored> {
    if sought.anchor.context.twins > 0 {
        return None;
    }
    let anchor = sought.anchor;
    // A picture says what its rare attributes say, its file, its description; an icon its drawing, a swatch its colour.
    let is_told =
        anchor.base.text_hash != 0 || anchor.appearance.as_ref().is_some_and(Appearance::is_something);
    let says_something = |one: &Scored| is_told || one.clue(Clue::RareAttribute) > 0.5;
    let mut equal = list.iter_mut().filter(|one| one.clue(Clue::Content) > 0.5 && says_something(one));
    match (equal.next(), equal.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Of an element without words the only one that is called, or says, what it was called, where another tag was made of
/// it.
fn only_called<'l>(sought: &Sought<'_>, list: &'l mut [Scored]) -> Option<&'l mut Scored> {
    if sought.anchor.base.text_hash != 0 || sought.anchor.context.twins > 0 || sought.label.is_some() {
        return None;
    }
    let is_called = |one: &&mut Scored| one.clue(Clue::Text) > CALLED && one.clue(Clue::Tag) < 1.0;
    let mut called = list.iter_mut().filter(is_called);
    called.next().filter(|_| called.next().is_none())
}

/// As alike are names that are the same.
const CALLED: f32 = 0.94;

/// How far the element that says the same at the very place is put before what fits better.
const IN_PLACE: f32 = 2.0;

/// Puts first what says exactly what the element said, at the very place where it stood, when the element was the only
/// one of its kind. Copies of it elsewhere, and other elements that bear its names now, do not take its comment.
pub(super) fn prefer_in_place(sought: &Sought<'_>, list: &mut [Scored]) {
    let (base, context) = (&sought.anchor.base, &sought.anchor.context);
    let Some(best) =
        list.first().filter(|best| !best.is_only_equal && !best.is_in_row && best.by_purpose.is_none())
    else {
        return;
    };
    if context.twins > 0 || base.text_hash == 0 {
        return;
    }
    let fit = best.fit + IN_PLACE;
    let says_it = |one: &Scored| one.clue(Clue::Tag) >= 1.0 && one.clue(Clue::Text) >= 1.0;
    let is_copy = |one: &Scored| one.clue(Clue::Content) > 0.5;
    let is_only_one = list.iter().filter(|one| says_it(one)).count() == 1;
    let in_place =
        |one: &Scored| one.clue(Clue::Path) >= 1.0 && says_it(one) && (is_copy(one) || is_only_one);
    if let Some(at) = list.iter().position(in_place).filter(|&at| at > 0)
        && let Some(part) = list.get_mut(..=at)
    {
        part.rotate_right(1);
        if let Some(first) = part.first_mut() {
            first.fit = fit;
            first.is_only_equal = is_only_one;
        }
    }
}
