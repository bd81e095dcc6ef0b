//! A browser that writes: one item after the other, each sent until it is acknowledged, over as many connections as it
//! takes.

use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::ledger::Ledger;
use crate::clients::carrier::{Carrier, Sender};
use crate::clients::world::{self, World};

/// A connection that is open and does not answer for so long is a defect, on any machine.
const WITHIN: Duration = Duration::from_secs(120);
/// Before the next try.
const PAUSE: Duration = Duration::from_millis(50);

/// One connection.
pub(super) struct Connection {
    sender: Sender,
    answers: mpsc::Receiver<Value>,
}

/// Why a request has no answer that counts.
pub(super) enum Trouble {
    /// The connection is over, or the hub asks to send it again: with the same id.
    Again(String),
    /// The hub took it and will not: a defect of this run, or of the hub.
    Refused(Value),
    /// The hub took it and says nothing.
    Silent(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Again(why) | Self::Silent(why) => f.write_str(why),
            Self::Refused(answer) => write!(f, "refused: {answer}"),
        }
    }
}

impl Connection {
    /// Connects, says hello, and opens the tab.
    pub(super) fn open(world: &World, carrier: Carrier, name: &str, project: usize) -> Result<Self, Trouble> {
        let again = |error: anyhow::Error| Trouble::Again(format!("{error:#}"));
        let (sender, mut receiver) = carrier.connect(world).map_err(again)?;
        let (told, answers) = mpsc::channel();
        std::thread::spawn(
            move || while receiver.receive().is_some_and(|message| told.send(message).is_ok()) {},
        );
        let mut connection = Self { sender, answers };
        let hello =
            json!({ "protocol": 1, "version": "0.1.0", "role": "browser", "client": name, "instance": name });
        connection.ask("m_hello", "hello", None, &hello)?;
        let origin = world::origin(project);
        let root = world.project(project).map_err(again)?;
        // Refused while the hub does not know the project: its agent, who makes it known, may still be on its way.
        let choice = json!({ "origin": origin, "root": root });
        connection.ask("m_choose", "set_origin_project", None, &choice).map_err(|trouble| match trouble {
            Trouble::Refused(answer) => Trouble::Again(format!("refused: {answer}")),
            other => other,
        })?;
        let url = format!("{origin}/cart");
        let tab =
            json!({ "id": session(name), "url": url, "title": "Cart", "lastActive": 1_763_700_000_000_u64 });
        connection.ask("m_open", "open_session", None, &tab)?;
        Ok(connection)
    }

    pub(super) fn pid(&self) -> Option<u32> {
        self.sender.pid()
    }

    /// Sends a request and waits for its answer.
    pub(super) fn ask(
        &mut self,
        id: &str,
        kind: &str,
        session: Option<&str>,
        payload: &Value,
    ) -> Result<Value, Trouble> {
        let mut message = json!({ "id": id, "type": kind, "payload": payload });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        self.sender.send(&message).map_err(|error| Trouble::Again(format!("{error:#}")))?;
        let until = Instant::now() + WITHIN;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let answer = self.answers.recv_timeout(left).map_err(|error| match error {
                mpsc::RecvTimeoutError::Disconnected => Trouble::Again("the connection ended".to_owned()),
                mpsc::RecvTimeoutError::Timeout => {
                    Trouble::Silent(format!("{kind} was not answered in {WITHIN:?}"))
                }
            })?;
            if answer["replyTo"] != id {
                continue;
            }
            if answer["type"] != "error" {
                return Ok(answer);
            }
            return Err(match answer["payload"]["code"].as_str() {
                // The project is not known yet to a hub that has just started, or the earlier connection still holds
                // the tab.
                Some(
                    "internal" | "storage" | "rate_limited" | "conflict" | "unknown_project" | "no_project"
                    | "busy",
                ) => Trouble::Again(answer.to_string()),
                _ => Trouble::Refused(answer),
            });
        }
    }

    /// Ends it as a browser that is killed does.
    pub(super) fn drop_it(self) {
        let _ = self.sender.close();
    }
}

pub(super) fn session(name: &str) -> String {
    format!("s_{name}")
}

/// Where the process of a writer stands, to be killed.
pub(super) type Pid = Mutex<Option<u32>>;

/// Writes until the ledger says stop: comments, replies to its own latest comment, and messages.
pub(super) fn write(
    world: &World,
    carrier: Carrier,
    name: &str,
    project: usize,
    ledger: &Ledger,
    pid: &Pid,
) -> Result<()> {
    let mut connection = None;
    let session = session(name);
    let mut commented: Option<String> = None;
    for number in 0.. {
        if ledger.is_stopping() {
            break;
        }
        let text = format!("{name}-{number}");
        let id = format!("m_{text}");
        let (kind, payload) = match (number % 3, &commented) {
            (1, Some(comment)) => ("change_comment", reply(comment, &text)),
            (2, _) => ("user_message", json!({ "contextId": format!("ctx_{name}"), "message": text })),
            _ => (
                "create_comment",
                json!({ "sessionId": session, "comment": comment(&session, project, &text) }),
            ),
        };
        let began = Instant::now();
        loop {
            match send(&mut connection, world, carrier, name, project, pid, (&id, kind, &payload)) {
                Ok(_) => break,
                Err(Trouble::Again(why)) if began.elapsed() < WITHIN => {
                    // A killed process leaves a connection that is over.
                    if !why.starts_with('{')
                        && let Some(over) = connection.take()
                    {
                        Connection::drop_it(over);
                    }
                    std::thread::sleep(PAUSE);
                }
                Err(trouble) => bail!("{name}: {kind} {id}: {trouble}"),
            }
        }
        if kind == "create_comment" {
            commented = Some(format!("c_{text}"));
        }
        ledger.acknowledge(text);
    }
    if let Some(connection) = connection {
        connection.drop_it();
    }
    Ok(())
}

fn send(
    connection: &mut Option<Connection>,
    world: &World,
    carrier: Carrier,
    name: &str,
    project: usize,
    pid: &Pid,
    (id, kind, payload): (&str, &str, &Value),
) -> Result<Value, Trouble> {
    let open = match connection {
        Some(open) => open,
        None => {
            let mut open = Connection::open(world, carrier, name, project)?;
            *pid.lock().unwrap_or_else(PoisonError::into_inner) = open.pid();
            // The same selection with the same id: stored once.
            open.ask(
                &format!("m_ctx_{name}"),
                "set_context",
                Some(&session(name)),
                &selection(name, project),
            )?;
            connection.insert(open)
        }
    };
    open.ask(id, kind, Some(&session(name)), payload)
}

fn comment(session: &str, project: usize, text: &str) -> Value {
    let bounds = json!({ "x": 10, "y": 20, "width": 80, "height": 24 });
    let at = now();
    json!({
        "id": format!("c_{text}"), "revision": 1, "url": format!("{}/cart", world::origin(project)), "pathname": "/cart",
        "title": "Cart", "sessionId": session, "status": "active", "stage": "open", "text": text,
        "author": { "kind": "person" }, "createdAt": at, "updatedAt": at,
        "targets": [{ "snapshot": { "tag": "button", "box": bounds }, "selector": "#buy", "anchor": "AQ==" }],
    })
}

fn reply(comment: &str, text: &str) -> Value {
    let change = json!({ "kind": "reply", "id": format!("r_{text}"), "text": text });
    json!({ "commentId": comment, "change": change, "at": now() })
}

fn selection(name: &str, project: usize) -> Value {
    let bounds = json!({ "x": 10, "y": 20, "width": 80, "height": 24 });
    json!({
        "contextId": format!("ctx_{name}"),
        "element": {
            "tagName": "BUTTON", "id": "buy", "classList": ["btn"], "textContent": "Buy now", "attributes": {}, "boundingBox": bounds,
        },
        "ancestors": [], "page": { "url": format!("{}/cart", world::origin(project)), "title": "Cart" },
    })
}

/// In milliseconds since 1970.
fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A connection that has to come up, after whatever happened.
pub(super) fn connected(world: &World, name: &str, project: usize) -> Result<Connection> {
    let began = Instant::now();
    loop {
        match Connection::open(world, Carrier::NativeMessaging, name, project) {
            Ok(connection) => return Ok(connection),
            Err(Trouble::Again(_)) if began.elapsed() < WITHIN => std::thread::sleep(PAUSE),
            Err(trouble) => return Err(anyhow::anyhow!("{trouble}")).context("no browser can connect"),
        }
    }
}
