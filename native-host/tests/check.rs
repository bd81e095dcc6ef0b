//! `opentoolbar check`: the real binary, a real hub and database, real files and a real server.
#![cfg(unix)]

use std::process::Output;

use crate::world::{Browser, Server, World, answer, outdated, pinned, redirect};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use opentoolbar_core::model::{Comment, CommentChange, Status};
use serde_json::Value;

const SETTINGS: &str = "<!doctype html><title>Settings</title><header><a href=/>Shop</a><nav><a href=/settings>Settings</a>\
    <a href=/orders>Orders</a></nav></header><main><h1>Settings</h1><form id=profile><label>Name <input name=name></label>\
    <button class='btn btn-primary'>Save</button><button class=btn>Cancel</button></form>\
    <section><h2>Danger</h2><p>This cannot be undone.</p><button class='btn btn-danger'>Delete account</button></section></main>";

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap() + &String::from_utf8(output.stderr.clone()).unwrap()
}

/// The snapshot of what was said, without how sure and by which selector: that is the anchors' and the selectors' to
/// say.
fn assert_told(name: &str, told: &str) {
    let others = [
        (r"\d+ % sure", "[..] % sure"),
        (r#""confidence": [0-9.]+"#, r#""confidence": "[..]""#),
        (r"now at: .+", "now at: [SELECTOR]"),
        (r#""selector": ".+""#, r#""selector": "[SELECTOR]""#),
    ];
    insta::with_settings!({ filters => others }, { insta::assert_snapshot!(name, told) });
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(output)))
}

/// Two comments on /settings and one on /.
async fn with_comments(world: &World) -> Browser {
    let browser = world.browser().await;
    browser.comment(pinned("c_save", "/settings", "Make it blue", SETTINGS, "button.btn-primary")).await;
    browser.comment(pinned("c_delete", "/settings", "Ask before", SETTINGS, "button.btn-danger")).await;
    browser.comment(pinned("c_home", "/", "Bigger", "<h1>Shop</h1><p>Welcome", "h1")).await;
    browser
}

fn check(world: &World, args: &[&str], html: &str) -> Output {
    world.verb(&[&["check"], args].concat()).write_stdin(html).output().unwrap()
}

#[tokio::test]
async fn comments_that_still_hold_exit_with_0() {
    let world = World::new();
    let _browser = with_comments(&world).await;
    let output = check(&world, &["-", "--pathname", "/settings"], SETTINGS);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_told("still_valid", &said(&output));
}

#[tokio::test]
async fn comments_that_may_have_changed_exit_with_1_and_say_what_differs() {
    let world = World::new();
    let _browser = with_comments(&world).await;
    let edited = SETTINGS.replace(">Save<", ">Store<").replace("<section>", "<section><hr>");
    let output = check(&world, &["--pathname", "/settings"], &edited);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert_told("may_have_changed", &said(&output));

    let output = check(&world, &["--pathname", "/settings", "--json"], &edited);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        output.stdout,
        check(&world, &["--pathname", "/settings", "--json"], &edited).stdout,
        "the same bytes"
    );
    let mut told = json(&output);
    assert_eq!(told["project"], world.project().to_str().unwrap());
    told["project"] = "/shop".into();
    assert_told("may_have_changed_as_json", &format!("{told:#}"));
}

/// HTML cannot tell an edit from use, so only what is stored says that a comment is outdated.
#[tokio::test]
async fn outdated_is_said_by_the_status_that_is_stored_and_by_nothing_else() {
    let world = World::new();
    let browser = with_comments(&world).await;
    browser.change("c_save", outdated()).await;
    let edited = SETTINGS.replace(">Save<", ">Store<").replace(">Delete account<", ">Delete everything<");
    let output = check(&world, &["--pathname", "/settings", "--json"], &edited);
    let told = json(&output);
    assert_eq!(told["summary"]["mayHaveChanged"], 2, "{told:#}");
    let said = |comment: &Value| {
        let field = |name: &str| comment[name].clone();
        (
            field("id"),
            field("status"),
            field("mayHaveChanged"),
            comment["targets"][0]["mayHaveChanged"].clone(),
        )
    };
    let comments: Vec<_> = told["comments"].as_array().unwrap().iter().map(said).collect();
    assert!(comments.contains(&("c_save".into(), "outdated".into(), true.into(), true.into())), "{told:#}");
    assert!(comments.contains(&("c_delete".into(), "active".into(), true.into(), true.into())), "{told:#}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.matches("outdated").count(), 1, "the one status says it: {text}");
}

#[tokio::test]
async fn an_element_that_is_gone_is_missing() {
    let world = World::new();
    let _browser = with_comments(&world).await;
    let without = SETTINGS.replace("<button class='btn btn-danger'>Delete account</button>", "");
    let output = check(&world, &["--comment", "c_delete", "--json"], &without);
    let told = json(&output);
    assert_eq!(output.status.code(), Some(1), "{told:#}");
    assert_eq!(told["comments"][0]["verdict"], "missing");
    assert_eq!(told["comments"][0]["mayHaveChanged"], true);
}

/// Scripts fill it, so it says nothing about what is in it: not outdated, and not valid either.
#[tokio::test]
async fn an_empty_shell_outdates_nothing() {
    let world = World::new();
    let browser = with_comments(&world).await;
    let shell = "<!doctype html><title>App</title><body><div id=root></div><script type=module src=/src/main.tsx></script>";
    let output = check(&world, &["--pathname", "/settings", "--json", "--report"], shell);
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    let told = json(&output);
    assert_eq!(told["warnings"], serde_json::json!(["emptyShell", "scriptsNotRun", "noLayout"]));
    for comment in told["comments"].as_array().unwrap() {
        assert_eq!(comment["mayHaveChanged"], Value::Null);
        assert_eq!(comment["verdict"], "not_in_view");
        assert_eq!(comment["reported"], false);
        assert!(comment["confidence"].as_f64().unwrap() <= 0.2, "{comment}");
    }
    assert_eq!(browser.get("c_save").await.status, Status::Active, "nothing was stored");
    let output = check(&world, &["--pathname", "/settings"], shell);
    assert!(said(&output).contains("almost empty shell"), "{}", said(&output));
}

#[tokio::test]
async fn what_scripts_fill_in_an_otherwise_full_page_outdates_nothing() {
    let world = World::new();
    let browser = world.browser().await;
    let island = "<h1>Shop</h1><p>All of this is sent by the server</p><a href=/a>A</a><a href=/b>B</a>[]";
    let content = "<ul><li>Shirt</li><li>Socks</li></ul><button class=pay>Pay</button>";
    for (at, (open, close)) in
        [("<div id=cart>", "</div>"), ("<div class='island cart'>", "</div>"), ("<x-cart>", "</x-cart>")]
            .into_iter()
            .enumerate()
    {
        let id = format!("c_pay{at}");
        let full = island.replace("[]", &format!("{open}{content}{close}"));
        browser.comment(pinned(&id, "/", "Green", &full, "button.pay")).await;
        let sent = island.replace("[]", &format!("{open}{close}")) + "<script src=/cart.js></script>";
        let output = check(&world, &["--json", "--comment", &id], &sent);
        let told = &json(&output)["comments"][0];
        assert_eq!((output.status.code(), &told["mayHaveChanged"]), (Some(4), &Value::Null), "{told:#}");
        assert_eq!(told["warnings"], serde_json::json!(["filledByScripts"]));
        // Without scripts nothing would fill it.
        let sent = island.replace("[]", &format!("{open}{close}"));
        let output = check(&world, &["--json", "--comment", &id], &sent);
        assert_eq!(
            (output.status.code(), &json(&output)["comments"][0]["mayHaveChanged"]),
            (Some(1), &Value::Bool(true))
        );
    }
}

/// What a template or an answer for a part of the page holds: it says nothing about what is elsewhere.
#[tokio::test]
async fn a_part_of_a_page_outdates_nothing_that_is_outside_of_it() {
    let world = World::new();
    let _browser = with_comments(&world).await;
    let outside = "<ul class=prices><li>One</li><li>Two</li></ul>";
    let output = check(&world, &["--comment", "c_delete", "--json"], outside);
    let told = &json(&output)["comments"][0];
    assert_eq!((output.status.code(), &told["mayHaveChanged"]), (Some(4), &Value::Null), "{told:#}");
    assert_eq!(told["verdict"], "not_in_view");
    assert_eq!(told["warnings"], serde_json::json!(["partOfPage"]));
    assert!(told["confidence"].as_f64().unwrap() <= 0.2, "{told}");

    // The same as a whole page is without the element.
    let whole = format!("<!doctype html><title>Shop</title>{outside}");
    let output = check(&world, &["--comment", "c_delete", "--json"], &whole);
    assert_eq!(json(&output)["comments"][0]["mayHaveChanged"], true);
}

/// The part that the element was in is there without it, by the name that its author gave it.
#[tokio::test]
async fn a_part_of_a_page_tells_what_is_gone_from_it() {
    let world = World::new();
    let browser = world.browser().await;
    let page = "<!doctype html><h1>Shop</h1><div id=cart><ul><li>Shirt</li></ul><button>Pay</button></div>";
    browser.comment(pinned("c_pay", "/", "Green", page, "button")).await;
    let check = |part: &str| {
        let output = check(&world, &["--comment", "c_pay", "--json"], part);
        json(&output)["comments"][0]["mayHaveChanged"].clone()
    };
    assert_eq!(check("<div id=cart><ul><li>Shirt</li></ul></div>"), true);
    assert_eq!(check("<ul><li>Shirt</li></ul>"), Value::Null);
    assert_eq!(check("<div id=cart><button>Pay</button></div>"), false);
}

#[tokio::test]
async fn nothing_is_stored_unless_it_is_asked_for() {
    let world = World::new();
    let browser = with_comments(&world).await;
    let edited = SETTINGS.replace(">Save<", ">Store<");
    check(&world, &["--pathname", "/settings"], &edited);
    assert_eq!(browser.get("c_save").await.status, Status::Active);
    assert_eq!(browser.get("c_save").await.targets[0].state, None);

    let output = check(&world, &["--pathname", "/settings", "--report"], &edited);
    assert!(said(&output).contains("Stored the verdicts on 2 of 2 comments."), "{}", said(&output));
    let told = browser.get("c_save").await;
    assert_eq!((told.status, told.may_have_changed()), (Status::Active, true), "HTML tells no cause");
    assert_eq!(browser.get("c_delete").await.status, Status::Active);
    check(&world, &["--comment", "c_save", "--report"], SETTINGS);
    assert!(!browser.get("c_save").await.may_have_changed(), "an undo takes it back");
}

#[tokio::test]
async fn the_page_comes_from_a_file_or_from_a_server() {
    let world = World::new();
    let _browser = with_comments(&world).await;
    std::fs::write(world.project().join("settings.html"), SETTINGS).unwrap();
    assert_eq!(check(&world, &["settings.html", "--pathname", "/settings"], "").status.code(), Some(0));

    let server = Server::start([
        ("/settings?tab=1", answer("text/html; charset=utf-8", SETTINGS)),
        ("/old", redirect("/settings?tab=1")),
        ("/away", redirect("http://example.org/")),
        ("/loop", redirect("/loop")),
        ("/data", answer("application/json", "{\"a\": \"<b>\"}")),
        ("/orders", answer("text/html", SETTINGS)),
    ]);
    for path in ["/settings?tab=1", "/old", "/settings?tab=1#profile"] {
        // A proxy is for other machines.
        let mut verb = world.verb(&["check", &server.url(path)]);
        let output = verb
            .env("http_proxy", "http://127.0.0.1:1")
            .env("ALL_PROXY", "http://127.0.0.1:1")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{path}: {}", said(&output));
        assert!(said(&output).contains("2 still valid"), "{}", said(&output));
    }
    for (path, why) in [
        ("/away", "is not this machine"),
        ("/loop", "redirected more than"),
        ("/data", "is not HTML"),
        ("/nowhere", "answers 404 Not Found"),
        ("/orders", "on /orders waits for work"),
    ] {
        let output = check(&world, &[&server.url(path)], "");
        assert_eq!(output.status.code(), Some(2), "{path}: {}", said(&output));
        assert!(said(&output).contains(why), "{path}: {}", said(&output));
        assert!(output.stdout.is_empty());
    }
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let output = check(&world, &[&format!("http://localhost:{closed}/")], "");
    assert!(
        said(&output).contains("does not answer") && said(&output).contains("Start your dev server"),
        "{}",
        said(&output)
    );
}

#[tokio::test]
async fn what_cannot_be_checked_exits_with_2_and_says_what_to_do() {
    let world = World::new();
    let _browser = with_comments(&world).await;
    std::fs::write(world.project().join("App.tsx"), "export const App = () => <p>x</p>;").unwrap();
    let mut all = Vec::new();
    for (args, html) in [
        (&["--pathname", "/nowhere"][..], SETTINGS),
        (&["--pathname", "settings"], SETTINGS),
        (&["-"], SETTINGS),
        (&["--comment", "c_nowhere"], SETTINGS),
        (&["--pathname", "/settings"], ""),
        (&["--pathname", "/settings"], "{}"),
        (&["App.tsx", "--pathname", "/settings"], ""),
        (&["nothing.html", "--pathname", "/settings"], ""),
        (&["src", "--pathname", "/settings"], ""),
        (&["https://localhost/settings"], ""),
        (&["http://example.org/settings"], ""),
        (&["https://example.org/settings"], ""),
        (&["http:/localhost/App.tsx"], ""),
        (&["https://localhost/", "--pathname", "settings"], ""),
        (&["--pathname", "http://localhost:5173/settings?all#top"], SETTINGS),
        (&["--comment", "c_save", "--pathname", "/settings"], SETTINGS),
    ] {
        let output = check(&world, args, html);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", said(&output));
        assert!(output.stdout.is_empty(), "{args:?}");
        all.push(format!("{args:?}\n{}", said(&output)));
    }
    let all = all.join("\n").replace(world.project().to_str().unwrap(), "/shop");
    insta::assert_snapshot!(all);
}

/// What is kept cannot be read: the comment stays, and the others are checked.
#[tokio::test]
async fn damaged_and_newer_anchors_are_told_and_the_comment_is_kept() {
    let world = World::new();
    let browser = with_comments(&world).await;
    let with_anchor = |id: &str, anchor: String| {
        let mut comment: Comment = pinned(id, "/settings", "Look", SETTINGS, "h2");
        comment.targets[0].anchor = anchor;
        comment
    };
    let whole = STANDARD.decode(&pinned("c_x", "/settings", "x", SETTINGS, "h2").targets[0].anchor).unwrap();
    let newer = STANDARD.encode([&[250], &whole[1..]].concat());
    let damaged = STANDARD.encode(&whole[..whole.len() / 2]);
    browser.comment(with_anchor("c_damaged", damaged)).await;
    browser.comment(with_anchor("c_newer", newer)).await;
    let before = browser.get("c_newer").await;

    let output = check(&world, &["--pathname", "/settings", "--report"], SETTINGS);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(4), "{text}");
    assert!(text.contains("the anchor is damaged") && text.contains("version 250"), "{text}");
    assert!(
        text.contains("The comment is kept")
            && text.contains("2 still valid, 0 may have changed, 2 cannot be told"),
        "{text}"
    );
    assert_eq!(browser.get("c_newer").await, before);
    let told = json(&check(&world, &["--comment", "c_damaged", "--json"], SETTINGS));
    assert_eq!(told["comments"][0]["verdict"], Value::Null);
    assert!(told["comments"][0]["targets"][0]["error"].as_str().unwrap().contains("damaged"));
}

#[tokio::test]
async fn a_resolved_comment_is_checked_by_its_id_only() {
    let world = World::new();
    let browser = with_comments(&world).await;
    browser.change("c_home", CommentChange::Resolve { summary: None }).await;
    let output = check(&world, &["--pathname", "/"], "<h1>Shop</h1><p>Welcome");
    assert!(said(&output).contains("/settings (2)"), "{}", said(&output));
    assert_eq!(check(&world, &["--comment", "c_home"], "<h1>Shop</h1><p>Welcome").status.code(), Some(0));
    // Those that are left are all of one page, so it need not be said.
    assert_eq!(check(&world, &[], SETTINGS).status.code(), Some(0));
}

#[test]
fn without_a_hub_that_can_start_the_exit_code_is_3() {
    let world = World::new();
    let file = world.project().join("package.json");
    let output = world
        .verb(&["check", "-", "--pathname", "/"])
        .env("OPENTOOLBAR_HOME", file)
        .write_stdin(SETTINGS)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
}

/// Escape sequences of a page or a comment must not reach the terminal.
#[tokio::test]
async fn a_terminal_is_not_given_control_characters() {
    let world = World::new();
    let browser = world.browser().await;
    let html = "<main><p class=a>one</p><p class=b>two \u{1b}[31m red</p></main>";
    browser.comment(pinned("c_red", "/", "Look\n\u{1b}]0;x\u{7}", html, "p.b")).await;
    let output = check(&world, &[], "<main><p class=a>one</p><p class=b>three \u{1b}[32m green</p></main>");
    assert!(!said(&output).contains('\u{1b}'), "{}", said(&output));
    assert!(said(&output).contains("green"), "{}", said(&output));
}
