//! What went wrong, by class, with the elements concerned.

use opentoolbar_core::anchor::Verdict;
use opentoolbar_core::page::{NodeKind, Page};
use serde::Serialize;

use super::outcome::{Case, Said};
use crate::corpus::Pair;

/// One target that was judged wrong.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Failure {
    /// One of [`CLASSES`].
    pub(super) class: &'static str,
    pub(super) set: String,
    pub(super) page: String,
    pub(super) part: &'static str,
    pub(super) verdict: String,
    pub(super) confidence: f32,
    pub(super) reason: String,
    /// The element on the old page.
    pub(super) old: ElementText,
    /// The same on the new page, unless it is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) truth: Option<ElementText>,
    /// What was taken for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) found: Option<ElementText>,
    /// Fields that were said to differ.
    pub(super) diff: Vec<String>,
}

/// An element in words.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ElementText {
    pub(super) node: u32,
    /// `<a href="/x" class="y">`, shortened.
    pub(super) tag: String,
    /// The beginning of its text.
    pub(super) text: String,
    /// Its last steps from the root.
    pub(super) path: String,
}

/// The classes, in the order in which they are listed.
pub(super) const CLASSES: &[(&str, &str)] = &[
    ("not pinned", "no anchor could be made of the element"),
    ("wrong twin", "another element of the same tag, attributes and text was shown as it"),
    ("wrong neighbour", "a sibling of the right one was shown as it"),
    ("wrong ancestor", "an element around the right one was shown as it"),
    ("wrong descendant", "an element inside the right one was shown as it"),
    ("wrong elsewhere", "an element at another place was shown as it"),
    ("falsely missing, guess right", "said to be gone; the right one was the most likely"),
    ("falsely missing, guess wrong", "said to be gone; another one was the most likely, or none"),
    ("ambiguous, first right", "cannot be told; the right one is the first candidate"),
    ("ambiguous, among", "cannot be told; the right one is among the candidates"),
    ("ambiguous, not among", "cannot be told; the right one is not among the candidates"),
    ("gone but shown as it was", "gone; another element was shown as unchanged or moved"),
    ("gone but shown as changed", "gone; another element was shown as changed"),
    ("gone but ambiguous", "gone; several were said to fit"),
    ("change missed", "right element, changed, shown as unchanged or moved"),
    ("change invented", "right element, not changed, shown as changed"),
];

/// `verdict`: none when the element could not be pinned.
pub(super) fn failure(pair: &Pair, case: &Case, verdict: Option<&Verdict>) -> Option<Failure> {
    let class = match verdict {
        Some(_) => class(&pair.new.page, case)?,
        None if case.present() => "not pinned",
        None => return None,
    };
    Some(Failure {
        class,
        set: pair.set.clone(),
        page: pair.name.clone(),
        part: pair.part.word(),
        verdict: verdict.map_or("none".to_owned(), |verdict| format!("{:?}", verdict.kind).to_lowercase()),
        confidence: verdict.map_or(0.0, |verdict| verdict.confidence),
        reason: verdict.map_or(String::new(), |verdict| verdict.reason.clone()),
        old: describe(&pair.old.page, case.target.old),
        truth: case.target.new.map(|node| describe(&pair.new.page, node)),
        found: case.answer.guess.map(|node| describe(&pair.new.page, node)),
        diff: verdict
            .map_or(&[][..], |verdict| &verdict.diff)
            .iter()
            .map(|change| {
                let side = |value: &Option<String>| {
                    value.as_deref().map_or("-".to_owned(), |value| format!("{:?}", shortened(value, 60)))
                };
                format!("{}: {} -> {}", change.field, side(&change.before), side(&change.after))
            })
            .collect(),
    })
}

fn class(page: &Page, case: &Case) -> Option<&'static str> {
    let Some(truth) = case.target.new else {
        return match case.answer.said {
            Said::AsItWas => Some("gone but shown as it was"),
            Said::Changed => Some("gone but shown as changed"),
            Said::Ambiguous => Some("gone but ambiguous"),
            Said::Missing => None,
        };
    };
    let right = case.right_element();
    match case.answer.said {
        Said::Missing if right => Some("falsely missing, guess right"),
        Said::Missing => Some("falsely missing, guess wrong"),
        Said::Ambiguous if right => Some("ambiguous, first right"),
        Said::Ambiguous if case.answer.among.contains(&truth) => Some("ambiguous, among"),
        Said::Ambiguous => Some("ambiguous, not among"),
        Said::AsItWas if right => (case.target.changed == Some(true)).then_some("change missed"),
        Said::Changed if right => (case.target.changed == Some(false)).then_some("change invented"),
        Said::AsItWas | Said::Changed => Some(relation(page, truth, case.answer.guess?)),
    }
}

/// How the wrong element stands to the right one.
fn relation(page: &Page, truth: u32, found: u32) -> &'static str {
    if page.contains(found, truth) {
        "wrong ancestor"
    } else if page.contains(truth, found) {
        "wrong descendant"
    } else if same_content(page, truth, found) {
        "wrong twin"
    } else if page.parent(truth) == page.parent(found) {
        "wrong neighbour"
    } else {
        "wrong elsewhere"
    }
}

/// The same tag, attributes and text.
fn same_content(page: &Page, a: u32, b: u32) -> bool {
    page.tag(a) == page.tag(b) && page.attributes(a).eq(page.attributes(b)) && text(page, a) == text(page, b)
}

/// All text inside, with single spaces.
pub(super) fn text(page: &Page, element: u32) -> String {
    let texts = page.subtree(element).filter(|&node| page.kind(node) == Some(NodeKind::Text));
    let words: Vec<&str> = texts.flat_map(|node| page.data(node).split_whitespace()).collect();
    words.join(" ")
}

fn describe(page: &Page, element: u32) -> ElementText {
    let attributes: Vec<String> = page
        .attributes(element)
        .take(6)
        .map(|(name, value)| format!(" {name}={:?}", shortened(value, 60)))
        .collect();
    let mut steps: Vec<String> = std::iter::once(element)
        .chain(page.element_ancestors(element))
        .take(6)
        .map(|node| {
            let place = page
                .parent(node)
                .map_or(1, |parent| page.element_children(parent).take_while(|&c| c < node).count() + 1);
            format!("{}:nth-child({place})", page.tag(node))
        })
        .collect();
    steps.reverse();
    ElementText {
        node: element,
        tag: format!("<{}{}>", page.tag(element), attributes.concat()),
        text: shortened(&text(page, element), 90),
        path: steps.join(" > "),
    }
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
    }
}
