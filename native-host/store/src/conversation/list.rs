//! The sessions of a project in which something was said.

use opentoolbar_core::model::Timestamp;
use opentoolbar_core::protocol::ConversationSummary;

use super::super::fault::Fault;
use super::super::worker::Worker;
use super::contexts;

/// The latest first. A session is left out where a row of it cannot be read.
pub(super) fn conversations(worker: &mut Worker, most: u32) -> Result<Vec<ConversationSummary>, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(Vec::new()) };
    let connection = &database.connection;
    let mut statement = connection.prepare_cached(
        "SELECT session_id, count(*) FILTER (WHERE role = 0), max(created_at) FILTER (WHERE role = 0), \
         max(created_at), (SELECT substr(content, 1, 4000) FROM messages AS first WHERE first.session_id = \
         messages.session_id AND first.role = 0 AND first.is_withdrawn = 0 ORDER BY first.number LIMIT 1) \
         FROM messages WHERE is_withdrawn = 0 GROUP BY session_id ORDER BY max(number) DESC LIMIT ?1",
    )?;
    let mut rows = statement.query([most])?;
    let moment = |at: i64| Timestamp(u64::try_from(at).unwrap_or(0));
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let session = || row.get::<_, String>(0)?.parse().map_err(Fault::unreadable);
        let Some(session_id) = unreadable.skip("message", "of a session", session())? else { continue };
        let page = contexts::latest_readable(connection, &session_id, &unreadable)?
            .map(|context| context.selection.page);
        let (page_url, page_title) = page.map(|page| (page.url, page.title)).unzip();
        let read = || {
            Ok(ConversationSummary {
                session_id,
                page_url,
                page_title,
                requests: row.get(1)?,
                first_request: row.get(4)?,
                last_request: row.get::<_, Option<i64>>(2)?.map(moment),
                last_active: moment(row.get(3)?),
            })
        };
        all.extend(unreadable.skip("message", "of a session", read())?);
    }
    Ok(all)
}
