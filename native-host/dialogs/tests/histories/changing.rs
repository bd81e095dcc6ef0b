//! Histories that are written while they are read, and again.

use std::fs::{self, File};
use std::io::Write as _;
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant, SystemTime};

use opentoolbar_dialogs::{Error, NoData};
use serde_json::json;

use crate::world::{GOING, World, jsonl, request, session};

fn pushed(text: &str) -> String {
    jsonl(&[json!({ "kind": 2, "k": ["requests"], "v": [request(text, 1)] })])
}

/// Old enough that nobody doubts what was read.
fn settle() {
    std::thread::sleep(Duration::from_millis(150));
}

#[test]
fn a_log_that_grows_gives_what_was_added() {
    let world = World::new();
    let path = world.vs_code("log.jsonl", jsonl(&[json!({ "kind": 0, "v": session(&[]) })]));
    let mut file = File::options().append(true).open(&path).unwrap();
    for count in 1..=5 {
        file.write_all(pushed(&format!("request {count}")).as_bytes()).unwrap();
        if count == 3 {
            settle();
        }
        let words = world.words("log");
        assert_eq!((words.len(), words.last()), (count, Some(&format!("request {count}"))));
    }
    // A line that was half written is whole later.
    let next = pushed("request 6");
    let (half, rest) = next.split_at(40);
    file.write_all(half.as_bytes()).unwrap();
    assert_eq!(world.words("log").len(), 5);
    file.write_all(rest.as_bytes()).unwrap();
    assert_eq!(world.words("log").len(), 6);
}

#[test]
fn a_log_that_was_written_anew_is_read_anew_also_when_it_became_longer() {
    let world = World::new();
    let before = format!("{}{}", jsonl(&[json!({ "kind": 0, "v": session(&[]) })]), pushed("old"));
    let path = world.vs_code("log.jsonl", before);
    settle();
    assert_eq!(world.words("log"), ["old"]);
    let after = jsonl(&[json!({ "kind": 0, "v": session(&[request("new", 1), request("newer", 2)]) })]);
    fs::write(&path, format!("{after}{}", pushed("newest"))).unwrap();
    assert_eq!(world.words("log"), ["new", "newer", "newest"]);
    fs::write(&path, jsonl(&[json!({ "kind": 0, "v": session(&[]) })])).unwrap();
    assert_eq!(world.words("log").len(), 0);
}

#[test]
fn what_was_read_stays_readable_while_more_is_written() {
    let world = World::new();
    let path = world.vs_code(
        "log.jsonl",
        format!("{}{}", jsonl(&[json!({ "kind": 0, "v": session(&[]) })]), pushed("first")),
    );
    let held = world.requests("log").unwrap();
    File::options().append(true).open(&path).unwrap().write_all(pushed("second").as_bytes()).unwrap();
    assert_eq!(world.words("log"), ["first", "second"]);
    assert_eq!((held.count(), held.get(1, GOING).unwrap().words), (1, "first".to_owned()));
}

#[test]
fn a_file_that_is_written_over_after_it_was_indexed_says_that_it_changed() {
    let world = World::new();
    let path = world.vs_code("one.json", session(&[request("first", 1)]).to_string());
    let held = world.requests("one").unwrap();
    fs::write(&path, "{}").unwrap();
    assert!(matches!(held.get(1, GOING), Err(Error::Changed)));
}

#[test]
fn a_dialog_that_was_deleted_after_it_was_listed_has_no_data() {
    let world = World::new();
    let path = world.vs_code("gone.json", session(&[request("first", 1)]).to_string());
    let dialog = world.find("gone").unwrap();
    fs::remove_file(path).unwrap();
    let error = world.histories.requests(&dialog, GOING).unwrap_err();
    assert!(matches!(error, Error::NoData(NoData::Missing)), "{error:?}");
}

#[test]
fn the_dialog_that_was_written_last_is_the_first() {
    let world = World::new();
    for (name, age) in [("old.json", 100), ("new.jsonl", 1), ("middle.json", 50)] {
        let path = world.vs_code(name, session(&[]).to_string());
        let at = SystemTime::now() - Duration::from_secs(age);
        File::options().write(true).open(path).unwrap().set_modified(at).unwrap();
    }
    assert_eq!(world.ids(), ["new", "middle", "old"]);
}

#[test]
fn a_pass_that_is_not_wanted_any_longer_ends() {
    let world = World::new();
    world.vs_code("one.json", session(&[request("first", 1)]).to_string());
    let dialog = world.find("one").unwrap();
    let stopped = world.histories.requests(&dialog, &|| false);
    assert!(matches!(stopped, Err(Error::Stopped)), "{stopped:?}");
    assert!(matches!(world.histories.list(&world.scope(), &|| false), Err(Error::Stopped)));
    assert_eq!(world.words("one"), ["first"]);
}

#[test]
fn many_who_ask_at_once_get_the_same() {
    let world = World::new();
    let requests: Vec<_> = (0..500).map(|number| request(&format!("request {number}"), number)).collect();
    world.vs_code("one.json", session(&requests).to_string());
    let dialog = world.find("one").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| {
                let requests = world.histories.requests(&dialog, GOING).unwrap();
                assert_eq!(
                    (requests.count(), requests.get(500, GOING).unwrap().words.as_str()),
                    (500, "request 499")
                );
            });
        }
    });
}

/// A disk that hardly answers is one that is asked whether to go on and does not get on.
#[test]
fn a_history_that_is_read_slowly_keeps_no_other_from_being_read() {
    let world = World::new();
    for name in ["known", "slow", "slower", "other"] {
        world.vs_code(&format!("{name}.json"), session(&[request(name, 1)]).to_string());
    }
    settle();
    assert_eq!(world.words("known"), ["known"]);
    let [slow, slower, other] = ["slow", "slower", "other"].map(|id| world.find(id).unwrap());
    let gate = Mutex::new(());
    let within = |time: Duration| {
        let began = Instant::now();
        move || began.elapsed() < time
    };
    let (histories, gate) = (&world.histories, &gate);
    std::thread::scope(|scope| {
        let shut = gate.lock().unwrap();
        let (tell, told) = mpsc::channel();
        let read_slowly = |dialog| {
            let tell = tell.clone();
            scope.spawn(move || {
                let requests = histories.requests(dialog, &|| {
                    tell.send(()).unwrap();
                    drop(gate.lock());
                    true
                });
                assert_eq!(requests.unwrap().count(), 1);
            });
            told.recv().unwrap();
        };
        read_slowly(&slow);
        assert_eq!(histories.requests(&other, &within(Duration::from_secs(20))).unwrap().count(), 1);
        // The one that is being read is waited for, and no longer than it is wanted.
        let waited = histories.requests(&slow, &within(Duration::from_millis(100)));
        assert!(matches!(waited, Err(Error::Stopped)), "{waited:?}");
        // Two at a time, and what is known needs no pass.
        read_slowly(&slower);
        std::fs::write(other.place.path().unwrap(), session(&[]).to_string()).unwrap();
        let waited = histories.requests(&other, &within(Duration::from_millis(100)));
        assert!(matches!(waited, Err(Error::Stopped)), "{waited:?}");
        let known = world.find("known").unwrap();
        assert_eq!(histories.requests(&known, &within(Duration::from_secs(20))).unwrap().count(), 1);
        drop(shut);
        assert_eq!(histories.requests(&other, GOING).unwrap().count(), 0);
    });
}
