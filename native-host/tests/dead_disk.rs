//! A project on a disk that does not answer delays itself alone.
#![cfg(target_os = "linux")]

use crate::room;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::room::conversation::PAGE;
use crate::room::dead_mount::DeadMount;
use crate::room::dead_world::{DEAD_PAGE, SOON, World, ask, leave, soon};
use crate::room::{Room, comment, creates, open_tab, session};
use opentoolbar_core::model::{CommentChange, Timestamp};
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, Request, Role};

/// Projects of a share: all silent when its server is gone.
#[tokio::test(flavor = "multi_thread")]
async fn many_projects_on_dead_disks_are_waited_for_together() {
    let room = Room::new();
    let mut hub = room.hub();
    let browser = room.browser().await;
    let share = room.path().join("share");
    let names: Vec<String> = (0..20).map(|n| format!("d{n}")).collect();
    for name in &names {
        let (root, page) = (share.join(name), format!("https://{name}.test/"));
        std::fs::create_dir_all(&root).unwrap();
        open_tab(&browser, &format!("s_{name}"), &page, &root).await;
        browser
            .request(creates(&format!("s_{name}"), comment(&format!("c_{name}"), &page, "x")))
            .await
            .unwrap();
    }
    drop(browser);
    leave(&hub);
    assert!(hub.wait().unwrap().success());
    let Some(_dead) = DeadMount::new(&share) else {
        eprintln!("skipped: this needs root and /dev/fuse");
        return;
    };
    let mut hub = room.hub();
    let browser = room.browser().await;
    let began = Instant::now();
    let opens = names.iter().map(|name| {
        let browser = browser.clone();
        let tab = session(&format!("s_{name}"), &format!("https://{name}.test/"));
        tokio::spawn(async move { browser.request(Request::OpenSession(tab)).await })
    });
    for opened in opens.collect::<Vec<_>>() {
        assert!(matches!(opened.await.unwrap().unwrap(), Answer::Session { project: Some(_), .. }));
    }
    // One after the other they would take a second or more each.
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    let began = Instant::now();
    let cli =
        room.connector().connect(room::hello(Role::Cli, "opentoolbar", Some(&room.project))).await.unwrap();
    match ask(&cli, "what is kept", Request::ListStored).await.unwrap() {
        Answer::Stored { projects, .. } => assert_eq!(projects.len(), names.len()),
        other => panic!("{other:?}"),
    }
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    hub.kill().unwrap();
    hub.wait().unwrap();
}

/// A verb that is over soon, and what it printed.
fn verb(world: &World, args: &[&str]) -> String {
    let began = Instant::now();
    let mut command = world.room.program();
    let mut verb =
        command.args(args).current_dir(&world.room.project).stdout(Stdio::piped()).spawn().unwrap();
    while verb.try_wait().unwrap().is_none() {
        if began.elapsed() > SOON {
            let _ = verb.kill();
            panic!("{args:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let output = verb.wait_with_output().unwrap();
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn other_projects_go_on_and_the_hub_leaves() {
    let Some(mut world) = World::new().await else { return };
    let browser = world.browser().await;
    // A tab that asks for what its person chose: its project is on that disk.
    let opened = ask(&browser, "the dead project's tab", Request::OpenSession(session("s_dead", DEAD_PAGE)));
    match opened.await.unwrap() {
        Answer::Session { project: Some(project), .. } => assert_eq!(project.name, "dead"),
        other => panic!("what does not answer is not gone: {other:?}"),
    }
    let other =
        ask(&browser, "a tab of nobody's", Request::OpenSession(session("s_new", "https://new.test/")));
    assert!(matches!(other.await.unwrap(), Answer::Session { project: None, .. }));
    ask(&browser, "the good project's tab", Request::OpenSession(session("s_good", PAGE))).await.unwrap();
    ask(&browser, "a write", creates("s_good", comment("c_1", PAGE, "x"))).await.unwrap();
    match ask(&browser, "the list of projects", Request::ListProjects).await.unwrap() {
        Answer::Projects { projects } => assert!(projects.iter().any(|project| project.name == "shop")),
        other => panic!("{other:?}"),
    }
    let changes = |id: &str| Request::GetSourceChanges {
        session_id: id.parse().unwrap(),
        since: Timestamp(1),
        files: Vec::new(),
    };
    let silent = ask(&browser, "changes of the dead project", changes("s_dead")).await.unwrap_err();
    assert_eq!(silent.code, ErrorCode::Storage);
    let good = ask(&browser, "changes of the good project", changes("s_good")).await.unwrap();
    assert!(matches!(good, Answer::SourceChanges { at: Some(_), .. }));
    ask(&browser, "status", Request::Status).await.unwrap();
    let agent = soon("an agent's hello", world.room.agent("a")).await;
    assert_eq!(soon("feedback", room::feedback(&agent, Default::default())).await.ids.len(), 2);
    for args in [&["status"][..], &["export"], &["projects"]] {
        verb(&world, args);
    }
    drop((browser, agent));
    let began = Instant::now();
    leave(&world.hub);
    world.room.wait_until("the hub has left", || world.hub.try_wait().unwrap().is_some());
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    assert!(world.dead_root.starts_with(world.room.path()));
}

/// As a browser's relay does: everything goes over one connection.
#[tokio::test(flavor = "multi_thread")]
async fn on_one_connection_requests_for_the_dead_project_hold_up_none_for_another() {
    let Some(world) = World::new().await else { return };
    let browser = world.browser().await;
    for (id, page) in [("s_dead", DEAD_PAGE), ("s_good", PAGE)] {
        ask(&browser, "a tab", Request::OpenSession(session(id, page))).await.unwrap();
    }
    let edit = |text: &str| CommentChange::Edit { text: text.into(), base_revision: 1 };
    let waiting = async {
        let write = |n: u32| browser.request(creates("s_dead", comment(&format!("c_d{n}"), DEAD_PAGE, "x")));
        tokio::join!(write(1), write(2), write(3), browser.request(room::changes("c_s_dead", edit("later"))))
    };
    let going_on = async {
        // They are on their way.
        tokio::time::sleep(Duration::from_millis(100)).await;
        for n in 0..20 {
            ask(&browser, "a write", creates("s_good", comment(&format!("c_g{n}"), PAGE, "x")))
                .await
                .unwrap();
        }
        let good = "s_good".parse().unwrap();
        let change = browser.request_in(&good, room::changes("c_s_good", edit("another")));
        assert_eq!(room::the_comment(soon("a change", change).await.unwrap()).text, "another");
        ask(&browser, "ping", Request::Ping).await.unwrap();
        let listed = ask(&browser, "list", Request::ListComments { session_id: good }).await.unwrap();
        assert!(matches!(listed, Answer::Comments { comments, .. } if comments.len() == 21));
    };
    tokio::select! {
        answers = waiting => panic!("that disk does not answer: {answers:?}"),
        () = going_on => {}
    }
}

/// As a network mount whose server ended: each call fails at once.
#[tokio::test(flavor = "multi_thread")]
async fn a_tab_of_a_project_whose_disk_fails_goes_to_no_other_project() {
    let Some(mut world) = World::new().await else { return };
    world.dead.fail();
    assert!(std::fs::metadata(&world.dead_root).is_err_and(|e| e.kind() != std::io::ErrorKind::NotFound));
    // The only project with an agent would be what a page of nobody's gets.
    let _agent = world.room.agent("a").await;
    let browser = world.browser().await;
    let opened = ask(&browser, "the tab", Request::OpenSession(session("s_dead", DEAD_PAGE)));
    match opened.await.unwrap() {
        Answer::Session { project: Some(project), .. } => assert_eq!(project.name, "dead"),
        other => panic!("what fails is not gone: {other:?}"),
    }
    let refused = ask(&browser, "a write", creates("s_dead", comment("c_1", DEAD_PAGE, "x")));
    let refused = refused.await.unwrap_err();
    assert!(refused.message.contains("cannot be looked at"), "{refused}");
}

/// More than a connection may have waiting.
#[tokio::test(flavor = "multi_thread")]
async fn however_many_requests_wait_for_the_dead_project_another_is_served_and_all_are_answered() {
    let Some(world) = World::new().await else { return };
    let browser = world.browser().await;
    for (id, page) in [("s_dead", DEAD_PAGE), ("s_good", PAGE)] {
        ask(&browser, "a tab", Request::OpenSession(session(id, page))).await.unwrap();
    }
    let mut waiting = tokio::task::JoinSet::new();
    for n in 0..1_060 {
        let browser = browser.clone();
        waiting.spawn(async move {
            browser.request(creates("s_dead", comment(&format!("c_d{n}"), DEAD_PAGE, "x"))).await
        });
    }
    let mut refused = Vec::new();
    // Those that found no room, at once.
    for _ in 0..30 {
        let error = soon("a refusal", waiting.join_next()).await.unwrap().unwrap().unwrap_err();
        assert_eq!(error.code, ErrorCode::RateLimited, "{error}");
    }
    let good = Request::ListComments { session_id: "s_good".parse().unwrap() };
    assert!(matches!(ask(&browser, "the good project's list", good).await.unwrap(), Answer::Comments { .. }));
    assert!(matches!(ask(&browser, "a ping", Request::Ping).await.unwrap(), Answer::Pong { .. }));
    let rest = async {
        while let Some(ended) = waiting.join_next().await {
            refused.push(ended.unwrap().unwrap_err());
        }
    };
    tokio::time::timeout(Duration::from_secs(29), rest).await.expect("nobody waits for ever");
    let is_told = |error: &ErrorBody| matches!(error.code, ErrorCode::Storage | ErrorCode::RateLimited);
    assert!(refused.iter().all(is_told), "{refused:?}");
}

/// Whoever gives the disk up takes along what is kept of its project.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_kept_of_a_project_on_a_dead_disk_is_exported_page_by_page_and_deleted() {
    let Some(world) = World::new().await else { return };
    let connector = world.room.connector();
    let cli = connector.connect(room::hello(Role::Cli, "opentoolbar", Some(&world.room.project)));
    let cli = soon("hello", cli).await.unwrap();
    let dead = || async {
        let Answer::Stored { projects, .. } = ask(&cli, "the list", Request::ListStored).await.unwrap()
        else {
            panic!("no list");
        };
        projects.into_iter().find(|project| std::path::Path::new(&project.root) == world.dead_root)
    };
    let id = dead().await.unwrap().id;
    for page in 0..3 {
        let export = Request::ExportStored { id: id.clone(), cursor: None };
        match ask(&cli, "a page", export).await.unwrap() {
            Answer::Feedback { comments, .. } => assert_eq!(comments.len(), 1, "{page}"),
            other => panic!("{other:?}"),
        }
    }
    ask(&cli, "the end", Request::DeleteStored { id }).await.unwrap();
    assert!(dead().await.is_none());
}
