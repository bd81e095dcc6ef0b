//! Verifications: an agent asks, over the real MCP server and hub, and a person decides. The gateway's own scenarios
//! are in `gateway_*`; what is stored is tested in the store.

use std::time::{Duration, Instant};

use opentoolbar::home::Home;
use opentoolbar::hub::client::{Client, Connector};
use opentoolbar_core::model::{Verification, VerificationId};
use opentoolbar_core::protocol::{
    Answer, ErrorBody, ErrorCode, Event, Hello, PROTOCOL_VERSION, Request, Role, RuleWish,
};
use serde_json::{Value, json};

use crate::room::websocket::websocket;
use crate::room::{Room, hello};
use crate::world::{Agent, World, program, refusal, succeeded};

const ASK: &str = "request_verification";
const GET: &str = "get_verification";

/// A browser that shows verifications, with the person before it.
struct Person {
    client: Client,
}

impl Person {
    async fn at(world: &World) -> Self {
        let hello = Hello {
            protocol: PROTOCOL_VERSION,
            version: "0.1.0".into(),
            role: Role::Browser,
            client: "Chromium 156".into(),
            cwd: None,
            instance: None,
            last_asked: None,
            capabilities: vec!["verifications".into()],
        };
        let client = Connector::new(Home::at(world.home())).program(program()).connect(hello).await;
        Self { client: client.expect("the hub starts") }
    }

    async fn pending(&self) -> Vec<Verification> {
        match self.client.request(Request::ListVerifications).await.unwrap() {
            Answer::Verifications { pending, .. } => pending,
            other => panic!("{other:?}"),
        }
    }

    /// Waits until just this is asked.
    async fn sees(&self, action: &str) -> Verification {
        let began = Instant::now();
        loop {
            if let Some(found) = self.pending().await.into_iter().find(|one| one.action == action) {
                return found;
            }
            assert!(began.elapsed() < Duration::from_secs(30), "nobody asks for {action}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn decide(&self, of: &Verification, approve: bool) -> Result<Verification, ErrorBody> {
        decide(&self.client, of, approve, None).await
    }
}

async fn decide(
    client: &Client,
    of: &Verification,
    approve: bool,
    rule: Option<RuleWish>,
) -> Result<Verification, ErrorBody> {
    let request = Request::DecideVerification {
        verification_id: of.id.clone(),
        hash: of.hash.clone(),
        approve,
        note: Some("As you say".into()),
        rule,
    };
    match client.request(request).await? {
        Answer::Verification { verification, .. } => Ok(*verification),
        other => panic!("{other:?}"),
    }
}

fn build() -> Value {
    json!({ "action": "Delete build/", "reason": "It is stale", "context": "12 MB" })
}

async fn asks(agent: &mut Agent, arguments: Value) -> i64 {
    agent.send("tools/call", json!({ "name": ASK, "arguments": arguments })).await
}

async fn told(agent: &mut Agent) -> Value {
    agent.answer().await["result"]["structuredContent"].clone()
}

#[tokio::test]
async fn verification_request_format() {
    let world = World::new();
    let person = Person::at(&world).await;
    let mut agent = world.agent().await;
    for (arguments, said) in [
        (json!({ "reason": "r" }), "missing field `action`"),
        (json!({ "action": "a" }), "missing field `reason`"),
        (json!({ "action": " ", "reason": "r" }), "`action` is empty"),
        (json!({ "action": "a", "reason": "r", "timeoutSeconds": 4 }), "`timeoutSeconds` must be"),
        (json!({ "action": "a", "reason": "r", "timeoutSeconds": 86_401 }), "`timeoutSeconds` must be"),
        (json!({ "action": "a", "reason": "r", "approve": true }), "unknown field `approve`"),
        (json!({ "action": "a".repeat(1_001), "reason": "r" }), "at most 1000"),
        (json!({ "action": "a", "reason": "r", "context": "c".repeat(16 * 1024 + 1) }), "at most 16384"),
    ] {
        let refused = refusal(&agent.call(ASK, arguments).await);
        assert!(refused.contains(said), "{refused}");
    }
    assert!(person.pending().await.is_empty());
    // What stands in a context is kept as text, whatever it is.
    asks(&mut agent, json!({ "action": "a", "reason": "r", "context": { "z": [1], "a": "x" } })).await;
    let seen = person.sees("a").await;
    assert_eq!(seen.context.as_deref(), Some(r#"{"a":"x","z":[1]}"#));
    assert_eq!(
        (seen.asker.as_str(), seen.project.root.as_str()),
        ("test-agent 1.0", world.project().to_str().unwrap())
    );
}

#[tokio::test]
async fn verification_response() {
    let world = World::new();
    let person = Person::at(&world).await;
    let mut agent = world.agent().await;
    asks(&mut agent, build()).await;
    let seen = person.sees("Delete build/").await;
    person.decide(&seen, true).await.unwrap();
    let told = succeeded(told(&mut agent).await);
    assert_eq!(
        (&told["status"], &told["decidedBy"], &told["note"]),
        (&json!("approved"), &json!("person"), &json!("As you say"))
    );
    assert_eq!(told["verificationId"], seen.id.as_str());
    assert!(
        told["message"].as_str().unwrap().contains("approved") && told.get("nextStep").is_none(),
        "{told}"
    );
    // Once: the same question is another one now.
    asks(&mut agent, build()).await;
    let again = person.sees("Delete build/").await;
    assert_ne!(again.id, seen.id);
    person.decide(&again, false).await.unwrap();
    let told = succeeded(self::told(&mut agent).await);
    assert_eq!((&told["status"], &told["decidedBy"]), (&json!("rejected"), &json!("person")));
}

#[tokio::test]
async fn verification_status_polling() {
    let world = World::new();
    let mut agent = world.agent().await;
    asks(&mut agent, build()).await;
    let person = world.browser().await;
    let mut other = world.agent().await;
    // Of an agent that waits another connection of its own can ask, too.
    let pending = loop {
        let listed = other.call(ASK, json!({ "action": "Other", "reason": "r", "timeoutSeconds": 5 }));
        // It waits for the person, as the first one does: what it asked is read meanwhile.
        tokio::select! {
            told = listed => panic!("{told}"),
            () = tokio::time::sleep(Duration::from_millis(300)) => {}
        }
        match person.client.request(Request::ListVerifications).await.unwrap() {
            Answer::Verifications { pending, .. } if pending.len() == 2 => break pending,
            _ => {}
        }
    };
    let of = |action: &str| pending.iter().find(|one| one.action == action).unwrap().id.to_string();
    let mut third = world.agent().await;
    let told =
        succeeded(third.call(GET, json!({ "verificationId": of("Delete build/"), "waitSeconds": 0 })).await);
    assert_eq!(told["status"], "pending");
    assert!(told["message"].as_str().unwrap().starts_with("Nobody sees it yet"), "{told}");
    assert!(told["nextStep"].as_str().unwrap().contains("get_verification"), "{told}");
    for id in ["v_unknown", "nothing"] {
        let refused = refusal(&third.call(GET, json!({ "verificationId": id })).await);
        assert!(refused.contains(id), "{refused}");
    }
}

#[tokio::test]
async fn verification_timeout() {
    let world = World::new();
    let person = Person::at(&world).await;
    let mut agent = world.agent().await;
    let began = Instant::now();
    let told = agent.call(ASK, json!({ "action": "Drop it", "reason": "r", "timeoutSeconds": 5 })).await;
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!((&told["status"], &told["decidedBy"]), (&json!("rejected"), &json!("timeout")), "{told}");
    assert!(told["message"].as_str().unwrap().contains("Nobody decided in time"), "{told}");
    let id: VerificationId = told["verificationId"].as_str().unwrap().parse().unwrap();
    let request = Request::DecideVerification {
        verification_id: id,
        hash: "00".into(),
        approve: true,
        note: None,
        rule: None,
    };
    let refused = person.client.request(request).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict, "{refused}");
    assert!(refused.message.contains("its time ran out"), "{refused}");
}

/// Before clients give up, and with what to do then.
#[tokio::test]
async fn who_asks_is_told_that_it_is_pending_after_45_seconds() {
    let world = World::new();
    let mut agent = world.agent().await;
    let began = Instant::now();
    asks(&mut agent, build()).await;
    let told = told(&mut agent).await;
    let waited = began.elapsed();
    assert!((Duration::from_secs(44)..Duration::from_secs(55)).contains(&waited), "{waited:?}");
    assert_eq!(told["status"], "pending", "{told}");
    assert!(told["nextStep"].as_str().unwrap().contains("do not ask again"), "{told}");
}

/// The time of a wait is one, however many hubs there are meanwhile: clients give up soon after it.
#[tokio::test]
async fn who_waits_is_told_in_its_time_although_the_hub_is_another_meanwhile() {
    let room = Room::new();
    let mut hub = room.hub();
    let agent = room.agent("codex 1.0").await;
    let ask = Request::RequestVerification {
        action: "Delete build/".into(),
        reason: "It is stale".into(),
        context: None,
        timeout_seconds: None,
        timeout_ms: 8_000,
        process: None,
    };
    let asked = tokio::spawn({
        let agent = agent.clone();
        async move { agent.request(ask).await }
    });
    tokio::time::sleep(Duration::from_secs(6)).await;
    hub.kill().unwrap();
    hub.wait().unwrap();
    let Answer::Verification { verification, .. } = asked.await.unwrap().unwrap() else { panic!() };
    assert_eq!(verification.decided, None);
}

/// A flood leaves what a person can see, and a hub that answers.
#[tokio::test]
async fn of_ten_thousand_requests_a_hundred_wait_and_the_others_are_refused() {
    let room = Room::new();
    let agent = room.agent("codex 1.0").await;
    let ask = |number: u32| Request::RequestVerification {
        action: format!("Step {number}"),
        reason: "r".into(),
        context: None,
        timeout_seconds: None,
        timeout_ms: 0,
        process: None,
    };
    let (mut waiting, mut refused) = (0, 0);
    for hundred in 0..100 {
        let mut asked = tokio::task::JoinSet::new();
        for number in 0..100 {
            let (agent, request) = (agent.clone(), ask(hundred * 100 + number));
            asked.spawn(async move { agent.request(request).await });
        }
        while let Some(answered) = asked.join_next().await {
            match answered.unwrap() {
                Ok(Answer::Verification { .. }) => waiting += 1,
                Err(refusal) if refusal.code == ErrorCode::RateLimited => refused += 1,
                other => panic!("{other:?}"),
            }
        }
    }
    assert_eq!((waiting, refused), (100, 9_900));
    let hello =
        Hello { capabilities: vec!["verifications".into()], ..hello(Role::Browser, "Chromium 156", None) };
    let person = Person { client: room.connector().connect(hello).await.unwrap() };
    assert_eq!(person.pending().await.len(), 100);
}

#[tokio::test]
async fn a_verification_outlives_its_hub_and_its_agent() {
    let world = World::new();
    let person = Person::at(&world).await;
    let mut agent = world.agent().await;
    asks(&mut agent, build()).await;
    let seen = person.sees("Delete build/").await;
    world.kill_hub();
    assert_eq!(person.sees("Delete build/").await, seen, "the next hub has it");
    // The agent's call goes on, and so does one of its next process.
    let mut next = world.agent().await;
    asks(&mut next, build()).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(person.pending().await.len(), 1, "the same words of the same agent are the same");
    person.decide(&seen, true).await.unwrap();
    for agent in [&mut agent, &mut next] {
        let told = succeeded(told(agent).await);
        assert_eq!(
            (&told["status"], &told["verificationId"]),
            (&json!("approved"), &json!(seen.id.as_str()))
        );
    }
}

#[tokio::test]
async fn what_ran_out_while_no_hub_was_there_is_rejected_before_anybody_can_approve_it() {
    let world = World::new();
    let person = Person::at(&world).await;
    let mut agent = world.agent().await;
    asks(&mut agent, json!({ "action": "Late", "reason": "r", "timeoutSeconds": 5 })).await;
    let seen = person.sees("Late").await;
    drop((agent, person));
    world.kill_hub();
    tokio::time::sleep(Duration::from_secs(6)).await;
    let person = Person::at(&world).await;
    let refused = person.decide(&seen, true).await.unwrap_err();
    assert!(refused.message.contains("its time ran out"), "{refused}");
}

#[tokio::test]
async fn browsers_are_told_and_a_rule_decides_in_the_persons_place() {
    let world = World::new();
    let person = Person::at(&world).await;
    let mut events = person.client.events();
    let mut agent = world.agent().await;
    asks(&mut agent, build()).await;
    let asked = loop {
        if let Event::VerificationChanged { verification } = events.recv().await.unwrap().event {
            break *verification;
        }
    };
    decide(&person.client, &asked, true, Some(RuleWish { hours: 1, any_context: false })).await.unwrap();
    let rules = loop {
        if let Event::RulesChanged { rules } = events.recv().await.unwrap().event {
            break rules;
        }
    };
    assert_eq!(rules.len(), 1);
    told(&mut agent).await;
    let allowed = succeeded(agent.call(ASK, build()).await);
    assert_eq!((&allowed["status"], &allowed["decidedBy"]), (&json!("approved"), &json!("rule")));
    let stopped = person.client.request(Request::StopRule { rule_id: rules[0].id.clone() }).await.unwrap();
    assert!(matches!(stopped, Answer::Verifications { rules, .. } if rules.is_empty()));
    asks(&mut agent, build()).await;
    person.sees("Delete build/").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_person_decides() {
    let room = Room::new();
    let gateway = room.gateway();
    let agent = room.agent("codex 1.0").await;
    let ask = Request::RequestVerification {
        action: "Delete build/".into(),
        reason: "It is stale".into(),
        context: None,
        timeout_seconds: None,
        timeout_ms: 0,
        process: None,
    };
    let Answer::Verification { verification, .. } = agent.request(ask).await.unwrap() else { panic!() };
    // An agent, which cannot even list them.
    let refused = decide(&agent, &verification, true, None).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Forbidden, "{refused}");
    assert_eq!(agent.request(Request::ListVerifications).await.unwrap_err().code, ErrorCode::Forbidden);
    // Whoever has the programs' token, as a browser with every capability and as a page's own script.
    let decides = json!({
        "id": "m_2", "type": "decide_verification",
        "payload": { "verificationId": verification.id, "hash": verification.hash, "approve": true }
    });
    let mut greeting = hello(Role::Browser, "Chromium 156", None);
    greeting.capabilities = vec!["verifications".into()];
    for (path, first) in [
        ("/ws", Some(json!({ "id": "m_1", "type": "hello", "payload": greeting }))),
        ("/ws?sessionId=tab", None),
    ] {
        let mut socket = websocket(&gateway, path);
        let messages =
            first.into_iter().chain([json!({ "id": "m_3", "type": "list_verifications" }), decides.clone()]);
        for message in messages {
            let id = message["id"].clone();
            socket.send(message.to_string().into()).unwrap();
            let answer: Value = loop {
                let said: Value = serde_json::from_str(socket.read().unwrap().to_text().unwrap()).unwrap();
                if said["replyTo"] == id || said.get("replyTo").is_none() && said["type"] == "error" {
                    break said;
                }
            };
            if id != "m_1" {
                assert_eq!(answer["payload"]["code"], "forbidden", "{path} {id}: {answer}");
            }
        }
    }
    // Nobody of another project sees it, and another agent of this one cannot take it back.
    let elsewhere = room.path().join("other");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("package.json"), "{}").unwrap();
    let id = verification.id.clone();
    for other in [room.agent_in("codex 1.0", &elsewhere).await, room.agent("claude 2.0").await] {
        let get = Request::GetVerification { verification_id: id.clone(), timeout_ms: 0 };
        assert_eq!(other.request(get).await.unwrap_err().code, ErrorCode::UnknownVerification);
        let withdraw = Request::WithdrawVerification { verification_id: id.clone() };
        assert_eq!(other.request(withdraw).await.unwrap_err().code, ErrorCode::UnknownVerification);
    }
    let Answer::Verification { verification, .. } =
        agent.request(Request::GetVerification { verification_id: id, timeout_ms: 0 }).await.unwrap()
    else {
        panic!()
    };
    assert!(verification.decided.is_none());
}

#[tokio::test]
async fn the_hub_stays_while_something_waits_and_leaves_after_it() {
    let room = Room::new();
    let mut hub = room.hub_of(room.program().env("OPENTOOLBAR_IDLE_SECONDS", "1"));
    let agent = room.agent("codex 1.0").await;
    let ask = Request::RequestVerification {
        action: "Delete build/".into(),
        reason: "It is stale".into(),
        context: None,
        timeout_seconds: Some(5),
        timeout_ms: 0,
        process: None,
    };
    agent.request(ask).await.unwrap();
    drop(agent);
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(hub.try_wait().unwrap(), None, "somebody may decide it any moment");
    room.wait_until("the hub has left", || hub.try_wait().unwrap().is_some());
}

#[tokio::test]
async fn an_agents_program_cannot_approve_in_a_terminal() {
    let world = World::new();
    let person = Person::at(&world).await;
    // Its server is a child of this process, and so is the verb.
    let mut agent = world.agent().await;
    asks(&mut agent, build()).await;
    let seen = person.sees("Delete build/").await;
    let listed = world.verb(&["verifications"]).assert().success();
    let text = String::from_utf8(listed.get_output().stdout.clone()).unwrap();
    for part in
        ["Waiting for you: 1", seen.id.as_str(), "Delete build/", "It is stale", "12 MB", "test-agent 1.0"]
    {
        assert!(text.contains(part), "{text}");
    }
    for verb in ["approve", "reject"] {
        let refused = world.verb(&[verb, seen.id.as_str()]).assert().code(1);
        let error = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
        assert!(
            error.contains("or runs an agent that may") && error.contains("Only a person decides"),
            "{error}"
        );
    }
    assert_eq!(person.pending().await.len(), 1);
}

/// With a terminal of its own, and an agent that nobody above the verb has started.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_person_approves_in_a_terminal_by_typing_what_it_asks_for() {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let world = World::new();
    let person = Person::at(&world).await;
    let lines = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "loner", "version": "1" }
        } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": ASK, "arguments": build() } }),
    ];
    let said = world.home().join("said");
    std::fs::write(&said, lines.map(|line| format!("{line}\n")).concat()).unwrap();
    // Its shell ends at once: then it is nobody's child. It ends when this test's directory is gone.
    let started = Command::new("sh")
        .args(["-c", "{ (cat said; while [ -e said ]; do sleep 0.1; done) | \"$0\" mcp --project \"$1\" > heard; } < /dev/null > /dev/null 2>&1 &", program()])
        .arg(world.project())
        .current_dir(world.home())
        .env("OPENTOOLBAR_HOME", world.home())
        .status()
        .unwrap();
    assert!(started.success());
    let seen = person.sees("Delete build/").await;
    let in_terminal = |typed: &str| {
        let line = format!("{} approve {}", program(), seen.id);
        let mut terminal = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .env("OPENTOOLBAR_HOME", world.home())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        terminal.stdin.take().unwrap().write_all(format!("{typed}\n").as_bytes()).unwrap();
        String::from_utf8(terminal.wait_with_output().unwrap().stdout).unwrap()
    };
    let refused = in_terminal("yes");
    assert!(refused.contains("nothing was decided"), "{refused}");
    let id = seen.id.as_str();
    let approved = in_terminal(&id[id.len() - 4..]);
    assert!(approved.contains("approved by a person in a terminal"), "{approved}");
    let began = Instant::now();
    loop {
        let heard = std::fs::read_to_string(world.home().join("heard")).unwrap();
        if heard.contains("approved") {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{heard}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
