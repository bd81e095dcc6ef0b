//! The browser's side: the relay, spoken to in native-messaging frames, and the comments it sends.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use crate::clients::carrier::{self, Receiver, Sender};

const ORIGIN: &str = "http://localhost:5173";
const SESSION: &str = "s_bench";

pub(super) struct Browser {
    sender: Sender,
    receiver: Receiver,
    last: u64,
}

impl Browser {
    /// Starts the relay, which starts the hub.
    pub(super) fn start(host: &Path, home: &Path) -> Result<Self> {
        let mut command = Command::new(host);
        command.env("OPENTOOLBAR_HOME", home).stderr(Stdio::null());
        let (sender, receiver) = carrier::relay(&mut command)?;
        Ok(Self { sender, receiver, last: 0 })
    }

    fn ask(&mut self, kind: &str, payload: &Value) -> Result<Value> {
        self.last += 1;
        let id = format!("m_bench_{}", self.last);
        self.sender.send(&json!({ "id": id, "type": kind, "payload": payload }))?;
        loop {
            let answer = self.receiver.receive().with_context(|| format!("{kind}: the relay has ended"))?;
            // Events come in between.
            if answer["replyTo"] == id.as_str() {
                if answer["type"] == "error" {
                    bail!("{kind}: {answer}");
                }
                return Ok(answer);
            }
        }
    }

    /// Says hello and opens a tab that belongs to the project.
    pub(super) fn open(&mut self, project: &Path) -> Result<()> {
        let project = project.canonicalize()?;
        self.ask(
            "hello",
            &json!({ "protocol": 1, "version": "0.1.0", "role": "browser", "client": "Bench", "capabilities": [] }),
        )?;
        self.ask("set_origin_project", &json!({ "origin": ORIGIN, "root": project }))?;
        let url = format!("{ORIGIN}/");
        self.ask(
            "open_session",
            &json!({ "id": SESSION, "url": url, "title": "Shop", "lastActive": 1_763_700_000_000_u64 }),
        )?;
        Ok(())
    }

    pub(super) fn import(&mut self, comments: Vec<Value>) -> Result<()> {
        let count = comments.len();
        let answer = self.ask("import_comments", &json!({ "sessionId": SESSION, "comments": comments }))?;
        if answer["payload"]["added"] != count {
            bail!("not all of {count} comments were stored: {answer}");
        }
        Ok(())
    }

    pub(super) fn hub_pid(&self, home: &Path) -> Option<u32> {
        std::fs::read_to_string(home.join("server.pid")).ok()?.trim().parse().ok()
    }

    /// Tells the hub to leave, and lets the relay go.
    pub(super) fn stop_hub(self, home: &Path) {
        let pid = self.hub_pid(home);
        // The hub leaves when idle anyway; the scratch home is deleted in any case.
        if let Some(pid) = pid {
            let _ = Command::new("kill").arg(pid.to_string()).status();
        }
        let _ = self.sender.close();
        for _ in 0..50 {
            if pid.is_none_or(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }
}

/// `count` comments as the extension makes them, spread over 50 pages.
pub(super) fn comments(from: usize, count: usize) -> Vec<Value> {
    (from..from + count)
        .map(|number| {
            let pathname = format!("/page-{}", number % 50);
            let at = 1_763_700_000_000_u64 + u64::try_from(number).unwrap_or_default();
            json!({
                "id": format!("c_bench_{number}"), "revision": 1, "url": format!("{ORIGIN}{pathname}"), "pathname": pathname,
                "title": "Shop", "status": "active", "stage": "open",
                "text": format!("Comment {number}: make this button a little bigger and use the accent colour"),
                "author": { "kind": "person" }, "createdAt": at, "updatedAt": at,
                "targets": [{
                    "selector": format!("main > section:nth-of-type({}) button.btn", number % 20 + 1),
                    "anchor": "AQ==",
                    "snapshot": {
                        "tag": "button", "classes": ["btn", "btn-primary"], "role": "button", "name": "Save", "text": "Save",
                        "box": { "x": 40, "y": 300, "width": 96, "height": 32 }, "component": "SaveButton",
                        "source": { "file": "src/SaveButton.tsx", "line": 12, "confidence": 0.9, "reason": "React _debugSource" },
                    },
                }],
            })
        })
        .collect()
}
