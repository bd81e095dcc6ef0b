//! The conversation as a browser and an agent hold it.

use opentoolbar_core::model::SessionId;
use opentoolbar_core::protocol::{Answer, Request};
use serde_json::{Value, json};

use super::{Agent, Browser, ORIGIN, succeeded};

/// The tab that [`super::World::browser`] opens.
pub fn session() -> SessionId {
    "s_test".parse().unwrap()
}

/// Id of the selection.
pub async fn set_context(browser: &Browser, session: &SessionId, payload: Value) -> String {
    let request = serde_json::from_value(json!({ "type": "set_context", "payload": payload })).unwrap();
    match browser.client.request_in(session, request).await.unwrap() {
        Answer::ContextStored { context_id } => context_id.to_string(),
        other => panic!("{other:?}"),
    }
}

/// An element of which nothing but its tag is of interest.
pub async fn select(browser: &Browser, tag: &str) -> String {
    let element = json!({
        "tagName": tag, "classList": [], "textContent": tag, "attributes": {},
        "boundingBox": { "x": 0, "y": 0, "width": 1, "height": 1 }
    });
    let page = json!({ "url": format!("{ORIGIN}/"), "title": "Shop" });
    set_context(browser, &session(), json!({ "element": element, "ancestors": [], "page": page })).await
}

pub async fn say(browser: &Browser, context: Option<&str>, text: &str) {
    let context_id = context.map(|context| context.parse().unwrap());
    let words = Request::UserMessage { context_id, message: text.into() };
    browser.client.request_in(&session(), words).await.unwrap();
}

/// What `get_ui_context` tells.
pub async fn told(agent: &mut Agent, arguments: Value) -> Value {
    succeeded(agent.call("get_ui_context", arguments).await)
}
