//! Text as a person reads it: white space folded, scripts and styles left out, bounded.

use super::arena::{NodeKind, Page};
use super::tags::{is_inline, is_unread};

/// Most nodes that one walk for text looks at, so that a vast subtree without text stays cheap.
pub const WALK_LIMIT: u32 = 20_000;

/// What a walk for text comes by.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// An element, before what is in it.
    Enter(u32),
    /// A text node, and whether it goes on with the word of the text before.
    Text {
        /// The node.
        node: u32,
        /// No blank belongs between.
        joined: bool,
    },
}

/// How a walk for text goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// With the next node.
    On,
    /// Behind this element.
    Over,
    /// Not at all.
    Stop,
}

/// Collects text with white space folded to single blanks, up to a number of characters.
#[derive(Debug)]
pub struct FoldedText {
    text: String,
    room: usize,
    blank: bool,
}

impl FoldedText {
    /// Takes at most `limit` characters.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { text: String::new(), room: limit, blank: false }
    }

    /// Whether nothing more is taken.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.room == 0
    }

    /// Whether nothing was taken yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Makes sure that a blank stands before what comes next.
    pub fn break_word(&mut self) {
        self.blank = !self.text.is_empty();
    }

    /// Adds a piece of text.
    pub fn push(&mut self, piece: &str) {
        let blank = usize::from(self.blank);
        if is_plain(piece) && blank + piece.len() <= self.room {
            self.text.push_str(if self.blank { " " } else { "" });
            self.text.push_str(piece);
            self.room -= blank + piece.len();
            self.blank = false;
            return;
        }
        for c in piece.chars() {
            if c.is_whitespace() {
                self.break_word();
                continue;
            }
            let needed = if self.blank { 2 } else { 1 };
            if self.room < needed {
                self.room = 0;
                return;
            }
            if self.blank {
                self.text.push(' ');
                self.blank = false;
            }
            self.text.push(c);
            self.room -= needed;
        }
    }

    /// What was taken.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }
}

/// Printable ASCII with single blanks inside: most texts, and nothing to be folded.
fn is_plain(piece: &str) -> bool {
    let mut last = b' ';
    let is_plain = piece.bytes().all(|byte| {
        let before = std::mem::replace(&mut last, byte);
        byte.is_ascii_graphic() || (byte == b' ' && before != b' ')
    });
    is_plain && last != b' '
}

impl Page {
    /// Text directly inside an element (or of a text node), folded, at most `limit` characters.
    #[must_use]
    pub fn own_text(&self, node: u32, limit: usize) -> String {
        let mut folded = FoldedText::new(limit);
        if self.kind(node) == Some(NodeKind::Text) {
            folded.push(self.data(node));
            return folded.finish();
        }
        let mut last = None;
        for child in self.children(node).filter(|&child| self.kind(child) == Some(NodeKind::Text)) {
            if folded.is_full() {
                break;
            }
            if !last.is_some_and(|before| self.touches(before, child)) {
                folded.break_word();
            }
            folded.push(self.data(child));
            last = Some(child);
        }
        folded.finish()
    }

    /// Text of the whole subtree with its shadow roots, without frames, scripts, styles and templates; folded, at
    /// most `limit` characters.
    #[must_use]
    pub fn text(&self, node: u32, limit: usize) -> String {
        self.text_without(node, limit, |_| false)
    }

    /// As [`Page::text`], without the subtrees of elements that `skip` names.
    #[must_use]
    pub fn text_without(&self, node: u32, limit: usize, skip: impl Fn(u32) -> bool) -> String {
        let mut folded = FoldedText::new(limit);
        self.each_text(node, |piece| {
            match piece {
                Piece::Enter(element) if skip(element) => return Walk::Over,
                Piece::Enter(_) => {}
                Piece::Text { node, joined } => {
                    if !joined {
                        folded.break_word();
                    }
                    folded.push(self.data(node));
                }
            }
            if folded.is_full() { Walk::Stop } else { Walk::On }
        });
        folded.finish()
    }

    /// Walks the subtree of `node` in document order, [`WALK_LIMIT`] nodes at most: each text, and each element
    /// before what is in it. Frames, scripts, styles and templates inside are passed over.
    pub fn each_text(&self, node: u32, mut visit: impl FnMut(Piece) -> Walk) {
        let range = self.subtree(node);
        let mut last = None;
        let mut at = range.start;
        for _ in 0..WALK_LIMIT {
            if at >= range.end {
                return;
            }
            let walk = match self.kind(at) {
                Some(NodeKind::Document) if at != node => Walk::Over,
                Some(NodeKind::Element) if at != node && is_unread(self.tag(at)) => Walk::Over,
                Some(NodeKind::Element) if at != node => visit(Piece::Enter(at)),
                Some(NodeKind::Text) => {
                    let joined = last.is_some_and(|before| self.touches(before, at));
                    last = Some(at);
                    visit(Piece::Text { node: at, joined })
                }
                _ => Walk::On,
            };
            match walk {
                Walk::On => at += 1,
                Walk::Over => at = self.subtree(at).end,
                Walk::Stop => return,
            }
        }
    }

    /// Whether two texts that follow one another stand in one word, as in `Hel<b>lo</b>`. White space between two tags
    /// is not captured, so only a text right beside an inline tag can be sure of it. Two texts beside one another, as
    /// frameworks make of `({count})`, have the white space between them in themselves.
    fn touches(&self, before: u32, after: u32) -> bool {
        let (Some(left), Some(right)) = (self.parent(before), self.parent(after)) else { return false };
        if left == right {
            return after == before + 1;
        }
        let opens = after == before + 2 && right == before + 1 && self.parent(right) == Some(left);
        let closes = after == before + 1 && self.parent(left) == Some(right);
        (opens && is_inline(self.tag(right))) || (closes && is_inline(self.tag(left)))
    }
}
