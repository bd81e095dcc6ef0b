#![allow(clippy::unwrap_used)]
use super::bounds::{MOST_BYTES, MOST_BYTES_OF_SESSION, MOST_OF_SESSION, MOST_SESSIONS, ROW_BYTES};
use super::*;
use crate::applied::Fingerprint;
use rusqlite::Connection;

struct Place {
    _dir: tempfile::TempDir,
    waiting: Waiting,
    last: std::cell::Cell<u32>,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let waiting = Waiting::at(dir.path().join("unplaced.db"));
        Self { _dir: dir, waiting, last: std::cell::Cell::default() }
    }

    fn say(&self, session: &str, text: &str) -> Result<(), ErrorCode> {
        self.last.set(self.last.get() + 1);
        self.say_as(&format!("m_{}", self.last.get()), session, text, Timestamp(1_000))
    }

    fn say_as(&self, id: &str, session: &str, text: &str, at: Timestamp) -> Result<(), ErrorCode> {
        let sent = Sent { message: id.parse().unwrap(), fingerprint: Fingerprint::of(&text).unwrap() };
        let one = Unplaced { sent, at, thing: Thing::Said { context: None, text: text.into() } };
        self.waiting.keep(&page(session), &tab(session), &one).map_err(|error| error.code)
    }

    fn said(&self, session: &str) -> Vec<String> {
        let mut all = Vec::new();
        while let Some(First { number, one, .. }) = self.waiting.first(&page(session)).unwrap() {
            self.waiting.forget(number).unwrap();
            if let Thing::Said { text, .. } = one.thing {
                all.push(text);
            }
        }
        all
    }
}

fn page(session: &str) -> Page {
    Page { session: session.parse().unwrap(), origin: "https://shop.test".into() }
}

fn tab(session: &str) -> Session {
    let id = session.parse().unwrap();
    Session { id, url: "https://shop.test/".into(), title: "Shop".into(), last_active: Timestamp(1) }
}

#[test]
fn one_session_takes_neither_more_than_its_share_nor_the_room_of_others() {
    let place = Place::new();
    let mebibyte = "x".repeat(1024 * 1024);
    let fits = MOST_BYTES_OF_SESSION / (1024 * 1024 + ROW_BYTES);
    for _ in 0..fits {
        place.say("s_1", &mebibyte).unwrap();
    }
    assert_eq!(place.say("s_1", &mebibyte), Err(ErrorCode::NoProject));
    place.say("s_2", &mebibyte).unwrap();
    assert_eq!(place.said("s_1").len() as u64, fits);
    place.say("s_1", &mebibyte).unwrap();
}

#[test]
fn what_an_entry_costs_counts_and_not_its_text_alone() {
    let mut counts = Counts::default();
    for n in 0..MOST_SESSIONS {
        counts.add(&format!("s_{n}").parse().unwrap(), ROW_BYTES);
    }
    assert!(counts.must_have_room(&page("s_new"), 1).is_err(), "too many sessions");
    assert!(counts.must_have_room(&page("s_1"), 1).is_ok());
    for _ in 1..MOST_OF_SESSION {
        counts.add(&page("s_1").session, ROW_BYTES);
    }
    assert!(counts.must_have_room(&page("s_1"), 1).is_err(), "too many things");
    counts.add(&page("s_2").session, MOST_BYTES);
    assert!(counts.must_have_room(&page("s_3"), ROW_BYTES).is_err(), "too much in all");
    let place = Place::new();
    place.say("s_1", "").unwrap();
    let bytes: i64 = rusqlite::Connection::open(&place.waiting.path)
        .unwrap()
        .query_row("SELECT bytes FROM unplaced", [], |row| row.get(0))
        .unwrap();
    assert!(bytes >= i64::try_from(ROW_BYTES).unwrap(), "{bytes}");
}

#[test]
fn what_is_kept_is_there_when_it_is_opened_again_and_counted() {
    let place = Place::new();
    for n in 0..MOST_OF_SESSION {
        place.say("s_1", &n.to_string()).unwrap();
    }
    let again = Place { waiting: Waiting::at(place.waiting.path.clone()), ..place };
    assert_eq!(again.say("s_1", "one more"), Err(ErrorCode::NoProject));
    assert_eq!(again.waiting.pages().unwrap(), [page("s_1")]);
    assert_eq!(again.said("s_1"), Vec::from_iter((0..MOST_OF_SESSION).map(|n| n.to_string())));
    assert!(again.waiting.pages().unwrap().is_empty());
}

#[test]
fn what_is_a_week_old_is_let_go_and_nothing_else() {
    let place = Place::new();
    place.say_as("m_old", "s_1", "old", Timestamp(1_000)).unwrap();
    place.say_as("m_new", "s_1", "new", Timestamp(2_000)).unwrap();
    assert_eq!(place.waiting.forget_before(Timestamp(1_500)).unwrap(), 1);
    assert_eq!(place.said("s_1"), ["new"]);
}

#[test]
fn where_a_page_goes_is_remembered_and_that_its_tab_left_it() {
    let place = Place::new();
    place.say("s_1", "x").unwrap();
    let elsewhere = Page { origin: "https://blog.test".into(), ..page("s_1") };
    place.waiting.is_on(&elsewhere).unwrap();
    place.waiting.goes_to(&page("s_1"), "/shop".as_ref()).unwrap();
    place.say("s_1", "y").unwrap();
    let whereto = place.waiting.whereto(&page("s_1")).unwrap().unwrap();
    assert_eq!((whereto.is_left, whereto.root), (true, Some("/shop".into())));
    place.waiting.is_on(&page("s_1")).unwrap();
    assert!(!place.waiting.whereto(&page("s_1")).unwrap().unwrap().is_left);
}

#[test]
fn a_file_of_a_newer_version_is_left_as_it_is() {
    let place = Place::new();
    place.say("s_1", "x").unwrap();
    let database = rusqlite::Connection::open(&place.waiting.path).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    let again = Waiting::at(place.waiting.path.clone());
    assert!(again.pages().unwrap_err().message.contains("newer"));
    let rows: u32 = database.query_row("SELECT count(*) FROM unplaced", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 1);
}

/// Runs this on the file itself, as another program or a broken disk changes it.
fn damage(place: &Place, sql: &str) {
    let database = Connection::open(place._dir.path().join("unplaced.db")).unwrap();
    assert!(database.execute(sql, []).unwrap() > 0, "{sql}");
}

#[test]
fn what_cannot_be_read_stays_is_counted_and_stops_nothing_else() {
    for sql in [
        "UPDATE unplaced SET message_id = 'of no kind' WHERE document = 'one'",
        "UPDATE unplaced SET message_id = x'ff00' WHERE document = 'one'",
        "UPDATE unplaced SET context_id = 'of no kind' WHERE document = 'one'",
        "UPDATE unplaced SET fingerprint = 'none' WHERE document = 'one'",
        "UPDATE unplaced SET bytes = 'many', document = x'ff00' WHERE document = 'one'",
        "UPDATE unplaced SET is_selection = 1, context_id = 'ctx_1' WHERE document = 'one'",
        "UPDATE unplaced SET session_id = x'ff00' WHERE document = 'one'",
        "UPDATE unplaced SET origin = x'ff00' WHERE document = 'one'",
    ] {
        let place = Place::new();
        place.say("s_1", "one").unwrap();
        place.say("s_1", "two").unwrap();
        place.say("s_2", "other").unwrap();
        damage(&place, sql);
        // As the next hub finds it.
        let place = Place { waiting: Waiting::at(place._dir.path().join("unplaced.db")), ..place };
        let pages = place.waiting.pages().unwrap();
        assert!(pages.contains(&page("s_1")) && pages.contains(&page("s_2")), "{sql}: {pages:?}");
        assert!(place.waiting.whereto(&page("s_1")).unwrap().is_some(), "{sql}");
        assert_eq!(place.said("s_1"), ["two"], "{sql}");
        place.say("s_1", "three").unwrap();
        assert_eq!(place.said("s_1"), ["three"], "{sql}");
        let left = place.waiting.summary().unwrap().unwrap();
        assert_eq!((left.things, left.unreadable), (1, 1), "{sql}");
        assert_eq!(place.waiting.unreadable(), 1, "{sql}");
        assert_eq!(place.said("s_2"), ["other"], "{sql}");
        // An earlier version cannot do without a moment.
        let left = serde_json::to_value(place.waiting.summary().unwrap()).unwrap();
        assert_eq!((&left["things"], &left["since"]), (&0.into(), &1_000.into()), "{sql}: {left}");
        assert_eq!(place.waiting.forget_before(Timestamp(2_000)).unwrap(), 1, "{sql}");
        assert_eq!((place.waiting.summary().unwrap(), place.waiting.unreadable()), (None, 0), "{sql}");
    }
}

#[test]
fn what_cannot_be_read_is_told_apart_before_anything_is_stored() {
    let place = Place::new();
    place.say("s_1", "one").unwrap();
    place.say_as("m_two", "s_1", "two", Timestamp(2_000)).unwrap();
    damage(&place, "UPDATE unplaced SET message_id = 'of no kind' WHERE document = 'one'");
    let place = Place { waiting: Waiting::at(place._dir.path().join("unplaced.db")), ..place };
    let left = place.waiting.summary().unwrap().unwrap();
    assert_eq!((left.things, left.sessions, left.unreadable), (1, 1, 1));
    // When the oldest came of those that can be read.
    assert_eq!(serde_json::to_value(left).unwrap()["since"], 2_000);
}

#[test]
fn a_moment_that_cannot_be_read_or_is_yet_to_come_is_the_present_and_nothing_is_lost_by_it() {
    for at in ["'some day'", "x'00'", "-1", "9000000000000000"] {
        let place = Place::new();
        place.say("s_1", "one").unwrap();
        place.say("s_1", "two").unwrap();
        damage(&place, &format!("UPDATE unplaced SET at = {at} WHERE document = 'one'"));
        let place = Place { waiting: Waiting::at(place._dir.path().join("unplaced.db")), ..place };
        assert_eq!(place.waiting.forget_before(Timestamp(2_000)).unwrap(), 1, "{at}: the other one");
        assert_eq!(place.said("s_1"), ["one"], "{at}");
    }
}

/// A machine that starts with its clock behind, until it is put right.
#[test]
fn a_clock_that_was_behind_when_the_file_was_opened_makes_nothing_older() {
    let place = Place::new();
    place.say("s_1", "one").unwrap();
    let soon = "CAST(unixepoch() + 3600 AS INTEGER) * 1000";
    damage(&place, &format!("UPDATE unplaced SET at = {soon}"));
    let place = Place { waiting: Waiting::at(place._dir.path().join("unplaced.db")), ..place };
    assert!(place.waiting.summary().unwrap().is_some(), "it is open");
    let database = Connection::open(place._dir.path().join("unplaced.db")).unwrap();
    let is_kept = "SELECT at > (unixepoch() + 3000) * 1000 FROM unplaced";
    let kept: i64 = database.query_row(is_kept, [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 1);
    assert_eq!(place.said("s_1"), ["one"]);
}

fn select(place: &Place, id: &str, at: Timestamp) {
    let context: Context = serde_json::from_value(serde_json::json!({
        "id": id, "sessionId": "s_1", "createdAt": at, "ancestors": [],
        "page": { "url": "https://shop.test/", "title": "Shop" },
        "element": {
            "tagName": "button", "classList": [], "textContent": "", "attributes": {},
            "boundingBox": { "x": 0, "y": 0, "width": 80, "height": 24 }
        }
    }))
    .unwrap();
    let sent =
        Sent { message: format!("m_of_{id}").parse().unwrap(), fingerprint: Fingerprint::of(&id).unwrap() };
    let thing = Thing::Selected { context: Box::new(context), pictures: Pictures::default() };
    place.waiting.keep(&page("s_1"), &tab("s_1"), &Unplaced { sent, at, thing }).unwrap();
}

#[test]
fn a_clock_set_back_leaves_what_came_later_the_later() {
    let place = Place::new();
    select(&place, "ctx_1", Timestamp(9_000_000));
    select(&place, "ctx_2", Timestamp(2_000_000));
    place.say_as("m_1", "s_1", "about the second", Timestamp(3_000_000)).unwrap();
    let mut moments = Vec::new();
    while let Some(First { number, one, made, .. }) = place.waiting.first(&page("s_1")).unwrap() {
        place.waiting.forget(number).unwrap();
        moments.push((made.0, one.at.0));
    }
    assert_eq!(moments, [(9_000_000, 9_000_000), (9_000_000, 2_000_000), (9_000_000, 3_000_000)]);
}

#[test]
fn words_about_a_selection_that_cannot_be_read_do_not_wait_with_it() {
    let place = Place::new();
    let say_about = |id: &str, text: &str| {
        let sent = Sent {
            message: format!("m_{text}").parse().unwrap(),
            fingerprint: Fingerprint::of(&text).unwrap(),
        };
        let thing = Thing::Said { context: Some(id.parse().unwrap()), text: text.into() };
        place.waiting.keep(&page("s_1"), &tab("s_1"), &Unplaced { sent, at: Timestamp(1), thing }).unwrap();
    };
    select(&place, "ctx_1", Timestamp(1));
    select(&place, "ctx_2", Timestamp(1));
    say_about("ctx_1", "lost");
    say_about("ctx_2", "found");
    damage(&place, "UPDATE unplaced SET document = '{}' WHERE context_id = 'ctx_1' AND is_selection = 1");
    assert_eq!(place.said("s_1"), ["lost", "found"]);
    let left = place.waiting.summary().unwrap().unwrap();
    assert_eq!((left.things, left.unreadable), (0, 1));
}

/// Whose sessions those were, as an earlier version left them.
#[test]
fn a_damaged_name_of_an_earlier_session_costs_no_other() {
    let place = Place::new();
    place.say("s_1", "one").unwrap();
    for damaged in ["x'ff00'", "''", "'no name: of any'"] {
        damage(&place, &format!("INSERT OR IGNORE INTO earlier VALUES ('s_old'), ({damaged})"));
        let earlier = place.waiting.earlier().unwrap();
        assert_eq!(earlier, BTreeSet::from(["s_old".parse().unwrap()]), "{damaged}");
    }
    place.waiting.knows_earlier().unwrap();
    assert_eq!(place.waiting.earlier().unwrap(), BTreeSet::new());
}

#[test]
fn where_a_page_goes_is_found_without_what_cannot_be_read_of_it() {
    for damaged in ["url = x'ff'", "root = x'ff'", "is_left = x'ff'"] {
        let place = Place::new();
        place.say("s_1", "one").unwrap();
        damage(&place, &format!("UPDATE unplaced SET {damaged}"));
        let whereto = place.waiting.whereto(&page("s_1")).unwrap().unwrap();
        assert!(whereto.url.starts_with("https://shop.test") && !whereto.is_left, "{damaged}: {whereto:?}");
        assert_eq!(place.said("s_1"), ["one"], "{damaged}");
    }
}
