//! An agent's side of MCP: a real `opentoolbar mcp` process, a line out, a line in.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use super::world::World;

/// A process and the way to speak to it.
pub(crate) struct Started {
    pub(crate) process: Child,
    pub(crate) client: Client,
}

impl Started {
    /// `command`: the host with its home and directory.
    pub(crate) fn by(command: &mut Command) -> Result<Self> {
        Self::server(command.arg("mcp"))
    }

    /// Any MCP server on its standard input and output.
    pub(crate) fn server(command: &mut Command) -> Result<Self> {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("the agent does not start")?;
        let input = process.stdin.take().context("no input")?;
        let output = BufReader::new(process.stdout.take().context("no output")?);
        Ok(Self { process, client: Client { input, output, last: 0 } })
    }

    /// Starts it in a project of a world.
    pub(crate) fn in_project(world: &World, project: usize) -> Result<Self> {
        Self::by(world.program().current_dir(world.project(project)?))
    }

    /// Closes the input and waits for the process, which ends by itself then.
    pub(crate) fn close(self) -> Result<()> {
        let Self { mut process, client } = self;
        drop(client);
        process.wait()?;
        Ok(())
    }
}

pub(crate) struct Client<I = ChildStdin, O = BufReader<ChildStdout>> {
    input: I,
    output: O,
    /// Of the latest request.
    last: u64,
}

impl<I: Write, O: BufRead> Client<I, O> {
    /// The handshake.
    pub(crate) fn initialize(&mut self) -> Result<()> {
        let client = json!({ "name": "bench", "version": "1.0" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        let answer = self.ask("initialize", &params)?;
        ensure!(answer["result"].is_object(), "initialize: {answer}");
        self.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
    }

    /// The handshake, and from which position on news are new.
    pub(crate) fn introduce(&mut self) -> Result<u64> {
        self.initialize()?;
        let answer = self.call("get_ui_feedback", &json!({ "limit": 1 }))?;
        let position = answer["result"]["structuredContent"]["position"].as_u64();
        position.with_context(|| format!("no position: {answer}"))
    }

    /// Calls a tool. The answer is the whole message: what was refused is one too.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// The same without waiting for the answer; returns the id that it will have.
    pub(crate) fn send_call(&mut self, tool: &str, arguments: &Value) -> Result<u64> {
        self.send("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// Sends a request and waits for the answer to it.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        let id = self.send(method, params)?;
        loop {
            let answer = self.next_answer().with_context(|| method.to_owned())?;
            if answer["id"] == id {
                return Ok(answer);
            }
        }
    }

    /// The next answer, to whichever request. What the server asks meanwhile is answered: a ping as every client must,
    /// anything else with a refusal.
    pub(crate) fn next_answer(&mut self) -> Result<Value> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the agent's process has ended");
            }
            let message: Value = serde_json::from_str(&line).with_context(|| format!("no JSON: {line:?}"))?;
            let Some(method) = message.get("method") else { return Ok(message) };
            let Some(id) = message.get("id") else { continue };
            self.write(&if method == "ping" {
                json!({ "jsonrpc": "2.0", "id": id, "result": {} })
            } else {
                let error = json!({ "code": -32601, "message": format!("a bench knows no {method}") });
                json!({ "jsonrpc": "2.0", "id": id, "error": error })
            })?;
        }
    }

    fn send(&mut self, method: &str, params: &Value) -> Result<u64> {
        self.last += 1;
        let id = self.last;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        Ok(id)
    }

    fn write(&mut self, message: &Value) -> Result<()> {
        writeln!(self.input, "{message}")?;
        Ok(self.input.flush()?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A client to whom the server says these lines.
    fn client(lines: &[Value]) -> Client<Vec<u8>, &'static [u8]> {
        let said: String = lines.iter().map(|line| format!("{line}\n")).collect();
        Client { input: Vec::new(), output: said.leak().as_bytes(), last: 0 }
    }

    fn written(client: &Client<Vec<u8>, &'static [u8]>) -> Vec<Value> {
        let text = String::from_utf8(client.input.clone()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn what_the_server_asks_is_answered_and_is_never_taken_for_an_answer() {
        let mut client = client(&[
            json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": {} }),
            json!({ "jsonrpc": "2.0", "id": 1_000_000_000, "method": "ping" }),
            // A server counts its requests by itself: its first has the number of our first.
            json!({ "jsonrpc": "2.0", "id": 1, "method": "roots/list" }),
            json!({ "jsonrpc": "2.0", "id": 1, "result": { "tools": [] } }),
        ]);
        let answer = client.ask("tools/list", &json!({})).unwrap();
        assert_eq!(answer["result"]["tools"], json!([]));
        let [asked, pong, refusal] = <[Value; 3]>::try_from(written(&client)).unwrap();
        assert_eq!(asked["method"], "tools/list");
        assert_eq!(pong, json!({ "jsonrpc": "2.0", "id": 1_000_000_000, "result": {} }));
        assert_eq!((&refusal["id"], &refusal["error"]["code"]), (&json!(1), &json!(-32601)));
    }

    #[test]
    fn an_answer_to_another_request_is_not_the_one_that_was_asked_for() {
        let mut client =
            client(&[json!({ "id": 1, "result": "first" }), json!({ "id": 2, "result": "second" })]);
        client.send_call("respond_to_browser", &json!({})).unwrap();
        assert_eq!(client.call("list_sessions", &json!({})).unwrap()["result"], "second");
    }

    #[test]
    fn a_process_that_has_ended_is_said_to_have() {
        let error = client(&[]).ask("tools/list", &json!({})).unwrap_err();
        assert!(format!("{error:#}").contains("has ended"), "{error:#}");
    }
}
