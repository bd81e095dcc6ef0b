//! The anchor: what is kept of an element.

use base64ct::{Base64, Encoding};
use serde::{Deserialize, Serialize};

use super::candidates;
use super::hash::{self, Kind};
use super::score;
use super::survey::{Survey, nested, telling_attributes, word_set};
use crate::element::{Rect, redact_attribute, redact_text};
use crate::page::Page;
use crate::sort;

/// First byte of an encoded anchor.
pub const VERSION: u8 = 1;
/// Longest encoded anchor, in bytes.
pub const MAX_ENCODED: usize = 2_048;

const TAG_BYTES: usize = 40;
const VALUE_BYTES: usize = 72;
const CLASSES_BYTES: usize = 220;
const ATTRIBUTES_BYTES: usize = 420;
const TEXT_BYTES: usize = 240;
const SELECTOR_BYTES: usize = 320;
const ANCESTORS: usize = 8;
const LOOK_ALIKES: usize = 8;
const CHILD_TAGS: usize = 12;

/// Why bytes are not an anchor, or an element cannot have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnchorError {
    /// No bytes.
    #[error("the anchor is empty")]
    Empty,
    /// Longer than any anchor.
    #[error("the anchor has {bytes} bytes, at most {MAX_ENCODED} are allowed")]
    TooLong {
        /// In bytes.
        bytes: usize,
    },
    /// Written by a newer opentoolbar.
    #[error("the anchor has version {found}, and this opentoolbar reads up to {VERSION}; update opentoolbar")]
    Newer {
        /// The version it says.
        found: u8,
    },
    /// Not what was written.
    #[error("the anchor is damaged; pin the comment to its element again")]
    Damaged,
    /// The node is not an element of the page.
    #[error("node {node} is not an element of the page")]
    NotAnElement {
        /// The index asked for.
        node: u32,
    },
}

/// A string as it is compared and shown: its beginning without secrets, and a hash of the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Short {
    pub(super) start: String,
    pub(super) hash: u32,
}

impl Short {
    pub(super) fn new(text: &str, bytes: usize) -> Self {
        Self { start: cut(&redact_text(text), bytes).to_owned(), hash: hash::of(Kind::Text, &[text]) }
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.hash == hash::of(Kind::Text, &[text])
    }
}

/// One ancestor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) tag: u32,
    /// Id and class names together.
    pub(super) name: u32,
}

/// Another element of the same page that looks like this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LookAlike {
    /// In thousandths.
    pub(super) similarity: u16,
    /// Its content, to know it again.
    pub(super) content: u32,
}

/// The compact fingerprint with which an element is found again.
///
/// Encoded it is a version byte and postcard, at most [`MAX_ENCODED`] bytes. It holds readable beginnings of what a
/// person sees, so that a verdict can say what changed, and hashes of the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    pub(super) tag: String,
    pub(super) classes: Vec<String>,
    /// Telling attributes, `id` among them.
    pub(super) attributes: Vec<(String, Short)>,
    /// Whether classes or attributes were left out for their size.
    pub(super) names_cut: bool,
    pub(super) own_text: Short,
    pub(super) text: Short,
    pub(super) own_words: Vec<u32>,
    pub(super) words: Vec<u32>,
    /// All texts of the subtree in order.
    pub(super) text_hash: u64,
    pub(super) content: u32,
    pub(super) child_tags: Vec<u32>,
    pub(super) child_count: u32,
    /// From the parent up.
    pub(super) ancestors: Vec<Step>,
    pub(super) depth: u32,
    /// Tags and class names of itself, its parent and the one above, as one feature.
    pub(super) nested: u32,
    pub(super) path: u64,
    pub(super) place: u32,
    pub(super) siblings: u32,
    pub(super) previous: u32,
    pub(super) next: u32,
    pub(super) before: Vec<u32>,
    pub(super) after: Vec<u32>,
    pub(super) bounds: [i32; 4],
    /// Unique addresses on the page it was made on, best first.
    pub(super) selectors: Vec<String>,
    /// The nearest first: what a candidate must beat.
    pub(super) look_alikes: Vec<LookAlike>,
}

impl Anchor {
    /// The anchor of an element. `selector` is its unique address on this page; one that is too long is not kept.
    ///
    /// # Errors
    /// `NotAnElement` for an index that is none.
    pub fn of(page: &Page, node: u32, selector: &str) -> Result<Anchor, AnchorError> {
        let mut anchors = Self::of_all(page, &[(node, selector)])?;
        anchors.pop().ok_or(AnchorError::NotAnElement { node })
    }

    /// As [`Anchor::of`] for several elements: the page is surveyed once.
    ///
    /// # Errors
    /// `NotAnElement` for the first index that is none.
    pub fn of_all(page: &Page, elements: &[(u32, &str)]) -> Result<Vec<Anchor>, AnchorError> {
        let survey = Survey::new(page);
        elements
            .iter()
            .map(|&(node, selector)| {
                if !page.is_element(node) {
                    return Err(AnchorError::NotAnElement { node });
                }
                let mut anchor = describe(&survey, node);
                if (1..=SELECTOR_BYTES).contains(&selector.len()) {
                    anchor.selectors.push(selector.to_owned());
                }
                anchor.look_alikes = look_alikes(&survey, &anchor, node);
                Ok(anchor)
            })
            .collect()
    }

    /// Version byte and postcard, at most [`MAX_ENCODED`] bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        // Writing plain data into memory cannot fail; decoding tells an empty anchor.
        let body = postcard::to_allocvec(self).unwrap_or_default();
        let mut bytes = Vec::with_capacity(body.len() + 1);
        bytes.push(VERSION);
        bytes.extend(body);
        bytes
    }

    /// Reads an encoded anchor.
    ///
    /// # Errors
    /// [`AnchorError`]; no bytes panic.
    pub fn decode(bytes: &[u8]) -> Result<Anchor, AnchorError> {
        if bytes.len() > MAX_ENCODED {
            return Err(AnchorError::TooLong { bytes: bytes.len() });
        }
        match bytes.split_first() {
            None => Err(AnchorError::Empty),
            Some((0, _)) => Err(AnchorError::Damaged),
            Some((&found, _)) if found > VERSION => Err(AnchorError::Newer { found }),
            Some((_, body)) => match postcard::take_from_bytes::<Anchor>(body) {
                Ok((anchor, [])) => Ok(anchor),
                _ => Err(AnchorError::Damaged),
            },
        }
    }

    /// [`Anchor::encode`] as padded base64 of the standard alphabet.
    #[must_use]
    pub fn to_base64(&self) -> String {
        Base64::encode_string(&self.encode())
    }

    /// Reads what [`Anchor::to_base64`] wrote.
    ///
    /// # Errors
    /// [`AnchorError`]; no string panics.
    pub fn from_base64(text: &str) -> Result<Anchor, AnchorError> {
        if text.len() > MAX_ENCODED.div_ceil(3) * 4 {
            return Err(AnchorError::TooLong { bytes: text.len() / 4 * 3 });
        }
        Self::decode(&Base64::decode_vec(text).map_err(|_| AnchorError::Damaged)?)
    }

    /// How similar the nearest look-alike was on the page the anchor was made on, 0 to 1.
    #[must_use]
    pub fn nearest_look_alike(&self) -> f32 {
        self.look_alikes.first().map_or(0.0, |one| f32::from(one.similarity.min(1_000)) / 1_000.0)
    }
}

fn describe(survey: &Survey<'_>, node: u32) -> Anchor {
    let page = survey.page;
    let texts = survey.texts(node);
    let (before, after) = survey.around(node);
    let neighbour = |other: Option<u32>| other.map_or(0, |other| survey.content(other));
    let Rect { x, y, width, height } = page.rect(node);
    let parent = page.parent(node);
    let (classes, attributes) = (classes(page, node), attributes(page, node));
    let names_cut = classes.len() < page.classes(node).count()
        || attributes.len() < telling_attributes(page, node).count();
    Anchor {
        tag: cut(page.tag(node), TAG_BYTES).to_owned(),
        classes,
        attributes,
        names_cut,
        own_text: Short::new(&texts.own, TEXT_BYTES),
        text: Short::new(&texts.all, TEXT_BYTES),
        own_words: word_set(&texts.own),
        words: word_set(&texts.all),
        text_hash: survey.text_hash(node),
        content: survey.content(node),
        child_tags: child_tags(page, node),
        child_count: count(page.element_children(node)),
        ancestors: steps(page, node),
        depth: count(page.element_ancestors(node)),
        nested: nested(page, node),
        path: survey.path(node),
        place: page.nth_child(node),
        siblings: parent.map_or(0, |parent| count(page.element_children(parent))),
        previous: neighbour(page.previous_element(node)),
        next: neighbour(page.next_element(node)),
        before,
        after,
        bounds: [x, y, width, height],
        selectors: Vec::new(),
        look_alikes: Vec::new(),
    }
}

/// The elements of the same page that score best against the anchor. What it is in, and what is in it, is left out:
/// wrappers share its text, come and go with it, and are no other instances of it.
fn look_alikes(survey: &Survey<'_>, anchor: &Anchor, node: u32) -> Vec<LookAlike> {
    let found = candidates::search(survey, anchor);
    let addressed = (!anchor.selectors.is_empty()).then_some(node);
    let mut scored: Vec<(u32, f32)> = found
        .into_iter()
        .filter(|&other| !survey.page.contains(other, node) && !survey.page.contains(node, other))
        .map(|other| (other, score::likeness(survey, anchor, addressed, other).score()))
        .collect();
    sort::by(&mut scored, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let thousandths = |score: f32| (score.clamp(0.0, 1.0) * 1_000.0) as u16;
    scored
        .into_iter()
        .take(LOOK_ALIKES)
        .map(|(other, score)| LookAlike { similarity: thousandths(score), content: survey.content(other) })
        .collect()
}

fn count(nodes: impl Iterator<Item = u32>) -> u32 {
    u32::try_from(nodes.count()).unwrap_or(u32::MAX)
}

/// As much of the text as fits, cut between characters.
pub(super) fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

fn classes(page: &Page, node: u32) -> Vec<String> {
    let mut room = CLASSES_BYTES;
    let fits = |class: &&str| {
        let fits = class.len() < room;
        room = if fits { room - class.len() - 1 } else { room };
        fits
    };
    page.classes(node).filter(fits).map(str::to_owned).collect()
}

fn attributes(page: &Page, node: u32) -> Vec<(String, Short)> {
    let mut room = ATTRIBUTES_BYTES;
    let mut kept = Vec::new();
    for (name, value) in telling_attributes(page, node) {
        // Not even the hash of a secret is kept.
        if redact_attribute(page.tag(node), |other| page.attr(node, other), name, value) != value {
            continue;
        }
        let value = Short::new(value, VALUE_BYTES);
        let cost = name.len() + value.start.len() + 8;
        if name.len() <= TAG_BYTES && cost <= room {
            room -= cost;
            kept.push((name.to_owned(), value));
        }
    }
    kept
}

pub(super) fn child_tags(page: &Page, node: u32) -> Vec<u32> {
    page.element_children(node)
        .take(CHILD_TAGS)
        .map(|child| hash::of(Kind::Tag, &[page.tag(child)]))
        .collect()
}

pub(super) fn steps(page: &Page, node: u32) -> Vec<Step> {
    page.element_ancestors(node)
        .take(ANCESTORS)
        .map(|above| Step {
            tag: hash::of(Kind::Tag, &[page.tag(above)]),
            name: hash::of(
                Kind::Id,
                &[page.id(above).unwrap_or(""), page.attr(above, "class").unwrap_or("")],
            ),
        })
        .collect()
}
