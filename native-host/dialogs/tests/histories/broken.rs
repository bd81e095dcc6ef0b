//! Histories that are none, or not whole.

use std::fs;

use serde_json::json;

use crate::world::{World, jsonl, request, session};

#[test]
fn a_half_written_last_line_is_told_and_costs_itself_alone() {
    let world = World::new();
    let whole = jsonl(&[
        json!({ "kind": 0, "v": session(&[]) }),
        json!({ "kind": 2, "k": ["requests"], "v": [request("first", 1)] }),
    ]);
    let next = json!({ "kind": 2, "k": ["requests"], "v": [request("second \u{1f600}", 2)] }).to_string();
    let path = world.vs_code("log.jsonl", &whole);
    for upto in 1..next.len() {
        fs::write(&path, [whole.as_bytes(), &next.as_bytes()[..upto]].concat()).unwrap();
        assert_eq!(world.words("log"), ["first"], "{upto}");
        assert!(world.requests("log").unwrap().is_cut(), "{upto}");
    }
    // Whole but for its end: VS Code takes it too.
    fs::write(&path, [&whole, &next].map(String::as_str).concat()).unwrap();
    assert_eq!(world.words("log").len(), 2);
    assert!(!world.requests("log").unwrap().is_cut());
}

#[test]
fn a_broken_line_in_the_middle_of_a_log_breaks_it_as_what_follows_would_be_a_guess() {
    let world = World::new();
    let (begin, end) =
        (json!({ "kind": 0, "v": session(&[]) }), json!({ "kind": 2, "k": ["requests"], "v": [] }));
    for (number, middle) in
        ["{\"kind\":2,\"k\":[\"requests\"],\"v\":[", "nonsense", "{}", "[]", "{\"kind\":1}"]
            .into_iter()
            .enumerate()
    {
        let id = format!("log{number}");
        world.vs_code(&format!("{id}.jsonl"), format!("{begin}\n{middle}\n{end}\n"));
        assert_eq!(world.why(&id), "Broken", "{middle}");
    }
}

#[test]
fn changes_that_vs_code_itself_gives_up_at_break_a_log() {
    let world = World::new();
    let changes = [
        json!({ "kind": 1, "k": ["requests", 5, "timestamp"], "v": 1 }),
        json!({ "kind": 1, "k": ["requests", 5], "v": request("hole", 1) }),
        json!({ "kind": 1, "k": ["requests", 0], "v": null }),
        json!({ "kind": 3, "k": ["requests", 0] }),
        json!({ "kind": 2, "k": ["requests"], "v": [], "i": 7 }),
        json!({ "kind": 2, "k": ["requests"], "v": [], "i": -1 }),
        json!({ "kind": 2, "k": ["requests"], "v": [null] }),
        json!({ "kind": 2, "k": ["version"], "v": [1] }),
        json!({ "kind": 1, "k": ["customTitle", "deeper"], "v": 1 }),
        json!({ "kind": 4, "k": ["requests"] }),
        json!({ "kind": "1", "k": ["requests"], "v": [] }),
        json!({ "kind": 0, "v": null }),
    ];
    for (number, change) in changes.iter().enumerate() {
        let id = format!("log{number}");
        let lines = [json!({ "kind": 0, "v": session(&[request("a", 1)]) }), change.clone()];
        world.vs_code(&format!("{id}.jsonl"), jsonl(&lines));
        assert_eq!(world.why(&id), "Broken", "{change}");
    }
}

#[test]
fn a_change_without_a_snapshot_before_it_breaks_a_log() {
    let world = World::new();
    world.vs_code("log.jsonl", jsonl(&[json!({ "kind": 2, "k": ["requests"], "v": [request("a", 1)] })]));
    assert_eq!(world.why("log"), "Broken");
}

#[test]
fn what_is_empty_cut_off_or_no_json_says_which_of_these_it_is() {
    let world = World::new();
    let whole = session(&[request("a", 1)]).to_string();
    for (id, ending, content, why) in [
        ("empty", "json", "", "Empty"),
        ("empty-log", "jsonl", "", "Empty"),
        ("cut", "json", &whole[..whole.len() - 1], "Cut"),
        ("cut-in-a-text", "json", &whole[..150], "Cut"),
        ("cut-log", "jsonl", "{\"kind\":0,\"v\":{\"version\":3,", "Cut"),
        ("spaces", "jsonl", "\n\n\n", "Cut"),
        ("more", "json", &format!("{whole} x"), "Broken"),
        ("list", "json", "[]", "Broken"),
        ("words", "json", "not json", "Broken"),
        ("control", "json", "{\"version\":3,\"a\":\"\u{1}\"}", "Broken"),
    ] {
        world.vs_code(&format!("{id}.{ending}"), content);
        assert_eq!(world.why(id), why, "{id}");
    }
    world.vs_code("bytes.json", b"{\"a\":\"\xff\"}");
    assert_eq!(world.why("bytes"), "Broken");
}

#[test]
fn what_is_nested_deeper_than_any_history_is_broken_and_takes_no_memory() {
    let world = World::new();
    world.vs_code("deep.json", format!("{{\"version\":3,\"a\":{}", "[".repeat(2_000_000)));
    assert_eq!(world.why("deep"), "Broken");
    world.vs_code("name.json", format!("{{\"version\":3,\"{}\":1}}", "n".repeat(2_000_000)));
    assert_eq!(world.why("name"), "Broken");
}

#[test]
fn a_name_of_a_history_at_which_no_file_is_is_not_opened() {
    let world = World::new();
    let sessions = world.sessions();
    fs::create_dir(sessions.join("folder.jsonl")).unwrap();
    assert_eq!(world.why("folder"), "NotAFile");
    #[cfg(unix)]
    {
        let pipe = std::process::Command::new("mkfifo").arg(sessions.join("pipe.jsonl")).status().unwrap();
        assert!(pipe.success());
        assert_eq!(world.why("pipe"), "NotAFile");
    }
}

#[cfg(unix)]
#[test]
fn a_history_that_is_a_link_is_not_read_and_says_so() {
    let world = World::new();
    let elsewhere = world.home.join("secret.json");
    fs::write(&elsewhere, session(&[request("secret", 1)]).to_string()).unwrap();
    std::os::unix::fs::symlink(&elsewhere, world.sessions().join("link.json")).unwrap();
    assert_eq!(world.why("link"), "SymbolicLink");
    assert!(!world.find("link").unwrap().has_history());
    // Put in the place of a file that was listed.
    let path = world.vs_code("later.json", session(&[request("a", 1)]).to_string());
    let dialog = world.find("later").unwrap();
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
    let error = world.histories.requests(&dialog, crate::world::GOING).unwrap_err();
    assert!(matches!(error, opentoolbar_dialogs::Error::NoData(opentoolbar_dialogs::NoData::SymbolicLink)));
}

#[test]
fn a_home_without_any_of_the_programs_has_no_dialogs() {
    let world = World::new();
    let listed = world.histories.list(&opentoolbar_dialogs::Scope::Everything, crate::world::GOING).unwrap();
    assert_eq!((listed.dialogs.len(), listed.unread), (0, 0));
    assert!(matches!(world.find("x"), Err(opentoolbar_dialogs::Error::NotFound)));
}
