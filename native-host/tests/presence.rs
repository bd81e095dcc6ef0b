//! A browser's ping goes to the agents and back: what it says of them is what they did, not that their connections are
//! open.

use std::time::{Duration, Instant};

use crate::world::{Agent, World};
use opentoolbar::hub::client::Client;
use opentoolbar_core::protocol::{AgentLink, Answer, Event, Presence, Request};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

async fn agents(browser: &Client) -> Vec<AgentLink> {
    match browser.request(Request::Ping).await.unwrap() {
        Answer::Pong { agents } => agents,
        other => panic!("{other:?}"),
    }
}

/// Asks until it is so: what happened elsewhere takes a moment to be known.
async fn until(browser: &Client, what: &str, is_so: impl Fn(&[AgentLink]) -> bool) -> Vec<AgentLink> {
    let began = Instant::now();
    loop {
        let agents = agents(browser).await;
        if is_so(&agents) {
            return agents;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{what}: {agents:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Answers the message if it is a ping of the MCP server, as every client must. Whether it was one.
async fn was_ping(agent: &mut Agent, message: &Value) -> bool {
    let is_ping = message["method"] == "ping";
    if is_ping {
        agent.line(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": {} }).to_string()).await;
    }
    is_ping
}

/// Answers the next ping.
async fn answer_ping(agent: &mut Agent) {
    loop {
        let message = agent.next().await;
        if was_ping(agent, &message).await {
            return;
        }
    }
}

/// Waits for the answer to a request, and answers the pings that come before it: one that is dropped is asked again
/// only later.
async fn answered(agent: &mut Agent, id: i64) {
    loop {
        let message = agent.next().await;
        if !was_ping(agent, &message).await && message["id"] == id {
            return;
        }
    }
}

/// Does something while the agent's program answers every ping. How many there are nobody knows: a browser's next
/// question may come while one still stands, and is answered by it.
async fn while_answering<T>(agent: &mut Agent, doing: impl Future<Output = T>) -> T {
    let answers = async {
        loop {
            answer_ping(agent).await;
        }
    };
    tokio::select! { done = doing => done, () = answers => unreachable!("it never ends") }
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

    let is = |presence| move |agents: &[AgentLink]| agents[0].presence == presence;

    // Nothing has ever answered: it may be a program that takes no question.
    let found = until(&browser, "its MCP server answers", is(Presence::ServerAnswers)).await;
    assert!(found[0].is_new);

    // The first question still stands; it is answered now, and so are the next.
    while_answering(&mut agent, until(&browser, "it answers", is(Presence::Answers))).await;
    // Then the program hangs.
    until(&browser, "it hangs", is(Presence::ServerAlone)).await;

    // And now its MCP server does.
    signal(&agent, Signal::STOP);
    until(&browser, "its MCP server hangs", is(Presence::Silent)).await;
    signal(&agent, Signal::CONT);
    until(&browser, "it is back", is(Presence::ServerAlone)).await;

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

/// A person who sees that an agent listens may rely on it.
#[tokio::test]
async fn an_agent_that_cancelled_its_wait_is_not_said_to_wait() {
    let world = World::new();
    let browser = world.browser().await.client;
    let mut agent = world.agent().await;
    let wait = json!({ "name": "wait_for_feedback", "arguments": { "timeoutSeconds": 45 } });
    let id = agent.send("tools/call", wait).await;
    until(&browser, "the agent waits", |agents| agents.first().is_some_and(|one| one.is_waiting)).await;
    let began = Instant::now();
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
    agent.line(&cancelled.to_string()).await;
    until(&browser, "it waits no more", |agents| agents.first().is_some_and(|one| !one.is_waiting)).await;
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// What browsers hear without a ping when an agent asks for the first time: its own word, and then this.
async fn heard_after_first_request() -> Presence {
    let world = World::new();
    let browser = world.browser().await.client;
    let mut agent = world.agent().await;
    until(&browser, "the agent is connected", |agents| agents.len() == 1).await;
    let mut events = browser.events();
    let mut told = async || {
        let next = async {
            loop {
                if let Event::AgentsChanged { agents } = events.recv().await.unwrap().event
                    && !agents[0].is_new
                {
                    return agents[0].presence;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(30), next).await.unwrap()
    };
    agent.send("tools/call", json!({ "name": "get_ui_feedback", "arguments": {} })).await;
    // No question to its program has been answered yet.
    assert_ne!(told().await, Presence::Answers);
    while_answering(&mut agent, told()).await
}

#[tokio::test]
async fn an_agent_that_asks_for_the_first_time_is_asked_back_and_browsers_hear_of_both_without_a_ping() {
    for _ in 0..8 {
        if heard_after_first_request().await == Presence::Answers {
            return;
        }
        // The program of this test was not heard in time, as happens where everything else runs at the same time.
    }
    panic!("it answered, and no browser heard of it");
}

/// The next hub knows of no request; the agent is the same.
#[tokio::test]
async fn an_agent_that_has_asked_is_not_new_to_the_next_hub() {
    let world = World::new();
    let mut agent = world.agent().await;
    let id = agent.send("tools/call", json!({ "name": "get_ui_feedback", "arguments": {} })).await;
    assert_eq!(agent.next().await["id"], id);
    let mut silent = Agent::start(world.home(), &world.project());
    silent.initialize_as("2025-11-25", "silent").await;
    let browser = world.browser().await.client;
    let both = |agents: &[AgentLink]| agents.len() == 2;
    let is_new = |agents: &[AgentLink], name: &str| {
        agents.iter().find(|one| one.client.starts_with(name)).map(|one| one.is_new)
    };
    let before = until(&browser, "both are there", both).await;
    let asked_at = before.iter().find(|one| !one.is_new).unwrap().last_seen;
    world.kill_hub();
    let after = until(&browser, "both are back", both).await;
    assert_eq!(is_new(&after, "test-agent"), Some(false));
    assert_eq!(is_new(&after, "silent"), Some(true));
    let said = after.iter().find(|one| !one.is_new).unwrap().last_seen;
    assert!(said <= asked_at, "it has asked for nothing since");
    drop((agent, silent));
}

#[tokio::test]
async fn an_agent_of_each_revision_with_questions_answers_them() {
    let world = World::new();
    let browser = world.browser().await.client;
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut agent = Agent::start(world.home(), &world.project());
        agent.initialize_as(revision, revision).await;
        let id = agent.send("tools/call", json!({ "name": "get_ui_feedback", "arguments": {} })).await;
        answered(&mut agent, id).await;
        let name = format!("{revision} 1.0");
        let answers = |agents: &[AgentLink]| {
            agents.iter().any(|one| one.client == name && one.presence == Presence::Answers)
        };
        while_answering(&mut agent, until(&browser, revision, answers)).await;
    }
}

/// Of the newest revision servers ask nothing: that is said, not that the program is silent or has answered.
#[tokio::test]
async fn of_a_revision_without_questions_that_is_said() {
    let world = World::new();
    let browser = world.browser().await.client;
    let mut agent = Agent::start(world.home(), &world.project());
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test-agent", "version": "1.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let id =
        agent.send("tools/call", json!({ "_meta": meta, "name": "get_ui_feedback", "arguments": {} })).await;
    assert_eq!(agent.next().await["id"], id);
    let is_said = |agents: &[AgentLink]| agents.iter().any(|one| one.presence == Presence::TakesNoQuestion);
    until(&browser, "it takes no question", is_said).await;
}

/// A program that is slow is not one that hangs, and its answer is told when it comes, asked for or not.
#[tokio::test]
async fn a_late_answer_is_told_when_it_comes_and_a_slow_program_does_not_hang() {
    let world = World::new();
    let browser = world.browser().await.client;
    let mut agent = world.agent().await;
    until(&browser, "the agent is connected", |agents| agents.len() == 1).await;
    until(&browser, "it has not answered in time", |agents| agents[0].presence == Presence::ServerAnswers)
        .await;
    let mut events = browser.events();
    answer_ping(&mut agent).await;
    let told = async {
        loop {
            if let Event::AgentsChanged { agents } = events.recv().await.unwrap().event
                && agents[0].presence == Presence::Answers
            {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(30), told).await.expect("a late answer is told unasked");
    // The next question does not stand as long as the last: no sign that anything is wrong. Where everything else runs
    // at the same time it may, and is answered then.
    let mut tries = 0;
    while agents(&browser).await[0].presence != Presence::Answers {
        tries += 1;
        assert!(tries < 8, "a program that is slow each time is called one that hangs");
        answer_ping(&mut agent).await;
    }
    // One that takes much longer than it ever took hangs.
    until(&browser, "it hangs", |agents| agents[0].presence == Presence::ServerAlone).await;
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

/// By MCP's rules: no question before the handshake is over, none that could be taken for an answer, and whoever
/// answers none is served as before.
#[tokio::test]
async fn a_program_is_asked_after_its_handshake_once_and_waits_for_nothing() {
    let world = World::new();
    let browser = world.browser().await.client;
    let mut agent = Agent::start(world.home(), &world.project());
    let hello = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test-agent", "version": "1.0" }
    });
    let id = agent.send("initialize", hello).await;
    assert_eq!(agent.next().await["id"], id);
    let is_known = |agents: &[AgentLink]| agents.iter().any(|one| one.presence == Presence::ServerAnswers);
    until(&browser, "its MCP server answers", is_known).await;
    let id = agent.send("tools/list", json!({})).await;
    assert_eq!(agent.next().await["id"], id, "nothing was asked before");

    agent.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    let mut questions = Vec::new();
    for _ in 0..5 {
        agents(&browser).await;
        let id = agent.send("tools/call", json!({ "name": "get_ui_feedback", "arguments": {} })).await;
        loop {
            let message = agent.next().await;
            match message.get("method") {
                Some(method) => questions.push((method.clone(), message["id"].clone())),
                None => break assert_eq!(message["id"], id),
            }
        }
    }
    assert_eq!(questions, [(json!("ping"), json!(1_000_000_000))], "one that stands is not asked again");
}

/// A client that is not ready yet may drop what it is asked.
#[tokio::test]
async fn a_question_that_a_client_dropped_is_asked_again_and_not_often() {
    let world = World::new();
    let browser = world.browser().await.client;
    let mut agent = world.agent().await;
    let mut pings = Vec::new();
    let began = Instant::now();
    let drops = async {
        while pings.len() < 2 {
            let message = agent.next().await;
            if message["method"] == "ping" {
                pings.push((began.elapsed(), message));
            }
        }
    };
    let asks = async {
        loop {
            agents(&browser).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let both = async {
        tokio::select! { () = drops => {}, () = asks => unreachable!("it never ends") }
    };
    tokio::time::timeout(Duration::from_secs(60), both).await.expect("it is asked again");
    let apart = pings[1].0 - pings[0].0;
    assert!(apart >= Duration::from_secs(9), "{apart:?}");
    // An answer to any of them counts.
    assert!(was_ping(&mut agent, &pings[1].1).await);
    let is_back = |agents: &[AgentLink]| agents[0].presence == Presence::Answers;
    while_answering(&mut agent, until(&browser, "it answers", is_back)).await;
}
