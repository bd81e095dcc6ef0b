//! Sessions in which something was said, what the person asked in one, and what may be typed next.
#![allow(clippy::unwrap_used)]
use std::sync::Arc;

use opentoolbar_core::model::{SessionId, Timestamp};
use opentoolbar_core::protocol::Completed;

use crate::conversation::Response;
use crate::{About, Completion, Conversations, Fingerprint, Latest, Sent, Store, Stores, Wanted};
use opentoolbar_project::Catalogue;

struct Case {
    _home: tempfile::TempDir,
    _stores: Stores,
    store: Arc<Store>,
}

fn session(id: &str) -> SessionId {
    id.parse().unwrap()
}

impl Case {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let stores = Stores::new(Catalogue::at(home.path().join("projects")));
        let store = stores.of(home.path());
        Self { _home: home, _stores: stores, store }
    }

    async fn say(&self, id: &str, of: &str, text: &str, at: u64) {
        let fingerprint = Fingerprint::of(&id).unwrap();
        let sent = Sent { message: id.parse().unwrap(), fingerprint };
        let about = About::Latest(Latest { origin: String::new(), lost: None });
        self.store.say(sent, session(of), about, text.into(), Timestamp(at)).await.unwrap();
    }

    async fn respond(&self, id: &str, of: &str, text: &str, at: u64) {
        let response = Response {
            message: id.parse().unwrap(),
            session: session(of),
            context: None,
            agent: "claude-code".into(),
            answerer: "a".into(),
            text: text.into(),
            is_complete: true,
            index: None,
            told_in_part: Vec::new(),
        };
        self.store.respond(response, Timestamp(at), |_| ()).await.unwrap();
    }

    async fn complete(&self, of: Completed, prefix: &str) -> (Vec<String>, bool) {
        let wanted = Completion { of, prefix: prefix.into(), tabs: Vec::new(), limit: 3 };
        self.store.complete(wanted).await.unwrap()
    }
}

#[tokio::test]
async fn sessions_are_listed_once_in_pages_also_those_of_one_moment() {
    let case = Case::new();
    for (number, at) in [(1, 5), (2, 9), (3, 7), (4, 7), (5, 7), (6, 1)] {
        case.say(&format!("m_{number}"), &format!("s_{number}"), "Is it blue?", at).await;
    }
    let (mut wanted, mut seen) = (Conversations { limit: 2, ..Conversations::default() }, Vec::new());
    loop {
        let (page, more) = case.store.conversations(wanted.clone()).await.unwrap();
        assert!(page.len() <= 2);
        let last = page.last().unwrap();
        (wanted.until, wanted.behind) = (Some(last.last_active), Some(last.session_id.clone()));
        seen.extend(page.into_iter().map(|one| one.session_id.to_string()));
        if !more {
            break;
        }
    }
    assert_eq!(seen, ["s_2", "s_3", "s_4", "s_5", "s_1", "s_6"]);
    let no_later = Conversations { limit: 9, until: Some(Timestamp(5)), behind: None };
    let (page, more) = case.store.conversations(no_later).await.unwrap();
    assert_eq!((page.len(), more), (2, false));
}

#[tokio::test]
async fn of_a_long_first_request_a_session_tells_whole_words_and_never_more_than_a_thousand_characters() {
    let case = Case::new();
    case.say("m_1", "s_1", &format!("{} {}", "ä".repeat(900), "secret".repeat(40)), 1).await;
    case.say("m_2", "s_2", &"x".repeat(2_000), 1).await;
    case.say("m_3", "s_3", &"x".repeat(1_000), 1).await;
    let (found, _) =
        case.store.conversations(Conversations { limit: 9, ..Conversations::default() }).await.unwrap();
    let told: Vec<_> = found.into_iter().map(|one| one.first_request.unwrap()).collect();
    assert_eq!(told, ["ä".repeat(900), String::new(), "x".repeat(1_000)]);
}

#[tokio::test]
async fn a_request_is_told_by_its_number_and_how_many_there_are() {
    let case = Case::new();
    for number in 1..=300_u64 {
        case.say(&format!("m_{number}"), "s_1", &format!("request {number}"), number).await;
    }
    case.respond("m_answer", "s_1", "Done", 301).await;
    case.say("m_other", "s_2", "of another session", 302).await;
    let found = case.store.requests(session("s_1"), 250, 1).await.unwrap();
    let words: Vec<_> = found.requests.iter().map(|one| (one.text.as_str(), one.at.0)).collect();
    assert_eq!((words, found.total, found.last), (vec![("request 250", 250)], 300, Some(Timestamp(300))));
    for (first, limit, count) in [(299, 9, 2), (301, 1, 0), (u32::MAX, u32::MAX, 0)] {
        let found = case.store.requests(session("s_1"), first, limit).await.unwrap();
        assert_eq!((found.requests.len(), found.total), (count, 300), "{first}");
    }
    assert_eq!(case.store.last_asked_in().await.unwrap(), Some(session("s_2")));
    let none = case.store.requests(session("s_none"), 1, 1).await.unwrap();
    assert!(!none.is_any && none.total == 0);
}

#[tokio::test]
async fn long_requests_are_told_in_parts() {
    let case = Case::new();
    for number in 0..4 {
        case.say(&format!("m_{number}"), "s_1", &"x".repeat(500_000), 1).await;
    }
    let found = case.store.requests(session("s_1"), 1, 9).await.unwrap();
    assert_eq!((found.requests.len(), found.total), (3, 4));
}

#[tokio::test]
async fn what_is_found_says_who_said_it_and_which_request_it_is_or_answers() {
    let case = Case::new();
    case.say("m_1", "s_1", "Is the footer blue?", 1).await;
    case.respond("m_2", "s_1", "The footer is red", 2).await;
    case.say("m_3", "s_1", "Make that footer blue", 3).await;
    let found = |before| case.store.search("footer".into(), Wanted::Messages { limit: 2, before });
    let first = found(None).await.unwrap();
    let told = |found: &crate::Found| -> Vec<_> {
        found.hits.iter().map(|hit| (hit.id.clone(), hit.role, hit.request)).collect()
    };
    use opentoolbar_core::model::MessageRole::{Assistant, User};
    assert_eq!(told(&first), [("m_3".into(), Some(User), Some(2)), ("m_2".into(), Some(Assistant), Some(1))]);
    assert!(first.more);
    // What is said meanwhile moves nothing.
    case.say("m_4", "s_1", "And the other footer", 4).await;
    let rest = found(first.last).await.unwrap();
    assert_eq!((told(&rest), rest.more), (vec![("m_1".into(), Some(User), Some(1))], false));
}

#[tokio::test]
async fn what_may_be_typed_is_told_without_reading_anything_else() {
    let case = Case::new();
    for number in 1..=4 {
        let id = format!("m_{number}");
        case.say(&id, &format!("s_{number}"), "Is it blue?", number).await;
    }
    let (ids, more) = case.complete(Completed::Conversation, "s_").await;
    assert_eq!((ids, more), (vec!["s_4".into(), "s_3".into(), "s_2".into()], true));
    assert_eq!(case.complete(Completed::Conversation, "s_2").await, (vec!["s_2".into()], false));
    assert_eq!(case.complete(Completed::Comment, "").await, (Vec::new(), false));
    // Comments that nobody could read are called by their names all the same.
    let file = Catalogue::at(case._home.path().join("projects")).find(case._home.path()).unwrap().unwrap();
    let connection = rusqlite::Connection::open(file.join("opentoolbar.db")).unwrap();
    for number in 1..=12 {
        let sql = "INSERT INTO comments (id, revision, origin, url, pathname, status, created_at, updated_at, document) \
                   VALUES (?1, 1, 'http://a', 'http://a/', ?2, 0, 1, 1, 'no JSON')";
        connection.execute(sql, (format!("c_{number:02}"), format!("/{}", number % 3))).unwrap();
        connection
            .execute("INSERT INTO numbers (comment_id) VALUES (?1)", [format!("c_{number:02}")])
            .unwrap();
    }
    connection.execute("UPDATE comments SET deleted_at = 1 WHERE id = 'c_11'", []).unwrap();
    let told = |(values, more): (Vec<String>, bool)| (values.join(" "), more);
    assert_eq!(told(case.complete(Completed::Comment, "").await), ("1 2 3".into(), true));
    assert_eq!(told(case.complete(Completed::Comment, "1").await), ("1 10 12".into(), false));
    assert_eq!(told(case.complete(Completed::Comment, "c_1").await), ("c_10 c_12".into(), false));
    assert_eq!(told(case.complete(Completed::Comment, "%").await), (String::new(), false));
    assert_eq!(told(case.complete(Completed::Pathname, "/").await), ("/0 /1 /2".into(), false));
}
