//! What speaks for and against one candidate: a list of numbers, 0 to 1 each, NaN where there is nothing to compare.

use super::brief::{Role, Surroundings, beside, known_beside};
use super::fingerprint::{AROUND, Short, Step};
use super::sought::Sought;
use super::survey::Survey;
use crate::sort;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Clue {
    Tag,
    Classes,
    Attributes,
    /// Of the naming attributes with equal value, how rare the rarest is on the page.
    RareAttribute,
    /// Naming attributes whose value differs.
    OtherAttributes,
    Children,
    ChildCount,
    OwnText,
    Text,
    /// Equal texts: how rare they are on the page.
    RareText,
    TextLength,
    Parent,
    GrandParent,
    HigherUp,
    AncestorNames,
    AncestorTags,
    Depth,
    Previous,
    PreviousButOne,
    Next,
    NextButOne,
    ChildBriefs,
    ParentPrevious,
    ParentNext,
    GrandParentBeside,
    Before,
    After,
    JustBefore,
    JustAfter,
    FromLandmarkBefore,
    FromLandmarkAfter,
    InGap,
    Path,
    Place,
    Siblings,
    Size,
    NearX,
    NearY,
    Content,
    /// Share of the selectors that mean it.
    Votes,
    FirstVote,
    /// Its content is that of a look-alike on the anchor's page.
    Another,
    /// What is beside it stood beside a look-alike.
    BesideAnother,
    /// What is beside it stood beside the element, in the same six respects.
    Beside,
    /// It is in what says what the element's item said, as far as the page says it.
    Item,
    ItemLeft,
    /// What is in it, for elements without text.
    Inside,
    /// The same for all candidates: how much text, names and twins the element has.
    HasText,
    HasNames,
    Twins,
    Survived,
    /// Points of the search, of those of the best.
    Points,
}

/// How many clues there are.
pub(super) const CLUES: usize = Clue::Points as usize + 1;
/// One candidate's.
pub(super) type Evidence = [f32; CLUES];

/// Whether the page says where things are. Pages parsed without a browser do not.
fn has_layout(survey: &Survey<'_>, sought: &Sought<'_>) -> bool {
    let [_, _, width, height] = sought.anchor.base.bounds;
    let body = survey.page.rect(survey.page.elements().next().unwrap_or(0));
    width + height > 0 && body.width > 0
}

/// Compares `node` with the anchor. `points`: what the search gave it, of what it gave the best.
pub(super) fn evidence(survey: &Survey<'_>, sought: &Sought<'_>, node: u32, points: f32) -> Evidence {
    let mut clues = [f32::NAN; CLUES];
    let mut set = |clue: Clue, value: f32| clues[clue as usize] = value;
    set(Clue::Points, points);
    what_it_is(survey, sought, node, &mut set);
    what_it_says(survey, sought, node, &mut set);
    what_is_around(survey, sought, node, &mut set);
    where_it_stands(survey, sought, node, &mut set);
    let content = survey.content(node);
    let base = &sought.anchor.base;
    if base.text_hash != 0 || !base.attributes.is_empty() {
        set(Clue::Content, same(content == base.content));
    }
    let another = content != base.content && base.look_alikes.iter().any(|other| other.content == content);
    set(Clue::Another, same(another));
    let now = beside(survey, node);
    if !sought.anchor.context.beside.is_empty() {
        set(Clue::BesideAnother, known_beside(&sought.anchor.context.beside, now));
    }
    set(Clue::Item, item(survey, sought, node));
    set(Clue::ItemLeft, sought.item_left());
    if sought.anchor.context.inside != 0 {
        set(Clue::Inside, same(survey.inside(node) == sought.anchor.context.inside));
    }
    set(Clue::Beside, known_beside(&sought.beside, now));
    if let Some(vote) = &sought.vote {
        let share = vote.candidates.iter().find(|(voted, _)| *voted == node).map_or(0.0, |&(_, share)| share);
        set(Clue::Votes, share);
        set(Clue::FirstVote, same(vote.first == Some(node)));
    }
    set(Clue::HasText, (base.words.len() as f32 / 8.0).min(1.0));
    set(Clue::HasNames, (base.attributes.len() as f32 / 3.0).min(1.0));
    set(Clue::Twins, (sought.anchor.context.twins as f32).ln_1p() / 5.0);
    set(Clue::Survived, sought.survived);
    clues
}

fn same(is: bool) -> f32 {
    f32::from(u8::from(is))
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
        if at + 1 == level { share } else { 0.9 * share }
    };
    above.map(share).fold(0.0, f32::max)
}

fn what_it_is(survey: &Survey<'_>, sought: &Sought<'_>, node: u32, set: &mut impl FnMut(Clue, f32)) {
    let base = &sought.anchor.base;
    set(Clue::Tag, same(survey.tag(node) == sought.tag));
    let classes = survey.classes(node);
    if sought.classes.len() + classes.len() > 0 {
        let shared = sought.classes.iter().filter(|class| classes.contains(class)).count();
        set(Clue::Classes, 2.0 * shared as f32 / (sought.classes.len() + classes.len()) as f32);
    }
    let theirs = survey.telling(node);
    if sought.attributes.len() + theirs.len() > 0 {
        let (mut alike, mut all) = (0.0, 0.0);
        let (mut rare, mut other) = (f32::NAN, 0.0);
        for wanted in &sought.attributes {
            all += wanted.weight;
            match theirs.iter().find(|one| one.name == wanted.name) {
                Some(one) if one.value == wanted.value => {
                    alike += wanted.weight;
                    if wanted.weight >= 1.0 {
                        let feature = attribute_rarity(wanted.name, wanted.value, survey, sought);
                        rare = rare.max(feature);
                    }
                }
                Some(one) => {
                    let kept = kept_value(sought, wanted.name);
                    let value = survey.page.string(one.string);
                    alike += wanted.weight * 0.6 * ends(kept, value);
                    other += if wanted.weight >= 1.0 { 1.0 } else { 0.0 };
                }
                None => other += if wanted.weight >= 1.0 { 0.5 } else { 0.0 },
            }
        }
        let unknown =
            theirs.iter().filter(|one| sought.attributes.iter().all(|wanted| wanted.name != one.name));
        all += 0.4 * unknown.count() as f32;
        set(Clue::Attributes, if all > 0.0 { alike / all } else { 1.0 });
        set(Clue::OtherAttributes, f32::min(other / 2.0, 1.0));
        set(Clue::RareAttribute, rare);
    }
    let children = survey.child_tags(node);
    if base.child_tags.len() + children.len() > 0 {
        set(Clue::Children, bag(&base.child_tags, &children));
        let count = survey.child_count(node);
        set(Clue::ChildCount, ratio(base.child_count as f32, count as f32));
    }
}

fn kept_value<'s>(sought: &'s Sought<'_>, name: u32) -> &'s str {
    let kept = sought.anchor.base.attributes.iter();
    kept.zip(&sought.attributes)
        .find(|(_, wanted)| wanted.name == name)
        .map_or("", |((_, value), _)| value.start.as_str())
}

/// How rare an attribute is on the page, 1 for the only one.
fn attribute_rarity(name: u32, value: u32, survey: &Survey<'_>, sought: &Sought<'_>) -> f32 {
    let kept = sought.anchor.base.attributes.iter().zip(&sought.attributes);
    let found = kept.into_iter().find(|(_, wanted)| wanted.name == name && wanted.value == value);
    found.map_or(0.0, |((name, value), _)| {
        rarity(survey, survey.with(super::survey::attribute(name, value.hash)).len())
    })
}

/// 1 for what is there once, 0 for what every element has.
fn rarity(survey: &Survey<'_>, count: usize) -> f32 {
    let all = (survey.elements().max(2) as f32).ln();
    1.0 - (count.max(1) as f32).ln() / all
}

fn what_it_says(survey: &Survey<'_>, sought: &Sought<'_>, node: u32, set: &mut impl FnMut(Clue, f32)) {
    let base = &sought.anchor.base;
    let now = survey.text_hash(node);
    if base.text_hash == 0 && now == 0 {
        return;
    }
    let equal = now == base.text_hash;
    let own = survey.own_words(node);
    let only = survey.only_text(node);
    if !base.own_words.is_empty() || !own.is_empty() {
        let alike = if own == base.own_words && equal {
            1.0
        } else {
            alike(&base.own_text, &base.own_words, &own, only)
        };
        set(Clue::OwnText, alike);
    }
    if equal {
        set(Clue::Text, 1.0);
        set(Clue::RareText, rarity(survey, survey.with((now >> 32) as u32).len()));
        set(Clue::TextLength, 1.0);
    } else {
        let words = survey.words(node);
        let alike = alike(&base.text, &base.words, &words, only);
        set(Clue::Text, 0.97 * alike);
        set(Clue::RareText, 0.0);
        set(Clue::TextLength, ratio(base.words.len() as f32, words.len() as f32));
    }
}

/// Similarity of two texts by words, and by their ends where there are few words: a slip of the finger, a word more.
fn alike(kept: &Short, words: &[u32], now: &[u32], text: Option<&str>) -> f32 {
    let by_words = dice(words, now);
    match text {
        Some(text) if by_words < 0.99 && words.len().min(now.len()) <= 4 && !words.is_empty() => {
            by_words.max(0.9 * ends(&kept.start, text))
        }
        _ => by_words,
    }
}

/// How much of two strings is the same from the beginning and from the end, 0 to 1.
fn ends(a: &str, b: &str) -> f32 {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let shorter = a.len().min(b.len());
    let first = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let last = a.iter().rev().zip(b.iter().rev()).take(shorter - first).take_while(|(a, b)| a == b).count();
    (first + last) as f32 / a.len().max(b.len()).max(1) as f32
}

fn what_is_around(survey: &Survey<'_>, sought: &Sought<'_>, node: u32, set: &mut impl FnMut(Clue, f32)) {
    let base = &sought.anchor.base;
    if let Some(kept) = &sought.around {
        let now = Surroundings::of(survey, node);
        let like = |a: usize, b: usize| kept.get(a).likeness(now.get(b));
        // A wrapper more or less shifts the ancestors by one.
        let above = |level: usize| {
            let at = Role::Above as usize + level;
            if like(at, at).is_nan() {
                return f32::NAN;
            }
            let lower = if level > 0 { 0.9 * like(at, at - 1) } else { 0.0 };
            let higher = if level < 3 { 0.9 * like(at, at + 1) } else { 0.0 };
            lower.max(higher).max(like(at, at))
        };
        let beside = |one: Role, other: Role| {
            let same = like(one as usize, one as usize);
            if same.is_nan() { same } else { same.max(0.8 * like(one as usize, other as usize)) }
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
    let before: Vec<u32> = before.take(AROUND).collect();
    let after: Vec<u32> = after.take(AROUND).collect();
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

fn where_it_stands(survey: &Survey<'_>, sought: &Sought<'_>, node: u32, set: &mut impl FnMut(Clue, f32)) {
    let base = &sought.anchor.base;
    let page = survey.page;
    let theirs = survey.steps(node);
    let longest = base.ancestors.len().max(theirs.len());
    if longest > 0 {
        let names = base
            .ancestors
            .iter()
            .filter(|step| theirs.iter().any(|other| other.name == step.name && other.tag == step.tag))
            .count();
        let tags = |steps: &[Step]| steps.iter().map(|step| step.tag).collect::<Vec<_>>();
        set(Clue::AncestorNames, names as f32 / longest as f32);
        set(Clue::AncestorTags, bag(&tags(&base.ancestors), &tags(&theirs)));
    }
    let depth = page.element_ancestors(node).take(10_000).count();
    set(Clue::Depth, 1.0 / (1.0 + (base.depth as f32 - depth as f32).abs()));
    set(Clue::Path, same(survey.path(node) == base.path));
    set(Clue::Place, 1.0 / (1.0 + base.place.abs_diff(page.nth_child(node)) as f32));
    let siblings = page.parent(node).map_or(0, |parent| survey.child_count(parent));
    set(Clue::Siblings, ratio(base.siblings as f32, siblings as f32));
    if has_layout(survey, sought) {
        let now = page.rect(node);
        let [x, y, width, height] = base.bounds;
        let side = |a: i32, b: i32| ratio(a.max(0) as f32, b.max(0) as f32);
        let near = |a: i32, b: i32, scale: f32| 1.0 / (1.0 + a.abs_diff(b) as f32 / scale);
        set(Clue::Size, side(width, now.width) * side(height, now.height));
        set(Clue::NearX, near(x, now.x, 100.0));
        set(Clue::NearY, near(y, now.y, 400.0));
    }
}

/// Of those that are known; NaN when none is.
pub(super) fn mean<const N: usize>(values: [f32; N]) -> f32 {
    let known = || values.iter().filter(|value| !value.is_nan());
    if known().next().is_none() { f32::NAN } else { known().sum::<f32>() / known().count() as f32 }
}

fn ratio(a: f32, b: f32) -> f32 {
    (a.min(b) + 1.0) / (a.max(b) + 1.0)
}

/// How much of the texts nearby is the same; the nearest counts most. Two page edges say nothing.
fn run(kept: &[u32], theirs: &[u32]) -> f32 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (place, text) in kept.iter().enumerate() {
        let share = 1.0 / (place + 2) as f32;
        weight += share;
        sum += match theirs.iter().position(|other| other == text) {
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

/// Shared elements of two sorted sets.
fn dice(a: &[u32], b: &[u32]) -> f32 {
    if a.is_empty() || b.is_empty() {
        return same(a.len() == b.len());
    }
    let shared = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    2.0 * shared as f32 / (a.len() + b.len()) as f32
}

/// Shared elements of two short lists, repetitions counted.
fn bag(a: &[u32], b: &[u32]) -> f32 {
    let (mut left, mut right) = (a.to_vec(), b.to_vec());
    sort::plain(&mut left);
    sort::plain(&mut right);
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while let (Some(one), Some(two)) = (left.get(i), right.get(j)) {
        shared += usize::from(one == two);
        (i, j) = (i + usize::from(one <= two), j + usize::from(two <= one));
    }
    if left.is_empty() && right.is_empty() { 1.0 } else { 2.0 * shared as f32 / (a.len() + b.len()) as f32 }
}
