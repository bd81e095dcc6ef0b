//! Anchors and looks that are decoded once and asked about again and again, by id.

use opentoolbar_core::anchor::{Anchor, Look};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::value::sentence;

/// An anchor, and how one tab last saw its element.
pub(crate) struct Known {
    pub(crate) anchor: Anchor,
    pub(crate) look: Option<Look>,
}

/// Decoded anchors in the memory of the WASM, each under its id until it is dropped.
#[wasm_bindgen]
#[derive(Default)]
pub struct Anchors {
    kept: Vec<Option<Known>>,
    /// Ids that were given back.
    free: Vec<u32>,
}

#[wasm_bindgen]
impl Anchors {
    /// Without any.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Decodes an anchor in base64, with the look that the last answer for it gave, and keeps them. Gives their id. A
    /// look that cannot be read, or is of another anchor, is as none.
    ///
    /// # Errors
    /// Throws an Error that says why the anchor cannot be read.
    pub fn keep(&mut self, anchor: &str, look: Option<String>) -> Result<u32, JsError> {
        let anchor = Anchor::from_base64(anchor).map_err(sentence)?;
        let look = look.and_then(|look| Look::from_text(&look, &anchor));
        let known = Some(Known { anchor, look });
        if let Some(id) = self.free.pop()
            && let Some(place) = self.kept.get_mut(id as usize)
        {
            *place = known;
            return Ok(id);
        }
        self.kept.push(known);
        Ok(self.kept.len() as u32 - 1)
    }

    /// Drops an anchor; its id may be given to another one. Does nothing when there is none.
    pub fn drop(&mut self, id: u32) {
        if self.kept.get_mut(id as usize).is_some_and(|place| place.take().is_some()) {
            self.free.push(id);
        }
    }
}

impl Anchors {
    pub(crate) fn get(&self, id: u32) -> Result<&Known, JsError> {
        let known = self.kept.get(id as usize).and_then(Option::as_ref);
        known.ok_or_else(|| JsError::new("`anchor` must be the id of an anchor that is kept"))
    }
}
