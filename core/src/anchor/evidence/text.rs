//! What a candidate says.

use super::Clue;
use super::compare::{dice, ends, ratio};
use crate::anchor::appearance::Appearance;
use crate::anchor::fingerprint::Short;
use crate::anchor::sought::Sought;
use crate::anchor::survey::Survey;

pub(super) fn clues(survey: &Survey<'_>, sought: &Sought<'_>, node: u32, set: &mut impl FnMut(Clue, f32)) {
    let base = &sought.anchor.base;
    let now = survey.text_hash(node);
    if base.text_hash == 0 && now == 0 {
        if let (Some(words), Some(kept)) = (&sought.label, &sought.anchor.appearance) {
            // A field says what its label says.
            let (same, theirs) = Appearance::of(survey, node).label_like(&kept.label);
            let alike = if same { 1.0 } else { 0.97 * dice(words, &theirs) };
            set(Clue::OwnText, alike);
            set(Clue::Text, alike);
        }
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

/// Similarity of two texts by words, and by their ends where there are few words: a slip of the finger, a word more.
fn alike<'t>(kept: &Short, words: &[u32], now: &[u32], text: impl Fn() -> Option<&'t str>) -> f32 {
    let by_words = dice(words, now);
    if by_words >= 0.99 || words.len().min(now.len()) > 4 || words.is_empty() {
        return by_words;
    }
    text().map_or(by_words, |text| by_words.max(0.9 * ends(&kept.start, text)))
}
