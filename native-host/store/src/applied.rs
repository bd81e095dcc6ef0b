//! Each message is applied once: its id is kept in the transaction that applied it.

use opentoolbar_core::model::{CommentChange, MessageId, Timestamp};
use opentoolbar_core::protocol::ErrorCode;
use rusqlite::{OptionalExtension, Transaction, params};
use serde::Serialize;
use std::hash::Hasher;

use super::fault::Fault;
use opentoolbar_leaves::error::error;

/// How long a sender may keep a message in its outbox and still have it applied once, by the clock.
const KEEP_MS: u64 = 90 * 24 * 60 * 60 * 1000;
/// Whatever the clock says: so many of the latest messages are remembered.
const KEEP: i64 = 100_000;

/// Another version may write the same content with another field, so fingerprints are compared within one version only.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Tells the contents of two messages apart.
#[derive(Clone, Copy, Debug)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Of what the sender sent, before it is redacted: redaction may change. The same for every attempt to send the
    /// message, so `content` must hold nothing that a sender may bring up to date in between.
    ///
    /// # Errors
    /// Only for content that is no JSON.
    pub fn of(content: &impl Serialize) -> serde_json::Result<Self> {
        struct Hash(fnv::FnvHasher);
        impl std::io::Write for Hash {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0.write(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let mut hash = Hash(fnv::FnvHasher::default());
        serde_json::to_writer(&mut hash, content)?;
        Ok(Self(hash.0.finish()))
    }

    /// As it is kept in a database.
    pub(super) fn stored(self) -> i64 {
        i64::from_ne_bytes(self.0.to_ne_bytes())
    }

    pub(super) fn from_stored(stored: i64) -> Self {
        Self(u64::from_ne_bytes(stored.to_ne_bytes()))
    }

    /// Of a change. A sender may bring the base of an edit that waits up to date.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn of_change(change: &CommentChange) -> serde_json::Result<Self> {
        match change {
            CommentChange::Edit { text, .. } => {
                Self::of(&CommentChange::Edit { text: text.clone(), base_revision: 0 })
            }
            change => Self::of(change),
        }
    }
}

/// A message as it was sent.
#[derive(Clone, Debug)]
pub struct Sent {
    /// Id of the message.
    pub message: MessageId,
    /// Fingerprint of its content.
    pub fingerprint: Fingerprint,
}

/// What a message does, to what, and with what content.
pub(super) fn target(what: &str, id: impl std::fmt::Display, fingerprint: Fingerprint) -> String {
    format!("{what} {id} {VERSION} {:016x}", fingerprint.0)
}

/// Whether both are of one message. Of what another version wrote, only what was done to what is comparable; versions
/// up to the first named no version.
fn is_same(applied: &str, target: &str) -> bool {
    let words = |target| str::split(target, ' ').collect::<Vec<_>>();
    let (applied, target) = (words(applied), words(target));
    match (applied.as_slice(), target.as_slice()) {
        ([a, b, version, content], [c, d, ours, other]) if version == ours => {
            (a, b, content) == (c, d, other)
        }
        ([a, b, ..], [c, d, ..]) => (a, b) == (c, d),
        _ => applied == target,
    }
}

/// Whether the message was applied before, with what was answered. `target`: as the function of that name says.
pub(super) fn before(
    transaction: &Transaction<'_>,
    message: &MessageId,
    target: &str,
) -> Result<Option<Option<String>>, Fault> {
    let row: Option<(String, Option<String>)> = transaction
        .prepare_cached("SELECT target, answer FROM applied WHERE message_id = ?1")?
        .query_row([message.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    match row {
        None => Ok(None),
        Some((applied, answer)) if is_same(&applied, target) => Ok(Some(answer)),
        Some(_) => Err(Fault::Refused(error(
            ErrorCode::BadRequest,
            format!("the message id {message} was used for another message"),
            "Send it again with an id of its own; ids must be random.",
        ))),
    }
}

/// Remembers the message, and forgets some of those that nobody can still have in an outbox: those that many came after
/// and that are old. A clock that jumps makes none of the latest old.
pub(super) fn remember(
    transaction: &Transaction<'_>,
    message: &MessageId,
    target: &str,
    answer: Option<&str>,
    at: Timestamp,
) -> Result<(), Fault> {
    transaction
        .prepare_cached("INSERT INTO applied (message_id, target, answer, at) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![message.as_str(), target, answer, millis(at)])?;
    forget(transaction, at, KEEP)
}

/// A few at a time, so that each message costs the same.
fn forget(transaction: &Transaction<'_>, at: Timestamp, keep: i64) -> Result<(), Fault> {
    let old = millis(Timestamp(at.0.saturating_sub(KEEP_MS)));
    transaction
        .prepare_cached(
            "DELETE FROM applied WHERE number IN (SELECT number FROM applied WHERE number <= (SELECT max(number) FROM \
             applied) - ?1 ORDER BY number LIMIT 8) AND (at < ?2 OR at > ?3)",
        )?
        .execute(params![keep, old, millis(at)])?;
    Ok(())
}

/// As SQLite stores it.
pub(super) fn millis(at: Timestamp) -> i64 {
    i64::try_from(at.0).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use rusqlite::Connection;

    const DAY: u64 = 24 * 60 * 60 * 1000;
    const NOW: u64 = 1_700_000_000_000;

    fn known(connection: &Connection) -> Vec<i64> {
        let mut statement = connection.prepare("SELECT number FROM applied ORDER BY number").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn contents_are_compared_within_one_version_only() {
        let [one, two] = ["one", "two"].map(|text| target("edit", "c_1", Fingerprint::of(&text).unwrap()));
        assert!(is_same(&one, &one) && !is_same(&one, &two));
        for other in ["edit c_1 0123456789abcdef", "edit c_1 0.0.1 0123456789abcdef"] {
            assert!(is_same(other, &one));
            for another in ["edit c_2", "reply c_1"] {
                assert!(!is_same(&other.replace("edit c_1", another), &one));
            }
        }
    }

    #[test]
    fn a_clock_that_jumps_forgets_nothing_that_may_be_sent_again() {
        let mut connection = Connection::open_in_memory().unwrap();
        super::super::migrations::migrate(&mut connection).unwrap();
        let transaction = connection.transaction().unwrap();
        for (n, days) in [100, 200, 0, 300, 100].into_iter().enumerate() {
            let id = format!("m_{n}").parse().unwrap();
            remember(&transaction, &id, "say", None, Timestamp(NOW + days * DAY)).unwrap();
        }
        assert_eq!(known(&transaction), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn what_many_came_after_is_forgotten_once_it_is_old() {
        let mut connection = Connection::open_in_memory().unwrap();
        super::super::migrations::migrate(&mut connection).unwrap();
        let transaction = connection.transaction().unwrap();
        // Old, new, and of a clock that was ahead.
        for (n, at) in [NOW, NOW + 99 * DAY, NOW + 500 * DAY, NOW + 100 * DAY].into_iter().enumerate() {
            let id = format!("m_{n}").parse().unwrap();
            remember(&transaction, &id, "say", None, Timestamp(at)).unwrap();
        }
        forget(&transaction, Timestamp(NOW + 100 * DAY), 1).unwrap();
        assert_eq!(known(&transaction), [2, 4]);
    }
}
