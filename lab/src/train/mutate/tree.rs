//! A page taken apart, so that it can be edited, and put together again.

use opentoolbar_core::page::{NodeKind, Page};

use crate::capture::CaptureWriter;

#[derive(Clone)]
pub(super) enum What {
    Element { tag: String, attributes: Vec<(String, String)> },
    Text(String),
}

#[derive(Clone)]
pub(super) struct Piece {
    pub(super) what: What,
    pub(super) place: [i32; 4],
    pub(super) flags: i32,
    /// The node of the page it came from; none for what was made up.
    pub(super) origin: Option<u32>,
    pub(super) children: Vec<usize>,
    pub(super) parent: usize,
}

/// Most words of a vocabulary.
const WORDS: usize = 600;

fn vocabulary(pieces: &[Piece]) -> Vec<String> {
    let texts = pieces.iter().filter_map(|piece| match &piece.what {
        What::Text(text) => Some(text.as_str()),
        What::Element { .. } => None,
    });
    let is_word = |word: &&str| (3..=15).contains(&word.len()) && word.chars().all(char::is_alphabetic);
    let mut words: Vec<&str> = texts.flat_map(str::split_whitespace).filter(is_word).collect();
    words.sort_unstable();
    words.dedup();
    let every = words.len().div_ceil(WORDS).max(1);
    words.into_iter().step_by(every).map(str::to_owned).collect()
}

/// A page taken apart.
pub(super) struct Tree {
    pub(super) pieces: Vec<Piece>,
    /// Words that the page says: what is written on it later is mostly made of them.
    pub(super) vocabulary: Vec<String>,
}

impl Tree {
    pub(super) fn of(page: &Page) -> Self {
        let root = Piece {
            what: What::Text(String::new()),
            place: [0; 4],
            flags: 0,
            origin: None,
            children: Vec::new(),
            parent: 0,
        };
        let mut pieces = vec![root];
        let mut of_node = vec![0usize; page.len() as usize];
        for node in 1..page.len() {
            let what = match page.kind(node) {
                Some(NodeKind::Element) => What::Element {
                    tag: page.tag(node).to_owned(),
                    attributes: page.attributes(node).map(|(n, v)| (n.to_owned(), v.to_owned())).collect(),
                },
                Some(NodeKind::Text) => What::Text(page.data(node).to_owned()),
                _ => continue,
            };
            let parent = page.parent(node).map_or(0, |parent| of_node[parent as usize]);
            let rect = page.rect(node);
            let at = pieces.len();
            of_node[node as usize] = at;
            pieces.push(Piece {
                what,
                place: [rect.x, rect.y, rect.width, rect.height],
                flags: page.flags(node),
                origin: Some(node),
                children: Vec::new(),
                parent,
            });
            pieces[parent].children.push(at);
        }
        let vocabulary = vocabulary(&pieces);
        Self { pieces, vocabulary }
    }

    pub(super) fn is_element(&self, at: usize) -> bool {
        matches!(self.pieces[at].what, What::Element { .. })
    }

    /// Inside of the body, and so small that its loss leaves a page.
    pub(super) fn is_part(&self, at: usize) -> bool {
        let What::Element { tag, .. } = &self.pieces[at].what else { return false };
        !matches!(tag.as_str(), "html" | "head" | "body") && self.size(at, 60) < 60
    }

    pub(super) fn size(&self, at: usize, most: usize) -> usize {
        let mut count = 0;
        let mut left = vec![at];
        while let Some(at) = left.pop() {
            count += 1;
            if count >= most {
                return most;
            }
            left.extend(&self.pieces[at].children);
        }
        count
    }

    pub(super) fn push(&mut self, piece: Piece) -> usize {
        self.pieces.push(piece);
        self.pieces.len() - 1
    }

    pub(super) fn delete(&mut self, at: usize) {
        let parent = self.pieces[at].parent;
        self.pieces[parent].children.retain(|&child| child != at);
    }

    /// As parsed without a browser: nothing is known of where things are.
    pub(super) fn forget_boxes(&mut self) {
        self.pieces.iter_mut().for_each(|piece| piece.place = [0; 4]);
    }

    /// As a page, with where the targets are.
    pub(super) fn write(&self, targets: &[u32]) -> Option<(Page, Vec<Option<u32>>)> {
        let mut capture = CaptureWriter::new("https://corpus.example/later", "later");
        let mut at_node = Vec::new();
        let mut left: Vec<(usize, u32)> =
            self.pieces[0].children.iter().rev().map(|&child| (child, 0)).collect();
        while let Some((at, parent)) = left.pop() {
            let piece = &self.pieces[at];
            let node = match &piece.what {
                What::Text(text) => capture.text(parent, text, piece.place),
                What::Element { tag, attributes } => {
                    let pairs: Vec<(&str, &str)> =
                        attributes.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
                    let [x, y, width, height] = piece.place;
                    let place = [x, y, width.max(0), height.max(0)];
                    capture.element(parent, tag, &pairs, place, piece.flags)
                }
            };
            at_node.extend(piece.origin.map(|origin| (origin, node)));
            left.extend(piece.children.iter().rev().map(|&child| (child, node)));
        }
        at_node.sort_unstable();
        let new = |target: &u32| {
            at_node.binary_search_by_key(target, |&(origin, _)| origin).ok().map(|at| at_node[at].1)
        };
        let places = targets.iter().map(new).collect();
        Page::from_capture(capture.finish()).ok().map(|page| (page, places))
    }
}
