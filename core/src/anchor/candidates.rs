//! Which elements could be the one an anchor was made of: those that share its rarest features, those its selectors
//! mean, and those that stand where it would.

use super::called;
use super::feature::{Side, attribute, beside, whole_class};
use super::hash::{self, Kind};
use super::names::written;
use super::sought::Sought;
use super::survey::Survey;
use crate::sort;

/// Entries of the index that one search looks at.
const POSTINGS: usize = 6_000;
/// Candidates that are kept.
const KEPT: usize = 24;
/// Most nodes between two landmarks that are looked at.
const GAP: u32 = 120;

/// A candidate with its points, of those of the best.
pub(super) type Found = (u32, f32);

/// The candidates, best first, by the sum of the rarity of the features they share with the anchor. The rarest
/// features are looked at first, and only as many as the limit allows: the work does not grow with the page.
pub(super) fn search(survey: &Survey<'_>, sought: &Sought<'_>, board: &mut Board) -> Vec<Found> {
    let mut lists: Vec<(&[(u32, u32)], f32)> =
        features(sought).into_iter().map(|(feature, weight)| (survey.with(feature), weight)).collect();
    lists.retain(|(list, _)| !list.is_empty());
    sort::by_key(&mut lists, |(list, _)| list.len());
    let mut left = POSTINGS;
    let all = survey.elements().max(1) as f32;
    for (list, weight) in lists {
        if list.len() > left {
            break;
        }
        left -= list.len();
        let rarity = weight * (all / list.len() as f32).ln_1p();
        for &(_, node) in list {
            board.add(node, rarity);
        }
    }
    let mut found = board.best();
    let mut also = |node: u32| {
        if found.iter().all(|&(known, _)| known != node) {
            found.push((node, 0.0));
        }
    };
    sought.vote.iter().flat_map(|vote| &vote.candidates).for_each(|&(node, _)| also(node));
    in_gap(survey, sought).for_each(&mut also);
    in_item(survey, sought).into_iter().for_each(&mut also);
    called(survey, sought, &mut also);
    let most = found.iter().map(|&(_, points)| points).fold(f32::MIN_POSITIVE, f32::max);
    found.iter_mut().for_each(|(_, points)| *points /= most);
    found
}

/// The elements of the right tag near the landmarks that are left: where the element would be if nothing of itself
/// were left.
fn in_gap(survey: &Survey<'_>, sought: &Sought<'_>) -> impl Iterator<Item = u32> {
    let range = match (sought.before, sought.after) {
        (Some(before), Some(after)) if before.place < after.place => {
            let from = survey.text_node(before.place);
            Some((from, survey.text_node(after.place).min(from.saturating_add(GAP))))
        }
        (Some(before), _) if before.distance < 4 => {
            let from = survey.text_node(before.place);
            Some((from, from.saturating_add(GAP / 4)))
        }
        (_, Some(after)) if after.distance < 4 => {
            let to = survey.text_node(after.place);
            Some((to.saturating_sub(GAP / 4), to))
        }
        _ => None,
    };
    let (from, to) = range.unwrap_or((0, 0));
    (from..to).filter(|&node| survey.tag(node) == sought.tag).take(KEPT / 2)
}

/// A word with more elements that are called by it tells little.
const CALLED: usize = 6;

/// The elements that are called what the element said or was called, and those that say what it was called.
fn called(survey: &Survey<'_>, sought: &Sought<'_>, also: &mut dyn FnMut(u32)) {
    let is_silent = sought.anchor.base.text_hash == 0;
    for &word in &sought.called {
        for feature in [called::feature(word), word].into_iter().take(1 + usize::from(is_silent)) {
            let list = survey.with(feature);
            list.iter().filter(|_| list.len() <= CALLED).for_each(|&(_, node)| also(node));
        }
    }
}

/// Most nodes of an item that are looked at, and how far up from its text.
const ITEM: usize = 80;
const ITEM_LEVELS: usize = 6;

/// Rare words nearby whose surroundings are looked at.
const NEARBY: usize = 2;

/// The elements of the right tag in the smallest part of the page that has one beside what the item said, whole or in
/// its rare words.
fn in_item(survey: &Survey<'_>, sought: &Sought<'_>) -> Vec<u32> {
    let page = survey.page;
    let fits = |&node: &u32| survey.tag(node) == sought.tag;
    let of =
        |above: u32| -> Vec<u32> { page.subtree(above).skip(1).take(ITEM).filter(fits).take(8).collect() };
    let text = sought.item.first().map(|&place| survey.text_node(place));
    let said = text.into_iter().chain(sought.wanted.said_at().take(NEARBY));
    let nearest =
        |place: u32| page.element_ancestors(place).take(ITEM_LEVELS).map(of).find(|found| !found.is_empty());
    said.filter_map(nearest).flatten().collect()
}

/// Points of a page's nodes; made once for many searches.
pub(super) struct Board {
    points: Vec<f32>,
    touched: Vec<u32>,
}

impl Board {
    pub(super) fn new(survey: &Survey<'_>) -> Self {
        Self { points: vec![0.0; survey.page.len() as usize], touched: Vec::new() }
    }

    fn add(&mut self, node: u32, points: f32) {
        if let Some(sum) = self.points.get_mut(node as usize) {
            if *sum == 0.0 {
                self.touched.push(node);
            }
            *sum += points;
        }
    }

    /// The nodes with the most points, best first; clears the board. Most nodes are no better than the worst that is
    /// kept, so this is quicker than sorting them all.
    fn best(&mut self) -> Vec<Found> {
        let mut kept: Vec<Found> = Vec::with_capacity(KEPT + 1);
        for node in self.touched.drain(..) {
            let sum = std::mem::take(&mut self.points[node as usize]);
            if kept.len() == KEPT && kept.last().is_some_and(|&(_, last)| last > sum) {
                continue;
            }
            let before = |&(known, other): &Found| other > sum || (other == sum && known < node);
            let at = kept.partition_point(before);
            if at < KEPT {
                kept.insert(at, (node, sum));
                kept.truncate(KEPT);
            }
        }
        kept
    }
}

/// The features of the anchor that are indexed, with a weight each.
fn features(sought: &Sought<'_>) -> Vec<(u32, f32)> {
    let base = &sought.anchor.base;
    let tag = hash::wide(Kind::Tag, &[&base.tag]);
    let mut features = vec![((base.path >> 32) as u32, 0.7), ((tag >> 32) as u32, 0.6)];
    features.push((base.nested, 0.8));
    features.push((whole_class(&base.tag, base.classes.iter().map(String::as_str)), 0.8));
    features.extend(base.before.first().map(|&text| (beside(Side::Before, tag, text), 1.0)));
    features.extend(base.after.first().map(|&text| (beside(Side::After, tag, text), 1.0)));
    if base.text_hash != 0 {
        features.push(((base.text_hash >> 32) as u32, 1.5));
    }
    features.extend(base.own_words.iter().map(|&word| (word, 1.0)));
    features.extend(base.words.iter().filter(|word| !base.own_words.contains(word)).map(|&word| (word, 0.5)));
    let classes = base.classes.iter().filter_map(|class| written(class));
    features.extend(classes.map(|class| (hash::of(Kind::Class, &[class]), 0.6)));
    for (name, value) in &base.attributes {
        features.push((attribute(name, value.hash), 1.2));
    }
    features
}
