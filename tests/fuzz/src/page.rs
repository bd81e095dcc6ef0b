//! What the product does with a page once it is decoded.

use opentoolbar_core::anchor::{self, Anchor};
use opentoolbar_core::page::Page;
use opentoolbar_core::selector;

/// Elements of a page that are looked at closely; any one can be the one that a person picks.
const PICKED: u32 = 3;

/// Describes, addresses and anchors a few elements, and finds them again.
pub(crate) fn explore(page: &Page) {
    let _ = page.index();
    let elements: Vec<u32> = (0..page.len()).filter(|&node| page.is_element(node)).collect();
    let mut anchors = Vec::new();
    for part in 0..PICKED {
        // The first, the last and one in the middle.
        let at = elements.len().saturating_sub(1) * part as usize / (PICKED as usize - 1);
        let Some(&node) = elements.get(at) else { return };
        let _ = selector::forms(page, node);
        let Ok(target) = anchor::target_of(page, node, None) else { continue };
        let found = selector::resolve(page, &target.selector);
        assert_eq!(
            found.as_deref(),
            Ok(&[node][..]),
            "{:?} is not the address of node {node}",
            target.selector
        );
        anchors.extend(Anchor::from_base64(&target.anchor));
        let others = target.addresses.map(|addresses| addresses.others).unwrap_or_default();
        let _ = selector::vote(page, &[others, vec![target.selector]].concat(), None);
    }
    assert_eq!(anchor::relocate(page, &anchors).len(), anchors.len(), "each anchor has a verdict");
}

/// A small page with look-alikes, for what needs one.
pub(crate) fn shop() -> Page {
    let page = Page::from_html(SHOP, "http://localhost:5173/cart");
    page.unwrap_or_else(|error| unreachable!("the page is well-formed: {error}"))
}

/// Its HTML.
pub(crate) const SHOP: &str = r#"<!doctype html><html lang="en"><head><title>Cart</title></head><body>
<header><nav aria-label="Main"><a href="/">Home</a> <a href="/cart" aria-current="page">Cart</a></nav></header>
<main id="main" class="page"><h1>Your cart</h1>
<ul class="items"><li data-testid="row-1"><span class="label">Pear</span> <button class="btn">Remove</button></li>
<li data-testid="row-2"><span class="label">Plum</span> <button class="btn">Remove</button></li></ul>
<form action="/buy"><label for="mail">Mail</label><input id="mail" type="email" name="mail" value="a@b.test">
<input type="password" name="p" value="hunter2"><select name="s"><option>1<option selected>2</select>
<template><p>not here</p></template><div><template shadowrootmode="open"><slot></slot><b>in the shadow</b></template>light</div>
<button id="buy" class="btn buy" type="submit">Buy &amp; pay</button></form>
<table><tr><td>1<td>2<tr><td>3</table><svg viewBox="0 0 1 1"><linearGradient id="g"/></svg></main></body></html>"#;
