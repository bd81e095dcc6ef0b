//! Clients that ask again as soon as they are answered, each on a connection and in a thread of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

/// One that is sent as it is.
#[derive(Clone)]
pub(super) struct Request(Vec<u8>);

impl Request {
    /// `head`: its other lines.
    pub(super) fn new(method: &str, path: &str, head: &str, body: Option<&Value>) -> Self {
        let body = body.map(Value::to_string);
        let about = body.as_ref().map_or(String::new(), |body| {
            format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len())
        });
        let text = format!("{method} {path} HTTP/1.1\r\n{head}{about}\r\n{}", body.unwrap_or_default());
        Self(text.into_bytes())
    }
}

/// Kept open from request to request.
pub(super) struct Connection {
    reader: BufReader<TcpStream>,
    body: String,
}

impl Connection {
    pub(super) fn open(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).with_context(|| format!("cannot connect to {address}"))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(Self { reader: BufReader::new(stream), body: String::new() })
    }

    /// The body of its answer; anything but 200 is an error.
    pub(super) fn ask(&mut self, request: &Request) -> Result<&str> {
        self.reader.get_mut().write_all(&request.0)?;
        let (mut line, mut status, mut length) = (String::new(), String::new(), None);
        loop {
            line.clear();
            ensure!(self.reader.read_line(&mut line)? > 0, "the connection was closed");
            let text = line.trim_end();
            if text.is_empty() {
                break;
            }
            if status.is_empty() {
                text.clone_into(&mut status);
            }
            if let Some((name, value)) = text.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse::<u64>().ok();
            }
        }
        self.body.clear();
        (&mut self.reader)
            .take(length.context("an answer of unknown length")?)
            .read_to_string(&mut self.body)?;
        if !status.contains(" 200 ") {
            bail!("{status}: {}", self.body);
        }
        Ok(&self.body)
    }
}

/// How it went.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) per_second: f64,
    /// Of a turn.
    pub(super) p50: Duration,
    pub(super) p99: Duration,
}

impl Measured {
    /// The best of each.
    pub(super) fn better_of(self, other: Self) -> Self {
        Self {
            per_second: self.per_second.max(other.per_second),
            p50: self.p50.min(other.p50),
            p99: self.p99.min(other.p99),
        }
    }
}

/// So many connections take turn after turn for so long; each says which of them it is. `requests`: in each turn.
pub(super) fn of(
    address: &str,
    connections: usize,
    time: Duration,
    turn: &(dyn Fn(&mut Connection, usize) -> Result<usize> + Send + Sync),
    requests: u32,
) -> Result<Measured> {
    let begin = &Barrier::new(connections);
    let one = |number: usize| -> Result<Vec<Duration>> {
        let opened = Connection::open(address).and_then(|mut connection| {
            // Whoever is new is looked at once.
            turn(&mut connection, number)?;
            Ok(connection)
        });
        // All wait for all, also for one that failed.
        begin.wait();
        let mut connection = opened?;
        let (began, mut times) = (Instant::now(), Vec::new());
        while began.elapsed() < time {
            let asked = Instant::now();
            turn(&mut connection, number)?;
            times.push(asked.elapsed());
        }
        Ok(times)
    };
    let mut times = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..connections).map(|number| scope.spawn(move || one(number))).collect();
        let mut all = Vec::new();
        for client in clients {
            all.extend(client.join().map_err(|_| anyhow::anyhow!("a client failed"))??);
        }
        anyhow::Ok(all)
    })?;
    ensure!(!times.is_empty(), "nothing was answered in time");
    times.sort_unstable();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    // Turns are as many as `u32` has room for.
    let turns = f64::from(u32::try_from(times.len()).unwrap_or(u32::MAX));
    Ok(Measured { per_second: turns * f64::from(requests) / time.as_secs_f64(), p50: at(50), p99: at(99) })
}
