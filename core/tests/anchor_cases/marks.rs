//! Pages whose elements are marked for a test, and are looked at without the marks.

use std::collections::BTreeMap;

use opentoolbar_core::page::Page;

/// The attribute that marks a target. It is taken out before the pages are what is tested.
pub(crate) const MARK: &str = "data-case";
const URL: &str = "http://localhost:5173/";

/// The page without marks, and the marked nodes by mark.
pub(crate) fn page(name: &str, html: &str) -> Result<(Page, BTreeMap<String, u32>), String> {
    let (bare, marks) = without(name, html, MARK)?;
    Ok((parse(name, &bare)?, marks))
}

fn parse(name: &str, html: &str) -> Result<Page, String> {
    Page::from_html(html, URL).map_err(|error| format!("{name}: {error}"))
}

/// The HTML without the marks of one attribute, and the nodes that it marked, by mark.
pub(crate) fn without(
    name: &str,
    html: &str,
    attribute: &str,
) -> Result<(String, BTreeMap<String, u32>), String> {
    let marked = parse(name, html)?;
    let mut marks = BTreeMap::new();
    let mut bare = html.to_owned();
    for node in marked.elements() {
        let Some(mark) = marked.attr(node, attribute) else { continue };
        if marks.insert(mark.to_owned(), node).is_some() {
            return Err(format!("{name} marks two elements {attribute}=\"{mark}\""));
        }
        bare = bare.replace(&format!(" {attribute}=\"{mark}\""), "");
        // In a frame's `srcdoc`.
        bare = bare.replace(&format!(" {attribute}=&quot;{mark}&quot;"), "");
    }
    if bare.contains(attribute) {
        return Err(format!(
            "{name} has a mark that no element bears, or that is not written {attribute}=\"name\" after a blank"
        ));
    }
    let page = parse(name, &bare)?;
    // Without its marks a page has the same nodes, so the indexes hold.
    let same = page.len() == marked.len() && page.elements().all(|node| page.tag(node) == marked.tag(node));
    if same { Ok((bare, marks)) } else { Err(format!("{name} is another page without its marks")) }
}
