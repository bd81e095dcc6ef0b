//! How the hub comes, how it goes, and that there is only one. Several threads: a test that waits for a process must
//! not keep its clients from closing.

use crate::room;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use crate::room::{PROGRAM, Room, comment, creates, end, hello, open_tab};
use opentoolbar::home::Home;
use opentoolbar::hub::client::Connector;
use opentoolbar_core::protocol::{Answer, ErrorCode, NewsQuery, Request, Role};

async fn pid_of(client: &opentoolbar::hub::client::Client) -> u32 {
    match client.request(Request::Status).await.unwrap() {
        Answer::Status { pid, .. } => pid,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_client_starts_the_hub() {
    let room = Room::new();
    let agent = room.agent("claude-code 2.1").await;
    assert_eq!(Some(pid_of(&agent).await), room.pid());
}

#[tokio::test(flavor = "multi_thread")]
async fn many_clients_at_once_start_one_hub() {
    let room = Room::new();
    let browser = room.browser();
    let (a, b, c, d) = tokio::join!(room.agent("a"), room.agent("b"), room.agent("c"), browser);
    let pids = [pid_of(&a).await, pid_of(&b).await, pid_of(&c).await, pid_of(&d).await];
    assert!(pids.iter().all(|pid| Some(*pid) == room.pid()), "{pids:?}");
}

/// Browsers and agents that come while the old hub leaves all end at the same next one.
#[tokio::test(flavor = "multi_thread")]
async fn clients_that_come_while_a_hub_leaves_meet_at_the_next() {
    let room = Room::new();
    for _ in 0..5 {
        let mut old = room.hub();
        let first = room.agent("first").await;
        assert_eq!(pid_of(&first).await, old.id());
        Command::new("kill").args(["-TERM", &old.id().to_string()]).status().unwrap();
        let (a, b, c, d) = tokio::join!(room.agent("a"), room.agent("b"), room.browser(), room.browser());
        assert!(old.wait().unwrap().success());
        let next = pid_of(&a).await;
        assert_ne!(next, old.id());
        for client in [&first, &a, &b, &c, &d] {
            assert_eq!(pid_of(client).await, next);
        }
        assert_eq!(room.pid(), Some(next));
        drop((first, a, b, c, d));
        room.wait_until("its lock is free", || {
            // Who was about to leave may have started another hub in the meantime.
            if let Some(pid) = room.pid() {
                end(pid);
            }
            std::fs::File::open(room.home.lock()).unwrap().try_lock().is_ok()
        });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clients_session_survives_a_killed_hub() {
    let room = Room::new();
    let agent = room.agent("a").await;
    let first = pid_of(&agent).await;
    end(first);
    let second = pid_of(&agent).await;
    assert_ne!(first, second);
    assert_eq!(Some(second), room.pid());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_hubs_started_at_once_one_lives() {
    let room = Room::new();
    room.home.ensure().unwrap();
    let start = || room.program().arg("hub").stderr(Stdio::null()).spawn().unwrap();
    let mut hubs = [start(), start()];
    room.wait_until("one has left", || hubs.iter_mut().any(|hub| hub.try_wait().unwrap().is_some()));
    room.wait_until("one is up", || room.pid().is_some());
    let left = hubs.iter_mut().filter_map(|hub| hub.try_wait().unwrap()).collect::<Vec<_>>();
    assert_eq!(left.len(), 1);
    assert!(left[0].success(), "the second one leaves without a fault: {left:?}");
    let agent = room.agent("a").await;
    let pid = pid_of(&agent).await;
    assert!(hubs.iter().any(|hub| hub.id() == pid));
    end(pid);
    for hub in &mut hubs {
        hub.wait().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_that_is_deleted_lets_no_second_hub_begin() {
    let room = Room::new();
    let mut hub = room.hub();
    let agent = room.agent("a").await;
    std::fs::remove_file(room.home.lock()).unwrap();
    let second = room.program().arg("hub").stderr(Stdio::null()).spawn().unwrap();
    let left = tokio::task::spawn_blocking(move || second.wait_with_output().unwrap().status);
    let left = tokio::time::timeout(std::time::Duration::from_secs(15), left).await;
    let left = left.expect("the second one does not leave").unwrap();
    assert!(left.success(), "{left}");
    assert_eq!(pid_of(&agent).await, hub.id());
    assert_eq!(pid_of(&room.agent("b").await).await, hub.id());
    end(hub.id());
    hub.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_that_is_deleted_is_there_again() {
    let room = Room::new();
    let mut hub = room.hub();
    let agent = room.agent("a").await;
    for _ in 0..2 {
        std::fs::remove_file(room.home.socket()).unwrap();
        room.wait_until("the socket is there again", || room.home.socket().exists());
        let verb = room.connector().never_start();
        let verb = verb.connect(hello(Role::Cli, "status", Some(&room.project))).await.unwrap();
        assert_eq!(pid_of(&verb).await, hub.id());
    }
    assert_eq!(pid_of(&agent).await, hub.id(), "who was connected stays");
    assert_eq!(room.pid(), Some(hub.id()));
    end(hub.id());
    hub.wait().unwrap();
}

/// As a cleaner of old files does it.
#[tokio::test(flavor = "multi_thread")]
async fn socket_and_lock_that_are_deleted_let_no_second_hub_begin() {
    let room = Room::new();
    let mut hub = room.hub();
    for file in [room.home.socket(), room.home.lock(), room.home.pid()] {
        std::fs::remove_file(file).unwrap();
    }
    let second = room.program().arg("hub").stderr(Stdio::null()).spawn().unwrap();
    let left = tokio::task::spawn_blocking(move || second.wait_with_output().unwrap().status);
    // Starts a hub where none is found.
    let agent = room.agent("a").await;
    assert_eq!(pid_of(&agent).await, hub.id());
    assert!(left.await.unwrap().success());
    room.wait_until("the lock is held again", || {
        matches!(
            std::fs::File::open(room.home.lock()).map(|file| file.try_lock()),
            Ok(Err(std::fs::TryLockError::WouldBlock))
        )
    });
    assert_eq!(room.pid(), Some(hub.id()));
    end(hub.id());
    hub.wait().unwrap();
}

/// A hub of a version before this one looks at nothing but the lock's file.
#[tokio::test(flavor = "multi_thread")]
async fn a_hub_whose_lock_is_anothers_leaves_and_says_why() {
    let room = Room::new();
    let mut hub = room.hub();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", "http://shop.test/", &room.project).await;
    browser.request(creates("s_1", comment("c_1", "http://shop.test/", "make it blue"))).await.unwrap();
    std::fs::remove_file(room.home.lock()).unwrap();
    let other = std::fs::File::create_new(room.home.lock()).unwrap();
    other.try_lock().unwrap();
    let began = std::time::Instant::now();
    let left = tokio::task::spawn_blocking(move || (hub.wait().unwrap(), hub.id()));
    let (left, pid) = left.await.unwrap();
    assert!(left.success(), "{left}");
    // It looks every two seconds; otherwise it stays as long as the browser does.
    assert!(began.elapsed() < std::time::Duration::from_secs(60), "{:?}", began.elapsed());
    let log = std::fs::read_to_string(room.home.logs().join("hub.log")).unwrap();
    assert!(log.contains("another process holds hub.lock"), "{log}");
    drop(other);
    let feedback = room::feedback(&room.agent("a").await, Default::default()).await;
    assert_eq!(feedback.ids, ["c_1"]);
    assert_ne!(room.pid(), Some(pid));
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_hub_whose_home_was_taken_away_leaves() {
    let room = Room::new();
    let mut hub = room.hub();
    let agent = room.agent("a").await;
    let aside = room.path().join("aside");
    std::fs::rename(room.home.dir(), &aside).unwrap();
    let left = tokio::task::spawn_blocking(move || hub.wait().unwrap());
    assert!(left.await.unwrap().success());
    let log = std::fs::read_to_string(aside.join("logs/hub.log")).unwrap();
    assert!(log.contains("its home was moved or deleted"), "{log}");
    // The next one makes a home of its own.
    assert_eq!(Some(pid_of(&agent).await), room.pid());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_that_nobody_needs_leaves_and_takes_its_files_along() {
    let room = Room::new();
    room.home.ensure().unwrap();
    let mut hub = room.program().arg("hub").env("OPENTOOLBAR_IDLE_SECONDS", "1").spawn().unwrap();
    room.wait_until("it is up", || room.pid() == Some(hub.id()));
    let agent = room.agent("a").await;
    assert_eq!(pid_of(&agent).await, hub.id());
    // As long as somebody is connected it stays, however long it has been idle: this wait outlasts the idle time.
    let wait = Request::WaitForFeedback(NewsQuery { after: None, timeout_ms: 2_000, ..NewsQuery::default() });
    agent.request(wait).await.unwrap();
    assert!(hub.try_wait().unwrap().is_none());
    drop(agent);
    assert!(hub.wait().unwrap().success());
    assert!(!room.home.socket().exists() && !room.home.pid().exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_hub_left_behind_is_not_in_the_way() {
    let room = Room::new();
    let mut first = room.hub();
    end(first.id());
    first.wait().unwrap();
    assert!(room.home.socket().exists() && room.home.pid().exists() && room.home.lock().exists());
    let agent = room.agent("a").await;
    let pid = pid_of(&agent).await;
    assert_ne!(pid, first.id());
    assert_eq!(room.pid(), Some(pid));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_told_to_leave_finishes_and_says_goodbye() {
    let room = Room::new();
    let mut hub = room.hub();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", "http://shop.test/", &room.project).await;
    browser.request(creates("s_1", comment("c_1", "http://shop.test/", "make it blue"))).await.unwrap();
    Command::new("kill").args(["-TERM", &hub.id().to_string()]).status().unwrap();
    assert!(hub.wait().unwrap().success());
    assert!(!room.home.socket().exists() && !room.home.pid().exists());
    let mirror = std::fs::read_to_string(room.project.join(".opentoolbar/feedback.md")).unwrap();
    assert!(mirror.contains("make it blue"), "the mirror is written before the hub leaves");
    assert!(!room.data().join("opentoolbar.db-wal").exists(), "the database was closed");
    // Nobody asks, so nobody starts another one; the next question does.
    assert_ne!(pid_of(&browser).await, hub.id());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_asked_to_leave_waits_for_its_connections() {
    let room = Room::new();
    let mut hub = room.hub();
    let verb = room.connector().connect(hello(Role::Cli, "opentoolbar", Some(&room.project))).await.unwrap();
    let agent = room.agent("a").await;
    assert_eq!(verb.request(Request::Shutdown).await.unwrap(), Answer::Done);
    drop(verb);
    assert_eq!(pid_of(&agent).await, hub.id());
    assert!(hub.try_wait().unwrap().is_none());
    drop(agent);
    assert!(hub.wait().unwrap().success());
}

#[test]
fn serve_tells_a_person_where_it_is_and_nothing_of_its_log() {
    let room = Room::new();
    let mut command = room.program();
    command.args(["serve", "--port", "0"]).env_remove("OPENTOOLBAR_LOG");
    let mut serve = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(serve.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    serve.kill().unwrap();
    let said = String::from_utf8(serve.wait_with_output().unwrap().stderr).unwrap();
    assert!(line.starts_with("The gateway is open: ws://127.0.0.1:"), "{line}");
    assert_eq!(said, "");

    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let room = Room::new();
    let mut command = room.program();
    let failed = command.args(["serve", "--port", &port]).env_remove("OPENTOOLBAR_LOG").output().unwrap();
    let said = String::from_utf8(failed.stderr).unwrap();
    assert_eq!((failed.status.success(), said.lines().count()), (false, 1), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn serve_beside_a_running_hub_on_a_port_that_is_taken_says_so() {
    let room = Room::new();
    let agent = room.agent("a").await;
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let serve = room.program().args(["serve", "--port", &port]).output().unwrap();
    assert!(!serve.status.success());
    let said = String::from_utf8(serve.stderr).unwrap();
    assert!(said.contains(&port) && said.contains("--port 0"), "{said}");
    agent.request(Request::Ping).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_home_whose_path_is_too_long_for_a_socket_says_so() {
    let room = Room::new();
    let home = Home::at(room.path().join("x".repeat(120)));
    let connector = Connector::new(home).program(PROGRAM);
    let error = connector.connect(hello(Role::Agent, "a", Some(&room.project))).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Storage);
    assert!(error.next_step.contains("shorter path"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_starting_a_missing_hub_is_an_error_that_says_what_to_do() {
    let room = Room::new();
    let connector = room.connector().never_start();
    let error = connector.connect(hello(Role::Cli, "status", Some(&room.project))).await.unwrap_err();
    assert!(error.message.starts_with("no hub is running"), "{error}");
    assert!(!room.home.dir().exists(), "looking must leave nothing behind");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_registry_is_kept_aside() {
    let room = Room::new();
    room.home.ensure().unwrap();
    std::fs::write(room.home.registry(), "{ half").unwrap();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", "http://shop.test/", &room.project).await;
    let aside = room.home.dir().join("registry.json.broken-1");
    assert_eq!(std::fs::read_to_string(aside).unwrap(), "{ half");
    assert!(std::fs::read_to_string(room.home.registry()).unwrap().contains("http://shop.test"));
}

#[tokio::test]
async fn a_bad_entry_of_the_registry_costs_itself_alone_and_status_tells_people_of_it() {
    let room = Room::new();
    room.home.ensure().unwrap();
    let written = serde_json::json!({
        "version": 1, "fromBefore": [], "origins": { "http://shop.test": room.project, "http://other.test": 5 },
        "projects": { room.project.to_str().unwrap(): 1 }
    });
    std::fs::write(room.home.registry(), written.to_string()).unwrap();
    let agent = room.agent("a").await;
    let status = room.program().arg("status").output().unwrap();
    let status = String::from_utf8_lossy(&status.stdout).into_owned();
    let aside = room.home.dir().join("registry.json.broken-1");
    assert!(
        status.contains("1 entry could not be read") && status.contains("registry.json.broken-1"),
        "{status}"
    );
    assert_eq!(std::fs::read_to_string(aside).unwrap(), written.to_string());
    let now = std::fs::read_to_string(room.home.registry()).unwrap();
    assert!(now.contains("http://shop.test") && !now.contains("http://other.test"), "{now}");
    let told = agent.request(Request::Status).await.unwrap();
    assert!(matches!(&told, Answer::Status { set_aside, .. } if set_aside.is_empty()), "{told:?}");
}

/// People call agents by these numbers.
#[tokio::test]
async fn agents_of_one_name_keep_their_numbers_when_the_hub_is_killed_and_they_come_back_in_another_order() {
    use opentoolbar_core::model::{Author, CommentChange};
    let room = Room::new();
    let mut hub = room.hub();
    let browser = room.browser().await;
    room::open_tab(&browser, "s_1", "http://shop.test/", &room.project).await;
    let comment = room::comment("c_1", "http://shop.test/", "Make it bigger");
    browser.request(room::creates("s_1", comment)).await.unwrap();
    let mut agents = Vec::new();
    for instance in ["first", "second", "third"] {
        let mut hello = room::hello(Role::Agent, "codex", Some(&room.project));
        hello.instance = Some(instance.into());
        agents.push(room.connector().connect(hello).await.unwrap());
    }
    room.wait_until("their numbers are remembered", || {
        let known = std::fs::read_to_string(room.home.registry());
        known.is_ok_and(|text| ["second", "third"].iter().all(|name| text.contains(name)))
    });
    room::end(hub.id());
    hub.wait().unwrap();
    for (n, (agent, name)) in agents.iter().zip(["codex", "codex (2)", "codex (3)"]).enumerate().rev() {
        let id = format!("r_{n}").parse().unwrap();
        let reply = CommentChange::Reply { id, text: "Done".into() };
        let told = room::the_comment(agent.request(room::changes("c_1", reply)).await.unwrap());
        let by = told.replies.last().unwrap().author.clone();
        assert_eq!(by, Author::Agent { name: name.into() });
    }
}
