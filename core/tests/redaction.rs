//! The vectors that Rust and TypeScript share, and the laws of redaction.

use crate::vectors::{Case, cases};
use opentoolbar_core::element::redact_text;
use proptest::prelude::*;

#[test]
fn every_shared_vector_is_redacted_as_it_says() {
    let cases = cases().expect("the vectors parse");
    assert!(cases.len() > 50);
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let got = case.redacted();
            let expect = case.expect.text();
            (got != expect).then(|| format!("{}: {got:?}, not {expect:?}", case.what))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How much of `secret` is left in one piece, in bytes.
fn left_of(secret: &str, redacted: &str) -> usize {
    let mut longest = 0;
    for start in 0..secret.len() {
        while secret.get(start..start + longest + 1).is_some_and(|piece| redacted.contains(piece)) {
            longest += 1;
        }
    }
    longest
}

#[test]
fn of_a_hundred_common_kinds_of_secrets_ninety_are_removed() {
    let secrets: Vec<Case> =
        cases().expect("the vectors parse").into_iter().filter(|case| case.secret.is_some()).collect();
    assert_eq!(secrets.len(), 100);
    let left: Vec<&str> = secrets
        .iter()
        .filter(|case| {
            let secret = case.secret.as_ref().unwrap().text();
            assert!(case.input.text().contains(&secret), "{}", case.what);
            left_of(&secret, &case.redacted()) * 3 > secret.len()
        })
        .map(|case| case.what.as_str())
        .collect();
    assert!(left.len() <= 10, "{left:#?}");
}

#[test]
fn of_ordinary_texts_with_numbers_less_than_one_in_a_hundred_is_touched() {
    let texts: Vec<&str> = include_str!("../../tests/cases/ordinary.txt").lines().collect();
    assert!(texts.len() >= 200);
    let touched: Vec<&str> = texts.iter().copied().filter(|text| redact_text(text) != *text).collect();
    assert!(touched.len() * 100 < texts.len(), "{touched:#?}");
}

#[test]
fn time_grows_with_the_length_of_the_text_whatever_is_in_it() {
    // Each of these once made a step look at the rest of the text again and again.
    for piece in [
        "a=",
        "token:\"",
        "token: ",
        "%22",
        "%3D",
        "a:",
        "://@",
        "/reset/",
        "a/",
        "a.b.",
        "sk-a.",
        "aB3/",
        "otp:",
        "4 ",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "eyJaaaaaaaaa.",
        "Bearer ",
        "token:\\",
        "--a ",
        "1234 ",
        "1-",
        "078-05-1120 ",
        "curl -u ",
        "mysql -p",
        "password a ",
        "BEGIN ",
        "eyJ",
        "xox.",
        "12345678:",
        "-a ",
        "\u{ff1a}",
        "密码：",
    ] {
        let text = piece.repeat(40_000 / piece.len());
        let redacted = redact_text(&text);
        assert!(redacted.len() <= text.len() * 2 + 100, "{piece}");
    }
}

proptest! {
    #[test]
    fn the_origin_of_a_page_is_never_redacted(
        host in "([a-z][a-zA-Z0-9-]{0,60}[a-z0-9]|[0-9a-f]{32,63}|token|otp|api-key)(\\.[a-z][a-z0-9]{1,40}){0,3}",
        port in prop::option::of(1_u16..),
        scheme in "https?",
        rest in "(/[a-z0-9=?&#:]{0,20}){0,2}",
    ) {
        let port = port.map_or(String::new(), |port| format!(":{port}"));
        let origin = format!("{scheme}://{host}{port}");
        let redacted = redact_text(&format!("{origin}{rest}"));
        prop_assert!(redacted.starts_with(&origin), "{}", redacted);
    }

    #[test]
    fn words_are_untouched(text in "([A-Za-z][a-z]{0,12}[ ,.]{1,2}){0,20}") {
        prop_assert_eq!(redact_text(&text), text);
    }

    #[test]
    fn any_text_of_any_characters_passes(text in "(\\PC|[=:%\"'\\\\/.\\[\\]{} -]|token|eyJ|://|-----BEGIN |PRIVATE KEY){0,60}") {
        let once = redact_text(&text);
        prop_assert_eq!(redact_text(&once), once);
    }

    #[test]
    fn redacting_twice_changes_nothing_more(text in "\\PC{0,120}") {
        let once = redact_text(&text);
        prop_assert_eq!(redact_text(&once), once);
    }

    #[test]
    fn redacting_text_full_of_signs_twice_changes_nothing_more(text in "[a-z0-9:/@=&?. \\-_#\\[\\]eyJ]{0,80}") {
        let once = redact_text(&text);
        prop_assert_eq!(redact_text(&once), once);
    }

    #[test]
    fn a_secret_parameter_never_survives(name in "[a-z]{0,4}(token|secret|password)", secret in "[A-Za-z0-9]{12,40}") {
        let redacted = redact_text(&format!("https://example.com/a?x=1&{name}={secret}&y=2"));
        prop_assert!(!redacted.contains(&secret));
        prop_assert!(redacted.ends_with("&y=2"));
    }
}
