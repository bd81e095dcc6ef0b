//! What is said of a comment whose element is not on the page any more.

use super::{AT, at, rest};
use crate::anchor::VerdictKind;
use crate::model::{Author, CommentChange, arbitrary};
use crate::prompt::{Level, markdown, project};

#[test]
fn an_element_that_is_gone_is_not_said_to_be_modified() {
    let state = arbitrary::state(VerdictKind::Missing, "It is not on the page any more.");
    let change = CommentChange::ReportStates { states: vec![state] };
    let gone = arbitrary::sample("c_1").apply(&change, &Author::Person, AT).unwrap();
    for level in [Level::Brief, Level::Standard, Level::Full] {
        let report = markdown(std::slice::from_ref(&gone), &at(level));
        assert!(report.contains("> This element is not on the page any more.\n"), "{report}");
        assert!(!report.contains("has been modified"), "{report}");
        assert_eq!(project(&gone, level, rest)["note"], "This element is not on the page any more.");
    }
}
