//! One damaged row costs itself alone.
#![allow(clippy::unwrap_used)]
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use opentoolbar_core::model::{MessageId, SessionId, Timestamp};
use opentoolbar_core::protocol::ErrorCode;
use rusqlite::Connection;

use crate::conversation::{self, Answered, Response};
use crate::history::{self, TakenBack};
use crate::{About, Fingerprint, Latest, Sent, Store, Stores, Wanted};
use opentoolbar_project::Catalogue;

/// Another type, no UTF-8, and what is no id.
const DAMAGES: [&str; 3] = ["x'ff00'", "CAST(x'ff00' AS TEXT)", "'of no kind'"];

struct Case {
    home: tempfile::TempDir,
    stores: Stores,
    store: Arc<Store>,
}

impl Case {
    /// With a message of the person's for each id, all in `s_1`.
    async fn with(ids: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let stores = Stores::new(Catalogue::at(home.path().join("projects")));
        let store = stores.of(home.path());
        for id in ids {
            store.say(sent(id), session("s_1"), any(), (*id).into(), Timestamp(1)).await.unwrap();
        }
        Self { home, stores, store }
    }

    fn file(&self) -> PathBuf {
        let catalogue = Catalogue::at(self.home.path().join("projects"));
        catalogue.find(self.home.path()).unwrap().unwrap().join("opentoolbar.db")
    }

    fn damage(&self, sql: &str) {
        Connection::open(self.file()).unwrap().execute_batch(sql).unwrap();
    }

    fn count(&self, sql: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM {sql}");
        Connection::open(self.file()).unwrap().query_row(&sql, [], |row| row.get(0)).unwrap()
    }

    fn unreadable(&self) -> u32 {
        self.stores.unreadable([self.home.path()])
    }

    async fn hand_over(&self, ids: &[&str], answerer: &str) {
        let ids = ids.iter().map(|id| id.parse().unwrap()).collect();
        self.store.hand_over(ids, answerer.into(), |_| ()).await.unwrap();
    }

    /// With these agents there.
    async fn released(&self, here: &[&str]) -> Vec<String> {
        let here: BTreeSet<String> = here.iter().map(|agent| (*agent).to_owned()).collect();
        let (told, heard) = std::sync::mpsc::channel();
        let tell = move |of: &[conversation::Of]| {
            drop(told.send(of.iter().map(|(id, _)| id.to_string()).collect()));
        };
        self.store.release(here, tell).await.unwrap();
        heard.try_recv().unwrap_or_default()
    }

    async fn respond(&self, message: &str, text: &str, is_complete: bool) -> Answered {
        let response = Response {
            message: message.parse().unwrap(),
            session: session("s_1"),
            context: None,
            agent: "X".into(),
            answerer: "a".into(),
            text: text.into(),
            is_complete,
            index: None,
            told_in_part: Vec::new(),
        };
        self.store.respond(response, Timestamp(2), |_| ()).await.unwrap()
    }

    fn select(&self, id: &str, session: &str) {
        self.damage(&format!(
            "INSERT INTO contexts (id, session_id, document) VALUES ('{id}', '{session}', '{{}}')"
        ));
    }
}

fn sent(id: &str) -> Sent {
    Sent { message: id.parse().unwrap(), fingerprint: Fingerprint::of(&id).unwrap() }
}

/// Words that name no selection.
fn any() -> About {
    About::Latest(Latest { origin: "https://shop.test".into(), lost: None })
}

fn session(id: &str) -> SessionId {
    id.parse().unwrap()
}

fn ids(of: &[MessageId]) -> Vec<&str> {
    of.iter().map(MessageId::as_str).collect()
}

#[tokio::test]
async fn what_an_agent_left_waits_again_beside_a_damaged_row() {
    for damage in DAMAGES {
        for (column, of) in [("message_id", "handed WHERE message_id"), ("session_id", "messages WHERE id")] {
            let case = Case::with(&["m_1", "m_2"]).await;
            case.hand_over(&["m_1", "m_2"], "a").await;
            let (table, key) = of.split_once(' ').unwrap();
            case.damage(&format!("UPDATE {table} SET {column} = {damage} {key} = 'm_1'"));
            for expected in [vec!["m_2"], vec![]] {
                assert_eq!(case.released(&[]).await, expected, "{column} {damage}");
            }
            assert_eq!(case.unreadable(), 1, "{column} {damage}");
            assert_eq!(case.count("handed"), 1, "what cannot be read stays: {column} {damage}");
        }
        // Whose name cannot be read is nobody.
        let case = Case::with(&["m_1", "m_2", "m_3"]).await;
        case.hand_over(&["m_1", "m_2"], "a").await;
        case.hand_over(&["m_3"], "stays").await;
        case.damage(&format!("UPDATE handed SET answerer = {damage} WHERE message_id = 'm_1'"));
        for expected in [vec!["m_1", "m_2"], vec![]] {
            assert_eq!(case.released(&["stays"]).await, expected, "answerer {damage}");
        }
        case.hand_over(&["m_1"], "stays").await;
        assert!(case.released(&["stays"]).await.is_empty(), "answerer {damage}");
        assert_eq!(case.released(&[]).await, ["m_1", "m_3"], "answerer {damage}");
    }
}

#[tokio::test]
async fn an_answer_is_given_beside_a_damaged_message() {
    for damage in DAMAGES {
        let case = Case::with(&["m_1", "m_2"]).await;
        case.damage(&format!("UPDATE messages SET id = {damage} WHERE id = 'm_1'"));
        let answered = case.respond("m_answer", "Done", true).await;
        assert_eq!(ids(&answered.answers), ["m_2"], "{damage}");
        assert_eq!(case.unreadable(), 1, "{damage}");
        assert_eq!(case.count("messages WHERE role = 0 AND answered_by IS NULL"), 1, "{damage}");
    }
}

#[tokio::test]
async fn an_answer_ends_although_a_part_of_it_or_its_beginning_is_damaged() {
    for damage in DAMAGES {
        let case = Case::with(&["m_1"]).await;
        case.respond("m_answer", "Do", false).await;
        case.damage(&format!("UPDATE messages SET id = {damage} WHERE id = 'm_answer'"));
        let answered = case.respond("m_whole", "Done", true).await;
        assert_eq!(
            (answered.whole.as_deref(), ids(&answered.answers)),
            (Some("Done"), vec!["m_1"]),
            "{damage}"
        );
        assert_eq!(case.unreadable(), 1, "{damage}");
    }
    for damage in &DAMAGES[..2] {
        let case = Case::with(&["m_1"]).await;
        case.respond("m_answer", "All ", false).await;
        case.respond("m_next", "is ", false).await;
        case.damage(&format!("UPDATE parts SET text = {damage} WHERE at = 0"));
        let answered = case.respond("m_whole", "done", true).await;
        assert_eq!(
            (answered.whole.as_deref(), ids(&answered.answers)),
            (Some("is done"), vec!["m_1"]),
            "{damage}"
        );
        assert_eq!((case.unreadable(), case.count("parts")), (1, 1), "{damage}");
    }
}

#[tokio::test]
async fn the_person_takes_back_also_what_is_damaged() {
    for damage in DAMAGES {
        let case = Case::with(&["m_1", "m_2"]).await;
        case.damage(&format!("UPDATE messages SET id = {damage} WHERE id = 'm_1'"));
        case.store.withdraw(session("s_1")).await.unwrap();
        assert_eq!(case.count("messages WHERE is_withdrawn = 1"), 2, "{damage}");
        assert_eq!(case.unreadable(), 1, "{damage}");
    }
}

#[tokio::test]
async fn a_message_is_said_although_the_selection_of_its_moment_is_damaged() {
    for damage in DAMAGES {
        let case = Case::with(&["m_0"]).await;
        case.select("ctx_1", "s_1");
        case.damage(&format!("UPDATE contexts SET id = {damage}"));
        let say = case.store.say(sent("m_1"), session("s_1"), any(), "blue".into(), Timestamp(2));
        say.await.unwrap();
        let found = case.store.conversation(session("s_1"), None).await.unwrap();
        let found: Vec<MessageId> = found.messages.into_iter().map(|message| message.id).collect();
        assert_eq!(ids(&found), ["m_0", "m_1"], "{damage}");
        assert_eq!(case.unreadable(), 1, "{damage}");
    }
}

/// Else what waits behind it in an outbox would wait for ever.
#[tokio::test]
async fn a_request_that_was_applied_and_cannot_be_read_is_refused_for_good() {
    for damage in &DAMAGES[..2] {
        let case = Case::with(&["m_1"]).await;
        case.damage(&format!("UPDATE applied SET target = {damage}"));
        let say = case.store.say(sent("m_1"), session("s_1"), any(), "m_1".into(), Timestamp(2));
        assert_eq!(say.await.unwrap_err().code, ErrorCode::Conflict, "{damage}");
        let say = case.store.say(sent("m_2"), session("s_1"), any(), "blue".into(), Timestamp(2));
        say.await.unwrap();
    }
}

#[tokio::test]
async fn the_latest_sessions_are_told_beside_a_damaged_one() {
    for damage in DAMAGES {
        let case = Case::with(&["m_1", "m_2", "m_3"]).await;
        for (id, of) in [("ctx_1", "s_1"), ("ctx_2", "s_2"), ("ctx_3", "s_3")] {
            case.select(id, of);
        }
        case.damage(&format!(
            "UPDATE contexts SET session_id = {damage} WHERE id = 'ctx_3'; \
             UPDATE messages SET session_id = {damage} WHERE id = 'm_3'"
        ));
        // The damaged one takes no other's place.
        let latest = case.store.worker.look(|worker| conversation::latest_selections(worker, 2)).await;
        assert_eq!(latest.unwrap(), [session("s_2"), session("s_1")], "{damage}");
        assert_eq!(case.unreadable(), 1, "{damage}");
        case.damage("DELETE FROM contexts");
        let content = case
            .store
            .worker
            .look(|worker| Ok(history::gather::read(worker, &TakenBack::default())))
            .await
            .unwrap();
        let content = format!("{content:?}");
        assert!(content.contains("is_whole: true") && content.contains("m_2"), "{damage}: {content}");
        assert!(!content.contains("m_3"), "{damage}: {content}");
        assert_eq!(case.unreadable(), 2, "{damage}");
    }
}

#[tokio::test]
async fn words_are_found_beside_a_damaged_row_of_the_index() {
    for damage in &DAMAGES[..2] {
        let case = Case::with(&["m_1", "m_2"]).await;
        case.damage(&format!("UPDATE indexed SET id = {damage} WHERE id = 'm_2'"));
        let found = case.store.search("m".into(), Wanted::Best(5)).await.unwrap();
        assert_eq!((found.hits.len(), found.more), (1, false), "{damage}");
        assert_eq!(case.unreadable(), 1, "{damage}");
    }
}

#[tokio::test]
async fn comments_are_counted_beside_one_of_a_damaged_status() {
    let row = |id: &str, status: &str| {
        format!(
            "INSERT INTO comments (id, revision, origin, url, pathname, status, created_at, updated_at, document) \
             VALUES ('{id}', 1, 'http://a', 'http://a/', '/', {status}, 1, 1, '{{}}');"
        )
    };
    for damage in ["x'ff00'", "'of no kind'", "4000"] {
        let case = Case::with(&["m_1"]).await;
        case.damage(
            &("PRAGMA ignore_check_constraints = ON;".to_owned() + &row("c_1", "0") + &row("c_2", damage)),
        );
        let found = case.store.feedback(Default::default()).await.unwrap();
        assert_eq!((found.summary.active, found.summary.total), (1, 1), "{damage}");
        assert!(case.unreadable() >= 1, "{damage}");
    }
}
