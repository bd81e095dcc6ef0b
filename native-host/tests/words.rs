//! What a person said reaches an agent whole, however long it is: what is cut says how much of it is told and how to
//! get the rest, and that way works. What we say ourselves never passes for the person's words.

use crate::world::conversation::{select, session};
use crate::world::{Agent, Browser, World, comment, refusal, succeeded};
use opentoolbar_core::model::CommentChange;
use opentoolbar_core::protocol::{Event, EventEnvelope, Request};
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;

/// A text whose parts are all different, of characters that cost many tokens.
fn long(characters: usize) -> String {
    (0..)
        .map(|n| format!("{n} 数字を大きく, "))
        .flat_map(|part| part.chars().collect::<Vec<_>>())
        .take(characters)
        .collect()
}

async fn asked(events: &mut Receiver<EventEnvelope>) -> opentoolbar_core::model::AnnotationId {
    loop {
        if let Event::AnnotationRequested(request) = events.recv().await.unwrap().event {
            return request.annotation_id;
        }
    }
}

/// The number behind `from ` in what is said of a cut.
fn from(said: &str) -> Option<usize> {
    let (_, rest) = said.split_once("from ")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Asks, and lets the person do something about it.
async fn answered(
    browser: &Browser,
    agent: &mut Agent,
    context: Option<String>,
    words: Option<String>,
) -> Value {
    let mut events = browser.client.events();
    let asking = agent.call("request_annotation", json!({ "message": "Which header?" }));
    let answering = async {
        let annotation_id = asked(&mut events).await;
        let context_id = context.map(|context| context.parse().unwrap());
        let answer = Request::AnswerAnnotation { annotation_id, context_id, message: words };
        browser.client.request_in(&session(), answer).await.unwrap();
    };
    succeeded(tokio::join!(asking, answering).0)
}

#[tokio::test]
async fn what_is_said_about_a_request_is_told_whole_in_pieces() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let context = select(&browser, "HEADER").await;
    let words = long(20_000);
    for context in [Some(context), None] {
        let mut told = answered(&browser, &mut agent, context, Some(words.clone())).await;
        let mut heard = String::new();
        loop {
            let said = told["said"].as_str().unwrap();
            let Some(piece) = said.strip_suffix("… (cut)") else {
                heard.push_str(said);
                break;
            };
            heard.push_str(piece);
            let cut = told["cut"].as_array().unwrap();
            let cut = cut.iter().find_map(|one| one.as_str()?.strip_prefix("said: ")).unwrap();
            assert!(cut.contains("20000 characters") && cut.contains("request_annotation"), "{cut}");
            assert_eq!(from(cut), Some(heard.chars().count()), "{cut}");
            let again = json!({ "annotationId": told["annotationId"], "from": from(cut) });
            told = succeeded(agent.call("request_annotation", again).await);
        }
        assert!(heard == words, "{} of {} characters", heard.chars().count(), words.chars().count());
        let beyond = json!({ "annotationId": told["annotationId"], "from": 20_000 });
        let refused = agent.call("request_annotation", beyond).await;
        assert!(refusal(&refused).contains("from 0 to 19999"), "{refused}");
    }
    let refused = agent.call("request_annotation", json!({ "message": "Which?", "from": 3 })).await;
    assert!(refusal(&refused).contains("`annotationId`"), "{refused}");
}

#[tokio::test]
async fn a_page_that_is_closed_says_nothing_in_the_persons_name() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let mut events = browser.client.events();
    let asking = agent.call("request_annotation", json!({ "message": "Which header?" }));
    let closing = async {
        asked(&mut events).await;
        browser.client.request(Request::CloseSession { session_id: session() }).await.unwrap();
    };
    let told = succeeded(tokio::join!(asking, closing).0);
    assert_eq!(told["outcome"], "declined", "{told}");
    assert!(told.get("said").is_none(), "{told}");
    assert!(told["reason"].as_str().unwrap().contains("closed"), "{told}");
    // A person's own refusal has words of theirs and none of ours.
    let (browser, words) = (world.browser().await, Some("The page was closed.".to_owned()));
    let told = answered(&browser, &mut agent, None, words).await;
    assert_eq!(
        (&told["outcome"], &told["said"]),
        (&json!("declined"), &json!("The page was closed.")),
        "{told}"
    );
    assert!(told.get("reason").is_none(), "{told}");
}

#[tokio::test]
async fn a_comments_words_and_its_whole_thread_are_told_in_pieces() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let text = long(18_000);
    browser.comment(comment("c_long", "/", &text)).await;
    let mut expected = text.clone();
    for number in 0..60 {
        let text = format!("{number}: {}", long(if number == 7 { 9_000 } else { 30 }));
        expected.push_str(&text);
        let id = format!("r_{number}").parse().unwrap();
        browser.change("c_long", CommentChange::Reply { id, text }).await;
    }
    for detail in ["brief", "standard", "full"] {
        let told = succeeded(agent.call("get_ui_feedback", json!({ "detail": detail })).await);
        let cut = told["comments"][0]["text"].as_str().unwrap();
        assert!(cut.contains("get_ui_feedback with commentId c_long and from "), "{cut}");
        let (_, how) = cut.split_once("[cut here").unwrap();
        let rest = json!({ "commentId": "c_long", "from": from(how).unwrap() });
        let rest = succeeded(agent.call("get_ui_feedback", rest).await);
        let rest = rest["comments"][0]["text"].as_str().unwrap().to_owned();
        let (begin, _) = cut.split_once(" [cut here").unwrap();
        assert!(text.starts_with(begin) && text[begin.len()..].starts_with(&rest), "{detail}");
    }
    let less = succeeded(agent.call("get_ui_feedback", json!({ "commentId": "c_long" })).await);
    assert_eq!(less["detail"], "brief", "it fits in no other");
    assert!(less["note"].as_str().unwrap().contains("commentId and from 0"), "{}", less["note"]);
    let news = json!({ "after": 0, "timeoutSeconds": 1 });
    let note = succeeded(agent.call("wait_for_feedback", news).await)["note"].as_str().unwrap().to_owned();
    assert!(note.contains("get_ui_feedback with commentId c_long and from 0"), "{note}");
    let (mut next, mut heard) = (Some(0), String::new());
    while let Some(at) = next {
        let told =
            succeeded(agent.call("get_ui_feedback", json!({ "commentId": "c_long", "from": at })).await);
        let one = &told["comments"][0];
        heard.push_str(one["text"].as_str().unwrap());
        for reply in one["replies"].as_array().into_iter().flatten() {
            assert_eq!(reply["author"], "person");
            heard.push_str(reply["text"].as_str().unwrap());
        }
        let note = told["note"].as_str().unwrap_or_default().to_owned();
        next = from(&note);
        assert!(next.is_none_or(|next| next == heard.chars().count() && next > at), "{note}");
    }
    assert!(heard == expected, "{} of {}", heard.chars().count(), expected.chars().count());
    // Found whatever its status, and told as what it is when there is none.
    browser.change("c_long", CommentChange::Resolve { summary: None }).await;
    let told = succeeded(agent.call("get_ui_feedback", json!({ "commentId": "c_long" })).await);
    assert_eq!(told["comments"][0]["status"], "resolved");
    let unknown = agent.call("get_ui_feedback", json!({ "commentId": "c_none" })).await;
    assert!(unknown["error"].as_str().unwrap().contains("c_none"), "{unknown}");
    let refused = agent.call("get_ui_feedback", json!({ "from": 3 })).await;
    assert!(refusal(&refused).contains("`commentId`"), "{refused}");
}

#[tokio::test]
async fn how_many_replies_are_not_told_is_said_and_all_are_told_when_asked_for() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    browser.comment(comment("c_thread", "/", "Make it blue")).await;
    for number in 0..12 {
        let id = format!("r_{number}").parse().unwrap();
        browser.change("c_thread", CommentChange::Reply { id, text: format!("No {number}") }).await;
    }
    let one = |told: Value| succeeded(told)["comments"][0].clone();
    let told = one(agent.call("get_ui_feedback", json!({ "commentId": "c_thread" })).await);
    assert_eq!(
        (told["replies"].as_array().unwrap().len(), &told["repliesNotShown"]),
        (5, &json!(7)),
        "{told}"
    );
    let told = one(agent.call("get_ui_feedback", json!({ "commentId": "c_thread", "from": 0 })).await);
    assert_eq!(told["replies"].as_array().unwrap().len(), 12, "{told}");
    assert_eq!(told["replies"][0]["text"], "No 0");
    // Who works on it is told here too.
    succeeded(agent.call("update_comment", json!({ "commentId": "c_thread", "stage": "in_progress" })).await);
    let told = one(agent.call("get_ui_feedback", json!({ "commentId": "c_thread", "from": 1 })).await);
    assert_eq!((&told["text"], &told["claimedBy"]), (&json!("ake it blue"), &json!("you")), "{told}");
}

#[tokio::test]
async fn a_page_of_dear_characters_keeps_no_reply_from_the_agent() {
    let world = World::new();
    let (browser, mut agent) = (world.browser().await, world.agent().await);
    let emoji = |count: usize| "😀".repeat(count);
    let mut hostile = comment("c_dear", "/", "Do it");
    let target = &mut hostile.targets[0];
    target.selector = format!(".{}", emoji(400));
    target.snapshot.component = Some(emoji(190));
    target.snapshot.name = Some(emoji(190));
    target.snapshot.classes = vec![emoji(90); 2];
    target.snapshot.source.as_mut().unwrap().file = emoji(300);
    let state = json!({
        "verdict": "missing", "reason": emoji(400), "confidence": 0.0, "diff": [], "checkedAt": 1,
    });
    target.state = Some(serde_json::from_value(state).unwrap());
    hostile.pathname = format!("/{}", emoji(300));
    let second = hostile.targets[0].clone();
    hostile.targets.push(second);
    browser.comment(hostile).await;
    let text = format!("but {}", long(9_000));
    let reply = CommentChange::Reply { id: "r_1".parse().unwrap(), text: text.clone() };
    browser.change("c_dear", reply).await;
    let news = json!({ "after": 0, "timeoutSeconds": 1 });
    let note = succeeded(agent.call("wait_for_feedback", news).await)["note"].as_str().unwrap().to_owned();
    let (mut next, mut heard) = (from(&note), String::new());
    assert_eq!(next, Some(0), "{note}");
    while let Some(at) = next {
        let whole = json!({ "commentId": "c_dear", "from": at });
        let told = succeeded(agent.call("get_ui_feedback", whole).await);
        let one = &told["comments"][0];
        heard.push_str(one["text"].as_str().unwrap());
        heard.push_str(one["replies"][0]["text"].as_str().unwrap_or_default());
        next = from(told["note"].as_str().unwrap_or_default());
        assert!(next.is_none_or(|next| next > at), "from {at}: {}", told["note"]);
    }
    assert!(heard == format!("Do it{text}"), "{heard}");
}
