//! The anchor: what is kept of an element.

use std::ops::Deref;
use std::sync::Arc;

use base64ct::{Base64, Encoding};
use serde::{Deserialize, Serialize};

use super::appearance::Appearance;
use super::bounds;
use super::brief::Surroundings;
use super::distinct::nearby;
use super::hash::{self, Kind};
use super::model::Model;
use super::parts::{self, Part};
use super::purpose::{Purpose, Said};
use super::relations::Order;
use super::rivals::rivals;
use super::survey::{Survey, nested, telling_attributes};
use crate::element::{redact_attribute, redact_text};
use crate::page::Page;
use crate::page::Rect;
use crate::sort;

/// First byte of an encoded anchor.
pub const VERSION: u8 = 6;
/// Longest encoded anchor, in bytes.
pub const MAX_ENCODED: usize = 2_048;

pub(super) const TAG_BYTES: usize = 40;
const VALUE_BYTES: usize = 72;
const CLASSES_BYTES: usize = 220;
const ATTRIBUTES_BYTES: usize = 420;
pub(super) const TEXT_BYTES: usize = 200;
/// Texts before and after that are kept.
pub(super) const AROUND: usize = 12;

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
    #[error("the anchor is damaged; point at the element again in the comment's thread")]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// The compact fingerprint with which an element is found again. Clones share what it holds.
///
/// Encoded it is a version byte and postcard, at most [`MAX_ENCODED`] bytes. It holds readable beginnings of what a
/// person sees, so that a verdict can say what changed, and hashes of the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor(Arc<Fingerprint>);

/// What an [`Anchor`] holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    pub(super) base: Base,
    pub(super) context: Context,
    pub(super) order: Option<Order>,
    /// Rare words around it, which version 4 added, each with how far up the nearest ancestor is that says it.
    pub(super) nearby: Vec<Landmark>,
    /// What is seen of it beside its words, which version 5 added.
    pub(super) appearance: Option<Appearance>,
    /// What each part of it says, which version 5 added: [`parts::kept`].
    pub(super) parts: Vec<Part>,
    /// What it is for, which version 6 added.
    pub(super) purpose: Option<Purpose>,
}

impl Deref for Anchor {
    type Target = Fingerprint;

    fn deref(&self) -> &Fingerprint {
        &self.0
    }
}

/// Tests and training make anchors of earlier versions and forged ones.
#[cfg(any(test, feature = "training"))]
impl std::ops::DerefMut for Anchor {
    fn deref_mut(&mut self) -> &mut Fingerprint {
        Arc::make_mut(&mut self.0)
    }
}

impl From<Fingerprint> for Anchor {
    fn from(fingerprint: Fingerprint) -> Self {
        Self(Arc::new(fingerprint))
    }
}

/// What version 1 kept; its layout stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Base {
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

/// What version 2 added.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Context {
    /// The elements around it: [`Surroundings`].
    pub(super) around: Vec<u8>,
    /// How far its nearest look-alike was behind it on its own page, in 64ths of the model's unit; none where nothing
    /// was like it.
    pub(super) ahead: Option<i16>,
    /// How many other elements of its page had the same content.
    pub(super) twins: u32,
    /// The nearest texts before and after that no other text of its page was equal to, nearest first.
    pub(super) before: Vec<Landmark>,
    pub(super) after: Vec<Landmark>,
    /// How far up the item is that it belongs to: the nearest ancestor that says something no other part of the page
    /// says; 0 for none.
    pub(super) item: u8,
    /// What the item says outside of the element, as far as its page says it once.
    pub(super) item_texts: Vec<u32>,
    /// The attributes of what is in it, for an element without text; 0 for nothing.
    pub(super) inside: u32,
    /// Its whole page: [`Survey::whole`].
    pub(super) whole: u32,
    /// What was beside each of the look-alikes, in their order: [`beside`] for each.
    pub(super) beside: Vec<u8>,
}

impl Context {
    /// What an anchor of version 1 tells of it: the twins among the look-alikes.
    pub(super) fn of_version_1(base: &Base) -> Self {
        let twins = base.look_alikes.iter().filter(|other| other.content == base.content).count();
        Self { twins: u32::try_from(twins).unwrap_or(u32::MAX), ..Self::default() }
    }
}

/// A text that stood on its page once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Landmark {
    pub(super) text: u32,
    /// How many texts stood between it and the element.
    pub(super) distance: u16,
}

impl Anchor {
    /// The anchor of an element. `selectors` are unique addresses of it on this page, best first; as many are kept as
    /// there is room for.
    ///
    /// # Errors
    /// `NotAnElement` for an index that is none.
    pub fn of<S: AsRef<str>>(page: &Page, node: u32, selectors: &[S]) -> Result<Anchor, AnchorError> {
        let selectors: Vec<&str> = selectors.iter().map(AsRef::as_ref).collect();
        Self::with_model(&Model::learnt(), &Survey::new(page), node, &selectors)
    }

    pub(super) fn with_model(
        model: &Model,
        survey: &Survey<'_>,
        node: u32,
        selectors: &[&str],
    ) -> Result<Anchor, AnchorError> {
        if !survey.page.is_element(node) {
            return Err(AnchorError::NotAnElement { node });
        }
        let mut base = describe(survey, node);
        base.selectors =
            bounds::selectors(selectors).into_iter().map(|&selector| selector.to_owned()).collect();
        let around = Surroundings::of(survey, node).to_bytes();
        let (before, after) = landmarks(survey, node);
        let (item, item_texts) = item(survey, node);
        let (inside, whole) = (survey.inside(node), survey.whole());
        let context =
            Context { around, before, after, item, item_texts, inside, whole, ..Context::default() };
        let order = Some(Order::of(survey.page, node));
        let nearby = nearby(survey, node);
        let appearance = Some(Appearance::of(survey, node));
        let parts = parts::kept(survey, node);
        let purpose = Some(Purpose { said: said(survey, node), ..Purpose::of(survey, node) });
        let kept = Fingerprint { base, context, order, nearby, appearance, parts, purpose };
        let mut anchor = Anchor::from(kept);
        let rivals = rivals(model, survey, &anchor, node);
        // Nobody shares it yet.
        if let Some(kept) = Arc::get_mut(&mut anchor.0) {
            kept.context.ahead = rivals.ahead;
            kept.context.twins = rivals.twins;
            kept.base.look_alikes = rivals.look_alikes;
            kept.context.beside = rivals.beside;
        }
        Ok(anchor)
    }

    /// The content of an element in the way in which this anchor knows contents.
    pub(super) fn content_of(&self, survey: &Survey<'_>, node: u32) -> u32 {
        if self.appearance.is_some() { survey.content(node) } else { survey.plain_content(node) }
    }

    /// Version byte and postcard, at most [`MAX_ENCODED`] bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        // Writing plain data into memory cannot fail; decoding tells an empty anchor.
        let encoded = |context: &Context, nearby: &[Landmark], parts: &[Part], purpose: &[u8]| {
            let all = (&self.base, context, &self.order, nearby, &self.appearance, parts, purpose);
            postcard::to_extend(&all, vec![VERSION]).unwrap_or_default()
        };
        let purpose = self.purpose.as_ref().map(Purpose::to_bytes).unwrap_or_default();
        let mut bytes = encoded(&self.context, &self.nearby, &self.parts, &purpose);
        // The longest names and texts leave no room for all. What it is for is of use on a page that was built anew
        // alone; of the rest, which part says what tells least, then what was beside the look-alikes, and then what was
        // around an element that says so much itself.
        if bytes.len() > MAX_ENCODED {
            bytes = encoded(&self.context, &self.nearby, &self.parts, &[]);
        }
        if bytes.len() > MAX_ENCODED {
            bytes = encoded(&self.context, &self.nearby, &[], &[]);
        }
        if bytes.len() > MAX_ENCODED {
            let context = Context { beside: Vec::new(), ..self.context.clone() };
            bytes = encoded(&context, &self.nearby, &[], &[]);
            if bytes.len() > MAX_ENCODED {
                bytes = encoded(&Context { around: Vec::new(), ..context }, &[], &[], &[]);
            }
        }
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
            Some((&version, body)) => {
                let (mut base, body): (Base, _) =
                    postcard::take_from_bytes(body).map_err(|_| AnchorError::Damaged)?;
                base.selectors = bounds::selectors(base.selectors);
                let (context, body) = match version {
                    1 => (Context::of_version_1(&base), body),
                    _ => postcard::take_from_bytes(body).map_err(|_| AnchorError::Damaged)?,
                };
                let (order, body) = match version {
                    1 | 2 => (None, body),
                    _ => postcard::take_from_bytes(body).map_err(|_| AnchorError::Damaged)?,
                };
                let order = order.filter(Order::is_valid);
                let (nearby, body) = match version {
                    1..=3 => (Vec::new(), body),
                    _ => postcard::take_from_bytes(body).map_err(|_| AnchorError::Damaged)?,
                };
                let (appearance, body) = match version {
                    1..=4 => (None, body),
                    _ => postcard::take_from_bytes(body).map_err(|_| AnchorError::Damaged)?,
                };
                let (parts, body) = match version {
                    1..=4 => (Vec::new(), body),
                    _ => postcard::take_from_bytes(body).map_err(|_| AnchorError::Damaged)?,
                };
                let parts = parts::valid(parts);
                let (purpose, body) = match version {
                    1..=5 => (Vec::new(), body),
                    _ => postcard::take_from_bytes(body).map_err(|_| AnchorError::Damaged)?,
                };
                let purpose = Purpose::from_bytes(&purpose);
                if body.is_empty() {
                    Ok(Fingerprint { base, context, order, nearby, appearance, parts, purpose }.into())
                } else {
                    Err(AnchorError::Damaged)
                }
            }
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
}

/// The class names and the texts of its page, of those the nearest first.
fn said(survey: &Survey<'_>, node: u32) -> Said {
    let (mut before, mut after) = survey.around(node);
    let mut texts: Vec<u32> = survey.class_names().to_vec();
    for _ in 0..SAID {
        let both = [before.next(), after.next()];
        if both == [None, None] {
            break;
        }
        for text in both.into_iter().flatten() {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
    }
    Said::of(&texts)
}

/// Texts on each side of which is kept that they were there.
const SAID: usize = 150;

fn describe(survey: &Survey<'_>, node: u32) -> Base {
    let page = survey.page;
    let texts = survey.texts(node);
    let (before, after) = survey.around(node);
    let neighbour = |other: Option<u32>| other.map_or(0, |other| survey.content(other));
    let Rect { x, y, width, height } = page.rect(node);
    let parent = page.parent(node);
    let (classes, attributes) = (classes(page, node), attributes(page, node));
    let names_cut = classes.len() < page.classes(node).count()
        || attributes.len() < telling_attributes(page, node).count();
    Base {
        tag: cut(page.tag(node), TAG_BYTES).to_owned(),
        classes,
        attributes,
        names_cut,
        own_text: Short::new(&texts.own, TEXT_BYTES),
        text: Short::new(&texts.all, TEXT_BYTES),
        own_words: survey.own_words(node).to_vec(),
        words: survey.words(node).to_vec(),
        text_hash: survey.text_hash(node),
        content: survey.content(node),
        child_tags: survey.child_tags(node).to_vec(),
        child_count: survey.child_count(node),
        ancestors: survey.steps(node).to_vec(),
        depth: survey.depth(node),
        nested: nested(page, node),
        path: survey.path(node),
        place: page.nth_child(node),
        siblings: parent.map_or(0, |parent| survey.child_count(parent)),
        previous: neighbour(page.previous_element(node)),
        next: neighbour(page.next_element(node)),
        before: before.take(AROUND).collect(),
        after: after.take(AROUND).collect(),
        bounds: [x, y, width, height],
        selectors: Vec::new(),
        look_alikes: Vec::new(),
    }
}

/// How far a landmark may be, in texts.
const SIGHT: usize = 160;
/// Landmarks on each side.
const LANDMARKS: usize = 4;

fn landmarks(survey: &Survey<'_>, node: u32) -> (Vec<Landmark>, Vec<Landmark>) {
    let (before, after) = survey.around(node);
    (nearest_unique(survey, before), nearest_unique(survey, after))
}

fn nearest_unique(survey: &Survey<'_>, texts: impl Iterator<Item = u32>) -> Vec<Landmark> {
    let unique = (0..).zip(texts.take(SIGHT)).filter(|&(_, text)| survey.only_place(text).is_some());
    unique.take(LANDMARKS).map(|(distance, text)| Landmark { text, distance }).collect()
}

/// Most texts of an item, and how many of them are kept.
pub(super) const ITEM_TEXTS: usize = 300;
const ITEM_KEPT: usize = 5;

/// The item that an element belongs to: a card, a row, a fieldset.
fn item(survey: &Survey<'_>, node: u32) -> (u8, Vec<u32>) {
    let (from, to) = survey.text_range(node);
    for (level, above) in (1..).zip(survey.page.element_ancestors(node).take(8)) {
        let (first, last) = survey.text_range(above);
        if last - first > ITEM_TEXTS {
            break;
        }
        // The nearest first, before and after in turn.
        let before = (first..from).rev().map(|place| (from - place, place));
        let after = (to..last).map(|place| (place - to, place));
        let mut texts: Vec<(usize, usize)> = before.chain(after).collect();
        sort::plain(&mut texts);
        let once = |&(_, place): &(usize, usize)| {
            survey.text_at(place).filter(|&text| survey.only_place(text).is_some())
        };
        let unique: Vec<u32> = texts.iter().filter_map(once).take(ITEM_KEPT).collect();
        if !unique.is_empty() {
            return (level, unique);
        }
    }
    (0, Vec::new())
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

/// Whether an attribute holds a secret: not even the hash of one is kept.
pub(super) fn is_secret(page: &Page, node: u32, name: &str, value: &str) -> bool {
    redact_attribute(page.tag(node), |other| page.attr(node, other), name, value) != value
}

fn attributes(page: &Page, node: u32) -> Vec<(String, Short)> {
    let mut room = ATTRIBUTES_BYTES;
    let mut kept = Vec::new();
    for (name, value) in telling_attributes(page, node) {
        if is_secret(page, node, name, value) {
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
