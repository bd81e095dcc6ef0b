//! The way in over the gateway for clients that show its token.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use tungstenite::protocol::{Role, WebSocket};

use super::Gateway;

/// A connection on which nothing is said yet.
pub fn connected(gateway: &Gateway) -> TcpStream {
    let stream = TcpStream::connect(gateway.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

/// The same once it has become a WebSocket, for who speaks it byte by byte.
pub fn upgraded(gateway: &Gateway, path: &str) -> TcpStream {
    let mut stream = connected(gateway);
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer {}\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        gateway.address, gateway.token
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    stream
}

pub fn websocket(gateway: &Gateway, path: &str) -> WebSocket<TcpStream> {
    WebSocket::from_raw_socket(upgraded(gateway, path), Role::Client, None)
}
