//! What is kept of projects: offered when it may be a stranger's or when a project has moved, and listed, moved,
//! exported and deleted by `opentoolbar projects`.
#![cfg(target_os = "linux")]

use crate::room;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::room::earlier::{PAGE, done, earlier, ids, is_its_owners_alone, listed, offers, old, tab, verb};
use crate::room::{Room, comment, creates, feedback, open_tab};
use opentoolbar_core::model::Author;
use opentoolbar_core::protocol::{Answer, ErrorCode, FeedbackQuery, Request};
use serde_json::Value;

const STRANGER: &str = "imported from a file in the repository";

/// Damaged, missing, or written by a newer version.
#[tokio::test]
async fn a_record_that_cannot_be_read_stops_its_own_project_and_no_other() {
    for broken in ["missing", "", "{ torn", r#"{"version": 99, "root": "/", "firstUsed": 1, "lastUsed": 1}"#]
    {
        let room = Room::new();
        let browser = tab(&room).await;
        browser.request(creates("s_1", comment("c_1", PAGE, "mine"))).await.unwrap();
        let other = room.path().join("blog");
        std::fs::create_dir(&other).unwrap();
        open_tab(&browser, "s_2", "http://blog.test/", &other).await;
        browser.request(creates("s_2", comment("c_2", "http://blog.test/", "other"))).await.unwrap();
        let id = room.data().file_name().unwrap().to_str().unwrap().to_owned();
        room::end(room.pid().unwrap());
        let record = room.data().join("project.json");
        let whole = std::fs::read(&record).unwrap();
        match broken {
            "missing" => std::fs::remove_file(&record).unwrap(),
            _ => std::fs::write(&record, broken).unwrap(),
        }
        let agent = room.agent("a").await;
        let refused = agent.request(Request::GetFeedback(FeedbackQuery::default())).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Storage);
        assert!(
            refused.message.contains("project.json") && refused.next_step.contains("aside"),
            "{broken}: {refused}"
        );
        tab_is_told(&room, broken).await;
        let root = room.project.to_str().unwrap();
        for args in [
            &["export"][..],
            &["search", "mine"],
            &["projects", "export", root],
            &["projects", "export", &id],
            &["projects", "delete", root, "--yes"],
            &["projects", "move", root, room.path().to_str().unwrap()],
        ] {
            let refused = verb(&room, args);
            let said = String::from_utf8_lossy(&refused.stderr);
            assert!(
                !refused.status.success() && said.contains("project.json"),
                "{broken} {args:?}: {refused:?}"
            );
        }
        // Others go on, and the list says which one does not.
        let agent = room.agent_in("b", &other).await;
        assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_2"], "{broken}");
        let list = verb(&room, &["projects"]);
        let (said, warned) = (String::from_utf8_lossy(&list.stdout), String::from_utf8_lossy(&list.stderr));
        assert!(said.contains(other.to_str().unwrap()) && warned.contains("project.json"), "{list:?}");
        // Nothing is lost, and no hub need be started anew.
        std::fs::write(&record, whole).unwrap();
        assert_eq!(ids(&room).await, ["c_1"], "{broken}");
    }
}

async fn tab_is_told(room: &Room, broken: &str) {
    let browser = tab(room).await;
    let refused = browser.request(creates("s_1", comment("c_3", PAGE, "later"))).await.unwrap_err();
    assert!(refused.message.contains("project.json"), "{broken}: {refused}");
}

#[tokio::test]
async fn what_is_accepted_stands_as_a_strangers_words() {
    let room = Room::new();
    earlier(&room, false).await;
    std::fs::remove_file(room.home.registry()).unwrap();
    let browser = tab(&room).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "mine"))).await.unwrap();
    let offer = offers(&room).remove(0);
    let agent = room.agent("a").await;
    let answer = |accept| Request::AnswerOffer {
        root: room.project.to_str().unwrap().into(),
        offer_id: offer.id.clone(),
        accept,
    };
    assert_eq!(agent.request(answer(true)).await.unwrap_err().code, ErrorCode::Forbidden);
    let text = done(&room, &["projects", "accept", &offer.id]);
    assert!(text.contains("somebody else's: 1 comment.") && text.contains("1 were there already"), "{text}");
    let of = |id: &str| Request::GetComment { comment_id: id.parse().unwrap() };
    let mine = room::the_comment(agent.request(of("c_1")).await.unwrap());
    assert_eq!((mine.text.as_str(), &mine.author), ("mine", &Author::Person), "ours is not written over");
    let theirs = room::the_comment(agent.request(of("c_2")).await.unwrap());
    assert_eq!(theirs.author, Author::Agent { name: STRANGER.into() });
    assert!(offers(&room).is_empty(), "offered once");
    assert_eq!(browser.request(answer(true)).await.unwrap_err().code, ErrorCode::Conflict);
}

#[tokio::test]
async fn what_is_declined_is_not_offered_again_until_its_content_is_another() {
    let room = Room::new();
    earlier(&room, false).await;
    std::fs::remove_file(room.home.registry()).unwrap();
    let browser = tab(&room).await;
    let Answer::Offers { offers: seen, .. } =
        browser.request(Request::ListOffers { session_id: "s_1".parse().unwrap() }).await.unwrap()
    else {
        panic!("no offers");
    };
    let [offer] = &seen[..] else { panic!("{seen:?}") };
    let decline = Request::AnswerOffer {
        root: room.project.to_str().unwrap().into(),
        offer_id: offer.id.clone(),
        accept: false,
    };
    browser.request(decline).await.unwrap();
    room::end(room.pid().unwrap());
    assert!(offers(&room).is_empty());
    assert!(!room.database().exists(), "declining makes no database");
    let database = rusqlite::Connection::open(old(&room)).unwrap();
    database.execute_batch("DELETE FROM comments WHERE id = 'c_1'; VACUUM").unwrap();
    drop(database);
    assert_eq!(offers(&room).len(), 1);
}

/// How much of it was in memory at most, in KiB; `None` when the process is gone.
fn resident_kib(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The processes that a hub has started and that are there.
fn children(hub: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{hub}/task")).unwrap();
    let of = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("children"));
    let lists = threads.flatten().filter_map(|thread| of(thread).ok());
    lists
        .flat_map(|list| list.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<_>>())
        .collect()
}

/// While something goes on: the most memory that a child of the hub had, in KiB; 0 when none was seen.
struct Watch {
    is_over: Arc<AtomicBool>,
    most: JoinHandle<u64>,
}

impl Watch {
    fn on(hub: u32) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let most = std::thread::spawn(move || {
            let mut most = 0;
            while !over.load(Ordering::Relaxed) {
                most = children(hub).into_iter().filter_map(resident_kib).fold(most, u64::max);
                std::thread::sleep(Duration::from_millis(2));
            }
            most
        });
        Self { is_over, most }
    }

    fn end(self) -> u64 {
        self.is_over.store(true, Ordering::Relaxed);
        self.most.join().unwrap()
    }
}

/// An examination may take 20 s, which a busy machine makes longer; and as much memory.
const EXAMINED_WITHIN: Duration = Duration::from_secs(60);
const EXAMINED_IN_KIB: u64 = 512 * 1024;

/// Puts a database with so many tables of such columns in the project.
fn hostile(room: &Room, tables: u32, columns: &[String]) {
    std::fs::create_dir(room.project.join(".opentoolbar")).unwrap();
    let database = rusqlite::Connection::open(old(room)).unwrap();
    database
        .execute_batch("PRAGMA writable_schema = ON; CREATE TABLE comments (document TEXT); BEGIN")
        .unwrap();
    for number in 0..tables {
        let sql = format!("CREATE TABLE t{number} (a, {})", columns.join(", "));
        database
            .execute(
                "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('table', ?1, ?1, 2, ?2)",
                rusqlite::params![format!("t{number}"), sql],
            )
            .unwrap();
    }
    database.execute_batch("COMMIT").unwrap();
}

/// One that costs seconds to read.
#[tokio::test]
async fn a_hostile_schema_costs_the_hub_neither_memory_nor_its_life() {
    let columns: Vec<String> = (0..1_900).map(|n| format!("c{n} TEXT CHECK (c{n})")).collect();
    costs_little(500, &columns).await;
}

/// Each of its terms takes two bytes there and dozens here: a gigabyte together.
#[tokio::test]
async fn a_schema_that_takes_a_gigabyte_to_read_is_not_read() {
    let terms = vec!["1"; 500].join("+");
    let columns: Vec<String> = (0..190).map(|n| format!("c{n} DEFAULT ({terms})")).collect();
    costs_little(120, &columns).await;
}

async fn costs_little(tables: u32, columns: &[String]) {
    let room = Room::new();
    hostile(&room, tables, columns);
    let agent = room.agent("a").await;
    let offer = offers(&room).remove(0);
    let (watch, began) = (Watch::on(room.pid().unwrap()), Instant::now());
    let refused = verb(&room, &["projects", "accept", &offer.id]);
    let (took, examined) = (began.elapsed(), watch.end());
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("nothing can be taken over"), "{refused:?}");
    assert!(took < EXAMINED_WITHIN, "the answer took {took:?}");
    assert!(examined > 0 && examined <= EXAMINED_IN_KIB, "who reads it took {examined} KiB");
    let most = resident_kib(room.pid().unwrap()).unwrap();
    assert!(most < 200 * 1024, "the hub took {most} KiB");
    assert!(feedback(&agent, FeedbackQuery::default()).await.ids.is_empty());
}

#[tokio::test]
async fn a_project_that_moved_is_offered_its_data_and_takes_it_only_when_told_to() {
    for (to, by) in [("store", "the same directory"), ("elsewhere/shop", "the same name")] {
        let room = Room::new();
        tab(&room).await.request(creates("s_1", comment("c_1", PAGE, "mine"))).await.unwrap();
        room::end(room.pid().unwrap());
        let to = room.path().join(to);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        if by == "the same name" {
            // Cloned anew: another directory.
            std::fs::create_dir(&to).unwrap();
            std::fs::remove_dir_all(&room.project).unwrap();
        } else {
            std::fs::rename(&room.project, &to).unwrap();
        }
        let agent = room.agent_in("a", &to).await;
        assert!(feedback(&agent, FeedbackQuery::default()).await.ids.is_empty(), "{by}: not by itself");
        let at = |args: &[&str]| room.program().args(args).current_dir(&to).output().unwrap();
        let status = String::from_utf8(at(&["status"]).stdout).unwrap();
        assert!(status.contains("opentoolbar projects accept moved-shop-"), "{by}: {status}");
        let list: Value = serde_json::from_slice(&at(&["projects", "--json"]).stdout).unwrap();
        let offer = list["offers"][0]["id"].as_str().unwrap();
        let accepted = at(&["projects", "accept", offer]);
        assert!(String::from_utf8_lossy(&accepted.stdout).contains("1 comment"), "{by}: {accepted:?}");
        assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1"], "{by}");
        // Whoever is at the old place later is another project.
        let _ = std::fs::create_dir(&room.project);
        assert!(ids(&room).await.is_empty(), "{by}");
    }
}

/// Whatever is answered, it stays answered.
#[tokio::test]
async fn a_project_that_moved_is_asked_once() {
    for answer in ["accept", "decline"] {
        let room = Room::new();
        tab(&room).await.request(creates("s_1", comment("c_1", PAGE, "mine"))).await.unwrap();
        room::end(room.pid().unwrap());
        let to = room.path().join("store");
        std::fs::rename(&room.project, &to).unwrap();
        let own: &[&str] = if answer == "accept" { &["c_1"] } else { &[] };
        let at = |args: &[&str]| {
            let output = room.program().args(args).current_dir(&to).output().unwrap();
            assert!(output.status.success(), "{answer} {args:?}: {output:?}");
            String::from_utf8(output.stdout).unwrap()
        };
        let offered = || {
            let list: Value = serde_json::from_str(&at(&["projects", "--json"])).unwrap();
            list["offers"].as_array().unwrap().clone()
        };
        let agent = room.agent_in("a", &to).await;
        let offers = offered();
        assert_eq!(offers.len(), 1, "{answer}: {offers:?}");
        at(&["projects", answer, offers[0]["id"].as_str().unwrap()]);
        drop(agent);
        for after in ["the answer", "the next start", "another one"] {
            let agent = room.agent_in("a", &to).await;
            assert_eq!(offered(), Vec::<Value>::new(), "{answer}, after {after}");
            assert!(!at(&["status"]).contains("projects accept"), "{answer}, after {after}");
            assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, own, "{answer}, after {after}");
            room::end(room.pid().unwrap());
        }
    }
}

#[tokio::test]
async fn a_project_that_is_entered_through_a_link_is_one_project() {
    let room = Room::new();
    let browser = tab(&room).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "mine"))).await.unwrap();
    let link = room.path().join("link");
    std::os::unix::fs::symlink(&room.project, &link).unwrap();
    let agent = room.agent_in("a", &link).await;
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1"]);
    // A person that names the link, too.
    open_tab(&browser, "s_2", "http://blog.test/", &link).await;
    browser.request(creates("s_2", comment("c_2", "http://blog.test/", "through the link"))).await.unwrap();
    let exported = room.program().args(["export", "--json"]).current_dir(&link).output().unwrap();
    let exported = String::from_utf8(exported.stdout).unwrap();
    assert!(exported.contains("c_1") && exported.contains("c_2"), "{exported}");
    for restarted in [false, true] {
        let list = listed(&room);
        let roots: Vec<&Value> =
            list["projects"].as_array().unwrap().iter().map(|one| &one["root"]).collect();
        assert_eq!(roots, [room.project.to_str().unwrap()], "restarted: {restarted}");
        assert_eq!(list["offers"], Value::Array(Vec::new()), "restarted: {restarted}");
        assert_eq!(
            std::fs::read_dir(room.home.projects())
                .unwrap()
                .flatten()
                .filter(|one| one.path().is_dir())
                .count(),
            1
        );
        room::end(room.pid().unwrap());
    }
}

#[tokio::test]
async fn a_project_that_is_there_is_offered_nobody_elses_data() {
    let room = Room::new();
    tab(&room).await.request(creates("s_1", comment("c_1", PAGE, "mine"))).await.unwrap();
    let other = room.path().join("other/shop");
    std::fs::create_dir_all(&other).unwrap();
    let _agent = room.agent_in("a", &other).await;
    assert!(offers(&room).is_empty());
}

#[tokio::test]
async fn the_verb_lists_exports_moves_and_deletes() {
    let room = Room::new();
    assert!(done(&room, &["projects"]).contains("Nothing is kept"));
    let browser = tab(&room).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "make it blue"))).await.unwrap();
    let list = done(&room, &["projects", "list"]);
    assert!(list.contains(room.project.to_str().unwrap()) && !list.contains("Offered"), "{list}");
    let id = listed(&room)["projects"][0]["id"].as_str().unwrap().to_owned();
    // By path and by id, whole, also when the directory is gone.
    let aside = room.path().join("aside");
    std::fs::rename(&room.project, &aside).unwrap();
    let at = |args: &[&str]| room.program().args(args).current_dir(room.path()).output().unwrap();
    for name in [room.project.to_str().unwrap(), &id] {
        let exported: Value = serde_json::from_slice(&at(&["projects", "export", name]).stdout).unwrap();
        assert_eq!(exported["comments"][0]["id"], "c_1");
    }
    assert!(String::from_utf8_lossy(&at(&["projects"]).stdout).contains("the directory is gone"));
    // Moved, and its new place has it.
    let moved = at(&["projects", "move", &id, aside.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&moved.stdout).contains("1 comment"), "{moved:?}");
    let agent = room.agent_in("a", &aside).await;
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1"]);
    is_its_owners_alone(&room.data_of(&aside));
    let list: Value = serde_json::from_slice(&at(&["projects", "--json"]).stdout).unwrap();
    let id = list["projects"][0]["id"].as_str().unwrap().to_owned();
    assert!(id.starts_with("aside-"), "{id}");
    // Not onto something.
    std::fs::create_dir(&room.project).unwrap();
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_2", PAGE, "x"))).await.unwrap();
    let refused = at(&["projects", "move", aside.to_str().unwrap(), room.project.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("something is kept"), "{refused:?}");
    // Deleted only when it is sure, and then whole.
    let asked = at(&["projects", "delete", &id]);
    let says = String::from_utf8_lossy(&asked.stderr);
    assert!(
        asked.status.code() == Some(2) && says.contains("1 comment") && says.contains("projects export"),
        "{says}"
    );
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1"]);
    let deleted = at(&["projects", "delete", &id, "--yes"]);
    assert!(deleted.status.success(), "{deleted:?}");
    assert!(feedback(&agent, FeedbackQuery::default()).await.ids.is_empty());
    assert!(!room.home.projects().join(&id).exists());
    assert_eq!(listed(&room)["projects"].as_array().unwrap().len(), 1);
    let unknown = at(&["projects", "delete", "nothing-1", "--yes"]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("nothing is kept of"), "{unknown:?}");
}

/// What the process has asked the system to read, in bytes.
fn bytes_read(pid: u32) -> u64 {
    let counts = std::fs::read_to_string(format!("/proc/{pid}/io")).unwrap();
    counts.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap()
}

/// A file of holes takes no room in a repository's archive, and minutes to read.
#[tokio::test]
async fn a_vast_database_is_offered_without_being_read_and_can_only_be_declined() {
    let room = Room::new();
    std::fs::create_dir(room.project.join(".opentoolbar")).unwrap();
    std::fs::File::create(old(&room)).unwrap().set_len(3_900 * 1024 * 1024).unwrap();
    let _agent = room.agent("a").await;
    let offer = offers(&room).remove(0);
    assert!(offer.reason.contains("larger than what is read"), "{offer:?}");
    let refused = verb(&room, &["projects", "accept", &offer.id]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("more than is read"), "{refused:?}");
    let read = bytes_read(room.pid().unwrap());
    assert!(read < 16 * 1024 * 1024, "the hub read {read} bytes");
    done(&room, &["projects", "decline", &offer.id]);
    assert!(offers(&room).is_empty());
}
