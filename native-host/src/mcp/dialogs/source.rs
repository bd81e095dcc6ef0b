//! Who keeps a dialog: another program, or we.

/// Of which program a dialog is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::mcp) enum Source {
    /// Ours, beside the page.
    Own,
    /// Another program's.
    Theirs(opentoolbar_dialogs::Source),
}

impl Source {
    /// As answers name it.
    pub(in crate::mcp) fn word(self) -> &'static str {
        match self {
            Self::Own => super::own::SOURCE,
            Self::Theirs(source) => source.word(),
        }
    }
}
