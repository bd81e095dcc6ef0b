//! What is said of a comment whose element looks different while nothing tells whether the source has changed.

use super::{AT, at, rest};
use crate::model::{Author, Cause, Comment, CommentChange, arbitrary};
use crate::model::{FieldChange, VerdictKind};
use crate::prompt::{Level, markdown, project};

const LEVELS: [Level; 3] = [Level::Brief, Level::Standard, Level::Full];

fn unsure(id: &str) -> Comment {
    let mut state = arbitrary::state(VerdictKind::Changed, "The text changed.");
    state.cause = Cause::Unknown;
    state.diff =
        vec![FieldChange { field: "text".into(), before: Some("Save".into()), after: Some("Store".into()) }];
    let change = CommentChange::ReportStates { states: vec![state] };
    arbitrary::sample(id).apply(&change, &Author::Person, AT).unwrap()
}

#[test]
fn what_may_have_changed_is_told_as_that_and_not_as_modified() {
    const SAID: &str = "This element may have changed since the comment was created: it looks different, and nothing tells whether \
                        the source has changed.";
    for level in LEVELS {
        let report = markdown(&[unsure("c_1"), arbitrary::sample("c_2")], &at(level));
        assert_eq!(report.matches(SAID).count(), 1, "{report}");
        assert!(
            !report.contains("has been modified") && report.contains("(2 active, 0 outdated)"),
            "{report}"
        );
        assert_eq!(project(&unsure("c_1"), level, rest).note, Some(SAID));
        assert_eq!(project(&arbitrary::sample("c_2"), level, rest).note, None);
    }
}

#[test]
fn the_report_of_what_may_have_changed_at_each_level() {
    let reports = LEVELS.map(|level| markdown(&[unsure("c_1")], &at(level)));
    insta::assert_snapshot!(reports.join("\n=====\n\n"));
}

#[test]
fn the_projection_of_what_may_have_changed_at_each_level() {
    let projections = LEVELS.map(|level| project(&unsure("c_1"), level, rest));
    insta::assert_snapshot!(serde_json::to_string_pretty(&projections).unwrap());
}
