//! An MCP client in a few lines: writes JSON-RPC to the real `opentoolbar mcp` and reads its answers.

use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

pub struct Agent {
    pub process: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    last: i64,
    /// Every line that came, as it came.
    pub lines: Vec<String>,
}

impl Agent {
    pub fn start(home: &Path, project: &Path) -> Self {
        Self::start_with(home, project, &[], Stdio::null())
    }

    /// With arguments behind `mcp`, and standard error where it is wanted.
    pub fn start_with(home: &Path, project: &Path, arguments: &[&str], errors: Stdio) -> Self {
        let mut command = Command::new(super::program());
        command.arg("mcp").args(arguments).stderr(errors);
        Self::of(command, home, project)
    }

    /// For a person with this home directory, in which other programs keep their chats.
    pub fn start_for(person: &Path, home: &Path, project: &Path) -> Self {
        let mut command = Command::new(super::program());
        command.arg("mcp").env("HOME", person).stderr(Stdio::null());
        for moved in ["XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"] {
            command.env_remove(moved);
        }
        Self::of(command, home, project)
    }

    fn of(mut command: Command, home: &Path, project: &Path) -> Self {
        let mut process = command
            .current_dir(project)
            .env("OPENTOOLBAR_HOME", home)
            .env_remove("OPENTOOLBAR_PROJECT")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap()).lines();
        Self { input: process.stdin.take(), process, output, last: 0, lines: Vec::new() }
    }

    pub async fn line(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        // In one piece: who is dropped meanwhile leaves no half of a line.
        input.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        input.flush().await.unwrap();
    }

    /// The next message, whatever it is.
    pub async fn next(&mut self) -> Value {
        let line = self.output.next_line().await.unwrap().expect("the server is alive");
        let message = serde_json::from_str(&line).expect("every line of standard output is JSON");
        self.lines.push(line);
        message
    }

    /// The next answer. The server may ask something meanwhile: whether the program is there.
    pub async fn answer(&mut self) -> Value {
        loop {
            let message = self.next().await;
            if message.get("method").is_none() {
                return message;
            }
        }
    }

    /// Sends a request and gives its id; the answer is for `answer`.
    pub async fn send(&mut self, method: &str, params: Value) -> i64 {
        self.last += 1;
        let id = self.last;
        self.line(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string())
            .await;
        id
    }

    pub async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params).await;
        loop {
            let answer = self.answer().await;
            if answer["id"] == id {
                return answer;
            }
        }
    }

    pub async fn initialize(&mut self, revision: &str) -> Value {
        self.initialize_as(revision, "test-agent").await
    }

    pub async fn initialize_as(&mut self, revision: &str, name: &str) -> Value {
        let answer = self
            .ask(
                "initialize",
                json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": name, "version": "1.0" } }),
            )
            .await;
        self.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        answer
    }

    /// The whole result of a call.
    pub async fn result(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        let result = answer["result"].clone();
        assert!(result.is_object(), "{answer}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"], "text and structured content say the same");
        result
    }

    /// The structured content of a call.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.result(tool, arguments).await["structuredContent"].clone()
    }

    /// Closes the server's input and gives its exit code.
    pub async fn hang_up(mut self) -> Option<i32> {
        drop(self.input.take());
        self.process.wait().await.unwrap().code()
    }
}

/// Why a call cannot be done, and what to do next.
pub fn refusal(value: &Value) -> String {
    assert_eq!(value["success"], false, "{value}");
    let said = |field: &str| value[field].as_str().unwrap_or_else(|| panic!("no {field}: {value}"));
    format!("{}. {}", said("error"), said("nextStep"))
}

/// The value, if the call succeeded.
pub fn succeeded(value: Value) -> Value {
    assert_eq!(value["success"], true, "{value}");
    value
}
