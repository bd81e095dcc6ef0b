//! Elements by how their text begins.
//!
//! The text of an element here is what selectors compare: every letter inside of it in the same tree, without white
//! space (which captures and browsers keep differently), scripts, styles, templates and what is typed into fields.

use super::arena::{NO_NODE, NodeKind, Page};
use super::index::Lists;
use super::tags::is_unread;

/// So many letters of a text are its key in the index; a shorter text is its own key.
pub const KEY_LETTERS: usize = 12;
/// Most text nodes that one reading passes over; those of other trees count too.
const MAX_TEXTS: usize = 256;

/// For each element the first of its texts, and the elements by the beginning of their text.
#[derive(Clone, Debug, Default)]
pub(super) struct TextIndex {
    /// The first text that counts at or after each node, with room for one past the last.
    next: Vec<u32>,
    /// By the lowest bits of the beginning's hash.
    lists: Lists,
    /// The key of each node, [`NO_NODE`] without text.
    keys: Vec<u32>,
    mask: u32,
}

impl TextIndex {
    pub(super) fn new(page: &Page, order: &[u32]) -> Self {
        let mut index = Self { next: next_texts(page), ..Self::default() };
        let buckets = order.len().next_power_of_two();
        index.mask = u32::try_from(buckets - 1).unwrap_or(u32::MAX);
        index.keys = vec![NO_NODE; page.len() as usize];
        for &node in order {
            let mut letters = index.letters(page, node).peekable();
            if letters.peek().is_some() {
                let key = key(letters) & index.mask;
                index.keys[node as usize] = key;
            }
        }
        index.lists = Lists::new(buckets, || {
            let keyed =
                |&node: &u32| Some((index.keys[node as usize], node)).filter(|pair| pair.0 != NO_NODE);
            order.iter().filter_map(keyed)
        });
        index
    }

    fn letters<'a>(&'a self, page: &'a Page, node: u32) -> impl Iterator<Item = char> + 'a {
        let root = page.root(node);
        let end = page.subtree(node).end;
        let from = move |at: u32| self.next.get(at as usize).copied().filter(|&text| text < end);
        let texts = std::iter::successors(from(node), move |&text| from(text + 1)).take(MAX_TEXTS);
        texts
            .filter(move |&text| page.root(text) == root)
            .flat_map(|text| page.data(text).chars().filter(|c| !c.is_whitespace()))
    }
}

/// For each node the first text at or after it that counts.
fn next_texts(page: &Page) -> Vec<u32> {
    let mut next = vec![NO_NODE; page.len() as usize + 1];
    let mut unread_to = 0;
    for node in 0..page.len() {
        match page.kind(node) {
            Some(NodeKind::Text) if node >= unread_to => next[node as usize] = node,
            Some(NodeKind::Element) if node >= unread_to => {
                let tag = page.tag(node);
                if is_unread(tag) || tag == "textarea" {
                    unread_to = page.subtree(node).end;
                }
            }
            _ => {}
        }
    }
    for at in (0..page.len() as usize).rev() {
        if next[at] == NO_NODE {
            next[at] = next[at + 1];
        }
    }
    next
}

fn key(letters: impl Iterator<Item = char>) -> u32 {
    letters.take(KEY_LETTERS).fold(0x811c_9dc5, |state, c| {
        let mixed = (state ^ u32::from(c)).wrapping_mul(0x9e37_79b1);
        mixed ^ (mixed >> 15)
    })
}

impl Page {
    /// The letters of an element's text, without white space, in document order.
    pub fn letters(&self, node: u32) -> impl Iterator<Item = char> + '_ {
        self.index().texts(self).letters(self, node)
    }

    /// Elements whose text may begin as this one's does, itself among them; none for one without text.
    #[must_use]
    pub fn text_peers(&self, node: u32) -> &[u32] {
        let texts = self.index().texts(self);
        texts.keys.get(node as usize).map_or(&[], |&key| texts.lists.get(key))
    }

    /// Elements whose text may begin with these letters: all that do, and a few others. Sorted as the other lists
    /// are. Everything that has text in common is found only by [`KEY_LETTERS`] letters or by a whole text.
    #[must_use]
    pub fn with_letters(&self, letters: &str) -> &[u32] {
        let texts = self.index().texts(self);
        texts.lists.get(key(letters.chars().filter(|c| !c.is_whitespace())) & texts.mask)
    }
}
