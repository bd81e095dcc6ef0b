//! Which elements could be the one an anchor was made of: those that share its rarest features.

use std::collections::HashMap;

use super::fingerprint::Anchor;
use super::hash::{self, Kind};
use super::survey::{Side, Survey, attribute, beside, whole_class};
use crate::selector::is_generated;
use crate::sort;

/// How much work one search may do.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Entries of the index that are looked at.
    pub(super) postings: usize,
    /// Candidates that are kept.
    pub(super) kept: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { postings: 10_000, kept: 64 }
    }
}

/// The candidates, best first, by the sum of the rarity of the features they share with the anchor. The rarest
/// features are looked at first, and only as many as the limit allows: the work does not grow with the page.
pub(super) fn search(survey: &Survey<'_>, anchor: &Anchor, limits: Limits) -> Vec<u32> {
    let mut lists: Vec<(&[(u32, u32)], f32)> =
        features(anchor).into_iter().map(|(feature, weight)| (survey.with(feature), weight)).collect();
    lists.retain(|(list, _)| !list.is_empty());
    sort::by_key(&mut lists, |(list, _)| list.len());
    let mut points: HashMap<u32, f32> = HashMap::new();
    let mut left = limits.postings;
    for (list, weight) in lists {
        if list.len() > left {
            break;
        }
        left -= list.len();
        let rarity = weight * (survey.elements().max(1) as f32 / list.len() as f32).ln_1p();
        for &(_, node) in list {
            *points.entry(node).or_default() += rarity;
        }
    }
    let mut best: Vec<(u32, f32)> = points.into_iter().collect();
    sort::by(&mut best, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    best.truncate(limits.kept);
    best.into_iter().map(|(node, _)| node).collect()
}

/// The features of the anchor that the survey indexes, with a weight each.
fn features(anchor: &Anchor) -> Vec<(u32, f32)> {
    let mut features = vec![((anchor.path >> 32) as u32, 0.7), (hash::of(Kind::Tag, &[&anchor.tag]), 0.6)];
    features.push((anchor.nested, 0.8));
    features.push((whole_class(&anchor.tag, anchor.classes.iter().map(String::as_str)), 0.8));
    features.extend(anchor.before.first().map(|&text| (beside(Side::Before, &anchor.tag, text), 1.0)));
    features.extend(anchor.after.first().map(|&text| (beside(Side::After, &anchor.tag, text), 1.0)));
    if anchor.text_hash != 0 {
        features.push(((anchor.text_hash >> 32) as u32, 1.5));
    }
    features.extend(anchor.own_words.iter().map(|&word| (word, 1.0)));
    features
        .extend(anchor.words.iter().filter(|word| !anchor.own_words.contains(word)).map(|&word| (word, 0.5)));
    let classes = anchor.classes.iter().filter(|class| !is_generated(class));
    features.extend(classes.map(|class| (hash::of(Kind::Class, &[class]), 0.6)));
    for (name, value) in &anchor.attributes {
        features.push((attribute(name, value.hash), 1.2));
    }
    features
}
