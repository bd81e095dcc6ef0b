//! Where diagnostics of `mcp` go: standard error, which MCP clients keep in their logs; only warnings unless asked, and
//! which tools there are.

use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{FilterFn, LevelFilter};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::harmless::Harmless;
use crate::mcp::REGISTERED;

/// `OPENTOOLBAR_LOG`: off, error, warn (default), info, debug or trace.
pub(super) fn to_stderr() {
    let level = std::env::var("OPENTOOLBAR_LOG")
        .ok()
        .and_then(|level| level.parse().ok())
        .unwrap_or(LevelFilter::WARN);
    let is_told = FilterFn::new(move |line| {
        *line.level() <= level || (line.target() == REGISTERED && level >= LevelFilter::WARN)
    });
    let lines = tracing_subscriber::fmt::layer().with_writer(|| Harmless(std::io::stderr())).with_ansi(false);
    // Fails only when a logger is installed already, which keeps working.
    let _ = tracing_subscriber::registry().with(lines.with_filter(is_told)).try_init();
}
