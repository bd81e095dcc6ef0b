//! Later versions of a page, made up: texts, attributes and class names change, elements come, go, move and are wrapped.

mod edits;
mod rates;
mod tree;
mod words;

use opentoolbar_core::page::Page;

pub(super) use rates::Rates;
use tree::Tree;

use super::random::Random;

/// A later version of `page`, and for each of `targets` where it is there.
pub(super) fn mutate(
    page: &Page,
    targets: &[u32],
    rates: &Rates,
    random: &mut Random,
) -> Option<(Page, Vec<Option<u32>>)> {
    let mut tree = Tree::of(page);
    tree.edit_all(rates, random);
    let wanted: Vec<usize> = (1..tree.pieces.len())
        .filter(|&at| tree.pieces[at].origin.is_some_and(|origin| targets.contains(&origin)))
        .collect();
    for at in wanted {
        if random.chance(rates.gone) {
            tree.delete(at);
        } else if random.chance(rates.edited) {
            tree.edit_one(at, random);
        } else if random.chance(rates.displaced) {
            tree.displace(at, random);
        }
    }
    if random.chance(0.25) {
        tree.forget_boxes();
    }
    tree.write(targets)
}

/// A part of a page as a page of its own: small apps are as common as large ones.
pub(super) fn crop(page: &Page, random: &mut Random) -> Option<Page> {
    let mut tree = Tree::of(page);
    let fits = |at: usize| (30..400).contains(&tree.size(at, 400));
    let at = (0..60).map(|_| random.below(tree.pieces.len())).find(|&at| tree.is_element(at) && fits(at))?;
    tree.pieces[0].children = vec![at];
    tree.write(&[]).map(|(page, _)| page)
}
