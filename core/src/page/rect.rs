use serde::{Deserialize, Serialize};

/// A rectangle in CSS pixels, relative to the top document's origin (not the viewport).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width, 0 or more.
    pub width: i32,
    /// Height, 0 or more.
    pub height: i32,
}
