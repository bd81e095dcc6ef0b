//! Anchors that an earlier version stored are read, and find what they were made of.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use base64ct::Encoding as _;
use opentoolbar_core::anchor::{Anchor, VerdictKind, relocate};
use opentoolbar_core::page::Page;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    what: String,
    old: u32,
    new: Option<u32>,
    verdicts: Vec<VerdictKind>,
    anchor: String,
}

fn stored() -> (Vec<Stored>, Vec<Anchor>) {
    let stored: Vec<Stored> = serde_json::from_str(include_str!("fixtures/anchor-v1/anchors.json")).unwrap();
    assert_eq!(stored.len(), 17);
    let anchors = stored
        .iter()
        .map(|one| Anchor::from_base64(&one.anchor).unwrap_or_else(|error| panic!("{}: {error}", one.what)))
        .collect();
    (stored, anchors)
}

fn old() -> Page {
    Page::decode(include_bytes!("fixtures/anchor-v1/old.json")).unwrap()
}

fn new() -> Page {
    Page::decode(include_bytes!("fixtures/anchor-v1/new.json")).unwrap()
}

#[test]
fn stored_anchors_find_their_elements_unchanged_on_their_own_page() {
    let (stored, anchors) = stored();
    for (one, verdict) in stored.iter().zip(relocate(&old(), &anchors)) {
        assert_eq!((verdict.kind, verdict.node), (VerdictKind::Unchanged, Some(one.old)), "{}", one.what);
    }
}

#[test]
fn stored_anchors_find_their_elements_on_the_next_page() {
    let (stored, anchors) = stored();
    for (one, verdict) in stored.iter().zip(relocate(&new(), &anchors)) {
        if verdict.kind == VerdictKind::Ambiguous {
            // Version 1 knew little of what is around: buttons that are equal in all rows may not be told apart.
            assert!(
                one.new.is_none_or(|node| verdict.candidates.contains(&node)),
                "{}: {verdict:?}",
                one.what
            );
        } else {
            assert_eq!(verdict.node, one.new, "{}: {verdict:?}", one.what);
        }
        assert!(one.verdicts.contains(&verdict.kind), "{}: {verdict:?}", one.what);
    }
}

#[test]
fn stored_anchors_written_again_find_the_same() {
    let (stored, anchors) = stored();
    let page = new();
    let again: Vec<Anchor> =
        anchors.iter().map(|anchor| Anchor::from_base64(&anchor.to_base64()).unwrap()).collect();
    for ((one, first), second) in stored.iter().zip(relocate(&page, &anchors)).zip(relocate(&page, &again)) {
        assert_eq!(first, second, "{}", one.what);
    }
}

#[test]
fn a_stored_anchor_that_was_damaged_gives_an_error_or_an_anchor_that_is_safe_to_look_for() {
    let (stored, _) = stored();
    let page = new();
    for one in &stored {
        let bytes = base64ct::Base64::decode_vec(&one.anchor).unwrap();
        let mut readable = Vec::new();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x81;
            match Anchor::decode(&damaged) {
                Ok(anchor) => readable.push(anchor),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
            assert!(Anchor::decode(&bytes[..at]).is_err(), "{} cut at {at}", one.what);
        }
        assert_eq!(relocate(&page, &readable).len(), readable.len());
    }
}
