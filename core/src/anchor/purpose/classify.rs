//! What kind of thing each element of a page is, by its tag, its role and what it holds.

use super::kind::{Kind, Kinds};
use super::words;
use crate::anchor::survey::Survey;
use crate::page::Page;

/// Of all elements of the page.
pub(super) fn kinds<'s>(survey: &'s Survey<'_>) -> &'s Kinds {
    survey.kinds(|| {
        Kinds::new(survey.page.len(), survey.page.elements().map(|node| (node, kind_of(survey, node))))
    })
}

fn kind_of(survey: &Survey<'_>, node: u32) -> Kind {
    let page = survey.page;
    let tag = page.tag(node);
    if let Some(kind) = page.attr(node, "role").and_then(of_role) {
        return kind;
    }
    match tag {
        "a" => return Kind::Link,
        "button" | "summary" => return Kind::Button,
        "input" => {
            return match page.attr(node, "type").unwrap_or("text") {
                "submit" | "button" | "reset" | "image" => Kind::Button,
                "checkbox" | "radio" | "range" | "color" => Kind::Choice,
                _ => Kind::Field,
            };
        }
        "textarea" => return Kind::Field,
        "select" => return Kind::Choice,
        "img" | "picture" | "video" | "canvas" | "figure" => return Kind::Picture,
        "svg" | "use" | "path" => return Kind::Icon,
        "h1" => return Kind::Title,
        "h2" | "h3" | "h4" | "h5" | "h6" => return Kind::Heading,
        "label" | "legend" | "th" | "dt" | "figcaption" => return Kind::Label,
        "li" | "tr" | "option" | "article" => return Kind::Item,
        "ul" | "ol" | "table" | "dl" | "tbody" => return Kind::List,
        "form" | "fieldset" => return Kind::Form,
        _ => {}
    }
    if let Some(kind) = tag.rsplit_once('-').and_then(|(_, last)| of_last_word(last)) {
        return kind;
    }
    let (from, to) = survey.text_range(node);
    match (to - from, survey.child_count(node)) {
        (0, 0) => {
            if words::is_icon(page, node) || tag == "i" {
                Kind::Icon
            } else {
                Kind::Empty
            }
        }
        (1, _) if !holds_controls(page, node) => Kind::Text,
        _ if has_peer(page, node) => Kind::Item,
        _ => Kind::Group,
    }
}

/// Whether it has several parts, or something in it is pressed or written into.
fn holds_controls(page: &Page, node: u32) -> bool {
    let mut within = page.subtree(node).skip(1).take(INSIDE).filter(|&inner| page.is_element(inner));
    within.any(|inner| {
        matches!(page.tag(inner), "a" | "button" | "input" | "select" | "textarea" | "li" | "td" | "tr")
    })
}

/// Most nodes of an element that are looked at.
const INSIDE: usize = 20;

/// Whether what stands before or after it has the same tag and class names: it is one of several.
fn has_peer(page: &Page, node: u32) -> bool {
    let class = page.attr(node, "class").unwrap_or("");
    let is_peer = |other: Option<u32>| {
        other.is_some_and(|other| {
            page.tag(other) == page.tag(node)
                && !class.is_empty()
                && page.attr(other, "class").unwrap_or("") == class
        })
    };
    is_peer(page.previous_element(node)) || is_peer(page.next_element(node))
}

fn of_role(role: &str) -> Option<Kind> {
    Some(match role {
        "link" => Kind::Link,
        "button" | "tab" | "menuitem" => Kind::Button,
        "textbox" | "searchbox" => Kind::Field,
        "checkbox" | "radio" | "switch" | "combobox" | "slider" => Kind::Choice,
        "img" => Kind::Picture,
        "heading" => Kind::Heading,
        "listitem" | "row" | "option" => Kind::Item,
        "list" | "table" | "grid" => Kind::List,
        "form" | "search" => Kind::Form,
        _ => return None,
    })
}

/// Of a tag that a page made up: `ui-icon-button`.
fn of_last_word(word: &str) -> Option<Kind> {
    Some(match word {
        "button" | "btn" => Kind::Button,
        "link" => Kind::Link,
        "icon" => Kind::Icon,
        "input" | "field" | "textarea" => Kind::Field,
        "select" | "checkbox" | "switch" | "radio" => Kind::Choice,
        "image" | "img" | "avatar" => Kind::Picture,
        "heading" | "title" => Kind::Heading,
        "label" => Kind::Label,
        "item" | "row" | "card" => Kind::Item,
        "list" | "table" => Kind::List,
        _ => return None,
    })
}
