//! From an element to its selectors: what is asked of the search, tree by tree, and what is checked of its answer.

use super::avoided::Avoided;
use super::names::Names;
use super::places::by_places;
use super::resolve::resolve_segment;
use super::search::Search;
use super::syntax::{Path, Segment, Simple};
use super::vote::own_words;
use super::{MAX_SELECTOR_BYTES, SelectorError};
use crate::page::Page;

/// Most selectors that one element is given.
pub(crate) const MAX_DIVERSE: usize = 8;
/// The longest that is kept besides the first.
const MAX_DIVERSE_BYTES: usize = 240;

/// A unique selector of an element. It resolves to exactly that element on this page; that is checked, not assumed.
///
/// # Errors
/// When `node` is no element, or (beyond any page seen) the selector would be longer than [`MAX_SELECTOR_BYTES`].
pub fn generate(page: &Page, node: u32) -> Result<String, SelectorError> {
    Ok(checked(page, node, &Avoided::default())?.1)
}

/// Up to `most` unique selectors of one element, the one that [`generate`] returns first. Each further one rests on
/// other names than those before it, so that one change of the page does not break them all.
///
/// # Errors
/// As [`generate`].
pub fn diverse(page: &Page, node: u32, most: usize) -> Result<Vec<String>, SelectorError> {
    let mut avoided = Avoided::default();
    let (mut last, selector) = checked(page, node, &avoided)?;
    let mut has_words = own_words(&last).next().is_some();
    let mut counted = None;
    let mut found = vec![selector];
    while found.len() < most.min(MAX_DIVERSE) {
        let known = avoided.names.len();
        let compounds = last.0.iter().flat_map(|segment| &segment.0).map(|step| &step.compound);
        for one in compounds.flat_map(|compound| &compound.0).flat_map(Simple::parts) {
            if !avoided.names.contains(one) {
                avoided.names.push(one.clone());
            }
        }
        avoided.note(&last);
        if avoided.names.len() == known {
            break;
        }
        let Ok((path, selector)) = checked(page, node, &avoided) else { break };
        last = path;
        if selector.len() > MAX_DIVERSE_BYTES {
            break;
        }
        if !found.contains(&selector) {
            has_words |= own_words(&last).next().is_some();
            if is_counted(&last) {
                counted = Some((found.len(), last.clone()));
            }
            found.push(selector);
        }
    }
    if let Some((at, path)) = counted.filter(|_| !has_words)
        && let Some(path) = with_words(page, node, path)
        && let Some(slot) = found.get_mut(at)
    {
        *slot = path.to_string();
    }
    Ok(found)
}

/// Whether a place of the element itself is counted.
fn is_counted(path: &Path) -> bool {
    let last = path.0.last().and_then(|segment| segment.0.last());
    last.is_some_and(|step| step.compound.0.iter().any(|simple| matches!(simple, Simple::Nth { .. })))
}

/// The path with what the element says besides.
fn with_words(page: &Page, node: u32, mut path: Path) -> Option<Path> {
    let names = Names::of(page);
    let words = names.get(page, node).iter().find(|name| name.is_text())?;
    path.0.last_mut()?.0.last_mut()?.compound.0.push(words.simple(page, node));
    Some(path)
}

/// A path and how it is written, without names that are avoided.
pub(super) fn checked(page: &Page, node: u32, avoided: &Avoided) -> Result<(Path, String), SelectorError> {
    if !page.is_element(node) {
        return Err(SelectorError::NotAnElement { node });
    }
    let names = Names::of(page);
    let mut segments = Vec::new();
    let mut target = Some(node);
    while let Some(element) = target {
        let segment = in_its_tree(page, &names, element, avoided);
        segments.push(segment.ok_or(SelectorError::NotUnique { node })?);
        target = page.root(element).and_then(|root| page.host(root));
    }
    segments.reverse();
    let path = Path(segments);
    let selector = path.to_string();
    if selector.len() <= MAX_SELECTOR_BYTES {
        Ok((path, selector))
    } else {
        Err(SelectorError::NotUnique { node })
    }
}

/// The cheapest segment that means the element alone in its tree; that is asked of the resolver, not assumed. Segment
/// by segment that is what a whole path means, as each leads into the one tree that the element of the one before has.
fn in_its_tree(page: &Page, names: &Names, node: u32, avoided: &Avoided) -> Option<Segment> {
    let root = page.root(node)?;
    let means_it = |segment: &Segment| resolve_segment(page, root, segment) == [node];
    let found = Search::new(page, names, node, avoided).best();
    let places = [true, false].into_iter().map(|of_type| by_places(page, node, of_type));
    found.into_segments().chain(places).find(means_it)
}
