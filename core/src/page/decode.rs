use std::sync::OnceLock;

use super::arena::{Attribute, NO_NODE, Node, NodeKind, Page};
use super::capture::{
    CAPTURE_VERSION, Capture, KIND_DOCUMENT, KIND_ELEMENT, KIND_SHADOW_ROOT, KIND_TEXT, MAX_CAPTURE_BYTES,
    MAX_NODES, NODE_STRIDE,
};
use super::strings::Strings;
use super::{CaptureError, Rect};

impl Capture {
    /// Refuses more JSON than is read, before any of it is.
    ///
    /// # Errors
    /// [`CaptureError::TooManyBytes`].
    pub fn check_size(bytes: usize) -> Result<(), CaptureError> {
        if bytes > MAX_CAPTURE_BYTES { Err(CaptureError::TooManyBytes { bytes }) } else { Ok(()) }
    }
}

impl Page {
    /// Reads the JSON of a [`Capture`] and checks all of it.
    ///
    /// # Errors
    /// [`CaptureError`] says what is wrong and where. No input panics.
    pub fn decode(json: &[u8]) -> Result<Self, CaptureError> {
        Capture::check_size(json.len())?;
        let capture = serde_json::from_slice(json).map_err(|error| CaptureError::Json(error.to_string()))?;
        Self::from_capture(capture)
    }

    /// Checks a capture and lays it out as an arena.
    ///
    /// # Errors
    /// [`CaptureError`] says what is wrong and where.
    pub fn from_capture(capture: Capture) -> Result<Self, CaptureError> {
        let Capture { version, url, title, viewport, strings, nodes, attributes, drawings } = capture;
        if version != CAPTURE_VERSION {
            return Err(CaptureError::Version { found: version });
        }
        if !nodes.len().is_multiple_of(NODE_STRIDE) {
            return Err(CaptureError::Stride { len: nodes.len() });
        }
        if nodes.len() / NODE_STRIDE > MAX_NODES {
            return Err(CaptureError::TooManyNodes { nodes: nodes.len() / NODE_STRIDE });
        }
        let strings = Strings::new(strings)?;
        let attributes = attribute_pairs(&attributes, &strings)?;
        let mut tree = Tree::with_capacity(nodes.len() / NODE_STRIDE, attributes.len());
        let (rows, _) = nodes.as_chunks::<NODE_STRIDE>();
        for row in rows {
            tree.push(row, &strings)?;
        }
        tree.finish()?;
        let drawings = drawing_pairs(&drawings, &tree.nodes, &strings)?;
        Ok(Self {
            url,
            title,
            viewport,
            strings,
            nodes: tree.nodes,
            roots: tree.roots,
            has_layout: tree.boxes.iter().any(|bounds| bounds.width > 0 || bounds.height > 0),
            boxes: tree.boxes,
            flags: tree.flags,
            attributes,
            drawings,
            index: OnceLock::new(),
            derived: std::array::from_fn(|_| OnceLock::new()),
        })
    }

    /// The wire form again: exactly the capture that the page came from.
    #[must_use]
    pub fn to_capture(&self) -> Capture {
        let mut nodes = Vec::with_capacity(self.nodes.len() * NODE_STRIDE);
        for (node, (bounds, flags)) in self.nodes.iter().zip(self.boxes.iter().zip(&self.flags)) {
            let kind = match node.kind {
                NodeKind::Document => KIND_DOCUMENT,
                NodeKind::Element => KIND_ELEMENT,
                NodeKind::Text => KIND_TEXT,
                NodeKind::ShadowRoot => KIND_SHADOW_ROOT,
            };
            nodes.extend_from_slice(&[
                kind,
                node.parent.cast_signed(),
                node.string.cast_signed(),
                node.first_attribute.cast_signed(),
                node.attribute_count.cast_signed(),
                bounds.x,
                bounds.y,
                bounds.width,
                bounds.height,
                *flags,
            ]);
        }
        Capture {
            version: CAPTURE_VERSION,
            url: self.url.clone(),
            title: self.title.clone(),
            viewport: self.viewport,
            strings: self.strings.texts().to_vec(),
            nodes,
            attributes: self.attributes.iter().flat_map(|pair| [pair.name, pair.value]).collect(),
            drawings: self.drawings.iter().flat_map(|&(node, string)| [node, string]).collect(),
        }
    }
}

/// Elements in ascending order, each with its string.
fn drawing_pairs(flat: &[u32], nodes: &[Node], strings: &Strings) -> Result<Vec<(u32, u32)>, CaptureError> {
    let (pairs, rest) = flat.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(CaptureError::DrawingPairs { len: flat.len() });
    }
    let mut kept: Vec<(u32, u32)> = Vec::with_capacity(pairs.len());
    for (pair, &[node, string]) in pairs.iter().enumerate() {
        let is_element = nodes.get(node as usize).is_some_and(|node| node.kind == NodeKind::Element);
        let is_next = kept.last().is_none_or(|&(last, _)| last < node);
        if !is_element || !is_next || string as usize >= strings.len() {
            return Err(CaptureError::Drawing { pair, node, string });
        }
        kept.push((node, string));
    }
    Ok(kept)
}

fn attribute_pairs(flat: &[u32], strings: &Strings) -> Result<Vec<Attribute>, CaptureError> {
    let (pairs, rest) = flat.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(CaptureError::AttributePairs { len: flat.len() });
    }
    pairs
        .iter()
        .enumerate()
        .map(|(pair, &[name, value])| {
            for string in [name, value] {
                if string as usize >= strings.len() {
                    return Err(CaptureError::AttributeString { pair, string, strings: strings.len() });
                }
            }
            if strings.get(name).is_empty() {
                return Err(CaptureError::AttributeName { pair });
            }
            Ok(Attribute { name, value })
        })
        .collect()
}

/// The arena while it is being laid out. `open` holds the ancestors of the next node, outermost first.
struct Tree {
    nodes: Vec<Node>,
    roots: Vec<u32>,
    boxes: Vec<Rect>,
    flags: Vec<i32>,
    open: Vec<u32>,
    pairs: usize,
    pairs_taken: usize,
}

impl Tree {
    fn with_capacity(nodes: usize, pairs: usize) -> Self {
        Self {
            nodes: Vec::with_capacity(nodes),
            roots: Vec::with_capacity(nodes),
            boxes: Vec::with_capacity(nodes),
            flags: Vec::with_capacity(nodes),
            open: Vec::new(),
            pairs,
            pairs_taken: 0,
        }
    }

    fn push(&mut self, row: &[i32; NODE_STRIDE], strings: &Strings) -> Result<(), CaptureError> {
        let &[kind, parent, string, first, count, x, y, width, height, flags] = row;
        let node = self.nodes.len();
        let index = u32::try_from(node).map_err(|_| CaptureError::TooManyNodes { nodes: node })?;
        let kind = match kind {
            KIND_DOCUMENT => NodeKind::Document,
            KIND_ELEMENT => NodeKind::Element,
            KIND_TEXT => NodeKind::Text,
            KIND_SHADOW_ROOT => NodeKind::ShadowRoot,
            _ => return Err(CaptureError::Kind { node, kind }),
        };
        // Here and below no error is made before there is one: a page has a hundred thousand nodes.
        let known = u32::try_from(string).ok().filter(|&id| (id as usize) < strings.len());
        let Some(string) = known else {
            return Err(CaptureError::NodeString { node, string, strings: strings.len() });
        };
        if kind == NodeKind::Element && !is_tag_name(strings.get(string)) {
            return Err(CaptureError::Tag { node });
        }
        let (first_attribute, attribute_count) = self.attribute_range(node, kind, first, count)?;
        if width < 0 || height < 0 {
            return Err(CaptureError::Box { node });
        }
        let parent = self.place(node, kind, parent)?;
        let root = match kind {
            NodeKind::Document | NodeKind::ShadowRoot => index,
            NodeKind::Element | NodeKind::Text => self.roots.get(parent as usize).copied().unwrap_or(0),
        };
        self.nodes.push(Node {
            parent,
            end: index + 1,
            string,
            first_attribute,
            attribute_count,
            kind,
            has_root: false,
        });
        self.roots.push(root);
        self.boxes.push(Rect { x, y, width, height });
        self.flags.push(flags);
        if kind != NodeKind::Text {
            self.open.push(index);
        }
        Ok(())
    }

    /// Closes the subtrees that are over and checks that `kind` may stand under `parent`.
    fn place(&mut self, node: usize, kind: NodeKind, parent: i32) -> Result<u32, CaptureError> {
        if node == 0 {
            return if kind == NodeKind::Document && parent == -1 {
                Ok(NO_NODE)
            } else {
                Err(CaptureError::NoDocument)
            };
        }
        let known = u32::try_from(parent).ok().filter(|&index| (index as usize) < node);
        let Some(parent) = known else { return Err(CaptureError::Parent { node, parent }) };
        let at = parent as usize;
        let under = self.nodes[at].kind;
        let fits = match kind {
            NodeKind::Document | NodeKind::ShadowRoot => under == NodeKind::Element,
            NodeKind::Element => under != NodeKind::Text,
            NodeKind::Text => matches!(under, NodeKind::Element | NodeKind::ShadowRoot),
        };
        if !fits {
            return Err(CaptureError::Nesting { node, child: kind.word(), parent: at, under: under.word() });
        }
        while let Some(&innermost) = self.open.last() {
            if innermost == parent {
                break;
            }
            self.close(innermost);
        }
        if self.open.is_empty() {
            return Err(CaptureError::NotPreorder { node, parent: at });
        }
        if matches!(kind, NodeKind::Document | NodeKind::ShadowRoot) {
            let late = kind == NodeKind::ShadowRoot && at + 1 != node;
            if late || self.nodes[at].has_root {
                return Err(CaptureError::SecondRoot { node, child: kind.word(), parent: at });
            }
            self.nodes[at].has_root = true;
        }
        Ok(parent)
    }

    fn close(&mut self, innermost: u32) {
        let end = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes[innermost as usize].end = end;
        self.open.pop();
    }

    fn finish(&mut self) -> Result<(), CaptureError> {
        while let Some(&innermost) = self.open.last() {
            self.close(innermost);
        }
        if self.nodes.is_empty() { Err(CaptureError::NoDocument) } else { Ok(()) }
    }

    /// Ranges may stand anywhere, but all together take no more pairs than there are: otherwise a small capture
    /// could claim an endless number of attributes.
    fn attribute_range(
        &mut self,
        node: usize,
        kind: NodeKind,
        first: i32,
        count: i32,
    ) -> Result<(u32, u32), CaptureError> {
        let wrong = || Err(CaptureError::AttributeRange { node, first, count });
        let (Ok(start), Ok(taken)) = (u32::try_from(first), u32::try_from(count)) else { return wrong() };
        let end = start as usize + taken as usize;
        self.pairs_taken += taken as usize;
        if end > self.pairs || self.pairs_taken > self.pairs || (taken > 0 && kind != NodeKind::Element) {
            return wrong();
        }
        Ok((start, taken))
    }
}

fn is_tag_name(name: &str) -> bool {
    // Byte by byte: asked for each element, and none of these is a part of another letter.
    let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, 0 | b'/' | b'>');
    !name.is_empty() && !name.bytes().any(ends)
}
