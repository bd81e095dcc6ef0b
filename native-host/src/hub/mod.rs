//! The one process per user that owns storage and live state: who is connected, what they ask, what they are told.
//!
//! `run` is the process, `client` how everyone else speaks to it, `handle/` one file per family of requests.
//! Knows nothing of SQL (`store`), of browsers' framing (`browser`) or of MCP (`mcp`).

pub mod client;
mod connection;
mod conversation;
pub(crate) mod error;
pub mod frame;
mod handle;
mod home;
mod lock;
mod log;
mod rate;
mod server;
mod sessions;
mod socket;
mod start;
mod state;

pub use home::Home;
pub use server::{Mode, run};
