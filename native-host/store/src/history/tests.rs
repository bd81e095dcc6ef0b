#![allow(clippy::unwrap_used)]
use rusqlite::Connection;

use super::gather::{Found, readable};
use super::size::{MOST_OF_ALL, MOST_OF_SESSION};
use crate::conversation::{About, Latest};
use crate::{Fingerprint, Sent, Stores};
use opentoolbar_core::model::Timestamp;
use opentoolbar_project::Catalogue;

/// A project in which as much was said in each session, by rows.
async fn found(sessions: u32, messages: u32, words: &str) -> Found {
    let home = tempfile::tempdir().unwrap();
    let catalogue = || Catalogue::at(home.path().join("projects"));
    let stores = Stores::new(catalogue());
    let store = stores.of(home.path());
    let sent = Sent { message: "m_1".parse().unwrap(), fingerprint: Fingerprint::of(&0).unwrap() };
    let about = About::Latest(Latest { origin: String::new(), lost: None });
    store.say(sent, "s_0".parse().unwrap(), about, "first".into(), Timestamp(1)).await.unwrap();
    let file = catalogue().find(home.path()).unwrap().unwrap().join("opentoolbar.db");
    let rows = format!(
        "WITH RECURSIVE s(s) AS (SELECT 1 UNION ALL SELECT s + 1 FROM s WHERE s < {sessions}), \
         m(m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM m WHERE m < {messages}) \
         INSERT INTO messages (id, session_id, role, content, is_complete, is_read, parts, position, created_at) \
         SELECT 'm_' || s || '_' || m, 's_' || s, 0, ?1, 1, 0, 1, 1, 1 FROM s, m"
    );
    Connection::open(file).unwrap().execute(&rows, [words]).unwrap();
    store.worker.look(|worker| Ok(readable(worker))).await.unwrap()
}

#[tokio::test]
async fn no_more_is_read_for_the_history_than_has_room_in_it() {
    // Of 20 sessions 2 MB each.
    let found = found(20, 100, &"x".repeat(20_000)).await;
    assert!(found.is_whole);
    assert_eq!(found.sessions.len(), MOST_OF_ALL / MOST_OF_SESSION);
    assert!(found.bytes <= MOST_OF_ALL * 5 / 4, "{} bytes", found.bytes);
    for session in &found.sessions {
        assert_eq!(session.messages.len(), 100);
        let last = session.messages.last().unwrap();
        assert_eq!(last.content.len(), 20_000, "the latest are whole");
        assert!(
            session.messages[0].content.ends_with("… (cut)") && session.messages[0].content.len() <= 1024
        );
    }
}

#[tokio::test]
async fn what_grows_when_it_is_made_harmless_is_cut_all_the_same() {
    let found = found(3, 200, &"é\u{202e}<x> ".repeat(2_000)).await;
    for session in found.sessions.iter().filter(|session| session.messages.len() > 1) {
        assert!(session.bytes <= MOST_OF_SESSION, "{}", session.bytes);
        for message in &session.messages {
            assert!(!message.content.contains('\u{202e}'));
        }
        let oldest = &session.messages[0].content;
        assert!(oldest.ends_with("… (cut)") && oldest.len() <= 1024, "{}", oldest.len());
    }
    assert!(found.sessions.len() >= 3 && found.bytes <= 3 * MOST_OF_SESSION * 5 / 4, "{}", found.bytes);
}

#[tokio::test]
async fn what_has_room_is_all_there() {
    let found = found(49, 3, "short").await;
    assert_eq!(found.sessions.len(), 50);
    assert_eq!(found.sessions.iter().map(|session| session.messages.len()).sum::<usize>(), 1 + 49 * 3);
    assert!(
        found
            .sessions
            .iter()
            .flat_map(|one| &one.messages)
            .all(|one| ["short", "first"].contains(&&*one.content))
    );
}

/// SQLite's own functions take a zero for the end of a text.
#[tokio::test]
async fn what_stands_behind_a_zero_is_there() {
    let words = "before\0behind it, and long enough to be the text of its own ".repeat(50);
    let found = found(1, 2, &words).await;
    let said = found.sessions.iter().find(|session| session.messages.len() == 2).unwrap();
    for message in &said.messages {
        assert_eq!(message.content.matches("behind it").count(), 50, "{}", message.content);
    }
}
