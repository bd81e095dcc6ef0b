//! What a browser that came over the gateway learns of projects, and what projects that nobody uses cost.

use crate::room;
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use crate::room::websocket::websocket;
use crate::room::{Gateway, Room, comment, creates, open_tab};
use opentoolbar_core::protocol::{Answer, Request};
use serde_json::{Value, json};
use tungstenite::protocol::WebSocket;

/// A browser over a WebSocket that has said hello.
struct Browser(WebSocket<TcpStream>);

impl Browser {
    fn new(gateway: &Gateway) -> Self {
        let mut browser = Self(websocket(gateway, "/ws"));
        let hello = json!({ "protocol": 1, "version": "0.1.0", "role": "browser", "client": "Test" });
        assert_eq!(browser.ask("m_hello", "hello", hello)["type"], "hello");
        browser
    }

    fn ask(&mut self, id: &str, kind: &str, payload: Value) -> Value {
        let mut request = json!({ "id": id, "type": kind });
        if !payload.is_null() {
            request["payload"] = payload;
        }
        self.0.send(request.to_string().into()).unwrap();
        loop {
            let heard = self.0.read().unwrap();
            if !heard.is_text() {
                continue;
            }
            let answer: Value = serde_json::from_str(heard.to_text().unwrap()).unwrap();
            if answer["replyTo"] == id {
                return answer;
            }
        }
    }

    fn open(&mut self, n: usize, url: &str) -> Value {
        let session = json!({ "id": format!("s_{n}"), "url": url, "title": "x", "lastActive": 1 });
        self.ask(&format!("m_open_{n}"), "open_session", session)["payload"].clone()
    }
}

fn directories(room: &Room, count: usize) -> Vec<PathBuf> {
    let make = |n: usize| {
        let root = room.path().join(format!("project-{n:03}"));
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("package.json"), "{}").unwrap();
        root.canonicalize().unwrap()
    };
    (0..count).map(make).collect()
}

/// How many threads and open files a process has.
#[cfg(target_os = "linux")]
fn costs(pid: u32) -> (usize, usize) {
    let count = |of: &str| std::fs::read_dir(format!("/proc/{pid}/{of}")).unwrap().count();
    (count("task"), count("fd"))
}

#[test]
fn a_browser_over_the_gateway_gets_known_projects_and_no_other_and_learns_nothing_of_the_disk() {
    let room = Room::new();
    let gateway = room.gateway();
    let mut browser = Browser::new(&gateway);
    let mut said = Vec::new();
    let there = directories(&room, 20);
    let url = |root: &Path| format!("file://{}/index.html", root.display());
    for (n, root) in there.iter().chain([&room.path().join("gone"), &PathBuf::from("/etc")]).enumerate() {
        let mut opened = browser.open(n, &url(root));
        opened["sessionId"].take();
        said.push(opened);
    }
    assert!(said[0]["project"].is_null(), "{}", said[0]);
    assert!(
        said.iter().all(|one| *one == said[0]),
        "a directory that is there is told from one that is not: {said:?}"
    );
    assert_eq!(browser.ask("m_list", "list_projects", Value::Null)["payload"]["projects"], json!([]));
    let choice = json!({ "origin": "file://", "root": there[0] });
    assert_eq!(browser.ask("m_choose", "set_origin_project", choice.clone())["payload"]["code"], "forbidden");
    // Once somebody has worked there, it is.
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let _agent = runtime.block_on(room.agent_in("a", &there[0]));
    let opened = browser.open(100, &url(&there[0].join("src")));
    assert_eq!(opened["project"]["root"].as_str(), there[0].to_str(), "{opened}");
    assert_eq!(browser.ask("m_again", "set_origin_project", choice)["type"], "done");
}

/// By many questions it could find out what a file says.
#[test]
fn a_browser_over_the_gateway_is_not_told_whether_words_stand_in_files() {
    let room = Room::new();
    std::fs::write(room.project.join("shop.ts"), "mill").unwrap();
    let gateway = room.gateway();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let _agent = runtime.block_on(room.agent("a"));
    let mut browser = Browser::new(&gateway);
    let url = format!("file://{}/index.html", room.project.display());
    assert!(browser.open(1, &url)["project"]["root"].is_string());
    let queries = |words: Value| json!([{ "file": "shop.ts", "since": 1, "words": words }]);
    let asked = json!({ "sessionId": "s_1", "queries": queries(json!(["mill", "lund"])) });
    let answer = browser.ask("m_find", "find_in_source", asked);
    assert_eq!(answer["type"], "found_in_source", "{answer}");
    assert_eq!(answer["payload"]["found"], json!([["unknown", "unknown"]]), "{answer}");
    // Where the browser is this machine's, it is told.
    let local = runtime.block_on(async {
        let browser = room.browser().await;
        open_tab(&browser, "s_2", "https://shop.test/", &room.project).await;
        let queries = serde_json::from_value(queries(json!(["mill"]))).unwrap();
        browser.request(Request::FindInSource { session_id: "s_2".parse().unwrap(), queries }).await.unwrap()
    });
    let Answer::FoundInSource { found } = local else { panic!("{local:?}") };
    assert_eq!(serde_json::to_value(found).unwrap(), json!([["changed_file"]]));
}

/// Each project costs a thread and a few files while it is used, and nothing once it is not.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn projects_that_nobody_uses_cost_no_threads_and_no_files() {
    const PROJECTS: usize = 300;
    let room = Room::new();
    room.home.ensure().unwrap();
    let mut hub = room.program().arg("hub").env("OPENTOOLBAR_STORE_SECONDS", "3").spawn().unwrap();
    room.wait_until("it is up", || room.pid() == Some(hub.id()));
    let browser = room.browser().await;
    let waits = room.agent("waits").await;
    open_tab(&browser, "s_stays", "https://shop.test/", &room.project).await;
    browser.request(creates("s_stays", comment("c_stays", "https://shop.test/", "x"))).await.unwrap();
    let before = costs(hub.id());
    let mut most = before;
    for (n, root) in directories(&room, PROJECTS).iter().enumerate() {
        let (session, page) = (format!("s_{n}"), format!("https://p{n}.test/"));
        open_tab(&browser, &session, &page, root).await;
        browser.request(creates(&session, comment(&format!("c_{n}"), &page, "x"))).await.unwrap();
        browser.request(Request::CloseSession { session_id: session.parse().unwrap() }).await.unwrap();
        let now = costs(hub.id());
        most = (most.0.max(now.0), most.1.max(now.1));
    }
    eprintln!("before: {before:?}, at most: {most:?} threads and files");
    // A few more threads than before may serve requests; none is a project's.
    let few = |(threads, files): (usize, usize)| threads < before.0 + 20 && files < before.1 + 20;
    room.wait_until("they are let go", || few(costs(hub.id())));
    eprintln!("after: {:?}", costs(hub.id()));
    // What was let go is there when it is asked for, and what is in use never went.
    let (session, page) = ("s_7", "https://p7.test/");
    browser.request(Request::OpenSession(room::session(session, page))).await.unwrap();
    let listed =
        browser.request(Request::ListComments { session_id: session.parse().unwrap() }).await.unwrap();
    assert!(matches!(listed, Answer::Comments { comments, .. } if comments.len() == 1));
    assert_eq!(room::feedback(&waits, Default::default()).await.ids, ["c_stays"]);
    room::end(hub.id());
    hub.wait().unwrap();
}
