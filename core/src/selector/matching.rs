//! Whether an element fits a compound, as a browser decides it.

use super::syntax::{Case, Compound, Operator, Place, Simple, Test};
use crate::page::{NodeKind, Page};

pub(super) fn fits(page: &Page, node: u32, compound: &Compound) -> bool {
    compound.0.iter().all(|simple| fits_simple(page, node, simple))
}

pub(super) fn fits_simple(page: &Page, node: u32, simple: &Simple) -> bool {
    match simple {
        Simple::Any => true,
        Simple::Tag(name) => fits_tag(page.tag(node), name),
        Simple::Id(id) => page.attr(node, "id") == Some(id),
        Simple::Class(class) => page.classes(node).any(|own| own == class),
        Simple::Attribute { name, test } => match (value(page, node, name), test) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(value), Some(test)) => fits_test(page, node, name, value, test),
        },
        Simple::Nth { place, a, b } => {
            in_progression(i64::from(counted(page, node, *place)), i64::from(*a), i64::from(*b))
        }
        Simple::Root => page.parent(node).and_then(|p| page.kind(p)) == Some(NodeKind::Document),
        Simple::Top => page.parent_element(node).is_none(),
        Simple::Text { whole, text } => fits_text(page, node, *whole, text),
        // Asked of all elements of a step at once, by the resolver.
        Simple::Has(_) => true,
    }
}

/// The 1-based place of an element among its siblings.
pub(super) fn counted(page: &Page, node: u32, place: Place) -> u32 {
    match (place.of_type, place.from_end) {
        (true, false) => page.nth_of_type(node),
        (true, true) => page.nth_last_of_type(node),
        (false, false) => page.nth_child(node),
        (false, true) => page.nth_last_child(node),
    }
}

fn fits_text(page: &Page, node: u32, whole: bool, text: &str) -> bool {
    let mut own = page.letters(node);
    let mut wanted = text.chars().filter(|c| !c.is_whitespace()).peekable();
    wanted.peek().is_some() && wanted.all(|c| own.next() == Some(c)) && (!whole || own.next().is_none())
}

/// HTML tag names are compared in lower case, others as they are.
pub(super) fn fits_tag(tag: &str, wanted: &str) -> bool {
    tag == wanted
        || (tag.len() == wanted.len()
            && wanted.bytes().any(|b| b.is_ascii_uppercase())
            && tag == wanted.to_ascii_lowercase())
}

fn value<'a>(page: &'a Page, node: u32, name: &str) -> Option<&'a str> {
    page.attr(node, name).or_else(|| {
        let upper = name.bytes().any(|b| b.is_ascii_uppercase());
        upper.then(|| page.attr(node, &name.to_ascii_lowercase())).flatten()
    })
}

/// `place` is `a` times a natural number plus `b`.
fn in_progression(place: i64, a: i64, b: i64) -> bool {
    let distance = place - b;
    if a == 0 { distance == 0 } else { distance % a == 0 && distance / a >= 0 }
}

fn fits_test(page: &Page, node: u32, name: &str, value: &str, test: &Test) -> bool {
    let kept = |a: &str, b: &str| a == b;
    let ignored = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    match test.case {
        Case::Kept => compare(value, test, kept),
        Case::Ignored => compare(value, test, ignored),
        Case::Default => {
            compare(value, test, kept)
                || (ignores_case(name) && is_html(page, node) && compare(value, test, ignored))
        }
    }
}

fn compare(value: &str, test: &Test, same: impl Fn(&str, &str) -> bool) -> bool {
    let wanted = test.value.as_str();
    let starts = |wanted: &str| value.get(..wanted.len()).is_some_and(|head| same(head, wanted));
    match test.operator {
        Operator::Equals => same(value, wanted),
        Operator::Word => !wanted.is_empty() && value.split_ascii_whitespace().any(|word| same(word, wanted)),
        Operator::Dash => starts(wanted) && matches!(value.as_bytes().get(wanted.len()), None | Some(b'-')),
        Operator::Prefix => !wanted.is_empty() && starts(wanted),
        Operator::Suffix => {
            let tail = value.len().checked_sub(wanted.len()).and_then(|from| value.get(from..));
            !wanted.is_empty() && tail.is_some_and(|tail| same(tail, wanted))
        }
        Operator::Part => {
            !wanted.is_empty()
                && value
                    .char_indices()
                    .any(|(at, _)| value.get(at..at + wanted.len()).is_some_and(|part| same(part, wanted)))
        }
    }
}

pub(super) fn is_html(page: &Page, node: u32) -> bool {
    let foreign = |node: u32| matches!(page.tag(node), "svg" | "math");
    let root = page.root(node);
    !foreign(node)
        && page
            .element_ancestors(node)
            .take_while(|&above| page.root(above) == root && page.tag(above) != "foreignObject")
            .all(|above| !foreign(above))
}

/// Attributes of HTML elements whose values selectors compare without regard to case, by the HTML standard.
pub(super) fn ignores_case(name: &str) -> bool {
    matches!(
        name,
        "accept"
            | "accept-charset"
            | "align"
            | "alink"
            | "axis"
            | "bgcolor"
            | "charset"
            | "checked"
            | "clear"
            | "codetype"
            | "color"
            | "compact"
            | "declare"
            | "defer"
            | "dir"
            | "direction"
            | "disabled"
            | "enctype"
            | "face"
            | "frame"
            | "hreflang"
            | "http-equiv"
            | "lang"
            | "language"
            | "link"
            | "media"
            | "method"
            | "multiple"
            | "nohref"
            | "noresize"
            | "noshade"
            | "nowrap"
            | "readonly"
            | "rel"
            | "rev"
            | "rules"
            | "scope"
            | "scrolling"
            | "selected"
            | "shape"
            | "target"
            | "text"
            | "type"
            | "valign"
            | "valuetype"
            | "vlink"
    )
}
