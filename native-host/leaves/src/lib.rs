//! Small things below every room of the host, one a module: files that are written whole, where the home is, what
//! things are called, errors, ids, the moment.
//!
//! None knows a room of the host, or what it is used for.

pub mod bounded;
pub mod budget;
pub mod clock;
pub mod config;
pub mod error;
pub mod files;
pub mod harmless;
pub mod home;
pub mod identity;
pub mod ids;
pub mod length_prefixed;
pub mod names;
pub mod salvage;
pub mod why;
