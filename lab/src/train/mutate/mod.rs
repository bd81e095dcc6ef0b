//! Later versions of a page, made up: texts, attributes and class names change, elements come, go, move and are
//! wrapped.

mod edits;
mod flow;
mod rates;
mod texts;
mod tree;
mod versions;
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
    let slots = tree.slots();
    let wanted: Vec<usize> = (1..tree.pieces.len())
        .filter(|&at| tree.pieces[at].origin.is_some_and(|origin| targets.contains(&origin)))
        .collect();
    if rates.redo.is_some() {
        tree.redo(&rates.redo, &wanted, random);
    }
    tree.edit_all(rates, random);
    for at in wanted {
        if random.chance(rates.gone) {
            if rates.redo.is_some() {
                tree.take_away(at, &rates.redo, random)
            } else {
                tree.delete(at)
            }
            continue;
        }
        if random.chance(rates.edited) {
            tree.edit_one(at, random);
        }
        if random.chance(rates.moved) {
            tree.shift(at, random);
        } else if random.chance(rates.displaced) {
            tree.displace(at, random);
        }
    }
    tree.flow(&slots);
    if random.chance(0.25) {
        tree.forget_boxes();
    }
    tree.write(targets)
}

/// The page as a tool builds it that puts a hash behind every class name.
pub(super) fn built(page: &Page, random: &mut Random) -> Option<Page> {
    let mut tree = Tree::of(page);
    tree.build(random);
    tree.write(&[]).map(|(page, _)| page)
}

/// A part of a page as a page of its own: small apps are as common as large ones.
pub(super) fn crop(page: &Page, random: &mut Random) -> Option<Page> {
    let mut tree = Tree::of(page);
    let fits = |at: usize| (30..400).contains(&tree.size(at, 400));
    let at = (0..60).map(|_| random.below(tree.pieces.len())).find(|&at| tree.is_element(at) && fits(at))?;
    tree.pieces[0].children = vec![at];
    tree.write(&[]).map(|(page, _)| page)
}
