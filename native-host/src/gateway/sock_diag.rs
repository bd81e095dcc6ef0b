//! Asks Linux whose one TCP connection is, by netlink (`sock_diag(7)`): the kernel looks it up by its two ends, so that
//! it costs the same however many connections there are.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;

use rustix::net::netlink::{SOCK_DIAG, SocketAddrNetlink};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, connect, recv, send, socket_with,
};

/// `struct nlmsghdr`.
const HEAD: usize = 16;
/// `SOCK_DIAG_BY_FAMILY`, of question and answer.
const BY_FAMILY: u16 = 20;
/// `NLM_F_REQUEST`.
const REQUEST: u16 = 1;
/// `AF_INET`; the kernel finds sockets of IPv6 that speak IPv4 by it too.
const INET: u8 = 2;
/// `IPPROTO_TCP`.
const TCP: u8 = 6;
/// `TCP_ESTABLISHED`.
const ESTABLISHED: u8 = 1;
/// In `struct inet_diag_msg`: state, own port, user.
const STATE: usize = HEAD + 1;
const PORT: std::ops::Range<usize> = HEAD + 4..HEAD + 6;
const USER: std::ops::Range<usize> = HEAD + 64..HEAD + 68;

/// A socket on which the kernel is asked.
#[derive(Debug)]
pub(super) struct SockDiag {
    socket: OwnedFd,
    asked: u32,
}

impl SockDiag {
    /// `None` when the kernel does not tell whose a connection of our own is: one without `tcp_diag` answers as if
    /// there were no such connection, and some containers with nothing.
    pub(super) fn proven() -> Option<Self> {
        // For tests, and for who finds that it tells something else.
        if std::env::var_os("OPENTOOLBAR_SOCK_DIAG").is_some_and(|wanted| wanted == "0") {
            return None;
        }
        let mut diag = Self::open().ok()?;
        let tells = tells_who_we_are(|own, other| diag.user_of(own, other));
        if !matches!(tells, Ok(true)) {
            tracing::info!(?tells, "the kernel does not tell whose a connection is: its table is read");
        }
        tells.unwrap_or(false).then_some(diag)
    }

    fn open() -> io::Result<Self> {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket = socket_with(AddressFamily::NETLINK, SocketType::DGRAM, flags, Some(SOCK_DIAG))?;
        // The kernel alone answers on a socket that is connected to it.
        connect(&socket, &SocketAddrNetlink::new(0, 0))?;
        Ok(Self { socket, asked: 0 })
    }

    /// The user of the process that has the end `own` of the connection to `other`. `None` when it is over already.
    ///
    /// # Errors
    /// When the kernel does not answer such questions.
    pub(super) fn user_of(&mut self, own: SocketAddr, other: SocketAddr) -> io::Result<Option<u32>> {
        let (IpAddr::V4(_), IpAddr::V4(_)) = (own.ip(), other.ip()) else { return Ok(None) };
        self.asked = self.asked.wrapping_add(1);
        send(&self.socket, &question(self.asked, own, other), SendFlags::empty())?;
        let mut answer = [0; 512];
        loop {
            // The kernel has answered when it was asked.
            let (_, length) = recv(&self.socket, &mut answer, RecvFlags::empty())?;
            match read(answer.get(..length).unwrap_or_default(), self.asked, own.port()) {
                Read::User(user) => return Ok(user),
                Read::Refused(error) => return Err(error),
                Read::Other => {}
            }
        }
    }
}

/// Whether this way of asking finds our own user at the end of a connection that we make.
fn tells_who_we_are(
    user_of: impl FnOnce(SocketAddr, SocketAddr) -> io::Result<Option<u32>>,
) -> io::Result<bool> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    // The system accepts it for us: nobody has to take it.
    let connection = TcpStream::connect(address)?;
    let told = user_of(connection.local_addr()?, address)?;
    Ok(told == Some(rustix::process::geteuid().as_raw()))
}

/// `struct nlmsghdr` and `struct inet_diag_req_v2`, in the machine's own order but for ports and addresses.
fn question(number: u32, own: SocketAddr, other: SocketAddr) -> Vec<u8> {
    let mut bytes = vec![0; 4];
    bytes.extend(BY_FAMILY.to_ne_bytes());
    bytes.extend(REQUEST.to_ne_bytes());
    bytes.extend(number.to_ne_bytes());
    bytes.extend(0_u32.to_ne_bytes());
    bytes.extend([INET, TCP, 0, 0]);
    bytes.extend((1_u32 << ESTABLISHED).to_ne_bytes());
    bytes.extend(own.port().to_be_bytes());
    bytes.extend(other.port().to_be_bytes());
    for end in [own, other] {
        let mut address = [0; 16];
        if let IpAddr::V4(ip) = end.ip() {
            address[..4].copy_from_slice(&ip.octets());
        }
        bytes.extend(address);
    }
    // Any interface, no cookie.
    bytes.extend(0_u32.to_ne_bytes());
    bytes.extend([0xff; 8]);
    let length = u32::try_from(bytes.len()).unwrap_or_default();
    bytes[..4].copy_from_slice(&length.to_ne_bytes());
    bytes
}

/// What an answer says.
enum Read {
    User(Option<u32>),
    Refused(io::Error),
    /// It is to another question.
    Other,
}

fn read(answer: &[u8], number: u32, port: u16) -> Read {
    const NOT_FOUND: i32 = 2;
    let four = |at: usize| Some(<[u8; 4]>::try_from(answer.get(at..at + 4)?).unwrap_or_default());
    if four(8).map(u32::from_ne_bytes) != Some(number) {
        return Read::Other;
    }
    let kind = answer.get(4..6).map(|kind| u16::from_ne_bytes([kind[0], kind[1]]));
    if kind != Some(BY_FAMILY) {
        // `struct nlmsgerr`: a negative number of the system's.
        return match four(HEAD).map_or(0, i32::from_ne_bytes).saturating_neg() {
            NOT_FOUND => Read::User(None),
            number => Read::Refused(io::Error::from_raw_os_error(number)),
        };
    }
    // Without a connection the kernel tells of who listens on the port.
    let is_it = answer.get(STATE) == Some(&ESTABLISHED) && answer.get(PORT) == Some(&port.to_be_bytes()[..]);
    Read::User(four(USER.start).map(u32::from_ne_bytes).filter(|_| is_it))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_connection_is_its_users_while_it_is_one() {
        let mut diag = SockDiag::open().unwrap();
        let us = rustix::process::geteuid().as_raw();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let ours = listener.local_addr().unwrap();
        let stream = TcpStream::connect(ours).unwrap();
        let peer = stream.local_addr().unwrap();
        assert_eq!(diag.user_of(peer, ours).unwrap(), Some(us));
        // Nobody has the other end there; and who listens has no connection.
        assert_eq!(diag.user_of("127.0.0.1:1".parse().unwrap(), ours).unwrap(), None);
        assert_eq!(diag.user_of(ours, "127.0.0.1:1".parse().unwrap()).unwrap(), None);
        // The same user, whatever family the socket is of.
        if let Ok(stream) = TcpStream::connect(("::ffff:127.0.0.1", ours.port())) {
            let port = stream.local_addr().unwrap().port();
            let peer = SocketAddr::from(([127, 0, 0, 1], port));
            assert_eq!(diag.user_of(peer, ours).unwrap(), Some(us));
        }
    }

    #[test]
    fn a_kernel_that_does_not_know_our_own_connection_is_not_asked() {
        assert!(!tells_who_we_are(|_, _| Ok(None)).unwrap(), "without `tcp_diag`");
        let us = rustix::process::geteuid().as_raw();
        assert!(!tells_who_we_are(|_, _| Ok(Some(us + 1))).unwrap(), "in a namespace with other numbers");
        assert!(tells_who_we_are(|_, _| Err(io::ErrorKind::WouldBlock.into())).is_err(), "with no answer");
        assert!(SockDiag::proven().is_some());
    }

    #[test]
    fn no_answer_panics() {
        for length in 0..100 {
            let mut answer = vec![0; length];
            for kind in [2, BY_FAMILY] {
                if length >= 12 {
                    answer[4..6].copy_from_slice(&kind.to_ne_bytes());
                    answer[8..12].copy_from_slice(&7_u32.to_ne_bytes());
                }
                let _ = read(&answer, 7, 80);
            }
        }
    }
}
