//! Transcripts of Claude Code: which lines are the person's words.

use std::fs;

use opentoolbar_core::model::Timestamp;
use opentoolbar_dialogs::{Scope, Source, Workspace};
use serde_json::{Value, json};

use crate::world::{GOING, World, jsonl};

/// A line as Claude Code writes it.
fn line(world: &World, kind: &str, content: Value) -> Value {
    json!({
        "parentUuid": null,
        "isSidechain": false,
        "userType": "external",
        "cwd": world.shop.join("packages/web"),
        "sessionId": "c",
        "version": "2.1.12",
        "type": kind,
        "message": { "role": kind, "content": content },
        "uuid": "u",
        "timestamp": "2026-11-28T10:00:00.250Z",
    })
}

fn with(mut line: Value, name: &str, value: Value) -> Value {
    line[name] = value;
    line
}

#[test]
fn only_what_the_person_said_is_a_request() {
    let world = World::new();
    let user = |content: Value| line(&world, "user", content);
    let text = |text: &str| json!({ "type": "text", "text": text });
    let command = |name: &str, arguments: &str| {
        user(Value::from(format!(
            "<command-name>/{name}</command-name>\n            <command-message>{name}</command-message>\n            \
             <command-args>{arguments}</command-args>"
        )))
    };
    let lines = [
        json!({ "type": "summary", "summary": "Blue buttons", "leafUuid": "x" }),
        json!({ "type": "file-history-snapshot", "messageId": "m", "snapshot": { "cwd": "/no" } }),
        user("as a string".into()),
        line(
            &world,
            "assistant",
            json!([text("I will."), { "type": "tool_use", "id": "t", "input": { "text": "no" } }]),
        ),
        user(json!([{ "type": "tool_result", "tool_use_id": "t", "content": [text("no")] }])),
        with(
            user(json!([{ "type": "tool_result", "content": "no" }, text("no")])),
            "toolUseResult",
            json!({}),
        ),
        user(
            json!([text("<ide_opened_file>no</ide_opened_file>"), text("in "), text("parts"), { "type": "image" }]),
        ),
        with(user("no: of an agent".into()), "isSidechain", true.into()),
        with(user("no: to itself".into()), "isMeta", true.into()),
        with(user("This session is being continued".into()), "isCompactSummary", true.into()),
        command("clear", ""),
        user("<local-command-stdout></local-command-stdout>".into()),
        command("model", "opus"),
        user("<local-command-stdout>Set model to opus</local-command-stdout>".into()),
        command("fix", "the form \u{1f600}"),
        user(json!([text("[Request interrupted by user for tool use]")])),
        user("<bash-input>ls</bash-input>".into()),
        user("<task-notification>no</task-notification>".into()),
        user("".into()),
        json!({ "type": "system", "content": "no" }),
        user("<b>bold</b> is what I want".into()),
    ];
    world.claude_code("c.jsonl", &lines);
    let expected = ["as a string", "in \nparts", "/fix the form \u{1f600}", "<b>bold</b> is what I want"];
    assert_eq!(world.words("c"), expected);
    let requests = world.requests("c").unwrap();
    assert_eq!(requests.title(), Some("Blue buttons"));
    let asked = requests.get(3, GOING).unwrap();
    assert_eq!(asked.at, Some(Timestamp(1_795_860_000_250)));
}

#[test]
fn a_title_of_the_persons_comes_before_one_of_a_model() {
    let world = World::new();
    let lines = [
        line(&world, "user", "x".into()),
        json!({ "type": "custom-title", "customTitle": "Mine" }),
        json!({ "type": "ai-title", "aiTitle": "Its" }),
        json!({ "type": "summary", "summary": "Summed up" }),
    ];
    world.claude_code("c.jsonl", &lines);
    assert_eq!(world.requests("c").unwrap().title(), Some("Mine"));
}

#[test]
fn the_project_is_where_the_lines_say_that_it_worked() {
    let world = World::new();
    let dialog = |cwd: &str| vec![with(line(&world, "user", "x".into()), "cwd", cwd.into())];
    let shop = world.shop.to_str().unwrap().to_owned();
    world.claude_code("at.jsonl", &dialog(&shop));
    world.claude_code("inside.jsonl", &dialog(&format!("{shop}/packages/gone")));
    world.claude_code("beside.jsonl", &dialog(&format!("{shop}-old")));
    world.claude_code("above.jsonl", &dialog(world.home.to_str().unwrap()));
    let mut ids = world.ids();
    ids.sort();
    assert_eq!(ids, ["at", "inside"]);
    let all = world.histories.list(&Scope::Everything, GOING).unwrap().dialogs;
    assert_eq!(all.len(), 4);
    assert!(all.iter().all(|dialog| dialog.source == Source::ClaudeCode));
}

#[cfg(unix)]
#[test]
fn a_folder_that_was_reached_through_a_link_is_the_folder() {
    let world = World::new();
    std::os::unix::fs::symlink(&world.shop, world.home.join("link")).unwrap();
    let through = world.home.join("link/packages");
    world.claude_code("c.jsonl", &[with(line(&world, "user", "x".into()), "cwd", json!(through))]);
    assert_eq!(world.ids(), ["c"]);
}

#[test]
fn histories_of_agents_that_a_session_started_are_none_of_the_persons() {
    let world = World::new();
    world
        .claude_code("agent-a1.jsonl", &[with(line(&world, "user", "x".into()), "isSidechain", true.into())]);
    assert_eq!(world.ids().len(), 0);
}

#[test]
fn broken_lines_are_passed_over_and_counted_and_a_half_one_is_told() {
    let world = World::new();
    let one = line(&world, "user", "first".into());
    let two = line(&world, "user", "second".into());
    let path = world.claude_code("c.jsonl", &[]);
    fs::write(&path, format!("{one}\nnonsense\n[1]\n\n{two}\n{{\"type\":\"us")).unwrap();
    assert_eq!(world.words("c"), ["first", "second"]);
    let requests = world.requests("c").unwrap();
    assert_eq!((requests.broken_lines(), requests.is_cut()), (2, true));
    fs::write(&path, format!("nonsense\n{{\"cwd\":\"{}\"", world.shop.display())).unwrap();
    let everything = world.histories.find(&Scope::Everything, "c", GOING).unwrap();
    let error = world.histories.requests(&everything, GOING).unwrap_err();
    assert!(matches!(error, opentoolbar_dialogs::Error::NoData(opentoolbar_dialogs::NoData::Broken)));
}

#[cfg(unix)]
#[test]
fn a_transcript_that_is_a_link_belongs_to_the_project_of_those_beside_it() {
    let world = World::new();
    let real = world.claude_code("c.jsonl", &[line(&world, "user", "x".into())]);
    std::os::unix::fs::symlink(&real, real.with_file_name("link.jsonl")).unwrap();
    assert_eq!(world.why("link"), "SymbolicLink");
    fs::write(real.with_file_name("empty.jsonl"), "").unwrap();
    assert_eq!(world.why("empty"), "Empty");
    assert!(matches!(world.find("empty").unwrap().workspace, Workspace::AllOf(_)));
}

/// A directory's name is also that of other projects.
#[test]
fn a_transcript_that_says_no_directory_is_of_nobody_whatever_is_beside_it() {
    let world = World::new();
    let real = world.claude_code("c.jsonl", &[line(&world, "user", "x".into())]);
    let mut silent = line(&world, "user", "Their secret plan".into());
    silent.as_object_mut().unwrap().remove("cwd");
    fs::write(real.with_file_name("silent.jsonl"), jsonl(&[silent])).unwrap();
    assert_eq!(world.ids(), ["c"]);
}

#[test]
fn a_transcript_is_one_of_its_own_directory_alone() {
    let world = World::new();
    let inside = world.home.join(".claude/projects/-shop/c/subagents");
    fs::create_dir_all(&inside).unwrap();
    fs::write(inside.join("x.jsonl"), jsonl(&[line(&world, "user", "x".into())])).unwrap();
    assert_eq!(world.ids().len(), 0);
}

#[test]
fn blocks_of_a_message_are_lines_of_their_own() {
    let world = World::new();
    let blocks = ["look at this", "```", "and say\nwhy"].map(|text| json!({ "type": "text", "text": text }));
    world.claude_code("c.jsonl", &[line(&world, "user", json!(blocks))]);
    let asked = world.requests("c").unwrap().get(1, GOING).unwrap();
    assert_eq!(asked.words, "look at this\n```\nand say\nwhy");
}

/// A session that began or ended in another project says things of that one.
#[test]
fn a_session_is_of_a_project_only_when_all_the_directories_that_it_shows_are_in_it() {
    let world = World::new();
    let other = world.home.join("other");
    fs::create_dir(&other).unwrap();
    let at = |folder: &std::path::Path| with(line(&world, "user", "x".into()), "cwd", json!(folder));
    let (shop, web) = (at(&world.shop), at(&world.shop.join("web")));
    let long = |line: &Value, bytes: usize| with(line.clone(), "toolUseResult", "y".repeat(bytes).into());
    let silent = |bytes: usize| json!({ "type": "user", "toolUseResult": "y".repeat(bytes) });
    let middle = vec![long(&shop, 1_000); 300];
    let dirs: Vec<Value> = (0..100).map(|number| at(&world.shop.join(format!("{number}")))).collect();
    for (name, lines, is_ours) in [
        ("stayed", vec![shop.clone(), web.clone(), shop.clone()], true),
        ("left", vec![shop.clone(), at(&other)], false),
        ("came", vec![at(&other), shop.clone(), shop.clone()], false),
        ("left-later", [vec![shop.clone()], middle.clone(), vec![at(&other), shop.clone()]].concat(), false),
        ("came-later", [vec![at(&other)], middle.clone(), vec![shop.clone()]].concat(), false),
        ("stayed-long", [middle.clone(), vec![web.clone()]].concat(), true),
        ("long-end", [middle.clone(), vec![at(&other), silent(300_000)]].concat(), false),
        ("long-begin", [vec![silent(300_000), at(&other)], middle.clone()].concat(), false),
        ("one-long-line", vec![long(&shop, 300_000)], true),
        ("relative", vec![shop.clone(), at("packages".as_ref())], false),
        ("above", vec![shop.clone(), at(&world.home)], false),
        ("everywhere", dirs, false),
    ] {
        let path = world.claude_code("c.jsonl", &lines);
        assert_eq!(world.ids().len(), usize::from(is_ours), "{name}");
        let scope = Scope::Project(other.clone());
        assert_eq!(world.histories.list(&scope, GOING).unwrap().dialogs.len(), 0, "{name}: nor the other's");
        fs::remove_file(path).unwrap();
    }
}

/// It would be looked for in the directory that the host itself works in.
#[test]
fn a_directory_that_is_no_whole_path_is_in_no_project() {
    let world = World::new();
    let here = std::env::current_dir().unwrap().canonicalize().unwrap();
    for cwd in ["src", ".", ""] {
        world.claude_code("c.jsonl", &[with(line(&world, "user", "x".into()), "cwd", cwd.into())]);
        let listed = world.histories.list(&Scope::Project(here.clone()), GOING).unwrap();
        assert_eq!(listed.dialogs.len(), 0, "{cwd:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_transcript_that_is_a_link_is_of_a_project_only_when_all_those_beside_it_are() {
    let world = World::new();
    let real = world.claude_code("c.jsonl", &[line(&world, "user", "x".into())]);
    std::os::unix::fs::symlink(&real, real.with_file_name("link.jsonl")).unwrap();
    assert_eq!(world.ids().len(), 2);
    let elsewhere = with(line(&world, "user", "x".into()), "cwd", json!(world.home.join("other")));
    world.claude_code("d.jsonl", &[elsewhere]);
    assert_eq!(world.ids(), ["c"]);
}

#[test]
fn a_directory_with_more_names_than_are_looked_at_says_so() {
    let world = World::new();
    let folder = world.claude_code("c.jsonl", &[line(&world, "user", "x".into())]);
    let unread = || world.histories.list(&Scope::Everything, GOING).unwrap().unread;
    assert_eq!(unread(), 0);
    for number in 0..20_000 {
        fs::File::create(folder.with_file_name(number.to_string())).unwrap();
    }
    assert_eq!(unread(), 1);
}
