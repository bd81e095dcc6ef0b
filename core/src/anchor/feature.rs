//! What leads to elements in the index of a page, each as one number: the same of a page's element and of an anchor.

use super::hash::{self, Kind};
use super::names::written;
use crate::page::Page;

/// The name of what has neither id nor class.
pub(super) fn no_name() -> u32 {
    hash::of(Kind::Id, &["", ""])
}

/// On which side of an element a text stands.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Before = 1,
    After,
}

/// A tag (by its hash) beside a text.
pub(super) fn beside(side: Side, tag: u64, text: u32) -> u32 {
    (hash::join(Kind::Text, [side as u64, tag, u64::from(text)]) >> 32) as u32
}

/// A tag inside of its parent, and that one inside of its own, by tag and chosen class names.
pub(super) fn nested(page: &Page, node: u32) -> u32 {
    let mut parts = vec![hash::wide(Kind::Tag, &[page.tag(node)])];
    for above in page.element_ancestors(node).take(2) {
        parts.push(hash::wide(Kind::Tag, &[page.tag(above)]));
        let classes = page.classes(above).filter_map(written);
        parts.extend(classes.map(|class| hash::wide(Kind::Class, &[class])));
    }
    (hash::join(Kind::Path, parts) >> 32) as u32
}

/// Tag and all chosen class names together.
pub(super) fn whole_class<'t>(tag: &str, classes: impl Iterator<Item = &'t str>) -> u32 {
    let classes = classes.filter_map(written).map(|class| hash::wide(Kind::Class, &[class]));
    (hash::join(Kind::Class, [hash::wide(Kind::Tag, &[tag])].into_iter().chain(classes)) >> 32) as u32
}

/// An attribute by its name and the hash of its value.
pub(super) fn attribute(name: &str, value: u32) -> u32 {
    (hash::join(Kind::Attribute, [hash::wide(Kind::Attribute, &[name]), u64::from(value)]) >> 32) as u32
}
