//! A hub that is there and does not answer: whoever asks is told so in time, and when it goes on, so does everybody,
//! and nothing has happened twice.
#![cfg(unix)]

use crate::world;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::world::{Agent, World, comment, succeeded};
use opentoolbar::hub::frame::{self, Frame};
use opentoolbar::identity::Identity;
use opentoolbar_core::protocol::{Hello, PROTOCOL_VERSION, Role};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::ChildStdin;

/// Longer than every deadline, however slow the machine is.
const EVER: Duration = Duration::from_secs(150);
/// After so long the extension closes the port of a host that has not answered its hello.
const GIVES_UP: Duration = Duration::from_secs(10);

fn signal(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), signal).unwrap();
}

/// A stopped hub would outlive its test: goes on when dropped.
struct Stopped(u32);

impl Stopped {
    fn hub(world: &World) -> Self {
        let pid = world.hub_pid();
        signal(pid, Signal::STOP);
        Self(pid)
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        signal(self.0, Signal::CONT);
    }
}

#[tokio::test]
async fn a_call_to_a_hub_that_hangs_ends_with_a_sentence_and_what_was_said_twice_is_there_once() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_1", "/", "Make it bigger")).await;
    let mut agent = world.agent().await;
    succeeded(agent.call("get_ui_feedback", json!({})).await);

    let reply = json!({ "commentId": "c_1", "message": "Which of them?" });
    let stopped = Stopped::hub(&world);
    let late =
        tokio::time::timeout(EVER, agent.call("reply_to_comment", reply.clone())).await.expect("it ends");
    assert_eq!(late["isError"], true, "{late}");
    let said = late["message"].as_str().unwrap();
    assert!(said.contains("did not answer") && said.contains("opentoolbar status"), "{said}");
    // Pings and answers of what it was asked before come in any order; nobody starts another hub.
    let pid = stopped.0;
    drop(stopped);
    // What the agent does after such an answer.
    succeeded(agent.call("reply_to_comment", reply).await);
    assert_eq!(browser.get("c_1").await.replies.len(), 1, "applied once");
    assert_eq!(world.hub_pid(), pid);
}

#[tokio::test]
async fn verbs_and_new_agents_are_told_that_the_hub_hangs_and_which_process_it_is() {
    let world = World::new();
    let _browser = world.browser().await;
    let stopped = Stopped::hub(&world);
    let (home, project) = (world.home().to_owned(), world.project());
    let new_agent = async {
        let mut agent = Agent::start(&home, &project);
        agent.initialize("2025-11-25").await;
        agent.call("get_ui_feedback", json!({})).await
    };
    let late = tokio::time::timeout(EVER, new_agent).await.expect("it ends");
    let said = late["message"].as_str().unwrap();
    assert!(said.contains("does not answer") && said.contains(&format!("`kill -9 {}`", stopped.0)), "{said}");
    let verb = world.verb(&["status"]).timeout(EVER).output().unwrap();
    let said = String::from_utf8(verb.stderr).unwrap();
    assert_eq!(verb.status.code(), Some(3), "{said}");
    assert!(said.contains(&stopped.0.to_string()), "{said}");
}

/// What a browser has of a relay: the port that it writes to, and what comes out of it.
struct Relay {
    process: tokio::process::Child,
    input: Option<ChildStdin>,
}

impl Relay {
    /// `stall`: how long its hub may take nothing, in milliseconds.
    fn start(world: &World, stall: Option<u32>) -> Self {
        let mut relay = tokio::process::Command::new(world::program());
        relay.arg(format!("chrome-extension://{}/", Identity::get().chrome_id));
        relay.env("OPENTOOLBAR_HOME", world.home()).stdin(Stdio::piped()).stdout(Stdio::piped());
        relay.stderr(Stdio::null()).kill_on_drop(true);
        if let Some(stall) = stall {
            relay.env("OPENTOOLBAR_STALL_MS", stall.to_string());
        }
        let mut process = relay.spawn().unwrap();
        Self { input: process.stdin.take(), process }
    }

    async fn greets(&mut self) {
        let hello = json!({ "id": "m_1", "type": "hello", "payload":
            { "protocol": PROTOCOL_VERSION, "version": "0.1.0", "role": "browser", "client": "x" } });
        self.write(&hello).await.unwrap();
    }

    async fn write(&mut self, message: &Value) -> std::io::Result<()> {
        let text = message.to_string();
        let mut frame = u32::try_from(text.len()).unwrap().to_ne_bytes().to_vec();
        frame.extend_from_slice(text.as_bytes());
        self.input.as_mut().unwrap().write_all(&frame).await
    }

    /// The next message; `None` when the relay has closed the port.
    async fn next(&mut self) -> Option<Value> {
        let output = self.process.stdout.as_mut().unwrap();
        let mut head = [0; 4];
        output.read_exact(&mut head).await.ok()?;
        let mut frame = vec![0; usize::try_from(u32::from_ne_bytes(head)).unwrap()];
        output.read_exact(&mut frame).await.unwrap();
        Some(serde_json::from_slice(&frame).unwrap())
    }

    /// What it says last, when it ends by itself: the browser's end stays open.
    async fn last_words(&mut self) -> Value {
        let mut last = None;
        let ends = async {
            while let Some(next) = self.next().await {
                last = Some(next);
            }
            self.process.wait().await.unwrap()
        };
        let status = tokio::time::timeout(EVER, ends).await.expect("it ends");
        assert!(!status.success() && self.input.is_some());
        last.expect("it says why")
    }
}

/// More than the socket and the pipe take.
fn long() -> Value {
    json!({ "id": "m_2", "type": "ping", "more": "x".repeat(4 * 1024 * 1024) })
}

#[tokio::test]
async fn a_relay_whose_hub_hangs_ends_with_its_browser() {
    let world = World::new();
    let _browser = world.browser().await;
    let mut relay = Relay::start(&world, None);
    relay.greets().await;
    relay.next().await.expect("the hub answers");
    let _stopped = Stopped::hub(&world);
    // It is in the middle of handing it on.
    let _ = tokio::time::timeout(Duration::from_secs(5), relay.write(&long())).await;
    relay.input = None;
    tokio::time::timeout(EVER, relay.process.wait()).await.expect("it ends with its browser").unwrap();
}

#[tokio::test]
async fn a_browser_is_told_last_that_the_hub_takes_nothing_any_more() {
    let world = World::new();
    let _browser = world.browser().await;
    let mut relay = Relay::start(&world, Some(500));
    relay.greets().await;
    relay.next().await.expect("the hub answers");
    let _stopped = Stopped::hub(&world);
    // A relay that ends meanwhile takes no more of it.
    let _ = tokio::time::timeout(EVER, relay.write(&long())).await.expect("it is read, or the port closes");
    let last = relay.last_words().await;
    assert_eq!((&last["replyTo"], &last["type"]), (&Value::Null, &json!("error")), "{last}");
    assert_eq!(last["payload"]["message"], "the hub does not take what it is sent");
    assert!(last["payload"]["nextStep"].as_str().unwrap().contains("opentoolbar status"), "{last}");
}

#[tokio::test]
async fn a_browser_whose_hub_hangs_from_the_beginning_is_told_so_before_it_gives_up() {
    let world = World::new();
    let _browser = world.browser().await;
    let _stopped = Stopped::hub(&world);
    let mut quickest = Duration::MAX;
    for _ in 0..3 {
        let mut relay = Relay::start(&world, None);
        let began = Instant::now();
        relay.greets().await;
        let last = relay.last_words().await;
        assert_eq!((&last["replyTo"], &last["type"]), (&Value::Null, &json!("error")), "{last}");
        assert_eq!(last["payload"]["message"], "the hub does not answer");
        assert!(last["payload"]["nextStep"].as_str().unwrap().contains("opentoolbar status"), "{last}");
        quickest = quickest.min(began.elapsed());
        if quickest < GIVES_UP {
            return;
        }
    }
    panic!("told after {quickest:?}");
}

/// What came to a hub of this test's own, which answers every request but `hello` and pings with `internal`.
#[derive(Default)]
struct Ill {
    connections: AtomicUsize,
    requests: Mutex<Vec<Value>>,
}

async fn ill_hub(world: &World) -> Arc<Ill> {
    let listener = tokio::net::UnixListener::bind(world.home().join("hub.sock")).unwrap();
    let ill = Arc::new(Ill::default());
    let seen = Arc::clone(&ill);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            seen.connections.fetch_add(1, Ordering::Relaxed);
            let seen = Arc::clone(&seen);
            tokio::spawn(async move {
                while let Ok(Some(body)) = frame::read_body(&mut stream).await {
                    let Ok(Frame::Message(json)) = Frame::decode(&body) else { return };
                    let request: Value = serde_json::from_slice(json).unwrap();
                    let id = request["id"].clone();
                    let answer = if request["type"] == "hello" {
                        let hub = Hello {
                            protocol: PROTOCOL_VERSION,
                            version: "0.1.0".into(),
                            role: Role::Cli,
                            client: "ill".into(),
                            instance: None,
                            cwd: None,
                            last_asked: None,
                            capabilities: Vec::new(),
                        };
                        json!({ "replyTo": id, "type": "hello", "payload": hub })
                    } else if request["type"] == "agent_pong" {
                        json!({ "replyTo": id, "type": "done" })
                    } else {
                        let count = {
                            let mut requests = seen.requests.lock().unwrap();
                            requests.push(request.clone());
                            requests.len()
                        };
                        if request["type"] == "open_gateway" && count != 2 {
                            let address = json!({ "address": "127.0.0.1:7847" });
                            let answer = json!({ "replyTo": id, "type": "gateway", "payload": address });
                            let json = answer.to_string();
                            frame::write(&mut stream, &Frame::Message(json.as_bytes())).await.unwrap();
                            continue;
                        }
                        json!({ "replyTo": id, "type": "error", "payload":
                            { "code": "internal", "message": "I am ill", "nextStep": "Wait." } })
                    };
                    let json = answer.to_string();
                    frame::write(&mut stream, &Frame::Message(json.as_bytes())).await.unwrap();
                }
            });
        }
    });
    ill
}

#[tokio::test]
async fn an_internal_answer_is_told_to_the_agent_and_is_not_the_end_of_the_connection() {
    let world = World::new();
    let ill = ill_hub(&world).await;
    let mut agent = world.agent().await;
    for _ in 0..3 {
        let answer = agent.call("reply_to_comment", json!({ "commentId": "c_1", "message": "Which?" })).await;
        assert_eq!(answer["isError"], true, "{answer}");
        assert!(answer["message"].as_str().unwrap().contains("I am ill"), "{answer}");
    }
    assert_eq!(ill.requests.lock().unwrap().len(), 3, "each call asks once");
    assert_eq!(ill.connections.load(Ordering::Relaxed), 1, "over one connection");
}

#[tokio::test]
async fn serve_does_not_take_an_internal_answer_for_the_end_of_the_hub() {
    let world = World::new();
    let ill = ill_hub(&world).await;
    let mut serve = tokio::process::Command::new(world::program())
        .env("OPENTOOLBAR_HOME", world.home())
        .args(["serve", "--port", "0"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    // The second answer is the ill one.
    let asks_on = async {
        while ill.requests.lock().unwrap().len() < 4 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(EVER, asks_on).await.expect("it goes on asking the hub that is there");
    assert!(serve.try_wait().unwrap().is_none());
    assert!(!world.home().join("hub.lock").exists(), "it did not become the hub itself");
}
