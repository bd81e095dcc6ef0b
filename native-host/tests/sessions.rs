//! Tabs find their projects, and find them anew when agents come and go.

use crate::room;
use std::path::PathBuf;
use std::time::Duration;

use crate::room::{Room, comment, creates, session};
use opentoolbar::hub::client::Client;
use opentoolbar_core::protocol::{Answer, ErrorCode, Event, EventEnvelope, Request};

const PAGE: &str = "https://shop.test/";

async fn next_project(events: &mut tokio::sync::broadcast::Receiver<EventEnvelope>) -> Option<String> {
    let changed = async {
        loop {
            if let Event::SessionChanged { project, .. } = events.recv().await.unwrap().event {
                return project.map(|project| project.name);
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), changed).await.unwrap()
}

#[tokio::test]
async fn a_tab_without_a_project_gets_the_one_of_the_agent_that_comes() {
    let room = Room::new();
    let browser = room.browser().await;
    let mut events = browser.events();
    match browser.request(Request::OpenSession(session("s_1", PAGE))).await.unwrap() {
        Answer::Session { project: None, reason, choices, .. } => {
            assert!(reason.contains("no agent is connected") && choices.is_empty(), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    let error = browser.request(creates("s_1", comment("c_1", PAGE, "x"))).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NoProject);
    assert!(error.next_step.contains("Choose the project"), "{error}");

    let _agent = room.agent("a").await;
    assert_eq!(next_project(&mut events).await.as_deref(), Some("shop"));
    browser.request(creates("s_1", comment("c_1", PAGE, "x"))).await.unwrap();
}

#[tokio::test]
async fn agents_in_two_projects_are_a_choice_that_the_person_makes() {
    let room = Room::new();
    let blog = room.path().join("blog");
    std::fs::create_dir(&blog).unwrap();
    let _agents = (room.agent("a").await, room.agent_in("b", &blog).await);
    let browser = room.browser().await;
    let mut events = browser.events();
    match browser.request(Request::OpenSession(session("s_1", PAGE))).await.unwrap() {
        Answer::Session { project: None, choices, .. } => {
            assert_eq!(choices.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["blog", "shop"]);
        }
        other => panic!("{other:?}"),
    }
    let root = blog.to_str().unwrap().to_owned();
    browser.request(Request::SetOriginProject { origin: "https://shop.test".into(), root }).await.unwrap();
    assert_eq!(next_project(&mut events).await.as_deref(), Some("blog"));
    let home = Request::SetOriginProject { origin: "https://shop.test".into(), root: "/".into() };
    assert_eq!(browser.request(home).await.unwrap_err().code, ErrorCode::BadRequest);
}

#[tokio::test]
async fn a_local_dev_server_leads_to_the_project_it_serves() {
    let room = Room::new();
    let src = room.project.join("src");
    std::fs::create_dir(&src).unwrap();
    // A real process that listens, in a directory below the project's root.
    let script = "use IO::Socket::INET; $| = 1; $s = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') \
                  or die $!; print $s->sockport, \"\\n\"; <STDIN>";
    let mut server = std::process::Command::new("perl")
        .args(["-e", script])
        .current_dir(&src)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut port = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(server.stdout.take().unwrap()), &mut port)
        .unwrap();
    let browser = room.browser().await;
    let page = format!("http://localhost:{}/", port.trim());
    match browser.request(Request::OpenSession(session("s_1", &page))).await.unwrap() {
        Answer::Session { project: Some(project), reason, .. } => {
            assert_eq!(project.name, "shop");
            assert!(reason.starts_with(&format!("port {} belongs to perl in ", port.trim())), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    drop(server.stdin.take());
    server.wait().unwrap();
}

#[tokio::test]
async fn an_outbox_finds_its_project_after_the_tab_is_closed() {
    let room = Room::new();
    let browser = room.browser().await;
    room::open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(Request::CloseSession { session_id: "s_1".parse().unwrap() }).await.unwrap();
    let closed = Request::ListComments { session_id: "s_1".parse().unwrap() };
    assert_eq!(browser.request(closed).await.unwrap_err().code, ErrorCode::UnknownSession);
    browser.request(creates("s_1", comment("c_1", PAGE, "x"))).await.unwrap();
}

/// Everything that the home keeps of projects: names, sizes, times and content.
fn kept(room: &Room) -> Vec<(std::path::PathBuf, std::time::SystemTime, Vec<u8>)> {
    let mut files = Vec::new();
    for project in std::fs::read_dir(room.home.projects()).unwrap() {
        for file in std::fs::read_dir(project.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let changed = path.metadata().unwrap().modified().unwrap();
            files.push((path.clone(), changed, std::fs::read(path).unwrap()));
        }
    }
    files.sort();
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_that_nobody_knows_opens_no_projects_database() {
    let room = Room::new();
    let mut hub = room.hub();
    let browser = room.browser().await;
    for n in 0..5 {
        let root = room.path().join(format!("p{n}"));
        std::fs::create_dir(&root).unwrap();
        let (session, page) = (format!("s_{n}"), format!("https://p{n}.test/"));
        room::open_tab(&browser, &session, &page, &root).await;
        browser.request(creates(&session, comment(&format!("c_{n}"), &page, "x"))).await.unwrap();
    }
    let leave = |hub: &std::process::Child| {
        let told = std::process::Command::new("kill").args(["-TERM", &hub.id().to_string()]).status();
        assert!(told.unwrap().success());
    };
    leave(&hub);
    hub.wait().unwrap();
    for project in std::fs::read_dir(room.home.projects()).unwrap() {
        let database = project.unwrap().path().join("opentoolbar.db");
        // As an earlier version left it: whoever opens it would bring it up to date.
        let before = rusqlite::Connection::open(database).unwrap();
        before.pragma_update(None, "user_version", 1).unwrap();
    }
    let before = kept(&room);
    assert!(before.len() >= 10, "{}", before.len());
    let mut hub = room.hub();
    for request in [
        room::changes("c_nobodys", opentoolbar_core::model::CommentChange::Delete),
        Request::GetComment { comment_id: "c_nobodys".parse().unwrap() },
        Request::GetScreenshot { comment_id: "c_nobodys".parse().unwrap() },
    ] {
        let refused = browser.request(request).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::UnknownComment);
    }
    leave(&hub);
    hub.wait().unwrap();
    let changed: Vec<_> = kept(&room)
        .into_iter()
        .zip(&before)
        .filter(|(now, before)| now != *before)
        .map(|(now, _)| now.0)
        .collect();
    assert!(changed.is_empty(), "{changed:?}");
}

/// A hub that is to be ended, a tab of the project with a comment in it, and another project, `blog`.
async fn with_a_comment(screenshot: Option<&str>) -> (Room, std::process::Child, Client, PathBuf) {
    let room = Room::new();
    let blog = room.path().join("blog");
    std::fs::create_dir(&blog).unwrap();
    let hub = room.hub();
    let browser = room.browser().await;
    room::open_tab(&browser, "s_1", PAGE, &room.project).await;
    let create = Request::CreateComment {
        session_id: "s_1".parse().unwrap(),
        comment: Box::new(comment("c_1", PAGE, "x")),
        screenshot: screenshot.map(Into::into),
    };
    browser.request(create).await.unwrap();
    (room, hub, browser, blog)
}

/// Two dev servers take turns on one port: the page's tabs belong to the second project by now.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_finds_its_comment_in_a_project_whose_database_is_closed_whatever_session_it_names() {
    let (room, mut hub, browser, blog) = with_a_comment(None).await;
    room::end(hub.id());
    hub.wait().unwrap();
    let database = room.database();
    let mut hub = room.hub();
    room::open_tab(&browser, "s_1", PAGE, &blog).await;
    let delete = || room::changes("c_1", opentoolbar_core::model::CommentChange::Delete);
    let log = database.with_extension("db-wal");
    let aside = [&database, &log].map(|file| (file, PathBuf::from(format!("{}.aside", file.display()))));
    assert!(std::fs::metadata(&log).unwrap().len() > 0, "a killed hub leaves it");
    aside.iter().for_each(|(file, aside)| std::fs::rename(file, aside).unwrap());
    for damaged in ["no database at all, and longer than a header of one", ""] {
        std::fs::write(&database, damaged).unwrap();
        let refused = browser.request_in(&"s_1".parse().unwrap(), delete()).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::Storage, "one that cannot be asked may have it: {refused}");
    }
    aside.iter().for_each(|(file, aside)| std::fs::rename(aside, file).unwrap());
    let changed = browser.request_in(&"s_1".parse().unwrap(), delete()).await.unwrap();
    assert!(room::the_comment(changed).deleted_at.is_some());
    room::end(hub.id());
    hub.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_names_its_session_finds_its_project_long_after_the_tab_is_closed() {
    let (room, mut hub, browser, _) = with_a_comment(None).await;
    room.wait_until("the tab is remembered", || {
        std::fs::read_to_string(room.home.registry()).is_ok_and(|text| text.contains("s_1"))
    });
    browser.request(Request::CloseSession { session_id: "s_1".parse().unwrap() }).await.unwrap();
    room::end(hub.id());
    hub.wait().unwrap();
    let change = room::changes("c_1", opentoolbar_core::model::CommentChange::Delete);
    let changed = browser.request_in(&"s_1".parse().unwrap(), change).await.unwrap();
    assert!(room::the_comment(changed).deleted_at.is_some());
    // Not the comment is unknown, but the session: the browser opens it and asks again, and loses nothing.
    let change = room::changes("c_1", opentoolbar_core::model::CommentChange::Restore);
    let refused = browser.request_in(&"s_forgotten".parse().unwrap(), change).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::UnknownSession);
}

/// What a browser is told of a comment does not depend on which databases happen to be open.
#[tokio::test(flavor = "multi_thread")]
async fn a_comment_and_its_picture_are_found_in_a_project_whose_database_is_closed() {
    let (room, mut hub, browser, blog) = with_a_comment(Some(room::conversation::PNG)).await;
    let ask = || {
        [
            Request::GetComment { comment_id: "c_1".parse().unwrap() },
            Request::GetScreenshot { comment_id: "c_1".parse().unwrap() },
        ]
    };
    for tab in [false, true] {
        room::end(hub.id());
        hub.wait().unwrap();
        hub = room.hub();
        if tab {
            room::open_tab(&browser, "s_2", "https://blog.test/", &blog).await;
        }
        for request in ask() {
            browser.request(request).await.unwrap();
        }
    }
    // An agent's own project is all that it is told of.
    let agent = room.agent_in("a", &blog).await;
    for request in ask() {
        assert_eq!(agent.request(request).await.unwrap_err().code, ErrorCode::UnknownComment);
    }
    room::end(hub.id());
    hub.wait().unwrap();
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_change_without_a_session_finds_its_comment_where_an_earlier_version_kept_it() {
    let room = Room::new();
    room::earlier::earlier(&room, false).await;
    let mut hub = room.hub();
    let browser = room.browser().await;
    let delete = room::changes("c_1", opentoolbar_core::model::CommentChange::Delete);
    let changed = browser.request(delete).await.unwrap();
    assert!(room::the_comment(changed).deleted_at.is_some());
    room::end(hub.id());
    hub.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comment_that_names_another_browsers_tab_goes_where_its_own_page_belongs() {
    const BLOG: &str = "https://blog.test/";
    let room = Room::new();
    let blog = room.path().join("blog");
    std::fs::create_dir(&blog).unwrap();
    let mut hub = room.hub();
    let (mine, other) = (room.browser().await, room.browser().await);
    room::open_tab(&mine, "s_1", PAGE, &room.project).await;
    room::open_tab(&other, "s_2", BLOG, &blog).await;
    let created = other.request(creates("s_1", comment("c_1", BLOG, "x"))).await.unwrap();
    assert_eq!(room::the_comment(created).session_id, None, "answers to it are not the other tab's");
    let import = Request::ImportComments {
        session_id: "s_1".parse().unwrap(),
        comments: vec![comment("c_2", BLOG, "x")],
    };
    other.request(import).await.unwrap();
    // Nobody knows where that page belongs.
    let unknown = other.request(creates("s_1", comment("c_3", "https://nobodys.test/", "x"))).await;
    assert_eq!(unknown.unwrap_err().code, ErrorCode::NoProject);
    let query = opentoolbar_core::protocol::FeedbackQuery::default;
    let agent = room.agent_in("a", &blog).await;
    assert_eq!(room::feedback(&agent, query()).await.ids.len(), 2);
    let agent = room.agent("a").await;
    assert!(room::feedback(&agent, query()).await.ids.is_empty());
    room::end(hub.id());
    hub.wait().unwrap();
}
