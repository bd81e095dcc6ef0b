//! What is said of a comment whose element is not on the page any more.

use super::{AT, at, rest};
use crate::model::VerdictKind;
use crate::model::{Author, CommentChange, arbitrary};
use crate::prompt::{GONE_NOTE, Level, OUTDATED_NOTE, markdown, project};

#[test]
fn of_an_element_that_is_gone_is_said_that_it_is() {
    let state = arbitrary::state(VerdictKind::Missing, "It is not on the page any more.");
    let change = CommentChange::ReportStates { states: vec![state] };
    let gone = arbitrary::sample("c_1").apply(&change, &Author::Person, AT).unwrap();
    assert!(GONE_NOTE.starts_with(OUTDATED_NOTE) && GONE_NOTE.ends_with("It is not on the page any more."));
    for level in [Level::Brief, Level::Standard, Level::Full] {
        let report = markdown(std::slice::from_ref(&gone), &at(level));
        assert!(report.contains(&format!("> {GONE_NOTE}\n")), "{report}");
        assert_eq!(project(&gone, level, rest).note, Some(GONE_NOTE).filter(|_| level > Level::Brief));
    }
}
