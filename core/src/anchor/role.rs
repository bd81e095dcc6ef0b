//! What an element is for, and what it is called. A redesign makes a button of a link, an icon of a word, a `div` of a field: what
//! a screen reader says of it stays.

use super::fingerprint::Base;
use super::hash::{self, Kind};
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
fn usage<'t>(tag: &str, attribute: impl Fn(&str) -> Option<&'t str>) -> Option<Use> {
    match (tag, attribute("type").unwrap_or("text")) {
        ("input", "submit" | "button" | "reset" | "image") | ("button" | "summary", _) => Some(Use::Press),
        ("input", "text" | "search" | "email" | "url" | "tel" | "password" | "number") | ("textarea", _) => {
            Some(Use::Write)
        }
        _ => None,
    }
}

/// Whether one of them is written into and the other is pressed.
pub(super) fn are_used_otherwise(page: &Page, base: &Base, node: u32) -> bool {
    let now = usage(page.tag(node), |name| page.attr(node, name));
    usage(&base.tag, |name| kept(base, name)).is_some_and(|then| now.is_some_and(|now| now != then))
}

fn kept<'b>(base: &'b Base, name: &str) -> Option<&'b str> {
    base.attributes.iter().find(|(kept, _)| kept == name).map(|(_, value)| value.start.as_str())
}

/// What an element without text is called.
fn called<'t>(tag: &str, attribute: impl Fn(&str) -> Option<&'t str>) -> Option<&'t str> {
    let name = |name: &str| attribute(name).filter(|said| !said.is_empty());
    let value = || name("value").filter(|_| usage(tag, &attribute) == Some(Use::Press));
    name("aria-label").or_else(|| name("alt")).or_else(value).or_else(|| name("title"))
}

/// The words of what the anchor's element said, or was called.
pub(super) fn words_of(base: &Base) -> Vec<u32> {
    if base.text_hash != 0 {
        return base.words.iter().copied().take(WORDS).collect();
    }
    sorted(called(&base.tag, |name| kept(base, name)).unwrap_or(""))
}

/// The words of what an element is called, sorted.
pub(super) fn words(page: &Page, node: u32) -> Vec<u32> {
    sorted(called(page.tag(node), |name| page.attr(node, name)).unwrap_or(""))
}

fn sorted(said: &str) -> Vec<u32> {
    let mut words: Vec<u32> = hash::words(said).take(WORDS).collect();
    crate::sort::plain(&mut words);
    words.dedup();
    words
}

/// The features by which an element is found that is called something.
pub(super) fn features(attribute: &str, value: &str) -> impl Iterator<Item = u32> {
    let names = matches!(attribute, "aria-label" | "alt" | "title" | "value");
    hash::words(if names { value } else { "" }).take(WORDS).map(feature)
}

/// A word of a name.
pub(super) fn feature(word: u32) -> u32 {
    (hash::join(Kind::Id, [u64::from(word)]) >> 32) as u32
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
