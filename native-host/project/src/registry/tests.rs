#![allow(clippy::unwrap_used)]
use super::content::{MOST_ORIGINS, MOST_PROJECTS, MOST_SESSIONS, SessionEntry};
use super::*;
use proptest::prelude::*;

#[test]
fn what_is_remembered_is_there_for_the_next_hub() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("registry.json");
    let registry = Registry::open(path.clone());
    let id: SessionId = "s_1".parse().unwrap();
    registry.choose("http://a", dir.path(), Timestamp(1)).unwrap();
    registry.remember_session(&id, dir.path(), Timestamp(1)).unwrap();
    registry.save_due().unwrap();
    let next = Registry::open(path);
    assert_eq!(next.chosen("http://a"), Some(dir.path().to_owned()));
    assert_eq!(next.session(&id), Some(dir.path().to_owned()));
    assert_eq!(next.projects().len(), 1);
}

#[test]
fn a_bad_entry_costs_itself_alone_and_the_file_as_it_was_is_kept_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("registry.json");
    let good = || {
        serde_json::json!({
            "version": 1,
            "origins": { "http://a": "/a", "http://b": "/b" },
            "chosenAt": { "http://a": 1, "http://b": 2 },
            "projects": { "/a": 1, "/b": 2 },
            "sessions": { "s_1": { "root": "/a", "lastActive": 1 }, "s_2": { "root": "/b", "lastActive": 2 } },
            "picked": { "/a": "s_1", "/b": "s_2" },
            "agents": [{ "instance": "i", "number": 2 }, { "instance": "j", "number": 3 }],
            "fromBefore": ["/a", "/b"]
        })
    };
    let aside = |n: u32| dir.path().join(format!("registry.json.broken-{n}"));
    for (n, (place, bad)) in [
        ("/origins/http:~1~1b", serde_json::json!(7)),
        ("/chosenAt/http:~1~1b", serde_json::json!("yesterday")),
        ("/projects/~1b", serde_json::json!(-1)),
        ("/sessions/s_2", serde_json::json!({ "root": "/b" })),
        ("/picked/~1b", serde_json::json!("of no kind")),
        ("/agents/1", serde_json::json!({ "instance": 5 })),
        ("/fromBefore/1", serde_json::json!(null)),
        ("/agents", serde_json::json!("none")),
        ("/fromBefore", serde_json::json!(5)),
    ]
    .into_iter()
    .enumerate()
    {
        let mut written = good();
        *written.pointer_mut(place).unwrap() = bad;
        let bytes = written.to_string();
        std::fs::write(&path, &bytes).unwrap();
        let n = u32::try_from(n).unwrap() + 1;
        let registry = Registry::open(path.clone());
        let told = registry.set_aside().unwrap_or_default().to_owned();
        assert!(told.contains("registry.json") && told.contains("1 entry"), "{place}: {told}");
        assert!(told.contains(&format!("registry.json.broken-{n}")), "{place}: {told}");
        assert_eq!(std::fs::read_to_string(aside(n)).unwrap(), bytes, "{place}");
        // Everything else is there, also for the next one, which finds nothing wrong.
        for registry in [registry, Registry::open(path.clone())] {
            let is = |is: bool| if is { 1 } else { 0 };
            let left_out = is(registry.chosen("http://b").is_none())
                + is(!registry.is_known(Path::new("/b")))
                + is(registry.session(&"s_2".parse().unwrap()).is_none())
                + is(registry.picked(Path::new("/b")).is_none())
                + is(registry.number_of("j").is_none())
                + is(!registry.from_before().contains(Path::new("/b")));
            assert_eq!(left_out, is(!place.starts_with("/chosenAt")), "{place}");
            assert_eq!(registry.chosen("http://a"), Some("/a".into()), "{place}");
            assert!(registry.is_known(Path::new("/a")), "{place}");
            assert_eq!(registry.session(&"s_1".parse().unwrap()), Some("/a".into()), "{place}");
            assert!(registry.picked(Path::new("/a")).is_some(), "{place}");
            // What cannot be read is no registry of the time before databases were kept in the home.
            assert!(!registry.is_of_before(), "{place}");
        }
        assert_eq!(Registry::open(path.clone()).set_aside(), None, "{place}");
        assert!(!aside(n + 1).exists(), "once: {place}");
    }
}

#[test]
fn tabs_that_open_together_are_written_once_and_a_refusal_is_made_good() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("registry.json");
    let registry = Registry::open(path.clone());
    for n in 0..100 {
        registry.remember_session(&format!("s_{n}").parse().unwrap(), dir.path(), Timestamp(n)).unwrap();
    }
    let on_disk = || Registry::open(path.clone()).memory().content.clone();
    assert!(registry.is_unsaved());
    assert_eq!((on_disk().projects.len(), on_disk().sessions.len()), (1, 0));
    // Nothing can be put in place of a directory with something in it.
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir_all(path.join("in the way")).unwrap();
    registry.save_due().unwrap_err();
    assert!(registry.is_unsaved());
    std::fs::remove_dir_all(&path).unwrap();
    registry.save_due().unwrap();
    assert!(!registry.is_unsaved());
    // The same tab once more, on another page of the project.
    registry.remember_session(&"s_0".parse().unwrap(), dir.path(), Timestamp(101)).unwrap();
    assert!(!registry.is_unsaved());
    assert_eq!(on_disk().sessions.len(), 100);
}

#[test]
fn sessions_beyond_the_limit_forget_the_oldest() {
    let dir = tempfile::tempdir().unwrap();
    let registry = Registry::open(dir.path().join("registry.json"));
    for n in 0..=MOST_SESSIONS as u64 {
        // In memory alone, like the hub's: the file is asserted on elsewhere.
        let entry = SessionEntry { root: dir.path().into(), last_active: Timestamp(n + 1) };
        registry.memory().content.sessions.insert(format!("s_{n}").parse().unwrap(), entry);
    }
    registry.remember_session(&"s_new".parse().unwrap(), dir.path(), Timestamp(9_999)).unwrap();
    assert_eq!(registry.memory().content.sessions.len(), MOST_SESSIONS);
    assert!(registry.session(&"s_0".parse().unwrap()).is_none());
    assert!(registry.session(&"s_new".parse().unwrap()).is_some());
}

#[test]
fn projects_and_choices_beyond_the_limit_forget_what_was_unused_for_longest() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("registry.json");
    let (root, origin) =
        (|n: usize| PathBuf::from(format!("/{n}")), |n: usize| format!("http://localhost:{n}"));
    let time = |n: usize| Timestamp(n as u64);
    // As a version that forgot nothing has left it: the lowest name is no reason to go.
    let projects: serde_json::Map<_, _> =
        (0..1_000).map(|n| (format!("/{n}"), serde_json::json!(1_000 - n))).collect();
    let origins: serde_json::Map<_, _> = (0..1_000).map(|n| (origin(n), serde_json::json!("/1"))).collect();
    let picked = serde_json::json!({ "/0": "s_0", "/999": "s_999" });
    let before =
        serde_json::json!({ "version": 1, "projects": projects, "origins": origins, "picked": picked });
    std::fs::write(&path, before.to_string()).unwrap();
    let registry = Registry::open(path.clone());
    assert_eq!(registry.known().len(), MOST_PROJECTS);
    assert!(registry.is_known(&root(0)) && !registry.is_known(&root(999)));
    assert!(registry.picked(&root(0)).is_some() && registry.picked(&root(999)).is_none());
    assert_eq!(registry.from_before().len(), 1_000, "what was known then is not forgotten");

    // Used again, the oldest is not; and the newest stays, whatever the clock says.
    let id: SessionId = "s_1".parse().unwrap();
    registry.remember_session(&id, &root(MOST_PROJECTS - 1), Timestamp(5_000)).unwrap();
    registry.remember_project(&root(2_000), Timestamp(1)).unwrap();
    assert!(registry.is_known(&root(2_000)) && registry.is_known(&root(MOST_PROJECTS - 1)));
    assert!(!registry.is_known(&root(MOST_PROJECTS - 2)));
    assert_eq!((registry.known().len(), registry.learnt()), (MOST_PROJECTS, 1));

    for n in 2_000..2_000 + MOST_ORIGINS {
        registry.choose(&origin(n), &root(1), time(n)).unwrap();
    }
    assert_eq!(registry.chosen(&origin(999)), None, "chosen before it was noted when");
    registry.choose(&origin(2_000), &root(1), Timestamp(9_000)).unwrap();
    registry.choose(&origin(3_000), &root(1), Timestamp(1)).unwrap();
    let is_chosen = |registry: &Registry, n| registry.chosen(&origin(n)).is_some();
    assert!(is_chosen(&registry, 2_000) && is_chosen(&registry, 3_000) && !is_chosen(&registry, 2_001));
    let next = Registry::open(path);
    let content = &next.memory().content;
    assert_eq!((content.projects.len(), content.origins.len()), (MOST_PROJECTS, MOST_ORIGINS));
}

#[test]
fn what_is_remembered_by_many_at_once_is_all_on_disk() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("registry.json");
    let registry = Registry::open(path.clone());
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (registry, root) = (&registry, dir.path());
            scope.spawn(move || {
                for n in 0..25 {
                    registry.choose(&format!("http://{thread}.{n}"), root, Timestamp(1)).unwrap();
                    let id = format!("s_{thread}_{n}").parse().unwrap();
                    registry.remember_session(&id, root, Timestamp(1)).unwrap();
                }
            });
        }
    });
    registry.save_due().unwrap();
    assert!(!registry.is_unsaved());
    let next = Registry::open(path);
    let content = &next.memory().content;
    assert_eq!((content.origins.len(), content.sessions.len()), (100, 100));
}

#[test]
fn a_choice_that_the_disk_refuses_is_not_remembered() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("registry.json");
    let registry = Registry::open(path.clone());
    std::fs::create_dir_all(path.join("in the way")).unwrap();
    registry.choose("http://a", dir.path(), Timestamp(1)).unwrap_err();
    assert_eq!(registry.chosen("http://a"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn a_damaged_registry_is_kept_aside_and_never_a_panic(bytes in proptest::collection::vec(any::<u8>(), 1..80)) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("registry.json");
        for n in 1..3 {
            std::fs::write(&path, &bytes).unwrap();
            let registry = Registry::open(path.clone());
            let aside = dir.path().join(format!("registry.json.broken-{n}"));
            prop_assert_eq!(std::fs::read(aside).unwrap(), bytes.clone());
            registry.choose("http://a", dir.path(), Timestamp(1)).unwrap();
        }
    }
}
