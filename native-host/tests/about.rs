//! What a message is about: one rule for who reads it, who answers it and who asks for it by its selection.

use crate::world::conversation::{say, select, session, told};
use crate::world::{Agent, Browser, World, succeeded};
use opentoolbar_core::model::Message;
use opentoolbar_core::protocol::{Answer, Event, Request};
use serde_json::{Value, json};

async fn answer(agent: &mut Agent, context: &Value, text: &str) {
    let mut arguments = json!({ "sessionId": "s_test", "message": text, "isComplete": true });
    if !context.is_null() {
        arguments["contextId"] = context.clone();
    }
    succeeded(agent.call("respond_to_browser", arguments).await);
}

async fn messages(browser: &Browser) -> Vec<Message> {
    let asked = Request::GetConversation { after: None };
    match browser.client.request_in(&session(), asked).await.unwrap() {
        Answer::Conversation { messages, .. } => messages,
        other => panic!("{other:?}"),
    }
}

/// `isAnswered` of every message of the person's.
fn answered(all: &[Message]) -> Vec<(&str, bool)> {
    all.iter().filter_map(|one| Some((one.content.as_str(), one.is_answered?))).collect()
}

#[tokio::test]
async fn words_without_a_selection_are_found_by_the_one_of_their_moment() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let button = select(&browser, "BUTTON").await;
    say(&browser, None, "What is this?").await;
    let nav = select(&browser, "NAV").await;
    let of_nav = told(&mut agent, json!({ "contextId": nav })).await;
    assert_eq!((&of_nav["userMessage"], &of_nav["waiting"]), (&json!(""), &json!(1)), "{of_nav}");
    let of_button = told(&mut agent, json!({ "contextId": button })).await;
    assert_eq!(of_button["userMessage"], "What is this?", "{of_button}");
    assert_eq!(messages(&browser).await[0].context_id.as_ref().map(|id| id.as_str()), Some(button.as_str()));
}

#[tokio::test]
async fn words_without_a_selection_are_answered_by_what_is_said_about_the_one_of_their_moment() {
    let world = World::new();
    // This one is handed nothing.
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let button = select(&browser, "BUTTON").await;
    say(&browser, None, "What is this?").await;
    let nav = select(&browser, "NAV").await;
    answer(&mut agent, &json!(nav), "The navigation.").await;
    assert_eq!(answered(&messages(&browser).await), [("What is this?", false)]);
    answer(&mut agent, &json!(button), "A button.").await;
    assert_eq!(answered(&messages(&browser).await), [("What is this?", true)]);
}

#[tokio::test]
async fn of_two_messages_that_were_handed_over_the_answer_is_to_the_one_about_its_selection() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let button = select(&browser, "BUTTON").await;
    say(&browser, None, "What is this?").await;
    let nav = select(&browser, "NAV").await;
    say(&browser, Some(&nav), "Smaller").await;
    let news = agent.call("wait_for_feedback", json!({ "after": 0, "timeoutSeconds": 1 })).await;
    assert_eq!(succeeded(news)["messages"].as_array().unwrap().len(), 2);
    answer(&mut agent, &json!(nav), "Done.").await;
    assert_eq!(answered(&messages(&browser).await), [("What is this?", false), ("Smaller", true)]);
    answer(&mut agent, &json!(button), "A button.").await;
    assert_eq!(answered(&messages(&browser).await), [("What is this?", true), ("Smaller", true)]);
}

/// Until `sessions/s_test.json` is so.
async fn mirrored(world: &World, what: &str, is: impl Fn(&Value) -> bool) {
    let file = world.project().join(".opentoolbar/sessions/s_test.json");
    for _ in 0..2_000 {
        let json = std::fs::read(&file).unwrap_or_default();
        if serde_json::from_slice::<Value>(&json).is_ok_and(|json| is(&json)) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("{what}: {:?}", std::fs::read_to_string(&file));
}

#[tokio::test]
async fn what_was_said_before_any_selection_and_taken_back_is_in_no_file() {
    let world = World::new();
    let (browser, _agent) = (world.browser().await, world.agent().await);
    say(&browser, None, "Hello?").await;
    mirrored(&world, "it is in the file", |json| json["userMessage"] == "Hello?").await;
    browser.client.request_in(&session(), Request::StopWaiting).await.unwrap();
    mirrored(&world, "it is taken back", |json| json["userMessage"] == "").await;
}

/// A page that only said hello may speak before anything was selected.
#[tokio::test]
async fn what_is_said_before_any_selection_has_no_element_and_can_be_answered() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    say(&browser, None, "Hello?").await;
    mirrored(&world, "it is in the file", |json| {
        json["userMessage"] == "Hello?" && json["contextId"].is_null()
    })
    .await;
    let nav = select(&browser, "NAV").await;
    let first = told(&mut agent, json!({})).await;
    assert_eq!(first["userMessage"], "Hello?", "{first}");
    for absent in ["contextId", "element", "page", "screenshotPath"] {
        assert!(first[absent].is_null(), "{absent}: {first}");
    }
    assert_eq!(
        first["selection"]["contextId"],
        json!(nav),
        "what is selected since stands beside it: {first}"
    );
    let of_nav = told(&mut agent, json!({ "contextId": nav })).await;
    assert_eq!(of_nav["userMessage"], "", "{of_nav}");
    mirrored(&world, "the file has both", |json| {
        json["userMessage"] == "Hello?"
            && json["element"].is_null()
            && json["selection"]["element"]["tagName"] == "NAV"
    })
    .await;
    let mut events = browser.client.events();
    for (part, is_complete) in [("He", false), ("llo!", true)] {
        let arguments = json!({ "sessionId": "s_test", "message": part, "isComplete": is_complete });
        succeeded(agent.call("respond_to_browser", arguments).await);
    }
    let whole = async {
        loop {
            let event = events.recv().await.unwrap().event;
            if matches!(event, Event::AgentResponse { .. }) {
                return serde_json::to_value(event).unwrap()["payload"].clone();
            }
        }
    };
    assert_eq!(whole.await, json!({ "message": "Hello!", "isComplete": true }));
    let all = messages(&browser).await;
    assert_eq!(answered(&all), [("Hello?", true)]);
    assert_eq!(all.last().unwrap().context_id, None);
    assert_eq!(told(&mut agent, json!({})).await["userMessage"], "");
    // What is about something is not answered so by who was handed nothing of it.
    say(&browser, Some(&nav), "Smaller").await;
    answer(&mut agent, &Value::Null, "By the way").await;
    assert_eq!(answered(&messages(&browser).await), [("Hello?", true), ("Smaller", false)]);
}

/// A forgotten `contextId` must not become an answer to everything, nor a way to pages of other projects.
#[tokio::test]
async fn only_what_was_said_before_any_selection_is_answered_without_one_and_only_in_its_project() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let other = tempfile::tempdir().unwrap();
    let mut stranger = Agent::start(world.home(), &other.path().canonicalize().unwrap());
    stranger.initialize("2025-11-25").await;
    let button = select(&browser, "BUTTON").await;
    say(&browser, Some(&button), "Bigger").await;
    assert_eq!(told(&mut agent, json!({})).await["userMessage"], "Bigger");
    let mut events = browser.client.events();
    for is_complete in [false, true] {
        for session in ["s_test", "s_unknown"] {
            let arguments = json!({ "sessionId": session, "message": "Done.", "isComplete": is_complete });
            for agent in [&mut agent, &mut stranger] {
                let refused = agent.call("respond_to_browser", arguments.clone()).await;
                let why = refused["error"].as_str().unwrap_or_default();
                assert!(
                    refused["success"] == false && why.starts_with("`contextId` is missing"),
                    "{refused}"
                );
            }
        }
    }
    assert_eq!(answered(&messages(&browser).await), [("Bigger", false)]);
    answer(&mut agent, &json!(button), "Bigger now.").await;
    loop {
        match events.recv().await.unwrap().event {
            Event::AgentResponse { message, .. } => break assert_eq!(message, "Bigger now."),
            Event::AgentResponseChunk { chunk, .. } => panic!("{chunk}"),
            _ => {}
        }
    }
}
