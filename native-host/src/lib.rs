//! The host of opentoolbar: one binary that is the browser's relay, the hub and the MCP server, by how it is started.
//!
//! Rooms: `cli` (verbs), `mcp` (tools for agents), `setup` (registers the host), `gateway`, `browser`, `hub`, `check`;
//! as crates of their own `store`, `project` and the small ones below them (`leaves`). Which may use which is a table
//! in docs/architecture.md ("Arrows"), and `cargo xtask rooms` shows what the source does. A library so that
//! integration tests and benchmarks speak to the hub with the same client as the verbs do.

pub mod browser;
pub mod check;
pub mod cli;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod gateway;
pub mod hub;
pub mod mcp;
pub mod setup;

// What the compiler keeps apart from the rest, by the names that the rooms have in the table.
pub(crate) use opentoolbar_leaves::{
    budget, clock, config, error, harmless, ids, length_prefixed, names, salvage, why,
};
pub use opentoolbar_leaves::{files, home, identity};
pub use opentoolbar_project as project;
pub use opentoolbar_store as store;
