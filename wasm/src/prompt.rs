//! Ways out and in: the prompt for an agent, and the JSON export.

use opentoolbar_core::model::{Comment, CommentId, Timestamp};
use opentoolbar_core::prompt::{self, PromptOptions};
use serde::Serialize;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::json::{from_js, sentence, to_js};

#[wasm_bindgen(typescript_custom_section)]
const MERGE: &str = r#"
/** What an import does to the comments that are there. */
export interface Merge {
  /** Everything, oldest first. */
  comments: Comment[];
  /** Ids that were new. */
  added: string[];
  /** Ids whose imported revision was newer. */
  updated: string[];
  /** Ids whose imported revision was the same or older. */
  skipped: string[];
}
"#;

#[derive(Serialize)]
struct Merge {
    comments: Vec<Comment>,
    added: Vec<CommentId>,
    updated: Vec<CommentId>,
    skipped: Vec<CommentId>,
}

/// The markdown report of the comments that are not deleted.
///
/// # Errors
/// Throws an Error when a value is not of its type.
#[wasm_bindgen(js_name = exportPrompt)]
pub fn export_prompt(
    #[wasm_bindgen(unchecked_param_type = "Comment[]")] comments: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "PromptOptions")] options: &JsValue,
) -> Result<String, JsError> {
    let comments: Vec<Comment> = from_js(comments, "comments")?;
    let options: PromptOptions = from_js(options, "options")?;
    Ok(prompt::markdown(&comments, &options))
}

/// The JSON text of an `Export`, made at `exported_at` (milliseconds since the epoch).
///
/// # Errors
/// Throws an Error when a value is not of its type.
#[wasm_bindgen(js_name = exportJson)]
pub fn export_json(
    #[wasm_bindgen(unchecked_param_type = "Comment[]")] comments: &JsValue,
    exported_at: f64,
) -> Result<String, JsError> {
    let comments: Vec<Comment> = from_js(comments, "comments")?;
    Ok(prompt::export_json(&comments, Timestamp(exported_at as u64)))
}

/// Reads the JSON text of an export, checks all of it, and merges it by id into the comments that are there.
///
/// # Errors
/// Throws an Error that names the comment and the field; then nothing is to be taken from the export.
#[wasm_bindgen(js_name = importJson, unchecked_return_type = "Merge")]
pub fn import_json(
    #[wasm_bindgen(unchecked_param_type = "Comment[]")] existing: &JsValue,
    json: &str,
) -> Result<JsValue, JsError> {
    let existing: Vec<Comment> = from_js(existing, "comments")?;
    let imported = prompt::import_json(json.as_bytes()).map_err(sentence)?;
    let prompt::Merge { comments, added, updated, skipped } = prompt::merge(&existing, &imported);
    to_js(&Merge { comments, added, updated, skipped })
}
