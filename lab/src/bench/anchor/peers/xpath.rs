//! The path of tags and places: `/html[1]/body[1]/div[2]`, or from the nearest element with an id on.

use std::collections::HashMap;

use opentoolbar_core::page::Page;

use super::guess::Guess;

/// Where a path begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    Root,
    NearestId,
}

/// Each found by its path, or not at all.
pub(super) fn locate(old: &Page, new: &Page, targets: &[u32], from: From) -> Vec<Guess> {
    let mut ids = HashMap::new();
    for node in new.elements() {
        if let Some(id) = new.id(node) {
            // The first of several, as a browser's `getElementById`.
            ids.entry(id).or_insert(node);
        }
    }
    let found = |&target: &u32| {
        let (start, steps) = path(old, target, from);
        let mut node = match start {
            None => 0,
            Some(id) => *ids.get(id)?,
        };
        for (tag, place) in steps {
            node = new.element_children(node).filter(|&child| new.tag(child) == tag).nth(place - 1)?;
        }
        Some(node)
    };
    targets.iter().map(|target| Guess { node: found(target), score: 1.0 }).collect()
}

/// The id it begins at, if any, and tags with their 1-based places among the same tags.
pub(super) fn path(page: &Page, target: u32, from: From) -> (Option<&str>, Vec<(&str, usize)>) {
    let mut steps = Vec::new();
    let mut start = None;
    let mut at = Some(target);
    while let Some(node) = at {
        if from == From::NearestId
            && let Some(id) = page.id(node)
        {
            start = Some(id);
            break;
        }
        let tag = page.tag(node);
        let place = page.parent(node).map_or(1, |parent| {
            let same = page.element_children(parent).filter(|&child| page.tag(child) == tag);
            same.take_while(|&child| child < node).count() + 1
        });
        steps.push((tag, place));
        at = page.parent_element(node);
    }
    steps.reverse();
    (start, steps)
}

/// As it is written.
pub(super) fn written(page: &Page, target: u32, from: From) -> String {
    let (start, steps) = path(page, target, from);
    let mut text = start.map_or(String::new(), |id| format!("//*[@id=\"{id}\"]"));
    for (tag, place) in steps {
        text.push_str(&format!("/{tag}[{place}]"));
    }
    text
}
