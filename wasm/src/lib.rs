//! A thin, typed wasm-bindgen face of opentoolbar-core, one file per room of core. Decides nothing itself: it
//! decodes JavaScript values into core's types, calls core, and encodes the answer. The only place that says
//! `JsValue`.

pub mod element;

pub mod model;
pub mod page;
pub mod prompt;
pub mod protocol;
pub mod types;
pub mod value;
pub mod version;
