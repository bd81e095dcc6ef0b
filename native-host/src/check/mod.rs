//! Whether comments still hold, from HTML and without a browser: where the HTML comes from, what can be told from it,
//! and the verdicts.
//!
//! Runs in the process that was asked (the verb, the agent's MCP server), never in the hub: it reads and fetches with
//! the rights of whoever asks. Knows nothing of the hub, of MCP or of the command line.

mod file;
mod html;
mod loopback;
mod refusal;
mod rendering;
mod report;

pub use file::{read, read_inside, read_stdin};
pub use html::Html;
pub use loopback::{Address, fetch};
pub use refusal::Refusal;
pub use rendering::Warning;
pub use report::{Checked, Found, Looked, MayHaveChanged, look};
