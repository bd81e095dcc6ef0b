//! What a candidate says.

use super::Clue;
use super::compare::{dice, ends, ratio};
use crate::anchor::appearance::Appearance;
use crate::anchor::called;
use crate::anchor::role::{self, are_spelled_alike};
use crate::anchor::short::Short;
use crate::anchor::sought::Sought;
use crate::anchor::survey::Survey;

pub(super) fn clues(survey: &Survey<'_>, sought: &Sought<'_>, node: u32, set: &mut impl FnMut(Clue, f32)) {
    let base = &sought.anchor.base;
    let now = survey.text_hash(node);
    if base.text_hash == 0 && now == 0 {
        if let (Some(words), Some(kept)) = (&sought.label, &sought.anchor.appearance) {
            // A field says what its label says.
            let now = Appearance::of(survey, node);
            let (same, theirs) = now.label_like(&kept.label);
            let alike = match same {
                true => 1.0,
                _ if are_spelled_alike(&kept.label.start, &now.label.start) => SPELLED,
                _ => 0.97 * dice(words, &theirs),
            };
            set(Clue::OwnText, alike);
            set(Clue::Text, alike);
        } else if survey.tag(node) != sought.tag {
            by_name(survey, sought, node, set);
        }
        return;
    }
    if (base.text_hash == 0 || now == 0) && by_name(survey, sought, node, set) {
        return;
    }
    let equal = now == base.text_hash;
    let own = survey.own_words(node);
    let only = || survey.only_text(node);
    if !base.own_words.is_empty() || !own.is_empty() {
        let alike = if *own == *base.own_words && equal {
            1.0
        } else {
            alike(&base.own_text, &base.own_words, &own, only)
        };
        set(Clue::OwnText, alike);
    }
    if equal {
        set(Clue::RareWords, 1.0);
        set(Clue::Text, 1.0);
        set(Clue::RareText, sought.text_rarity);
        set(Clue::TextLength, 1.0);
    } else {
        let words = survey.words(node);
        set(Clue::RareWords, sought.wanted.own(&words));
        let alike = alike(&base.text, &base.words, &words, only);
        set(Clue::Text, 0.97 * alike);
        set(Clue::RareText, 0.0);
        set(Clue::TextLength, ratio(base.words.len() as f32, words.len() as f32));
    }
}

/// How alike two texts are that differ in blanks, hyphens and capitals, or of which one is a name.
const SPELLED: f32 = 0.97;

/// What is called what the other says, or is called, says the same: an icon in place of a word. Whether it does.
fn by_name(survey: &Survey<'_>, sought: &Sought<'_>, node: u32, set: &mut impl FnMut(Clue, f32)) -> bool {
    let named = role::words(survey.page, node);
    let said = survey.words(node);
    let theirs = if named.is_empty() { &*said } else { &named };
    let shared = sought.called.iter().filter(|word| theirs.contains(word)).count();
    if shared > 0 {
        let is_left =
            |word: u32| !(survey.with(word).is_empty() && survey.with(called::feature(word)).is_empty());
        let left = sought.called.iter().filter(|&&word| is_left(word)).count().max(1);
        let alike = SPELLED * dice(&sought.called, theirs);
        set(Clue::Text, alike);
        set(Clue::OwnText, alike);
        set(Clue::RareWords, shared as f32 / left as f32);
    }
    shared > 0
}

/// Similarity of two texts by words, and by their ends where there are few words: a slip of the finger, a word more.
fn alike<'t>(kept: &Short, words: &[u32], now: &[u32], text: impl Fn() -> Option<&'t str>) -> f32 {
    let by_words = dice(words, now);
    if by_words >= 0.99 || words.len().min(now.len()) > 4 || words.is_empty() {
        return by_words;
    }
    text().map_or(by_words, |text| {
        let spelled = if are_spelled_alike(&kept.start, text) { 1.0 } else { 0.9 * ends(&kept.start, text) };
        by_words.max(spelled)
    })
}
