//! Builds captures for tests: by hand, and at random.
#![allow(dead_code, clippy::unwrap_used, clippy::cast_possible_truncation, clippy::cast_possible_wrap)]

pub(crate) mod xpath;

use std::collections::HashMap;

use opentoolbar_core::page::{
    CAPTURE_VERSION, Capture, FLAG_VISIBLE, KIND_DOCUMENT, KIND_ELEMENT, KIND_SHADOW_ROOT, KIND_TEXT, Page,
    Size,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Lays nodes down in document order.
pub(crate) struct Builder {
    capture: Capture,
    interned: HashMap<String, u32>,
    open: Vec<i32>,
}

impl Builder {
    pub(crate) fn new(url: &str, title: &str) -> Self {
        let mut builder = Self {
            capture: Capture {
                version: CAPTURE_VERSION,
                url: url.to_owned(),
                title: title.to_owned(),
                viewport: Size { width: 1280, height: 800 },
                ..Capture::default()
            },
            interned: HashMap::new(),
            open: Vec::new(),
        };
        builder.push(KIND_DOCUMENT, url, &[]);
        builder
    }

    fn string(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.interned.get(text) {
            return id;
        }
        let id = self.capture.strings.len() as u32;
        self.capture.strings.push(text.to_owned());
        self.interned.insert(text.to_owned(), id);
        id
    }

    fn push(&mut self, kind: i32, text: &str, attributes: &[(&str, &str)]) -> i32 {
        let index = (self.capture.nodes.len() / 10) as i32;
        let string = self.string(text) as i32;
        let first = (self.capture.attributes.len() / 2) as i32;
        for (name, value) in attributes {
            let pair = [self.string(name), self.string(value)];
            self.capture.attributes.extend(pair);
        }
        let parent = self.open.last().copied().unwrap_or(-1);
        let y = index * 10;
        let row = [kind, parent, string, first, attributes.len() as i32, 8, y, 100, 10, FLAG_VISIBLE];
        self.capture.nodes.extend(row);
        if kind != KIND_TEXT {
            self.open.push(index);
        }
        index
    }

    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Opens an element; close it with `close`.
    pub(crate) fn open(&mut self, tag: &str, attributes: &[(&str, &str)]) -> u32 {
        self.push(KIND_ELEMENT, tag, attributes) as u32
    }

    /// Opens the shadow root of the innermost open element, which must have no child yet.
    pub(crate) fn shadow(&mut self) {
        self.push(KIND_SHADOW_ROOT, "", &[]);
    }

    /// Opens the document of the innermost open element, a frame.
    pub(crate) fn document(&mut self, url: &str) {
        self.push(KIND_DOCUMENT, url, &[]);
    }

    pub(crate) fn text(&mut self, text: &str) -> u32 {
        self.push(KIND_TEXT, text, &[]) as u32
    }

    pub(crate) fn close(&mut self) {
        self.open.pop();
    }

    /// Opens, holds a text, closes.
    pub(crate) fn leaf(&mut self, tag: &str, attributes: &[(&str, &str)], text: &str) -> u32 {
        let node = self.open(tag, attributes);
        if !text.is_empty() {
            self.text(text);
        }
        self.close();
        node
    }

    pub(crate) fn capture(self) -> Capture {
        self.capture
    }

    pub(crate) fn page(self) -> Page {
        Page::from_capture(self.capture).unwrap()
    }
}

#[derive(Clone, Debug)]
enum Step {
    Open { up: usize, tag: usize, attributes: Vec<(usize, usize)> },
    Text { up: usize, text: String },
    Shadow { tag: usize },
    Frame,
}

const TAGS: [&str; 14] = [
    "div",
    "div",
    "div",
    "span",
    "p",
    "li",
    "ul",
    "a",
    "button",
    "input",
    "section",
    "x-card",
    "linearGradient",
    "svg",
];
const NAMES: [&str; 13] = [
    "id",
    "id",
    "class",
    "class",
    "class",
    "name",
    "data-testid",
    "href",
    "aria-label",
    "role",
    "title",
    "type",
    "data-x:y",
];
const VALUES: [&str; 24] = [
    "",
    "a",
    "b",
    "main",
    "card",
    "card title",
    "mt-4 md:flex card",
    "css-1a2b3c",
    "x1",
    "x2",
    "1st",
    "-",
    "--",
    "-1",
    "a b\tc",
    "quote\"s and \\",
    "ünïcode",
    "日本",
    "💳",
    "a>b",
    "#.[]:~+*",
    "line\nbreak",
    " blank ",
    "item-17",
];

fn step() -> impl Strategy<Value = Step> {
    let attributes = vec((0..NAMES.len(), 0..VALUES.len()), 0..4);
    prop_oneof![
        12 => (0usize..4, 0..TAGS.len(), attributes).prop_map(|(up, tag, attributes)| Step::Open { up, tag, attributes }),
        3 => (0usize..3, "\\PC{1,12}").prop_map(|(up, text)| Step::Text { up, text }),
        1 => (0..TAGS.len()).prop_map(|tag| Step::Shadow { tag }),
        1 => Just(Step::Frame),
    ]
}

/// Pages with shadow roots, frames, repeated ids, odd names and values.
pub(crate) fn any_capture() -> impl Strategy<Value = Capture> {
    vec(step(), 0..60).prop_map(|steps| {
        let mut builder = Builder::new("https://example.com/", "random");
        builder.open("html", &[]);
        for step in steps {
            match step {
                Step::Open { up, tag, attributes } => {
                    for _ in 0..up.min(builder.depth().saturating_sub(2)) {
                        builder.close();
                    }
                    let mut pairs: Vec<(&str, &str)> = Vec::new();
                    for (name, value) in attributes {
                        if pairs.iter().all(|(other, _)| *other != NAMES[name]) {
                            pairs.push((NAMES[name], VALUES[value]));
                        }
                    }
                    builder.open(TAGS[tag], &pairs);
                }
                Step::Text { up, text } => {
                    for _ in 0..up.min(builder.depth().saturating_sub(2)) {
                        builder.close();
                    }
                    // A text needs an element or a shadow root above.
                    builder.open("p", &[]);
                    builder.text(&text);
                    builder.close();
                }
                Step::Shadow { tag } => {
                    builder.open(TAGS[tag], &[]);
                    builder.shadow();
                }
                Step::Frame => {
                    builder.open("iframe", &[]);
                    builder.document("about:srcdoc");
                    builder.open("html", &[]);
                }
            }
        }
        builder.capture()
    })
}
