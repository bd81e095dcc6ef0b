//! What an earlier version has left in a project, and what the verbs say of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use opentoolbar::hub::client::Client;
use opentoolbar_core::protocol::{FeedbackQuery, Offer, StatusFilter};
use serde_json::Value;

use super::{Room, comment, creates, feedback, open_tab};

pub const PAGE: &str = "http://shop.test/";

pub async fn tab(room: &Room) -> Client {
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser
}

pub async fn ids(room: &Room) -> Vec<String> {
    let agent = room.agent("a").await;
    feedback(&agent, FeedbackQuery { status: StatusFilter::All, ..FeedbackQuery::default() }).await.ids
}

/// What an earlier version has left: a project with a database of two comments in it, the second one in the log alone
/// when the hub was killed, and a registry that names the project.
pub async fn earlier(room: &Room, killed: bool) {
    {
        let elsewhere = Room::new();
        let mut hub = elsewhere.hub();
        let browser = tab(&elsewhere).await;
        for id in ["c_1", "c_2"] {
            browser.request(creates("s_1", comment(id, PAGE, "make it blue"))).await.unwrap();
        }
        let signal = if killed { "-KILL" } else { "-TERM" };
        Command::new("kill").args([signal, &hub.id().to_string()]).status().unwrap();
        hub.wait().unwrap();
        std::fs::create_dir(room.project.join(".opentoolbar")).unwrap();
        let names =
            if killed { vec!["opentoolbar.db", "opentoolbar.db-wal"] } else { vec!["opentoolbar.db"] };
        for name in names {
            std::fs::copy(elsewhere.data().join(name), room.project.join(".opentoolbar").join(name)).unwrap();
        }
    }
    known_before(room);
}

pub fn old(room: &Room) -> PathBuf {
    room.project.join(".opentoolbar/opentoolbar.db")
}

pub fn known_before(room: &Room) {
    room.home.ensure().unwrap();
    let registry = serde_json::json!({ "version": 1, "projects": { room.project.to_str().unwrap(): 1 } });
    std::fs::write(room.home.registry(), registry.to_string()).unwrap();
}

pub fn verb(room: &Room, args: &[&str]) -> Output {
    room.program().args(args).current_dir(&room.project).output().unwrap()
}

pub fn done(room: &Room, args: &[&str]) -> String {
    let output = verb(room, args);
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

pub fn listed(room: &Room) -> Value {
    serde_json::from_str(&done(room, &["projects", "--json"])).unwrap()
}

pub fn offers(room: &Room) -> Vec<Offer> {
    serde_json::from_value(listed(room)["offers"].clone()).unwrap()
}

/// The directory of a project in the home, and everything in it.
pub fn is_its_owners_alone(data: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let mut left = vec![data.to_owned()];
    let mut files = 0;
    while let Some(path) = left.pop() {
        let found = std::fs::symlink_metadata(&path).unwrap();
        let expected = if found.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(found.permissions().mode() & 0o777, expected, "{}", path.display());
        if found.is_dir() {
            left.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            files += 1;
        }
    }
    assert!(files >= 2, "there is a database and a record");
}
