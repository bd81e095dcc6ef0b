//! The parts of an answer that still comes.

use opentoolbar_core::model::MessageId;
use rusqlite::{Connection, Transaction, params};

use super::super::fault::Fault;
use super::super::unreadable::Unreadable;

/// The text of an answer that still comes.
pub(super) fn parts(connection: &Connection, id: &MessageId) -> Result<String, Fault> {
    let mut statement =
        connection.prepare_cached("SELECT text FROM parts WHERE message_id = ?1 ORDER BY at")?;
    let rows = statement.query_map([id.as_str()], |row| row.get::<_, String>(0))?;
    Ok(rows.collect::<Result<String, _>>()?)
}

/// Takes the parts of an answer that is complete now, and gives their text. One that cannot be read stays, and is no
/// part of the answer: without it the answer would never end.
pub(super) fn take_parts(
    transaction: &Transaction<'_>,
    id: &MessageId,
    unreadable: &Unreadable,
) -> Result<String, Fault> {
    let mut statement =
        transaction.prepare_cached("SELECT at, text FROM parts WHERE message_id = ?1 ORDER BY at")?;
    let mut rows = statement.query([id.as_str()])?;
    let (mut text, mut taken) = (String::new(), Vec::new());
    while let Some(row) = rows.next()? {
        match (row.get::<_, i64>(0), row.get_ref(1)?.as_str()) {
            (Ok(at), Ok(part)) => {
                text.push_str(part);
                taken.push(at);
            }
            (at, _) => unreadable.note("part of an answer", &format!("{id} {}", at.unwrap_or(-1))),
        }
    }
    for at in taken {
        transaction
            .prepare_cached("DELETE FROM parts WHERE message_id = ?1 AND at = ?2")?
            .execute(params![id.as_str(), at])?;
    }
    Ok(text)
}
