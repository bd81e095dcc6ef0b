//! Pages whose elements are marked for a test, and are looked at without the marks.

use std::collections::BTreeMap;

use opentoolbar_core::page::Page;

/// The attribute that marks a target. It is taken out before the pages are what is tested.
pub(crate) const MARK: &str = "data-case";
const URL: &str = "http://localhost:5173/";

/// The page without marks, and the marked nodes by mark.
pub(crate) fn page(name: &str, html: &str) -> Result<(Page, BTreeMap<String, u32>), String> {
    let parse = |html: &str| Page::from_html(html, URL).map_err(|error| format!("{name}: {error}"));
    let marked = parse(html)?;
    let mut marks = BTreeMap::new();
    let mut bare = html.to_owned();
    for node in marked.elements() {
        let Some(mark) = marked.attr(node, MARK) else { continue };
        if marks.insert(mark.to_owned(), node).is_some() {
            return Err(format!("{name} marks two elements {MARK}=\"{mark}\""));
        }
        bare = bare.replace(&format!(" {MARK}=\"{mark}\""), "");
        // In a frame's `srcdoc`.
        bare = bare.replace(&format!(" {MARK}=&quot;{mark}&quot;"), "");
    }
    if bare.contains(MARK) {
        return Err(format!(
            "{name} has a mark that no element bears, or that is not written {MARK}=\"name\" after a blank"
        ));
    }
    let page = parse(&bare)?;
    // Without its marks a page has the same nodes, so the indexes hold.
    let same = page.len() == marked.len() && page.elements().all(|node| page.tag(node) == marked.tag(node));
    if same { Ok((page, marks)) } else { Err(format!("{name} is another page without its marks")) }
}
