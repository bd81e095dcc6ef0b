//! Pages whose browser lost its connection a moment ago: neither open nor closed.
#![allow(clippy::unwrap_used, clippy::panic)]

mod room;

use std::time::Duration;

use opentoolbar::hub::client::Client;
use opentoolbar_core::model::AgentStatus;
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, Hello, Request, Role};
use room::{Room, hello, open_tab};

const PAGE: &str = "https://shop.test/";
/// Far more than a browser needs to say that a connection is closed, far less than a page is waited for.
const A_MOMENT: Duration = Duration::from_millis(300);

async fn browser(room: &Room, instance: &str) -> Client {
    let hello = Hello { instance: Some(instance.to_owned()), ..hello(Role::Browser, "Chromium 156", None) };
    room.connector().connect(hello).await.unwrap()
}

async fn sessions(agent: &Client) -> Vec<String> {
    match agent.request(Request::ListSessions).await.unwrap() {
        Answer::Sessions { sessions, .. } => {
            sessions.into_iter().map(|one| one.session_id.as_str().to_owned()).collect()
        }
        other => panic!("{other:?}"),
    }
}

async fn context(agent: &Client) -> Result<String, ErrorBody> {
    let request = Request::GetUiContext { session_id: None, context_id: None };
    match agent.request(request).await? {
        Answer::UiContext(context) => Ok(context.session_id.as_str().to_owned()),
        other => panic!("{other:?}"),
    }
}

/// Two tabs of one browser, the second active last, whose connection is gone.
async fn lost() -> (Room, Client) {
    let room = Room::new();
    let agent = room.agent("codex").await;
    let before = browser(&room, "i_1").await;
    open_tab(&before, "s_1", PAGE, &room.project).await;
    open_tab(&before, "s_2", PAGE, &room.project).await;
    let status = Request::UpdateStatus {
        session_id: "s_2".parse().unwrap(),
        status: AgentStatus::Editing,
        detail: Some("reading".into()),
    };
    agent.request(status).await.unwrap();
    drop(before);
    tokio::time::sleep(A_MOMENT).await;
    (room, agent)
}

#[tokio::test]
async fn an_agent_that_asks_while_the_browser_connects_again_gets_the_page_that_was_active_last() {
    let (room, agent) = lost().await;
    let (asked, listed, ()) = tokio::join!(context(&agent), sessions(&agent), async {
        tokio::time::sleep(A_MOMENT).await;
        let again = browser(&room, "i_1").await;
        // In whatever order: coming back is nothing that happens in a tab.
        open_tab(&again, "s_2", PAGE, &room.project).await;
        tokio::time::sleep(A_MOMENT).await;
        open_tab(&again, "s_1", PAGE, &room.project).await;
        let conversation = Request::GetConversation { after: None };
        match again.request_in(&"s_2".parse().unwrap(), conversation).await.unwrap() {
            Answer::Conversation { activities, .. } => {
                assert_eq!(activities.len(), 1, "what the agent does there goes on");
                assert_eq!(activities[0].detail.as_deref(), Some("reading"));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(sessions(&agent).await, ["s_2", "s_1"]);
        // Until here the connection is kept.
        drop(again);
    });
    assert_eq!(asked.unwrap(), "s_2");
    assert_eq!(listed, ["s_2", "s_1"]);
}

#[tokio::test]
async fn a_page_that_does_not_come_back_is_told_as_not_open() {
    let (_room, agent) = lost().await;
    let refused = context(&agent).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::UnknownSession);
    assert!(sessions(&agent).await.is_empty());
}

#[tokio::test]
async fn another_browser_gets_nothing_of_a_tab_that_was_lost() {
    let (room, agent) = lost().await;
    let other = browser(&room, "i_2").await;
    open_tab(&other, "s_2", PAGE, &room.project).await;
    let conversation = Request::GetConversation { after: None };
    match other.request_in(&"s_2".parse().unwrap(), conversation).await.unwrap() {
        Answer::Conversation { activities, .. } => assert!(activities.is_empty(), "{activities:?}"),
        other => panic!("{other:?}"),
    }
    drop(agent);
}

#[tokio::test]
async fn a_tab_that_was_closed_is_not_waited_for() {
    let room = Room::new();
    let agent = room.agent("codex").await;
    let before = browser(&room, "i_1").await;
    open_tab(&before, "s_1", PAGE, &room.project).await;
    before.request(Request::CloseSession { session_id: "s_1".parse().unwrap() }).await.unwrap();
    drop(before);
    tokio::time::sleep(A_MOMENT).await;
    // A wait would end after this.
    let refused = tokio::time::timeout(Duration::from_secs(4), context(&agent)).await.unwrap().unwrap_err();
    assert_eq!(refused.code, ErrorCode::UnknownSession);
}
