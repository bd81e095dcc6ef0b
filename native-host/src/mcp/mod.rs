//! MCP: over stdio, where an agent's client starts `opentoolbar mcp`, and over HTTP, where it comes by the gateway
//! (`over_http`). Its calls become requests to the hub.
//!
//! The only room that says rmcp. It knows nothing of storage or browsers: it has `link`, which speaks `core::protocol`
//! with the hub and outlives the hub's restarts, and reads HTML (`check`) and other programs' chats (`dialogs`) itself.

mod approval;
mod arguments;
mod budget;
mod completes;
mod completion;
mod context;
mod costs;
mod declared;
mod dialogs;
mod events;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod link;
mod offer;
mod outcome;
pub(crate) mod over_http;
mod presence;
mod progress;
mod prompts;
mod reference;
mod resources;
mod running;
#[cfg(feature = "conformance")]
#[path = "../../examples/conformance/sample.rs"]
mod sample;
mod schema;
mod seat;
mod server;
mod tools;
mod transport;
mod unanswered;
mod underway;
mod view;

pub use declared::Toolset;
pub use offer::Offer;
pub use reference::markdown;
pub(crate) use server::REGISTERED;
pub use server::{ServeError, serve};
