//! What others put under the names of our copies, in any number: it is no reason to remove ours, and holds up no
//! request.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::room::conversation::{PAGE, select};
use crate::room::{Room, comment, creates, open_tab};

/// Of most requests: a machine under load takes a second for one that waits for nothing, and now and then several.
const AT_ONCE: Duration = Duration::from_secs(3);

fn ours(room: &Room, folder: &str) -> PathBuf {
    room.project.join(".opentoolbar").join(folder)
}

fn names(directory: &Path) -> Vec<String> {
    let names = std::fs::read_dir(directory).unwrap();
    names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn plant(path: &Path) {
    // By one handle: an earlier look may remove it meanwhile.
    let mut file = std::fs::File::create(path).unwrap();
    std::io::Write::write_all(&mut file, b"x").unwrap();
    // Newer than everything that is ours.
    file.set_modified(SystemTime::now() + Duration::from_secs(1_000)).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_that_others_bring_are_no_reason_to_remove_ours() {
    let room = Room::new();
    let browser = room.browser().await;
    for tab in ["s_1", "s_2"] {
        open_tab(&browser, tab, PAGE, &room.project).await;
    }
    let mut pictures = vec!["s_1_ctx.png".to_owned()];
    for _ in 0..5 {
        pictures.push(format!("{}.png", select(&browser, "s_1", "BUTTON").await));
    }
    let folder = ours(&room, "screenshots");
    for number in 0..450 {
        plant(&folder.join(format!("ctx_planted{number}.png")));
        plant(&folder.join(format!("s_planted{number}_ctx.png")));
    }
    std::fs::File::create(folder.join("ctx_large.png")).unwrap().set_len(600 << 20).unwrap();
    pictures.push(format!("{}.png", select(&browser, "s_2", "BUTTON").await));
    let left = names(&folder);
    assert!(pictures.iter().all(|ours| left.contains(ours)), "of {pictures:?} there are {left:?}");
    assert!(left.len() > 900, "what others put there stays: {}", left.len());
    // One of ours that somebody made large is none.
    std::fs::File::create(folder.join(&pictures[3])).unwrap().set_len(600 << 20).unwrap();
    pictures.push(format!("{}.png", select(&browser, "s_2", "BUTTON").await));
    let left = names(&folder);
    assert!(pictures.iter().all(|ours| left.contains(ours)), "of {pictures:?} there are {left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_thousand_sessions_that_others_bring_hold_up_no_request_and_remove_none_of_ours() {
    let room = Room::new();
    let browser = room.browser().await;
    for tab in ["s_1", "s_2"] {
        open_tab(&browser, tab, PAGE, &room.project).await;
    }
    select(&browser, "s_1", "BUTTON").await;
    let folder = ours(&room, "sessions");
    let is_ours =
        |name: &str| std::fs::read_to_string(folder.join(name)).is_ok_and(|text| text.contains("Buy now"));
    room.wait_until("the session has a file", || is_ours("s_1.json"));
    for number in 0..19_900 {
        plant(&folder.join(format!("s_planted{number}.json")));
    }
    select(&browser, "s_2", "BUTTON").await;
    let mut took = Vec::new();
    let (began, mut number) = (Instant::now(), 0);
    while names(&folder).len() > 10 || began.elapsed() < Duration::from_secs(1) {
        assert!(began.elapsed() < Duration::from_secs(120), "what others brought stays");
        let asked = Instant::now();
        browser.request(creates("s_1", comment(&format!("c_{number}"), PAGE, "x"))).await.unwrap();
        took.push(asked.elapsed());
        number += 1;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    took.sort_unstable();
    // Each of them has the copies looked at.
    assert!(took[took.len() / 2] < AT_ONCE, "requests took {took:?}");
    room.wait_until("both have a file", || is_ours("s_1.json") && is_ours("s_2.json"));
    room.wait_until("the others are gone", || names(&folder).len() == 2);
    // In the place of one of ours.
    plant(&folder.join("s_1.json"));
    browser.request(creates("s_1", comment("c_last", PAGE, "x"))).await.unwrap();
    room.wait_until("it is ours again", || is_ours("s_1.json"));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_directories_that_were_in_the_way_the_latest_few_stay() {
    let room = Room::new();
    let folder = ours(&room, "");
    for number in 0..6 {
        std::fs::create_dir_all(folder.join(format!(".in-the-way-{number:016x}/sessions"))).unwrap();
    }
    std::fs::create_dir_all(folder.join(".gitignore")).unwrap();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "x"))).await.unwrap();
    let count = || names(&folder).iter().filter(|name| name.starts_with(".in-the-way-")).count();
    room.wait_until("three are left", || count() == 3);
    assert!(folder.join(".gitignore").is_file());
}
