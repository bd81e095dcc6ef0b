//! MCP over HTTP: the same tools as over stdio, for whoever shows the token, in the project of whoever asks.

use std::path::Path;
use std::process::Command;

use crate::room::http::{Response, ask};
use crate::room::{Gateway, Room, open_tab};
use serde_json::{Value, json};

const ACCEPT: (&str, &str) = ("Accept", "application/json, text/event-stream");
const JSON: (&str, &str) = ("Content-Type", "application/json");

/// One agent's way to the gateway.
struct Agent<'a> {
    gateway: &'a Gateway,
    bearer: String,
    project: Option<String>,
    session: Option<String>,
}

impl<'a> Agent<'a> {
    fn new(gateway: &'a Gateway, project: Option<&Path>) -> Self {
        let project = project.map(|project| project.canonicalize().unwrap().to_str().unwrap().to_owned());
        Self { gateway, bearer: format!("Bearer {}", gateway.token), project, session: None }
    }

    fn send(&self, method: &str, more: &[(&str, &str)], body: Option<&str>) -> Response {
        let mut headers = vec![("Authorization", self.bearer.as_str()), ("User-Agent", "curl/8"), ACCEPT];
        headers.extend(body.map(|_| JSON));
        headers.extend(self.project.as_deref().map(|project| ("Opentoolbar-Project", project)));
        headers.extend(self.session.as_deref().map(|session| ("Mcp-Session-Id", session)));
        headers.extend(more);
        ask(self.gateway.address, method, "/mcp", &headers, body)
    }

    fn post(&self, message: &Value) -> Response {
        self.send("POST", &[], Some(&message.to_string()))
    }

    fn begin(&mut self, name: &str) -> Response {
        let answer = self.post(&json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": { "name": name, "version": "1" },
            },
        }));
        if answer.status == 200 {
            self.session = answer.header("mcp-session-id").map(str::to_owned);
            assert!(self.session.is_some(), "{answer:?}");
            let done = self.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
            assert_eq!(done.status, 202, "{done:?}");
        }
        answer
    }

    fn call(&self, method: &str, params: &Value) -> Value {
        let answer = self.post(&json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }));
        assert_eq!(answer.status, 200, "{answer:?}");
        message(&answer)
    }
}

/// The answer in a stream of events, or alone.
fn message(answer: &Response) -> Value {
    let events = answer.body.lines().filter_map(|line| line.strip_prefix("data:"));
    let mut messages = events.filter_map(|data| serde_json::from_str::<Value>(data.trim()).ok());
    messages.next_back().unwrap_or_else(|| answer.json())
}

fn is_there(room: &Room, name: &str) -> bool {
    room.agents_seen().iter().any(|(agent, project)| agent == name && project == "shop")
}

/// The project becomes known to the hub by a tab of its app.
async fn known(room: &Room) -> opentoolbar::hub::client::Client {
    let browser = room.browser().await;
    open_tab(&browser, "s_1", "http://localhost:5173/", &room.project).await;
    browser
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_over_http_has_the_same_tools_and_is_one_to_everybody_until_it_goes() {
    let room = Room::new();
    let mut program = room.program();
    let gateway = room.gateway_of(program.args(["serve", "--port", "0"]).env("OPENTOOLBAR_LOG", "debug"));
    let browser = known(&room).await;
    browser
        .request(crate::room::creates("s_1", crate::room::comment("c_1", "http://localhost:5173/", "Bigger")))
        .await
        .unwrap();
    let mut agent = Agent::new(&gateway, Some(&room.project));
    let answer = agent.begin("codex");
    assert_eq!(message(&answer)["result"]["serverInfo"]["name"], "opentoolbar", "{answer:?}");
    for (name, value) in [("x-content-type-options", "nosniff"), ("cache-control", "no-store")] {
        assert_eq!(answer.header(name), Some(value), "{answer:?}");
    }
    let listed = agent.call("tools/list", &json!({}));
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    let reference = room.program().args(["tools", "--markdown"]).output().unwrap().stdout;
    let reference = String::from_utf8(reference).unwrap();
    let of_stdio = reference.lines().filter(|line| line.starts_with("| `") && line.matches('|').count() == 5);
    let of_stdio: Vec<&str> = of_stdio.filter_map(|line| line.split('`').nth(1)).collect();
    assert!(names.len() > 10 && names.iter().all(|name| of_stdio.contains(name)), "{names:?} {of_stdio:?}");
    let told = agent.call("tools/call", &json!({ "name": "get_ui_feedback", "arguments": {} }));
    assert_eq!(told["result"]["structuredContent"]["comments"][0]["id"], "c_1", "{told}");
    room.wait_until("it is seen", || is_there(&room, "codex 1"));
    // Another one of the same name is another agent.
    let mut second = Agent::new(&gateway, Some(&room.project));
    second.begin("codex");
    room.wait_until("both are seen", || is_there(&room, "codex 1") && is_there(&room, "codex 1 (2)"));
    assert_eq!(agent.send("DELETE", &[], None).status, 202);
    room.wait_until("it is gone", || !is_there(&room, "codex 1") && is_there(&room, "codex 1 (2)"));
    let over = agent.post(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }));
    assert_eq!(over.status, 404, "{over:?}");
    over.error();
    // What is said is not for the log, at whatever level.
    let log = std::fs::read_to_string(room.home.logs().join("hub.log")).unwrap();
    assert!(
        log.contains("MCP tool called") && !log.contains("serverInfo") && !log.contains("Bigger"),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_agent_over_http_asks_a_person_is_its_own_process_not_the_hubs() {
    let room = Room::new();
    let gateway = room.gateway();
    let _browser = known(&room).await;
    let mut hello = crate::room::hello(opentoolbar_core::protocol::Role::Browser, "Chromium 156", None);
    hello.capabilities = vec!["verifications".into()];
    let person = room.connector().connect(hello).await.unwrap();
    let mut agent = Agent::new(&gateway, Some(&room.project));
    agent.begin("codex");
    let asks = json!({
        "name": "request_verification", "arguments": { "action": "Delete build/", "reason": "r", "timeoutSeconds": 5 },
    });
    let told = agent.call("tools/call", &asks);
    assert_eq!(told["result"]["structuredContent"]["decidedBy"], "timeout", "{told}");
    let listed = person.request(opentoolbar_core::protocol::Request::ListVerifications).await.unwrap();
    let opentoolbar_core::protocol::Answer::Verifications { decided, .. } = listed else { panic!() };
    let asked_by = decided[0].processes.first().map(|process| process.id);
    assert_eq!(asked_by, Some(std::process::id()), "{decided:?}");
}

/// A revision without a handshake: what is remembered is by directory and name, and such an agent is seen as well.
#[tokio::test(flavor = "multi_thread")]
async fn an_agent_without_a_session_is_one_as_long_as_it_asks() {
    let room = Room::new();
    let mut program = room.program();
    let gateway =
        room.gateway_of(program.args(["serve", "--port", "0"]).env("OPENTOOLBAR_MCP_IDLE_MS", "3000"));
    let _browser = known(&room).await;
    let agent = Agent::new(&gateway, Some(&room.project));
    let modern =
        [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "list_sessions")];
    let body = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {
            "name": "list_sessions", "arguments": {},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "modern", "version": "3" },
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    });
    for _ in 0..2 {
        let answer = agent.send("POST", &modern, Some(&body.to_string()));
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(message(&answer)["result"]["structuredContent"]["success"], true, "{answer:?}");
    }
    room.wait_until("it is seen once", || room.agents_seen() == [("modern 3".to_owned(), "shop".to_owned())]);
    room.wait_until("it was silent for long enough", || room.agents_seen().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_session_ends_and_so_does_everything_with_the_gateway() {
    let room = Room::new();
    let mut program = room.program();
    let gateway =
        room.gateway_of(program.args(["serve", "--port", "0"]).env("OPENTOOLBAR_MCP_IDLE_MS", "1500"));
    let _browser = known(&room).await;
    let mut agent = Agent::new(&gateway, Some(&room.project));
    agent.begin("codex");
    room.wait_until("it is seen", || is_there(&room, "codex 1"));
    room.wait_until("it is over", || room.agents_seen().is_empty());
    let over = agent.post(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }));
    assert_eq!(over.status, 404, "{over:?}");
    drop(gateway);

    // The gateway of a hub that goes on: its agents over HTTP go with it.
    let hub = Room::new();
    let _stays = hub.agent("claude-code 2.1").await;
    let gateway = hub.gateway();
    let mut agent = Agent::new(&gateway, Some(&hub.project));
    agent.begin("codex");
    hub.wait_until("it is seen", || is_there(&hub, "codex 1"));
    drop(gateway);
    hub.wait_until("it is gone", || hub.agents_seen() == [("claude-code 2.1".to_owned(), "shop".to_owned())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_message_is_refused_in_our_form() {
    let room = Room::new();
    let gateway = room.gateway();
    let _browser = known(&room).await;
    let agent = Agent::new(&gateway, Some(&room.project));
    let bearer = agent.bearer.clone();
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    let deep = format!("{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": {deep}}}");
    let large = format!("{{\"jsonrpc\": \"{}\"}}", "x".repeat(4 * 1024 * 1024));
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }).to_string();
    for (status, body) in [
        (400, "{"),
        (400, ""),
        (400, "[]"),
        (400, deep.as_str()),
        (413, large.as_str()),
        (422, "{\"jsonrpc\": \"2.0\", \"id\": {}}"),
        // Not in a session.
        (400, ping.as_str()),
    ] {
        let refused = agent.send("POST", &[], Some(body));
        assert_eq!(refused.status, status, "{:.80}: {refused:?}", body);
        refused.error();
    }
    let authorised = ("Authorization", bearer.as_str());
    for (status, method, headers, body) in [
        (401, "POST", vec![JSON, ACCEPT], Some(ping.as_str())),
        (401, "GET", vec![ACCEPT], None),
        (415, "POST", vec![authorised, ACCEPT], Some(ping.as_str())),
        (406, "POST", vec![authorised, JSON], Some(ping.as_str())),
        (405, "PUT", vec![authorised], None),
        (400, "DELETE", vec![authorised], None),
        (404, "GET", vec![authorised, ACCEPT, ("Mcp-Session-Id", "no-session")], None),
    ] {
        let refused = ask(gateway.address, method, "/mcp", &headers, body);
        assert_eq!(refused.status, status, "{method} {headers:?}: {refused:?}");
        refused.error();
    }
}

/// Whose project: the header, else the caller's directory, else the only one that is live, else a choice.
#[tokio::test(flavor = "multi_thread")]
async fn an_agent_is_in_the_project_that_it_names_or_works_in_or_in_the_only_one_that_is_live() {
    let room = Room::new();
    let gateway = room.gateway();
    // Nothing is known yet, and the caller works nowhere.
    let script = "
import http.client, json, sys
body = json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'initialize', 'params': {'protocolVersion': '2025-06-18',
    'capabilities': {}, 'clientInfo': {'name': sys.argv[3], 'version': '1'}}})
c = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]))
c.request('POST', '/mcp', body, {'Authorization': 'Bearer ' + sys.argv[2], 'Content-Type': 'application/json',
    'Accept': 'application/json, text/event-stream'})
r = c.getresponse()
print(r.status, r.read().decode())
";
    let begin = |directory: &Path, name: &str| {
        let mut python = Command::new("python3");
        python.args(["-c", script, &gateway.address.port().to_string(), &gateway.token, name]);
        let output = python.current_dir(directory).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let said = begin(Path::new("/"), "nowhere");
    assert!(said.starts_with("409 ") && said.contains("no_project"), "{said}");
    // By its directory.
    let below = room.project.join("src");
    std::fs::create_dir(&below).unwrap();
    let said = begin(&below, "here");
    assert!(said.starts_with("200 "), "{said}");
    room.wait_until("it is seen", || is_there(&room, "here 1"));
    // The only one that is live.
    let said = begin(Path::new("/"), "guest");
    assert!(said.starts_with("200 "), "{said}");
    room.wait_until("it is seen", || is_there(&room, "guest 1"));
    // Of several it has to choose.
    let other = room.path().join("other");
    std::fs::create_dir(&other).unwrap();
    let _agent = room.agent_in("claude-code 2.1", &other).await;
    let said = begin(Path::new("/"), "lost");
    assert!(said.starts_with("409 ") && said.contains("/shop") && said.contains("/other"), "{said}");
    let mut named = Agent::new(&gateway, Some(&other));
    named.begin("named");
    room.wait_until("it is seen", || {
        room.agents_seen().contains(&("named 1".to_owned(), "other".to_owned()))
    });
    for (status, project) in [(409, "/nowhere/at/all"), (422, "shop"), (422, "")] {
        let mut wrong = Agent::new(&gateway, None);
        wrong.project = Some(project.to_owned());
        let refused = wrong.begin("wrong");
        assert_eq!(refused.status, status, "{project}: {refused:?}");
        refused.error();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_bounded_and_one_more_is_told_to_wait() {
    let room = Room::new();
    let gateway = room.gateway();
    let _browser = known(&room).await;
    let mut sessions: Vec<Agent<'_>> = Vec::new();
    for _ in 0..64 {
        let mut agent = Agent::new(&gateway, Some(&room.project));
        assert_eq!(agent.begin("many").status, 200);
        sessions.push(agent);
    }
    let mut more = Agent::new(&gateway, Some(&room.project));
    let refused = more.begin("more");
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("1")), "{refused:?}");
    refused.error();
    assert_eq!(sessions[0].send("DELETE", &[], None).status, 202);
    room.wait_until("there is room", || more.begin("more").status == 200);
}

/// A stream of a session outlives the time that a connection without a token has, as long as it is read.
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_is_not_cut_off_while_it_is_read_and_ends_with_its_session() {
    use std::io::{Read, Write};
    use std::time::{Duration, Instant};
    let room = Room::new();
    let mut program = room.program();
    let gateway =
        room.gateway_of(program.args(["serve", "--port", "0"]).env("OPENTOOLBAR_ADMISSION_MS", "1000"));
    let _browser = known(&room).await;
    let mut agent = Agent::new(&gateway, Some(&room.project));
    agent.begin("codex");
    let session = agent.session.clone().unwrap();
    let request = format!(
        "GET /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: {}\r\nAccept: text/event-stream\r\n\
         Mcp-Session-Id: {session}\r\nConnection: close\r\n\r\n",
        gateway.address, agent.bearer
    );
    let mut stream = std::net::TcpStream::connect(gateway.address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    let began = Instant::now();
    let mut buffer = [0; 4096];
    while began.elapsed() < Duration::from_secs(3) {
        // Silence, or an event; no end.
        assert!(!matches!(stream.read(&mut buffer), Ok(0)), "cut off after {:?}", began.elapsed());
    }
    assert_eq!(agent.send("DELETE", &[], None).status, 202);
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
}
