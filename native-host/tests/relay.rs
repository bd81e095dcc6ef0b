//! The binary as a browser starts it: native-messaging frames in and out.
#![cfg(unix)]

use crate::room;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};

use crate::room::{Room, comment, end, hello, session};
use opentoolbar::identity::Identity;
use opentoolbar_core::model::MessageId;
use opentoolbar_core::protocol::{
    Answer, ErrorCode, HubEnvelope, Joiner, MAX_FRAME, MAX_MESSAGE, Request, RequestEnvelope, Role,
    decode_hub,
};

struct Relay {
    process: Child,
    sent: u32,
}

impl Relay {
    fn start(room: &Room) -> Self {
        let process = room
            .program()
            .arg(format!("chrome-extension://{}/", Identity::get().chrome_id))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { process, sent: 0 }
    }

    fn greeted(room: &Room) -> Self {
        let mut relay = Self::start(room);
        let answer = relay.ask(Request::Hello(hello(Role::Browser, "Chromium 156", None)));
        assert!(matches!(answer, Answer::Hello(_)), "{answer:?}");
        relay
    }

    fn write(&mut self, bytes: &[u8]) {
        self.process.stdin.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn send(&mut self, request: Request) -> MessageId {
        self.sent += 1;
        let id: MessageId = format!("m_{}", self.sent).parse().unwrap();
        let json =
            serde_json::to_vec(&RequestEnvelope { id: Some(id.clone()), session_id: None, request }).unwrap();
        self.write(&u32::try_from(json.len()).unwrap().to_ne_bytes());
        self.write(&json);
        id
    }

    /// The next frame; `None` when the relay closed the port.
    fn frame(&mut self) -> Option<Vec<u8>> {
        let stdout = self.process.stdout.as_mut().unwrap();
        let mut head = [0; 4];
        stdout.read_exact(&mut head).ok()?;
        let length = u32::from_ne_bytes(head) as usize;
        assert!(length <= MAX_FRAME, "a browser would end the port at {length} bytes");
        let mut frame = vec![0; length];
        stdout.read_exact(&mut frame).unwrap();
        Some(frame)
    }

    fn ask(&mut self, request: Request) -> Answer {
        let id = self.send(request);
        let mut joiner = Joiner::default();
        loop {
            match decode_hub(&self.frame().unwrap()).unwrap() {
                HubEnvelope::Answer(answer) if answer.reply_to.as_ref() == Some(&id) => return answer.answer,
                HubEnvelope::Chunk(chunk) => {
                    if let Some(json) = joiner.push(chunk).unwrap() {
                        match decode_hub(json.as_bytes()).unwrap() {
                            HubEnvelope::Answer(answer) => return answer.answer,
                            other => panic!("{other:?}"),
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn ended(&mut self) -> bool {
        while self.frame().is_some() {}
        self.process.wait().unwrap().success()
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn open(relay: &mut Relay, room: &Room) {
    let root = room.project.to_str().unwrap().to_owned();
    relay.ask(Request::SetOriginProject { origin: "http://shop.test".into(), root });
    let answer = relay.ask(Request::OpenSession(session("s_1", "http://shop.test/")));
    assert!(matches!(answer, Answer::Session { project: Some(_), .. }), "{answer:?}");
}

#[test]
fn the_relay_starts_the_hub_and_ends_at_once_with_its_port() {
    let room = Room::new();
    let mut relay = Relay::greeted(&room);
    assert!(room.pid().is_some());
    relay.process.stdin.take();
    assert!(relay.ended());
}

#[test]
fn an_answer_larger_than_a_browser_takes_comes_in_parts() {
    let room = Room::new();
    let mut relay = Relay::greeted(&room);
    open(&mut relay, &room);
    let text = "make \"it\" blue\n".repeat(1_300);
    let comments = (0..120).map(|n| comment(&format!("c_{n:03}"), "http://shop.test/", &text)).collect();
    let import = Request::ImportComments { session_id: "s_1".parse().unwrap(), comments };
    let answer = relay.ask(import);
    assert!(matches!(answer, Answer::Imported { added: 120, .. }), "{answer:?}");
    match relay.ask(Request::ListComments { session_id: "s_1".parse().unwrap() }) {
        Answer::Comments { comments, .. } => {
            assert_eq!(comments.len(), 120);
            assert!(comments.iter().all(|comment| comment.text == text));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_message_larger_than_a_browser_may_send_is_refused_and_the_port_closed() {
    let room = Room::new();
    let mut relay = Relay::greeted(&room);
    relay.write(&u32::try_from(MAX_MESSAGE + 1).unwrap().to_ne_bytes());
    let refusal = loop {
        match decode_hub(&relay.frame().unwrap()).unwrap() {
            HubEnvelope::Answer(answer) => break answer.answer,
            _ => continue,
        }
    };
    assert!(matches!(&refusal, Answer::Error(e) if e.code == ErrorCode::TooLarge), "{refusal:?}");
    assert!(!relay.ended());
}

#[test]
fn half_a_message_then_the_end_is_the_end() {
    let room = Room::new();
    let mut relay = Relay::greeted(&room);
    relay.write(&100u32.to_ne_bytes());
    relay.write(b"{\"id\":");
    relay.process.stdin.take();
    assert!(relay.ended());
}

#[test]
fn when_the_hub_dies_the_port_closes_and_the_next_relay_finds_the_next_hub() {
    let room = Room::new();
    let mut relay = Relay::greeted(&room);
    let first = room.pid().unwrap();
    end(first);
    assert!(relay.ended());
    // A relay that meets the dying hub ends too, and the extension starts the next; here one must do.
    room.wait_until("the dead hub's socket is closed", || {
        std::os::unix::net::UnixStream::connect(room.home.socket()).is_err()
    });
    let _next = Relay::greeted(&room);
    assert_ne!(room.pid(), Some(first));
}

#[test]
fn an_extension_that_is_not_ours_is_not_served() {
    let room = Room::new();
    let foreign = room
        .program()
        .arg("chrome-extension://abcdefghijklmnopabcdefghijklmnop/")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(!foreign.status.success() && foreign.stdout.is_empty());
    assert!(!room.home.dir().exists());
}

#[test]
fn a_home_that_cannot_be_used_is_told_to_the_browser() {
    let room = Room::new();
    std::fs::write(room.path().join("file"), "").unwrap();
    let mut process = Command::new(room::PROGRAM)
        .env("OPENTOOLBAR_HOME", room.path().join("file/home"))
        .arg(format!("chrome-extension://{}/", Identity::get().chrome_id))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut said = Vec::new();
    process.stdout.take().unwrap().read_to_end(&mut said).unwrap();
    assert!(!process.wait().unwrap().success());
    match decode_hub(&said[4..]).unwrap() {
        HubEnvelope::Answer(answer) => match answer.answer {
            Answer::Error(error) => assert!(error.message.contains("file/home"), "{error}"),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}
