//! The browser's side of the host: native-messaging frames, and the relay between them and the hub.
//!
//! Knows how messages travel, not what they say.

pub mod frame;
mod relay;

pub use relay::run;
