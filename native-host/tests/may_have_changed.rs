//! A comment whose element looks different while nothing tells whether the source changed: what an agent and the
//! exported prompt say.
#![cfg(unix)]

use crate::world::{World, comment, outdated, succeeded};
use opentoolbar_core::model::{Cause, CommentChange, Status};
use serde_json::{Value, json};

const SAID: &str = "This element may have changed since the comment was created: it looks different, and nothing tells whether the \
                    source has changed.";

/// The same difference as of one that is outdated; nothing tells what it comes from.
fn unsure() -> CommentChange {
    let CommentChange::ReportStates { mut states } = outdated() else { panic!("no report") };
    states[0].cause = Cause::Unknown;
    CommentChange::ReportStates { states }
}

#[tokio::test]
async fn an_agent_that_reads_a_comment_that_may_have_changed_is_told_so() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_plain", "/", "Make the title bigger")).await;
    browser.comment(comment("c_unsure", "/", "Make it blue")).await;
    let stored = browser.change("c_unsure", unsure()).await;
    assert_eq!(stored.status, Status::Active);

    let mut agent = world.agent().await;
    for detail in ["brief", "standard", "full"] {
        let found = succeeded(agent.call("get_ui_feedback", json!({ "detail": detail })).await);
        assert_eq!(found["summary"], json!({ "total": 2, "active": 2, "outdated": 0, "resolved": 0 }));
        let one = |number: u32| {
            let mut comments = found["comments"].as_array().unwrap().iter();
            comments.find(|comment| comment["number"] == number).unwrap().clone()
        };
        let (told, plain) = (one(2), one(1));
        // In brief what is usual is not said.
        let or_none = |value: Value| if detail == "brief" { Value::Null } else { value };
        assert_eq!((&told["note"], &told["status"]), (&json!(SAID), &or_none(json!("active"))), "{detail}");
        assert_eq!(told["targets"][0]["verdict"], "changed", "{detail}");
        assert_eq!(told["targets"][0]["reason"], or_none(json!("The text changed.")), "{detail}");
        let diff = json!([{ "field": "text", "before": "Save", "after": "Store" }]);
        assert_eq!(told["targets"][0]["diff"], or_none(diff), "{detail}");
        assert_eq!(
            (&plain["note"], &plain["targets"][0]["verdict"]),
            (&Value::Null, &Value::Null),
            "{detail}"
        );
    }
}

/// The app was used, and nothing else happened: neither that its element was modified nor that it may have been is
/// said.
#[tokio::test]
async fn of_a_comment_that_differs_by_state_alone_no_agent_and_no_prompt_is_told_that_it_was_modified() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_state", "/", "Make it blue")).await;
    let CommentChange::ReportStates { mut states } = outdated() else { panic!("no report") };
    states[0].cause = Cause::State;
    let stored = browser.change("c_state", CommentChange::ReportStates { states }).await;
    assert_eq!((stored.status, stored.may_have_changed()), (Status::Active, false));

    let is_said = |text: &str| text.contains("modified since") || text.contains("may have changed since");
    let mut agent = world.agent().await;
    for detail in ["brief", "standard", "full"] {
        let found = succeeded(agent.call("get_ui_feedback", json!({ "detail": detail })).await);
        assert_eq!(found["summary"], json!({ "total": 1, "active": 1, "outdated": 0, "resolved": 0 }));
        let told = &found["comments"][0];
        assert_eq!((&told["number"], &told["note"]), (&json!(1), &Value::Null), "{detail}: {told}");
        assert!(!is_said(&told.to_string()), "{detail}: {told}");
    }
    for args in [&["export"][..], &["export", "--json"]] {
        let output = world.verb(args).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(told.contains("c_state") && !is_said(&told), "{told}");
    }
}

#[tokio::test]
async fn the_exported_prompt_says_which_comment_may_have_changed() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_plain", "/", "Make the title bigger")).await;
    browser.comment(comment("c_unsure", "/", "Make it blue")).await;
    browser.change("c_unsure", unsure()).await;

    let output = world.verb(&["export"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let prompt = String::from_utf8(output.stdout).unwrap();
    assert!(prompt.starts_with("# UI feedback: 2 comments (2 active, 0 outdated)"), "{prompt}");
    let parts: Vec<&str> = prompt.split("#### Comment ").skip(1).collect();
    assert_eq!(parts.len(), 2, "{prompt}");
    for part in parts {
        let is_unsure = part.contains("(`c_unsure`)");
        assert_eq!(part.contains(&format!("> {SAID}\n")), is_unsure, "{part}");
        assert_eq!(part.contains("- May have changed: `The text changed.`"), is_unsure, "{part}");
    }
}
