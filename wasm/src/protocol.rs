//! What the hub sends in parts, joined.

use opentoolbar_core::protocol::{Chunk, Joiner};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::value::{need, number_field, sentence, text_field};

/// Joins the parts of messages that were too large for one frame, for one connection to the hub.
#[wasm_bindgen]
#[derive(Default)]
pub struct ChunkJoiner {
    joiner: Joiner,
}

#[wasm_bindgen]
impl ChunkJoiner {
    /// For a new connection.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next part. Gives the message's JSON text when it was the last one.
    ///
    /// # Errors
    /// Throws an Error that says what is wrong; what came of that message is dropped, others go on.
    pub fn push(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Chunk")] chunk: &JsValue,
    ) -> Result<Option<String>, JsError> {
        let number = |name| need(number_field(chunk, name)?, name);
        let data = need(text_field(chunk, "data")?, "data")?;
        let chunk =
            Chunk { transfer: number("transfer")?, index: number("index")?, total: number("total")?, data };
        self.joiner.push(chunk).map_err(sentence)
    }
}
