//! Looking for words in all dialogs.

use std::cell::Cell;
use std::fs::File;
use std::time::{Duration, SystemTime};

use opentoolbar_dialogs::{Cursor, Found, Query, Scope, Source, Speaker};
use serde_json::json;

use crate::world::{GOING, World, request, session, uri};

impl World {
    fn search(&self, text: &str) -> Found {
        self.histories.search(&Query::new(text, self.scope()).unwrap(), GOING).unwrap()
    }

    fn aged(&self, name: &str, age: u64, texts: &[&str]) {
        let requests: Vec<_> = texts.iter().map(|text| request(text, 7)).collect();
        let path = self.vs_code(name, session(&requests).to_string());
        let at = SystemTime::now() - Duration::from_secs(age);
        File::options().write(true).open(path).unwrap().set_modified(at).unwrap();
    }
}

fn told(found: &Found) -> Vec<(&str, u64)> {
    found.hits.iter().map(|hit| (hit.dialog.id.as_str(), hit.request)).collect()
}

#[test]
fn hits_come_from_the_newest_dialog_to_the_oldest_with_all_words_in_whatever_case() {
    let world = World::new();
    world.aged("old.json", 100, &["nothing", "The ÜBER button is Red"]);
    world.aged("new.json", 1, &["make the red button über", "red alone"]);
    let found = world.search("über RED");
    assert_eq!(told(&found), [("new", 1), ("old", 2)]);
    assert_eq!((found.looked_through, found.dialogs, found.unreadable), (2, 2, 0));
    assert!(found.next.is_none() && !found.was_stopped);
    assert_eq!(found.hits[0].snippet, "make the red button über");
    assert_eq!((found.hits[0].speaker, found.hits[0].at.unwrap().0), (Speaker::Person, 7));
    assert_eq!(told(&world.search("a.b")), [], "a dot is a dot");
}

#[test]
fn pages_go_on_where_the_one_before_ended_and_tell_everything_once() {
    let world = World::new();
    let texts: Vec<String> = (0..7).map(|number| format!("needle {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for (name, age) in [("a.json", 1), ("b.json", 2), ("c.json", 3)] {
        world.aged(name, age, &texts);
    }
    let mut query = Query::new("needle", world.scope()).unwrap();
    query.most = 4;
    let (mut all, mut pages) = (Vec::new(), 0);
    loop {
        let found = world.histories.search(&query, GOING).unwrap();
        all.extend(found.hits.iter().map(|hit| (hit.dialog.id.clone(), hit.request)));
        pages += 1;
        assert!(pages <= 6);
        let Some(next) = found.next else {
            assert_eq!((found.looked_through, found.dialogs), (3, 3));
            break;
        };
        // As text it is the same.
        let again: Cursor = next.to_string().parse().unwrap();
        assert_eq!(again, next);
        query.after = Some(again);
    }
    let expected: Vec<(String, u64)> =
        ["a", "b", "c"].iter().flat_map(|id| (1..=7).map(|number| ((*id).to_owned(), number))).collect();
    assert_eq!(all, expected);
    assert!("1.2.nobody.x".parse::<Cursor>().is_err() && "x".parse::<Cursor>().is_err());
}

#[test]
fn a_search_that_is_stopped_says_how_far_it_came_and_can_go_on() {
    let world = World::new();
    world.aged("a.json", 1, &["needle", "needle"]);
    world.aged("b.json", 2, &["needle"]);
    let mut query = Query::new("needle", world.scope()).unwrap();
    let (mut hits, mut rounds) = (0, 0);
    for patience in 1.. {
        let left = Cell::new(patience);
        let keep_going = || {
            left.set(left.get() - 1);
            left.get() > 0
        };
        let Ok(found) = world.histories.search(&query, &keep_going) else { continue };
        hits += found.hits.len();
        rounds += 1;
        query.after = found.next;
        if query.after.is_none() {
            assert!(!found.was_stopped);
            break;
        }
        assert!(found.was_stopped && found.looked_through < 2);
    }
    assert_eq!(hits, 3);
    assert!(rounds > 1);
}

#[test]
fn answers_of_claude_code_and_codex_are_found_with_the_request_that_they_answer() {
    let world = World::new();
    let line = |kind: &str, text: &str| json!({ "cwd": world.shop, "type": kind, "message": { "content": [{ "type": "text", "text": text }] } });
    world.claude_code(
        "c.jsonl",
        &[line("user", "one"), line("assistant", "a"), line("user", "two"), line("assistant", "the needle")],
    );
    let item =
        |role: &str, text: &str| json!({ "type": "message", "role": role, "content": [{ "text": text }] });
    let meta = json!({ "type": "session_meta", "payload": { "id": "x", "cwd": world.shop } });
    world.codex("x.jsonl", &[meta, item("user", "one"), item("assistant", "a needle")]);
    let mut found =
        told(&world.search("needle")).iter().map(|(id, at)| (id.to_string(), *at)).collect::<Vec<_>>();
    found.sort();
    assert_eq!(found, [("c".to_owned(), 2), ("x".to_owned(), 1)]);
    assert!(world.search("needle").hits.iter().all(|hit| hit.speaker == Speaker::Agent));
}

#[test]
fn dialogs_of_other_projects_are_looked_through_only_when_everything_is_asked_for() {
    let world = World::new();
    let other =
        world.workspace(Source::VsCode, "other", &json!({ "folder": uri(&world.home.join("other")) }));
    std::fs::write(other.join("o.json"), session(&[request("needle", 1)]).to_string()).unwrap();
    world.vs_code("broken.json", "{");
    let found = world.search("needle");
    assert_eq!((found.hits.len(), found.dialogs, found.unreadable), (0, 1, 1));
    let everything = Query::new("needle", Scope::Everything).unwrap();
    assert_eq!(told(&world.histories.search(&everything, GOING).unwrap()), [("o", 1)]);
    assert!(Query::new("  ", world.scope()).is_none());
}
