//! The live conversation over the hub's real socket: what is selected and said reaches the agent, what the agent says
//! reaches the page, once and in order, whatever breaks in between.

use crate::room;
use crate::room::conversation::{PAGE, context, heard, id, messages, responds, say, select, selection};
use crate::room::{Room, end, hello, open_tab, session};
use opentoolbar_core::model::{AgentStatus, MessageRole};
use opentoolbar_core::protocol::{
    AnnotationOutcome, Answer, ErrorCode, Event, NewsQuery, Request, Role, SetContext,
};

#[tokio::test]
async fn what_is_selected_and_said_reaches_the_agent_and_its_answer_reaches_the_page() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("claude-code").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let mut events = browser.events();
    let selected = select(&browser, "s_1", "BUTTON").await;
    say(&browser, "s_1", &selected, "Make it bigger").await.unwrap();

    let told = context(&agent, None).await;
    assert_eq!(told.session_id, id("s_1"));
    let stored = told.context.unwrap();
    assert_eq!(
        (stored.id.as_str(), stored.selection.element.tag_name.as_str()),
        (selected.as_str(), "BUTTON")
    );
    assert_eq!(told.pending.iter().map(|m| m.content.as_str()).collect::<Vec<_>>(), ["Make it bigger"]);
    let picture = told.screenshot_path.unwrap();
    assert!(std::fs::read(&picture).unwrap().starts_with(b"\x89PNG"), "{picture}");
    assert!(matches!(heard(&mut events).await.event, Event::MessageRead { .. }));

    let detail = Some("Searching for Button component...".to_owned());
    let status = Request::UpdateStatus {
        session_id: id("s_1"),
        status: AgentStatus::Searching,
        detail: detail.clone(),
    };
    agent.request(status).await.unwrap();
    let update = heard(&mut events).await;
    assert_eq!(update.event, Event::StatusUpdate { status: AgentStatus::Searching, detail });
    assert_eq!((update.session_id, update.agent.as_deref()), (Some(id("s_1")), Some("claude-code")));

    for (index, part) in ["Look", "ing"].into_iter().enumerate() {
        agent.request(responds("s_1", &selected, part, false)).await.unwrap();
        let chunk = heard(&mut events).await;
        assert!(
            matches!(&chunk.event, Event::AgentResponseChunk { chunk, .. } if chunk == part),
            "{chunk:?}"
        );
        assert_eq!(chunk.part.unwrap().index as usize, index);
    }
    agent.request(responds("s_1", &selected, ": done.", true)).await.unwrap();
    let whole = heard(&mut events).await.event;
    assert!(
        matches!(&whole, Event::AgentResponse { message, is_complete: true, .. } if message == "Looking: done.")
    );
    // Done is done: the status goes by itself.
    assert_eq!(
        heard(&mut events).await.event,
        Event::StatusUpdate { status: AgentStatus::Idle, detail: None }
    );
    assert!(context(&agent, None).await.pending.is_empty());

    let history = agent
        .request(Request::GetConversationHistory {
            session_id: id("s_1"),
            limit: None,
            before: None,
            message_id: None,
        })
        .await;
    let Answer::Conversation { messages, .. } = history.unwrap() else { panic!("no conversation") };
    let said: Vec<_> = messages.iter().map(|m| (m.role, m.content.as_str(), m.is_complete)).collect();
    let expected =
        [(MessageRole::User, "Make it bigger", true), (MessageRole::Assistant, "Looking: done.", true)];
    assert_eq!(said, expected);
}

#[tokio::test]
async fn a_part_may_be_a_lines_end_and_is_kept_as_it_is() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    for part in ["# One", "\n\n", "  two"] {
        agent.request(responds("s_1", &selected, part, false)).await.unwrap();
    }
    let nothing = agent.request(responds("s_1", &selected, "", false)).await.unwrap_err();
    assert_eq!(nothing.code, ErrorCode::BadRequest);
    agent.request(responds("s_1", &selected, "", true)).await.unwrap();
    let (all, _) = messages(&browser, "s_1", None).await;
    assert_eq!(all.last().unwrap().content, "# One\n\n  two");
}

#[tokio::test]
async fn the_files_of_a_project_say_the_same_as_the_tools() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    say(&browser, "s_1", &selected, "Make it bigger").await.unwrap();
    let ours = room.project.join(".opentoolbar");
    let read = || {
        let json = std::fs::read(ours.join("sessions/s_1.json")).unwrap_or_default();
        serde_json::from_slice::<serde_json::Value>(&json).unwrap_or_default()
    };
    // A moment behind.
    room.wait_until("the file has the message", || read()["userMessage"] == "Make it bigger");
    let json = read();
    assert_eq!(json["contextId"], selected);
    assert_eq!(json["element"]["tagName"], "BUTTON");
    assert!(ours.join("screenshots/s_1_ctx.png").is_file());
}

#[tokio::test]
async fn a_hub_that_is_killed_in_the_middle_of_an_answer_loses_and_repeats_nothing() {
    let room = Room::new();
    let mut hub = room.hub();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    say(&browser, "s_1", &selected, "Hi").await.unwrap();
    for part in ["one ", "two "] {
        agent.request(responds("s_1", &selected, part, false)).await.unwrap();
    }
    let (before, position) = messages(&browser, "s_1", None).await;
    assert_eq!(before.last().unwrap().content, "one two ");
    end(hub.id());
    hub.wait().unwrap();
    // The agent's process finds the next hub by itself and goes on; so does the browser, which opens its tab again.
    agent.request(responds("s_1", &selected, "three ", false)).await.unwrap();
    let again = browser.request(Request::OpenSession(session("s_1", PAGE))).await.unwrap();
    assert!(matches!(again, Answer::Session { project: Some(_), .. }), "{again:?}");
    agent.request(responds("s_1", &selected, "four", true)).await.unwrap();
    let (mut missed, _) = messages(&browser, "s_1", Some(position)).await;
    // That the question is answered is news too.
    let asked = missed.pop().unwrap();
    assert_eq!((asked.content.as_str(), asked.is_answered), ("Hi", Some(true)));
    assert_eq!(missed.len(), 1);
    assert_eq!(missed[0].content, "one two three four");
    assert!(missed[0].is_complete);
}

#[tokio::test]
async fn a_message_that_is_sent_again_is_stored_once() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    say(&browser, "s_1", &selected, "Hi").await.unwrap();
    let (all, _) = messages(&browser, "s_1", None).await;
    let agent = room.agent("a").await;
    let message = opentoolbar::hub::client::new_message_id().unwrap();
    let part = responds("s_1", &selected, "once", false);
    let first = agent.request_as(message.clone(), part.clone()).await.unwrap();
    let second = agent.request_as(message, part).await.unwrap();
    assert_eq!(first, second);
    let (after, _) = messages(&browser, "s_1", None).await;
    assert_eq!(after.len(), all.len() + 1);
    assert_eq!(after.last().unwrap().content, "once");
}

#[tokio::test]
async fn parts_after_the_end_and_out_of_order_are_refused_and_nothing_is_lost() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    say(&browser, "s_1", &selected, "Hi").await.unwrap();
    let numbered = |text: &str, index: u32, is_complete: bool| Request::RespondToBrowser {
        session_id: id("s_1"),
        context_id: Some(selected.parse().unwrap()),
        message: text.into(),
        is_complete,
        index: Some(index),
        told_in_part: Vec::new(),
    };
    agent.request(numbered("a", 0, false)).await.unwrap();
    let early = agent.request(numbered("c", 2, false)).await.unwrap_err();
    assert_eq!(early.code, ErrorCode::Conflict);
    assert!(early.message.contains("has the index 1"), "{early}");
    let twice = agent.request(numbered("a", 0, false)).await.unwrap_err();
    assert_eq!(twice.code, ErrorCode::Conflict);
    agent.request(numbered("b", 1, true)).await.unwrap();
    let late = agent.request(responds("s_1", &selected, "c", false)).await.unwrap_err();
    assert_eq!(late.code, ErrorCode::Conflict);
    assert!(late.message.contains("is complete"), "{late}");
    let (all, _) = messages(&browser, "s_1", None).await;
    assert_eq!(all.last().unwrap().content, "ab");
    // The person speaks again, so a new answer may begin. What is counted is a part, also when it reads like the whole.
    say(&browser, "s_1", &selected, "And now?").await.unwrap();
    agent.request(numbered("ha", 0, false)).await.unwrap();
    agent.request(numbered("ha!", 1, true)).await.unwrap();
    say(&browser, "s_1", &selected, "And then?").await.unwrap();
    agent.request(responds("s_1", &selected, "Wait", false)).await.unwrap();
    agent.request(responds("s_1", &selected, "Wait for it.", true)).await.unwrap();
    let (all, _) = messages(&browser, "s_1", None).await;
    let said: Vec<_> = all.iter().map(|one| one.content.as_str()).collect();
    assert_eq!(said, ["Hi", "ab", "And now?", "haha!", "And then?", "Wait for it."]);
}

#[tokio::test]
async fn unknown_sessions_and_selections_are_named_with_what_to_do() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    let none = agent.request(Request::GetUiContext { session_id: None, context_id: None }).await.unwrap_err();
    assert_eq!(none.code, ErrorCode::UnknownSession);
    assert!(none.next_step.contains("open the app"), "{none}");
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let unknown = agent.request(responds("s_1", "ctx_none", "Hi", true)).await.unwrap_err();
    assert_eq!(unknown.code, ErrorCode::UnknownContext);
    assert!(unknown.next_step.contains("get_ui_context"), "{unknown}");
    let selected = select(&browser, "s_1", "BUTTON").await;
    browser.request(Request::CloseSession { session_id: id("s_1") }).await.unwrap();
    let closed = say(&browser, "s_1", &selected, "Are you there?").await.unwrap_err();
    assert_eq!(closed.code, ErrorCode::UnknownSession);
    // What an agent says to a closed tab is kept.
    agent.request(responds("s_1", &selected, "Too late?", true)).await.unwrap();
    let history = Request::GetConversationHistory {
        session_id: id("s_1"),
        limit: Some(5),
        before: None,
        message_id: None,
    };
    let Answer::Conversation { messages, .. } = agent.request(history).await.unwrap() else { panic!() };
    assert_eq!(messages.last().unwrap().content, "Too late?");
}

#[tokio::test]
async fn two_tabs_of_one_id_are_a_conflict_and_a_browser_that_connects_again_is_none() {
    let room = Room::new();
    let first = room.browser().await;
    open_tab(&first, "s_1", PAGE, &room.project).await;
    let second = room.browser().await;
    let refused = second.request(Request::OpenSession(session("s_1", PAGE))).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict);
    let own = |client: &str| {
        let mut hello = hello(Role::Browser, client, None);
        hello.instance = Some("the same browser".into());
        hello
    };
    let before = room.connector().connect(own("Chromium")).await.unwrap();
    before.request(Request::OpenSession(session("s_2", PAGE))).await.unwrap();
    let again = room.connector().connect(own("Chromium")).await.unwrap();
    let opened = again.request(Request::OpenSession(session("s_2", PAGE))).await.unwrap();
    assert!(matches!(opened, Answer::Session { .. }), "{opened:?}");
}

#[tokio::test]
async fn a_picture_that_is_no_png_and_a_message_over_a_mebibyte_are_refused() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let set = |screenshot: &str| {
        let set = SetContext {
            context_id: None,
            selection: selection("A"),
            screenshot: Some(screenshot.into()),
            viewport_screenshot: None,
        };
        Request::SetContext(Box::new(set))
    };
    let gif = browser.request_in(&id("s_1"), set("R0lGODlhAQABAAAAACw=")).await.unwrap_err();
    assert!(gif.code == ErrorCode::BadRequest && gif.message.contains("not a PNG"), "{gif}");
    let text = browser.request_in(&id("s_1"), set("?")).await.unwrap_err();
    assert!(text.code == ErrorCode::BadRequest && text.message.contains("not base64"), "{text}");
    let long = "x".repeat(12 * 1024 * 1024);
    let large = browser.request_in(&id("s_1"), set(&long)).await.unwrap_err();
    assert!(large.code == ErrorCode::TooLarge && large.message.contains("screenshot has"), "{large}");
    let selected = select(&browser, "s_1", "A").await;
    let mebibyte = "x".repeat(1024 * 1024);
    say(&browser, "s_1", &selected, &mebibyte).await.unwrap();
    let over = say(&browser, "s_1", &selected, &(mebibyte + "x")).await.unwrap_err();
    assert_eq!(over.code, ErrorCode::TooLarge);
}

#[tokio::test]
async fn the_agent_asks_and_the_person_points_or_declines() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let mut events = browser.events();
    let ask = |timeout_ms: u32| Request::RequestAnnotation {
        session_id: None,
        annotation_id: "a_1".parse().unwrap(),
        message: "Which header?".into(),
        timeout_ms,
    };
    let Answer::Annotation { outcome, .. } = agent.request(ask(1)).await.unwrap() else { panic!() };
    assert_eq!(outcome, AnnotationOutcome::Waiting);
    let asked = heard(&mut events).await.event;
    assert!(
        matches!(&asked, Event::AnnotationRequested(request) if request.message == "Which header?"),
        "{asked:?}"
    );
    let selected = select(&browser, "s_1", "HEADER").await;
    let answer = Request::AnswerAnnotation {
        annotation_id: "a_1".parse().unwrap(),
        context_id: Some(selected.parse().unwrap()),
        message: Some("This one".into()),
    };
    // Asking again goes on waiting; it does not ask twice.
    let session = id("s_1");
    let (outcome, answered) =
        tokio::join!(agent.request(ask(20_000)), browser.request_in(&session, answer.clone()));
    assert!(matches!(answered.unwrap(), Answer::Done));
    let Answer::Annotation { outcome, .. } = outcome.unwrap() else { panic!() };
    let expected = AnnotationOutcome::Answered {
        context_id: selected.parse().unwrap(),
        message: Some("This one".into()),
    };
    assert_eq!(outcome, expected);
    // Sent again by who did not hear that it was taken.
    assert!(matches!(browser.request_in(&id("s_1"), answer).await, Ok(Answer::Done)));
    let other =
        Request::AnswerAnnotation { annotation_id: "a_1".parse().unwrap(), context_id: None, message: None };
    let late = browser.request_in(&id("s_1"), other).await.unwrap_err();
    assert!(late.message.contains("nobody waits"), "{late}");
    // An agent that goes takes its request along.
    let other = room.agent("b").await;
    let request = Request::RequestAnnotation {
        session_id: None,
        annotation_id: "a_2".parse().unwrap(),
        message: "And this?".into(),
        timeout_ms: 1,
    };
    other.request(request).await.unwrap();
    assert!(matches!(heard(&mut events).await.event, Event::AnnotationRequested(_)));
    drop(other);
    assert!(matches!(heard(&mut events).await.event, Event::AnnotationWithdrawn { .. }));
}

#[tokio::test]
async fn an_agent_that_goes_is_idle_and_its_session_is_nobody_elses() {
    let room = Room::new();
    let blog = room.path().join("blog");
    std::fs::create_dir(&blog).unwrap();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    let stranger = room.agent_in("b", &blog).await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let mut events = browser.events();
    let status = |status| Request::UpdateStatus { session_id: id("s_1"), status, detail: None };
    let not_theirs = stranger.request(status(AgentStatus::Editing)).await.unwrap_err();
    assert_eq!(not_theirs.code, ErrorCode::UnknownSession);
    let not_theirs = stranger
        .request(Request::GetUiContext { session_id: Some(id("s_1")), context_id: None })
        .await
        .unwrap_err();
    assert_eq!(not_theirs.code, ErrorCode::UnknownSession);
    agent.request(status(AgentStatus::Editing)).await.unwrap();
    assert!(matches!(
        heard(&mut events).await.event,
        Event::StatusUpdate { status: AgentStatus::Editing, .. }
    ));
    drop(agent);
    assert!(matches!(heard(&mut events).await.event, Event::StatusUpdate { status: AgentStatus::Idle, .. }));
}

#[tokio::test]
async fn who_waits_for_feedback_hears_what_is_said_and_who_stops_waiting_is_not_answered() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    let wait =
        |after| Request::WaitForFeedback(NewsQuery { after, timeout_ms: 20_000, ..NewsQuery::default() });
    let waiting = agent.request(wait(Some(0)));
    let (news, said) = tokio::join!(waiting, say(&browser, "s_1", &selected, "Hello?"));
    said.unwrap();
    let Answer::News { messages, comments, position, .. } = news.unwrap() else { panic!() };
    assert!(comments.is_empty());
    assert_eq!(messages[0].content, "Hello?");
    say(&browser, "s_1", &selected, "Never mind").await.unwrap();
    browser.request_in(&id("s_1"), Request::StopWaiting).await.unwrap();
    let short =
        Request::WaitForFeedback(NewsQuery { after: Some(position), timeout_ms: 1, ..NewsQuery::default() });
    let Answer::News { messages, .. } = agent.request(short).await.unwrap() else { panic!() };
    assert!(messages.is_empty(), "{messages:?}");
    assert!(context(&agent, None).await.pending.is_empty());
}

#[tokio::test]
async fn the_latest_active_session_is_meant_unless_the_person_picks_another() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    open_tab(&browser, "s_2", PAGE, &room.project).await;
    assert_eq!(context(&agent, None).await.session_id, id("s_2"));
    select(&browser, "s_1", "BUTTON").await;
    assert_eq!(context(&agent, None).await.session_id, id("s_1"));
    let verb = room.connector().connect(hello(Role::Cli, "verb", Some(&room.project))).await.unwrap();
    let pick = Request::SelectSession { session_id: Some(id("s_2")) };
    let Answer::Sessions { sessions, .. } = verb.request(pick).await.unwrap() else { panic!() };
    let listed: Vec<_> = sessions.iter().map(|s| (s.session_id.as_str(), s.number, s.is_selected)).collect();
    assert_eq!(listed, [("s_1", 1, false), ("s_2", 2, true)]);
    assert_eq!(context(&agent, None).await.session_id, id("s_2"));
    verb.request(Request::SelectSession { session_id: None }).await.unwrap();
    assert_eq!(context(&agent, None).await.session_id, id("s_1"));
}

#[tokio::test]
async fn what_was_said_is_found_by_its_words() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    say(&browser, "s_1", &selected, "The Überschrift is too small").await.unwrap();
    agent.request(responds("s_1", &selected, "I made the heading \"larger\" by 4 px", true)).await.unwrap();
    browser.request(room::creates("s_1", room::comment("c_1", PAGE, "Rename this heading"))).await.unwrap();
    for (query, expected) in [
        ("uberschrift", vec!["message"]),
        ("heading", vec!["comment", "message"]),
        ("heading larger", vec!["message"]),
        ("\"larger\" NEAR( *", vec![]),
        // Nothing is an operator, and what has no letter in it asks for nothing.
        ("heading \" ( ) * - ^", vec!["comment", "message"]),
        ("heading\"", vec!["comment", "message"]),
        ("heading OR nothing", vec![]),
        ("NOT rename", vec![]),
        ("text:heading", vec![]),
        ("heading\0 larger\0", vec!["message"]),
        ("\"", vec![]),
        ("(((", vec![]),
        ("\0", vec![]),
        (" ", vec![]),
        ("", vec![]),
        ("nothing like it", vec![]),
    ] {
        let search = Request::Search { query: query.into(), limit: 10 };
        let Answer::Found { hits, more, .. } = agent.request(search).await.unwrap() else { panic!() };
        let mut kinds: Vec<_> = hits.iter().map(|hit| hit.kind.as_str()).collect();
        kinds.sort_unstable();
        assert_eq!((kinds, more), (expected, false), "{query}");
    }
}

/// Tabs that open together are written together; what was selected in one of them is found by the next hub all the
/// same.
#[tokio::test]
async fn a_session_that_something_was_selected_in_is_on_disk_before_anybody_is_told() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    for name in ["s_2", "s_3", "s_4"] {
        browser.request(Request::OpenSession(session(name, PAGE))).await.unwrap();
        select(&browser, name, "BUTTON").await;
        let known = std::fs::read_to_string(room.home.registry()).unwrap();
        assert!(known.contains(name), "{known}");
    }
}
