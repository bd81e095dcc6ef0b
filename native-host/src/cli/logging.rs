//! Where diagnostics of `mcp` go: standard error, which MCP clients keep in their logs; only warnings unless asked.

use tracing_subscriber::filter::LevelFilter;

use crate::harmless::Harmless;

/// `OPENTOOLBAR_LOG`: off, error, warn (default), info, debug or trace.
pub(super) fn to_stderr() {
    let level = std::env::var("OPENTOOLBAR_LOG")
        .ok()
        .and_then(|level| level.parse().ok())
        .unwrap_or(LevelFilter::WARN);
    // Fails only when a logger is installed already, which keeps working.
    let _ = tracing_subscriber::fmt()
        .with_writer(|| Harmless(std::io::stderr()))
        .with_ansi(false)
        .with_max_level(level)
        .try_init();
}
