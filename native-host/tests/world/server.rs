//! A web server in a few lines, on a real socket: each path has its answer, whole.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener};

pub struct Server {
    port: u16,
}

/// An answer with a body of that type.
pub fn answer(kind: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

pub fn redirect(to: &str) -> String {
    format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

impl Server {
    /// Serves until the test's process ends.
    pub fn start(answers: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let answers: HashMap<String, String> =
            answers.into_iter().map(|(path, answer)| (path.to_owned(), answer)).collect();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { continue };
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
                let asked = lines.next().and_then(Result::ok).unwrap_or_default();
                while lines.next().and_then(Result::ok).is_some_and(|line| !line.is_empty()) {}
                let path = asked.split(' ').nth(1).unwrap_or("/").to_owned();
                let missing =
                    "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned();
                // A client that has seen enough hangs up.
                let _ = stream.write_all(answers.get(&path).unwrap_or(&missing).as_bytes());
                let _ = stream.shutdown(std::net::Shutdown::Write);
                let _ = stream.take(1).read(&mut [0]);
            }
        });
        Self { port }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}
