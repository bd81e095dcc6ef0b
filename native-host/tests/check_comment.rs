//! The MCP tool `check_comment`, over the real binary, a real hub and database, real files and a real server.
#![cfg(unix)]

use crate::world::{Agent, ORIGIN, Server, World, answer, comment, pinned, redirect, refusal, succeeded};
use opentoolbar_core::model::{Comment, CommentChange, Status, Target};
use opentoolbar_core::page::Page;
use opentoolbar_core::{anchor, selector};
use serde_json::{Value, json};

const PAGE: &str = "<!doctype html><title>Settings</title><main><h1>Settings</h1><form id=profile><input name=name>\
    <button class='btn btn-primary'>Save</button><button class=btn>Cancel</button></form><p>Changes are kept for a year.</p></main>";

async fn refused(agent: &mut Agent, arguments: Value) -> String {
    refusal(&agent.call("check_comment", arguments).await)
}

#[tokio::test]
async fn html_path_and_url_give_the_same_verdict() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(pinned("c_save", "/settings", "Make it blue", PAGE, "button.btn-primary")).await;
    let edited = PAGE.replace(">Save<", ">Store<");
    std::fs::create_dir(world.project().join("dist")).unwrap();
    std::fs::write(world.project().join("dist/settings.html"), &edited).unwrap();
    let server = Server::start([("/settings", answer("text/html", &edited))]);
    let mut agent = world.agent().await;

    let mut told = Vec::new();
    for source in [
        json!({ "html": edited }),
        json!({ "path": "dist/settings.html" }),
        json!({ "path": world.project().join("dist/settings.html") }),
        json!({ "url": server.url("/settings") }),
    ] {
        let mut arguments = source;
        arguments["commentId"] = "c_save".into();
        told.push(succeeded(agent.call("check_comment", arguments).await));
    }
    assert!(told.iter().all(|one| *one == told[0]), "{told:#?}");
    let told = &told[0];
    assert_eq!(told["verdict"], "changed");
    assert_eq!(told["mayHaveChanged"], true);
    assert!(told["note"].as_str().unwrap().starts_with("It may have changed"), "{told}");
    assert_eq!(told["diff"], json!([{ "field": "text", "before": "Save", "after": "Store" }]));
    assert_eq!(told["warnings"], json!(["noLayout"]));
    assert!(told.get("targets").is_none(), "one element is told once");
    let now = Page::from_html(&edited, ORIGIN).unwrap();
    let found = selector::resolve(&now, told["selector"].as_str().unwrap()).unwrap();
    assert_eq!(now.own_text(found[0], 10), "Store");
    assert_eq!(browser.get("c_save").await.status, Status::Active, "nothing is stored");
}

#[tokio::test]
async fn what_only_a_browser_can_tell_is_said() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(pinned("c_save", "/settings", "Make it blue", PAGE, "button.btn-primary")).await;
    let server = Server::start([
        ("/settings", answer("text/html", "<div id=root></div><script type=module src=/main.js></script>")),
        ("/other", answer("text/html", PAGE)),
    ]);
    let mut agent = world.agent().await;
    let told = succeeded(
        agent.call("check_comment", json!({ "commentId": "c_save", "url": server.url("/settings") })).await,
    );
    assert_eq!((&told["verdict"], &told["mayHaveChanged"]), (&json!("not_in_view"), &Value::Null));
    assert!(told["confidence"].as_f64().unwrap() <= 0.2);
    assert_eq!(told["warnings"], json!(["emptyShell", "scriptsNotRun", "noLayout"]));
    assert!(told["note"].as_str().unwrap().starts_with("This HTML cannot tell whether"), "{told}");

    let told = succeeded(
        agent.call("check_comment", json!({ "commentId": "c_save", "url": server.url("/other") })).await,
    );
    assert_eq!(told["verdict"], "unchanged");
    assert_eq!(told["warnings"], json!(["noLayout", "otherPathname"]));
}

/// Each element says it for itself; the comment may have changed when one of them may.
#[tokio::test]
async fn of_several_elements_each_says_whether_it_may_have_changed() {
    let world = World::new();
    let browser = world.browser().await;
    let targets = ["h1", "button.btn-primary"].map(|selector| {
        let [target] = pinned("c_x", "/settings", "x", PAGE, selector).targets.try_into().unwrap();
        target
    });
    browser.comment(Comment { targets: targets.into(), ..comment("c_both", "/settings", "Both") }).await;
    let mut agent = world.agent().await;
    let edited = PAGE.replace(">Save<", ">Store<");
    let told = succeeded(agent.call("check_comment", json!({ "commentId": "c_both", "html": edited })).await);
    let each: Vec<_> = told["targets"].as_array().unwrap().iter().map(|one| &one["mayHaveChanged"]).collect();
    assert_eq!(
        (&told["mayHaveChanged"], each),
        (&json!(true), vec![&json!(false), &json!(true)]),
        "{told:#}"
    );
    assert!(
        !told.to_string().contains("outdated"),
        "the comment's status says that, and nothing else: {told}"
    );
}

#[tokio::test]
async fn what_cannot_be_checked_says_what_to_do() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(pinned("c_save", "/settings", "Make it blue", PAGE, "button.btn-primary")).await;
    browser.comment(pinned("c_gone", "/settings", "Never mind", PAGE, "h1")).await;
    browser.change("c_gone", CommentChange::Delete).await;
    let anchored = |id: &str, anchor: &str| {
        let mut comment: Comment = comment(id, "/settings", "Look");
        comment.targets[0].anchor = anchor.into();
        comment
    };
    browser.comment(anchored("c_damaged", "AQ==")).await;
    browser.comment(anchored("c_newer", "+gAAAA==")).await;
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.html"), "<p>secret").unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret.html"), world.project().join("link.html"))
        .unwrap();
    std::fs::write(world.project().join("App.tsx"), "<p>x</p>").unwrap();
    std::fs::write(world.project().join("data.html"), "{}").unwrap();
    let large = std::fs::File::create(world.project().join("large.html")).unwrap();
    large.set_len(40 * 1024 * 1024).unwrap();
    let server = Server::start([
        ("/away", redirect("http://example.org/")),
        ("/data", answer("application/json", "{}")),
    ]);
    let mut agent = world.agent().await;

    let mut said = Vec::new();
    for arguments in [
        json!({ "commentId": "c_nowhere", "html": PAGE }),
        json!({ "commentId": "c_gone", "html": PAGE }),
        json!({ "commentId": "save", "html": PAGE }),
        json!({ "commentId": "c_damaged", "html": PAGE }),
        json!({ "commentId": "c_newer", "html": PAGE }),
        json!({ "commentId": "c_save" }),
        json!({ "commentId": "c_save", "html": PAGE, "path": "data.html" }),
        json!({ "commentId": "c_save", "html": "" }),
        json!({ "commentId": "c_save", "path": "../secret.html" }),
        json!({ "commentId": "c_save", "path": "link.html" }),
        json!({ "commentId": "c_save", "path": "/etc/hostname" }),
        json!({ "commentId": "c_save", "path": "App.tsx" }),
        json!({ "commentId": "c_save", "path": "data.html" }),
        json!({ "commentId": "c_save", "path": "large.html" }),
        json!({ "commentId": "c_save", "path": "nothing.html" }),
        json!({ "commentId": "c_save", "path": "." }),
        json!({ "commentId": "c_save", "path": "http://localhost:5173/App.tsx" }),
        json!({ "commentId": "c_save", "url": "http://example.org/" }),
        json!({ "commentId": "c_save", "url": "https://localhost/" }),
        json!({ "commentId": "c_save", "url": "/settings" }),
        json!({ "commentId": "c_save", "url": server.url("/away") }),
        json!({ "commentId": "c_save", "url": server.url("/data") }),
        json!({ "commentId": "c_save", "url": server.url("/nowhere") }),
        json!({ "commentId": "c_save", "url": "http://127.0.0.1:1/" }),
    ] {
        let shown = arguments.to_string().replace(PAGE, "...");
        said.push(format!("{shown}\n  {}", refused(&mut agent, arguments).await));
    }
    let said = said
        .join("\n")
        .replace(&server.url(""), "http://127.0.0.1:PORT")
        .replace(world.project().to_str().unwrap(), "/shop");
    let filters = [(r"reads up to \d+", "reads up to [VERSION]")];
    insta::with_settings!({ filters => filters }, { insta::assert_snapshot!(said) });
    assert_eq!(browser.get("c_damaged").await.status, Status::Active, "kept as it is");
}

/// A comment with the most elements that it may have, all of them changed in every way, stays within an answer.
#[tokio::test]
async fn an_answer_stays_small_whatever_the_page_says() {
    let world = World::new();
    let browser = world.browser().await;
    let row = |n: usize, word: &str| {
        let attributes: String =
            (0..20).map(|a| format!(" data-a{a}='{word} {n} {}'", "words ".repeat(30))).collect();
        format!("<section id=part-{n}{attributes}><h2>{word} {n}</h2><p>{}</p></section>", "text ".repeat(40))
    };
    let html = |word: &str| (0..50).map(|n| row(n, word)).collect::<String>();
    let before = Page::from_html(&html("before"), ORIGIN).unwrap();
    let sections = before.elements().filter(|&node| before.tag(node) == "section");
    let targets = sections.map(|node| anchor::target_of(&before, node, None).unwrap()).collect();
    browser.comment(Comment { targets, ..comment("c_all", "/", "All of these") }).await;
    let mut agent = world.agent().await;
    let result = agent.result("check_comment", json!({ "commentId": "c_all", "html": html("after") })).await;
    let told = &result["structuredContent"];
    assert_eq!(told["success"], true, "{told}");
    assert_eq!(told["targets"].as_array().unwrap().len(), 50);
    assert_eq!(told["mayHaveChanged"], true);
    // Twice: as text and as structured content.
    let tokens = tiktoken_rs::o200k_base_singleton().encode_ordinary(&result.to_string()).len();
    assert!(tokens < 25_000, "{tokens}");
}

/// `tests/mcp` has no core to make anchors with: it pins a target that was made once, of a page that lies beside it.
#[test]
fn the_target_that_the_sdk_test_pins_is_of_its_page() {
    let pages = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/mcp/pages");
    let html = std::fs::read_to_string(pages.join("settings.html")).unwrap();
    let page = Page::from_html(&html, ORIGIN).unwrap();
    let target: Target =
        serde_json::from_slice(&std::fs::read(pages.join("settings.target.json")).unwrap()).unwrap();
    let found = selector::resolve(&page, &target.selector).unwrap();
    let verdicts = anchor::relocate(&page, &[anchor::Anchor::from_base64(&target.anchor).unwrap()]);
    assert_eq!((verdicts[0].kind, verdicts[0].node), (anchor::VerdictKind::Unchanged, Some(found[0])));
}
