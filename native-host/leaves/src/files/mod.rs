//! Files by the handle of their directory: written whole or not at all, and nothing opened through a link. Knows
//! nothing of what they are for.

mod directory;
mod identity;
mod lease;
mod stamp;
mod whole;

pub use directory::{Directory, Entry, Opened, random_digits};
pub use identity::Identity;
pub use lease::Lease;
pub use stamp::Stamp;
pub use whole::{Content, read_file, sweep, write_whole};
