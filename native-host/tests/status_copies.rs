//! What cannot be put right in a project's `.opentoolbar/` is told by `opentoolbar status`, until it is put right.
#![cfg(unix)]

use std::path::Path;
use std::time::Duration;

use crate::room::{Room, comment, creates, hello, open_tab};
use opentoolbar_core::protocol::{Answer, Request, Role};
use serde_json::Value;

const PAGE: &str = "http://shop.test/";

fn status(room: &Room, args: &[&str]) -> String {
    let done = room.program().arg("status").args(args).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    String::from_utf8(done.stdout).unwrap()
}

/// What programs are told of the project.
fn copies(room: &Room) -> Vec<Value> {
    let status: Value = serde_json::from_str(&status(room, &["--json"])).unwrap();
    let copies = status["copies"].as_array().unwrap().clone();
    assert!(copies.iter().all(|one| one["project"]["root"] == room.project.to_str().unwrap()), "{copies:?}");
    copies
}

fn is_about(copies: &[Value], words: &str) -> bool {
    copies.iter().any(|one| one["message"].as_str().unwrap().contains(words))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_in_the_way_in_a_project_is_told_until_it_is_gone() {
    let room = Room::new();
    let ours = room.project.join(".opentoolbar");
    let report = ours.join("feedback.md");
    std::fs::create_dir_all(report.join("in the way")).unwrap();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    assert!(copies(&room).is_empty(), "nothing was to be written yet");
    browser.request(creates("s_1", comment("c_1", PAGE, "make it blue"))).await.unwrap();
    room.wait_until("it is told", || is_about(&copies(&room), "feedback.md is a directory"));
    let text = status(&room, &[]);
    let root = room.project.to_str().unwrap();
    assert!(text.contains("Not put right in projects:") && text.contains(root), "{text}");
    assert!(text.contains("feedback.md") && text.contains("Move it away, or delete it"), "{text}");

    // An agent of another project hears nothing of it.
    let other = room.path().join("blog");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("package.json"), "{}").unwrap();
    let agent = room.connector().connect(hello(Role::Agent, "a", Some(Path::new(&other)))).await.unwrap();
    let Answer::Status { copies: told, .. } = agent.request(Request::Status).await.unwrap() else { panic!() };
    assert!(told.is_empty(), "{told:?}");

    std::fs::remove_dir_all(&report).unwrap();
    let began = std::time::Instant::now();
    // Any request for the project has it tried again.
    while !copies(&room).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", copies(&room));
        browser.request(Request::ListComments { session_id: "s_1".parse().unwrap() }).await.unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert!(std::fs::read_to_string(&report).unwrap().contains("make it blue"));
    assert!(!status(&room, &[]).contains("Not put right"));
}
