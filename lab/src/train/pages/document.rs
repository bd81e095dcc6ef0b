//! One version of a page, with what is asked of its elements again and again.

use opentoolbar_core::page::{NodeKind, Page};

use super::texts::{self, Words};

/// Fewest and most elements of a page that is compared.
const SIZES: std::ops::Range<usize> = 25..6_000;
/// Most bytes of an element's whole text that are compared.
const LONGEST: usize = 20_000;
/// Nobody points at them, and they are no part of what the corpus keeps of a page.
const LEFT_OUT: [&str; 7] = ["script", "style", "link", "noscript", "template", "meta", "base"];

/// Tags that stand in for one another from one version to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Box,
    Heading,
    Action,
    Control,
    Term,
    Description,
    Image,
    Text,
    Other,
}

/// Which part of the page an element is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    Main,
    Navigation,
    Footer,
}

#[derive(Debug)]
pub(super) struct Element {
    pub(super) tag: String,
    pub(super) parent: Option<usize>,
    pub(super) attributes: Vec<(String, String)>,
    /// The texts that are its own, and of all that is in it; with single blanks.
    pub(super) own: String,
    pub(super) text: String,
    pub(super) words: Words,
    pub(super) kids: Vec<usize>,
    pub(super) visible: bool,
    /// Inside of the body.
    pub(super) in_body: bool,
    pub(super) region: Region,
    /// Elements in it, with itself.
    pub(super) size: usize,
}

#[derive(Debug)]
pub(super) struct Document {
    /// As `querySelectorAll('*')` gives them.
    pub(super) elements: Vec<Element>,
}

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(have, _)| have == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    pub(super) fn group(&self) -> Group {
        match self.tag.as_str() {
            "div" | "section" | "article" | "main" | "aside" | "nav" | "header" | "footer" | "form"
            | "ul" | "ol" | "dl" | "fieldset" | "table" | "figure" => Group::Box,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Group::Heading,
            "a" | "button" => Group::Action,
            "input" | "select" | "textarea" => Group::Control,
            "dt" => Group::Term,
            "dd" => Group::Description,
            "img" | "picture" | "svg" => Group::Image,
            "p" | "span" | "em" | "strong" | "b" | "i" | "code" | "pre" | "label" | "li" | "td" | "th"
            | "small" => Group::Text,
            _ => Group::Other,
        }
    }

    /// Whether one may have become the other, by their tags.
    pub(super) fn is_akin(&self, other: &Self) -> bool {
        self.tag == other.tag || (self.group() != Group::Other && self.group() == other.group())
    }

    /// Whether both say nothing, or something in common.
    pub(super) fn says_alike(&self, other: &Self, least: f32) -> bool {
        self.text == other.text || self.words.shared(&other.words) >= least
    }
}

impl Document {
    /// Nothing if it is too small, too large, or the source of a page that is yet to be made.
    pub(super) fn read(html: &str) -> Option<Self> {
        let start = html.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
        let is_source = start.starts_with("---") || html.contains("{%") || html.contains("<%");
        if is_source {
            return None;
        }
        let page = Page::from_html(html, "https://corpus.example/page").ok()?;
        let document = Self::of(&page);
        SIZES.contains(&document.elements.len()).then_some(document)
    }

    /// Of any size.
    #[cfg(test)]
    pub(super) fn of_body(body: &str) -> Self {
        let html = format!("<!doctype html><html><head></head><body>{body}</body></html>");
        Page::from_html(&html, "https://corpus.example/page")
            .map_or_else(|_| Self { elements: Vec::new() }, |page| Self::of(&page))
    }

    #[cfg(test)]
    pub(super) fn by_text(&self, text: &str) -> Option<usize> {
        self.elements.iter().rposition(|one| one.text == text)
    }

    fn of(page: &Page) -> Self {
        let mut elements: Vec<Element> = Vec::new();
        let mut at_node: Vec<Option<usize>> = vec![None; page.len() as usize];
        for node in 1..page.len() {
            let above = page.parent(node);
            let parent = above.and_then(|above| at_node[above as usize]);
            // Of the document itself; what is in shadow roots, frames and what is left out has no parent here.
            if above != Some(0) && parent.is_none() {
                continue;
            }
            match page.kind(node) {
                Some(NodeKind::Element) if !LEFT_OUT.contains(&page.tag(node)) => {
                    at_node[node as usize] = Some(elements.len());
                    if let Some(parent) = parent {
                        let at = elements.len();
                        elements[parent].kids.push(at);
                    }
                    elements.push(element(page, node, parent, &elements));
                }
                Some(NodeKind::Text) => {
                    if let Some(parent) = parent {
                        let own = &mut elements[parent].own;
                        own.push(' ');
                        own.push_str(page.data(node));
                    }
                    for at in std::iter::successors(parent, |&at| elements[at].parent).collect::<Vec<_>>() {
                        let text = &mut elements[at].text;
                        if text.len() < LONGEST {
                            text.push(' ');
                            text.push_str(page.data(node));
                        }
                    }
                }
                _ => {}
            }
        }
        for at in (0..elements.len()).rev() {
            let inside: usize = elements[at].kids.iter().map(|&kid| elements[kid].size).sum();
            let element = &mut elements[at];
            element.size = 1 + inside;
            element.own = texts::normal(&element.own);
            element.text = texts::normal(&element.text);
            element.words = Words::of(&element.text);
        }
        Self { elements }
    }

    /// The elements of the body.
    pub(super) fn shown(&self) -> impl Iterator<Item = usize> {
        (0..self.elements.len()).filter(|&at| self.elements[at].in_body)
    }

    /// From the parent up.
    pub(super) fn ancestors(&self, at: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.elements[at].parent, |&above| self.elements[above].parent)
    }

    /// The parent and the place among its children.
    pub(super) fn place(&self, at: usize) -> Option<(usize, usize)> {
        let parent = self.elements[at].parent?;
        let place = self.elements[parent].kids.iter().position(|&kid| kid == at)?;
        Some((parent, place))
    }
}

fn element(page: &Page, node: u32, parent: Option<usize>, before: &[Element]) -> Element {
    let above = parent.and_then(|parent| before.get(parent));
    let attributes: Vec<(String, String)> =
        page.attributes(node).map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let tag = page.tag(node).to_owned();
    let in_body = above.is_some_and(|above| above.in_body || above.tag == "body");
    let region = match above {
        Some(above) if above.region != Region::Main => above.region,
        _ if in_body => region(&tag, &attributes),
        _ => Region::Main,
    };
    Element {
        tag,
        parent,
        attributes,
        own: String::new(),
        text: String::new(),
        words: Words::default(),
        kids: Vec::new(),
        visible: page.is_visible(node),
        in_body,
        region,
        size: 1,
    }
}

/// Of what the element begins.
fn region(tag: &str, attributes: &[(String, String)]) -> Region {
    const NAVIGATION: [&str; 8] =
        ["navbar", "sidebar", "navigation", "menu", "toc", "breadcrumb", "breadcrumbs", "nav"];
    let named = ["class", "id", "role"];
    let names = attributes.iter().filter(|(name, _)| named.contains(&name.as_str()));
    let words: Vec<String> = names
        .flat_map(|(_, value)| value.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase))
        .collect();
    if tag == "footer" || words.iter().any(|word| word == "footer") {
        Region::Footer
    } else if matches!(tag, "nav" | "aside") || words.iter().any(|word| NAVIGATION.contains(&word.as_str())) {
        Region::Navigation
    } else {
        Region::Main
    }
}
