//! A home with histories in it.

use std::fs;
use std::path::{Path, PathBuf};

use opentoolbar_dialogs::{Dialog, Error, Histories, Places, Requests, Scope, Source, System};
use serde_json::{Value, json};

/// Goes away with the test.
pub(crate) struct World {
    _folder: tempfile::TempDir,
    /// The person's home, a real path.
    pub(crate) home: PathBuf,
    /// A project in it.
    pub(crate) shop: PathBuf,
    pub(crate) histories: Histories,
}

/// Nobody stops it.
pub(crate) const GOING: &dyn Fn() -> bool = &|| true;

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        let shop = home.join("shop");
        fs::create_dir(&shop).unwrap();
        let histories = Histories::new(Places::new(System::Linux, &home, |_| None));
        Self { _folder: folder, home, shop, histories }
    }

    pub(crate) fn scope(&self) -> Scope {
        Scope::Project(self.shop.clone())
    }

    /// The user directory of a build.
    pub(crate) fn user(&self, source: Source) -> PathBuf {
        let name = match source {
            Source::VsCodeInsiders => "Code - Insiders",
            Source::VsCodium => "VSCodium",
            _ => "Code",
        };
        self.home.join(".config").join(name).join("User")
    }

    /// Where a workspace's histories are; its `workspace.json` says this.
    pub(crate) fn workspace(&self, source: Source, hash: &str, says: &Value) -> PathBuf {
        let storage = self.user(source).join("workspaceStorage").join(hash);
        let sessions = storage.join("chatSessions");
        fs::create_dir_all(&sessions).unwrap();
        fs::write(storage.join("workspace.json"), says.to_string()).unwrap();
        sessions
    }

    /// Of VS Code, with the shop as its folder.
    pub(crate) fn sessions(&self) -> PathBuf {
        self.workspace(Source::VsCode, "abc", &json!({ "folder": uri(&self.shop) }))
    }

    /// A history of VS Code in the shop.
    pub(crate) fn vs_code(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.sessions().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn claude_code(&self, name: &str, lines: &[Value]) -> PathBuf {
        let folder = self.home.join(".claude/projects/-shop");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, jsonl(lines)).unwrap();
        path
    }

    pub(crate) fn codex(&self, name: &str, lines: &[Value]) -> PathBuf {
        let folder = self.home.join(".codex/sessions/2026/11/28");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, jsonl(lines)).unwrap();
        path
    }

    pub(crate) fn list(&self) -> Vec<Dialog> {
        self.histories.list(&self.scope(), GOING).unwrap().dialogs
    }

    pub(crate) fn ids(&self) -> Vec<String> {
        self.list().into_iter().map(|dialog| dialog.id).collect()
    }

    pub(crate) fn find(&self, id: &str) -> Result<Dialog, Error> {
        self.histories.find(&self.scope(), id, GOING)
    }

    pub(crate) fn requests(&self, id: &str) -> Result<Requests, Error> {
        self.histories.requests(&self.find(id)?, GOING)
    }

    /// All words of a dialog.
    pub(crate) fn words(&self, id: &str) -> Vec<String> {
        let requests = self.requests(id).unwrap();
        (1..=requests.count()).map(|number| requests.get(number, GOING).unwrap().words).collect()
    }

    /// Why a history cannot be had, in a word.
    pub(crate) fn why(&self, id: &str) -> String {
        match self.requests(id) {
            Ok(requests) => format!("{} requests", requests.count()),
            Err(Error::NoData(why)) => format!("{why:?}"),
            Err(error) => error.to_string(),
        }
    }
}

pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

pub(crate) fn jsonl(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A request as VS Code writes it.
pub(crate) fn request(text: &str, at: u64) -> Value {
    json!({
        "requestId": format!("request_{at}"),
        "message": { "parts": [{ "range": { "start": 0 }, "text": text, "kind": "text" }], "text": text },
        "variableData": { "variables": [] },
        "response": [{ "value": "I did \"it\".\n", "supportThemeIcons": false }],
        "timestamp": at,
    })
}

/// A session of so many requests.
pub(crate) fn session(requests: &[Value]) -> Value {
    json!({
        "version": 3,
        "responderUsername": "GitHub Copilot",
        "initialLocation": "panel",
        "requests": requests,
        "sessionId": "s",
        "creationDate": 1_700_000_000_000_u64,
        "lastMessageDate": 1_700_000_000_005_u64,
    })
}
