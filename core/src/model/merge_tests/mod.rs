//! Copies of a comment that were changed apart, for the tests of how they are merged.
#![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
use proptest::prelude::*;

mod bounds;
mod copies;
mod imports;

use super::*;
use crate::model::VerdictKind;
use crate::model::{Author, CommentChange, Stage, arbitrary};

const BEGAN: u64 = 1_763_719_200_000;
/// When the import happens.
const NOW: Timestamp = Timestamp(BEGAN + 1_000_000);

fn agent() -> Author {
    Author::Agent { name: "codex".into() }
}

/// What somebody does to a copy; one that does not fit is passed over.
#[derive(Clone, Debug)]
struct Doing(u8, u8, u64);

fn doing() -> impl Strategy<Value = Vec<Doing>> {
    prop::collection::vec((0..9u8, 0..5u8, 1..50u64).prop_map(|(kind, n, pause)| Doing(kind, n, pause)), 0..8)
}

/// `copy` tells apart what is done to different copies: no two act in the same millisecond, and ids are random.
fn live(mut comment: Comment, doings: &[Doing], copy: u64) -> Comment {
    let mut at = comment.updated_at.0 / 10 * 10 + copy;
    for Doing(kind, n, pause) in doings {
        at += pause * 10;
        let change = match kind {
            0 => CommentChange::Edit { text: format!("text {copy} {n}"), base_revision: comment.revision },
            1 => CommentChange::Resolve { summary: Some(format!("done {copy} {n}")) },
            2 => CommentChange::Reopen,
            3 => CommentChange::SetStage {
                stage: [Stage::Open, Stage::InProgress, Stage::Review][*n as usize % 3],
            },
            4 => CommentChange::Reply {
                id: format!("r_{copy}_{at}").parse().unwrap(),
                text: format!("reply {n}"),
            },
            5 => {
                let verdict = [VerdictKind::Changed, VerdictKind::Unchanged][*n as usize % 2];
                let mut state = arbitrary::state(verdict, "it looks so");
                state.checked_at = Timestamp(at);
                CommentChange::ReportStates { states: vec![state; comment.targets.len()] }
            }
            6 => CommentChange::Delete,
            7 => CommentChange::Restore,
            _ => {
                let mut target = arbitrary::target();
                target.selector = format!("#at-{copy}-{n}");
                CommentChange::Repin { targets: vec![target; 1 + *n as usize % 2] }
            }
        };
        let by = if n % 2 == 0 { Author::Person } else { agent() };
        if let Ok(next) = comment.apply(&change, &by, Timestamp(at)) {
            comment = next;
        }
    }
    comment
}

fn copies() -> impl Strategy<Value = [Comment; 3]> {
    (doing(), doing(), doing(), doing()).prop_map(|(before, a, b, c)| {
        let common = live(arbitrary::sample("c_1"), &before, 0);
        [live(common.clone(), &a, 1), live(common.clone(), &b, 2), live(common, &c, 3)]
    })
}

/// Without the numbers of revisions, and without looks: one that brings no news is no revision.
fn plain(comment: &Comment) -> Comment {
    let mut one = comment.clone();
    one.revision = 0;
    one.targets.iter_mut().for_each(|target| target.state = None);
    one.history.iter_mut().for_each(|entry| entry.revision = 0);
    one
}

fn has_step(comment: &Comment, step: &HistoryEntry) -> bool {
    comment.history.iter().any(|one| {
        (&one.what, one.at, &one.previous_text, &one.by)
            == (&step.what, step.at, &step.previous_text, &step.by)
    })
}

/// Every moment in a comment but those of imports.
fn moments(comment: &mut Comment) -> Vec<&mut Timestamp> {
    let steps = comment.history.iter_mut().map(|one| &mut one.at);
    let replies = comment.replies.iter_mut().map(|one| &mut one.created_at);
    let states = comment.targets.iter_mut().filter_map(|one| one.state.as_mut());
    let resolution = comment.resolution.as_mut().map(|one| &mut one.at);
    let others = [&mut comment.created_at, &mut comment.updated_at];
    let all = steps.chain(replies).chain(states.map(|one| &mut one.checked_at)).chain(resolution);
    all.chain(comment.deleted_at.as_mut()).chain(others).collect()
}
