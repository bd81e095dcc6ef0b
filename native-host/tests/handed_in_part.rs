//! A message that is too long for one answer counts as handed over, and can be answered, once the agent was told all of
//! it.
#![cfg(unix)]

use std::time::{Duration, Instant};

use crate::world::{Agent, Browser, World, succeeded};
use base64::Engine;
use opentoolbar_core::model::Message;
use opentoolbar_core::protocol::{Answer, Request};
use serde_json::{Value, json};

fn session() -> opentoolbar_core::model::SessionId {
    "s_test".parse().unwrap()
}

/// Of no word twice, so that no part passes for another.
fn long(words: usize) -> String {
    (0..words).map(|n| format!("word{n} ")).collect::<String>().trim_end().to_owned()
}

async fn select(browser: &Browser) -> String {
    let selection = json!({
        "element": { "tagName": "BUTTON", "boundingBox": { "x": 0, "y": 0, "width": 1, "height": 1 } },
        "ancestors": [],
        "page": { "url": format!("{}/", crate::world::ORIGIN), "title": "Shop" },
    });
    crate::world::conversation::set_context(browser, &session(), selection).await
}

async fn say(browser: &Browser, context: &str, text: &str) {
    let words = Request::UserMessage { context_id: Some(context.parse().unwrap()), message: text.into() };
    browser.client.request_in(&session(), words).await.unwrap();
}

/// What the person sees of what they said: its beginning, whether it was read, and whether it was answered.
async fn seen(browser: &Browser) -> Vec<(String, bool, bool)> {
    let asked = browser.client.request_in(&session(), Request::GetConversation { after: None }).await;
    let Ok(Answer::Conversation { messages, .. }) = asked else { panic!("{asked:?}") };
    let of = |one: Message| Some((one.content.chars().take(6).collect(), one.is_read, one.is_answered?));
    messages.into_iter().filter_map(of).collect()
}

async fn waits(agent: &mut Agent) -> Value {
    succeeded(agent.call("wait_for_feedback", json!({ "timeoutSeconds": 1 })).await)
}

async fn responds(agent: &mut Agent, context: &str, text: &str) -> Value {
    let answer = json!({ "sessionId": "s_test", "contextId": context, "message": text, "isComplete": true });
    succeeded(agent.call("respond_to_browser", answer).await)
}

/// Reads the rest from there on; how many calls that took.
async fn reads_on(agent: &mut Agent, message: &Value, mut from: usize, all: usize) {
    while from < all {
        let asked = json!({ "sessionId": "s_test", "messageId": message, "from": from });
        let told = succeeded(agent.call("get_conversation_history", asked).await);
        let part = told["messages"][0]["content"].as_str().unwrap();
        from += part.strip_suffix("… (cut)").unwrap_or(part).chars().count();
    }
}

#[tokio::test]
async fn a_message_of_which_an_agent_was_told_a_part_is_answered_once_it_was_told_the_rest() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let context = select(&browser).await;
    let words = long(20_000);
    say(&browser, &context, &words).await;
    let news = waits(&mut agent).await;
    let told = &news["messages"][0];
    let kept = told["content"].as_str().unwrap().strip_suffix("… (cut)").unwrap().chars().count();
    assert_eq!(
        seen(&browser).await,
        [("word0 ".to_owned(), false, false)],
        "it is not read as long as it is cut"
    );
    let answered = responds(&mut agent, &context, "Done.").await;
    assert_eq!(seen(&browser).await, [("word0 ".to_owned(), false, false)], "the rest of it waits");
    let note = answered["note"].as_str().unwrap();
    assert!(note.contains(&format!("from {kept}.")) && note.contains("is not answered"), "{note}");
    let waiting = succeeded(agent.call("get_ui_context", json!({})).await);
    assert!(waiting["userMessage"].as_str().unwrap().starts_with("word0 "), "{waiting}");

    reads_on(&mut agent, &told["messageId"], kept, words.chars().count()).await;
    assert_eq!(seen(&browser).await, [("word0 ".to_owned(), true, false)], "all of it was handed over");
    let answered = responds(&mut agent, &context, "Now all of it.").await;
    assert_eq!(seen(&browser).await, [("word0 ".to_owned(), true, true)]);
    assert!(answered.get("note").is_none(), "{answered}");
}

/// Whoever just goes on waiting is told the rest by that, and then what was said since.
#[tokio::test]
async fn the_next_wait_goes_on_where_a_message_was_cut() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let context = select(&browser).await;
    let words = long(20_000);
    say(&browser, &context, &words).await;
    say(&browser, &context, "And blue").await;
    let (mut told, mut rounds, mut last) = (String::new(), 0, Value::Null);
    while told.chars().count() < words.chars().count() {
        assert_eq!(seen(&browser).await[0], ("word0 ".to_owned(), false, false));
        last = waits(&mut agent).await;
        let part = last["messages"][0]["content"].as_str().unwrap();
        let note = last["note"].as_str().unwrap();
        let from = told.chars().count();
        assert_eq!(from > 0, note.contains(&format!("from character {from} on")), "{note}");
        told.push_str(part.strip_suffix("… (cut)").unwrap_or(part));
        rounds += 1;
    }
    assert!(told == words && rounds > 1, "{rounds} rounds, {} characters", told.len());
    if last["messages"].as_array().unwrap().len() == 1 {
        last = waits(&mut agent).await;
    }
    assert_eq!(last["messages"].as_array().unwrap().last().unwrap()["content"], "And blue");
    assert!(seen(&browser).await.iter().all(|(_, is_read, _)| *is_read));
    responds(&mut agent, &context, "Done.").await;
    assert!(seen(&browser).await.iter().all(|(_, _, is_answered)| *is_answered));
}

/// What follows it is answered, and it is not.
#[tokio::test]
async fn beside_a_message_that_was_cut_what_was_handed_over_whole_is_answered() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let context = select(&browser).await;
    say(&browser, &context, "Blue").await;
    waits(&mut agent).await;
    say(&browser, &context, &long(20_000)).await;
    let told = succeeded(agent.call("get_ui_context", json!({})).await);
    assert_eq!(told["userMessage"], "Blue");
    waits(&mut agent).await;
    responds(&mut agent, &context, "Done.").await;
    assert_eq!(seen(&browser).await, [("Blue".to_owned(), true, true), ("word0 ".to_owned(), false, false)]);
}

/// The agent was handed nothing whole, and answers nothing that it was not told.
#[tokio::test]
async fn what_was_said_behind_a_message_that_was_cut_waits_until_it_is_told() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let context = select(&browser).await;
    say(&browser, &context, &long(20_000)).await;
    waits(&mut agent).await;
    say(&browser, &context, "And fix it").await;
    responds(&mut agent, &context, "I am reading.").await;
    let both = [("word0 ".to_owned(), false, false), ("And fi".to_owned(), false, false)];
    assert_eq!(seen(&browser).await, both);
    let mut told = Vec::new();
    while told.last().is_none_or(|last| last != "And fix it") {
        let news = waits(&mut agent).await;
        assert_eq!(news["timedOut"], false, "it is told: {told:?}");
        let messages = news["messages"].as_array().unwrap();
        told.extend(messages.iter().map(|one| one["content"].as_str().unwrap().to_owned()));
    }
    responds(&mut agent, &context, "Done.").await;
    assert!(seen(&browser).await.iter().all(|(_, is_read, is_answered)| *is_read && *is_answered));
}

/// Neither for what was taken back nor for what another agent has answered; and what was said since waits until it is
/// told.
#[tokio::test]
async fn what_was_begun_and_no_longer_waits_is_said_of_no_answer() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let context = select(&browser).await;
    let words = long(20_000);
    say(&browser, &context, &words).await;
    waits(&mut agent).await;
    browser.client.request_in(&session(), Request::StopWaiting).await.unwrap();
    say(&browser, &context, "And fix it").await;
    for _ in 0..2 {
        let answered = responds(&mut agent, &context, "I am reading.").await;
        assert!(answered.get("note").is_none(), "{answered}");
        assert_eq!(seen(&browser).await[1], ("And fi".to_owned(), false, false));
    }
    waits(&mut agent).await;
    responds(&mut agent, &context, "Done.").await;
    assert_eq!(seen(&browser).await[1], ("And fi".to_owned(), true, true));

    // Of two that were begun the one that waits is named.
    say(&browser, &context, &format!("First {words}")).await;
    let first = waits(&mut agent).await["messages"][0]["messageId"].clone();
    let mut other = world.agent().await;
    let told = succeeded(other.call("get_ui_context", json!({})).await);
    let from = told["userMessage"].as_str().unwrap().strip_suffix("… (cut)").unwrap().chars().count();
    reads_on(&mut other, &first, from, words.chars().count() + 6).await;
    responds(&mut other, &context, "I have read it.").await;
    assert_eq!(seen(&browser).await[2], ("First ".to_owned(), true, true));
    let answered = responds(&mut agent, &context, "I too.").await;
    assert!(answered.get("note").is_none(), "{answered}");
    say(&browser, &context, &format!("Other {words}")).await;
    let other = waits(&mut agent).await["messages"][0]["messageId"].clone();
    let note = responds(&mut agent, &context, "And this.").await["note"].as_str().unwrap().to_owned();
    assert!(note.contains(other.as_str().unwrap()) && !note.contains(first.as_str().unwrap()), "{note}");
}

/// The smallest one there is.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/// Until the agent waits for the person, or no longer does.
async fn until_it_waits(browser: &Browser, waits: bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let Ok(Answer::Pong { agents }) = browser.client.request(Request::Ping).await else { panic!() };
        if agents.iter().any(|agent| agent.is_waiting) == waits {
            return;
        }
        assert!(Instant::now() < deadline, "waits for the person: {waits}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// An agent that reads nothing for a while: what its wait found is held up behind other answers when it cancels the
/// call.
#[tokio::test]
async fn what_a_cancelled_wait_had_found_is_told_by_the_next_one_from_its_beginning() {
    for words in [long(20_000), "Make it blue".to_owned()] {
        let world = World::new();
        let (browser, mut agent) = (world.browser().await, world.agent().await);
        let context = select(&browser).await;
        // More than a pipe takes.
        let engine = base64::engine::general_purpose::STANDARD;
        let mut png = engine.decode(PNG).unwrap();
        png.resize(200 * 1024, 0);
        let png = engine.encode(png);
        browser.comment_with(crate::world::comment("c_1", "/", "Bigger"), Some(png)).await;
        let call = |tool: &str, arguments: Value| json!({ "name": tool, "arguments": arguments });
        // As many as may be answered at once.
        for _ in 0..16 {
            agent.send("tools/call", call("get_screenshot", json!({ "commentId": "c_1" }))).await;
        }
        let waiting =
            agent.send("tools/call", call("wait_for_feedback", json!({ "timeoutSeconds": 45 }))).await;
        until_it_waits(&browser, true).await;
        say(&browser, &context, &words).await;
        until_it_waits(&browser, false).await;
        let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": waiting } });
        agent.line(&cancel.to_string()).await;
        // Behind the cancellation, as lines come in order.
        let last = agent.send("ping", json!({})).await;
        let mut answered = Vec::new();
        while answered.len() < 17 {
            answered.push(agent.answer().await["id"].as_i64().unwrap());
        }
        assert!(answered.contains(&last) && !answered.contains(&waiting), "{answered:?}");
        assert!(!seen(&browser).await[0].1, "nobody was given it");
        let news = waits(&mut agent).await;
        let told = news["messages"][0]["content"].as_str().expect("it is told").to_owned();
        let told = told.strip_suffix("… (cut)").unwrap_or(&told);
        assert!(words.starts_with(told), "{news}");
    }
}
