//! Comments and what changes them.

use js_sys::Array;
use opentoolbar_core::model::{
    Author, BoundingBox, Comment, CommentChange, RelatedElement, SelectedElement, Selection, SelectionPage,
    Timestamp,
};
use opentoolbar_core::protocol::ErrorBody;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

use crate::value::{field, from_js, need, sentence, text_field, to_js};

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

/// Reads a selection by its type and checks all limits. Gives back what was read: what belongs to none of its fields is
/// gone.
///
/// # Errors
/// Throws an Error whose message says which part is wrong and what to do.
#[wasm_bindgen(js_name = checkSelection, unchecked_return_type = "Selection")]
pub fn check_selection(
    #[wasm_bindgen(unchecked_param_type = "Selection")] selection: &JsValue,
) -> Result<JsValue, JsError> {
    let [element, page] = ["element", "page"].map(|name| field(selection, name));
    let RelatedElement { tag_name, class_list, id, text_content } = related(&element)?;
    let side = |name| field(&field(&element, "boundingBox"), name).as_f64().unwrap_or(f64::NAN);
    let [x, y, width, height] = ["x", "y", "width", "height"].map(side);
    let selection = Selection {
        element: SelectedElement {
            tag_name,
            id,
            class_list,
            text_content: need(text_content, "element.textContent")?,
            attributes: from_js(&field(&element, "attributes"), "attributes")?,
            bounding_box: BoundingBox { x, y, width, height },
        },
        ancestors: relatives(&field(selection, "ancestors"))?,
        children: optional(&field(selection, "children")).map(relatives).transpose()?,
        page: SelectionPage {
            url: need(text_field(&page, "url")?, "page.url")?,
            title: need(text_field(&page, "title")?, "page.title")?,
        },
        targets: optional(&field(selection, "targets"))
            .map_or(Ok(Vec::new()), |targets| from_js(targets, "targets"))?,
    };
    selection.check().map_err(|error| sentence(ErrorBody::from(error)))?;
    to_js(&selection)
}

fn optional(value: &JsValue) -> Option<&JsValue> {
    Some(value).filter(|value| !value.is_undefined())
}

fn relatives(list: &JsValue) -> Result<Vec<RelatedElement>, JsError> {
    let list = Some(list).filter(|list| Array::is_array(list));
    let list = list.ok_or_else(|| JsError::new("`ancestors` and `children` must be lists"))?;
    Array::from(list).iter().map(|one| related(&one)).collect()
}

fn related(element: &JsValue) -> Result<RelatedElement, JsError> {
    Ok(RelatedElement {
        tag_name: need(text_field(element, "tagName")?, "tagName")?,
        class_list: from_js(&field(element, "classList"), "classList")?,
        id: text_field(element, "id")?,
        text_content: text_field(element, "textContent")?,
    })
}
