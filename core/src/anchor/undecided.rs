//! Pages on which what was one element seems to be several: copies of it elsewhere, or its names here and its words there.

use super::evidence::Clue;
use super::outcome::Scored;
use super::sought::Sought;

/// How many copies there are of an element that was the only one of its kind, when none of them is beside anything that
/// it was beside: nothing tells which of them it is, or whether it is any.
pub(super) fn copies_elsewhere(sought: &Sought<'_>, list: &[Scored]) -> Option<usize> {
    let was_only_one = sought.anchor.context.twins == 0 && !sought.anchor.context.around.is_empty();
    let is_copy = |one: &&Scored| {
        one.clue(Clue::Content) > 0.5 && one.clue(Clue::Beside) == 0.0 && one.clue(Clue::Path) == 0.0
    };
    let copies = list.iter().take_while(is_copy).count();
    (was_only_one && copies > 1).then_some(copies)
}

/// Where in the list the element's words are, at its very place and without its names, when what fits best has its names
/// and says something else.
pub(super) fn words_elsewhere(list: &[Scored]) -> Option<usize> {
    let (best, others) = list.split_first()?;
    let only_names = best.clue(Clue::RareAttribute) > 0.0 && best.clue(Clue::Text) < 0.5;
    let has_words = |one: &Scored| one.clue(Clue::Text) >= 1.0 && one.clue(Clue::Tag) >= 1.0;
    let mut said = (1..).zip(others).filter(|(_, one)| has_words(one));
    // Words that several say tell nothing.
    let (Some((at, one)), None) = (said.next(), said.next()) else { return None };
    (only_names && one.clue(Clue::Path) >= 1.0).then_some(at)
}
