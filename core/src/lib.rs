//! What opentoolbar knows about pages, elements, comments and prompts.
//!
//! This crate is pure: no I/O, no clock, no randomness, no async, no JavaScript, and of MCP nothing but the names
//! of agents' tools in sentences (`protocol::next_step`). Time, ids and
//! everything else that differs between hosts comes in as an argument. It builds for wasm32 and native alike.
//!
//! A page comes in as a capture, and elements are named by their node's index:
//!
//! ```
//! use opentoolbar_core::{page::Page, selector};
//!
//! // `<button id="save">Save</button>` at 10, 10. Ten integers a node: see `page::NODE_STRIDE`.
//! let capture = br#"{
//!     "version": 1, "url": "http://localhost:5173/", "title": "Shop", "viewport": {"width": 800, "height": 600},
//!     "strings": ["http://localhost:5173/", "button", "Save", "id", "save"],
//!     "nodes": [0,-1,0,0,0,0,0,800,600,1,  1,0,1,0,1,10,10,80,24,3,  2,1,2,1,0,10,10,80,24,1],
//!     "attributes": [3, 4]
//! }"#;
//! let page = Page::decode(capture)?;
//! let button = selector::generate(&page, 1)?;
//! assert_eq!(button, "#save");
//! assert_eq!(selector::resolve(&page, &button)?, [1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod anchor;
pub mod element;
mod find;
#[cfg(feature = "html")]
mod html;
pub mod model;
pub mod page;
pub mod prompt;
pub mod protocol;
pub mod selector;
mod sort;
pub mod source;
mod unseen;
pub mod workspace;
