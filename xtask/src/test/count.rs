//! Reads how many tests passed and failed from what the runners print at their end.

/// Tests of one suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Count {
    /// Sums every closing line of a runner that is counted by them: libtest and wasm-bindgen-test (`test result: ...`),
    /// node:test (`pass N`, `fail N`: its JUnit report leaves out a test that has parts and fails itself), Python's
    /// unittest (`Ran N tests in ...`, then `OK` or `FAILED (failures=N, errors=N)`).
    pub(crate) fn read(output: &str) -> Self {
        let mut count = Self::default();
        for line in output.lines().map(plain) {
            let words: Vec<&str> =
                line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
            match closing(&line) {
                Some(Runner::Libtest) => {
                    count.passed += before(&words, "passed");
                    count.failed += before(&words, "failed");
                }
                Some(Runner::Node) => {
                    count.passed += after(&words, "pass");
                    // A cancelled test (its parent failed or ran out of time) has not passed.
                    count.failed += after(&words, "fail") + after(&words, "cancelled");
                }
                Some(Runner::Unittest) => count.passed += after(&words, "Ran"),
                Some(Runner::UnittestVerdict) => {
                    let failed =
                        after(&words, "failures") + after(&words, "errors") + after(&words, "skipped");
                    count.passed = count.passed.saturating_sub(failed);
                    count.failed += failed;
                }
                Some(Runner::Reporting) | None => {}
            }
        }
        count
    }
}

/// The runners' own closing lines, for people.
pub(crate) fn closing_lines(output: &str) -> String {
    let lines: Vec<String> = output.lines().map(plain).collect();
    let known: Vec<&str> =
        lines.iter().filter(|line| closing(line).is_some()).map(|line| line.trim()).collect();
    if !known.is_empty() {
        return known.join("\n");
    }
    let tail: Vec<&str> = lines.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty()).collect();
    tail[tail.len().saturating_sub(5)..].join("\n")
}

enum Runner {
    Libtest,
    /// Counted by its report: nextest, vitest.
    Reporting,
    Node,
    Unittest,
    /// Of the tests that it ran, those that did not pass.
    UnittestVerdict,
}

fn closing(line: &str) -> Option<Runner> {
    let line = line.trim();
    let node = |word: &str| {
        line.strip_prefix(['ℹ', '#'])
            .and_then(|rest| rest.trim_start().strip_prefix(word))
            .is_some_and(|rest| rest.trim().parse::<u64>().is_ok())
    };
    if line.starts_with("test result:") {
        Some(Runner::Libtest)
    } else if line.starts_with("Summary [")
        || (line.starts_with("Tests ") && (line.contains(" passed") || line.contains(" failed")))
    {
        Some(Runner::Reporting)
    } else if ["pass", "fail", "cancelled"].into_iter().any(node) {
        Some(Runner::Node)
    } else if line.starts_with("Ran ") && line.contains(" in ") {
        Some(Runner::Unittest)
    } else if line.starts_with("FAILED (") || line.starts_with("OK (") {
        Some(Runner::UnittestVerdict)
    } else {
        None
    }
}

/// The number in front of a word: `3 passed`.
fn before(words: &[&str], word: &str) -> u64 {
    words.windows(2).find(|pair| pair[1] == word).and_then(|pair| pair[0].parse().ok()).unwrap_or(0)
}

/// The number behind a word: `pass 3`.
fn after(words: &[&str], word: &str) -> u64 {
    words.windows(2).find(|pair| pair[0] == word).and_then(|pair| pair[1].parse().ok()).unwrap_or(0)
}

/// Without colours.
pub(super) fn plain(line: &str) -> String {
    let mut out = String::new();
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            // ESC [ parameters letter
            for c in chars.by_ref() {
                if c.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[track_caller]
    fn reads(output: &str, passed: u64, failed: u64) {
        assert_eq!(Count::read(output), Count { passed, failed });
    }

    #[test]
    fn counts_of_libtest_add_up_over_binaries() {
        reads(
            "test result: ok. 3 passed; 0 failed; 1 ignored\nnoise 9 passed\ntest result: FAILED. 2 passed; 1 failed; 0 ignored",
            5,
            1,
        );
    }

    #[test]
    fn what_has_a_report_is_not_counted_by_its_closing_lines() {
        let lines = "     Summary [   0.5s] 12 tests run: 10 passed, 1 failed\n\u{1b}[2m      Tests \u{1b}[22m 2 failed | 123 passed (125)";
        reads(lines, 0, 0);
        assert_eq!(super::closing_lines(lines).lines().count(), 2, "people see them all the same");
    }

    #[test]
    fn counts_of_node() {
        reads("ℹ tests 5\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0", 3, 2);
        reads("# pass 3\n# fail 0\n# passing by 7", 3, 0);
    }

    #[test]
    fn counts_of_unittest() {
        reads("Ran 17 tests in 71.712s\n\nOK", 17, 0);
        reads("Ran 17 tests in 71.712s\n\nFAILED (failures=2, errors=1)", 14, 3);
        reads("Ran 1 test in 0.1s\n\nOK (skipped=1)", 0, 1);
    }

    #[test]
    fn no_closing_line_is_no_test() {
        reads("error: could not compile", 0, 0);
    }
}
