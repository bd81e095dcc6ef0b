//! Similo with the weights and comparisons that were optimised in 2025 (A. Kluge, A. Stocco: Web Element Relocalization
//! in Evolving Web Applications).

use std::borrow::Cow;
use std::collections::HashSet;

use super::similo::{Compare, Elements, Property, Words};
use super::text_compare::{Value, shared};
use super::xpath::{From, written};
use crate::bench::statistics::number;

/// Compared for equality.
const EQUAL: [(&str, f64); 3] = [("href", 0.95), ("alt", 1.85), ("type", 2.75)];
/// Compared by edit distance.
const LIKE: [(&str, f64); 2] = [("name", 2.85), ("id", 0.5)];

pub(super) struct Properties {
    tag: Property<Value>,
    equal: Vec<Property<String>>,
    like: Vec<Property<Value>>,
    aria_label: Property<Value>,
    path: Property<Value>,
    id_path: Property<Value>,
    text: Property<Value>,
}

impl Compare for Properties {
    fn new(new: &Elements<'_>, words: &mut Words) -> Self {
        let page = new.page;
        let mut value = |text: &str| Value::new(text, |word| words.id(word));
        let attribute =
            |name: &'static str| move |_: usize, node: u32| page.attr(node, name).map(Cow::Borrowed);
        Self {
            tag: Property::new(new, |_, node| Some(Cow::Borrowed(page.tag(node))), &mut value),
            equal: EQUAL.iter().map(|(name, _)| Property::new(new, attribute(name), str::to_owned)).collect(),
            like: LIKE.iter().map(|(name, _)| Property::new(new, attribute(name), &mut value)).collect(),
            aria_label: Property::new(new, attribute("aria-label"), &mut value),
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
        let own = value(page.tag(node));
        self.tag.add(&mut scores, 0.8, |other| own.characters_like(other));
        for ((name, weight), property) in EQUAL.iter().zip(&self.equal) {
            if let Some(own) = page.attr(node, name) {
                property.add(&mut scores, *weight, |other| if other == own { 1.0 } else { 0.0 });
            }
        }
        for ((name, weight), property) in LIKE.iter().zip(&self.like) {
            if let Some(own) = page.attr(node, name).map(&mut value) {
                property.add(&mut scores, *weight, |other| own.like_2025(other));
            }
        }
        if let Some(own) = page.attr(node, "aria-label").map(&mut value) {
            self.aria_label.add(&mut scores, 0.9, |other| own.characters_like(other));
        }
        let own = value(&written(page, node, From::Root));
        self.path.add(&mut scores, 0.1, |other| own.characters_like(other));
        let own = value(&written(page, node, From::NearestId));
        self.id_path.add(&mut scores, 0.45, |other| own.like_2025(other));
        if let Some(own) = text(old, target).map(|text| value(&text)) {
            self.text.add(&mut scores, 2.8, |other| own.like_2025(other));
        }
        let rect = page.rect(node);
        let area = |width: i32, height: i32| f64::from(width) * f64::from(height);
        let own_area = area(rect.width, rect.height);
        let pairs: HashSet<(&str, &str)> = page.attributes(node).collect();
        for (score, &other) in scores.iter_mut().zip(&new.nodes) {
            let theirs = new.page.rect(other);
            let away = f64::from(rect.x - theirs.x).hypot(f64::from(rect.y - theirs.y));
            *score += 1.2 * (-0.005 * away).exp();
            let their_area = area(theirs.width, theirs.height);
            if own_area > 0.0 && their_area > 0.0 {
                *score += 0.35 * own_area.min(their_area) / own_area.max(their_area);
            }
            let count = new.page.attribute_ids(other).len().max(pairs.len());
            if count > 0 {
                let same = new.page.attributes(other).filter(|pair| pairs.contains(pair)).count();
                *score += 1.8 * number(same) / number(count);
            }
        }
        if let Some(Some(own)) = old.neighbours.get(target) {
            for (score, theirs) in scores.iter_mut().zip(&new.neighbours) {
                *score += theirs.as_ref().map_or(0.0, |theirs| 1.45 * shared(own, theirs));
            }
        }
        scores
    }
}

fn text<'a>(elements: &'a Elements<'_>, at: usize) -> Option<Cow<'a, str>> {
    elements.texts.get(at)?.as_deref().map(Cow::Borrowed)
}
