//! Whether the hub is still where clients look for it. A cleaner of old files, or a person, may delete the socket or the lock of
//! a hub that lives: then it listens again, and locks again. A hub whose place another one has taken leaves.

use std::sync::Arc;
use std::time::Duration;

use interprocess::local_socket::tokio::Listener;
use tokio::sync::mpsc;

use super::lock::{Holder, HubLock, is_pid_ours};
use super::{Home, socket};
use crate::project::Identity;
use crate::why::why;

const LOOK_EVERY: Duration = Duration::from_secs(2);
/// A hub of an earlier version that has just begun holds the lock for a second, and leaves when it finds us.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(1_500);

/// What a look led to.
#[derive(Debug)]
pub(super) enum Change {
    /// It listens anew: nobody finds the socket that it had.
    Listens(Listener),
    /// It must leave: why, in words.
    Displaced(&'static str),
}

/// Looks every two seconds, until nobody listens to it any more. The socket was opened just now.
pub(super) fn watch(home: &Home, lock: &Arc<HubLock>) -> mpsc::Receiver<Change> {
    let (changes, changed) = mpsc::channel(1);
    let mut place = Place {
        home: home.clone(),
        lock: Arc::clone(lock),
        socket: Identity::of(&home.socket()),
        lock_is_anothers: false,
        has_complained: false,
    };
    tokio::spawn(async move {
        while !changes.is_closed() {
            tokio::time::sleep(if place.lock_is_anothers { LOOK_AGAIN_AFTER } else { LOOK_EVERY }).await;
            let looked = tokio::task::spawn_blocking(move || (place.look(), place)).await;
            // After a defect nobody looks any more; the hub lives on.
            let Ok((change, same)) = looked else { return };
            place = same;
            if let Some(change) = change
                && changes.send(change).await.is_err()
            {
                return;
            }
        }
    });
    changed
}

struct Place {
    home: Home,
    lock: Arc<HubLock>,
    /// Of the file; `None` where the system has none.
    socket: Option<Identity>,
    /// Whether it was at the last look.
    lock_is_anothers: bool,
    /// Said once, until it works again.
    has_complained: bool,
}

impl Place {
    /// Blocks.
    fn look(&mut self) -> Option<Change> {
        let was_anothers = std::mem::take(&mut self.lock_is_anothers);
        match self.lock.keep(&self.home) {
            Holder::Us => {}
            // Who may not be the only hub must not listen for all.
            Holder::Unknown => return None,
            Holder::HomeIsGone => return Some(Change::Displaced("its home was moved or deleted")),
            Holder::Another if was_anothers => {
                return Some(Change::Displaced("another process holds hub.lock: that is the hub now"));
            }
            Holder::Another => {
                self.lock_is_anothers = true;
                return None;
            }
        }
        if !is_pid_ours(&self.home) {
            // For people and scripts; tried again by the next look.
            let _ = self.lock.write_pid(&self.home);
        }
        if Identity::of(&self.home.socket()) == self.socket {
            self.has_complained = false;
            return None;
        }
        match socket::listen(&self.home) {
            Ok(listener) => {
                tracing::warn!("hub.sock was deleted or replaced; the hub listens there again");
                self.socket = Identity::of(&self.home.socket());
                self.has_complained = false;
                Some(Change::Listens(listener))
            }
            Err(error) => {
                if !std::mem::replace(&mut self.has_complained, true) {
                    tracing::error!(
                        error = why(&error),
                        "no client finds the hub: hub.sock was deleted and cannot be opened again"
                    );
                }
                None
            }
        }
    }
}
