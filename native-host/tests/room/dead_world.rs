//! Projects of which one is on a disk that does not answer.
#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Duration;

use opentoolbar::hub::client::Client;
use opentoolbar_core::protocol::{Answer, ErrorBody, Request};

use super::conversation::PAGE;
use super::dead_mount::DeadMount;
use super::{Room, comment, creates, open_tab};

/// Two seconds is what a hub may take to leave; the rest is for a machine under load. Without the promise it never
/// ends.
pub const SOON: Duration = Duration::from_secs(12);
pub const DEAD_PAGE: &str = "https://dead.test/";
pub const THIRD_PAGE: &str = "https://third.test/";

/// What an earlier hub knew of three projects, and the disk of one of them dead.
pub struct World {
    pub dead: DeadMount,
    pub dead_root: PathBuf,
    pub hub: Child,
    pub room: Room,
}

impl World {
    /// `None` where no such disk can be made.
    pub async fn new() -> Option<Self> {
        let room = Room::new();
        let dead_root = room.path().join("dead");
        let third = room.path().join("third");
        for root in [&dead_root, &third] {
            std::fs::create_dir(root).unwrap();
        }
        let mut hub = room.hub();
        let browser = room.browser().await;
        let projects = [
            ("s_dead", DEAD_PAGE, &dead_root),
            ("s_good", PAGE, &room.project),
            ("s_third", THIRD_PAGE, &third),
        ];
        for (id, page, root) in projects {
            open_tab(&browser, id, page, root).await;
            browser.request(creates(id, comment(&format!("c_{id}"), page, "x"))).await.unwrap();
        }
        drop(browser);
        leave(&hub);
        assert!(hub.wait().unwrap().success());
        let Some(dead) = DeadMount::new(&dead_root) else {
            eprintln!("skipped: this needs root and /dev/fuse");
            return None;
        };
        let hub = room.hub();
        Some(Self { dead, dead_root, hub, room })
    }

    pub async fn browser(&self) -> Client {
        soon("hello", self.room.browser()).await
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.hub.kill();
        let _ = self.hub.wait();
    }
}

pub fn leave(hub: &Child) {
    assert!(Command::new("kill").args(["-TERM", &hub.id().to_string()]).status().unwrap().success());
}

pub async fn soon<T>(what: &str, work: impl Future<Output = T>) -> T {
    tokio::time::timeout(SOON, work).await.unwrap_or_else(|_| panic!("{what} does not end"))
}

pub async fn ask(client: &Client, what: &str, request: Request) -> Result<Answer, ErrorBody> {
    soon(what, client.request(request)).await
}
