//! Similo as published in 2022 (M. Nass, E. Alégroth, R. Feldt, M. Leotta, F. Ricca: Similarity-based Web Element
//! Localization for Robust Test Automation): stable properties weigh 1.5, the others 0.5.

use std::borrow::Cow;

use super::element::is_button;
use super::similo::{Compare, Elements, Property, Words};
use super::text_compare::{Value, near};
use super::xpath::{From, written};
use crate::bench::statistics::number;

/// Compared for equality.
const EQUAL: [(&str, f64); 2] = [("name", 1.5), ("id", 1.5)];
/// Compared by edit distance.
const LIKE: [(&str, f64); 3] = [("class", 0.5), ("href", 0.5), ("alt", 0.5)];

pub(super) struct Properties {
    tag: Property<String>,
    equal: Vec<Property<String>>,
    like: Vec<Property<Value>>,
    path: Property<Value>,
    id_path: Property<Value>,
    text: Property<Value>,
}

impl Compare for Properties {
    fn new(new: &Elements<'_>, words: &mut Words) -> Self {
        let page = new.page;
        let mut value = |text: &str| Value::new(text, |word| words.id(word));
        Self {
            tag: Property::new(new, |_, node| Some(Cow::Borrowed(page.tag(node))), str::to_owned),
            equal: EQUAL
                .iter()
                .map(|(name, _)| {
                    Property::new(new, |_, node| page.attr(node, name).map(Cow::Borrowed), str::to_lowercase)
                })
                .collect(),
            like: LIKE
                .iter()
                .map(|(name, _)| {
                    Property::new(new, |_, node| page.attr(node, name).map(Cow::Borrowed), &mut value)
                })
                .collect(),
            path: Property::new(new, |_, node| Some(Cow::Owned(written(page, node, From::Root))), &mut value),
            id_path: Property::new(
                new,
                |_, node| Some(Cow::Owned(written(page, node, From::NearestId))),
                &mut value,
            ),
            text: Property::new(new, |at, _| text(new, at), &mut value),
        }
    }

    fn scores(&self, old: &Elements<'_>, target: usize, new: &Elements<'_>, words: &mut Words) -> Vec<f64> {
        let mut scores = vec![0.0; new.nodes.len()];
        let Some(&node) = old.nodes.get(target) else { return scores };
        let page = old.page;
        let mut value = |text: &str| Value::new(text, |word| words.id(word));
        self.tag.add(&mut scores, 1.5, |tag| if tag == page.tag(node) { 1.0 } else { 0.0 });
        for ((name, weight), property) in EQUAL.iter().zip(&self.equal) {
            if let Some(own) = page.attr(node, name).map(str::to_lowercase) {
                property.add(&mut scores, *weight, |other| if *other == own { 1.0 } else { 0.0 });
            }
        }
        for ((name, weight), property) in LIKE.iter().zip(&self.like) {
            if let Some(own) = page.attr(node, name).map(&mut value) {
                property.add(&mut scores, *weight, |other| own.like_2022(other));
            }
        }
        let own = value(&written(page, node, From::Root));
        self.path.add(&mut scores, 0.5, |other| own.like_2022(other));
        let own = value(&written(page, node, From::NearestId));
        self.id_path.add(&mut scores, 0.5, |other| own.like_2022(other));
        if let Some(own) = text(old, target).map(|text| value(&text)) {
            self.text.add(&mut scores, 1.5, |other| own.like_2022(other));
        }
        let rect = page.rect(node);
        let shape = |width: i32, height: i32| i64::from(width) * 100 / i64::from(height).max(1);
        for (score, &other) in scores.iter_mut().zip(&new.nodes) {
            *score += if is_button(new.page, other) == is_button(page, node) { 0.5 } else { 0.0 };
            let theirs = new.page.rect(other);
            let away = f64::from(rect.x - theirs.x).hypot(f64::from(rect.y - theirs.y));
            *score += 0.5 * (100.0 - away.floor()).max(0.0) / 100.0;
            let area = |width: i32, height: i32| i64::from(width) * i64::from(height);
            *score += 0.5 * near(area(rect.width, rect.height), area(theirs.width, theirs.height));
            *score += 0.5 * near(shape(rect.width, rect.height), shape(theirs.width, theirs.height));
        }
        if let Some(Some(own)) = old.neighbours.get(target) {
            add_neighbours(&mut scores, own, new, words);
        }
        scores
    }
}

fn text<'a>(elements: &'a Elements<'_>, at: usize) -> Option<Cow<'a, str>> {
    elements.texts.get(at)?.as_deref().map(Cow::Borrowed)
}

/// Words of the target's neighbours that are among the candidate's, or begin or end one of them, by their length.
fn add_neighbours(scores: &mut [f64], own: &[u32], new: &Elements<'_>, words: &Words) {
    let word = |id: u32| words.list.get(id as usize).map_or("", String::as_str);
    let length = |ids: &[u32]| ids.iter().map(|&id| word(id).chars().count()).sum::<usize>() + 1;
    let own_length = length(own);
    // For each word of the page, which of the target's words it bears out; asked once.
    let mut known: Vec<Option<Vec<u16>>> = vec![None; words.list.len()];
    for (score, theirs) in scores.iter_mut().zip(&new.neighbours) {
        let Some(theirs) = theirs else { continue };
        let mut borne_out = vec![false; own.len()];
        for &id in theirs {
            let Some(entry) = known.get_mut(id as usize) else { continue };
            let which = entry.get_or_insert_with(|| {
                let other = word(id);
                let fits = |own: &str| {
                    let (short, long) = if own.len() < other.len() { (own, other) } else { (other, own) };
                    long.starts_with(short) || long.ends_with(short)
                };
                let all = own.iter().enumerate().filter(|(_, id)| fits(word(**id)));
                all.map(|(at, _)| u16::try_from(at).unwrap_or(u16::MAX)).collect()
            });
            for &at in which.iter() {
                if let Some(one) = borne_out.get_mut(usize::from(at)) {
                    *one = true;
                }
            }
        }
        let found: usize = own
            .iter()
            .zip(&borne_out)
            .filter(|(_, yes)| **yes)
            .map(|(&id, _)| word(id).chars().count())
            .sum();
        *score += 1.5 * (number(found) / number(own_length.max(length(theirs)))).min(1.0);
    }
}
