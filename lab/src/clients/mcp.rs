//! An agent: a real `opentoolbar mcp` process, spoken to.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::world::World;

/// A process and the way to speak to it.
pub(crate) struct Started {
    pub(crate) process: Child,
    pub(crate) server: Server,
}

/// The process, spoken to: a line out, a line in.
pub(crate) struct Server {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Server {
    /// Starts the process in a project.
    pub(crate) fn start(world: &World, project: usize) -> Result<Started> {
        let mut process = world
            .program()
            .arg("mcp")
            .current_dir(world.project(project)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("the agent does not start")?;
        let input = process.stdin.take().context("no input")?;
        let output = BufReader::new(process.stdout.take().context("no output")?);
        Ok(Started { process, server: Self { input, output, last: 0 } })
    }

    fn write(&mut self, method: &str, params: &Value) -> Result<u64> {
        self.last += 1;
        let id = self.last;
        writeln!(
            self.input,
            "{}",
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
        )?;
        Ok(id)
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<u64> {
        self.write("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// The next answer. The server may ask meanwhile whether anybody is here, which is answered as every client must.
    pub(crate) fn read(&mut self) -> Result<Value> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the agent's process has ended");
            }
            let message: Value = serde_json::from_str(&line).with_context(|| format!("no JSON: {line:?}"))?;
            if message.get("method").is_none() {
                return Ok(message);
            }
            if message["method"] == "ping" {
                let here = json!({ "jsonrpc": "2.0", "id": message["id"], "result": {} });
                writeln!(self.input, "{here}")?;
            }
        }
    }

    /// The handshake, and from which position on news are new.
    pub(crate) fn introduce(&mut self) -> Result<u64> {
        let client = json!({ "name": "bench", "version": "1.0" });
        let capabilities = json!({});
        let params =
            json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": client });
        self.write("initialize", &params)?;
        self.read()?;
        writeln!(self.input, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        self.call("get_ui_feedback", &json!({ "limit": 1 }))?;
        let answer = self.read()?;
        let position = answer["result"]["structuredContent"]["position"].as_u64();
        position.with_context(|| format!("no position: {answer}"))
    }
}
