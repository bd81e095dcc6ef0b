//! How much an anchor may hold of what is looked for one by one. Whoever sends an anchor can write any number into it:
//! what is read is never more than what is made.

use crate::selector::MAX_DIVERSE;

/// Most bytes of an anchor's selectors, with one more for each.
const SELECTORS_BYTES: usize = 400;

/// The selectors that there is room for, in their order. Each costs a search of the whole page.
pub(super) fn selectors<S: AsRef<str>>(all: impl IntoIterator<Item = S>) -> Vec<S> {
    let mut room = SELECTORS_BYTES;
    let fits = |selector: &S| {
        let bytes = selector.as_ref().len();
        let fits = bytes > 0 && bytes < room;
        room -= if fits { bytes + 1 } else { 0 };
        fits
    };
    all.into_iter().filter(fits).take(MAX_DIVERSE).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what cannot be")]
    use super::super::fingerprint::Anchor;
    use super::*;
    use crate::page::arbitrary::{el, page, text};

    #[test]
    fn of_a_forged_anchor_no_more_selectors_are_looked_for_than_of_our_own() {
        let page = page(vec![el("p", &[("id", "it")], vec![text("Lund")])]);
        let node = page.with_attr("id", "it")[0];
        let own = Anchor::of(&page, node, &["#it", "p", ""]).unwrap();
        assert_eq!(own.base.selectors, ["#it", "p"]);
        for (selector, many) in
            [("*", 900), ("*~*", 400), ("#a~*>*~*>*~*>*~*>*~*", 80), (&"a".repeat(399), 4)]
        {
            let mut forged = own.clone();
            forged.base.selectors = vec![selector.to_owned(); many];
            let read = Anchor::decode(&forged.encode()).unwrap();
            let bytes: usize = read.base.selectors.iter().map(|selector| selector.len() + 1).sum();
            assert!(
                (1..=MAX_DIVERSE).contains(&read.base.selectors.len()) && bytes <= SELECTORS_BYTES,
                "{selector}"
            );
        }
        assert_eq!(Anchor::decode(&own.encode()).unwrap(), own);
    }
}
