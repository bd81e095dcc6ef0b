//! Who comes in over the gateway and who does not, on real sockets: every refusal is an HTTP status, before any
//! upgrade.

use crate::room;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::room::{Gateway, Room, hello};
use opentoolbar::identity::Identity;
use opentoolbar_core::protocol::{Answer, ErrorCode, Request, Role};
use serde_json::Value;

/// What came back: status, headers in lower case, body.
#[derive(Debug)]
struct Response {
    status: u16,
    head: String,
    body: String,
}

impl Response {
    fn error(&self) -> Value {
        let error: Value = serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{self:?}"));
        for field in ["code", "message", "nextStep"] {
            assert!(error[field].as_str().is_some_and(|text| !text.is_empty()), "{self:?}");
        }
        error
    }
}

fn send(address: SocketAddr, request: &str) -> (TcpStream, Response) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n\r\n") {
        assert_eq!(stream.read(&mut byte).unwrap(), 1, "{}", String::from_utf8_lossy(&bytes));
        bytes.push(byte[0]);
    }
    let head = String::from_utf8(bytes).unwrap().to_lowercase();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
    let mut body = vec![0; if status == 101 { 0 } else { length }];
    stream.read_exact(&mut body).unwrap();
    (stream, Response { status, head, body: String::from_utf8(body).unwrap() })
}

/// Everything that an upgrade needs, and these headers.
fn upgrade(gateway: &Gateway, path: &str, headers: &[(&str, &str)]) -> (TcpStream, Response) {
    let mut request = format!(
        "GET {path} HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    );
    if !headers.iter().any(|(name, _)| *name == "Host") {
        request += &format!("Host: {}\r\n", gateway.address);
    }
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    send(gateway.address, &(request + "\r\n"))
}

fn ours() -> String {
    format!("chrome-extension://{}", Identity::get().chrome_id)
}

const FIREFOX: &str = "moz-extension://0d6c7a9e-5b1e-4f0c-9d0a-3f1b2c4d5e6f";

#[test]
fn nobody_is_upgraded_without_the_token_and_no_page_with_it() {
    let room = Room::new();
    let gateway = room.gateway();
    let bearer = format!("Bearer {}", gateway.token);
    let port = gateway.address.port();
    let wrong = format!("Bearer {}", "A".repeat(43));
    let elsewhere = format!("evil.test:{port}");
    let subprotocols = format!("opentoolbar.v1, bearer.{}", gateway.token);
    let page = ("Origin", "http://localhost:5173");
    let ours = ours();
    for (status, headers) in [
        (401, vec![]),
        (401, vec![("Authorization", wrong.as_str())]),
        (401, vec![("Authorization", "Basic YTpi")]),
        (401, vec![("Origin", ours.as_str())]),
        (401, vec![("Origin", FIREFOX)]),
        // A browser's token comes by pairing alone.
        (401, vec![("Authorization", bearer.as_str()), ("Origin", ours.as_str())]),
        (401, vec![("Sec-WebSocket-Protocol", subprotocols.as_str()), ("Origin", FIREFOX)]),
        (401, vec![("Sec-WebSocket-Protocol", "opentoolbar.v1, bearer.wrong")]),
        (403, vec![("Authorization", bearer.as_str()), page]),
        (403, vec![("Authorization", bearer.as_str()), ("Origin", "https://evil.test")]),
        (403, vec![("Authorization", bearer.as_str()), ("Origin", "null")]),
        (403, vec![("Sec-WebSocket-Protocol", subprotocols.as_str()), page]),
        (
            403,
            vec![
                ("Authorization", bearer.as_str()),
                ("Origin", "chrome-extension://abcdefghijklmnopabcdefghijklmnop"),
            ],
        ),
        (403, vec![("Authorization", bearer.as_str()), ("Host", elsewhere.as_str())]),
        (403, vec![("Authorization", bearer.as_str()), ("Host", "127.0.0.1")]),
        (403, vec![("Authorization", bearer.as_str()), ("Host", "localhost:1")]),
        (403, vec![("Authorization", bearer.as_str()), ("Origin", ours.as_str()), page]),
    ] {
        let (_, response) = upgrade(&gateway, "/ws?sessionId=tab", &headers);
        assert_eq!(response.status, status, "{headers:?}: {response:?}");
        response.error();
        assert!(!response.body.contains(&gateway.token) && !response.head.contains("sec-websocket-accept"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_shows_its_token_is_upgraded() {
    let room = Room::new();
    let gateway = room.gateway();
    let bearer = format!("bearer {}", gateway.token);
    let ours = ours();
    let chromium = format!("Bearer {}", paired(&room, &gateway, &ours).await);
    let subprotocols = format!("opentoolbar.v1, bearer.{}", paired(&room, &gateway, FIREFOX).await);
    let localhost = format!("localhost:{}", gateway.address.port());
    for headers in [
        vec![("Authorization", bearer.as_str())],
        vec![("Authorization", bearer.as_str()), ("Host", localhost.as_str())],
        vec![("Authorization", chromium.as_str()), ("Origin", ours.as_str())],
        vec![("Sec-WebSocket-Protocol", subprotocols.as_str()), ("Origin", FIREFOX)],
    ] {
        let (_, response) = upgrade(&gateway, "/ws", &headers);
        assert_eq!(response.status, 101, "{headers:?}: {response:?}");
        if headers[0].0 == "Sec-WebSocket-Protocol" {
            assert!(response.head.contains("sec-websocket-protocol: opentoolbar.v1\r\n"), "{response:?}");
        }
    }
}

#[test]
fn what_is_no_websocket_and_no_session_is_said_so() {
    let room = Room::new();
    let gateway = room.gateway();
    let bearer = format!("Bearer {}", gateway.token);
    let authorised = [("Authorization", bearer.as_str())];
    for (path, status, about) in [
        ("/ws?sessionId=", 400, "session"),
        ("/ws?sessionId=no%20id", 400, "session"),
        ("/ws?sessionId=tab&after=x", 400, "after"),
        ("/nowhere", 404, "nothing here"),
    ] {
        let (_, response) = upgrade(&gateway, path, &authorised);
        assert_eq!(response.status, status, "{path}: {response:?}");
        assert!(response.error()["message"].as_str().unwrap().contains(about), "{path}: {response:?}");
    }
    let plain = format!("GET /ws HTTP/1.1\r\nHost: {}\r\nAuthorization: {bearer}\r\n\r\n", gateway.address);
    let (_, response) = send(gateway.address, &plain);
    assert_eq!(response.status, 426, "{response:?}");
    response.error();
}

#[test]
fn a_client_that_shows_no_sign_of_life_is_closed() {
    let room = Room::new();
    let gateway =
        room.gateway_of(room.program().args(["serve", "--port", "0"]).env("OPENTOOLBAR_PING_MS", "50"));
    let bearer = format!("Bearer {}", gateway.token);
    let (mut stream, response) = upgrade(&gateway, "/ws?sessionId=tab", &[("Authorization", &bearer)]);
    assert_eq!(response.status, 101);
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    // Pings, and why it is closed.
    assert_eq!(bytes[0], 0x89, "{bytes:?}");
    assert!(bytes.ends_with(b"no answer to a ping; connect again"), "{bytes:?}");
}

#[test]
fn a_client_that_sends_and_never_reads_is_closed() {
    let room = Room::new();
    let mut program = room.program();
    let gateway = room.gateway_of(program.args(["serve", "--port", "0"]).env("OPENTOOLBAR_PING_MS", "250"));
    let bearer = format!("Bearer {}", gateway.token);
    let (mut stream, response) = upgrade(&gateway, "/ws?sessionId=tab", &[("Authorization", &bearer)]);
    assert_eq!(response.status, 101);
    stream.set_write_timeout(Some(Duration::from_secs(60))).unwrap();
    // Masked with zeros.
    let mut frame = vec![0x81, 0x80 | 15, 0, 0, 0, 0];
    frame.extend_from_slice(br#"{"type":"ping"}"#);
    let many = frame.repeat(1_000);
    let ended = loop {
        if let Err(error) = stream.write_all(&many) {
            break error;
        }
    };
    assert!(matches!(ended.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe), "{ended}");
}

#[test]
fn a_port_that_is_taken_is_said_so() {
    let room = Room::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = room.program().args(["serve", "--port", &port]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&port) && said.contains("--port 0"), "{said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn the_gateway_listens_on_loopback_alone_and_the_token_is_in_no_log() {
    let room = Room::new();
    let gateway = room.gateway();
    assert!(gateway.address.ip().is_loopback());
    let bearer = format!("Bearer {}", gateway.token);
    upgrade(&gateway, "/ws?sessionId=tab", &[("Authorization", &bearer)]);
    let subprotocols = format!("opentoolbar.v1, bearer.{}x", gateway.token);
    upgrade(&gateway, "/ws?sessionId=tab", &[("Sec-WebSocket-Protocol", &subprotocols)]);
    for entry in std::fs::read_dir(room.home.logs()).unwrap() {
        let log = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!log.contains(&gateway.token), "{log}");
    }
}

#[tokio::test]
async fn the_hub_in_the_background_opens_the_gateway_when_the_settings_say_so() {
    let room = Room::new();
    room.home.ensure().unwrap();
    std::fs::write(room.home.config(), r#"{"gateway": {"enabled": true, "port": 0}}"#).unwrap();
    let verb = room.connector().connect(hello(Role::Cli, "verb", None)).await.unwrap();
    let Answer::Pairing { address, .. } = verb.request(Request::BeginPairing).await.unwrap() else {
        panic!()
    };
    let (_, response) =
        send(address.parse().unwrap(), &format!("GET /ws HTTP/1.1\r\nHost: {address}\r\n\r\n"));
    assert_eq!(response.status, 401, "{response:?}");
    // Without it there is no port, and pairing says what to do.
    let closed = Room::new();
    let verb = closed.connector().connect(hello(Role::Cli, "verb", None)).await.unwrap();
    let refused = verb.request(Request::BeginPairing).await.unwrap_err();
    assert!(
        refused.code == ErrorCode::Conflict && refused.next_step.contains("opentoolbar serve"),
        "{refused}"
    );
}

async fn code(room: &Room) -> String {
    let verb = room.connector().connect(hello(Role::Cli, "verb", None)).await.unwrap();
    match verb.request(Request::BeginPairing).await.unwrap() {
        Answer::Pairing { code, .. } => code,
        other => panic!("{other:?}"),
    }
}

fn pair(gateway: &Gateway, origin: Option<&str>, body: &str) -> Response {
    let origin = origin.map(|origin| format!("Origin: {origin}\r\n")).unwrap_or_default();
    let request = format!(
        "POST /pair HTTP/1.1\r\nHost: {}\r\n{origin}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        gateway.address,
        body.len()
    );
    send(gateway.address, &request).1
}

#[tokio::test(flavor = "multi_thread")]
async fn the_extension_gets_the_token_for_the_code_and_nobody_else_does() {
    let room = Room::new();
    let gateway = room.gateway();
    let ours = ours();
    let code = code(&room).await;
    let body = format!("{{\"code\": \"{code}\"}}");
    for origin in [None, Some("http://localhost:5173"), Some("https://evil.test"), Some("null")] {
        let refused = pair(&gateway, origin, &body);
        assert_eq!(refused.status, 403, "{origin:?}: {refused:?}");
        refused.error();
    }
    assert_eq!(pair(&gateway, Some(&ours), "{}").status, 400);
    assert_eq!(pair(&gateway, Some(&ours), &"x".repeat(2_000)).status, 413);
    assert_eq!(pair(&gateway, Some(&ours), "{\"code\": \"AAAAAAAA\"}").status, 403);
    let paired = pair(&gateway, Some(FIREFOX), &body);
    assert_eq!(paired.status, 200, "{paired:?}");
    assert!(paired.head.contains(&format!("access-control-allow-origin: {FIREFOX}")), "{paired:?}");
    let answer: Value = serde_json::from_str(&paired.body).unwrap();
    assert_ne!(answer["token"], gateway.token.as_str(), "each browser has its own");
    assert_eq!(answer["protocol"], 1);
    assert!(answer["host"].as_str().is_some_and(|name| !name.is_empty()), "{answer}");
    assert_eq!(pair(&gateway, Some(&ours), &body).status, 403, "once");
}

/// The token that a browser is paired with.
async fn paired(room: &Room, gateway: &Gateway, origin: &str) -> String {
    let body = format!("{{\"code\": \"{}\"}}", code(room).await);
    let response = pair(gateway, Some(origin), &body);
    assert_eq!(response.status, 200, "{response:?}");
    let answer: Value = serde_json::from_str(&response.body).unwrap();
    answer["token"].as_str().unwrap().to_owned()
}

/// `POST` asks whether a pairing stands, `DELETE` ends it.
fn of_pairing(gateway: &Gateway, method: &str, origin: &str, token: &str) -> Response {
    let request = format!(
        "{method} /paired HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\nAuthorization: Bearer {token}\r\n\
         Content-Length: 0\r\n\r\n",
        gateway.address,
    );
    send(gateway.address, &request).1
}

/// What the server sends until it closes.
fn rest(mut stream: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    bytes
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pairing_holds_for_its_own_origin_until_it_is_ended_and_then_its_connection_is_closed() {
    let room = Room::new();
    let gateway = room.gateway();
    let token = paired(&room, &gateway, FIREFOX).await;
    let other = "moz-extension://11111111-5b1e-4f0c-9d0a-3f1b2c4d5e6f";
    for (status, origin) in
        [(204, FIREFOX), (401, other), (401, ours().as_str()), (403, "http://localhost:5173")]
    {
        let said = of_pairing(&gateway, "POST", origin, &token);
        assert_eq!(said.status, status, "{origin}: {said:?}");
        let bearer = format!("Bearer {token}");
        let (_, response) = upgrade(&gateway, "/ws", &[("Origin", origin), ("Authorization", &bearer)]);
        assert_eq!(response.status, if status == 204 { 101 } else { status }, "{origin}: {response:?}");
    }
    let bearer = format!("Bearer {token}");
    let headers = [("Origin", FIREFOX), ("Authorization", bearer.as_str())];
    let (stream, response) = upgrade(&gateway, "/ws?sessionId=tab", &headers);
    assert_eq!(response.status, 101);
    assert_eq!(of_pairing(&gateway, "DELETE", other, &token).status, 204, "nothing to end");
    assert_eq!(of_pairing(&gateway, "POST", FIREFOX, &token).status, 204);
    assert_eq!(of_pairing(&gateway, "DELETE", FIREFOX, &token).status, 204);
    let said = rest(stream);
    let reason = b"the pairing was taken back";
    assert!(said.windows(reason.len()).any(|window| window == reason), "{said:?}");
    let refused = of_pairing(&gateway, "POST", FIREFOX, &token);
    assert!(refused.status == 401 && refused.body.contains("not paired"), "{refused:?}");
    assert!(refused.head.contains(&format!("access-control-allow-origin: {FIREFOX}")), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pairings_outlive_the_hub_and_the_verb_takes_all_of_them_back() {
    let room = Room::new();
    let gateway = room.gateway();
    let token = paired(&room, &gateway, FIREFOX).await;
    drop(gateway);
    let gateway = room.gateway();
    let bearer = format!("Bearer {token}");
    let headers = [("Origin", FIREFOX), ("Authorization", bearer.as_str())];
    let (stream, response) = upgrade(&gateway, "/ws?sessionId=tab", &headers);
    assert_eq!(response.status, 101);
    let forget = || room.program().args(["pair", "--forget"]).output().unwrap();
    let done = forget();
    assert!(done.status.success(), "{done:?}");
    rest(stream);
    assert_eq!(of_pairing(&gateway, "POST", FIREFOX, &token).status, 401);
    // Without a hub too.
    let token = paired(&room, &gateway, FIREFOX).await;
    drop(gateway);
    assert!(forget().status.success());
    assert_eq!(of_pairing(&room.gateway(), "POST", FIREFOX, &token).status, 401);
}

#[test]
fn a_client_whose_link_broke_without_a_word_gets_its_session_back_at_once() {
    let room = Room::new();
    let gateway = room.gateway();
    let bearer = format!("Bearer {}", gateway.token);
    let authorised = [("Authorization", bearer.as_str())];
    // Answers no ping and says no goodbye.
    let (silent, response) = upgrade(&gateway, "/ws?sessionId=tab", &authorised);
    assert_eq!(response.status, 101);
    let (mut back, response) = upgrade(&gateway, "/ws?sessionId=tab", &authorised);
    assert_eq!(response.status, 101);
    let mut ping = vec![0x81, 0x80 | 15, 0, 0, 0, 0];
    ping.extend_from_slice(br#"{"type":"ping"}"#);
    back.write_all(&ping).unwrap();
    let pong = br#"{"type":"pong"}"#;
    let mut said = Vec::new();
    let mut byte = [0];
    while !said.ends_with(pong) {
        assert_eq!(back.read(&mut byte).unwrap(), 1, "{}", String::from_utf8_lossy(&said));
        said.push(byte[0]);
    }
    assert!(!String::from_utf8_lossy(&said).contains("conflict"));
    // The first one is let go, long before it is closed for its silence.
    rest(silent);
}

#[tokio::test(flavor = "multi_thread")]
async fn five_wrong_codes_end_the_right_one_and_guessing_on_is_told_to_wait() {
    let room = Room::new();
    let gateway = room.gateway();
    let ours = ours();
    let code = code(&room).await;
    for left in ["4 more", "3 more", "2 more", "1 more", "too often"] {
        let refused = pair(&gateway, Some(&ours), "{\"code\": \"AAAAAAAA\"}");
        assert!(refused.status == 403 && refused.body.contains(left), "{left}: {refused:?}");
    }
    assert_eq!(pair(&gateway, Some(&ours), &format!("{{\"code\": \"{code}\"}}")).status, 403);
    let statuses = (0..20).map(|_| pair(&gateway, Some(&ours), "{\"code\": \"AAAAAAAA\"}").status);
    assert!(statuses.collect::<Vec<_>>().contains(&429));
}

#[tokio::test(flavor = "multi_thread")]
async fn serve_opens_the_gateway_of_a_hub_that_an_agent_started_and_closes_it_when_it_ends() {
    let room = Room::new();
    // Starts the hub.
    let agent = room.agent("claude-code 2.1").await;
    let gateway = room.gateway();
    let address = gateway.address;
    let token = paired(&room, &gateway, FIREFOX).await;
    let bearer = format!("Bearer {token}");
    let headers = [("Origin", FIREFOX), ("Authorization", bearer.as_str())];
    let (stream, response) = upgrade(&gateway, "/ws?sessionId=tab", &headers);
    assert_eq!(response.status, 101);
    let other = room.program().args(["serve", "--port", "1"]).output().unwrap();
    let said = String::from_utf8(other.stderr).unwrap();
    assert!(!other.status.success() && said.contains(&address.to_string()), "{said}");
    let pid = room.pid();
    drop(gateway);
    let said = rest(stream);
    assert!(said.windows(18).any(|window| window == b"the gateway closes"), "{said:?}");
    room.wait_until("the port is closed", || TcpStream::connect(address).is_err());
    assert!(matches!(agent.request(Request::Ping).await, Ok(Answer::Pong { .. })));
    assert_eq!(room.pid(), pid, "the hub goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn serve_goes_on_on_its_port_when_the_hub_is_killed() {
    let room = Room::new();
    let agent = room.agent("claude-code 2.1").await;
    let gateway = room.gateway();
    let address = gateway.address;
    let token = paired(&room, &gateway, FIREFOX).await;
    let pid = room.pid().unwrap();
    room::end(pid);
    room.wait_until("another hub is up", || room.pid().is_some_and(|other| other != pid));
    room.wait_until("the port is open again", || TcpStream::connect(address).is_ok());
    assert_eq!(of_pairing(&gateway, "POST", FIREFOX, &token).status, 204);
    assert!(matches!(agent.request(Request::Ping).await, Ok(Answer::Pong { .. })));
}

#[test]
fn status_tells_where_the_gateway_is_and_how_many_are_connected_over_it() {
    let room = Room::new();
    let status = |args: &[&str]| {
        let output = room.program().arg("status").args(args).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let gateway_in_json = || serde_json::from_str::<Value>(&status(&["--json"])).unwrap()["gateway"].clone();
    let mut closed = room.hub();
    assert_eq!(gateway_in_json(), Value::Null);
    assert!(status(&[]).contains("\nGateway: closed; `opentoolbar serve` opens it"), "{}", status(&[]));
    closed.kill().unwrap();
    closed.wait().unwrap();

    let gateway = room.gateway();
    let connected =
        |count: u32| serde_json::json!({ "address": gateway.address.to_string(), "connected": count });
    assert_eq!(gateway_in_json(), connected(0), "the verb itself comes over the local socket");
    let bearer = format!("Bearer {}", gateway.token);
    let (stream, response) = upgrade(&gateway, "/ws?sessionId=tab", &[("Authorization", &bearer)]);
    assert_eq!(response.status, 101);
    room.wait_until("the client is counted", || gateway_in_json() == connected(1));
    let line = format!("\nGateway: open at ws://{}/ws, 1 connected\n", gateway.address);
    assert!(status(&[]).contains(&line), "{}", status(&[]));
    drop(stream);
    room.wait_until("it is gone", || gateway_in_json() == connected(0));
}
