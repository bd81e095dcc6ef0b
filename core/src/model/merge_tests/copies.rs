//! Of copies in two browsers, or in a browser and the hub: order does not matter, and nothing is lost.

use super::*;

proptest! {
    #[test]
    fn the_order_of_two_copies_does_not_matter([a, b, _] in copies()) {
        prop_assert_eq!(a.merge(&b).unwrap(), b.merge(&a).unwrap());
    }

    #[test]
    fn what_is_known_is_not_merged_again([a, b, _] in copies()) {
        prop_assert_eq!(&a.merge(&a).unwrap(), &a);
        let both = a.merge(&b).unwrap();
        prop_assert_eq!(&both.merge(&b).unwrap(), &both);
        prop_assert_eq!(&a.merge(&both).unwrap(), &both);
    }

    #[test]
    fn the_order_of_three_copies_does_not_matter([a, b, c] in copies()) {
        let left = a.merge(&b).unwrap().merge(&c).unwrap();
        let right = a.merge(&b.merge(&c).unwrap()).unwrap();
        prop_assert_eq!(plain(&left), plain(&right));
    }

    #[test]
    fn the_same_holds_for_imported_copies([a, b, c] in copies()) {
        let (b, c) = (b.imported(NOW), c.imported(Timestamp(NOW.0 + 1)));
        prop_assert_eq!(a.merge(&b).unwrap(), b.merge(&a).unwrap());
        let both = a.merge_imported(&b).unwrap();
        prop_assert_eq!(&both.merge_imported(&b).unwrap(), &both);
        let left = both.merge_imported(&c).unwrap();
        let right = a.merge_imported(&b.merge_imported(&c).unwrap()).unwrap();
        prop_assert_eq!(plain(&left), plain(&right));
        let other = a.merge_imported(&c).unwrap().merge_imported(&b).unwrap();
        prop_assert_eq!(plain(&left), plain(&other));
    }

    #[test]
    fn nothing_that_was_said_or_done_is_lost([a, b, _] in copies()) {
        let both = a.merge(&b).unwrap();
        both.check().unwrap();
        for copy in [&a, &b] {
            prop_assert!(copy.replies.iter().all(|reply| both.replies.contains(reply)));
            prop_assert!(copy.history.iter().all(|step| has_step(&both, step)));
            let kept = both.text == copy.text
                || both.history.iter().any(|step| step.previous_text.as_ref() == Some(&copy.text));
            prop_assert!(kept, "{} is gone from {:#?}", copy.text, both.history);
            if plain(copy) != plain(&both) {
                prop_assert!(both.revision > copy.revision);
            } else {
                prop_assert_eq!(both.revision, copy.revision);
            }
        }
    }

    /// The latest decision of either copy holds, whichever copy is newer in all else.
    #[test]
    fn what_was_decided_last_holds([a, b, _] in copies()) {
        let both = a.merge(&b).unwrap();
        let last = |is: &dyn Fn(&HistoryEntry) -> bool| {
            let steps = a.history.iter().chain(&b.history).filter(|step| is(step));
            steps.max_by_key(|step| step.at).map(|step| step.what.clone())
        };
        let deleted = last(&|step| step.what == "deleted" || step.what == "restored");
        prop_assert_eq!(both.deleted_at.is_some(), deleted.as_deref() == Some("deleted"));
        let resolved = last(&|step| step.what.starts_with("resolved") || step.what == "reopened");
        let summary = both.resolution.as_ref().map(|one| format!("resolved: {}", one.summary.as_deref().unwrap()));
        prop_assert_eq!(summary, resolved.filter(|what| what.starts_with("resolved")));
        let stage = last(&|step| step.what == "reopened" || step::STAGES.contains(&step.what.as_str()));
        let expected = match stage.as_deref() {
            _ if both.resolution.is_some() => Stage::Review,
            Some("set to in progress") => Stage::InProgress,
            Some("ready for review") => Stage::Review,
            _ => Stage::Open,
        };
        prop_assert_eq!(both.stage, expected);
    }
}
