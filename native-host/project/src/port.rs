//! The process behind a port of this machine, one that listens or one that has called us, and where it works.

use std::net::SocketAddr;
use std::path::PathBuf;

use listeners::{Protocol, SocketState};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

/// Name and working directory of the process that listens on this TCP port. Blocks for some milliseconds: it looks at
/// the open files of every process of ours. `None` when nobody listens or the process is another user's.
pub fn owner_of_port(port: u16) -> Option<(String, PathBuf)> {
    let all = listeners::get_all().ok()?;
    let mut owners: Vec<_> = all
        .into_iter()
        .filter(|l| l.socket.port() == port && l.protocol == Protocol::TCP && l.state == SocketState::Listen)
        .map(|l| (l.process.pid, l.process.name))
        .collect();
    // A server and its workers share the socket: the oldest is asked first.
    owners.sort();
    let mut system = System::new().ok()?;
    owners.into_iter().find_map(|(pid, name)| Some((name, directory_of(&mut system, pid)?)))
}

/// Id and working directory of the process whose end of a connection to us has this address. Blocks like
/// [`owner_of_port`]. `None` when the process is another user's, or when processes of several directories have such an
/// end: the system's list does not say whom each is connected to.
pub fn process_behind(peer: SocketAddr) -> Option<(u32, PathBuf)> {
    let peer = SocketAddr::new(peer.ip().to_canonical(), peer.port());
    let is_it = |socket: SocketAddr| SocketAddr::new(socket.ip().to_canonical(), socket.port()) == peer;
    let all = listeners::get_all().ok()?;
    let mut pids: Vec<u32> = all
        .into_iter()
        .filter(|l| is_it(l.socket) && l.protocol == Protocol::TCP && l.state == SocketState::Established)
        .map(|l| l.process.pid)
        .collect();
    pids.sort_unstable();
    pids.dedup();
    let mut system = System::new().ok()?;
    let oldest = *pids.first()?;
    let mut directories: Vec<PathBuf> =
        pids.into_iter().map(|pid| directory_of(&mut system, pid)).collect::<Option<_>>()?;
    directories.dedup();
    match directories.len() {
        1 => directories.pop().map(|directory| (oldest, directory)),
        _ => None,
    }
}

/// Not looked at: its disk may not answer.
fn directory_of(system: &mut System, pid: u32) -> Option<PathBuf> {
    let pid = Pid::from_u32(pid);
    let what = ProcessRefreshKind::nothing().with_cwd(UpdateKind::Always);
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, what);
    Some(system.process(pid)?.cwd()?.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_port_that_we_listen_on_leads_to_our_directory() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let (_, directory) = owner_of_port(listener.local_addr().unwrap().port()).unwrap();
        assert_eq!(directory, std::env::current_dir().unwrap());
    }

    #[test]
    fn who_has_called_us_leads_to_its_directory_until_it_hangs_up() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (accepted, peer) = listener.accept().unwrap();
        let found = (std::process::id(), std::env::current_dir().unwrap());
        assert_eq!(process_behind(peer), Some(found));
        drop((stream, accepted));
        assert_eq!(process_behind(peer), None);
        assert_eq!(process_behind(listener.local_addr().unwrap()), None, "it listens alone");
    }

    #[test]
    fn a_port_that_nobody_listens_on_leads_nowhere() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        assert_eq!(owner_of_port(port), None);
    }
}
