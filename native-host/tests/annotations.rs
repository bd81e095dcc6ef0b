//! Requests that the person point at something: what was acknowledged to the page is told to the agent, whatever ends
//! in between.

use crate::room::conversation::{PAGE, id, select};
use crate::room::{Room, end, open_tab, session};
use crate::world;
use opentoolbar::hub::client::Client;
use opentoolbar_core::protocol::{AnnotationOutcome, Answer, ErrorBody, ErrorCode, Event, Request};
use serde_json::json;

async fn asks(agent: &Client, annotation: &str) -> Result<AnnotationOutcome, ErrorBody> {
    let request = Request::RequestAnnotation {
        session_id: Some(id("s_1")),
        annotation_id: annotation.parse().unwrap(),
        message: "Which header?".into(),
        timeout_ms: 50,
    };
    match agent.request(request).await? {
        Answer::Annotation { outcome, session_id, .. } => {
            assert_eq!(session_id, id("s_1"));
            Ok(outcome)
        }
        other => panic!("{other:?}"),
    }
}

async fn answers(
    browser: &Client,
    annotation: &str,
    context: Option<&str>,
    words: &str,
) -> Result<Answer, ErrorBody> {
    let request = Request::AnswerAnnotation {
        annotation_id: annotation.parse().unwrap(),
        context_id: context.map(|context| context.parse().unwrap()),
        message: Some(words.into()),
    };
    browser.request_in(&id("s_1"), request).await
}

fn pointed(context: &str, words: &str) -> AnnotationOutcome {
    AnnotationOutcome::Answered { context_id: context.parse().unwrap(), message: Some(words.into()) }
}

async fn one_tab() -> (Room, Client, Client) {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    (room, browser, agent)
}

#[tokio::test]
async fn what_was_answered_is_told_although_the_hub_ended_before_the_agent_heard_it() {
    let (room, browser, agent) = one_tab().await;
    for annotation in ["a_points", "a_declines"] {
        assert_eq!(asks(&agent, annotation).await.unwrap(), AnnotationOutcome::Waiting);
    }
    let header = select(&browser, "s_1", "HEADER").await;
    answers(&browser, "a_points", Some(&header), "This one").await.unwrap();
    answers(&browser, "a_declines", None, "Not now").await.unwrap();
    end(room.pid().unwrap());
    // Before the browser is back.
    assert_eq!(asks(&agent, "a_points").await.unwrap(), pointed(&header, "This one"));
    let declined = AnnotationOutcome::Declined { reason: Some("Not now".into()), closed: false };
    assert_eq!(asks(&agent, "a_declines").await.unwrap(), declined);
    // Nobody is asked once more, and the answer stays what it was.
    browser.request(Request::OpenSession(session("s_1", PAGE))).await.unwrap();
    let mut events = browser.events();
    assert_eq!(asks(&agent, "a_points").await.unwrap(), pointed(&header, "This one"));
    assert!(matches!(answers(&browser, "a_points", Some(&header), "This one").await, Ok(Answer::Done)));
    let other = answers(&browser, "a_points", None, "Rather not").await.unwrap_err();
    assert_eq!(other.code, ErrorCode::BadRequest, "{other}");
    assert_eq!(asks(&agent, "a_points").await.unwrap(), pointed(&header, "This one"));
    while let Ok(event) = events.try_recv() {
        assert!(!matches!(event.event, Event::AnnotationRequested(_)), "{event:?}");
    }
}

/// Its link broke, and it is back at once.
#[tokio::test]
async fn what_was_answered_is_told_to_an_agent_whose_connection_ended_before_it_heard_it() {
    let (room, browser, agent) = one_tab().await;
    asks(&agent, "a_1").await.unwrap();
    let header = select(&browser, "s_1", "HEADER").await;
    answers(&browser, "a_1", Some(&header), "This one").await.unwrap();
    drop(agent);
    let mut events = browser.events();
    while !matches!(events.recv().await.unwrap().event, Event::AgentsChanged { agents } if agents.is_empty())
    {
    }
    let other = room.agent("b").await;
    let refused = asks(&other, "a_1").await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict, "it is another's: {refused}");
    assert_eq!(asks(&room.agent("a").await, "a_1").await.unwrap(), pointed(&header, "This one"));
}

#[tokio::test]
async fn an_id_of_no_request_is_said_to_be_unknown() {
    let world = world::World::new();
    let (_browser, mut agent) = (world.browser().await, world.agent().await);
    let unknown = agent.call("request_annotation", json!({ "annotationId": "a_unknown" })).await;
    assert_eq!(unknown["success"], false, "{unknown}");
    let error = world::refusal(&unknown);
    for part in ["a_unknown", "annotationId", "without", "`message`"] {
        assert!(error.contains(part), "{part} in {error}");
    }
    assert!(!error.contains("missing"), "{error}");
    let neither = agent.call("request_annotation", json!({})).await;
    assert!(neither["error"].as_str().unwrap().contains("`message` is missing"), "{neither}");
}
