//! The numbers that person and agent share, over the real binary, a real hub and database.

use crate::room::{Room, comment as sent, creates, feedback, open_tab};
use crate::world::{World, comment, pinned, succeeded};
use opentoolbar_core::model::{Comment, CommentChange};
use opentoolbar_core::protocol::{Answer, ErrorCode, Event, FeedbackQuery, Request};
use serde_json::{Value, json};

#[tokio::test]
async fn an_agent_names_a_comment_by_the_number_on_its_pin() {
    let world = World::new();
    let browser = world.browser().await;
    let page = "<!doctype html><title>Shop</title><main><h1>Shop</h1><button>Save</button></main>";
    browser.comment(comment("c_one", "/", "Make it blue")).await;
    browser.comment(pinned("c_two", "/", "Make it blue", page, "button")).await;
    let mut agent = world.agent().await;
    let told = succeeded(agent.call("get_ui_feedback", json!({})).await);
    assert_eq!((&told["comments"][0]["number"], &told["comments"][1]["number"]), (&json!(1), &json!(2)));
    for name in ["2", "#2", "c_two"] {
        let told = succeeded(
            agent.call("get_ui_feedback", json!({ "commentId": name, "detail": "standard" })).await,
        );
        let [told] = told["comments"].as_array().unwrap().as_slice() else { panic!("{told}") };
        assert_eq!((&told["id"], &told["number"]), (&json!("c_two"), &json!(2)), "{name}");
    }
    let said = json!({ "commentId": "#2", "message": "Left or right?" });
    assert_eq!(succeeded(agent.call("reply_to_comment", said).await)["commentId"], "c_two");
    let begun = json!({ "commentId": "2", "stage": "in_progress", "note": "at it" });
    assert_eq!(succeeded(agent.call("update_comment", begun).await)["stage"], "in_progress");
    let html = json!({ "commentId": "#2", "html": page });
    assert_eq!(succeeded(agent.call("check_comment", html).await)["commentId"], "c_two");
    let none = agent.call("get_screenshot", json!({ "commentId": "#2" })).await;
    assert!(none["error"].as_str().unwrap().contains("c_two has no screenshot"), "{none}");
    succeeded(agent.call("resolve_comment", json!({ "commentId": 2, "summary": "done" })).await);
    let two = browser.get("c_two").await;
    assert!(two.resolution.is_some() && two.replies.len() == 2 && two.number == Some(2), "{two:?}");
    assert!(browser.get("c_one").await.resolution.is_none());
}

#[tokio::test]
async fn a_number_that_is_nobodys_is_refused_with_where_numbers_are_told() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make it blue")).await;
    browser.comment(comment("c_gone", "/", "Make it red")).await;
    browser.change("c_gone", CommentChange::Delete).await;
    let mut agent = world.agent().await;
    for tool in [
        "get_ui_feedback",
        "resolve_comment",
        "reply_to_comment",
        "update_comment",
        "check_comment",
        "get_screenshot",
    ] {
        for (name, why) in [
            ("#7", "There is no comment #7 in this project"),
            ("2", "There is no comment #2 in this project; it may be deleted"),
            ("4294967296", "`commentId` is not an id"),
            ("#0", "`commentId` is not an id"),
            ("-1", "`commentId` is not an id"),
            ("1.5", "`commentId` is not an id"),
        ] {
            let mut arguments = json!({ "commentId": name });
            match tool {
                "reply_to_comment" => arguments["message"] = "x".into(),
                "update_comment" => arguments["note"] = "x".into(),
                "check_comment" => arguments["html"] = "<p>x".into(),
                _ => {}
            }
            let value: Value = agent.call(tool, arguments).await;
            let error = crate::world::refusal(&value);
            assert!(error.contains(why) && error.contains("get_ui_feedback"), "{tool} {name}: {error}");
        }
    }
    assert!(browser.get("c_one").await.resolution.is_none());
}

#[tokio::test]
async fn check_takes_a_number() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make it blue")).await;
    for (name, code, said) in [("#1", None, "c_one"), ("1", None, "c_one"), ("#9", Some(2), "no comment #9")]
    {
        let output = world.verb(&["check", "-", "--comment", name]).write_stdin("<p>x").output().unwrap();
        let all = [output.stdout.clone(), output.stderr.clone()].concat();
        let all = String::from_utf8(all).unwrap();
        assert!(all.contains(said), "{name}: {all}");
        assert!(code.is_none_or(|code| output.status.code() == Some(code)), "{name}: {all}");
    }
}

#[tokio::test]
async fn the_page_hears_the_number_and_cannot_choose_it() {
    const PAGE: &str = "http://shop.test/";
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let mut events = browser.events();
    let chosen = Comment { number: Some(40), ..sent("c_1", PAGE, "mine") };
    let Answer::Comment { comment } = browser.request(creates("s_1", chosen)).await.unwrap() else {
        panic!()
    };
    assert_eq!(comment.number, Some(1));
    let told = async {
        loop {
            if let Event::CommentChanged { comment } = events.recv().await.unwrap().event {
                return comment.number;
            }
        }
    };
    assert_eq!(tokio::time::timeout(std::time::Duration::from_secs(60), told).await.unwrap(), Some(1));
    let nothing = Comment { number: Some(0), ..sent("c_2", PAGE, "mine") };
    let refused = browser.request(creates("s_1", nothing)).await.unwrap_err();
    assert!(refused.code == ErrorCode::BadRequest && refused.message.contains("number"), "{refused}");
    let none = FeedbackQuery { number: Some(40), ..FeedbackQuery::default() };
    assert!(feedback(&agent, none).await.ids.is_empty());
    let list = Request::ListComments { session_id: "s_1".parse().unwrap() };
    let Answer::Comments { comments, .. } = browser.request(list).await.unwrap() else { panic!() };
    assert_eq!(comments.iter().map(|one| one.number).collect::<Vec<_>>(), [Some(1)]);
}

#[tokio::test]
async fn a_hub_that_was_killed_goes_on_counting() {
    let world = World::new();
    let browser = world.browser().await;
    for (id, number) in [("c_one", 1), ("c_two", 2)] {
        assert_eq!(browser.comment(comment(id, "/", "Make it blue")).await.number, Some(number));
    }
    browser.change("c_two", CommentChange::Delete).await;
    drop(browser);
    world.kill_hub();
    let browser = world.browser().await;
    assert_eq!(browser.comment(comment("c_three", "/", "Make it blue")).await.number, Some(3));
    assert_eq!(browser.change("c_two", CommentChange::Restore).await.number, Some(2));
}

#[tokio::test]
async fn each_project_counts_for_itself_and_a_number_is_of_the_agents_own() {
    let room = Room::new();
    let other = room.path().join("blog");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("package.json"), "{}").unwrap();
    let (browser, agent) = (room.browser().await, room.agent_in("a", &other).await);
    for (session, origin, project, ids) in [
        ("s_1", "http://shop.test/", &room.project, &["c_1", "c_2"][..]),
        ("s_2", "http://blog.test/", &other, &["c_3"]),
    ] {
        open_tab(&browser, session, origin, project).await;
        for (at, id) in ids.iter().enumerate() {
            let stored = browser.request(creates(session, sent(id, origin, "x"))).await.unwrap();
            let Answer::Comment { comment } = stored else { panic!("{stored:?}") };
            assert_eq!(comment.number, u32::try_from(at + 1).ok(), "{id}");
        }
    }
    let first = FeedbackQuery { number: Some(1), ..FeedbackQuery::default() };
    assert_eq!(feedback(&agent, first).await.ids, ["c_3"]);
    let second = FeedbackQuery { number: Some(2), ..FeedbackQuery::default() };
    assert!(feedback(&agent, second).await.ids.is_empty());
}
