//! The peer: the smallest server of axum, in a process of its own. `GET /N` answers N bytes of text.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};
use axum::Router;
use axum::extract::Path;
use axum::routing::get;

pub(super) struct Hello {
    process: Child,
    /// `127.0.0.1:PORT`.
    pub(super) address: String,
}

impl Hello {
    pub(super) fn start() -> Result<Self> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let mut process = Command::new(program)
            .args(["bench", "gateway", "--peer", "--inside", "--smoke"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("the peer does not start")?;
        let output = BufReader::new(process.stdout.take().context("no output")?);
        let said =
            output.lines().map_while(Result::ok).find_map(|line| line.strip_prefix("at ").map(str::to_owned));
        Ok(Self { process, address: said.context("the peer said no address")? })
    }
}

impl Drop for Hello {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Serves until the process is ended, or who started it is gone.
pub(super) fn serve() -> Result<()> {
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(0);
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("at {}", listener.local_addr()?);
        let hello = async |Path(bytes): Path<usize>| "x".repeat(bytes.min(1_000_000));
        axum::serve(listener, Router::new().route("/{bytes}", get(hello))).await?;
        Ok(())
    })
}
