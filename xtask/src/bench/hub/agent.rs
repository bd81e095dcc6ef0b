//! The agent's side: a real `opentoolbar mcp` process that waits for what a person says and answers it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::LazyLock;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::world::World;

/// Moments travel in answers as what passed since this one.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// A wait of the MCP tool, in seconds.
const WAIT: u32 = 45;

pub(super) struct Agent {
    process: Child,
    serving: JoinHandle<Result<()>>,
}

impl Agent {
    /// Starts it in a project. When this returns, nothing that is said there from now on is missed.
    pub(super) fn start(world: &World, project: usize) -> Result<Self> {
        LazyLock::force(&BEGAN);
        let Started { process, mut server } = Server::start(world, project)?;
        let position = server.introduce()?;
        let serving = std::thread::spawn(move || server.serve(position));
        Ok(Self { process, serving })
    }

    pub(super) fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Ends the process, and fails when it failed before.
    pub(super) fn stop(mut self) -> Result<()> {
        let failed = self.serving.is_finished();
        self.process.kill()?;
        self.process.wait()?;
        let served = self.serving.join().map_err(|_| anyhow::anyhow!("the agent's thread broke"))?;
        if failed { served.and_then(|()| bail!("the agent ended by itself")) } else { Ok(()) }
    }
}

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

    /// Waits and answers until the process ends. A wait is always under way, also while answers are given.
    fn serve(&mut self, mut position: u64) -> Result<()> {
        loop {
            let wait =
                self.call("wait_for_feedback", &json!({ "after": position, "timeoutSeconds": WAIT }))?;
            let news = loop {
                let answer = self.read()?;
                let content = &answer["result"]["structuredContent"];
                if content["success"] != true {
                    bail!("the agent was refused: {answer}");
                }
                if answer["id"] == wait {
                    break content.clone();
                }
            };
            let seen = BEGAN.elapsed().as_nanos();
            position = news["position"].as_u64().context("no position")?;
            for message in news["messages"].as_array().into_iter().flatten() {
                let text = format!("{seen} {}", ANSWER);
                self.call(
                    "respond_to_browser",
                    &json!({
                        "sessionId": message["sessionId"], "contextId": message["contextId"], "message": text,
                        "isComplete": true,
                    }),
                )?;
            }
        }
    }
}

/// What it says, behind the moment in which it heard: 300 bytes of markdown.
const ANSWER: &str = "Done: the button is **8 px taller** and uses the accent colour.\n\n\
```css\n.btn.buy { min-height: 32px; background: var(--accent); }\n```\n\n\
The change is in `src/cart/Buy.tsx`, line 12, and in its story. The other buttons of the page keep their height; \
say so if they are to follow it.";

/// When the agent had heard what it answers.
pub(super) fn heard_at(answer: &str) -> Result<Instant> {
    let nanos = answer.split(' ').next().and_then(|nanos| nanos.parse().ok());
    Ok(*BEGAN + Duration::from_nanos(nanos.with_context(|| format!("not our answer: {answer:?}"))?))
}
