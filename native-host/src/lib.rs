//! The host of opentoolbar: one binary that is the browser's relay, the hub and the MCP server, by how it is started.
//!
//! Rooms: `cli` (verbs), `mcp` (tools for agents), `setup` (registers the host), `gateway`, `browser`, `hub`, `store`,
//! `project`, `check`, and small ones below them: `files`, `home`, `names`, `budget`, `error`. Which may use which is a
//! table in docs/architecture.md ("Arrows"), and `cargo xtask rooms` shows what the source does. A library so that
//! integration tests and benchmarks speak to the hub with the same client as the verbs do.

mod bounded;
pub mod browser;
mod budget;
pub mod check;
pub mod cli;
mod clock;
mod error;
#[cfg(all(test, target_os = "linux"))]
mod fake_disk;
pub mod files;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod gateway;
mod harmless;
pub mod home;
pub mod hub;
pub mod identity;
mod ids;
mod length_prefixed;
pub mod mcp;
mod names;
pub mod project;
mod salvage;
pub mod setup;
pub mod store;
mod why;
