//! What elements are for, on pages of every sort.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::{Kind, Purpose, Said, Shape};
use crate::anchor::survey::Survey;
use crate::page::Page;
use crate::page::arbitrary::{Piece, el, page, text};

fn purpose(page: &Page, tag: &str) -> Purpose {
    let node = page.elements().find(|&node| page.tag(node) == tag).unwrap();
    Purpose::of(&Survey::new(page), node)
}

fn one(piece: Piece, tag: &str) -> Purpose {
    purpose(&page(vec![piece]), tag)
}

#[test]
fn a_word_and_the_icon_that_stands_for_it_are_called_the_same() {
    let word = one(el("button", &[], vec![text("Remove")]), "button");
    let icon = one(el("ui-icon-button", &[("aria-label", "Delete")], vec![]), "ui-icon-button");
    assert_eq!(word.called, icon.called);
    assert_eq!((word.kind, icon.kind), (Kind::Button, Kind::Button));
    let sign = one(el("button", &[], vec![text("×")]), "button");
    assert_eq!(sign.called, one(el("a", &[], vec![text("Close")]), "a").called);
}

#[test]
fn one_and_many_and_words_that_say_nothing_make_no_difference() {
    let then = one(el("h2", &[], vec![text("Your orders")]), "h2");
    assert_eq!(then.called, one(el("h2", &[], vec![text("The order")]), "h2").called);
    assert_ne!(then.called, one(el("h2", &[], vec![text("The border")]), "h2").called);
}

#[test]
fn names_are_the_same_however_they_are_joined() {
    let then = one(el("div", &[("class", "siteHeader-searchField__2")], vec![]), "div");
    let now = one(el("div", &[("class", "site-header_search-fields")], vec![]), "div");
    assert_eq!(then.names, now.names);
    assert!(!then.names.is_empty());
}

#[test]
fn an_element_stands_under_the_heading_of_its_own_section() {
    let section = |heading: &str, tag: &'static str| {
        let button = el(tag, &[], vec![text("Open")]);
        el("section", &[], vec![el("h2", &[], vec![text(heading)]), el("p", &[], vec![button])])
    };
    let page = page(vec![section("Bills", "a"), section("Letters", "b")]);
    let words = |said: &str| one(el("h2", &[], vec![text(said)]), "h2").called;
    assert_eq!(purpose(&page, "a").under, words("Bills"));
    assert_eq!(purpose(&page, "b").under, words("Letters"));
    assert_eq!(purpose(&page, "section").heading, words("Bills"));
}

#[test]
fn a_text_is_known_by_what_it_looks_like() {
    let shape = |said: &'static str| one(el("p", &[], vec![text(said)]), "p").shape;
    assert_eq!(shape("$12.50"), Shape::Money);
    assert_eq!(shape("+8 %"), Shape::Share);
    assert_eq!(shape("1,402"), Shape::Number);
    for date in ["12 March 2019", "9:40", "14/03/2006", "3 days ago", "Yesterday"] {
        assert_eq!(shape(date), Shape::Date, "{date}");
    }
    assert_eq!(shape("Order 1041"), Shape::Mixed);
    assert_eq!(shape("Save all"), Shape::Words);
    assert_eq!(shape("Marching on"), Shape::Words);
}

#[test]
fn what_a_field_holds_is_no_name_of_it() {
    let field = one(el("input", &[("value", "hunter2"), ("aria-label", "Nick")], vec![]), "input");
    assert_eq!(field.called, one(el("input", &[("aria-label", "Nick")], vec![]), "input").called);
    let bare = one(el("input", &[("value", "hunter2")], vec![]), "input");
    assert_eq!(bare.called, Vec::<u16>::new());
}

#[test]
fn not_even_a_hash_is_kept_of_a_secret_in_an_attribute() {
    const SECRET: &str = "ghp_aBcDefGhiJklMnoPqrStuVwxYzabCdefGhij";
    let address: &str = &format!("/invite/{SECRET}");
    let with = one(el("a", &[("href", address), ("title", SECRET), ("id", "x")], vec![]), "a");
    let without = one(el("a", &[("id", "x")], vec![]), "a");
    assert_eq!((with.names, with.called), (without.names, without.called));
}

proptest! {
    #[test]
    fn what_was_said_is_known_to_have_been(texts in prop::collection::vec(any::<u32>(), 1..200)) {
        let said = Said::of(&texts);
        prop_assert!(texts.iter().all(|&text| said.has(text)));
        prop_assert_eq!(Said::from_bytes(said.bytes()), Some(said));
    }

    #[test]
    fn nearly_nothing_else_is(texts in prop::collection::vec(any::<u32>(), 50..200)) {
        let said = Said::of(&texts);
        let others = (0..2_000u32).map(|at| at.wrapping_mul(0x85eb_ca6b) ^ 0x1234_5678);
        let wrong = others.filter(|other| !texts.contains(other) && said.has(*other)).count();
        prop_assert!(wrong < 100, "{} of 2,000", wrong);
    }

    #[test]
    fn what_is_kept_is_read_as_it_was(pieces in crate::page::arbitrary::pieces()) {
        let kept = page(pieces);
        for node in kept.elements() {
            let purpose = Purpose { said: Said::of(&[1, 2, node]), ..Purpose::of(&Survey::new(&kept), node) };
            prop_assert_eq!(Purpose::from_bytes(&purpose.to_bytes()), Some(purpose));
        }
    }

    #[test]
    fn no_bytes_are_read_as_what_no_version_writes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        if let Some(purpose) = Purpose::from_bytes(&bytes) {
            prop_assert_eq!(purpose.to_bytes(), bytes);
        }
    }
}
