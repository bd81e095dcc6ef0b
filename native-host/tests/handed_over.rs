//! What was handed to which agent: that is what its answers answer, and what waits again when it leaves.

use crate::room::conversation::{PAGE, context, heard, id, messages, responds, say, select};
use crate::room::{Room, end, open_tab, session};
use opentoolbar::hub::client::Client;
use opentoolbar_core::model::Message;
use opentoolbar_core::protocol::{Answer, Event, EventEnvelope, FeedbackQuery, NewsQuery, Request};
use tokio::sync::broadcast;

async fn waiting(agent: &Client) -> Vec<String> {
    context(agent, None).await.pending.into_iter().map(|message| message.content).collect()
}

async fn one_tab() -> (Room, Client, String) {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let selected = select(&browser, "s_1", "BUTTON").await;
    (room, browser, selected)
}

async fn all(browser: &Client) -> Vec<Message> {
    messages(browser, "s_1", None).await.0
}

/// What agents find in the history of `s_1`.
async fn history(agent: &Client) -> Vec<Message> {
    let asked = Request::GetConversationHistory {
        session_id: id("s_1"),
        limit: None,
        before: None,
        message_id: None,
    };
    let Answer::Conversation { messages, .. } = agent.request(asked).await.unwrap() else { panic!() };
    messages
}

async fn news(agent: &Client, after: u64) -> (Vec<Message>, u64) {
    match agent
        .request(Request::WaitForFeedback(NewsQuery {
            after: Some(after),
            timeout_ms: 1,
            ..NewsQuery::default()
        }))
        .await
        .unwrap()
    {
        Answer::News { messages, position, .. } => (messages, position),
        other => panic!("{other:?}"),
    }
}

async fn has_unread(agent: &Client) -> bool {
    match agent.request(Request::ListSessions).await.unwrap() {
        Answer::Sessions { sessions, .. } => sessions[0].has_unread_message,
        other => panic!("{other:?}"),
    }
}

/// `isAnswered` of every message of the person's.
fn answered(all: &[Message]) -> Vec<(&str, bool)> {
    all.iter().filter_map(|one| Some((one.content.as_str(), one.is_answered?))).collect()
}

#[tokio::test]
async fn what_is_said_after_the_agent_read_and_before_it_answered_waits_after_the_answer() {
    let (room, browser, selected) = one_tab().await;
    let agent = room.agent("a").await;
    say(&browser, "s_1", &selected, "Bigger").await.unwrap();
    assert_eq!(waiting(&agent).await, ["Bigger"]);
    say(&browser, "s_1", &selected, "And blue").await.unwrap();
    let mut events = browser.events();
    agent.request(responds("s_1", &selected, "Done.", true)).await.unwrap();
    let answer = heard(&mut events).await;
    assert_eq!(answer.part.unwrap().answers.unwrap().len(), 1, "the page is told which");
    assert_eq!(answered(&all(&browser).await), [("Bigger", true), ("And blue", false)]);
    assert!(has_unread(&agent).await);
    assert_eq!(waiting(&agent).await, ["And blue"]);
    // It can be answered in parts, also about the same selection.
    agent.request(responds("s_1", &selected, "Blue", false)).await.unwrap();
    agent.request(responds("s_1", &selected, " now.", true)).await.unwrap();
    assert_eq!(answered(&all(&browser).await), [("Bigger", true), ("And blue", true)]);
    assert!(waiting(&agent).await.is_empty() && !has_unread(&agent).await);
}

#[tokio::test]
async fn what_is_said_in_the_middle_of_an_answer_in_parts_waits_after_it() {
    let (room, browser, selected) = one_tab().await;
    let (agent, other) = (room.agent("a").await, room.agent("b").await);
    say(&browser, "s_1", &selected, "Bigger").await.unwrap();
    waiting(&agent).await;
    agent.request(responds("s_1", &selected, "Lo", false)).await.unwrap();
    // Nothing was handed to this one.
    other.request(responds("s_1", &selected, "I ", false)).await.unwrap();
    say(&browser, "s_1", &selected, "And blue").await.unwrap();
    agent.request(responds("s_1", &selected, "oking", true)).await.unwrap();
    other.request(responds("s_1", &selected, "agree", true)).await.unwrap();
    assert_eq!(answered(&all(&browser).await), [("Bigger", true), ("And blue", false)]);
    // The person can still take it back.
    browser.request_in(&id("s_1"), Request::StopWaiting).await.unwrap();
    assert!(waiting(&agent).await.is_empty());
    let taken: Vec<bool> = all(&browser).await.iter().map(|one| one.is_withdrawn).collect();
    assert_eq!(taken, [false, false, false, true]);
}

#[tokio::test]
async fn what_is_taken_back_before_the_answer_is_not_answered_and_what_is_said_since_waits() {
    let (room, browser, selected) = one_tab().await;
    let agent = room.agent("a").await;
    say(&browser, "s_1", &selected, "Bigger").await.unwrap();
    waiting(&agent).await;
    say(&browser, "s_1", &selected, "And blue").await.unwrap();
    browser.request_in(&id("s_1"), Request::StopWaiting).await.unwrap();
    say(&browser, "s_1", &selected, "Red").await.unwrap();
    agent.request(responds("s_1", &selected, "Done.", true)).await.unwrap();
    assert_eq!(answered(&all(&browser).await), [("Bigger", false), ("And blue", false), ("Red", false)]);
    let taken: Vec<(String, bool)> =
        all(&browser).await.into_iter().map(|one| (one.content, one.is_withdrawn)).collect();
    let expected = [("Bigger", true), ("And blue", true), ("Red", false), ("Done.", false)];
    assert_eq!(taken, expected.map(|(text, is_withdrawn)| (text.to_owned(), is_withdrawn)));
    assert_eq!(waiting(&agent).await, ["Red"]);
}

#[tokio::test]
async fn an_agent_that_was_handed_nothing_answers_what_is_about_its_selection() {
    let (room, browser, button) = one_tab().await;
    let header = select(&browser, "s_1", "HEADER").await;
    say(&browser, "s_1", &button, "Bigger").await.unwrap();
    say(&browser, "s_1", &header, "Smaller").await.unwrap();
    room.agent("a").await.request(responds("s_1", &header, "Smaller it is.", true)).await.unwrap();
    assert_eq!(answered(&all(&browser).await), [("Bigger", false), ("Smaller", true)]);
}

#[tokio::test]
async fn of_two_agents_each_answers_what_it_was_handed_itself() {
    let (room, browser, button) = one_tab().await;
    let (one, other) = (room.agent("a").await, room.agent("b").await);
    say(&browser, "s_1", &button, "Bigger").await.unwrap();
    let (_, position) = news(&one, 0).await;
    say(&browser, "s_1", &button, "And blue").await.unwrap();
    let (handed, _) = news(&other, position).await;
    assert_eq!(handed.len(), 1);
    other.request(responds("s_1", &button, "Blue.", true)).await.unwrap();
    assert_eq!(answered(&all(&browser).await), [("Bigger", false), ("And blue", true)]);
    one.request(responds("s_1", &button, "Big.", true)).await.unwrap();
    assert_eq!(answered(&all(&browser).await), [("Bigger", true), ("And blue", true)]);
    // What is answered is nobody's news.
    assert!(news(&room.agent("c").await, 0).await.0.is_empty());
}

#[tokio::test]
async fn an_answer_about_one_element_leaves_what_is_about_another() {
    let (room, browser, button) = one_tab().await;
    let agent = room.agent("a").await;
    let header = select(&browser, "s_1", "HEADER").await;
    say(&browser, "s_1", &button, "Bigger").await.unwrap();
    say(&browser, "s_1", &header, "Smaller").await.unwrap();
    assert_eq!(news(&agent, 0).await.0.len(), 2);
    agent.request(responds("s_1", &button, "Big.", true)).await.unwrap();
    assert_eq!(answered(&all(&browser).await), [("Bigger", true), ("Smaller", false)]);
    assert_eq!(waiting(&agent).await, ["Smaller"]);
}

#[tokio::test]
async fn what_was_handed_to_an_agent_that_left_waits_again() {
    let (room, browser, button) = one_tab().await;
    let (leaves, stays) = (room.agent("a").await, room.agent("b").await);
    say(&browser, "s_1", &button, "Bigger").await.unwrap();
    let (_, position) = news(&leaves, 0).await;
    assert!(!has_unread(&stays).await);
    let mut events = browser.events();
    let waits = stays.request(Request::WaitForFeedback(NewsQuery {
        after: Some(position),
        timeout_ms: 40_000,
        ..NewsQuery::default()
    }));
    let leave = async { drop(leaves) };
    let (told, ()) = tokio::join!(waits, leave);
    let Answer::News { messages, .. } = told.unwrap() else { panic!() };
    assert_eq!(messages[0].content, "Bigger");
    let told = heard(&mut events).await.event;
    assert!(matches!(told, Event::MessageRead { is_read: false, .. }), "{told:?}");
}

/// The person changes their mind while nobody has it.
#[tokio::test]
async fn what_waits_again_after_its_agent_left_is_taken_back_and_no_next_agent_is_told_it() {
    let (room, browser, button) = one_tab().await;
    let leaves = room.agent("a").await;
    say(&browser, "s_1", &button, "Bigger").await.unwrap();
    let (handed, _) = news(&leaves, 0).await;
    assert_eq!(handed.len(), 1);
    let mut events = browser.events();
    drop(leaves);
    waits_again(&mut events).await;
    browser.request_in(&id("s_1"), Request::StopWaiting).await.unwrap();

    let next = room.agent("b").await;
    assert!(news(&next, 0).await.0.is_empty() && !has_unread(&next).await);
    assert!(waiting(&next).await.is_empty());
    let told = history(&next).await;
    assert!(told.is_empty(), "{told:?}");
    // What is said after that is answered, and what was taken back is not.
    say(&browser, "s_1", &button, "Blue").await.unwrap();
    assert_eq!(waiting(&next).await, ["Blue"]);
    next.request(responds("s_1", &button, "Blue it is.", true)).await.unwrap();
    let all = all(&browser).await;
    assert_eq!(answered(&all), [("Bigger", false), ("Blue", true)]);
    let taken: Vec<bool> = all.iter().map(|one| one.is_withdrawn).collect();
    assert_eq!(taken, [true, false, false]);
}

/// The project is looked at when agents come; this is long after that.
#[tokio::test]
async fn what_was_handed_to_an_agent_that_leaves_later_waits_again() {
    let (room, browser, button) = one_tab().await;
    let agent = room.agent("a").await;
    tokio::time::sleep(std::time::Duration::from_secs(6)).await;
    say(&browser, "s_1", &button, "Bigger").await.unwrap();
    waiting(&agent).await;
    let mut events = browser.events();
    drop(agent);
    waits_again(&mut events).await;
    assert_eq!(waiting(&room.agent("b").await).await, ["Bigger"]);
}

/// The hub's own restart makes nobody leave: the agent is back at once, and its answer answers what an earlier hub
/// handed it.
#[tokio::test]
async fn a_hub_that_is_killed_forgets_nothing_of_what_was_handed_over() {
    let (room, browser, button) = one_tab().await;
    let agent = room.agent("a").await;
    say(&browser, "s_1", &button, "Bigger").await.unwrap();
    waiting(&agent).await;
    say(&browser, "s_1", &button, "And blue").await.unwrap();
    end(room.pid().unwrap());
    browser.request(Request::OpenSession(session("s_1", PAGE))).await.unwrap();
    agent.request(responds("s_1", &button, "Done.", true)).await.unwrap();
    assert_eq!(answered(&all(&browser).await), [("Bigger", true), ("And blue", false)]);
}

/// Until the page hears that a message waits again.
async fn waits_again(events: &mut broadcast::Receiver<EventEnvelope>) {
    let heard = tokio::time::timeout(std::time::Duration::from_secs(40), async {
        while !matches!(heard(events).await.event, Event::MessageRead { is_read: false, .. }) {}
    });
    heard.await.expect("what the agent left behind stays read");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_looked_at_when_an_agent_leaves_is_looked_at_again() {
    let (room, browser, button) = one_tab().await;
    let agent = room.agent("a").await;
    say(&browser, "s_1", &button, "Bigger").await.unwrap();
    waiting(&agent).await;
    let mut events = browser.events();
    // As a backup or `sqlite3` holds it.
    let other = rusqlite::Connection::open(room.database()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    drop(agent);
    let log = room.home.logs().join("hub.log");
    room.wait_until("it could not be looked at", || {
        std::fs::read_to_string(&log).is_ok_and(|log| log.contains("what agents left behind"))
    });
    other.execute_batch("ROLLBACK").unwrap();
    waits_again(&mut events).await;
}

/// As after the computer was started anew, and before the browser is.
#[tokio::test]
async fn what_was_handed_to_an_agent_that_ended_with_its_hub_is_news_for_the_next_without_a_tab() {
    let (room, browser, button) = one_tab().await;
    let agent = room.agent("a").await;
    say(&browser, "s_1", &button, "Bigger").await.unwrap();
    let (_, position) = news(&agent, 0).await;
    drop(browser);
    end(room.pid().unwrap());
    drop(agent);
    let next = room.agent("b").await;
    let waits = Request::WaitForFeedback(NewsQuery {
        after: Some(position),
        timeout_ms: 20_000,
        ..NewsQuery::default()
    });
    let Answer::News { messages, .. } = next.request(waits).await.unwrap() else { panic!() };
    assert_eq!(messages.iter().map(|one| one.content.as_str()).collect::<Vec<_>>(), ["Bigger"]);
}

#[tokio::test]
async fn what_was_taken_back_is_in_no_answer_history_or_search() {
    let (room, browser, button) = one_tab().await;
    let agent = room.agent("a").await;
    say(&browser, "s_1", &button, "Bigger").await.unwrap();
    // Also when it was handed over, and is in the files for others.
    waiting(&agent).await;
    let is_in_files = || {
        ["sessions/s_1.json", "history.db"].map(|file| {
            let file = std::fs::read(room.project.join(".opentoolbar").join(file)).unwrap_or_default();
            file.windows("Bigger".len()).any(|bytes| bytes == b"Bigger")
        })
    };
    room.wait_until("it is in the files", || is_in_files() == [true, true]);
    browser.request_in(&id("s_1"), Request::StopWaiting).await.unwrap();
    room.wait_until("it is in no file", || is_in_files() == [false, false]);
    assert!(waiting(&agent).await.is_empty());
    assert!(news(&agent, 0).await.0.is_empty());
    let told = history(&agent).await;
    assert!(told.is_empty(), "{told:?}");
    let search = Request::Search { query: "bigger".into(), limit: 5 };
    let Answer::Found { hits, .. } = agent.request(search).await.unwrap() else { panic!() };
    assert!(hits.is_empty(), "{hits:?}");
}

#[tokio::test]
async fn a_message_from_before_the_position_of_comments_is_told_with_the_next_wait() {
    let (room, browser, button) = one_tab().await;
    let agent = room.agent("a").await;
    say(&browser, "s_1", &button, "Bigger").await.unwrap();
    let asked = agent.request(Request::GetFeedback(FeedbackQuery::default())).await.unwrap();
    let Answer::Feedback { position, .. } = asked else { panic!("{asked:?}") };
    let (messages, after) = news(&agent, position).await;
    assert_eq!((messages.len(), after), (1, position));
    // Once it was handed over it is no news any more.
    assert_eq!(news(&agent, position).await, (Vec::new(), position));
}

#[tokio::test]
async fn what_a_message_is_about_is_told_though_its_tab_is_closed() {
    let (room, browser, button) = one_tab().await;
    let agent = room.agent("a").await;
    say(&browser, "s_1", &button, "Bigger").await.unwrap();
    browser.request(Request::CloseSession { session_id: id("s_1") }).await.unwrap();
    let asked = Request::GetUiContext { session_id: None, context_id: Some(button.parse().unwrap()) };
    let Answer::UiContext(told) = agent.request(asked).await.unwrap() else { panic!() };
    assert_eq!(told.pending.iter().map(|one| one.content.as_str()).collect::<Vec<_>>(), ["Bigger"]);
    assert_eq!(told.context.map(|one| one.id.to_string()), Some(button));
}
