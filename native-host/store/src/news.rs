//! What persons made or changed since a position of the log.

use std::collections::BTreeMap;

use opentoolbar_core::model::{Comment, Message};
use opentoolbar_core::protocol::{NewsOf, NewsQuery};

use super::conversation;
use super::fault::Fault;
use super::news_log::position;
use super::numbers::NUMBER;
use super::worker::Worker;

/// Most comments and messages in one answer; the next wait returns the rest at once.
const MOST: u32 = 50;

/// What is new.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct News {
    /// Oldest news first.
    pub comments: Vec<Comment>,
    /// What a person said in a session, did not take back, and nobody has answered.
    pub messages: Vec<Message>,
    /// The position of each of them, by its id.
    pub positions: BTreeMap<String, u64>,
    /// For the next question.
    pub position: u64,
    /// Whether there is more behind these.
    pub is_cut: bool,
    /// How many of what is new cannot be read; they are left out.
    pub unreadable: u32,
}

/// `after` absent: nothing yet, only where the log stands now. A message that nobody was handed is told wherever it
/// stands behind `unread_after`: an answer with comments alone has a position too, and is no answer to what the person
/// said.
pub(super) fn since(worker: &mut Worker, query: &NewsQuery) -> Result<News, Fault> {
    let unreadable = worker.unreadable();
    let Some(database) = worker.reading()? else { return Ok(News::default()) };
    let connection = &database.connection;
    let now = position(connection)?;
    let Some(after) = query.after else { return Ok(News { position: now, ..News::default() }) };
    // A position beyond the log is of a database that was deleted: everything here is new to whoever has it.
    let after = if after > now { 0 } else { after };
    let only = match query.only {
        None => "",
        Some(NewsOf::Comments) => "AND news.comment_id IS NOT NULL",
        Some(NewsOf::Messages) => "AND news.message_id IS NOT NULL",
    };
    let sql = format!(
        "SELECT news.position, news.comment_id, comments.document, news.message_id, {NUMBER} FROM news \
         LEFT JOIN comments ON comments.id = news.comment_id AND comments.deleted_at IS NULL \
         LEFT JOIN messages ON messages.id = news.message_id AND messages.is_withdrawn = 0 AND \
         messages.answered_by IS NULL \
         WHERE ((news.position > ?1 AND (messages.id IS NOT NULL OR comments.id IS NOT NULL)) \
         OR (messages.is_read = 0 AND news.position > ?3)) {only} ORDER BY news.position LIMIT ?2"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let beyond = |position: u64| i64::try_from(position).unwrap_or(i64::MAX);
    let unread_after = query.unread_after.map_or(-1, beyond);
    let mut rows = statement.query([beyond(after), i64::from(MOST) + 1, unread_after])?;
    let mut news = News { position: now, ..News::default() };
    let (mut count, mut last) = (0, after);
    while let Some(row) = rows.next()? {
        if count == MOST {
            (news.is_cut, news.position) = (true, last);
            break;
        }
        let position: i64 = row.get(0)?;
        let before = news.comments.len() + news.messages.len();
        match row.get_ref(3)?.as_str() {
            Ok(message) => {
                let said = conversation::said(connection, message);
                news.messages.extend(unreadable.skip("message", message, said)?.flatten());
            }
            Err(_) => {
                let comment = unreadable.comment(row.get_ref(1)?, row.get_ref(2)?, row.get_ref(4)?);
                news.comments.extend(comment);
            }
        }
        let is_read = news.comments.len() + news.messages.len() > before;
        news.unreadable += u32::from(!is_read);
        let id =
            row.get_ref(3)?.as_str().or_else(|_| row.get_ref(1).map(|id| id.as_str().unwrap_or_default()));
        if let (true, Ok(id)) = (is_read, id) {
            news.positions.insert(id.to_owned(), u64::try_from(position).unwrap_or(0));
        }
        count += 1;
        last = u64::try_from(position).unwrap_or(now).max(after);
    }
    Ok(news)
}
