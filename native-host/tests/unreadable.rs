//! What one version stored and another cannot read: skipped and left as it is, counted and told; everything else goes
//! on.

use crate::room;
use crate::room::{Room, changes, comment, creates, open_tab};
use opentoolbar_core::model::{CommentChange, CommentId};
use opentoolbar_core::protocol::{Answer, ErrorCode, FeedbackQuery, NewsQuery, Request};

const PAGE: &str = "http://shop.test/";
const STRANGE: &str = r#"{"id":"c_2","status":"from the future"}"#;

/// Three comments, and of the second one only what a newer version may have written.
async fn one_unreadable(room: &Room) -> opentoolbar::hub::client::Client {
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    for id in ["c_1", "c_2", "c_3"] {
        browser.request(creates("s_1", comment(id, PAGE, "make it blue"))).await.unwrap();
    }
    let database = rusqlite::Connection::open(room.database()).unwrap();
    let changed = database.execute("UPDATE comments SET document = ?1 WHERE id = 'c_2'", [STRANGE]).unwrap();
    assert_eq!(changed, 1);
    browser
}

fn ids(comments: &[opentoolbar_core::model::Comment]) -> Vec<&str> {
    comments.iter().map(|comment| comment.id.as_str()).collect()
}

#[tokio::test]
async fn one_unreadable_comment_stops_no_list_and_is_told() {
    let room = Room::new();
    let browser = one_unreadable(&room).await;
    let agent = room.agent("a").await;
    let all = agent.request(Request::GetFeedback(FeedbackQuery::default())).await.unwrap();
    let Answer::Feedback { comments, unreadable, summary, next_cursor, .. } = all else { panic!("{all:?}") };
    assert_eq!((ids(&comments), unreadable, summary.total, next_cursor), (vec!["c_1", "c_3"], 1, 3, None));
    // Page by page too, also where the page holds that one alone.
    let (mut seen, mut skipped, mut cursor) = (Vec::new(), 0, None);
    loop {
        let query = FeedbackQuery { limit: Some(1), cursor, ..FeedbackQuery::default() };
        let page = agent.request(Request::GetFeedback(query)).await.unwrap();
        let Answer::Feedback { comments, unreadable, next_cursor, .. } = page else { panic!("{page:?}") };
        seen.extend(comments.into_iter().map(|one| one.id.to_string()));
        skipped += unreadable;
        cursor = next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((seen, skipped), (vec!["c_1".to_owned(), "c_3".to_owned()], 1));
    let listed = browser.request(Request::ListComments { session_id: "s_1".parse().unwrap() }).await.unwrap();
    let Answer::Comments { comments, unreadable, .. } = listed else { panic!("{listed:?}") };
    assert_eq!((ids(&comments), unreadable), (vec!["c_1", "c_3"], 1));
    let wait =
        Request::WaitForFeedback(NewsQuery { after: Some(0), timeout_ms: 1_000, ..NewsQuery::default() });
    let news = agent.request(wait).await.unwrap();
    let Answer::News { comments, unreadable, .. } = news else { panic!("{news:?}") };
    assert_eq!((ids(&comments), unreadable), (vec!["c_1", "c_3"], 1));
    let found = agent.request(Request::Search { query: "blue".into(), limit: 10 }).await.unwrap();
    assert!(matches!(&found, Answer::Found { hits, .. } if hits.len() == 3), "{found:?}");
    let status = agent.request(Request::Status).await.unwrap();
    assert!(matches!(status, Answer::Status { unreadable: 1, .. }), "{status:?}");
    let status = room.program().arg("status").output().unwrap();
    assert!(String::from_utf8_lossy(&status.stdout).contains("Unreadable: 1 "), "{status:?}");
    let export = room.program().args(["export", "--project"]).arg(&room.project).output().unwrap();
    assert!(export.status.success(), "{export:?}");
    assert!(String::from_utf8_lossy(&export.stdout).contains("`c_3`"), "{export:?}");
    assert!(String::from_utf8_lossy(&export.stderr).contains("left out: 1"), "{export:?}");
    let mirror = room.project.join(".opentoolbar/feedback.md");
    // The next change writes the copy anew.
    browser.request(creates("s_1", comment("c_4", PAGE, "and this"))).await.unwrap();
    room.wait_until("the copy is written", || {
        std::fs::read_to_string(&mirror)
            .is_ok_and(|text| text.contains("`c_4`") && text.contains("> 1 stored comment"))
    });
}

#[tokio::test]
async fn what_cannot_be_read_is_neither_changed_nor_written_over() {
    let room = Room::new();
    let browser = one_unreadable(&room).await;
    let id: CommentId = "c_2".parse().unwrap();
    // For good, so that what waits behind it goes on.
    let refused = browser.request(changes("c_2", CommentChange::Delete)).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict, "{refused}");
    let refused = browser.request(Request::GetComment { comment_id: id }).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::Conflict, "{refused}");
    let comments = vec![comment("c_2", PAGE, "theirs"), comment("c_5", PAGE, "theirs")];
    let import = Request::ImportComments { session_id: "s_1".parse().unwrap(), comments };
    let answer = browser.request(import).await.unwrap();
    assert!(
        matches!(answer, Answer::Imported { added: 1, updated: 0, skipped: 0, left_out: 1, renumbered: 0 }),
        "{answer:?}"
    );
    let database = rusqlite::Connection::open(room.database()).unwrap();
    let sql = "SELECT document FROM comments WHERE id = 'c_2'";
    assert_eq!(database.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap(), STRANGE);
}

#[tokio::test]
async fn an_unreadable_message_or_selection_stops_no_conversation() {
    use room::conversation::{messages, say, select};
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let agent = room.agent("a").await;
    let first = select(&browser, "s_1", "BUTTON").await;
    say(&browser, "s_1", &first, "one").await.unwrap();
    say(&browser, "s_1", &first, "two").await.unwrap();
    let database = rusqlite::Connection::open(room.database()).unwrap();
    database.execute("UPDATE messages SET created_at = 'some day' WHERE content = 'one'", []).unwrap();
    database.execute("UPDATE contexts SET document = '{}'", []).unwrap();
    let (said, _) = messages(&browser, "s_1", None).await;
    assert_eq!(said.iter().map(|one| one.content.as_str()).collect::<Vec<_>>(), ["two"]);
    let told = agent.request(Request::GetUiContext { session_id: None, context_id: None }).await.unwrap();
    let Answer::UiContext(told) = told else { panic!("{told:?}") };
    // What cannot be read can be handed to nobody, and waits for none.
    assert_eq!((told.pending.len(), told.waiting, told.context), (1, 0, None));
    let status = agent.request(Request::Status).await.unwrap();
    assert!(matches!(status, Answer::Status { unreadable: 2, .. }), "{status:?}");
}

#[tokio::test]
async fn a_selection_whose_id_is_damaged_stops_no_conversation() {
    use room::conversation::{messages, say, select};
    for damage in ["'of no kind'", "x'ff00'"] {
        let room = Room::new();
        let browser = room.browser().await;
        open_tab(&browser, "s_1", PAGE, &room.project).await;
        let first = select(&browser, "s_1", "BUTTON").await;
        say(&browser, "s_1", &first, "one").await.unwrap();
        let database = rusqlite::Connection::open(room.database()).unwrap();
        database.execute(&format!("UPDATE contexts SET id = {damage}"), []).unwrap();
        let (said, _) = messages(&browser, "s_1", None).await;
        assert_eq!(said.iter().map(|one| one.content.as_str()).collect::<Vec<_>>(), ["one"]);
        let agent = room.agent("a").await;
        let history = Request::GetConversationHistory {
            session_id: "s_1".parse().unwrap(),
            limit: None,
            before: None,
            message_id: None,
        };
        let history = agent.request(history).await.unwrap();
        assert!(
            matches!(&history, Answer::Conversation { messages, .. } if messages.len() == 1),
            "{history:?}"
        );
        let status = agent.request(Request::Status).await.unwrap();
        assert!(matches!(status, Answer::Status { unreadable: 1.., .. }), "{status:?}");
    }
}
