//! What the person asked in a session, by its number.

use opentoolbar_core::model::{SessionId, Timestamp};
use opentoolbar_core::protocol::PersonsRequest;
use rusqlite::params;

use super::super::fault::Fault;
use super::super::worker::Worker;
use super::messages;
use super::rows::{COLUMNS, readable};

/// Bytes of the words in one answer; at least one request is always there.
const MOST_BYTES: usize = 1024 * 1024;

/// Some of a session's requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    /// How many there are.
    pub total: u32,
    /// The wanted ones.
    pub requests: Vec<PersonsRequest>,
    /// When the last of all was made.
    pub last: Option<Timestamp>,
    /// How many cannot be read; they are not counted.
    pub unreadable: u32,
    /// Whether anything was ever said in the session, by anybody.
    pub is_any: bool,
}

/// From one on, counted from 1. The words of the others are not read.
pub(super) fn requests(
    worker: &mut Worker,
    session: &SessionId,
    first: u32,
    limit: u32,
) -> Result<Requests, Fault> {
    let is_any = messages::is_any(worker, session)?;
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(Requests::default()) };
    let connection = &database.connection;
    let without_words = COLUMNS.replace(" content,", " iif(typeof(content) = 'text', '', content),");
    let mut each = connection.prepare_cached(&format!(
        "SELECT {without_words}, number FROM messages WHERE session_id = ?1 AND role = 0 AND is_withdrawn = 0 \
         ORDER BY number"
    ))?;
    let mut words = connection.prepare_cached("SELECT content FROM messages WHERE number = ?1")?;
    let mut rows = each.query([session.as_str()])?;
    let mut found = Requests { is_any, ..Requests::default() };
    let mut bytes = 0;
    while let Some(row) = rows.next()? {
        let Some(message) = readable(connection, row, &unreadable)? else {
            found.unreadable = found.unreadable.saturating_add(1);
            continue;
        };
        found.total = found.total.saturating_add(1);
        found.last = found.last.max(Some(message.created_at));
        let is_wanted = found.total >= first && found.total - first < limit;
        if is_wanted && (bytes < MOST_BYTES || found.requests.is_empty()) {
            let number: i64 = row.get(13)?;
            let text: String = words.query_row(params![number], |row| row.get(0))?;
            bytes += text.len();
            found.requests.push(PersonsRequest { text, at: message.created_at });
        }
    }
    Ok(found)
}
