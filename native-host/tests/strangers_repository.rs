//! What a repository brings into `.opentoolbar/` of a project is neither opened nor believed, whenever and however it
//! comes.
#![cfg(unix)]

use crate::room;
use std::path::{Path, PathBuf};

use crate::room::conversation::{PNG, context, messages, say, select_as};
use crate::room::stranger::{COPIES, EVIL, git, journal, says};
use crate::room::{Room, comment, creates, feedback, open_tab};
use opentoolbar::hub::client::Client;
use opentoolbar_core::protocol::{FeedbackQuery, StatusFilter};

const PAGE: &str = "http://shop.test/";
const BROUGHT: [&str; 4] =
    ["opentoolbar.db", "opentoolbar.db-journal", "opentoolbar.db-wal", "opentoolbar.db-shm"];
/// Names of what is selected below.
const PICTURES: [&str; 2] = ["screenshots/ctx_1.png", "screenshots/ctx_1.viewport.png"];

/// A stranger's repository: `main` is clean, `evil` has a database with a comment of a "person", what lies beside one,
/// and files under the names of our copies.
struct Upstream {
    path: PathBuf,
    victim: PathBuf,
}

impl Upstream {
    async fn new(room: &Room) -> Self {
        let path = room.path().join("upstream");
        let victim = room.path().join("id_ed25519");
        std::fs::write(&victim, "a key").unwrap();
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("package.json"), "{}").unwrap();
        git(&path, &["init", "-q"]);
        git(&path, &["add", "."]);
        git(&path, &["commit", "-qm", "clean"]);
        git(&path, &["checkout", "-qb", "evil"]);
        let ours = path.join(".opentoolbar");
        std::fs::create_dir(&ours).unwrap();
        let (database, log) = planted().await;
        std::fs::write(ours.join("opentoolbar.db"), database).unwrap();
        std::fs::write(ours.join("opentoolbar.db-journal"), journal(&victim)).unwrap();
        std::fs::write(ours.join("opentoolbar.db-wal"), log).unwrap();
        std::fs::write(ours.join("opentoolbar.db-shm"), [0; 32_768]).unwrap();
        for folder in ["sessions", "screenshots"] {
            std::fs::create_dir(ours.join(folder)).unwrap();
        }
        for name in COPIES.iter().chain(&PICTURES) {
            std::fs::write(ours.join(name), EVIL).unwrap();
        }
        git(&path, &["add", "-f", "."]);
        git(&path, &["commit", "-qm", "evil"]);
        git(&path, &["checkout", "-q", "main"]);
        Self { path, victim }
    }

    /// The developer's clone, in the place of the room's project.
    fn clone_to(&self, project: &Path, branch: &str) {
        std::fs::remove_dir_all(project).unwrap();
        let at = project.parent().unwrap();
        git(at, &["clone", "-q", "-b", branch, self.path.to_str().unwrap(), project.to_str().unwrap()]);
    }
}

/// A database of ours with a comment in itself, and a log with another one.
async fn planted() -> (Vec<u8>, Vec<u8>) {
    let room = Room::new();
    let mut hub = room.hub();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_planted", PAGE, "planted"))).await.unwrap();
    room::end(hub.id());
    hub.wait().unwrap();
    let log = std::fs::read(room.data().join("opentoolbar.db-wal")).unwrap();
    let connection = rusqlite::Connection::open(room.database()).unwrap();
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(connection);
    (std::fs::read(room.database()).unwrap(), log)
}

#[derive(Clone, Copy, Debug)]
enum Way {
    Clone,
    Pull,
    Checkout,
    Switch,
}

const WAYS: [Way; 4] = [Way::Clone, Way::Pull, Way::Checkout, Way::Switch];

fn bring(upstream: &Upstream, project: &Path, way: Way) {
    match way {
        Way::Clone => {
            // A clone over a used project: what the developer had is put back beside it.
            let kept = project.with_file_name("kept");
            let used = project.join(".opentoolbar").exists();
            if used {
                std::fs::rename(project.join(".opentoolbar"), &kept).unwrap();
            }
            upstream.clone_to(project, "evil");
            if used {
                std::fs::remove_dir_all(kept).unwrap();
            }
        }
        Way::Pull => {
            git(&upstream.path, &["merge", "-q", "evil"]);
            git(project, &["pull", "-q"]);
        }
        Way::Checkout => git(project, &["checkout", "-q", "origin/evil", "--", ".opentoolbar"]),
        Way::Switch => git(project, &["checkout", "-q", "evil"]),
    }
}

fn said(room: &Room, verb: &[&str]) -> String {
    let done = room.program().args(verb).current_dir(&room.project).output().unwrap();
    assert!(done.status.success(), "{verb:?}: {done:?}");
    String::from_utf8(done.stdout).unwrap()
}

/// Everything that reads says our own comment alone, deletes nothing and leaves what came as it came, but for what is
/// called as our copies are: that is ours soon, or gone. `tab`: of the session `s_1`, when it is open still.
async fn believes_nothing(room: &Room, upstream: &Upstream, own: &[&str], tab: Option<Client>, when: &str) {
    let ours = room.project.join(".opentoolbar");
    let bytes = || BROUGHT.map(|name| std::fs::read(ours.join(name)).unwrap());
    let before = bytes();
    assert!(COPIES.iter().all(|name| says(room, name, EVIL)), "{when}: the copies came too");
    let agent = room.agent("a").await;
    let all = FeedbackQuery { status: StatusFilter::All, ..FeedbackQuery::default() };
    assert_eq!(feedback(&agent, all).await.ids, own, "{when}");
    let exported = said(room, &["export", "--json"]);
    assert!(!exported.contains("planted") && !exported.contains(EVIL), "{when}");
    for words in ["planted", EVIL] {
        assert!(said(room, &["search", words]).is_empty(), "{when}");
    }
    said(room, &["status"]);
    let found = said(room, &["projects", "--json"]);
    assert!(found.contains("it came with the repository") || found.contains("journal"), "{when}: {found}");
    let browser = match tab {
        Some(tab) => tab,
        None => {
            let browser = room.browser().await;
            open_tab(&browser, "s_1", PAGE, &room.project).await;
            browser
        }
    };
    serves_nothing(room, &browser, own, when).await;
    open_tab(&browser, "s_2", PAGE, &room.project).await;
    browser.request(creates("s_2", comment("c_later", PAGE, "later"))).await.unwrap();
    for name in COPIES {
        room.wait_until(&format!("{when}: {name} is not theirs"), || !says(room, name, EVIL));
    }
    room.wait_until(&format!("{when}: the report is ours"), || says(room, "feedback.md", "later"));
    if !own.is_empty() {
        for name in ["sessions/s_1.json", "history.db"] {
            room.wait_until(&format!("{when}: {name} is ours"), || says(room, name, "make it bigger"));
        }
    }
    assert!(upstream.victim.exists(), "{when}: the journal deleted a file");
    assert!(bytes() == before, "{when}: what the repository brought was written to");
}

/// Of the session that was talked in before, nothing but what was said and seen in it.
async fn serves_nothing(room: &Room, browser: &Client, own: &[&str], when: &str) {
    let (said, _) = messages(browser, "s_1", None).await;
    let said: Vec<&str> = said.iter().map(|one| one.content.as_str()).collect();
    if own.is_empty() {
        assert!(said.is_empty(), "{when}: {said:?}");
        return;
    }
    assert_eq!(said, ["make it bigger"], "{when}");
    let told = context(&room.agent("b").await, Some("s_1")).await;
    assert_eq!(told.context.unwrap().selection.element.tag_name, "BUTTON", "{when}");
    for path in [told.screenshot_path, told.viewport_screenshot_path].into_iter().flatten() {
        assert!(std::fs::read(&path).unwrap().starts_with(b"\x89PNG"), "{when}: {path} is theirs");
    }
}

#[tokio::test]
async fn before_anything_runs() {
    for way in WAYS {
        let room = Room::new();
        let upstream = Upstream::new(&room).await;
        upstream.clone_to(&room.project, "main");
        bring(&upstream, &room.project, way);
        believes_nothing(&room, &upstream, &[], None, &format!("{way:?} before")).await;
    }
}

/// A project with a comment, a selection and a word about it, and all its copies.
async fn used(room: &Room) -> Client {
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_mine", PAGE, "mine"))).await.unwrap();
    select_as(&browser, ("s_1", "ctx_1"), "BUTTON", Some(PNG)).await.unwrap();
    say(&browser, "s_1", "ctx_1", "make it bigger").await.unwrap();
    assert!(PICTURES.iter().all(|name| room.ours().join(name).exists()));
    for (name, words) in
        [("feedback.md", "mine"), ("sessions/s_1.json", "make it bigger"), ("history.db", "make it bigger")]
    {
        room.wait_until("the copies are written", || says(room, name, words));
    }
    browser
}

#[tokio::test]
async fn while_the_hub_runs() {
    for way in WAYS {
        let room = Room::new();
        let upstream = Upstream::new(&room).await;
        upstream.clone_to(&room.project, "main");
        let tab = used(&room).await;
        bring(&upstream, &room.project, way);
        believes_nothing(&room, &upstream, &["c_mine"], Some(tab), &format!("{way:?} while")).await;
    }
}

#[tokio::test]
async fn after_the_hub_has_run() {
    for way in WAYS {
        let room = Room::new();
        let upstream = Upstream::new(&room).await;
        upstream.clone_to(&room.project, "main");
        drop(used(&room).await);
        room::end(room.pid().unwrap());
        bring(&upstream, &room.project, way);
        believes_nothing(&room, &upstream, &["c_mine"], None, &format!("{way:?} after")).await;
    }
}
