//! What the arguments of prompts and of resources' templates are of.

/// What an argument is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completes {
    /// Pages with comments.
    Pathname,
    /// Numbers of comments, and ids.
    Comment,
    /// Selections of open tabs.
    Context,
    /// Dialogs.
    Dialog,
}
