//! Values of JavaScript to core's types and back, as JSON text.

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsError, JsValue};

/// Decodes a value that came from JavaScript.
///
/// # Errors
/// A sentence with `what` it should have been and where it was not.
pub fn from_js<T: DeserializeOwned>(value: &JsValue, what: &str) -> Result<T, JsError> {
    let text = js_sys::JSON::stringify(value).ok().and_then(|text| text.as_string());
    let text = text.ok_or_else(|| JsError::new(&format!("{what}: not a value that JSON can hold")))?;
    serde_json::from_str(&text).map_err(|error| JsError::new(&format!("{what}: {error}")))
}

/// Encodes a value for JavaScript.
///
/// # Errors
/// A sentence; only when the value cannot be written as JSON, which none of core's types does.
pub fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(value).map_err(|error| JsError::new(&error.to_string()))?;
    js_sys::JSON::parse(&text).map_err(|_| JsError::new("the core wrote text that is not JSON"))
}

/// An `Error` with the sentence, for failures that say themselves what to do.
pub fn sentence(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}
