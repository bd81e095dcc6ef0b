//! Whose process is at the other end of a connection, as far as the system tells: what one user does must not count
//! against another.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, SocketAddr};
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use super::sock_diag::SockDiag;

/// Whom limits are counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Caller {
    /// Processes of this user id.
    User(u32),
    /// The system does not tell.
    Address(IpAddr),
}

impl Caller {
    /// This user's own.
    pub(super) fn is_us(self) -> bool {
        #[cfg(unix)]
        {
            self == Self::User(rustix::process::geteuid().as_raw())
        }
        #[cfg(not(unix))]
        {
            false
        }
    }
}

/// Finds out who calls, for one listener.
#[derive(Debug)]
pub(super) struct Callers {
    #[cfg(target_os = "linux")]
    diag: Option<SockDiag>,
    #[cfg(target_os = "linux")]
    table: Table,
}

impl Callers {
    pub(super) fn new() -> Self {
        Self {
            #[cfg(target_os = "linux")]
            diag: SockDiag::proven(),
            #[cfg(target_os = "linux")]
            table: Table::default(),
        }
    }

    /// Of the connection from `peer` to `ours`, both on this machine.
    pub(super) async fn of(&mut self, peer: SocketAddr, ours: SocketAddr) -> Caller {
        #[cfg(target_os = "linux")]
        if let Some(user) = self.user_of(peer, ours).await {
            return Caller::User(user);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = ours;
        // One machine has one count, however its address is written.
        Caller::Address(peer.ip().to_canonical())
    }

    /// This process's own namespace is asked: a loopback connection never crosses one.
    #[cfg(target_os = "linux")]
    async fn user_of(&mut self, peer: SocketAddr, ours: SocketAddr) -> Option<u32> {
        match self.diag.as_mut().map(|diag| diag.user_of(peer, ours)) {
            Some(Ok(user)) => user,
            // Containers may forbid it.
            Some(Err(error)) => {
                tracing::info!(%error, "the system does not tell whose one connection is: its table is read");
                self.diag = None;
                self.table.user_of(peer, ours).await
            }
            None => self.table.user_of(peer, ours).await,
        }
    }
}

/// What the system's tables of TCP connections said when they were read last.
#[cfg(target_os = "linux")]
#[derive(Debug, Default)]
struct Table {
    /// Users of the connections that waited to be taken, so that it is read once for a crowd. Each is believed once: a
    /// connection that was taken may be over, and its port another user's.
    waiting: BTreeMap<SocketAddr, u32>,
    read_at: Option<Instant>,
    /// How often it was read.
    #[cfg(test)]
    reads: u32,
}

#[cfg(target_os = "linux")]
impl Table {
    /// One that is older is not believed.
    const FRESH: Duration = Duration::from_secs(1);
    /// What comes meanwhile waits to be taken, and one read is for all of it: a crowd must not keep the hub reading.
    const APART: Duration = Duration::from_millis(20);

    /// Of a connection that was just taken.
    async fn user_of(&mut self, peer: SocketAddr, ours: SocketAddr) -> Option<u32> {
        let peer = SocketAddr::new(peer.ip().to_canonical(), peer.port());
        let waited = self.waiting.remove(&peer);
        if self.read_at.is_some_and(|at| at.elapsed() < Self::FRESH) && waited.is_some() {
            return waited;
        }
        if let Some(at) = self.read_at {
            tokio::time::sleep(Self::APART.saturating_sub(at.elapsed())).await;
        }
        self.read_at = Some(Instant::now());
        #[cfg(test)]
        {
            self.reads += 1;
        }
        let read = move || {
            // Sockets of IPv6 that speak IPv4 stand in the second.
            let text = ["/proc/net/tcp", "/proc/net/tcp6"]
                .map(|path| std::fs::read_to_string(path).unwrap_or_default())
                .concat();
            connections(&text, ours)
        };
        let Connections { mut users, waiting } = tokio::task::spawn_blocking(read).await.unwrap_or_default();
        // Read after it was taken: what the table says of it is true of it.
        let user = users.get(&peer).copied();
        users.retain(|other, _| waiting.contains(other) && *other != peer);
        self.waiting = users;
        user
    }
}

/// The connections with one of our addresses, by their other end.
#[derive(Debug, Default)]
struct Connections {
    /// Whose process has the other end.
    users: BTreeMap<SocketAddr, u32>,
    /// Those that nobody has taken yet: our end is no process's.
    waiting: BTreeSet<SocketAddr>,
}

/// Reads the tables of the system's TCP connections. A line whose own end is not ours is that of the other process.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn connections(table: &str, ours: SocketAddr) -> Connections {
    const ESTABLISHED: &str = "01";
    let mut found = Connections::default();
    // Most lines are of others.
    let port = format!(":{:04X} ", ours.port());
    for line in table.lines().filter(|line| line.contains(&port)) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        // Of a connection that is over the system tells no user but 0.
        let &[_, own, other, ESTABLISHED, _, _, _, user, _, inode, ..] = fields.as_slice() else { continue };
        let (Some(own), Some(other)) = (read(own), read(other)) else { continue };
        if other == ours
            && let Ok(user) = user.parse()
        {
            found.users.insert(own, user);
        } else if own == ours && inode == "0" {
            found.waiting.insert(other);
        }
    }
    found
}

/// How the table of IPv6 begins an address of IPv4.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
const MAPPED: &str =
    if cfg!(target_endian = "little") { "0000000000000000FFFF0000" } else { "00000000000000000000FFFF" };

/// An end as the table writes it: the address as a number in the machine's own order.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn read(end: &str) -> Option<SocketAddr> {
    let (ip, port) = end.strip_prefix(MAPPED).unwrap_or(end).split_once(':')?;
    let is_number = |text: &str, digits| text.len() == digits && text.bytes().all(|b| b.is_ascii_hexdigit());
    if !is_number(ip, 8) || !is_number(port, 4) {
        return None;
    }
    let ip = u32::from_str_radix(ip, 16).ok()?.to_ne_bytes();
    Some(SocketAddr::from((ip, u16::from_str_radix(port, 16).ok()?)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[cfg(target_endian = "little")]
    #[test]
    fn the_user_stands_in_the_line_of_the_other_end_and_only_while_it_is_connected() {
        let peer = "127.0.0.1:54321".parse().unwrap();
        let ours = "127.0.0.1:7847".parse().unwrap();
        let line = |ends: &str, state: &str, user: u32| {
            format!(
                "   1: {ends} {state} 00000000:00000000 00:00000000 00000000  {user}        0 12345 1 0 20 4 30 10 -1\n"
            )
        };
        let theirs = "0100007F:D431 0100007F:1EA7";
        let our_end = "0100007F:1EA7 0100007F:D431";
        let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
        let table = |lines: &[String]| format!("{head}{}", lines.concat());
        let find = |text: &str, peer: SocketAddr| connections(text, ours).users.get(&peer).copied();
        let both = table(&[line(our_end, "01", 1000), line(theirs, "01", 1001)]);
        assert_eq!(find(&both, peer), Some(1001));
        assert_eq!(find(&table(&[line(theirs, "06", 0)]), peer), None);
        assert_eq!(find(&table(&[line(our_end, "01", 1000)]), peer), None);
        let mapped = "0000000000000000FFFF00000100007F:D431 0000000000000000FFFF00000100007F:1EA7";
        assert_eq!(find(&table(&[line(our_end, "01", 1000), line(mapped, "01", 1001)]), peer), Some(1001));
        assert_eq!(find("", peer), None);
        assert_eq!(find("   1: 0100007F:D431 0100007F:1EA7", peer), None);
        assert_eq!(find(&table(&[line("0100007F:+431 0100007F:1EA7", "01", 1001)]), peer), None);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_connection_of_this_very_process_is_ours() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let ours = listener.local_addr().unwrap();
        let _stream = tokio::net::TcpStream::connect(ours).await.unwrap();
        let (_accepted, peer) = listener.accept().await.unwrap();
        let mut callers = Callers::new();
        assert!(callers.diag.is_some() && callers.of(peer, ours).await.is_us());
        // Where the kernel may not be asked.
        callers.diag = None;
        assert!(callers.of(peer, ours).await.is_us());
    }

    #[tokio::test]
    async fn an_address_has_one_count_however_it_is_written() {
        let ours = "127.0.0.1:7847".parse().unwrap();
        let mut callers = Callers::new();
        let mapped = callers.of("[::ffff:127.0.0.1]:9".parse().unwrap(), ours).await;
        assert_eq!(mapped, callers.of("127.0.0.1:9".parse().unwrap(), ours).await);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_table_is_read_once_for_a_crowd_that_waits() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let ours = listener.local_addr().unwrap();
        let (mut streams, mut streams_taken) = (Vec::new(), Vec::new());
        for _ in 0..20 {
            streams.push(tokio::net::TcpStream::connect(ours).await.unwrap());
        }
        let mut table = Table::default();
        for _ in &streams {
            let (accepted, peer) = listener.accept().await.unwrap();
            assert!(table.user_of(peer, ours).await.is_some());
            // Taken ones are in the table and wait no more.
            streams_taken.push(accepted);
        }
        assert_eq!(table.reads, 1);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_table_is_read_anew_for_who_has_the_port_of_one_that_is_over() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let ours = listener.local_addr().unwrap();
        let mut table = Table::default();
        let mut waits = Vec::new();
        for _ in 0..3 {
            waits.push(tokio::net::TcpStream::connect(ours).await.unwrap());
        }
        let (_first, first) = listener.accept().await.unwrap();
        let (_second, second) = listener.accept().await.unwrap();
        assert!(table.user_of(first, ours).await.is_some());
        assert!(table.user_of(second, ours).await.is_some());
        // The same two ends once more: another connection, for all that was read of the first.
        for peer in [second, first] {
            let reads = table.reads;
            assert!(table.user_of(peer, ours).await.is_some());
            assert_eq!(table.reads, reads + 1, "{peer}");
        }
        // Over before it was taken: it was somebody's, and what has its two ends after that is not.
        drop(waits.pop().unwrap());
        let (_third, third) = listener.accept().await.unwrap();
        assert!(table.user_of(third, ours).await.is_some());
        assert_eq!(table.user_of(third, ours).await, None);
    }
}
