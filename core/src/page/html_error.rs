use super::CaptureError;
use super::capture::MAX_NODES;

/// Most bytes of HTML that are read as one page.
pub const MAX_HTML_BYTES: usize = 32 * 1024 * 1024;
/// Deepest nesting that is read.
pub const MAX_HTML_DEPTH: u32 = 6_000;

/// Why HTML is not a page.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HtmlError {
    /// More bytes than are read.
    #[error("the HTML is {bytes} bytes; at most {MAX_HTML_BYTES} are read")]
    TooManyBytes {
        /// How many came.
        bytes: usize,
    },
    /// More nodes than a page may have.
    #[error("the HTML has more than {MAX_NODES} nodes; at most that many are read")]
    TooManyNodes,
    /// Nested deeper than is read.
    #[error("the HTML is nested more than {MAX_HTML_DEPTH} elements deep; at most that deep is read")]
    TooDeep,
    /// `go_on` said so.
    #[error("reading the HTML was given up: it takes too long")]
    GivenUp,
    /// What was parsed is no page. Not known to happen.
    #[error("the HTML could not be laid out as a page: {0}")]
    Page(#[from] CaptureError),
}
