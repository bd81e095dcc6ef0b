//! Whether words stand in a project's source files: what a browser is answered, and what is never read.
#![cfg(unix)]

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::room::{Room, open_tab, session};
use opentoolbar::hub::client::Client;
use opentoolbar_core::anchor::FoundIn::{self, ChangedFile, Nowhere, OwnFile, Unknown};
use opentoolbar_core::model::Timestamp;
use opentoolbar_core::protocol::{Answer, ErrorBody, ErrorCode, Request, SourceQuery};

const PAGE: &str = "https://shop.test/";

fn now() -> u64 {
    u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

fn write(root: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn shop() -> Room {
    let room = Room::new();
    std::fs::write(room.project.join(".gitignore"), "node_modules\nprivate\n").unwrap();
    write(&room.project, "src/Shop.tsx", "<p className='price'>€ {good.price}</p> // Closed since 1999");
    write(&room.project, "src/goods.ts", "export const goods = [{ name: 'Mill', price: 24 }]");
    room
}

/// A moment after all that was written, and before what will be.
fn a_moment() -> u64 {
    std::thread::sleep(Duration::from_millis(30));
    let moment = now();
    std::thread::sleep(Duration::from_millis(30));
    moment
}

async fn find(
    browser: &Client,
    file: Option<&str>,
    since: u64,
    words: &[&str],
) -> Result<Vec<FoundIn>, ErrorBody> {
    let words = words.iter().map(|&word| word.to_owned()).collect();
    let query = SourceQuery { file: file.map(str::to_owned), since: Timestamp(since), words };
    let request = Request::FindInSource { session_id: "s_1".parse().unwrap(), queries: vec![query] };
    match browser.request(request).await? {
        Answer::FoundInSource { mut found } => Ok(found.remove(0)),
        other => panic!("{other:?}"),
    }
}

const SHOP: Option<&str> = Some("/src/Shop.tsx?t=17:3:1");

#[tokio::test]
async fn a_word_stands_in_a_file_that_changed_in_the_elements_own_or_nowhere() {
    let room = shop();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let before = a_moment();
    let words = ["29", "24", "closed", "1999", "lund"];
    let found = find(&browser, SHOP, before, &words).await.unwrap();
    assert_eq!(found, [Unknown, Unknown, OwnFile, OwnFile, Unknown], "nothing changed that could be seen");
    write(&room.project, "src/goods.ts", "export const goods = [{ name: 'Mill', price: 29 }]");
    let found = find(&browser, SHOP, before, &words).await.unwrap();
    assert_eq!(found, [ChangedFile, Nowhere, OwnFile, OwnFile, Nowhere]);
    let found = find(&browser, None, before, &words).await.unwrap();
    assert_eq!(found, [ChangedFile, Unknown, Unknown, Unknown, Unknown], "its own file is not known");
    let found = find(&browser, SHOP, a_moment(), &words).await.unwrap();
    assert_eq!(found, [Unknown, Unknown, OwnFile, OwnFile, Unknown], "it changed before");
}

#[tokio::test]
async fn what_is_ignored_secret_linked_or_outside_is_never_read() {
    let room = shop();
    let outside = room.path().join("outside");
    write(&outside, "hosts.ts", "swordfish");
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let before = a_moment();
    write(&room.project, "src/goods.ts", "edited");
    write(&room.project, "private/notes.ts", "swordfish");
    write(&room.project, "node_modules/pass/index.js", "swordfish");
    std::os::unix::fs::symlink(outside.join("hosts.ts"), room.project.join("src/linked.ts")).unwrap();
    std::os::unix::fs::symlink(&outside, room.project.join("src/below")).unwrap();
    for file in
        ["private/notes.ts", "src/linked.ts", "src/below/hosts.ts", "../outside/hosts.ts", "/etc/hosts"]
    {
        let found = find(&browser, Some(file), before, &["swordfish", "localhost"]).await.unwrap();
        assert_eq!(found, [Unknown, Unknown], "{file}");
    }
    assert_eq!(find(&browser, SHOP, before, &["swordfish"]).await.unwrap(), [Nowhere]);
    let unread = ["Makefile", "notes.txt", "dump.sql", "prod.env", "config/passwords.yaml"];
    for secret in [".env", ".env.local", "certs/server.pem", "src/secrets.ts"].into_iter().chain(unread) {
        write(&room.project, secret, "swordfish");
        let own = find(&browser, Some(secret), before, &["swordfish"]).await.unwrap();
        assert_eq!(own, [Unknown], "{secret}");
        // Nobody knows what its edit shows.
        assert_eq!(find(&browser, SHOP, before, &["swordfish"]).await.unwrap(), [Unknown], "{secret}");
        std::fs::remove_file(room.project.join(secret)).unwrap();
    }
}

#[tokio::test]
async fn of_what_is_too_long_or_too_much_nothing_is_said_to_be_nowhere() {
    let room = shop();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let before = a_moment();
    write(&room.project, "src/goods.ts", "mill");
    write(&room.project, "public/logo.png", b"\x89PNG\0\0lund");
    assert_eq!(find(&browser, SHOP, before, &["lund", "mill"]).await.unwrap(), [Nowhere, ChangedFile]);
    write(&room.project, "src/long.ts", "x ".repeat(600_000));
    assert_eq!(find(&browser, SHOP, before, &["lund", "mill"]).await.unwrap(), [Unknown, ChangedFile]);
    std::fs::remove_file(room.project.join("src/long.ts")).unwrap();
    for number in 0..101 {
        write(&room.project, &format!("src/many/{number}.ts"), "mill");
    }
    assert_eq!(find(&browser, SHOP, before, &["lund", "1999"]).await.unwrap(), [Unknown, OwnFile]);
}

/// Another encoding may write the very words that are looked for.
#[tokio::test]
async fn of_what_is_not_utf8_nothing_is_said_to_be_nowhere() {
    let room = shop();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let before = a_moment();
    write(&room.project, "src/goods.ts", "mill");
    let asked = ["gr\u{fc}\u{df}e", "mill"];
    assert_eq!(find(&browser, SHOP, before, &asked).await.unwrap(), [Nowhere, ChangedFile]);
    let utf16: Vec<u8> = "grüße".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (file, text) in [("src/latin.php", b"<p>gr\xfc\xdfe</p>".to_vec()), ("src/wide.resx", utf16)] {
        write(&room.project, file, text);
        assert_eq!(find(&browser, SHOP, before, &asked).await.unwrap(), [Unknown, ChangedFile], "{file}");
        std::fs::remove_file(room.project.join(file)).unwrap();
    }
}

#[tokio::test]
async fn what_a_neighbour_may_have_named_is_not_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let room = shop();
    write(room.path(), "outside/hosts.ts", "swordfish");
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let directory = room.project.join("shared");
    std::fs::create_dir(&directory).unwrap();
    std::fs::hard_link(room.path().join("outside/hosts.ts"), directory.join("a.ts")).unwrap();
    let mode = |mode| std::fs::set_permissions(&directory, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o777);
    let of = async || find(&browser, Some("shared/a.ts"), now(), &["swordfish"]).await.unwrap();
    assert_eq!(of().await, [Unknown]);
    mode(0o755);
    assert_eq!(of().await, [OwnFile], "nobody else can have linked it there");
}

/// Others ask all the while, whose reading may have begun before the edit.
#[tokio::test(flavor = "multi_thread")]
async fn an_edit_that_was_just_made_is_found() {
    let room = shop();
    // Takes a moment to be read.
    let rest = "x ".repeat(400_000);
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let before = a_moment();
    write(&room.project, "src/goods.ts", format!("{rest} edit0"));
    let other = room.browser().await;
    open_tab(&other, "s_2", PAGE, &room.project).await;
    let asks = tokio::spawn(async move {
        loop {
            let words = vec!["x".to_owned()];
            let query = SourceQuery { file: None, since: Timestamp(before), words };
            let request = Request::FindInSource { session_id: "s_2".parse().unwrap(), queries: vec![query] };
            let _ = other.request(request).await;
        }
    });
    for number in 1..20 {
        let word = format!("edit{number}");
        write(&room.project, "src/goods.ts", format!("{rest} {word}"));
        let began = std::time::Instant::now();
        // A machine under load may be too slow to tell; it never says anything else.
        loop {
            match find(&browser, SHOP, before, &[&word]).await.unwrap()[..] {
                [ChangedFile] => break,
                [Unknown] => assert!(began.elapsed() < Duration::from_secs(60), "{word} is not found"),
                ref other => panic!("{word}: {other:?}"),
            }
        }
    }
    asks.abort();
}

#[tokio::test]
async fn only_a_browser_asks_and_of_its_own_tab_alone() {
    let room = shop();
    let (browser, other) = (room.browser().await, room.browser().await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let refused = find(&other, SHOP, 0, &["mill"]).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::UnknownSession);
    let agent = room.agent("a").await;
    assert_eq!(find(&agent, SHOP, 0, &["mill"]).await.unwrap_err().code, ErrorCode::Forbidden);
}

#[tokio::test]
async fn of_a_tab_without_a_project_nothing_can_be_told() {
    let room = shop();
    let browser = room.browser().await;
    browser.request(Request::OpenSession(session("s_1", "https://nobody.test/"))).await.unwrap();
    assert_eq!(find(&browser, SHOP, 0, &["mill", "29"]).await.unwrap(), [Unknown, Unknown]);
}
