//! What pages, clients, directories and persons call things, through every verb of the real program: nothing in it
//! commands a terminal, hides, or turns what stands beside it.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::room::conversation::{PNG, say, selection};
use crate::world::{Agent, BORN, ORIGIN, World, comment, pinned, program};
use opentoolbar::home::Home;
use opentoolbar::hub::client::{Client, Connector};
use opentoolbar_core::model::{Session, Timestamp};
use opentoolbar_core::protocol::{Answer, Hello, PROTOCOL_VERSION, Request, Role, SetContext};
use serde_json::{Value, json};

/// Sets a terminal's title, clears it, turns, hides, joins, and breaks lines.
const EVIL: &str = "duck\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{2066}\u{200b}\u{200d}\u{200c}\u{fe0f}\u{fe00}\u{ad}\u{34f}\
     \u{2060}\u{feff}\u{e0041}\u{e0101}\u{180e}\u{2028}\u{2029}\u{85}\u{7f}end";

const WRONG: &str = "--duck\u{1b}[2J\u{202e}\u{200b}end";

/// The characters of a text that must not be printed.
fn evil_in(text: &str) -> Vec<char> {
    let is_evil =
        |c: &char| (c.is_control() && !matches!(c, '\n' | '\t')) || (EVIL.contains(*c) && !c.is_ascii());
    text.chars().filter(is_evil).collect()
}

/// A project whose directory has an evil name, as a clone may.
fn evil_project(world: &World) -> PathBuf {
    let project = world.project().join(EVIL.replace('/', ""));
    std::fs::create_dir(&project).unwrap();
    std::fs::write(project.join("package.json"), "{}").unwrap();
    project
}

async fn connect(world: &World, role: Role, project: &Path) -> Client {
    let hello = Hello {
        protocol: PROTOCOL_VERSION,
        version: "0.1.0".into(),
        role,
        client: EVIL.into(),
        cwd: (role != Role::Browser).then(|| project.to_str().unwrap().to_owned()),
        instance: None,
        last_asked: None,
        capabilities: Vec::new(),
    };
    Connector::new(Home::at(world.home())).program(program()).connect(hello).await.expect("the hub starts")
}

/// A browser and an agent with evil names, a page, a comment, a selection and a message that have them too.
async fn evil_world(world: &World, project: &Path) -> (Client, Client) {
    let agent = connect(world, Role::Agent, project).await;
    let browser = connect(world, Role::Browser, project).await;
    let root = project.to_str().unwrap().to_owned();
    browser.request(Request::SetOriginProject { origin: ORIGIN.into(), root }).await.unwrap();
    let session = Session {
        id: "s_test".parse().unwrap(),
        url: format!("{ORIGIN}/{EVIL}"),
        title: format!("{EVIL}\nGateway: open"),
        last_active: BORN,
    };
    browser.request(Request::OpenSession(session)).await.unwrap();
    let mut said = comment("c_evil", &format!("/{EVIL}"), &format!("{EVIL} said"));
    said.title = EVIL.into();
    let target = &mut said.targets[0];
    (target.snapshot.text, target.snapshot.name) = (EVIL.into(), Some(EVIL.into()));
    target.snapshot.attributes.insert("title".into(), EVIL.into());
    let create = Request::CreateComment {
        session_id: "s_test".parse().unwrap(),
        comment: Box::new(said),
        screenshot: Some(PNG.to_owned()),
    };
    browser.request(create).await.unwrap();
    let mut selection = selection("BUTTON");
    selection.page.title = EVIL.into();
    selection.element.text_content = EVIL.into();
    selection.element.attributes.insert(EVIL.into(), EVIL.into());
    let set = SetContext {
        context_id: Some("ctx_evil".parse().unwrap()),
        selection,
        screenshot: None,
        viewport_screenshot: None,
    };
    let session = "s_test".parse().unwrap();
    let Answer::ContextStored { context_id } =
        browser.request_in(&session, Request::SetContext(Box::new(set))).await.unwrap()
    else {
        unreachable!("a context is stored")
    };
    say(&browser, "s_test", context_id.as_str(), EVIL).await.unwrap();
    let ask = Request::RequestVerification {
        action: EVIL.into(),
        reason: EVIL.into(),
        context: Some(EVIL.into()),
        timeout_seconds: None,
        timeout_ms: 0,
        process: None,
    };
    agent.request(ask).await.unwrap();
    (browser, agent)
}

/// What each verb is asked here. A verb that is not in this list fails the test: add it.
fn asked() -> BTreeMap<&'static str, Vec<Vec<&'static str>>> {
    BTreeMap::from([
        ("mcp", vec![vec![]]),
        ("serve", vec![vec!["--port", "0"]]),
        ("ui", vec![vec!["list"], vec!["list", "--json"], vec!["#1"], vec![EVIL]]),
        ("search", vec![vec!["duck"], vec!["duck", "--json"], vec!["nowhere", EVIL]]),
        ("pair", vec![vec![], vec!["--forget"]]),
        ("setup", vec![vec!["--dry-run"]]),
        ("uninstall", vec![vec!["--dry-run"]]),
        ("status", vec![vec![], vec!["--json"]]),
        ("projects", vec![vec![], vec!["list"], vec!["list", "--json"], vec!["--json"]]),
        (
            "export",
            vec![
                vec![],
                vec!["--level", "full"],
                vec!["--level", "brief"],
                vec!["--json"],
                vec!["--pathname", "/nowhere"],
            ],
        ),
        (
            "check",
            vec![
                vec!["-"],
                vec!["-", "--json"],
                vec!["-", "--comment", "c_evil"],
                vec!["-", "--pathname", "/nowhere"],
            ],
        ),
        ("config", vec![vec![], vec!["--openapi"], vec!["--output", EVIL]]),
        ("verifications", vec![vec![], vec!["--json"], vec!["stop", EVIL]]),
        ("approve", vec![vec!["v_"], vec![EVIL], vec!["v_", "--note", EVIL]]),
        ("reject", vec![vec!["v_"], vec![EVIL]]),
        ("help", vec![vec![]]),
    ])
}

fn verbs() -> Vec<String> {
    let help = assert_cmd::Command::new(program()).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let verbs: Vec<String> =
        commands.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    assert!(verbs.len() > 8, "{help}");
    verbs
}

#[tokio::test(flavor = "multi_thread")]
async fn no_verb_prints_a_name_that_commands_a_terminal_or_hides() {
    let world = World::new();
    let project = evil_project(&world);
    let _connected = evil_world(&world, &project).await;
    let asked = asked();
    let mut told = 0;
    for verb in verbs() {
        let ways = asked.get(verb.as_str()).unwrap_or_else(|| panic!("ask the verb {verb:?} here too"));
        // What was pasted, and no verb knows.
        for way in ways.iter().chain(&[vec![WRONG], vec!["--project", EVIL, WRONG]]) {
            let mut command = world.verb(&[&[verb.as_str()], way.as_slice()].concat());
            // `serve` goes on until it is ended.
            command.current_dir(&project).env("HOME", world.home()).timeout(Duration::from_secs(20));
            command.write_stdin("<!doctype html><title>x</title><button>Save</button>");
            let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
            for text in [&output.stdout, &output.stderr] {
                let text = String::from_utf8(text.clone()).expect("UTF-8");
                assert_eq!(evil_in(&text), [], "{verb} {way:?} printed {text:?}");
                told += usize::from(text.contains("duck"));
            }
        }
    }
    assert!(told >= 8, "only {told} outputs told of an evil name");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_done_with_a_kept_project_prints_no_such_name() {
    let world = World::new();
    let project = evil_project(&world);
    drop(evil_world(&world, &project).await);
    let mut told = 0;
    let mut run = |at: &Path, args: &[&str]| {
        let output = world.verb(&[&["projects"], args].concat()).current_dir(at).output().unwrap();
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8(text.clone()).expect("UTF-8");
            assert_eq!(evil_in(&text), [], "{args:?} printed {text:?}");
            told += usize::from(text.contains("duck"));
        }
        output.status.success()
    };
    let root = project.to_str().unwrap();
    let file = world.project().join(format!("{EVIL}.json"));
    assert!(run(&project, &["export", root]));
    assert!(run(&project, &["export", root, "--output", file.to_str().unwrap()]) && file.exists());
    for refused in [
        &["export", EVIL][..],
        &["move", EVIL, EVIL],
        &["move", root, EVIL],
        &["move", root, root],
        &["delete", EVIL, "--yes"],
        &["delete", root],
        &["accept", EVIL],
        &["decline", EVIL],
        &["accept", "moved-x", "--project", root],
        &["decline", "moved-x", "--project", EVIL],
    ] {
        assert!(!run(&project, refused), "{refused:?}");
    }
    // Moved by hand, twice: offered at each place.
    let mut place = project.clone();
    for answer in ["decline", "accept"] {
        world.kill_hub();
        let to = world.project().join(format!("{answer} {EVIL}"));
        std::fs::rename(&place, &to).unwrap();
        place = to;
        let _agent = connect(&world, Role::Agent, &place).await;
        assert!(run(&place, &["list"]));
        let list = world.verb(&["projects", "--json"]).current_dir(&place).output().unwrap();
        let list: Value = serde_json::from_slice(&list.stdout).unwrap();
        let offer = list["offers"][0]["id"].as_str().expect("it is offered");
        assert!(run(&place, &[answer, offer]), "{answer}");
        assert!(!run(&place, &[answer, offer, "--project", place.to_str().unwrap()]), "{answer} once");
    }
    let last = world.project().join(format!("last {EVIL}"));
    std::fs::create_dir(&last).unwrap();
    let (from, to) = (place.to_str().unwrap(), last.to_str().unwrap());
    assert!(run(&last, &["move", from, to]));
    assert!(run(&last, &["delete", to, "--yes"]));
    assert!(told >= 10, "only {told} outputs told of an evil name");
}

/// What each tool is asked here. A tool that is not in this list fails the test: add it.
fn calls() -> BTreeMap<&'static str, Vec<Value>> {
    let here = json!({ "sessionId": "s_test" });
    let html = format!("<!doctype html><title>{EVIL}</title><button title='{EVIL}'>other {EVIL}</button>");
    BTreeMap::from([
        (
            "check_comment",
            vec![
                json!({ "commentId": "c_pinned", "html": html }),
                json!({ "commentId": "c_evil", "html": html }),
                json!({ "commentId": "c_pinned", "path": EVIL }),
                json!({ "commentId": "c_pinned", "url": format!("http://localhost/{EVIL}") }),
            ],
        ),
        ("copilot_chat_secretary_get_first_request", vec![json!({}), here.clone()]),
        ("copilot_chat_secretary_get_request", vec![json!({ "index": 1 }), json!({ "index": EVIL })]),
        ("get_conversation_history", vec![here.clone()]),
        ("get_screenshot", vec![json!({ "commentId": "c_evil" }), json!({ "commentId": "c_pinned" })]),
        ("get_ui_context", vec![json!({}), here]),
        (
            "get_ui_feedback",
            ["brief", "standard", "full"].map(|detail| json!({ "detail": detail, "status": "all" })).into(),
        ),
        ("list_dialogs", vec![json!({}), json!({ "cursor": EVIL })]),
        ("get_verification", vec![json!({ "verificationId": EVIL })]),
        ("list_sessions", vec![json!({})]),
        ("search_dialogs", vec![json!({ "query": "duck" }), json!({ "query": EVIL, "cursor": EVIL })]),
        ("reply_to_comment", vec![json!({ "commentId": "c_evil", "message": EVIL })]),
        ("request_annotation", vec![json!({ "message": EVIL, "timeoutSeconds": 1 })]),
        (
            "request_verification",
            vec![json!({ "action": EVIL, "reason": EVIL, "context": { EVIL: EVIL }, "timeoutSeconds": 5 })],
        ),
        (
            "respond_to_browser",
            vec![
                json!({ "sessionId": "s_test", "contextId": "ctx_evil", "message": EVIL, "isComplete": true }),
            ],
        ),
        ("select_session", vec![json!({ "sessionId": "#1" }), json!({ "sessionId": EVIL })]),
        ("update_comment", vec![json!({ "commentId": "c_evil", "stage": "review", "note": EVIL })]),
        (
            "update_status",
            vec![json!({ "sessionId": "s_test", "status": "editing", "detail": "duck\u{202e}\u{1b}[2J" })],
        ),
        ("wait_for_feedback", vec![json!({ "after": 0, "timeoutSeconds": 1 })]),
        ("resolve_comment", vec![json!({ "commentId": "c_evil", "summary": EVIL })]),
    ])
}

/// The strings of a value, names of its fields too, but for the paths that an agent is to open.
fn strings(value: &Value) -> Vec<&str> {
    const PATHS: [&str; 4] = ["path", "project", "screenshotPath", "viewportScreenshotPath"];
    match value {
        Value::String(text) => vec![text],
        Value::Array(entries) => entries.iter().flat_map(strings).collect(),
        Value::Object(fields) => {
            let told = fields.iter().filter(|(name, _)| !PATHS.contains(&name.as_str()));
            told.flat_map(|(name, value)| strings(value).into_iter().chain([name.as_str()])).collect()
        }
        _ => Vec::new(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_tool_tells_an_agent_a_name_that_commands_a_terminal_or_hides() {
    let world = World::new();
    let project = evil_project(&world);
    let (browser, _agent) = evil_world(&world, &project).await;
    let html = format!("<!doctype html><title>x</title><button>{EVIL}</button>");
    let mut said = pinned("c_pinned", "/", EVIL, &html, "button");
    said.title = EVIL.into();
    let (session_id, screenshot) = ("s_test".parse().unwrap(), Some(PNG.to_owned()));
    let create = Request::CreateComment { session_id, comment: Box::new(said), screenshot };
    browser.request(create).await.unwrap();
    let mut agent = Agent::start(world.home(), &project);
    agent.initialize_as("2025-11-25", EVIL).await;
    let listed = agent.ask("tools/list", json!({})).await;
    let tools: Vec<_> = listed["result"]["tools"].as_array().unwrap().clone();
    let asked = calls();
    let mut told = 0;
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        let ways = asked.get(name).unwrap_or_else(|| panic!("ask the tool {name:?} here too"));
        // What no tool knows.
        for way in
            ways.iter().chain(&[json!({ EVIL: EVIL }), json!({ "sessionId": EVIL, "commentId": EVIL })])
        {
            let answer = agent.ask("tools/call", json!({ "name": name, "arguments": way })).await;
            let result = &answer["result"];
            let text = result["content"][0]["text"].as_str().unwrap();
            assert_eq!(evil_in(text), [], "{name} {way} said {text:?}");
            for string in strings(&result["structuredContent"]) {
                assert_eq!(evil_in(string), [], "{name} {way} said {string:?}");
            }
            told += usize::from(text.contains("duck"));
        }
    }
    // A tool that is not there, and what is not even a name.
    for name in [json!(EVIL), json!({ EVIL: EVIL })] {
        let answer = agent.ask("tools/call", json!({ "name": name, "arguments": { EVIL: EVIL } })).await;
        for string in strings(&answer) {
            assert_eq!(evil_in(string), [], "{name} is answered with {string:?}");
        }
    }
    for line in &agent.lines {
        assert_eq!(evil_in(line), [], "{line:?}");
    }
    assert!(told >= 12, "only {told} answers told of an evil name");
}

/// Programs get the very name, as escapes: it is the path of a directory.
#[tokio::test(flavor = "multi_thread")]
async fn json_for_programs_names_a_directory_as_it_is() {
    let world = World::new();
    let project = evil_project(&world);
    let _connected = evil_world(&world, &project).await;
    for way in [vec!["projects", "list", "--json"], vec!["projects", "--json"], vec!["status", "--json"]] {
        let mut command = world.verb(&way);
        let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let projects =
            value["projects"].as_array().unwrap_or_else(|| panic!("{way:?} lists projects: {text}"));
        let is_it = |one: &serde_json::Value| {
            let root = one.get("root").or_else(|| one["project"].get("root"));
            root.and_then(|root| root.as_str()) == project.to_str()
        };
        assert!(projects.iter().any(is_it), "{way:?}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_title_cannot_write_a_line_of_its_own() {
    let world = World::new();
    let project = evil_project(&world);
    let _connected = evil_world(&world, &project).await;
    for verb in ["status", "ui"] {
        let mut command = world.verb(&[verb]);
        command.current_dir(&project);
        let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("Gateway: open"), "the title is told: {text}");
        assert!(!text.lines().any(|line| line.starts_with("Gateway: open")), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_beside_the_project_and_logged_has_no_such_name() {
    let world = World::new();
    let project = evil_project(&world);
    let _connected = evil_world(&world, &project).await;
    let copies = project.join(".opentoolbar");
    let session = copies.join("sessions/s_test.json");
    let feedback = copies.join("feedback.md");
    let whole = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    // Copies come a moment after the database.
    for _ in 0..600 {
        if whole(&session).contains("duck") && whole(&feedback).contains("duck") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let written = whole(&session);
    let value: serde_json::Value = serde_json::from_str(&written).expect("the session's copy is JSON");
    assert!(value["userMessage"].as_str().unwrap().contains("⟨U+202E⟩"), "{written}");
    assert!(value["page"]["title"].as_str().unwrap().contains("⟨U+001B⟩"), "{written}");
    for path in [session, feedback, world.home().join("logs/hub.log")] {
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(evil_in(&text), [], "{}: {text:?}", path.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_of_a_megabyte_is_cut() {
    let world = World::new();
    let project = world.project();
    let browser = connect(&world, Role::Browser, &project).await;
    let root = project.to_str().unwrap().to_owned();
    browser.request(Request::SetOriginProject { origin: ORIGIN.into(), root }).await.unwrap();
    let session = Session {
        id: "s_test".parse().unwrap(),
        url: format!("{ORIGIN}/"),
        title: "long ".repeat(200_000),
        last_active: Timestamp(BORN.0),
    };
    // Refused or cut: either will do.
    let _ = browser.request(Request::OpenSession(session)).await;
    for verb in ["status", "ui"] {
        let mut command = world.verb(&[verb]);
        let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
        assert!(output.stdout.len() < 20_000, "{verb} printed {} bytes", output.stdout.len());
    }
}
