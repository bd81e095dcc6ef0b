//! Messages of many million short entries: they are refused with a sentence, and take the hub little more memory than
//! they have bytes. The hub is a process of its own, whose highest use the system tells.
#![cfg(target_os = "linux")]

use crate::room::Room;
use crate::room::conversation::PAGE;
use crate::room::plain::{Plain, selection_on};
use serde_json::{Value, json};

/// Bytes of each message.
const SIZE: usize = 12 * 1024 * 1024;
/// What the hub may take for one of them at its highest, for each of its bytes, while it is received and decoded.
const PER_BYTE: usize = 3;
/// Where the list of a message goes.
const MARK: &str = "\"@\"";

/// A line of what the system tells of a process, in bytes.
fn told(pid: u32, line: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let found = status.lines().find_map(|told| told.strip_prefix(line)).unwrap();
    found.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

/// A list of so many bytes.
fn filled(open: char, entry: impl Fn(usize) -> String, close: char) -> String {
    let mut list = String::with_capacity(SIZE + 32);
    list.push(open);
    let mut n = 0;
    while list.len() < SIZE {
        list.push_str(&entry(n));
        list.push(',');
        n += 1;
    }
    list.pop();
    list.push(close);
    list
}

/// A message with a list in the place of the mark.
fn with(message: &Value, list: &str) -> String {
    let text = message.to_string();
    assert_eq!(text.matches(MARK).count(), 1);
    text.replace(MARK, list)
}

fn set_context(change: impl FnOnce(&mut Value)) -> Value {
    let mut payload = selection_on(PAGE);
    change(&mut payload);
    json!({ "id": "m_1", "type": "set_context", "payload": payload })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_of_millions_of_entries_takes_little_more_memory_than_its_bytes() {
    let room = Room::new();
    let gateway = room.gateway();
    let pid = room.pid().unwrap();
    let empty = |entry: &'static str| move |_: usize| entry.to_owned();
    let attributes = filled('{', |n| format!("\"{n:x}\":\"\""), '}');
    let texts = filled('[', empty("\"\""), ']');
    let objects = filled('[', empty("{}"), ']');
    let numbers = filled('[', empty("0"), ']');
    let target = json!({
        "snapshot": { "tag": "a", "box": { "x": 0, "y": 0, "width": 0, "height": 0 } }, "selector": "a", "anchor": "AA=="
    });
    let targets = filled('[', |_| target.to_string(), ']');
    for (what, message, words) in [
        (
            "attributes",
            with(&set_context(|set| set["element"]["attributes"] = "@".into()), &attributes),
            "attributes has more than",
        ),
        (
            "classes",
            with(&set_context(|set| set["element"]["classList"] = "@".into()), &texts),
            "classList has more than",
        ),
        (
            "children",
            with(&set_context(|set| set["children"] = "@".into()), &objects),
            "children has more than",
        ),
        (
            "ancestors",
            with(&set_context(|set| set["ancestors"] = "@".into()), &objects),
            "ancestors has more than",
        ),
        ("targets", with(&set_context(|set| set["targets"] = "@".into()), &targets), "targets has more than"),
        ("an id", with(&json!({ "id": "@", "type": "ping" }), &numbers), "not a request"),
        (
            "files",
            with(&json!({ "id": "m_1", "type": "get_source_changes", "payload": { "files": "@" } }), &texts),
            "files has more",
        ),
        (
            "comments",
            with(
                &json!({ "id": "m_1", "type": "import_comments", "payload": { "comments": "@" } }),
                &objects,
            ),
            "comments has more",
        ),
        (
            "queries",
            with(&json!({ "id": "m_1", "type": "find_in_source", "payload": { "queries": "@" } }), &objects),
            "queries has more",
        ),
        (
            "capabilities",
            with(&json!({ "id": "m_1", "type": "hello", "payload": { "capabilities": "@" } }), &texts),
            "capabilities has more",
        ),
        // Nobody knows the field, and it stands before the type.
        (
            "nothing",
            with(&json!({ "a": { "attributes_": "@" }, "type": "get_feedback", "payload": {} }), &attributes),
            "id",
        ),
        (
            "nothing of a selection",
            with(&json!({ "payload": { "a": "@" }, "type": "set_context" }), &objects),
            "missing field",
        ),
    ] {
        let mut client = Plain::of(&gateway, "heavy");
        std::fs::write(format!("/proc/{pid}/clear_refs"), "5").unwrap();
        let before = told(pid, "VmRSS:");
        client.send_text(&message);
        let refused = client.heard();
        assert_eq!(refused["type"], "error", "{what}: {refused}");
        let said = refused["payload"]["message"].as_str().unwrap();
        assert!(said.contains(words) && said.len() < 300, "{what}: {said}");
        let grown = told(pid, "VmHWM:").saturating_sub(before);
        assert!(grown <= PER_BYTE * message.len(), "{what}: {} MiB", grown >> 20);
        client.leave();
    }
    // Whoever sends what a page may have is served as before.
    let mut client = Plain::of(&gateway, "usual");
    client.select();
    assert_eq!(client.heard()["type"], "context_stored");
}
