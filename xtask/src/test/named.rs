//! Documents name tests as `file::name`; each of them has to exist.

use std::fs;

use crate::workspace;

/// Where tests are named.
const DOCUMENT: &str = "docs/security.md";

/// A file and the name of a test in it.
fn named(text: &str) -> Vec<(&str, &str)> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter_map(|words| words.split_once("::")).filter(|(file, _)| file.contains('/')).collect()
}

/// Whether the file has a test of that name: a function of Rust or Python, or the words that a runner of TypeScript is
/// given.
fn has_test(source: &str, file: &str, name: &str) -> bool {
    let is_word = |rest: &str| rest.starts_with('(') || rest.starts_with(' ');
    match file.rsplit_once('.').map(|(_, extension)| extension) {
        Some("ts" | "tsx") => {
            ['\'', '"', '`'].iter().any(|quote| source.contains(&format!("{quote}{name}{quote}")))
        }
        // The macro of the cases names its tests bare.
        _ => source.match_indices(name).any(|(at, _)| {
            let before = source[..at].trim_end();
            is_word(&source[at + name.len()..])
                && (before.ends_with("fn") || before.ends_with("def") || file.contains("/fuzz/"))
        }),
    }
}

#[test]
fn every_test_that_the_documents_name_exists() {
    let text = fs::read_to_string(workspace::path(DOCUMENT)).unwrap_or_default();
    let all = named(&text);
    assert!(all.len() > 20, "{DOCUMENT} names tests");
    let missing: Vec<String> = all
        .into_iter()
        .filter(|(file, name)| {
            let source = fs::read_to_string(workspace::path(file)).unwrap_or_default();
            !has_test(&source, file, name)
        })
        .map(|(file, name)| format!("{file}::{name}"))
        .collect();
    assert_eq!(missing, Vec::<String>::new(), "{DOCUMENT} names tests that are not there");
}

#[test]
fn a_test_is_found_by_its_whole_name_alone() {
    assert_eq!(named("`a/b.rs::c`, `core::page` and `d/e.ts::f g`"), [("a/b.rs", "c"), ("d/e.ts", "f g")]);
    assert!(has_test("fn works() {}", "a/b.rs", "works"));
    assert!(!has_test("fn works_not() {}", "a/b.rs", "works"));
    assert!(!has_test("works();", "a/b.rs", "works"));
    assert!(has_test("test('it works', () => {})", "a/b.test.ts", "it works"));
    assert!(!has_test("test('it works not', () => {})", "a/b.test.ts", "it works"));
}
