//! Whether the hub is still where clients look for it. A cleaner of old files, or a person, may delete the socket or
//! the lock of a hub that lives: then it listens again, and locks again. A hub whose place another one has taken
//! leaves.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use interprocess::local_socket::tokio::Listener;
use tokio::sync::mpsc;

use super::lock::{Holder, HubLock, is_pid_ours};
use super::socket;
use crate::home::Home;
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
        socket: SocketFile::at(&home.socket()),
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
    socket: SocketFile,
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
        if self.socket.is_at(&self.home.socket()) {
            self.has_complained = false;
            return None;
        }
        match socket::listen(&self.home) {
            Ok(listener) => {
                tracing::warn!("hub.sock was deleted or replaced; the hub listens there again");
                self.socket = SocketFile::at(&self.home.socket());
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

/// The socket's file as it was when it was opened.
struct SocketFile {
    /// Held: its inode number is nobody else's meanwhile, and remains the same where a file system gives another one to
    /// what it has forgotten.
    #[cfg(target_os = "linux")]
    handle: Option<std::os::fd::OwnedFd>,
    /// Other systems have no handles of sockets' files.
    #[cfg(not(target_os = "linux"))]
    identity: Option<crate::files::Identity>,
}

#[cfg(target_os = "linux")]
impl SocketFile {
    fn at(path: &Path) -> Self {
        use rustix::fs::{Mode, OFlags, open};
        Self { handle: open(path, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty()).ok() }
    }

    /// One that could not be opened, as the system had no room for it, is taken for what is there: to put another one
    /// in its place would drop who waits at it.
    fn is_at(&mut self, path: &Path) -> bool {
        if self.handle.is_none() {
            *self = Self::at(path);
        }
        let there = rustix::fs::lstat(path).ok();
        if self.handle.is_none() {
            return there.is_some();
        }
        let ours = self.handle.as_ref().and_then(|handle| rustix::fs::fstat(handle).ok());
        ours.zip(there)
            .is_some_and(|(ours, there)| (ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino))
    }
}

#[cfg(not(target_os = "linux"))]
impl SocketFile {
    fn at(path: &Path) -> Self {
        Self { identity: crate::files::Identity::of(path) }
    }

    fn is_at(&mut self, path: &Path) -> bool {
        // Where the system has no numbers both are `None`.
        crate::files::Identity::of(path) == self.identity
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use opentoolbar_fake_disk::{FakeDisk, wait_until};
    use std::os::unix::fs::MetadataExt as _;

    #[test]
    fn a_socket_whose_inode_number_changes_is_still_the_hubs_and_another_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let Some(disk) = FakeDisk::mount(dir.path(), &["other"]) else { return };
        let number = || std::fs::metadata(dir.path().join("other")).unwrap().ino();
        let path = dir.path().join("socket");
        let mut socket = SocketFile::at(&path);
        let before = number();
        wait_until("what nobody has open gets another number", || {
            disk.drop_caches();
            number() != before
        });
        assert!(socket.is_at(&path));
        assert!(!socket.is_at(&dir.path().join("other")));
        drop(disk);
        assert!(!socket.is_at(&path), "it is gone");
        let path = dir.path().join("s");
        let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
        let mut socket = SocketFile::at(&path);
        assert!(socket.is_at(&path));
        std::fs::remove_file(&path).unwrap();
        drop(listener);
        let _another = std::os::unix::net::UnixListener::bind(&path).unwrap();
        assert!(!socket.is_at(&path));
    }

    #[test]
    fn a_socket_that_could_not_be_opened_is_looked_at_again_before_another_takes_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s");
        let mut socket = SocketFile { handle: None };
        assert!(!socket.is_at(&path), "nothing is there");
        let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
        assert!(socket.is_at(&path));
        std::fs::remove_file(&path).unwrap();
        let _another = std::os::unix::net::UnixListener::bind(&path).unwrap();
        assert!(!socket.is_at(&path), "it is known from the first look on");
    }
}
