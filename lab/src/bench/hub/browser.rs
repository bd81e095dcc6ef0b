//! The browser's side: one connection with several tabs, as the extension has it.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::clients::carrier::{Carrier, Receiver, Sender};
use crate::clients::world::{self, World};

/// Nothing that is answered takes this long, on any machine.
const WITHIN: Duration = Duration::from_secs(120);

/// A message with the moment in which it was received.
pub(super) type Heard = (Instant, Value);

/// Who waits for what, by message id and by session.
#[derive(Default)]
struct Waiting {
    answers: BTreeMap<String, mpsc::Sender<Heard>>,
    sessions: BTreeMap<String, mpsc::Sender<Heard>>,
    /// Refusals of messages that nobody waited for.
    refused: Vec<Value>,
}

pub(super) struct Browser {
    sender: Mutex<Option<Sender>>,
    waiting: Arc<Mutex<Waiting>>,
    reader: Option<JoinHandle<()>>,
    sent: Mutex<u64>,
    name: String,
}

/// A tab of the browser in which something was selected.
pub(super) struct Tab<'a> {
    browser: &'a Browser,
    pub(super) session: String,
    project: usize,
    context: String,
    heard: mpsc::Receiver<Heard>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that failed reports that itself.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Browser {
    /// Connects and says hello. `name`: different for each browser of a world.
    pub(super) fn start(world: &World, carrier: Carrier, name: &str) -> Result<Self> {
        let (sender, receiver) = carrier.connect(world)?;
        let waiting = Arc::<Mutex<Waiting>>::default();
        let reader = std::thread::spawn({
            let waiting = Arc::clone(&waiting);
            move || read(receiver, &waiting)
        });
        let browser = Self {
            sender: Mutex::new(Some(sender)),
            waiting,
            reader: Some(reader),
            sent: Mutex::default(),
            name: name.to_owned(),
        };
        let hello =
            json!({ "protocol": 1, "version": "0.1.0", "role": "browser", "client": name, "instance": name });
        browser.ask("hello", None, hello)?;
        Ok(browser)
    }

    fn send(&self, kind: &str, session: Option<&str>, payload: Value) -> Result<String> {
        let id = {
            let mut sent = locked(&self.sent);
            *sent += 1;
            format!("m_{}-{sent}", self.name)
        };
        self.send_as(&id, kind, session, payload)?;
        Ok(id)
    }

    fn send_as(&self, id: &str, kind: &str, session: Option<&str>, payload: Value) -> Result<()> {
        let mut message = json!({ "id": id, "type": kind, "payload": payload });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        locked(&self.sender).as_mut().context("the browser is closed")?.send(&message)
    }

    fn ask(&self, kind: &str, session: Option<&str>, payload: Value) -> Result<Value> {
        let (answer, answered) = mpsc::channel();
        let id = {
            let mut sent = locked(&self.sent);
            *sent += 1;
            format!("m_{}-{sent}", self.name)
        };
        locked(&self.waiting).answers.insert(id.clone(), answer);
        self.send_as(&id, kind, session, payload)?;
        let (_, answer) =
            answered.recv_timeout(WITHIN).with_context(|| format!("{kind} was not answered"))?;
        if answer["type"] == "error" {
            bail!("{kind}: {answer}");
        }
        Ok(answer)
    }

    /// The process of its relay.
    pub(super) fn pid(&self) -> Option<u32> {
        locked(&self.sender).as_ref().and_then(Sender::pid)
    }

    /// Says which project the pages of an origin belong to.
    pub(super) fn choose(&self, world: &World, project: usize) -> Result<()> {
        let root = world.project(project)?;
        self.ask("set_origin_project", None, json!({ "origin": world::origin(project), "root": root }))?;
        Ok(())
    }

    /// Opens a tab on a page of the project, and selects something in it.
    pub(super) fn open(&self, project: usize, session: &str) -> Result<Tab<'_>> {
        let url = format!("{}/cart", world::origin(project));
        let tab = json!({ "id": session, "url": url, "title": "Cart", "lastActive": 1_763_700_000_000_u64 });
        let opened = self.ask("open_session", None, tab)?;
        if opened["payload"]["project"].is_null() {
            bail!("the tab has no project: {opened}");
        }
        let (sender, heard) = mpsc::channel();
        locked(&self.waiting).sessions.insert(session.to_owned(), sender);
        let mut tab =
            Tab { browser: self, session: session.to_owned(), project, context: String::new(), heard };
        tab.select(0)?;
        Ok(tab)
    }

    /// What was refused without anybody asking.
    pub(super) fn refused(&self) -> Option<Value> {
        locked(&self.waiting).refused.first().cloned()
    }

    pub(super) fn close(mut self) -> Result<()> {
        let sender = locked(&self.sender).take();
        sender.map_or(Ok(()), Sender::close)?;
        // Its connection is over.
        self.reader.take().map(JoinHandle::join);
        Ok(())
    }
}

impl Tab<'_> {
    /// Selects the element again, with two pictures of so many bytes; 0 for none.
    pub(super) fn select(&mut self, picture: usize) -> Result<()> {
        let mut selection = json!({
            "element": {
                "tagName": "BUTTON", "id": "buy", "classList": ["btn", "buy"], "textContent": "Buy now",
                "attributes": { "id": "buy", "class": "btn buy" },
                "boundingBox": { "x": 10, "y": 20.5, "width": 80, "height": 24 },
            },
            "ancestors": [{ "tagName": "MAIN", "classList": ["page"], "id": "main" }],
            "children": [{ "tagName": "SPAN", "classList": ["label"], "textContent": "Buy now" }],
            "page": { "url": format!("{}/cart", world::origin(self.project)), "title": "Cart" },
        });
        if picture > 0 {
            let png = STANDARD.encode(png(picture));
            selection["screenshot"] = png.clone().into();
            selection["viewportScreenshot"] = png.into();
        }
        let stored = self.browser.ask("set_context", Some(&self.session), selection)?;
        let context = stored["payload"]["contextId"].as_str();
        self.context = context.with_context(|| format!("no selection: {stored}"))?.to_owned();
        Ok(())
    }

    /// Says something about the selection. Does not wait.
    pub(super) fn say(&self, text: &str) -> Result<()> {
        let payload = json!({ "contextId": self.context, "message": text });
        self.browser.send("user_message", Some(&self.session), payload)?;
        Ok(())
    }

    /// Waits for the next whole answer of an agent.
    pub(super) fn answer(&self) -> Result<(Instant, String)> {
        loop {
            let (at, message) = self.heard.recv_timeout(WITHIN).map_err(|_| {
                let refused = self.browser.refused();
                anyhow::anyhow!("{} waits for an answer in vain; refused: {refused:?}", self.session)
            })?;
            if message["type"] == "agent_response" {
                let text = message["payload"]["message"].as_str().unwrap_or_default();
                return Ok((at, text.to_owned()));
            }
        }
    }

    pub(super) fn close(self) -> Result<()> {
        locked(&self.browser.waiting).sessions.remove(&self.session);
        self.browser.ask("close_session", None, json!({ "sessionId": self.session })).map(drop)
    }
}

/// So many bytes that begin as a PNG of 1 by 1 pixel does; the hub looks no further.
fn png(bytes: usize) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01".to_vec();
    png.resize(bytes.max(png.len()), 0);
    png
}

fn read(mut receiver: Receiver, waiting: &Mutex<Waiting>) {
    while let Some(message) = receiver.receive() {
        let at = Instant::now();
        let mut waiting = locked(waiting);
        let asked = message["replyTo"].as_str().and_then(|id| waiting.answers.remove(id));
        let told = message["sessionId"].as_str().and_then(|session| waiting.sessions.get(session));
        if message["type"] == "error" && asked.is_none() {
            waiting.refused.push(message);
        } else if let Some(waits) = asked.as_ref().or(told) {
            // Whoever waited may have given up.
            let _ = waits.send((at, message));
        }
    }
}
