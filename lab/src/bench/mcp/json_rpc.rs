//! The smallest MCP client: a line out, a line in.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

pub(super) struct Agent {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Agent {
    pub(super) fn start(host: &Path, home: &Path, project: &Path) -> Result<Self> {
        let mut process = Command::new(host)
            .arg("mcp")
            .current_dir(project)
            .env("OPENTOOLBAR_HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("the host does not start")?;
        let input = process.stdin.take().context("no input")?;
        let output = BufReader::new(process.stdout.take().context("no output")?);
        Ok(Self { process, input, output, last: 0 })
    }

    pub(super) fn pid(&self) -> u32 {
        self.process.id()
    }

    pub(super) fn initialize(&mut self) -> Result<()> {
        let client = json!({ "name": "bench", "version": "1.0" });
        self.ask(
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client }),
        )?;
        self.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
    }

    fn write(&mut self, message: &Value) -> Result<()> {
        writeln!(self.input, "{message}")?;
        Ok(self.input.flush()?)
    }

    pub(super) fn ask(&mut self, method: &str, params: Value) -> Result<Value> {
        self.last += 1;
        let id = self.last;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let answer: Value = serde_json::from_str(&line).with_context(|| format!("{method}: {line:?}"))?;
        if answer["id"] != id || answer["result"].is_null() {
            bail!("{method}: {line}");
        }
        Ok(answer)
    }

    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Result<()> {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))?;
        if answer["result"]["structuredContent"]["success"] != true {
            bail!("{tool}: {answer}");
        }
        Ok(())
    }

    /// Closes the input and waits for the process.
    pub(super) fn close(self) -> Result<()> {
        let Self { mut process, input, .. } = self;
        drop(input);
        process.wait()?;
        Ok(())
    }
}
