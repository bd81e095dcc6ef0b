//! What words without a selection of their own are about, when selections were stored late or are lost: the one of
//! their moment and their page, or nothing; never another one.

use crate::room;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::room::conversation::PAGE;
use crate::room::plain::{Plain, SESSION, said_in};
use crate::room::{Gateway, Room};
use opentoolbar_core::protocol::Request;

const BLOG: &str = "https://blog.test/";

/// The words of the session's person, in their order, and what each is about.
fn about(room: &Room, project: &Path) -> Vec<(String, Option<String>)> {
    let data = opentoolbar::project::Catalogue::at(room.home.projects()).find(project).unwrap().unwrap();
    let database = rusqlite::Connection::open(data.join("opentoolbar.db")).unwrap();
    let sql = "SELECT content, context_id FROM messages WHERE session_id = ? AND role = 0 ORDER BY number";
    let mut found = database.prepare(sql).unwrap();
    let all = found.query_map([SESSION], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    all.map(Result::unwrap).collect()
}

/// How many selections of the session a project has.
fn selections(room: &Room, project: &Path) -> u32 {
    let Ok(Some(data)) = opentoolbar::project::Catalogue::at(room.home.projects()).find(project) else {
        return 0;
    };
    let Ok(database) = rusqlite::Connection::open(data.join("opentoolbar.db")) else { return 0 };
    let sql = "SELECT count(*) FROM contexts WHERE session_id = ?";
    database.query_row(sql, [SESSION], |row| row.get(0)).unwrap_or(0)
}

fn are_said(room: &Room, count: usize) {
    room.wait_until("all of it is stored", || said_in(room, &room.project, SESSION).len() >= count);
}

fn selected(client: &mut Plain, url: &str) -> String {
    let stored = client.select_on(url);
    assert_eq!(stored["type"], "context_stored", "{stored}");
    stored["payload"]["contextId"].as_str().unwrap().to_owned()
}

fn choose(url: &str, root: &Path) -> Request {
    Request::SetOriginProject {
        origin: opentoolbar::project::origin_of(url),
        root: root.to_str().unwrap().into(),
    }
}

/// Kills the hub, and does this to what waits.
fn damage(room: &Room, mut gateway: Gateway, sql: &str) {
    let pid = gateway.process.id().to_string();
    assert!(Command::new("kill").args(["-KILL", &pid]).status().unwrap().success());
    gateway.process.wait().unwrap();
    let kept = rusqlite::Connection::open(room.home.dir().join("unplaced.db")).unwrap();
    assert_eq!(kept.execute(sql, []).unwrap(), 1, "{sql}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_selection_that_is_stored_late_is_not_the_latest() {
    let room = Room::new();
    let gateway = room.gateway();
    drop(room.agent("known").await);
    let browser = room.browser().await;
    browser.request(choose(BLOG, &room.project)).await.unwrap();
    let mut client = Plain::new(&gateway);
    selected(&mut client, PAGE);
    let later = selected(&mut client, BLOG);
    client.say("first");
    client.is_taken();
    browser.request(choose(PAGE, &room.project)).await.unwrap();
    room.wait_until("both are stored", || selections(&room, &room.project) == 2);
    client.say("second");
    client.is_taken();
    let expected = ["first", "second"].map(|words| (words.to_owned(), Some(later.clone())));
    assert_eq!(about(&room, &room.project), expected);
    let agent = room.agent("a").await;
    let told = room::conversation::context(&agent, Some(SESSION)).await;
    assert_eq!(told.context.as_ref().map(|context| context.id.to_string()), Some(later));
    assert!(told.selection.is_none(), "nothing was selected since: {told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_whose_selection_is_lost_while_they_wait_are_about_nothing() {
    for sql in [
        "UPDATE unplaced SET document = CAST(x'ff00' AS TEXT) WHERE context_id = '{}' AND is_selection = 1",
        "UPDATE unplaced SET is_selection = 'x' WHERE context_id = '{}' AND is_selection = 1",
        "UPDATE unplaced SET context_id = x'00' WHERE context_id = '{}' AND is_selection = 1",
        "DELETE FROM unplaced WHERE context_id = '{}' AND is_selection = 1",
    ] {
        let room = Room::new();
        let gateway = room.gateway();
        let mut client = Plain::new(&gateway);
        selected(&mut client, PAGE);
        let lost = selected(&mut client, PAGE);
        client.say("remove it");
        client.is_taken();
        damage(&room, gateway, &sql.replace("{}", &lost));
        let gateway = room.gateway();
        let agent = room.agent("a").await;
        are_said(&room, 1);
        assert_eq!(about(&room, &room.project), [("remove it".to_owned(), None)], "{sql}");
        drop((agent, gateway));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_come_after_their_selection_was_lost_are_about_nothing_until_something_is_selected() {
    for is_placed in [true, false] {
        let room = Room::new();
        let gateway = room.gateway();
        let mut client = Plain::new(&gateway);
        selected(&mut client, PAGE);
        let lost = selected(&mut client, PAGE);
        damage(&room, gateway, &format!("UPDATE unplaced SET document = 'x' WHERE context_id = '{lost}'"));
        let gateway = room.gateway();
        let mut agent = None;
        if is_placed {
            agent = Some(room.agent("a").await);
            room.wait_until("the other is stored", || selections(&room, &room.project) == 1);
        }
        let mut client = Plain::new(&gateway);
        client.say("remove it");
        client.is_taken();
        let now = selected(&mut client, PAGE);
        client.say("and this");
        client.is_taken();
        if agent.is_none() {
            agent = Some(room.agent("a").await);
        }
        are_said(&room, 2);
        let expected = [("remove it".to_owned(), None), ("and this".to_owned(), Some(now))];
        assert_eq!(about(&room, &room.project), expected, "placed: {is_placed}");
        drop((agent, gateway));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn words_are_not_about_a_selection_of_another_page() {
    let room = Room::new();
    let blog: PathBuf = room.path().join("blog");
    std::fs::create_dir(&blog).unwrap();
    std::fs::write(blog.join("package.json"), "{}").unwrap();
    let gateway = room.gateway();
    let agents = (room.agent("a").await, room.agent_in("b", &blog).await);
    let browser = room.browser().await;
    browser.request(choose(PAGE, &room.project)).await.unwrap();
    browser.request(choose(BLOG, &blog)).await.unwrap();
    let mut client = Plain::new(&gateway);
    selected(&mut client, PAGE);
    selected(&mut client, BLOG);
    // What was selected on the page is in the project that it had.
    browser.request(choose(BLOG, &room.project)).await.unwrap();
    client.say("remove it");
    client.is_taken();
    assert_eq!(about(&room, &room.project), [("remove it".to_owned(), None)]);
    drop(agents);
}
