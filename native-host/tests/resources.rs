//! Resources, prompts and completion, through the real server: what is listed can be read, and what changes is told.

use opentoolbar_core::model::CommentChange;
use serde_json::{Value, json};

use crate::world::conversation::{say, select};
use crate::world::{Agent, World, comment, outdated, succeeded};

/// 1 by 1 pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn uris(listed: &Value) -> Vec<&str> {
    let all = listed["result"]["resources"].as_array().unwrap();
    all.iter().map(|one| one["uri"].as_str().unwrap()).collect()
}

async fn read(agent: &mut Agent, uri: &str) -> Value {
    agent.ask("resources/read", json!({ "uri": uri })).await
}

/// The JSON that a resource is.
async fn json_at(agent: &mut Agent, uri: &str) -> Value {
    let read = read(agent, uri).await;
    let contents = &read["result"]["contents"][0];
    assert_eq!(
        (&contents["uri"], &contents["mimeType"]),
        (&json!(uri), &json!("application/json")),
        "{read}"
    );
    serde_json::from_str(contents["text"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn what_is_listed_can_be_read() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment_with(comment("c_one", "/", "Make it blue"), Some(PNG.to_owned())).await;
    browser.comment(comment("c_two", "/about", "Shorter")).await;
    let context = select(&browser, "NAV").await;
    say(&browser, Some(&context), "What is this?").await;
    let mut agent = world.agent().await;
    let listed = agent.ask("resources/list", json!({})).await;
    let selection = format!("opentoolbar://contexts/{context}");
    for uri in [
        "opentoolbar://comments",
        "opentoolbar://comments/c_one",
        "opentoolbar://comments/c_two",
        "opentoolbar://screenshots/c_one",
        selection.as_str(),
        "opentoolbar://dialogs/s_test",
    ] {
        assert!(uris(&listed).contains(&uri), "{uri} in {listed}");
    }
    assert!(!uris(&listed).contains(&"opentoolbar://screenshots/c_two"), "{listed}");
    for uri in uris(&listed) {
        let read = read(&mut agent, uri).await;
        assert!(read["result"]["contents"][0].is_object(), "{uri}: {read}");
    }
    let every = json_at(&mut agent, "opentoolbar://comments").await;
    assert_eq!(every["summary"]["total"], 2, "{every}");
    for uri in ["opentoolbar://comments/c_two", "opentoolbar://comments/2"] {
        let one = json_at(&mut agent, uri).await;
        assert_eq!(
            (&one["comments"][0]["text"], &one["detail"]),
            (&json!("Shorter"), &json!("full")),
            "{one}"
        );
    }
    assert_eq!(json_at(&mut agent, &selection).await["element"]["tagName"], "NAV");
    let dialog = json_at(&mut agent, "opentoolbar://dialogs/s_test").await;
    assert_eq!(
        (&dialog["totalRequests"], &dialog["requests"][0]["request"]),
        (&json!(1), &json!("What is this?"))
    );
    let picture = read(&mut agent, "opentoolbar://screenshots/c_one").await;
    let picture = &picture["result"]["contents"][0];
    assert_eq!(picture["mimeType"], "image/png", "{picture}");
    assert!(picture["blob"].as_str().is_some_and(|blob| blob.starts_with("iVBOR")), "{picture}");
    // Looked at, not handed over: the message waits still.
    let told = succeeded(agent.call("wait_for_feedback", json!({ "after": 0, "timeoutSeconds": 1 })).await);
    assert_eq!(told["messages"][0]["content"], "What is this?", "{told}");
}

#[tokio::test]
async fn what_is_not_there_is_said_with_a_next_step() {
    let world = World::new();
    let _browser = world.browser().await;
    let mut agent = world.agent().await;
    for uri in [
        "opentoolbar://comments/c_none",
        "opentoolbar://contexts/ctx_none",
        "file:///etc/passwd",
        "opentoolbar://wishes/1",
        "",
    ] {
        let read = read(&mut agent, uri).await;
        assert_eq!(read["error"]["code"], -32002, "{uri}: {read}");
        assert!(read["error"]["message"].as_str().unwrap().len() > 30, "{read}");
    }
    let templates = agent.ask("resources/templates/list", json!({})).await;
    let templates: Vec<_> = templates["result"]["resourceTemplates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["uriTemplate"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        templates,
        [
            "opentoolbar://comments/{commentId}",
            "opentoolbar://contexts/{contextId}",
            "opentoolbar://dialogs/{sessionId}",
            "opentoolbar://screenshots/{commentId}",
        ]
    );
}

/// The next notification of that method; others are passed over.
async fn notified(agent: &mut Agent, method: &str) -> Value {
    let wait = async {
        loop {
            let line = agent.next().await;
            if line["method"] == method {
                return line;
            }
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(20), wait).await.expect(method)
}

#[tokio::test]
async fn a_change_is_told_to_who_subscribed() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make it blue")).await;
    let mut agent = world.agent().await;
    // Connected to the hub: from here on it hears of changes.
    succeeded(agent.call("get_ui_feedback", json!({})).await);
    let uri = "opentoolbar://comments/1";
    agent.ask("resources/subscribe", json!({ "uri": uri })).await;
    let refused = agent.ask("resources/subscribe", json!({ "uri": "file:///etc/passwd" })).await;
    assert_eq!(refused["error"]["code"], -32002, "{refused}");
    browser.change("c_one", outdated()).await;
    let told = notified(&mut agent, "notifications/resources/updated").await;
    assert_eq!(told["params"]["uri"], uri, "{told}");
    browser.comment(comment("c_two", "/", "And bigger")).await;
    notified(&mut agent, "notifications/resources/list_changed").await;
    // Not any more.
    agent.ask("resources/unsubscribe", json!({ "uri": uri })).await;
    agent.ask("resources/subscribe", json!({ "uri": "opentoolbar://comments" })).await;
    browser.change("c_one", CommentChange::Resolve { summary: None }).await;
    let told = notified(&mut agent, "notifications/resources/updated").await;
    assert_eq!(told["params"]["uri"], "opentoolbar://comments", "{told}");
}

/// A client reads the list again when it is another one, and not at each word of a thread.
#[tokio::test]
async fn a_list_is_told_of_when_there_are_other_things_or_other_names_in_it() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make it blue")).await;
    say(&browser, None, "Is it blue?").await;
    let mut agent = world.agent().await;
    succeeded(agent.call("get_ui_feedback", json!({})).await);
    for uri in ["opentoolbar://comments/1", "opentoolbar://dialogs/s_test"] {
        agent.ask("resources/subscribe", json!({ "uri": uri })).await;
    }
    // What was told before the first question was on its way still.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    agent.ask("ping", json!({})).await;
    let lists = |agent: &Agent| agent.lines.iter().filter(|line| line.contains("list_changed")).count();
    let before = lists(&agent);
    let reply = CommentChange::Reply { id: "r_1".parse().unwrap(), text: "Which blue?".into() };
    for change in [outdated(), reply] {
        browser.change("c_one", change).await;
        let told = notified(&mut agent, "notifications/resources/updated").await;
        assert_eq!(told["params"]["uri"], "opentoolbar://comments/1", "{told}");
    }
    say(&browser, None, "And the label?").await;
    let told = notified(&mut agent, "notifications/resources/updated").await;
    assert_eq!(told["params"]["uri"], "opentoolbar://dialogs/s_test", "{told}");
    assert_eq!(lists(&agent), before, "{:?}", agent.lines);
    // Resolved, it is not listed any more.
    browser.change("c_one", CommentChange::Resolve { summary: None }).await;
    notified(&mut agent, "notifications/resources/list_changed").await;
}

/// The revision without a handshake.
#[tokio::test]
async fn a_change_is_told_over_a_subscription_that_listens() {
    let world = World::new();
    let browser = world.browser().await;
    let mut agent = Agent::start(world.home(), &world.project());
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test-agent", "version": "1.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    // The first thing that it asks for.
    let wanted = json!({ "resourceSubscriptions": ["opentoolbar://comments", "file:///etc/passwd"], "resourcesListChanged": true, "toolsListChanged": true });
    agent.send("subscriptions/listen", json!({ "_meta": meta, "notifications": wanted })).await;
    let told = notified(&mut agent, "notifications/subscriptions/acknowledged").await;
    let accepted = &told["params"]["notifications"];
    assert_eq!(accepted["resourceSubscriptions"], json!(["opentoolbar://comments"]), "{told}");
    assert!(accepted.get("toolsListChanged").is_none(), "{told}");
    // Once, as what happened before may have been missed; then what happens.
    for text in ["Make it blue", "And bigger"] {
        let told = notified(&mut agent, "notifications/resources/updated").await;
        assert_eq!(told["params"]["uri"], "opentoolbar://comments", "{told}");
        browser.comment(comment(if text.contains("blue") { "c_one" } else { "c_two" }, "/", text)).await;
        notified(&mut agent, "notifications/resources/list_changed").await;
    }
    // A subscription keeps no process alive.
    let began = std::time::Instant::now();
    assert_eq!(agent.hang_up().await, Some(0));
    assert!(began.elapsed() < std::time::Duration::from_secs(5), "{:?}", began.elapsed());
}

/// More than a page of them, each listed once; what changes at once is told together.
#[tokio::test]
async fn every_comment_is_listed_in_pages_and_an_import_is_told_a_few_times() {
    let world = World::new();
    let browser = world.browser().await;
    let mut agent = world.agent().await;
    succeeded(agent.call("get_ui_feedback", json!({})).await);
    // A client that says so again is told once all the same.
    for _ in 0..20 {
        agent.line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    }
    for number in 0..120 {
        browser.comment(comment(&format!("c_{number:03}"), "/", "Make it blue")).await;
    }
    let (mut seen, mut arguments) = (Vec::new(), json!({}));
    loop {
        let page = agent.ask("resources/list", arguments).await;
        let of_comments = uris(&page).into_iter().filter(|uri| uri.starts_with("opentoolbar://comments/"));
        seen.extend(of_comments.map(str::to_owned));
        match page["result"].get("nextCursor") {
            Some(cursor) => arguments = json!({ "cursor": cursor }),
            None => break,
        }
    }
    let all: Vec<_> = (0..120).map(|number| format!("opentoolbar://comments/c_{number:03}")).collect();
    assert_eq!(seen, all);
    let wrong = agent.ask("resources/list", json!({ "cursor": "none" })).await;
    assert_eq!(wrong["error"]["code"], -32602, "{wrong}");
    let told = agent.lines.iter().filter(|line| line.contains("list_changed")).count();
    assert!((1..60).contains(&told), "{told}");
}

fn text_of(prompt: &Value) -> &str {
    assert_eq!(prompt["result"]["messages"][0]["role"], "user", "{prompt}");
    prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap()
}

#[tokio::test]
async fn prompts_carry_the_feedback_as_it_is_now() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make it blue")).await;
    browser.comment(comment("c_two", "/about", "Shorter")).await;
    select(&browser, "NAV").await;
    let mut agent = world.agent().await;
    let listed = agent.ask("prompts/list", json!({})).await;
    let names: Vec<_> = listed["result"]["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["explain-element", "fix-feedback", "review-page"]);
    let fix = agent.ask("prompts/get", json!({ "name": "fix-feedback" })).await;
    let fix = text_of(&fix);
    for part in ["Make it blue", "Shorter", "resolve_comment", "untrusted"] {
        assert!(fix.contains(part), "{part} in {fix}");
    }
    let page = json!({ "name": "review-page", "arguments": { "pathname": "/about" } });
    let review = agent.ask("prompts/get", page).await;
    let review = text_of(&review);
    assert!(review.contains("Shorter") && !review.contains("Make it blue"), "{review}");
    let explain = agent.ask("prompts/get", json!({ "name": "explain-element", "arguments": {} })).await;
    assert!(text_of(&explain).contains("NAV"), "{explain}");
    for wrong in [
        json!({ "name": "none" }),
        json!({ "name": "review-page" }),
        json!({ "name": "review-page", "arguments": { "pathname": " " } }),
        json!({ "name": "fix-feedback", "arguments": { "page": "/" } }),
        json!({ "name": "fix-feedback", "arguments": { "pathname": "about" } }),
        json!({ "name": "explain-element", "arguments": { "contextId": "ctx_none" } }),
    ] {
        let refused = agent.ask("prompts/get", wrong.clone()).await;
        assert_eq!(refused["error"]["code"], -32602, "{wrong}: {refused}");
    }
}

#[tokio::test]
async fn arguments_are_completed() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_one", "/", "Make it blue")).await;
    browser.comment(comment("c_two", "/about", "Shorter")).await;
    browser.comment(comment("c_three", "/about", "Longer")).await;
    let context = select(&browser, "NAV").await;
    let mut agent = world.agent().await;
    let mut complete = async |reference: Value, name: &str, value: &str| {
        let argument = json!({ "name": name, "value": value });
        let told = agent.ask("completion/complete", json!({ "ref": reference, "argument": argument })).await;
        match told["result"]["completion"]["values"].as_array() {
            Some(values) => values.iter().map(|one| one.as_str().unwrap().to_owned()).collect(),
            None => vec![told["error"]["code"].to_string()],
        }
    };
    let prompt = |name: &str| json!({ "type": "ref/prompt", "name": name });
    let template = |uri: &str| json!({ "type": "ref/resource", "uri": uri });
    assert_eq!(complete(prompt("fix-feedback"), "pathname", "").await, ["/", "/about"]);
    assert_eq!(complete(prompt("fix-feedback"), "pathname", "/a").await, ["/about"]);
    assert_eq!(complete(prompt("explain-element"), "contextId", "").await, [context.as_str()]);
    let comments = template("opentoolbar://comments/{commentId}");
    assert_eq!(complete(comments.clone(), "commentId", "c_t").await.len(), 2);
    assert_eq!(complete(comments.clone(), "commentId", "3").await, ["3"]);
    assert_eq!(complete(comments, "wish", "").await, ["-32602"]);
    assert_eq!(complete(prompt("none"), "pathname", "").await, ["-32602"]);
}
