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

const LIST: &str = "list_dialogs";
const SEARCH: &str = "search_dialogs";

impl Person {
    /// A transcript of Claude Code, held in the project: what was asked, and what was answered.
    fn transcript(&self, id: &str, said: &[(&str, &str)]) {
        let project = self.world.project();
        let folder = self.home.path().join(".claude/projects/shop");
        fs::create_dir_all(&folder).unwrap();
        let line = |(role, text): &(&str, &str)| {
            json!({
                "type": role, "sessionId": id, "cwd": project, "timestamp": "2025-11-24T10:00:00.000Z",
                "message": { "role": role, "content": text },
            })
        };
        let lines: String = said.iter().map(|one| format!("{}\n", line(one))).collect();
        fs::write(folder.join(format!("{id}.jsonl")), lines).unwrap();
    }
}

fn of_each<'a>(told: &'a Value, list: &str, field: &str) -> Vec<&'a Value> {
    told[list].as_array().unwrap().iter().map(|one| &one[field]).collect()
}

#[tokio::test]
async fn dialogs_of_every_program_are_listed_with_their_counts_and_ours_too() {
    let (person, mut agent) = five().await;
    person
        .transcript("11111111-2222-4333-8444-555555555555", &[("user", "Add a test"), ("assistant", "Done")]);
    let browser = person.world.browser().await;
    say(&browser, None, "Is it blue?").await;
    let told = succeeded(agent.call(LIST, json!({})).await);
    let mut sources: Vec<_> = of_each(&told, "dialogs", "source").into_iter().map(Value::to_string).collect();
    sources.sort();
    assert_eq!(sources, ["\"claude_code\"", "\"opentoolbar\"", "\"vs_code\""], "{told}");
    let chat = told["dialogs"].as_array().unwrap().iter().find(|one| one["source"] == "vs_code").unwrap();
    assert_eq!((&chat["sessionId"], &chat["requests"]), (&json!("abc-123"), &json!(5)), "{told}");
    assert_eq!(chat["title"], "Fix the header", "{told}");
    assert_eq!(chat["project"], json!(person.world.project()), "{told}");
    assert!(chat["lastActive"].is_u64(), "{told}");
    // Newest first, in pages, each once.
    let (mut seen, mut arguments) = (Vec::new(), json!({ "limit": 1 }));
    loop {
        let page = succeeded(agent.call(LIST, arguments.clone()).await);
        seen.extend(of_each(&page, "dialogs", "sessionId").into_iter().cloned());
        match page.get("nextCursor") {
            Some(cursor) => arguments["cursor"] = cursor.clone(),
            None => break,
        }
    }
    assert_eq!(seen.iter().collect::<Vec<_>>(), of_each(&told, "dialogs", "sessionId"));
    let codex = succeeded(agent.call(LIST, json!({ "source": "codex" })).await);
    assert_eq!((&codex["dialogs"], &codex["note"]), (&json!([]), &json!("There are no dialogs.")));
    // What is listed can be asked for.
    for id in seen {
        succeeded(agent.call(GET, json!({ "index": 1, "sessionId": id })).await);
    }
}

#[tokio::test]
async fn our_own_chat_is_a_dialog_also_when_its_tab_is_closed() {
    let person = Person::new();
    let browser = person.world.browser().await;
    say(&browser, None, "Is it blue?").await;
    browser
        .client
        .request(opentoolbar_core::protocol::Request::CloseSession { session_id: session() })
        .await
        .unwrap();
    let mut agent = person.agent().await;
    let told = succeeded(agent.call(LIST, json!({})).await);
    assert_eq!(
        (&told["dialogs"][0]["source"], &told["dialogs"][0]["requests"]),
        (&json!("opentoolbar"), &json!(1))
    );
    assert_eq!(succeeded(agent.call(FIRST, json!({})).await)["firstRequest"], "Is it blue?");
}

/// A window's new chat is there before anything is asked in it.
#[tokio::test]
async fn a_chat_without_a_request_hides_no_dialog() {
    let (person, mut agent) = five().await;
    std::thread::sleep(std::time::Duration::from_millis(20));
    person.chat("new-1", &[]);
    assert_eq!(succeeded(agent.call(FIRST, json!({})).await)["sessionId"], "abc-123");
}

#[tokio::test]
async fn words_are_found_in_every_program_from_the_newest_to_the_oldest() {
    let (person, mut agent) = five().await;
    person.transcript(
        "11111111-2222-4333-8444-555555555555",
        &[("user", "Look at the footer"), ("assistant", "The FOOTER is in src/Footer.tsx")],
    );
    let browser = person.world.browser().await;
    say(&browser, None, "The footer is too dark").await;
    let told = succeeded(agent.call(SEARCH, json!({ "query": "footer" })).await);
    let snippets = of_each(&told, "found", "snippet");
    assert_eq!(snippets.len(), 4, "{told}");
    let ours = &told["found"][0];
    assert_eq!(
        (&ours["source"], &ours["by"], &ours["index"]),
        (&json!("opentoolbar"), &json!("person"), &json!(1)),
        "{told}"
    );
    let agents = told["found"].as_array().unwrap().iter().find(|one| one["by"] == "agent").unwrap();
    assert_eq!(agents["snippet"], "The FOOTER is in src/Footer.tsx");
    let asked = told["found"].as_array().unwrap().iter().find(|one| one["source"] == "vs_code").unwrap();
    assert_eq!(
        (&asked["index"], &asked["sessionId"], &asked["by"]),
        (&json!(3), &json!("abc-123"), &json!("person"))
    );
    // In pages: each once.
    let (mut seen, mut arguments) = (Vec::new(), json!({ "query": "footer", "limit": 1 }));
    for _ in 0..10 {
        let page = succeeded(agent.call(SEARCH, arguments.clone()).await);
        seen.extend(of_each(&page, "found", "snippet").into_iter().cloned());
        match page.get("nextCursor") {
            Some(cursor) => arguments["cursor"] = cursor.clone(),
            None => break,
        }
    }
    assert_eq!(seen.iter().collect::<Vec<_>>(), snippets);
    let none = succeeded(agent.call(SEARCH, json!({ "query": "zebra" })).await);
    assert_eq!((&none["found"], &none["note"]), (&json!([]), &json!("Nothing was found.")));
    for wrong in [
        json!({ "query": " " }),
        json!({}),
        json!({ "query": "a", "cursor": "x" }),
        json!({ "query": "a", "source": "emacs" }),
    ] {
        refusal(&agent.call(SEARCH, wrong).await);
    }
}

#[tokio::test]
async fn a_secret_beside_what_is_found_is_not_told() {
    let person = Person::new();
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    // So that a snippet would end in the middle of it.
    for before in [0, 90, 100, 110] {
        person.chat(&format!("c-{before}"), &[&format!("needle {} {secret} end", "x".repeat(before))]);
    }
    let mut agent = person.agent().await;
    let told = succeeded(agent.call(SEARCH, json!({ "query": "needle" })).await);
    assert_eq!(told["found"].as_array().unwrap().len(), 4, "{told}");
    assert!(!told.to_string().contains("a1B2"), "{told}");
    // Nor is told that it is there.
    assert_eq!(succeeded(agent.call(SEARCH, json!({ "query": secret })).await)["found"], json!([]));
    assert!(!succeeded(agent.call(LIST, json!({})).await).to_string().contains("a1B2"));
}

/// Ours and others, each once, in the order of their last words.
#[tokio::test]
async fn dialogs_of_two_programs_are_listed_in_pages() {
    let (person, mut agent) = five().await;
    let browser = person.world.browser().await;
    say(&browser, None, "Is it blue?").await;
    for number in 0..3 {
        person.chat(&format!("later-{number}"), &["Smaller"]);
    }
    let all = succeeded(agent.call(LIST, json!({})).await);
    let (mut seen, mut arguments) = (Vec::new(), json!({ "limit": 1 }));
    for _ in 0..10 {
        let page = succeeded(agent.call(LIST, arguments.clone()).await);
        seen.extend(of_each(&page, "dialogs", "sessionId").into_iter().cloned());
        match page.get("nextCursor") {
            Some(cursor) => arguments["cursor"] = cursor.clone(),
            None => break,
        }
    }
    assert_eq!(seen.iter().collect::<Vec<_>>(), of_each(&all, "dialogs", "sessionId"));
    assert_eq!(seen.len(), 5, "{all}");
}

/// Dialogs of other projects are told when the person says so in `config.json`, and by their id alone.
#[tokio::test]
async fn dialogs_of_other_projects_are_told_when_the_person_allows_it() {
    let (person, mut agent) = five().await;
    let elsewhere = tempfile::tempdir().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    person.chat_in(&person.sessions("other", elsewhere.path()), "other-9", &["A secret plan"]);
    let get = json!({ "index": 1, "sessionId": "other-9" });
    assert_eq!(agent.call(GET, get.clone()).await["error"], "Session not found: other-9");
    let told = succeeded(agent.call(LIST, json!({})).await).to_string();
    assert!(!told.contains("other-9"), "{told}");
    assert_eq!(succeeded(agent.call(SEARCH, json!({ "query": "plan" })).await)["found"], json!([]));
    let config = person.world.home().join("config.json");
    fs::create_dir_all(person.world.home()).unwrap();
    fs::write(&config, r#"{"dialogs": {"otherProjects": true}}"#).unwrap();
    assert_eq!(succeeded(agent.call(GET, get.clone()).await)["request"], "A secret plan");
    assert!(succeeded(agent.call(LIST, json!({})).await).to_string().contains("other-9"));
    // The current dialog stays the project's.
    assert_eq!(succeeded(agent.call(FIRST, json!({})).await)["sessionId"], "abc-123");
    // What cannot be read allows nothing, and is said.
    fs::write(&config, "{").unwrap();
    assert_eq!(agent.call(GET, get).await["error"], "Session not found: other-9");
    let told = succeeded(agent.call(LIST, json!({})).await);
    assert!(told["note"].as_str().unwrap().contains("config.json"), "{told}");
}

#[tokio::test]
async fn a_long_request_is_told_in_pieces() {
    let person = Person::new();
    let long: String = (0..30_000).map(|number| format!("word{number} ")).collect();
    person.chat("abc-123", &[&long]);
    let mut agent = person.agent().await;
    let (mut heard, mut arguments) = (String::new(), json!({ "index": 1 }));
    for _ in 0..100 {
        let told = succeeded(agent.call(GET, arguments.clone()).await);
        heard.push_str(told["request"].as_str().unwrap().trim_end_matches("… (cut)"));
        let Some(note) = told["note"].as_str() else { break };
        let from = note.rsplit(' ').next().unwrap().trim_end_matches('.');
        arguments["from"] = json!(from.parse::<u64>().unwrap());
    }
    assert!(heard == long.trim_end() || heard == long, "{} of {}", heard.len(), long.len());
    refusal(&agent.call(GET, json!({ "index": 1, "from": 10_000_000 })).await);
}

/// Whatever else has the words, and however many: the newest of the chat is first, and each is told once.
#[tokio::test]
async fn our_own_chat_is_found_beside_comments_with_the_same_words() {
    let person = Person::new();
    let browser = person.world.browser().await;
    for number in 0..210 {
        browser.comment(crate::world::comment(&format!("c_{number}"), "/", "zebra")).await;
    }
    for number in 0..25 {
        say(&browser, None, &format!("A much longer sentence in which a zebra stands, number {number}."))
            .await;
    }
    // A word may be a picture.
    say(&browser, None, &format!("zebra {}", "A".repeat(400_000))).await;
    let mut agent = person.agent().await;
    let (mut seen, mut arguments) = (Vec::new(), json!({ "query": "zebra", "source": "opentoolbar" }));
    loop {
        let page = succeeded(agent.call(SEARCH, arguments.clone()).await);
        assert!(page.to_string().len() < 20_000, "{} bytes", page.to_string().len());
        seen.extend(
            of_each(&page, "found", "snippet").into_iter().map(|one| one.as_str().unwrap().to_owned()),
        );
        match page.get("nextCursor") {
            Some(cursor) => arguments["cursor"] = cursor.clone(),
            None => break,
        }
    }
    assert_eq!(seen.len(), 26);
    assert!(seen[0].starts_with("zebra AAA") && seen[1].contains("number 24"), "{:?}", &seen[..2]);
}

/// What hides is written out, and costs no more than it may.
#[tokio::test]
async fn places_of_what_hides_are_told_shortly() {
    let person = Person::new();
    let hidden = "\u{200b}\u{202e}".repeat(100);
    for number in 0..20 {
        person.chat(&format!("h-{number}"), &[&format!("{hidden} needle")]);
    }
    let mut agent = person.agent().await;
    let told = agent.call(SEARCH, json!({ "query": "needle" })).await;
    let told = succeeded(told);
    assert_eq!(told["found"].as_array().unwrap().len(), 20, "{told}");
    assert!(told.to_string().len() < 12_000, "{} bytes", told.to_string().len());
}
