//! The inverted index: from a tag, class or attribute to the elements that have it.
//!
//! Every list is sorted by root (document or shadow root) and then by document order, so the part of a list that
//! lies in one root, or in one subtree of it, is found by bisection and costs no walk.

use std::sync::OnceLock;

use super::arena::{NodeKind, Page};
use super::strings::hash;
use super::text_index::TextIndex;
use crate::sort;

/// Inverted index of one page. Built once, in time proportional to the page (times a logarithm).
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// All elements, sorted by root and then by document order.
    order: Vec<u32>,
    /// By string index of the tag name.
    tags: Lists,
    /// By class token.
    classes: Lists,
    /// The class tokens of each `class` value, by its string index.
    of_string: Lists,
    /// String index of the word `class`.
    class_name: Option<u32>,
    /// `(hash, string, start, length)` of each class token, sorted by hash and text.
    tokens: Vec<Token>,
    /// `(name, value, start, end)` into `attribute_nodes`, sorted.
    attribute_runs: Vec<(u32, u32, u32, u32)>,
    attribute_nodes: Vec<u32>,
    /// By string index of the attribute name.
    names: Lists,
    /// 1-based places among all, and among same-tag, element siblings; 0 for what is no element.
    nth_child: Vec<u32>,
    nth_of_type: Vec<u32>,
    /// The same, counted from the last.
    nth_last_child: Vec<u32>,
    nth_last_of_type: Vec<u32>,
    /// Made when the first text is asked for.
    texts: OnceLock<TextIndex>,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    hash: u64,
    string: u32,
    start: u32,
    len: u32,
}

impl Token {
    fn text<'a>(&self, page: &'a Page) -> &'a str {
        let start = self.start as usize;
        page.string(self.string).get(start..start + self.len as usize).unwrap_or("")
    }
}

/// Lists of nodes by a dense key: one array of nodes and where each key's part begins.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

impl Lists {
    /// `entries` yields the same `(key, node)` pairs both times; the order within a key is kept.
    pub(super) fn new<I: Iterator<Item = (u32, u32)>>(keys: usize, entries: impl Fn() -> I) -> Self {
        let mut starts = vec![0u32; keys + 1];
        let mut total = 0usize;
        for (key, _) in entries() {
            starts[key as usize + 1] += 1;
            total += 1;
        }
        for key in 0..keys {
            starts[key + 1] += starts[key];
        }
        let mut next = starts.clone();
        let mut nodes = vec![0u32; total];
        for (key, node) in entries() {
            let slot = &mut next[key as usize];
            nodes[*slot as usize] = node;
            *slot += 1;
        }
        Self { starts, nodes }
    }

    pub(super) fn get(&self, key: u32) -> &[u32] {
        match self.starts.get(key as usize..).and_then(<[u32]>::first_chunk) {
            Some(&[from, to]) => &self.nodes[from as usize..to as usize],
            None => &[],
        }
    }
}

impl Index {
    pub(super) fn new(page: &Page) -> Self {
        let order = by_root(page);
        let strings = page.string_count();
        let tags =
            Lists::new(strings, || order.iter().filter_map(|&node| page.tag_id(node).map(|tag| (tag, node))));
        let class_name = page.string_id("class");
        let (tokens, of_string) = class_tokens(page, class_name);
        let classes = Lists::new(tokens.len(), || {
            order.iter().flat_map(|&node| {
                let value = class_name.and_then(|name| first_value(page, node, name));
                value.map_or(&[][..], |value| of_string.get(value)).iter().map(move |&token| (token, node))
            })
        });
        let names = Lists::new(strings, || {
            order.iter().flat_map(|&node| page.attribute_ids(node).iter().map(move |pair| (pair.name, node)))
        });
        let (attribute_runs, attribute_nodes) = attribute_runs(page, &order, class_name);
        let Places { nth_child, nth_of_type, nth_last_child, nth_last_of_type } = places(page);
        Self {
            order,
            tags,
            classes,
            of_string,
            class_name,
            tokens,
            attribute_runs,
            attribute_nodes,
            names,
            nth_child,
            nth_of_type,
            nth_last_child,
            nth_last_of_type,
            texts: OnceLock::new(),
        }
    }

    pub(super) fn texts(&self, page: &Page) -> &TextIndex {
        self.texts.get_or_init(|| TextIndex::new(page, &self.order))
    }
}

impl Page {
    /// Elements with a tag name. This list and those below are sorted by root, then by document order; see
    /// [`Page::in_subtree`].
    #[must_use]
    pub fn with_tag(&self, tag: &str) -> &[u32] {
        self.string_id(tag).map_or(&[], |id| self.index().tags.get(id))
    }

    /// Elements with the tag name of this one.
    #[must_use]
    pub fn with_tag_of(&self, node: u32) -> &[u32] {
        self.tag_id(node).map_or(&[], |id| self.index().tags.get(id))
    }

    /// Elements with a class name.
    #[must_use]
    pub fn with_class(&self, class: &str) -> &[u32] {
        let wanted = hash(class);
        let index = self.index();
        let found = index
            .tokens
            .binary_search_by(|token| token.hash.cmp(&wanted).then_with(|| token.text(self).cmp(class)));
        found.ok().and_then(|at| u32::try_from(at).ok()).map_or(&[], |token| index.classes.get(token))
    }

    /// The distinct class names of an element, as indexes that stand for them on this page.
    #[must_use]
    pub fn class_ids(&self, node: u32) -> &[u32] {
        let index = self.index();
        let value = index.class_name.and_then(|class| first_value(self, node, class));
        value.map_or(&[][..], |value| index.of_string.get(value))
    }

    /// A class name by its index; empty when there is none.
    #[must_use]
    pub fn class_by_id(&self, class: u32) -> &str {
        self.index().tokens.get(class as usize).map_or("", |token| token.text(self))
    }

    /// As [`Page::with_class`], by the index of the name.
    #[must_use]
    pub fn with_class_id(&self, class: u32) -> &[u32] {
        self.index().classes.get(class)
    }

    /// Elements with an attribute of exactly this value. For `class` use [`Page::with_class`]: whole `class` and
    /// `style` values are not indexed.
    #[must_use]
    pub fn with_attr(&self, name: &str, value: &str) -> &[u32] {
        match (self.string_id(name), self.string_id(value)) {
            (Some(name), Some(value)) => self.with_attr_ids(name, value),
            _ => &[],
        }
    }

    /// As [`Page::with_attr`], by the indexes of the strings.
    #[must_use]
    pub fn with_attr_ids(&self, name: u32, value: u32) -> &[u32] {
        let index = self.index();
        let found = index.attribute_runs.binary_search_by(|run| (run.0, run.1).cmp(&(name, value)));
        found.map_or(&[], |at| {
            let (_, _, from, to) = index.attribute_runs[at];
            &index.attribute_nodes[from as usize..to as usize]
        })
    }

    /// Elements that have an attribute, whatever its value.
    #[must_use]
    pub fn with_attr_name(&self, name: &str) -> &[u32] {
        self.string_id(name).map_or(&[], |id| self.index().names.get(id))
    }

    /// The part of an index list that lies in one root and, if `within` is not that root, inside of `within`
    /// (itself excluded).
    #[must_use]
    pub fn in_subtree<'a>(&self, list: &'a [u32], within: u32) -> &'a [u32] {
        let Some(root) = self.root(within) else { return &[] };
        let range = self.subtree(within);
        let key = |node: &u32| (self.root(*node).unwrap_or(u32::MAX), *node);
        let from = list.partition_point(|node| key(node) < (root, range.start + 1));
        let to = list.partition_point(|node| key(node) < (root, range.end));
        list.get(from..to).unwrap_or(&[])
    }

    /// 1-based place among the element children of the same parent; 0 for what is no element.
    #[must_use]
    pub fn nth_child(&self, node: u32) -> u32 {
        self.index().nth_child.get(node as usize).copied().unwrap_or(0)
    }

    /// 1-based place among the element children of the same parent with the same tag; 0 for what is no element.
    #[must_use]
    pub fn nth_of_type(&self, node: u32) -> u32 {
        self.index().nth_of_type.get(node as usize).copied().unwrap_or(0)
    }

    /// As [`Page::nth_child`], counted from the last.
    #[must_use]
    pub fn nth_last_child(&self, node: u32) -> u32 {
        self.index().nth_last_child.get(node as usize).copied().unwrap_or(0)
    }

    /// As [`Page::nth_of_type`], counted from the last.
    #[must_use]
    pub fn nth_last_of_type(&self, node: u32) -> u32 {
        self.index().nth_last_of_type.get(node as usize).copied().unwrap_or(0)
    }
}

/// All elements, sorted by root and then by document order.
fn by_root(page: &Page) -> Vec<u32> {
    Lists::new(page.len() as usize, || page.elements().filter_map(|node| Some((page.root(node)?, node))))
        .nodes
}

fn first_value(page: &Page, node: u32, name: u32) -> Option<u32> {
    page.attribute_ids(node).iter().find(|pair| pair.name == name).map(|pair| pair.value)
}

/// The distinct class tokens, and which of them each `class` value (by string index) holds.
fn class_tokens(page: &Page, class_name: Option<u32>) -> (Vec<Token>, Lists) {
    let Some(class_name) = class_name else { return (Vec::new(), Lists::default()) };
    let mut is_class = vec![false; page.string_count()];
    for node in page.elements() {
        if let Some(value) = first_value(page, node, class_name) {
            is_class[value as usize] = true;
        }
    }
    let mut seen: Vec<Token> = Vec::new();
    for (string, _) in (0u32..).zip(&is_class).filter(|(_, is)| **is) {
        let text = page.string(string);
        for token in text.split_ascii_whitespace() {
            let start = token.as_ptr().addr() - text.as_ptr().addr();
            if let (Ok(start), Ok(len)) = (u32::try_from(start), u32::try_from(token.len())) {
                seen.push(Token { hash: hash(token), string, start, len });
            }
        }
    }
    sort::by(&mut seen, |a, b| a.hash.cmp(&b.hash).then_with(|| a.text(page).cmp(b.text(page))));
    let mut tokens: Vec<Token> = Vec::new();
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(seen.len());
    for token in seen {
        let known =
            tokens.last().is_some_and(|last| last.hash == token.hash && last.text(page) == token.text(page));
        if !known {
            tokens.push(token);
        }
        pairs.push((token.string, u32::try_from(tokens.len() - 1).unwrap_or(u32::MAX)));
    }
    // A value that repeats a token (`a a`) holds it once.
    sort::plain(&mut pairs);
    pairs.dedup();
    let of_string = Lists::new(page.string_count(), || pairs.iter().copied());
    (tokens, of_string)
}

/// Elements with more attributes than this are not searched for repeated names, so that a hostile one stays cheap.
const SEARCHED_ATTRIBUTES: usize = 256;

type Runs = Vec<(u32, u32, u32, u32)>;

fn attribute_runs(page: &Page, order: &[u32], class_name: Option<u32>) -> (Runs, Vec<u32>) {
    let style = page.string_id("style");
    let mut entries: Vec<(u64, u32)> = Vec::new();
    for (place, &node) in (0u32..).zip(order) {
        let pairs = page.attribute_ids(node);
        for (at, pair) in pairs.iter().enumerate() {
            let name = Some(pair.name);
            let searched = at > 0 && pairs.len() <= SEARCHED_ATTRIBUTES;
            let repeated = searched && first_value(page, node, pair.name) != Some(pair.value);
            if name != class_name && name != style && !repeated {
                entries.push((u64::from(pair.name) << 32 | u64::from(pair.value), place));
            }
        }
    }
    sort::plain(&mut entries);
    entries.dedup();
    let mut runs: Runs = Vec::new();
    let mut nodes = Vec::with_capacity(entries.len());
    let mut last = None;
    for (at, (key, place)) in (0u32..).zip(entries) {
        nodes.push(order[place as usize]);
        if last != Some(key) {
            let name = u32::try_from(key >> 32).unwrap_or(0);
            let value = u32::try_from(key & 0xffff_ffff).unwrap_or(0);
            runs.push((name, value, at, at));
            last = Some(key);
        }
        if let Some(run) = runs.last_mut() {
            run.3 = at + 1;
        }
    }
    (runs, nodes)
}

struct Places {
    nth_child: Vec<u32>,
    nth_of_type: Vec<u32>,
    nth_last_child: Vec<u32>,
    nth_last_of_type: Vec<u32>,
}

/// Places among siblings for every element, two walks over the children of each node.
fn places(page: &Page) -> Places {
    let mut nth_child = vec![0u32; page.len() as usize];
    let mut nth_of_type = nth_child.clone();
    let mut nth_last_child = nth_child.clone();
    let mut nth_last_of_type = nth_child.clone();
    let mut count_of_tag = vec![0u32; page.string_count()];
    for parent in (0..page.len()).filter(|&node| page.kind(node) != Some(NodeKind::Text)) {
        let mut count = 0;
        for child in page.element_children(parent) {
            count += 1;
            nth_child[child as usize] = count;
            if let Some(tag) = page.tag_id(child) {
                count_of_tag[tag as usize] += 1;
                nth_of_type[child as usize] = count_of_tag[tag as usize];
            }
        }
        // Each count is how many there are, and goes down to none on the way through.
        for child in page.element_children(parent) {
            nth_last_child[child as usize] = count;
            count -= 1;
            if let Some(tag) = page.tag_id(child) {
                nth_last_of_type[child as usize] = count_of_tag[tag as usize];
                count_of_tag[tag as usize] -= 1;
            }
        }
    }
    Places { nth_child, nth_of_type, nth_last_child, nth_last_of_type }
}
