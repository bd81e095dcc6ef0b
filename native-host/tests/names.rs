//! What pages, clients, directories and persons call things, through every verb of the real program: nothing in it
//! commands a terminal, hides, or turns what stands beside it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod room;
mod world;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use opentoolbar::hub::Home;
use opentoolbar::hub::client::{Client, Connector};
use opentoolbar_core::model::{Session, Timestamp};
use opentoolbar_core::protocol::{Answer, Hello, PROTOCOL_VERSION, Request, Role, SetContext};
use room::conversation::{say, selection};
use world::{BORN, ORIGIN, World, comment, program};

/// Sets a terminal's title, clears it, turns, hides, joins, and breaks lines.
const EVIL: &str = "duck\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{2066}\u{200b}\u{200d}\u{200c}\u{fe0f}\u{fe00}\u{ad}\u{34f}\
     \u{2060}\u{feff}\u{e0041}\u{e0101}\u{180e}\u{2028}\u{2029}\u{85}\u{7f}end";

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
        screenshot: None,
    };
    browser.request(create).await.unwrap();
    let mut selection = selection("BUTTON");
    selection.page.title = EVIL.into();
    selection.element.text_content = EVIL.into();
    selection.element.attributes.insert(EVIL.into(), EVIL.into());
    let set = SetContext { context_id: None, selection, screenshot: None, viewport_screenshot: None };
    let session = "s_test".parse().unwrap();
    let Answer::ContextStored { context_id } =
        browser.request_in(&session, Request::SetContext(Box::new(set))).await.unwrap()
    else {
        unreachable!("a context is stored")
    };
    say(&browser, "s_test", context_id.as_str(), EVIL).await.unwrap();
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
        for way in ways {
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
