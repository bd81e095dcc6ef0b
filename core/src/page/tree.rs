//! Ways through the tree: parents, children, siblings, subtrees.

use std::ops::Range;

use super::arena::{NO_NODE, NodeKind, Page};

impl Page {
    /// The parent node: an element, a shadow root or a document. The parent of a shadow root is its host, that of
    /// a frame's document the frame element.
    #[must_use]
    pub fn parent(&self, node: u32) -> Option<u32> {
        self.node(node).map(|n| n.parent).filter(|&parent| parent != NO_NODE)
    }

    /// The parent if it is an element of the same document or shadow root (as `parentElement` in a browser).
    #[must_use]
    pub fn parent_element(&self, node: u32) -> Option<u32> {
        self.parent(node).filter(|&parent| self.is_element(node) && self.is_element(parent))
    }

    /// All nodes of the subtree, the node itself first. Shadow roots and frames inside are included.
    #[must_use]
    pub fn subtree(&self, node: u32) -> Range<u32> {
        self.node(node).map_or(0..0, |n| node..n.end)
    }

    /// Whether `inner` is `outer` or inside of it, through shadow roots and frames.
    #[must_use]
    pub fn contains(&self, outer: u32, inner: u32) -> bool {
        self.subtree(outer).contains(&inner)
    }

    /// The nearest document or shadow root, itself if it is one: the tree that `querySelectorAll` searches.
    #[must_use]
    pub fn root(&self, node: u32) -> Option<u32> {
        self.roots.get(node as usize).copied()
    }

    /// The element that a shadow root or a frame's document belongs to.
    #[must_use]
    pub fn host(&self, root: u32) -> Option<u32> {
        match self.kind(root)? {
            NodeKind::Document | NodeKind::ShadowRoot => self.parent(root),
            NodeKind::Element | NodeKind::Text => None,
        }
    }

    /// What ` >>> ` enters: the shadow root of a host, or the document of a frame.
    #[must_use]
    pub fn inner_root(&self, element: u32) -> Option<u32> {
        let found = self.node(element).filter(|n| n.kind == NodeKind::Element && n.has_root)?;
        debug_assert!(found.end > element + 1, "a root was seen inside");
        self.children(element)
            .find(|&child| matches!(self.kind(child), Some(NodeKind::Document | NodeKind::ShadowRoot)))
    }

    /// All child nodes: texts, elements, a shadow root, a document.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let end = self.subtree(node).end;
        let first = Some(node + 1).filter(|&child| child < end);
        std::iter::successors(first, move |&child| Some(self.subtree(child).end).filter(|&next| next < end))
    }

    /// Child elements in the same document or shadow root, as `children` in a browser.
    pub fn element_children(&self, node: u32) -> impl Iterator<Item = u32> {
        self.children(node).filter(|&child| self.is_element(child))
    }

    /// From the parent up to the document, every kind of node.
    pub fn ancestors(&self, node: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(self.parent(node), |&above| self.parent(above))
    }

    /// From the parent up, elements only; hosts of shadow roots and frames are among them.
    pub fn element_ancestors(&self, node: u32) -> impl Iterator<Item = u32> {
        self.ancestors(node).filter(|&above| self.is_element(above))
    }

    /// The element before, among the element children of the same parent.
    #[must_use]
    pub fn previous_element(&self, node: u32) -> Option<u32> {
        let parent = self.parent(node)?;
        // The node before belongs to what stands before: up from there, whatever the number of siblings.
        let before = |child: u32| {
            let last = child.checked_sub(1).filter(|&last| last != parent)?;
            std::iter::successors(Some(last), |&at| self.parent(at))
                .find(|&at| self.parent(at) == Some(parent))
        };
        std::iter::successors(before(node), |&child| before(child)).find(|&child| self.is_element(child))
    }

    /// The element after, among the element children of the same parent.
    #[must_use]
    pub fn next_element(&self, node: u32) -> Option<u32> {
        let end = self.subtree(self.parent(node)?).end;
        let first = Some(self.subtree(node).end).filter(|&next| next < end);
        std::iter::successors(first, |&child| Some(self.subtree(child).end).filter(|&next| next < end))
            .find(|&child| self.is_element(child))
    }

    /// All elements in document order, through shadow roots and frames.
    pub fn elements(&self) -> impl Iterator<Item = u32> {
        (0..self.len()).filter(|&node| self.is_element(node))
    }
}
