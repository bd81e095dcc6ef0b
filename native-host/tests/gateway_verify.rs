//! `/verify`: a program asks over HTTP for a person's yes or no; the scenarios of the requirement by their names.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use opentoolbar::hub::client::Client;
use opentoolbar_core::model::Verification;
use opentoolbar_core::protocol::{Answer, Request, Role, RuleWish};
use serde_json::{Value, json};

use crate::room::http::{Response, ask};
use crate::room::{Gateway, Room, comment, creates, hello, open_tab};

/// A gateway, a project that is known to the hub, and a browser before which a person sits.
struct Desk {
    room: Room,
    gateway: Gateway,
    person: Client,
}

impl Desk {
    async fn new() -> Self {
        let room = Room::new();
        let gateway = room.gateway();
        drop(room.agent("known").await);
        let mut hello = hello(Role::Browser, "Chromium 156", None);
        hello.capabilities = vec!["verifications".into()];
        let person = room.connector().connect(hello).await.unwrap();
        Self { room, gateway, person }
    }

    fn send(&self, method: &str, path: &str, body: Option<&str>) -> Response {
        self.send_as("tester/1", method, path, body)
    }

    fn send_as(&self, name: &str, method: &str, path: &str, body: Option<&str>) -> Response {
        let bearer = format!("Bearer {}", self.gateway.token);
        let project = self.room.project.to_str().unwrap();
        let headers = [
            ("Authorization", bearer.as_str()),
            ("User-Agent", name),
            ("Opentoolbar-Project", project),
            ("Content-Type", "application/json"),
        ];
        ask(self.gateway.address, method, path, &headers, body)
    }

    fn asks(&self, body: &Value) -> Value {
        let response = self.send("POST", "/verify", Some(&body.to_string()));
        assert_eq!(response.status, 200, "{response:?}");
        response.json()
    }

    fn get(&self, id: &Value, wait: u32) -> Value {
        let response = self.send("GET", &format!("/verify/{}?wait={wait}", id.as_str().unwrap()), None);
        assert_eq!(response.status, 200, "{response:?}");
        response.json()
    }

    async fn pending(&self) -> Vec<Verification> {
        match self.person.request(Request::ListVerifications).await.unwrap() {
            Answer::Verifications { pending, .. } => pending,
            other => panic!("{other:?}"),
        }
    }

    async fn decide(&self, id: &Value, approve: bool) {
        let one = self.pending().await.into_iter().find(|one| *id == one.id.as_str()).unwrap();
        let request = Request::DecideVerification {
            verification_id: one.id,
            hash: one.hash,
            approve,
            note: Some("As you say".into()),
            rule: None,
        };
        self.person.request(request).await.unwrap();
    }
}

fn build() -> Value {
    json!({ "action": "Delete build/", "reason": "It is stale", "context": { "bytes": 12 } })
}

#[tokio::test(flavor = "multi_thread")]
async fn verification_request_format() {
    let desk = Desk::new().await;
    for (body, status, said) in [
        ("nothing", 400, "not JSON"),
        ("", 400, "not JSON"),
        (r#"{"action":"a"}"#, 422, "missing field `reason`"),
        (r#"{"reason":"r"}"#, 422, "missing field `action`"),
        (r#"{"action":1,"reason":"r"}"#, 422, "invalid type"),
        (r#"{"action":" ","reason":"r"}"#, 422, "action is empty"),
        (r#"{"action":"a","reason":"r","approve":true}"#, 422, "unknown field `approve`"),
        (r#"{"action":"a","reason":"r","timeout_seconds":4}"#, 422, "timeout_seconds is 4"),
        (r#"{"action":"a","reason":"r","timeout_seconds":86401}"#, 422, "timeout_seconds is 86401"),
        (r#"{"action":"a","reason":"r","timeout_seconds":30.5}"#, 422, "30.5 is no whole number"),
        (r#"{"action":"a","reason":"r","timeout_seconds":-1.0}"#, 422, "-1.0 is no whole number"),
        (r#"{"action":"a","reason":"r","timeout_seconds":1e300}"#, 422, "1e+300 is no whole number"),
        (r#"["a","r"]"#, 422, ""),
    ] {
        let refused = desk.send("POST", "/verify", Some(body));
        assert_eq!(refused.status, status, "{body}: {refused:?}");
        let message = refused.error()["message"].as_str().unwrap().to_owned();
        assert!(message.contains(said), "{body}: {message}");
    }
    let deep = format!(r#"{{"action":"a","reason":"r","context":{}{}}}"#, "[".repeat(500), "]".repeat(500));
    assert_eq!(desk.send("POST", "/verify", Some(&deep)).status, 400);
    let large = json!({ "action": "a", "reason": "r", "context": "c".repeat(16 * 1024 + 1) }).to_string();
    assert_eq!(desk.send("POST", "/verify", Some(&large)).status, 422);
    let huge = json!({ "action": "a", "reason": "r", "context": "c".repeat(1024 * 1024) }).to_string();
    let too_large = desk.send("POST", "/verify", Some(&huge));
    assert_eq!((too_large.status, too_large.error()["code"].clone()), (413, json!("too_large")));
    let bearer = format!("Bearer {}", desk.gateway.token);
    let form = ask(
        desk.gateway.address,
        "POST",
        "/verify",
        &[("Authorization", &bearer), ("Opentoolbar-Project", desk.room.project.to_str().unwrap())],
        Some("action=a"),
    );
    assert_eq!(form.status, 415, "{form:?}");
    assert!(desk.pending().await.is_empty());
    desk.asks(&build());
    let seen = desk.pending().await.remove(0);
    assert_eq!((seen.asker.as_str(), seen.context.as_deref()), ("tester/1", Some(r#"{"bytes":12}"#)));
    assert_eq!(seen.processes.first().map(|process| process.id), Some(std::process::id()));
    // JSON has one kind of numbers: clients that reckon with fractions write whole ones so.
    for seconds in ["30.0", "3e1", "null"] {
        let body = format!(r#"{{"action":"a","reason":"{seconds}","timeout_seconds":{seconds}}}"#);
        let asked = desk.send("POST", "/verify", Some(&body));
        assert_eq!(asked.status, 200, "{seconds}: {asked:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn verification_response() {
    let desk = Desk::new().await;
    let asked = desk.asks(&build());
    assert_eq!(asked["status"], "pending");
    assert!(asked["message"].as_str().unwrap().starts_with("It waits for the person"), "{asked}");
    // Five minutes, when nobody says.
    let seen = desk.pending().await.remove(0);
    assert_eq!(seen.expires_at.0 - seen.asked_at.0, 300_000);
    assert_eq!(asked["expires_at"], seen.expires_at.to_string());
    assert_eq!(
        desk.asks(&build())["verification_id"],
        asked["verification_id"],
        "the same words are the same"
    );
    let id = &asked["verification_id"];
    desk.decide(id, true).await;
    let decided = desk.get(id, 0);
    assert_eq!(
        (&decided["status"], &decided["decided_by"], &decided["note"]),
        (&json!("approved"), &json!("person"), &json!("As you say"))
    );
    let again = desk.asks(&build());
    assert_ne!(&again["verification_id"], id);
    desk.decide(&again["verification_id"], false).await;
    assert_eq!(desk.get(&again["verification_id"], 0)["status"], "rejected");
}

#[tokio::test(flavor = "multi_thread")]
async fn verification_status_polling() {
    let desk = Desk::new().await;
    let id = desk.asks(&build())["verification_id"].clone();
    let began = Instant::now();
    assert_eq!(desk.get(&id, 1)["status"], "pending");
    assert!(began.elapsed() >= Duration::from_secs(1), "it waited");
    // Told in the moment in which it is decided.
    let decided = std::thread::scope(|scope| {
        let waits = scope.spawn(|| desk.get(&id, 45));
        std::thread::sleep(Duration::from_millis(300));
        tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(desk.decide(&id, true)));
        waits.join().unwrap()
    });
    assert_eq!(decided["status"], "approved");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let id = id.as_str().unwrap();
    for wait in ["46", "-1", "x", "", "1.5"] {
        assert_eq!(desk.send("GET", &format!("/verify/{id}?wait={wait}"), None).status, 422, "{wait}");
    }
    for unknown in ["v_unknown", "nothing", "..", "%00", "%FF"] {
        let refused = desk.send("GET", &format!("/verify/{unknown}"), None);
        assert_eq!(refused.status, 404, "{unknown}: {refused:?}");
        refused.error();
    }
    // Another program's is nobody else's.
    assert_eq!(desk.send_as("other/1", "GET", &format!("/verify/{id}"), None).status, 404);
    assert_eq!(
        desk.send("POST", &format!("/verify/{id}"), Some("{}")).header("allow"),
        Some("get, head, delete")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn verification_timeout() {
    let desk = Desk::new().await;
    let asked = desk.asks(&json!({ "action": "a", "reason": "r", "timeout_seconds": 5 }));
    let told = desk.get(&asked["verification_id"], 20);
    assert_eq!((&told["status"], &told["decided_by"]), (&json!("rejected"), &json!("timeout")), "{told}");
    assert!(told["message"].as_str().unwrap().contains("Nobody decided in time"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_pending_can_be_taken_back_and_what_is_decided_stays() {
    let desk = Desk::new().await;
    let id = desk.asks(&build())["verification_id"].clone();
    let path = format!("/verify/{}", id.as_str().unwrap());
    assert_eq!(desk.send_as("other/1", "DELETE", &path, None).status, 404);
    let taken = desk.send("DELETE", &path, None);
    assert_eq!((taken.status, taken.json()["decided_by"].clone()), (200, json!("withdrawn")));
    let again = desk.send("DELETE", &path, None);
    assert_eq!((again.status, again.error()["code"].clone()), (409, json!("conflict")));
    assert!(desk.pending().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_asks_without_the_token_and_more_than_a_person_can_see_are_refused() {
    let desk = Desk::new().await;
    let body = build().to_string();
    let project = desk.room.project.to_str().unwrap();
    for method in ["POST", "GET", "DELETE"] {
        let path = if method == "POST" { "/verify" } else { "/verify/v_1" };
        for (token, status) in [(None, 401), (Some("Bearer wrong"), 401)] {
            let mut headers = vec![("Opentoolbar-Project", project), ("Content-Type", "application/json")];
            headers.extend(token.map(|token| ("Authorization", token)));
            assert_eq!(ask(desk.gateway.address, method, path, &headers, Some(&body)).status, status);
            // A page sends an origin, or says where it comes from.
            for (name, value) in
                [("Origin", "https://evil.test"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site")]
            {
                let mut headers = headers.clone();
                headers.push((name, value));
                assert_eq!(ask(desk.gateway.address, method, path, &headers, Some(&body)).status, 403);
            }
        }
    }
    for number in 0..100 {
        desk.asks(&json!({ "action": format!("Step {number}"), "reason": "r" }));
    }
    let refused = desk.send("POST", "/verify", Some(&json!({ "action": "more", "reason": "r" }).to_string()));
    assert_eq!(refused.status, 429, "{refused:?}");
    // There is room once one runs out, in five minutes.
    let after: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((200..=300).contains(&after), "{after}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_context_is_kept_shown_and_matched_as_it_was_written() {
    let desk = Desk::new().await;
    let asks = |context: &str| {
        let body = format!(r#"{{"action":"Delete rows","reason":"r","context":{context}}}"#);
        let asked = desk.send("POST", "/verify", Some(&body));
        assert_eq!(asked.status, 200, "{asked:?}");
        asked.json()
    };
    let [first, second, twice] =
        [r#"{"id":100000000000000000001}"#, r#"{"id":100000000000000000999}"#, r#"{"cmd":"rm","cmd":"ls"}"#];
    let asked = asks(first);
    let seen = desk.pending().await.remove(0);
    assert_eq!(seen.context.as_deref(), Some(first));
    let request = Request::DecideVerification {
        verification_id: seen.id,
        hash: seen.hash,
        approve: true,
        note: None,
        rule: Some(RuleWish { hours: 1, any_context: false }),
    };
    desk.person.request(request).await.unwrap();
    assert_eq!(asks(first)["decided_by"], "rule", "{asked}");
    assert_eq!(asks(second)["status"], "pending", "other digits are another context");
    asks(twice);
    assert_eq!(desk.pending().await[1].context.as_deref(), Some(twice));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_is_told_when_the_projects_data_is_deleted_and_so_is_the_person() {
    let desk = Desk::new().await;
    let browser = desk.room.browser().await;
    open_tab(&browser, "s_1", "http://localhost:5173/", &desk.room.project).await;
    let made = creates("s_1", comment("c_1", "http://localhost:5173/", "Bigger"));
    browser.request(made).await.unwrap();
    let asked = desk.asks(&build());
    let id = asked["verification_id"].clone();
    let mut delete = desk.room.program();
    delete.args(["projects", "delete", "--yes"]).arg(&desk.room.project);
    let deleted = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        delete.output().unwrap()
    });
    let told = desk.get(&id, 30);
    let deleted = deleted.join().unwrap();
    assert!(deleted.status.success(), "{deleted:?}");
    assert_eq!((&told["status"], &told["decided_by"]), (&json!("rejected"), &json!("withdrawn")), "{told}");
    assert!(told["note"].as_str().unwrap().contains("moved or removed"), "{told}");
    assert!(desk.pending().await.is_empty());
}

/// A tab of another project opens, the program asks from elsewhere: what it asked is still its own.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_program_asked_is_found_again_from_wherever_it_asks_after_it() {
    let desk = Desk::new().await;
    let id = desk.asks(&build())["verification_id"].clone();
    let path = format!("/verify/{}", id.as_str().unwrap());
    let bearer = format!("Bearer {}", desk.gateway.token);
    let send = |name: &str| {
        let headers = [("Authorization", bearer.as_str()), ("User-Agent", name)];
        ask(desk.gateway.address, "GET", &path, &headers, None).status
    };
    // The tests work in a project of their own, which says where they are.
    let elsewhere = std::env::current_dir().unwrap().ancestors().any(|above| above.join(".git").exists());
    assert_eq!(send("tester/1"), if elsewhere { 404 } else { 200 });
    let twice =
        [("Authorization", bearer.as_str()), ("Opentoolbar-Project", "/a"), ("Opentoolbar-Project", "/b")];
    assert_eq!(ask(desk.gateway.address, "GET", &path, &twice, None).status, 422);
    for (query, status) in [
        ("wait=0", 200),
        ("wait", 422),
        ("wait=", 422),
        ("wait=46", 422),
        ("wait=-1", 422),
        ("wait=0&wait=1", 422),
    ] {
        assert_eq!(desk.send("GET", &format!("{path}?{query}"), None).status, status, "{query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_over_http_is_an_agent_to_everybody_and_called_what_it_says() {
    let desk = Desk::new().await;
    assert!(desk.room.agents_seen().is_empty());
    desk.asks(&build());
    desk.asks(&json!({ "action": "Push", "reason": "r" }));
    assert_eq!(desk.room.agents_seen(), [("tester/1".to_owned(), "shop".to_owned())]);
}

/// A client that gives up and asks again leaves no wait behind.
#[tokio::test(flavor = "multi_thread")]
async fn who_gives_up_and_asks_again_is_not_refused_for_what_it_gave_up() {
    let desk = Desk::new().await;
    let asked = desk.asks(&build());
    let path = format!("/verify/{}", asked["verification_id"].as_str().unwrap());
    let project = desk.room.project.to_str().unwrap();
    for _ in 0..80 {
        let mut stream = TcpStream::connect(desk.gateway.address).unwrap();
        write!(
            stream,
            "GET {path}?wait=45 HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nUser-Agent: tester/1\r\n\
             Opentoolbar-Project: {project}\r\n\r\n",
            desk.gateway.address, desk.gateway.token
        )
        .unwrap();
        // Until it is waited for.
        std::thread::sleep(Duration::from_millis(20));
    }
    let began = Instant::now();
    let waits = || desk.send("GET", &format!("{path}?wait=1"), None).status;
    desk.room.wait_until("there is room for one that waits", || waits() == 200);
    // The first of them would have been over by itself soon after.
    assert!(began.elapsed() < Duration::from_secs(25), "{:?}", began.elapsed());
}

/// A part of a repository that the person has chosen for its pages, and no other project around it.
#[tokio::test(flavor = "multi_thread")]
async fn a_project_that_is_named_is_the_one_that_is_asked_in() {
    let desk = Desk::new().await;
    let part = desk.room.path().join("mono/apps/part");
    std::fs::create_dir_all(&part).unwrap();
    std::fs::create_dir_all(desk.room.path().join("mono/.git")).unwrap();
    let root = part.canonicalize().unwrap().to_str().unwrap().to_owned();
    let browser = desk.room.browser().await;
    open_tab(&browser, "s_part", "http://localhost:5999/", &part).await;
    let bearer = format!("Bearer {}", desk.gateway.token);
    let headers = [
        ("Authorization", bearer.as_str()),
        ("Opentoolbar-Project", root.as_str()),
        ("Content-Type", "application/json"),
    ];
    let asked = ask(desk.gateway.address, "POST", "/verify", &headers, Some(&build().to_string()));
    assert_eq!(asked.status, 200, "{asked:?}");
    assert_eq!(desk.pending().await[0].project.root, root);
}
