//! Reads the JUnit reports that runners write: how each test went, and how long it took.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::count::Count;
use crate::workspace;

/// One test of a report.
#[derive(Debug, PartialEq)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) took: Duration,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Passed,
    Failed,
    Skipped,
}

/// Where a suite's runner is told to write.
pub(crate) fn path(suite: &str) -> PathBuf {
    workspace::own().join("reports").join(format!("{suite}.xml"))
}

/// Makes room for a suite's report; what an earlier run wrote is no report of this one.
pub(crate) fn clear(report: &Path) -> Result<()> {
    let folder = report.parent().context("a report lies in a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    match fs::remove_file(report) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", report.display()))
        }
        _ => Ok(()),
    }
}

/// The tests of a report.
///
/// # Errors
/// When there is none, or it is not XML.
pub(crate) fn read(report: &Path) -> Result<Vec<Case>> {
    let text = fs::read_to_string(report).with_context(|| format!("cannot read {}", report.display()))?;
    cases(&text).with_context(|| format!("{} is no JUnit report", report.display()))
}

fn cases(text: &str) -> Result<Vec<Case>> {
    let document = roxmltree::Document::parse(text)?;
    let cases = document.descendants().filter(|node| node.has_tag_name("testcase"));
    Ok(cases
        .map(|case| {
            let has = |tag: &str| case.children().any(|child| child.has_tag_name(tag));
            let state = match () {
                () if has("failure") || has("error") => State::Failed,
                () if has("skipped") => State::Skipped,
                () => State::Passed,
            };
            let seconds = case.attribute("time").and_then(|time| time.parse().ok()).unwrap_or(0.0);
            Case {
                name: case.attribute("name").unwrap_or_default().to_owned(),
                took: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
                state,
            }
        })
        .collect())
}

/// How many passed and failed; a test that was skipped did neither.
pub(crate) fn count(cases: &[Case]) -> Count {
    let of = |state| cases.iter().filter(|case| case.state == state).count() as u64;
    Count { passed: of(State::Passed), failed: of(State::Failed) }
}

#[cfg(test)]
mod tests {
    use super::{Case, State, cases, count};
    use crate::test::count::Count;

    #[test]
    fn each_test_is_read_wherever_it_stands() {
        let read = cases(
            r#"<?xml version="1.0"?><testsuites><testcase name="a" time="0.5"/><testsuite name="p">
            <testcase name="b &lt;c>" time="61"><failure message="x">why</failure></testcase>
            <testcase name="d" time="nonsense"><skipped/></testcase>
            <testcase name="e" time="-1"><error/></testcase></testsuite></testsuites>"#,
        );
        let read = read.unwrap_or_default();
        let seen: Vec<_> =
            read.iter().map(|Case { name, took, state }| (&**name, took.as_millis(), *state)).collect();
        assert_eq!(
            seen,
            [
                ("a", 500, State::Passed),
                ("b <c>", 61_000, State::Failed),
                ("d", 0, State::Skipped),
                ("e", 0, State::Failed)
            ]
        );
        assert_eq!(count(&read), Count { passed: 1, failed: 2 });
    }

    #[test]
    fn what_broke_off_is_no_report() {
        assert!(cases("<testsuites><testcase name='a'").is_err());
    }
}
