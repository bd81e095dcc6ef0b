//! Every verb with input that is wrong: a sentence that says what happened and what to do next, and nothing of the
//! system's own.
#![cfg(unix)]

use std::process::Output;

use crate::world::World;

/// What was said on standard error; nothing may be said on standard output.
fn said(output: &Output, code: i32) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    assert!(!text.contains("os error") && !text.contains("panicked"), "{text}");
    text
}

/// The same of what `opentoolbar` says itself: what happened, and what to do.
fn sentences(output: &Output, code: i32) -> String {
    let text = said(output, code);
    assert!(text.lines().any(|line| line.starts_with("opentoolbar: ") && line.contains(". ")), "{text}");
    text
}

#[test]
fn a_file_that_is_none_or_is_not_there_is_named_with_what_to_give() {
    let world = World::new();
    let at = |name: &str| world.project().join(name).display().to_string();
    std::fs::create_dir(at("directory")).unwrap();
    std::fs::write(at("empty.html"), "").unwrap();
    let (directory, empty, gone) = (at("directory"), at("empty.html"), at("gone"));
    let inside = at("gone/comments.md");
    for (args, code, words) in [
        (vec!["check", gone.as_str()], 2, "there is no such file"),
        (vec!["check", ""], 2, "no page is given"),
        (vec!["check", &directory], 2, "is a directory"),
        (vec!["check", &empty], 2, "is empty"),
        (vec!["check", "http://localhost:1/"], 2, "nothing listens there"),
        (vec!["check", &empty, "--project", &gone], 2, "there is no such file or directory"),
        (vec!["export", "--project", &gone], 1, "there is no such file or directory"),
        (vec!["export", "--project", &empty], 1, "is not a directory"),
        (vec!["export", "--json", "-o", &directory], 1, "it is a directory"),
        (vec!["export", "--json", "-o", &inside], 1, "there is no directory"),
        (vec!["search", "words", "--project", &gone], 1, "there is no such file or directory"),
        (vec!["ui", "list", "--project", &empty], 1, "is not a directory"),
        (vec!["ui", "bogus"], 2, "is no page"),
        (vec!["mcp", "--project", &gone], 1, "there is no such file or directory"),
        (vec!["setup", "--home", &gone], 1, "there is no directory"),
    ] {
        let text = sentences(&world.verb(&args).output().unwrap(), code);
        assert!(text.contains(words), "{args:?}: {text}");
    }
}

#[test]
fn a_flag_with_a_wrong_value_says_which_it_takes() {
    let world = World::new();
    for (args, words) in [
        (["serve", "--port", "abc"], "a port is a number from 0 to 65535"),
        (["serve", "--port", "65536"], "a port is a number from 0 to 65535"),
        (["serve", "--port", "-1"], "a port is a number from 0 to 65535"),
        (["export", "--level", "wild"], "brief, standard, full"),
        (["setup", "--browser", "lynx"], "firefox"),
        (["search", "--limit", "0"], "1..=200"),
        (["check", "--comment", "x"], "must be \"c_\" followed by"),
    ] {
        let text = said(&world.verb(&args).output().unwrap(), 2);
        assert!(text.contains(words), "{args:?}: {text}");
    }
}

/// Of a person who set `OPENTOOLBAR_HOME` to a file, or made one of its name.
#[test]
fn a_home_that_is_a_file_is_said_to_be_none_by_every_verb() {
    let world = World::new();
    let file = world.project().join("file");
    std::fs::write(&file, "").unwrap();
    for args in [&["status"][..], &["export"], &["ui", "list"], &["search", "x"], &["pair"], &["serve"]] {
        let output = world.verb(args).env("OPENTOOLBAR_HOME", &file).output().unwrap();
        let text = sentences(&output, output.status.code().unwrap());
        assert!(!output.status.success(), "{args:?}");
        assert!(text.contains("cannot use") && text.contains("OPENTOOLBAR_HOME"), "{args:?}: {text}");
    }
}

#[test]
fn serve_names_the_settings_and_the_port_that_it_cannot_use() {
    let world = World::new();
    let serve = |args: &[&str]| world.verb(args).output().unwrap();
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let text = sentences(&serve(&["serve", "--port", &port]), 1);
    assert!(text.contains("another program uses it") && text.contains("--port 0"), "{text}");
    let config = world.home().join("config.json");
    std::fs::write(&config, "{broken").unwrap();
    let text = sentences(&serve(&["serve"]), 1);
    assert!(text.contains("config.json") && text.contains("or remove it"), "{text}");
    std::fs::remove_file(&config).unwrap();
    std::fs::create_dir(&config).unwrap();
    let text = sentences(&serve(&["serve"]), 1);
    assert!(text.contains("it is a directory") && text.contains("config.json"), "{text}");
}
