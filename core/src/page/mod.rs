//! One captured DOM tree at one moment, as a flat arena.
//!
//! Knows nothing of browsers or of how the capture travelled; everything it hands out is already validated.

mod capture;

pub use capture::{
    CAPTURE_VERSION, Capture, FLAG_INTERACTIVE, FLAG_OPAQUE, FLAG_TRUNCATED, FLAG_VISIBLE, KIND_DOCUMENT,
    KIND_ELEMENT, KIND_SHADOW_ROOT, KIND_TEXT, MAX_NODES, NODE_STRIDE, Size,
};
