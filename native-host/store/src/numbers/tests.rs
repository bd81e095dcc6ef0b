//! Whatever is done to comments: each has one number, and no number was ever another's.
#![allow(clippy::unwrap_used)]
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use opentoolbar_core::model::{Author, CommentChange, Timestamp};
use opentoolbar_core::protocol::{FeedbackQuery, NewsQuery, StatusFilter};
use opentoolbar_project::Catalogue;
use proptest::prelude::*;

use super::*;
use crate::{By, Fingerprint, Imported, Sent, Store, Stores, Written};

fn comment(id: &str, number: Option<u32>) -> Comment {
    serde_json::from_value(serde_json::json!({
        "id": id, "number": number, "revision": 1, "url": "http://shop.test/", "pathname": "/", "title": "Shop",
        "status": "active", "stage": "open", "text": "blue", "author": { "kind": "person" },
        "targets": [{
            "snapshot": {
                "tag": "button", "classes": [], "ownText": "", "text": "",
                "box": { "x": 0, "y": 0, "width": 80, "height": 24 }
            },
            "selector": "button", "anchor": "AQ=="
        }],
        "createdAt": 1_700_000_000_000_u64, "updatedAt": 1_700_000_000_000_u64
    }))
    .unwrap()
}

/// A project in a home of its own, whose hub is started anew when a test says so.
struct Case {
    home: tempfile::TempDir,
    stores: Stores,
    /// The directory that the project is in now.
    place: u32,
    messages: u32,
}

impl Case {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let stores = Stores::new(Catalogue::at(home.path().join("projects")));
        Self { home, stores, place: 0, messages: 0 }
    }

    fn store(&self) -> Arc<Store> {
        let root = self.home.path().canonicalize().unwrap().join(self.place.to_string());
        std::fs::create_dir_all(&root).unwrap();
        self.stores.of(&root)
    }

    fn restart(&mut self) {
        self.stores.close(Instant::now() + Duration::from_secs(10));
        self.stores = Stores::new(Catalogue::at(self.home.path().join("projects")));
    }

    /// The project is given another directory, with all that is kept of it.
    async fn move_on(&mut self) {
        let from = self.home.path().canonicalize().unwrap().join(self.place.to_string());
        let is_kept = self.stores.catalogue().find(&from).unwrap().is_some();
        self.store().close_database().await.unwrap();
        self.place += 1;
        if is_kept {
            self.store().receive(from).await.unwrap();
        }
    }

    fn message(&mut self) -> opentoolbar_core::model::MessageId {
        self.messages += 1;
        format!("m_{}", self.messages).parse().unwrap()
    }

    async fn create(&mut self, comment: Comment) -> Written {
        let message = self.message();
        self.store().create(message, comment, None, Timestamp(1), |_| ()).await.unwrap()
    }

    async fn import(&mut self, comments: Vec<Comment>) -> Imported {
        let message = self.message();
        self.store().import(message, comments, Timestamp(2_000_000_000_000), |_| ()).await.unwrap()
    }

    /// False when it did not fit.
    async fn change(&mut self, id: &str, change: CommentChange) -> bool {
        let sent = Sent { message: self.message(), fingerprint: Fingerprint::of_change(&change).unwrap() };
        let by = By { author: Author::Person, answerer: None };
        let what = (change, by, Timestamp(1));
        let done = self.store().change(sent, id.parse().unwrap(), what, |_, _| Ok(()), |_| ()).await;
        done.is_ok_and(|written| written.is_some())
    }

    async fn number(&self, id: &str) -> Option<u32> {
        self.store().get(id.parse().unwrap()).await.unwrap().and_then(|comment| comment.number)
    }

    async fn by_number(&self, number: u32) -> Vec<String> {
        let query =
            FeedbackQuery { number: Some(number), status: StatusFilter::All, ..FeedbackQuery::default() };
        let found = self.store().feedback(query).await.unwrap().comments;
        found.into_iter().map(|comment| comment.id.to_string()).collect()
    }
}

#[tokio::test]
async fn comments_are_numbered_as_they_are_stored_whatever_their_browser_says() {
    let mut case = Case::new();
    for (id, said, given) in [("c_a", None, 1), ("c_b", Some(1), 2), ("c_c", Some(900), 3)] {
        assert_eq!(case.create(comment(id, said)).await.comment.number, Some(given), "{id}");
    }
    // Sent again, in the same message or another one.
    for _ in 0..2 {
        assert_eq!(case.create(comment("c_b", Some(7))).await.comment.number, Some(2));
    }
    assert_eq!(case.by_number(2).await, ["c_b"]);
    assert!(case.by_number(4).await.is_empty() && case.by_number(0).await.is_empty());
    let (all, _) = case.store().on_origin("http://shop.test".into()).await.unwrap();
    assert_eq!(all.iter().map(|one| one.number).collect::<Vec<_>>(), [Some(1), Some(2), Some(3)]);
    let news =
        case.store().news(NewsQuery { after: Some(0), ..NewsQuery::default() }).await.unwrap().comments;
    assert_eq!(news.iter().map(|one| one.number).collect::<Vec<_>>(), [Some(1), Some(2), Some(3)]);
}

#[tokio::test]
async fn what_was_deleted_keeps_its_number_for_when_it_comes_back() {
    let mut case = Case::new();
    case.create(comment("c_a", None)).await;
    case.create(comment("c_b", None)).await;
    assert!(case.change("c_b", CommentChange::Delete).await);
    assert!(case.by_number(2).await.is_empty(), "agents hear nothing of what is deleted");
    case.restart();
    assert_eq!(case.create(comment("c_c", None)).await.comment.number, Some(3));
    assert!(case.change("c_b", CommentChange::Restore).await);
    assert_eq!(case.number("c_b").await, Some(2));
}

#[tokio::test]
async fn an_import_keeps_what_is_free_before_it_gives_what_comes_next() {
    let mut case = Case::new();
    case.create(comment("c_a", None)).await;
    case.create(comment("c_b", None)).await;
    let file = [("c_x", Some(2)), ("c_none", None), ("c_y", Some(3)), ("c_z", Some(9)), ("c_a", Some(40))];
    let imported = case.import(file.map(|(id, number)| comment(id, number)).into()).await;
    assert_eq!((imported.added, imported.renumbered), (4, 1));
    for (id, number) in [("c_a", 1), ("c_x", 10), ("c_none", 11), ("c_y", 3), ("c_z", 9)] {
        assert_eq!(case.number(id).await, Some(number), "{id}");
    }
    let told: Vec<_> = imported.changed.iter().map(|one| one.number).collect();
    assert_eq!(told, [10, 11, 3, 9].map(Some));
    assert_eq!(case.create(comment("c_c", None)).await.comment.number, Some(12));
    // What nobody was given is free, however high others are.
    let imported = case.import(vec![comment("c_five", Some(5)), comment("c_x", Some(2))]).await;
    assert_eq!((imported.renumbered, case.number("c_five").await), (0, Some(5)));
    assert_eq!(case.number("c_x").await, Some(10));
}

#[tokio::test]
async fn a_file_takes_no_numbers_away_from_what_comes_after_it() {
    let mut case = Case::new();
    let imported =
        case.import(vec![comment("c_most", Some(u32::MAX)), comment("c_high", Some(1_000_000))]).await;
    assert_eq!(imported.renumbered, 1);
    assert_eq!(case.number("c_high").await, Some(1_000_000));
    assert_eq!(case.number("c_most").await, Some(1_000_001));
    assert_eq!(case.create(comment("c_a", None)).await.comment.number, Some(1_000_002));
}

#[tokio::test]
async fn an_import_that_is_sent_again_says_the_same() {
    let mut case = Case::new();
    case.create(comment("c_a", None)).await;
    let message: opentoolbar_core::model::MessageId = "m_import".parse().unwrap();
    for _ in 0..2 {
        let file = vec![comment("c_x", Some(1))];
        let imported = case.store().import(message.clone(), file, Timestamp(2), |_| ()).await.unwrap();
        assert_eq!((imported.added, imported.renumbered), (1, 1));
    }
}

#[derive(Clone, Debug)]
enum Doing {
    Create(u8),
    Delete(u8),
    Restore(u8),
    Import(Vec<(u8, Option<u32>)>),
    Move,
    Restart,
}

fn doing() -> impl Strategy<Value = Doing> {
    let file = prop::collection::btree_map(0..8u8, prop::option::of(1..12u32), 1..4);
    prop_oneof![
        4 => (0..8u8).prop_map(Doing::Create),
        2 => (0..8u8).prop_map(Doing::Delete),
        1 => (0..8u8).prop_map(Doing::Restore),
        3 => file.prop_map(|file| Doing::Import(file.into_iter().collect())),
        1 => Just(Doing::Move),
        1 => Just(Doing::Restart),
    ]
}

proptest! {
    // Each waits for a disk.
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_number_is_given_twice_whatever_is_done(doings in prop::collection::vec(doing(), 1..14)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut case = Case::new();
            let mut given: BTreeMap<u32, u8> = BTreeMap::new();
            for doing in doings {
                let id = |n: u8| format!("c_{n}");
                match doing {
                    Doing::Create(n) => drop(case.create(comment(&id(n), Some(u32::from(n) + 1))).await),
                    Doing::Delete(n) => drop(case.change(&id(n), CommentChange::Delete).await),
                    Doing::Restore(n) => drop(case.change(&id(n), CommentChange::Restore).await),
                    Doing::Import(file) => {
                        drop(case.import(file.into_iter().map(|(n, number)| comment(&id(n), number)).collect()).await);
                    }
                    Doing::Move => case.move_on().await,
                    Doing::Restart => case.restart(),
                }
                for n in 0..8 {
                    let Some(comment) = case.store().get(id(n).parse().unwrap()).await.unwrap() else {
                        assert!(!given.values().any(|other| *other == n), "{n} is lost");
                        continue;
                    };
                    let number = comment.number.unwrap();
                    assert_eq!(*given.entry(number).or_insert(n), n, "#{number} was another's");
                }
                let numbered: std::collections::BTreeSet<_> = given.values().collect();
                assert_eq!(numbered.len(), given.len(), "one comment had two numbers: {given:?}");
            }
        });
    }
}
