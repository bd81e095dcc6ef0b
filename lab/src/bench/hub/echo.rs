//! The peer: the smallest WebSocket server of Node's `ws` (`tests/bench/echo.ts`), and its clients.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result};
use tungstenite::Message;
use tungstenite::client::IntoClientRequest;
use xtask::step;

use super::load::Trip;
use crate::clients::carrier::{self, Half};

pub(super) struct Echo {
    process: Child,
    address: String,
}

impl Echo {
    pub(super) fn start(node: &Path) -> Result<Self> {
        let mut process = step::command(node, "tests", &["bench/echo.ts"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("Node does not start")?;
        let mut line = String::new();
        BufReader::new(process.stdout.take().context("no output")?).read_line(&mut line)?;
        let port: u16 = line.trim().parse().with_context(|| format!("Node said {line:?}, not its port"))?;
        Ok(Self { process, address: format!("127.0.0.1:{port}") })
    }

    pub(super) fn client(&self) -> Result<Client> {
        let request = format!("ws://{}/", self.address).into_client_request()?;
        let (sender, receiver) = carrier::socket(&self.address, request)?;
        Ok(Client { sender, receiver })
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(super) struct Client {
    sender: Half,
    receiver: Half,
}

impl Client {
    /// One message there and back.
    pub(super) fn trip(&mut self, text: &str) -> Result<Trip> {
        let sent = Instant::now();
        self.sender.send(Message::text(text))?;
        loop {
            if let Message::Text(echo) = self.receiver.read()? {
                anyhow::ensure!(echo.as_str() == text, "the echo is another text");
                return Ok(Trip { there: None, whole: sent.elapsed() });
            }
        }
    }
}
