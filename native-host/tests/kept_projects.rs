//! What is kept of projects: taken over once from where an earlier version kept it, offered when that may be a stranger's or when
//! a project has moved, and listed, moved, exported and deleted by `opentoolbar projects`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)]

mod room;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use opentoolbar::hub::client::Client;
use opentoolbar_core::model::{Author, CommentChange};
use opentoolbar_core::protocol::{Answer, ErrorCode, FeedbackQuery, Offer, Request, StatusFilter};
use room::{Room, changes, comment, creates, feedback, open_tab};
use serde_json::Value;

const PAGE: &str = "http://shop.test/";
const STRANGER: &str = "imported from a file in the repository";

async fn tab(room: &Room) -> Client {
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser
}

async fn ids(room: &Room) -> Vec<String> {
    let agent = room.agent("a").await;
    feedback(&agent, FeedbackQuery { status: StatusFilter::All, ..FeedbackQuery::default() }).await.ids
}

/// What an earlier version has left: a project with a database of two comments in it, the second one in the log alone when the
/// hub was killed, and a registry that names the project.
async fn earlier(room: &Room, killed: bool) {
    {
        let elsewhere = Room::new();
        let mut hub = elsewhere.hub();
        let browser = tab(&elsewhere).await;
        for id in ["c_1", "c_2"] {
            browser.request(creates("s_1", comment(id, PAGE, "make it blue"))).await.unwrap();
        }
        let signal = if killed { "-KILL" } else { "-TERM" };
        Command::new("kill").args([signal, &hub.id().to_string()]).status().unwrap();
        hub.wait().unwrap();
        std::fs::create_dir(room.project.join(".opentoolbar")).unwrap();
        let names =
            if killed { vec!["opentoolbar.db", "opentoolbar.db-wal"] } else { vec!["opentoolbar.db"] };
        for name in names {
            std::fs::copy(elsewhere.data().join(name), room.project.join(".opentoolbar").join(name)).unwrap();
        }
    }
    known_before(room);
}

fn old(room: &Room) -> PathBuf {
    room.project.join(".opentoolbar/opentoolbar.db")
}

fn known_before(room: &Room) {
    room.home.ensure().unwrap();
    let registry = serde_json::json!({ "version": 1, "projects": { room.project.to_str().unwrap(): 1 } });
    std::fs::write(room.home.registry(), registry.to_string()).unwrap();
}

fn verb(room: &Room, args: &[&str]) -> Output {
    room.program().args(args).current_dir(&room.project).output().unwrap()
}

fn done(room: &Room, args: &[&str]) -> String {
    let output = verb(room, args);
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn listed(room: &Room) -> Value {
    serde_json::from_str(&done(room, &["projects", "--json"])).unwrap()
}

fn offers(room: &Room) -> Vec<Offer> {
    serde_json::from_value(listed(room)["offers"].clone()).unwrap()
}

#[tokio::test]
async fn what_an_earlier_version_kept_in_the_project_is_taken_over_once() {
    for killed in [false, true] {
        let room = Room::new();
        earlier(&room, killed).await;
        let before = std::fs::read(old(&room)).unwrap();
        assert_eq!(ids(&room).await, ["c_1", "c_2"], "killed: {killed}");
        assert_eq!(std::fs::read(old(&room)).unwrap(), before, "the old one is left as it is");
        assert!(offers(&room).is_empty());
        // From here on the home has the truth.
        let browser = tab(&room).await;
        browser.request(creates("s_1", comment("c_3", PAGE, "and green"))).await.unwrap();
        browser.request(changes("c_1", CommentChange::Delete)).await.unwrap();
        room::end(room.pid().unwrap());
        assert_eq!(ids(&room).await, ["c_2", "c_3"], "killed: {killed}");
        // What is put there later is not taken over again.
        room::end(room.pid().unwrap());
        std::fs::write(old(&room), [&before[..], b"more"].concat()).unwrap();
        assert_eq!(ids(&room).await, ["c_2", "c_3"]);
        assert_eq!(offers(&room).len(), 1);
    }
}

#[tokio::test]
async fn the_first_reading_after_the_upgrade_writes_nothing_in_the_project() {
    let room = Room::new();
    earlier(&room, false).await;
    let here = || {
        let entries = std::fs::read_dir(room.project.join(".opentoolbar")).unwrap();
        let mut names: Vec<_> = entries.map(|one| one.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = here();
    for args in [&["export", "--json"][..], &["search", "blue"], &["status"], &["projects"]] {
        done(&room, args);
    }
    assert_eq!(ids(&room).await, ["c_1", "c_2"]);
    assert_eq!(here(), before);
}

fn git(at: &Path, args: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=t", "-c", "user.email=t@t"]).arg("-C").arg(at).args(args);
    let done = git.output().unwrap();
    assert!(done.status.success(), "{done:?}");
}

#[tokio::test]
async fn each_doubt_makes_it_an_offer() {
    /// What it is called, how it comes about, and what is said of it.
    type Doubt = (&'static str, fn(&Room), &'static str);
    let doubts: [Doubt; 6] = [
        ("not known before", |room| std::fs::remove_file(room.home.registry()).unwrap(), "not made by this"),
        (
            "tracked",
            |room| {
                git(&room.project, &["init", "-q"]);
                git(&room.project, &["add", "-f", ".opentoolbar/opentoolbar.db"]);
            },
            "came with the repository",
        ),
        (
            "git cannot tell",
            |room| std::fs::write(room.project.join(".git"), "gitdir: /no").unwrap(),
            "cannot be told",
        ),
        ("a journal", |room| std::fs::write(old(room).with_extension("db-journal"), "x").unwrap(), "journal"),
        (
            "a log that is a link",
            |room| std::os::unix::fs::symlink("/dev/zero", old(room).with_extension("db-wal")).unwrap(),
            "no log of yours",
        ),
        (
            "other tables",
            |room| {
                let database = rusqlite::Connection::open(old(room)).unwrap();
                let trigger = "CREATE TRIGGER evil AFTER INSERT ON comments BEGIN DELETE FROM comments; END";
                database.execute_batch(trigger).unwrap();
            },
            "not made by this",
        ),
    ];
    for (what, doubt, reason) in doubts {
        let room = Room::new();
        earlier(&room, false).await;
        doubt(&room);
        assert!(ids(&room).await.is_empty(), "{what}");
        let offers = offers(&room);
        assert_eq!(offers.len(), 1, "{what}");
        assert!(offers[0].reason.contains(reason), "{what}: {}", offers[0].reason);
        // Asked once more, when the doubt is gone: it was looked at once.
        if what == "a journal" {
            room::end(room.pid().unwrap());
            std::fs::remove_file(old(&room).with_extension("db-journal")).unwrap();
            assert!(ids(&room).await.is_empty(), "{what}");
        }
    }
}

/// Waits in the middle of a checkout: git has written the database, and not yet what it knows of it.
struct Pull {
    git: std::process::Child,
    /// It goes on when this is there.
    go: PathBuf,
}

impl Pull {
    /// From a repository that has the room's database, into the room's project.
    fn begin(room: &Room) -> Self {
        let theirs = room.path().join("theirs");
        std::fs::create_dir_all(theirs.join(".opentoolbar")).unwrap();
        git(&theirs, &["init", "-q", "-b", "main"]);
        git(&theirs, &["commit", "-q", "--allow-empty", "-m", "first"]);
        let ours = room.project.to_str().unwrap().to_owned();
        std::fs::copy(old(room), theirs.join(".opentoolbar/opentoolbar.db")).unwrap();
        std::fs::remove_dir_all(&room.project).unwrap();
        git(room.path(), &["clone", "-q", theirs.to_str().unwrap(), &ours]);
        std::fs::write(theirs.join(".gitattributes"), "zz filter=slow\n").unwrap();
        std::fs::write(theirs.join("zz"), "the last").unwrap();
        git(&theirs, &["add", "-f", "."]);
        git(&theirs, &["commit", "-q", "-m", "evil"]);
        let go = room.path().join("go");
        let slow = format!("for n in $(seq 600); do [ -e {} ] && break; sleep 0.05; done; cat", go.display());
        git(&room.project, &["config", "filter.slow.smudge", &slow]);
        let git = Command::new("git").arg("-C").arg(&room.project).args(["pull", "-q"]).spawn().unwrap();
        let pull = Self { git, go };
        room.wait_until("git has written the database", || old(room).exists());
        pull
    }

    fn end(mut self) {
        std::fs::write(&self.go, "").unwrap();
        assert!(self.git.wait().unwrap().success());
    }
}

impl Drop for Pull {
    fn drop(&mut self) {
        // It must not outlive a test that failed.
        let _ = std::fs::write(&self.go, "");
        let _ = self.git.wait();
    }
}

#[tokio::test]
async fn what_a_pull_is_bringing_is_only_offered() {
    for hub_runs in [false, true] {
        let room = Room::new();
        earlier(&room, false).await;
        let mut hub = hub_runs.then(|| room.hub());
        let pull = Pull::begin(&room);
        assert!(ids(&room).await.is_empty(), "hub runs: {hub_runs}");
        pull.end();
        assert!(ids(&room).await.is_empty(), "hub runs: {hub_runs}");
        let offers = offers(&room);
        assert!(offers[0].reason.contains("came with the repository"), "{offers:?}");
        if let Some(hub) = &mut hub {
            room::end(hub.id());
            hub.wait().unwrap();
        }
    }
}

/// Known before the update, without anything of ours in it then.
#[tokio::test]
async fn what_comes_into_a_project_after_the_update_is_only_offered() {
    for used in [false, true] {
        let room = Room::new();
        earlier(&room, false).await;
        let database = std::fs::read(old(&room)).unwrap();
        std::fs::remove_file(old(&room)).unwrap();
        let mut hub = room.hub();
        if used {
            assert!(ids(&room).await.is_empty());
            room::end(hub.id());
        }
        std::fs::write(old(&room), database).unwrap();
        assert!(ids(&room).await.is_empty(), "used: {used}");
        let offers = offers(&room);
        assert!(offers[0].reason.contains("after the update"), "{offers:?}");
        assert!(listed(&room)["projects"].as_array().unwrap().is_empty(), "nothing is kept of it");
        room::end(hub.id());
        hub.wait().unwrap();
    }
}

#[tokio::test]
async fn what_was_taken_over_and_deleted_is_not_taken_over_again() {
    let room = Room::new();
    earlier(&room, false).await;
    assert_eq!(ids(&room).await, ["c_1", "c_2"]);
    let root = room.project.to_str().unwrap();
    done(&room, &["projects", "delete", root, "--yes"]);
    for again in [false, true] {
        assert!(ids(&room).await.is_empty(), "again: {again}");
        assert!(!done(&room, &["export", "--json"]).contains("c_1"), "again: {again}");
        let listed = listed(&room);
        assert!(listed["projects"].as_array().unwrap().is_empty(), "{listed}");
        assert!(listed["offers"].as_array().unwrap().is_empty(), "decided: {listed}");
        room::end(room.pid().unwrap());
    }
    // It goes on like any other.
    tab(&room).await.request(creates("s_1", comment("c_3", PAGE, "new"))).await.unwrap();
    room::end(room.pid().unwrap());
    assert_eq!(ids(&room).await, ["c_3"]);
}

#[tokio::test]
async fn what_was_moved_away_is_not_taken_over_again_at_its_old_place() {
    let room = Room::new();
    earlier(&room, false).await;
    assert_eq!(ids(&room).await, ["c_1", "c_2"]);
    let database = std::fs::read(old(&room)).unwrap();
    let to = room.path().join("elsewhere");
    std::fs::create_dir(&to).unwrap();
    done(&room, &["projects", "move", room.project.to_str().unwrap(), to.to_str().unwrap()]);
    // Whatever is cloned to the old place, also with the very file that was taken over.
    std::fs::remove_dir_all(&room.project).unwrap();
    std::fs::create_dir_all(old(&room).parent().unwrap()).unwrap();
    std::fs::write(old(&room), database).unwrap();
    for again in [false, true] {
        assert!(ids(&room).await.is_empty(), "again: {again}");
        let agent = room.agent_in("b", &to).await;
        assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1", "c_2"], "again: {again}");
        let listed = listed(&room);
        assert_eq!(listed["projects"].as_array().unwrap().len(), 1, "{listed}");
        room::end(room.pid().unwrap());
    }
    // And back, over what is remembered there.
    done(&room, &["projects", "move", to.to_str().unwrap(), room.project.to_str().unwrap()]);
    assert_eq!(ids(&room).await, ["c_1", "c_2"]);
}

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
async fn a_database_of_another_user_is_not_taken_over() {
    if !rustix::process::geteuid().is_root() {
        // Only root can give a file away.
        return;
    }
    let room = Room::new();
    earlier(&room, false).await;
    std::os::unix::fs::chown(old(&room), Some(1), Some(1)).unwrap();
    assert!(ids(&room).await.is_empty());
    assert!(offers(&room)[0].reason.contains("another user"), "{:?}", offers(&room));
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

fn resident_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// A schema that costs seconds and gigabytes to read.
#[tokio::test]
async fn a_hostile_schema_costs_the_hub_neither_memory_nor_its_life() {
    let room = Room::new();
    std::fs::create_dir(room.project.join(".opentoolbar")).unwrap();
    let database = rusqlite::Connection::open(old(&room)).unwrap();
    let columns: Vec<String> = (0..1_900).map(|n| format!("c{n} TEXT DEFAULT (c{n})")).collect();
    let table = format!("CREATE TABLE t (a, {})", columns.join(", ").replace(" DEFAULT (c", " CHECK (c"));
    database
        .execute_batch("PRAGMA writable_schema = ON; CREATE TABLE comments (document TEXT); BEGIN")
        .unwrap();
    for number in 0..500 {
        let sql = table.replacen("TABLE t ", &format!("TABLE t{number} "), 1);
        database
            .execute(
                "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('table', ?1, ?1, 2, ?2)",
                rusqlite::params![format!("t{number}"), sql],
            )
            .unwrap();
    }
    database.execute_batch("COMMIT").unwrap();
    drop(database);
    let agent = room.agent("a").await;
    let offer = offers(&room).remove(0);
    let refused = verb(&room, &["projects", "accept", &offer.id]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("nothing can be taken over"), "{refused:?}");
    let most = resident_kib(room.pid().unwrap());
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
