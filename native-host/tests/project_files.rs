//! What the hub writes into a project, whatever stands there: a project may come from a stranger, with links, pipes and
//! devices under the names of our files. Nothing is opened through them, and one that is in the way stops no other.
#![cfg(unix)]

use crate::room;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::room::conversation::{PAGE, PNG, id, say, select_as, tab};
use crate::room::{Room, comment, creates, open_tab};
use opentoolbar::hub::client::Client;
use opentoolbar_core::protocol::{Answer, ErrorBody, Request};

/// A comment, a selection with pictures and a message: one change of every file.
async fn change_everything(browser: &Client, number: u32) {
    let words = format!("make it blue, {number}");
    browser.request(creates("s_1", comment(&format!("c_{number}"), PAGE, &words))).await.unwrap();
    select_as(browser, ("s_1", &format!("ctx_{number}")), "BUTTON", Some(PNG)).await.unwrap();
    say(browser, "s_1", &format!("ctx_{number}"), &words).await.unwrap();
}

fn says(path: &Path, words: &str) -> bool {
    // Not through whatever a test has put there.
    std::fs::symlink_metadata(path).is_ok_and(|there| there.is_file())
        && std::fs::read_to_string(path).is_ok_and(|text| text.contains(words))
}

fn wait_for_copies(room: &Room, number: u32) {
    let words = format!("make it blue, {number}");
    room.wait_until("feedback.md says it", || says(&room.ours().join("feedback.md"), &words));
    wait_for_session_file(room, number);
}

/// It tells the oldest message, and what is selected now.
fn wait_for_session_file(room: &Room, number: u32) {
    let selected = format!("ctx_{number}");
    room.wait_until("the session's file says it", || says(&room.ours().join("sessions/s_1.json"), &selected));
}

/// What may stand in a file's place.
#[derive(Clone, Copy, Debug)]
enum Obstacle {
    LinkToDevice,
    LinkToFile,
    LinkToNothing,
    Pipe,
    Socket,
    HardLink,
}

const OBSTACLES: [Obstacle; 6] = [
    Obstacle::LinkToDevice,
    Obstacle::LinkToFile,
    Obstacle::LinkToNothing,
    Obstacle::Pipe,
    Obstacle::Socket,
    Obstacle::HardLink,
];

const MINE: &str = "what nobody may touch";

impl Obstacle {
    fn put(self, at: &Path, mine: &Path) {
        let _ = std::fs::remove_file(at);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        match self {
            Self::LinkToDevice => symlink("/dev/zero", at).unwrap(),
            Self::LinkToFile => symlink(mine, at).unwrap(),
            Self::LinkToNothing => symlink(mine.with_extension("none"), at).unwrap(),
            Self::Pipe => {
                assert!(std::process::Command::new("mkfifo").arg(at).status().unwrap().success());
            }
            Self::Socket => drop(std::os::unix::net::UnixListener::bind(at).unwrap()),
            Self::HardLink => std::fs::hard_link(mine, at).unwrap(),
        }
    }
}

const FILES: [&str; 6] = [
    "feedback.md",
    "sessions/s_1.json",
    "screenshots/ctx_2.png",
    "screenshots/ctx_2.viewport.png",
    "screenshots/s_1_ctx.png",
    ".gitignore",
];

/// `before`: the hub has not seen the project yet.
async fn obstacle_is_replaced(obstacle: Obstacle, before: bool) {
    let room = Room::new();
    let mine = room.path().join("mine");
    std::fs::write(&mine, MINE).unwrap();
    let written = std::fs::metadata(&mine).unwrap().mtime_nsec();
    let put = || FILES.iter().for_each(|name| obstacle.put(&room.ours().join(name), &mine));
    // What it takes is bounded: a device that never ends must not take the machine along.
    let mut hub = room.hub_within(4 * 1024 * 1024 * 1024);
    if before {
        put();
    }
    let browser = tab(&room).await;
    change_everything(&browser, 1).await;
    if !before {
        wait_for_copies(&room, 1);
        put();
    }
    change_everything(&browser, 2).await;
    wait_for_copies(&room, 2);
    for name in FILES {
        let there = std::fs::symlink_metadata(room.ours().join(name)).unwrap();
        assert!(there.is_file() && there.nlink() == 1, "{obstacle:?} {name}: {there:?}");
    }
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), MINE, "{obstacle:?}");
    assert_eq!(std::fs::metadata(&mine).unwrap().mtime_nsec(), written, "{obstacle:?}");
    assert!(!mine.with_extension("none").exists(), "{obstacle:?}");
    room::end(hub.id());
    hub.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stands_in_the_place_of_a_file_before_the_hub_is_replaced_and_never_opened() {
    for obstacle in OBSTACLES {
        obstacle_is_replaced(obstacle, true).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_put_in_the_place_of_a_file_while_the_hub_runs_is_replaced_and_never_opened() {
    for obstacle in OBSTACLES {
        obstacle_is_replaced(obstacle, false).await;
    }
}

fn log_lines(room: &Room, with: &str) -> usize {
    let log = std::fs::read_to_string(room.home.logs().join("hub.log")).unwrap();
    log.lines().filter(|line| line.contains(with)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_in_the_place_of_one_file_stops_no_other_and_is_said_once() {
    let room = Room::new();
    let report = room.ours().join("feedback.md");
    std::fs::create_dir_all(report.join("in the way")).unwrap();
    let browser = tab(&room).await;
    for number in 1..4 {
        change_everything(&browser, number).await;
        wait_for_session_file(&room, number);
        // The report is tried a moment later than the session.
        tokio::time::sleep(Duration::from_millis(600)).await;
    }
    assert_eq!(log_lines(&room, "feedback.md"), 1);
    assert!(report.join("in the way").is_dir());
    std::fs::remove_dir_all(&report).unwrap();
    change_everything(&browser, 4).await;
    wait_for_copies(&room, 4);
    // What was mended may break again, which is news.
    std::fs::remove_file(&report).unwrap();
    std::fs::create_dir_all(report.join("in the way")).unwrap();
    change_everything(&browser, 5).await;
    room.wait_until("it is said again", || log_lines(&room, "feedback.md") == 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_in_the_place_of_the_sessions_goes_and_leads_nowhere() {
    let room = Room::new();
    let elsewhere = room.path().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    std::fs::create_dir_all(room.ours()).unwrap();
    symlink(&elsewhere, room.ours().join("sessions")).unwrap();
    let browser = tab(&room).await;
    for number in 1..4 {
        change_everything(&browser, number).await;
        let words = format!("make it blue, {number}");
        room.wait_until("feedback.md says it", || says(&room.ours().join("feedback.md"), &words));
    }
    wait_for_copies(&room, 3);
    assert!(std::fs::read_dir(&elsewhere).unwrap().next().is_none());
}

/// Swaps what stands at a name for a link and back, as fast as it can, until dropped.
struct Swapping {
    stop: std::sync::Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<u32>>,
}

impl Swapping {
    fn new(at: PathBuf, target: PathBuf) -> Self {
        let stop = std::sync::Arc::new(AtomicBool::new(false));
        let stopped = std::sync::Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let name = at.file_name().unwrap().to_str().unwrap();
            let (aside, link) =
                (at.with_file_name(format!("aside {name}")), at.with_file_name(format!("link {name}")));
            let mut swaps = 0;
            while !stopped.load(Ordering::Relaxed) {
                if std::fs::rename(&at, &aside).is_err() {
                    continue;
                }
                symlink(&target, &link).unwrap();
                // Not over what the hub may have made meanwhile.
                if std::fs::symlink_metadata(&at).is_err() && std::fs::rename(&link, &at).is_ok() {
                    swaps += 1;
                }
                std::thread::sleep(Duration::from_micros(200));
                let is_link = |path: &Path| {
                    std::fs::symlink_metadata(path).is_ok_and(|there| there.file_type().is_symlink())
                };
                if is_link(&at) {
                    let _ = std::fs::remove_file(&at);
                }
                let _ = std::fs::remove_file(&link);
                if std::fs::rename(&aside, &at).is_err() {
                    let _ = std::fs::remove_dir_all(&aside).or_else(|_| std::fs::remove_file(&aside));
                }
                std::thread::sleep(Duration::from_micros(200));
            }
            swaps
        });
        Self { stop, thread: Some(thread) }
    }

    /// How often there was a link.
    fn finish(mut self) -> u32 {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_is_swapped_in_while_the_hub_writes_leads_nowhere() {
    for name in ["sessions", "screenshots", ".", "feedback.md", "sessions/s_1.json"] {
        let room = Room::new();
        let browser = tab(&room).await;
        change_everything(&browser, 0).await;
        wait_for_copies(&room, 0);
        let elsewhere = room.path().join("elsewhere");
        let is_file = name.contains("s_1") || name.contains(".md");
        if is_file {
            std::fs::write(&elsewhere, MINE).unwrap();
        } else {
            std::fs::create_dir(&elsewhere).unwrap();
        }
        let at = if name == "." { room.ours() } else { room.ours().join(name) };
        let swapping = Swapping::new(at, elsewhere.clone());
        for number in 1..60 {
            // A picture that cannot be put anywhere is refused or left out; here it matters where it goes alone.
            let _ = select_as(&browser, ("s_1", &format!("ctx_{number}")), "BUTTON", Some(PNG)).await;
            let words = format!("make it blue, {number}");
            let _ = browser.request(creates("s_1", comment(&format!("c_{number}"), PAGE, &words))).await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(swapping.finish() > 10, "{name}: the test has not swapped anything");
        if is_file {
            assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), MINE, "{name}");
        } else {
            let there: Vec<_> = std::fs::read_dir(&elsewhere).unwrap().map(Result::unwrap).collect();
            assert!(there.is_empty(), "{name}: {there:?}");
        }
    }
}

/// What a kill in the middle of a write leaves: ours by its name, a file, and a while old.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_kill_left_half_written_is_swept_and_nothing_else() {
    let room = Room::new();
    room.home.ensure().unwrap();
    let mine = room.path().join("mine");
    std::fs::write(&mine, MINE).unwrap();
    let old = std::time::SystemTime::now() - Duration::from_secs(600);
    let places =
        [room.ours(), room.ours().join("sessions"), room.ours().join("screenshots"), room.home.dir().into()];
    for place in &places {
        std::fs::create_dir_all(place.join(".writing-folder")).unwrap();
        for name in [
            ".writing-Ab3xYz",
            ".writing-0123456789abcdef",
            ".writing-fresh1",
            ".writing-not ours",
            "kept.md",
        ] {
            std::fs::write(place.join(name), "half").unwrap();
            let file = std::fs::File::options().write(true).open(place.join(name)).unwrap();
            if name != ".writing-fresh1" {
                file.set_modified(old).unwrap();
            }
        }
        symlink(&mine, place.join(".writing-link12")).unwrap();
        std::fs::hard_link(place.join("kept.md"), place.join(".writing-hard12")).unwrap();
    }
    let browser = tab(&room).await;
    change_everything(&browser, 1).await;
    wait_for_copies(&room, 1);
    for place in &places {
        let has = |name: &str| place.join(name).symlink_metadata().is_ok();
        for name in [".writing-Ab3xYz", ".writing-0123456789abcdef"] {
            room.wait_until("it is swept", || !has(name));
        }
        for name in [".writing-fresh1", ".writing-not ours", "kept.md", ".writing-folder", ".writing-link12"]
        {
            assert!(has(name), "{} {name}", place.display());
        }
    }
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), MINE);
}

/// What an agent is told of the pictures of the selection, and of a comment's.
async fn pictures(
    room: &Room,
    agent: &Client,
) -> (Option<String>, Option<String>, Result<String, ErrorBody>) {
    let told = room::conversation::context(agent, None).await;
    let of_comment = match agent.request(Request::GetScreenshot { comment_id: "c_1".parse().unwrap() }).await
    {
        Ok(Answer::Screenshot { path }) => Ok(path),
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error),
    };
    for path in [&told.screenshot_path, &told.viewport_screenshot_path].into_iter().flatten() {
        assert!(Path::new(path).starts_with(room.ours()), "{path}");
    }
    (told.screenshot_path, told.viewport_screenshot_path, of_comment)
}

async fn make_pictures(browser: &Client) {
    let create = Request::CreateComment {
        session_id: id("s_1"),
        comment: Box::new(comment("c_1", PAGE, "make it blue")),
        screenshot: Some(PNG.into()),
    };
    browser.request(create).await.unwrap();
    select_as(browser, ("s_1", "ctx_1"), "BUTTON", Some(PNG)).await.unwrap();
}

const PICTURES: [&str; 3] = ["ctx_1.png", "ctx_1.viewport.png", "c_1.png"];

/// Somebody who can write into the project, by a pull or by hand, shows an agent a picture of theirs.
#[tokio::test(flavor = "multi_thread")]
async fn a_picture_that_is_not_the_one_that_was_taken_is_not_served() {
    let mut theirs = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, PNG).unwrap();
    let last = theirs.last_mut().unwrap();
    // As long as the one that was taken, and a PNG to whoever looks at its first bytes alone.
    *last ^= 1;
    for restart in [false, true] {
        let room = Room::new();
        let (browser, agent) = (tab(&room).await, room.agent("a").await);
        make_pictures(&browser).await;
        let told = pictures(&room, &agent).await;
        assert!(told.0.is_some() && told.1.is_some() && told.2.is_ok(), "{told:?}");
        let folder = room.ours().join("screenshots");
        let taken: Vec<_> = PICTURES.iter().map(|name| std::fs::read(folder.join(name)).unwrap()).collect();
        for by_hand in [false, true] {
            for name in PICTURES {
                if !by_hand {
                    std::fs::remove_file(folder.join(name)).unwrap();
                }
                std::fs::write(folder.join(name), &theirs).unwrap();
            }
            if restart {
                room::end(room.pid().unwrap());
                open_tab(&browser, "s_1", PAGE, &room.project).await;
            }
            let told = pictures(&room, &agent).await;
            assert!(told.0.is_none() && told.1.is_none(), "{told:?}");
            let refused = told.2.unwrap_err();
            assert!(refused.message.contains("not the one that was taken"), "{refused}");
            assert!(refused.next_step.contains("snapshot"), "{refused}");
        }
        // Each obstacle, and a file that is larger than any picture of ours.
        let mine = room.path().join("mine");
        std::fs::write(&mine, &taken[0]).unwrap();
        for obstacle in OBSTACLES.into_iter().filter(|obstacle| !matches!(obstacle, Obstacle::HardLink)) {
            PICTURES.iter().for_each(|name| obstacle.put(&folder.join(name), &mine));
            let told = pictures(&room, &agent).await;
            assert!(told.0.is_none() && told.1.is_none() && told.2.is_err(), "{obstacle:?} {told:?}");
        }
        for name in PICTURES {
            std::fs::remove_file(folder.join(name)).unwrap();
            std::fs::File::create(folder.join(name)).unwrap().set_len(1 << 40).unwrap();
        }
        let told = pictures(&room, &agent).await;
        assert!(told.0.is_none() && told.1.is_none() && told.2.is_err(), "{told:?}");
        // The right ones, put back.
        for (name, content) in PICTURES.iter().zip(&taken) {
            std::fs::remove_file(folder.join(name)).unwrap();
            std::fs::write(folder.join(name), content).unwrap();
        }
        let told = pictures(&room, &agent).await;
        assert!(told.0.is_some() && told.1.is_some() && told.2.is_ok(), "{told:?}");
    }
}

/// Names of pictures come from ids alone; those of an import or of a stranger's file are no pictures of ours.
#[tokio::test(flavor = "multi_thread")]
async fn a_picture_for_a_comment_that_has_none_is_not_served() {
    let room = Room::new();
    let (browser, agent) = (tab(&room).await, room.agent("a").await);
    browser.request(creates("s_1", comment("c_1", PAGE, "make it blue"))).await.unwrap();
    let folder = room.ours().join("screenshots");
    std::fs::create_dir_all(&folder).unwrap();
    let png = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, PNG).unwrap();
    std::fs::write(folder.join("c_1.png"), png).unwrap();
    let ask = Request::GetScreenshot { comment_id: "c_1".parse().unwrap() };
    let refused = agent.request(ask).await.unwrap_err();
    assert!(refused.message.contains("has no screenshot"), "{refused}");
}
