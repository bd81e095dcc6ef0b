//! The sessions of a project in which something was said.

use opentoolbar_core::model::{SessionId, Timestamp};
use opentoolbar_core::protocol::ConversationSummary;
use rusqlite::{OptionalExtension, params};

use super::super::applied::millis;
use super::super::fault::Fault;
use super::super::worker::Worker;

/// Characters of a session's first request.
const MOST_WORDS: usize = 1_000;

/// Which sessions are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversations {
    /// At most so many.
    pub limit: u32,
    /// Only those whose last message is no later.
    pub until: Option<Timestamp>,
    /// Of those of that very moment only the ones behind this one.
    pub behind: Option<SessionId>,
}

/// The latest first, by their last messages, and whether there are more. A session is left out where a row of it cannot
/// be read.
pub(super) fn conversations(
    worker: &mut Worker,
    Conversations { limit, until, behind }: &Conversations,
) -> Result<(Vec<ConversationSummary>, bool), Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok((Vec::new(), false)) };
    // One character more tells that a text is cut.
    let sql = format!(
        "SELECT session_id, count(*) FILTER (WHERE role = 0), max(created_at) AS latest, \
         (SELECT substr(content, 1, {MOST_WORDS} + 1) FROM messages AS first WHERE first.session_id = \
         messages.session_id AND first.role = 0 AND first.is_withdrawn = 0 ORDER BY first.number LIMIT 1) \
         FROM messages WHERE is_withdrawn = 0 GROUP BY session_id \
         HAVING ?1 IS NULL OR latest < ?1 OR (latest = ?1 AND (?2 IS NULL OR session_id > ?2)) \
         ORDER BY latest DESC, session_id LIMIT ?3"
    );
    let mut statement = database.connection.prepare_cached(&sql)?;
    let behind = behind.as_ref().map(SessionId::as_str);
    let mut rows = statement.query(params![until.map(millis), behind, limit.saturating_add(1)])?;
    let (mut all, mut more) = (Vec::new(), false);
    while let Some(row) = rows.next()? {
        let read = || {
            Ok(ConversationSummary {
                session_id: row.get::<_, String>(0)?.parse().map_err(Fault::unreadable)?,
                requests: row.get(1)?,
                first_request: row.get::<_, Option<String>>(3)?.map(whole_words),
                last_active: Timestamp(u64::try_from(row.get::<_, i64>(2)?).unwrap_or(0)),
            })
        };
        if all.len() >= *limit as usize {
            more = true;
            break;
        }
        all.extend(unreadable.skip("message", "of a session", read())?);
    }
    Ok((all, more))
}

/// Of a text that is cut what is whole: a secret of which the half is missing would not be known for one.
fn whole_words(mut text: String) -> String {
    if text.chars().count() > MOST_WORDS {
        text.truncate(text.rfind(char::is_whitespace).unwrap_or(0));
    }
    text
}

/// The session in which the person said something last.
pub(super) fn last_asked_in(worker: &mut Worker) -> Result<Option<SessionId>, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(None) };
    let mut statement = database.connection.prepare_cached(
        "SELECT session_id FROM messages WHERE role = 0 AND is_withdrawn = 0 ORDER BY number DESC LIMIT 1",
    )?;
    let read = |id: String| id.parse().map_err(Fault::unreadable);
    let found: Option<String> = statement.query_row([], |row| row.get(0)).optional()?;
    Ok(found.map(|id| unreadable.skip("message", "of a session", read(id))).transpose()?.flatten())
}
