//! What an element is for, and what it is called. A redesign makes a button of a link, an icon of a word, a `div` of a
//! field: what a screen reader says of it stays.

use super::called::words_in;
use super::fingerprint::Base;
use crate::page::Page;

/// Most words of a name that lead to an element.
const WORDS: usize = 6;

/// What can be done with an element, as far as no redesign makes one of the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// Words are written into it.
    Write,
    /// It is pressed.
    Press,
}

/// Of the page's element, or of the anchor's.
fn usage(tag: &str, kind: Option<&str>) -> Option<Use> {
    match (tag, kind.unwrap_or("text")) {
        ("input", "submit" | "button" | "reset" | "image") | ("button" | "summary", _) => Some(Use::Press),
        ("input", "text" | "search" | "email" | "url" | "tel" | "password" | "number") | ("textarea", _) => {
            Some(Use::Write)
        }
        _ => None,
    }
}

/// Whether one of them is written into and the other is pressed.
pub(super) fn are_used_otherwise(page: &Page, base: &Base, node: u32) -> bool {
    let now = usage(page.tag(node), page.attr(node, "type"));
    usage(&base.tag, kept(base, "type")).is_some_and(|then| now.is_some_and(|now| now != then))
}

/// Whether it is written into or pressed.
pub(super) fn is_used(page: &Page, node: u32) -> bool {
    usage(page.tag(node), page.attr(node, "type")).is_some()
}

fn kept<'b>(base: &'b Base, name: &str) -> Option<&'b str> {
    base.attributes.iter().find(|(kept, _)| kept == name).map(|(_, value)| value.start.as_str())
}

/// The words of what an element without text is called.
fn called<'t>(tag: &str, attribute: &dyn Fn(&str) -> Option<&'t str>) -> Vec<u32> {
    let is_pressed = usage(tag, attribute("type")) == Some(Use::Press);
    let names = ["aria-label", "alt", if is_pressed { "value" } else { "alt" }, "title"];
    let mut said = names.iter().filter_map(|name| attribute(name));
    words_in(said.find(|said| !said.is_empty()).unwrap_or(""))
}

/// The words of what the anchor's element said, or was called.
pub(super) fn words_of(base: &Base) -> Vec<u32> {
    if base.text_hash != 0 {
        return base.words.get(..WORDS).unwrap_or(&base.words).to_vec();
    }
    called(&base.tag, &|name| kept(base, name))
}

/// The words of what an element is called, sorted.
pub(super) fn words(page: &Page, node: u32) -> Vec<u32> {
    called(page.tag(node), &|name| page.attr(node, name))
}

/// Whether two texts are the same but for blanks, hyphens and capitals: `E-mail address:` and `Email address`.
pub(super) fn are_spelled_alike(one: &str, other: &str) -> bool {
    let letters = |text: &'_ str| -> Vec<u8> {
        text.bytes()
            .filter(|byte| !byte.is_ascii() || byte.is_ascii_alphanumeric())
            .map(|byte| byte.to_ascii_lowercase())
            .collect()
    };
    let one = letters(one);
    !one.is_empty() && one == letters(other)
}
