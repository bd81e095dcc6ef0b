//! A browser's ping goes to the agents and back: what it says of them is what they did, not that their connections are open.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod world;

use std::time::Duration;

use opentoolbar::hub::client::Client;
use opentoolbar_core::protocol::{AgentLink, Answer, Event, Presence, Request};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use world::{Agent, World};

async fn agents(browser: &Client) -> Vec<AgentLink> {
    match browser.request(Request::Ping).await.unwrap() {
        Answer::Pong { agents } => agents,
        other => panic!("{other:?}"),
    }
}

/// Asks until it is so: what happened elsewhere takes a moment to be known.
async fn until(browser: &Client, what: &str, is_so: impl Fn(&[AgentLink]) -> bool) -> Vec<AgentLink> {
    for _ in 0..40 {
        let agents = agents(browser).await;
        if is_so(&agents) {
            return agents;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{what}: {:?}", agents(browser).await);
}

/// Answers the next ping of the MCP server, as every client must.
async fn answer_ping(agent: &mut Agent) {
    loop {
        let message: Value = agent.next().await;
        if message["method"] == "ping" {
            agent.line(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": {} }).to_string()).await;
            return;
        }
    }
}

fn signal(agent: &Agent, signal: Signal) {
    let pid = i32::try_from(agent.process.id().unwrap()).unwrap();
    kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
}

#[tokio::test]
async fn a_ping_reaches_the_agent_s_program_and_tells_when_it_hangs() {
    let world = World::new();
    let browser = world.browser().await.client;
    let mut agent = world.agent().await;
    until(&browser, "the agent is connected", |agents| agents.len() == 1).await;

    // Nothing has ever answered: it may be a program that takes no question.
    let found = agents(&browser).await;
    assert_eq!((found[0].presence, found[0].is_new), (Presence::ServerAnswers, true));

    // The first question still stands; it is answered now, and so is the next.
    answer_ping(&mut agent).await;
    let (found, ()) = tokio::join!(agents(&browser), answer_ping(&mut agent));
    assert_eq!(found[0].presence, Presence::Answers);
    // Then the program hangs.
    assert_eq!(agents(&browser).await[0].presence, Presence::ServerAlone);

    // And now its MCP server does.
    signal(&agent, Signal::STOP);
    assert_eq!(agents(&browser).await[0].presence, Presence::Silent);
    signal(&agent, Signal::CONT);
    until(&browser, "it is back", |agents| agents[0].presence == Presence::ServerAlone).await;

    signal(&agent, Signal::KILL);
    until(&browser, "it is gone", <[_]>::is_empty).await;
}

#[tokio::test]
async fn who_waits_and_who_has_asked_for_anything_is_told() {
    let world = World::new();
    let browser = world.browser().await.client;
    let mut agent = world.agent().await;
    let found = until(&browser, "the agent is connected", |agents| agents.len() == 1).await;
    assert!(found[0].is_new && !found[0].is_waiting);
    agent
        .send("tools/call", json!({ "name": "wait_for_feedback", "arguments": { "timeoutSeconds": 30 } }))
        .await;
    let found = until(&browser, "the agent waits", |agents| agents[0].is_waiting).await;
    assert!(!found[0].is_new);
    assert_eq!(found[0].version, env!("CARGO_PKG_VERSION"));
}

#[tokio::test]
async fn an_agent_that_asks_for_the_first_time_is_asked_back_and_browsers_hear_of_both_without_a_ping() {
    let world = World::new();
    let browser = world.browser().await.client;
    let mut agent = world.agent().await;
    until(&browser, "the agent is connected", |agents| agents.len() == 1).await;
    let mut events = browser.events();
    let mut told = async || {
        let next = async {
            loop {
                if let Event::AgentsChanged { agents } = events.recv().await.unwrap().event {
                    return agents;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(30), next).await.unwrap()
    };
    agent.send("tools/call", json!({ "name": "get_ui_feedback", "arguments": {} })).await;
    // Its own word first: no question to its program has been answered yet.
    let found = told().await;
    assert!(!found[0].is_new);
    assert_ne!(found[0].presence, Presence::Answers);
    // A question from before may still stand, and be answered before the next is asked.
    let answers = async {
        loop {
            answer_ping(&mut agent).await;
        }
    };
    let found = tokio::select! { found = told() => found, () = answers => unreachable!("it never ends") };
    assert_eq!(found[0].presence, Presence::Answers);
}

#[tokio::test]
async fn two_agents_of_one_name_are_two_and_a_freed_number_is_given_again() {
    let world = World::new();
    let browser = world.browser().await.client;
    let names =
        |agents: &[AgentLink]| -> Vec<String> { agents.iter().map(|agent| agent.client.clone()).collect() };
    let first = world.agent().await;
    until(&browser, "one", |agents| agents.len() == 1).await;
    let second = world.agent().await;
    let found = until(&browser, "two", |agents| agents.len() == 2).await;
    assert_eq!(names(&found), ["test-agent 1.0", "test-agent 1.0 (2)"]);
    first.hang_up().await;
    // Who is there keeps the name under which people know it.
    let found = until(&browser, "one is left", |agents| agents.len() == 1).await;
    assert_eq!(names(&found), ["test-agent 1.0 (2)"]);
    let third = world.agent().await;
    let found = until(&browser, "two again", |agents| agents.len() == 2).await;
    assert_eq!(names(&found), ["test-agent 1.0 (2)", "test-agent 1.0"]);
    drop((second, third));
}

/// A browser that asks more often than agents answer: each question is answered, however many stand.
#[tokio::test]
async fn no_ping_is_refused_however_many_are_under_way() {
    let world = World::new();
    let browser = world.browser().await.client;
    let agent = world.agent().await;
    until(&browser, "the agent is connected", |agents| agents.len() == 1).await;
    signal(&agent, Signal::STOP);
    let pings = (0..200).map(|_| browser.request(Request::Ping));
    for answer in futures_util::future::join_all(pings).await {
        assert!(matches!(&answer, Ok(Answer::Pong { agents }) if agents.len() == 1), "{answer:?}");
    }
    signal(&agent, Signal::CONT);
}

/// A program that expects nothing but answers is asked when somebody wants to know, and not before.
#[tokio::test]
async fn an_agent_is_asked_nothing_while_no_browser_is_there() {
    let world = World::new();
    let mut agent = world.agent().await;
    for _ in 0..20 {
        let id = agent.send("tools/call", json!({ "name": "get_ui_feedback", "arguments": {} })).await;
        assert_eq!(agent.next().await["id"], id);
    }
}
