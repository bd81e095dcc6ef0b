//! What opentoolbar knows about pages, elements, comments and prompts.
//!
//! This crate is pure: no I/O, no clock, no randomness, no async, no JavaScript, no MCP words. Time, ids and
//! everything else that differs between hosts comes in as an argument. It builds for wasm32 and native alike.

pub mod anchor;
pub mod element;
pub mod model;
pub mod page;
pub mod prompt;
pub mod protocol;
pub mod selector;
pub mod source;
