//! Finds what a selector means. Works from left to right with sets of elements, so the cost grows with the page and
//! the number of steps, never with their combinations.

use super::SelectorError;
use super::matching::{fits, ignores_case};
use super::parse::parse;
use super::syntax::{Case, Combinator, Compound, Operator, Path, Segment, Simple, Test};
use crate::page::{KEY_LETTERS, Page};
use crate::sort;

/// All elements that a selector means, in document order of the innermost tree; a good address means exactly one.
///
/// # Errors
/// When the selector is not in the notation of this module.
pub fn resolve(page: &Page, selector: &str) -> Result<Vec<u32>, SelectorError> {
    Ok(resolve_path(page, &parse(selector)?))
}

pub(super) fn resolve_path(page: &Page, path: &Path) -> Vec<u32> {
    let mut roots = vec![0];
    let mut found = Vec::new();
    for (at, segment) in path.0.iter().enumerate() {
        if at > 0 {
            roots = found.iter().filter_map(|&element| page.inner_root(element)).collect();
        }
        found = roots.iter().flat_map(|&root| resolve_segment(page, root, segment)).collect();
    }
    found
}

/// All elements of one tree that a segment means, in document order.
pub(super) fn resolve_segment(page: &Page, root: u32, segment: &Segment) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    for (at, step) in segment.0.iter().enumerate() {
        let compound = &step.compound;
        found = match step.combinator {
            _ if at == 0 => holders(page, root, compound),
            _ if found.is_empty() => break,
            Combinator::Inside => inside(page, &found, compound),
            Combinator::Child => children(page, &found, compound),
            Combinator::NextSibling => {
                let next = found.iter().filter_map(|&node| page.next_element(node));
                let mut next: Vec<u32> = next.filter(|&node| fits(page, node, compound)).collect();
                sort::plain(&mut next);
                next
            }
            Combinator::LaterSibling => later_siblings(page, &found, compound),
        };
        // Where a whole tree was looked through, that was done by way of the first that is asked for.
        let done = at == 0 || step.combinator == Combinator::Inside;
        keep_holders(page, root, &mut found, wanted(compound).skip(usize::from(done)));
    }
    found
}

/// What the compound asks for with `:has()`.
fn wanted(compound: &Compound) -> impl Iterator<Item = &Compound> {
    compound.0.iter().filter_map(|simple| match simple {
        Simple::Has(inner) => Some(inner),
        _ => None,
    })
}

/// Elements inside of `within` and of its tree that fit and hold what the first `:has()` asks for. They are found
/// upwards from what they hold, which is rare, rather than by looking into each that fits.
fn holders(page: &Page, within: u32, compound: &Compound) -> Vec<u32> {
    let Some(inner) = wanted(compound).next() else { return candidates(page, within, compound) };
    let mut found = Vec::new();
    let mut last = None;
    for held in candidates(page, within, inner) {
        for above in page.ancestors(held).take_while(|&above| above != within) {
            // What contains the last one was found from there, unless it is that one.
            if last.is_some_and(|last| last != above && page.contains(above, last)) {
                break;
            }
            if fits(page, above, compound) {
                found.push(above);
            }
        }
        last = Some(held);
    }
    sort::plain(&mut found);
    found
}

/// Leaves the elements that hold each of what is `wanted`.
fn keep_holders<'c>(
    page: &Page,
    root: u32,
    found: &mut Vec<u32>,
    wanted: impl Iterator<Item = &'c Compound>,
) {
    for inner in wanted {
        if !found.is_empty() {
            let held = candidates(page, root, inner);
            found.retain(|&node| {
                let next = held.partition_point(|&one| one <= node);
                held.get(next).is_some_and(|&one| page.contains(node, one))
            });
        }
    }
}

/// Sets this small are walked child by child; larger ones are joined with an index list.
const FEW: usize = 4;

fn children(page: &Page, parents: &[u32], compound: &Compound) -> Vec<u32> {
    if parents.len() <= FEW {
        let children = parents.iter().flat_map(|&parent| page.element_children(parent));
        let mut found: Vec<u32> = children.filter(|&child| fits(page, child, compound)).collect();
        sort::plain(&mut found);
        return found;
    }
    let mut found = inside(page, parents, compound);
    found.retain(|&node| page.parent(node).is_some_and(|parent| parents.binary_search(&parent).is_ok()));
    found
}

fn inside(page: &Page, outer: &[u32], compound: &Compound) -> Vec<u32> {
    let mut found = Vec::new();
    let mut covered = 0;
    for &node in outer {
        // Subtrees nest or stand apart: what lies in one that was searched already adds nothing.
        if node >= covered {
            found.extend(holders(page, node, compound));
            covered = page.subtree(node).end;
        }
    }
    found
}

fn later_siblings(page: &Page, before: &[u32], compound: &Compound) -> Vec<u32> {
    // Of those with one parent the first says it all.
    let mut firsts: Vec<(u32, u32)> =
        before.iter().filter_map(|&node| Some((page.parent(node)?, node))).collect();
    sort::plain(&mut firsts);
    firsts.dedup_by_key(|&mut (parent, _)| parent);
    let mut found = Vec::new();
    for (parent, node) in firsts {
        let later = page.element_children(parent).filter(|&child| child > node);
        found.extend(later.filter(|&child| fits(page, child, compound)));
    }
    sort::plain(&mut found);
    found
}

/// Elements inside of `within` and of its tree that fit, by way of the shortest index list.
pub(super) fn candidates(page: &Page, within: u32, compound: &Compound) -> Vec<u32> {
    let lists = compound.0.iter().filter_map(|simple| list(page, simple));
    let shortest = lists.map(|list| page.in_subtree(list, within)).min_by_key(|list| list.len());
    if let Some(list) = shortest {
        return list.iter().copied().filter(|&node| fits(page, node, compound)).collect();
    }
    let root = page.root(within);
    let all = page.subtree(within).skip(1).filter(|&node| page.is_element(node) && page.root(node) == root);
    all.filter(|&node| fits(page, node, compound)).collect()
}

/// The index list that holds every element that fits `simple`, if there is one.
fn list<'a>(page: &'a Page, simple: &Simple) -> Option<&'a [u32]> {
    match simple {
        Simple::Tag(name) => {
            let lower = name.to_ascii_lowercase();
            let as_is = page.with_tag(name);
            if lower == *name {
                return Some(as_is);
            }
            match (as_is, page.with_tag(&lower)) {
                ([], html) => Some(html),
                (other, []) => Some(other),
                _ => None,
            }
        }
        Simple::Id(id) => Some(page.with_attr("id", id)),
        Simple::Class(class) => Some(page.with_class(class)),
        Simple::Attribute { name, test } if !name.bytes().any(|b| b.is_ascii_uppercase()) => match test {
            Some(Test { operator: Operator::Equals, value, case: Case::Default | Case::Kept })
                if !ignores_case(name) && name != "class" && name != "style" =>
            {
                Some(page.with_attr(name, value))
            }
            _ => Some(page.with_attr_name(name)),
        },
        Simple::Text { whole, text } => {
            let keyed = *whole || text.chars().filter(|c| !c.is_whitespace()).nth(KEY_LETTERS - 1).is_some();
            keyed.then(|| page.with_letters(text))
        }
        _ => None,
    }
}
