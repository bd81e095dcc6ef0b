use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::capture::{FLAG_INTERACTIVE, FLAG_OPAQUE, FLAG_TRUNCATED, FLAG_VISIBLE, Size};
use super::strings::Strings;
use super::{Index, Rect};

/// Rooms that keep something with the page: anchors and selectors.
pub(super) const DERIVED: usize = 2;
/// In place of a parent that does not exist; -1 on the wire.
pub(super) const NO_NODE: u32 = u32::MAX;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The page, or what a frame shows.
    Document,
    /// An element.
    Element,
    /// Text that is not only white space.
    Text,
    /// An open shadow root.
    ShadowRoot,
}

impl NodeKind {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Element => "element",
            Self::Text => "text",
            Self::ShadowRoot => "shadow root",
        }
    }
}

/// Name and value, as indexes of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// The name.
    pub name: u32,
    /// The value.
    pub value: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    /// One past the last node of the subtree.
    pub(super) end: u32,
    pub(super) string: u32,
    pub(super) first_attribute: u32,
    pub(super) attribute_count: u32,
    pub(super) kind: NodeKind,
    /// An element with a shadow root or a frame's document inside.
    pub(super) has_root: bool,
}

/// One captured page. A node is its index, `0..len()`, in document order; node 0 is the document.
///
/// Every query is total: asked about an index that does not exist it answers as for a node without anything.
/// Nothing here recurses, so the depth of a page does not matter.
#[derive(Clone, Debug)]
pub struct Page {
    pub(super) url: String,
    pub(super) title: String,
    pub(super) viewport: Size,
    pub(super) strings: Strings,
    pub(super) nodes: Vec<Node>,
    pub(super) roots: Vec<u32>,
    pub(super) boxes: Vec<Rect>,
    /// Any of the boxes has a size.
    pub(super) has_layout: bool,
    pub(super) flags: Vec<i32>,
    pub(super) attributes: Vec<Attribute>,
    /// Elements in ascending order, each with its string.
    pub(super) drawings: Vec<(u32, u32)>,
    pub(super) index: OnceLock<Index>,
    pub(super) derived: [OnceLock<Arc<dyn Any + Send + Sync>>; DERIVED],
}

impl Page {
    /// How many nodes there are, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a page has at least its document")]
    pub fn len(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)
    }

    /// Address of the page.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Title of the page.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The viewport in CSS pixels.
    #[must_use]
    pub fn viewport(&self) -> Size {
        self.viewport
    }

    /// Whether the page was laid out. A page from HTML alone was not: all its boxes are zero, and what its flags say of
    /// visibility is only what the HTML tells.
    #[must_use]
    pub fn has_layout(&self) -> bool {
        self.has_layout
    }

    /// What the node is; `None` for an index that does not exist.
    #[must_use]
    pub fn kind(&self, node: u32) -> Option<NodeKind> {
        self.node(node).map(|n| n.kind)
    }

    /// Whether the node is an element.
    #[must_use]
    pub fn is_element(&self, node: u32) -> bool {
        self.kind(node) == Some(NodeKind::Element)
    }

    /// Tag name of an element, else empty.
    #[must_use]
    pub fn tag(&self, node: u32) -> &str {
        self.tag_id(node).map_or("", |id| self.strings.get(id))
    }

    /// The string index of an element's tag name.
    #[must_use]
    pub fn tag_id(&self, node: u32) -> Option<u32> {
        self.node(node).filter(|n| n.kind == NodeKind::Element).map(|n| n.string)
    }

    /// The text of a text node as it stands, the address of a document, else empty.
    #[must_use]
    pub fn data(&self, node: u32) -> &str {
        match self.node(node) {
            Some(n) if n.kind != NodeKind::Element => self.strings.get(n.string),
            _ => "",
        }
    }

    /// The string index of [`Page::data`], or of an element's tag name.
    #[must_use]
    pub(crate) fn data_id(&self, node: u32) -> u32 {
        self.node(node).map_or(0, |n| n.string)
    }

    /// A string by its index; empty when there is none.
    #[must_use]
    pub fn string(&self, id: u32) -> &str {
        self.strings.get(id)
    }

    /// The index of a string, if the page has it.
    #[must_use]
    pub fn string_id(&self, text: &str) -> Option<u32> {
        self.strings.id_of(text)
    }

    /// How many strings there are.
    #[must_use]
    pub fn string_count(&self) -> usize {
        self.strings.len()
    }

    /// An element's attributes as indexes of strings, in order.
    #[must_use]
    pub fn attribute_ids(&self, node: u32) -> &[Attribute] {
        self.node(node)
            .and_then(|n| {
                let first = n.first_attribute as usize;
                self.attributes.get(first..first + n.attribute_count as usize)
            })
            .unwrap_or(&[])
    }

    /// An element's attributes as names and values, in order.
    pub fn attributes(&self, node: u32) -> impl Iterator<Item = (&str, &str)> {
        self.attribute_ids(node)
            .iter()
            .map(|pair| (self.strings.get(pair.name), self.strings.get(pair.value)))
    }

    /// The value of an attribute.
    #[must_use]
    pub fn attr(&self, node: u32, name: &str) -> Option<&str> {
        self.attributes(node).find(|(n, _)| *n == name).map(|(_, value)| value)
    }

    /// How an element is drawn, where neither its tag nor its attributes say it: see [`super::Capture::drawings`].
    #[must_use]
    pub fn drawing(&self, node: u32) -> Option<&str> {
        let at = self.drawings.binary_search_by_key(&node, |&(node, _)| node).ok()?;
        self.drawings.get(at).map(|&(_, string)| self.strings.get(string))
    }

    /// `id`, unless empty.
    #[must_use]
    pub fn id(&self, node: u32) -> Option<&str> {
        self.attr(node, "id").filter(|id| !id.is_empty())
    }

    /// Class names, in order, as often as they stand there.
    pub fn classes(&self, node: u32) -> impl Iterator<Item = &str> {
        self.attr(node, "class").unwrap_or("").split_ascii_whitespace()
    }

    /// Box in CSS pixels from the top document's origin.
    #[must_use]
    pub fn rect(&self, node: u32) -> Rect {
        self.boxes.get(node as usize).copied().unwrap_or_default()
    }

    /// All `FLAG_*` bits of a node.
    #[must_use]
    pub fn flags(&self, node: u32) -> i32 {
        self.flags.get(node as usize).copied().unwrap_or(0)
    }

    /// Rendered with an area, and not hidden by visibility.
    #[must_use]
    pub fn is_visible(&self, node: u32) -> bool {
        self.flags(node) & FLAG_VISIBLE != 0
    }

    /// A person can operate it.
    #[must_use]
    pub fn is_interactive(&self, node: u32) -> bool {
        self.flags(node) & FLAG_INTERACTIVE != 0
    }

    /// Has a frame or shadow root inside that could not be read.
    #[must_use]
    pub fn is_opaque(&self, node: u32) -> bool {
        self.flags(node) & FLAG_OPAQUE != 0
    }

    /// Its subtree was cut.
    #[must_use]
    pub fn is_truncated(&self, node: u32) -> bool {
        self.flags(node) & FLAG_TRUNCATED != 0
    }

    /// The inverted index, built at the first call.
    #[must_use]
    pub fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(self))
    }

    /// What another room works out from the whole page, made at the first call and kept as long as the page. There is
    /// room for [`DERIVED`] types; any other is made again at each call.
    pub(crate) fn derived<T: Any + Send + Sync>(&self, make: impl Fn(&Self) -> T) -> Arc<T> {
        let kept = self
            .derived
            .iter()
            .find_map(|slot| Arc::clone(slot.get_or_init(|| Arc::new(make(self)))).downcast().ok());
        kept.unwrap_or_else(|| Arc::new(make(self)))
    }

    pub(super) fn node(&self, node: u32) -> Option<&Node> {
        self.nodes.get(node as usize)
    }
}
