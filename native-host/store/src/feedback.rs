//! What an agent asks for: one page of comments, and counts over everything the question covers.

use opentoolbar_core::model::{Comment, Status, Timestamp};
use opentoolbar_core::protocol::{ErrorCode, FeedbackCursor, FeedbackQuery, FeedbackSummary, StatusFilter};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::applied::millis;
use super::comment_rows::rank;
use super::fault::Fault;
use super::news_log;
use super::numbers::NUMBER;
use super::unreadable::Unreadable;
use super::worker::Worker;
use opentoolbar_leaves::error::error;

/// Comments in an answer when the question does not say.
const LIMIT: u32 = 50;

/// One page of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feedback {
    /// `total` counts with all filters, the rest with those of path, address and tab, whatever the status.
    pub summary: FeedbackSummary,
    /// Active, then outdated, then resolved; oldest first within.
    pub comments: Vec<Comment>,
    /// Absent at the end.
    pub next_cursor: Option<String>,
    /// For `wait_for_feedback`: of the first page, on every page.
    pub position: u64,
    /// How many of this page cannot be read; they are left out.
    pub unreadable: u32,
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
        if let Some(comment) = &query.comment_id {
            filter.and("id = ?", [comment.as_str().to_owned().into()]);
        }
        if let Some(number) = query.number {
            filter.and("id = (SELECT comment_id FROM numbers WHERE number = ?)", [number.into()]);
        }
        filter
    }
}

pub(super) fn feedback(worker: &mut Worker, query: &FeedbackQuery) -> Result<Feedback, Fault> {
    let cursor = query.cursor.as_deref().map(decode).transpose()?;
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(Feedback::default()) };
    // One moment for counts, comments and position.
    let transaction = database.connection.transaction()?;
    let filter = Filter::of(query);
    let summary = count(&transaction, &filter, query.status, &unreadable)?;
    let now = news_log::position(&transaction)?;
    // What changes while an agent asks for page after page comes with its next wait.
    let position = cursor.as_ref().and_then(|cursor| cursor.since).map_or(now, |since| since.min(now));
    let page = page(&transaction, filter, query, cursor, position, &unreadable)?;
    Ok(Feedback { summary, position, ..page })
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

/// One whose status cannot be read counts for none.
fn count(
    connection: &Connection,
    filter: &Filter,
    asked: StatusFilter,
    unreadable: &Unreadable,
) -> Result<FeedbackSummary, Fault> {
    let sql = format!("SELECT status, count(*) FROM comments WHERE {} GROUP BY status", filter.sql);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(&filter.values))?;
    let mut summary = FeedbackSummary::default();
    while let Some(row) = rows.next()? {
        let count: u32 = row.get(1)?;
        match row.get_ref(0)?.as_i64() {
            Ok(0) => summary.active = count,
            Ok(1) => summary.outdated = count,
            Ok(2) => summary.resolved = count,
            _ => unreadable.note("comment", "of no status"),
        }
    }
    let FeedbackSummary { active, outdated, resolved, .. } = summary;
    summary.total = match asked {
        StatusFilter::Unresolved => active + outdated,
        StatusFilter::Active => active,
        StatusFilter::Outdated => outdated,
        StatusFilter::Resolved => resolved,
        StatusFilter::All => active + outdated + resolved,
    };
    Ok(summary)
}

fn page(
    connection: &Connection,
    mut filter: Filter,
    query: &FeedbackQuery,
    cursor: Option<FeedbackCursor>,
    position: u64,
    unreadable: &Unreadable,
) -> Result<Feedback, Fault> {
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
        "SELECT id, document, status, created_at, {NUMBER} FROM comments WHERE rowid IN (SELECT rowid FROM comments \
         WHERE {} ORDER BY status, created_at, id LIMIT ?) ORDER BY status, created_at, id",
        filter.sql
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(&filter.values))?;
    let mut page = Feedback::default();
    let mut left = limit;
    // The place of the last row, also when that one cannot be read.
    let mut last = None;
    while let Some(row) = rows.next()? {
        if left == 0 {
            page.next_cursor = last.map(|last: FeedbackCursor| last.encode());
            break;
        }
        left -= 1;
        match unreadable.comment(row.get_ref(0)?, row.get_ref(1)?, row.get_ref(4)?) {
            Some(comment) => page.comments.push(comment),
            None => page.unreadable += 1,
        }
        last = place(row, position).or(last);
    }
    Ok(page)
}

/// Where a row stands in the order of answers.
fn place(row: &Row<'_>, position: u64) -> Option<FeedbackCursor> {
    let status = match row.get::<_, u8>(2).ok()? {
        0 => Status::Active,
        1 => Status::Outdated,
        _ => Status::Resolved,
    };
    let created_at = Timestamp(u64::try_from(row.get::<_, i64>(3).ok()?).ok()?);
    let id = row.get_ref(0).ok()?.as_str().ok()?.parse().ok()?;
    Some(FeedbackCursor { status, created_at, id, since: Some(position) })
}
