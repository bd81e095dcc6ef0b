//! The anchor: what is kept of an element.

use std::ops::Deref;
use std::sync::Arc;

use base64ct::{Base64, Encoding};
use serde::{Deserialize, Serialize};

use super::appearance::Appearance;
use super::bounds;
use super::order::Order;
use super::parts::{self, Part};
use super::purpose::Purpose;
use super::short::Short;
use super::survey::{Step, Survey};

/// First byte of an encoded anchor.
pub const VERSION: u8 = 6;
/// Longest encoded anchor, in bytes.
pub const MAX_ENCODED: usize = 2_048;

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
pub struct Anchor(pub(super) Arc<Fingerprint>);

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
    /// The elements around it: [`super::surroundings::Surroundings`].
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
    /// What was beside each of the look-alikes, in their order: [`super::surroundings::beside`] for each.
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
