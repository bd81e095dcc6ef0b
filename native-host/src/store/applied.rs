//! Each message is applied once: its id is kept in the transaction that applied it.

use opentoolbar_core::model::{MessageId, Timestamp};
use opentoolbar_core::protocol::ErrorCode;
use rusqlite::{OptionalExtension, Transaction, params};
use serde::Serialize;
use std::hash::Hasher;

use super::fault::Fault;
use crate::hub::error::error;

/// How long a sender may keep a message in its outbox and still have it applied once.
const KEEP_MS: u64 = 90 * 24 * 60 * 60 * 1000;

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

/// Remembers the message, and forgets those that nobody can still have in an outbox.
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
    transaction
        .prepare_cached("DELETE FROM applied WHERE at < ?1")?
        .execute([millis(Timestamp(at.0.saturating_sub(KEEP_MS)))])?;
    Ok(())
}

/// As SQLite stores it.
pub(super) fn millis(at: Timestamp) -> i64 {
    i64::try_from(at.0).unwrap_or(i64::MAX)
}
