//! The scenarios of the two tools that read dialogs, each by its name, and what must not be told. How histories are
//! read is shown in `native-host/dialogs/tests`.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::world::conversation::{say, session};
use crate::world::{Agent, World, refusal, succeeded};

const GET: &str = "copilot_chat_secretary_get_request";
const FIRST: &str = "copilot_chat_secretary_get_first_request";

/// A person with a chat in VS Code, and an agent in the project.
struct Person {
    world: World,
    home: tempfile::TempDir,
}

impl Person {
    fn new() -> Self {
        Self { world: World::new(), home: tempfile::tempdir().unwrap() }
    }

    async fn agent(&self) -> Agent {
        let mut agent = Agent::start_for(self.home.path(), self.world.home(), &self.world.project());
        agent.initialize("2025-06-18").await;
        agent
    }

    /// Where VS Code keeps the chats of a folder.
    fn sessions(&self, hash: &str, folder: &std::path::Path) -> PathBuf {
        let storage = self.home.path().join(".config/Code/User/workspaceStorage").join(hash);
        fs::create_dir_all(storage.join("chatSessions")).unwrap();
        let says = json!({ "folder": format!("file://{}", folder.display()) });
        fs::write(storage.join("workspace.json"), says.to_string()).unwrap();
        storage.join("chatSessions")
    }

    fn chat(&self, id: &str, requests: &[&str]) {
        self.chat_in(&self.sessions("project", &self.world.project()), id, requests);
    }

    fn chat_in(&self, sessions: &std::path::Path, id: &str, requests: &[&str]) {
        let requests: Vec<Value> = (0..)
            .zip(requests)
            .map(|(at, text)| json!({ "requestId": format!("r{at}"), "message": { "text": text }, "timestamp": 1_764_000_000_000_u64 + at, "response": [] }))
            .collect();
        let chat = json!({ "version": 3, "sessionId": id, "creationDate": 1, "lastMessageDate": 2, "requests": requests });
        fs::write(sessions.join(format!("{id}.json")), chat.to_string()).unwrap();
    }
}

/// With a chat in which five things were asked.
async fn five() -> (Person, Agent) {
    let person = Person::new();
    person.chat("abc-123", &["Fix the header", "Make it blue", "And the footer", "Smaller", "Thanks"]);
    let agent = person.agent().await;
    (person, agent)
}

#[tokio::test]
async fn get_request_by_index_from_current_dialog() {
    let (_person, mut agent) = five().await;
    let told = succeeded(agent.call(GET, json!({ "index": 2 })).await);
    let expected = json!({
        "success": true, "sessionId": "abc-123", "request": "Make it blue", "index": 2,
        "timestamp": 1_764_000_000_001_u64, "totalRequests": 5,
    });
    assert_eq!(told, expected);
}

#[tokio::test]
async fn get_request_by_index_from_specific_session() {
    let (person, mut agent) = five().await;
    person.chat("other-1", &["Something else"]);
    let told = succeeded(agent.call(GET, json!({ "index": 3, "sessionId": "abc-123" })).await);
    assert_eq!((&told["request"], &told["sessionId"]), (&json!("And the footer"), &json!("abc-123")));
}

#[tokio::test]
async fn index_less_than_1() {
    let mut agent = Person::new().agent().await;
    for index in [0, -1] {
        let told = agent.call(GET, json!({ "index": index })).await;
        assert_eq!((&told["success"], &told["error"]), (&json!(false), &json!("Index must be 1 or greater")));
    }
}

#[tokio::test]
async fn index_exceeds_total_requests() {
    let (person, mut agent) = five().await;
    for (index, number) in [(json!(10), "10"), (json!(1_000_000_000_000_u64), "1000000000000")] {
        let told = agent.call(GET, json!({ "index": index })).await;
        assert_eq!(told["error"], format!("Index {number} exceeds total requests (5)"), "{told}");
    }
    person.chat("empty-1", &[]);
    let told = agent.call(GET, json!({ "index": 1, "sessionId": "empty-1" })).await;
    assert_eq!(told["error"], "Index 1 exceeds total requests (0)", "{told}");
}

#[tokio::test]
async fn chat_data_not_available() {
    let person = Person::new();
    let sessions = person.sessions("project", &person.world.project());
    fs::write(sessions.join("broken-1.json"), r#"{"version": 99, "sessionId": "broken-1", "requests": []}"#)
        .unwrap();
    let mut agent = person.agent().await;
    for (tool, arguments) in
        [(GET, json!({ "index": 1, "sessionId": "broken-1" })), (FIRST, json!({ "sessionId": "broken-1" }))]
    {
        let told = agent.call(tool, arguments).await;
        assert_eq!(told["error"], "Chat data not available for session", "{told}");
    }
}

#[tokio::test]
async fn missing_required_index_parameter() {
    let mut agent = Person::new().agent().await;
    for arguments in [json!({}), json!({ "index": null }), json!({ "sessionId": "abc-123" })] {
        let told = agent.call(GET, arguments).await;
        assert_eq!(
            (&told["success"], &told["error"]),
            (&json!(false), &json!("Index parameter is required"))
        );
    }
}

#[tokio::test]
async fn get_first_request_from_current_dialog() {
    let person = Person::new();
    let long = "Make the header blue and the footer green, and keep the sidebar as it is while you are at it, please";
    person.chat("abc-123", &[long, "Thanks"]);
    let mut agent = person.agent().await;
    let told = succeeded(agent.call(FIRST, json!({})).await);
    let preview = told["firstRequest"].as_str().unwrap();
    assert!(preview.chars().count() <= 80 && long.starts_with(preview.trim_end_matches('…')), "{preview}");
    assert_eq!((&told["sessionId"], &told["requestsCount"]), (&json!("abc-123"), &json!(2)));
    assert_eq!(told["timestamp"], 1_764_000_000_000_u64);
}

#[tokio::test]
async fn get_first_request_from_specific_session() {
    let (person, mut agent) = five().await;
    person.chat("other-1", &["Something else"]);
    let told = succeeded(agent.call(FIRST, json!({ "sessionId": "abc-123" })).await);
    assert_eq!(told["firstRequest"], "Fix the header");
}

#[tokio::test]
async fn no_active_dialog() {
    let mut agent = Person::new().agent().await;
    for (tool, arguments) in [(FIRST, json!({})), (GET, json!({ "index": 1 }))] {
        let told = agent.call(tool, arguments).await;
        assert_eq!((&told["success"], &told["error"]), (&json!(false), &json!("No active dialog found")));
    }
}

#[tokio::test]
async fn session_not_found() {
    let (_person, mut agent) = five().await;
    for (tool, arguments) in [
        (FIRST, json!({ "sessionId": "non-existent" })),
        (GET, json!({ "index": 1, "sessionId": "non-existent" })),
    ] {
        let told = agent.call(tool, arguments).await;
        assert_eq!(told["error"], "Session not found: non-existent", "{told}");
    }
}

#[tokio::test]
async fn first_request_unavailable() {
    let person = Person::new();
    person.chat("empty-1", &[]);
    let mut agent = person.agent().await;
    let told = agent.call(FIRST, json!({ "sessionId": "empty-1" })).await;
    assert_eq!(told["error"], "First request not available", "{told}");
}

#[tokio::test]
async fn schema_validation() {
    let mut agent = Person::new().agent().await;
    for (arguments, named) in [
        (json!({ "index": 1.5 }), "integer"),
        (json!({ "index": "2" }), "number"),
        (json!({ "index": true }), "number"),
        (json!({ "index": 1, "sessionId": 7 }), "sessionId"),
        (json!({ "index": 1, "sesionId": "abc" }), "sesionId"),
    ] {
        let told = agent.call(GET, arguments.clone()).await;
        let why = refusal(&told);
        assert!(why.contains(named), "{arguments}: {why}");
        if arguments["index"] != 1 {
            assert!(why.contains("`index`"), "{why}");
        }
    }
}

/// Both descriptions: use cases, parameters, what is returned with an example, and usage with and without parameters.
#[tokio::test]
async fn tool_description_includes_use_cases_and_example_usage() {
    let mut agent = Person::new().agent().await;
    let listed = agent.ask("tools/list", json!({})).await["result"]["tools"].clone();
    for name in [GET, FIRST] {
        let tool = listed.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap();
        let description = tool["description"].as_str().unwrap();
        for part in [
            "Use this tool when:\n- ",
            "Parameters:\n- ",
            "Returns: JSON, for example {",
            "Example usage scenarios:\n- without",
        ] {
            assert!(description.contains(part), "{name} lacks {part:?}: {description}");
        }
        assert!(description.contains("\n- with: "), "{description}");
    }
}

/// What is told is JSON as text, and the same as structured content; what fails says so in the same shape.
#[tokio::test]
async fn successful_response_format_and_error_response_format() {
    let (_person, mut agent) = five().await;
    let done = agent.result(GET, json!({ "index": 1 })).await;
    assert_eq!((&done["isError"], &done["structuredContent"]["success"]), (&json!(false), &json!(true)));
    let failed = agent.result(GET, json!({ "index": 9 })).await;
    assert_eq!((&failed["isError"], &failed["structuredContent"]["success"]), (&json!(false), &json!(false)));
}

#[tokio::test]
async fn a_dialog_of_another_project_is_not_there() {
    let person = Person::new();
    let foreign = tempfile::tempdir().unwrap();
    person.chat_in(&person.sessions("foreign", foreign.path()), "foreign-1", &["Their secret plan"]);
    let mut agent = person.agent().await;
    let told = agent.call(GET, json!({ "index": 1, "sessionId": "foreign-1" })).await;
    assert_eq!(told["error"], "Session not found: foreign-1", "{told}");
    assert_eq!(agent.call(FIRST, json!({})).await["error"], "No active dialog found");
}

/// As in the home directory: whoever has no project has none of the others' dialogs.
#[tokio::test]
async fn an_agent_in_no_project_is_told_no_dialog() {
    let person = Person::new();
    person.chat("abc-123", &["Their secret plan"]);
    let mut agent = Agent::start_for(person.home.path(), person.world.home(), std::path::Path::new("/"));
    agent.initialize("2025-06-18").await;
    assert_eq!(agent.call(FIRST, json!({})).await["error"], "No active dialog found");
    let told = agent.call(GET, json!({ "index": 1, "sessionId": "abc-123" })).await;
    assert_eq!(told["error"], "Session not found: abc-123", "{told}");
}

#[tokio::test]
async fn a_tab_in_which_nothing_was_said_has_no_requests() {
    let person = Person::new();
    let _browser = person.world.browser().await;
    let mut agent = person.agent().await;
    let id = session();
    let told = agent.call(FIRST, json!({ "sessionId": id.as_str() })).await;
    assert_eq!(told["error"], "First request not available", "{told}");
    let told = agent.call(GET, json!({ "index": 1, "sessionId": id.as_str() })).await;
    assert_eq!(told["error"], "Index 1 exceeds total requests (0)", "{told}");
}

#[tokio::test]
async fn a_preview_has_80_characters_also_of_what_hides() {
    let person = Person::new();
    person.chat("abc-123", &[&"\u{202e}".repeat(80)]);
    let mut agent = person.agent().await;
    let told = succeeded(agent.call(FIRST, json!({})).await);
    assert!(told["firstRequest"].as_str().unwrap().chars().count() <= 80, "{told}");
}

#[tokio::test]
async fn a_whole_number_is_an_index_however_it_is_written() {
    let (_person, mut agent) = five().await;
    agent.line(r#"{"jsonrpc":"2.0","id":700,"method":"tools/call","params":{"name":"copilot_chat_secretary_get_request","arguments":{"index":2.0,"sessionId":""}}}"#).await;
    assert_eq!(agent.answer().await["result"]["structuredContent"]["request"], "Make it blue");
    let told = agent.call(GET, json!({ "index": 1e20 })).await;
    assert_eq!(told["error"], "Index 100000000000000000000 exceeds total requests (5)", "{told}");
}

#[tokio::test]
async fn our_own_chat_is_the_current_dialog_when_it_is_the_latest() {
    let person = Person::new();
    let browser = person.world.browser().await;
    say(&browser, None, "Is it blue?").await;
    say(&browser, None, "And the label?").await;
    let mut agent = person.agent().await;
    let told = succeeded(agent.call(GET, json!({ "index": 2 })).await);
    assert_eq!((&told["request"], &told["totalRequests"]), (&json!("And the label?"), &json!(2)));
    assert_eq!(told["sessionId"], session().as_str());
    let named = succeeded(agent.call(FIRST, json!({ "sessionId": session().as_str() })).await);
    assert_eq!(named["firstRequest"], "Is it blue?");
    // What was asked in VS Code since then is the latest.
    person.chat("abc-123", &["Fix the header"]);
    assert_eq!(succeeded(agent.call(FIRST, json!({})).await)["firstRequest"], "Fix the header");
}

#[tokio::test]
async fn secrets_are_not_told() {
    let person = Person::new();
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    person.chat("abc-123", &[&format!("Deploy with {secret}")]);
    let mut agent = person.agent().await;
    for (tool, arguments) in [(GET, json!({ "index": 1 })), (FIRST, json!({}))] {
        let told = succeeded(agent.call(tool, arguments).await).to_string();
        assert!(!told.contains("a1B2c3D4"), "{told}");
        assert!(told.contains("Deploy with"), "{told}");
    }
}
