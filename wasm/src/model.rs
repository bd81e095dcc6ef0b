//! Comments and what changes them.

use opentoolbar_core::model::{Author, Comment, CommentChange, Timestamp};
use opentoolbar_core::protocol::ErrorBody;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::value::{from_js, sentence, to_js};

/// The comment after a change, made `at` (milliseconds since the epoch); the one given stays as it is.
///
/// # Errors
/// Throws an Error whose message says why the change does not fit and what to do.
#[wasm_bindgen(js_name = applyChange, unchecked_return_type = "Comment")]
pub fn apply_change(
    #[wasm_bindgen(unchecked_param_type = "Comment")] comment: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "CommentChange")] change: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "Author")] by: &JsValue,
    at: f64,
) -> Result<JsValue, JsError> {
    let comment: Comment = from_js(comment, "comment")?;
    let change: CommentChange = from_js(change, "change")?;
    let by: Author = from_js(by, "author")?;
    // A float becomes the nearest integer in range; a moment that makes no sense is refused with the change.
    let next = comment
        .apply(&change, &by, Timestamp(at as u64))
        .map_err(|error| sentence(ErrorBody::from(error)))?;
    to_js(&next)
}

/// A comment as core writes it, checked against all limits.
///
/// # Errors
/// Throws an Error whose message says which part is wrong and what to do.
#[wasm_bindgen(js_name = checkComment, unchecked_return_type = "Comment")]
pub fn check_comment(
    #[wasm_bindgen(unchecked_param_type = "Comment")] comment: &JsValue,
) -> Result<JsValue, JsError> {
    let comment: Comment = from_js(comment, "comment")?;
    comment.check().map_err(|error| sentence(ErrorBody::from(error)))?;
    to_js(&comment)
}
