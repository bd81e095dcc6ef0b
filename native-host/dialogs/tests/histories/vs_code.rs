//! Sessions of VS Code: what a `.json` and a `.jsonl` say.

use std::cell::Cell;

use opentoolbar_core::model::Timestamp;
use opentoolbar_dialogs::Error;
use serde_json::{Value, json};

use crate::world::{GOING, World, jsonl, request, session};

fn log(changes: &[Value]) -> String {
    let mut lines = vec![json!({ "kind": 0, "v": session(&[]) })];
    lines.extend_from_slice(changes);
    jsonl(&lines)
}

#[test]
fn a_session_in_one_object_gives_each_request_with_its_moment() {
    let world = World::new();
    let words = "Make it \"blue\" \\ \u{1f600} ünd\nwide";
    world.vs_code("one.json", session(&[request(words, 11), request("second", 12)]).to_string());
    let requests = world.requests("one").unwrap();
    assert_eq!(requests.count(), 2);
    let first = requests.get(1, GOING).unwrap();
    assert_eq!((first.words.as_str(), first.at), (words, Some(Timestamp(11))));
    assert!(!first.is_cut());
    assert_eq!(requests.get(2, GOING).unwrap().words, "second");
    for number in [0, 3, 1_000_000_000_000] {
        let error = requests.get(number, GOING).unwrap_err();
        assert!(matches!(error, Error::NoSuchRequest { total: 2, .. }), "{error:?}");
    }
}

#[test]
fn an_empty_snapshot_and_pushes_give_the_requests_that_were_pushed() {
    let world = World::new();
    let changes = [
        json!({ "kind": 1, "k": ["customTitle"], "v": "Blue buttons" }),
        json!({ "kind": 2, "k": ["requests"], "v": [request("first", 1)] }),
        json!({ "kind": 2, "k": ["requests", 0, "response"], "v": [{ "value": "x" }], "i": 0 }),
        json!({ "kind": 2, "k": ["requests"], "v": [request("second", 2), request("third", 3)] }),
    ];
    world.vs_code("log.jsonl", log(&changes));
    assert_eq!(world.words("log"), ["first", "second", "third"]);
    assert_eq!(world.requests("log").unwrap().title(), Some("Blue buttons"));
}

#[test]
fn a_push_that_truncates_takes_back_what_was_asked_from_there_on() {
    let world = World::new();
    let changes = [
        json!({ "kind": 2, "k": ["requests"], "v": [request("a", 1), request("b", 2), request("c", 3)] }),
        json!({ "kind": 2, "k": ["requests"], "v": [request("b, better", 4)], "i": 1 }),
        json!({ "kind": 2, "k": ["requests"], "i": 2 }),
    ];
    world.vs_code("log.jsonl", log(&changes));
    assert_eq!(world.words("log"), ["a", "b, better"]);
}

#[test]
fn what_is_set_and_deleted_at_any_depth_counts() {
    let world = World::new();
    let changes = [
        json!({ "kind": 2, "k": ["requests"], "v": [request("a", 1), request("b", 2), request("c", 3)] }),
        json!({ "kind": 1, "k": ["requests", 0, "message", "text"], "v": "a, mended" }),
        json!({ "kind": 1, "k": ["requests", 1, "message"], "v": "b as a string" }),
        json!({ "kind": 1, "k": ["requests", "1", "timestamp"], "v": 22 }),
        json!({ "kind": 1, "k": ["requests", 2], "v": request("c, anew", 33) }),
        json!({ "kind": 1, "k": ["requests", 3], "v": request("d", 44) }),
        json!({ "kind": 3, "k": ["requests", 2, "timestamp"] }),
        json!({ "kind": 1, "k": ["requests", 2, "result", "metadata", "a", "b", "c", 7], "v": { "text": "no" } }),
        json!({ "kind": 1, "k": ["lastMessageDate"], "v": 1_700_000_000_099_u64 }),
        json!({ "kind": 3, "k": ["customTitle"] }),
        json!({ "kind": 1, "k": ["inputState", "inputText"], "v": "not sent" }),
    ];
    world.vs_code("log.jsonl", log(&changes));
    assert_eq!(world.words("log"), ["a, mended", "b as a string", "c, anew", "d"]);
    let requests = world.requests("log").unwrap();
    let moments: Vec<_> =
        (1..=4).map(|number| requests.get(number, GOING).unwrap().at.map(|at| at.0)).collect();
    assert_eq!(moments, [Some(1), Some(22), None, Some(44)]);
}

#[test]
fn a_later_snapshot_stands_for_all_that_was_before() {
    let world = World::new();
    let changes = [
        json!({ "kind": 2, "k": ["requests"], "v": [request("old", 1)] }),
        json!({ "kind": 0, "v": session(&[request("new", 2)]) }),
    ];
    world.vs_code("log.jsonl", log(&changes));
    assert_eq!(world.words("log"), ["new"]);
}

#[test]
fn a_value_that_stands_before_its_path_is_taken_all_the_same() {
    let world = World::new();
    let text = format!(
        "{}\n{}\n",
        json!({ "kind": 0, "v": session(&[]) }),
        format_args!(r#"{{"v":[{}],"k":["requests"],"kind":2}}"#, request("backwards", 1))
    );
    world.vs_code("log.jsonl", text);
    assert_eq!(world.words("log"), ["backwards"]);
}

#[test]
fn the_log_wins_where_both_are() {
    let world = World::new();
    world.vs_code("both.json", session(&[request("old", 1)]).to_string());
    world.vs_code("both.jsonl", log(&[json!({ "kind": 2, "k": ["requests"], "v": [request("new", 2)] })]));
    assert_eq!(world.ids(), ["both"]);
    assert_eq!(world.words("both"), ["new"]);
}

#[test]
fn a_message_is_a_string_or_a_text_or_parts() {
    let world = World::new();
    let message = |message: Value| json!({ "requestId": "r", "message": message, "timestamp": 1 });
    let requests = [
        message("a string".into()),
        message(json!({ "parts": [{ "text": "not this" }], "text": "the text" })),
        message(json!({ "parts": [{ "text": "two " }, { "kind": "slash" }, { "text": "parts" }] })),
        message(json!({ "parts": [] })),
        message(Value::Null),
    ];
    world.vs_code("one.json", session(&requests).to_string());
    assert_eq!(world.words("one"), ["a string", "the text", "two parts", "", ""]);
}

#[test]
fn versions_one_to_three_are_read_and_others_are_unknown() {
    let world = World::new();
    let with = |name: &str, version: Value| {
        let mut session = session(&[request("x", 1)]);
        session["version"] = version;
        if session["version"].is_null() {
            session.as_object_mut().unwrap().remove("version");
        }
        world.vs_code(&format!("{name}.json"), session.to_string());
        world.vs_code(&format!("{name}-log.jsonl"), jsonl(&[json!({ "kind": 0, "v": session })]));
        [world.why(name), world.why(&format!("{name}-log"))]
    };
    for (name, version) in [("none", Value::Null), ("one", 1.into()), ("two", 2.into()), ("three", 3.into())]
    {
        assert_eq!(with(name, version), ["1 requests", "1 requests"], "{name}");
    }
    for (name, version) in
        [("four", 4.into()), ("half", 2.5.into()), ("word", "3".into()), ("zero", 0.into())]
    {
        assert_eq!(with(name, version), ["UnknownVersion", "UnknownVersion"], "{name}");
    }
}

#[test]
fn a_newer_version_with_lines_that_nobody_knows_is_unknown_and_not_broken() {
    let world = World::new();
    let lines = [json!({ "kind": 0, "v": { "version": 4, "turns": [] } }), json!({ "kind": 9, "x": 1 })];
    world.vs_code("new.jsonl", jsonl(&lines));
    assert_eq!(world.why("new"), "UnknownVersion");
}

#[test]
fn a_session_without_requests_says_so() {
    let world = World::new();
    world.vs_code("none.jsonl", log(&[]));
    let requests = world.requests("none").unwrap();
    assert_eq!(requests.count(), 0);
    assert!(matches!(requests.get(1, GOING), Err(Error::NoSuchRequest { number: 1, total: 0 })));
}

#[test]
fn half_a_character_costs_itself_alone() {
    let world = World::new();
    let text = r#"{"version":3,"requests":[{"message":{"text":"cut \ud83d here \\ud83d \ud83d\ude00 \ude00"},
        "response":[{"value":"\udfff"}],"timestamp":5}]}"#;
    world.vs_code("half.json", text);
    assert_eq!(world.words("half"), ["cut \u{fffd} here \\ud83d \u{1f600} \u{fffd}"]);
}

#[test]
fn a_request_of_more_than_a_megabyte_is_cut_and_says_so() {
    let world = World::new();
    let words = "ä\n".repeat(400_000);
    world.vs_code("long.json", session(&[request(&words, 1), request("after", 2)]).to_string());
    let requests = world.requests("long").unwrap();
    let asked = requests.get(1, GOING).unwrap();
    assert!(asked.is_cut() && asked.words.len() <= 1024 * 1024 && words.starts_with(&asked.words));
    assert_eq!(requests.get(2, GOING).unwrap().words, "after");
}

/// Whoever redacts the words knows a secret by all of it.
#[test]
fn words_that_are_cut_end_before_a_space_so_that_no_word_is_told_in_part() {
    const CUT: usize = 1024 * 1024;
    let world = World::new();
    let secret = format!("ghp_{}", "S".repeat(36));
    for before in [CUT - 41, CUT - 40, CUT - 39, CUT - 20, CUT - 2] {
        let words = format!("{} {secret} and more", "ä \n".repeat(before / 4 - 1));
        let words = format!("{}{words}", "x".repeat(before - (words.find(&secret).unwrap())));
        world.vs_code("cut.json", session(&[request(&words, 1)]).to_string());
        let asked = world.requests("cut").unwrap().get(1, GOING).unwrap();
        assert!(asked.is_cut() && asked.words.len() >= CUT - 50, "{}", asked.words.len());
        let rest = words.strip_prefix(&asked.words).unwrap();
        assert!(rest.starts_with(char::is_whitespace), "{before}: {:?}", &rest[..10]);
    }
    // Nothing but one word; what is behind its first megabyte is not read.
    world.vs_code("word.json", session(&[request(&"x".repeat(20 * CUT), 1)]).to_string());
    let blocks = Cell::new(0);
    let requests = world.requests("word").unwrap();
    let asked = requests.get(1, &|| blocks.replace(blocks.get() + 1) < 20).unwrap();
    assert_eq!((asked.words.as_str(), asked.is_cut()), ("", true));
    let whole = format!("{}{secret}", "x ".repeat((CUT - secret.len()) / 2));
    world.vs_code("whole.json", session(&[request(&whole, 1)]).to_string());
    let asked = world.requests("whole").unwrap().get(1, GOING).unwrap();
    assert!(!asked.is_cut() && asked.words == whole, "all of it has room");
}

#[test]
fn nothing_is_told_behind_the_part_at_which_words_are_cut() {
    let world = World::new();
    // The last character of the first part has no room; the space before the second has.
    let first = format!("aaaa {}", "ä".repeat(512 * 1024 - 2));
    let message = json!({ "message": { "parts": [{ "text": first }, { "text": " b" }] } });
    world.vs_code("gap.json", session(&[message]).to_string());
    let asked = world.requests("gap").unwrap().get(1, GOING).unwrap();
    assert!(asked.is_cut() && asked.words == "aaaa", "{} bytes", asked.words.len());
}

#[test]
fn a_dialog_in_which_nothing_was_asked_says_so_as_far_as_it_is_known() {
    let world = World::new();
    let asked = json!({ "kind": 2, "k": ["requests"], "v": [request("a", 1)] });
    let taken_back = json!({ "kind": 2, "k": ["requests"], "v": [], "i": 0 });
    let long = json!({ "kind": 1, "k": ["inputState"], "v": "y".repeat(70_000) });
    for (name, content, is_empty) in [
        ("opened.jsonl", log(&[]), Some(true)),
        ("asked.jsonl", log(std::slice::from_ref(&asked)), Some(false)),
        ("taken-back.jsonl", log(&[asked.clone(), taken_back]), Some(true)),
        ("being-written.jsonl", log(&[]) + "{\"kind\":2,\"k\":[\"req", None),
        ("opened.json", session(&[]).to_string(), Some(true)),
        ("asked.json", session(&[request("a", 1)]).to_string(), Some(false)),
        ("large.jsonl", log(&[long]), None),
        ("broken.json", "{".to_owned(), None),
    ] {
        let path = world.vs_code(name, content);
        let dialog = world.list().remove(0);
        assert_eq!(dialog.is_empty, is_empty, "{name}");
        std::fs::remove_file(path).unwrap();
    }
    // As the file is now, and not as it was.
    let path = world.vs_code("log.jsonl", log(&[]));
    assert_eq!(world.list()[0].is_empty, Some(true));
    std::thread::sleep(std::time::Duration::from_millis(150));
    assert_eq!(world.list()[0].is_empty, Some(true));
    std::fs::write(path, log(&[asked])).unwrap();
    assert_eq!(world.list()[0].is_empty, Some(false));
}
