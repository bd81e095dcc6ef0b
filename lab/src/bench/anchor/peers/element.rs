//! What peers read of an element: its visible text, and its neighbours' words.

use opentoolbar_core::page::{NodeKind, Page, Rect};

/// Longest text of an element that is compared, in characters: a page's own text would be compared with itself only.
const TEXT: usize = 2_000;

/// The text a person sees in it: its own and its descendants', else its value, else its placeholder.
pub(super) fn visible_text(page: &Page, element: u32) -> Option<String> {
    let mut text = String::new();
    for node in page.subtree(element) {
        if page.kind(node) != Some(NodeKind::Text) {
            continue;
        }
        for word in page.data(node).split_whitespace() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
        if text.len() > TEXT {
            break;
        }
    }
    let non_empty = |text: &&str| !text.trim().is_empty();
    let found = Some(text.as_str())
        .filter(non_empty)
        .or_else(|| page.attr(element, "value").filter(non_empty))
        .or_else(|| page.attr(element, "placeholder").filter(non_empty))?;
    Some(found.chars().take(TEXT).collect())
}

/// A button by tag, by type, or a link with a class of buttons.
pub(super) fn is_button(page: &Page, element: u32) -> bool {
    match page.tag(element) {
        "button" => true,
        "a" => page.attr(element, "class").is_some_and(|class| class.contains("btn")),
        "input" => matches!(page.attr(element, "type"), Some("button" | "submit" | "reset")),
        _ => false,
    }
}

/// For each element the words of the elements around it: those whose box, at most 100 high, meets its own, widened by
/// 50 on each side. None for elements that are large themselves. `texts` belong to `elements`.
pub(super) fn neighbour_words(
    page: &Page,
    elements: &[u32],
    texts: &[Option<String>],
    mut word: impl FnMut(&str) -> u32,
) -> Vec<Option<Vec<u32>>> {
    const REACH: i32 = 50;
    const HIGH: i32 = 100;
    const WIDE: i32 = 600;
    let own: Vec<Vec<u32>> = texts
        .iter()
        .map(|text| {
            text.iter().flat_map(|text| text.split_whitespace()).map(|w| word(&w.to_lowercase())).collect()
        })
        .collect();
    let mut small: Vec<(usize, Rect)> = elements
        .iter()
        .map(|&node| page.rect(node))
        .enumerate()
        .filter(|(at, rect)| {
            rect.height <= HIGH
                && rect.height > 0
                && rect.width > 0
                && own.get(*at).is_some_and(|w| !w.is_empty())
        })
        .collect();
    small.sort_by_key(|(_, rect)| rect.y);
    elements
        .iter()
        .enumerate()
        .map(|(at, &node)| {
            let rect = page.rect(node);
            if rect.height > HIGH || rect.width > WIDE {
                return None;
            }
            let (top, bottom) = (rect.y - REACH, rect.y.saturating_add(rect.height) + REACH);
            let (left, right) = (rect.x - REACH, rect.x.saturating_add(rect.width) + REACH);
            // None of them is higher than this, so none that begins above can reach down to it.
            let first = small.partition_point(|(_, other)| other.y < top - HIGH);
            let mut words: Vec<u32> = small
                .get(first..)
                .unwrap_or(&[])
                .iter()
                .take_while(|(_, other)| other.y < bottom)
                .filter(|(other_at, other)| {
                    *other_at != at
                        && other.y.saturating_add(other.height) > top
                        && other.x < right
                        && other.x.saturating_add(other.width) > left
                })
                .filter_map(|(other_at, _)| own.get(*other_at))
                .flatten()
                .copied()
                .collect();
            words.sort_unstable();
            words.dedup();
            (!words.is_empty()).then_some(words)
        })
        .collect()
}
