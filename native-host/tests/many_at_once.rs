//! Five agents in three projects, two browsers, ten tabs, all of them real processes: everyone gets what is theirs and
//! nothing else, nobody is disconnected, and closing any of them changes nothing for the others.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use opentoolbar::identity::Identity;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::oneshot;
use world::{Agent, World, succeeded};

/// In which project each agent works.
const AGENTS: [usize; 5] = [0, 0, 1, 1, 2];
/// In which project and in which browser each tab is.
const TABS: [(usize, usize); 10] =
    [(0, 0), (0, 1), (0, 0), (0, 1), (1, 0), (1, 1), (1, 0), (2, 1), (2, 0), (2, 0)];

type Waiting = Arc<Mutex<BTreeMap<String, oneshot::Sender<Value>>>>;
type Heard = Arc<Mutex<Vec<Value>>>;

/// A browser as the hub knows it: a relay process that speaks native messaging.
struct Browser {
    process: Child,
    input: tokio::sync::Mutex<ChildStdin>,
    waiting: Waiting,
    /// Every event of a session, in the order in which they came.
    heard: Heard,
    sent: Mutex<u32>,
}

impl Browser {
    async fn start(home: &Path, name: &str) -> Self {
        let mut process = Command::new(world::program())
            .arg(format!("chrome-extension://{}/", Identity::get().chrome_id))
            .env("OPENTOOLBAR_HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let (waiting, heard) = (Waiting::default(), Heard::default());
        tokio::spawn(read(process.stdout.take().unwrap(), Arc::clone(&waiting), Arc::clone(&heard)));
        let input = tokio::sync::Mutex::new(process.stdin.take().unwrap());
        let browser = Self { process, input, waiting, heard, sent: Mutex::default() };
        let hello =
            json!({ "protocol": 1, "version": "0.1.0", "role": "browser", "client": name, "instance": name });
        assert_eq!(browser.ask("hello", None, hello).await["type"], "hello");
        browser
    }

    async fn ask(&self, kind: &str, session: Option<&str>, payload: Value) -> Value {
        let id = {
            let mut sent = self.sent.lock().unwrap();
            *sent += 1;
            format!("m_{}-{sent}", self.process.id().unwrap())
        };
        let (answer, answered) = oneshot::channel();
        self.waiting.lock().unwrap().insert(id.clone(), answer);
        let mut message = json!({ "id": id, "type": kind, "payload": payload });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let text = message.to_string();
        let mut frame = u32::try_from(text.len()).unwrap().to_ne_bytes().to_vec();
        frame.extend_from_slice(text.as_bytes());
        self.input.lock().await.write_all(&frame).await.unwrap();
        let answer = tokio::time::timeout(Duration::from_secs(60), answered).await;
        answer.expect("answered in time").expect("the relay is alive")
    }

    /// What was heard of a session since the last look: texts by agent's word, in order.
    fn take(&self, session: &str) -> Vec<Value> {
        let mut heard = self.heard.lock().unwrap();
        let (own, others) =
            std::mem::take(&mut *heard).into_iter().partition(|event| event["sessionId"] == session);
        *heard = others;
        own
    }
}

async fn read(mut output: ChildStdout, waiting: Waiting, heard: Heard) {
    let mut head = [0; 4];
    while output.read_exact(&mut head).await.is_ok() {
        let mut frame = vec![0; u32::from_ne_bytes(head) as usize];
        output.read_exact(&mut frame).await.unwrap();
        let message: Value = serde_json::from_slice(&frame).unwrap();
        if let Some(id) = message["replyTo"].as_str() {
            let asked = waiting.lock().unwrap().remove(id).expect("an answer to what this browser asked");
            let _ = asked.send(message);
        } else if message["sessionId"].is_string() {
            heard.lock().unwrap().push(message);
        }
    }
}

struct Tab {
    session: String,
    project: usize,
    browser: usize,
}

/// The whole picture.
struct Everybody {
    world: World,
    _roots: tempfile::TempDir,
    agents: BTreeMap<usize, Agent>,
    browsers: BTreeMap<usize, Browser>,
    tabs: Vec<Tab>,
}

impl Everybody {
    async fn start() -> Self {
        let world = World::new();
        let roots = tempfile::tempdir().unwrap();
        let projects: Vec<PathBuf> = ["shop", "blog", "docs"]
            .map(|name| {
                let root = roots.path().canonicalize().unwrap().join(name);
                std::fs::create_dir(&root).unwrap();
                std::fs::write(root.join("package.json"), "{}").unwrap();
                root
            })
            .into();
        let agents = join_all(AGENTS.iter().map(async |project| {
            let mut agent = Agent::start(world.home(), &projects[*project]);
            agent.initialize("2025-11-25").await;
            succeeded(agent.call("list_sessions", json!({})).await);
            agent
        }));
        let browsers = join_all(["Chromium", "Firefox"].map(|name| Browser::start(world.home(), name)));
        let (agents, browsers) = tokio::join!(agents, browsers);
        let browsers: BTreeMap<usize, Browser> = browsers.into_iter().enumerate().collect();
        for (number, root) in projects.iter().enumerate() {
            let choice = json!({ "origin": format!("https://project-{number}.test"), "root": root });
            assert_eq!(browsers[&0].ask("set_origin_project", None, choice).await["type"], "done");
        }
        let tabs = TABS.iter().enumerate().map(|(number, (project, browser))| Tab {
            session: format!("s_{number}"),
            project: *project,
            browser: *browser,
        });
        let everybody = Self {
            world,
            _roots: roots,
            agents: agents.into_iter().enumerate().collect(),
            browsers,
            tabs: tabs.collect(),
        };
        join_all(everybody.tabs.iter().map(async |tab| {
            let url = format!("https://project-{}.test/{}", tab.project, tab.session);
            let session = json!({ "id": tab.session, "url": url, "title": tab.session, "lastActive": 1 });
            let opened = everybody.browsers[&tab.browser].ask("open_session", None, session).await;
            let name = ["shop", "blog", "docs"][tab.project];
            assert_eq!(opened["payload"]["project"]["name"], name, "{opened}");
        }))
        .await;
        everybody
    }

    fn tabs_of(&self, project: usize) -> BTreeSet<String> {
        let of_project = self.tabs.iter().filter(|tab| tab.project == project);
        of_project.map(|tab| tab.session.clone()).collect()
    }

    /// Everybody talks at the same time. Each tab says something, each agent of its project reads it and answers, in parts;
    /// who hears anything else, or not all of it, fails.
    async fn talk(&mut self, round: &str) {
        let theirs: BTreeMap<usize, BTreeSet<String>> =
            (0..3).map(|project| (project, self.tabs_of(project))).collect();
        let (browsers, tabs) = (&self.browsers, &self.tabs);
        let contexts: BTreeMap<String, String> = join_all(tabs.iter().map(async |tab| {
            let browser = &browsers[&tab.browser];
            let url = format!("https://project-{}.test/{}", tab.project, tab.session);
            let selection = json!({
                "element": { "tagName": "BUTTON", "textContent": tab.session },
                "ancestors": [], "page": { "url": url, "title": tab.session }
            });
            let stored = browser.ask("set_context", Some(&tab.session), selection).await;
            let context =
                stored["payload"]["contextId"].as_str().unwrap_or_else(|| panic!("{stored}")).to_owned();
            let words = json!({ "contextId": context, "message": format!("{round} from {}", tab.session) });
            let said = browser.ask("user_message", Some(&tab.session), words).await;
            assert_eq!(said["type"], "message_stored", "{said}");
            (tab.session.clone(), context)
        }))
        .await
        .into_iter()
        .collect();

        let read = join_all(self.agents.iter_mut().map(async |(number, agent)| {
            let mut read = BTreeSet::new();
            let project = AGENTS[*number];
            let listed = succeeded(agent.call("list_sessions", json!({})).await);
            let listed: BTreeSet<String> = listed["sessions"]
                .as_array()
                .unwrap()
                .iter()
                .map(|session| session["sessionId"].as_str().unwrap().to_owned())
                .collect();
            assert_eq!(listed, theirs[&project], "agent {number}");
            for (session, context) in &contexts {
                let arguments = json!({ "sessionId": session });
                let told = agent.call("get_ui_context", arguments).await;
                if !theirs[&project].contains(session) {
                    assert_eq!(told["success"], false, "agent {number} reads {session}: {told}");
                    assert!(!told.to_string().contains("from s_"), "{told}");
                    continue;
                }
                assert_eq!(told["contextId"], context.as_str(), "{told}");
                // Empty when the project's other agent has answered already.
                match told["userMessage"].as_str().unwrap() {
                    "" => {}
                    words => {
                        assert_eq!(words, format!("{round} from {session}"));
                        read.insert(session.clone());
                    }
                }
                for (index, is_complete) in [(0, false), (1, false), (2, true)] {
                    let arguments = json!({
                        "sessionId": session, "contextId": context, "isComplete": is_complete, "index": index,
                        "message": format!("{round}: part {index} of agent {number} for {session}. ")
                    });
                    succeeded(agent.call("respond_to_browser", arguments).await);
                }
            }
            read
        }))
        .await;
        let answered: BTreeSet<usize> = self.agents.keys().map(|agent| AGENTS[*agent]).collect();
        let said: BTreeSet<String> = answered.iter().flat_map(|project| theirs[project].clone()).collect();
        assert_eq!(read.into_iter().flatten().collect::<BTreeSet<_>>(), said, "every message was read");

        for tab in &self.tabs {
            let heard = self.answers_heard(tab).await;
            let agents: Vec<usize> =
                self.agents.keys().copied().filter(|agent| AGENTS[*agent] == tab.project).collect();
            let expected: Vec<(String, String)> = agents
                .iter()
                .flat_map(|agent| {
                    let part =
                        |index| format!("{round}: part {index} of agent {agent} for {}. ", tab.session);
                    let whole = format!("{}{}{}", part(0), part(1), part(2));
                    [
                        ("agent_response_chunk", part(0)),
                        ("agent_response_chunk", part(1)),
                        ("agent_response", whole),
                    ]
                    .map(|(kind, text)| (kind.to_owned(), text))
                })
                .collect();
            for (agent, expected) in agents.iter().zip(expected.chunks(3)) {
                let of_agent = |text: &str| text.contains(&format!("of agent {agent} "));
                let own: Vec<_> = heard.iter().filter(|(_, text)| of_agent(text)).cloned().collect();
                assert_eq!(own, expected, "{} of agent {agent}", tab.session);
            }
            assert_eq!(heard.len(), expected.len(), "{}: {heard:?}", tab.session);
        }
        for browser in self.browsers.values() {
            let left = std::mem::take(&mut *browser.heard.lock().unwrap());
            assert!(left.is_empty(), "events of tabs that are not this browser's: {left:?}");
        }
    }

    /// What agents said in the tab, in the order in which it came.
    async fn answers_heard(&self, tab: &Tab) -> Vec<(String, String)> {
        let browser = &self.browsers[&tab.browser];
        // A round trip: what was sent before has come.
        browser.ask("ping", None, Value::Null).await;
        let events = browser.take(&tab.session);
        let answers = events.into_iter().filter_map(|event| {
            let text =
                event["payload"]["chunk"].as_str().or(event["payload"]["message"].as_str())?.to_owned();
            Some((event["type"].as_str().unwrap().to_owned(), text))
        });
        answers.collect()
    }

    /// How many connections the hub has seen end.
    fn disconnected(&self) -> usize {
        let logs = std::fs::read_dir(self.world.home().join("logs")).unwrap();
        let texts = logs.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
        texts.map(|text| text.lines().filter(|line| line.contains("disconnected")).count()).sum()
    }

    async fn until_disconnected(&self, count: usize) {
        for _ in 0..3_000 {
            if self.disconnected() >= count {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(self.disconnected(), count);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everyone_gets_what_is_theirs_and_nobody_who_leaves_takes_others_along() {
    let mut all = Everybody::start().await;
    all.talk("first").await;
    all.talk("again").await;
    assert_eq!(all.disconnected(), 0, "nobody was disconnected");

    // A tab is closed.
    let closed = all.tabs.remove(0);
    let browser = &all.browsers[&closed.browser];
    let answer = browser.ask("close_session", None, json!({ "sessionId": closed.session })).await;
    assert_eq!(answer["type"], "done");
    all.talk("without a tab").await;
    assert_eq!(all.disconnected(), 0);

    // An agent is killed; another one of its project is there.
    let mut killed = all.agents.remove(&1).unwrap();
    killed.process.kill().await.unwrap();
    all.until_disconnected(1).await;
    all.talk("without an agent").await;

    // A browser is killed, and its tabs are gone with it.
    let mut killed = all.browsers.remove(&1).unwrap();
    killed.process.kill().await.unwrap();
    all.until_disconnected(2).await;
    all.tabs.retain(|tab| tab.browser != 1);
    all.talk("without a browser").await;

    // The only agent of a project is killed: its tabs stay.
    let mut killed = all.agents.remove(&4).unwrap();
    killed.process.kill().await.unwrap();
    all.until_disconnected(3).await;
    all.talk("without a project's agent").await;
    assert_eq!(all.disconnected(), 3, "those who were killed, and nobody else");
}
