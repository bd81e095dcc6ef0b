//! Pages from HTML, and what names an element of one: selectors and anchors.

use std::cell::OnceCell;

use opentoolbar::check::Html;
use opentoolbar_core::anchor::{self, Anchor};
use opentoolbar_core::page::Page;
use opentoolbar_core::selector;

use crate::{Target, page, seeds};

thread_local! {
    static SHOP: OnceCell<Page> = const { OnceCell::new() };
    static ANCHORS: OnceCell<Vec<Anchor>> = const { OnceCell::new() };
}

/// A file or an answer of a server, as `check` reads it.
pub(super) const HTML: Target = Target {
    name: "html",
    is_json: false,
    run: |input| {
        let Ok(html) = Html::from_bytes(input.to_vec(), "http://localhost:5173/") else { return };
        let Ok(decoded) = html.page() else { return };
        page::explore(&decoded);
        ANCHORS.with(|anchors| {
            let anchors = anchors.get_or_init(seeds::anchors);
            assert_eq!(anchor::relocate(&decoded, anchors).len(), anchors.len(), "each anchor has a verdict");
        });
    },
    seeds: seeds::html,
};

/// A selector that a comment carries.
pub(super) const SELECTOR: Target = Target {
    name: "selector",
    is_json: false,
    run: |input| {
        let text = String::from_utf8_lossy(input);
        SHOP.with(|shop| {
            let shop = shop.get_or_init(page::shop);
            let found = selector::resolve(shop, &text);
            let _ = selector::vote(shop, &[text.clone().into_owned(), "#buy".to_owned()], Some(&text));
            let elements = found.unwrap_or_default();
            assert!(elements.iter().all(|&node| shop.is_element(node)), "{text:?} found what is no element");
        });
    },
    seeds: seeds::selectors,
};

/// An anchor that a comment carries, looked for.
pub(super) const ANCHOR: Target = Target {
    name: "anchor",
    is_json: false,
    run: |input| {
        let _ = Anchor::from_base64(&String::from_utf8_lossy(input));
        let Ok(anchor) = Anchor::decode(input) else { return };
        assert_eq!(Anchor::decode(&anchor.encode()).as_ref(), Ok(&anchor), "an anchor survives being stored");
        SHOP.with(|shop| {
            let shop = shop.get_or_init(page::shop);
            assert_eq!(
                anchor::relocate(shop, &[anchor.clone(), anchor]).len(),
                2,
                "each anchor has a verdict"
            );
        });
    },
    seeds: || seeds::anchors().iter().map(Anchor::encode).collect(),
};
