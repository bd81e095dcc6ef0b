//! Ways out and in: the prompt for an agent, and the JSON export.

use opentoolbar_core::model::{Comment, CommentId, Timestamp};
use opentoolbar_core::prompt::{self, ImportError, Level, PromptOptions};
use serde::Serialize;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::value::{field, from_js, need, number_field, parse, read, sentence, text_field, to_js};

#[wasm_bindgen(typescript_custom_section)]
const MERGE: &str = r#"
/** What an import does to the comments that are there. */
export interface Merge {
  /** Everything, oldest first. */
  comments: Comment[];
  /** What was imported, every word of it marked as imported: what is sent on. */
  imported: Comment[];
  /** Ids that were new. */
  added: string[];
  /** Ids of which the import knew something more. */
  updated: string[];
  /** Ids of which the import knew nothing more. */
  skipped: string[];
  /** Ids that stay as they were: both copies together are more than a comment can hold. */
  full: string[];
}
"#;

#[derive(Serialize)]
struct Merge {
    comments: Vec<Comment>,
    imported: Vec<Comment>,
    added: Vec<CommentId>,
    updated: Vec<CommentId>,
    skipped: Vec<CommentId>,
    full: Vec<CommentId>,
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
    let level = match need(text_field(options, "level")?, "level")?.as_str() {
        "brief" => Level::Brief,
        "standard" => Level::Standard,
        "full" => Level::Full,
        other => return Err(sentence(format_args!("`level` must be brief, standard or full, not {other}"))),
    };
    let token_budget = number_field(options, "tokenBudget")?;
    let include_resolved = field(options, "includeResolved").is_truthy();
    Ok(prompt::markdown(&comments, &PromptOptions { level, token_budget, include_resolved }))
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
    let export = to_js(&prompt::export(&comments, Timestamp(exported_at as u64)))?;
    // JavaScript writes the text: the core's own writer of JSON is a tenth of the WASM.
    js_sys::JSON::stringify_with_replacer_and_space(&export, &JsValue::NULL, &JsValue::from(2))
        .map(String::from)
        .map_err(|_| JsError::new("the export could not be written as JSON"))
}

/// Reads the JSON text of an export, checks all of it, and merges it by id into the comments that are there, at `at`
/// (milliseconds since the epoch).
///
/// # Errors
/// Throws an Error that names the comment and the field; then nothing is to be taken from the export.
#[wasm_bindgen(js_name = importJson, unchecked_return_type = "Merge")]
pub fn import_json(
    #[wasm_bindgen(unchecked_param_type = "Comment[]")] existing: &JsValue,
    json: &str,
    at: f64,
) -> Result<JsValue, JsError> {
    let existing: Vec<Comment> = from_js(existing, "comments")?;
    let imported = read_export(json).map_err(sentence)?;
    let merge = prompt::merge(&existing, imported, Timestamp(at as u64));
    let prompt::Merge { comments, imported, added, updated, skipped, full } = merge;
    to_js(&Merge { comments, imported, added, updated, skipped, full })
}

/// A comment with what an imported copy of it knows more.
///
/// # Errors
/// Throws an Error when they do not fit into one comment.
#[wasm_bindgen(js_name = mergeComments, unchecked_return_type = "Comment")]
pub fn merge_comments(
    #[wasm_bindgen(unchecked_param_type = "Comment")] comment: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "Comment")] imported: &JsValue,
) -> Result<JsValue, JsError> {
    let comment: Comment = from_js(comment, "comment")?;
    let imported: Comment = from_js(imported, "imported")?;
    to_js(&comment.merge_imported(&imported).map_err(sentence)?)
}

fn read_export(json: &str) -> Result<Vec<Comment>, ImportError> {
    prompt::check_import_size(json.len())?;
    let export = parse(json.trim_start_matches('\u{feff}')).map_err(ImportError::Json)?;
    let version = field(&export, "version").as_f64().filter(|number| number.fract() == 0.0 && *number >= 0.0);
    let version = export.is_object().then_some(version.map(|number| number as u64));
    let comments = field(&export, "comments").dyn_into::<js_sys::Array>().ok();
    prompt::check_import_outline(version, comments.as_ref().map(|list| list.length() as usize))?;
    let comments = comments.unwrap_or_default();
    prompt::collect_import(
        comments.iter().map(|value| {
            read::<Comment>(&value).map_err(|problem| (field(&value, "id").as_string(), problem))
        }),
    )
}
