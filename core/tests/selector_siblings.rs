//! How an element is told from its siblings: by places from both ends, by what stands before, by its words.

use crate::support::Builder;
use opentoolbar_core::selector::{diverse, generate, vote};

#[test]
fn a_place_is_counted_from_the_nearer_end() {
    let mut b = Builder::new("https://example.com/", "");
    b.open("html", &[]);
    b.open("ul", &[("id", "list")]);
    let rows: Vec<u32> = (0..9).map(|_| b.leaf("li", &[], "")).collect();
    let page = b.page();
    for (at, place) in
        [(0, "first-of-type"), (1, "nth-of-type(2)"), (7, "nth-last-of-type(2)"), (8, "last-of-type")]
    {
        assert_eq!(generate(&page, rows[at]).unwrap(), format!("#list > li:{place}"));
    }
}

#[test]
fn places_in_a_set_are_counted_from_both_ends_so_that_they_disagree_when_the_list_has_changed() {
    let list = |rows: usize| {
        let mut b = Builder::new("https://example.com/", "");
        b.open("html", &[]);
        b.open("body", &[]);
        b.open("ul", &[("id", "list")]);
        let rows: Vec<u32> = (0..rows).map(|_| b.leaf("li", &[], "")).collect();
        (b.page(), rows)
    };
    let (old, rows) = list(9);
    let set = diverse(&old, rows[3], 4).unwrap();
    assert_eq!(vote(&old, &set, None).node, Some(rows[3]));
    let (longer, _) = list(10);
    let vote = vote(&longer, &set, None);
    assert!(vote.support < 0.8 && vote.candidates.len() > 1, "{set:?}: {vote:?}");
}

#[test]
fn what_tells_an_element_from_its_siblings_only_is_preferred_to_a_far_place() {
    let mut b = Builder::new("https://example.com/", "");
    b.open("html", &[]);
    b.open("body", &[]);
    let mut wanted = Vec::new();
    for id in ["one", "two"] {
        b.open("ul", &[("id", id)]);
        for at in 0..25 {
            b.open("li", &[]);
            let text = if at == 11 { "Twelfth" } else { "" };
            let inner = b.leaf("b", &[], text);
            b.close();
            wanted.push(inner);
        }
        b.close();
    }
    let page = b.page();
    assert_eq!(generate(&page, wanted[12]).unwrap(), "#one > li:text-is(\"Twelfth\") + li > b");
    let near = page.parent_element(wanted[2]).unwrap();
    assert_eq!(generate(&page, near).unwrap(), "#one > li:nth-of-type(3)");
}

#[test]
fn a_set_that_knows_an_element_by_places_alone_keeps_its_words_too() {
    let mut b = Builder::new("https://example.com/", "");
    b.open("html", &[]);
    b.open("pre", &[("id", "code")]);
    let signs: Vec<u32> = (0..8).map(|_| b.leaf("i", &[], "=")).collect();
    let page = b.page();
    let set = diverse(&page, signs[2], 4).unwrap();
    assert!(!set[0].contains("text-is"), "{set:?}");
    assert_eq!(set.iter().filter(|one| one.ends_with(":text-is(\"=\")")).count(), 1, "{set:?}");
}
