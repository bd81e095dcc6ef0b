//! What is put in the place of a project's directory while the hub runs is not the project: nothing is written there.
#![cfg(unix)]

use crate::room;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Command;

use crate::room::conversation::{PAGE, PNG, id, say, selection};
use crate::room::{Room, comment, creates, feedback, open_tab};
use opentoolbar::hub::client::Client;
use opentoolbar_core::protocol::{FeedbackQuery, Request, SetContext};

/// A comment with a picture, a selection with pictures and a message: one change of every copy.
async fn change_everything(browser: &Client, number: u32) {
    let Request::CreateComment { session_id, comment, .. } =
        creates("s_1", comment(&format!("c_{number}"), PAGE, &format!("make it blue, {number}")))
    else {
        panic!()
    };
    let create = Request::CreateComment { session_id, comment, screenshot: Some(PNG.into()) };
    browser.request(create).await.unwrap();
    let context = format!("ctx_{number}");
    let set = SetContext {
        context_id: Some(context.parse().unwrap()),
        selection: selection("BUTTON"),
        screenshot: Some(PNG.into()),
        viewport_screenshot: Some(PNG.into()),
    };
    browser.request_in(&id("s_1"), Request::SetContext(Box::new(set))).await.unwrap();
    say(browser, "s_1", &context, "hello").await.unwrap();
}

fn names(directory: &Path) -> Vec<std::ffi::OsString> {
    let entries = std::fs::read_dir(directory).unwrap();
    entries.map(|entry| entry.unwrap().file_name()).collect()
}

fn says(directory: &Path, words: &str) -> bool {
    std::fs::read_to_string(directory.join(".opentoolbar/feedback.md")).is_ok_and(|text| text.contains(words))
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_written_into_what_took_the_place_of_a_projects_directory() {
    for what in ["a link", "another directory", "a link above it"] {
        let room = Room::new();
        let mut hub = room.hub();
        let above = room.path().join("work");
        let root = above.join("shop");
        std::fs::create_dir_all(&root).unwrap();
        let browser = room.browser().await;
        open_tab(&browser, "s_1", PAGE, &root).await;
        let agent = room.agent_in("a", &root).await;
        change_everything(&browser, 1).await;
        room.wait_until("the copies are there", || says(&root, "make it blue, 1"));
        room.wait_until("the history is there", || root.join(".opentoolbar/history.db").exists());

        let elsewhere = room.path().join("elsewhere");
        let (theirs, aside) = (elsewhere.join("shop"), room.path().join("aside"));
        std::fs::create_dir_all(&theirs).unwrap();
        let moved = if what == "a link above it" { &above } else { &root };
        std::fs::rename(moved, &aside).unwrap();
        match what {
            "a link" => std::os::unix::fs::symlink(&theirs, &root).unwrap(),
            "a link above it" => std::os::unix::fs::symlink(&elsewhere, &above).unwrap(),
            _ => std::fs::rename(&theirs, &root).unwrap(),
        }
        change_everything(&browser, 2).await;
        // Longer than any of the copies takes.
        tokio::time::sleep(std::time::Duration::from_secs(3)).await;
        let there = names(&root);
        assert!(there.is_empty(), "{what}: {there:?}");
        // It is stored, with its picture.
        assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1", "c_2"], "{what}");
        let ask = Request::GetScreenshot { comment_id: "c_2".parse().unwrap() };
        let picture = format!("{:?}", agent.request(ask).await.unwrap());
        assert!(picture.contains(room.home.dir().to_str().unwrap()), "{what}: {picture}");
        let log = std::fs::read_to_string(room.home.logs().join("hub.log")).unwrap();
        let said = log.lines().filter(|line| line.contains("put in its place")).count();
        assert!((1..=3).contains(&said), "{what}: {log}");
        // An agent that is started in what is there now says that it is the project; through a link it is in another
        // one.
        let _other = room.agent_in("b", &root).await;
        if what == "another directory" {
            change_everything(&browser, 3).await;
            room.wait_until("copies are there", || says(&root, "make it blue, 3"));
        } else {
            change_everything(&browser, 3).await;
            tokio::time::sleep(std::time::Duration::from_millis(600)).await;
            assert!(names(&theirs).is_empty(), "{what}");
        }
        room::end(hub.id());
        hub.wait().unwrap();
    }
}

/// The project is what is mounted. What is kept of it is in the home, and goes on; its copies wait for the disk.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_written_into_the_empty_directory_that_a_projects_disk_is_mounted_on() {
    let mount =
        |args: &[&str], at: &Path| Command::new("mount").args(args).arg(at).status().unwrap().success();
    let unmount = |at: &Path| assert!(Command::new("umount").arg("-l").arg(at).status().unwrap().success());
    for is_hub_new in [false, true] {
        let room = Room::new();
        let (disk, root) = (room.path().join("disk"), room.path().join("mounted"));
        for directory in [&disk, &root] {
            std::fs::create_dir(directory).unwrap();
        }
        if !mount(&["-t", "tmpfs", "-o", "size=8m", "tmpfs"], &disk) {
            eprintln!("skipped: this needs root");
            return;
        }
        let bind = || assert!(mount(&["--bind", disk.to_str().unwrap()], &root));
        bind();
        std::fs::write(root.join("package.json"), "{}").unwrap();
        let mut hub = room.hub();
        let mut browser = room.browser().await;
        open_tab(&browser, "s_1", PAGE, &root).await;
        change_everything(&browser, 1).await;
        room.wait_until("the copies are there", || says(&root, "make it blue, 1"));
        unmount(&root);
        if is_hub_new {
            room::end(hub.id());
            hub.wait().unwrap();
            hub = room.hub();
            browser = room.browser().await;
            open_tab(&browser, "s_1", PAGE, &root).await;
        }
        change_everything(&browser, 2).await;
        // Longer than any of the copies takes.
        tokio::time::sleep(std::time::Duration::from_secs(3)).await;
        let there = names(&root);
        assert!(there.is_empty(), "{is_hub_new}: {there:?}");
        bind();
        change_everything(&browser, 3).await;
        room.wait_until("the copies are there", || says(&root, "make it blue, 3"));
        assert!(says(&root, "make it blue, 2"));
        room::end(hub.id());
        hub.wait().unwrap();
        unmount(&root);
        unmount(&disk);
    }
}
