//! What a pass over a history takes of memory: the same for a large one as for a small one. Alone in its program, as
//! the allocator counts all of it. `cargo xtask bench dialogs` does it with 500 MB.
#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use opentoolbar_dialogs::{Error, Histories, Places, Scope, System};
use peak_alloc::PeakAlloc;
use serde_json::{Value, json};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Blocks of a file and the parser's own; words of requests are never among it.
const MOST: usize = 1024 * 1024;
/// The same, with as many places of texts as are kept: those that are kept, and those that come in their place.
const MOST_FULL: usize = 9 * 1024 * 1024;
/// All that is kept, and what is read at the same time.
const MOST_OF_ALL: usize = 22 * 1024 * 1024;
const VS_CODE: &str = ".config/Code/User/workspaceStorage/a/chatSessions";

fn request(answer: &str) -> Value {
    json!({ "message": { "text": "mend it" }, "response": [{ "value": answer }], "timestamp": 5 })
}

fn session(requests: &[Value]) -> Value {
    json!({ "version": 3, "requests": requests })
}

/// One test at a time: the allocator counts for all.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
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
    let _alone = alone();
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
        assert_eq!(requests.get(20, &|| true).unwrap().words, "mend it", "{file}");
        let grown = MEMORY.peak_usage().saturating_sub(before);
        assert!(grown < MOST, "{file} of {bytes} bytes took {grown} bytes of memory");
    }
}

/// Histories in which almost nothing is said, very often. Each with what becomes of it.
fn tiny() -> Vec<(String, String, &'static str)> {
    let part = r#"{"text":"a"}"#;
    let parts = |count: usize| vec![part; count].join(",");
    let vs_code = |requests: &str| format!(r#"{{"version":3,"requests":[{requests}]}}"#);
    let with_parts = |count: usize| format!(r#"{{"message":{{"parts":[{}]}}}}"#, parts(count));
    let log = |line: &str, count: usize| {
        let begin =
            format!("{}\n", json!({ "kind": 0, "v": session(&[json!({ "message": { "parts": [] } })]) }));
        begin + &format!("{line}\n").repeat(count)
    };
    let blocks = |count: usize| vec![r#"{"type":"text","text":"a"}"#; count].join(",");
    let spoken =
        |count: usize| format!("{{\"type\":\"user\",\"message\":{{\"content\":[{}]}}}}\n", blocks(count));
    let of_codex = |count: usize| {
        format!("{{\"type\":\"message\",\"role\":\"user\",\"content\":[{}]}}\n", blocks(count))
    };
    let again = vec![r#""content":"a""#; 300_000].join(",");
    let push = r#"{"kind":2,"k":["requests",0,"message","parts"],"v":[{"text":"a"},{"text":"b"}]}"#;
    let shrinking = format!(
        "{}\n{}\n",
        format_args!(r#"{{"kind":2,"k":["requests"],"v":[{}]}}"#, with_parts(2_000)),
        r#"{"kind":2,"k":["requests",0,"message","parts"],"i":2}"#
    );
    let shrinking: String =
        (1..400).map(|n| shrinking.replace("\"requests\",0", &format!("\"requests\",{n}"))).collect();
    vec![
        (format!("{VS_CODE}/message.json"), vs_code(&with_parts(1_500_000)), "TooLarge"),
        (format!("{VS_CODE}/requests.json"), vs_code(&vec![with_parts(20); 40_000].join(",")), "TooLarge"),
        (format!("{VS_CODE}/none.json"), vs_code(&vec!["{}"; 1_000_000].join(",")), "TooLarge"),
        (format!("{VS_CODE}/pushed.jsonl"), log(push, 100_000), "TooLarge"),
        (format!("{VS_CODE}/few.jsonl"), log(push, 20_000), "1"),
        (format!("{VS_CODE}/shrinking.jsonl"), log("", 1) + &shrinking, "400"),
        (".claude/projects/shop/line.jsonl".to_owned(), spoken(1_000_000), "TooLarge"),
        (".claude/projects/shop/lines.jsonl".to_owned(), spoken(100).repeat(10_000), "TooLarge"),
        (
            ".claude/projects/shop/again.jsonl".to_owned(),
            format!("{{\"message\":{{{again}}}}}\n"),
            "TooLarge",
        ),
        (".codex/sessions/item.jsonl".to_owned(), of_codex(1_000_000), "TooLarge"),
        (".codex/sessions/items.jsonl".to_owned(), of_codex(100).repeat(10_000), "TooLarge"),
    ]
}

#[test]
fn a_history_of_very_many_tiny_parts_is_too_large_and_takes_no_more_memory_than_a_full_one() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    for (file, content, expected) in tiny() {
        let path = folder.path().join(&file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &content).unwrap();
        drop(content);
        let histories = Histories::new(Places::new(System::Linux, folder.path(), |_| None));
        let id = Path::new(&file).file_stem().unwrap().to_str().unwrap();
        let dialog = histories.find(&Scope::Everything, id, &|| true).unwrap();
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let became = match histories.requests(&dialog, &|| true) {
            Ok(requests) => requests.count().to_string(),
            Err(Error::NoData(why)) => format!("{why:?}"),
            Err(error) => error.to_string(),
        };
        let grown = MEMORY.peak_usage().saturating_sub(before);
        assert_eq!(became, expected, "{file}");
        assert!(grown < MOST_FULL, "{file} took {grown} bytes of memory");
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn tiny_parts_are_read_block_by_block_and_no_longer_than_it_is_wanted() {
    const PARTS: usize = 100_000;
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let part = json!({ "text": "a ", "range": { "start": 0, "endExclusive": 2 } }).to_string();
    let parts = vec![part; PARTS].join(",");
    let path = folder.path().join(VS_CODE).join("parts.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!(r#"{{"requests":[{{"message":{{"parts":[{parts}]}}}}]}}"#)).unwrap();
    drop(parts);
    let histories = Histories::new(Places::new(System::Linux, folder.path(), |_| None));
    let dialog = histories.find(&Scope::Everything, "parts", &|| true).unwrap();
    let requests = histories.requests(&dialog, &|| true).unwrap();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let reads = Cell::new(0);
    let asked = requests.get(1, &|| reads.replace(reads.get() + 1) < usize::MAX).unwrap();
    // It is asked before each part, and before each block.
    assert!((PARTS..PARTS * 11 / 10).contains(&reads.get()), "{} parts and blocks", reads.get());
    assert_eq!((asked.words.len(), asked.is_cut()), (PARTS * 2, false));
    let grown = MEMORY.peak_usage().saturating_sub(before);
    assert!(grown < MOST, "{grown} bytes of memory");
    let left = Cell::new(1_000);
    let stopped = requests.get(1, &|| {
        left.set(left.get() - 1);
        left.get() > 0
    });
    assert!(matches!(stopped, Err(Error::Stopped)), "{stopped:?}");
    assert_eq!(left.get(), 0, "it is asked no more");
}

#[test]
fn many_full_histories_at_once_take_what_two_take() {
    const REQUESTS: usize = 120_000;
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let sessions = folder.path().join(VS_CODE);
    fs::create_dir_all(&sessions).unwrap();
    let requests = vec!["{}"; REQUESTS].join(",");
    // The second stands for the first, which is kept until the second is whole.
    let snapshot = format!("{{\"kind\":0,\"v\":{{\"requests\":[{requests}]}}}}\n");
    drop(requests);
    for number in 0..8 {
        fs::write(sessions.join(format!("{number}.jsonl")), snapshot.repeat(2)).unwrap();
    }
    drop(snapshot);
    let histories = Histories::new(Places::new(System::Linux, folder.path(), |_| None));
    let dialogs = histories.list(&Scope::Everything, &|| true).unwrap().dialogs;
    assert_eq!(dialogs.len(), 8);
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    std::thread::scope(|scope| {
        for dialog in &dialogs {
            let histories = &histories;
            scope.spawn(move || {
                let count = histories.requests(dialog, &|| true).unwrap().count();
                assert_eq!(count, REQUESTS as u64);
            });
        }
    });
    let grown = MEMORY.peak_usage().saturating_sub(before);
    assert!(grown < MOST_OF_ALL, "{grown} bytes of memory");
}
