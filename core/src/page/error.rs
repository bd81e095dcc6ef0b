use super::capture::{CAPTURE_VERSION, MAX_CAPTURE_BYTES, MAX_NODES, NODE_STRIDE};

/// Why bytes are not a page. Each message says what is wrong and at which node.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaptureError {
    /// More bytes than a capture may have.
    #[error(
        "capture is {bytes} bytes; at most {MAX_CAPTURE_BYTES} are read. Capture a smaller part of the page"
    )]
    TooManyBytes {
        /// How many came.
        bytes: usize,
    },
    /// Not UTF-8, not JSON, or JSON of another shape.
    #[error("capture is not the JSON of a page: {0}")]
    Json(String),
    /// Written by a newer or older extension.
    #[error("capture has version {found}; this build reads version {CAPTURE_VERSION}")]
    Version {
        /// The version it says.
        found: u32,
    },
    /// The list of integers does not divide into nodes.
    #[error("capture has {len} node integers, which is not a multiple of {NODE_STRIDE}")]
    Stride {
        /// How many integers came.
        len: usize,
    },
    /// The list of attribute indexes does not divide into pairs.
    #[error("capture has {len} attribute integers, which is not a multiple of 2")]
    AttributePairs {
        /// How many integers came.
        len: usize,
    },
    /// More nodes than a page may have.
    #[error("capture has {nodes} nodes; at most {MAX_NODES} are read")]
    TooManyNodes {
        /// How many came.
        nodes: usize,
    },
    /// No nodes, or the first is not a document without a parent.
    #[error("capture must begin with a document node whose parent is -1")]
    NoDocument,
    /// A number that is no kind.
    #[error("node {node} has the unknown kind {kind}")]
    Kind {
        /// Index of the node.
        node: usize,
        /// What stands there.
        kind: i32,
    },
    /// A parent that is negative, or not before its child.
    #[error("node {node} has the parent {parent}, which is not a node before it")]
    Parent {
        /// Index of the node.
        node: usize,
        /// What stands there.
        parent: i32,
    },
    /// The subtree of the parent was already over.
    #[error(
        "node {node} stands outside of the subtree of its parent {parent}: nodes must be in document order"
    )]
    NotPreorder {
        /// Index of the node.
        node: usize,
        /// Its parent.
        parent: usize,
    },
    /// A kind that may not stand under that parent.
    #[error("node {node} ({child}) may not stand under node {parent} ({under})")]
    Nesting {
        /// Index of the node.
        node: usize,
        /// Its kind.
        child: &'static str,
        /// Its parent.
        parent: usize,
        /// The parent's kind.
        under: &'static str,
    },
    /// A second shadow root or frame document, or a shadow root that is not the first child.
    #[error("node {node} ({child}) is not the only one, or not the first child, of node {parent}")]
    SecondRoot {
        /// Index of the node.
        node: usize,
        /// Its kind.
        child: &'static str,
        /// Its parent.
        parent: usize,
    },
    /// A string that is not there.
    #[error("node {node} refers to string {string}; there are {strings}")]
    NodeString {
        /// Index of the node.
        node: usize,
        /// The index that stands there.
        string: i32,
        /// How many strings there are.
        strings: usize,
    },
    /// An element without a usable tag name.
    #[error("node {node} has no valid tag name")]
    Tag {
        /// Index of the node.
        node: usize,
    },
    /// Attributes of something that is not an element, outside of the list, or of two elements at once.
    #[error("node {node} refers to attributes {first}..{first}+{count}; that range is not its own")]
    AttributeRange {
        /// Index of the node.
        node: usize,
        /// First pair.
        first: i32,
        /// How many pairs.
        count: i32,
    },
    /// A string that is not there.
    #[error("attribute pair {pair} refers to string {string}; there are {strings}")]
    AttributeString {
        /// Index of the pair.
        pair: usize,
        /// The index that stands there.
        string: u32,
        /// How many strings there are.
        strings: usize,
    },
    /// An attribute without a name.
    #[error("attribute pair {pair} has an empty name")]
    AttributeName {
        /// Index of the pair.
        pair: usize,
    },
    /// The list of how elements are drawn does not divide into pairs.
    #[error("capture has {len} integers on how elements are drawn, which is not a multiple of 2")]
    DrawingPairs {
        /// How many integers came.
        len: usize,
    },
    /// What says how an element is drawn is of no element, of one before the last, or no string.
    #[error("pair {pair} on how elements are drawn names node {node} and string {string}, which cannot be")]
    Drawing {
        /// Index of the pair.
        pair: usize,
        /// The node that stands there.
        node: u32,
        /// The string that stands there.
        string: u32,
    },
    /// A box of negative size.
    #[error("node {node} has a box of negative width or height")]
    Box {
        /// Index of the node.
        node: usize,
    },
    /// Two equal strings; interned strings stand once, so that equal indexes mean equal strings.
    #[error("strings {first} and {second} are equal; each may stand only once")]
    DuplicateString {
        /// Index of one.
        first: u32,
        /// Index of the other.
        second: u32,
    },
}
