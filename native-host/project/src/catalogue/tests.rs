//! What the home says of projects, and to whom.
#![allow(clippy::unwrap_used)]
use std::path::{Path, PathBuf};

use super::id::MAX_NAME;
use super::record::{FILE, MOST_DECIDED, read as record, write};
use super::*;

fn roots(home: &Path, names: &[&str]) -> Vec<PathBuf> {
    let make = |name: &&str| {
        let root = home.join("work").join(name);
        std::fs::create_dir_all(&root).unwrap();
        root
    };
    names.iter().map(make).collect()
}

#[test]
fn an_id_is_short_readable_and_depends_on_the_whole_path() {
    for (root, name) in [
        ("/home/me/shop", "shop"),
        ("/home/me/My Shop (2)", "my-shop--2"),
        ("/home/me/\u{5e97}", "project"),
        ("/", "project"),
    ] {
        let id = id_of(Path::new(root));
        let (before, hash) = id.rsplit_once('-').unwrap();
        assert_eq!((before, hash.len()), (name, 8), "{id}");
    }
    assert_ne!(id_of(Path::new("/a/shop")), id_of(Path::new("/b/shop")));
    assert!(id_of(&PathBuf::from(format!("/{}", "x".repeat(300)))).len() <= MAX_NAME + 9);
}

#[test]
fn a_project_has_one_directory_that_the_next_hub_finds() {
    let home = tempfile::tempdir().unwrap();
    let [shop, blog] = roots(home.path(), &["shop", "blog"]).try_into().unwrap();
    let catalogue = Catalogue::at(home.path().join("projects"));
    assert_eq!(catalogue.find(&shop).unwrap(), None);
    assert!(!catalogue.directory().exists(), "asking makes nothing");
    let of_shop = catalogue.make(&shop, Timestamp(1)).unwrap();
    let of_blog = catalogue.make(&blog, Timestamp(2)).unwrap();
    assert_ne!(of_shop, of_blog);
    assert_eq!(catalogue.make(&shop, Timestamp(3)).unwrap(), of_shop);
    let next = Catalogue::at(home.path().join("projects"));
    assert_eq!(next.find(&shop).unwrap(), Some(of_shop.clone()));
    assert_eq!(next.find(&blog).unwrap(), Some(of_blog));
    let record = record(&of_shop).unwrap().unwrap();
    assert_eq!((record.first_used, record.last_used), (Timestamp(1), Timestamp(3)));
    assert_eq!(record.identity, Identity::of(&shop));
}

fn names(catalogue: &Catalogue) -> Vec<String> {
    let entries = std::fs::read_dir(catalogue.directory()).unwrap();
    let mut names: Vec<_> = entries.map(|one| one.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn what_is_kept_is_handed_over_only_to_who_has_nothing() {
    let home = tempfile::tempdir().unwrap();
    let [shop, store, blog] = roots(home.path(), &["shop", "store", "blog"]).try_into().unwrap();
    let catalogue = Catalogue::at(home.path().join("projects"));
    for root in [&shop, &blog] {
        std::fs::write(catalogue.make(root, Timestamp(1)).unwrap().join(DATABASE), "x").unwrap();
    }
    // It has declined something, and nothing else.
    catalogue.make(&store, Timestamp(2)).unwrap();
    catalogue.decide(&store, "found-1", Decision::Declined).unwrap();
    assert_eq!(catalogue.with_data().unwrap().len(), 2);
    let refused = catalogue.hand_over(&shop, &blog).unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
    catalogue.hand_over(&shop, &store).unwrap();
    for catalogue in [&catalogue, &Catalogue::at(home.path().join("projects"))] {
        assert_eq!(catalogue.find(&shop).unwrap(), None);
        let (directory, record) = catalogue.record(&store).unwrap().unwrap();
        assert!(directory.join(DATABASE).exists());
        assert_eq!(record.decided.len(), 1);
        assert_eq!(names(catalogue), [id_of(&blog), id_of(&store)], "by the name that it has now");
    }
    std::fs::create_dir(catalogue.directory().join(".scratch-left")).unwrap();
    catalogue.sweep();
    assert_eq!(names(&catalogue).len(), 2);
}

#[test]
fn what_is_deleted_is_deleted_whole_and_what_was_decided_outlives_it() {
    let home = tempfile::tempdir().unwrap();
    let [shop, store, blog] = roots(home.path(), &["shop", "store", "blog"]).try_into().unwrap();
    let next =
        || Catalogue::at(home.path().join("projects")).with_projects_from_before([blog.clone()].into(), true);
    let catalogue = next();
    for root in [&shop, &store, &blog] {
        let directory = catalogue.make(root, Timestamp(1)).unwrap();
        std::fs::create_dir(directory.join("screenshots")).unwrap();
        std::fs::write(directory.join("screenshots/c_1.png"), "x").unwrap();
        std::fs::write(directory.join(DATABASE), "x").unwrap();
    }
    catalogue.decide(&shop, "found-1", Decision::TakenOver).unwrap();
    assert!(!catalogue.awaits_takeover(&blog).unwrap());
    for root in [&shop, &store, &blog] {
        catalogue.delete(root).unwrap();
    }
    for catalogue in [&catalogue, &next()] {
        assert!(catalogue.with_data().unwrap().is_empty());
        for root in [&shop, &store, &blog] {
            assert_eq!(catalogue.find(root).unwrap(), None);
        }
        assert_eq!(catalogue.record(&shop).unwrap().unwrap().1.decided.len(), 1);
        assert_eq!(catalogue.record(&store).unwrap(), None, "there is nothing to remember");
        assert!(!catalogue.awaits_takeover(&blog).unwrap(), "it was looked at");
        assert_eq!(names(catalogue), [id_of(&blog), id_of(&shop), update::FILE.to_owned()]);
        assert_eq!(std::fs::read_dir(catalogue.directory().join(id_of(&shop))).unwrap().count(), 1);
    }
    // What a kill left of it does not come back, and neither does it with a new database.
    let left = catalogue.directory().join(id_of(&shop)).join("opentoolbar.db-wal");
    std::fs::write(&left, "left").unwrap();
    assert_eq!(next().find(&shop).unwrap(), None);
    let made = next().make(&shop, Timestamp(9)).unwrap();
    assert!(!left.exists());
    let (directory, record) = next().record(&shop).unwrap().unwrap();
    assert_eq!((directory, record.is_cleared, record.decided.len()), (made, false, 1));
    let left = catalogue.directory().join(id_of(&blog)).join(DATABASE);
    std::fs::write(&left, "left").unwrap();
    next().sweep();
    assert!(!left.exists());
}

#[test]
fn of_many_decisions_the_oldest_is_forgotten_whatever_its_name() {
    let id = |n: usize| format!("found-{:04}", 9_999 - n);
    let mut record = Record::new(Path::new("/shop"), Timestamp(1));
    // As an earlier version noted it, without an order.
    record.decided.insert("moved-z".into(), Decision::Accepted);
    for n in 0..=MOST_DECIDED {
        record.decide(&id(n), Decision::Declined);
    }
    // Decided again, it is the newest.
    record.decide(&id(1), Decision::Accepted);
    record.decide("a", Decision::Declined);
    let has = |record: &Record, id: &str| record.decided.contains_key(id);
    assert_eq!(record.decided.len(), MOST_DECIDED);
    assert!(!has(&record, "moved-z") && !has(&record, &id(0)) && !has(&record, &id(2)));
    assert!(has(&record, &id(1)) && has(&record, "a") && has(&record, &id(MOST_DECIDED)));

    let mut other = Record::new(Path::new("/blog"), Timestamp(1));
    other.decide("b", Decision::Declined);
    other.decide(&id(3), Decision::Accepted);
    record.also_decided(&other);
    assert_eq!(record.decided.len(), MOST_DECIDED);
    assert!(has(&record, "b") && record.decided[&id(3)] == Decision::Accepted && !has(&record, &id(4)));
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
}

#[test]
fn what_was_decided_where_a_project_was_is_remembered_there_and_where_it_is() {
    let home = tempfile::tempdir().unwrap();
    let [shop, store] = roots(home.path(), &["shop", "store"]).try_into().unwrap();
    let next = || {
        Catalogue::at(home.path().join("projects"))
            .with_projects_from_before([shop.clone(), store.clone()].into(), true)
    };
    let catalogue = next();
    std::fs::write(catalogue.make(&shop, Timestamp(1)).unwrap().join(DATABASE), "x").unwrap();
    catalogue.decide(&shop, "found-1", Decision::TakenOver).unwrap();
    for _ in 0..3 {
        for (from, to) in [(&shop, &store), (&store, &shop)] {
            catalogue.hand_over(from, to).unwrap();
            for catalogue in [&catalogue, &next()] {
                assert_eq!(catalogue.with_data().unwrap().len(), 1);
                assert!(catalogue.find(to).unwrap().unwrap().join(DATABASE).exists());
                assert_eq!(catalogue.find(from).unwrap(), None);
                for root in [from, to] {
                    assert_eq!(catalogue.record(root).unwrap().unwrap().1.decided.len(), 1);
                    assert!(!catalogue.awaits_takeover(root).unwrap());
                }
            }
        }
    }
    assert_eq!(names(&catalogue).len(), 3, "they do not gather");
}

#[test]
fn what_stood_in_projects_at_the_update_is_noted_once_and_of_those_of_that_time_alone() {
    let home = tempfile::tempdir().unwrap();
    let [shop, blog, bare] = roots(home.path(), &["shop", "blog", "bare"]).try_into().unwrap();
    for root in [&shop, &blog] {
        std::fs::create_dir(root.join(".opentoolbar")).unwrap();
        std::fs::write(root.join(".opentoolbar").join(DATABASE), "x").unwrap();
    }
    let next = || Catalogue::at(home.path().join("projects"));
    assert_eq!(next().with_projects_from_before(BTreeSet::new(), true).left_in(&shop), None);
    assert!(!home.path().join("projects").exists(), "nothing is made without need");
    let from_before: BTreeSet<PathBuf> = [shop.clone(), bare.clone()].into();
    let noted = next().with_projects_from_before(from_before.clone(), true);
    let left = noted.left_in(&shop).unwrap();
    assert!(noted.awaits_takeover(&shop).unwrap());
    for other in [&blog, &bare] {
        assert!(noted.left_in(other).is_none() && !noted.awaits_takeover(other).unwrap());
    }
    assert!(noted.is_from_before(&bare) && !noted.is_from_before(&blog));
    std::fs::write(shop.join(".opentoolbar").join(DATABASE), "later").unwrap();
    let again = next().with_projects_from_before(from_before.clone(), true);
    assert_eq!(again.left_in(&shop), Some(left), "as it was then");
    // For good, and also when a kill came before it was noted.
    again.make(&shop, Timestamp(1)).unwrap();
    let after = next().with_projects_from_before(from_before.clone(), true);
    after.sweep();
    std::fs::remove_dir_all(after.find(&shop).unwrap().unwrap()).unwrap();
    assert!(!next().with_projects_from_before(from_before.clone(), true).awaits_takeover(&shop).unwrap());
    std::fs::remove_file(home.path().join("projects").join(update::FILE)).unwrap();
    assert_eq!(next().with_projects_from_before(from_before.clone(), false).left_in(&blog), None);
    for other in ["soon", "4102444800000\n"] {
        std::fs::write(home.path().join("projects").join(update::FILE), other).unwrap();
        let damaged = next().with_projects_from_before(from_before.clone(), true);
        assert_eq!(damaged.left_in(&shop), None, "in doubt nothing was left by an earlier version");
    }
}

#[test]
fn a_home_that_does_not_take_a_note_holds_up_no_other_project() {
    let home = tempfile::tempdir().unwrap();
    let all = roots(home.path(), &["shop", "blog"]);
    for root in &all {
        std::fs::create_dir(root.join(".opentoolbar")).unwrap();
        std::fs::write(root.join(".opentoolbar").join(DATABASE), "x").unwrap();
    }
    let [shop, blog] = all.clone().try_into().unwrap();
    let catalogue = Catalogue::at(home.path().join("projects"));
    let catalogue = std::sync::Arc::new(catalogue.with_projects_from_before(all.into_iter().collect(), true));
    // As whoever is in the middle of writing holds it.
    let disk = catalogue.noting.lock().unwrap();
    let noting = std::sync::Arc::clone(&catalogue);
    std::thread::spawn(move || noting.was_looked_at(&shop));
    std::thread::sleep(std::time::Duration::from_millis(100));
    let (asked, answer) = std::sync::mpsc::channel();
    let asking = std::sync::Arc::clone(&catalogue);
    std::thread::spawn(move || asked.send(asking.awaits_takeover(&blog).unwrap()));
    assert_eq!(answer.recv_timeout(std::time::Duration::from_secs(20)), Ok(true));
    drop(disk);
}

#[test]
fn two_projects_whose_ids_are_the_same_have_two_directories() {
    let home = tempfile::tempdir().unwrap();
    let [shop] = roots(home.path(), &["shop"]).try_into().unwrap();
    let catalogue = Catalogue::at(home.path().join("projects"));
    let first = catalogue.make(&shop, Timestamp(1)).unwrap();
    // As if another path had the same hash.
    let mut other = record(&first).unwrap().unwrap();
    other.root = home.path().join("elsewhere");
    write(&first, &other).unwrap();
    let next = Catalogue::at(home.path().join("projects"));
    let second = next.make(&shop, Timestamp(2)).unwrap();
    assert_ne!(first, second);
    assert_eq!(next.find(&other.root).unwrap(), Some(first));
    assert_eq!(next.find(&shop).unwrap(), Some(second));
}

/// Somebody deleted a damaged one, or a backup was not whole.
#[test]
fn data_without_a_record_is_an_error_for_its_project_and_never_cleared() {
    let home = tempfile::tempdir().unwrap();
    let [shop, blog] = roots(home.path(), &["shop", "blog"]).try_into().unwrap();
    let projects = home.path().join("projects");
    for data in [DATABASE, "opentoolbar.db-wal", "screenshots"] {
        let running = Catalogue::at(projects.clone());
        let directory = running.make(&shop, Timestamp(1)).unwrap();
        let whole = std::fs::read(directory.join(FILE)).unwrap();
        let kept = directory.join(data);
        std::fs::write(&kept, "x").unwrap();
        std::fs::remove_file(directory.join(FILE)).unwrap();
        for catalogue in [&running, &Catalogue::at(projects.clone())] {
            catalogue.sweep();
            let error = catalogue.make(&shop, Timestamp(2)).unwrap_err();
            assert!(error.get_ref().unwrap().is::<UnreadableRecord>(), "{data}: {error}");
            assert!(catalogue.delete(&shop).is_err());
            catalogue.make(&blog, Timestamp(2)).unwrap();
            assert_eq!(catalogue.unreadable().unwrap().len(), 1, "{data}");
            assert_eq!(std::fs::read(&kept).unwrap(), b"x", "{data}");
        }
        let fresh = Catalogue::at(projects.clone());
        assert!(fresh.find(&shop).is_err() && fresh.awaits_takeover(&blog).is_ok(), "{data}");
        // A directory that is prepared for the same project takes another place.
        let prepared = tempfile::tempdir_in(home.path()).unwrap();
        let installed = fresh.install(&shop, prepared.path(), "found-1", Timestamp(3)).unwrap();
        assert!(kept.exists() && installed != directory, "{data}");
        std::fs::remove_dir_all(installed).unwrap();
        std::fs::write(directory.join(FILE), &whole).unwrap();
        assert_eq!(Catalogue::at(projects.clone()).find(&shop).unwrap(), Some(directory), "{data}");
        std::fs::remove_file(&kept).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn what_is_kept_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let [shop] = roots(home.path(), &["shop"]).try_into().unwrap();
    let projects = home.path().join("projects");
    std::fs::create_dir(&projects).unwrap();
    std::fs::set_permissions(&projects, std::fs::Permissions::from_mode(0o755)).unwrap();
    let directory = Catalogue::at(projects.clone()).make(&shop, Timestamp(1)).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&projects), mode(&directory)), (0o700, 0o700));
    assert_eq!(mode(&directory.join(FILE)), 0o600);
}

#[test]
fn a_record_that_cannot_be_read_is_an_error_for_its_project_alone_until_it_is_mended() {
    let home = tempfile::tempdir().unwrap();
    let [shop, blog] = roots(home.path(), &["shop", "blog"]).try_into().unwrap();
    let projects = home.path().join("projects");
    let directory = Catalogue::at(projects.clone()).make(&shop, Timestamp(1)).unwrap();
    let whole = std::fs::read(directory.join(FILE)).unwrap();
    let newer = |root: &Path| format!(r#"{{"version": 99, "root": {root:?}}}"#);
    for broken in ["", "{", "[]", &newer(&shop), &newer(Path::new("/"))] {
        std::fs::write(directory.join(FILE), broken).unwrap();
        let next = Catalogue::at(projects.clone());
        next.make(&blog, Timestamp(2)).unwrap();
        let errors = [next.find(&shop).unwrap_err(), next.make(&shop, Timestamp(2)).unwrap_err()];
        for error in errors {
            assert!(error.get_ref().unwrap().is::<UnreadableRecord>(), "{broken}: {error}");
        }
        assert_eq!(next.unreadable().unwrap().len(), 1);
        assert_eq!(std::fs::read_to_string(directory.join(FILE)).unwrap(), broken);
        std::fs::write(directory.join(FILE), &whole).unwrap();
        assert_eq!(next.find(&shop).unwrap(), Some(directory.clone()), "{broken}");
    }
}
