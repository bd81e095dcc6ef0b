use serde::{Deserialize, Serialize};

/// Version of the capture's wire form.
pub const CAPTURE_VERSION: u32 = 1;
/// How many integers describe a node: kind, parent, string, first attribute (counted in pairs), attribute count,
/// x, y, width, height, flags.
pub const NODE_STRIDE: usize = 10;
/// Most nodes (texts included) that a page may have.
pub const MAX_NODES: usize = 250_000;
/// Most bytes of JSON that are read as one capture.
pub const MAX_CAPTURE_BYTES: usize = 32 * 1024 * 1024;

/// A document: the page itself (node 0), or the child of a frame element. Its string is its address.
pub const KIND_DOCUMENT: i32 = 0;
/// An element. Its string is the tag name: lower-case for HTML, as it is for the rest (`linearGradient`).
pub const KIND_ELEMENT: i32 = 1;
/// A text node with something other than white space in it. Its string is the text.
pub const KIND_TEXT: i32 = 2;
/// An open shadow root, the first child of its host. Its string is empty.
pub const KIND_SHADOW_ROOT: i32 = 3;

/// Rendered with a box of more than zero area, and not hidden by visibility.
pub const FLAG_VISIBLE: i32 = 1;
/// A person can operate it: links, buttons, fields, `tabindex`, `cursor: pointer` of its own.
pub const FLAG_INTERACTIVE: i32 = 2;
/// A frame or shadow root inside could not be read (another origin).
pub const FLAG_OPAQUE: i32 = 4;
/// The subtree was cut because the page was too large.
pub const FLAG_TRUNCATED: i32 = 8;

/// Ends each string in [`strings_of`]'s table.
pub const STRING_END: char = '\0';

/// Width and height, or x and y, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Size {
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
}

/// The wire form of a page, as the content script sends it: JSON of this type.
///
/// Nodes stand in document order (a parent before its children, a subtree contiguous), so `parent < index` and
/// cycles cannot be expressed. Node 0 is the document with parent -1. Boxes are in CSS pixels relative to the
/// top document's origin. Strings are interned: each stands once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Capture {
    /// `CAPTURE_VERSION`.
    pub version: u32,
    /// Address of the page, redacted.
    pub url: String,
    /// Title of the document.
    pub title: String,
    /// The viewport.
    pub viewport: Size,
    /// Every string that occurs, once.
    pub strings: Vec<String>,
    /// `NODE_STRIDE` integers a node.
    pub nodes: Vec<i32>,
    /// Pairs of indexes into `strings`: name, value.
    pub attributes: Vec<u32>,
    /// Pairs: an element's node, in ascending order, and the index of the string that says how it is drawn where
    /// neither its tag nor its attributes say it: the shape of an SVG's element as a hash, colours and pictures of its
    /// inline style. `path #1a2b3c4d`, `background: #fff; --dot: red`. Absent in captures of before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<u32>>", optional))]
    pub drawings: Vec<u32>,
}

/// The strings of a table, which is one text of all of them, each followed by [`STRING_END`]: so they cross into
/// WASM in one copy.
#[must_use]
pub fn strings_of(table: &str) -> Vec<String> {
    table.split_terminator(STRING_END).map(str::to_owned).collect()
}
