//! The verbs of the command line, as a person or a script runs them.
#![cfg(unix)]

use crate::world;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::world::{World, comment, outdated};
use serde_json::Value;

/// Every file and directory below, with its content.
fn tree(root: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut left = vec![root.to_owned()];
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path.clone());
                found.insert(path, None);
            } else {
                let content = std::fs::read(&path).unwrap();
                found.insert(path, Some(content));
            }
        }
    }
    found
}

fn said(output: &std::process::Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap() + &String::from_utf8(output.stderr.clone()).unwrap()
}

/// As a person would have to type it.
fn program() -> String {
    Path::new(world::program()).canonicalize().unwrap().display().to_string()
}

/// A user whose home holds Chromium's and Firefox's directories.
fn user() -> tempfile::TempDir {
    let user = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(user.path().join(".config/chromium/Default")).unwrap();
    std::fs::create_dir_all(user.path().join(".mozilla/firefox")).unwrap();
    user
}

fn verb(user: &Path, args: &[&str]) -> std::process::Output {
    assert_cmd::Command::new(world::program())
        .env_clear()
        .env("HOME", user)
        .env("OPENTOOLBAR_HOME", user.join(".opentoolbar"))
        .args(args)
        .output()
        .unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn uninstall_removes_exactly_what_setup_wrote() {
    let user = user();
    let before = tree(user.path());
    let output = verb(user.path(), &["setup"]);
    assert!(output.status.success(), "{}", said(&output));
    let chromium = user.path().join(".config/chromium/NativeMessagingHosts/org.opentoolbar.host.json");
    let firefox = user.path().join(".mozilla/native-messaging-hosts/org.opentoolbar.host.json");
    for (path, key) in [(&chromium, "allowed_origins"), (&firefox, "allowed_extensions")] {
        assert!(said(&output).contains(path.to_str().unwrap()), "prints every file it wrote");
        let manifest: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        assert!(manifest[key].is_array());
        assert!(Path::new(manifest["path"].as_str().unwrap()).is_absolute());
    }
    let once = tree(user.path());
    assert!(verb(user.path(), &["setup"]).status.success());
    assert_eq!(tree(user.path()), once, "twice is the same as once");

    let output = verb(user.path(), &["uninstall"]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(tree(user.path()), before, "{}", said(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn a_profile_named_by_hand_is_undone_too() {
    let user = user();
    let profile = tempfile::tempdir().unwrap();
    let directory = profile.path().join("demo");
    let output = verb(user.path(), &["setup", "--user-data-dir", directory.to_str().unwrap()]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(directory.join("NativeMessagingHosts/org.opentoolbar.host.json").is_file());
    assert!(!user.path().join(".config/chromium/NativeMessagingHosts").exists(), "only there");
    assert!(verb(user.path(), &["uninstall"]).status.success());
    assert_eq!(tree(profile.path()), BTreeMap::new());
}

#[cfg(target_os = "linux")]
#[test]
fn a_foreign_file_is_left_alone() {
    let user = user();
    let directory = user.path().join(".config/chromium/NativeMessagingHosts");
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("org.opentoolbar.host.json");
    std::fs::write(&file, "{\"name\": \"something else\"}").unwrap();
    for args in [["setup", "--browser", "chromium"], ["uninstall", "--browser", "chromium"]] {
        let output = verb(user.path(), &args);
        assert!(said(&output).contains("is not opentoolbar's"), "{}", said(&output));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "{\"name\": \"something else\"}");
    }
}

#[test]
fn a_dry_run_writes_nothing() {
    let user = user();
    let before = tree(user.path());
    let output = verb(user.path(), &["setup", "--dry-run"]);
    assert!(said(&output).contains("would write"), "{}", said(&output));
    assert_eq!(tree(user.path()), before);
}

#[test]
fn sandboxed_browsers_are_named() {
    let user = user();
    std::fs::create_dir_all(user.path().join(".var/app/org.mozilla.firefox")).unwrap();
    let output = verb(user.path(), &["setup"]);
    assert!(
        said(&output).contains("Firefox (Flatpak): runs in a sandbox and cannot start opentoolbar"),
        "{}",
        said(&output)
    );
}

#[cfg(target_os = "linux")]
#[test]
fn with_only_a_sandboxed_browser_setup_shows_the_agent_lines_and_how_to_pair() {
    let user = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(user.path().join("snap/firefox")).unwrap();
    let before = tree(user.path());
    let output = verb(user.path(), &["setup"]);
    assert!(output.status.success(), "{}", said(&output));
    let program = program();
    for part in [
        "Firefox (Snap): runs in a sandbox",
        &format!("`{program} serve`"),
        &format!("`{program} pair`"),
        &format!("claude mcp add --scope user opentoolbar -- {program} mcp"),
        "about:debugging",
    ] {
        assert!(said(&output).contains(part), "{part} in {}", said(&output));
    }
    assert_eq!(tree(user.path()), before, "nothing is registered");
}

#[test]
fn where_this_program_is_the_one_on_the_path_it_is_called_by_its_name() {
    let user = tempfile::tempdir().unwrap();
    let directory = user.path().join("bin");
    std::fs::create_dir(&directory).unwrap();
    std::os::unix::fs::symlink(world::program(), directory.join("opentoolbar")).unwrap();
    let pair = || {
        let mut command = assert_cmd::Command::new(world::program());
        command.env_clear().env("HOME", user.path()).arg("pair");
        command
    };
    let named = pair().env("PATH", &directory).output().unwrap();
    assert!(said(&named).contains("Run `opentoolbar serve` in another terminal"), "{}", said(&named));
    let other = pair().env("PATH", user.path()).output().unwrap();
    assert!(said(&other).contains("/opentoolbar serve`"), "{}", said(&other));
}

#[test]
fn help_shows_the_line_for_an_agent_that_setup_shows() {
    let user = user();
    let setup = said(&verb(user.path(), &["setup", "--dry-run"]));
    let line = setup.lines().find(|line| line.contains("claude mcp add")).unwrap().trim();
    let help = said(&verb(user.path(), &["mcp", "--help"]));
    assert!(help.contains(line), "{line} in {help}");
    let all = said(&verb(user.path(), &["--help"]));
    assert!(!all.contains("claude mcp add") && all.contains("opentoolbar setup --dry-run"), "{all}");
}

#[tokio::test]
async fn pair_names_the_command_and_the_file_that_open_the_gateway() {
    let world = World::new();
    let program = program();
    let config = world.home().join("config.json").display().to_string();
    let pair = || world.verb(&["pair"]).env("PATH", "/nowhere").output().unwrap();
    let output = pair();
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains(&format!("`{program} serve` in another terminal")), "{}", said(&output));
    assert!(world.verb(&["export"]).output().unwrap().status.success(), "starts a hub without a gateway");
    let output = pair();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    for part in [format!("`{program} serve` in another terminal"), config] {
        assert!(said(&output).contains(&part), "{part} in {}", said(&output));
    }
}

#[test]
fn json_may_stand_before_or_behind_list_and_is_refused_elsewhere() {
    let world = World::new();
    for args in [["projects", "--json", "list"], ["projects", "list", "--json"]] {
        let output = world.verb(&args).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(
            serde_json::from_slice::<Value>(&output.stdout).unwrap()["projects"],
            serde_json::json!([])
        );
    }
    let output = world.verb(&["projects", "--json", "export", "x"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("--json belongs to the list"), "{}", said(&output));
}

#[test]
fn a_home_that_does_not_exist_is_not_made() {
    let user = user();
    let home = user.path().join("typo");
    for verb_ in ["setup", "uninstall"] {
        let output = verb(user.path(), &[verb_, "--home", home.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).contains("there is no directory"), "{}", said(&output));
        assert!(!home.exists());
    }
}

#[test]
fn setup_says_how_to_load_the_extension() {
    let user = user();
    let output = verb(user.path(), &["setup", "--dry-run"]);
    assert!(said(&output).contains("chrome://extensions") && said(&output).contains("about:debugging"));
}

/// It ends the hub, and says so.
#[tokio::test]
async fn uninstall_says_that_it_ended_the_hub() {
    let world = World::new();
    assert!(world.verb(&["export"]).output().unwrap().status.success(), "starts a hub");
    let output = world.verb(&["uninstall"]).env("HOME", world.project()).output().unwrap();
    assert!(said(&output).contains("The hub was running and has been ended."), "{}", said(&output));
    assert!(!world.home().join("hub.sock").exists());
    let output = world.verb(&["uninstall"]).env("HOME", world.project()).output().unwrap();
    assert!(!said(&output).contains("has been ended"), "{}", said(&output));
}

#[test]
fn no_browser_is_an_error_with_a_next_step() {
    let user = tempfile::tempdir().unwrap();
    let output = verb(user.path(), &["setup"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("no browser was found. "), "{}", said(&output));
    // The agent may work here and the browser elsewhere.
    for part in ["claude mcp add", "pair"] {
        assert!(said(&output).contains(part), "{part} in {}", said(&output));
    }
}

#[test]
fn wrong_arguments_exit_with_2_and_never_on_stdout() {
    let user = user();
    for args in [&["nonsense"][..], &["setup", "--browser", "lynx"], &[]] {
        let output = verb(user.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut process = std::process::Command::new(world::program())
        .args(["tools", "--markdown"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(process.stdout.take());
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_foreign_extension_is_not_served() {
    let user = user();
    for args in
        [&["chrome-extension://abcdefghijklmnopabcdefghijklmnop/"][..], &["/x/y.json", "someone@else"]]
    {
        let output = verb(user.path(), args);
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty(), "standard output belongs to the browser");
        assert!(said(&output).contains("is not opentoolbar's"), "{}", said(&output));
    }
}

#[tokio::test]
async fn status_tells_without_starting_a_hub() {
    let world = World::new();
    let output = world.verb(&["status", "--json"]).output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["running"], false);
    assert!(!world.home().join("hub.sock").exists());

    let _browser = world.browser().await;
    let mut agent = world.agent().await;
    agent.call("get_ui_feedback", serde_json::json!({})).await;
    let output = world.verb(&["status", "--json"]).output().unwrap();
    let status: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(status["running"], true);
    assert_eq!(status["browsers"][0], "Test browser");
    assert_eq!(status["agents"][0]["client"], "test-agent 1.0");
    let text = said(&world.verb(&["status"]).output().unwrap());
    assert!(text.contains("test-agent 1.0 in "), "{text}");
}

/// A hub that is there and cannot be talked to is not "not running".
#[test]
fn status_of_a_hub_that_hangs_up_says_so() {
    let world = World::new();
    let listener = std::os::unix::net::UnixListener::bind(world.home().join("hub.sock")).unwrap();
    std::thread::spawn(move || listener.incoming().for_each(drop));
    for args in [&["status"][..], &["status", "--json"]] {
        let output = world.verb(args).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        assert!(
            !said(&output).contains("not running") && !said(&output).contains("false"),
            "{}",
            said(&output)
        );
        assert!(
            said(&output).contains("hub.sock") && said(&output).contains("server.pid"),
            "{}",
            said(&output)
        );
    }
    let output = world.verb(&["uninstall"]).env("HOME", world.project()).output().unwrap();
    assert!(world.home().join("hub.sock").exists(), "what lives keeps its files: {}", said(&output));
}

/// "Export active comments" and "Export all comments as JSON", on the command line.
#[tokio::test]
async fn export_writes_the_prompt_and_the_json() {
    let world = World::new();
    let browser = world.browser().await;
    browser.comment(comment("c_old", "/", "Wrong text")).await;
    browser.change("c_old", outdated()).await;
    browser.comment(comment("c_one", "/", "Change button color to #2563EB")).await;

    let output = world.verb(&["export"]).output().unwrap();
    let prompt = said(&output);
    assert!(output.status.success(), "{prompt}");
    let (active, old) = (prompt.find("#2563EB").unwrap(), prompt.find("Wrong text").unwrap());
    assert!(active < old, "active first, then outdated");
    assert!(prompt.contains("SaveButton") && prompt.contains("src/SaveButton.tsx"));
    assert!(prompt.contains("This element has been modified since the comment was created."));

    let file = world.home().join("comments.json");
    let output = world.verb(&["export", "--json", "-o", file.to_str().unwrap()]).output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{}", said(&output));
    let export: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert!(export["version"].is_number() && export["exportedAt"].is_string());
    assert_eq!(export["comments"].as_array().unwrap().len(), 2);

    // As any file that the person makes; one that is there keeps its mode, and a link stays a link.
    use std::os::unix::fs::{PermissionsExt, symlink};
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
    let usual = world.home().join("usual");
    std::fs::write(&usual, "").unwrap();
    assert_eq!(mode(&file), mode(&usual));
    std::fs::set_permissions(&usual, std::fs::Permissions::from_mode(0o640)).unwrap();
    let link = world.home().join("link");
    symlink(&usual, &link).unwrap();
    assert!(world.verb(&["export", "-o", link.to_str().unwrap()]).output().unwrap().status.success());
    assert_eq!(std::fs::read_link(&link).unwrap(), usual);
    assert_eq!(mode(&usual) & 0o777, 0o640);
    assert_eq!(std::fs::read_to_string(&usual).unwrap(), prompt);
    let output = world.verb(&["export", "-o", "/dev/stdout"]).output().unwrap();
    assert_eq!(said(&output), prompt, "a pipe is written to, not replaced");

    let output = world.verb(&["export", "--pathname", "/nowhere"]).output().unwrap();
    assert!(output.status.success() && !said(&output).contains("#2563EB"), "{}", said(&output));
    let output = world.verb(&["export", "--project", "/no/such/place"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

/// Somebody in the wrong directory, or with a slip in an argument, is told so.
#[tokio::test]
async fn export_says_what_it_looked_at_and_what_is_wrong() {
    let world = World::new();
    let root = world.project().to_str().unwrap().to_owned();
    let output = world.verb(&["export"]).output().unwrap();
    assert!(output.status.success());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(&root) && told.contains("has no comments that wait for work"), "{told}");
    let output = world.verb(&["export", "--json"]).output().unwrap();
    let export: Value = serde_json::from_slice(&output.stdout).expect("standard output is as ever");
    assert_eq!(export["comments"], serde_json::json!([]));

    let output = world.verb(&["export", "--pathname", "settings"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("Did you mean --pathname /settings?"), "{}", said(&output));
    let output = world.verb(&["export", "-o", "nowhere/comments.md"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = said(&output);
    assert!(told.contains("there is no directory nowhere") && !told.contains(".opentoolbar-"), "{told}");
}

/// Each imported comment is told to the browsers; the one that imports keeps its connection all the same.
#[tokio::test]
async fn a_large_import_keeps_its_browser() {
    use opentoolbar_core::protocol::{Answer, Request};
    let world = World::new();
    let browser = world.browser().await;
    for batch in ["a", "b"] {
        let comments =
            (0..2_000).map(|number| comment(&format!("c_{batch}{number}"), "/", "Wrong text")).collect();
        let request = Request::ImportComments { session_id: "s_test".parse().unwrap(), comments };
        let answer = browser.client.request(request).await;
        assert!(matches!(answer, Ok(Answer::Imported { added: 2_000, .. })), "{answer:?}");
    }
    let logs = tree(&world.home().join("logs"));
    let logged =
        logs.values().flatten().map(|log| String::from_utf8_lossy(log).into_owned()).collect::<String>();
    assert!(!logged.contains("closed:"), "{logged}");
}

/// Two more tabs of the project, a selection and a message in each of two.
async fn with_a_conversation(world: &World) -> world::Browser {
    use opentoolbar_core::protocol::Request;
    let browser = world.browser().await;
    let tab = |id: &str, path: &str, title: &str| {
        let url = format!("{}{path}", world::ORIGIN);
        serde_json::json!({ "id": id, "url": url, "title": title, "lastActive": 1 })
    };
    for session in [tab("s_cart", "/cart", "Cart\u{1b}[2J"), tab("s_help", "/help", "")] {
        let session = serde_json::from_value(session).unwrap();
        browser.client.request(Request::OpenSession(session)).await.unwrap();
    }
    let say = Request::UserMessage { context_id: None, message: "Make the *buy* button larger".into() };
    browser.client.request_in(&"s_cart".parse().unwrap(), say).await.unwrap();
    browser.comment(comment("c_one", "/", "Change button color to #2563EB")).await;
    browser
}

/// What a verb said, without what differs from run to run.
fn told(world: &World, args: &[&str]) -> String {
    let output = world.verb(args).output().unwrap();
    let root = world.project().to_str().unwrap().to_owned();
    let mut told = format!("$ opentoolbar {}\n", args.join(" "));
    told += &said(&output).replace(&root, "[PROJECT]");
    told += &format!("[exits with {}]\n", output.status.code().unwrap());
    told
}

#[tokio::test]
async fn ui_lists_the_open_pages_and_picks_one_for_the_agents() {
    let world = World::new();
    let mut all = told(&world, &["ui", "list"]);
    assert!(!world.home().join("hub.sock").exists(), "looking starts no hub");
    let _browser = with_a_conversation(&world).await;
    for what in ["list", "#3", "#7", "latest", "1", "#0", "nonsense"] {
        all += &told(&world, &["ui", what]);
    }
    insta::with_settings!({ filters => [(r"\d+ days ago", "[DAYS] ago")] }, { insta::assert_snapshot!(all) });

    world.verb(&["ui", "#2"]).output().unwrap();
    let mut agent = world.agent().await;
    let meant = agent.call("get_ui_context", serde_json::json!({})).await;
    assert_eq!(meant["sessionId"], "s_cart", "{meant}");
    let output = world.verb(&["ui", "list", "--json"]).output().unwrap();
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let picked: Vec<_> =
        listed["sessions"].as_array().unwrap().iter().filter(|s| s["isSelected"] == true).collect();
    assert_eq!((picked.len(), &picked[0]["number"]), (1, &2.into()));
}

#[tokio::test]
async fn search_finds_what_was_said_in_comments_and_in_the_chat() {
    let world = World::new();
    let _browser = with_a_conversation(&world).await;
    let output = world.verb(&["search", "button", "--json"]).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut kinds: Vec<_> =
        found["hits"].as_array().unwrap().iter().map(|hit| hit["kind"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    assert_eq!((kinds, &found["more"]), (vec!["comment", "message"], &false.into()));

    let mut all = String::new();
    for args in [
        &["search", "larg"][..],
        &["search", "color", "button"],
        &["search", "button", "--limit", "1"],
        &["search", "nothing", "like", "it"],
        &["search", "button", "--limit", "0"],
        &["search", "\"button\" NEAR(", "*"],
        &["search", "((("],
        &["search", ""],
        &["search", " "],
    ] {
        all += &told(&world, args);
    }
    let changing = [(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "[WHEN]"), (r"m_[0-9a-f]{32}", "[MESSAGE]")];
    insta::with_settings!({ filters => changing }, { insta::assert_snapshot!(all) });
}

#[tokio::test]
async fn pair_prints_a_code() {
    let world = World::new();
    std::fs::write(world.home().join("config.json"), r#"{"gateway": {"enabled": true, "port": 0}}"#).unwrap();
    assert!(world.verb(&["export"]).output().unwrap().status.success(), "starts a hub");
    let all = told(&world, &["pair"]);
    let changing = [
        (r"[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}", "[CODE]"),
        (r"(127\.0\.0\.1|-L \d+:127\.0\.0\.1):\d+", "[ADDRESS]"),
    ];
    insta::with_settings!({ filters => changing }, { insta::assert_snapshot!(all) });
}

#[test]
fn the_reference_of_the_tools_is_up_to_date() {
    let output = assert_cmd::Command::new(world::program()).args(["tools", "--markdown"]).output().unwrap();
    let written = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tools.md")).unwrap();
    assert!(output.stdout == written, "docs/tools.md is not what the tools say: run `cargo xtask codegen`");
}
