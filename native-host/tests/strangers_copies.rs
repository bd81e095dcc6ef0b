//! Copies for agents in `.opentoolbar/` of a project that a repository brings: they are gone, or ours, once a hub has
//! seen them.
#![cfg(unix)]

use crate::room;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::room::stranger::{COPIES, EVIL, git, journal, says};
use crate::room::{Room, comment, creates, feedback, open_tab};
use opentoolbar_core::protocol::FeedbackQuery;

const PAGE: &str = "http://shop.test/";

/// A clone that has files under the names of our copies, each tracked, and a `.gitignore` that publishes them.
fn clone_with_copies(room: &Room, database: bool) {
    let theirs = room.path().join("theirs");
    let ours = theirs.join(".opentoolbar");
    for folder in ["sessions", "screenshots", "notes"] {
        std::fs::create_dir_all(ours.join(folder)).unwrap();
    }
    git(&theirs, &["init", "-q"]);
    std::fs::write(theirs.join("package.json"), "{}").unwrap();
    std::fs::write(theirs.join(".gitignore"), "!.opentoolbar/**\n").unwrap();
    for folder in [".", "sessions", "screenshots"] {
        std::fs::write(ours.join(folder).join(".gitignore"), "!*\n").unwrap();
    }
    for name in
        ["feedback.md", "sessions/s_1.json", "sessions/s_evil.json", "notes/own.md", "sessions/own.md"]
    {
        std::fs::write(ours.join(name), EVIL).unwrap();
    }
    if database {
        let history = rusqlite::Connection::open(ours.join("history.db")).unwrap();
        history.execute_batch(&format!("CREATE TABLE t (x); INSERT INTO t VALUES ('{EVIL}')")).unwrap();
    }
    git(&theirs, &["add", "-f", "."]);
    git(&theirs, &["commit", "-qm", "evil"]);
    let _ = std::fs::remove_dir_all(&room.project);
    git(room.path(), &["clone", "-q", theirs.to_str().unwrap(), room.project.to_str().unwrap()]);
}

/// An agent that reads files is told to read ours: nobody else may speak through them once a hub has seen the project.
#[tokio::test(flavor = "multi_thread")]
async fn copies_that_came_with_a_clone_are_gone_after_the_first_use() {
    let room = Room::new();
    clone_with_copies(&room, true);
    let agent = room.agent("a").await;
    assert!(feedback(&agent, FeedbackQuery::default()).await.ids.is_empty());
    for name in COPIES {
        room.wait_until(&format!("{name} is not theirs"), || !says(&room, name, EVIL));
    }
    // What is not called like ours is theirs.
    assert!(says(&room, "notes/own.md", EVIL) && says(&room, "sessions/own.md", EVIL));
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_that_came_while_no_hub_ran_are_what_is_kept_again() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "make it blue"))).await.unwrap();
    let context = room::conversation::select(&browser, "s_1", "BUTTON").await;
    room::conversation::say(&browser, "s_1", &context, "make it bigger").await.unwrap();
    room.wait_until("the copies are written", || says(&room, "history.db", "make it bigger"));
    room::end(room.pid().unwrap());
    clone_with_copies(&room, true);
    let agent = room.agent("a").await;
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1"]);
    for (name, words) in [
        ("feedback.md", "make it blue"),
        ("sessions/s_1.json", "make it bigger"),
        ("history.db", "make it bigger"),
    ] {
        room.wait_until(&format!("{name} is ours"), || says(&room, name, words) && !says(&room, name, EVIL));
    }
    room.wait_until("the other session is gone", || !says(&room, "sessions/s_evil.json", EVIL));
}

/// What the person said is published by no `git add`.
#[tokio::test(flavor = "multi_thread")]
async fn a_repository_that_ignores_nothing_publishes_no_copy() {
    let room = Room::new();
    clone_with_copies(&room, false);
    // Files that it tracks it publishes by itself; here are those that it does not.
    git(&room.project, &["rm", "-rq", "--cached", ".opentoolbar/feedback.md", ".opentoolbar/sessions"]);
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "a secret of mine"))).await.unwrap();
    room.wait_until("the copy is written", || says(&room, "feedback.md", "a secret of mine"));
    let mut add = Command::new("git");
    let added = add.arg("-C").arg(&room.project).args(["add", "-A", "-n"]).output().unwrap();
    let added = String::from_utf8(added.stdout).unwrap();
    assert!(!added.contains("feedback.md") && !added.contains("s_1"), "{added}");
}

/// What makes SQLite delete another file, or read other rows, when somebody opens `history.db`.
fn put_beside_history(room: &Room, victim: &Path) {
    let ours = room.project.join(".opentoolbar");
    std::fs::create_dir_all(&ours).unwrap();
    std::fs::write(victim, "a key").unwrap();
    std::fs::write(ours.join("history.db-journal"), journal(victim)).unwrap();
    std::os::unix::fs::symlink(victim, ours.join("history.db-wal")).unwrap();
    std::fs::create_dir(ours.join("history.db-shm")).unwrap();
    std::fs::write(ours.join("history.db-shm/own"), EVIL).unwrap();
}

fn nothing_is_beside_history(room: &Room) -> bool {
    let ours = room.project.join(".opentoolbar");
    ["journal", "wal", "shm"]
        .iter()
        .all(|name| ours.join(format!("history.db-{name}")).symlink_metadata().is_err())
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_lies_beside_the_history_once_the_hub_has_looked() {
    for before in [true, false] {
        let room = Room::new();
        let victim = room.path().join("id_ed25519");
        if before {
            put_beside_history(&room, &victim);
        }
        let browser = room.browser().await;
        open_tab(&browser, "s_1", PAGE, &room.project).await;
        let context = room::conversation::select(&browser, "s_1", "BUTTON").await;
        room::conversation::say(&browser, "s_1", &context, "make it bigger").await.unwrap();
        room.wait_until("the history is written", || says(&room, "history.db", "make it bigger"));
        if !before {
            put_beside_history(&room, &victim);
            // Reading is enough.
            let agent = room.agent("a").await;
            feedback(&agent, FeedbackQuery::default()).await;
        }
        room.wait_until("nothing is beside it", || nothing_is_beside_history(&room));
        let file = room.project.join(".opentoolbar/history.db");
        for flags in ["", "?immutable=1"] {
            let path = format!("file:{}{flags}", file.display());
            let found: String = rusqlite::Connection::open(path)
                .unwrap()
                .query_row("SELECT content FROM messages", [], |row| row.get(0))
                .unwrap();
            assert_eq!(found, "make it bigger", "before: {before}, {flags}");
        }
        assert_eq!(std::fs::read(&victim).unwrap(), b"a key", "before: {before}");
    }
}

#[derive(Clone, Copy, Debug)]
enum Obstacle {
    IgnoreIsADirectory,
    SessionsAreALink,
    OursIsALink,
    TooManySessions,
}

#[tokio::test(flavor = "multi_thread")]
async fn an_obstacle_beside_them_saves_no_copy_that_came_with_a_clone() {
    use Obstacle::*;
    for obstacle in [IgnoreIsADirectory, SessionsAreALink, OursIsALink, TooManySessions] {
        let room = Room::new();
        clone_with_copies(&room, true);
        let ours = room.project.join(".opentoolbar");
        let elsewhere = room.project.join("elsewhere");
        let link = |name: PathBuf| {
            std::fs::rename(&name, &elsewhere).unwrap();
            std::os::unix::fs::symlink(&elsewhere, &name).unwrap();
        };
        match obstacle {
            IgnoreIsADirectory => {
                std::fs::remove_file(ours.join(".gitignore")).unwrap();
                std::fs::create_dir_all(ours.join(".gitignore/own")).unwrap();
            }
            SessionsAreALink => link(ours.join("sessions")),
            OursIsALink => link(ours.clone()),
            TooManySessions => {
                for number in 0..20_000 {
                    std::fs::write(ours.join(format!("sessions/{number}")), "").unwrap();
                }
            }
        }
        let agent = room.agent("a").await;
        assert!(feedback(&agent, FeedbackQuery::default()).await.ids.is_empty());
        for name in COPIES {
            room.wait_until(&format!("{obstacle:?}: {name} is not theirs"), || !says(&room, name, EVIL));
        }
        if matches!(obstacle, SessionsAreALink | OursIsALink) {
            assert!(
                std::fs::read_dir(&elsewhere).unwrap().count() > 2,
                "{obstacle:?}: what is behind it stays"
            );
        }
    }
}

async fn used(room: &Room) {
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_mine", PAGE, "mine"))).await.unwrap();
    let mirror = room.project.join(".opentoolbar/feedback.md");
    room.wait_until("the copies are written", || mirror.exists());
}

/// As git does: a new file in the place of the old one.
#[tokio::test(flavor = "multi_thread")]
async fn copies_that_a_pull_brings_while_the_hub_runs_go_at_the_next_request() {
    let room = Room::new();
    used(&room).await;
    let agent = room.agent("a").await;
    for round in 0..3 {
        let ours = room.project.join(".opentoolbar");
        std::fs::create_dir_all(ours.join("sessions")).unwrap();
        for name in COPIES {
            let new = room.path().join("new");
            std::fs::write(&new, EVIL).unwrap();
            std::fs::rename(&new, ours.join(name)).unwrap();
        }
        if round == 1 {
            // As long after it as anybody likes.
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        }
        assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_mine"]);
        for name in COPIES {
            room.wait_until(&format!("{name} is not theirs"), || !says(&room, name, EVIL));
        }
        room.wait_until("the report is ours", || says(&room, "feedback.md", "mine"));
    }
}
