//! Unique, short, readable addresses of elements.
//!
//! # Notation
//! A selector is one or more segments with ` >>> ` between them. Each segment is plain CSS and is searched in one tree:
//! the first in the page's document, each further one in the shadow root of the element matched so far or, if that
//! element is a frame, in its document. A browser resolves a segment without tests of texts with `querySelectorAll` of
//! that tree.
//!
//! Within a segment: compounds joined by the combinators ` ` (inside), `>` (child), `+` (next sibling), `~` (later
//! sibling). A compound is made of
//! - a tag name or `*`, `#id`, `.class`,
//! - `[name]`, `[name="value"]`, and the operators `~=`, `|=`, `^=`, `$=`, `*=`, with the flags `i` and `s`,
//! - `:nth-child(..)`, `:nth-of-type(..)`, `:nth-last-child(..)`, `:nth-last-of-type(..)` with a number, `odd`, `even`
//!   or `an+b`; `:first-child`, `:last-child`, `:only-child`, `:first-of-type`, `:last-of-type`, `:only-of-type`,
//! - `:root`, and `:not(* *)`: an element without a parent element, which in a shadow root is what `:root` is in a
//!   document,
//! - `:text-is("..")` and `:text-starts("..")`: the whole text, or how it begins, without white space; `:has(..)` with
//!   one compound: something inside fits. The tests of texts are not CSS: the content script brings its own reader.
//!
//! Names are escaped as CSSOM says. Everything else (lists with `,`, other pseudo-classes, pseudo-elements,
//! namespaces) is refused with [`SelectorError`]. Documents are taken to be in no-quirks mode, where classes and ids
//! are case-sensitive.
//!
//! Knows pages only; nothing of comments, anchors or browsers.

mod avoided;
mod escape;
mod forms;
mod generate;
mod link;
mod matching;
mod names;
mod near;
mod parse;
mod places;
mod pricing;
mod redacted;
mod resolve;
mod search;
mod stability;
mod syntax;
mod vote;

pub use forms::{Forms, forms};
pub(crate) use generate::MAX_DIVERSE;
pub use generate::{diverse, generate};
pub(crate) use redacted::redact_selector_of;
pub use resolve::resolve;
pub use stability::{is_generated, is_utility_class};
pub use vote::{Vote, vote};

/// Longest selector that is read or made, in bytes. Only a page of thousands of bare nested elements comes near.
pub const MAX_SELECTOR_BYTES: usize = 256 * 1024;

/// Why there is no selector, or why one cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    /// The node does not exist or is no element.
    #[error("node {node} is not an element of this page")]
    NotAnElement {
        /// What was asked for.
        node: u32,
    },
    /// Longer than a selector may be.
    #[error("the selector is {bytes} bytes long; at most {MAX_SELECTOR_BYTES} are read")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
    /// Not in the notation.
    #[error("the selector cannot be read at character {at}: {problem}")]
    Syntax {
        /// 0-based, in characters.
        at: usize,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// No unique selector was found: the page repeats itself beyond the bounds of the notation.
    #[error("no unique selector was found for node {node}")]
    NotUnique {
        /// What was asked for.
        node: u32,
    },
}
