//! The host of opentoolbar: one binary that is the browser's relay, the hub and the MCP server, by how it is started.
//!
//! Rooms: `cli` (verbs), `mcp` (tools for agents), `setup` (registers the host), `hub`, `gateway`, `store`,
//! `browser`, `project`, `check`.
//! A library so that integration tests and benchmarks speak to the hub with the same client as the verbs do.

mod bounded;
pub mod browser;
pub mod check;
pub mod cli;
#[cfg(all(test, target_os = "linux"))]
mod fake_disk;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod gateway;
mod harmless;
pub mod hub;
pub mod identity;
mod ids;
mod length_prefixed;
pub mod mcp;
pub mod project;
mod salvage;
pub mod setup;
pub mod store;
mod why;
