//! What an earlier version kept in a project is taken over once, and only when it is beyond doubt what that version has
//! left.
#![cfg(target_os = "linux")]

use crate::room;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::room::conversation::PNG;
use crate::room::earlier::{
    PAGE, done, earlier, ids, is_its_owners_alone, known_before, listed, offers, old, tab,
};
use crate::room::{Room, changes, comment, creates, feedback};
use opentoolbar_core::model::CommentChange;
use opentoolbar_core::protocol::{Answer, ErrorBody, FeedbackQuery, Request};

#[tokio::test]
async fn what_an_earlier_version_kept_in_the_project_is_taken_over_once() {
    for killed in [false, true] {
        let room = Room::new();
        earlier(&room, killed).await;
        // As others may have read it there.
        for name in ["opentoolbar.db", "opentoolbar.db-wal"] {
            let file = room.project.join(".opentoolbar").join(name);
            if file.exists() {
                std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o644)).unwrap();
            }
        }
        let before = std::fs::read(old(&room)).unwrap();
        assert_eq!(ids(&room).await, ["c_1", "c_2"], "killed: {killed}");
        is_its_owners_alone(&room.data());
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
        assert!(offers[0].reason.contains("when opentoolbar was updated"), "{offers:?}");
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

/// Older than the update, as everything that is moved stays: the files inside keep the time of their last change.
#[tokio::test]
async fn what_is_moved_onto_a_known_project_after_the_update_is_only_offered() {
    for what in ["", ".opentoolbar"] {
        for had_its_own in [true, false] {
            let room = Room::new();
            earlier(&room, false).await;
            let foreign = room.path().join("foreign");
            std::fs::create_dir_all(foreign.join(".opentoolbar")).unwrap();
            std::fs::write(foreign.join("package.json"), "{}").unwrap();
            std::fs::copy(old(&room), foreign.join(".opentoolbar/opentoolbar.db")).unwrap();
            if !had_its_own {
                std::fs::remove_dir_all(room.project.join(".opentoolbar")).unwrap();
            }
            let mut hub = room.hub();
            if had_its_own || what.is_empty() {
                std::fs::rename(room.project.join(what), room.path().join("aside")).unwrap();
            }
            std::fs::rename(foreign.join(what), room.project.join(what)).unwrap();
            let when = format!("{what:?}, had its own: {had_its_own}");
            assert!(ids(&room).await.is_empty(), "{when}");
            let offers = offers(&room);
            assert!(offers[0].reason.contains("when opentoolbar was updated"), "{when}: {offers:?}");
            room::end(hub.id());
            hub.wait().unwrap();
        }
    }
}

/// As a version before noted it, with a clock that was ahead: everything is older than that.
#[tokio::test]
async fn a_clock_that_was_ahead_at_the_update_opens_no_window() {
    let room = Room::new();
    earlier(&room, false).await;
    std::fs::create_dir_all(room.home.projects()).unwrap();
    std::fs::write(room.home.projects().join("updated-at"), "4102444800000\n").unwrap();
    assert!(ids(&room).await.is_empty());
    assert_eq!(offers(&room).len(), 1);
}

#[tokio::test]
async fn a_record_that_is_removed_after_its_data_was_deleted_opens_nothing_again() {
    let room = Room::new();
    earlier(&room, false).await;
    assert_eq!(ids(&room).await, ["c_1", "c_2"]);
    let record = room.data();
    done(&room, &["projects", "delete", room.project.to_str().unwrap(), "--yes"]);
    room::end(room.pid().unwrap());
    std::fs::rename(&record, room.path().join("aside")).unwrap();
    assert!(ids(&room).await.is_empty());
    assert_eq!(offers(&room).len(), 1, "it is the person's to take");
}

/// Somebody removes all that the home keeps, to start afresh.
#[tokio::test]
async fn a_home_without_its_projects_is_no_update_again() {
    let room = Room::new();
    earlier(&room, false).await;
    assert_eq!(ids(&room).await, ["c_1", "c_2"]);
    room::end(room.pid().unwrap());
    std::fs::rename(room.home.projects(), room.path().join("aside")).unwrap();
    assert!(ids(&room).await.is_empty());
    assert_eq!(offers(&room).len(), 1);
}

fn folder(room: &Room) -> PathBuf {
    room.project.join(".opentoolbar/screenshots")
}

/// As a version without hashes has left it: three comments with a picture each.
async fn earlier_with_pictures(room: &Room) {
    let elsewhere = Room::new();
    let mut hub = elsewhere.hub();
    let browser = tab(&elsewhere).await;
    for id in ["c_1", "c_2", "c_3"] {
        let Request::CreateComment { session_id, comment, .. } = creates("s_1", comment(id, PAGE, "x"))
        else {
            panic!()
        };
        let create = Request::CreateComment { session_id, comment, screenshot: Some(PNG.into()) };
        browser.request(create).await.unwrap();
    }
    Command::new("kill").args(["-TERM", &hub.id().to_string()]).status().unwrap();
    hub.wait().unwrap();
    let database = rusqlite::Connection::open(elsewhere.database()).unwrap();
    assert_eq!(database.execute("DELETE FROM pictures", []).unwrap(), 3);
    database.close().unwrap();
    std::fs::create_dir_all(folder(room)).unwrap();
    for entry in std::fs::read_dir(folder(&elsewhere)).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), folder(room).join(entry.file_name())).unwrap();
    }
    std::fs::copy(elsewhere.database(), old(room)).unwrap();
    known_before(room);
}

async fn picture(room: &Room, id: &str) -> Result<PathBuf, ErrorBody> {
    let agent = room.agent("a").await;
    match agent.request(Request::GetScreenshot { comment_id: id.parse().unwrap() }).await? {
        Answer::Screenshot { path } => Ok(path.into()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn pictures_of_a_version_before_the_hashes_are_kept_unless_somebody_touched_them_after_the_update() {
    let room = Room::new();
    earlier_with_pictures(&room).await;
    let content = std::fs::read(folder(&room).join("c_1.png")).unwrap();
    let mut hub = room.hub();
    // A pull brings one, and a link is put in the place of another.
    std::fs::write(folder(&room).join("c_2.png"), &content).unwrap();
    std::fs::rename(folder(&room).join("c_3.png"), room.path().join("c_3.png")).unwrap();
    std::os::unix::fs::symlink(room.path().join("c_3.png"), folder(&room).join("c_3.png")).unwrap();
    let kept = picture(&room, "c_1").await.unwrap();
    assert_eq!(std::fs::read(kept).unwrap(), content);
    for id in ["c_2", "c_3"] {
        let gone = picture(&room, id).await.unwrap_err();
        assert!(gone.message.contains("was removed, or is not the one"), "{id}: {gone}");
    }
    // What becomes of the project's own copy is the home's no matter.
    std::fs::write(folder(&room).join("c_1.png"), "another").unwrap();
    let kept = picture(&room, "c_1").await.unwrap();
    assert!(kept.starts_with(room.home.dir()), "{}", kept.display());
    assert_eq!(std::fs::read(kept).unwrap(), content);
    room::end(hub.id());
    hub.wait().unwrap();
}

#[tokio::test]
async fn pictures_that_were_moved_into_the_project_after_the_update_are_gone() {
    let room = Room::new();
    earlier_with_pictures(&room).await;
    let foreign = room.path().join("foreign");
    std::fs::create_dir(&foreign).unwrap();
    std::fs::copy(folder(&room).join("c_1.png"), foreign.join("c_1.png")).unwrap();
    let mut hub = room.hub();
    std::fs::rename(folder(&room), room.path().join("aside")).unwrap();
    std::fs::rename(&foreign, folder(&room)).unwrap();
    assert_eq!(ids(&room).await, ["c_1", "c_2", "c_3"], "the database is the one that was left");
    let gone = picture(&room, "c_1").await.unwrap_err();
    assert!(gone.message.contains("was removed, or is not the one"), "{gone}");
    room::end(hub.id());
    hub.wait().unwrap();
}
