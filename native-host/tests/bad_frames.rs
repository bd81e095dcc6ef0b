//! What comes over the socket when the other side is broken, too old, or means harm.
#![cfg(unix)]

use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;

use crate::room::{Room, hello};
use opentoolbar::hub::frame::{Frame, MAX_FRAME};
use opentoolbar_core::protocol::{
    Answer, AnswerEnvelope, ErrorCode, HubEnvelope, PROTOCOL_VERSION, Request, RequestEnvelope, Role,
    decode_hub,
};

struct Raw(UnixStream);

impl Raw {
    fn connect(room: &Room) -> Self {
        Self(UnixStream::connect(room.home.socket()).unwrap())
    }

    fn greeted(room: &Room) -> Self {
        let mut raw = Self::connect(room);
        let answer = raw.ask(&message(Request::Hello(hello(Role::Browser, "Chromium 156", None))));
        assert!(matches!(answer.unwrap().answer, Answer::Hello(_)));
        raw
    }

    fn send(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).unwrap();
    }

    fn ask(&mut self, json: &[u8]) -> Option<AnswerEnvelope> {
        self.send(&Frame::Message(json).encode().unwrap());
        self.hear()
    }

    /// The next answer; `None` when the hub closed the connection.
    fn hear(&mut self) -> Option<AnswerEnvelope> {
        loop {
            let mut head = [0; 4];
            self.0.read_exact(&mut head).ok()?;
            let mut body = vec![0; u32::from_le_bytes(head) as usize];
            self.0.read_exact(&mut body).unwrap();
            let Frame::Message(json) = Frame::decode(&body).unwrap() else { return None };
            // Other connections of the test come and go, which is told as an event.
            if let HubEnvelope::Answer(answer) = decode_hub(json).unwrap() {
                return Some(answer);
            }
        }
    }

    fn refused(&mut self) -> (ErrorCode, String) {
        match self.hear().unwrap().answer {
            Answer::Error(error) => {
                assert!(!error.next_step.is_empty());
                (error.code, error.message)
            }
            other => panic!("{other:?}"),
        }
    }
}

fn message(request: Request) -> Vec<u8> {
    serde_json::to_vec(&RequestEnvelope { id: "m_1".parse().ok(), session_id: None, request }).unwrap()
}

/// Whatever was sent before, the hub must serve the next one.
async fn still_serves(room: &Room) {
    let pid = room.pid();
    room.agent("next").await.request(Request::Ping).await.unwrap();
    assert_eq!(room.pid(), pid);
}

async fn up() -> Room {
    let room = Room::new();
    room.agent("starter").await;
    room
}

#[tokio::test]
async fn an_oversize_frame_is_refused_by_its_length_alone() {
    let room = up().await;
    let mut raw = Raw::greeted(&room);
    raw.send(&u32::try_from(MAX_FRAME + 1).unwrap().to_le_bytes());
    let (code, message) = raw.refused();
    assert_eq!(code, ErrorCode::TooLarge);
    assert!(message.contains(&(MAX_FRAME + 1).to_string()), "{message}");
    assert!(raw.hear().is_none());
    still_serves(&room).await;
}

#[tokio::test]
async fn half_a_frame_then_the_end_changes_nothing() {
    let room = up().await;
    let whole = Frame::Message(&message(Request::Ping)).encode().unwrap();
    for end in [1, 3, 4, 5, whole.len() - 1] {
        let mut raw = Raw::greeted(&room);
        raw.send(&whole[..end]);
        raw.0.shutdown(std::net::Shutdown::Write).unwrap();
        assert!(raw.hear().is_none());
    }
    still_serves(&room).await;
}

#[tokio::test]
async fn malformed_json_is_answered_and_the_connection_goes_on() {
    let room = up().await;
    let mut raw = Raw::greeted(&room);
    for json in [&b"{"[..], b"", b"[]", b"\xff\xfe", br#"{"id":"m_7","type":"no_such_thing"}"#] {
        let answer = raw.ask(json).unwrap();
        assert!(matches!(&answer.answer, Answer::Error(e) if e.code == ErrorCode::BadRequest), "{answer:?}");
    }
    assert!(matches!(raw.ask(&message(Request::Ping)).unwrap().answer, Answer::Pong { .. }));
}

#[tokio::test]
async fn another_protocol_version_is_incompatible_and_says_which_half_to_update() {
    let room = up().await;
    for (protocol, next) in
        [(PROTOCOL_VERSION + 1, "Update the opentoolbar program"), (0, "Update Chromium 156")]
    {
        let mut raw = Raw::connect(&room);
        let mut hello = hello(Role::Browser, "Chromium 156", None);
        hello.protocol = protocol;
        match raw.ask(&message(Request::Hello(hello))).unwrap().answer {
            Answer::Error(error) => {
                assert_eq!(error.code, ErrorCode::Incompatible);
                assert!(error.next_step.starts_with(next), "{error}");
            }
            other => panic!("{other:?}"),
        }
        assert!(raw.hear().is_none());
    }
    still_serves(&room).await;
}

#[tokio::test]
async fn who_does_not_say_hello_first_is_refused() {
    let room = up().await;
    let mut raw = Raw::connect(&room);
    raw.send(&Frame::Message(&message(Request::Ping)).encode().unwrap());
    assert_eq!(raw.refused().0, ErrorCode::BadRequest);
    assert!(raw.hear().is_none());
}

#[tokio::test]
async fn frames_of_another_version_or_none_at_all_are_refused() {
    let room = up().await;
    for (body, code) in [
        (&[9u8, 0, 0][..], ErrorCode::Incompatible),
        (&[1, 77], ErrorCode::BadRequest),
        (&[], ErrorCode::BadRequest),
    ] {
        let mut raw = Raw::greeted(&room);
        raw.send(&u32::try_from(body.len()).unwrap().to_le_bytes());
        raw.send(body);
        assert_eq!(raw.refused().0, code, "{body:?}");
    }
    still_serves(&room).await;
}

#[tokio::test]
async fn socket_and_home_are_the_owners_alone() {
    let room = up().await;
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(room.home.dir()), 0o700);
    assert_eq!(mode(&room.home.socket()), 0o600);
}

/// Only root can be somebody else for a test; the rule itself is tested in `hub::socket` for everybody. Whoever cannot
/// asks for this one in vain instead of passing it: `cargo nextest run --run-ignored all` as root runs it.
#[tokio::test]
#[ignore = "needs root, to become another user"]
async fn another_users_process_is_not_served() {
    assert!(rustix::process::geteuid().is_root(), "run this one as root");
    let room = up().await;
    std::fs::set_permissions(room.home.dir(), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(room.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::set_permissions(room.home.socket(), std::fs::Permissions::from_mode(0o666)).unwrap();
    let script = "use IO::Socket::UNIX; $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die $!; \
                  print 0 + sysread($s, $_, 9)";
    let seen = std::process::Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/perl", "-e", script])
        .arg(room.home.socket())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&seen.stdout).trim(), "0", "{seen:?}");
    let log = std::fs::read_dir(room.home.logs()).unwrap().map(|file| file.unwrap().path());
    let log: String = log.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    assert!(log.contains("refused a connection of another user"), "{log}");
    still_serves(&room).await;
}

/// As fast as a socket takes them: more than a hub on a busy machine could call no flood.
#[tokio::test(flavor = "multi_thread")]
async fn a_flood_is_told_to_wait_and_what_comes_later_is_served() {
    const MANY: usize = 20_000;
    let room = up().await;
    let mut raw = Raw::greeted(&room);
    let one = Frame::Message(&message(Request::Hello(hello(Role::Browser, "x", None)))).encode().unwrap();
    let mut sender = raw.0.try_clone().unwrap();
    let flood = std::thread::spawn(move || sender.write_all(&one.repeat(MANY)));
    let (mut refused, began) = (0, std::time::Instant::now());
    for number in 0..MANY {
        match raw.hear().unwrap().answer {
            Answer::Hello(_) => {}
            Answer::Error(error) => {
                assert!(error.code == ErrorCode::RateLimited && number >= 1_999, "{number}: {error}");
                assert!(error.next_step.contains("ms, then send it again"), "{error}");
                refused += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    flood.join().unwrap().unwrap();
    // A machine that is too busy to take more than a second's worth in a second refuses none.
    let is_slow = began.elapsed() > std::time::Duration::from_secs(MANY as u64 / 1_000 - 2);
    assert!(refused > 0 || is_slow, "nothing was refused within {:?}", began.elapsed());
    // It says how long to wait: less than this.
    std::thread::sleep(std::time::Duration::from_millis(50));
    let answer = raw.ask(&message(Request::Hello(hello(Role::Browser, "x", None)))).unwrap().answer;
    assert!(matches!(answer, Answer::Hello(_)), "{answer:?}");
    still_serves(&room).await;
}

/// The log is one line an event, whatever a speaker calls itself, and what cannot be read is not quoted in it.
#[tokio::test]
async fn nobody_writes_lines_of_the_log_and_no_damaged_file_is_quoted_in_it() {
    const SECRET: &str = "https://secret.test/TOKEN";
    let room = Room::new();
    room.home.ensure().unwrap();
    std::fs::write(room.home.registry(), format!("{{\"version\": \"{SECRET}\"}}")).unwrap();
    std::fs::write(room.home.dir().join("paired.json"), format!("[\"{SECRET}\"]")).unwrap();
    let _gateway = room.gateway();
    let mut raw = Raw::connect(&room);
    let forged = "x\n2026-01-01T00:00:00Z  INFO forged";
    raw.ask(&message(Request::Hello(hello(Role::Browser, forged, None)))).unwrap();
    let logs = || -> String {
        let logs = std::fs::read_dir(room.home.logs()).unwrap();
        logs.map(|log| std::fs::read_to_string(log.unwrap().path()).unwrap()).collect()
    };
    room.wait_until("it is logged", || logs().contains("forged"));
    let log = logs();
    assert!(log.lines().all(|line| !line.starts_with("2026-01-01")), "{log}");
    assert!(log.contains("registry.json") && log.contains("paired.json"), "{log}");
    assert!(!log.contains("secret.test"), "{log}");
}
