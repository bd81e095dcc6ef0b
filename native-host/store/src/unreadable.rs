//! What this version cannot read of a database: skipped and left as it is, counted, and told.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use opentoolbar_core::model::{Comment, SessionId};
use rusqlite::Statement;
use rusqlite::types::ValueRef;

use super::fault::Fault;
use super::numbers;

/// The rows of one project that were met and could not be read, since the hub started.
#[derive(Clone, Debug, Default)]
pub(super) struct Unreadable(Arc<Mutex<BTreeSet<String>>>);

impl Unreadable {
    /// How many rows.
    pub(super) fn count(&self) -> u32 {
        let rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        u32::try_from(rows.len()).unwrap_or(u32::MAX)
    }

    /// `id`: as it stands in the database, of a `what`.
    pub(super) fn note(&self, what: &str, id: &str) {
        let row = format!("{what} {id}");
        if self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(row) {
            // What the error says may quote what a person wrote.
            tracing::warn!(what, id, "a stored row cannot be read; it is skipped and stays as it is");
        }
    }

    /// Whether this row was met and could not be read.
    pub(super) fn is_noted(&self, what: &str, id: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&format!("{what} {id}"))
    }

    /// None of the rows is there any more.
    pub(super) fn forget_all(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The row is not there any more.
    pub(super) fn is_gone(&self, what: &str, id: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&format!("{what} {id}"));
    }

    /// The comment in these columns, or none.
    pub(super) fn comment(
        &self,
        id: ValueRef<'_>,
        document: ValueRef<'_>,
        number: ValueRef<'_>,
    ) -> Option<Comment> {
        let read = document.as_str().ok().and_then(|json| serde_json::from_str(json).ok());
        let read = read.map(|comment| Comment { number: numbers::read(number), ..comment });
        if read.is_none() {
            self.note("comment", id.as_str().unwrap_or("of no id"));
        }
        read
    }

    /// The first sessions of a query whose one column says where a `what` belongs. One that cannot be read takes no
    /// other's place.
    pub(super) fn sessions(
        &self,
        what: &str,
        query: &mut Statement<'_>,
        most: usize,
    ) -> Result<Vec<SessionId>, Fault> {
        let mut rows = query.query([])?;
        let mut sessions = Vec::new();
        while let (true, Some(row)) = (sessions.len() < most, rows.next()?) {
            match row.get_ref(0)?.as_str().ok().and_then(|id| id.parse().ok()) {
                Some(session) => sessions.push(session),
                None => self.note(what, "of no session"),
            }
        }
        Ok(sessions)
    }

    /// What a row of `what` gave, or none when the row is at fault.
    pub(super) fn skip<T>(&self, what: &str, id: &str, read: Result<T, Fault>) -> Result<Option<T>, Fault> {
        match read {
            Ok(value) => Ok(Some(value)),
            Err(fault) if fault.is_of_a_row() => {
                self.note(what, id);
                Ok(None)
            }
            Err(fault) => Err(fault),
        }
    }
}

#[cfg(test)]
mod tests;
