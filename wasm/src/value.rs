//! Values of JavaScript to core's types and back, field by field.

use crate::decode::Value;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::{JsCast, JsError, JsValue};

/// Decodes a value that came from JavaScript.
///
/// # Errors
/// A sentence with `what` it should have been and where it was not.
pub fn from_js<T: DeserializeOwned>(value: &JsValue, what: &str) -> Result<T, JsError> {
    read(value).map_err(|problem| JsError::new(&format!("{what}: {problem}")))
}

/// Decodes a value that came from JavaScript, or says what is wrong with it.
///
/// # Errors
/// The problem, without what the value should have been.
pub fn read<T: DeserializeOwned>(value: &JsValue) -> Result<T, String> {
    T::deserialize(Value(value)).map_err(|problem| problem.to_string())
}

/// One field of an object; undefined when it is not there or `object` is none. A type of its own for each small object
/// would cost 2 KB of WASM.
pub fn field(object: &JsValue, name: &str) -> JsValue {
    js_sys::Reflect::get(object, &JsValue::from(name)).unwrap_or_default()
}

/// A field that may be missing.
///
/// # Errors
/// When it is there and not a text.
pub fn text_field(object: &JsValue, name: &str) -> Result<Option<String>, JsError> {
    let value = field(object, name);
    if value.is_null() || value.is_undefined() {
        return Ok(None);
    }
    value.as_string().map(Some).ok_or_else(|| JsError::new(&format!("`{name}` must be a text")))
}

/// A field that may be missing.
///
/// # Errors
/// When it is there and not a whole number from 0 to 4,294,967,295.
pub fn number_field(object: &JsValue, name: &str) -> Result<Option<u32>, JsError> {
    let value = field(object, name);
    if value.is_null() || value.is_undefined() {
        return Ok(None);
    }
    let number = value.as_f64().filter(|n| n.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(n));
    let number = number.ok_or_else(|| JsError::new(&format!("`{name}` must be a whole number from 0")))?;
    Ok(Some(number as u32))
}

/// For a field that must be there.
///
/// # Errors
/// When it is not.
pub fn need<T>(value: Option<T>, name: &str) -> Result<T, JsError> {
    value.ok_or_else(|| JsError::new(&format!("`{name}` is missing")))
}

/// Reads JSON text.
///
/// # Errors
/// What JavaScript says about it.
pub fn parse(json: &str) -> Result<JsValue, String> {
    js_sys::JSON::parse(json).map_err(|error| {
        let error = error.dyn_into::<js_sys::Error>();
        error.map(|error| String::from(error.message())).unwrap_or_default()
    })
}

/// Encodes a value for JavaScript as `JSON.parse` would have made it.
///
/// # Errors
/// A sentence; only when the value cannot be written as JSON, which none of core's types does.
pub fn to_js<T: Serialize>(value: &T) -> Result<JsValue, JsError> {
    value.serialize(&Serializer::json_compatible()).map_err(|error| JsError::new(&error.to_string()))
}

/// An `Error` with the sentence, for failures that say themselves what to do.
pub fn sentence(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}
