//! What is secret.

use opentoolbar_core::element;
use wasm_bindgen::prelude::wasm_bindgen;

/// A text without the secrets in it: tokens, passwords in addresses, `token=`-like parameters.
#[wasm_bindgen(js_name = redactText)]
pub fn redact_text(text: &str) -> String {
    element::redact_text(text)
}
