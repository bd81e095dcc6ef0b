#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at what cannot be")]
use proptest::prelude::*;

use super::super::arbitrary::{self, sample, state};
use super::*;
use crate::model::{CommentError, ReplyId};

const AT: Timestamp = Timestamp(1_763_719_400_000);

fn agent() -> Author {
    Author::Agent { name: "claude-code".into() }
}

fn person(comment: &Comment, change: CommentChange) -> Result<Comment, ChangeError> {
    comment.apply(&change, &Author::Person, AT)
}

fn edit(text: &str, base_revision: u32) -> CommentChange {
    CommentChange::Edit { text: text.into(), base_revision }
}

fn resolve(summary: Option<&str>) -> CommentChange {
    CommentChange::Resolve { summary: summary.map(Into::into) }
}

fn reply(id: &str, text: &str) -> CommentChange {
    CommentChange::Reply { id: id.parse().unwrap(), text: text.into() }
}

fn report(verdict: VerdictKind) -> CommentChange {
    CommentChange::ReportStates { states: vec![state(verdict, "The text changed.")] }
}

#[test]
fn an_edit_keeps_the_text_it_replaced() {
    let comment = sample("c_1");
    let edited = person(&comment, edit("Make it blue", 1)).unwrap();
    assert_eq!((edited.text.as_str(), edited.revision), ("Make it blue", 2));
    assert_eq!(edited.history.len(), 1);
    assert_eq!(edited.history[0].previous_text.as_deref(), Some(comment.text.as_str()));
    assert_eq!(edited.updated_at, AT);
}

#[test]
fn two_edits_of_the_same_text_conflict_and_both_texts_stay_visible() {
    let first = sample("c_1").apply(&edit("mine", 1), &agent(), AT).unwrap();
    let error = person(&first, edit("yours", 1)).unwrap_err();
    let ChangeError::TextChanged { by, current, yours, revision, .. } = &error else { panic!("{error}") };
    assert_eq!((by, current.as_str(), yours.as_str(), *revision), (&agent(), "mine", "yours", 2));
    assert!(error.to_string().contains("mine") && error.to_string().contains("yours"));
    assert!(error.next_step().contains("baseRevision 2"));
    // With both texts read, the merged one is taken.
    assert_eq!(person(&first, edit("mine and yours", 2)).unwrap().text, "mine and yours");
}

#[test]
fn changes_that_are_no_edits_do_not_make_an_edit_conflict() {
    let replied = person(&sample("c_1"), reply("r_1", "Which blue?")).unwrap();
    let outdated = person(&replied, report(VerdictKind::Changed)).unwrap();
    assert_eq!(outdated.revision, 3);
    assert_eq!(person(&outdated, edit("Make it blue", 1)).unwrap().revision, 4);
}

#[test]
fn an_edit_of_an_unknown_revision_is_refused() {
    let error = person(&sample("c_1"), edit("x", 9)).unwrap_err();
    assert!(matches!(error, ChangeError::UnknownRevision { base_revision: 9, revision: 1, .. }));
}

#[test]
fn the_same_text_again_changes_nothing() {
    let comment = sample("c_1");
    assert_eq!(person(&comment, edit(&comment.text, 1)), Ok(comment));
}

#[test]
fn a_comment_is_resolved_once() {
    let resolved = sample("c_1").apply(&resolve(Some("made it blue")), &agent(), AT).unwrap();
    assert_eq!((resolved.status, resolved.stage), (Status::Resolved, Stage::Review));
    assert_eq!(resolved.history[0].what, "resolved: made it blue");
    let error = person(&resolved, resolve(None)).unwrap_err();
    assert_eq!(error, ChangeError::AlreadyResolved { id: resolved.id.clone(), by: agent(), at: AT });
    assert!(error.to_string().contains("by claude-code at 2025-11-21T10:03:20.000Z"), "{error}");
    assert!(error.next_step().contains("reopen"));
    let stages = [Stage::Open, Stage::InProgress, Stage::Review];
    let stages = stages.map(|stage| CommentChange::SetStage { stage });
    for change in [edit("x", 2)].into_iter().chain(stages) {
        let error = person(&resolved, change).unwrap_err();
        assert!(matches!(error, ChangeError::Resolved { .. }));
        assert!(error.next_step().contains("only the person can"), "an agent has no way to reopen it");
    }
    assert_eq!(person(&resolved, reply("r_1", "Thanks")).unwrap().status, Status::Resolved);
}

#[test]
fn what_an_earlier_version_resolved_at_another_stage_is_read_as_done() {
    for stage in ["open", "in_progress", "review"] {
        let resolved = person(&sample("c_1"), resolve(None)).unwrap();
        let mut json = serde_json::to_value(&resolved).unwrap();
        json["stage"] = stage.into();
        assert_eq!(serde_json::from_value::<Comment>(json).unwrap(), resolved);
    }
}

#[test]
fn who_takes_over_a_comment_has_begun_it() {
    let begin = CommentChange::SetStage { stage: Stage::InProgress };
    let begun = sample("c_1").apply(&begin, &agent(), AT).unwrap();
    assert_eq!(begun.begun_by(), Some(&agent()));
    assert_eq!(begun.apply(&begin, &agent(), AT), Ok(begun.clone()), "again changes nothing");
    let other = Author::Agent { name: "codex".into() };
    let taken = begun.apply(&begin, &other, AT).unwrap();
    assert_eq!((taken.begun_by(), taken.history.len()), (Some(&other), 2));
    let stopped = taken.apply(&CommentChange::SetStage { stage: Stage::Open }, &other, AT).unwrap();
    assert_eq!(stopped.begun_by(), None);
}

#[test]
fn a_person_asks_again_once_for_what_an_agent_left() {
    let set = |stage| CommentChange::SetStage { stage };
    let begun = sample("c_1").apply(&set(Stage::InProgress), &agent(), AT).unwrap();
    let left = begun.apply(&set(Stage::Open), &agent(), AT).unwrap();
    assert_eq!(left.apply(&set(Stage::Open), &agent(), AT), Ok(left.clone()), "an agent's is no news");
    let asked = person(&left, set(Stage::Open)).unwrap();
    let last = asked.history.last().unwrap();
    assert_eq!((asked.stage, last.what.as_str(), &last.by), (Stage::Open, "set to open", &Author::Person));
    assert_eq!(person(&asked, set(Stage::Open)), Ok(asked.clone()), "once");
    let waiting = sample("c_1");
    assert_eq!(person(&waiting, set(Stage::Open)), Ok(waiting.clone()), "nobody had begun it");
}

#[test]
fn reopening_undoes_a_resolve_only() {
    let outdated = person(&sample("c_1"), report(VerdictKind::Changed)).unwrap();
    let resolved = person(&outdated, resolve(None)).unwrap();
    let reopened = person(&resolved, CommentChange::Reopen).unwrap();
    assert_eq!((reopened.status, reopened.stage), (Status::Outdated, Stage::Open));
    assert_eq!(reopened.resolution, None);
    assert!(matches!(person(&reopened, CommentChange::Reopen), Err(ChangeError::NotResolved { .. })));
}

#[test]
fn a_reply_is_applied_once_by_its_id() {
    let once = sample("c_1").apply(&reply("r_1", "Done"), &agent(), AT).unwrap();
    assert_eq!(once.replies.len(), 1);
    assert_eq!(once.replies[0].author, agent());
    assert_eq!(once.apply(&reply("r_1", "Done"), &agent(), AT), Ok(once));
}

#[test]
fn reports_move_the_status_between_active_and_outdated_and_leave_resolved_alone() {
    let comment = sample("c_1");
    for (verdict, status) in [
        (VerdictKind::Changed, Status::Outdated),
        (VerdictKind::Ambiguous, Status::Outdated),
        (VerdictKind::Missing, Status::Outdated),
        (VerdictKind::Moved, Status::Active),
        (VerdictKind::Unchanged, Status::Active),
    ] {
        assert_eq!(person(&comment, report(verdict)).unwrap().status, status, "{verdict:?}");
    }
    let outdated = person(&comment, report(VerdictKind::Missing)).unwrap();
    assert_eq!(outdated.history[0].what, "became outdated: The text changed.");
    assert_eq!(person(&outdated, report(VerdictKind::Moved)).unwrap().status, Status::Active);
    let resolved = person(&comment, resolve(None)).unwrap();
    let looked = person(&resolved, report(VerdictKind::Missing)).unwrap();
    assert_eq!(looked.status, Status::Resolved);
    assert_eq!(looked.targets[0].state.as_ref().unwrap().verdict, VerdictKind::Missing);
}

#[test]
fn a_report_that_says_the_same_only_moves_the_moment_of_the_look() {
    let outdated = person(&sample("c_1"), report(VerdictKind::Changed)).unwrap();
    let mut again = state(VerdictKind::Changed, "The text changed.");
    again.checked_at = AT;
    let looked = person(&outdated, CommentChange::ReportStates { states: vec![again] }).unwrap();
    assert_eq!((looked.revision, looked.history.len()), (outdated.revision, outdated.history.len()));
    assert_eq!(looked.targets[0].state.as_ref().unwrap().checked_at, AT);
}

#[test]
fn a_report_needs_one_state_for_each_target() {
    let error = person(&sample("c_1"), CommentChange::ReportStates { states: vec![] }).unwrap_err();
    assert!(matches!(error, ChangeError::WrongStateCount { targets: 1, states: 0, .. }));
    let mut state = state(VerdictKind::Changed, "x");
    state.confidence = f32::NAN;
    let error = person(&sample("c_1"), CommentChange::ReportStates { states: vec![state] }).unwrap_err();
    assert!(matches!(error, ChangeError::Invalid(CommentError::Malformed { .. })));
}

#[test]
fn repinning_makes_a_comment_active_again() {
    let outdated = person(&sample("c_1"), report(VerdictKind::Missing)).unwrap();
    let targets = vec![arbitrary::target(), arbitrary::target()];
    let pinned = person(&outdated, CommentChange::Repin { targets }).unwrap();
    assert_eq!((pinned.status, pinned.targets.len()), (Status::Active, 2));
    assert_eq!(pinned.history[1].what, "pinned to 2 elements");
    let error = person(&outdated, CommentChange::Repin { targets: vec![] }).unwrap_err();
    assert!(matches!(error, ChangeError::Invalid(CommentError::Empty { .. })));
}

#[test]
fn a_deleted_comment_takes_nothing_but_a_restore() {
    let comment = sample("c_1");
    let deleted = person(&comment, CommentChange::Delete).unwrap();
    assert_eq!(deleted.deleted_at, Some(AT));
    let changes =
        [edit("x", 1), resolve(None), reply("r_1", "x"), report(VerdictKind::Moved), CommentChange::Delete];
    for change in changes {
        assert!(matches!(person(&deleted, change), Err(ChangeError::Deleted { .. })));
    }
    let restored = person(&deleted, CommentChange::Restore).unwrap();
    assert_eq!((restored.deleted_at, restored.revision), (None, 3));
    assert!(matches!(person(&restored, CommentChange::Restore), Err(ChangeError::NotDeleted { .. })));
}

#[test]
fn texts_have_limits() {
    let comment = sample("c_1");
    assert!(person(&comment, edit(&"é".repeat(limits::MAX_TEXT), 1)).is_ok());
    let error = person(&comment, edit(&"é".repeat(limits::MAX_TEXT + 1), 1)).unwrap_err();
    assert!(matches!(error, ChangeError::Invalid(CommentError::TooLong { got: 20_001, .. })));
    assert!(person(&comment, edit(" \n", 1)).is_err());
    assert!(person(&comment, resolve(Some(&"x".repeat(limits::MAX_SUMMARY + 1)))).is_err());
    assert_eq!(person(&comment, resolve(Some("  "))).unwrap().resolution.unwrap().summary, None);
}

#[test]
fn a_full_history_drops_its_oldest_step_that_is_no_edit() {
    let mut comment = person(&sample("c_1"), edit("first edit", 1)).unwrap();
    for _ in 0..limits::MAX_HISTORY {
        comment = person(&comment, CommentChange::Delete).unwrap();
        comment = person(&comment, CommentChange::Restore).unwrap();
    }
    assert_eq!(comment.history.len(), limits::MAX_HISTORY);
    assert_eq!(comment.history[0].what, "edited the text");
    assert_eq!(comment.check(), Ok(()));
}

#[test]
fn two_replies_with_one_id_are_no_comment() {
    let reply = CommentChange::Reply { id: "r_1".parse().unwrap(), text: "Which blue?".into() };
    let mut comment = person(&sample("c_1"), reply).unwrap();
    comment.replies.push(comment.replies[0].clone());
    let json = serde_json::to_string(&comment).unwrap();
    let error = serde_json::from_str::<Comment>(&json).unwrap_err().to_string();
    assert!(error.contains("replies must be a list in which each id stands once"), "{error}");
}

fn change() -> impl Strategy<Value = CommentChange> {
    let verdict =
        prop::sample::select(vec![VerdictKind::Changed, VerdictKind::Moved, VerdictKind::Unchanged]);
    prop_oneof![
        (arbitrary::text(), 0..8u32).prop_map(|(text, base)| edit(&text, base)),
        Just(resolve(Some("done"))),
        Just(CommentChange::Reopen),
        Just(CommentChange::SetStage { stage: Stage::InProgress }),
        (0..4u8, arbitrary::text()).prop_map(|(id, text)| CommentChange::Reply {
            id: ReplyId::try_from(format!("r_{id}")).unwrap(),
            text
        }),
        verdict.prop_map(report),
        Just(CommentChange::Repin { targets: vec![arbitrary::target()] }),
        Just(CommentChange::Delete),
        Just(CommentChange::Restore),
    ]
}

proptest! {
    /// Every change either fails and says what to do, or leaves a valid comment with one revision and one history
    /// entry more, or with none more of either; and no text that a person wrote is ever lost.
    #[test]
    fn every_change_counts_once_and_loses_nothing(changes in prop::collection::vec(change(), 1..30)) {
        let mut comment = sample("c_1");
        let mut texts = vec![comment.text.clone()];
        for change in changes {
            match person(&comment, change.clone()) {
                Ok(next) => {
                    prop_assert_eq!(next.check(), Ok(()));
                    prop_assert!(next.status != Status::Resolved || next.stage == Stage::Review);
                    prop_assert_eq!(next.revision - comment.revision, (next.history.len() - comment.history.len()) as u32);
                    prop_assert!(next.revision - comment.revision <= 1);
                    if next.text != comment.text { texts.push(next.text.clone()); }
                    comment = next;
                }
                Err(error) => prop_assert!(!error.next_step().is_empty()),
            }
        }
        for text in texts {
            let kept = comment.history.iter().any(|entry| entry.previous_text.as_ref() == Some(&text));
            prop_assert!(kept || comment.text == text);
        }
    }

    #[test]
    fn any_valid_comment_passes_json(comment in arbitrary::comment()) {
        prop_assert_eq!(comment.check(), Ok(()));
        let json = serde_json::to_string(&comment).unwrap();
        prop_assert_eq!(serde_json::from_str::<Comment>(&json).unwrap(), comment);
    }
}
