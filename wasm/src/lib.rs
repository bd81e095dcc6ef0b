//! A thin, typed wasm-bindgen face of opentoolbar-core. Decides nothing itself.
