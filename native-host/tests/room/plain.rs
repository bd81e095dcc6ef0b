//! A client of one session over the WebSocket that says no hello.

use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::protocol::WebSocket;

use super::conversation::PAGE;
use super::websocket::websocket;
use super::{Gateway, Room};

/// The session as everybody calls it.
pub const SESSION: &str = "tab";

pub struct Plain(WebSocket<TcpStream>);

impl Plain {
    pub fn new(gateway: &Gateway) -> Self {
        Self::of(gateway, "tab")
    }

    pub fn of(gateway: &Gateway, session: &str) -> Self {
        Self(websocket(gateway, &format!("/ws?sessionId={session}")))
    }

    pub fn send(&mut self, kind: &str, payload: Value) {
        let mut message = json!({ "type": kind });
        if !payload.is_null() {
            message["payload"] = payload;
        }
        self.send_whole(&message);
    }

    pub fn send_whole(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    pub fn send_text(&mut self, message: &str) {
        self.0.send(message.into()).unwrap();
    }

    pub fn say(&mut self, text: &str) {
        self.send("user_message", json!({ "message": text }));
    }

    pub fn select(&mut self) {
        self.select_with(None);
    }

    pub fn select_with(&mut self, screenshot: Option<&str>) {
        let mut selection = selection_on(PAGE);
        if let Some(screenshot) = screenshot {
            selection["screenshot"] = screenshot.into();
        }
        self.send("set_context", selection);
    }

    /// Selects on another page. Returns the answer.
    pub fn select_on(&mut self, url: &str) -> Value {
        let selection = selection_on(url);
        self.send("set_context", selection);
        self.heard()
    }

    /// Everything that was sent before is done: it is done in its order, and what comes last is refused. Nothing else
    /// is said.
    pub fn is_taken(&mut self) {
        self.send("user_message", json!({ "contextId": "ctx_none", "message": "x" }));
        let refused = self.heard();
        assert_eq!(refused["payload"]["code"], "unknown_context", "{refused}");
    }

    pub fn heard(&mut self) -> Value {
        let began = Instant::now();
        loop {
            // Pings go on whatever the hub does.
            assert!(began.elapsed() < Duration::from_secs(150), "nothing is said");
            let heard = self.0.read().unwrap();
            if heard.is_text() {
                return serde_json::from_str(heard.to_text().unwrap()).unwrap();
            }
            assert!(!heard.is_close(), "{heard:?}");
        }
    }

    /// Everything that is said until then.
    pub fn heard_until(&mut self, kind: &str) -> Vec<Value> {
        let mut all = Vec::new();
        while all.last().is_none_or(|last: &Value| last["type"] != kind) {
            all.push(self.heard());
        }
        all
    }

    /// Everything that is said until what was sent before is done.
    pub fn is_done(&mut self) -> Vec<Value> {
        self.select();
        self.heard_until("context_stored")
    }

    /// Without waiting for what the hub says to it.
    pub fn leave(mut self) {
        self.0.close(None).unwrap();
        self.0.flush().unwrap();
    }
}

/// Payload of `set_context`.
pub fn selection_on(url: &str) -> Value {
    let element = json!({
        "tagName": "button", "classList": ["buy"], "textContent": "Buy now", "attributes": {},
        "boundingBox": { "x": 1, "y": 2, "width": 80, "height": 24 }
    });
    json!({ "element": element, "ancestors": [], "page": { "url": url, "title": "Cart" } })
}

/// What the person said in a session, in the order in which a project has it. Empty while nothing is kept of the
/// project.
pub fn said_in(room: &Room, project: &std::path::Path, session: &str) -> Vec<String> {
    let Ok(Some(data)) = opentoolbar::project::Catalogue::at(room.home.projects()).find(project) else {
        return Vec::new();
    };
    let Ok(database) = rusqlite::Connection::open(data.join("opentoolbar.db")) else { return Vec::new() };
    let sql = "SELECT content FROM messages WHERE session_id = ? AND role = 0 ORDER BY number";
    // The hub may be about to make it.
    let Ok(mut found) = database.prepare(sql) else { return Vec::new() };
    let all = found.query_map([session], |row| row.get(0)).unwrap();
    all.map(Result::unwrap).collect()
}

pub fn words(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("word {n}")).collect()
}
