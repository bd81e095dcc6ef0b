//! Comments that come from a file, and what files and clocks say of time.

use crate::room::{Room, changes, comment, creates, open_tab, the_comment};
use opentoolbar_core::model::{Author, Comment, CommentChange, Reply, Status, Timestamp};
use opentoolbar_core::protocol::{Answer, Request};

const PAGE: &str = "http://shop.test/";
/// 2100, and long after every test.
const FAR: u64 = 4_102_444_800_000;

#[tokio::test]
async fn an_import_keeps_what_either_side_has_and_marks_what_it_brings() {
    let room = Room::new();
    let (browser, agent) = (room.browser().await, room.agent("a").await);
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    for id in ["c_1", "c_2"] {
        browser.request(creates("s_1", comment(id, PAGE, "mine"))).await.unwrap();
    }
    // Here it was answered and resolved; in the file it was edited later, and answered too.
    let reply = |id: &str| CommentChange::Reply { id: id.parse().unwrap(), text: format!("{id} says") };
    agent.request(changes("c_1", reply("r_here"))).await.unwrap();
    let resolve = CommentChange::Resolve { summary: Some("made it blue".into()) };
    agent.request(changes("c_1", resolve)).await.unwrap();
    let mut theirs = comment("c_1", PAGE, "mine");
    let edit = CommentChange::Edit { text: "theirs".into(), base_revision: 1 };
    for (after, change) in [edit, reply("r_there")].iter().enumerate() {
        let at = Timestamp(1_700_000_000_100 + after as u64);
        theirs = theirs.apply(change, &Author::Person, at).unwrap();
    }
    let comments = vec![theirs, comment("c_2", PAGE, "mine"), comment("c_3", PAGE, "theirs")];
    let import =
        || Request::ImportComments { session_id: "s_1".parse().unwrap(), comments: comments.clone() };
    for _ in 0..2 {
        let answer = browser.request_as("m_import".parse().unwrap(), import()).await.unwrap();
        assert!(
            matches!(
                answer,
                Answer::Imported { added: 1, updated: 1, skipped: 1, left_out: 0, renumbered: 0 }
            ),
            "{answer:?}"
        );
    }
    let again = browser.request(import()).await.unwrap();
    assert!(
        matches!(again, Answer::Imported { added: 0, updated: 0, skipped: 3, left_out: 0, renumbered: 0 }),
        "{again:?}"
    );
    let get = async |id: &str| {
        the_comment(agent.request(Request::GetComment { comment_id: id.parse().unwrap() }).await.unwrap())
    };
    let merged = get("c_1").await;
    assert_eq!((merged.text.as_str(), merged.imported_at.is_some()), ("theirs", true));
    assert!(merged.history.iter().any(|step| step.previous_text.as_deref() == Some("mine")), "{merged:?}");
    let replies: Vec<_> =
        merged.replies.iter().map(|one| (one.id.as_str(), one.imported_at.is_some())).collect();
    assert_eq!(replies, [("r_here", false), ("r_there", true)]);
    let resolution = merged.resolution.unwrap();
    assert_eq!((resolution.summary.as_deref(), resolution.imported_at), (Some("made it blue"), None));
    assert_eq!((get("c_2").await.imported_at, get("c_3").await.imported_at.is_some()), (None, true));
}

#[tokio::test]
async fn what_a_person_does_after_an_import_holds_whatever_moments_the_file_names() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let by = Author::Agent { name: "theirs".into() };
    let mut file = comment("c_1", PAGE, "mine");
    let edit = CommentChange::Edit { text: "theirs".into(), base_revision: 1 };
    let resolve = CommentChange::Resolve { summary: Some("done".into()) };
    for (change, by) in [(edit, &Author::Person), (resolve, &by)] {
        file = file.apply(&change, by, Timestamp(FAR)).unwrap();
    }
    browser.request(creates("s_1", comment("c_1", PAGE, "mine"))).await.unwrap();
    let import = async |comment: &Comment| {
        let (session_id, comments) = ("s_1".parse().unwrap(), vec![comment.clone()]);
        browser.request(Request::ImportComments { session_id, comments }).await.unwrap()
    };
    let now = || Timestamp(u64::try_from(std::time::UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap());
    let get = async || {
        let id = "c_1".parse().unwrap();
        the_comment(browser.request(Request::GetComment { comment_id: id }).await.unwrap())
    };
    import(&file).await;
    let imported = get().await;
    assert_eq!((imported.text.as_str(), imported.status), ("theirs", Status::Resolved));
    assert!(imported.updated_at <= now() && imported.history.iter().all(|step| step.at <= now()));
    let again = import(&file).await;
    assert!(matches!(again, Answer::Imported { updated: 0, skipped: 1, .. }), "{again:?}");

    browser.request(changes("c_1", CommentChange::Reopen)).await.unwrap();
    let base_revision = get().await.revision;
    let edit = CommentChange::Edit { text: "mine at last".into(), base_revision };
    browser.request(changes("c_1", edit)).await.unwrap();
    // The file has grown, so that it is merged and not just known.
    let reply = CommentChange::Reply { id: "r_there".parse().unwrap(), text: "and this".into() };
    let grown = file.apply(&reply, &by, Timestamp(FAR)).unwrap();
    let brought = import(&grown).await;
    assert!(matches!(brought, Answer::Imported { updated: 1, .. }), "{brought:?}");
    let merged = get().await;
    assert_eq!((merged.text.as_str(), merged.status), ("mine at last", Status::Active));
    assert_eq!((merged.replies.len(), merged.resolution), (1, None));
}

#[tokio::test]
async fn a_clock_that_is_ahead_orders_no_comment_after_what_is_yet_to_come() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    let mut made = comment("c_1", PAGE, "mine");
    (made.created_at, made.updated_at) = (Timestamp(FAR), Timestamp(FAR));
    let stored = the_comment(browser.request(creates("s_1", made)).await.unwrap());
    let now = u64::try_from(std::time::UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap();
    assert!(stored.created_at.0 <= now && stored.updated_at.0 <= now, "{stored:?}");
}

#[tokio::test]
async fn a_comment_without_room_for_an_imports_replies_costs_itself_alone() {
    let room = Room::new();
    let browser = room.browser().await;
    open_tab(&browser, "s_1", PAGE, &room.project).await;
    browser.request(creates("s_1", comment("c_1", PAGE, "mine"))).await.unwrap();
    let with_replies = |prefix: &str| {
        let mut full = comment("c_1", PAGE, "mine");
        full.replies = (0..1_000)
            .map(|n| Reply {
                id: format!("r_{prefix}{n}").parse().unwrap(),
                author: Author::Person,
                text: "x".into(),
                created_at: Timestamp(1_700_000_000_000),
                imported_at: None,
            })
            .collect();
        full
    };
    let import = |comments: Vec<Comment>| {
        browser.request(Request::ImportComments { session_id: "s_1".parse().unwrap(), comments })
    };
    let first = import(vec![with_replies("a")]).await.unwrap();
    assert!(matches!(first, Answer::Imported { updated: 1, left_out: 0, .. }), "{first:?}");
    let second = import(vec![with_replies("b"), comment("c_2", PAGE, "theirs")]).await.unwrap();
    assert!(
        matches!(second, Answer::Imported { added: 1, updated: 0, skipped: 0, left_out: 1, renumbered: 0 }),
        "{second:?}"
    );
}
