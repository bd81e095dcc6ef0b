//! `get_ui_context` through the real `opentoolbar mcp`: message, selection and element always belong together, and what
//! is cut is said.

use crate::world;
use std::collections::BTreeSet;

use crate::world::conversation::{say, session, set_context, told};
use crate::world::{Agent, Browser, World, refusal, succeeded};
use opentoolbar_core::protocol::Request;
use serde_json::{Value, json};

async fn select_with(browser: &Browser, tag: &str, more: Value) -> String {
    select_in(browser, "s_test", tag, more).await
}

async fn select_in(browser: &Browser, session: &str, tag: &str, more: Value) -> String {
    let mut element = json!({
        "tagName": tag, "classList": [], "textContent": tag, "attributes": {},
        "boundingBox": { "x": 0, "y": 0, "width": 1, "height": 1 }
    });
    element.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let page = json!({ "url": format!("{}/", world::ORIGIN), "title": "Shop" });
    let related = |count: usize| vec![json!({ "tagName": "DIV", "classList": [] }); count];
    let payload =
        json!({ "element": element, "ancestors": related(20), "children": related(1), "page": page });
    set_context(browser, &session.parse().unwrap(), payload).await
}

async fn select(browser: &Browser, tag: &str) -> String {
    select_with(browser, tag, json!({})).await
}

/// `userMessage`, `contextId`, the element's tag, `waiting`.
fn together(told: &Value) -> (&str, &str, &str, u64) {
    let text =
        |value: &'_ Value| -> &'static str { Box::leak(value.as_str().unwrap().to_owned().into_boxed_str()) };
    (
        text(&told["userMessage"]),
        text(&told["contextId"]),
        text(&told["element"]["tagName"]),
        told["waiting"].as_u64().unwrap(),
    )
}

async fn answer(agent: &mut Agent, context: &str) {
    let arguments =
        json!({ "sessionId": "s_test", "contextId": context, "message": "Done.", "isComplete": true });
    succeeded(agent.call("respond_to_browser", arguments).await);
}

#[tokio::test]
async fn a_message_comes_with_its_own_element_and_the_oldest_first() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let button = select(&browser, "BUTTON").await;
    say(&browser, Some(&button), "Bigger").await;
    let header = select(&browser, "HEADER").await;
    say(&browser, Some(&header), "Smaller").await;
    let nav = select(&browser, "NAV").await;
    let first = told(&mut agent, json!({})).await;
    assert_eq!(together(&first), ("Bigger", button.as_str(), "BUTTON", 1));
    let now = &first["selection"];
    assert_eq!((&now["contextId"], &now["element"]["tagName"]), (&json!(nav), &json!("NAV")), "{first}");
    answer(&mut agent, &button).await;
    assert_eq!(together(&told(&mut agent, json!({})).await), ("Smaller", header.as_str(), "HEADER", 0));
    answer(&mut agent, &header).await;
    let none = told(&mut agent, json!({})).await;
    assert_eq!(together(&none), ("", nav.as_str(), "NAV", 0));
    assert!(none.get("selection").is_none(), "{none}");
}

#[tokio::test]
async fn where_nothing_is_selected_a_note_says_what_to_do() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let nothing = told(&mut agent, json!({})).await;
    assert!(nothing["contextId"].is_null() && nothing["userMessage"] == "", "{nothing}");
    let note = nothing["note"].as_str().unwrap();
    assert!(note.starts_with("Nothing is selected in this tab and no message waits: "), "{note}");
    assert!(note.contains("request_annotation") && note.contains("wait_for_feedback"), "{note}");
    say(&browser, None, "Make it bigger").await;
    let words = told(&mut agent, json!({})).await;
    let note = words["note"].as_str().unwrap();
    assert!(note.contains("before anything was selected") && note.contains("request_annotation"), "{note}");
    select(&browser, "BUTTON").await;
    assert!(
        told(&mut agent, json!({})).await.get("note").is_none(),
        "what is selected now is in `selection`"
    );
}

#[tokio::test]
async fn however_many_wait_the_oldest_is_handed_over_and_alone() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let button = select(&browser, "BUTTON").await;
    for number in 0..25 {
        say(&browser, Some(&button), &format!("No {number}")).await;
    }
    assert_eq!(together(&told(&mut agent, json!({})).await), ("No 0", button.as_str(), "BUTTON", 24));
    answer(&mut agent, &button).await;
    assert_eq!(together(&told(&mut agent, json!({})).await), ("No 1", button.as_str(), "BUTTON", 23));
}

#[tokio::test]
async fn a_selection_that_is_named_comes_with_what_waits_about_it() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let button = select(&browser, "BUTTON").await;
    say(&browser, Some(&button), "Bigger").await;
    let header = select(&browser, "HEADER").await;
    say(&browser, Some(&header), "Smaller").await;
    let nav = select(&browser, "NAV").await;
    let of_header = told(&mut agent, json!({ "contextId": header })).await;
    assert_eq!(together(&of_header), ("Smaller", header.as_str(), "HEADER", 1));
    let of_nav = told(&mut agent, json!({ "contextId": nav, "sessionId": "s_test" })).await;
    assert_eq!(together(&of_nav), ("", nav.as_str(), "NAV", 2));
    let unknown = agent.call("get_ui_context", json!({ "contextId": "ctx_none" })).await;
    assert_eq!(unknown["success"], false, "{unknown}");
    assert!(refusal(&unknown).contains("without `contextId`"), "{unknown}");
}

/// What is about nothing is about what was selected when it was said.
#[tokio::test]
async fn words_without_a_selection_come_with_the_one_of_their_moment() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let button = select(&browser, "BUTTON").await;
    say(&browser, None, "What is this?").await;
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    select(&browser, "NAV").await;
    assert_eq!(together(&told(&mut agent, json!({})).await), ("What is this?", button.as_str(), "BUTTON", 0));
    answer(&mut agent, &button).await;
    assert_eq!(told(&mut agent, json!({})).await["userMessage"], "");
}

#[tokio::test]
async fn who_asked_to_be_shown_an_element_gets_it_with_the_words_whatever_else_waits() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let button = select(&browser, "BUTTON").await;
    say(&browser, Some(&button), "The header looks wrong").await;
    let mut events = browser.client.events();
    let asking =
        agent.call("request_annotation", json!({ "message": "Which header?", "timeoutSeconds": 30 }));
    let pointing = async {
        let annotation_id = loop {
            let event = events.recv().await.unwrap().event;
            if let opentoolbar_core::protocol::Event::AnnotationRequested(request) = event {
                break request.annotation_id;
            }
        };
        let header = select(&browser, "HEADER").await;
        let answer = Request::AnswerAnnotation {
            annotation_id,
            context_id: Some(header.parse().unwrap()),
            message: Some("This one".into()),
        };
        browser.client.request_in(&session(), answer).await.unwrap();
        header
    };
    let (answered, header) = tokio::join!(asking, pointing);
    let answered = succeeded(answered);
    assert_eq!(
        (&answered["contextId"], &answered["said"]),
        (&json!(header), &json!("This one")),
        "{answered}"
    );
    assert_eq!(answered["element"]["tagName"], "HEADER", "{answered}");
    let of_header = told(&mut agent, json!({ "contextId": header })).await;
    assert_eq!(together(&of_header), ("", header.as_str(), "HEADER", 1));
}

#[tokio::test]
async fn what_is_cut_is_said_and_a_missing_id_is_absent() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let attributes: serde_json::Map<_, _> = (0..50).map(|n| (format!("data-{n}"), json!("x"))).collect();
    let more = json!({ "textContent": "word ".repeat(2_000), "attributes": attributes });
    let long = select_with(&browser, "MAIN", more).await;
    say(&browser, Some(&long), &"word ".repeat(20_000)).await;
    let cut = told(&mut agent, json!({})).await;
    let list = cut["cut"].to_string();
    for part in [
        "ancestors: 12 of 20",
        "attributes: 40 of 50",
        "textContent: 2000 of 10000",
        "userMessage: ",
        "of 100000",
    ] {
        assert!(list.contains(part), "{part} in {list}");
    }
    assert!(cut["userMessage"].as_str().unwrap().ends_with("… (cut)"), "{cut}");
    assert!(cut["element"].as_object().unwrap().get("id").is_none(), "{}", cut["element"]);
}

#[tokio::test]
async fn of_two_agents_each_is_handed_what_the_other_has_not() {
    let world = World::new();
    let (browser, mut one, mut other) = (world.browser().await, world.agent().await, world.agent().await);
    let button = select(&browser, "BUTTON").await;
    say(&browser, Some(&button), "Bigger").await;
    assert_eq!(told(&mut one, json!({})).await["userMessage"], "Bigger");
    say(&browser, Some(&button), "And blue").await;
    assert_eq!(told(&mut other, json!({})).await["userMessage"], "And blue");
    assert_eq!(told(&mut one, json!({})).await["userMessage"], "Bigger", "its own until it is answered");
    answer(&mut other, &button).await;
    // Nothing else is left: better twice than never.
    assert_eq!(told(&mut other, json!({})).await["userMessage"], "Bigger");
}

/// A client chooses its own, and knows it in that form alone.
#[tokio::test]
async fn every_tool_takes_a_session_in_the_form_that_its_client_chose() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let tab = json!({ "id": "test", "url": format!("{}/", world::ORIGIN), "title": "Shop", "lastActive": 1 });
    browser.client.request(Request::OpenSession(serde_json::from_value(tab).unwrap())).await.unwrap();
    let button = select_in(&browser, "test", "BUTTON", json!({})).await;
    let calls = [
        ("get_ui_context", json!({})),
        ("get_conversation_history", json!({})),
        ("get_ui_feedback", json!({})),
        ("select_session", json!({})),
        ("update_status", json!({ "status": "thinking" })),
        ("request_annotation", json!({ "message": "Which?", "timeoutSeconds": 1 })),
        ("respond_to_browser", json!({ "contextId": button, "message": "Hi", "isComplete": true })),
    ];
    let listed = agent.ask("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap().iter();
    let takes_one = tools.filter(|tool| !tool["inputSchema"]["properties"]["sessionId"].is_null());
    let takes_one = takes_one.map(|tool| tool["name"].as_str().unwrap());
    // A dialog's id, which may be another program's: shown in `dialogs`.
    let takes_one: BTreeSet<_> = takes_one.filter(|name| !name.starts_with("copilot_")).collect();
    assert_eq!(calls.iter().map(|(tool, _)| *tool).collect::<BTreeSet<_>>(), takes_one);
    for (tool, mut arguments) in calls {
        arguments["sessionId"] = json!("test");
        succeeded(agent.call(tool, arguments).await);
    }
    let history = succeeded(agent.call("get_conversation_history", json!({ "sessionId": "test" })).await);
    assert_eq!(history["messages"][0]["content"], "Hi", "{history}");
    let of_another =
        succeeded(agent.call("get_conversation_history", json!({ "sessionId": "s_test" })).await);
    assert_eq!(of_another["messages"], json!([]), "{of_another}");
}
