//! Makes browsers know the host, and undoes exactly that.
//!
//! Works on files (and, on Windows, registry keys) only; prints nothing and knows nothing of the hub.

mod agents;
mod browser;
mod extension;
mod manifest;
mod record;
mod register;
mod sandboxed;
#[cfg(windows)]
mod windows;

pub use agents::{connect_lines, shell_quoted};
pub use browser::{Browser, Places};
pub use extension::load_lines;
pub use manifest::Manifest;
pub use record::Record;
pub use register::{Change, Effect, register, unregister};
pub use sandboxed::sandboxed_browsers;
