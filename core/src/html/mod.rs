//! A page from HTML alone: what a parser knows, without layout and without running scripts.
//!
//! `tree` holds what the parser builds, `flatten` walks it as the content script walks a live page, `shown` says what
//! would not be drawn, `appearance` how what is drawn looks. Knows nothing of where the HTML came from. Native only:
//! the WASM build has no HTML parser.

mod appearance;
mod flatten;
mod shown;
mod tree;

use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};

use crate::page::{HtmlError, MAX_HTML_BYTES, Page};
use flatten::{Flattening, Step};
use tree::Tree;

/// How much the parser is given between two looks at the bounds: so little that what it can grow by in between is
/// small.
const PIECE: usize = 4 * 1024;

impl Page {
    /// Reads HTML as a browser with scripting would before any script ran: the same nodes in the same order as the
    /// content script captures, with the same attributes and the same redaction.
    ///
    /// Declarative shadow roots that are open are shadow roots, `srcdoc` frames have their documents, frames with
    /// another address are opaque. All boxes and the viewport are zero ([`Page::has_layout`] is false), so the flags
    /// for visible and interactive say only what the HTML itself tells: `hidden`, inline `display: none` and
    /// `visibility: hidden`, and elements that browsers never draw. `url` is the page's address; it is redacted.
    ///
    /// # Errors
    /// [`HtmlError`] when the HTML is larger than is read. Malformed HTML is no error: any text is a page.
    pub fn from_html(html: &str, url: &str) -> Result<Self, HtmlError> {
        Self::from_html_while(html, url, || true)
    }

    /// As [`Page::from_html`], for HTML of strangers: `go_on` is asked every few kilobytes, and false ends it. Some
    /// hostile HTML (a tag with a million attributes) takes the parser time that grows with its square.
    ///
    /// # Errors
    /// [`HtmlError`], among them [`HtmlError::GivenUp`].
    pub fn from_html_while(
        html: &str,
        url: &str,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<Self, HtmlError> {
        if html.len() > MAX_HTML_BYTES {
            return Err(HtmlError::TooManyBytes { bytes: html.len() });
        }
        let mut flat = Flattening::new(url);
        // The page itself, and in it the documents of frames; the innermost one is being written.
        let mut open = vec![flat.page(parse(html, false, &mut go_on)?)?];
        while let Some(document) = open.last_mut() {
            match flat.step(document)? {
                Some(Step::Node) => {}
                Some(Step::Frame(frame)) => {
                    open.push(flat.frame(parse(&frame.html, true, &mut go_on)?, &frame)?)
                }
                None => drop(open.pop()),
            }
        }
        Ok(Self::from_capture(flat.finish())?)
    }
}

fn parse(html: &str, srcdoc: bool, go_on: &mut impl FnMut() -> bool) -> Result<Tree, HtmlError> {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: true,
            iframe_srcdoc: srcdoc,
            ..Default::default()
        },
        ..Default::default()
    };
    let mut parser = parse_document(Tree::new(), options);
    let mut rest = html;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
        parser.process(StrTendril::from_slice(piece));
        parser.tokenizer.sink.sink.check()?;
        if !go_on() {
            return Err(HtmlError::GivenUp);
        }
        rest = after;
    }
    let tree = parser.finish();
    tree.check()?;
    Ok(tree)
}
