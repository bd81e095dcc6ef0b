//! The hub's log: one file a day, a week of them. Ids and codes are logged; texts, addresses and secrets never.

use std::io::IsTerminal as _;

use tracing_appender::rolling::{Builder, Rotation};
use tracing_subscriber::filter::{EnvFilter, LevelFilter};
use tracing_subscriber::layer::{Layer as _, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use super::Home;

const DAYS: usize = 7;

/// Logs to `logs/`, and to standard error as well when `visible`: there only warnings, as a person who runs the hub reads
/// what it is for. `OPENTOOLBAR_LOG` sets the level of both (`debug`).
pub(super) fn open(home: &Home, visible: bool) {
    let filter = |unless_asked: LevelFilter| {
        EnvFilter::builder()
            .with_env_var("OPENTOOLBAR_LOG")
            .with_default_directive(unless_asked.into())
            .from_env_lossy()
    };
    let file = Builder::new()
        .rotation(Rotation::DAILY)
        .filename_prefix("hub")
        .filename_suffix("log")
        .max_log_files(DAYS)
        .build(home.logs())
        .ok();
    let to_file = file.map(|file| {
        tracing_subscriber::fmt::layer()
            .with_ansi(false)
            .with_target(false)
            .with_writer(std::sync::Mutex::new(file))
            .with_filter(filter(LevelFilter::INFO))
    });
    let to_stderr = visible.then(|| {
        tracing_subscriber::fmt::layer()
            .with_ansi(std::io::stderr().is_terminal())
            .with_target(false)
            .with_writer(std::io::stderr)
            .with_filter(filter(LevelFilter::WARN))
    });
    // A second call in one process (tests) keeps the first.
    let _ = tracing_subscriber::registry().with(to_file).with(to_stderr).try_init();
}
