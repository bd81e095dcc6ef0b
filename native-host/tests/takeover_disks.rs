//! What an earlier version kept in a project is not decided by a disk that fails, or is full, when it is first asked for.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)]

mod room;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use opentoolbar_core::model::CommentChange;
use opentoolbar_core::protocol::{ErrorCode, FeedbackQuery, Request};
use room::dead_mount::DeadMount;
use room::earlier::{PAGE, earlier, ids, offers, tab};
use room::{Room, changes, comment, creates};

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
