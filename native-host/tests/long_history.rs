//! What is cut, by length or by number: it is said, and where the rest is had is true.

use crate::world::{Agent, Browser, World, comment, refusal, succeeded};
use opentoolbar_core::model::SessionId;
use opentoolbar_core::protocol::Request;
use serde_json::{Value, json};

fn session() -> SessionId {
    "s_test".parse().unwrap()
}

async fn say(browser: &Browser, text: &str) {
    let words = Request::UserMessage { context_id: None, message: text.into() };
    browser.client.request_in(&session(), words).await.unwrap();
}

/// Words of which no part is like another.
fn long(words: usize) -> String {
    (0..words).map(|n| format!("word-{n} 数")).collect::<Vec<_>>().join(" ")
}

async fn history(agent: &mut Agent, arguments: Value) -> Value {
    let mut all = json!({ "sessionId": "s_test" });
    all.as_object_mut().unwrap().extend(arguments.as_object().unwrap().clone());
    succeeded(agent.call("get_conversation_history", all).await)
}

/// The word behind another in a note.
fn behind<'a>(note: &'a str, word: &str) -> &'a str {
    let (_, rest) = note.split_once(word).unwrap_or_else(|| panic!("{word} in {note}"));
    rest.trim_start().split([' ', ',', ':', ';']).next().unwrap().trim_end_matches('.')
}

/// Reads on as the note says until there is no more.
async fn read_on(agent: &mut Agent, told: &str, note: &str) -> String {
    let (mut text, mut note) = (told.strip_suffix("… (cut)").unwrap().to_owned(), Some(note.to_owned()));
    while let Some(said) = note {
        let from: usize = behind(&said, "from").parse().unwrap();
        assert_eq!(from, text.chars().count(), "{said}");
        let more = history(agent, json!({ "messageId": behind(&said, "messageId"), "from": from })).await;
        let messages = more["messages"].as_array().unwrap();
        assert_eq!(messages.len(), 1, "{}", more["note"]);
        let part = messages[0]["content"].as_str().unwrap();
        text.push_str(part.strip_suffix("… (cut)").unwrap_or(part));
        note = more["note"].as_str().map(str::to_owned);
    }
    text
}

#[tokio::test]
async fn the_rest_of_a_message_that_is_cut_is_where_the_notice_says() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let words = long(20_000);
    say(&browser, &words).await;
    // So that it is not among the last ones.
    for number in 0..30 {
        say(&browser, &format!("No {number}")).await;
    }
    let told = succeeded(agent.call("get_ui_context", json!({})).await);
    let cut =
        told["cut"].as_array().unwrap().iter().find(|one| one.as_str().unwrap().starts_with("userMessage"));
    let cut = cut.unwrap().as_str().unwrap().to_owned();
    let all = read_on(&mut agent, told["userMessage"].as_str().unwrap(), &cut).await;
    assert!(all == words, "{} of {} characters", all.len(), words.len());
    let news = succeeded(agent.call("wait_for_feedback", json!({ "after": 0, "timeoutSeconds": 1 })).await);
    let note = news["note"].as_str().unwrap().to_owned();
    let all = read_on(&mut agent, news["messages"][0]["content"].as_str().unwrap(), &note).await;
    assert!(all == words, "{} of {} characters", all.len(), words.len());
}

#[tokio::test]
async fn a_history_that_cuts_a_message_says_where_the_rest_of_it_is() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let words = long(20_000);
    say(&browser, "The first").await;
    say(&browser, &words).await;
    say(&browser, "The newest").await;
    let told = history(&mut agent, json!({})).await;
    let messages = told["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 2, "{}", told["note"]);
    let note = told["note"].as_str().unwrap();
    let all = read_on(&mut agent, messages[0]["content"].as_str().unwrap(), note).await;
    assert!(all == words, "{} of {} characters", all.len(), words.len());
    // And where the older ones are.
    let before = history(&mut agent, json!({ "before": behind(note, "before") })).await;
    assert_eq!(before["messages"][0]["content"], "The first", "{before}");
    assert!(before["note"].is_null(), "{before}");
    let unknown = agent
        .call("get_conversation_history", json!({ "sessionId": "s_test", "messageId": "m_unknown" }))
        .await;
    assert!(unknown["error"].as_str().unwrap().contains("m_unknown"), "{unknown}");
    let beyond = json!({ "sessionId": "s_test", "messageId": messages[0]["messageId"], "from": 10_000_000 });
    let beyond = agent.call("get_conversation_history", beyond).await;
    assert!(beyond["error"].as_str().unwrap().contains("`from`"), "{beyond}");
    let lost = json!({ "sessionId": "s_test", "from": 5 });
    let lost = agent.call("get_conversation_history", lost).await;
    assert!(refusal(&lost).contains("`messageId`"), "{lost}");
}

#[tokio::test]
async fn a_history_that_is_cut_by_number_says_so_and_how_to_go_on() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    for number in 0..45 {
        say(&browser, &format!("No {number}")).await;
    }
    let mut told = history(&mut agent, json!({})).await;
    let note = told["note"].as_str().unwrap();
    assert!(note.contains("20 of 45") && note.contains("limit"), "{note}");
    let mut said = Vec::new();
    let mut rounds = 0;
    loop {
        let part = told["messages"].as_array().unwrap().iter();
        let part: Vec<_> = part.map(|one| one["content"].as_str().unwrap().to_owned()).collect();
        said.splice(0..0, part);
        rounds += 1;
        let Some(note) = told["note"].as_str() else { break };
        told = history(&mut agent, json!({ "before": behind(note, "before") })).await;
    }
    assert_eq!(said, (0..45).map(|n| format!("No {n}")).collect::<Vec<_>>());
    assert_eq!(rounds, 3);
    assert!(history(&mut agent, json!({ "limit": 45 })).await["note"].is_null());
    let one_less = history(&mut agent, json!({ "limit": 44 })).await;
    assert!(one_less["note"].as_str().unwrap().contains("44 of 45"), "{}", one_less["note"]);
}

#[tokio::test]
async fn the_position_of_a_wait_that_is_cut_is_that_of_the_last_thing_handed_over() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    // More than one answer holds by number.
    for number in 0..60 {
        say(&browser, &format!("No {number}")).await;
    }
    for number in 0..3 {
        browser.comment(comment(&format!("c_{number}"), "/", "Make it blue")).await;
    }
    let first = succeeded(agent.call("wait_for_feedback", json!({ "timeoutSeconds": 1 })).await);
    let messages = first["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 50);
    assert_eq!(first["position"], 50, "{}", first["note"]);
    assert!(first["note"].as_str().unwrap().contains("call again with this position"), "{}", first["note"]);
    let next = json!({ "after": first["position"], "timeoutSeconds": 1 });
    let next = succeeded(agent.call("wait_for_feedback", next).await);
    let seen: Vec<_> =
        next["messages"].as_array().unwrap().iter().map(|one| one["content"].clone()).collect();
    assert_eq!(seen, (50..60).map(|n| json!(format!("No {n}"))).collect::<Vec<_>>());
    assert_eq!(next["comments"].as_array().unwrap().len(), 3, "behind the last thing that was handed over");
    assert_eq!(next["position"], 63);
    assert!(next["note"].is_null(), "{next}");
}

/// By length, and a position that is given is never gone back behind.
#[tokio::test]
async fn the_position_of_a_wait_that_is_cut_by_length_is_that_of_the_last_thing_too() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    for number in 0..8 {
        say(&browser, &format!("No {number} {}", "word ".repeat(4_000))).await;
    }
    browser.comment(comment("c_1", "/", "Make it blue")).await;
    let given = succeeded(agent.call("wait_for_feedback", json!({ "after": 9, "timeoutSeconds": 1 })).await);
    let mut seen = given["messages"].as_array().unwrap().len();
    assert!((1..8).contains(&seen), "{}", given["note"]);
    assert_eq!(given["position"], 9, "{}", given["note"]);
    let mut positions = Vec::new();
    while seen < 8 {
        let next = succeeded(agent.call("wait_for_feedback", json!({ "timeoutSeconds": 1 })).await);
        seen += next["messages"].as_array().unwrap().len();
        positions.push((next["position"].as_u64().unwrap(), seen as u64));
    }
    // Behind what is left; of the last, where the hub stands.
    let (last, cut) = positions.split_last().unwrap();
    assert_eq!(last.0, 9);
    assert!(!cut.is_empty() && cut.iter().all(|(position, seen)| position == seen), "{positions:?}");
}

/// A project's data may be deleted while an agent waits: its position is one that the new log does not have.
#[tokio::test]
async fn a_cut_wait_from_a_position_of_a_log_that_began_anew_goes_on_from_what_was_told() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    for number in 0..60 {
        browser.comment(comment(&format!("c_{number}"), "/", "Make it blue")).await;
    }
    let (mut seen, mut after) = (Vec::new(), 80);
    for _ in 0..20 {
        let asked = json!({ "after": after, "timeoutSeconds": 1 });
        let told = succeeded(agent.call("wait_for_feedback", asked).await);
        let comments = told["comments"].as_array().unwrap().clone();
        seen.extend(comments.iter().map(|one| one["id"].as_str().unwrap().to_owned()));
        after = told["position"].as_u64().unwrap();
        if comments.is_empty() || after == 60 {
            break;
        }
    }
    assert_eq!(seen, (0..60).map(|n| format!("c_{n}")).collect::<Vec<_>>());
}
