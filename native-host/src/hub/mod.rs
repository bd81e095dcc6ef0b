//! The one process per user that owns storage and live state: who is connected, what they ask, what they are told.
//!
//! `run` is the process, `client` how everyone else speaks to it, `handle/` one file per family of requests. `live` is
//! who and what is there at the moment, plain data with a file a kind (`peer`, `live_session`, `lost_pages`, `leaving`,
//! `plain`, `unplaced`); `state` is the hub that holds it and what it knows of files (`sources`); what features do with
//! both is above, a file each; `enter` and `sessions` put it together when connections and tabs come and go.
//! `talk` holds a conversation whatever carries it: `connection` the local socket, the gateway WebSockets.
//! Knows nothing of SQL (`store`), of browsers' framing (`browser`) or of MCP (`mcp`).

mod answering;
mod awaited_pages;
mod body;
pub(crate) mod changed;
mod claims;
pub mod client;
mod connection;
mod conversation;
mod deciding;
mod earlier_names;
mod ended_claims;
mod enter;
mod forget;
pub mod frame;
pub(crate) mod handed;
mod handle;
mod handles;
mod in_place;
mod leaving;
mod life;
mod live;
mod live_session;
mod lock;
mod log;
mod lost_pages;
mod outbox;
mod pauses;
mod peer;
mod placing;
mod plain;
pub(crate) mod presence;
mod pulse;
mod rate;
mod resume;
mod running;
mod server;
mod sessions;
mod socket;
mod source_changes;
mod sources;
mod start;
mod state;
mod subject;
mod talk;
mod turns;
mod unplaced;
mod way_in;

pub(crate) use crate::store::{MOST_PENDING, MOST_PENDING_IN_ALL};
pub(crate) use forget::{Removed, forget};
pub(crate) use rate::Rate;
pub(crate) use server::{Mode, run};
// What stands on the hub and carries conversations from elsewhere: the gateway.
pub(crate) use body::Body;
pub(crate) use frame::FrameError;
pub(crate) use life::Life;
pub(crate) use outbox::{Outbox, Queued, stall};
pub(crate) use plain::Plain;
pub(crate) use state::Hub;
pub(crate) use talk::{Carrier, Ended, INBOX, talk};
pub(crate) use way_in::{Gateway, Gateways, Opened, Visit};
