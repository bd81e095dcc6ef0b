//! Attributes that say nothing about an element, and what runs on by itself in a text.

use crate::page::Page;
use crate::selector::is_generated;

/// Attributes whose values change without the element changing for a person.
pub(super) fn is_noise(attribute: &str) -> bool {
    matches!(
        attribute,
        "class"
            | "style"
            | "nonce"
            | "integrity"
            | "data-reactid"
            | "data-reactroot"
            | "data-server-rendered"
            // Where the source stands, as inspectors' plugins say it: any edit above shifts the lines.
            | "data-source"
            | "data-loc"
            | "data-source-loc"
            | "data-source-file"
            | "data-component-file"
            | "data-insp-path"
            | "data-tsd-source"
            | "data-sentry-source-file"
    ) || attribute.starts_with("data-v-")
        || attribute.starts_with("data-astro-cid")
        || attribute.starts_with("data-astro-source-")
        || attribute.starts_with("data-inspector-")
        || attribute.starts_with("data-locator")
        || attribute.starts_with("_ngcontent")
        || attribute.starts_with("_nghost")
        || attribute.starts_with("data-styled")
        || attribute.starts_with("data-emotion")
        || attribute.starts_with("aria-describedby")
        || attribute.starts_with("aria-labelledby")
        || attribute.starts_with("aria-controls")
        || attribute.starts_with("aria-owns")
}

/// Attributes that say what the element is: not its class, style or generated values.
pub(super) fn telling_attributes(page: &Page, node: u32) -> impl Iterator<Item = (&str, &str)> {
    page.attributes(node).filter(|(name, value)| !is_noise(name) && !is_generated_value(name, value))
}

pub(super) fn is_generated_value(name: &str, value: &str) -> bool {
    matches!(name, "id" | "for" | "name") && is_generated(value)
}

/// A text with its clocks set to nought: times with seconds, whole timestamps, and how long ago something was. They
/// run on by themselves. A time without seconds stays: it is as likely what a page is about.
pub(super) fn without_clock(text: String) -> String {
    let runs =
        |text: &str| text.bytes().filter(|&b| b == b':').nth(1).is_some() || crate::find::has(text, " ago");
    if !runs(&text) {
        return text;
    }
    let mut words: Vec<&str> = text.split(' ').collect();
    for at in 0..words.len() {
        if is_timestamp(words[at]) {
            words[at] = "00:00:00";
        } else if at >= 2 && words[at].starts_with("ago") && is_unit(words[at - 1]) {
            (words[at - 2], words[at - 1]) = ("0", "time");
        }
    }
    words.join(" ")
}

/// `10:15:07`, `2026-11-22T10:15:07.123Z`.
fn is_timestamp(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.bytes().filter(|&b| b == b':').count() >= 2
        && word.bytes().all(|b| b.is_ascii_digit() || b":.,-+TZ".contains(&b))
}

fn is_unit(word: &str) -> bool {
    matches!(
        word.strip_suffix('s').unwrap_or(word),
        "second" | "sec" | "minute" | "min" | "hour" | "day" | "week" | "month" | "year"
    )
}
