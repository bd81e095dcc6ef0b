//! Resources: what the tools tell, by an address. A person attaches them to a prompt, and a client reads them again
//! when they change.
//!
//! Each is read by the tool that tells it, so that it is as small, as redacted and as permitted as there, and nothing
//! is to be had here alone. What is read so does not count as handed to the agent.

mod changes;
mod kinds;
mod list;
mod read;

pub(super) use changes::{MOST as MOST_SUBSCRIPTIONS, Subscriptions, listen};
pub(super) use kinds::{argument, is_ours, templates};
pub(super) use list::list;
pub(super) use read::read;
