//! Five agents in three projects, two browsers, ten tabs, all of them real processes: everyone gets what is theirs and
//! nothing else, nobody is disconnected, and closing any of them changes nothing for the others.
#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use crate::world::native::Browser;
use crate::world::{Agent, World, succeeded};
use futures_util::future::join_all;
use serde_json::{Value, json};

/// In which project each agent works.
const AGENTS: [usize; 5] = [0, 0, 1, 1, 2];
/// In which project and in which browser each tab is.
const TABS: [(usize, usize); 10] =
    [(0, 0), (0, 1), (0, 0), (0, 1), (1, 0), (1, 1), (1, 0), (2, 1), (2, 0), (2, 0)];

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
        join_all(everybody.tabs.iter().map(|tab| everybody.open(tab))).await;
        everybody
    }

    async fn open(&self, tab: &Tab) {
        let url = format!("https://project-{}.test/{}", tab.project, tab.session);
        let session = json!({ "id": tab.session, "url": url, "title": tab.session, "lastActive": 1 });
        let opened = self.browsers[&tab.browser].ask("open_session", None, session).await;
        let name = ["shop", "blog", "docs"][tab.project];
        assert_eq!(opened["payload"]["project"]["name"], name, "{opened}");
    }

    /// Every agent waits for news while something happens that is none of its business. Whoever is still there goes on
    /// waiting, and hears what is said in its own project next, and nothing else.
    async fn while_all_wait(&mut self, what: &str, happens: impl AsyncFnOnce(&mut Self)) {
        let calls = join_all(self.agents.iter_mut().map(async |(number, agent)| {
            let feedback = succeeded(agent.call("get_ui_feedback", json!({})).await);
            let arguments = json!({ "after": feedback["position"], "timeoutSeconds": 45 });
            let call = json!({ "name": "wait_for_feedback", "arguments": arguments });
            (*number, agent.send("tools/call", call).await)
        }));
        let calls: BTreeMap<usize, i64> = calls.await.into_iter().collect();
        happens(self).await;
        for project in 0..3 {
            let tab = self.tabs.iter().find(|tab| tab.project == project).unwrap();
            let words = json!({ "message": format!("{what}: project {project}") });
            let said = self.browsers[&tab.browser].ask("user_message", Some(&tab.session), words).await;
            assert_eq!(said["type"], "message_stored", "{said}");
        }
        join_all(self.agents.iter_mut().map(async |(number, agent)| {
            let told = loop {
                let answer = agent.answer().await;
                if answer["id"] == calls[number] {
                    break answer["result"]["structuredContent"].clone();
                }
            };
            let heard: Vec<&str> = told["messages"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["content"].as_str().unwrap())
                .collect();
            assert_eq!(heard, [format!("{what}: project {}", AGENTS[*number])], "agent {number}");
        }))
        .await;
        // What the pages heard of it is that their words were read.
        for browser in self.browsers.values() {
            browser.ask("list_projects", None, Value::Null).await;
            let heard = std::mem::take(&mut *browser.heard.lock().unwrap());
            assert!(heard.iter().all(|event| event["type"] == "message_read"), "{what}: {heard:?}");
        }
        for project in 0..3 {
            let tab = self.tabs.iter().find(|tab| tab.project == project).unwrap();
            self.browsers[&tab.browser].ask("stop_waiting", Some(&tab.session), Value::Null).await;
        }
    }

    fn tabs_of(&self, project: usize) -> BTreeSet<String> {
        let of_project = self.tabs.iter().filter(|tab| tab.project == project);
        of_project.map(|tab| tab.session.clone()).collect()
    }

    /// Everybody talks at the same time. Each tab says something, each agent of its project reads it and answers, in
    /// parts; who hears anything else, or not all of it, fails.
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
                let detail = format!("agent {number} for {session}");
                let status = json!({ "sessionId": session, "status": "editing", "detail": detail });
                succeeded(agent.call("update_status", status).await);
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
        browser.ask("list_projects", None, Value::Null).await;
        let events = browser.take(&tab.session);
        let of_agents = self.agents.keys().filter(|agent| AGENTS[**agent] == tab.project);
        let expected: BTreeSet<String> =
            of_agents.map(|agent| format!("agent {agent} for {}", tab.session)).collect();
        let details =
            events.iter().filter_map(|event| event["payload"]["detail"].as_str().map(str::to_owned));
        assert_eq!(details.collect::<BTreeSet<_>>(), expected, "what agents do in {}", tab.session);
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
    assert_eq!(all.disconnected(), 0, "nobody was disconnected");

    all.while_all_wait("a tab is closed", async |all| {
        let closed = all.tabs.remove(0);
        let browser = &all.browsers[&closed.browser];
        let answer = browser.ask("close_session", None, json!({ "sessionId": closed.session })).await;
        assert_eq!(answer["type"], "done");
    })
    .await;
    all.talk("without a tab").await;
    assert_eq!(all.disconnected(), 0);

    all.while_all_wait("an agent is killed; another one of its project is there", async |all| {
        let mut killed = all.agents.remove(&1).unwrap();
        killed.process.kill().await.unwrap();
        all.until_disconnected(1).await;
    })
    .await;
    all.talk("without an agent").await;

    let mut gone = Vec::new();
    all.while_all_wait("a browser is killed, and its tabs are gone with it", async |all| {
        let mut killed = all.browsers.remove(&1).unwrap();
        killed.process.kill().await.unwrap();
        all.until_disconnected(2).await;
        gone = all.tabs.extract_if(.., |tab| tab.browser == 1).collect();
    })
    .await;
    all.talk("without a browser").await;

    all.while_all_wait("the browser comes back with its tabs", async |all| {
        all.browsers.insert(1, Browser::start(all.world.home(), "Firefox").await);
        for tab in &gone {
            all.open(tab).await;
        }
        all.tabs.append(&mut gone);
    })
    .await;

    // The only agent of a project says goodbye: the project's tabs stay.
    let left = all.agents.remove(&4).unwrap();
    assert_eq!(left.hang_up().await, Some(0));
    all.until_disconnected(3).await;
    all.talk("without a project's agent").await;
    assert_eq!(all.disconnected(), 3, "those who left, and nobody else");
}
