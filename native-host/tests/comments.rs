//! Comments on their way between browsers, the hub and agents.

use std::time::Duration;

use crate::room::conversation::{id, messages, selection};
use crate::room::{Room, changes, comment, creates, feedback, open_tab, the_comment};
use opentoolbar_core::model::{Author, CommentChange, Status};
use opentoolbar_core::protocol::{
    Answer, ErrorCode, Event, FeedbackQuery, NewsQuery, Request, SetContext, StatusFilter,
};

const PAGE: &str = "http://shop.test/";

#[tokio::test]
async fn a_comment_reaches_the_agent_and_its_answer_reaches_the_page() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("claude-code").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let mut events = browser.events();
    browser.request(creates("s_1", comment("c_1", PAGE, "make it blue"))).await.unwrap();
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.ids, ["c_1"]);

    let resolve = CommentChange::Resolve { summary: Some("done".into()) };
    let resolved = the_comment(agent.request(changes("c_1", resolve)).await.unwrap());
    assert_eq!(resolved.status, Status::Resolved);
    assert_eq!(resolved.resolution.unwrap().by, Author::Agent { name: "claude-code".into() });
    let seen = async {
        loop {
            match events.recv().await.unwrap().event {
                Event::CommentChanged { comment } if comment.status == Status::Resolved => return,
                _ => {}
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), seen).await.unwrap();
}

#[tokio::test]
async fn an_unknown_comment_is_refused_with_what_to_do() {
    let room = Room::new();
    let agent = room.agent("a").await;
    for request in [
        changes("c_none", CommentChange::Reopen),
        Request::GetComment { comment_id: "c_none".parse().unwrap() },
        Request::GetScreenshot { comment_id: "c_none".parse().unwrap() },
    ] {
        let error = agent.request(request).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::UnknownComment);
        assert!(error.to_string().contains("c_none") && !error.next_step.is_empty(), "{error}");
    }
    assert!(!room.project.join(".opentoolbar").exists(), "asking must leave nothing behind");
    assert!(!room.home.projects().exists(), "in the home neither");
}

#[tokio::test]
async fn resolving_twice_is_a_conflict_and_a_repeated_message_is_not() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "x"))).await.unwrap();
    let resolve = || changes("c_1", CommentChange::Resolve { summary: None });
    let id: opentoolbar_core::model::MessageId = "m_same".parse().unwrap();
    let first = the_comment(agent.request_as(id.clone(), resolve()).await.unwrap());
    let repeated = the_comment(agent.request_as(id.clone(), resolve()).await.unwrap());
    assert_eq!(first, repeated, "the same message is applied once and answered again");
    let error = agent.request(resolve()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Conflict);
    let error = agent.request_as(id, changes("c_1", CommentChange::Reopen)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::BadRequest, "one id for two messages must not swallow the second");
}

#[tokio::test]
async fn one_message_id_for_two_contents_is_refused_and_swallows_neither() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "x"))).await.unwrap();
    let refused = |answer: Result<Answer, opentoolbar_core::protocol::ErrorBody>| {
        let error = answer.unwrap_err();
        assert_eq!(error.code, ErrorCode::BadRequest, "{error}");
        assert!(error.message.contains("m_same"), "{error}");
    };
    let edit =
        |text: &str, base_revision| changes("c_1", CommentChange::Edit { text: text.into(), base_revision });
    let id = |id: &str| -> opentoolbar_core::model::MessageId { id.parse().unwrap() };
    browser.request_as(id("m_same"), edit("one", 1)).await.unwrap();
    // The sender brought the base of its waiting edit up to date: still the same message.
    browser.request_as(id("m_same"), edit("one", 2)).await.unwrap();
    refused(browser.request_as(id("m_same"), edit("two", 2)).await);

    browser.request_as(id("m_same_create"), creates("s_1", comment("c_2", PAGE, "one"))).await.unwrap();
    // A comment's id is its own: what is stored is answered, as to a message with another id.
    let again = browser.request_as(id("m_same_create"), creates("s_1", comment("c_2", PAGE, "two"))).await;
    assert_eq!(the_comment(again.unwrap()).text, "one");
    refused(browser.request_as(id("m_same_create"), creates("s_1", comment("c_4", PAGE, "two"))).await);

    let import = |text: &str| {
        let mut imported = comment("c_3", PAGE, text);
        imported.updated_at.0 += text.len() as u64;
        Request::ImportComments { session_id: "s_1".parse().unwrap(), comments: vec![imported] }
    };
    browser.request_as(id("m_same_import"), import("one")).await.unwrap();
    refused(browser.request_as(id("m_same_import"), import("another")).await);
    for (id, text) in [("c_1", "one"), ("c_2", "one"), ("c_3", "one")] {
        let stored = browser.request(Request::GetComment { comment_id: id.parse().unwrap() }).await.unwrap();
        assert_eq!(the_comment(stored).text, text);
    }
}

#[tokio::test]
async fn a_comment_that_is_sent_again_is_stored_once() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    for _ in 0..2 {
        let id = "m_1".parse().unwrap();
        browser.request_as(id, creates("s_1", comment("c_1", PAGE, "x"))).await.unwrap();
    }
    browser.request(creates("s_1", comment("c_1", PAGE, "another text"))).await.unwrap();
    let agent = room.agent("a").await;
    let stored = agent.request(Request::GetComment { comment_id: "c_1".parse().unwrap() }).await.unwrap();
    assert_eq!(the_comment(stored).text, "x");
    assert_eq!(feedback(&agent, FeedbackQuery::default()).await.summary.total, 1);
}

#[tokio::test]
async fn two_browsers_editing_one_comment_lose_neither_text() {
    let room = Room::new();
    let (one, two) = (room.browser().await, room.browser().await);
    open_tab(&one, "s_1", PAGE, &room.project).await;
    open_tab(&two, "s_2", PAGE, &room.project).await;
    one.request(creates("s_1", comment("c_1", PAGE, "x"))).await.unwrap();
    let edit = |text: &str| changes("c_1", CommentChange::Edit { text: text.into(), base_revision: 1 });
    let (first, second) = tokio::join!(one.request(edit("one's")), two.request(edit("two's")));
    let (won, lost) = if first.is_ok() { (first, second) } else { (second, first) };
    let kept = the_comment(won.unwrap()).text;
    let error = lost.unwrap_err();
    assert_eq!(error.code, ErrorCode::Conflict);
    assert!(error.message.contains("one's") && error.message.contains("two's"), "{error}");
    let stored = one.request(Request::GetComment { comment_id: "c_1".parse().unwrap() }).await.unwrap();
    assert_eq!(the_comment(stored).text, kept);
}

#[tokio::test]
async fn events_go_to_browsers_on_that_origin_and_project_only() {
    let room = Room::new();
    let (here, elsewhere) = (room.browser().await, room.browser().await);
    open_tab(&here, "s_1", PAGE, &room.project).await;
    open_tab(&elsewhere, "s_2", "http://blog.test/", &room.project).await;
    let (mut heard, mut unheard) = (here.events(), elsewhere.events());
    here.request(creates("s_1", comment("c_1", PAGE, "x"))).await.unwrap();
    let event = tokio::time::timeout(Duration::from_secs(60), heard.recv()).await.unwrap().unwrap().event;
    assert!(matches!(event, Event::CommentChanged { .. }), "{event:?}");
    // Answers and events of one connection keep their order: after this answer an event would be there.
    elsewhere.request(Request::Ping).await.unwrap();
    assert!(unheard.try_recv().is_err());
}

#[tokio::test]
async fn a_page_of_a_machine_whose_name_looks_like_a_secret_has_its_comments_and_selections() {
    let room = Room::new();
    let browser = room.browser().await;
    let name = "4f0c9d2e8b7a6153c4d9e0f1a2b3c4d5e6f75b1e";
    for (tab, page) in [("s_1", format!("http://{name}:3000/")), ("s_2", format!("http://build-{name}/"))] {
        open_tab(&browser, tab, &page, &room.project).await;
        let made = comment(&format!("c_{tab}"), &page, "x");
        browser.request(creates(tab, made.clone())).await.unwrap();
        let list = Request::ListComments { session_id: id(tab) };
        match browser.request(list).await.unwrap() {
            Answer::Comments { comments, .. } => {
                assert_eq!(comments.iter().map(|comment| &comment.url).collect::<Vec<_>>(), [&page]);
            }
            other => panic!("{other:?}"),
        }
        let mut selection = selection("BUTTON");
        selection.page.url = page;
        let context_id = Some(format!("ctx_{tab}").parse().unwrap());
        let set = SetContext { context_id, selection, screenshot: None, viewport_screenshot: None };
        browser.request_in(&id(tab), Request::SetContext(Box::new(set))).await.unwrap();
        let words = Request::UserMessage { context_id: None, message: "make it blue".into() };
        browser.request_in(&id(tab), words).await.unwrap();
        let said = messages(&browser, tab, None).await.0;
        assert_eq!(said[0].context_id.as_ref().unwrap().as_str(), format!("ctx_{tab}"));
    }
}

#[tokio::test]
async fn a_deleted_comment_never_reaches_an_agent_and_can_be_restored() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "x"))).await.unwrap();
    let before = feedback(&agent, FeedbackQuery::default()).await.position;
    browser.request(changes("c_1", CommentChange::Delete)).await.unwrap();
    let all = || FeedbackQuery { status: StatusFilter::All, ..FeedbackQuery::default() };
    assert_eq!(feedback(&agent, all()).await.summary.total, 0);
    for request in [
        Request::GetComment { comment_id: "c_1".parse().unwrap() },
        changes("c_1", CommentChange::Resolve { summary: None }),
    ] {
        assert_eq!(agent.request(request).await.unwrap_err().code, ErrorCode::UnknownComment);
    }
    let wait = Request::WaitForFeedback(NewsQuery { after: Some(0), timeout_ms: 0, ..NewsQuery::default() });
    match agent.request(wait).await.unwrap() {
        Answer::News { comments, .. } => assert!(comments.is_empty()),
        other => panic!("{other:?}"),
    }
    browser.request(changes("c_1", CommentChange::Restore)).await.unwrap();
    let after = feedback(&agent, all()).await;
    assert_eq!(after.ids, ["c_1"]);
    assert!(after.position > before);
}

#[tokio::test]
async fn an_agent_sees_its_own_project_only() {
    let room = Room::new();
    let other = room.path().join("blog");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("package.json"), "{}").unwrap();
    let (browser, stranger) = (room.browser().await, room.agent_in("stranger", &other).await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "x"))).await.unwrap();
    assert_eq!(feedback(&stranger, FeedbackQuery::default()).await.summary.total, 0);
    let error = stranger.request(changes("c_1", CommentChange::Reopen)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::UnknownComment);
    let _own = room.agent("own").await;
    for (who, sees) in [(&stranger, &["stranger"][..]), (&browser, &["stranger", "own"])] {
        match who.request(Request::Ping).await.unwrap() {
            Answer::Pong { agents } => {
                assert_eq!(agents.iter().map(|agent| agent.client.as_str()).collect::<Vec<_>>(), sees);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn roles_may_ask_only_what_is_theirs() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    let forbidden = [
        agent.request(creates("s_1", comment("c_1", PAGE, "x"))).await,
        agent.request(changes("c_1", CommentChange::Delete)).await,
        agent.request(Request::Shutdown).await,
        browser.request(Request::GetFeedback(FeedbackQuery::default())).await,
        browser
            .request(Request::WaitForFeedback(NewsQuery {
                after: None,
                timeout_ms: 0,
                ..NewsQuery::default()
            }))
            .await,
    ];
    for answer in forbidden {
        assert_eq!(answer.unwrap_err().code, ErrorCode::Forbidden);
    }
}

#[tokio::test]
async fn pages_of_an_answer_are_stable_while_comments_come() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    for n in 0..7 {
        let mut one = comment(&format!("c_{n}"), &format!("{PAGE}{}", n % 2), "x");
        one.created_at.0 += 10 * n;
        browser.request(creates("s_1", one)).await.unwrap();
    }
    let page = |cursor| FeedbackQuery { limit: Some(3), cursor, ..FeedbackQuery::default() };
    let first = feedback(&agent, page(None)).await;
    assert_eq!(first.ids, ["c_0", "c_1", "c_2"]);
    // One that sorts before the cursor and one after it: neither repeats nor hides another.
    let mut early = comment("c_early", PAGE, "x");
    early.created_at.0 -= 1;
    browser.request(creates("s_1", early)).await.unwrap();
    let mut late = comment("c_late", PAGE, "x");
    late.created_at.0 += 35;
    browser.request(creates("s_1", late)).await.unwrap();
    let second = feedback(&agent, page(first.next_cursor)).await;
    assert_eq!(second.ids, ["c_3", "c_late", "c_4"]);
    let third = feedback(&agent, page(second.next_cursor)).await;
    assert_eq!((third.ids.as_slice(), third.next_cursor), (&["c_5".into(), "c_6".into()][..], None));
    let broken = agent.request(Request::GetFeedback(page(Some("nonsense".into())))).await.unwrap_err();
    assert_eq!(broken.code, ErrorCode::BadRequest);
}

#[tokio::test]
async fn what_changes_while_an_agent_asks_for_pages_comes_with_its_next_wait() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    for n in 0..7 {
        let mut one = comment(&format!("c_{n}"), PAGE, "x");
        one.created_at.0 += 10 * n;
        browser.request(creates("s_1", one)).await.unwrap();
    }
    let page = |cursor| FeedbackQuery { limit: Some(3), cursor, ..FeedbackQuery::default() };
    let first = feedback(&agent, page(None)).await;
    // One that an outbox held back belongs on the page that the agent has already.
    let mut early = comment("c_early", PAGE, "x");
    early.created_at.0 -= 1;
    browser.request(creates("s_1", early)).await.unwrap();
    let second = feedback(&agent, page(first.next_cursor)).await;
    let asked = Request::GetFeedback(page(second.next_cursor));
    let Answer::Feedback { position, .. } = agent.request(asked).await.unwrap() else { panic!() };
    let wait = Request::WaitForFeedback(NewsQuery {
        after: Some(position),
        timeout_ms: 1_000,
        ..NewsQuery::default()
    });
    let Answer::News { comments, .. } = agent.request(wait).await.unwrap() else { panic!() };
    assert_eq!(comments.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["c_early"]);
}

#[tokio::test]
async fn counts_cover_the_question_whatever_status_and_limit() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    for n in 0..6 {
        let url = if n < 4 { format!("{PAGE}about") } else { PAGE.to_owned() };
        browser.request(creates("s_1", comment(&format!("c_{n}"), &url, "x"))).await.unwrap();
    }
    agent.request(changes("c_0", CommentChange::Resolve { summary: None })).await.unwrap();
    let about = FeedbackQuery {
        pathname: Some("/about".into()),
        status: StatusFilter::Resolved,
        limit: Some(1),
        ..FeedbackQuery::default()
    };
    let answer = feedback(&agent, about).await;
    assert_eq!(answer.ids, ["c_0"]);
    let summary = answer.summary;
    assert_eq!((summary.total, summary.active, summary.outdated, summary.resolved), (1, 3, 0, 1));
    let by_url = FeedbackQuery { url: Some(format!("{PAGE}ab")), ..FeedbackQuery::default() };
    assert_eq!(feedback(&agent, by_url).await.ids, ["c_1", "c_2", "c_3"]);
    let by_tab = FeedbackQuery { session_id: Some("s_2".parse().unwrap()), ..FeedbackQuery::default() };
    assert_eq!(feedback(&agent, by_tab).await.summary.total, 0);
}

#[tokio::test]
async fn a_wait_ends_with_what_a_person_does_and_not_with_what_an_agent_does() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "x"))).await.unwrap();
    let position = feedback(&agent, FeedbackQuery::default()).await.position;
    let waiting = {
        let agent = agent.clone();
        let wait = Request::WaitForFeedback(NewsQuery {
            after: Some(position),
            timeout_ms: 45_000,
            ..NewsQuery::default()
        });
        tokio::spawn(async move { agent.request(wait).await })
    };
    let reply = CommentChange::Reply { id: "r_1".parse().unwrap(), text: "on it".into() };
    agent.request(changes("c_1", reply)).await.unwrap();
    assert!(!waiting.is_finished());
    browser.request(creates("s_1", comment("c_2", PAGE, "y"))).await.unwrap();
    match waiting.await.unwrap().unwrap() {
        Answer::News { comments, position: next, .. } => {
            assert_eq!(comments.iter().map(|c| c.id.as_str()).collect::<Vec<_>>(), ["c_2"]);
            assert!(next > position);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_mirror_of_many_comments_is_bounded_and_says_how_many_there_are() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let long = "make it blue ".repeat(100);
    let comments = (0..1_000).map(|n| comment(&format!("c_{n:04}"), PAGE, &long)).collect();
    browser.request(Request::ImportComments { session_id: "s_1".parse().unwrap(), comments }).await.unwrap();
    let mirror = room.project.join(".opentoolbar/feedback.md");
    room.wait_until("the mirror is written", || mirror.exists());
    let text = std::fs::read_to_string(&mirror).unwrap();
    assert!(text.starts_with("> 1000 comments wait for work. This file is made of the first 200;"), "{text}");
    assert!(text.contains("Not all is here"));
    assert!(text.len() < 100_000, "{}", text.len());
}

#[tokio::test]
async fn the_mirror_says_what_the_prompt_says() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "make it blue"))).await.unwrap();
    let mirror = room.project.join(".opentoolbar/feedback.md");
    room.wait_until("the mirror has the comment", || {
        std::fs::read_to_string(&mirror).is_ok_and(|text| text.contains("make it blue"))
    });
    assert_eq!(std::fs::read_to_string(room.project.join(".opentoolbar/.gitignore")).unwrap(), "*\n");
}
