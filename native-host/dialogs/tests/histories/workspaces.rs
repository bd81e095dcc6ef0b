//! Which project a dialog of VS Code belongs to, and VS Code's own list.

use std::fs;
use std::path::Path;

use opentoolbar_dialogs::{Scope, Source, Workspace};
use serde_json::{Value, json};

use crate::world::{GOING, World, request, session, uri};

impl World {
    /// One dialog in a workspace of its own; whether the shop has it.
    fn is_of_the_shop(&self, says: &Value) -> bool {
        let sessions = self.workspace(Source::VsCode, "w", says);
        fs::write(sessions.join("x.json"), session(&[]).to_string()).unwrap();
        self.ids() == ["x"]
    }

    fn list_in(&self, storage: &Path, entries: &Value) {
        fs::create_dir_all(storage).unwrap();
        let path = storage.join("state.vscdb");
        let _ = fs::remove_file(&path);
        let database = rusqlite::Connection::open(path).unwrap();
        database
            .execute_batch("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
            .unwrap();
        let list = json!({ "version": 1, "entries": entries }).to_string();
        let sql = "INSERT INTO ItemTable VALUES ('chat.ChatSessionStore.index', ?1)";
        database.execute(sql, [list.as_bytes()]).unwrap();
    }
}

#[test]
fn a_folder_at_or_inside_the_root_is_of_the_project() {
    let world = World::new();
    let shop = world.shop.clone();
    assert!(world.is_of_the_shop(&json!({ "folder": uri(&shop) })));
    assert!(world.is_of_the_shop(
        &json!({ "folder": uri(&shop.join("packages/w\u{e4}b %20")).replace("%20", "%2520") })
    ));
    assert!(world.is_of_the_shop(&json!({ "folder": uri(&shop).replace("shop", "%73h%6Fp/") })));
    assert!(!world.is_of_the_shop(&json!({ "folder": uri(&world.home) })));
    assert!(!world.is_of_the_shop(&json!({ "folder": format!("{}-old", uri(&shop)) })));
    assert!(!world.is_of_the_shop(&json!({ "folder": format!("{}/../other", uri(&shop)) })));
    assert!(!world.is_of_the_shop(
        &json!({ "folder": format!("vscode-remote://ssh-remote%2Bhost{}", shop.display()) })
    ));
    assert!(!world.is_of_the_shop(&json!({ "folder": 5 })));
    assert!(!world.is_of_the_shop(&json!({})));
}

#[test]
fn each_root_of_a_workspace_file_counts() {
    let world = World::new();
    let file = world.home.join("all.code-workspace");
    let says = json!({ "workspace": uri(&file) });
    let write = |text: &str| fs::write(&file, text).unwrap();
    write(
        "{\n  // where we work\n  \"folders\": [{ \"path\": \"other\" }, { \"name\": \"Shop\", \"path\": \"./shop/api/..\" },],\n  \"settings\": {},\n}",
    );
    assert!(world.is_of_the_shop(&says));
    assert!(world.is_of_the_shop(&json!({ "configuration": uri(&file) })));
    write(&json!({ "folders": [{ "uri": uri(&world.shop) }] }).to_string());
    assert!(world.is_of_the_shop(&says));
    write(&json!({ "folders": [{ "path": "other" }] }).to_string());
    assert!(!world.is_of_the_shop(&says));
    write("{ \"folders\": [");
    assert!(!world.is_of_the_shop(&says));
    fs::remove_file(&file).unwrap();
    assert!(!world.is_of_the_shop(&says));
}

#[test]
fn windows_without_a_folder_belong_to_no_project() {
    let world = World::new();
    for name in ["emptyWindowChatSessions", "transferredChatSessions"] {
        let sessions = world.user(Source::VsCode).join("globalStorage").join(name);
        fs::create_dir_all(&sessions).unwrap();
        fs::write(sessions.join(format!("{name}.json")), session(&[request("x", 1)]).to_string()).unwrap();
    }
    assert_eq!(world.ids().len(), 0);
    let all = world.histories.list(&Scope::Everything, GOING).unwrap().dialogs;
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|dialog| dialog.workspace == Workspace::NoFolder));
    let dialog = &all[0];
    assert_eq!(world.histories.requests(dialog, GOING).unwrap().count(), 1);
}

#[test]
fn two_builds_with_one_workspace_have_the_dialogs_of_both() {
    let world = World::new();
    for (source, id) in
        [(Source::VsCode, "code"), (Source::VsCodeInsiders, "insiders"), (Source::VsCodium, "codium")]
    {
        let sessions = world.workspace(source, "same", &json!({ "folder": uri(&world.shop) }));
        fs::write(sessions.join(format!("{id}.json")), session(&[request(id, 1)]).to_string()).unwrap();
        fs::write(sessions.join("same.json"), session(&[request(id, 1)]).to_string()).unwrap();
    }
    assert_eq!(world.ids().len(), 6);
    for id in ["code", "insiders", "codium"] {
        assert_eq!(world.words(id), [id]);
    }
    assert_eq!(world.words("same").len(), 1, "one of them");
}

#[test]
fn what_stands_in_the_own_list_alone_is_a_dialog_whose_file_is_missing() {
    let world = World::new();
    world.vs_code("there.json", session(&[request("x", 1)]).to_string());
    let storage = world.user(Source::VsCode).join("workspaceStorage/abc");
    let entries = json!({
        "there": { "sessionId": "there", "title": "Of the list", "lastMessageDate": 1_700_000_000_000_u64 },
        "gone": {
            "sessionId": "gone", "title": "Was once", "lastMessageDate": 1_700_000_000_123_u64, "isEmpty": true,
        },
        "cloud": { "sessionId": "cloud", "title": "x", "lastMessageDate": 1, "isExternal": true },
        "strange": { "title": 5 },
    });
    world.list_in(&storage, &entries);
    let before = fs::read_dir(&storage).unwrap().count();
    assert_eq!(world.why("gone"), "Missing");
    let gone = world.find("gone").unwrap();
    assert_eq!((gone.title.as_deref(), gone.last_active.0), (Some("Was once"), 1_700_000_000_123));
    assert_eq!(gone.is_empty, Some(true), "as the list says");
    assert_eq!(world.find("there").unwrap().title.as_deref(), Some("Of the list"));
    assert_eq!(world.ids(), ["there", "gone"]);
    assert_eq!(fs::read_dir(&storage).unwrap().count(), before, "nothing is written beside it");
    // In windows without a folder.
    let global = world.user(Source::VsCode).join("globalStorage");
    world.list_in(&global, &json!({ "lost": { "title": "", "lastMessageDate": 5 } }));
    assert!(world.histories.find(&Scope::Everything, "lost", GOING).is_ok());
    assert!(world.find("lost").is_err());
}

#[test]
fn an_own_list_that_is_none_costs_nothing_else() {
    // What is no list is told beside the dialogs.
    let listed = |world: &World| {
        let listed = world.histories.list(&world.scope(), GOING).unwrap();
        (listed.dialogs.iter().map(|dialog| dialog.id.clone()).collect::<Vec<_>>(), listed.unread)
    };
    let expected = |unread| (vec!["x".to_owned()], unread);
    let with_storage = || {
        let world = World::new();
        world.vs_code("x.json", session(&[]).to_string());
        let list = world.user(Source::VsCode).join("workspaceStorage/abc/state.vscdb");
        (world, list)
    };
    for content in [b"".to_vec(), b"not a database".repeat(1_000), b"SQLite format 3\0".repeat(500)] {
        let (world, list) = with_storage();
        fs::write(list, content).unwrap();
        assert_eq!(listed(&world), expected(1));
        assert_eq!(listed(&world), expected(1), "also when it is not read again");
    }
    let (world, list) = with_storage();
    fs::File::create(list).unwrap().set_len(65 * 1024 * 1024).unwrap();
    assert_eq!(listed(&world), expected(1), "more than is copied");
    let (world, list) = with_storage();
    rusqlite::Connection::open(list)
        .unwrap()
        .execute_batch("CREATE TABLE ItemTable (key TEXT, value BLOB)")
        .unwrap();
    assert_eq!(listed(&world), expected(0), "a window in which no dialog was");
    let (world, list) = with_storage();
    let database = rusqlite::Connection::open(list).unwrap();
    database
        .execute_batch(
            "CREATE VIEW ItemTable AS WITH RECURSIVE n(key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM n)
             SELECT 'chat.ChatSessionStore.index' AS key, key AS value FROM n",
        )
        .unwrap();
    drop(database);
    assert_eq!(listed(&world), expected(1), "what it would run is not run");
}

/// VS Code writes its database every few seconds, and it is copied whole to be read.
#[test]
fn an_own_list_that_was_read_a_moment_ago_is_not_read_again() {
    let world = World::new();
    world.vs_code("x.json", session(&[]).to_string());
    let storage = world.user(Source::VsCode).join("workspaceStorage/abc");
    for title in ["First", "Second"] {
        world.list_in(&storage, &json!({ "x": { "title": title, "lastMessageDate": 1 } }));
        assert_eq!(world.list()[0].title.as_deref(), Some("First"));
    }
}

#[cfg(unix)]
#[test]
fn a_settings_directory_that_is_a_link_is_the_persons_own_and_is_followed() {
    let world = World::new();
    world.vs_code("x.json", session(&[request("x", 1)]).to_string());
    let code = world.home.join(".config/Code");
    fs::rename(&code, world.home.join("dotfiles")).unwrap();
    std::os::unix::fs::symlink(world.home.join("dotfiles"), &code).unwrap();
    assert_eq!(world.words("x"), ["x"]);
    // One below it is not.
    let storage = world.user(Source::VsCode).join("workspaceStorage");
    fs::rename(storage.join("abc"), world.home.join("moved")).unwrap();
    std::os::unix::fs::symlink(world.home.join("moved"), storage.join("abc")).unwrap();
    assert_eq!(world.ids().len(), 0);
}
