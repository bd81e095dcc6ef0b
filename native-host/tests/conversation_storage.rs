//! The conversation when its storage is in trouble, or larger than anybody expects: a clear error, nothing lost,
//! nothing twice.
#![cfg(unix)]

use crate::room;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::room::conversation::{
    PAGE, PNG, context, id, messages, responds, say, select, select_as, selection,
};
use crate::room::line::Line;
use crate::room::{Room, changes, comment, creates, end, open_tab, the_comment};
use opentoolbar::hub::client::Client;
use opentoolbar_core::model::{Addresses, CommentChange, Message};
use opentoolbar_core::protocol::{Answer, ErrorCode, Request, SetContext};

fn contents(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(|one| one.content.as_str()).collect()
}

/// What the database has is said; a file beside it that cannot be written is no reason to say that it failed.
#[tokio::test]
async fn a_copy_that_cannot_be_written_fails_no_message() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    let sessions = room.ours().join("sessions");
    room.wait_until("the session has its file", || sessions.join("s_1.json").exists());
    std::fs::remove_dir_all(&sessions).unwrap();
    std::fs::write(&sessions, "in the way").unwrap();
    say(&browser, "s_1", &selected, "Hi").await.unwrap();
    select(&browser, "s_1", "INPUT").await;
    agent.request(responds("s_1", &selected, "Hello", true)).await.unwrap();
    say(&browser, "s_1", &selected, "Never mind").await.unwrap();
    browser.request_in(&id("s_1"), Request::StopWaiting).await.unwrap();
    let (all, _) = messages(&browser, "s_1", None).await;
    assert_eq!(contents(&all), ["Hi", "Hello", "Never mind"]);
}

#[tokio::test]
async fn pictures_that_the_project_cannot_take_are_kept_in_the_home_or_said_not_to_be() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    select(&browser, "s_1", "BUTTON").await;
    let pictures = room.ours().join("screenshots");
    std::fs::remove_dir_all(&pictures).unwrap();
    std::fs::write(&pictures, "in the way").unwrap();
    select_as(&browser, ("s_1", "ctx_2"), "INPUT", Some(PNG)).await.unwrap();
    let told = context(&agent, None).await;
    assert_eq!(told.context.unwrap().selection.element.tag_name, "INPUT");
    for path in [told.screenshot_path, told.viewport_screenshot_path] {
        let path = PathBuf::from(path.unwrap());
        assert!(path.starts_with(room.data()) && std::fs::read(path).unwrap().starts_with(b"\x89PNG"));
    }
    // Where it can be put nowhere there is no selection either.
    let at_home = room.data().join("screenshots");
    std::fs::remove_dir_all(&at_home).unwrap();
    std::fs::write(&at_home, "in the way").unwrap();
    let refused = select_as(&browser, ("s_1", "ctx_3"), "SELECT", Some(PNG)).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Storage, "{refused}");
    let told = context(&agent, None).await.context.unwrap();
    assert_eq!(told.selection.element.tag_name, "INPUT");
}

#[tokio::test]
async fn a_database_that_another_program_locks_is_said_so_and_works_again_when_it_is_free() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    let other = rusqlite::Connection::open(room.database()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = say(&browser, "s_1", &selected, "Now?").await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Storage);
    assert!(
        refused.message.contains("locked") && refused.next_step.contains("Close the program"),
        "{refused}"
    );
    other.execute_batch("ROLLBACK").unwrap();
    say(&browser, "s_1", &selected, "Now!").await.unwrap();
    let (all, _) = messages(&browser, "s_1", None).await;
    assert_eq!(contents(&all), ["Now!"]);
}

#[tokio::test]
async fn a_selections_id_that_is_used_for_another_one_is_a_conflict() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    open_tab(&browser, "s_2", PAGE, &room.project).await;
    select_as(&browser, ("s_1", "ctx_1"), "BUTTON", Some(PNG)).await.unwrap();
    // The same once more is the same.
    select_as(&browser, ("s_1", "ctx_1"), "BUTTON", Some(PNG)).await.unwrap();
    for (session, tag) in [("s_1", "INPUT"), ("s_2", "BUTTON")] {
        let refused = select_as(&browser, (session, "ctx_1"), tag, Some(PNG)).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Conflict, "{session} {tag}: {refused}");
    }
    let unknown = say(&browser, "s_1", "ctx_none", "Hi").await.unwrap_err();
    assert_eq!(unknown.code, ErrorCode::UnknownContext);
    assert!(unknown.next_step.contains("Select the element"), "a page hears what a page can do: {unknown}");
}

#[tokio::test]
async fn whatever_ids_a_browser_chooses_no_picture_is_written_over_another() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    select_as(&browser, ("s_1", "ctx_a"), "BUTTON", Some(PNG)).await.unwrap();
    select_as(&browser, ("s_1", "ctx_a_viewport"), "INPUT", Some(PNG)).await.unwrap();
    let paths = |told: opentoolbar_core::protocol::UiContext| {
        [told.screenshot_path.unwrap(), told.viewport_screenshot_path.unwrap()]
    };
    let last = paths(context(&agent, None).await);
    say(&browser, "s_1", "ctx_a", "This").await.unwrap();
    let first = paths(context(&agent, None).await);
    assert!(first.iter().all(|path| !last.contains(path)), "{first:?} {last:?}");
}

/// 12 MiB of messages, more than one answer takes.
#[tokio::test]
async fn a_long_conversation_comes_in_answers_of_bounded_size_and_whole() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    for number in 0..12_u8 {
        let words = char::from(b'a' + number).to_string().repeat(1024 * 1024);
        say(&browser, "s_1", &selected, &words).await.unwrap();
    }
    let (mut after, mut seen) = (0, String::new());
    loop {
        let (some, position) = messages(&browser, "s_1", Some(after)).await;
        let bytes: usize = some.iter().map(|one| one.content.len()).sum();
        assert!(bytes <= 9 * 1024 * 1024, "{bytes} bytes in one answer");
        if some.is_empty() {
            break;
        }
        seen.extend(some.iter().filter_map(|one| one.content.chars().next()));
        after = position;
    }
    assert_eq!(seen, "abcdefghijkl");
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

/// A project may come from a stranger, with links in it.
#[tokio::test]
async fn links_that_lead_out_of_the_project_are_not_followed() {
    for name in [".", "screenshots", "sessions"] {
        let room = Room::new();
        let elsewhere = room.path().join("elsewhere");
        std::fs::create_dir(&elsewhere).unwrap();
        let link = match name {
            "." => room.ours(),
            name => {
                std::fs::create_dir(room.ours()).unwrap();
                room.ours().join(name)
            }
        };
        std::os::unix::fs::symlink(&elsewhere, link).unwrap();
        let (browser, agent) = (room.browser().await, room.agent("a").await);
        open_tab(&browser, "s_1", PAGE, &room.project).await;
        select_as(&browser, ("s_1", "ctx_1"), "BUTTON", Some(PNG)).await.unwrap();
        let told = context(&agent, None).await.screenshot_path.unwrap();
        assert!(std::fs::read(told).unwrap().starts_with(b"\x89PNG"), "{name}");
        assert!(is_empty(&elsewhere), "{name}");
        drop(agent);
    }
    // What SQLite would follow is not SQLite's to open.
    for name in ["opentoolbar.db", "opentoolbar.db-wal", "opentoolbar.db-shm", "opentoolbar.db-journal"] {
        let room = Room::new();
        let elsewhere = room.path().join("elsewhere");
        std::fs::write(&elsewhere, "mine").unwrap();
        std::fs::create_dir(room.ours()).unwrap();
        std::os::unix::fs::symlink(&elsewhere, room.ours().join(name)).unwrap();
        let browser = room.browser().await;
        open_tab(&browser, "s_1", PAGE, &room.project).await;
        select_as(&browser, ("s_1", "ctx_1"), "BUTTON", Some(PNG)).await.unwrap();
        assert!(room.ours().join(name).is_symlink(), "{name}: what stands in the project is left alone");
        assert_eq!(std::fs::read(&elsewhere).unwrap(), b"mine", "{name}");
    }
    // A link in place of a picture is no picture.
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    select_as(&browser, ("s_1", "ctx_1"), "BUTTON", Some(PNG)).await.unwrap();
    let secret = room.path().join("secret");
    std::fs::write(&secret, "secret").unwrap();
    let picture = room.ours().join("screenshots/ctx_1.png");
    std::fs::remove_file(&picture).unwrap();
    std::os::unix::fs::symlink(&secret, &picture).unwrap();
    assert_eq!(context(&agent, None).await.screenshot_path, None);
}

/// An update may redact more, or write another fingerprint: what was stored before it is not refused when it is sent
/// again.
#[tokio::test]
async fn what_another_version_stored_is_answered_when_it_is_sent_again() {
    let room = Room::new();
    let (mut hub, browser) = (room.hub(), room.browser().await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let mut made = comment("c_1", PAGE, "make it blue");
    made.title = "Your code is 493817".into();
    let edit = CommentChange::Edit { text: "make it red".into(), base_revision: 1 };
    let import =
        Request::ImportComments { session_id: id("s_1"), comments: vec![comment("c_2", PAGE, "theirs")] };
    let requests = [creates("s_1", made), changes("c_1", edit), import];
    let send = async |browser: &Client| {
        for (number, request) in requests.iter().enumerate() {
            let message = format!("m_{number}").parse().unwrap();
            browser.request_as(message, request.clone()).await.unwrap();
        }
    };
    send(&browser).await;
    // As earlier versions wrote it, and as another one does.
    for version in ["", "0.0.1 "] {
        end(hub.id());
        hub.wait().unwrap();
        let database = rusqlite::Connection::open(room.database()).unwrap();
        let targets = "UPDATE applied SET target = substr(target, 1, instr(target, ' ') + instr(substr(target, \
             instr(target, ' ') + 1), ' ')) || ?1 || '0123456789abcdef'";
        assert_eq!(database.execute(targets, [version]).unwrap(), requests.len());
        drop(database);
        hub = room.hub();
        let browser = room.browser().await;
        open_tab(&browser, "s_1", PAGE, &room.project).await;
        send(&browser).await;
        let stored = browser.request(Request::GetComment { comment_id: "c_1".parse().unwrap() }).await;
        assert_eq!(the_comment(stored.unwrap()).text, "make it red");
    }
    end(hub.id());
    hub.wait().unwrap();
}

/// The same tab, once its connection before has ended, with a message of always the same id.
async fn says_as_before(room: &Room, request: &Request) -> Answer {
    let mut line = Line::greeted(room).await;
    for number in 0..600 {
        let open = Request::OpenSession(room::session("s_1", PAGE));
        if !matches!(line.ask(&format!("m_open{number}"), None, open).await, Answer::Error(_)) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    line.ask("m_first", Some("s_1"), request.clone()).await
}

/// Everything that was stored while the clock was ten years ahead.
#[tokio::test]
async fn a_clock_that_jumps_back_loses_nothing_and_keeps_the_order() {
    const TEN_YEARS: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);
    let room = Room::new();
    let (mut hub, browser) = (room.hub(), room.browser().await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    let context_id = Some(selected.parse().unwrap());
    let first = Request::UserMessage { context_id, message: "first".into() };
    drop(browser);
    let stored = says_as_before(&room, &first).await;
    assert!(!matches!(stored, Answer::Error(_)), "{stored:?}");
    end(hub.id());
    hub.wait().unwrap();
    let database = rusqlite::Connection::open(room.database()).unwrap();
    let ahead = i64::try_from(TEN_YEARS.as_millis()).unwrap();
    for (table, column) in [("messages", "created_at"), ("applied", "at")] {
        database.execute(&format!("UPDATE {table} SET {column} = {column} + ?1"), [ahead]).unwrap();
    }
    drop(database);
    let future = SystemTime::now() + TEN_YEARS;
    let pictures = room.ours().join("screenshots");
    for number in 0..450 {
        let path = pictures.join(format!("ctx_{number}.png"));
        std::fs::write(&path, "a picture of then").unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(future).unwrap();
    }
    let registry = room.home.registry();
    let mut remembered: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&registry).unwrap()).unwrap();
    for number in 0..500 {
        let entry = serde_json::json!({ "root": room.project, "lastActive": 4_000_000_000_000_u64 });
        remembered["sessions"][format!("s_then_{number}")] = entry;
    }
    std::fs::write(&registry, remembered.to_string()).unwrap();

    // Now.
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    open_tab(&browser, "s_2", PAGE, &room.project).await;
    let again = select(&browser, "s_1", "INPUT").await;
    say(&browser, "s_1", &again, "second").await.unwrap();
    // The first answer was not heard: sent again the message is applied once.
    drop(browser);
    assert_eq!(says_as_before(&room, &first).await, stored);
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let told = context(&agent, None).await;
    assert_eq!((told.session_id, contents(&told.pending), told.waiting), (id("s_1"), vec!["first"], 1));
    assert!(
        told.screenshot_path.is_some_and(|path| Path::new(&path).is_file()),
        "the newest picture is kept"
    );
    agent.request(responds("s_1", &again, "third", true)).await.unwrap();
    let (all, _) = messages(&browser, "s_1", None).await;
    assert_eq!(contents(&all), ["first", "second", "third"]);
    let remembered: serde_json::Value = serde_json::from_slice(&std::fs::read(&registry).unwrap()).unwrap();
    assert!(remembered["sessions"]["s_2"].is_object(), "the newest tab is remembered");
}

/// Whoever captured the page: a client of the WebSocket, or an extension of another version, may not have looked.
#[tokio::test]
async fn no_secret_of_a_page_reaches_storage_or_an_agent() {
    const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    let mut tab = room::session("s_1", &format!("{PAGE}?token={SECRET}"));
    tab.title = format!("Cart {SECRET}");
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(Request::OpenSession(tab)).await.unwrap();
    let mut comment = room::comment("c_1", &format!("{PAGE}?token={SECRET}"), "Make it bigger");
    let target = &mut comment.targets[0];
    target.snapshot.text = SECRET.into();
    target.snapshot.attributes = [("data-token".into(), SECRET.into())].into();
    target.snapshot.component = Some(SECRET.into());
    // Not ours: those have none.
    target.selector = format!("a[href=\"/cart?key={SECRET}\"]");
    target.addresses = Some(Addresses {
        css: format!("[data-token={SECRET}]"),
        xpath: format!("//a[contains(., '{SECRET}')]"),
        playwright: Some(format!("page.getByText('{SECRET}')")),
        others: vec![format!("a:text-is(\"{SECRET}\")")],
    });
    let imported = opentoolbar_core::model::Comment { id: "c_2".parse().unwrap(), ..comment.clone() };
    let mut selected = selection("BUTTON");
    selected.targets = comment.targets.clone();
    let set =
        SetContext { context_id: None, selection: selected, screenshot: None, viewport_screenshot: None };
    browser.request_in(&id("s_1"), Request::SetContext(Box::new(set))).await.unwrap();
    let repin = opentoolbar_core::model::CommentChange::Repin { targets: comment.targets.clone() };
    browser.request(room::creates("s_1", comment)).await.unwrap();
    browser.request(room::changes("c_1", repin)).await.unwrap();
    let import = Request::ImportComments { session_id: id("s_1"), comments: vec![imported] };
    browser.request(import).await.unwrap();
    let told = [
        agent.request(Request::ListSessions).await.unwrap(),
        agent.request(Request::GetUiContext { session_id: None, context_id: None }).await.unwrap(),
        agent.request(Request::GetFeedback(Default::default())).await.unwrap(),
    ];
    let told = serde_json::to_string(&told).unwrap();
    assert!(told.contains("[redacted]") && !told.contains(SECRET), "{told}");
    for file in ["opentoolbar.db", "opentoolbar.db-wal"] {
        let stored = std::fs::read(room.data().join(file)).unwrap();
        let has = |what: &str| stored.windows(what.len()).any(|bytes| bytes == what.as_bytes());
        assert!(!has(SECRET), "{file}");
    }
}

/// What it selects is stored before its project is known, too.
#[tokio::test(flavor = "multi_thread")]
async fn no_secret_that_a_plain_client_selects_reaches_storage_or_an_agent() {
    const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let room = Room::new();
    let gateway = room.gateway();
    let mut client = room::plain::Plain::new(&gateway);
    let mut selected = serde_json::to_value(selection("BUTTON")).unwrap();
    let mut target = room::comment("c_1", PAGE, "Make it bigger").targets.remove(0);
    target.selector = format!("a[href=\"/cart?key={SECRET}\"]");
    selected["targets"] = serde_json::json!([target]);
    selected["page"]["url"] = format!("{PAGE}?key={SECRET}").into();
    selected["children"] = serde_json::json!([{ "tagName": "B", "classList": [], "textContent": SECRET }]);
    client.send("set_context", selected);
    let stored = client.heard();
    assert_eq!(stored["type"], "context_stored", "{stored}");
    // The person's own words stay as they are said.
    let said = format!("Is {SECRET} in use?");
    let context_id = stored["payload"]["contextId"].clone();
    client.send("user_message", serde_json::json!({ "contextId": context_id, "message": said }));
    client.send("ping", serde_json::Value::Null);
    client.heard_until("pong");
    let agent = room.agent("a").await;
    let mut told = context(&agent, None).await;
    assert_eq!(told.pending.remove(0).content, said);
    let told = serde_json::to_string(&told).unwrap();
    assert!(told.contains("[redacted]") && !told.contains(SECRET), "{told}");
}

/// Whoever else has an account on this machine may be able to enter the project.
#[tokio::test]
async fn what_was_said_and_seen_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    say(&browser, "s_1", &selected, "Hi").await.unwrap();
    browser.request(room::creates("s_1", room::comment("c_1", PAGE, "Make it bigger"))).await.unwrap();
    let (session, report) = (room.ours().join("sessions/s_1.json"), room.ours().join("feedback.md"));
    room.wait_until("the files for agents are there", || session.exists() && report.exists());
    let database = ["project.json", "opentoolbar.db", "opentoolbar.db-wal", "opentoolbar.db-shm"]
        .map(|name| room.data().join(name));
    let picture = room.ours().join(format!("screenshots/{selected}.png"));
    for path in database.iter().chain([&session, &report, &picture]) {
        let mode = std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", path.display());
    }
}

/// Put back by a person from a copy, or let open by a backup.
#[tokio::test]
async fn a_database_that_others_may_read_is_its_owners_alone_once_it_is_opened() {
    use std::os::unix::fs::PermissionsExt;
    let room = Room::new();
    let mut hub = room.hub();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    say(&browser, "s_1", &selected, "Hi").await.unwrap();
    // Killed, so that its log is there too.
    end(hub.id());
    hub.wait().unwrap();
    let files =
        ["opentoolbar.db", "opentoolbar.db-wal", "opentoolbar.db-shm"].map(|name| room.data().join(name));
    for file in &files {
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o644)).unwrap();
    }
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    assert_eq!(contents(&messages(&browser, "s_1", None).await.0), ["Hi"]);
    for file in &files {
        let mode = std::fs::metadata(file).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", file.display());
    }
}
