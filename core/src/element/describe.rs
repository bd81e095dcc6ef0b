//! Puts a snapshot together.

use std::collections::BTreeMap;

use super::name::accessible_name;
use super::redaction::{REDACTED, is_secret_field, redact_attribute, redact_beginning, redact_text};
use super::role::role;
use super::snapshot::{ElementBrief, ElementSnapshot, Siblings};
use crate::page::{FoldedText, Page};
use crate::source::{self, ProbeFacts};

const MAX_OWN_TEXT: usize = 500;
const MAX_TEXT: usize = 1_000;
const MAX_BRIEF: usize = 80;
const MAX_VALUE: usize = 200;
const MAX_ATTRIBUTES: usize = 40;
const MAX_CLASSES: usize = 40;
const MAX_WORD: usize = 100;
const MAX_ANCESTORS: usize = 12;
const MAX_CHILDREN: usize = 10;
/// Text is read this much further than it is kept, so that no secret is cut in half before it is recognised. Half of
/// that is never shown: redaction makes a text shorter, and would bring the end into it.
const SECRET_MARGIN: usize = 300;

/// Attributes that tell something about an element, besides `data-*` and `aria-*`.
pub const TOLD_ATTRIBUTES: [&str; 52] = [
    "accept",
    "action",
    "alt",
    "autocomplete",
    "checked",
    "cite",
    "cols",
    "colspan",
    "content",
    "contenteditable",
    "datetime",
    "dir",
    "disabled",
    "download",
    "draggable",
    "enctype",
    "for",
    "form",
    "headers",
    "hidden",
    "href",
    "inert",
    "inputmode",
    "is",
    "label",
    "lang",
    "list",
    "loading",
    "max",
    "maxlength",
    "method",
    "min",
    "multiple",
    "name",
    "open",
    "part",
    "pattern",
    "placeholder",
    "popover",
    "readonly",
    "rel",
    "required",
    "role",
    "rowspan",
    "scope",
    "slot",
    "src",
    "step",
    "tabindex",
    "target",
    "title",
    "type",
];

/// Why there is no snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DescribeError {
    /// The page has no such node.
    #[error("the page has {len} nodes; there is no node {node}. Capture the page again")]
    OutOfRange {
        /// What was asked for.
        node: u32,
        /// How many there are.
        len: u32,
    },
    /// A text, document or shadow root.
    #[error("node {node} is not an element")]
    NotAnElement {
        /// What was asked for.
        node: u32,
    },
}

/// Describes an element, without secrets. `probe` is what the page's framework tells about it.
///
/// # Errors
/// When `node` is not an element of the page.
pub fn describe(
    page: &Page,
    node: u32,
    probe: Option<&ProbeFacts>,
) -> Result<ElementSnapshot, DescribeError> {
    if node >= page.len() {
        return Err(DescribeError::OutOfRange { node, len: page.len() });
    }
    if !page.is_element(node) {
        return Err(DescribeError::NotAnElement { node });
    }
    Ok(ElementSnapshot {
        tag: cut(page.tag(node), MAX_WORD),
        id: page.id(node).map(|id| cut(id, MAX_VALUE)),
        classes: classes(page, node),
        role: role(page, node).map(str::to_owned),
        name: accessible_name(page, node).map(|name| redact_text(&name)),
        own_text: own_text(page, node, MAX_OWN_TEXT),
        text: whole_text(page, node, MAX_TEXT),
        attributes: attributes(page, node),
        bounds: page.rect(node),
        ancestors: page
            .element_ancestors(node)
            .take(MAX_ANCESTORS)
            .map(|above| container(page, above))
            .collect(),
        children: page.element_children(node).take(MAX_CHILDREN).map(|child| brief(page, child)).collect(),
        child_count: count(page.element_children(node)),
        siblings: siblings(page, node),
        component: probe.and_then(|facts| source::component_name(facts.component.as_deref()?)),
        source: probe.and_then(source::from_probe),
    })
}

fn attributes(page: &Page, node: u32) -> BTreeMap<String, String> {
    let told = |name: &str| {
        TOLD_ATTRIBUTES.contains(&name)
            || name.starts_with("data-")
            || name.starts_with("aria-")
            || (name == "value" && is_label(page, node))
    };
    let mut attributes = BTreeMap::new();
    // One by one: collecting into a map would bring a sort of its own into the WASM.
    for (name, value) in page.attributes(node).filter(|(name, _)| told(name)).take(MAX_ATTRIBUTES) {
        let safe = redact_attribute(page.tag(node), |other| page.attr(node, other), name, value);
        attributes.insert(cut(name, MAX_WORD), cut(&safe, MAX_VALUE));
    }
    attributes
}

/// Whether `value` was written by the page's author, and not by a person into a field.
fn is_label(page: &Page, node: u32) -> bool {
    match page.tag(node) {
        "input" => page.attr(node, "type").is_some_and(|kind| {
            ["button", "checkbox", "image", "radio", "reset", "submit"]
                .iter()
                .any(|t| kind.eq_ignore_ascii_case(t))
        }),
        "textarea" | "select" => false,
        _ => true,
    }
}

fn siblings(page: &Page, node: u32) -> Siblings {
    Siblings {
        index: page.nth_child(node).saturating_sub(1),
        count: page.parent(node).map_or(1, |parent| count(page.element_children(parent))),
        previous: page.previous_element(node).map(|other| brief(page, other)),
        next: page.next_element(node).map(|other| brief(page, other)),
    }
}

/// A neighbour by its name or its text.
fn brief(page: &Page, node: u32) -> ElementBrief {
    let text = accessible_name(page, node)
        .map_or_else(|| whole_text(page, node, MAX_BRIEF), |name| cut(&redact_text(&name), MAX_BRIEF));
    in_brief(page, node, text)
}

/// Something around by its name or its own text: the text of all that is in it would repeat the element's.
fn container(page: &Page, node: u32) -> ElementBrief {
    let named = page.attr(node, "aria-label").is_some() || page.attr(node, "aria-labelledby").is_some();
    let name = if named { accessible_name(page, node) } else { None };
    let text =
        name.map_or_else(|| own_text(page, node, MAX_BRIEF), |name| cut(&redact_text(&name), MAX_BRIEF));
    in_brief(page, node, text)
}

fn in_brief(page: &Page, node: u32, text: String) -> ElementBrief {
    ElementBrief {
        tag: cut(page.tag(node), MAX_WORD),
        id: page.id(node).map(|id| cut(id, MAX_VALUE)),
        classes: classes(page, node),
        text,
    }
}

fn classes(page: &Page, node: u32) -> Vec<String> {
    page.classes(node).take(MAX_CLASSES).map(|class| cut(class, MAX_WORD)).collect()
}

fn is_secret(page: &Page, node: u32) -> bool {
    is_secret_field(page.tag(node), |name| page.attr(node, name))
}

fn own_text(page: &Page, node: u32, limit: usize) -> String {
    guarded(page, node, limit, page.own_text(node, limit + SECRET_MARGIN))
}

fn whole_text(page: &Page, node: u32, limit: usize) -> String {
    let text = page.text_without(node, limit + SECRET_MARGIN, |inner| is_secret(page, inner));
    guarded(page, node, limit, text)
}

fn guarded(page: &Page, node: u32, limit: usize, text: String) -> String {
    if text.is_empty() {
        return text;
    }
    if is_secret(page, node) {
        return REDACTED.to_owned();
    }
    // White space at the end of what was read is folded away.
    let is_all = text.chars().count() + 1 < limit + SECRET_MARGIN;
    let last = text.char_indices().rev().nth(SECRET_MARGIN / 2 - 1).map_or(0, |(at, _)| at);
    cut(&redact_beginning(&text, if is_all { text.len() } else { last }), limit)
}

/// At most `limit` characters, white space folded.
fn cut(text: &str, limit: usize) -> String {
    let mut taken = FoldedText::new(limit);
    taken.push(text);
    taken.finish()
}

fn count(nodes: impl Iterator<Item = u32>) -> u32 {
    u32::try_from(nodes.count()).unwrap_or(u32::MAX)
}
