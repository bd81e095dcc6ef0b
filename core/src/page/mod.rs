//! One captured DOM tree at one moment, as a flat arena.
//!
//! Knows nothing of browsers or of how the capture travelled; everything it hands out is already validated.

#[cfg(test)]
pub(crate) mod arbitrary;
mod arena;
mod capture;
mod decode;
mod error;
#[cfg(feature = "html")]
mod html_error;
mod index;
mod rect;
mod strings;
mod tags;
mod text;
mod text_index;
mod tree;

pub use arena::{Attribute, NodeKind, Page};
pub use capture::{
    CAPTURE_VERSION, Capture, FLAG_INTERACTIVE, FLAG_OPAQUE, FLAG_TRUNCATED, FLAG_VISIBLE, KIND_DOCUMENT,
    KIND_ELEMENT, KIND_SHADOW_ROOT, KIND_TEXT, MAX_CAPTURE_BYTES, MAX_NODES, NODE_STRIDE, STRING_END, Size,
    strings_of,
};
pub use error::CaptureError;
#[cfg(feature = "html")]
pub use html_error::{HtmlError, MAX_HTML_BYTES, MAX_HTML_DEPTH};
pub use index::Index;
pub use rect::Rect;
pub use tags::is_unread;
pub use text::{FoldedText, Piece, WALK_LIMIT, Walk};
pub use text_index::KEY_LETTERS;
