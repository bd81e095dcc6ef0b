//! Of what comes in a file, whose words, moments and revisions may be anybody's.

use super::*;

proptest! {
    /// What an import brings is marked as such, and what is ours is not.
    #[test]
    fn an_import_never_speaks_as_one_of_us([a, b, _] in copies()) {
        let both = a.merge_imported(&b.clone().imported(NOW)).unwrap();
        both.check().unwrap();
        for reply in &both.replies {
            let unmarked = Reply { imported_at: None, ..reply.clone() };
            prop_assert_eq!(reply.imported_at.is_none(), a.replies.contains(&unmarked));
        }
        let is_ours = |one: &HistoryEntry| {
            has_step(&a, one) || one.what == KEPT_TEXT && one.previous_text.as_ref() == Some(&a.text)
        };
        prop_assert!(both.history.iter().all(|one| one.imported_at.is_none() == is_ours(one)));
        prop_assert_eq!(both.imported_at.is_none(), both.text == a.text);
        if let Some(resolution) = &both.resolution {
            let is_ours = a.resolution.as_ref().is_some_and(|ours| ours.at == resolution.at && ours.summary == resolution.summary);
            prop_assert_eq!(resolution.imported_at.is_none(), is_ours);
        }
    }
}

/// What no file changes.
fn about(comment: &Comment) -> (Author, [String; 3], Timestamp) {
    let where_it_is = [&comment.url, &comment.pathname, &comment.title].map(String::clone);
    (comment.author.clone(), where_it_is, comment.created_at)
}

/// Of a machine whose clock is ahead by `ms`, or says what it likes.
fn ahead(mut comment: Comment, ms: u64) -> Comment {
    moments(&mut comment).into_iter().for_each(|at| at.0 = at.0.saturating_add(ms).min(limits::MAX_MOMENT));
    comment
}

fn ms_ahead() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 985_000..1_005_000u64, Just(2_500_000_000_000)]
}

proptest! {
    #[test]
    fn a_file_that_is_imported_again_brings_nothing_whatever_its_clock_said(
        [a, b, _] in copies(), ms in ms_ahead(), pause in 0..30_000u64,
    ) {
        let file = ahead(b, ms);
        let once = a.merge_imported(&file.clone().imported(NOW)).unwrap();
        let again = file.clone().imported(Timestamp(NOW.0 + pause));
        // When somebody looked may be known better the second time.
        let told = |comment: &Comment| (comment.revision, comment.history.clone(), plain(comment));
        prop_assert_eq!(told(&once.merge_imported(&again).unwrap()), told(&once));
        let alone = file.imported(NOW);
        prop_assert_eq!(told(&alone.merge_imported(&again).unwrap()), told(&alone));
    }

    /// What is done here after an import holds, whatever moments the file names, and however our own clock is set.
    #[test]
    fn what_is_done_after_an_import_holds_when_it_comes_again(
        [a, b, _] in copies(), ms in ms_ahead(), at in prop_oneof![Just(BEGAN), Just(NOW.0), Just(NOW.0 + 9)],
    ) {
        let file = ahead(b, ms);
        let mut ours = a.merge_imported(&file.clone().imported(NOW)).unwrap();
        let mine = CommentChange::Edit { text: "mine".into(), base_revision: ours.revision };
        let stage = CommentChange::SetStage { stage: Stage::InProgress };
        // Those that do not fit are passed over.
        for change in [CommentChange::Restore, CommentChange::Reopen, mine, stage] {
            ours = ours.apply(&change, &Author::Person, Timestamp(at)).unwrap_or(ours);
        }
        for import in [NOW.0, NOW.0 + 20_000] {
            let both = ours.merge_imported(&file.clone().imported(Timestamp(import))).unwrap();
            prop_assert_eq!((both.text.as_str(), both.imported_at), ("mine", None));
            prop_assert_eq!((both.stage, &both.resolution, both.deleted_at), (Stage::InProgress, &None, None));
        }
    }

    /// The same where the file has a step more the second time, of before what was done here.
    #[test]
    fn a_file_that_has_grown_undoes_nothing_that_was_done_since([a, b, _] in copies(), ms in ms_ahead()) {
        let resolved = b.apply(&CommentChange::Resolve { summary: None }, &agent(), b.updated_at).unwrap_or(b);
        let file = ahead(resolved, ms);
        let mut ours = a.merge_imported(&file.clone().imported(NOW)).unwrap();
        for change in [CommentChange::Restore, CommentChange::Reopen] {
            ours = ours.apply(&change, &Author::Person, Timestamp(NOW.0 + 9)).unwrap_or(ours);
        }
        let mut grown = file;
        let mut reply = HistoryEntry { what: "replied".into(), ..grown.history[0].clone() };
        reply.previous_text = None;
        grown.history.push(HistoryEntry { revision: grown.revision + 1, ..reply });
        grown.revision += 1;
        let both = ours.merge_imported(&grown.imported(Timestamp(NOW.0 + 20_000))).unwrap();
        prop_assert_eq!((both.resolution, both.deleted_at), (None, None));
    }
}

proptest! {
    // These are large.
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A file decides nothing that it has no step of its own for, whatever revision and moments it names.
    #[test]
    fn a_file_decides_only_what_it_brings_a_step_for(
        a in arbitrary::comment(), b in arbitrary::comment(), step in 0..8usize, same_history in any::<bool>(),
    ) {
        let mut file = Comment { id: a.id.clone(), ..b };
        if same_history {
            file.history.clone_from(&a.history);
        }
        let what = ["", "resolved: done", "reopened", "deleted", "restored", "became outdated: gone", "replied", "pinned to 1 element"][step];
        if step > 0 {
            let (revision, at) = (file.revision + 1, file.updated_at);
            let by = Author::Person;
            file.history.push(HistoryEntry { revision, at, by, what: what.into(), previous_text: None, imported_at: None });
            file.revision = revision;
        }
        let brings = |is: &[&str]| is.iter().any(|is| what.starts_with(is));
        let file = file.imported(NOW);
        let Ok(both) = a.merge_imported(&file) else { return Ok(()) };
        both.check().unwrap();
        prop_assert_eq!(about(&both), about(&a));
        prop_assert_eq!(&both.merge_imported(&file).unwrap(), &both);
        if same_history {
            prop_assert_eq!(&both.text, &a.text);
            let kept = a.text == file.text || a.history.iter().chain(&both.history).any(|one| one.previous_text.as_ref() == Some(&file.text));
            prop_assert!(kept, "{} is gone from {:#?}", file.text, both.history);
        }
        if !brings(&["deleted", "restored"]) {
            prop_assert_eq!(both.deleted_at.is_some(), a.deleted_at.is_some());
        }
        if !brings(&["resolved", "reopened"]) {
            // When what was imported was said may be known better.
            let said = |one: &Comment| one.resolution.clone().map(|one| (one.summary, one.by));
            prop_assert_eq!(said(&both), said(&a));
        }
        if !brings(&["resolved", "reopened", "became outdated", "pinned"]) {
            prop_assert_eq!((both.status, both.stage), (a.status, a.stage));
        }
    }

    /// What a comment is about stays, however many files edit it.
    #[test]
    fn files_move_no_comment_to_another_page([a, b, c] in copies(), other in arbitrary::comment()) {
        let mut ours = a;
        let was = about(&ours);
        for copy in [b, c] {
            let (url, pathname) = (other.url.clone(), other.pathname.clone());
            let (author, title, created_at) = (agent(), other.title.clone(), other.created_at);
            let file = Comment { url, pathname, author, title, created_at, ..copy }.imported(NOW);
            ours = ours.merge_imported(&file).unwrap();
            prop_assert_eq!(about(&ours), was.clone());
        }
    }
}

#[test]
fn a_text_without_a_history_gives_way_to_ours_and_is_kept() {
    let ours = arbitrary::sample("c_1");
    let theirs = Comment { text: "theirs".into(), ..ours.clone() }.imported(NOW);
    let both = ours.merge_imported(&theirs).unwrap();
    assert_eq!((both.text.as_str(), both.imported_at), (ours.text.as_str(), None));
    let kept = &both.history[0];
    assert_eq!((kept.previous_text.as_deref(), kept.imported_at), (Some("theirs"), Some(NOW)));
    assert_eq!(both.revision, 2);
}

#[test]
fn an_import_says_nothing_of_what_our_comment_is_about() {
    let ours = arbitrary::sample("c_1");
    let author = agent();
    let title = "Elsewhere".to_owned();
    let theirs = Comment { author, title, pathname: "/elsewhere".into(), revision: 9, ..ours.clone() };
    let both = ours.merge_imported(&theirs.imported(NOW)).unwrap();
    assert_eq!((&both.author, &both.title, &both.pathname), (&ours.author, &ours.title, &ours.pathname));
}

#[test]
fn an_edit_that_waits_meets_the_edit_it_has_not_seen() {
    let common = arbitrary::sample("c_1");
    let edit = |comment: &Comment, text: &str, at| {
        let change = CommentChange::Edit { text: text.into(), base_revision: comment.revision };
        comment.apply(&change, &Author::Person, Timestamp(BEGAN + at)).unwrap()
    };
    let (ours, theirs) = (edit(&common, "ours", 1), edit(&common, "theirs", 2));
    let both = ours.merge_imported(&theirs.imported(NOW)).unwrap();
    assert_eq!(both.text, "theirs");
    let waiting = CommentChange::Edit { text: "more".into(), base_revision: ours.revision };
    assert!(matches!(both.apply(&waiting, &Author::Person, NOW), Err(ChangeError::TextChanged { .. })));
}

#[test]
fn an_imported_revision_leaves_room_to_count_on() {
    let mut theirs = arbitrary::sample("c_1");
    theirs.revision = limits::MAX_REVISION;
    let both = arbitrary::sample("c_1").merge_imported(&theirs.imported(NOW)).unwrap();
    assert!(both.revision < 1_000, "{}", both.revision);
}

/// A look that brings no news leaves no step, so that no rule could tell later which of two files looked last.
#[test]
fn how_an_element_looks_is_not_taken_from_a_file() {
    let ours = arbitrary::sample("c_1");
    let look = |verdict, at| {
        let mut state = arbitrary::state(verdict, "it looks so");
        state.checked_at = Timestamp(at);
        let states = CommentChange::ReportStates { states: vec![state] };
        ours.apply(&states, &Author::Person, Timestamp(at)).unwrap()
    };
    let edit = CommentChange::Edit { text: "theirs".into(), base_revision: 1 };
    let quiet =
        look(VerdictKind::Unchanged, BEGAN + 20).apply(&edit, &agent(), Timestamp(BEGAN + 30)).unwrap();
    let (quiet, changed) = (quiet.imported(NOW), look(VerdictKind::Changed, BEGAN + 10).imported(NOW));
    let one_by_one = ours.merge_imported(&quiet).unwrap().merge_imported(&changed).unwrap();
    let together = ours.merge_imported(&quiet.merge_imported(&changed).unwrap()).unwrap();
    for both in [one_by_one, together] {
        assert_eq!((both.status, &both.targets), (Status::Active, &ours.targets));
        let told = both.history.iter().find(|step| step.what.starts_with("became outdated"));
        assert_eq!(told.unwrap().imported_at, Some(NOW));
    }
}

#[test]
fn words_that_a_person_writes_over_an_import_are_theirs() {
    let theirs = arbitrary::sample("c_1").imported(NOW);
    let edit = CommentChange::Edit { text: "ours".into(), base_revision: 1 };
    let ours = theirs.apply(&edit, &Author::Person, NOW).unwrap();
    assert_eq!(ours.imported_at, None);
    let by_agent = theirs.apply(&edit, &agent(), NOW).unwrap();
    assert_eq!(by_agent.imported_at, Some(NOW));
}
