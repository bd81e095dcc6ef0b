//! One connection of the local socket as it is: nothing is sent again, and nobody looks for another hub when it ends.
#![cfg(unix)]

use opentoolbar::hub::frame::{self, Frame};
use opentoolbar_core::protocol::{Answer, HubEnvelope, Request, RequestEnvelope, Role, decode_hub};
use tokio::net::UnixStream;

use super::{Room, hello};

pub struct Line(UnixStream);

impl Line {
    /// Of a browser, with its hello done.
    pub async fn greeted(room: &Room) -> Self {
        let mut line = Self(UnixStream::connect(room.home.socket()).await.unwrap());
        let hello = Request::Hello(hello(Role::Browser, "Chromium 156", None));
        let answer = line.ask("m_hello", None, hello).await;
        assert!(matches!(answer, Answer::Hello(_)), "{answer:?}");
        line
    }

    /// False when the hub takes nothing any more.
    pub async fn send(&mut self, id: &str, session: Option<&str>, request: Request) -> bool {
        let session_id = session.map(|session| session.parse().unwrap());
        let envelope = RequestEnvelope { id: Some(id.parse().unwrap()), session_id, request };
        let json = serde_json::to_vec(&envelope).unwrap();
        frame::write(&mut self.0, &Frame::Message(&json)).await.is_ok()
    }

    /// What is answered to the request of this id; `None` when the connection ends without it.
    pub async fn answer(&mut self, id: &str) -> Option<Answer> {
        let id = Some(id.parse().unwrap());
        loop {
            let body = frame::read_body(&mut self.0).await.ok()??;
            let Ok(Frame::Message(json)) = Frame::decode(&body) else { return None };
            match decode_hub(json).unwrap() {
                HubEnvelope::Answer(envelope) if envelope.reply_to == id => return Some(envelope.answer),
                _ => {}
            }
        }
    }

    pub async fn ask(&mut self, id: &str, session: Option<&str>, request: Request) -> Answer {
        assert!(self.send(id, session, request).await, "{id} is taken");
        self.answer(id).await.unwrap_or_else(|| panic!("{id} is answered"))
    }
}
