//! Whose process is at the other end of a connection, as far as the system tells: what one user does must not count
//! against another.

use std::net::{IpAddr, SocketAddr};

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
            diag: SockDiag::open().ok(),
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

/// The system's tables of TCP connections as they were read last. All that wait to be taken stand in it already, so that it is
/// read once for a crowd.
#[cfg(target_os = "linux")]
#[derive(Debug, Default)]
struct Table {
    text: String,
    read_at: Option<std::time::Instant>,
}

#[cfg(target_os = "linux")]
impl Table {
    /// A port may be another user's by then.
    const FRESH: std::time::Duration = std::time::Duration::from_secs(1);

    async fn user_of(&mut self, peer: SocketAddr, ours: SocketAddr) -> Option<u32> {
        if self.read_at.is_some_and(|at| at.elapsed() < Self::FRESH)
            && let Some(user) = find(&self.text, peer, ours)
        {
            return Some(user);
        }
        self.read_at = Some(std::time::Instant::now());
        // Sockets of IPv6 that speak IPv4 stand in the second.
        let read = || {
            ["/proc/net/tcp", "/proc/net/tcp6"].map(|path| std::fs::read_to_string(path).unwrap_or_default())
        };
        self.text = tokio::task::spawn_blocking(read).await.unwrap_or_default().concat();
        find(&self.text, peer, ours)
    }
}

/// In the tables of the system's TCP connections: the line whose own end is `peer` is that of the other process.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn find(table: &str, peer: SocketAddr, ours: SocketAddr) -> Option<u32> {
    const ESTABLISHED: &str = "01";
    let (peer, ours) = (written(peer)?, written(ours)?);
    table.lines().find_map(|line| {
        let mut fields = line.split_whitespace().skip(1);
        let ends = [fields.next()?, fields.next()?];
        let ends = ends.map(|end| end.strip_prefix(MAPPED).unwrap_or(end));
        // Of a connection that is over the system tells no user but 0.
        let is_it = ends == [peer.as_str(), ours.as_str()] && fields.next()? == ESTABLISHED;
        is_it.then(|| fields.nth(3)?.parse().ok()).flatten()
    })
}

/// How the table of IPv6 begins an address of IPv4.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
const MAPPED: &str =
    if cfg!(target_endian = "little") { "0000000000000000FFFF0000" } else { "00000000000000000000FFFF" };

/// As the table writes it: the address as a number in the machine's own order.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn written(address: SocketAddr) -> Option<String> {
    let IpAddr::V4(ip) = address.ip().to_canonical() else { return None };
    Some(format!("{:08X}:{:04X}", u32::from_ne_bytes(ip.octets()), address.port()))
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
        let both = table(&[line(our_end, "01", 1000), line(theirs, "01", 1001)]);
        assert_eq!(find(&both, peer, ours), Some(1001));
        assert_eq!(find(&table(&[line(theirs, "06", 0)]), peer, ours), None);
        assert_eq!(find(&table(&[line(our_end, "01", 1000)]), peer, ours), None);
        let mapped = "0000000000000000FFFF00000100007F:D431 0000000000000000FFFF00000100007F:1EA7";
        assert_eq!(
            find(&table(&[line(our_end, "01", 1000), line(mapped, "01", 1001)]), peer, ours),
            Some(1001)
        );
        assert_eq!(find("", peer, ours), None);
        assert_eq!(find("   1: 0100007F:D431 0100007F:1EA7", peer, ours), None);
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
        let mut streams = Vec::new();
        for _ in 0..20 {
            streams.push(tokio::net::TcpStream::connect(ours).await.unwrap());
        }
        let mut table = Table::default();
        let mut read_at = None;
        for stream in &streams {
            assert!(table.user_of(stream.local_addr().unwrap(), ours).await.is_some());
            assert_eq!(*read_at.get_or_insert(table.read_at), table.read_at);
        }
    }
}
