//! Which elements could be the one an anchor was made of: those that share its rarest features.

use super::fingerprint::Anchor;
use super::hash::{self, Kind};
use super::survey::{Side, Survey, attribute, beside, whole_class};
use crate::selector::is_generated;
use crate::sort;

/// Entries of the index that one search looks at.
const POSTINGS: usize = 20_000;
/// Candidates that are kept.
const KEPT: usize = 96;

/// The candidates, best first, by the sum of the rarity of the features they share with the anchor. The rarest
/// features are looked at first, and only as many as the limit allows: the work does not grow with the page.
pub(super) fn search(survey: &Survey<'_>, anchor: &Anchor) -> Vec<u32> {
    let mut lists: Vec<(&[(u32, u32)], f32)> =
        features(anchor).into_iter().map(|(feature, weight)| (survey.with(feature), weight)).collect();
    lists.retain(|(list, _)| !list.is_empty());
    sort::by_key(&mut lists, |(list, _)| list.len());
    let mut points = vec![0.0f32; survey.page.len() as usize];
    let mut touched = Vec::new();
    let mut left = POSTINGS;
    for (list, weight) in lists {
        if list.len() > left {
            break;
        }
        left -= list.len();
        let rarity = weight * (survey.elements().max(1) as f32 / list.len() as f32).ln_1p();
        for &(_, node) in list {
            let sum = &mut points[node as usize];
            if *sum == 0.0 {
                touched.push(node);
            }
            *sum += rarity;
        }
    }
    best(&points, &touched)
}

/// The nodes with the most points, best first. Most of them are no better than the worst that is kept, so this is
/// quicker than sorting them all.
fn best(points: &[f32], touched: &[u32]) -> Vec<u32> {
    let mut kept: Vec<(f32, u32)> = Vec::with_capacity(KEPT + 1);
    for &node in touched {
        let sum = points[node as usize];
        let before = |&(other, known): &(f32, u32)| other > sum || (other == sum && known < node);
        let at = kept.partition_point(before);
        if at < KEPT {
            kept.insert(at, (sum, node));
            kept.truncate(KEPT);
        }
    }
    kept.into_iter().map(|(_, node)| node).collect()
}

/// The features of the anchor that are indexed, with a weight each.
fn features(anchor: &Anchor) -> Vec<(u32, f32)> {
    let tag = hash::wide(Kind::Tag, &[&anchor.tag]);
    let mut features = vec![((anchor.path >> 32) as u32, 0.7), ((tag >> 32) as u32, 0.6)];
    features.push((anchor.nested, 0.8));
    features.push((whole_class(&anchor.tag, anchor.classes.iter().map(String::as_str)), 0.8));
    features.extend(anchor.before.first().map(|&text| (beside(Side::Before, tag, text), 1.0)));
    features.extend(anchor.after.first().map(|&text| (beside(Side::After, tag, text), 1.0)));
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
