//! Each message is applied once: its id is kept in the transaction that applied it.

use opentoolbar_core::model::{MessageId, Timestamp};
use opentoolbar_core::protocol::ErrorCode;
use rusqlite::{OptionalExtension, Transaction, params};
use serde::Serialize;
use std::hash::Hasher;

use super::fault::Fault;
use crate::hub::error::error;

/// How long a sender may keep a message in its outbox and still have it applied once, by the clock.
const KEEP_MS: u64 = 90 * 24 * 60 * 60 * 1000;
/// Whatever the clock says: so many of the latest messages are remembered.
const KEEP: i64 = 100_000;

/// What a message does, to what, and a fingerprint of its `content`: the same for every attempt to send the message, so
/// `content` must hold nothing that a sender may bring up to date in between.
pub(super) fn target(
    what: &str,
    id: impl std::fmt::Display,
    content: &impl Serialize,
) -> Result<String, Fault> {
    struct Fingerprint(fnv::FnvHasher);
    impl std::io::Write for Fingerprint {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.write(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut fingerprint = Fingerprint(fnv::FnvHasher::default());
    serde_json::to_writer(&mut fingerprint, content)?;
    Ok(format!("{what} {id} {:016x}", fingerprint.0.finish()))
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
        Some((applied, answer)) if applied == target => Ok(Some(answer)),
        Some(_) => Err(Fault::Refused(error(
            ErrorCode::BadRequest,
            format!("the message id {message} was used for another message"),
            "Send it again with an id of its own; ids must be random.",
        ))),
    }
}

/// Remembers the message, and forgets some of those that nobody can still have in an outbox: those that many came after and
/// that are old. A clock that jumps makes none of the latest old.
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
