//! The conversation as tests hold it: a browser selects and says, an agent reads and answers.

use std::time::Duration;

use opentoolbar::hub::client::Client;
use opentoolbar_core::model::{Message, Selection, SessionId};
use opentoolbar_core::protocol::{Answer, ErrorBody, EventEnvelope, Request, SetContext, UiContext};
use tokio::sync::broadcast::Receiver;

use super::{Room, open_tab};

pub const PAGE: &str = "https://shop.test/cart";
/// 1 by 1 pixel.
pub const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

pub fn id(session: &str) -> SessionId {
    session.parse().unwrap()
}

pub fn selection(tag: &str) -> Selection {
    serde_json::from_value(serde_json::json!({
        "element": {
            "tagName": tag, "classList": ["buy"], "textContent": "Buy now", "attributes": { "class": "buy" },
            "boundingBox": { "x": 1, "y": 2, "width": 80, "height": 24 }
        },
        "ancestors": [{ "tagName": "MAIN", "classList": [] }],
        "page": { "url": PAGE, "title": "Cart" }
    }))
    .unwrap()
}

pub async fn select(browser: &Client, session: &str, tag: &str) -> String {
    let set = SetContext {
        context_id: None,
        selection: selection(tag),
        screenshot: Some(PNG.into()),
        viewport_screenshot: None,
    };
    match browser.request_in(&id(session), Request::SetContext(Box::new(set))).await.unwrap() {
        Answer::ContextStored { context_id } => context_id.to_string(),
        other => panic!("{other:?}"),
    }
}

/// With an id of its own; `picture`: of the element and of the viewport.
pub async fn select_as(
    browser: &Client,
    (session, context): (&str, &str),
    tag: &str,
    picture: Option<&str>,
) -> Result<Answer, ErrorBody> {
    let set = SetContext {
        context_id: Some(context.parse().unwrap()),
        selection: selection(tag),
        screenshot: picture.map(Into::into),
        viewport_screenshot: picture.map(Into::into),
    };
    browser.request_in(&id(session), Request::SetContext(Box::new(set))).await
}

/// A browser with the tab `s_1` of the room's project.
pub async fn tab(room: &Room) -> Client {
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser
}

pub async fn say(browser: &Client, session: &str, context: &str, text: &str) -> Result<Answer, ErrorBody> {
    let context_id = Some(context.parse().unwrap());
    browser.request_in(&id(session), Request::UserMessage { context_id, message: text.into() }).await
}

pub fn responds(session: &str, context: &str, text: &str, is_complete: bool) -> Request {
    Request::RespondToBrowser {
        session_id: id(session),
        context_id: Some(context.parse().unwrap()),
        message: text.into(),
        is_complete,
        index: None,
        told_in_part: Vec::new(),
    }
}

pub async fn context(agent: &Client, session: Option<&str>) -> UiContext {
    match agent
        .request(Request::GetUiContext { session_id: session.map(id), context_id: None })
        .await
        .unwrap()
    {
        Answer::UiContext(context) => context,
        other => panic!("{other:?}"),
    }
}

pub async fn messages(browser: &Client, session: &str, after: Option<u64>) -> (Vec<Message>, u64) {
    match browser.request_in(&id(session), Request::GetConversation { after }).await.unwrap() {
        Answer::Conversation { messages, position, .. } => (messages, position),
        other => panic!("{other:?}"),
    }
}

/// The next event of a conversation.
pub async fn heard(events: &mut Receiver<EventEnvelope>) -> EventEnvelope {
    let next = async {
        loop {
            let envelope = events.recv().await.unwrap();
            if envelope.session_id.is_some() {
                return envelope;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), next).await.unwrap()
}
