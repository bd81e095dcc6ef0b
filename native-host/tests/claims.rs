//! Two agents in one project: each comment is begun by one of them, for as long as it is there.
#![cfg(unix)]

use std::time::{Duration, Instant};

use crate::world::{Agent, Browser, World, comment, refusal, succeeded};
use opentoolbar::project::Catalogue;
use opentoolbar_core::model::{CommentChange, Stage};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

async fn two(world: &World) -> (Browser, Agent, Agent) {
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make the title bigger")).await;
    let mut first = world.agent().await;
    // One after the other, so that the first has the name without a number.
    succeeded(first.call("get_ui_feedback", json!({})).await);
    let mut second = world.agent().await;
    succeeded(second.call("get_ui_feedback", json!({})).await);
    (browser, first, second)
}

async fn set(agent: &mut Agent, stage: &str) -> Value {
    agent.call("update_comment", json!({ "commentId": "c_one", "stage": stage })).await
}

async fn claimed_by(agent: &mut Agent) -> Value {
    succeeded(agent.call("get_ui_feedback", json!({})).await)["comments"][0]["claimedBy"].clone()
}

fn refused(answer: &Value, name: &str) {
    assert_eq!(answer["success"], false, "{answer}");
    let why = refusal(answer);
    assert!(
        why.contains(&format!("{name} is working on comment c_one")) && why.contains("another comment"),
        "{why}"
    );
}

fn signal(agent: &Agent, signal: Signal) {
    let pid = i32::try_from(agent.process.id().unwrap()).unwrap();
    kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
}

async fn becomes_open(browser: &Browser) {
    let began = Instant::now();
    while browser.get("c_one").await.stage != Stage::Open {
        assert!(began.elapsed() < Duration::from_secs(60), "nobody works on it, and it is in progress");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn what_one_agent_has_begun_another_neither_begins_nor_ends() {
    let world = World::new();
    let (browser, mut first, mut second) = two(&world).await;
    let name = "test-agent 1.0";
    assert_eq!(claimed_by(&mut second).await, Value::Null);
    succeeded(set(&mut first, "in_progress").await);
    succeeded(set(&mut first, "in_progress").await);
    assert_eq!((claimed_by(&mut first).await, claimed_by(&mut second).await), (json!("you"), json!(name)));
    for stage in ["in_progress", "review", "open"] {
        refused(&set(&mut second, stage).await, name);
    }
    refused(&second.call("resolve_comment", json!({ "commentId": "c_one" })).await, name);
    let words = json!({ "commentId": "c_one", "message": "The title is in Header.tsx too." });
    succeeded(second.call("reply_to_comment", words).await);

    // It stops: the other may begin.
    succeeded(set(&mut first, "open").await);
    assert_eq!(claimed_by(&mut second).await, Value::Null);
    succeeded(set(&mut second, "in_progress").await);
    refused(&set(&mut first, "in_progress").await, "test-agent 1.0 (2)");
    succeeded(second.call("resolve_comment", json!({ "commentId": "c_one" })).await);

    // The person wants more: whoever comes first begins it.
    browser.change("c_one", CommentChange::Reopen).await;
    succeeded(set(&mut first, "in_progress").await);
    // And the person ends it for everybody.
    browser.change("c_one", CommentChange::Resolve { summary: None }).await;
    browser.change("c_one", CommentChange::Reopen).await;
    succeeded(set(&mut second, "in_progress").await);
}

/// What is said of it is what can be done.
#[tokio::test]
async fn of_what_another_works_on_a_stage_is_refused_with_its_note_and_a_note_alone_is_taken() {
    let world = World::new();
    let (browser, mut first, mut second) = two(&world).await;
    succeeded(set(&mut first, "in_progress").await);
    let both = json!({ "commentId": "c_one", "stage": "review", "note": "Look at Header.tsx" });
    let why = refusal(&second.call("update_comment", both).await);
    let name = "test-agent 1.0";
    for part in [
        &format!("{name} is working on comment c_one"),
        "nothing was changed",
        "another comment",
        "reply_to_comment",
        &format!("when {name} sets another stage or disconnects"),
    ] {
        assert!(why.contains(part), "{part:?} in {why}");
    }
    assert!(browser.get("c_one").await.replies.is_empty(), "the note is not added");
    let note = json!({ "commentId": "c_one", "note": "Look at Header.tsx" });
    succeeded(second.call("update_comment", note).await);
    assert_eq!(browser.get("c_one").await.replies.len(), 1);
    // Resolved is nobody's to work on.
    succeeded(first.call("resolve_comment", json!({ "commentId": "c_one" })).await);
    let why = refusal(&set(&mut second, "in_progress").await);
    assert!(why.contains("resolved") && !why.contains("working on"), "{why}");
    let note = json!({ "commentId": "c_one", "note": "It is in Footer.tsx too" });
    succeeded(second.call("update_comment", note).await);
    assert_eq!(browser.get("c_one").await.replies.len(), 2);
}

#[tokio::test]
async fn of_two_that_begin_at_once_one_does() {
    let world = World::new();
    let (_browser, mut first, mut second) = two(&world).await;
    for _ in 0..10 {
        let (one, other) = tokio::join!(set(&mut first, "in_progress"), set(&mut second, "in_progress"));
        assert_ne!(one["success"], other["success"], "{one} {other}");
        let winner = if one["success"] == true { &mut first } else { &mut second };
        succeeded(set(winner, "open").await);
    }
}

#[tokio::test]
async fn a_claim_ends_with_its_agent_and_the_comment_is_open_again() {
    let world = World::new();
    let (browser, mut first, mut second) = two(&world).await;
    succeeded(set(&mut first, "in_progress").await);
    first.process.kill().await.unwrap();
    // The other need not wait until it is said.
    let began = Instant::now();
    while set(&mut second, "in_progress").await["success"] == false {
        assert!(began.elapsed() < Duration::from_secs(60), "a dead agent keeps its comment");
    }
    assert_eq!(claimed_by(&mut second).await, "you");
    assert_eq!(second.hang_up().await, Some(0));
    becomes_open(&browser).await;
}

#[tokio::test]
async fn what_cannot_be_opened_when_its_agent_ends_is_opened_later() {
    let world = World::new();
    let (browser, mut first, _second) = two(&world).await;
    succeeded(set(&mut first, "in_progress").await);
    let data = Catalogue::at(world.home().join("projects")).find(&world.project()).unwrap().unwrap();
    let other = rusqlite::Connection::open(data.join("opentoolbar.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    first.process.kill().await.unwrap();
    let log = world.home().join("logs/hub.log");
    let began = Instant::now();
    while !std::fs::read_to_string(&log).is_ok_and(|log| log.contains("stays in progress")) {
        assert!(began.elapsed() < Duration::from_secs(60), "it was opened although the database is held");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    other.execute_batch("ROLLBACK").unwrap();
    becomes_open(&browser).await;
}

#[tokio::test]
async fn a_claim_outlives_the_hub_with_its_agent() {
    let world = World::new();
    let (_browser, mut first, mut second) = two(&world).await;
    succeeded(set(&mut first, "in_progress").await);
    world.kill_hub();
    // Whichever comes back first.
    refused(&set(&mut second, "in_progress").await, "test-agent 1.0");
    assert_eq!(claimed_by(&mut first).await, "you");
    refused(&set(&mut second, "in_progress").await, "test-agent 1.0");
    succeeded(first.call("resolve_comment", json!({ "commentId": "c_one" })).await);
}

/// Names are given in the order of coming: after the hub's end another may have the name.
#[tokio::test]
async fn an_agent_that_got_the_holder_s_name_from_the_next_hub_is_not_the_holder() {
    let world = World::new();
    let (_browser, mut first, second) = two(&world).await;
    assert_eq!(second.hang_up().await, Some(0));
    succeeded(set(&mut first, "in_progress").await);
    signal(&first, Signal::STOP);
    world.kill_hub();
    let mut namesake = world.agent().await;
    assert_ne!(claimed_by(&mut namesake).await, "you");
    signal(&first, Signal::CONT);
    assert_eq!(claimed_by(&mut first).await, "you");
    let name = "test-agent 1.0 (2)";
    assert_eq!(claimed_by(&mut namesake).await, name, "it is called as it is called now");
    refused(&set(&mut namesake, "in_progress").await, name);
    succeeded(first.call("resolve_comment", json!({ "commentId": "c_one" })).await);
}

/// As after the computer was started anew.
#[tokio::test]
async fn what_was_begun_by_an_agent_that_ended_with_its_hub_is_free_for_any_other() {
    let world = World::new();
    let (_browser, mut first, second) = two(&world).await;
    assert_eq!(second.hang_up().await, Some(0));
    succeeded(set(&mut first, "in_progress").await);
    signal(&first, Signal::STOP);
    world.kill_hub();
    first.process.kill().await.unwrap();
    let mut namesake = world.agent().await;
    let mut other = world.agent().await;
    let began = Instant::now();
    loop {
        let claims = (claimed_by(&mut namesake).await, claimed_by(&mut other).await);
        assert!(claims.0 != "you" && claims.1 != "you", "{claims:?}");
        if claims == (Value::Null, Value::Null) {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "a dead agent keeps its comment: {claims:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    succeeded(set(&mut other, "in_progress").await);
    assert_eq!(claimed_by(&mut other).await, "you");
    assert_ne!(claimed_by(&mut namesake).await, "you");
}

#[tokio::test]
async fn what_an_agent_began_under_an_earlier_hub_is_open_again_when_it_ends() {
    let world = World::new();
    let (browser, mut first, _second) = two(&world).await;
    succeeded(set(&mut first, "in_progress").await);
    world.kill_hub();
    assert_eq!(claimed_by(&mut first).await, "you");
    first.process.kill().await.unwrap();
    becomes_open(&browser).await;
}

#[tokio::test]
async fn what_the_person_has_ended_is_not_said_to_stay_in_progress() {
    let world = World::new();
    let (browser, mut first, _second) = two(&world).await;
    succeeded(set(&mut first, "in_progress").await);
    browser.change("c_one", CommentChange::Resolve { summary: None }).await;
    first.process.kill().await.unwrap();
    // Longer than an agent may be gone.
    tokio::time::sleep(Duration::from_secs(4)).await;
    let log = std::fs::read_to_string(world.home().join("logs/hub.log")).unwrap();
    assert!(!log.contains("stays in progress"), "{log}");
}
