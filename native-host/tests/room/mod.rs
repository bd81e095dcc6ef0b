//! What the tests of the hub share: a home of one's own, the real binary, clients on its real socket.
#![allow(unreachable_pub)]

pub mod conversation;
pub mod dead_mount;
pub mod dead_world;
pub mod earlier;
pub mod http;
pub mod line;
pub mod plain;
pub mod read_only;
pub mod stranger;
pub mod toll;
pub mod websocket;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use opentoolbar::home::Home;
use opentoolbar::hub::client::{Client, Connector};
use opentoolbar::project::Catalogue;
use opentoolbar_core::model::{Comment, CommentChange, Session, Timestamp};
use opentoolbar_core::protocol::{
    Answer, FeedbackQuery, FeedbackSummary, Hello, PROTOCOL_VERSION, Request, Role,
};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_opentoolbar");

/// A home and a project that vanish with the test, and every hub that was started in the home.
pub struct Room {
    dir: tempfile::TempDir,
    pub home: Home,
    pub project: PathBuf,
}

impl Room {
    pub fn new() -> Self {
        // Short, because a socket's path is.
        let dir = tempfile::Builder::new().prefix("otb").rand_bytes(8).tempdir().unwrap();
        let home = Home::at(dir.path().join("h"));
        let project = dir.path().join("shop");
        std::fs::create_dir(&project).unwrap();
        std::fs::write(project.join("package.json"), "{}").unwrap();
        Self { dir, home, project }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    pub fn connector(&self) -> Connector {
        Connector::new(self.home.clone()).program(PROGRAM)
    }

    pub fn program(&self) -> Command {
        let mut command = Command::new(PROGRAM);
        command.env("OPENTOOLBAR_HOME", self.home.dir()).env("OPENTOOLBAR_IDLE_SECONDS", "20");
        command
    }

    /// Names and projects of the agents that the hub has.
    pub fn agents_seen(&self) -> Vec<(String, String)> {
        let output = self.program().args(["status", "--json"]).output().unwrap();
        let status: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let of = |agent: &serde_json::Value, path: &str| {
            agent.pointer(path).and_then(|text| text.as_str()).unwrap().to_owned()
        };
        let agents = status["agents"].as_array().unwrap().iter();
        agents.map(|agent| (of(agent, "/client"), of(agent, "/project/name"))).collect()
    }

    /// A hub as a child of the test: for those that end it, or look at how it ends.
    pub fn hub(&self) -> Child {
        self.hub_of(&mut self.program())
    }

    /// The same with an environment of its own.
    pub fn hub_of(&self, program: &mut Command) -> Child {
        self.home.ensure().unwrap();
        let hub = program.arg("hub").stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let pid = hub.id().to_string();
        self.wait_until("the hub is up", || {
            std::fs::read_to_string(self.home.pid()).is_ok_and(|written| written.trim() == pid)
        });
        hub
    }

    /// A hub as a child of the test, with at most so many bytes of address space.
    pub fn hub_within(&self, bytes: u64) -> Child {
        self.home.ensure().unwrap();
        let mut shell = Command::new("sh");
        shell.env("OPENTOOLBAR_HOME", self.home.dir()).env("OPENTOOLBAR_IDLE_SECONDS", "20");
        shell.args(["-c", &format!("ulimit -v {}; exec \"$0\" hub", bytes / 1024)]).arg(PROGRAM);
        let hub = shell.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        self.wait_until("the hub is up", || self.pid() == Some(hub.id()));
        hub
    }

    /// The hub as a person runs it, with its gateway open on a port of its own.
    pub fn gateway(&self) -> Gateway {
        let mut program = self.program();
        self.gateway_of(program.args(["serve", "--port", "0"]))
    }

    pub fn gateway_of(&self, command: &mut Command) -> Gateway {
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.trim().strip_prefix("The gateway is open: ws://").unwrap().strip_suffix("/ws").unwrap();
        let token = std::fs::read_to_string(self.home.token()).unwrap();
        Gateway { address: address.parse().unwrap(), token, process }
    }

    pub async fn agent(&self, client: &str) -> Client {
        self.agent_in(client, &self.project).await
    }

    pub async fn agent_in(&self, client: &str, cwd: &Path) -> Client {
        self.connector().connect(hello(Role::Agent, client, Some(cwd))).await.unwrap()
    }

    pub async fn browser(&self) -> Client {
        self.connector().connect(hello(Role::Browser, "Chromium 156", None)).await.unwrap()
    }

    pub fn wait_until(&self, what: &str, mut is: impl FnMut() -> bool) {
        let began = Instant::now();
        while !is() {
            assert!(began.elapsed() < Duration::from_secs(60), "waited in vain until {what}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// What the hub writes into the project.
    pub fn ours(&self) -> PathBuf {
        self.project.join(".opentoolbar")
    }

    /// Where the home keeps what is stored of the project.
    pub fn data(&self) -> PathBuf {
        self.data_of(&self.project)
    }

    pub fn data_of(&self, root: &Path) -> PathBuf {
        let found = Catalogue::at(self.home.projects()).find(root).unwrap();
        found.expect("something was stored")
    }

    /// The same before anything was stored, as if something had been.
    pub fn make_data(&self) -> PathBuf {
        self.home.ensure().unwrap();
        Catalogue::at(self.home.projects()).make(&self.project, Timestamp(1)).unwrap()
    }

    pub fn database(&self) -> PathBuf {
        self.data().join("opentoolbar.db")
    }

    pub fn pid(&self) -> Option<u32> {
        std::fs::read_to_string(self.home.pid()).ok()?.trim().parse().ok()
    }
}

/// Ends with the test.
pub struct Gateway {
    pub address: SocketAddr,
    pub token: String,
    pub process: Child,
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if let Some(pid) = self.pid() {
            end(pid);
        }
    }
}

/// Ends one process at once, by its number.
pub fn end(pid: u32) {
    let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).stderr(Stdio::null()).status();
}

pub fn hello(role: Role, client: &str, cwd: Option<&Path>) -> Hello {
    Hello {
        protocol: PROTOCOL_VERSION,
        version: "0.1.0".into(),
        role,
        client: client.into(),
        cwd: cwd.map(|cwd| cwd.to_str().unwrap().into()),
        instance: None,
        last_asked: None,
        capabilities: Vec::new(),
    }
}

/// A comment as a browser sends it.
pub fn comment(id: &str, url: &str, text: &str) -> Comment {
    let origin = opentoolbar::project::origin_of(url);
    serde_json::from_value(serde_json::json!({
        "id": id, "revision": 1, "url": url, "pathname": url.strip_prefix(&origin).unwrap(), "title": "Shop",
        "status": "active", "stage": "open", "text": text, "author": { "kind": "person" },
        "targets": [{
            "snapshot": {
                "tag": "button", "classes": ["buy"], "ownText": "Buy", "text": "Buy",
                "box": { "x": 0, "y": 0, "width": 80, "height": 24 }
            },
            "selector": "button.buy", "anchor": "AQ=="
        }],
        "createdAt": 1_700_000_000_000_u64, "updatedAt": 1_700_000_000_000_u64
    }))
    .unwrap()
}

pub fn session(id: &str, url: &str) -> Session {
    Session { id: id.parse().unwrap(), url: url.into(), title: "Shop".into(), last_active: Timestamp(1) }
}

/// Opens a tab whose page the person has said to belong to `root`.
pub async fn open_tab(browser: &Client, id: &str, url: &str, root: &Path) {
    let origin = opentoolbar::project::origin_of(url);
    let root = root.to_str().unwrap().to_owned();
    browser.request(Request::SetOriginProject { origin, root }).await.unwrap();
    match browser.request(Request::OpenSession(session(id, url))).await.unwrap() {
        Answer::Session { project: Some(_), .. } => {}
        other => panic!("{other:?}"),
    }
}

pub fn creates(session: &str, comment: Comment) -> Request {
    Request::CreateComment {
        session_id: session.parse().unwrap(),
        comment: Box::new(comment),
        screenshot: None,
    }
}

pub fn changes(id: &str, change: CommentChange) -> Request {
    Request::ChangeComment { comment_id: id.parse().unwrap(), change, at: Timestamp(1_700_000_000_001) }
}

pub fn the_comment(answer: Answer) -> Comment {
    match answer {
        Answer::Comment { comment } => *comment,
        other => panic!("{other:?}"),
    }
}

/// Ids and position of an answer to `get_feedback`.
pub async fn feedback(client: &Client, query: FeedbackQuery) -> Feedback {
    match client.request(Request::GetFeedback(query)).await.unwrap() {
        Answer::Feedback { summary, comments, next_cursor, position, .. } => Feedback {
            ids: comments.iter().map(|comment| comment.id.to_string()).collect(),
            summary,
            next_cursor,
            position,
        },
        other => panic!("{other:?}"),
    }
}

#[derive(Debug)]
pub struct Feedback {
    pub ids: Vec<String>,
    pub summary: FeedbackSummary,
    pub next_cursor: Option<String>,
    pub position: u64,
}
