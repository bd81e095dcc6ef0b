//! The hub's log: the newest lines, in files of bounded size. Ids and codes are logged; texts, addresses and secrets
//! never.

mod bounded;
mod defects;

use tracing_subscriber::filter::{EnvFilter, LevelFilter};
use tracing_subscriber::layer::{Layer as _, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use self::bounded::Bounded;
use crate::harmless::Harmless;
use crate::home::Home;

/// Most bytes of `hub.log` and of the file before it, each: some 20,000 lines.
const MOST_BYTES: u64 = 2 * 1024 * 1024;

/// Logs to `logs/`, and to standard error as well when `visible`: there only warnings, as a person who runs the hub
/// reads what it is for. `OPENTOOLBAR_LOG` sets the level of both (`debug`).
pub(super) fn open(home: &Home, visible: bool) {
    let filter = |unless_asked: LevelFilter| {
        EnvFilter::builder()
            .with_env_var("OPENTOOLBAR_LOG")
            .with_default_directive(unless_asked.into())
            .from_env_lossy()
    };
    // The library of MCP quotes what is said to it.
    let filter = |unless_asked| match "rmcp=off".parse() {
        Ok(no_quotes) => filter(unless_asked).add_directive(no_quotes),
        Err(_) => filter(unless_asked),
    };
    let file = Bounded::open(home.logs().join("hub.log"), MOST_BYTES).ok();
    let to_file = file.map(|file| {
        tracing_subscriber::fmt::layer()
            .with_ansi(false)
            .with_target(false)
            .with_writer(std::sync::Mutex::new(Harmless(file)))
            .with_filter(filter(LevelFilter::INFO))
    });
    let to_stderr = visible.then(|| {
        tracing_subscriber::fmt::layer()
            // Colours would be neutralised with the rest.
            .with_ansi(false)
            .with_target(false)
            .with_writer(|| Harmless(std::io::stderr()))
            .with_filter(filter(LevelFilter::WARN))
    });
    // A second call in one process (tests) keeps the first.
    let _ = tracing_subscriber::registry().with(to_file).with(to_stderr).try_init();
    defects::report(visible);
}
