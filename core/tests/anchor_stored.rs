//! Anchors that an earlier version stored are read, and find what they were made of.

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

/// By version, as its own code wrote them; all are of the same elements.
const VERSIONS: [(u8, &str); 5] = [
    (1, include_str!("fixtures/anchor-v1/anchors.json")),
    (2, include_str!("fixtures/anchor-v2/anchors.json")),
    (3, include_str!("fixtures/anchor-v3/anchors.json")),
    (4, include_str!("fixtures/anchor-v4/anchors.json")),
    (5, include_str!("fixtures/anchor-v5/anchors.json")),
];

fn stored(json: &str) -> (Vec<Stored>, Vec<Anchor>) {
    let stored: Vec<Stored> = serde_json::from_str(json).unwrap();
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
    for (version, json) in VERSIONS {
        let (stored, anchors) = stored(json);
        for (one, verdict) in stored.iter().zip(relocate(&old(), &anchors)) {
            let bytes = base64ct::Base64::decode_vec(&one.anchor).unwrap();
            assert_eq!(bytes[0], version, "{}", one.what);
            let wanted = (VerdictKind::Unchanged, Some(one.old));
            assert_eq!((verdict.kind, verdict.node), wanted, "version {version}: {}", one.what);
        }
    }
}

#[test]
fn stored_anchors_find_their_elements_on_the_next_page() {
    for (version, json) in VERSIONS {
        let (stored, anchors) = stored(json);
        for (one, verdict) in stored.iter().zip(relocate(&new(), &anchors)) {
            let what = format!("version {version}: {}: {verdict:?}", one.what);
            if version == 1 && verdict.kind == VerdictKind::Ambiguous {
                // It knew little of what is around: buttons that are equal in all rows may not be told apart, and those
                // that are named need not have the right one among them.
                assert!(verdict.candidates.len() > 1, "{what}");
            } else {
                assert_eq!(verdict.node, one.new, "{what}");
            }
            assert!(one.verdicts.contains(&verdict.kind), "{what}");
        }
    }
}

#[test]
fn stored_anchors_written_again_find_the_same() {
    let page = new();
    for (version, json) in VERSIONS {
        let (stored, anchors) = stored(json);
        let again: Vec<Anchor> =
            anchors.iter().map(|anchor| Anchor::from_base64(&anchor.to_base64()).unwrap()).collect();
        let pairs = relocate(&page, &anchors).into_iter().zip(relocate(&page, &again));
        for (one, (first, second)) in stored.iter().zip(pairs) {
            assert_eq!(first, second, "version {version}: {}", one.what);
        }
    }
}

#[test]
fn a_stored_anchor_that_was_damaged_gives_an_error_or_an_anchor_that_is_safe_to_look_for() {
    let page = new();
    for one in VERSIONS.iter().flat_map(|(_, json)| stored(json).0) {
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
