//! Of copies that are as large, or as odd, as a comment may be.

use super::*;

proptest! {
    // These are large.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_valid_copies_panic_or_make_an_invalid_comment(a in arbitrary::comment(), b in arbitrary::comment()) {
        let mut b = b;
        b.id = a.id.clone();
        let mut imported = b.clone().imported(NOW);
        prop_assert!(moments(&mut imported).into_iter().all(|at| *at <= NOW));
        let mut made = b.clone().not_after(NOW);
        made.check().unwrap();
        prop_assert!(moments(&mut made).into_iter().all(|at| *at <= NOW));
        if let Ok(both) = a.merge_imported(&imported) {
            both.check().unwrap();
            prop_assert_eq!(&both.merge_imported(&imported).unwrap(), &both);
        }
        for other in [b, imported] {
            if let Ok(both) = a.merge(&other) {
                both.check().unwrap();
                prop_assert_eq!(&both, &other.merge(&a).unwrap());
                prop_assert_eq!(&both.merge(&both).unwrap(), &both);
            }
        }
    }
}

#[test]
fn more_replies_than_a_comment_can_hold_are_refused_and_not_dropped() {
    let fill = |prefix: &str, count: usize| {
        let mut comment = arbitrary::sample("c_1");
        comment.replies = (0..count)
            .map(|n| Reply {
                id: format!("r_{prefix}{n}").parse().unwrap(),
                author: Author::Person,
                text: "x".into(),
                created_at: Timestamp(BEGAN),
                imported_at: None,
            })
            .collect();
        comment
    };
    let mut full = fill("a", limits::MAX_REPLIES);
    full.revision = 1 + limits::MAX_REPLIES as u32;
    assert!(matches!(full.merge(&fill("b", 1)), Err(ChangeError::Full { what: "replies", .. })));
    assert_eq!(full.merge(&fill("a", 7)).unwrap(), full);
}

#[test]
fn a_full_history_gives_up_looks_before_texts() {
    let mut a = arbitrary::sample("c_1");
    a.revision = limits::MAX_HISTORY as u32 + 1;
    a.history = (0..limits::MAX_HISTORY as u64)
        .map(|n| HistoryEntry {
            revision: n as u32 + 2,
            at: Timestamp(BEGAN + n),
            by: Author::Person,
            what: "its elements were looked at again".into(),
            previous_text: None,
            imported_at: None,
        })
        .collect();
    let edit = CommentChange::Edit { text: "theirs".into(), base_revision: 1 };
    let b = arbitrary::sample("c_1").apply(&edit, &Author::Person, NOW).unwrap();
    let both = a.merge(&b).unwrap();
    both.check().unwrap();
    assert_eq!(both.history.len(), limits::MAX_HISTORY);
    assert_eq!(both.history.last().unwrap().previous_text, Some(a.text));
    assert_eq!(both.text, "theirs");
}
