//! A call that reads a history ends with whoever asked: nothing is read on for nobody. Reading the whole of it would
//! take seconds.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::world::{Agent, World};

/// Of many small values, which take longer than long ones.
const BYTES: u64 = 400 * 1024 * 1024;
const BEGUN: u64 = 8 * 1024 * 1024;
/// What else the process reads meanwhile.
const REST: u64 = 1024 * 1024;

struct Person {
    world: World,
    home: tempfile::TempDir,
}

impl Person {
    /// With a chat in VS Code whose one request had a long answer.
    fn new() -> Self {
        let person = Self { world: World::new(), home: tempfile::tempdir().unwrap() };
        let storage = person.home.path().join(".config/Code/User/workspaceStorage/project");
        fs::create_dir_all(storage.join("chatSessions")).unwrap();
        let folder = json!({ "folder": format!("file://{}", person.world.project().display()) });
        fs::write(storage.join("workspace.json"), folder.to_string()).unwrap();
        let mut file = BufWriter::new(File::create(storage.join("chatSessions/long-1.json")).unwrap());
        let head = r#"{"version":3,"sessionId":"long-1","creationDate":1,"requests":[{"message":{"text":"Fix it"},"response":[0"#;
        file.write_all(head.as_bytes()).unwrap();
        let part = r#",{"kind":1},[2]"#.repeat(70_000);
        for _ in 0..=BYTES / part.len() as u64 {
            file.write_all(part.as_bytes()).unwrap();
        }
        file.write_all(b"]}]}").unwrap();
        file.flush().unwrap();
        person
    }

    async fn agent(&self) -> Agent {
        let mut agent = Agent::start_for(self.home.path(), self.world.home(), &self.world.project());
        agent.initialize("2025-06-18").await;
        agent
    }
}

/// Bytes that the process has read until now.
fn read(agent: &Agent) -> u64 {
    let io = fs::read_to_string(format!("/proc/{}/io", agent.process.id().unwrap())).unwrap();
    io.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap()
}

/// Calls, and returns when the history is being read: the call's id, and how much was read before.
async fn begins(agent: &mut Agent, tool: &str, arguments: &Value) -> (i64, u64) {
    let before = read(agent);
    let id = agent.send("tools/call", json!({ "name": tool, "arguments": arguments })).await;
    let began = Instant::now();
    while read(agent) < before + BEGUN {
        assert!(began.elapsed() < Duration::from_secs(20), "{tool} reads nothing");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    (id, before)
}

fn calls() -> [(&'static str, Value); 3] {
    [
        ("copilot_chat_secretary_get_request", json!({ "index": 1, "sessionId": "long-1" })),
        ("list_dialogs", json!({})),
        ("search_dialogs", json!({ "query": "header", "source": "vs_code" })),
    ]
}

#[tokio::test]
async fn a_history_is_not_read_on_when_the_call_is_cancelled() {
    let person = Person::new();
    let mut agent = person.agent().await;
    for (tool, arguments) in calls() {
        let (id, before) = begins(&mut agent, tool, &arguments).await;
        let cancelled =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
        agent.line(&cancelled.to_string()).await;
        // What is under way then, and whatever the server does with the message.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let then = read(&agent);
        assert!(
            then < before + BYTES,
            "{tool}: all of it was read before; the history is too short for this"
        );
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(read(&agent) < then + REST, "{tool}: {} bytes more", read(&agent) - then);
    }
}

#[tokio::test]
async fn a_history_is_not_read_on_when_the_client_is_gone() {
    let person = Person::new();
    for (tool, arguments) in calls() {
        let mut agent = person.agent().await;
        begins(&mut agent, tool, &arguments).await;
        let began = Instant::now();
        assert_eq!(agent.hang_up().await, Some(0), "{tool}");
        assert!(began.elapsed() < Duration::from_secs(1), "{tool}: {:?}", began.elapsed());
    }
}
