//! `--failures`: the selectors that did not survive, with what each of the set means on the new page.

use opentoolbar_core::page::Page;
use opentoolbar_core::selector;
use xtask::step::say;

use super::ours::{SET, found};
use super::survival::Found;
use crate::corpus::{Pair, Target};

/// Longest description of an element.
const LONGEST: usize = 200;

/// Says what became of the selectors of a target, unless both the single one and the set are right.
pub(super) fn print(pair: &Pair, target: &Target, single: Found, set: Found) {
    let is_right = |found: Found| match (found, target.new) {
        (Found::One(node), Some(truth)) => node == truth,
        (Found::None | Found::Several, None) => true,
        _ => false,
    };
    if is_right(single) && is_right(set) {
        return;
    }
    let (old, new) = (&pair.old.page, &pair.new.page);
    let word = |found: Found| match (found, target.new) {
        (Found::None, _) => "lost",
        (Found::Several, _) => "several",
        (Found::One(node), Some(truth)) if node == truth => "right",
        (Found::One(_), Some(_)) => "WRONG",
        (Found::One(_), None) => "HIT",
    };
    say(&format!(
        "{} {} ({}): single {}, set {}",
        pair.set,
        pair.name,
        pair.part.word(),
        word(single),
        word(set)
    ));
    say(&format!("    old   {}", describe(old, target.old)));
    say(&format!("    truth {}", target.new.map_or("gone".to_owned(), |node| describe(new, node))));
    for selector in selector::diverse(old, target.old, SET).unwrap_or_default() {
        say(&format!("    {:<8}{selector}", word(found(new, &selector))));
    }
    if let (Found::One(node), false) = (set, is_right(set)) {
        say(&format!("    set's {}", describe(new, node)));
    }
}

/// An element with what it is in, shortened.
fn describe(page: &Page, node: u32) -> String {
    let one = |node: u32| {
        let attributes: String =
            page.attributes(node).map(|(name, value)| format!(" {name}={value:?}")).collect();
        format!("<{}{attributes}>", page.tag(node))
    };
    let around: Vec<String> =
        [Some(node), page.parent_element(node)].into_iter().flatten().map(one).collect();
    let whole = format!("{} {:?} in {}", around[0], page.text(node, 60), around[1..].concat());
    whole.chars().take(LONGEST).collect()
}
