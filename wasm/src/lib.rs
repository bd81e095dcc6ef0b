//! A thin, typed wasm-bindgen face of opentoolbar-core, one file per room of core. Decides nothing itself: it
//! decodes JavaScript values into core's types, calls core, and encodes the answer. The only place that says
//! `JsValue`.

pub mod anchors;
mod decode;
pub mod element;
pub mod model;
pub mod page;
pub mod platform;
pub mod prompt;
pub mod protocol;
pub mod types;
pub mod value;
pub mod version;

/// Allocates in constant time and is 5 KB smaller than the standard library's allocator for WASM.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
