//! Bytes that are no anchor, an anchor of a newer opentoolbar, or one that was damaged.

use base64ct::{Base64, Encoding};
use opentoolbar_core::anchor::{Anchor, AnchorError, MAX_ENCODED, VERSION, relocate, target_of};
use opentoolbar_core::model::Comment;
use opentoolbar_core::page::Page;
use opentoolbar_core::prompt::{export_json, import_json};
use proptest::prelude::*;

use super::anchor;
use crate::support::{Builder, any_capture};

fn page() -> Page {
    let mut builder = Builder::new("http://localhost/", "Tides");
    builder.open("html", &[]);
    builder.open("body", &[]);
    builder.leaf("h1", &[("id", "title")], "Tides");
    builder.open("p", &[("class", "lead"), ("title", "High and low water")]);
    builder.text("High water at noon, ");
    builder.leaf("b", &[], "springs");
    builder.text(" on Saturday 🌊");
    builder.close();
    builder.leaf("button", &[("type", "button"), ("class", "btn primary")], "Print");
    builder.page()
}

#[test]
fn an_anchor_of_a_newer_version_says_what_to_do() {
    let page = page();
    for node in page.elements() {
        let mut bytes = anchor(&page, node).encode();
        assert_eq!(bytes[0], VERSION);
        for newer in [VERSION + 1, 100, 255] {
            bytes[0] = newer;
            let error = Anchor::decode(&bytes).unwrap_err();
            assert_eq!(error, AnchorError::Newer { found: newer });
            assert!(error.to_string().contains("update opentoolbar"), "{error}");
        }
    }
}

#[test]
fn bytes_that_are_no_anchor_are_refused_with_a_sentence() {
    let long = vec![VERSION; MAX_ENCODED + 1];
    let refused: [&[u8]; 6] = [b"", b"\0", b"\0\0\0\0", &[VERSION], &[VERSION, 255, 255, 255, 255], &long];
    for bytes in refused {
        let error = Anchor::decode(bytes).unwrap_err().to_string();
        assert!(error.contains("anchor"), "{error}");
    }
    for text in ["", "not base64!", "AQ", "====", "\u{1F30A}", &"A".repeat(1 << 20)] {
        let error = Anchor::from_base64(text).unwrap_err().to_string();
        assert!(error.contains("anchor"), "{error}");
    }
}

#[test]
fn bytes_after_an_anchor_are_refused() {
    let page = page();
    for node in page.elements() {
        let mut bytes = anchor(&page, node).encode();
        bytes.push(0);
        assert_eq!(Anchor::decode(&bytes), Err(AnchorError::Damaged));
    }
}

#[test]
fn a_damaged_byte_at_any_place_gives_an_error_or_an_anchor_that_is_safe_to_look_for() {
    let page = page();
    let mut readable = Vec::new();
    for node in page.elements() {
        let bytes = anchor(&page, node).encode();
        for at in 0..bytes.len() {
            for with in [0xff, bytes[at] ^ 1, bytes[at].wrapping_add(1)] {
                let mut damaged = bytes.clone();
                damaged[at] = with;
                match Anchor::decode(&damaged) {
                    Ok(anchor) => readable.push(anchor),
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
            assert!(Anchor::decode(&bytes[..at]).is_err(), "<{}> cut at {at}", page.tag(node));
        }
    }
    assert!(!readable.is_empty());
    for some in readable.chunks(500) {
        let verdicts = relocate(&page, some);
        assert_eq!(verdicts.len(), some.len());
        for (anchor, verdict) in some.iter().zip(verdicts) {
            assert!((0.0..=1.0).contains(&verdict.confidence), "{verdict:?}");
            assert!(
                Anchor::decode(&anchor.encode()).as_ref() == Ok(anchor)
                    || anchor.encode().len() > MAX_ENCODED
            );
        }
    }
}

#[test]
fn a_comment_keeps_an_anchor_that_cannot_be_read() {
    let page = page();
    let node = page.with_attr("id", "title")[0];
    let good = anchor(&page, node).encode();
    let newer: Vec<u8> = [VERSION + 1].into_iter().chain(good[1..].iter().copied()).collect();
    let damaged: Vec<u8> = good[..good.len() / 2].to_vec();
    for bytes in [newer, damaged] {
        let mut target = serde_json::to_value(target_of(&page, node, None).unwrap()).unwrap();
        target["anchor"] = Base64::encode_string(&bytes).into();
        let json = serde_json::json!({
            "id": "c_kept", "revision": 1, "url": "http://localhost/", "pathname": "/", "title": "Tides",
            "status": "active", "stage": "open", "text": "Say which tide.", "author": {"kind": "person"},
            "targets": [target], "createdAt": 1_790_000_000_000_i64, "updatedAt": 1_790_000_000_000_i64,
        });
        let comment: Comment = serde_json::from_value(json).unwrap();
        assert!(Anchor::from_base64(&comment.targets[0].anchor).is_err());
        // As it is stored, and as it goes from one browser to another.
        let stored = serde_json::to_string(&comment).unwrap();
        assert_eq!(serde_json::from_str::<Comment>(&stored).unwrap(), comment);
        let exported = export_json(std::slice::from_ref(&comment), comment.updated_at);
        assert_eq!(import_json(exported.as_bytes()).unwrap(), [comment]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn an_anchor_of_any_page_cut_at_any_length_is_refused_and_damaged_anywhere_it_is_safe(
        old in any_capture(),
        new in any_capture(),
        seed in any::<u64>(),
    ) {
        let (old, new) = (Page::from_capture(old).unwrap(), Page::from_capture(new).unwrap());
        let mut readable = Vec::new();
        for node in old.elements().take(6) {
            let bytes = anchor(&old, node).encode();
            for length in 0..bytes.len() {
                let refused = Anchor::decode(&bytes[..length]);
                prop_assert!(matches!(refused, Err(AnchorError::Empty | AnchorError::Damaged)), "{:?}", refused);
            }
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                // Another one each time, also with the highest bit, which lengthens a number.
                damaged[at] ^= (seed.rotate_left(at as u32) as u8) | 1;
                match Anchor::decode(&damaged) {
                    Ok(anchor) => readable.push(anchor),
                    Err(AnchorError::Newer { found }) => prop_assert!(at == 0 && found > VERSION),
                    Err(error) => prop_assert_eq!(error, AnchorError::Damaged),
                }
            }
        }
        for verdict in relocate(&new, &readable) {
            prop_assert!((0.0..=1.0).contains(&verdict.confidence), "{:?}", verdict);
            prop_assert!(verdict.node.iter().chain(&verdict.candidates).all(|&node| new.is_element(node)));
        }
    }
}
