//! What tabs cost, and whose they are.
#![allow(clippy::unwrap_used)]
use std::sync::atomic::Ordering;

use opentoolbar_core::model::Timestamp;
use opentoolbar_core::protocol::{Hello, PROTOCOL_VERSION, Role};

use super::*;
use crate::home::Home;
use crate::hub::Outbox;

async fn enter(hub: &Arc<Hub>, role: Role, cwd: Option<String>) -> Arc<Peer> {
    enter_as(hub, role, cwd, None).await
}

async fn enter_as(hub: &Arc<Hub>, role: Role, cwd: Option<String>, instance: Option<&str>) -> Arc<Peer> {
    let hello = Hello {
        protocol: PROTOCOL_VERSION,
        version: String::new(),
        role,
        client: "test".into(),
        cwd,
        instance: instance.map(str::to_owned),
        last_asked: None,
        capabilities: Vec::new(),
    };
    hub.enter(Peer::new(hello, None, None, Outbox::new().0).0, None).await.unwrap()
}

#[tokio::test]
async fn a_tab_that_opens_costs_the_same_however_many_are_open() {
    let dir = tempfile::tempdir().unwrap();
    let shop = project(dir.path(), "shop");
    let hub = open_hub(dir.path());
    let browser = enter(&hub, Role::Browser, None).await;
    let open = async |id: String, url: String| {
        let before = hub.placed.load(Ordering::Relaxed);
        let session =
            Session { id: id.parse().unwrap(), url, title: String::new(), last_active: Timestamp(1) };
        let placement = hub.open_session(&browser, session).await.unwrap();
        (placement, hub.placed.load(Ordering::Relaxed) - before)
    };
    for n in 0..20 {
        let (placement, looks) = open(format!("s_site_{n}"), "http://shop.test/".into()).await;
        assert!(placement.project.is_none() && looks == 1, "{looks}");
    }
    let file = format!("file://{shop}/index.html");
    for n in 0..100 {
        let (placement, looks) = open(format!("s_{n}"), file.clone()).await;
        assert!(placement.project.is_some());
        // With the first the project is known, which the others may choose.
        assert_eq!(looks, if n == 0 { 21 } else { 1 });
    }
    let choices = hub.live().sessions[&"s_site_0".parse().unwrap()].placement.clone().unwrap().choices;
    assert_eq!(choices.len(), 1);
    // An agent is a fact for all of them.
    enter(&hub, Role::Agent, Some(shop)).await;
    assert!(hub.live().sessions.values().all(|session| session.project().is_some()));
}

fn tab(id: &str) -> Session {
    let url = "http://shop.test/".into();
    Session { id: id.parse().unwrap(), url, title: String::new(), last_active: Timestamp(1) }
}

/// What a connection sent may still be done when it is gone, and its browser has opened the tab over the next one.
#[tokio::test]
async fn a_tab_is_never_taken_from_a_newer_connection_of_its_browser_nor_opened_for_one_that_is_gone() {
    let dir = tempfile::tempdir().unwrap();
    let hub = open_hub(dir.path());
    let of_tab = || hub.live().sessions.get(&"s_1".parse().unwrap()).map(|session| session.peer);
    let older = enter_as(&hub, Role::Browser, None, Some("b")).await;
    let newer = enter_as(&hub, Role::Browser, None, Some("b")).await;
    hub.open_session(&older, tab("s_1")).await.unwrap();
    hub.open_session(&newer, tab("s_1")).await.unwrap();
    let late = hub.open_session(&older, tab("s_1")).await.unwrap_err();
    assert_eq!(late.code, ErrorCode::Conflict, "{late}");
    assert_eq!(of_tab(), Some(newer.id));
    hub.exit(&older).await;
    assert_eq!(of_tab(), Some(newer.id));
    hub.open_session(&newer, tab("s_1")).await.unwrap();
    hub.exit(&newer).await;
    hub.open_session(&newer, tab("s_1")).await.unwrap_err();
    hub.open_session(&older, tab("s_1")).await.unwrap_err();
    assert_eq!(of_tab(), None, "nobody would ever close it");
}

fn open_hub(dir: &std::path::Path) -> Arc<Hub> {
    let home = Home::at(dir.join("h"));
    home.ensure().unwrap();
    Hub::open(&home)
}

fn project(dir: &std::path::Path, name: &str) -> String {
    let root = dir.canonicalize().unwrap().join(name);
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("package.json"), "{}").unwrap();
    root.to_str().unwrap().to_owned()
}

fn on(url: &str) -> Session {
    Session { url: url.into(), ..tab("s_1") }
}

/// Looking for a project may wait for disks, and the person goes on meanwhile.
#[tokio::test]
async fn what_was_found_for_the_page_that_a_tab_has_left_is_not_the_tabs() {
    let dir = tempfile::tempdir().unwrap();
    let hub = open_hub(dir.path());
    let (one, other) = (project(dir.path(), "one"), project(dir.path(), "other"));
    let browser = enter(&hub, Role::Browser, None).await;
    hub.open_session(&browser, on(&format!("file://{one}/index.html"))).await.unwrap();
    let open: Vec<LiveSession> = hub.live().sessions.values().cloned().collect();
    let found = hub.place_all(open);
    hub.open_session(&browser, on(&format!("file://{other}/index.html"))).await.unwrap();
    assert!(hub.put_placements(found).await.is_empty());
    let session = hub.live().sessions[&"s_1".parse().unwrap()].clone();
    assert_eq!(session.project().unwrap().root, other);
    assert_eq!(hub.registry.session(&session.session.id), Some(other.into()));
}

/// What is said meanwhile is for the one that is back in a moment.
#[tokio::test]
async fn a_tab_waits_for_its_agent_that_restarts_and_goes_to_no_other_one() {
    let dir = tempfile::tempdir().unwrap();
    let hub = open_hub(dir.path());
    let (one, other) = (project(dir.path(), "one"), project(dir.path(), "other"));
    let browser = enter(&hub, Role::Browser, None).await;
    let agent = enter(&hub, Role::Agent, Some(one.clone())).await;
    hub.open_session(&browser, tab("s_1")).await.unwrap();
    let of_tab =
        || hub.live().sessions[&"s_1".parse().unwrap()].project().map(|project| project.root.clone());
    assert_eq!(of_tab(), Some(one.clone()));
    enter(&hub, Role::Agent, Some(other.clone())).await;
    hub.exit(&agent).await;
    assert_eq!(of_tab(), Some(one.clone()));
    // Loaded again.
    hub.open_session(&browser, tab("s_1")).await.unwrap();
    assert_eq!(of_tab(), Some(one));
    hub.open_session(&browser, on("http://elsewhere.test/")).await.unwrap();
    assert_eq!(of_tab(), Some(other), "a page of another origin is not held");
}

/// Its browser is away once more when somebody looks whether it came back from the time before.
#[tokio::test]
async fn who_waits_on_a_page_that_is_lost_a_second_time_waits_until_it_is_closed() {
    use crate::hub::live_session::LiveAnnotation;
    use opentoolbar_core::protocol::{AnnotationOutcome, AnnotationRequest};
    let dir = tempfile::tempdir().unwrap();
    let shop = project(dir.path(), "shop");
    let hub = open_hub(dir.path());
    let (id, asked) = ("s_1".parse::<SessionId>().unwrap(), "a_1".parse().unwrap());
    let waits = || hub.live().annotations.contains_key(&asked);
    let request =
        AnnotationRequest { annotation_id: asked.clone(), message: "Which?".into(), agent: "a".into() };
    let annotation = LiveAnnotation {
        session: id.clone(),
        answerer: "a".into(),
        root: shop.clone(),
        request,
        outcome: tokio::sync::watch::Sender::new(AnnotationOutcome::Waiting),
    };
    hub.live().annotations.insert(asked.clone(), annotation);
    for _ in 0..2 {
        let browser = enter_as(&hub, Role::Browser, None, Some("b")).await;
        hub.open_session(&browser, on(&format!("file://{shop}/index.html"))).await.unwrap();
        hub.exit(&browser).await;
    }
    hub.live().close_unless_back(std::slice::from_ref(&id));
    assert!(waits(), "it may be back in a moment");
    hub.live().lost_pages.remove(&id);
    hub.live().close_unless_back(&[id]);
    assert!(!waits());
}
