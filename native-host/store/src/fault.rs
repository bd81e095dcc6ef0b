//! What can go wrong with storage, and how it is said.

use std::path::PathBuf;

use opentoolbar_core::model::{ContextId, MessageId, SessionId};
use opentoolbar_core::protocol::{ErrorBody, ErrorCode, next_step};
use rusqlite::ErrorCode as Sqlite;

use opentoolbar_leaves::error::{error, internal};
use opentoolbar_leaves::names::{DATABASE, DIRECTORY};
use opentoolbar_leaves::why::why;
use opentoolbar_project::UnreadableRecord;

/// Where a project is, and where in the home what is kept of it is (or would be in, while nothing is kept).
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub root: PathBuf,
    pub(super) data: PathBuf,
}

/// Why a job was not done. Nothing was changed then.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("the project's directory is gone")]
    ProjectGone,
    /// An empty directory stands where its disk is mounted.
    #[error("the disk of the project is not mounted")]
    NotMounted,
    #[error("the database is of version {found}, this program knows up to {known}")]
    Newer { found: usize, known: usize },
    #[error("{0}")]
    Migration(rusqlite_migration::Error),
    #[error("{0}")]
    Sql(#[from] rusqlite::Error),
    /// Of a file in the project.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// Of what is kept in the home.
    #[error("{0}")]
    Home(std::io::Error),
    #[error("a stored comment cannot be read: {0}")]
    Document(#[from] serde_json::Error),
    /// Of a way to put on disk what was committed.
    #[error("another program reads the database")]
    KeptOut,
    /// What was committed and may not be on disk.
    #[error("{0}")]
    NotDurable(std::io::Error),
    #[error("there is no selection {id} in the session {session}")]
    NoSuchSelection { id: ContextId, session: SessionId, named_by: NamedBy },
    /// An answer names none, and nothing was said before one was made.
    #[error(
        "`contextId` is missing, and nothing was said in the session {session} before anything was selected"
    )]
    NoSelection { session: SessionId },
    #[error("there is no message {id} in the history of the session {session}")]
    NoSuchMessage { id: MessageId, session: SessionId },
    #[error("the answer about {} is complete", about.as_ref().map_or("no selection", ContextId::as_str))]
    AnswerIsComplete { about: Option<ContextId> },
    #[error("{0}")]
    Refused(ErrorBody),
}

/// In what a selection was named that is not there.
#[derive(Clone, Copy, Debug)]
pub(super) enum NamedBy {
    /// A page's message.
    Page,
    /// An agent's answer.
    Answer,
    /// An agent's question.
    Question,
}

const FREE_SPACE: &str =
    "Free some space on that disk, then try again; what was not stored is still with its sender.";

impl Fault {
    /// What stands in a row cannot be read.
    pub(super) fn unreadable(error: impl std::fmt::Display) -> Self {
        Self::Document(serde::de::Error::custom(error))
    }

    /// Whether one row holds what this version cannot read; all others may be well.
    pub(super) fn is_of_a_row(&self) -> bool {
        use rusqlite::Error::{
            FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error,
        };
        match self {
            Self::Document(_) => true,
            Self::Sql(error) => matches!(
                error,
                FromSqlConversionFailure(..)
                    | IntegralValueOutOfRange(..)
                    | InvalidColumnType(..)
                    | Utf8Error(..)
            ),
            _ => false,
        }
    }

    /// Whether a disk failed or is full: it may not the next time.
    pub(super) fn is_of_a_disk(&self) -> bool {
        match self {
            Self::Io(_) | Self::Home(_) | Self::NotDurable(_) => true,
            Self::Sql(error)
            | Self::Migration(rusqlite_migration::Error::RusqliteError { err: error, .. }) => {
                fails_by_disk(error)
            }
            _ => false,
        }
    }

    /// Whether a program that was asked is not done in time.
    pub(super) fn is_of_a_late_program(&self) -> bool {
        matches!(self, Self::Io(error) | Self::Home(error) if is_of_a_late_program(error))
    }

    pub(super) fn into_body(self, places: &Places) -> ErrorBody {
        let place = places.root.display();
        let data = places.data.display();
        let database = places.data.join(DATABASE);
        let database = database.display();
        let storage = |message: String, next: &str| error(ErrorCode::Storage, message, next);
        let writable = format!(
            "Make {place}/{} writable for the user that runs opentoolbar, then try again.",
            DIRECTORY
        );
        let kept_writable =
            format!("Make {data} readable and writable for the user that runs opentoolbar, then try again.");
        let locked = || {
            storage(
                format!("another program keeps the database of {place} locked"),
                &format!("Close the program that has {database} open, then try again."),
            )
        };
        // Not `internal`: asked again it says the same, and what waits behind it must not.
        let damaged = || {
            error(
                ErrorCode::Conflict,
                format!("what is stored of it in the database of {place} cannot be read"),
                "Update opentoolbar: a newer one may have written it. It stays in the database as it is.",
            )
        };
        let told = self.to_string();
        match self {
            Self::Refused(body) => body,
            Self::NoSuchSelection { named_by, .. } => {
                let next = match named_by {
                    NamedBy::Page => "Select the element again.",
                    NamedBy::Answer => next_step::ASK_FOR_THE_SELECTION,
                    NamedBy::Question => "Ask without `contextId`: the answer has the one that is meant.",
                };
                error(ErrorCode::UnknownContext, told, next)
            }
            Self::NoSelection { .. } => {
                error(ErrorCode::UnknownContext, told, next_step::ASK_FOR_THE_SELECTION)
            }
            Self::NoSuchMessage { .. } => {
                error(ErrorCode::BadRequest, told, next_step::TAKE_AN_ID_OF_THE_HISTORY)
            }
            Self::AnswerIsComplete { .. } => error(ErrorCode::Conflict, told, next_step::WAIT_FOR_WORDS),
            fault if fault.is_of_a_row() => damaged(),
            Self::ProjectGone => storage(
                format!("the project directory {place} does not exist any more"),
                "Put the directory back, or choose another project for this page; nothing sent meanwhile was stored.",
            ),
            Self::NotMounted => storage(
                format!("the project directory {place} is empty: its disk is not mounted"),
                "Mount the disk of the project, or choose another project for this page; nothing sent meanwhile was stored.",
            ),
            Self::Newer { found, known } => storage(
                format!(
                    "the database of {place} was made by a newer opentoolbar (version {found}, this one knows up to \
                     {known})"
                ),
                &format!("Update opentoolbar; or, to start afresh, move {database} aside."),
            ),
            Self::Io(e) | Self::Home(e) if e.kind() == std::io::ErrorKind::TimedOut => storage(
                format!("{place} cannot be used now: {}", why(&e)),
                "Try again in a moment, when the machine and the project's disk are less busy; nothing was decided or stored.",
            ),
            Self::Io(e) => match e.kind() {
                _ if is_full(&e) => storage(format!("the disk of {place} is full"), FREE_SPACE),
                std::io::ErrorKind::ReadOnlyFilesystem | std::io::ErrorKind::PermissionDenied => {
                    storage(format!("{place} cannot be written: {}", why(&e)), &writable)
                }
                _ => storage(format!("cannot use {place}/{}: {}", DIRECTORY, why(&e)), &writable),
            },
            Self::Home(e) if unreadable(&e).is_some() => {
                let why = unreadable(&e).map(ToString::to_string).unwrap_or_default();
                storage(format!("what is kept of {place} cannot be used: {why}"), UnreadableRecord::NEXT_STEP)
            }
            Self::Home(e) if is_full(&e) => storage(format!("the disk of {data} is full"), FREE_SPACE),
            Self::Home(e) => storage(
                format!("what is kept of {place} cannot be used: {data}: {}", why(&e)),
                &kept_writable,
            ),
            Self::KeptOut => locked(),
            Self::NotDurable(e) if is_full(&e) => storage(format!("the disk of {data} is full"), FREE_SPACE),
            Self::NotDurable(e) => storage(
                format!("what was sent may not be on the disk of {data}, which failed: {}", why(&e)),
                "Look after that disk (is it full, or was it removed?), then try again; what was not stored is still with \
                 its sender.",
            ),
            Self::Sql(e) | Self::Migration(rusqlite_migration::Error::RusqliteError { err: e, .. }) => {
                match e.sqlite_error_code() {
                    Some(Sqlite::DiskFull) => storage(format!("the disk of {data} is full"), FREE_SPACE),
                    Some(Sqlite::ReadOnly | Sqlite::CannotOpen | Sqlite::PermissionDenied) => {
                        storage(format!("the database of {place} cannot be written: {e}"), &kept_writable)
                    }
                    Some(Sqlite::DatabaseCorrupt | Sqlite::NotADatabase) => storage(
                        format!("the database of {place} is damaged: {e}"),
                        &format!("Move {database} aside; `sqlite3 FILE .recover` may save its content."),
                    ),
                    Some(Sqlite::DatabaseBusy | Sqlite::DatabaseLocked) => locked(),
                    Some(Sqlite::SystemIoFailure) => {
                        storage(format!("the disk of {data} failed: {e}"), FREE_SPACE)
                    }
                    _ => internal(format!("the database of {place} says: {e}")),
                }
            }
            Self::Migration(e) => {
                internal(format!("the database of {place} could not be brought up to date: {e}"))
            }
            Self::Document(_) => damaged(),
        }
    }
}

/// What a disk says of itself has a number of the system.
pub(super) fn is_of_a_late_program(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::TimedOut && error.raw_os_error().is_none()
}

/// Of a project's record, not of the disk.
fn unreadable(error: &std::io::Error) -> Option<&UnreadableRecord> {
    error.get_ref()?.downcast_ref()
}

/// Whether SQLite says that of the disk under a database, and nothing of what is in it.
pub(super) fn fails_by_disk(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(Sqlite::DiskFull | Sqlite::SystemIoFailure | Sqlite::CannotOpen))
}

fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded)
}
