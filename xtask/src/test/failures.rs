//! Finds the tests that failed, and why in a few lines, in what the runners print: who sees the end of the output alone
//! sees this.

use super::count::plain;

/// Lines of one test's error.
const LINES: usize = 8;
/// Characters of a line.
const WIDTH: usize = 300;
/// Tests of one suite; more have one cause more often than many.
const TESTS: usize = 12;

/// Each test that failed: its name, then its error, indented. Empty when the runner named none.
pub(crate) fn failures(output: &str) -> String {
    let lines: Vec<String> = output.lines().map(plain).collect();
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    let mut is_open = false;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let above = at.checked_sub(1).and_then(|above| lines.get(above));
        if let Some((name, used)) = header(above.map_or("", String::as_str), &lines[at..]) {
            found.push((name, Vec::new()));
            is_open = true;
            at += used;
            continue;
        }
        // What follows repeats the names, or belongs to no test.
        is_open &= !(line.trim_start().starts_with("Summary [") || line.trim_end() == "failures:");
        if let (true, Some((_, body))) = (is_open, found.last_mut()) {
            body.push(line);
        }
        at += 1;
    }
    // The list that nextest ends with repeats what was told, without an error.
    let mut told: Vec<String> = Vec::new();
    for (name, body) in &found {
        if !told.iter().any(|one| one == name || one.starts_with(&format!("{name}\n"))) {
            told.push([vec![name.clone()], gist(body)].concat().join("\n    "));
        }
    }
    let more = told.len().saturating_sub(TESTS);
    told.truncate(TESTS);
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    told.join("\n")
}

/// The name of the test whose failure is told from here on, and how many lines say so.
fn header(above: &str, lines: &[String]) -> Option<(String, usize)> {
    let line = lines.first()?.as_str();
    let one = |name: &str| Some((name.trim().to_owned(), 1));
    // node:test, in the list at its end. A name may have several lines.
    if above.starts_with("test at ") {
        let first = line.strip_prefix("✖ ")?;
        let used = lines.iter().take(LINES).position(|line| line.ends_with("ms)")).unwrap_or(0) + 1;
        let rest = lines[1..used].iter().map(String::as_str);
        return Some((std::iter::once(first).chain(rest).collect::<Vec<_>>().join(" "), used));
    }
    // unittest
    if above.starts_with("=====") {
        return line.strip_prefix("FAIL: ").or_else(|| line.strip_prefix("ERROR: ")).and_then(one);
    }
    // libtest, wasm-bindgen-test
    if let Some(rest) = line.strip_prefix("---- ") {
        return rest.strip_suffix(" stdout ----").or_else(|| rest.strip_suffix(" output ----")).and_then(one);
    }
    // vitest: ` FAIL  file > name`
    if let Some(name) = line.strip_prefix(" FAIL  ") {
        return one(name);
    }
    // nextest: `        FAIL [   0.787s] (4/4) crate::binary name`
    let (word, rest) = line.trim_start().split_once(" [")?;
    let is_failure = ["FAIL", "TIMEOUT", "ABORT", "LEAK-FAIL", "FAIL + LEAK", "XFAIL"].contains(&word)
        || (word.starts_with("SIG") && word.len() < 12);
    let (_, name) = rest.split_once("s] ")?;
    (is_failure && line.starts_with("  ")).then(|| (format!("{word} {name}"), 1))
}

/// What of an error tells most: its message, and where in the tests it came from.
fn gist(body: &[&str]) -> Vec<String> {
    let text = |line: &str| line.trim().to_owned();
    let from = body
        .iter()
        .rposition(|line| line.contains(" panicked at "))
        .or_else(|| body.iter().position(|line| line.trim_start().starts_with("Error: ")))
        .or_else(|| {
            let trace = body.iter().position(|line| line.starts_with("Traceback "))?;
            let raised = body[trace + 1..].iter().position(|line| !line.starts_with(' '))?;
            Some(trace + 1 + raised)
        })
        .unwrap_or(0);
    let is_end = |line: &str| {
        let line = line.trim();
        ["stack backtrace:", "note: ", "at ", "test at ", "❯", "⎯⎯", "-----", "====="]
            .iter()
            .any(|end| line.starts_with(end))
    };
    let mut lines: Vec<String> = body[from..]
        .iter()
        .take_while(|line| !is_end(line))
        .filter(|line| !line.trim().is_empty())
        .take(LINES)
        .map(|line| line.trim_end().chars().take(WIDTH).collect())
        .collect();
    let is_place = |line: &&&str| {
        let line = line.trim();
        line.starts_with("❯ ") || (line.starts_with("at ") && line.contains(".test.ts"))
    };
    lines.extend(body.iter().find(is_place).map(|line| text(line)));
    lines
}

#[cfg(test)]
mod tests {
    use super::failures;

    const NODE: &str = "✔ fine (1.5ms)
✖ told where it ran (2ms)
ℹ pass 1
ℹ fail 3

✖ failing tests:

test at e2e/harness/world.ts:295:3
✖ a field asks (18318.650215ms)
  Error: field-asks is visible: not within 15 s
      at until (file:///tests/e2e/harness/until.ts:22:13)
      at async file:///tests/e2e/field-removed.test.ts:88:5
      at async TestContext.<anonymous> (file:///tests/e2e/harness/world.ts:298:7)

test at a.test.ts:3:1
✖ a name
in two lines (51.530258ms)
  'test timed out after 50ms'

test at a.test.ts:4:1
✖ equal (0.447276ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  
  'x' !== 'y'
  
      at TestContext.<anonymous> (file:///a.test.ts:4:28) {
    generatedMessage: true,
  }
";

    #[test]
    fn of_node_the_names_the_errors_and_the_tests_files() {
        assert_eq!(
            failures(NODE),
            "a field asks (18318.650215ms)
      Error: field-asks is visible: not within 15 s
    at async file:///tests/e2e/field-removed.test.ts:88:5
a name in two lines (51.530258ms)
      'test timed out after 50ms'
equal (0.447276ms)
      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
      'x' !== 'y'
    at TestContext.<anonymous> (file:///a.test.ts:4:28) {"
        );
    }

    #[test]
    fn of_nextest_each_once_with_its_panic() {
        let output = "     SIGABRT [   0.096s] (2/4) nx m::aborts
  stdout ───

    (test aborted with signal 6: SIGABRT)

        FAIL [   0.787s] (4/4) nx bad
  stdout ───
    test bad ... FAILED

    failures:
        bad

  stderr ───

    thread 'bad' (2506) panicked at src/lib.rs:2:37:
    assertion `left == right` failed: it differs
      left: 1
     right: 2
    stack backtrace:
       0: __rustc::rust_begin_unwind

────────────
     Summary [   0.788s] 4 tests run: 2 passed, 2 failed, 0 skipped
     SIGABRT [   0.096s] (2/4) nx m::aborts
        FAIL [   0.787s] (4/4) nx bad
error: test run failed";
        let told = failures(output);
        assert!(told.starts_with("SIGABRT (2/4) nx m::aborts\n"), "{told}");
        assert_eq!(told.matches("nx bad").count(), 1, "{told}");
        assert!(told.contains("panicked at src/lib.rs:2:37:\n"), "{told}");
        assert!(told.ends_with(" right: 2"), "{told}");
    }

    #[test]
    fn of_libtest_vitest_and_unittest() {
        let libtest =
            "failures:\n\n---- m::err stdout ----\nError: \"went wrong\"\n\n\nfailures:\n    m::err\n";
        assert_eq!(failures(libtest), "m::err\n    Error: \"went wrong\"");
        let vitest = " FAIL  zz/zz.test.ts > g > it fails\nAssertionError: expected 1 to be 2\n\n ❯ zz/zz.test.ts:1:102\n      1| import";
        assert_eq!(
            failures(vitest),
            "zz/zz.test.ts > g > it fails\n    AssertionError: expected 1 to be 2\n    ❯ zz/zz.test.ts:1:102"
        );
        let unittest = "======\nERROR: test_b (t.T.test_b)\n------\nTraceback (most recent call last):\n  File \"t.py\", line 6\nValueError: x\n\n------\nRan 1 test in 0.007s";
        assert_eq!(failures(unittest), "test_b (t.T.test_b)\n    ValueError: x");
    }

    #[test]
    fn many_are_cut_and_none_is_nothing() {
        let many: String = (0..20).map(|n| format!(" FAIL  t{n}\nError: x\n")).collect();
        assert!(failures(&many).ends_with("\nand 8 more"), "{}", failures(&many));
        assert_eq!(failures("error: could not compile"), "");
    }
}
