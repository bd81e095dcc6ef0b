//! A thin, typed wasm-bindgen face of opentoolbar-core, one file per room of core. Decides nothing itself: it
//! decodes JavaScript values into core's types, calls core, and encodes the answer. The only place that says
//! `JsValue`.

pub mod version;
