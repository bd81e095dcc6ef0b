//! What an agent asks for: one page of comments, and counts over everything the question covers.

use opentoolbar_core::model::Comment;
use opentoolbar_core::protocol::{ErrorCode, FeedbackCursor, FeedbackQuery, FeedbackSummary, StatusFilter};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::applied::millis;
use super::comments::rank;
use super::fault::Fault;
use super::news;
use super::worker::Worker;
use crate::hub::error::error;

/// Comments in an answer when the question does not say.
const LIMIT: u32 = 50;

/// One page of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feedback {
    /// Counts with the filters of path, address and tab, whatever the status.
    pub summary: FeedbackSummary,
    /// Active, then outdated, then resolved; oldest first within.
    pub comments: Vec<Comment>,
    /// Absent at the end.
    pub next_cursor: Option<String>,
    /// For `wait_for_feedback`.
    pub position: u64,
}

/// Conditions with their values, in step.
#[derive(Clone, Default)]
struct Filter {
    sql: String,
    values: Vec<Value>,
}

impl Filter {
    fn and(&mut self, condition: &str, values: impl IntoIterator<Item = Value>) {
        self.sql.push_str(" AND ");
        self.sql.push_str(condition);
        self.values.extend(values);
    }

    fn of(query: &FeedbackQuery) -> Self {
        let mut filter = Self { sql: "deleted_at IS NULL".into(), values: Vec::new() };
        if let Some(pathname) = &query.pathname {
            filter.and("pathname = ?", [pathname.clone().into()]);
        }
        if let Some(url) = &query.url {
            // The beginning of an address, as a range that the index knows.
            filter.and("url >= ? AND url < ? || char(1114111)", [url.clone().into(), url.clone().into()]);
        }
        if let Some(session) = &query.session_id {
            filter.and("session_id = ?", [session.as_str().to_owned().into()]);
        }
        filter
    }
}

pub(super) fn feedback(worker: &mut Worker, query: &FeedbackQuery) -> Result<Feedback, Fault> {
    let cursor = query.cursor.as_deref().map(decode).transpose()?;
    let Some(database) = worker.reading()? else { return Ok(Feedback::default()) };
    // One moment for counts, comments and position.
    let transaction = database.connection.transaction()?;
    let filter = Filter::of(query);
    let summary = count(&transaction, &filter)?;
    let (comments, next_cursor) = page(&transaction, filter, query, cursor)?;
    let position = news::position(&transaction)?;
    Ok(Feedback { summary, comments, next_cursor, position })
}

fn decode(cursor: &str) -> Result<FeedbackCursor, Fault> {
    FeedbackCursor::decode(cursor).ok_or_else(|| {
        Fault::Refused(error(
            ErrorCode::BadRequest,
            "the cursor is not one of this hub's",
            "Pass `nextCursor` of the last answer unchanged, or none to start from the beginning.",
        ))
    })
}

fn count(connection: &Connection, filter: &Filter) -> Result<FeedbackSummary, Fault> {
    let sql = format!("SELECT status, count(*) FROM comments WHERE {} GROUP BY status", filter.sql);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(&filter.values))?;
    let mut summary = FeedbackSummary::default();
    while let Some(row) = rows.next()? {
        let (status, count): (u8, u32) = (row.get(0)?, row.get(1)?);
        match status {
            0 => summary.active = count,
            1 => summary.outdated = count,
            _ => summary.resolved = count,
        }
        summary.total += count;
    }
    Ok(summary)
}

fn page(
    connection: &Connection,
    mut filter: Filter,
    query: &FeedbackQuery,
    cursor: Option<FeedbackCursor>,
) -> Result<(Vec<Comment>, Option<String>), Fault> {
    match query.status {
        StatusFilter::Unresolved => filter.and("status < 2", []),
        StatusFilter::Active => filter.and("status = 0", []),
        StatusFilter::Outdated => filter.and("status = 1", []),
        StatusFilter::Resolved => filter.and("status = 2", []),
        StatusFilter::All => {}
    }
    if let Some(cursor) = cursor {
        let place: [Value; 3] = [
            i64::from(rank(cursor.status)).into(),
            millis(cursor.created_at).into(),
            cursor.id.as_str().to_owned().into(),
        ];
        filter.and("(status, created_at, id) > (?, ?, ?)", place);
    }
    let limit = query.limit.unwrap_or(LIMIT);
    // One more than asked tells whether there is a next page.
    filter.values.push(i64::from(limit).saturating_add(1).into());
    // The inner question sorts keys, not documents: those are read for the answer only.
    let sql = format!(
        "SELECT document FROM comments WHERE rowid IN (SELECT rowid FROM comments WHERE {} ORDER BY status, created_at, \
         id LIMIT ?) ORDER BY status, created_at, id",
        filter.sql
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params_from_iter(&filter.values), |row| row.get::<_, String>(0))?;
    let mut comments: Vec<Comment> = Vec::new();
    for document in rows {
        comments.push(serde_json::from_str(&document?)?);
    }
    let more = comments.len() > limit as usize;
    comments.truncate(limit as usize);
    let next = comments.last().filter(|_| more).map(|last| FeedbackCursor::after(last).encode());
    Ok((comments, next))
}
