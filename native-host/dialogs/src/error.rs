//! What goes wrong, as types: sentences are made by whoever answers.

use std::io;

/// Why a history cannot be had, though the dialog is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoData {
    /// Nothing is there, or no longer.
    #[error("its file is missing")]
    Missing,
    /// Links are not followed.
    #[error("its file is a symbolic link")]
    SymbolicLink,
    /// A directory, a pipe, a device.
    #[error("what is in its place is no file")]
    NotAFile,
    /// The system refuses.
    #[error("its file cannot be read")]
    Unreadable,
    /// No byte is in it.
    #[error("its file is empty")]
    Empty,
    /// It ends before it is whole: it may be being written.
    #[error("its file is cut off")]
    Cut,
    /// A version that is not known.
    #[error("its version is unknown")]
    UnknownVersion,
    /// It cannot be read without guessing.
    #[error("its file is broken")]
    Broken,
    /// More requests, or parts of them, than are kept.
    #[error("it has too many requests or parts of requests")]
    TooLarge,
}

/// What a question fails by.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No dialog has this id where it was looked for.
    #[error("there is no such dialog")]
    NotFound,
    /// The dialog is known, and its history cannot be had.
    #[error("the history cannot be had: {0}")]
    NoData(NoData),
    /// Counted from 1.
    #[error("there is no request {number} of {total}")]
    NoSuchRequest {
        /// Which was asked for.
        number: u64,
        /// How many there are.
        total: u64,
    },
    /// The history changed while it was read.
    #[error("the history changed meanwhile")]
    Changed,
    /// Whoever asked does not want it any more.
    #[error("it was stopped")]
    Stopped,
    /// The disk failed.
    #[error("the history cannot be read: {0}")]
    Io(#[from] io::Error),
}

impl From<NoData> for Error {
    fn from(why: NoData) -> Self {
        Self::NoData(why)
    }
}
