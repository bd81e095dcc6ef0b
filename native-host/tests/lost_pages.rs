//! Pages whose browser lost its connection a moment ago: neither open nor closed.

use crate::room;
use std::time::Duration;

use crate::room::{Room, hello, open_tab};
use opentoolbar::hub::client::Client;
use opentoolbar_core::model::AgentStatus;
use opentoolbar_core::protocol::{
    AnnotationOutcome, Answer, ErrorBody, ErrorCode, Event, Hello, Request, Role,
};

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

fn asks(id: &str) -> Request {
    Request::RequestAnnotation {
        session_id: Some("s_2".parse().unwrap()),
        annotation_id: id.parse().unwrap(),
        message: "Which header?".into(),
        timeout_ms: 40_000,
    }
}

fn is_closed(answer: &Result<Answer, ErrorBody>) -> bool {
    matches!(answer, Ok(Answer::Annotation { outcome: AnnotationOutcome::Declined { closed: true, .. }, .. }))
}

/// The second tab of [`lost`] is open and asked to point at something, and then lost again.
async fn asked() -> (Room, Client, tokio::task::JoinHandle<Result<Answer, ErrorBody>>) {
    let (room, agent) = lost().await;
    let again = browser(&room, "i_1").await;
    open_tab(&again, "s_2", PAGE, &room.project).await;
    let mut events = again.events();
    let waiting = tokio::spawn({
        let agent = agent.clone();
        async move { agent.request(asks("a_1")).await }
    });
    while !matches!(events.recv().await.unwrap().event, Event::AnnotationRequested(_)) {}
    drop(again);
    tokio::time::sleep(A_MOMENT).await;
    (room, agent, waiting)
}

#[tokio::test]
async fn who_waits_for_the_person_on_a_page_that_does_not_come_back_is_told_that_it_is_closed() {
    let (_room, _agent, waiting) = asked().await;
    let told = tokio::time::timeout(Duration::from_secs(30), waiting).await.unwrap().unwrap();
    assert!(is_closed(&told), "{told:?}");
}

#[tokio::test]
async fn a_tab_that_was_closed_while_its_browser_was_away_is_closed_for_who_waits_for_it() {
    let (room, agent, waiting) = asked().await;
    let again = browser(&room, "i_1").await;
    open_tab(&again, "s_1", PAGE, &room.project).await;
    again.request(Request::CloseSession { session_id: "s_2".parse().unwrap() }).await.unwrap();
    let told = tokio::time::timeout(Duration::from_secs(4), waiting).await.unwrap().unwrap();
    assert!(is_closed(&told), "{told:?}");
    assert_eq!(sessions(&agent).await, ["s_1"], "and nobody waits for it");
}

#[tokio::test]
async fn who_is_asked_while_its_browser_connects_again_is_asked_still() {
    let (room, agent, waiting) = asked().await;
    let again = browser(&room, "i_1").await;
    open_tab(&again, "s_2", PAGE, &room.project).await;
    let declines =
        Request::AnswerAnnotation { annotation_id: "a_1".parse().unwrap(), context_id: None, message: None };
    again.request_in(&"s_2".parse().unwrap(), declines).await.unwrap();
    let told = tokio::time::timeout(Duration::from_secs(20), waiting).await.unwrap().unwrap();
    assert!(
        matches!(
            told,
            Ok(Answer::Annotation { outcome: AnnotationOutcome::Declined { closed: false, .. }, .. })
        ),
        "{told:?}"
    );
    drop(agent);
}

#[tokio::test]
async fn what_an_agent_says_of_itself_while_the_page_is_away_is_what_the_page_hears() {
    let (room, agent) = lost().await;
    let earlier = browser(&room, "i_1").await;
    open_tab(&earlier, "s_2", PAGE, &room.project).await;
    let selected = room::conversation::select(&earlier, "s_2", "BUTTON").await;
    drop(earlier);
    tokio::time::sleep(A_MOMENT).await;
    let answer = Request::RespondToBrowser {
        session_id: "s_2".parse().unwrap(),
        context_id: Some(selected.parse().unwrap()),
        message: "Done.".into(),
        is_complete: true,
        index: None,
        told_in_part: Vec::new(),
    };
    agent.request(answer).await.unwrap();
    let again = browser(&room, "i_1").await;
    open_tab(&again, "s_2", PAGE, &room.project).await;
    let conversation = Request::GetConversation { after: None };
    match again.request_in(&"s_2".parse().unwrap(), conversation).await.unwrap() {
        Answer::Conversation { activities, messages, .. } => {
            assert_eq!(messages.len(), 1);
            assert!(activities.is_empty(), "it has answered: {activities:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_tab_that_comes_back_has_its_number_and_no_other_one_got_it() {
    let (room, agent) = lost().await;
    let other = browser(&room, "i_2").await;
    open_tab(&other, "s_3", PAGE, &room.project).await;
    let again = browser(&room, "i_1").await;
    for id in ["s_2", "s_1"] {
        open_tab(&again, id, PAGE, &room.project).await;
    }
    match agent.request(Request::ListSessions).await.unwrap() {
        Answer::Sessions { sessions, .. } => {
            let mut numbers: Vec<_> =
                sessions.iter().map(|one| (one.session_id.as_str(), one.number)).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, [("s_1", 1), ("s_2", 2), ("s_3", 3)]);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_page_that_was_active_later_than_those_that_are_lost_is_not_waited_for_but_the_list_is() {
    let (room, agent) = lost().await;
    let other = browser(&room, "i_2").await;
    open_tab(&other, "s_3", PAGE, &room.project).await;
    let began = std::time::Instant::now();
    assert_eq!(context(&agent).await.unwrap(), "s_3");
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    assert_eq!(sessions(&agent).await, ["s_3"]);
}

#[tokio::test]
async fn a_hub_that_has_just_begun_waits_for_the_pages_that_were_open_before() {
    let room = Room::new();
    let mut hub = room.hub();
    let before = browser(&room, "i_1").await;
    open_tab(&before, "s_1", PAGE, &room.project).await;
    drop(before);
    room::end(hub.id());
    hub.wait().unwrap();
    let mut hub = room.hub();
    let agent = room.agent("codex").await;
    // It stays until it was seen: one that is gone at once may come and go between two looks.
    let (asked, again) = tokio::join!(context(&agent), async {
        tokio::time::sleep(A_MOMENT).await;
        let again = browser(&room, "i_1").await;
        open_tab(&again, "s_1", PAGE, &room.project).await;
        again
    });
    assert_eq!(asked.unwrap(), "s_1");
    drop(again);
    room::end(hub.id());
    hub.wait().unwrap();
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
