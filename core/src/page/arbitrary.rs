//! Pages for tests: a plain builder, and a strategy that makes random ones with look-alikes.
#![allow(clippy::unwrap_used, clippy::cast_possible_wrap, reason = "test pages are small and well-formed")]

use std::collections::HashMap;

use proptest::prelude::*;

use super::{CAPTURE_VERSION, Capture, FLAG_VISIBLE, KIND_DOCUMENT, KIND_ELEMENT, KIND_TEXT, Page, Size};

/// A piece of a page: an element with what is in it, or a text.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Element { tag: &'static str, attributes: Vec<(&'static str, String)>, inside: Vec<Piece> },
    Text(String),
}

/// An element.
pub(crate) fn el(tag: &'static str, attributes: &[(&'static str, &str)], inside: Vec<Piece>) -> Piece {
    let attributes = attributes.iter().map(|&(name, value)| (name, value.to_owned())).collect();
    Piece::Element { tag, attributes, inside }
}

/// A text.
pub(crate) fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

#[derive(Default)]
struct Builder {
    capture: Capture,
    ids: HashMap<String, i32>,
}

impl Builder {
    fn string(&mut self, text: &str) -> i32 {
        let next = self.capture.strings.len() as i32;
        *self.ids.entry(text.to_owned()).or_insert_with(|| {
            self.capture.strings.push(text.to_owned());
            next
        })
    }

    fn node(
        &mut self,
        kind: i32,
        parent: i32,
        string: &str,
        attributes: &[(&'static str, String)],
        row: i32,
    ) -> i32 {
        let node = (self.capture.nodes.len() / super::NODE_STRIDE) as i32;
        let first = (self.capture.attributes.len() / 2) as i32;
        for (name, value) in attributes {
            let pair = [self.string(name), self.string(value)];
            self.capture.attributes.extend(pair.map(|id| id as u32));
        }
        let string = self.string(string);
        let size = if kind == KIND_TEXT { 0 } else { 20 };
        let count = attributes.len() as i32;
        let flags = if kind == KIND_TEXT { 0 } else { FLAG_VISIBLE };
        self.capture.nodes.extend([kind, parent, string, first, count, 8, row * 24, size * 10, size, flags]);
        node
    }
}

/// A page with a document, `html` and `body` around the pieces.
pub(crate) fn page(pieces: Vec<Piece>) -> Page {
    let mut builder = Builder::default();
    builder.capture.version = CAPTURE_VERSION;
    builder.capture.viewport = Size { width: 1_280, height: 720 };
    builder.node(KIND_DOCUMENT, -1, "http://localhost/", &[], 0);
    let body = el("html", &[], vec![el("body", &[], pieces)]);
    let mut left = vec![(body, 0)];
    let mut row = 0;
    while let Some((piece, parent)) = left.pop() {
        row += 1;
        match piece {
            Piece::Text(text) => drop(builder.node(KIND_TEXT, parent, &text, &[], row)),
            Piece::Element { tag, attributes, inside } => {
                let node = builder.node(KIND_ELEMENT, parent, tag, &attributes, row);
                left.extend(inside.into_iter().rev().map(|piece| (piece, node)));
            }
        }
    }
    Page::from_capture(builder.capture).unwrap()
}

/// Random pieces with few tags, classes and words, so that many of them look alike.
pub(crate) fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let word = prop::sample::select(vec!["Save", "Cancel", "Delete the row", "é", "Name 12", "🦀"]);
    let leaf = prop_oneof![
        3 => word.prop_map(|word| Piece::Text(word.to_owned())),
        1 => element(Just(Vec::new())),
    ];
    let one = leaf.prop_recursive(5, 60, 5, |inner| element(prop::collection::vec(inner, 0..5)));
    prop::collection::vec(one, 0..8)
}

fn element(inside: impl Strategy<Value = Vec<Piece>>) -> impl Strategy<Value = Piece> {
    let tag = prop::sample::select(vec!["div", "ul", "li", "button", "a", "span", "input"]);
    let name = prop::sample::select(vec!["id", "class", "href", "title", "data-testid"]);
    let value = prop::sample::select(vec!["", "a", "b c", "item", "css-1x2y3z", "/x", "'\"]>"]);
    let attributes = prop::collection::btree_map(name, value.prop_map(str::to_owned), 0..4);
    (tag, attributes, inside).prop_map(|(tag, attributes, inside)| Piece::Element {
        tag,
        attributes: attributes.into_iter().collect(),
        inside,
    })
}
