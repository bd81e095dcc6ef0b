//! The same address in the forms that tests are written in: plain CSS, XPath 1.0, a Playwright locator.

use super::SelectorError;
use super::avoided::Avoided;
use super::generate::checked;
use super::matching::{fits, is_html};
use super::resolve::candidates;
use super::syntax::{Combinator, Compound, Path, Segment, Simple};
use crate::element::{accessible_name, redact_text, role};
use crate::page::{NodeKind, Page};

/// Most elements with one role whose names are compared.
const MAX_SAME_ROLE: usize = 400;

/// Most nodes in which a name is looked for.
const MAX_PIECES: usize = 100;

/// One element's address in other notations. Each means that element alone on the page it was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forms {
    /// CSS without tests of texts: valid for `querySelector` as it stands when the element is in the page's own
    /// document, else one part for each tree with ` >>> ` between.
    pub css: String,
    /// XPath 1.0 from the root of the element's tree; the trees before it, if any, as in `css`, with ` >>> ` between.
    pub xpath: String,
    /// A chain of calls that begins with `page.`; absent where Playwright's own piercing of shadow roots leaves no
    /// locator that is certainly unique.
    pub playwright: Option<String>,
}

/// An element's address in the forms that tests are written in.
///
/// # Errors
/// As [`super::generate`].
pub fn forms(page: &Page, node: u32) -> Result<Forms, SelectorError> {
    let (path, css) = checked(page, node, &Avoided { texts: true, ..Avoided::default() })?;
    let (readable, _) = checked(page, node, &Avoided::default())?;
    let mut trees = Vec::new();
    let mut tree = page.root(node);
    while let Some(root) = tree {
        trees.push(root);
        tree = page.host(root).and_then(|host| page.root(host));
    }
    trees.reverse();
    let mut xpath = String::new();
    for (at, segment) in path.0.iter().enumerate() {
        let root = trees.get(at).copied().unwrap_or(0);
        if at + 1 < path.0.len() {
            xpath.push_str(&segment.to_string());
            xpath.push_str(" >>> ");
        } else {
            let texts = readable.0.get(at).filter(|readable| texts_are_plain(page, root, readable));
            write_xpath(&mut xpath, page, texts.unwrap_or(segment));
        }
    }
    let playwright = playwright(page, node, &path, &trees, &xpath);
    Ok(Forms { css, xpath, playwright })
}

/// Whether XPath sees each text that is tested as the page holds it: in one piece.
fn texts_are_plain(page: &Page, root: u32, segment: &Segment) -> bool {
    let compounds = segment.0.iter().map(|step| &step.compound);
    let held = compounds.clone().flat_map(|compound| &compound.0).filter_map(|simple| match simple {
        Simple::Has(inner) => Some(inner),
        _ => None,
    });
    compounds.chain(held).all(|compound| {
        compound.0.iter().all(|simple| {
            let Simple::Text { whole, text } = simple else { return true };
            candidates(page, root, compound).into_iter().all(|node| {
                let first = page.subtree(node).find(|&one| page.kind(one) == Some(NodeKind::Text));
                let Some(first) = first else { return false };
                // XPath folds no other white space than this.
                let is_plain = |c: char| !c.is_whitespace() || matches!(c, ' ' | '\t' | '\n' | '\r');
                let said = page.own_text(first, 200);
                page.data(first).chars().all(is_plain)
                    && if *whole { said == *text } else { said.starts_with(text.as_str()) }
            })
        })
    })
}

fn write_xpath(out: &mut String, page: &Page, segment: &Segment) {
    for (at, step) in segment.0.iter().enumerate() {
        let top = step.compound.0.iter().any(|simple| matches!(simple, Simple::Root | Simple::Top));
        out.push_str(match step.combinator {
            _ if at == 0 && top => "/",
            _ if at == 0 => "//",
            Combinator::Inside => "//",
            Combinator::Child => "/",
            Combinator::NextSibling => "/following-sibling::*[1]/self::",
            Combinator::LaterSibling => "/following-sibling::",
        });
        write_node(out, page, &step.compound);
    }
}

fn write_node(out: &mut String, page: &Page, compound: &Compound) {
    let tag = compound.0.iter().find_map(|simple| match simple {
        Simple::Tag(tag) => Some(tag.as_str()),
        _ => None,
    });
    match tag {
        Some(tag) if page.with_tag(tag).first().is_some_and(|&one| is_html(page, one)) => out.push_str(tag),
        Some(tag) => {
            out.push('*');
            condition(out, ["local-name()", "", "="], tag, "");
        }
        None => out.push('*'),
    }
    // Places count the elements of that name, so they come before all other conditions.
    for simple in &compound.0 {
        if let Simple::Nth { place, a: 0, b } = simple {
            out.push('[');
            match (place.from_end, b) {
                (false, b) => out.push_str(&b.to_string()),
                (true, 1) => out.push_str("last()"),
                (true, b) => {
                    out.push_str("last()-");
                    out.push_str(&(b - 1).to_string());
                }
            }
            out.push(']');
        }
    }
    for simple in &compound.0 {
        match simple {
            Simple::Id(id) => condition(out, ["@id", "", "="], id, ""),
            Simple::Class(class) => {
                let class = [" ", class, " "].concat();
                condition(out, ["contains(", "concat(' ',normalize-space(@class),' ')", ","], &class, ")");
            }
            Simple::Attribute { name, test: Some(test) } if name.contains(':') => {
                condition(out, ["@*[name()='", name, "']="], &test.value, "");
            }
            Simple::Attribute { name, test: Some(test) } => condition(out, ["@", name, "="], &test.value, ""),
            Simple::Text { whole: true, text } => condition(out, ["normalize-space()", "", "="], text, ""),
            Simple::Text { whole: false, text } => {
                condition(out, ["starts-with(", "normalize-space()", ","], text, ")");
            }
            Simple::Has(inner) => {
                out.push_str("[.//");
                write_node(out, page, inner);
                out.push(']');
            }
            _ => {}
        }
    }
}

/// `[before"value"after]`, the value as a string of XPath, which knows no escapes.
fn condition(out: &mut String, before: [&str; 3], value: &str, after: &str) {
    out.push('[');
    before.into_iter().for_each(|part| out.push_str(part));
    let quote = if value.contains('\'') { '"' } else { '\'' };
    if value.contains(quote) {
        // Both kinds: pieces without a double quote, and double quotes.
        out.push_str("concat(");
        for (at, piece) in value.split('"').enumerate() {
            out.push_str(if at == 0 { "\"" } else { ",'\"',\"" });
            out.push_str(piece);
            out.push('"');
        }
        out.push(')');
    } else {
        out.push(quote);
        out.push_str(value);
        out.push(quote);
    }
    out.push_str(after);
    out.push(']');
}

fn playwright(page: &Page, node: u32, path: &Path, trees: &[u32], xpath: &str) -> Option<String> {
    let mut chain = String::from("page");
    let last = path.0.len().checked_sub(1)?;
    // What the chain so far reaches into: a document, or the host of a shadow root.
    let mut scope = 0;
    let by_words = by_words(page, node);
    for (at, segment) in path.0.iter().enumerate() {
        let inner = trees.get(at + 1).copied();
        let into_frame = inner.is_some_and(|root| page.kind(root) == Some(NodeKind::Document));
        if let (true, Some(words)) = (at == last, &by_words) {
            chain.push_str(words);
        } else if at < last && !into_frame && by_words.is_some() {
            // Playwright looks into open shadow roots by itself, and words are unique in the whole document.
            continue;
        } else {
            let css = segment.to_string();
            let root = trees.get(at).copied().unwrap_or(0);
            let (call, text) = if !is_pierced(page, scope, root, segment) {
                (if into_frame { ".frameLocator(" } else { ".locator(" }, css)
            } else if at == last && page.kind(root) == Some(NodeKind::Document) && at == 0 {
                (".locator(", ["xpath=", xpath].concat())
            } else {
                return None;
            };
            chain.push_str(call);
            quote(&mut chain, &text);
            chain.push(')');
        }
        if let Some(root) = inner {
            scope = if into_frame { root } else { page.host(root)? };
        }
    }
    Some(chain)
}

/// Whether Playwright, which lets CSS look into open shadow roots, could find more than the segment means in its tree.
fn is_pierced(page: &Page, scope: u32, root: u32, segment: &Segment) -> bool {
    let frame = frame_of(page, root);
    let here = |node: u32| frame_of(page, node) == frame;
    if !page.subtree(scope).any(|node| page.kind(node) == Some(NodeKind::ShadowRoot) && here(node)) {
        return false;
    }
    let Some(step) = segment.0.last() else { return true };
    let found = page.subtree(scope).skip(1).filter(|&node| page.is_element(node) && here(node));
    found.filter(|&node| fits(page, node, &step.compound)).nth(1).is_some()
}

/// `.getByTestId('save')`, `.getByRole('button', { name: 'Save', exact: true })`,
/// `.getByLabel('Email', { exact: true })`.
fn by_words(page: &Page, node: u32) -> Option<String> {
    let frame = frame_of(page, node);
    let mut call = String::new();
    if let Some(id) = page.attr(node, "data-testid") {
        let same = page.with_attr("data-testid", id).iter();
        if same.filter(|&&other| frame_of(page, other) == frame).count() == 1 {
            call.push_str(".getByTestId(");
            quote(&mut call, id);
            call.push(')');
            return Some(call);
        }
    }
    if !is_heard(page, node) {
        return None;
    }
    let name = accessible_name(page, node).filter(|name| redact_text(name) == *name)?;
    if !is_one_piece(page, node, &name) {
        return None;
    }
    let own = role(page, node).filter(|role| NAMED_ROLES.contains(role))?;
    let same = |&other: &u32| {
        page.is_element(other) && role(page, other) == Some(own) && frame_of(page, other) == frame
    };
    let others: Vec<u32> = (0..page.len()).filter(same).take(MAX_SAME_ROLE + 1).collect();
    let alone = others.len() <= MAX_SAME_ROLE
        && others.iter().all(|&other| other == node || accessible_name(page, other).as_ref() != Some(&name));
    if !alone {
        return None;
    }
    call.push_str(".getByRole('");
    call.push_str(own);
    call.push_str("', { name: ");
    quote(&mut call, &name);
    call.push_str(", exact: true })");
    Some(call)
}

/// Whether an element is in the accessibility tree: what is hidden has no role.
fn is_heard(page: &Page, node: u32) -> bool {
    let mut inner = node;
    let is_open = page.element_ancestors(node).all(|above| {
        let folded = page.tag(above) == "details" && page.attr(above, "open").is_none();
        let is_shown = !folded || page.tag(inner) == "summary";
        inner = above;
        is_shown
    });
    let mut around = std::iter::once(node).chain(page.element_ancestors(node));
    page.is_visible(node) && is_open && !around.any(|one| page.attr(one, "aria-hidden") == Some("true"))
}

/// Whether a name stands somewhere in one piece. White space between tags is not captured, so that of pieces nobody can
/// say whether a browser joins them.
fn is_one_piece(page: &Page, node: u32, name: &str) -> bool {
    let label = page.element_ancestors(node).find(|&above| page.tag(above) == "label");
    let labelled = page.id(node).and_then(|id| page.with_attr("for", id).first().copied());
    [Some(node), label, labelled].into_iter().flatten().any(|one| {
        page.subtree(one).take(MAX_PIECES).any(|piece| match page.kind(piece) {
            Some(NodeKind::Text) => page.own_text(piece, 2 * name.len() + 2) == name,
            _ => page.attributes(piece).any(|(_, value)| value.trim() == name),
        })
    })
}

/// Roles that a person would look for by name.
const NAMED_ROLES: [&str; 15] = [
    "button",
    "checkbox",
    "combobox",
    "heading",
    "img",
    "link",
    "menuitem",
    "option",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
];

/// The document that an element or root belongs to, through shadow roots.
fn frame_of(page: &Page, node: u32) -> Option<u32> {
    std::iter::successors(page.root(node), |&root| page.host(root).and_then(|host| page.root(host)))
        .find(|&root| page.kind(root) == Some(NodeKind::Document))
}

/// A string of JavaScript in single quotes.
fn quote(out: &mut String, text: &str) {
    out.push('\'');
    for c in text.chars() {
        match c {
            '\'' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            _ => out.push(c),
        }
    }
    out.push('\'');
}
