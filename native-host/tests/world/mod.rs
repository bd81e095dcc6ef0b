//! A world of one test: a hub's home, a project and the real binary. Nothing is shared between tests and nothing of
//! the user's is touched.
#![allow(unreachable_pub)]

mod agent;
pub mod conversation;
pub mod native;
pub mod schema;
mod server;

use std::path::{Path, PathBuf};

use opentoolbar::home::Home;
use opentoolbar::hub::client::{Client, Connector};
use opentoolbar_core::element::ElementSnapshot;
use opentoolbar_core::model::{Author, Comment, CommentChange, Session, Stage, Status, Target, Timestamp};
use opentoolbar_core::page::Page;
use opentoolbar_core::protocol::{Answer, Hello, PROTOCOL_VERSION, Request, Role};
use opentoolbar_core::source::SourceLocation;

pub use agent::{Agent, refusal, succeeded};
pub use server::{Server, answer, redirect};

pub const ORIGIN: &str = "http://localhost:5173";
pub const BORN: Timestamp = Timestamp(1_763_700_000_000);

pub struct World {
    home: tempfile::TempDir,
    project: tempfile::TempDir,
}

pub fn program() -> &'static str {
    env!("CARGO_BIN_EXE_opentoolbar")
}

impl World {
    pub fn new() -> Self {
        let project = tempfile::tempdir().unwrap();
        std::fs::write(project.path().join("package.json"), "{}").unwrap();
        Self { home: tempfile::tempdir().unwrap(), project }
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub fn project(&self) -> PathBuf {
        self.project.path().canonicalize().unwrap()
    }

    /// A verb of the command line.
    pub fn verb(&self, args: &[&str]) -> assert_cmd::Command {
        let mut command = assert_cmd::Command::new(program());
        command.env("OPENTOOLBAR_HOME", self.home()).env_remove("OPENTOOLBAR_PROJECT").args(args);
        command.current_dir(self.project());
        command
    }

    /// An agent's MCP server with its handshake done.
    pub async fn agent(&self) -> Agent {
        let mut agent = Agent::start(self.home(), &self.project());
        agent.initialize("2025-11-25").await;
        agent
    }

    /// The other side: a browser whose tab belongs to the project.
    pub async fn browser(&self) -> Browser {
        let hello = Hello {
            protocol: PROTOCOL_VERSION,
            version: "0.1.0".into(),
            role: Role::Browser,
            client: "Test browser".into(),
            cwd: None,
            instance: None,
            last_asked: None,
            capabilities: Vec::new(),
        };
        let client = Connector::new(Home::at(self.home()))
            .program(program())
            .connect(hello)
            .await
            .expect("the hub starts");
        let root = self.project().to_str().unwrap().to_owned();
        let chosen = client.request(Request::SetOriginProject { origin: ORIGIN.into(), root }).await;
        assert!(matches!(chosen, Ok(Answer::Done)), "{chosen:?}");
        let session = Session {
            id: "s_test".parse().unwrap(),
            url: format!("{ORIGIN}/"),
            title: "Shop".into(),
            last_active: BORN,
        };
        let opened = client.request(Request::OpenSession(session)).await;
        assert!(matches!(opened, Ok(Answer::Session { project: Some(_), .. })), "{opened:?}");
        Browser { client }
    }

    pub fn hub_pid(&self) -> u32 {
        std::fs::read_to_string(self.home().join("server.pid")).unwrap().trim().parse().unwrap()
    }

    pub fn kill_hub(&self) {
        let pid = i32::try_from(self.hub_pid()).unwrap();
        rustix::process::kill_process(
            rustix::process::Pid::from_raw(pid).unwrap(),
            rustix::process::Signal::KILL,
        )
        .unwrap();
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if self.home().join("server.pid").exists()
            && let Ok(pid) = std::fs::read_to_string(self.home().join("server.pid"))
            && let Some(pid) = pid.trim().parse().ok().and_then(rustix::process::Pid::from_raw)
        {
            // Gone already is as good.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
    }
}

pub struct Browser {
    pub client: Client,
}

impl Browser {
    pub async fn comment(&self, comment: Comment) -> Comment {
        self.comment_with(comment, None).await
    }

    pub async fn comment_with(&self, comment: Comment, screenshot: Option<String>) -> Comment {
        let session_id = "s_test".parse().unwrap();
        let request = Request::CreateComment { session_id, comment: Box::new(comment), screenshot };
        match self.client.request(request).await.expect("the comment is stored") {
            Answer::Comment { comment } => *comment,
            other => panic!("not a comment: {other:?}"),
        }
    }

    pub async fn change(&self, id: &str, change: CommentChange) -> Comment {
        let request = Request::ChangeComment {
            comment_id: id.parse().unwrap(),
            change,
            at: Timestamp(BORN.0 + 60_000),
        };
        match self.client.request(request).await.expect("the change is stored") {
            Answer::Comment { comment } => *comment,
            other => panic!("not a comment: {other:?}"),
        }
    }

    pub async fn get(&self, id: &str) -> Comment {
        match self.client.request(Request::GetComment { comment_id: id.parse().unwrap() }).await.unwrap() {
            Answer::Comment { comment } => *comment,
            other => panic!("not a comment: {other:?}"),
        }
    }
}

/// A comment as the extension makes it.
pub fn comment(id: &str, pathname: &str, text: &str) -> Comment {
    Comment {
        id: id.parse().unwrap(),
        number: None,
        revision: 1,
        url: format!("{ORIGIN}{pathname}"),
        pathname: pathname.into(),
        title: "Shop".into(),
        session_id: Some("s_test".parse().unwrap()),
        status: Status::Active,
        stage: Stage::Open,
        text: text.into(),
        author: Author::Person,
        targets: vec![Target {
            snapshot: ElementSnapshot {
                tag: "button".into(),
                classes: vec!["btn".into(), "btn-primary".into()],
                role: Some("button".into()),
                name: Some("Save".into()),
                own_text: "Save".into(),
                text: "Save".into(),
                component: Some("SaveButton".into()),
                source: Some(SourceLocation {
                    file: "src/SaveButton.tsx".into(),
                    line: Some(12),
                    column: Some(5),
                    confidence: 0.9,
                    reason: "React _debugSource".into(),
                }),
                ..ElementSnapshot::default()
            },
            selector: "button.btn-primary".into(),
            anchor: "AQ==".into(),
            addresses: None,
            state: None,
            varied: Vec::new(),
        }],
        replies: Vec::new(),
        resolution: None,
        history: Vec::new(),
        screenshot: None,
        created_at: BORN,
        updated_at: BORN,
        deleted_at: None,
        imported_at: None,
    }
}

/// A comment on the element of `html` that `selector` means, with its real anchor.
pub fn pinned(id: &str, pathname: &str, text: &str, html: &str, selector: &str) -> Comment {
    let page = Page::from_html(html, &format!("{ORIGIN}{pathname}")).unwrap();
    let found = opentoolbar_core::selector::resolve(&page, selector).unwrap();
    assert_eq!(found.len(), 1, "{selector} in {html}");
    let target = opentoolbar_core::anchor::target_of(&page, found[0], None).unwrap();
    Comment { targets: vec![target], ..comment(id, pathname, text) }
}

/// The same, after its element has changed.
pub fn outdated() -> CommentChange {
    use opentoolbar_core::anchor::{FieldChange, VerdictKind};
    CommentChange::ReportStates {
        states: vec![opentoolbar_core::model::TargetState {
            verdict: VerdictKind::Changed,
            cause: opentoolbar_core::model::Cause::Source,
            confidence: 0.9,
            diff: vec![FieldChange {
                field: "text".into(),
                before: Some("Save".into()),
                after: Some("Store".into()),
            }],
            reason: "The text changed.".into(),
            checked_at: BORN,
            varied: Vec::new(),
        }],
    }
}
