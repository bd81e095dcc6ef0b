//! The local socket: a Unix socket that only its owner can open, or a named pipe on Windows.

use std::io;
use std::time::Duration;

use interprocess::local_socket::tokio::{Listener, Stream};
use interprocess::local_socket::traits::tokio::Stream as _;
use interprocess::local_socket::{ListenerOptions, Name};

use crate::home::Home;

const LISTENS_WITHIN: Duration = Duration::from_secs(1);

#[cfg(unix)]
fn name(home: &Home) -> io::Result<Name<'static>> {
    use interprocess::local_socket::{GenericFilePath, ToFsName};
    home.socket().to_fs_name::<GenericFilePath>()
}

/// Pipes have no directories; the path's characters that a pipe name cannot hold become `-`.
#[cfg(windows)]
fn name(home: &Home) -> io::Result<Name<'static>> {
    use interprocess::local_socket::{GenericNamespaced, ToNsName};
    let path = home.socket().to_string_lossy().replace(['\\', '/', ':'], "-");
    format!("opentoolbar{path}").to_ns_name::<GenericNamespaced>()
}

/// Opens the socket. The caller holds the lock, so a socket file that is there is stale. It is replaced by one on which
/// somebody listens already: who finds it can connect.
#[cfg(unix)]
pub(super) fn listen(home: &Home) -> io::Result<Listener> {
    use std::os::unix::fs::PermissionsExt;

    use interprocess::local_socket::{GenericFilePath, ToFsName};
    // No longer than the other: the system bounds the path of a socket.
    let next = home.socket().with_file_name("hub.next");
    clear(&next)?;
    let name = next.clone().to_fs_name::<GenericFilePath>()?;
    let listener = ListenerOptions::new().name(name).reclaim_name(false).create_tokio()?;
    // The directory is 0700 already, so nobody else gets in between.
    std::fs::set_permissions(&next, std::fs::Permissions::from_mode(0o600))?;
    std::fs::rename(&next, home.socket())?;
    Ok(listener)
}

/// Removes what a hub that was killed left, or an empty directory that somebody made.
#[cfg(unix)]
fn clear(next: &std::path::Path) -> io::Result<()> {
    let is_directory = std::fs::symlink_metadata(next).is_ok_and(|there| there.is_dir());
    let removed = if is_directory { std::fs::remove_dir(next) } else { std::fs::remove_file(next) };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
            Err(io::Error::other("hub.next is a directory with something in it"))
        }
        other => other,
    }
}

/// Opens the pipe. The caller holds the lock.
#[cfg(windows)]
pub(super) fn listen(home: &Home) -> io::Result<Listener> {
    ListenerOptions::new().name(name(home)?).reclaim_name(false).create_tokio()
}

/// Connects to the hub, if one listens.
pub(super) async fn connect(home: &Home) -> io::Result<Stream> {
    Stream::connect(name(home)?).await
}

/// Whether somebody listens. Blocks, for a second at most: who takes connections but answers late is there.
pub(super) fn is_listening(home: &Home) -> bool {
    use interprocess::local_socket::traits::Stream as _;
    let (connected, result) = std::sync::mpsc::channel();
    let Ok(name) = name(home) else { return false };
    let connect = move || {
        let there = interprocess::local_socket::Stream::connect(name).is_ok();
        // Nobody waits for it any more after the second.
        let _ = connected.send(there);
    };
    let started = std::thread::Builder::new().name("connect".into()).spawn(connect);
    started.is_ok() && result.recv_timeout(LISTENS_WITHIN).unwrap_or(true)
}

/// A peer whose user the system does not tell is a stranger.
#[cfg(unix)]
fn is_us(peer: Option<u32>, own: u32) -> bool {
    peer == Some(own)
}

/// Whether the process at the other end is ours. Named pipes are checked by the system itself.
#[cfg_attr(windows, expect(unused_variables, clippy::unnecessary_wraps, reason = "the same face on both"))]
pub(super) fn peer_is_us(stream: &Stream) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use interprocess::local_socket::traits::StreamCommon as _;
        Ok(is_us(stream.peer_creds()?.euid(), rustix::process::geteuid().as_raw()))
    }
    #[cfg(windows)]
    Ok(true)
}

/// The process at the other end, where the system tells.
pub(super) fn process_of(stream: &Stream) -> Option<u32> {
    use interprocess::local_socket::traits::StreamCommon as _;
    stream.peer_creds().ok()?.pid().and_then(|id| u32::try_from(id).ok())
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{clear, is_us};

    #[test]
    fn what_stands_where_the_socket_begins_is_removed_unless_something_is_in_it() {
        let home = tempfile::tempdir().unwrap();
        let next = home.path().join("hub.next");
        clear(&next).unwrap();
        std::fs::write(&next, "").unwrap();
        clear(&next).unwrap();
        std::fs::create_dir(&next).unwrap();
        clear(&next).unwrap();
        assert!(!next.exists());
        std::fs::create_dir_all(next.join("own")).unwrap();
        let refused = clear(&next).unwrap_err().to_string();
        assert!(refused.contains("hub.next is a directory") && !refused.ends_with('.'), "{refused}");
        assert!(next.join("own").exists());
    }

    #[test]
    fn only_our_own_user_is_us() {
        assert!(is_us(Some(1000), 1000));
        // Not even root: what it connects with is somebody's mistake.
        assert!(!is_us(Some(0), 1000));
        assert!(!is_us(Some(1001), 1000));
        assert!(!is_us(None, 1000));
    }
}
