//! Whose process is at the other end of a connection, as far as the system tells: what one user does must not count
//! against another.

use std::net::{IpAddr, SocketAddr};

/// Whom limits are counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Caller {
    /// Processes of this user id.
    User(u32),
    /// The system does not tell.
    Address(IpAddr),
}

impl Caller {
    /// Of the connection from `peer` to `ours`, both on this machine.
    pub(super) async fn of(peer: SocketAddr, ours: SocketAddr) -> Self {
        let found = tokio::task::spawn_blocking(move || user_of(peer, ours)).await;
        found.ok().flatten().map_or(Self::Address(peer.ip()), Self::User)
    }

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

#[cfg(target_os = "linux")]
fn user_of(peer: SocketAddr, ours: SocketAddr) -> Option<u32> {
    // This process's own namespace: a loopback connection never crosses one.
    find(&std::fs::read_to_string("/proc/net/tcp").ok()?, peer, ours)
}

#[cfg(not(target_os = "linux"))]
fn user_of(_peer: SocketAddr, _ours: SocketAddr) -> Option<u32> {
    None
}

/// In the table of the system's TCP connections over IPv4: the line whose own end is `peer` is that of the other process.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn find(table: &str, peer: SocketAddr, ours: SocketAddr) -> Option<u32> {
    const ESTABLISHED: &str = "01";
    let (peer, ours) = (written(peer)?, written(ours)?);
    table.lines().find_map(|line| {
        let mut fields = line.split_whitespace().skip(1);
        let ends = (fields.next()?, fields.next()?);
        // Of a connection that is over the system tells no user but 0.
        let is_it = ends == (peer.as_str(), ours.as_str()) && fields.next()? == ESTABLISHED;
        is_it.then(|| fields.nth(3)?.parse().ok()).flatten()
    })
}

/// As the table writes it: the address as a number in the machine's own order.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn written(address: SocketAddr) -> Option<String> {
    let IpAddr::V4(ip) = address.ip() else { return None };
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
        assert!(Caller::of(peer, ours).await.is_us());
    }
}
