//! What happens at the same moment in a conversation: tabs that close, agents that answer together, who comes first.

use std::time::Duration;

use crate::room::conversation::{PAGE, heard, id, messages, responds, say, select};
use crate::room::{Room, open_tab, session};
use opentoolbar::hub::client::Client;
use opentoolbar_core::protocol::{AnnotationOutcome, Answer, ErrorCode, Event, NewsQuery, Request};

fn asks(annotation: &str, session: Option<&str>, timeout_ms: u32) -> Request {
    Request::RequestAnnotation {
        session_id: session.map(id),
        annotation_id: annotation.parse().unwrap(),
        message: "Which header?".into(),
        timeout_ms,
    }
}

/// A browser with the tab `s_1` open, and an agent of its project.
async fn one_tab() -> (Room, Client, Client) {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    (room, browser, agent)
}

async fn outcome(agent: &Client, request: Request) -> AnnotationOutcome {
    match agent.request(request).await.unwrap() {
        Answer::Annotation { outcome, .. } => outcome,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_connections_that_open_one_tab_at_the_same_moment_one_has_it() {
    let room = Room::new();
    let (first, second) = tokio::join!(room.browser(), room.browser());
    for round in 0..10 {
        // Whose port it is takes a while to find out.
        let session = session(&format!("s_{round}"), "http://localhost:1/");
        let (one, other) = tokio::join!(
            first.request(Request::OpenSession(session.clone())),
            second.request(Request::OpenSession(session.clone()))
        );
        let refused: Vec<_> = [one, other].into_iter().filter_map(Result::err).collect();
        assert_eq!(refused.len(), 1, "{round}: {refused:?}");
        assert_eq!(refused[0].code, ErrorCode::Conflict);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_agents_say_at_the_same_moment_is_told_in_the_order_in_which_it_is_stored() {
    let room = Room::new();
    let browser = room.browser().await;
    let mut agents = Vec::new();
    for number in 0..8 {
        agents.push(room.agent(&format!("agent {number}")).await);
    }
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    let mut events = browser.events();
    let talking = agents.into_iter().map(|agent| {
        let part = responds("s_1", &selected, "word ", false);
        tokio::spawn(async move {
            for _ in 0..25 {
                agent.request(part.clone()).await.unwrap();
            }
            agent
        })
    });
    let talking: Vec<_> = talking.collect();
    let mut positions = Vec::new();
    while positions.len() < 200 {
        positions.extend(heard(&mut events).await.part.map(|part| part.position));
    }
    for one in talking {
        one.await.unwrap();
    }
    // Who has heard a position has heard everything before it, and may ask for what comes after.
    assert!(positions.is_sorted(), "{positions:?}");
}

#[tokio::test]
async fn a_tab_that_is_closed_in_the_middle_of_an_answer_loses_nothing_of_it() {
    let (room, browser, agent) = one_tab().await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    say(&browser, "s_1", &selected, "Hi").await.unwrap();
    agent.request(responds("s_1", &selected, "one ", false)).await.unwrap();
    let (_, position) = messages(&browser, "s_1", None).await;
    browser.request(Request::CloseSession { session_id: id("s_1") }).await.unwrap();
    agent.request(responds("s_1", &selected, "two ", false)).await.unwrap();
    agent.request(responds("s_1", &selected, "three", true)).await.unwrap();
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let (missed, _) = messages(&browser, "s_1", Some(position)).await;
    let said: Vec<_> = missed.iter().map(|one| (one.content.as_str(), one.is_complete)).collect();
    // That the question is answered is news too.
    assert_eq!(said, [("one two three", true), ("Hi", true)]);
}

#[tokio::test]
async fn who_stops_waiting_in_the_middle_of_an_answer_still_gets_the_rest_of_it() {
    let (_room, browser, agent) = one_tab().await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    say(&browser, "s_1", &selected, "Hi").await.unwrap();
    agent.request(responds("s_1", &selected, "one ", false)).await.unwrap();
    browser.request_in(&id("s_1"), Request::StopWaiting).await.unwrap();
    agent.request(responds("s_1", &selected, "two", true)).await.unwrap();
    let (all, _) = messages(&browser, "s_1", None).await;
    assert_eq!(all.iter().map(|one| one.content.as_str()).collect::<Vec<_>>(), ["Hi", "one two"]);
}

#[tokio::test]
async fn an_agent_that_waits_for_a_tab_is_told_when_the_tab_is_closed() {
    let (_room, browser, agent) = one_tab().await;
    let mut events = browser.events();
    let waiting = tokio::spawn({
        let agent = agent.clone();
        async move { outcome(&agent, asks("a_1", None, 40_000)).await }
    });
    assert!(matches!(heard(&mut events).await.event, Event::AnnotationRequested(_)));
    browser.request(Request::CloseSession { session_id: id("s_1") }).await.unwrap();
    let told = tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("at once").unwrap();
    // An earlier version knows nothing of `closed`: without a reason it would say that the person does not want to.
    match told {
        AnnotationOutcome::Declined { reason: Some(reason), closed: true } => {
            assert!(reason.contains("page was closed"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn requests_to_tabs_that_are_gone_leave_room_for_others() {
    let room = Room::new();
    let agent = room.agent("a").await;
    for round in 0..9 {
        // The browser ends without a word.
        let browser = room.browser().await;
        open_tab(&browser, &format!("s_{round}"), PAGE, &room.project).await;
        let told = outcome(&agent, asks(&format!("a_{round}"), None, 1)).await;
        assert_eq!(told, AnnotationOutcome::Waiting);
        drop(browser);
        let gone = async {
            while matches!(agent.request(Request::ListSessions).await, Ok(Answer::Sessions { sessions, .. }) if !sessions.is_empty())
            {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), gone).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_request_asked_twice_at_the_same_moment_is_shown_once_and_answered_to_both() {
    let (_room, browser, agent) = one_tab().await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    for round in 0..10 {
        let name = format!("a_{round}");
        let mut events = browser.events();
        let [one, other] = [0, 1].map(|_| {
            let (agent, request) = (agent.clone(), asks(&name, None, 20_000));
            tokio::spawn(async move { outcome(&agent, request).await })
        });
        assert!(matches!(heard(&mut events).await.event, Event::AnnotationRequested(_)));
        // Both have been taken by the hub when something that was sent later is answered.
        agent.request(Request::ListSessions).await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
        let answer = Request::AnswerAnnotation {
            annotation_id: name.parse().unwrap(),
            context_id: Some(selected.parse().unwrap()),
            message: None,
        };
        browser.request_in(&id("s_1"), answer).await.unwrap();
        for told in [one, other] {
            let told = told.await.unwrap();
            assert!(matches!(told, AnnotationOutcome::Answered { .. }), "{round}: {told:?}");
        }
        // Other events may come: of a tab that was settled, say.
        while let Ok(more) = events.try_recv() {
            assert!(!matches!(more.event, Event::AnnotationRequested(_)), "{round}: shown twice");
        }
    }
}

#[tokio::test]
async fn what_was_answered_is_asked_no_more_and_an_answer_names_a_selection_of_its_tab() {
    let (room, browser, agent) = one_tab().await;
    open_tab(&browser, "s_2", PAGE, &room.project).await;
    let foreign = select(&browser, "s_2", "BUTTON").await;
    let own = select(&browser, "s_1", "BUTTON").await;
    assert_eq!(outcome(&agent, asks("a_1", Some("s_1"), 1)).await, AnnotationOutcome::Waiting);
    let answer = |context: &str| Request::AnswerAnnotation {
        annotation_id: "a_1".parse().unwrap(),
        context_id: Some(context.parse().unwrap()),
        message: None,
    };
    for unknown in ["ctx_none", foreign.as_str()] {
        let refused = browser.request_in(&id("s_1"), answer(unknown)).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::UnknownContext, "{refused}");
    }
    browser.request_in(&id("s_1"), answer(&own)).await.unwrap();
    let now = browser.request_in(&id("s_1"), Request::GetConversation { after: None }).await.unwrap();
    let Answer::Conversation { annotations, .. } = now else { panic!("{now:?}") };
    assert!(annotations.is_empty(), "{annotations:?}");
    let told = outcome(&agent, asks("a_1", Some("s_1"), 1)).await;
    assert!(matches!(told, AnnotationOutcome::Answered { .. }), "{told:?}");
}

#[tokio::test]
async fn an_agent_is_told_of_a_closed_tab_in_its_own_words() {
    let (_room, browser, agent) = one_tab().await;
    browser.request(Request::CloseSession { session_id: id("s_1") }).await.unwrap();
    let status = opentoolbar_core::model::AgentStatus::Editing;
    for request in [
        Request::GetUiContext { session_id: Some(id("s_1")), context_id: None },
        Request::UpdateStatus { session_id: id("s_1"), status, detail: None },
        Request::GetConversationHistory {
            session_id: id("s_1"),
            limit: None,
            before: None,
            message_id: None,
        },
        asks("a_1", Some("s_1"), 1),
    ] {
        let refused = agent.request(request).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::UnknownSession);
        assert!(refused.next_step.contains("list_sessions"), "{refused}");
    }
}

#[tokio::test]
async fn many_messages_that_were_taken_back_do_not_hide_the_next_one() {
    let (_room, browser, agent) = one_tab().await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    for number in 0..60 {
        say(&browser, "s_1", &selected, &format!("No {number}")).await.unwrap();
    }
    browser.request_in(&id("s_1"), Request::StopWaiting).await.unwrap();
    say(&browser, "s_1", &selected, "This one").await.unwrap();
    let wait = Request::WaitForFeedback(NewsQuery { after: Some(0), timeout_ms: 1, ..NewsQuery::default() });
    let Answer::News { messages, .. } = agent.request(wait).await.unwrap() else { panic!() };
    assert_eq!(messages.iter().map(|one| one.content.as_str()).collect::<Vec<_>>(), ["This one"]);
}
