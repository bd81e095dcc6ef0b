//! `opentoolbar check` and the tool `check_comment` of what the HTML does not show: a closed dialog, another step,
//! another tab.
#![cfg(unix)]

use crate::world::{World, pinned, succeeded};
use opentoolbar_core::model::{Status, Varied};
use serde_json::{Value, json};

const SCRIPT: &str = "<script src=/main.js></script>";
const DIALOG: &str = "<div role=dialog><h2>Delete account</h2><p>This cannot be undone.</p><button class='btn btn-danger'>Delete</button></div>";

/// A page with what is open on it.
fn page(open: &str) -> String {
    format!(
        "<!doctype html><title>Settings</title><header><a href=/>Shop</a><a href=/orders>Orders</a></header><main><h1>Settings</h1>\
         <p>All that you can change.</p><form><label>Name <input name=name></label><button class=btn>Save</button></form></main>{open}{SCRIPT}"
    )
}

async fn with_comment(world: &World, html: &str) -> crate::world::Browser {
    let browser = world.browser().await;
    browser.comment(pinned("c_delete", "/settings", "Ask before", html, ".btn-danger")).await;
    browser
}

/// Exit code, what is said, and the same as JSON.
fn check(world: &World, html: &str) -> (Option<i32>, String, Value) {
    let run = |more: &[&str]| {
        let args = [&["check", "--comment", "c_delete"], more].concat();
        world.verb(&args).write_stdin(html).output().unwrap()
    };
    let said = run(&[]);
    let told = serde_json::from_slice(&run(&["--json", "--report"]).stdout).unwrap();
    (said.status.code(), String::from_utf8(said.stdout).unwrap(), told)
}

#[tokio::test]
async fn an_element_of_a_closed_dialog_is_not_in_view_and_never_missing() {
    let world = World::new();
    let browser = with_comment(&world, &page(DIALOG)).await;
    let (code, said, told) = check(&world, &page(""));
    let one = &told["comments"][0];
    assert_eq!((code, &one["mayHaveChanged"]), (Some(1), &json!(true)), "{said}{told:#}");
    assert_eq!(
        (&one["verdict"], &one["targets"][0]["verdict"]),
        (&json!("not_in_view"), &json!("not_in_view"))
    );
    assert!(one["confidence"].as_f64().unwrap() <= 0.2, "{one:#}");
    assert_eq!(one["warnings"], json!(["notInView"]));
    assert!(
        said.contains("not in view, ") && said.contains("its dialog, tab or step may be closed"),
        "{said}"
    );
    assert!(!said.contains("missing") && !told.to_string().contains("missing"), "{said}{told:#}");
    let stored = browser.get("c_delete").await;
    assert_eq!((stored.status, &stored.targets[0].state), (Status::Active, &None), "nothing is stored");

    let mut agent = world.agent().await;
    let asked = json!({ "commentId": "c_delete", "html": page("") });
    let told = succeeded(agent.call("check_comment", asked).await);
    assert_eq!(
        (&told["verdict"], &told["mayHaveChanged"]),
        (&json!("not_in_view"), &json!(true)),
        "{told:#}"
    );
    assert_eq!(told["warnings"], json!(["notInView", "scriptsNotRun", "noLayout"]));
}

#[tokio::test]
async fn an_element_that_its_open_dialog_lacks_is_missing() {
    let world = World::new();
    let _browser = with_comment(&world, &page(DIALOG)).await;
    let lacks = DIALOG.replace("<button class='btn btn-danger'>Delete</button>", "");
    let (code, said, told) = check(&world, &page(&lacks));
    assert_eq!((code, &told["comments"][0]["verdict"]), (Some(1), &json!("missing")), "{said}");
    assert!(said.contains("may have changed"), "{said}");
}

/// It is in the HTML, closed or open.
#[tokio::test]
async fn an_element_of_a_dialog_that_is_in_the_html_is_found_there() {
    let world = World::new();
    let dialog = |open: &str| {
        let inner = DIALOG.replace("<div role=dialog>", "").replace("</div>", "");
        page(&format!("<dialog{open}>{inner}</dialog>"))
    };
    let _browser = with_comment(&world, &dialog(" open")).await;
    let (code, said, told) = check(&world, &dialog(""));
    assert_eq!((code, &told["comments"][0]["verdict"]), (Some(0), &json!("unchanged")), "{said}");
}

/// Another step of the same address.
#[tokio::test]
async fn an_element_of_another_step_is_not_in_view() {
    let world = World::new();
    let step = "<section class=step><h2>Leave us</h2><label>Why <input name=why></label><button class='btn btn-danger'>Delete</button></section>";
    let _browser = with_comment(&world, &page(step)).await;
    let (code, said, told) =
        check(&world, &page("<section class=step><h2>Address</h2><p>Where it goes to</p></section>"));
    assert_eq!((code, &told["comments"][0]["verdict"]), (Some(1), &json!("not_in_view")), "{said}");
}

/// What its comment knows to come and go by itself is not in view where it is not there, and still holds; nothing of it
/// is stored.
#[tokio::test]
async fn an_element_that_is_known_to_come_and_go_is_not_in_view_and_never_missing() {
    let world = World::new();
    let step = "<section class=step><h2>Leave us</h2><label>Why <input name=why></label><button class='btn btn-danger'>Delete</button></section>";
    let browser = world.browser().await;
    let mut comment = pinned("c_delete", "/settings", "Ask before", &page(step), ".btn-danger");
    comment.targets[0].varied = vec![Varied { field: "presence".into(), values: vec!["absent".into()] }];
    browser.comment(comment).await;
    for (open, shown) in
        [("<section class=step><h2>Address</h2><p>Where it goes to</p></section>", false), (step, true)]
    {
        let (code, said, told) = check(&world, &page(open));
        let one = &told["comments"][0];
        let (verdict, warnings) =
            if shown { ("unchanged", json!([])) } else { ("not_in_view", json!(["notInView"])) };
        assert_eq!((code, &one["mayHaveChanged"]), (Some(0), &json!(false)), "{said}{told:#}");
        assert_eq!((&one["verdict"], &one["targets"][0]["verdict"]), (&json!(verdict), &json!(verdict)));
        assert_eq!(one.get("warnings").unwrap_or(&json!([])), &warnings);
        assert!(!told.to_string().contains("missing"), "{told:#}");
        let stored = browser.get("c_delete").await;
        let is_stored = stored.targets[0].state.is_some();
        assert_eq!((stored.status, is_stored), (Status::Active, shown), "what is not in view is not stored");
    }
}
