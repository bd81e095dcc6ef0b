//! What an earlier version kept in a project is not decided by a disk that fails, is full, or is not there, when it is
//! first asked for.
#![cfg(target_os = "linux")]

use crate::room;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::room::dead_mount::DeadMount;
use crate::room::earlier::{PAGE, earlier, ids, offers, tab};
use crate::room::{Room, changes, comment, creates, the_comment};
use opentoolbar_core::model::CommentChange;
use opentoolbar_core::protocol::{ErrorBody, ErrorCode, FeedbackQuery, Request};

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_fails_when_it_is_first_asked_decides_nothing() {
    let room = Room::new();
    earlier(&room, false).await;
    let mut hub = room.hub();
    let Some(mut dead) = DeadMount::new(&room.project.join(".opentoolbar")) else {
        eprintln!("skipped: this needs root and /dev/fuse");
        room::end(hub.id());
        hub.wait().unwrap();
        return;
    };
    dead.fail();
    let browser = tab(&room).await;
    let agent = room.agent("a").await;
    let refused = [
        agent.request(Request::GetFeedback(FeedbackQuery::default())).await,
        browser.request(changes("c_1", CommentChange::Delete)).await,
        browser.request(creates("s_1", comment("c_3", PAGE, "and green"))).await,
    ];
    for refused in refused {
        let error = refused.unwrap_err();
        assert!(error.code == ErrorCode::Storage && error.message.contains(".opentoolbar"), "{error}");
    }
    drop(dead);
    browser.request(creates("s_1", comment("c_3", PAGE, "and green"))).await.unwrap();
    assert_eq!(ids(&room).await, ["c_1", "c_2", "c_3"]);
    assert!(offers(&room).is_empty());
    room::end(hub.id());
    hub.wait().unwrap();
}

/// As on a disk that is so slow, or a machine so busy, that git is not done within its time.
#[tokio::test(flavor = "multi_thread")]
async fn a_git_that_is_not_done_in_time_decides_nothing() {
    let room = Room::new();
    earlier(&room, false).await;
    let git = Command::new("git").args(["init", "-q"]).arg(&room.project).status().unwrap();
    assert!(git.success());
    // Whoever opens it waits for a writer.
    let index = room.project.join(".git/index");
    assert!(Command::new("mkfifo").arg(&index).status().unwrap().success());
    let mut hub = room.hub();
    let agent = room.agent("a").await;
    let refused = agent.request(Request::GetFeedback(FeedbackQuery::default())).await.unwrap_err();
    assert!(refused.code == ErrorCode::Storage && refused.message.contains("git"), "{refused}");
    std::fs::remove_file(index).unwrap();
    assert_eq!(ids(&room).await, ["c_1", "c_2"]);
    assert!(offers(&room).is_empty());
    room::end(hub.id());
    hub.wait().unwrap();
}

/// As by a system that shuts down, or that has no memory left.
#[tokio::test(flavor = "multi_thread")]
async fn a_git_that_is_ended_by_a_signal_decides_nothing() {
    use std::os::unix::fs::PermissionsExt;
    for script in ["kill -KILL $$", "case \"$*\" in *rev-parse*) echo index.lock;; *) kill -TERM $$;; esac"] {
        let room = Room::new();
        earlier(&room, false).await;
        let init = Command::new("git").args(["init", "-q"]).arg(&room.project).status().unwrap();
        assert!(init.success());
        let programs = room.path().join("programs");
        std::fs::create_dir(&programs).unwrap();
        let git = programs.join("git");
        std::fs::write(&git, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&git, std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
        let mut hub = room.hub_of(room.program().env("PATH", path));
        let agent = room.agent("a").await;
        for _ in 0..2 {
            let refused = agent.request(Request::GetFeedback(FeedbackQuery::default())).await.unwrap_err();
            assert!(refused.code == ErrorCode::Storage && refused.message.contains("git"), "{refused}");
        }
        std::fs::remove_file(git).unwrap();
        assert_eq!(ids(&room).await, ["c_1", "c_2"], "{script}");
        assert!(offers(&room).is_empty());
        room::end(hub.id());
        hub.wait().unwrap();
    }
}

struct Disk(PathBuf);

impl Disk {
    /// A small one; `None` where none can be made.
    fn at(path: &Path) -> Option<Self> {
        std::fs::create_dir_all(path).unwrap();
        let mut mount = Command::new("mount");
        let done = mount.args(["-t", "tmpfs", "-o", "size=2m,mode=700", "tmpfs"]).arg(path).output().ok()?;
        done.status.success().then(|| Self(path.to_owned()))
    }

    /// Fills it but for these bytes. Returns the file that does.
    fn fill_but(&self, bytes: u64) -> PathBuf {
        let path = self.0.join("filler");
        let mut filler = std::fs::File::create(&path).unwrap();
        while filler.write_all(&[1; 4096]).is_ok() {}
        let length = filler.metadata().unwrap().len();
        filler.set_len(length - bytes).unwrap();
        path
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_home_decides_nothing_about_what_was_left() {
    let room = Room::new();
    earlier(&room, true).await;
    let Some(disk) = Disk::at(&room.home.projects()) else {
        eprintln!("skipped: this needs root");
        return;
    };
    let mut hub = room.hub();
    // Room for a record, and for no copy.
    let filler = disk.fill_but(32 * 1024);
    let agent = room.agent("a").await;
    for _ in 0..2 {
        let refused = agent.request(Request::GetFeedback(FeedbackQuery::default())).await.unwrap_err();
        assert!(refused.code == ErrorCode::Storage && refused.message.contains("is full"), "{refused}");
    }
    std::fs::remove_file(filler).unwrap();
    assert_eq!(ids(&room).await, ["c_1", "c_2"]);
    assert!(offers(&room).is_empty());
    room::end(hub.id());
    hub.wait().unwrap();
}

fn reply(id: &str) -> Request {
    changes(id, CommentChange::Reply { id: "r_1".parse().unwrap(), text: "hi".into() })
}

async fn refused(room: &Room, request: Request) -> ErrorBody {
    room.browser().await.request(request).await.unwrap_err()
}

/// Shows the content of a disk at another path as well, until this is dropped.
fn bind(disk: &Disk, at: &Path) -> Disk {
    assert!(Command::new("mount").arg("--bind").args([&disk.0, at]).status().unwrap().success());
    Disk(at.to_owned())
}

/// A disk, where it is mounted, and what mounts it there; `None` where none can be.
fn mounted(room: &Room) -> Option<(Disk, PathBuf, Disk)> {
    let Some(disk) = Disk::at(&room.path().join("disk")) else {
        eprintln!("skipped: this needs root");
        return None;
    };
    let at = room.path().join("mounted");
    std::fs::create_dir(&at).unwrap();
    let mounted = bind(&disk, &at);
    Some((disk, at, mounted))
}

/// Its database is where an earlier version kept it: in a directory on a disk that is mounted later.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_a_comment_that_an_absent_project_may_have_is_done_once_the_project_is_back() {
    let mut room = Room::new();
    let Some((disk, at, mounted)) = mounted(&room) else { return };
    room.project = at.join("shop");
    std::fs::create_dir(&room.project).unwrap();
    earlier(&room, false).await;
    // The hub notes what was left there.
    drop(room.browser().await);
    room::end(room.pid().unwrap());
    drop(mounted);
    let get = Request::GetComment { comment_id: "c_1".parse().unwrap() };
    for request in [reply("c_1"), reply("c_none"), get] {
        let error = refused(&room, request).await;
        assert_eq!(error.code, ErrorCode::Storage, "{error}");
        assert!(error.message.contains(room.project.to_str().unwrap()), "{error}");
    }
    let _mounted = bind(&disk, &at);
    let replied = the_comment(room.browser().await.request(reply("c_1")).await.unwrap());
    assert_eq!(replied.replies.len(), 1);
    assert_eq!(refused(&room, reply("c_none")).await.code, ErrorCode::UnknownComment);
}

/// The project is what is mounted; without it an empty directory stands there.
#[tokio::test(flavor = "multi_thread")]
async fn the_empty_directory_that_a_projects_disk_is_mounted_on_decides_nothing_and_stays_empty() {
    let mut room = Room::new();
    let Some((disk, at, mounted)) = mounted(&room) else { return };
    room.project = at.clone();
    std::fs::write(at.join("package.json"), "{}").unwrap();
    earlier(&room, false).await;
    drop(room.browser().await);
    room::end(room.pid().unwrap());
    drop(mounted);
    let browser = tab(&room).await;
    let get = Request::GetComment { comment_id: "c_1".parse().unwrap() };
    for request in [reply("c_1"), reply("c_none"), get, creates("s_1", comment("c_3", PAGE, "and green"))] {
        let error = browser.request(request).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Storage, "{error}");
        assert!(error.message.contains("not mounted"), "{error}");
    }
    assert!(offers(&room).is_empty());
    assert_eq!(std::fs::read_dir(&at).unwrap().count(), 0, "nothing is written there");
    let _mounted = bind(&disk, &at);
    let replied = the_comment(browser.request(reply("c_1")).await.unwrap());
    assert_eq!(replied.replies.len(), 1);
    assert_eq!(ids(&room).await, ["c_1", "c_2"]);
    assert!(offers(&room).is_empty());
}

/// Nothing will bring it back, and who waits for it waits for ever.
#[tokio::test]
async fn a_project_that_was_deleted_before_it_was_used_makes_no_comment_wait() {
    for what in ["the project", "what is around it"] {
        let mut room = Room::new();
        room.project = room.path().join("work/shop");
        std::fs::create_dir_all(&room.project).unwrap();
        earlier(&room, false).await;
        let _browser = room.browser().await;
        let gone = if what == "the project" { &room.project } else { room.project.parent().unwrap() };
        std::fs::remove_dir_all(gone).unwrap();
        let get = Request::GetComment { comment_id: "c_none".parse().unwrap() };
        for request in [reply("c_none"), get] {
            let error = refused(&room, request).await;
            assert_eq!(error.code, ErrorCode::UnknownComment, "{what}: {error}");
        }
    }
}

/// The system may have numbered its disks anew, so that nobody can tell a disk that is away from a directory that was
/// deleted.
#[tokio::test]
async fn a_project_on_a_disk_that_is_away_is_waited_for_a_month_after_the_update() {
    let days = |days: u64| days * 24 * 60 * 60 * 1_000;
    for (age, code) in [(days(29), ErrorCode::Storage), (days(31), ErrorCode::UnknownComment)] {
        let room = Room::new();
        earlier(&room, false).await;
        drop(room.browser().await);
        room::end(room.pid().unwrap());
        let path = room.home.projects().join("updated-at");
        let mut noted: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let at = noted["at"].as_u64().unwrap();
        noted["at"] = (at - age).into();
        let device = &mut noted["projects"][room.project.to_str().unwrap()]["root"]["device"];
        *device = (device.as_u64().unwrap() + 1_000).into();
        std::fs::write(&path, noted.to_string()).unwrap();
        std::fs::rename(&room.project, room.path().join("away")).unwrap();
        let error = refused(&room, reply("c_none")).await;
        assert_eq!(error.code, code, "{age}: {error}");
    }
}
