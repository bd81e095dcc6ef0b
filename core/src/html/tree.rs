//! What the parser builds: nodes in one list, linked by index, so that depth costs no stack, dropped included.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName, ns};

use crate::page::{HtmlError, MAX_HTML_DEPTH, MAX_NODES};

/// In place of a node that does not exist.
const NONE: u32 = u32::MAX;
/// Comments and the like are nodes of the parser, but not of a page.
const MAX_PARSED: usize = 2 * MAX_NODES;

/// What one parsed node is.
pub(super) enum Parsed {
    /// The document.
    Document,
    /// A template's content, or an open shadow root.
    Fragment,
    /// An element.
    Element(Element),
    /// Text, never empty.
    Text(StrTendril),
    /// A comment or a processing instruction: keeps the texts around it apart, as in a browser.
    Comment,
}

/// A parsed element.
pub(super) struct Element {
    pub(super) name: QualName,
    pub(super) attributes: Vec<Attribute>,
    /// What a template holds.
    contents: u32,
    /// The fragment of its declarative shadow root, and whether that is open.
    shadow: Option<(u32, bool)>,
    mathml_integration_point: bool,
}

impl Element {
    /// Tag name as the DOM's `localName`.
    pub(super) fn tag(&self) -> &str {
        &self.name.local
    }

    /// Whether it is an element of HTML, not of SVG or MathML.
    pub(super) fn is_html(&self) -> bool {
        self.name.ns == ns!(html)
    }

    /// Value of the attribute with this qualified name.
    pub(super) fn attr(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|one| *qualified(&one.name) == *name).map(|one| &*one.value)
    }
}

/// `xlink:href` for an attribute with a prefix, else the local name.
pub(super) fn qualified(name: &QualName) -> Cow<'_, str> {
    match &name.prefix {
        Some(prefix) if !prefix.is_empty() => Cow::Owned(format!("{prefix}:{}", name.local)),
        _ => Cow::Borrowed(&name.local),
    }
}

struct Node {
    parsed: Parsed,
    parent: u32,
    first: u32,
    last: u32,
    previous: u32,
    next: u32,
    depth: u32,
}

/// A document as the parser builds it; node 0 is the document.
pub(super) struct Tree {
    nodes: RefCell<Vec<Node>>,
    deepest: Cell<u32>,
}

impl Tree {
    pub(super) fn new() -> Self {
        let tree = Self { nodes: RefCell::default(), deepest: Cell::new(0) };
        tree.push(Parsed::Document);
        tree
    }

    /// Whether what was built so far is within the bounds.
    pub(super) fn check(&self) -> Result<(), HtmlError> {
        if self.nodes.borrow().len() > MAX_PARSED {
            return Err(HtmlError::TooManyNodes);
        }
        if self.deepest.get() > MAX_HTML_DEPTH { Err(HtmlError::TooDeep) } else { Ok(()) }
    }

    /// What `node` is.
    pub(super) fn parsed(&self, node: u32) -> Ref<'_, Parsed> {
        Ref::map(self.nodes.borrow(), |nodes| &nodes[node as usize].parsed)
    }

    /// The children of a node, last one first.
    pub(super) fn children_backwards(&self, node: u32) -> impl Iterator<Item = u32> {
        let existing = |node: u32| Some(node).filter(|&node| node != NONE);
        let last = existing(self.nodes.borrow()[node as usize].last);
        std::iter::successors(last, move |&child| existing(self.nodes.borrow()[child as usize].previous))
    }

    /// The open shadow root of an element.
    pub(super) fn open_shadow(&self, node: u32) -> Option<u32> {
        match &*self.parsed(node) {
            Parsed::Element(element) => element.shadow.filter(|&(_, open)| open).map(|(root, _)| root),
            _ => None,
        }
    }

    fn push(&self, parsed: Parsed) -> u32 {
        let mut nodes = self.nodes.borrow_mut();
        // The bounds are looked at long before the list could hold as many nodes as an index can name.
        let index = u32::try_from(nodes.len()).unwrap_or(NONE - 1);
        nodes.push(Node {
            parsed,
            parent: NONE,
            first: NONE,
            last: NONE,
            previous: NONE,
            next: NONE,
            depth: 0,
        });
        index
    }

    fn detach(&self, node: u32) {
        let mut nodes = self.nodes.borrow_mut();
        let Node { parent, previous, next, .. } = nodes[node as usize];
        if parent == NONE {
            return;
        }
        match previous {
            NONE => nodes[parent as usize].first = next,
            previous => nodes[previous as usize].next = next,
        }
        match next {
            NONE => nodes[parent as usize].last = previous,
            next => nodes[next as usize].previous = previous,
        }
        let node = &mut nodes[node as usize];
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
    }

    /// Puts `node` under `parent`, before the child `next`, or last.
    fn attach(&self, parent: u32, node: u32, next: u32) {
        self.detach(node);
        let mut nodes = self.nodes.borrow_mut();
        let previous = match next {
            NONE => nodes[parent as usize].last,
            next => nodes[next as usize].previous,
        };
        match previous {
            NONE => nodes[parent as usize].first = node,
            previous => nodes[previous as usize].next = node,
        }
        match next {
            NONE => nodes[parent as usize].last = node,
            next => nodes[next as usize].previous = node,
        }
        let depth = nodes[parent as usize].depth.saturating_add(1);
        let node = &mut nodes[node as usize];
        (node.parent, node.previous, node.next, node.depth) = (parent, previous, next, depth);
        self.deepest.set(self.deepest.get().max(depth));
    }

    /// Puts a node or a text under `parent`, before the child `next`, or last; a text goes on with the text before it.
    fn insert(&self, parent: u32, child: NodeOrText<u32>, next: u32) {
        let text = match child {
            NodeOrText::AppendNode(node) => return self.attach(parent, node, next),
            NodeOrText::AppendText(text) => text,
        };
        let mut nodes = self.nodes.borrow_mut();
        let before = match next {
            NONE => nodes[parent as usize].last,
            next => nodes[next as usize].previous,
        };
        if let Some(Node { parsed: Parsed::Text(start), .. }) = nodes.get_mut(before as usize) {
            start.push_tendril(&text);
            return;
        }
        drop(nodes);
        let node = self.push(Parsed::Text(text));
        self.attach(parent, node, next);
    }

    fn parent(&self, node: u32) -> u32 {
        self.nodes.borrow()[node as usize].parent
    }

    /// What `read` says of the element at `node`. The parser may hold the name of another element meanwhile.
    fn of_element<T>(&self, node: u32, read: impl FnOnce(&Element) -> T) -> Option<T> {
        match &*self.parsed(node) {
            Parsed::Element(element) => Some(read(element)),
            _ => None,
        }
    }

    /// The element at `node`, to be changed.
    fn with_element<T>(&self, node: u32, change: impl FnOnce(&mut Element) -> T) -> Option<T> {
        match &mut self.nodes.borrow_mut()[node as usize].parsed {
            Parsed::Element(element) => Some(change(element)),
            _ => None,
        }
    }
}

impl TreeSink for Tree {
    type Handle = u32;
    type Output = Self;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> u32 {
        0
    }

    #[expect(clippy::panic, reason = "the parser asks this only about elements: see `TreeSink::elem_name`")]
    fn elem_name<'a>(&'a self, target: &'a u32) -> Ref<'a, QualName> {
        Ref::map(self.parsed(*target), |parsed| match parsed {
            Parsed::Element(element) => &element.name,
            _ => panic!("asked for the name of a node that is no element"),
        })
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> u32 {
        let contents = if flags.template { self.push(Parsed::Fragment) } else { NONE };
        self.push(Parsed::Element(Element {
            name,
            attributes,
            contents,
            shadow: None,
            mathml_integration_point: flags.mathml_annotation_xml_integration_point,
        }))
    }

    fn create_comment(&self, _: StrTendril) -> u32 {
        self.push(Parsed::Comment)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> u32 {
        self.push(Parsed::Comment)
    }

    fn append(&self, parent: &u32, child: NodeOrText<u32>) {
        self.insert(*parent, child, NONE);
    }

    fn append_based_on_parent_node(&self, element: &u32, previous: &u32, child: NodeOrText<u32>) {
        match self.parent(*element) {
            NONE => self.insert(*previous, child, NONE),
            parent => self.insert(parent, child, *element),
        }
    }

    fn append_before_sibling(&self, sibling: &u32, child: NodeOrText<u32>) {
        match self.parent(*sibling) {
            NONE => {}
            parent => self.insert(parent, child, *sibling),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &u32) -> u32 {
        self.of_element(*target, |element| element.contents)
            .filter(|&contents| contents != NONE)
            .unwrap_or(*target)
    }

    fn same_node(&self, x: &u32, y: &u32) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, target: &u32, attributes: Vec<Attribute>) {
        self.with_element(*target, |element| {
            for one in attributes {
                if element.attributes.iter().all(|known| known.name != one.name) {
                    element.attributes.push(one);
                }
            }
        });
    }

    fn remove_from_parent(&self, target: &u32) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &u32, parent: &u32) {
        loop {
            let first = self.nodes.borrow()[*node as usize].first;
            if first == NONE {
                return;
            }
            self.attach(*parent, first, NONE);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &u32) -> bool {
        self.of_element(*target, |element| element.mathml_integration_point).unwrap_or(false)
    }

    fn attach_declarative_shadow(&self, host: &u32, template: &u32, attributes: &[Attribute]) -> bool {
        let Some(root) = self.of_element(*template, |element| element.contents).filter(|&root| root != NONE)
        else {
            return false;
        };
        let open = attributes.iter().any(|one| &*one.name.local == "shadowrootmode" && &*one.value == "open");
        self.with_element(*host, |element| {
            let free = element.shadow.is_none() && element.is_html() && takes_shadow(element.tag());
            if free {
                element.shadow = Some((root, open));
            }
            free
        })
        .unwrap_or(false)
    }
}

/// Elements that may have a shadow root: custom ones and these.
fn takes_shadow(tag: &str) -> bool {
    matches!(
        tag,
        "article"
            | "aside"
            | "blockquote"
            | "body"
            | "div"
            | "footer"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "main"
            | "nav"
            | "p"
            | "section"
            | "span"
    ) || (tag.contains('-') && tag.starts_with(|c: char| c.is_ascii_lowercase()))
}
