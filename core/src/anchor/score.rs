//! How much one element is like an anchor, field by field.

use super::fingerprint::{Anchor, Short, child_tags, steps};
use super::hash::{self, Kind};
use super::survey::{Survey, telling_attributes};
use crate::selector::is_generated;
use crate::sort;

/// Similarities add up as a weighted mean over the fields that either side has.
#[derive(Default)]
struct Mean {
    sum: f32,
    weight: f32,
}

impl Mean {
    fn add(&mut self, weight: f32, similarity: f32) {
        self.sum += weight * similarity;
        self.weight += weight;
    }

    fn value(&self) -> f32 {
        if self.weight > 0.0 { self.sum / self.weight } else { 0.0 }
    }
}

/// 0 to 1: how much `node` is like the anchor. 1 only for the same element with the same things around it.
pub(super) fn similarity(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> f32 {
    let mut mean = Mean::default();
    identity(survey, anchor, node, &mut mean);
    texts(survey, anchor, node, &mut mean);
    surroundings(survey, anchor, node, &mut mean);
    let content = survey.content(node);
    if anchor.text_hash != 0 || !anchor.attributes.is_empty() {
        // What nothing else on its page said identifies the element; what its twins said too does not.
        let weight = if has_twins(anchor) { 0.3 } else { 4.0 };
        mean.add(weight, f32::from(u8::from(content == anchor.content)));
    }
    if is_another(anchor, content) { mean.value() * KNOWN_AS_ANOTHER } else { mean.value() }
}

/// Factor for a candidate whose content is that of a look-alike on the page the anchor was made on: it is that one.
const KNOWN_AS_ANOTHER: f32 = 0.8;

/// Whether other elements on the anchor's own page had the very same content.
pub(super) fn has_twins(anchor: &Anchor) -> bool {
    anchor.look_alikes.iter().any(|other| other.content == anchor.content)
}

/// Whether something else on the anchor's own page had this content, and the element itself had not.
pub(super) fn is_another(anchor: &Anchor, content: u32) -> bool {
    content != anchor.content && anchor.look_alikes.iter().any(|other| other.content == content)
}

/// What the element is.
fn identity(survey: &Survey<'_>, anchor: &Anchor, node: u32, mean: &mut Mean) {
    let page = survey.page;
    mean.add(4.0, f32::from(u8::from(page.tag(node) == anchor.tag)));
    let classes: Vec<&str> = page.classes(node).filter(|class| !is_generated(class)).collect();
    let chosen = anchor.classes.iter().filter(|class| !is_generated(class)).count();
    if chosen + classes.len() > 0 {
        let shared = anchor.classes.iter().filter(|class| classes.contains(&class.as_str())).count();
        mean.add(1.0, 2.0 * shared as f32 / (chosen + classes.len()) as f32);
    }
    let mut theirs = 0;
    let mut shared = 0.0;
    let mut total = 0.0;
    for (name, value) in telling_attributes(page, node) {
        theirs += 1;
        if let Some((_, kept)) = anchor.attributes.iter().find(|(kept, _)| kept == name) {
            let weight = attribute_weight(name);
            total += weight;
            shared += weight
                * if kept.is(value) { 1.0 } else { 0.5 * dice(&trigrams(&kept.start), &trigrams(value)) };
        }
    }
    let both = anchor.attributes.iter().filter(|(name, _)| page.attr(node, name).is_some()).count();
    let alone = (anchor.attributes.len() - both) + theirs.max(both) - both;
    if total + alone as f32 > 0.0 {
        total += 0.5 * alone as f32;
        mean.add(total.min(2.5), shared / total);
    }
    let children = child_tags(page, node);
    if anchor.child_tags.len() + children.len() > 0 {
        mean.add(0.7, bag(&anchor.child_tags, &children));
    }
}

/// Attributes that stay the same between versions of real sites weigh more.
fn attribute_weight(name: &str) -> f32 {
    match name {
        "type" | "name" | "href" | "id" | "role" | "title" | "alt" | "aria-label" | "placeholder" | "for"
        | "value" | "src" => 1.5,
        _ if name.starts_with("data-test") => 2.0,
        _ => 0.7,
    }
}

fn texts(survey: &Survey<'_>, anchor: &Anchor, node: u32, mean: &mut Mean) {
    let has_text = survey.text_count(node) > 0;
    if anchor.text_hash == 0 && !has_text {
        return;
    }
    let theirs = survey.texts(node);
    // A text that others on the page say too tells little; then what is around has to decide.
    let telling = if has_twins(anchor) { 0.4 } else { 1.0 };
    // Where an element has no other text than its own, that text counts once.
    let whole = if anchor.own_text.hash == anchor.text.hash { 0.5 } else { 2.0 };
    if !anchor.own_words.is_empty() || !theirs.own_words.is_empty() {
        mean.add(2.5 * telling, alike(&anchor.own_text, &anchor.own_words, &theirs.own, &theirs.own_words));
    }
    if survey.text_hash(node) == anchor.text_hash {
        mean.add(whole * telling, 1.0);
    } else {
        mean.add(whole * telling, 0.95 * alike(&anchor.text, &anchor.words, &theirs.all, &theirs.words));
    }
}

/// Similarity of two texts by words, and by trigrams where there are few words.
fn alike(kept: &Short, words: &[u32], text: &str, text_words: &[u32]) -> f32 {
    if kept.is(text) {
        return 1.0;
    }
    let by_words = dice(words, text_words);
    if words.len().min(text_words.len()) > 4 || text.is_empty() || kept.start.is_empty() {
        return by_words;
    }
    by_words.max(0.9 * dice(&trigrams(&kept.start), &trigrams(text)))
}

/// Where the element stands.
fn surroundings(survey: &Survey<'_>, anchor: &Anchor, node: u32, mean: &mut Mean) {
    let page = survey.page;
    let theirs = steps(page, node);
    let longest = anchor.ancestors.len().max(theirs.len());
    if longest > 0 {
        let names = anchor
            .ancestors
            .iter()
            .filter(|step| theirs.iter().any(|other| other.name == step.name && other.tag == step.tag))
            .count();
        let ours: Vec<u32> = anchor.ancestors.iter().map(|step| step.tag).collect();
        let tags: Vec<u32> = theirs.iter().map(|step| step.tag).collect();
        mean.add(0.8, names as f32 / longest as f32);
        mean.add(0.7, bag(&ours, &tags));
    }
    let (before, after) = survey.around(node);
    let near_by = if has_twins(anchor) { 2.2 } else { 1.2 };
    mean.add(near_by, run(&anchor.before, &before));
    mean.add(near_by, run(&anchor.after, &after));
    let neighbour = |kept: u32, other: Option<u32>| {
        f32::from(u8::from(kept == other.map_or(0, |other| survey.content(other))))
    };
    mean.add(0.5, neighbour(anchor.previous, page.previous_element(node)));
    mean.add(0.5, neighbour(anchor.next, page.next_element(node)));
    mean.add(0.5, f32::from(u8::from(survey.path(node) == anchor.path)));
    mean.add(0.3, closeness(anchor.place, page.nth_child(node)));
    let bounds = page.rect(node);
    let [x, y, width, height] = anchor.bounds;
    let size = ratio(width, bounds.width) * ratio(height, bounds.height);
    let near = near(x, bounds.x, 200.0) * near(y, bounds.y, 600.0);
    mean.add(0.3, size);
    mean.add(0.4, near);
}

fn closeness(a: u32, b: u32) -> f32 {
    1.0 / (1.0 + a.abs_diff(b) as f32)
}

fn ratio(a: i32, b: i32) -> f32 {
    let (low, high) = (a.min(b).max(0) as f32, a.max(b).max(0) as f32);
    (low + 1.0) / (high + 1.0)
}

fn near(a: i32, b: i32, scale: f32) -> f32 {
    1.0 / (1.0 + a.abs_diff(b) as f32 / scale)
}

/// How much of the texts nearby is the same; the nearest counts most. Two page edges are the same.
fn run(kept: &[u32], theirs: &[u32]) -> f32 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (place, text) in kept.iter().enumerate() {
        let share = 1.0 / (place + 1) as f32;
        weight += share;
        sum += match theirs.iter().position(|other| other == text) {
            Some(at) if at == place => share,
            Some(_) => share * 0.7,
            None => 0.0,
        };
    }
    if weight > 0.0 { sum / weight } else { f32::from(u8::from(theirs.is_empty())) }
}

/// Shared elements of two sorted sets.
fn dice(a: &[u32], b: &[u32]) -> f32 {
    if a.is_empty() || b.is_empty() {
        return f32::from(u8::from(a.len() == b.len()));
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

/// The trigrams of the first 80 characters, sorted, without repetition.
fn trigrams(text: &str) -> Vec<u32> {
    let characters: Vec<char> = text.chars().flat_map(char::to_lowercase).take(80).collect();
    let mut all: Vec<u32> = if characters.len() < 3 {
        vec![hash::of(Kind::Word, &[text])]
    } else {
        let mix = |three: &[char]| {
            three.iter().fold(7u32, |state, &c| state.wrapping_mul(0x0100_0193) ^ u32::from(c))
        };
        characters.windows(3).map(mix).collect()
    };
    sort::plain(&mut all);
    all.dedup();
    all
}
