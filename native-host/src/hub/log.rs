//! The hub's log: one file a day, a week of them. Ids and codes are logged; texts, addresses and secrets never.

use tracing_appender::rolling::{Builder, Rotation};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::Home;

const DAYS: usize = 7;

/// Logs to `logs/`, and to standard error as well when `visible`. `OPENTOOLBAR_LOG` sets the level (`debug`).
pub(super) fn open(home: &Home, visible: bool) {
    let filter = || {
        EnvFilter::builder()
            .with_env_var("OPENTOOLBAR_LOG")
            .with_default_directive(tracing::Level::INFO.into())
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
    });
    let to_stderr =
        visible.then(|| tracing_subscriber::fmt::layer().with_target(false).with_writer(std::io::stderr));
    // A second call in one process (tests) keeps the first.
    let _ = tracing_subscriber::registry().with(filter()).with(to_file).with(to_stderr).try_init();
}
