//! What this build is.

use wasm_bindgen::prelude::wasm_bindgen;

/// Product version, as in `Hello`.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Version of the protocol between browser and hub.
#[wasm_bindgen(js_name = protocolVersion)]
pub fn protocol_version() -> u32 {
    opentoolbar_core::protocol::PROTOCOL_VERSION
}
