//! A tab whose project has changed: agents of the project before reach it no more, whatever they do, and what they did
//! there ends.

use crate::room;
use std::path::PathBuf;
use std::time::Duration;

use crate::room::conversation::{PAGE, heard, id, messages, responds, say, select};
use crate::room::{Room, open_tab};
use opentoolbar::hub::client::Client;
use opentoolbar_core::model::AgentStatus;
use opentoolbar_core::protocol::{
    AnnotationOutcome, Answer, ErrorBody, ErrorCode, Event, EventEnvelope, NewsQuery, Request,
};
use tokio::sync::broadcast::Receiver;
use tokio::task::JoinHandle;

struct Two {
    room: Room,
    browser: Client,
    /// Of the project that the tab `s_1` is of first.
    agent: Client,
}

impl Two {
    async fn new() -> Self {
        let room = Room::new();
        let other = room.path().join("other");
        std::fs::create_dir(&other).unwrap();
        std::fs::write(other.join("package.json"), "{}").unwrap();
        let (browser, agent) = (room.browser().await, room.agent("first").await);
        open_tab(&browser, "s_1", PAGE, &room.project).await;
        Self { room, browser, agent }
    }

    fn other(&self) -> PathBuf {
        self.room.path().join("other")
    }

    /// The person says that the page is of the other project.
    async fn moves(&self) {
        let origin = opentoolbar::project::origin_of(PAGE);
        let root = self.other().to_str().unwrap().to_owned();
        self.browser.request(Request::SetOriginProject { origin, root }).await.unwrap();
    }

    /// The agent works for the tab and has the person asked to point at something. What it hears of that, and what the
    /// tab does after it.
    async fn agent_does_and_asks(&self) -> (JoinHandle<Result<Answer, ErrorBody>>, Receiver<EventEnvelope>) {
        self.agent.request(status(AgentStatus::Editing, "src/Buy.tsx")).await.unwrap();
        let mut events = self.browser.events();
        let agent = self.agent.clone();
        let waiting = tokio::spawn(async move { agent.request(asks(40_000)).await });
        while !matches!(heard(&mut events).await.event, Event::AnnotationRequested(_)) {}
        (waiting, events)
    }

    /// Everything that the tab hears until an agent of its project speaks.
    async fn heard_by_the_tab(&self, events: &mut Receiver<EventEnvelope>) -> Vec<Event> {
        let own = self.room.agent_in("second", &self.other()).await;
        own.request(status(AgentStatus::Searching, "the end")).await.unwrap();
        let mut all = Vec::new();
        loop {
            let event = heard(events).await.event;
            if matches!(&event, Event::StatusUpdate { detail: Some(detail), .. } if detail == "the end") {
                return all;
            }
            all.push(event);
        }
    }
}

async fn is_told_that_the_page_is_gone(waiting: JoinHandle<Result<Answer, ErrorBody>>) {
    let told = tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("at once").unwrap();
    match told.unwrap() {
        Answer::Annotation { outcome: AnnotationOutcome::Declined { closed: true, .. }, .. } => {}
        other => panic!("{other:?}"),
    }
}

fn status(status: AgentStatus, detail: &str) -> Request {
    Request::UpdateStatus { session_id: id("s_1"), status, detail: Some(detail.into()) }
}

fn asks(timeout_ms: u32) -> Request {
    Request::RequestAnnotation {
        session_id: Some(id("s_1")),
        annotation_id: "a_1".parse().unwrap(),
        message: "Which header?".into(),
        timeout_ms,
    }
}

#[tokio::test]
async fn an_agent_of_the_project_before_reads_and_answers_without_the_tab_hearing_it() {
    let two = Two::new().await;
    let context = select(&two.browser, "s_1", "BUTTON").await;
    say(&two.browser, "s_1", &context, "Make it bigger").await.unwrap();
    two.moves().await;
    let mut events = two.browser.events();
    let waits =
        Request::WaitForFeedback(NewsQuery { after: Some(0), timeout_ms: 1_000, ..NewsQuery::default() });
    match two.agent.request(waits).await.unwrap() {
        Answer::News { messages, .. } => assert_eq!(messages.len(), 1, "it is a message of its project"),
        other => panic!("{other:?}"),
    }
    for (words, is_complete) in [("It is ", false), ("bigger.", true)] {
        two.agent.request(responds("s_1", &context, words, is_complete)).await.unwrap();
    }
    assert_eq!(two.heard_by_the_tab(&mut events).await, []);
}

#[tokio::test]
async fn what_an_agent_did_and_asked_in_a_tab_ends_when_the_tab_goes_to_another_project() {
    let two = Two::new().await;
    let (waiting, mut events) = two.agent_does_and_asks().await;
    two.moves().await;
    is_told_that_the_page_is_gone(waiting).await;
    let ends = [
        Event::StatusUpdate { status: AgentStatus::Idle, detail: None },
        Event::AnnotationWithdrawn { annotation_id: "a_1".parse().unwrap() },
    ];
    assert_eq!(two.heard_by_the_tab(&mut events).await, ends);
    // Nor is it told of when the page asks.
    match two.browser.request_in(&id("s_1"), Request::GetConversation { after: None }).await.unwrap() {
        Answer::Conversation { activities, annotations, .. } => {
            assert!(annotations.is_empty(), "{annotations:?}");
            assert!(activities.iter().all(|one| one.agent != "first"), "{activities:?}");
        }
        other => panic!("{other:?}"),
    }
    assert!(messages(&two.browser, "s_1", None).await.0.is_empty());
}

/// The project before is gone, and nobody knows of which one the page is now.
#[tokio::test]
async fn what_an_agent_did_and_asked_in_a_tab_ends_when_the_tab_goes_to_a_page_of_no_project() {
    let two = Two::new().await;
    let (waiting, mut events) = two.agent_does_and_asks().await;
    let _second = two.room.agent_in("second", &two.other()).await;
    std::fs::remove_dir_all(&two.room.project).unwrap();
    let elsewhere = Request::OpenSession(room::session("s_1", "https://elsewhere.test/"));
    match two.browser.request(elsewhere).await.unwrap() {
        Answer::Session { project: None, .. } => {}
        other => panic!("{other:?}"),
    }
    is_told_that_the_page_is_gone(waiting).await;
    let idle = Event::StatusUpdate { status: AgentStatus::Idle, detail: None };
    assert_eq!(heard(&mut events).await.event, idle);
    let refused = two.agent.request(status(AgentStatus::Editing, "src/Buy.tsx")).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::UnknownSession);
}
