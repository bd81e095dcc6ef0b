//! The process that listens on a port, and where it works.

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
    owners.into_iter().find_map(|(pid, name)| {
        let pid = Pid::from_u32(pid);
        let what = ProcessRefreshKind::nothing().with_cwd(UpdateKind::Always);
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[pid]), false, what);
        // Not looked at: its disk may not answer.
        Some((name, system.process(pid)?.cwd()?.to_owned()))
    })
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
    fn a_port_that_nobody_listens_on_leads_nowhere() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        assert_eq!(owner_of_port(port), None);
    }
}
