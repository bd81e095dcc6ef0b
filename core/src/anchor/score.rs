//! How much one element is like an anchor, field by field.

use super::fingerprint::{Anchor, Short, child_tags, steps};
use super::hash::{self, Kind};
use super::survey::{Survey, telling_attributes};
use crate::selector::is_generated;
use crate::sort;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Field {
    Tag,
    Classes,
    Attributes,
    Children,
    OwnText,
    Text,
    AncestorNames,
    AncestorTags,
    Before,
    After,
    Previous,
    Next,
    Path,
    Place,
    Size,
    Near,
    Content,
    Selector,
}

const FIELDS: usize = 18;

/// Weights of the fields, in their order, and of those of an element whose twins said the very same.
const WEIGHTS: [[f32; FIELDS]; 2] = [
    [4.0, 1.3, 2.2, 1.0, 2.8, 2.6, 1.1, 1.0, 2.2, 2.0, 0.9, 0.9, 0.6, 0.4, 0.4, 0.6, 3.5, 1.4],
    [4.0, 0.6, 0.6, 0.6, 0.7, 0.3, 0.8, 0.5, 2.6, 2.6, 0.4, 0.4, 1.0, 0.3, 0.3, 0.5, 0.1, 2.0],
];

/// How like an element and an anchor are, field by field.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Likeness {
    /// How much the field says of this element, 0 where neither side has it, and how like they are in it, 0 to 1.
    fields: [(f32, f32); FIELDS],
    /// Whether others on the anchor's page had its content.
    pub(super) twins: bool,
    /// Whether this is what another one on the anchor's page was.
    another: bool,
}

impl Likeness {
    fn set(&mut self, field: Field, share: f32, similarity: f32) {
        self.fields[field as usize] = (share, similarity);
    }

    /// How much a field says, and how like they are in it.
    pub(super) fn of(&self, field: Field) -> (f32, f32) {
        self.fields[field as usize]
    }

    /// 0 to 1; 1 only for the same element with the same things around it.
    pub(super) fn score(&self) -> f32 {
        let weights = &WEIGHTS[usize::from(self.twins)];
        let (mut sum, mut all) = (0.0, 0.0);
        for ((share, similarity), weight) in self.fields.iter().zip(weights) {
            sum += share * weight * similarity;
            all += share * weight;
        }
        let mean = if all > 0.0 { sum / all } else { 0.0 };
        if self.another { mean * KNOWN_AS_ANOTHER } else { mean }
    }
}

/// Compares `node` with the anchor. `addressed` is what the anchor's selector means on the page, if that is one element.
pub(super) fn likeness(survey: &Survey<'_>, anchor: &Anchor, addressed: Option<u32>, node: u32) -> Likeness {
    let content = survey.content(node);
    let mut like =
        Likeness { twins: has_twins(anchor), another: is_another(anchor, content), ..Likeness::default() };
    identity(survey, anchor, node, &mut like);
    texts(survey, anchor, node, &mut like);
    surroundings(survey, anchor, node, &mut like);
    if anchor.text_hash != 0 || !anchor.attributes.is_empty() {
        like.set(Field::Content, 1.0, f32::from(u8::from(content == anchor.content)));
    }
    if let Some(addressed) = addressed {
        // A position among siblings says less than a name.
        let by_place = anchor.selectors.first().is_some_and(|selector| selector.contains(":nth-"));
        like.set(Field::Selector, if by_place { 0.4 } else { 1.0 }, f32::from(u8::from(addressed == node)));
    }
    like
}

/// Factor for a candidate whose content is that of a look-alike on the page the anchor was made on: it is that one.
const KNOWN_AS_ANOTHER: f32 = 0.8;

/// Whether other elements on the anchor's own page had the very same content.
pub(super) fn has_twins(anchor: &Anchor) -> bool {
    anchor.look_alikes.iter().any(|other| other.content == anchor.content)
}

/// Whether something else on the anchor's own page had this content, and the element itself had not.
fn is_another(anchor: &Anchor, content: u32) -> bool {
    content != anchor.content && anchor.look_alikes.iter().any(|other| other.content == content)
}

/// What the element is.
fn identity(survey: &Survey<'_>, anchor: &Anchor, node: u32, like: &mut Likeness) {
    let page = survey.page;
    like.set(Field::Tag, 1.0, f32::from(u8::from(page.tag(node) == anchor.tag)));
    let classes: Vec<&str> = page.classes(node).filter(|class| !is_generated(class)).collect();
    let chosen = anchor.classes.iter().filter(|class| !is_generated(class)).count();
    if chosen + classes.len() > 0 {
        let shared = anchor.classes.iter().filter(|class| classes.contains(&class.as_str())).count();
        like.set(Field::Classes, 1.0, 2.0 * shared as f32 / (chosen + classes.len()) as f32);
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
        like.set(Field::Attributes, total.min(2.5), shared / total);
    }
    let children = child_tags(page, node);
    if anchor.child_tags.len() + children.len() > 0 {
        like.set(Field::Children, 1.0, bag(&anchor.child_tags, &children));
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

fn texts(survey: &Survey<'_>, anchor: &Anchor, node: u32, like: &mut Likeness) {
    let has_text = survey.text_count(node) > 0;
    if anchor.text_hash == 0 && !has_text {
        return;
    }
    let theirs = survey.texts(node);
    // Where an element has no other text than its own, that text counts once.
    let whole = if anchor.own_text.hash == anchor.text.hash { 0.5 } else { 2.0 };
    if !anchor.own_words.is_empty() || !theirs.own_words.is_empty() {
        like.set(
            Field::OwnText,
            1.0,
            alike(&anchor.own_text, &anchor.own_words, &theirs.own, &theirs.own_words),
        );
    }
    if survey.text_hash(node) == anchor.text_hash {
        like.set(Field::Text, whole, 1.0);
    } else {
        like.set(Field::Text, whole, 0.95 * alike(&anchor.text, &anchor.words, &theirs.all, &theirs.words));
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
fn surroundings(survey: &Survey<'_>, anchor: &Anchor, node: u32, like: &mut Likeness) {
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
        like.set(Field::AncestorNames, 1.0, names as f32 / longest as f32);
        like.set(Field::AncestorTags, 1.0, bag(&ours, &tags));
    }
    let (before, after) = survey.around(node);
    like.set(Field::Before, 1.0, run(&anchor.before, &before));
    like.set(Field::After, 1.0, run(&anchor.after, &after));
    let neighbour = |kept: u32, other: Option<u32>| {
        f32::from(u8::from(kept == other.map_or(0, |other| survey.content(other))))
    };
    like.set(Field::Previous, 1.0, neighbour(anchor.previous, page.previous_element(node)));
    like.set(Field::Next, 1.0, neighbour(anchor.next, page.next_element(node)));
    like.set(Field::Path, 1.0, f32::from(u8::from(survey.path(node) == anchor.path)));
    like.set(Field::Place, 1.0, closeness(anchor.place, page.nth_child(node)));
    let bounds = page.rect(node);
    let [x, y, width, height] = anchor.bounds;
    let size = ratio(width, bounds.width) * ratio(height, bounds.height);
    let near = near(x, bounds.x, 200.0) * near(y, bounds.y, 600.0);
    like.set(Field::Size, 1.0, size);
    like.set(Field::Near, 1.0, near);
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
