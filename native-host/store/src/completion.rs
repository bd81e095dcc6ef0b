//! What a person may type next: names alone, and of nothing else a byte.

use opentoolbar_core::model::SessionId;
use opentoolbar_core::protocol::Completed;
use rusqlite::{Connection, params};

use super::conversation::latest_id;
use super::fault::Fault;
use super::worker::Worker;

/// What is completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// Of what.
    pub of: Completed,
    /// How it begins.
    pub prefix: String,
    /// The open tabs, whose selections are meant.
    pub tabs: Vec<SessionId>,
    /// At most so many values.
    pub limit: u32,
}

/// The values that begin so, and whether there are more.
pub(super) fn complete(worker: &mut Worker, wanted: &Completion) -> Result<(Vec<String>, bool), Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok((Vec::new(), false)) };
    let connection = &database.connection;
    let mut values = match wanted.of {
        Completed::Comment => of(
            connection,
            "SELECT value FROM (SELECT 0 AS kind, numbers.number AS number, CAST(numbers.number AS TEXT) AS value \
             FROM numbers JOIN comments ON comments.id = numbers.comment_id WHERE comments.deleted_at IS NULL \
             UNION ALL SELECT 1, numbers.number, comments.id FROM comments \
             LEFT JOIN numbers ON numbers.comment_id = comments.id WHERE comments.deleted_at IS NULL) \
             WHERE substr(value, 1, length(?1)) = ?1 ORDER BY kind, number, value LIMIT ?2",
            wanted,
        )?,
        Completed::Pathname => of(
            connection,
            "SELECT DISTINCT pathname FROM comments WHERE deleted_at IS NULL AND substr(pathname, 1, length(?1)) = ?1 \
             ORDER BY pathname LIMIT ?2",
            wanted,
        )?,
        Completed::Conversation => of(
            connection,
            "SELECT session_id FROM messages WHERE is_withdrawn = 0 AND substr(session_id, 1, length(?1)) = ?1 \
             GROUP BY session_id ORDER BY max(created_at) DESC, session_id LIMIT ?2",
            wanted,
        )?,
        Completed::Context => {
            let mut ids = Vec::new();
            for tab in &wanted.tabs {
                let latest = latest_id(connection, tab, &unreadable)?;
                ids.extend(latest.map(|id| id.to_string()).filter(|id| id.starts_with(&wanted.prefix)));
            }
            ids
        }
    };
    let more = values.len() > wanted.limit as usize;
    values.truncate(wanted.limit as usize);
    Ok((values, more))
}

/// The texts of a query's one column; what is no text is passed over.
fn of(connection: &Connection, sql: &str, wanted: &Completion) -> Result<Vec<String>, Fault> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![wanted.prefix, wanted.limit.saturating_add(1)])?;
    let mut values = Vec::new();
    while let Some(row) = rows.next()? {
        values.extend(row.get_ref(0)?.as_str().ok().map(str::to_owned));
    }
    Ok(values)
}
