//! From what was parsed to a capture: the walk of the content script's `walker.ts`, rule by rule.

use std::collections::HashMap;

use super::appearance::drawing;
use super::shown::{Drawn, Inherited, Inline, is_operable, is_typed_into};
use super::tree::{Element, Parsed, Tree, qualified};
use crate::element::{redact_attribute, redact_text};
use crate::page::{
    CAPTURE_VERSION, Capture, FLAG_INTERACTIVE, FLAG_OPAQUE, FLAG_VISIBLE, HtmlError, KIND_DOCUMENT,
    KIND_ELEMENT, KIND_SHADOW_ROOT, KIND_TEXT, MAX_NODES, NODE_STRIDE, Size,
};

// All lengths are in UTF-16 units, because the content script cuts there.
const MAX_TEXT: usize = 2_000;
const MAX_VALUE: usize = 400;
const MAX_ATTRIBUTES: usize = 48;
const MAX_TITLE: usize = 300;
/// Marks our own element where a page was saved with it. In a browser it is told by identity instead.
const ROOT_MARK: &str = "data-opentoolbar-root";

/// The capture while it is being written.
pub(super) struct Flattening {
    url: String,
    title: Option<String>,
    strings: Vec<String>,
    interned: HashMap<String, i32>,
    nodes: Vec<i32>,
    attributes: Vec<u32>,
    drawings: Vec<u32>,
}

/// A document whose nodes are being written; `pending` is what is still to be visited, the next one last.
pub(super) struct Document {
    tree: Tree,
    pending: Vec<Pending>,
    /// The page itself, not what a frame shows.
    top: bool,
}

/// The document that a frame shows.
pub(super) struct Frame {
    /// Its HTML.
    pub(super) html: String,
    address: &'static str,
    parent: i32,
    inherited: Inherited,
}

struct Pending {
    node: u32,
    parent: i32,
    inherited: Inherited,
    /// Inside of a shadow root.
    shadow: bool,
    /// White space alone stood right before it, or right after it.
    blanks: (bool, bool),
}

impl Flattening {
    pub(super) fn new(url: &str) -> Self {
        Self {
            url: redact_text(url),
            title: None,
            strings: Vec::new(),
            interned: HashMap::new(),
            nodes: Vec::new(),
            attributes: Vec::new(),
            drawings: Vec::new(),
        }
    }

    /// Begins the page.
    pub(super) fn page(&mut self, tree: Tree) -> Result<Document, HtmlError> {
        let url = self.url.clone();
        self.document(tree, -1, &url, Inherited::TOP)
    }

    /// Begins the document of a frame.
    pub(super) fn frame(&mut self, tree: Tree, frame: &Frame) -> Result<Document, HtmlError> {
        self.document(tree, frame.parent, frame.address, frame.inherited)
    }

    fn document(
        &mut self,
        tree: Tree,
        parent: i32,
        url: &str,
        inherited: Inherited,
    ) -> Result<Document, HtmlError> {
        let index = self.push(KIND_DOCUMENT, parent, url, FLAG_VISIBLE, 0)?;
        let mut document = Document { tree, pending: Vec::new(), top: parent == -1 };
        document.children(0, index, inherited, false, true);
        Ok(document)
    }

    /// Writes the document's next node. `Ok(None)` when that was the last one.
    pub(super) fn step(&mut self, document: &mut Document) -> Result<Option<Step>, HtmlError> {
        let Some(next) = document.pending.pop() else { return Ok(None) };
        let parsed = document.tree.parsed(next.node);
        match &*parsed {
            Parsed::Text(text) if text.chars().any(|c| !is_js_space(c)) => {
                let flags = if next.inherited.visible { FLAG_VISIBLE } else { 0 };
                let blank = |is_there| if is_there { " " } else { "" };
                let text = format!("{}{text}{}", blank(next.blanks.0), blank(next.blanks.1));
                self.push(KIND_TEXT, next.parent, &cut(&redact_text(&text), MAX_TEXT), flags, 0)?;
            }
            Parsed::Fragment => {
                let flags = if next.inherited.visible { FLAG_VISIBLE } else { 0 };
                let index = self.push(KIND_SHADOW_ROOT, next.parent, "", flags, 0)?;
                drop(parsed);
                document.children(next.node, index, next.inherited, true, false);
            }
            Parsed::Element(element) if element.attr(ROOT_MARK).is_none() => {
                let written = self.element(element, &next)?;
                drop(parsed);
                return Ok(Some(self.inside(document, &next, written)));
            }
            Parsed::Element(_) | Parsed::Document | Parsed::Text(_) | Parsed::Comment => {}
        }
        Ok(Some(Step::Node))
    }

    /// Writes the element itself.
    fn element(&mut self, element: &Element, next: &Pending) -> Result<Written, HtmlError> {
        let Inherited { removed, invisible, hand, typed, visible: above } = next.inherited;
        let inline = Inline::of(element);
        let drawn = if removed { Drawn::No } else { inline.drawn(element) };
        let invisible = inline.invisible(invisible);
        let visible = drawn == Drawn::Yes && !invisible;
        let points = if visible { inline.hand(hand) } else { hand };
        let mut flags = if visible { FLAG_VISIBLE } else { 0 };
        if is_operable(element) || (points && !hand) {
            flags |= FLAG_INTERACTIVE;
        }
        let frame = match element.tag() {
            "iframe" | "frame" => Some(framed(element)),
            _ => None,
        };
        if matches!(frame, Some(None)) {
            flags |= FLAG_OPAQUE;
        }
        let count = self.attributes_of(element);
        let index = self.push(KIND_ELEMENT, next.parent, element.tag(), flags, count)?;
        if let Some(drawing) = drawing(element) {
            let string = self.intern(&drawing);
            self.drawings.extend([index, string].map(i32::cast_unsigned));
        }
        let typed = is_typed_into(element, typed);
        Ok(Written {
            index,
            frame,
            silent: is_without_text(element.tag()) || (typed && element.is_html()),
            inherited: Inherited {
                visible: visible || (drawn == Drawn::Inside && above),
                removed: drawn == Drawn::No,
                invisible,
                typed,
                hand: points,
            },
        })
    }

    /// Goes on inside of an element that was written.
    fn inside(&mut self, document: &mut Document, next: &Pending, written: Written) -> Step {
        let Written { index, frame, silent, inherited } = written;
        match frame {
            Some(Some((address, html))) => {
                let inherited = Inherited { typed: false, hand: false, ..inherited };
                return Step::Frame(Frame { html, address, parent: index, inherited });
            }
            Some(None) => return Step::Node,
            None => {}
        }
        document.children(next.node, index, inherited, next.shadow, silent);
        if self.title.is_none() && document.top && !next.shadow {
            self.title = document.title(next.node);
        }
        if let Some(root) = document.tree.open_shadow(next.node) {
            // Pushed last, so that it is the first child.
            document.pending.push(Pending {
                node: root,
                parent: index,
                inherited,
                shadow: true,
                blanks: (false, false),
            });
        }
        Step::Node
    }

    fn attributes_of(&mut self, element: &Element) -> usize {
        let attr = |name: &str| element.attr(name);
        let mut count = 0;
        for attribute in element.attributes.iter().take(MAX_ATTRIBUTES) {
            let name = qualified(&attribute.name);
            if is_skipped(&name) || (name == "value" && !is_value_authored(element)) {
                continue;
            }
            let value = cut(&redact_attribute(element.tag(), attr, &name, &attribute.value), MAX_VALUE);
            for string in [self.intern(&name), self.intern(&value)] {
                self.attributes.push(string.cast_unsigned());
            }
            count += 1;
        }
        count
    }

    /// Adds a node whose attributes are the `count` pairs added last.
    fn push(
        &mut self,
        kind: i32,
        parent: i32,
        string: &str,
        flags: i32,
        count: usize,
    ) -> Result<i32, HtmlError> {
        let index = self.nodes.len() / NODE_STRIDE;
        if index >= MAX_NODES {
            return Err(HtmlError::TooManyNodes);
        }
        let string = self.intern(string);
        // All of these are below MAX_NODES * MAX_ATTRIBUTES.
        let [index, first, count] = [index, self.attributes.len() / 2 - count, count]
            .map(|number| i32::try_from(number).unwrap_or(i32::MAX));
        self.nodes.extend_from_slice(&[kind, parent, string, first, count, 0, 0, 0, 0, flags]);
        Ok(index)
    }

    fn intern(&mut self, text: &str) -> i32 {
        if let Some(&known) = self.interned.get(text) {
            return known;
        }
        let index = i32::try_from(self.strings.len()).unwrap_or(i32::MAX);
        self.strings.push(text.to_owned());
        self.interned.insert(text.to_owned(), index);
        index
    }

    pub(super) fn finish(self) -> Capture {
        Capture {
            version: CAPTURE_VERSION,
            url: self.url,
            title: cut(&redact_text(&self.title.unwrap_or_default()), MAX_TITLE),
            viewport: Size::default(),
            strings: self.strings,
            nodes: self.nodes,
            attributes: self.attributes,
            drawings: self.drawings,
        }
    }
}

/// What was met.
pub(super) enum Step {
    /// A node; it is written.
    Node,
    /// A frame element; it is written, and what it shows comes next.
    Frame(Frame),
}

struct Written {
    index: i32,
    frame: Option<Option<(&'static str, String)>>,
    silent: bool,
    inherited: Inherited,
}

impl Document {
    fn children(&mut self, node: u32, parent: i32, inherited: Inherited, shadow: bool, silent: bool) {
        // White space alone is no node, and what it stands beside has it.
        let mut blank_after = false;
        for child in self.tree.children_backwards(node) {
            let text = match &*self.tree.parsed(child) {
                Parsed::Element(_) => None,
                Parsed::Text(text) if !silent => Some(text.chars().any(|c| !is_js_space(c))),
                Parsed::Text(_) | Parsed::Document | Parsed::Fragment | Parsed::Comment => continue,
            };
            if text == Some(false) {
                if let Some(after) = self.pending.last_mut().filter(|after| after.parent == parent) {
                    after.blanks.0 = true;
                }
                blank_after = true;
                continue;
            }
            let blanks = (false, std::mem::take(&mut blank_after));
            self.pending.push(Pending { node: child, parent, inherited, shadow, blanks });
        }
    }

    /// The document's title, if `node` is the element that says it: white space stripped and folded.
    fn title(&self, node: u32) -> Option<String> {
        match &*self.tree.parsed(node) {
            Parsed::Element(element) if element.is_html() && element.tag() == "title" => {}
            _ => return None,
        }
        let mut texts: Vec<String> = Vec::new();
        for child in self.tree.children_backwards(node) {
            if let Parsed::Text(text) = &*self.tree.parsed(child) {
                texts.push(text.to_string());
            }
        }
        texts.reverse();
        Some(texts.concat().split_ascii_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// Address and HTML of what a frame shows; `None` when that stands elsewhere or cannot be read.
fn framed(frame: &Element) -> Option<(&'static str, String)> {
    let sandboxed = frame.attr("sandbox").is_some_and(|allowed| {
        !allowed.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("allow-same-origin"))
    });
    if sandboxed {
        return None;
    }
    if let Some(html) = frame.attr("srcdoc").filter(|_| frame.tag() == "iframe") {
        return Some(("about:srcdoc", html.to_owned()));
    }
    let source = frame.attr("src").unwrap_or("").trim();
    (source.is_empty() || source.eq_ignore_ascii_case("about:blank")).then(|| ("about:blank", String::new()))
}

/// Their content is code or never drawn; the element itself stays, so that positions among siblings are right.
fn is_without_text(tag: &str) -> bool {
    matches!(tag, "script" | "style" | "noscript" | "template" | "textarea" | "iframe" | "frame" | "object")
}

/// Too long, too fickle or of no use for telling elements apart.
fn is_skipped(name: &str) -> bool {
    name.starts_with("on")
        || matches!(
            name,
            "style"
                | "nonce"
                | "integrity"
                | "srcdoc"
                | "srcset"
                | "sizes"
                | "d"
                | "points"
                | "fetchpriority"
        )
}

/// Whether `value` is a label or an option written by the author, not something a person types.
fn is_value_authored(element: &Element) -> bool {
    match element.tag() {
        "input" => {
            let kind = element.attr("type").unwrap_or("text").to_ascii_lowercase();
            matches!(kind.as_str(), "button" | "submit" | "reset" | "checkbox" | "radio")
        }
        tag => matches!(tag, "button" | "option" | "li" | "data" | "meter" | "progress" | "param"),
    }
}

/// White space as JavaScript's `\s` has it.
fn is_js_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// The first `limit` UTF-16 units; a character cut in half is replaced, as the content script does.
fn cut(text: &str, limit: usize) -> String {
    let mut units = 0;
    for (at, c) in text.char_indices() {
        units += c.len_utf16();
        if units > limit {
            let half = if units - c.len_utf16() < limit { "\u{fffd}" } else { "" };
            return format!("{}{half}", &text[..at]);
        }
    }
    text.to_owned()
}
