//! What a pass over a history takes of memory: the same for a large one as for a small one. Alone in its program, as
//! the allocator counts all of it. `cargo xtask bench dialogs` does it with 500 MB.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use opentoolbar_dialogs::{Histories, Places, Scope, System};
use peak_alloc::PeakAlloc;
use serde_json::{Value, json};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Blocks of a file and the parser's own; words of requests are never among it.
const MOST: usize = 1024 * 1024;
const VS_CODE: &str = ".config/Code/User/workspaceStorage/a/chatSessions";

fn request(answer: &str) -> Value {
    json!({ "message": { "text": "mend it" }, "response": [{ "value": answer }], "timestamp": 5 })
}

fn session(requests: &[Value]) -> Value {
    json!({ "version": 3, "requests": requests })
}

/// A file in a home, and how many requests it has.
fn large() -> Vec<(String, String, u64)> {
    let answer = "let a = \"b\";\n".repeat(20_000);
    let whole = session(&vec![request(&answer); 30]);
    let mut changes = format!("{}\n", json!({ "kind": 0, "v": session(&[]) }));
    let short = &answer[..300];
    for n in 0..10_000_u64 {
        let change = match n % 10 {
            0 => json!({ "kind": 2, "k": ["requests"], "v": [request(short), request(short)], "i": n / 10 }),
            _ => {
                json!({ "kind": 2, "k": ["requests", n / 10, "response"], "v": [{ "value": short }], "i": 0 })
            }
        };
        changes += &format!("{change}\n");
    }
    let line = |kind: &str, text: &str| json!({ "type": kind, "cwd": "/shop", "message": { "content": [{ "type": "text", "text": text }] } });
    let spoken = format!("{}\n{}\n", line("user", "mend it"), line("assistant", &answer));
    vec![
        (format!("{VS_CODE}/whole.json"), whole.to_string(), 30),
        (format!("{VS_CODE}/line.jsonl"), format!("{}\n", json!({ "kind": 0, "v": whole })), 30),
        (format!("{VS_CODE}/changes.jsonl"), changes, 1_001),
        (".claude/projects/shop/spoken.jsonl".to_owned(), spoken.repeat(30), 30),
    ]
}

#[test]
fn a_history_of_megabytes_takes_no_more_memory_than_its_blocks() {
    let folder = tempfile::tempdir().unwrap();
    for (file, content, count) in large() {
        let path = folder.path().join(&file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &content).unwrap();
        let bytes = content.len();
        drop(content);
        assert!(bytes > 3_000_000, "{file} has {bytes} bytes");
        let histories = Histories::new(Places::new(System::Linux, folder.path(), |_| None));
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let id = Path::new(&file).file_stem().unwrap().to_str().unwrap();
        let dialog = histories.find(&Scope::Everything, id, &|| true).unwrap();
        let requests = histories.requests(&dialog, &|| true).unwrap();
        assert_eq!(requests.count(), count, "{file}");
        assert_eq!(requests.get(20).unwrap().words, "mend it", "{file}");
        let grown = MEMORY.peak_usage().saturating_sub(before);
        assert!(grown < MOST, "{file} of {bytes} bytes took {grown} bytes of memory");
    }
}
