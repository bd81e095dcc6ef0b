//! What plain clients say before it is known to which project their page belongs: what was acknowledged is on disk, and
//! goes to the project of its page alone.

use crate::room;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::room::conversation::PAGE;
use crate::room::plain::{Plain, SESSION, said_in, selection_on, words};
use crate::room::{Gateway, Room, comment, creates, hello, open_tab, session};
use opentoolbar_core::protocol::{Event, Hello, Request, Role};
use serde_json::{Value, json};

const BLOG: &str = "http://blog.test/";

fn said(room: &Room) -> Vec<String> {
    said_in(room, &room.project, SESSION)
}

fn is_said(room: &Room, project: &Path, session: &str, words: &[String]) {
    room.wait_until("all of it is stored", || said_in(room, project, session).len() >= words.len());
    assert_eq!(said_in(room, project, session), words);
}

/// Another project of the room.
fn blog(room: &Room) -> PathBuf {
    let root = room.path().join("blog");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("package.json"), "{}").unwrap();
    root
}

/// Ends the hub by this signal.
fn end(mut gateway: Gateway, signal: &str) {
    let pid = gateway.process.id().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    gateway.process.wait().unwrap();
}

/// Selects something on the page and says a word about it; both are acknowledged.
fn selects_and_says(client: &mut Plain, id: &str, word: &str) {
    assert_eq!(client.select_on(PAGE)["type"], "context_stored");
    client.send_whole(&says(id, word));
    assert_eq!(client.heard()["type"], "message_stored");
}

fn choose(origin: &str, root: &Path) -> Request {
    Request::SetOriginProject { origin: origin.into(), root: root.to_str().unwrap().into() }
}

async fn is_kept_through(signal: &str) {
    let room = Room::new();
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    assert_eq!(client.select_on(PAGE)["type"], "context_stored");
    let words = words(20);
    for (n, word) in words.iter().enumerate() {
        client.send_whole(&says(&format!("m_{n}"), word));
    }
    for _ in &words {
        let acknowledged = client.heard();
        assert_eq!(acknowledged["type"], "message_stored", "{acknowledged}");
    }
    end(gateway, signal);
    let kept = room.home.dir().join("unplaced.db");
    let before = room.path().join("before");
    std::fs::create_dir(&before).unwrap();
    for end in ["", "-wal"] {
        let name = format!("unplaced.db{end}");
        let _ = std::fs::copy(kept.with_file_name(&name), before.join(&name));
    }
    let gateway = room.gateway();
    let _client = Plain::new(&gateway);
    let agent = room.agent("a").await;
    is_said(&room, &room.project, SESSION, &words);
    let told = room::conversation::context(&agent, None).await;
    assert!(told.context.is_some() || told.selection.is_some(), "the selection, too");
    // Killed after it was stored, and before it was let go.
    end(gateway, "-KILL");
    for end in ["", "-wal", "-shm"] {
        let name = format!("unplaced.db{end}");
        let _ = std::fs::remove_file(kept.with_file_name(&name));
        let _ = std::fs::copy(before.join(&name), kept.with_file_name(&name));
    }
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    let agent = room.agent("a").await;
    client.is_done();
    client.say("at last");
    client.is_done();
    let mut words = words;
    words.push("at last".into());
    assert_eq!(said(&room), words, "once, in its order");
    drop(agent);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_before_its_project_is_known_survives_a_hub_that_is_killed() {
    is_kept_through("-KILL").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_before_its_project_is_known_survives_a_hub_that_is_told_to_end() {
    is_kept_through("-TERM").await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let room = Room::new();
    let gateway = room.gateway();
    Plain::new(&gateway).is_done();
    let kept = room.home.dir().join("unplaced.db");
    assert_eq!(kept.metadata().unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_on_a_page_goes_to_the_project_of_that_page_alone() {
    let room = Room::new();
    let blog = blog(&room);
    let gateway = room.gateway();
    let agents = (room.agent("a").await, room.agent_in("b", &blog).await);
    let browser = room.browser().await;
    browser.request(choose("http://blog.test", &blog)).await.unwrap();
    // The tab goes on to a page of another project.
    let mut client = Plain::new(&gateway);
    client.select_on(PAGE);
    client.say("of the shop");
    client.is_taken();
    assert_eq!(client.select_on(BLOG)["type"], "context_stored");
    client.say("of the blog");
    client.is_taken();
    is_said(&room, &blog, SESSION, &["of the blog".into()]);
    // Back on its page: that the tab was in another project says nothing of what was said here.
    client.leave();
    // Another browser has the session of one that is away, on a page of its own.
    let mut away = Plain::of(&gateway, "away");
    away.select_on(PAGE);
    away.say("of the shop, too");
    away.is_taken();
    away.leave();
    let began = Instant::now();
    while browser.request(Request::OpenSession(session("away", BLOG))).await.is_err() {
        assert!(began.elapsed() < Duration::from_secs(20), "its session is never free");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(said_in(&room, &blog, "away"), [""; 0]);
    let origin = opentoolbar::project::origin_of(PAGE);
    browser.request(choose(&origin, &room.project)).await.unwrap();
    is_said(&room, &room.project, SESSION, &["of the shop".into()]);
    is_said(&room, &room.project, "away", &["of the shop, too".into()]);
    assert_eq!(said_in(&room, &blog, SESSION), ["of the blog"]);
    drop(agents);
}

/// As of what is stored at once: an agent's client looks at it again.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_stored_late_is_told_to_agents_that_hear_of_changes() {
    let room = Room::new();
    let blog = blog(&room);
    let gateway = room.gateway();
    let hears =
        Hello { capabilities: vec!["changes".into()], ..hello(Role::Agent, "a", Some(&room.project)) };
    let agent = room.connector().connect(hears).await.unwrap();
    let other = room.agent_in("b", &blog).await;
    let mut client = Plain::new(&gateway);
    let selected = client.select_on(PAGE);
    let context = selected["payload"]["contextId"].as_str().unwrap().to_owned();
    client.send_whole(&json!({ "id": "m_late", "type": "user_message", "payload": { "contextId": context, "message": "Late" } }));
    assert_eq!(client.heard()["type"], "message_stored");
    let mut events = agent.events();
    let browser = room.browser().await;
    browser.request(choose(&opentoolbar::project::origin_of(PAGE), &room.project)).await.unwrap();
    let mut told = std::collections::BTreeSet::new();
    while !(told.contains(context.as_str()) && told.contains(SESSION)) {
        let event = tokio::time::timeout(Duration::from_secs(20), events.recv()).await;
        if let Event::Changed(changed) = event.expect("both are told").unwrap().event {
            told.insert(changed.id);
        }
    }
    is_said(&room, &room.project, SESSION, &["Late".into()]);
    drop(other);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_that_cannot_be_written_holds_up_nothing_in_another_one() {
    let room = Room::new();
    let blog = blog(&room);
    let gateway = room.gateway();
    let browser = room.browser().await;
    open_tab(&browser, "s_shop", PAGE, &room.project).await;
    browser.request(creates("s_shop", comment("c_1", PAGE, "x"))).await.unwrap();
    open_tab(&browser, "s_blog", BLOG, &blog).await;
    drop(browser);
    end(gateway, "-TERM");
    rusqlite::Connection::open(room.database()).unwrap().pragma_update(None, "user_version", 999).unwrap();
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    assert_eq!(client.select_on("http://unknown.test/")["type"], "context_stored");
    client.say("kept");
    client.is_taken();
    // The only agent: the page is of its project, as far as anybody knows.
    let agent = room.agent("a").await;
    let began = Instant::now();
    let refused = client.select_on("http://unknown.test/");
    assert_eq!(refused["payload"]["code"], "storage", "{refused}");
    assert!(refused["payload"]["message"].as_str().unwrap().contains("newer opentoolbar"), "{refused}");
    let stored = client.select_on(BLOG);
    assert_eq!(stored["type"], "context_stored", "{stored}");
    // What waits is answered as late after 20 s.
    assert!(began.elapsed() < Duration::from_secs(18), "{:?}", began.elapsed());
    client.say("of the blog");
    client.is_taken();
    is_said(&room, &blog, SESSION, &["of the blog".into()]);
    drop(agent);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_said_by_one_who_is_gone_is_stored_when_the_first_agent_comes() {
    let room = Room::new();
    let gateway = room.gateway();
    let mut script = Plain::new(&gateway);
    script.is_done();
    script.say("by a script that ended");
    script.is_taken();
    script.leave();
    let agent = room.agent("a").await;
    is_said(&room, &room.project, SESSION, &["by a script that ended".into()]);
    drop(agent);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_hears_the_answer_to_what_was_stored_meanwhile_and_speaks_on() {
    let room = Room::new();
    let gateway = room.gateway();
    let mut script = Plain::new(&gateway);
    let selected = script.is_done().pop().unwrap();
    let context = selected["payload"]["contextId"].as_str().unwrap().to_owned();
    script.say("Bigger");
    script.is_taken();
    script.leave();
    let agent = room.agent("a").await;
    is_said(&room, &room.project, SESSION, &["Bigger".into()]);
    agent.request(room::conversation::responds(SESSION, &context, "It is", true)).await.unwrap();
    let mut again = Plain::new(&gateway);
    let heard = again.heard_until("agent_response");
    assert!(heard.last().is_some_and(|told| told["payload"]["message"] == "It is"), "{heard:?}");
    again.say("Thanks");
    is_said(&room, &room.project, SESSION, &["Bigger".into(), "Thanks".into()]);
    drop(agent);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_back_before_any_agent_runs_reaches_none() {
    let room = Room::new();
    let gateway = room.gateway();
    let (mut client, mut other) = (Plain::new(&gateway), Plain::of(&gateway, "other"));
    for (id, client) in [("m_1", &mut client), ("m_2", &mut other)] {
        assert_eq!(client.select_on(PAGE)["type"], "context_stored");
        client.send_whole(&says(id, "Smaller"));
        assert_eq!(client.heard()["type"], "message_stored");
    }
    let stops = |id: &str| json!({ "id": id, "type": "stop_waiting" });
    client.send_whole(&stops("m_3"));
    let told = client.heard();
    assert_eq!(told["type"], "done", "{told}");
    client.send_whole(&says("m_4", "Bigger"));
    assert_eq!(client.heard()["type"], "message_stored");
    let agent = room.agent("a").await;
    is_said(&room, &room.project, SESSION, &["Bigger".into()]);
    is_said(&room, &room.project, "other", &["Smaller".into()]);
    client.send_whole(&stops("m_5"));
    client.heard_until("done");
    let told = room::conversation::context(&agent, Some(SESSION)).await;
    assert!(told.pending.is_empty() && told.context.is_some(), "{told:?}");
}

fn selects(context: &str, title: &str) -> Value {
    let mut payload = selection_on(PAGE);
    payload["contextId"] = context.into();
    payload["page"]["title"] = title.into();
    json!({ "type": "set_context", "payload": payload })
}

fn says(id: &str, text: &str) -> Value {
    json!({ "id": id, "type": "user_message", "payload": { "message": text } })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_that_was_used_for_something_else_is_refused_before_any_agent_runs() {
    let room = Room::new();
    let gateway = room.gateway();
    let (mut one, mut other) = (Plain::new(&gateway), Plain::of(&gateway, "other"));
    let asks = |client: &mut Plain, message: Value| {
        client.send_whole(&message);
        client.heard()
    };
    assert_eq!(asks(&mut one, selects("ctx_same", "one"))["type"], "context_stored");
    assert_eq!(asks(&mut one, selects("ctx_same", "one"))["type"], "context_stored", "the same again");
    assert_eq!(asks(&mut one, selects("ctx_same", "two"))["payload"]["code"], "conflict");
    assert_eq!(asks(&mut one, says("m_x", "one"))["type"], "message_stored");
    assert_eq!(asks(&mut one, says("m_x", "one"))["type"], "message_stored", "the same again");
    assert_eq!(asks(&mut one, says("m_x", "two"))["payload"]["code"], "bad_request");
    assert_eq!(asks(&mut other, selects("ctx_same", "one"))["payload"]["code"], "conflict");
    let about = json!({ "type": "user_message", "payload": { "contextId": "ctx_same", "message": "x" } });
    assert_eq!(asks(&mut other, about)["payload"]["code"], "unknown_context");
    let agent = room.agent("a").await;
    is_said(&room, &room.project, SESSION, &["one".into()]);
    drop(agent);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_never_be_stored_is_told_its_client() {
    let room = Room::new();
    let gateway = room.gateway();
    let browser = room.browser().await;
    open_tab(&browser, "s_shop", BLOG, &room.project).await;
    let mut placed = Plain::of(&gateway, "placed");
    placed.select_on(BLOG);
    placed.send_whole(&says("m_x", "stored"));
    assert_eq!(placed.heard()["type"], "message_stored");
    let mut client = Plain::new(&gateway);
    client.select_on(PAGE);
    client.send_whole(&says("m_x", "another one"));
    assert_eq!(client.heard()["type"], "message_stored");
    client.say("after it");
    client.is_taken();
    let origin = opentoolbar::project::origin_of(PAGE);
    browser.request(choose(&origin, &room.project)).await.unwrap();
    let told = client.heard();
    assert_eq!(told["payload"]["code"], "bad_request", "{told}");
    assert_eq!(told["replyTo"], "m_x", "{told}");
    is_said(&room, &room.project, SESSION, &["after it".into()]);
}

fn status(room: &Room, args: &[&str]) -> String {
    let done = room.program().arg("status").args(args).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    String::from_utf8(done.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn status_says_how_much_waits_for_its_project_until_nothing_does() {
    let room = Room::new();
    let gateway = room.gateway();
    let told = || serde_json::from_str::<Value>(&status(&room, &["--json"])).unwrap()["unplaced"].clone();
    assert!(told().is_null() && !status(&room, &[]).contains("Waiting for their project"));
    assert!(!room.home.dir().join("unplaced.db").exists(), "who looks makes no file");
    let mut clients = [Plain::of(&gateway, "tab"), Plain::of(&gateway, "other")];
    for client in &mut clients {
        assert_eq!(client.select_on(PAGE)["type"], "context_stored");
    }
    clients[0].send_whole(&says("m_1", "Bigger"));
    assert_eq!(clients[0].heard()["type"], "message_stored");
    let waits = told();
    assert_eq!((&waits["things"], &waits["sessions"]), (&json!(3), &json!(2)), "{waits}");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let since = u128::from(waits["since"].as_u64().unwrap());
    assert!(since <= now && now - since < 60_000, "{since}");
    let text = status(&room, &[]);
    assert!(
        text.contains("Waiting for their project: 3 selections and messages of 2 clients, since 20"),
        "{text}"
    );
    let agent = room.agent("a").await;
    is_said(&room, &room.project, SESSION, &["Bigger".to_owned()]);
    room.wait_until("nothing waits", || told().is_null());
    assert!(!status(&room, &[]).contains("Waiting for their project"));
    drop((agent, clients));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_of_it_is_told_and_stops_nothing_that_was_or_is_said_there() {
    let room = Room::new();
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    assert_eq!(client.select_on(PAGE)["type"], "context_stored");
    for word in ["one", "two"] {
        client.send_whole(&says(&format!("m_{word}"), word));
        assert_eq!(client.heard()["type"], "message_stored");
    }
    end(gateway, "-KILL");
    let kept = rusqlite::Connection::open(room.home.dir().join("unplaced.db")).unwrap();
    let strange = "UPDATE unplaced SET message_id = 'of a newer version' WHERE document = 'one'";
    assert_eq!(kept.execute(strange, []).unwrap(), 1);
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    let agent = room.agent("a").await;
    is_said(&room, &room.project, SESSION, &["two".into()]);
    client.say("three");
    is_said(&room, &room.project, SESSION, &["two".into(), "three".into()]);
    let told = status(&room, &[]);
    assert!(!told.contains("Waiting for") && told.contains("waited for its project: 1 "), "{told}");
    let left = "SELECT count(*) FROM unplaced WHERE message_id = 'of a newer version'";
    assert_eq!(kept.query_row(left, [], |row| row.get::<_, u32>(0)).unwrap(), 1, "it stays");
    drop(agent);
}

#[tokio::test(flavor = "multi_thread")]
async fn words_are_stored_though_nobody_can_read_what_they_are_about() {
    for damage in [
        "UPDATE unplaced SET context_id = CAST(x'ff00' AS TEXT), document = 'x' WHERE is_selection = 1",
        "UPDATE unplaced SET is_selection = 'x', document = 'x' WHERE is_selection = 1",
    ] {
        let room = Room::new();
        let gateway = room.gateway();
        let mut client = Plain::new(&gateway);
        client.send_whole(&selects("ctx_1", "one"));
        assert_eq!(client.heard()["type"], "context_stored");
        let mut about = says("m_1", "about it");
        about["payload"]["contextId"] = "ctx_1".into();
        for words in [about, says("m_2", "about nothing")] {
            client.send_whole(&words);
            assert_eq!(client.heard()["type"], "message_stored");
        }
        end(gateway, "-KILL");
        let kept = rusqlite::Connection::open(room.home.dir().join("unplaced.db")).unwrap();
        assert_eq!(kept.execute(damage, []).unwrap(), 1);
        let gateway = room.gateway();
        let agent = room.agent("a").await;
        is_said(&room, &room.project, SESSION, &["about it".into(), "about nothing".into()]);
        let told = status(&room, &[]);
        assert!(!told.contains("Waiting for") && told.contains("waited for its project: 1 "), "{told}");
        drop((agent, gateway));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_could_not_be_read_when_the_hub_began_is_neither_forgotten_nor_said_to_be_taken_back() {
    let room = Room::new();
    let gateway = room.gateway();
    let (mut client, mut other) = (Plain::new(&gateway), Plain::of(&gateway, "other"));
    for (id, client) in [("m_1", &mut client), ("m_2", &mut other)] {
        assert_eq!(client.select_on(PAGE)["type"], "context_stored");
        client.send_whole(&says(id, "Smaller"));
        assert_eq!(client.heard()["type"], "message_stored");
    }
    end(gateway, "-KILL");
    let kept = room.home.dir().join("unplaced.db");
    let aside = kept.with_extension("aside");
    std::fs::rename(&kept, &aside).unwrap();
    std::fs::create_dir(&kept).unwrap();
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    let stops = |client: &mut Plain, id: &str| {
        client.send_whole(&json!({ "id": id, "type": "stop_waiting" }));
        client.heard()
    };
    // In the project that the page has now.
    let agent = room.agent("a").await;
    assert_eq!(client.select_on(PAGE)["type"], "context_stored");
    let refused = stops(&mut client, "m_3");
    assert_eq!(refused["payload"]["code"], "storage", "{refused}");
    std::fs::remove_dir(&kept).unwrap();
    std::fs::rename(&aside, &kept).unwrap();
    let told = stops(&mut client, "m_4");
    assert_eq!(told["type"], "done", "{told}");
    is_said(&room, &room.project, "other", &["Smaller".into()]);
    assert_eq!(said(&room), [""; 0]);
    drop(agent);
}

/// Nothing else says what was selected in its session.
#[tokio::test(flavor = "multi_thread")]
async fn who_takes_words_back_while_they_cannot_be_read_is_told_so_and_not_that_there_are_none() {
    let room = Room::new();
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    selects_and_says(&mut client, "m_1", "Smaller");
    end(gateway, "-KILL");
    let kept = room.home.dir().join("unplaced.db");
    let aside = kept.with_extension("aside");
    std::fs::rename(&kept, &aside).unwrap();
    std::fs::create_dir(&kept).unwrap();
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    for (id, message) in [
        ("m_2", json!({ "id": "m_2", "type": "stop_waiting" })),
        ("m_3", says("m_3", "Bigger")),
        ("m_4", json!({ "id": "m_4", "type": "get_conversation", "payload": {} })),
    ] {
        client.send_whole(&message);
        let refused = client.heard();
        assert_eq!((&refused["payload"]["code"], &refused["replyTo"]), (&json!("storage"), &json!(id)));
        let (says, next) = (&refused["payload"]["message"], &refused["payload"]["nextStep"]);
        let is_told =
            says.as_str().unwrap().contains("cannot be read") && !says.as_str().unwrap().contains("kept in");
        assert!(is_told && next.as_str().unwrap().contains("again"), "{refused}");
    }
    std::fs::remove_dir(&kept).unwrap();
    std::fs::rename(&aside, &kept).unwrap();
    client.send_whole(&json!({ "id": "m_5", "type": "stop_waiting" }));
    let told = client.heard();
    assert_eq!(told["type"], "done", "{told}");
    client.send_whole(&says("m_6", "Bigger"));
    assert_eq!(client.heard()["type"], "message_stored");
    let agent = room.agent("a").await;
    is_said(&room, &room.project, SESSION, &["Bigger".into()]);
    drop(agent);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_can_read_is_told_apart_and_let_go_after_a_week() {
    let room = Room::new();
    let gateway = room.gateway();
    let mut client = Plain::new(&gateway);
    selects_and_says(&mut client, "m_1", "Smaller");
    end(gateway, "-KILL");
    let kept = rusqlite::Connection::open(room.home.dir().join("unplaced.db")).unwrap();
    assert_eq!(kept.execute("UPDATE unplaced SET document = CAST(x'ff00' AS TEXT)", []).unwrap(), 2);
    let gateway = room.gateway();
    let told = status(&room, &[]);
    assert!(!told.contains("Waiting for") && told.contains("waited for its project: 2 "), "{told}");
    end(gateway, "-KILL");
    let week = "UPDATE unplaced SET at = CAST(unixepoch() - 8 * 24 * 60 * 60 AS INTEGER) * 1000";
    assert_eq!(kept.execute(week, []).unwrap(), 2);
    let mut hub = room.program().arg("hub").env("OPENTOOLBAR_STORE_SECONDS", "1").spawn().unwrap();
    room.wait_until("it is up", || room.pid() == Some(hub.id()));
    let agent = room.agent("a").await;
    let count = || kept.query_row("SELECT count(*) FROM unplaced", [], |row| row.get::<_, u32>(0)).unwrap();
    room.wait_until("they are let go", || count() == 0);
    let told = status(&room, &[]);
    assert!(!told.contains("waited for"), "{told}");
    drop(agent);
    hub.kill().unwrap();
    hub.wait().unwrap();
}
