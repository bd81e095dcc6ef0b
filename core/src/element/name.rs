//! The accessible name: the W3C computation (accname 1.2, HTML-AAM) as far as a capture allows. What CSS generates is
//! not captured, and a reference is followed once, not on from there.

use super::redaction::is_secret_field;
use super::role::{is_named_by_content, role};
use crate::page::{FoldedText, Page, Piece, Walk};
use crate::sort;

/// Longest name, in characters.
pub(super) const MAX_NAME: usize = 300;

/// The name, folded, not yet redacted; `None` when there is none.
pub(crate) fn accessible_name(page: &Page, node: u32) -> Option<String> {
    let role = role(page, node);
    if role == Some("none") && page.attr(node, "aria-label").is_none() {
        return None;
    }
    labelled_by(page, node)
        .or_else(|| page.attr(node, "aria-label").and_then(folded))
        .or_else(|| native(page, node))
        .or_else(|| {
            let by_content =
                role.is_some_and(is_named_by_content) || matches!(page.tag(node), "summary" | "label");
            by_content.then(|| content(page, node, None, true)).flatten()
        })
        .or_else(|| page.attr(node, "title").and_then(folded))
        .or_else(|| {
            let placeholder =
                page.attr(node, "placeholder").or_else(|| page.attr(node, "aria-placeholder"))?;
            matches!(page.tag(node), "input" | "textarea").then(|| folded(placeholder)).flatten()
        })
}

fn folded(text: &str) -> Option<String> {
    let mut taken = FoldedText::new(MAX_NAME);
    taken.push(text);
    Some(taken.finish()).filter(|text| !text.is_empty())
}

fn joined(parts: impl Iterator<Item = String>) -> Option<String> {
    let mut taken = FoldedText::new(MAX_NAME);
    for part in parts {
        taken.break_word();
        taken.push(&part);
        if taken.is_full() {
            break;
        }
    }
    Some(taken.finish()).filter(|text| !text.is_empty())
}

/// Most ids that `aria-labelledby` is followed to.
const MAX_REFERENCES: usize = 20;

fn labelled_by(page: &Page, node: u32) -> Option<String> {
    let ids = page.attr(node, "aria-labelledby")?;
    let root = page.root(node)?;
    joined(ids.split_ascii_whitespace().take(MAX_REFERENCES).filter_map(|id| {
        let found = *page.in_subtree(page.with_attr("id", id), root).first()?;
        let own = page.attr(found, "aria-label").and_then(folded);
        // What is referred to counts even when it is hidden.
        own.or_else(|| native(page, found)).or_else(|| content(page, found, Some(node), false))
    }))
}

/// What HTML itself offers: labels, `alt`, captions, a button's `value`.
fn native(page: &Page, node: u32) -> Option<String> {
    match page.tag(node) {
        "input" => {
            let kind = page.attr(node, "type").unwrap_or("").to_ascii_lowercase();
            match kind.as_str() {
                "hidden" => None,
                "button" | "submit" | "reset" => {
                    page.attr(node, "value").and_then(folded).or_else(|| labels(page, node)).or_else(|| {
                        match kind.as_str() {
                            "submit" => Some("Submit".to_owned()),
                            "reset" => Some("Reset".to_owned()),
                            _ => None,
                        }
                    })
                }
                "image" => page.attr(node, "alt").and_then(folded).or_else(|| labels(page, node)),
                _ => labels(page, node),
            }
        }
        "button" | "meter" | "output" | "progress" | "select" | "textarea" => labels(page, node),
        "img" | "area" => page.attr(node, "alt").and_then(folded),
        "fieldset" => child_text(page, node, "legend"),
        "table" => child_text(page, node, "caption"),
        "figure" => child_text(page, node, "figcaption"),
        "svg" => child_text(page, node, "title"),
        "optgroup" | "option" | "track" => page.attr(node, "label").and_then(folded),
        _ => None,
    }
}

/// Most children among which a caption is looked for.
const MAX_CHILDREN: usize = 200;

fn child_text(page: &Page, node: u32, tag: &str) -> Option<String> {
    let child = page.element_children(node).take(MAX_CHILDREN).find(|&child| page.tag(child) == tag)?;
    content(page, child, None, true)
}

/// What labels a field: the texts that it refers to, else those of its labels; folded, not yet redacted.
pub(crate) fn label(page: &Page, node: u32) -> Option<String> {
    labelled_by(page, node).or_else(|| labels(page, node))
}

/// The texts of all labels: those that name the field's id, and the one around it, in document order.
fn labels(page: &Page, node: u32) -> Option<String> {
    let root = page.root(node)?;
    let by_id = page.id(node).map_or(&[][..], |id| page.in_subtree(page.with_attr("for", id), root));
    let around = std::iter::successors(page.parent_element(node), |&above| page.parent_element(above))
        .find(|&above| page.tag(above) == "label")
        .filter(|&label| page.attr(label, "for").is_none_or(|id| Some(id) == page.id(node)));
    let mut found: Vec<u32> =
        by_id.iter().copied().filter(|&label| page.tag(label) == "label").take(MAX_REFERENCES).collect();
    found.extend(around);
    sort::plain(&mut found);
    found.dedup();
    joined(found.into_iter().filter_map(|label| content(page, label, Some(node), true)))
}

/// The name from content: texts and the names of what is embedded, without `field` (whose label this is) and, if
/// `hidden_out`, without hidden parts.
fn content(page: &Page, node: u32, field: Option<u32>, hidden_out: bool) -> Option<String> {
    let mut taken = FoldedText::new(MAX_NAME);
    let laid_out = hidden_out && is_laid_out(page, node);
    page.each_text(node, |piece| {
        match piece {
            Piece::Enter(inner) => {
                if Some(inner) == field || (hidden_out && is_hidden(page, inner, laid_out)) {
                    return Walk::Over;
                }
                if let Some(own) = embedded(page, inner) {
                    taken.break_word();
                    taken.push(&own);
                    taken.break_word();
                    return if taken.is_full() { Walk::Stop } else { Walk::Over };
                }
                if is_secret_field(page.tag(inner), |name| page.attr(inner, name)) {
                    return Walk::Over;
                }
            }
            Piece::Text { node, joined } => {
                if !joined {
                    taken.break_word();
                }
                taken.push(page.data(node));
            }
        }
        if taken.is_full() { Walk::Stop } else { Walk::On }
    });
    Some(taken.finish()).filter(|text| !text.is_empty())
}

/// What stands for a part of the content by itself.
fn embedded(page: &Page, inner: u32) -> Option<String> {
    page.attr(inner, "aria-label").and_then(folded).or_else(|| match page.tag(inner) {
        "img" | "area" => Some(page.attr(inner, "alt").and_then(folded).unwrap_or_default()),
        "svg" => child_text(page, inner, "title"),
        "select" | "datalist" => Some(String::new()),
        _ => None,
    })
}

fn is_laid_out(page: &Page, node: u32) -> bool {
    page.is_visible(node) || page.element_ancestors(node).any(|above| page.is_visible(above))
}

/// Most nodes in which a visible one is looked for.
const MAX_HIDDEN_WALK: usize = 64;

/// Hidden from everyone or from assistive technology. An element without a box of its own (`display: contents`) is not
/// hidden while something in it is seen.
fn is_hidden(page: &Page, node: u32, laid_out: bool) -> bool {
    if page.attr(node, "hidden").is_some() || page.attr(node, "aria-hidden") == Some("true") {
        return true;
    }
    laid_out
        && page.rect(node).width == 0
        && page.rect(node).height == 0
        && !page.is_visible(node)
        && !page.subtree(node).skip(1).take(MAX_HIDDEN_WALK).any(|inner| page.is_visible(inner))
}
