//! Reading histories beside everything else, and no longer than anybody waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use opentoolbar_dialogs::{Error, Histories};

use super::asked::none_is_active;
use crate::mcp::context::Context;
use crate::mcp::outcome::Outcome;

/// How long one call may take. Clients give up after a minute.
pub(super) const PATIENCE: Duration = Duration::from_secs(45);
/// A disk that does not answer cannot be told to stop.
const GRACE: Duration = Duration::from_secs(2);

/// Reads on a thread of its own, until the moment has come, the call is dropped or its client is gone.
pub(super) async fn read<T: Send + 'static>(
    context: &Context,
    until: Instant,
    read: impl FnOnce(&Histories, &dyn Fn() -> bool) -> Result<T, Error> + Send + 'static,
) -> Result<Result<T, Error>, Outcome> {
    let wanted = Wanted(Arc::new(AtomicBool::new(true)));
    let (histories, still) = (Arc::clone(&context.histories), Arc::clone(&wanted.0));
    let reading = tokio::task::spawn_blocking(move || {
        read(&histories, &|| still.load(Ordering::Relaxed) && Instant::now() < until)
    });
    let mut gone = context.gone.clone();
    tokio::select! {
        read = reading => read.map_err(|_| Outcome::Unexpected("the histories could not be read".to_owned())),
        () = tokio::time::sleep_until((until + GRACE).into()) => Ok(Err(Error::Stopped)),
        // Nobody is left to hear the answer; the process can end.
        _ = gone.wait_for(|gone| *gone) => Ok(Err(Error::Stopped)),
    }
}

/// Dropped with the call, when its client does not want the answer any more.
struct Wanted(Arc<AtomicBool>);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Why it was not read.
pub(super) fn failed(error: Error) -> Outcome {
    match error {
        Error::NoData(why) => Outcome::refused(
            "Chat data not available for session",
            format!(
                "Its history cannot be had: {why}. Ask the developer, or give the sessionId of another dialog."
            ),
        ),
        Error::NoSuchRequest { .. } => {
            Outcome::refused("First request not available", "Nothing was asked in this dialog yet.")
        }
        Error::NotFound => none_is_active(),
        Error::Changed => Outcome::refused("The history was written meanwhile", "Call again."),
        Error::Stopped => {
            Outcome::refused("The histories could not be read in time", "Call again: what was read is kept.")
        }
        Error::Io(error) => Outcome::Unexpected(format!("the history cannot be read: {error}")),
    }
}
