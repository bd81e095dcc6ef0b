#![allow(clippy::unwrap_used)]
use super::super::database::Database;
use super::find::{STORED, find};
use super::*;
use crate::worker::Worker;
use opentoolbar_project::Catalogue;
use proptest::prelude::*;
use rusqlite::StatementStatus;
use std::sync::Arc;
use tokio::sync::watch;

fn head(width: u32, height: u32) -> Vec<u8> {
    [SIGNATURE, &width.to_be_bytes(), &height.to_be_bytes()].concat()
}

proptest! {
    #[test]
    fn no_bytes_panic_the_check(bytes: Vec<u8>) {
        prop_assert!(check(&bytes).is_err());
    }
}

#[test]
fn only_a_png_of_a_possible_size_is_kept() {
    assert!(check(&head(1, 1)).is_ok());
    assert!(check(&head(0, 1)).is_err());
    assert!(check(&head(1, 40_000)).is_err());
    assert!(check(&head(1, 1)[..20]).is_err());
    assert!(check(b"GIF89a").is_err());
}

#[test]
fn a_picture_whose_comment_was_not_stored_goes_away() {
    let root = tempfile::tempdir().unwrap();
    let at = root.path().canonicalize().unwrap();
    let places = Places { root: at.clone(), data: at.join("data") };
    let catalogue = Arc::new(Catalogue::at(at.join("projects")));
    let known = SharedRoot::new(at, catalogue, Complaints::default());
    let shelf = Shelf::new(known, places, Complaints::default());
    let path = root.path().join(DIRECTORY).join(PICTURES).join("c_1.png");
    let kept = shelf.keep("c_1.png", &head(1, 1)).unwrap();
    assert!(path.is_file());
    drop(kept);
    assert!(!path.exists());
    shelf.keep("c_1.png", &head(1, 1)).unwrap().commit();
    assert!(path.is_file());
}

#[test]
fn the_newest_pictures_of_selections_stay_and_what_others_put_there_counts_for_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let (data, folder) = (root.join("data"), root.join(DIRECTORY).join(PICTURES));
    std::fs::create_dir_all(&data).unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    let connection = Database::open(&data).unwrap().connection;
    let begin = std::time::SystemTime::now() - std::time::Duration::from_secs(1_000);
    let put = |name: &str, age: u64| {
        let file = std::fs::File::create(folder.join(name)).unwrap();
        file.set_modified(begin + std::time::Duration::from_secs(age)).unwrap();
    };
    for number in 0..MOST_FILES as u64 + 5 {
        let name = format!("ctx_{number}.png");
        put(&name, number);
        connection.execute("INSERT INTO pictures VALUES (?1, zeroblob(32))", [name]).unwrap();
        put(&format!("ctx_planted{number}.png"), 900);
    }
    let catalogue = Arc::new(Catalogue::at(root.join("projects")));
    let known = SharedRoot::new(root.clone(), catalogue, Complaints::default());
    let shelf = Shelf::new(known, Places { root, data }, Complaints::default());
    shelf.tidy(&connection, opentoolbar_leaves::clock::now(), "ctx_none", "s_none");
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|one| one.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2 * MOST_FILES + 5);
    for number in 0..MOST_FILES + 5 {
        let is_there = left.contains(&format!("ctx_{number}.png").into());
        assert_eq!(is_there, number >= 5, "{number}");
    }
}

/// A comment without a picture has none under the name that an earlier version gave it either: both are asked for at
/// once.
#[test]
fn the_picture_of_a_comment_is_asked_for_once_whatever_its_name_was() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let catalogue = Arc::new(Catalogue::at(root.join("projects")));
    let mut worker = Worker::new(root.clone(), catalogue, Complaints::default(), watch::channel(0).0);
    let (now, earlier) = ("c_Now".parse().unwrap(), "c_Earlier".parse().unwrap());
    let folder = root.join(DIRECTORY).join(PICTURES);
    std::fs::create_dir_all(&folder).unwrap();
    for name in [name(&now), earlier_name(&now), earlier_name(&earlier)] {
        let png = head(1, name.len().try_into().unwrap());
        std::fs::write(folder.join(&name), &png).unwrap();
        let transaction = worker.writing().unwrap().connection.transaction().unwrap();
        remember(&transaction, &name, &Sha256::digest(&png).into()).unwrap();
        transaction.commit().unwrap();
    }
    let found = [
        ("c_none", Picture::None),
        ("c_None", Picture::None),
        ("c_Now", Picture::At(folder.join(name(&now)))),
        ("c_Earlier", Picture::At(folder.join(earlier_name(&earlier)))),
    ];
    for (times, (id, expected)) in (1..).zip(found) {
        assert_eq!(find(&mut worker, &id.parse().unwrap()).unwrap(), expected, "{id}");
        let database = worker.reading().unwrap().unwrap();
        let asked = database.connection.prepare_cached(STORED).unwrap();
        assert_eq!(asked.get_status(StatementStatus::Run), times, "{id}");
    }
}
