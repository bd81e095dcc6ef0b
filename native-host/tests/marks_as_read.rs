//! Which tools mark the developer's messages as read, by what they do: each of them is called while a message waits.
#![cfg(unix)]

use crate::world::conversation::{say, select, session};
use crate::world::{Browser, World, comment, pinned, succeeded};
use opentoolbar_core::model::MessageId;
use opentoolbar_core::protocol::{Answer, Request};
use serde_json::{Value, json};

/// 1 by 1 pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PAGE: &str = "<button class=\"btn btn-primary\">Save</button>";

/// What each tool is asked: the ways in which it could come upon a message. (A context's picture is not among them:
/// this one has none.)
fn questions(tool: &str, context: &str, message: &MessageId, verification: &str) -> Vec<Value> {
    match tool {
        "check_comment" => vec![
            json!({ "commentId": "c_pinned", "html": PAGE }),
            json!({ "commentId": "c_pinned", "path": "pinned.html" }),
        ],
        "copilot_chat_secretary_get_first_request" => vec![json!({}), json!({ "sessionId": "s_test" })],
        "copilot_chat_secretary_get_request" => {
            vec![json!({ "index": 1 }), json!({ "index": 1, "sessionId": "s_test" })]
        }
        "get_conversation_history" => vec![
            json!({ "sessionId": "s_test" }),
            json!({ "sessionId": "s_test", "limit": 1 }),
            json!({ "sessionId": "s_test", "messageId": message }),
        ],
        "get_screenshot" => vec![json!({ "commentId": "c_one" })],
        "get_ui_context" => {
            vec![json!({}), json!({ "contextId": context }), json!({ "sessionId": "s_test" })]
        }
        "get_ui_feedback" => {
            vec![json!({}), json!({ "sessionId": "s_test", "status": "all", "detail": "full" })]
        }
        "list_dialogs" => vec![json!({}), json!({ "source": "opentoolbar" })],
        "list_sessions" => vec![json!({})],
        "get_verification" => vec![json!({ "verificationId": verification, "waitSeconds": 0 })],
        "request_verification" => vec![json!({ "action": "a", "reason": "r", "timeoutSeconds": 5 })],
        "search_dialogs" => vec![json!({ "query": "blue" })],
        "reply_to_comment" => vec![json!({ "commentId": "c_one", "message": "Which blue?" })],
        "request_annotation" => vec![json!({ "message": "Which header?", "timeoutSeconds": 1 })],
        "resolve_comment" => vec![json!({ "commentId": "c_pinned" })],
        "respond_to_browser" => vec![
            json!({ "sessionId": "s_test", "contextId": context, "message": "It is blue.", "isComplete": true }),
        ],
        "select_session" => vec![json!({ "sessionId": "s_test" })],
        "update_comment" => vec![json!({ "commentId": "c_one", "stage": "in_progress" })],
        "update_status" => vec![json!({ "sessionId": "s_test", "status": "thinking" })],
        "wait_for_feedback" => {
            vec![json!({ "timeoutSeconds": 1 }), json!({ "after": 0, "timeoutSeconds": 1 })]
        }
        other => panic!("{other} is new: say what it is asked, so that it is seen whether it marks messages"),
    }
}

/// The messages that no agent has read yet.
async fn unread(browser: &Browser) -> Vec<MessageId> {
    let asked =
        browser.client.request_in(&session(), Request::GetConversation { after: None }).await.unwrap();
    let Answer::Conversation { messages, .. } = asked else { panic!("{asked:?}") };
    messages.into_iter().filter(|one| one.is_answered.is_some() && !one.is_read).map(|one| one.id).collect()
}

/// A client asks the developer before what changes something, and calls the rest as it likes. That a message was read
/// is seen by the developer, and no other agent is handed it.
#[tokio::test]
async fn a_tool_that_marks_messages_as_read_is_not_read_only() {
    let world = World::new();
    std::fs::write(world.project().join("pinned.html"), PAGE).unwrap();
    let browser = world.browser().await;
    browser.comment_with(comment("c_one", "/", "Make it blue"), Some(PNG.into())).await;
    browser.comment(pinned("c_pinned", "/pinned", "Make it red", PAGE, "button")).await;
    let context = select(&browser, "BUTTON").await;
    let mut agent = world.agent().await;
    let listed = agent.ask("tools/list", json!({})).await["result"]["tools"].clone();
    let asked = agent
        .call("request_verification", json!({ "action": "a", "reason": "r", "timeoutSeconds": 5 }))
        .await;
    let verification = asked["verificationId"].as_str().unwrap();
    let mut marking = Vec::new();
    for tool in listed.as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        for asked in 0.. {
            say(&browser, Some(&context), "Is it blue?").await;
            let before = unread(&browser).await;
            let message = before.last().expect("it waits");
            let questions = questions(name, &context, message, verification);
            let Some(question) = questions.get(asked) else { break };
            succeeded(agent.call(name, question.clone()).await);
            if unread(&browser).await.len() < before.len() {
                let hints = &tool["annotations"];
                // Not said is no, as MCP has it.
                assert_ne!(hints["readOnlyHint"], true, "{name} {question} marks what was said as read");
                assert_eq!(hints["destructiveHint"], false, "{name}");
                marking.push(name);
            }
        }
    }
    assert!(!marking.is_empty(), "nothing was seen to be read");
}
